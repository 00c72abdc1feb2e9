package tui

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// draw builds the frame from the panes' lines.
func (m *Model) draw() string {
	if m.layout.Shape == panes.Tiny {
		return m.tooSmall()
	}
	m.targets = m.targets[:0]
	if m.stage.on {
		return m.drawStage()
	}
	footer := m.footer()
	f := panes.Frame{Look: m.look, Layout: m.layout, Focused: m.focus, End: m.layout.H - 1 - strings.Count(footer, "\n")}
	m.fill(&f)
	var b strings.Builder
	b.Grow(m.layout.W * m.layout.H * 3)
	b.WriteString(m.header() + "\n")
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
		f.Names[p], f.Lines[p] = m.pane(p, box)
		f.Lines[p] = m.selection.show(m.look, p, f.Lines[p])
		if m.search.IsActive() && m.search.Pane == p && !m.output.typing {
			f.Names[p].Right = m.search.Summary(m.look, box.W-searchGap)
		}
	}
}

// progress says how much is done. A flow has steps to count once it has entered some.
func (m *Model) progress() string {
	done, total := m.track.Progress()
	if total == 0 {
		return "none done"
	}
	return fmt.Sprintf("%d/%d done", done, total)
}

// pane is the title and the lines of one pane.
func (m *Model) pane(p panes.Pane, box panes.Rect) (panes.Title, []string) {
	l := m.look
	switch p {
	case panes.Tree:
		return panes.Title{Left: "STEPS", Right: l.Muted.Paint(m.progress())},
			m.tree.View(l, box, m.focus == panes.Tree, m.shown().State != engine.Over, m.moment())
	case panes.Text:
		return m.detail.title(l, box.W, m.moment()), m.detail.view(l, box)
	case panes.Output:
		return m.output.title(l), m.output.rows(l, box)
	case panes.Why:
		return m.why.title(l, m.track, m.events, m.layout.WhyUp), m.why.view(l, m.track, m.events, box)
	}
	c := m.top()
	if c == nil {
		return panes.Title{}, nil
	}
	title, lines := m.dialogView(c, box)
	lines = lines[:min(len(lines), max(0, box.H))]
	for i := range lines {
		lines[i] = l.Fit(lines[i], box.W)
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
		return below(m.look, m.detail.body, q.View(run, box.W, box.H), box.H, more)
	}
	h := min(box.H, q.Height(run, box.W))
	if q.Tall(run) {
		h, more = min(h, box.H*2/3), m.look.Keys.Name("page-down")
	}
	body := m.detail.body[min(m.detail.top, max(0, len(m.detail.body)-1)):]
	return below(m.look, body, q.View(run, box.W, h), box.H, more)
}

// below puts a question under the text it is about, where only one pane shows.
func below(l *look, text, question []string, h int, more string) []string {
	room := h - len(question) - 1
	if room < 1 || len(text) == 0 {
		return question
	}
	out := slices.Clone(text[:min(len(text), room)])
	if rest := len(text) - room; rest > 0 {
		out[room-1] = l.Muted.Paint("↓ " + draw.Count(rest+1, "more line") + ": " + more)
	}
	return append(append(out, ""), question...)
}

// position is the row that the run is at, or that is next.
func (m *Model) position() *track.Row {
	if r := m.next(); r != nil {
		return r
	}
	return m.track.Current
}

// state is what the run does, in a word or two.
func (m *Model) state() string {
	l := m.look
	switch {
	case !m.cfg.Plan.Runnable():
		return l.Fail.Paint("cannot run")
	case m.past():
		return l.Warn.Paint(m.then())
	case m.session == nil && len(m.cfg.History) > 0:
		return l.Muted.Paint("not resumed yet")
	case m.session == nil:
		return l.Muted.Paint("not started")
	case m.status.Err != nil:
		return l.Alarm.Paint("stuck")
	case m.track.Finished != nil && m.track.Finished.Result != plan.Awaiting:
		return l.Ended(m.track.Finished.Result)
	case m.replays():
		return m.playState()
	case m.status.State == engine.Waits:
		return l.Wait.Paint("waits for you")
	case m.status.State == engine.Paused && m.status.Break != "":
		return l.Accent.Paint("‖ paused, break at " + l.Cut(draw.Clean(m.status.Break), longBreak))
	case m.status.State == engine.Paused:
		return l.Accent.Paint("‖ paused")
	}
	if n := m.status.Notice; n != nil && m.now.Before(n.Until) {
		return l.Wait.Paint(again(n, m.now))
	}
	return l.Focus.Paint("running " + m.toward() + draw.Stopwatch(m.track.Elapsed(m.moment())))
}

// toward is the step to which the run was ordered, if to any.
func (m *Model) toward() string {
	if m.target == "" {
		return ""
	}
	return "to " + brief(draw.Clean(m.target), longLabel) + " · "
}

// longBreak is how much of a breakpoint the first line has room for.
const longBreak = 16

// windowTitle is the name of the terminal's window.
func (m *Model) windowTitle() string {
	s := "playhead · " + m.file()
	switch {
	case m.track.Finished != nil:
		s += " · " + string(m.track.Finished.Result)
	case m.session != nil && m.status.State != "":
		s += " · " + string(m.status.State)
	}
	return s
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
