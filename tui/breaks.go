package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
)

// brokenAt reports whether a breakpoint holds at a row.
func (t *tree) brokenAt(r *track.Row) bool {
	name := r.BreakName()
	return slices.ContainsFunc(t.breaks, func(b engine.Breakpoint) bool { return b.Step == name || b.Step == r.Label })
}

// toggleBreak sets a breakpoint at the selected step, or takes away those that are
// there.
func (m *Model) toggleBreak() tea.Cmd {
	r := m.tree.selected()
	if m.tree.brokenAt(r) {
		m.say("The run no longer pauses at " + r.BreakName() + ".")
		return m.breakAt(m.without(r))
	}
	m.say("The run pauses before " + r.BreakName() + " whenever it gets there.")
	return m.breakAt(append(m.without(r), engine.Breakpoint{Step: r.BreakName()}))
}

// breakTerms asks under which terms the run is held at the selected step.
func (m *Model) breakTerms() tea.Cmd {
	r := m.tree.selected()
	terms := ""
	for _, b := range m.tree.breaks {
		if b.Step == r.BreakName() || b.Step == r.Label {
			terms = b.Terms()
		}
	}
	return m.askTerms(r, terms)
}

// termHelp is what terms there are, in their order.
var termHelp = []string{
	":after              after the step, not before it",
	":after to STEP      after it, on its way to STEP",
	`if NAME == "VALUE"  only with that value, or !=`,
	"hit N               only the N-th time",
	"log                 only a line in the timeline",
	"off                 not for now",
}

// askTerms asks until what is written can be read.
func (m *Model) askTerms(r *track.Row, terms string) tea.Cmd {
	n := note.New("Break at "+draw.Clean(r.Label)+" under which terms?", terms, "set", func(text string) []tea.Msg {
		return []tea.Msg{conditioned{r, text}}
	})
	n.Help = termHelp
	m.open(n)
	return nil
}

// conditioned is a breakpoint under the terms that were written.
type conditioned struct {
	row   *track.Row
	terms string
}

func (m *Model) breakUnder(c conditioned) tea.Cmd {
	text := c.terms
	if !strings.HasPrefix(text, ":") {
		text = " " + text
	}
	b, err := engine.ParseBreakpoint(engine.Quoted(c.row.BreakName()) + text)
	if err != nil {
		m.askTerms(c.row, c.terms)
		m.say(err.Error() + ".")
		return nil
	}
	if err := engine.NamesOf(m.cfg.Plan, m.track.Variables()...).Holds(b); err != nil {
		m.askTerms(c.row, c.terms)
		m.say("There is " + err.Error())
		return nil
	}
	return m.breakAt(append(m.without(c.row), b))
}

// without are the breakpoints but for those of a row.
func (m *Model) without(r *track.Row) []engine.Breakpoint {
	return slices.DeleteFunc(slices.Clone(m.tree.breaks), func(b engine.Breakpoint) bool {
		return b.Step == r.BreakName() || b.Step == r.Label
	})
}

// breakAt sets the breakpoints, for this run and for the document's next ones.
func (m *Model) breakAt(all []engine.Breakpoint) tea.Cmd {
	m.tree.breaks, m.tree.stale = all, true
	keep := m.cfg.KeepBreaks
	return tea.Batch(m.call(func(s session) error { return s.Break(all) }), func() tea.Msg {
		if keep == nil {
			return nil
		}
		if err := keep(all); err != nil {
			return calledMsg{err}
		}
		return nil
	})
}

func notBreakable(m *Model) string {
	if r := m.tree.selected(); r == nil || r.Step == nil {
		return "needs a step: select one"
	}
	return ""
}
