package tui

import (
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
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

// direct turns to the pane that matters, unless the person has chosen one. Dialogs come to
// the front by themselves.
func (m *Model) direct() {
	if m.stage.on && !m.stage.pinned && m.steps.Follows() && !m.timeline.IsPast() && !m.writing() && m.focus != panes.Dialog {
		m.focus = m.matters()
		m.reflow()
	}
}

// matters is the pane that says most: the output of what runs, the reason of a decision
// that is about to be made, else the text. Between two commands nothing changes.
func (m *Model) matters() panes.Pane {
	switch {
	case m.commandRuns():
		return panes.Output
	case m.status.State == engine.Running && m.focus == panes.Output && !isQuiet(m.steps.Selected()):
		return panes.Output
	case m.status.State == engine.Paused && m.status.Next != nil:
		if _, decides := m.status.Next.Body.(*machine.Decision); decides {
			return panes.Why
		}
	}
	return panes.Text
}

// isQuiet reports whether a row prints nothing as it stands, or asks a person first.
func isQuiet(r *track.Row) bool {
	if r == nil || r.Status == track.Waiting || output.IsSilent(r) {
		return true
	}
	_, asks := r.Step.Actions[0].Work.(plan.Ask)
	return asks && r.Action() == nil
}

// leaveStage goes back to the pane that matters, and from there to the whole screen.
func (m *Model) leaveStage() tea.Cmd {
	if m.steps.Follows() && m.focus == m.matters() {
		return m.toggleStage()
	}
	m.toRun()
	m.direct()
	return nil
}

// toRun selects where the run is, at once, and goes on following it.
func (m *Model) toRun() {
	m.followRun()
	m.syncTree()
}

// followRun has the selection, and on the stage the pane, follow the run again.
func (m *Model) followRun() {
	m.steps.Follow()
	m.stage.pinned = false
}

// drawStage is the whole frame.
func (m *Model) drawStage() string {
	l, box := m.look, m.layout.Panes[m.focus]
	head, body := m.paneView(m.focus)
	body = m.selection.show(l, m.focus, body)
	lines := make([]string, m.layout.H)
	put := func(y int, s string) { lines[y] = cells.Spaces(box.X) + s }
	put(box.Y/2, l.Spread(l.Accent.Over(head.Left), head.Right, box.W))
	for i, line := range body[:min(len(body), box.H)] {
		put(box.Y+i, line)
	}
	if m.focus == panes.Text && m.timeline.Shown.Current != nil {
		put(m.layout.H-max(2, m.layout.H-box.Y-box.H-1), l.Muted.Paint(l.Cut(m.why.Summary(), box.W)))
	}
	lines[0], lines[len(lines)-1] = m.stageHeader(), m.stageFooter()
	for i, line := range lines {
		lines[i] = l.Fit(m.discreet(line), m.layout.W)
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
	name := draw.Clean(m.cfg.Plan.Title)
	if name == "" {
		name = m.file()
	}
	room := m.layout.W - 4 - l.Width(right) - 2
	if r := m.steps.Selected(); r != nil && !m.untouched() {
		step := draw.StepName(r)
		name = l.Cut(name, max(room-l.Width(step)-3, room/3)) + " · " + step
	}
	return "  " + l.Spread(l.Title.Paint(l.Cut(name, room)), right, m.layout.W-4)
}

// stageFooter is what there is to say or, at a dialog, its keys; right the key that was
// pressed.
func (m *Model) stageFooter() string {
	l := m.look
	right := m.stage.caption.line(l)
	room := m.layout.W - 4 - l.Width(right) - 2
	left := ""
	switch {
	case m.message != "":
		left = l.Warn.Paint(l.Cut(m.message, room))
	case m.focus == panes.Dialog, m.writing():
		left = m.keysNow(room)
	}
	return "  " + l.Spread(left, right, m.layout.W-4)
}
