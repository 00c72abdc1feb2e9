package tui

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// draw builds the frame from the panes' lines.
func (m *Model) draw() string {
	if m.layout.shape == tiny {
		return m.tooSmall()
	}
	m.spots = m.spots[:0]
	if m.stage.on {
		return m.drawStage()
	}
	footer := m.footer()
	f := frame{look: m.look, layout: m.layout, focus: m.focus, end: m.layout.h - 1 - strings.Count(footer, "\n")}
	m.fill(&f)
	var b strings.Builder
	b.Grow(m.layout.w * m.layout.h * 3)
	b.WriteString(m.header() + "\n")
	f.draw(&b)
	b.WriteString(footer)
	return b.String()
}

// fill collects titles and lines of the panes that show.
func (m *Model) fill(f *frame) {
	for p := treePane; p <= cardPane; p++ {
		box := m.layout.panes[p]
		if box.w <= 0 {
			continue
		}
		f.names[p], f.lines[p] = m.pane(p, box)
		f.lines[p] = m.selection.show(m.look, p, f.lines[p])
		if m.search.shown() && m.search.pane == p && !m.output.typing {
			f.names[p].right = m.search.facts(m.look, box.w-searchGap)
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
func (m *Model) pane(p pane, box rect) (title, []string) {
	l := m.look
	switch p {
	case treePane:
		return title{"STEPS", l.Muted.Paint(m.progress())},
			m.tree.view(l, box, m.focus == treePane, m.shown().State != engine.Over, m.moment())
	case detailPane:
		return m.detail.title(l, box.w, m.moment()), m.detail.view(l, box)
	case outputPane:
		return m.output.title(l), m.output.rows(l, box)
	case whyPane:
		return m.why.title(l, m.track, m.events, m.layout.whyUp), m.why.view(l, m.track, m.events, box)
	}
	c := m.top()
	if c == nil {
		return title{}, nil
	}
	lines := m.card(c, box)
	lines = lines[:min(len(lines), max(0, box.h))]
	for i := range lines {
		lines[i] = l.fit(lines[i], box.w)
	}
	return c.title(l), lines
}

// card is the lines of a card. Where only one pane shows, a question has its step's
// text above it.
func (m *Model) card(c card, box rect) []string {
	q, asks := c.(*question)
	switch {
	case !asks || m.layout.shape != narrow:
		return c.lines(m.look, box.w, box.h)
	case q.control == nil:
		return below(m.look, m.detail.body, q.lines(m.look, box.w, box.h), box.h, m.look.keys.said("esc, then {text}"))
	}
	h, more := min(box.h, q.height(m.look, box.w)), m.look.keys.said("esc, then {text}")
	if q.tall() {
		h, more = min(h, box.h*2/3), "pgdown"
	}
	body := m.detail.body[min(m.detail.top, max(0, len(m.detail.body)-1)):]
	return below(m.look, body, q.lines(m.look, box.w, h), box.h, more)
}

// below puts a question under the text it is about, where only one pane shows.
func below(l *look, text, question []string, h int, more string) []string {
	room := h - len(question) - 1
	if room < 1 || len(text) == 0 {
		return question
	}
	out := slices.Clone(text[:min(len(text), room)])
	if rest := len(text) - room; rest > 0 {
		out[room-1] = l.Muted.Paint("↓ " + count(rest+1, "more line") + ": " + more)
	}
	return append(append(out, ""), question...)
}

// position is the row that the run is at, or that is next.
func (m *Model) position() *track.Row {
	if n := m.status.Next; m.status.State == engine.Paused && n != nil && !m.past() {
		if r := m.track.Row(n.Step); r != nil {
			return r
		}
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
		return verdictWord(l, m.track.Finished.Result)
	case m.replays():
		return m.playState()
	case m.status.State == engine.Waits:
		return l.Wait.Paint("waits for you")
	case m.status.State == engine.Paused && m.status.Break != "":
		return l.Accent.Paint("‖ paused, break at " + l.cut(clean(m.status.Break), longBreak))
	case m.status.State == engine.Paused:
		return l.Accent.Paint("‖ paused")
	}
	if n := m.status.Notice; n != nil && m.now.Before(n.Until) {
		return l.Wait.Paint(again(n, m.now))
	}
	return l.Focus.Paint("running " + m.toward() + stopwatch(m.track.Elapsed(m.moment())))
}

// toward is the step to which the run was ordered, if to any.
func (m *Model) toward() string {
	if m.target == "" {
		return ""
	}
	return "to " + brief(clean(m.target), longLabel) + " · "
}

// longBreak is how much of a breakpoint the first line has room for.
const longBreak = 16

func verdictWord(l *look, r plan.RunResult) string {
	switch r {
	case plan.Completed:
		return l.Pass.Paint("✓ completed")
	case plan.Cancelled:
		return l.Warn.Paint("– cancelled")
	}
	return l.Fail.Paint("✗ " + string(r))
}

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
	if m.layout.w == 0 {
		return ""
	}
	text := fmt.Sprintf("Playhead needs %d × %d.\nThis is %d × %d: make the window larger, please.",
		minWidth, minHeight, m.layout.w, m.layout.h)
	lines := m.look.wrap(text, m.layout.w)
	return strings.Join(lines[:min(len(lines), m.layout.h)], "\n")
}
