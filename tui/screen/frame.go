package screen

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/wording"
	"playhead/tui/bar"
	"playhead/tui/cells"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/runview"
)

// Footer is the content of the last line.
type Footer struct {
	Message string // shown instead of hints; "": the hints show

	// Keys returns the hints, the most likely ones first, and those that always follow them. It is called after
	// panes and dialogs are drawn, because hints depend on what is out of sight.
	Keys func() (hints, always []draw.Hint)
}

// Draw returns the frame, and the places where a click presses a key: in the first and the last line, and
// at the answers of a dialog.
func (s *Screen) Draw(footer Footer) (frame string, targets []bar.ClickTarget) {
	switch {
	case s.Layout.Shape == panes.Tiny:
		return s.tooSmall(), nil
	case s.Presentation.On:
		return s.drawPresentation(footer)
	}
	f := panes.Frame{Look: s.look, Layout: s.Layout, Focused: s.Focus}
	s.fill(&f)
	header, targets := bar.Header(s.run(), s.Layout.W, s.Layout.Shape == panes.Narrow, s.Layout.Panes[panes.Steps].W > 0, tabOf(f.Names[panes.Dialog].Left))
	d, answers := s.Top().(dialog.Answering)
	if _, asks := d.(*question.Dialog); answers && !asks && s.Focus == panes.Dialog { // a question places its answers itself
		box := s.Layout.Panes[panes.Dialog]
		targets = append(targets, bar.AnswerTargets(s.look, d.Answers(s.run()), box.X, box.Y+len(f.Lines[panes.Dialog]), box.W)...)
	}
	keys := ""
	if footer.Message == "" {
		var more []bar.ClickTarget
		keys, more = s.keys(footer, s.Layout.W-4)
		targets = append(targets, more...)
	}
	foot := bar.Footer(s.look, s.Layout.W, footer.Message, keys)
	f.End = s.Layout.H - 1 - strings.Count(foot, "\n")
	var b strings.Builder
	b.Grow(s.Layout.W * s.Layout.H * 3)
	b.WriteString(header + "\n")
	f.Draw(&b)
	b.WriteString(foot)
	return b.String(), targets
}

// longestTab is the maximum width of the name on the tab of a dialog, which leaves room for the document.
const longestTab = 8

// tabOf returns the name of a dialog for its tab: the words in capitals with which its title begins, such as
// MAP, if they are short.
func tabOf(title string) string {
	var name []string
	for word := range strings.FieldsSeq(title) {
		lower := strings.ToLower(word)
		if word != strings.ToUpper(word) || word == lower {
			break
		}
		name = append(name, lower)
	}
	if tab := strings.Join(name, " "); tab != "" && len(tab) <= longestTab {
		return tab
	}
	return panes.Kinds[panes.Dialog].Name
}

// keys returns the hints that fit, followed by those that always show.
func (s *Screen) keys(footer Footer, room int) (line string, targets []bar.ClickTarget) {
	hints, always := footer.Keys()
	return bar.Keys(s.look, hints, always, room, s.Layout.H-1)
}

// fill collects the titles and lines of the visible panes.
func (s *Screen) fill(f *panes.Frame) {
	for p := panes.Steps; p <= panes.Dialog; p++ {
		box := s.Layout.Panes[p]
		if box.W <= 0 {
			continue
		}
		f.Names[p], f.Lines[p] = s.paneView(p)
		f.Hidden[p] = s.overflow(p)
		f.Lines[p] = s.Mouse.selection.show(s.look, p, f.Lines[p])
		if s.Finder.IsActive() && s.Finder.Pane == p && !s.Output.IsTyping() {
			f.Names[p].Right = s.Finder.Summary(s.look, box.W-titleGap)
		}
	}
}

// IsCut reports whether the last frame has lines of a pane, or of the dialog on top, out of sight.
func (s *Screen) IsCut(p panes.Pane) bool {
	if p == panes.Text && s.Focus == panes.Dialog && s.Presentation.On {
		return s.textCut
	}
	o := s.overflow(p)
	return s.Layout.Panes[p].W > 0 && o.Above+o.Below > 0
}

// overflow returns how much of a pane, or of the dialog on top, is out of sight.
func (s *Screen) overflow(p panes.Pane) panes.Overflow {
	if shown := s.Pane(p); shown != nil {
		return shown.Overflow(s.run())
	}
	if d, scrolls := s.Top().(dialog.Scrolling); scrolls {
		return d.Overflow()
	}
	return panes.Overflow{}
}

// paneView returns the title and the lines of one pane, or of the dialog on top.
func (s *Screen) paneView(p panes.Pane) (panes.Title, []string) {
	if shown := s.Pane(p); shown != nil {
		run := s.run()
		return shown.Title(run), shown.View(run)
	}
	d, box := s.Top(), s.Layout.Panes[p]
	if d == nil {
		return panes.Title{}, nil
	}
	title, lines := s.dialogView(d, box)
	lines = lines[:min(len(lines), max(0, box.H))]
	for i := range lines {
		lines[i] = s.look.Fit(lines[i], box.W)
	}
	return title, lines
}

// dialogView returns the title and the lines of a dialog.
func (s *Screen) dialogView(d dialog.Dialog, box panes.Rect) (panes.Title, []string) {
	run := s.run()
	if q, asks := d.(*question.Dialog); asks && s.Presentation.On {
		return q.Title(run), s.questionBelowText(q, box)
	}
	return d.Title(run), d.View(run, box.W, box.H)
}

// questionBelowText returns, when presenting, the text of a step and below it the question about it.
func (s *Screen) questionBelowText(q *question.Dialog, box panes.Rect) []string {
	run, more := s.run(), s.look.Keys.Name("close")+", then "+s.look.Keys.Name("text")
	question := q.View(run, box.W, s.Layout.Ask)
	if q.IsDecision() {
		s.textCut = false // no key of this dialog scrolls the text
		return below(s.look, s.Text.Body(), question, box.H, more)
	}
	s.textCut = s.Text.Overflow(run).Above > 0 || len(s.Text.VisibleLines()) > box.H-len(question)-1
	if q.MayCoverOutput(run) {
		more = s.look.Keys.Name("page-down")
	}
	return below(s.look, s.Text.VisibleLines(), question, box.H, more)
}

// below returns a text that is cut to leave room for a question, and the question below it. more names the
// keys that show the rest of the text.
func below(l *draw.Look, text, question []string, h int, more string) []string {
	room := h - len(question) - 1
	if room < 1 || len(text) == 0 {
		return question
	}
	out := slices.Clone(text[:min(len(text), room)])
	if rest := len(text) - room; rest > 0 {
		out[room-1] = l.Muted.Paint("↓ " + wording.Count(rest+1, "more line") + ": " + more)
	}
	return append(append(out, ""), question...)
}

// drawPresentation returns the frame when presenting.
func (s *Screen) drawPresentation(footer Footer) (string, []bar.ClickTarget) {
	l, box := s.look, s.Layout.Panes[s.Focus]
	head, body := s.paneView(s.Focus)
	body = s.Mouse.selection.show(l, s.Focus, body)
	lines := make([]string, s.Layout.H)
	put := func(y int, text string) { lines[y] = cells.Spaces(box.X) + text }
	switch r := s.Steps.Selected(); {
	case s.Focus == panes.Output && r != nil:
		head.Left = draw.StepName(r)
	case s.Focus == panes.Text && s.isIntroducing():
		head = panes.Title{} // the first line shows the document's name
	default:
		head.Right = "" // the first line shows the state
	}
	put(max(1, box.Y-2), l.Spread(l.Title.Over(head.Left), head.Right, box.W))
	for i, line := range body[:min(len(body), box.H)] {
		put(box.Y+i, line)
	}
	if below := s.Layout.Panes[panes.Output]; s.Focus == panes.Dialog && !below.Empty() {
		title, output := s.paneView(panes.Output)
		put(below.Y-1, l.Spread(l.Muted.Paint(title.Left), title.Right, below.W))
		for i, line := range output {
			put(below.Y+i, line)
		}
	}
	run := s.run()
	if s.Focus == panes.Text && run.Shown.Current != nil {
		put(s.Layout.H-3, l.Muted.Paint(l.Cut(s.Why.Summary(l, box.W), box.W)))
	}
	if y := s.Layout.H - 2; lines[y] == "" && run.Begun {
		count := " " + bar.Count(run)
		put(y, bar.ProgressBar(run, box.W-l.Width(count))+count)
	}
	foot, targets := s.presentationFooter(footer)
	lines[0], lines[len(lines)-1] = bar.PresentationHeader(run, s.Layout.W), foot
	for i, line := range lines {
		lines[i] = l.Fit(s.Presentation.ReplaceHome(line), s.Layout.W)
	}
	return strings.Join(lines, "\n"), targets
}

// presentationHints is the number of hints when presenting, besides those to end presenting and to go back.
const presentationHints = 2

// captionShare is the share of the last line that is kept for a caption: 1/captionShare.
const captionShare = 3

// presentationFooter returns the last line when presenting: a message or hints, and right the caption of
// the last key. The caption takes more than its share of the line only where hints leave the room.
func (s *Screen) presentationFooter(footer Footer) (line string, targets []bar.ClickTarget) {
	end, all := s.look.Press("present", "end presenting"), s.Layout.W-4
	room := all
	if caption := s.Presentation.CaptionLine(s.look, all/captionShare); caption != "" {
		room -= s.look.Width(caption) + 2
	}
	switch {
	case footer.Message != "":
		line = s.look.Title.Paint(s.look.Cut(footer.Message, room))
	case s.Focus == panes.Dialog, s.IsWriting():
		hints, always := footer.Keys()
		if always != nil { // keys are not text
			always = append(always, end)
		}
		line, targets = bar.Keys(s.look, hints, always, room, s.Layout.H-1)
	default:
		hints, _ := footer.Keys()
		hints = append(s.presentationBack(), hints[:min(len(hints), presentationHints)]...)
		line, targets = bar.Keys(s.look, append([]draw.Hint{end}, hints...), nil, room, s.Layout.H-1)
	}
	caption := s.Presentation.CaptionLine(s.look, all-s.look.Width(line)-2)
	return "  " + s.look.Spread(line, caption, all), targets
}

// presentationBack returns the key that leads from the pane that shows to the step, nil if the step shows.
func (s *Screen) presentationBack() []draw.Hint {
	switch home := present.PaneFor(s.run()); {
	case s.Focus == panes.Text, s.run().ShowsEarlierMoment(): // at an earlier moment, the hints have the key
		return nil
	case s.Focus != home || !s.Steps.Follows():
		return []draw.Hint{s.look.Press("back", "back")}
	}
	return []draw.Hint{s.look.Press("text", "text")}
}

func (s *Screen) tooSmall() string {
	if s.Layout.W == 0 {
		return ""
	}
	text := fmt.Sprintf("Playhead needs %d × %d.\nThis is %d × %d: make the window larger, please.",
		panes.MinWidth, panes.MinHeight, s.Layout.W, s.Layout.H)
	lines := s.look.Wrap(text, s.Layout.W)
	return strings.Join(lines[:min(len(lines), s.Layout.H)], "\n")
}

// Excerpts returns what can be copied from the pane with focus, the most likely first. For the steps these
// include the excerpts of the selected step's text.
func (s *Screen) Excerpts() []excerpt.Excerpt {
	shown, run := s.Pane(s.Focus), s.run()
	switch {
	case shown == nil:
		return s.dialogExcerpts()
	case s.Focus == panes.Steps:
		return append(shown.Excerpts(run), s.Text.Excerpts(run)...)
	}
	return shown.Excerpts(run)
}

// Place returns the line of the document that the pane or dialog with focus shows. ok is false if it shows
// something else, such as output.
func (s *Screen) Place() (place runview.Place, ok bool) {
	run := s.run()
	switch s.Focus {
	case panes.Steps:
		return run.PlaceOf(run.Selected), run.Selected != nil
	case panes.Text:
		return run.PlaceOfText(run.Selected), run.Selected != nil
	case panes.Why:
		return s.Why.Place(run)
	case panes.Dialog:
		if d, placed := s.Top().(dialog.Locator); placed {
			return d.Place(run), true
		}
	}
	return place, false
}

// dialogExcerpts returns the text of the dialog on top.
func (s *Screen) dialogExcerpts() []excerpt.Excerpt {
	d, box := s.Top(), s.Layout.Panes[panes.Dialog]
	if d == nil {
		return nil
	}
	return []excerpt.Excerpt{{Name: "dialog", Of: "the dialog", Text: func() string {
		box.H = max(box.H, d.Height(s.run(), box.W))
		_, lines := s.dialogView(d, box)
		return excerpt.Unstyled(lines)
	}}}
}
