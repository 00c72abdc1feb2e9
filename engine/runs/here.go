package runs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/setup"
)

// Here returns the runs that were started in the working folder, newest first.
func Here() ([]journal.Summary, error) {
	all, err := journal.Default().List()
	if err != nil {
		return nil, err
	}
	here, err := setup.WorkingFolder()
	return slices.DeleteFunc(all, func(r journal.Summary) bool { return r.Folder != here }), err
}

// NewestLive returns the ID of the newest of these runs that a process drives.
func NewestLive(here []journal.Summary) (id string, err error) {
	for _, r := range here {
		if r.Result == journal.Running {
			return r.Run, nil
		}
	}
	return "", errors.New("no run that was started in this folder is live: playhead runs lists all runs")
}

// Waiting returns the ID of the only one of these runs that waits, or else of the only one that is
// running or was interrupted.
func Waiting(here []journal.Summary) (id string, err error) {
	var waiting, live []string
	for _, r := range here {
		switch word := r.Word(); {
		case word == "waiting" || word == "paused":
			waiting = append(waiting, r.Run)
		case r.Result == journal.Running, r.Result == "":
			live = append(live, r.Run)
		}
	}
	if len(waiting) == 0 {
		waiting = live
	}
	switch len(waiting) {
	case 0:
		return "", errors.New("no run that was started in this folder waits: name one with --run (playhead runs lists them)")
	case 1:
		return waiting[0], nil
	}
	return "", fmt.Errorf("several runs of this folder wait: %s. Name one with --run", strings.Join(waiting, ", "))
}

// PlayEnd plays what a run has recorded whose process has ended, from its end.
func PlayEnd(folder journal.Folder) (*replay.Player, error) {
	history, err := journal.ReadFolder(folder)
	if len(history.Events) == 0 {
		return nil, err
	}
	if err := setup.LoadVersions(history.Folder, history.Events); err != nil {
		return nil, err
	}
	p := replay.New(replay.NewRecording(machine.Chain(history.Events), 0), history.LogFile)
	p.End()
	return p, nil
}
