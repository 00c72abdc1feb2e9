package screen

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/tui/bar"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// Footer is the content of the last line.
type Footer struct {
	Message string // shown instead of hints; "": the hints show

	// Hints returns the hints, the most likely ones first, and those that always follow them. It is called after
	// panes and dialogs are drawn, because hints depend on what is out of sight.
	Hints func() (hints, always []draw.Hint)
}

// Draw returns the frame, and the places where a click presses a key: in the first and the last line, and
// at the answers of a dialog.
func (s *Screen) Draw(footer Footer) (frame string, targets []bar.ClickTarget) {
	switch {
	case s.Layout.Shape == layout.TooSmallShape:
		return tooSmallText(s.drawContext, s.Layout.W, s.Layout.H), nil
	case s.Presenter.IsOn:
		return s.Presenter.draw(footer)
	}
	f := layout.Frame{Context: s.drawContext, Layout: s.Layout, FocusedPane: s.Focus}
	s.fillPanes(&f)
	header, targets := bar.Header(s.currentRun(), s.Layout.W, s.Layout.Shape == layout.OnePaneShape, s.Layout.PaneRects[layout.StepsPane].W > 0, tabName(f))
	d, answers := s.Dialogs.Top().(dialog.AnswerLister)
	if _, asks := d.(*question.Dialog); answers && !asks && s.Focus == layout.DialogPlace { // a question places its answers itself
		box := s.Layout.PaneRects[layout.DialogPlace]
		targets = append(targets, bar.AnswerClickTargets(s.drawContext, d.AnswerHints(s.currentRun()), box.X, box.Y+len(f.Lines[layout.DialogPlace]), box.W)...)
	}
	keys := ""
	if footer.Message == "" {
		var more []bar.ClickTarget
		hints, always := footer.Hints()
		keys, more = bar.HintLine(s.drawContext, hints, always, s.Layout.W-4, s.Layout.H-1)
		targets = append(targets, more...)
	}
	foot := bar.Footer(s.drawContext, s.Layout.W, footer.Message, keys, s.messageLineLimit(f))
	f.EndLine = s.Layout.H - 1 - strings.Count(foot, "\n")
	var b strings.Builder
	b.Grow(s.Layout.W * s.Layout.H * 3)
	b.WriteString(header + "\n")
	f.Draw(&b)
	b.WriteString(foot)
	return b.String(), targets
}

// messageLineLimit returns how many lines a message may take: it must not cover the answers of a dialog.
func (s *Screen) messageLineLimit(f layout.Frame) int {
	box := s.Layout.PaneRects[layout.DialogPlace]
	if d := s.Dialogs.Top(); d == nil || dialog.IsFullScreen(d) || box.IsEmpty() {
		return bar.MaxMessageLines
	}
	end := len(f.Lines[layout.DialogPlace])
	for end > 0 && strings.TrimSpace(ansi.Strip(f.Lines[layout.DialogPlace][end-1])) == "" {
		end--
	}
	return max(1, min(s.Layout.H-box.Y-end, bar.MaxMessageLines))
}

// maxTabNameWidth is the maximum width of the name on a tab, which leaves room for the document.
const maxTabNameWidth = 8

// tabName returns the name of what the pane with focus shows, for its tab: the words in capitals with which its
// title begins, such as VALUES, if they are short; else the name of the pane.
func tabName(f layout.Frame) string {
	name := layout.PaneKinds[f.FocusedPane].Name
	if f.FocusedPane != layout.WhyPane {
		return name
	}
	return cmp.Or(leadingCapitalsOf(f.Titles[f.FocusedPane].Left), name)
}

// leadingCapitalsOf returns the words in capitals with which a title begins, in lower case, "" if they are
// long.
func leadingCapitalsOf(title string) string {
	var name []string
	for word := range strings.FieldsSeq(title) {
		lower := strings.ToLower(word)
		if word != strings.ToUpper(word) || word == lower {
			break
		}
		name = append(name, lower)
	}
	if tab := strings.Join(name, " "); len(tab) <= maxTabNameWidth {
		return tab
	}
	return ""
}

// fillPanes collects the titles and lines of the visible panes.
func (s *Screen) fillPanes(f *layout.Frame) {
	for p := layout.StepsPane; p <= layout.DialogPlace; p++ {
		box := s.Layout.PaneRects[p]
		if box.W <= 0 {
			continue
		}
		f.Titles[p], f.Lines[p] = s.paneView(p)
		f.HiddenLines[p] = s.overflow(p)
		f.Lines[p] = s.Mouse.selection.highlight(s.drawContext, p, f.Lines[p])
		if s.Searcher.IsActive() && s.Searcher.Pane == p && !s.Output.IsTyping() {
			f.Titles[p].Right = s.Searcher.Summary(s.drawContext, box.W-minTitleWidth)
		}
	}
}

// isCut reports whether the last frame has lines of a pane, or of the dialog on top, out of sight.
func (s *Screen) isCut(p layout.PaneID) bool {
	if p == layout.TextPane && s.Focus == layout.DialogPlace && s.Presenter.IsOn {
		return s.Presenter.isTextCut
	}
	o := s.overflow(p)
	return s.Layout.PaneRects[p].W > 0 && o.Above+o.Below > 0
}

// overflow returns how much of a pane, or of the dialog on top, is out of sight.
func (s *Screen) overflow(p layout.PaneID) layout.Overflow {
	if shown := s.Pane(p); shown != nil {
		return shown.Overflow(s.currentRun())
	}
	if d, scrolls := s.Dialogs.Top().(dialog.Scrollable); scrolls {
		return d.Overflow()
	}
	return layout.Overflow{}
}

// paneView returns the title and the lines of one pane, or of the dialog on top.
func (s *Screen) paneView(p layout.PaneID) (layout.PaneTitle, []string) {
	if shown := s.Pane(p); shown != nil {
		run := s.currentRun()
		return shown.Title(run), shown.View(run)
	}
	d, box := s.Dialogs.Top(), s.Layout.PaneRects[p]
	if d == nil {
		return layout.PaneTitle{}, nil
	}
	title, lines := s.dialogView(d, box)
	lines = lines[:min(len(lines), max(0, box.H))]
	for i := range lines {
		lines[i] = s.drawContext.Fit(lines[i], box.W)
	}
	return title, lines
}

// dialogView returns the title and the lines of a dialog.
func (s *Screen) dialogView(d dialog.Dialog, box layout.Rect) (layout.PaneTitle, []string) {
	run := s.currentRun()
	if q, asks := d.(*question.Dialog); asks && s.Presenter.IsOn {
		return q.Title(run), s.Presenter.questionBelowText(q, box)
	}
	return d.Title(run), d.View(run, box.W, box.H)
}

// tooSmallText returns the frame of a window of w × h cells that is too small.
func tooSmallText(dc *draw.Context, w, h int) string {
	if w == 0 {
		return ""
	}
	text := fmt.Sprintf("Playhead needs %d × %d cells.\nThe window is %d × %d cells: make it larger.", layout.MinScreenWidth, layout.MinScreenHeight, w, h)
	lines := dc.Wrap(text, w)
	return strings.Join(lines[:min(len(lines), h)], "\n")
}

// Excerpts returns what can be copied from the pane with focus, the most likely first. For the steps these
// include the excerpts of the selected step's text.
func (s *Screen) Excerpts() []excerpt.Excerpt {
	shown, run := s.Pane(s.Focus), s.currentRun()
	switch {
	case shown == nil:
		return s.dialogExcerpts()
	case s.Focus == layout.StepsPane:
		return append(shown.Excerpts(run), s.Text.Excerpts(run)...)
	}
	return shown.Excerpts(run)
}

// DocumentPlace returns the line of the document that the pane or dialog with focus shows. ok is false if
// it shows something else, such as output.
func (s *Screen) DocumentPlace() (place runview.DocumentPlace, ok bool) {
	if shown := s.Pane(s.Focus); shown != nil {
		return shown.DocumentPlace(s.currentRun())
	}
	if d, placed := s.Dialogs.Top().(dialog.Locator); placed {
		return d.DocumentPlace(s.currentRun()), true
	}
	return place, false
}

// dialogExcerpts returns the text of the dialog on top.
func (s *Screen) dialogExcerpts() []excerpt.Excerpt {
	d, box := s.Dialogs.Top(), s.Layout.PaneRects[layout.DialogPlace]
	if d == nil {
		return nil
	}
	return []excerpt.Excerpt{{Name: "dialog", FullName: "the dialog", Text: func() string {
		box.H = max(box.H, d.WantedHeight(s.currentRun(), box.W))
		_, lines := s.dialogView(d, box)
		return excerpt.UnstyledText(lines)
	}}}
}
