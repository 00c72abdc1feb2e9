package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Fork makes a new run that is what another one was after its event at: the newest
// with 0. The other run is left as it is, and may be in use. The new one has all that
// the other has, its journal ends with forked, and is to be opened to go on with it.
func (s *Store) Fork(id string, at int, now time.Time) (string, error) {
	from, err := s.Read(id)
	if err != nil {
		return "", err
	}
	if len(from.Events) == 0 {
		return "", fmt.Errorf("run %s has recorded nothing that could be forked", from.ID())
	}
	if at == 0 {
		at = len(from.Events)
	}
	if at < 1 || at > len(from.Events) {
		return "", fmt.Errorf("run %s has no event %d: it has %d", from.ID(), at, len(from.Events))
	}
	dir, err := newFolder(s.dir, randomID)
	if err != nil {
		return "", err
	}
	f := Folder{dir: dir}
	if err := s.forked(f, from, at, now); err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to tell
		return "", fmt.Errorf("cannot fork run %s: %w", from.ID(), err)
	}
	return f.ID(), nil
}

// forked fills the folder of a fork.
func (s *Store) forked(f Folder, from History, at int, now time.Time) error {
	lock, err := acquire(f)
	if err != nil {
		return err
	}
	if err := copyRun(from, f.dir); err != nil {
		return errors.Join(err, lock.Close())
	}
	if err := f.forkOf(from.ID(), now); err != nil {
		return errors.Join(err, lock.Close())
	}
	run, err := s.run(f, lock, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	for _, e := range append(from.Events, partings(from, at, f.ID(), now)...) {
		if err = run.Append(e); err != nil {
			break
		}
	}
	return errors.Join(err, run.Sync(), run.Close())
}

// partings are the events with which a fork leaves the run that it is of.
func partings(from History, at int, as string, now time.Time) []machine.Event {
	n := len(from.Events)
	step, id := standing(machine.Branch(from.Events, at))
	event := func(seq int, b machine.Body) machine.Event {
		return machine.Event{Seq: seq, Time: now, Step: step, ID: id, By: machine.ByPerson, Body: b}
	}
	var out []machine.Event
	if at < n {
		out = append(out, event(n+1, &machine.Rewound{To: at}))
	}
	return append(out, event(n+len(out)+1, &machine.Forked{Run: from.ID(), Seq: at, As: as}))
}

// standing is the label, and the id where it differs, of the step at which a run goes on
// after events.
func standing(chain []machine.Event) (label, id string) {
	for _, e := range slices.Backward(chain) {
		if position(e) != "" {
			return e.Onward()
		}
	}
	return "", ""
}

// forkOf notes which run the folder is a fork of, and since when.
func (f Folder) forkOf(run string, now time.Time) error {
	m, err := f.manifest()
	if err != nil {
		return err
	}
	m.Fork, m.Forked = run, now
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return outfile.Replace(filepath.Join(f.dir, f.manifestFile()), append(data, '\n'), 0o600)
}

// copyRun copies what a run's folder holds, but for its lock, its journal, and the logs of
// what it has done since that was read. Texts, and logs of actions that are over, are not
// written to any more: so links do.
func copyRun(from History, to string) error {
	logs := from.logsOver()
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
		case !d.Type().IsRegular(), logSeq(rel) > len(from.Events):
			return nil
		case (logs[rel] || filepath.Dir(rel) == textsDir || filepath.Dir(rel) == contentsDir) && os.Link(path, filepath.Join(to, rel)) == nil:
			return nil
		}
		return copyFile(path, filepath.Join(to, rel))
	})
}

// logsOver are the logs of actions that are over, by name.
func (h History) logsOver() map[string]bool {
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
