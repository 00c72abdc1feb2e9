package comparison_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/runs"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/keymap"
	"playhead/tui/request"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// TestRunsToCompareWith: the person chooses one of the other runs. A message says that there is none, or why the runs
// cannot be listed.
func TestRunsToCompareWith(t *testing.T) {
	run := runviewtest.New(t, keymap.Map{})
	for want, l := range map[string]comparison.RunsListed{
		"Gone.": {Err: errors.New("gone")},
		"There is no other run of this document to compare with yet.": {Err: runs.ErrNoOtherRun},
	} {
		if got := l.Requests(); got[0] != (request.Say{Text: want}) {
			t.Errorf("%v", got)
		}
	}
	l := comparison.RunsListed{Runs: []journal.RunSummary{{Run: "7f3a"}, {Run: "9b20"}}}
	menu := l.Requests()[0].(dialog.Open).Dialog.(*choose.Menu)
	menu.Update(run, terminal.KeyPress("down"))
	got, _ := menu.Update(run, terminal.KeyPress("enter"))
	if len(got) != 2 || got[1] != (comparison.CompareWith{RunID: "9b20"}) {
		t.Errorf("%v", got)
	}
}

// TestLocalTimes: the menu shows the start of a run in local time, as other lists do.
func TestLocalTimes(t *testing.T) {
	run, at := runviewtest.New(t, keymap.Map{}), time.Date(2026, 3, 1, 10, 0, 0, 0, time.FixedZone("", 5*60*60+17*60))
	menu := comparison.RunsListed{Runs: []journal.RunSummary{{Run: "7f3a", Started: at}}}.Requests()[0].(dialog.Open).Dialog.(*choose.Menu)
	if got, want := menu.DrawItem(run, menu.Finder.MatchingItems[0], 60), at.Local().Format(time.DateTime); !strings.Contains(ansi.Strip(got), want) {
		t.Errorf("%q lacks %q", got, want)
	}
}
