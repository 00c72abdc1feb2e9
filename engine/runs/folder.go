package runs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// RunsInWorkingFolder returns the runs of all documents that were started in the working folder, newest first.
func RunsInWorkingFolder() ([]journal.RunSummary, error) {
	all, err := journal.DefaultStore().List()
	if err != nil {
		return nil, err
	}
	here, err := setup.WorkingFolder()
	return slices.DeleteFunc(all, func(r journal.RunSummary) bool { return r.StartFolder != here }), err
}

// DocumentPathFrom returns the path of a run's document as seen from a folder. It is the path as given if
// the run was started there, else the shorter of the relative and the absolute path.
func DocumentPathFrom(folder string, r journal.RunSummary) string {
	if r.Path == "" || r.StartFolder == "" || r.StartFolder == folder || filepath.IsAbs(r.Path) || strings.HasPrefix(r.Path, machine.BuiltInPrefix) {
		return r.Path
	}
	path := filepath.Join(r.StartFolder, r.Path)
	if near, err := filepath.Rel(folder, path); err == nil && len(near) < len(path) {
		return near
	}
	return path
}

// ShortFolder returns a folder's path as people write it, with ~ for their own folder.
func ShortFolder(path string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
		return filepath.Join("~", rel)
	}
	return path
}

// NewestLiveRun returns the ID of the newest of these runs that a process drives.
func NewestLiveRun(here []journal.RunSummary) (id string, err error) {
	for _, r := range here {
		if r.Result == journal.Running {
			return r.Run, nil
		}
	}
	return "", errors.New("no run that was started in this folder is running: to list all runs, use playhead runs")
}

// RunToActOn returns the ID of the run to act on if none is named: the only one of these runs that waits or is
// paused, else the only one that is running or was interrupted, else the only one that was cancelled, else the only
// fork that nobody has opened.
func RunToActOn(here []journal.RunSummary) (id string, err error) {
	var waiting, live, cancelled, forks []string
	for _, r := range here {
		switch word := r.ResultWord(); {
		case !r.CanContinue():
		case r.IsUnopenedFork && r.Result != journal.Running:
			forks = append(forks, r.Run)
		case word == "waiting" || word == "paused":
			waiting = append(waiting, r.Run)
		case r.Result == string(plan.Cancelled):
			cancelled = append(cancelled, r.Run)
		default:
			live = append(live, r.Run)
		}
	}
	for _, group := range []struct {
		noun string
		ids  []string
	}{{"waiting or paused runs", waiting}, {"unfinished runs", live}, {"cancelled runs", cancelled}, {"unopened forks", forks}} {
		switch len(group.ids) {
		case 0:
		case 1:
			return group.ids[0], nil
		default:
			return "", fmt.Errorf("this folder has several %s: %s. Name one with --run", group.noun, strings.Join(group.ids, ", "))
		}
	}
	return "", errors.New("this folder has no unfinished runs: name a run with --run (to list all runs, use playhead runs)")
}

// NewPlayerAtEnd returns a player of a recorded run, at the end of the recording. Pauses keep their length.
func NewPlayerAtEnd(folder journal.Folder) (*replay.Player, error) {
	history, err := journal.ReadHistory(folder)
	if len(history.Events) == 0 {
		return nil, err
	}
	if err := setup.SetVersionLoaders(history.Folder, history.Events); err != nil {
		return nil, err
	}
	p := replay.New(replay.NewRecording(machine.LiveBranch(history.Events), 0), history.LogFile)
	p.SeekEnd()
	return p, nil
}
