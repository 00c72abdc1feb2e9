package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Fork creates a new run that begins with the state of another run after its event at (the last if
// at is 0), and returns the new ID. The other run is not changed and may be in use. The new run has
// everything that the other has, and its journal ends with a RunForked event. Open continues it.
func (s *Store) Fork(id string, at int, now time.Time) (string, error) {
	from, err := s.ReadHistory(id)
	if err != nil {
		return "", err
	}
	if len(from.Events) == 0 {
		return "", fmt.Errorf("run %s has no events yet, so it cannot be forked", from.ID())
	}
	if at == 0 {
		at = len(from.Events)
	}
	if at < 1 || at > len(from.Events) {
		return "", fmt.Errorf("run %s has no event %d: its newest event is %d", from.ID(), at, len(from.Events))
	}
	dir, err := createFolder(s.dir, randomID)
	if err != nil {
		return "", err
	}
	f := Folder{dir: dir}
	if err := s.fillFork(f, from, at, now); err != nil {
		_ = os.RemoveAll(dir) // report the first error
		return "", fmt.Errorf("cannot fork run %s: %w", from.ID(), err)
	}
	return f.ID(), nil
}

// fillFork fills the folder of a fork.
func (s *Store) fillFork(f Folder, from History, at int, now time.Time) error {
	lock, err := acquireLock(f)
	if err != nil {
		return err
	}
	if err := copyFolder(from, f.dir); err != nil {
		return errors.Join(err, lock.Close())
	}
	if err := f.recordFork(from.ID(), now); err != nil {
		return errors.Join(err, lock.Close())
	}
	run, err := s.openRun(f, lock, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	for _, e := range append(from.Events, eventsAddedByFork(from, at, f.ID(), now)...) {
		if err = run.Append(e); err != nil {
			break
		}
	}
	return errors.Join(err, run.Sync(), run.Close())
}

// eventsAddedByFork returns the events that a fork adds to the events of its origin.
func eventsAddedByFork(from History, at int, as string, now time.Time) []machine.Event {
	n := len(from.Events)
	step, id := machine.PositionAfter(machine.BranchTo(from.Events, at))
	event := func(seq int, b machine.Body) machine.Event {
		return machine.Event{Seq: seq, Time: now, Step: step, ExplicitStepID: id, By: machine.ByPerson, Body: b}
	}
	var out []machine.Event
	if at < n {
		out = append(out, event(n+1, &machine.RunRewound{ToSeq: at}))
	}
	return append(out, event(n+len(out)+1, &machine.RunForked{FromRunID: from.ID(), FromSeq: at, NewRunID: as}))
}

// recordFork records which run the folder is a fork of, and when it was made.
func (f Folder) recordFork(run string, now time.Time) error {
	m, err := f.manifest()
	if err != nil {
		return err
	}
	m.OriginalRunID, m.ForkedAt = run, now
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return outfile.ReplaceFile(filepath.Join(f.dir, f.manifestFile()), append(data, '\n'), 0o600)
}

// copyFolder copies a run's folder except for the lock, the journal, and the logs of what happened
// after the journal was read. Texts, and logs of actions that have ended, are hard links, because
// nothing is written to them any more.
func copyFolder(from History, to string) error {
	logs := from.endedLogs()
	return filepath.WalkDir(from.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from.dir, path)
		switch {
		case err != nil || rel == "." || rel == lockFile || rel == eventsFile || rel == tornFile:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		case !d.Type().IsRegular(), seqOfLog(rel) > len(from.Events):
			return nil
		case (logs[rel] || filepath.Dir(rel) == textsDir || filepath.Dir(rel) == contentsDir) && os.Link(path, filepath.Join(to, rel)) == nil:
			return nil
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

// endedLogs returns the names of the logs of actions that have ended.
func (h History) endedLogs() map[string]bool {
	logs := map[string]bool{}
	for _, e := range h.Events {
		if end, is := e.Body.(*machine.ActionFinished); is && end.Log != nil {
			logs[filepath.FromSlash(end.Log.File)] = true
		}
	}
	return logs
}

func copyFile(from, to string) error {
	in, err := infile.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
