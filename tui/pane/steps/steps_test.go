package steps_test

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/pane/steps"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/search"
)

func newPane(t *testing.T) (*steps.Pane, *runview.Run) {
	run, p := runviewtest.New(t, keymap.Map{}), steps.New()
	p.Resize(layout.Rect{W: 30, H: 4})
	p.Sync(run)
	return p, run
}

// TestFollowing: the selection follows the run until the person moves it.
func TestFollowing(t *testing.T) {
	p, run := newPane(t)
	if p.SelectedRow() != run.Track.RowByLabel("1") || !p.FollowsRun() {
		t.Errorf("selected %v", p.SelectedRow())
	}
	p.Update(run, pane.Move{Lines: 1})
	if p.Sync(run); p.SelectedRow() != run.Track.RowByLabel("2") || p.FollowsRun() {
		t.Errorf("selected %v", p.SelectedRow())
	}
	p.FollowRun()
	if p.Sync(run); p.SelectedRow() != run.Track.RowByLabel("1") {
		t.Errorf("selected %v", p.SelectedRow())
	}
}

// TestView: rows show the mark of the run and the number of untaken routes, and the title counts the steps that are
// done.
func TestView(t *testing.T) {
	p, run := newPane(t)
	run.Breakpoints = []engine.Breakpoint{{Step: "2"}}
	p.MarkUntakenRoutes(map[*plan.Step]int{run.Track.RowByLabel("2").Step: 2})
	text := runviewtest.PlainText(p.View(run))
	for _, want := range []string{"▶ ✓ 1 One", "2 Two", "2 untaken"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if title := p.Title(run); title.Left != "STEPS" || !strings.Contains(title.Right, "1/2 done") {
		t.Errorf("title %v", title)
	}
}

// TestClockOfExecutingStep: a step that the run has entered shows its time only from when its command runs, because the
// run may be paused before that.
func TestClockOfExecutingStep(t *testing.T) {
	p, run := newPane(t)
	run.ShownTrack.Fold(machine.Event{Step: "2", Attempt: 1, Body: &machine.StepEntered{}})
	if text := runviewtest.PlainText(p.View(run)); !strings.Contains(text, "• 2 Two") || strings.Contains(text, "00:0") {
		t.Errorf("a clock or no • in\n%s", text)
	}
	run.ShownTrack.Fold(machine.Event{Step: "2", Attempt: 1, Body: &machine.ActionStarted{Kind: "command"}, Time: run.ShownTime})
	p.Redraw()
	if text := runviewtest.PlainText(p.View(run)); !strings.Contains(text, "⠋ 2 Two") || !strings.Contains(text, "00:00") {
		t.Errorf("no clock or no spinner in\n%s", text)
	}
}

// TestAttemptCountBesideTitle: the number of attempts is left out if it would cut a title that fits without it. It
// shows beside a title that is cut anyway.
func TestAttemptCountBesideTitle(t *testing.T) {
	p, run := newPane(t)
	run.ShownTrack.Fold(machine.Event{Step: "1", Attempt: 2, Body: &machine.StepEntered{}},
		machine.Event{Step: "1", Attempt: 2, Body: &machine.StepFinished{Result: plan.Passed, Outcome: &plan.Outcome{Result: plan.Passed}}})
	row := run.ShownTrack.RowByLabel("1")
	row.NewestStepAttempt().AnsweredBy = machine.ByFile
	for title, want := range map[string]string{
		"Write it":                 "✓ 1 Write it        ×2 file",
		"Write down a name":        "✓ 1 Write down a name  file",
		"Write all of these names": "✓ 1 Write all of t… ×2 file",
	} {
		row.Title = title
		p.Redraw()
		if text := runviewtest.PlainText(p.View(run)); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestMouse(t *testing.T) {
	p, run := newPane(t)
	p.View(run)
	got, _ := p.Update(run, pane.Click{X: 9, Y: 1, IsDouble: true})
	if p.SelectedRow() != run.Track.RowByLabel("2") || !reflect.DeepEqual(got, []tea.Msg{request.PressKeyOf{Action: "open"}}) {
		t.Errorf("selected %v, requested %v", p.SelectedRow(), got)
	}
	if _, handled := p.Update(run, pane.Action{Name: "open"}); handled {
		t.Error("a step without children folds")
	}
}

func TestSearchText(t *testing.T) {
	p, run := newPane(t)
	s := search.New()
	p.SearchText(run, &s).ShowLine(1)
	if p.SelectedRow() != run.Track.RowByLabel("2") {
		t.Errorf("selected %v", p.SelectedRow())
	}
	if x := p.Excerpts(run); len(x) != 1 || x[0].Text() != "2 Two" {
		t.Errorf("excerpts %v", x)
	}
}

// TestClickOnDeepFoldMarker: the fold marker can be clicked where it is drawn, even if the indentation is limited.
func TestClickOnDeepFoldMarker(t *testing.T) {
	p, run := newPane(t)
	at := run.Track.RowByLabel("2")
	for range 9 {
		child := &track.Row{Label: "x", LocalLabel: "x", Title: "x", Parent: at}
		at.Children, at = []*track.Row{child}, child
	}
	p.Resize(layout.Rect{W: 30, H: 20})
	p.RebuildRows(run.ShownTrack)
	count := p.RowCount()
	lines := strings.Split(runviewtest.PlainText(p.View(run)), "\n")
	y := count - 2 // the deepest row with a child
	before, _, _ := strings.Cut(lines[y], "▾")
	p.Update(run, pane.Click{X: len([]rune(before)), Y: y})
	if p.RowCount() != count-1 {
		t.Errorf("%d of %d rows show after a click on the marker of\n%s", p.RowCount(), count, lines[y])
	}
}
