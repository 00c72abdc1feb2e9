package tui

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/wording"
	"playhead/tui/bar"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/pane"
	"playhead/tui/panes"
)

// draw builds the frame from the panes' lines.
func (m *Model) draw() string {
	if m.layout.Shape == panes.Tiny {
		return m.tooSmall()
	}
	m.targets = m.targets[:0]
	if m.stage.On {
		return m.drawStage()
	}
	header, targets := bar.Header(m.view(), m.layout.W, m.layout.Shape == panes.Narrow)
	m.targets = append(m.targets, targets...)
	keys := ""
	if m.message == "" {
		keys = m.keysNow(m.layout.W - 4)
	}
	footer := bar.Footer(m.look, m.layout.W, m.message, keys)
	f := panes.Frame{Look: m.look, Layout: m.layout, Focused: m.focus, End: m.layout.H - 1 - strings.Count(footer, "\n")}
	m.fill(&f)
	var b strings.Builder
	b.Grow(m.layout.W * m.layout.H * 3)
	b.WriteString(header + "\n")
	f.Draw(&b)
	b.WriteString(footer)
	return b.String()
}

// fill collects titles and lines of the panes that show.
func (m *Model) fill(f *panes.Frame) {
	for p := panes.Tree; p <= panes.Dialog; p++ {
		box := m.layout.Panes[p]
		if box.W <= 0 {
			continue
		}
		f.Names[p], f.Lines[p] = m.paneView(p)
		f.Lines[p] = m.selection.show(m.look, p, f.Lines[p])
		if m.search.IsActive() && m.search.Pane == p && !m.output.IsTyping() {
			f.Names[p].Right = m.search.Summary(m.look, box.W-searchGap)
		}
	}
}

// pane is a part of the screen that shows one side of the run; nil: that of dialogs.
func (m *Model) pane(p panes.Pane) pane.Pane {
	switch p {
	case panes.Tree:
		return m.steps
	case panes.Text:
		return m.text
	case panes.Output:
		return m.output
	case panes.Why:
		return m.why
	}
	return nil
}

// paneView is the title and the lines of one pane, or of the dialog on top.
func (m *Model) paneView(p panes.Pane) (panes.Title, []string) {
	if shown := m.pane(p); shown != nil {
		run := m.view()
		return shown.Title(run), shown.View(run)
	}
	c, box := m.top(), m.layout.Panes[p]
	if c == nil {
		return panes.Title{}, nil
	}
	title, lines := m.dialogView(c, box)
	lines = lines[:min(len(lines), max(0, box.H))]
	for i := range lines {
		lines[i] = m.look.Fit(lines[i], box.W)
	}
	return title, lines
}

// dialogView is the title and the lines of a dialog.
func (m *Model) dialogView(d dialog.Dialog, box panes.Rect) (panes.Title, []string) {
	run := m.view()
	if q, asks := d.(*question.Dialog); asks && m.layout.Shape == panes.Narrow {
		return q.Title(run), m.asking(q, box)
	}
	return d.Title(run), d.View(run, box.W, box.H)
}

// asking is the lines of a question that has its step's text above it, where only one pane shows.
func (m *Model) asking(q *question.Dialog, box panes.Rect) []string {
	run, more := m.view(), m.look.Keys.Text("{close}, then {text}")
	if q.IsDecision() {
		return below(m.look, m.text.Body(), q.View(run, box.W, box.H), box.H, more)
	}
	h := min(box.H, q.Height(run, box.W))
	if q.Tall(run) {
		h, more = min(h, box.H*2/3), m.look.Keys.Name("page-down")
	}
	body := m.text.InSight()
	return below(m.look, body, q.View(run, box.W, h), box.H, more)
}

// below puts a question under the text it is about, where only one pane shows.
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

// keysNow are the hints that fit, and behind them those that always do.
func (m *Model) keysNow(room int) string {
	line, targets := bar.Keys(m.look, m.hints(), m.lastHints(), room, m.layout.H-1)
	m.targets = append(m.targets, targets...)
	return line
}

func (m *Model) tooSmall() string {
	if m.layout.W == 0 {
		return ""
	}
	text := fmt.Sprintf("Playhead needs %d × %d.\nThis is %d × %d: make the window larger, please.",
		panes.MinWidth, panes.MinHeight, m.layout.W, m.layout.H)
	lines := m.look.Wrap(text, m.layout.W)
	return strings.Join(lines[:min(len(lines), m.layout.H)], "\n")
}
