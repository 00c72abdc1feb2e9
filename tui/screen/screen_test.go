package screen_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/present"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/screen"
	"playhead/tui/search"
	"playhead/tui/terminal"
)

// open returns a screen of 100 × 30 that shows a run, and the messages that it requested.
func open(t *testing.T) (s *screen.Screen, said *[]string) {
	t.Helper()
	run := runviewtest.New(t, keymap.Map{})
	said = new([]string)
	s = screen.New(screen.Config{
		DrawContext: run.DrawContext, Presentation: present.New(false, ""),
		CurrentRun: func() *runview.Run { return run },
		HandleRequest: func(r tea.Msg) tea.Cmd {
			if say, is := r.(request.Say); is {
				*said = append(*said, say.Text)
			}
			return nil
		},
	})
	s.Steps.Sync(run)
	s.Resize(100, 30)
	s.Sync(nil)
	return s, said
}

func frame(s *screen.Screen) string {
	text, _ := s.Draw(screen.Footer{Message: "the last line"})
	return ansi.Strip(text)
}

// TestDialogs: the newest dialog shows and has the focus, which returns to the pane when the last dialog closes. A
// dialog that is queued below does not get the focus.
func TestDialogs(t *testing.T) {
	s, _ := open(t)
	s.FocusPane(layout.TextPane)
	first, second := &confirm.Dialog{Name: "First?"}, &confirm.Dialog{Name: "Second?"}
	s.Open(first)
	s.QueueBelow(second)
	if s.Dialogs.Top() != dialog.Dialog(first) || s.Focus != layout.DialogPlace || !strings.Contains(frame(s), "First?") {
		t.Errorf("top %v, focus %v\n%s", s.Dialogs.Top(), s.Focus, frame(s))
	}
	s.DoRequests(dialog.Close{Dialog: first})
	if s.Dialogs.Top() != dialog.Dialog(second) || !s.Dialogs.Contains(second) || s.Dialogs.Contains(first) {
		t.Errorf("top %v", s.Dialogs.Top())
	}
	if s.DoRequestsOf(second, []tea.Msg{dialog.Close{}}); s.Dialogs.Top() != nil || s.Focus != layout.TextPane {
		t.Errorf("top %v, focus %v", s.Dialogs.Top(), s.Focus)
	}
}

// TestFocus: CycleFocus visits the visible panes, and GoBack returns to the home pane.
func TestFocus(t *testing.T) {
	s, said := open(t)
	s.FocusPane(layout.TextPane)
	s.Borders.HidePane()
	if len(*said) != 1 || !strings.HasPrefix((*said)[0], "The pane is hidden. {text} to show it") {
		t.Errorf("said %q", *said)
	}
	var order []layout.PaneID
	for range 3 {
		order = append(order, s.Focus)
		s.CycleFocus(1)
	}
	for _, p := range order {
		if p == layout.TextPane {
			t.Errorf("tab goes to the hidden pane: %v", order)
		}
	}
	s.FocusPane(layout.OutputPane)
	if s.GoBack(); s.Focus != layout.StepsPane {
		t.Errorf("back leads to %v", s.Focus)
	}
	if s.FocusPane(layout.TextPane); s.Split.Hides(layout.TextPane) {
		t.Error("the pane stays hidden where it has the focus")
	}
}

// TestBorders: a border moves and returns to its usual place, but does not move while a pane is zoomed.
func TestBorders(t *testing.T) {
	s, _ := open(t)
	left := s.Layout.StepsWidth
	if s.Borders.MoveStepsBorder(1); s.Layout.StepsWidth != left+2 {
		t.Errorf("the border is at %d, it was at %d", s.Layout.StepsWidth, left)
	}
	if s.Borders.ResetSplit(); s.Layout.StepsWidth != left {
		t.Errorf("the border is at %d, usually at %d", s.Layout.StepsWidth, left)
	}
	s.ToggleZoom()
	if why := s.Borders.StepsBorderUnavailableReason(); !strings.Contains(why, "{zoom} to show all panes") {
		t.Errorf("the reason is %q", why)
	}
}

// TestSearcher: a search begins in the pane with focus, shows its query in the title, and ends with esc.
func TestSearcher(t *testing.T) {
	s, _ := open(t)
	s.FocusPane(layout.StepsPane)
	s.Searcher.BeginSearch()
	for _, k := range []string{"t", "w", "o", "enter"} {
		finishSearch(s, s.Searcher.HandleKey(terminal.KeyPress(k)))
	}
	if got := s.Steps.SelectedRow(); got == nil || got.Label != "2" {
		t.Errorf("the search selects %v", got)
	}
	if s.Searcher.IsEditing || !s.Searcher.IsFocusedPaneSearched() || s.Searcher.Query != "two" {
		t.Errorf("query %q, editing %v", s.Searcher.Query, s.Searcher.IsEditing)
	}
	if s.GoBack(); s.Searcher.IsActive() || s.Searcher.NextMatchUnavailableReason() == "" {
		t.Error("the search has not ended")
	}
}

// finishSearch runs the commands of a search. Each result may continue it.
func finishSearch(s *screen.Screen, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case search.Result:
		finishSearch(s, s.Searcher.GoToResult(msg))
	case tea.BatchMsg:
		for _, c := range msg {
			finishSearch(s, c)
		}
	}
}

// TestQuickMoves: no move to a match is lost when keys come faster than matches are found.
func TestQuickMoves(t *testing.T) {
	s, _ := open(t)
	s.FocusPane(layout.StepsPane)
	s.Searcher.BeginSearch()
	finishSearch(s, s.Searcher.HandleKey(terminal.KeyPress("o")))
	for _, c := range []struct {
		moves []int
		label string
	}{{[]int{1, -1}, "1"}, {[]int{1, 1, 1, -1}, "1"}, {[]int{1, 1}, "2"}} {
		cmd := s.Searcher.GoToMatch(c.moves[0])
		for _, by := range c.moves[1:] {
			finishSearch(s, s.Searcher.GoToMatch(by))
		}
		finishSearch(s, cmd)
		if got := s.Steps.SelectedRow(); got.Label != c.label {
			t.Errorf("moves %v lead to step %s, want %s", c.moves, got.Label, c.label)
		}
	}
}

// TestMouse: a click gives a pane the focus, and dragging over a text copies it.
func TestMouse(t *testing.T) {
	s, _ := open(t)
	box := s.Layout.PaneRects[layout.TextPane]
	at := func(x, y int) tea.Mouse { return tea.Mouse{X: box.X + x, Y: box.Y + y, Button: tea.MouseLeft} }
	s.Mouse.Click(at(0, 0))
	if _, selected := s.Mouse.Release(); selected || s.Focus != layout.TextPane {
		t.Errorf("selected %v, focus %v", selected, s.Focus)
	}
	s.Mouse.Click(at(0, 0))
	s.Mouse.Drag(at(6, 0))
	copied, selected := s.Mouse.Release()
	if want := strings.TrimSpace(copied.Text); !selected || want == "" || !strings.Contains(frame(s), want) {
		t.Errorf("copied %q", copied.Text)
	}
}

// TestTooSmall: on a terminal that is too small, the screen says which size it needs.
func TestTooSmall(t *testing.T) {
	s, _ := open(t)
	s.Resize(20, 5)
	if text := frame(s); !strings.Contains(text, "Playhead needs") {
		t.Error(text)
	}
}
