package runs

import (
	"errors"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/engine/tools/local"
)

// ChangedFiles are the files that a run changed, and has not put back.
func ChangedFiles(id string) ([]engine.FileDiff, error) {
	h, err := journal.Default().Read(id)
	if err != nil {
		return nil, err
	}
	return engine.FileDiffs(h.Folder, h.Events), nil
}

// RestoreFiles puts files back as they were before a run changed them, of a run that nobody drives: the
// one of a path, or all for "".
func RestoreFiles(id, path string, now func() time.Time) (err error) {
	run, h, err := journal.Default().Open(id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Sync(), run.Close()) }()
	started, err := setup.StartOf(h.ID(), h.Events)
	if err != nil {
		return err
	}
	files := engine.FileDiffs(h.Folder, h.Events)
	if len(files) == 0 {
		return errors.New("the run has changed no files, or all of them are restored")
	}
	folder, err := local.Open(started.Options.Place())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	n := len(h.Events)
	add := func(b machine.Body) error {
		n++
		return run.Append(machine.Event{Seq: n, Time: now(), By: machine.ByPerson, Body: b})
	}
	err = engine.RestoreFiles(folder, files, path, func(state machine.FileState) error { return add(&machine.FileRestored{FileState: state}) })
	if end, over := h.Events[len(h.Events)-1].Body.(*machine.Finished); over && n > len(h.Events) {
		again := *end
		again.Ended = h.Events[len(h.Events)-1].Time
		if !end.Ended.IsZero() {
			again.Ended = end.Ended
		}
		err = errors.Join(err, add(&again))
	}
	return err
}
