package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/bar"
	"playhead/tui/cells"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/present"
	"playhead/tui/request"
)

// Presenter shows one pane at a time, for an audience.
type Presenter struct {
	present.Presentation
	screen    *Screen
	isTextCut bool // the last frame shows only a part of the text above a question
}

// Toggle begins presenting, or ends it.
func (p *Presenter) Toggle() tea.Cmd {
	s := p.screen
	var cmd tea.Cmd
	if p.Presentation.Toggle(); p.IsOn {
		cmd = s.DoRequests(request.Say{Text: "You are presenting. {present} to stop presenting."})
	}
	p.FollowRelevantPane()
	s.Reflow()
	return cmd
}

// FollowRelevantPane shows, when presenting, the pane that matters most now, unless the person has chosen
// one. A dialog with focus stays.
func (p *Presenter) FollowRelevantPane() {
	s := p.screen
	run := s.currentRun()
	if p.IsOn && !p.IsPanePinned && s.Steps.FollowsRun() && !run.ShowsEarlierMoment() && !s.TakesKeysAsText() && s.Focus != layout.DialogPlace {
		s.Focus = present.MostRelevantPane(run)
		s.Reflow()
	}
}

// goBack goes back to the pane that matters most. If that shows already, it ends presenting.
func (p *Presenter) goBack() tea.Cmd {
	s := p.screen
	if s.Steps.FollowsRun() && s.Focus == present.MostRelevantPane(s.currentRun()) {
		return p.Toggle()
	}
	s.FollowCurrentState()
	p.FollowRelevantPane()
	return nil
}

// draw returns the frame.
func (p *Presenter) draw(footer Footer) (string, []bar.ClickTarget) {
	s := p.screen
	dc, box := s.drawContext, s.Layout.PaneRects[s.Focus]
	head, body := s.paneView(s.Focus)
	body = s.Mouse.selection.highlight(dc, s.Focus, body)
	lines, w := make([]string, s.Layout.H), min(box.W, layout.MaxPresentedWidth)
	put := func(y int, text string) { lines[y] = cells.Spaces(box.X) + text }
	switch {
	case s.Focus == layout.OutputPane: // its title says how the output goes on or ended
	case s.Focus == layout.TextPane && s.isIntroducing():
		head = layout.PaneTitle{} // the first line shows the document's name
	default:
		head.Right = "" // the first line shows the state
	}
	put(max(1, box.Y-2), dc.LeftRight(dc.Title.PaintOver(head.Left), head.Right, w))
	for i, line := range body[:min(len(body), box.H)] {
		put(box.Y+i, line)
	}
	if about := s.Layout.PaneRects[layout.OutputPane]; s.Focus == layout.DialogPlace && !about.IsEmpty() {
		title, output := s.paneView(layout.OutputPane)
		put(about.Y-1, dc.LeftRight(dc.Muted.Paint(title.Left), title.Right, about.W))
		for i, line := range output {
			put(about.Y+i, line)
		}
	}
	run := s.currentRun()
	if s.Focus == layout.TextPane && run.ShownTrack.CurrentRow != nil {
		put(s.Layout.H-3, dc.Text.Paint(dc.Cut(s.Why.Summary(dc, box.W), box.W)))
	}
	if y := s.Layout.H - 2; lines[y] == "" && bar.HasProgress(run) {
		count := " " + bar.StepCountText(run)
		put(y, bar.ProgressBar(run, w-dc.Width(count))+count)
	}
	foot, targets := p.footer(footer)
	lines[0], lines[len(lines)-1] = bar.PresentationHeader(run, s.Layout.W), foot
	for i, line := range lines {
		lines[i] = dc.Fit(p.ReplaceHome(line), s.Layout.W)
	}
	return strings.Join(lines, "\n"), targets
}

// maxPresentationHints is the number of hints when presenting, besides those to stop presenting and to go back.
const maxPresentationHints = 2

// captionShareDivisor sets the share of the last line that is kept for a caption: 1/captionShareDivisor.
const captionShareDivisor = 3

// footer returns the last line: a message or hints, and right the caption of the last key. The caption takes
// more than its share of the line only where hints leave the room, and only what a message leaves.
func (p *Presenter) footer(footer Footer) (line string, targets []bar.ClickTarget) {
	dc, all := p.screen.drawContext, p.screen.Layout.W-4
	room := all
	if caption := p.CaptionLine(dc, all/captionShareDivisor); caption != "" {
		room -= dc.Width(caption) + 2
	}
	if footer.Message != "" {
		line = dc.Title.Paint(dc.Cut(footer.Message, all))
	} else {
		line, targets = p.hintLine(footer, room)
	}
	return "  " + dc.LeftRight(line, p.CaptionLine(dc, all-dc.Width(line)-2), all), targets
}

// hintLine returns the hints that fit before the one to stop presenting, which is missing only while keys are text.
func (p *Presenter) hintLine(footer Footer, room int) (line string, targets []bar.ClickTarget) {
	s, dc, y := p.screen, p.screen.drawContext, p.screen.Layout.H-1
	hints, always := footer.Hints()
	switch isDialog := s.Focus == layout.DialogPlace; {
	case (isDialog || s.TakesKeysAsText()) && always == nil:
		return bar.HintLine(dc, hints, nil, room, y)
	case !isDialog && !s.TakesKeysAsText():
		hints = append(p.backHint(), hints[:min(len(hints), maxPresentationHints)]...)
	}
	last, lastTargets := bar.HintLine(dc, []draw.Hint{dc.ActionHint("present", "stop presenting")}, nil, room, y)
	line, targets = bar.HintLine(dc, hints, nil, room-draw.HintGap-dc.Width(last), y)
	for _, t := range lastTargets {
		by := dc.Width(line) + draw.HintGap
		targets = append(targets, bar.ClickTarget{Y: t.Y, StartX: t.StartX + by, EndX: t.EndX + by, Key: t.Key})
	}
	return line + cells.Spaces(draw.HintGap) + last, targets
}

// backHint returns the key that leads from the pane that shows to the step, nil if the step shows.
func (p *Presenter) backHint() []draw.Hint {
	s := p.screen
	switch home := present.MostRelevantPane(s.currentRun()); {
	case s.Focus == layout.TextPane, s.currentRun().ShowsEarlierMoment(): // at an earlier moment, the hints have the key
		return nil
	case s.Focus != home || !s.Steps.FollowsRun():
		return []draw.Hint{s.drawContext.ActionHint("back", "back")}
	}
	return []draw.Hint{s.drawContext.ActionHint("text", "text")}
}

// questionBelowText returns the text of a step and below it the question about it.
func (p *Presenter) questionBelowText(q *question.Dialog, box layout.Rect) []string {
	s := p.screen
	run, more := s.currentRun(), s.drawContext.Keys.FirstKeyText("close")+", then "+s.drawContext.Keys.FirstKeyText("text")
	question := q.View(run, box.W, s.Layout.PresentedDialogHeight)
	p.isTextCut = s.Text.Overflow(run).Above > 0 || len(s.Text.LinesFromTop()) > box.H-len(question)-1
	if s.PaneForPageKeys() == layout.TextPane {
		more = s.drawContext.Keys.FirstKeyText("page-down")
	}
	return textAboveQuestion(s.drawContext, s.Text.LinesFromTop(), question, box.H, more)
}

// textAboveQuestionHeight returns how many lines of the text show above a question.
func (p *Presenter) textAboveQuestionHeight() int {
	return max(1, p.screen.Layout.PaneRects[layout.DialogPlace].H-p.screen.Layout.PresentedDialogHeight-1)
}

// textAboveQuestion returns a text that is cut to leave room for a question, and the question below it.
// more names the keys that show the rest of the text.
func textAboveQuestion(dc *draw.Context, text, question []string, h int, more string) []string {
	room := h - len(question) - 1
	if room < 1 || len(text) == 0 {
		return question
	}
	out := slices.Clone(text[:min(len(text), room)])
	if rest := len(text) - room; rest > 0 {
		out[room-1] = dc.Muted.Paint("↓ " + plan.CountText(rest+1, "more line") + ": press " + more)
	}
	return append(append(out, ""), question...)
}
