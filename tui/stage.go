package tui

import (
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// stage is the screen as it is shown to others: one pane with room around it, which
// follows the run, and the keys that are pressed.
type stage struct {
	on      bool
	pinned  bool // the person has chosen a pane: it stays until the run is told to go on
	caption caption
	home    *regexp.Regexp // the person's own folder, which is nobody's business; nil: not known
}

func newStage(cfg Config) stage {
	s := stage{on: cfg.Present}
	if len(cfg.Home) > 1 {
		s.home = regexp.MustCompile(regexp.QuoteMeta(cfg.Home) + `\b`)
	}
	return s
}

// toggleStage shows the screen to others, or to the person alone again.
func (m *Model) toggleStage() tea.Cmd {
	m.stage.on, m.stage.pinned, m.stage.caption = !m.stage.on, false, caption{}
	if m.stage.on {
		m.say("Presenting: {present} ends it.")
	}
	m.direct()
	m.reflow()
	return nil
}

// direct turns to the pane that matters, unless the person has chosen one. Cards come to
// the front by themselves.
func (m *Model) direct() {
	if m.stage.on && !m.stage.pinned && m.tree.follow && !m.past() && !m.writing() && m.focus != cardPane {
		m.focus = m.matters()
		m.reflow()
	}
}

// matters is the pane that says most: the output of what runs, the reason of a decision
// that is about to be made, else the text. Between two commands nothing changes.
func (m *Model) matters() pane {
	switch {
	case m.commandRuns():
		return outputPane
	case m.status.State == engine.Running && m.focus == outputPane && !quiet(m.tree.selected()):
		return outputPane
	case m.status.State == engine.Paused && m.status.Next != nil:
		if _, decides := m.status.Next.Body.(*machine.Decision); decides {
			return whyPane
		}
	}
	return detailPane
}

// quiet reports whether a row prints nothing as it stands, or asks a person first.
func quiet(r *track.Row) bool {
	if r == nil || r.Status == track.Waiting || silent(r) {
		return true
	}
	_, asks := r.Step.Actions[0].Work.(plan.Ask)
	return asks && r.Action() == nil
}

// leaveStage goes back to the pane that matters, and from there to the whole screen.
func (m *Model) leaveStage() tea.Cmd {
	if m.tree.follow && m.focus == m.matters() {
		return m.toggleStage()
	}
	m.toRun()
	m.direct()
	return nil
}

// toRun selects where the run is, at once, and goes on following it.
func (m *Model) toRun() {
	m.followRun()
	m.tree.sync(m.track, m.position())
}

// followRun has the selection, and on the stage the pane, follow the run again.
func (m *Model) followRun() { m.tree.follow, m.stage.pinned = true, false }

// stageBox is the place of the one pane, and below it that of a line on why.
func stageBox(w, h int) rect {
	side, top, bottom := max(4, w/10), 2, 2
	if h >= splitHeight {
		top, bottom = 4, 4
	}
	return rect{side, top, w - 2*side, h - top - bottom}
}

// drawStage is the whole frame.
func (m *Model) drawStage() string {
	l, box := m.look, m.layout.panes[m.focus]
	head, body := m.pane(m.focus, box)
	body = m.selection.show(l, m.focus, body)
	lines := make([]string, m.layout.h)
	put := func(y int, s string) { lines[y] = spaces(box.x) + s }
	put(box.y/2, l.spread(l.Accent.Over(head.left), head.right, box.w))
	for i, line := range body[:min(len(body), box.h)] {
		put(box.y+i, line)
	}
	if m.focus == detailPane && m.track.Current != nil {
		why := m.why.title(l, m.track, m.events, false)
		put(m.layout.h-max(2, m.layout.h-box.y-box.h-1), l.Muted.Paint(l.cut(why.left, box.w)))
	}
	lines[0], lines[len(lines)-1] = m.stageHeader(), m.stageFooter()
	for i, line := range lines {
		lines[i] = l.fit(m.discreet(line), m.layout.w)
	}
	return strings.Join(lines, "\n")
}

// discreet writes ~ for the person's own folder. A path that goes over two lines is not
// recognised.
func (m *Model) discreet(line string) string {
	if m.stage.home == nil {
		return line
	}
	return m.stage.home.ReplaceAllLiteralString(line, "~")
}

// stageHeader is the document, the step and the run's state.
func (m *Model) stageHeader() string {
	l, right := m.look, m.state()
	name := clean(m.cfg.Plan.Title)
	if name == "" {
		name = m.file()
	}
	room := m.layout.w - 4 - l.width(right) - 2
	if r := m.tree.selected(); r != nil && !m.untouched() {
		step := named(r)
		name = l.cut(name, max(room-l.width(step)-3, room/3)) + " · " + step
	}
	return "  " + l.spread(l.Title.Paint(l.cut(name, room)), right, m.layout.w-4)
}

// stageFooter is what there is to say or, at a card, its keys; right the key that was
// pressed.
func (m *Model) stageFooter() string {
	l := m.look
	right := m.stage.caption.line(l)
	room := m.layout.w - 4 - l.width(right) - 2
	left := ""
	switch {
	case m.message != "":
		left = l.Warn.Paint(l.cut(m.message, room))
	case m.focus == cardPane, m.writing():
		left = m.keysNow(room)
	}
	return "  " + l.spread(left, right, m.layout.w-4)
}

// veil says which values nobody may see on the stage: those that the run was told are
// secret, and any that have one in them.
func (m *Model) veil() (secrets []string, on bool) {
	if len(m.events) > 0 {
		if b, ok := m.events[0].Body.(*machine.Started); ok {
			secrets = b.Options.Secrets
		}
	}
	return slices.Clip(secrets), m.stage.on
}
