package tui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/model"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// sources is the card that has a person choose where replies come from.
type sources struct {
	name   string // what is asked
	about  string // what there is to say before; empty: nothing
	names  []string
	picker *form.Picker
	first  bool   // it is asked before the run
	again  string // the action that opened it, whose key takes what stands out; empty: none does
	done   func(name string) tea.Cmd
	shown  func(name string) // told what stands out; nil: nobody is
	left   func()            // told when nothing was chosen; nil: nobody is
}

// newSources lists what there is to choose from; at is the one that replies now.
func newSources(all []model.Origin, at string) *sources {
	c := &sources{name: "Where do replies come from?"}
	wide := 0
	for _, o := range all {
		wide = max(wide, len(o.Name))
	}
	var lines []string
	current := 0
	for i, o := range all {
		line := fmt.Sprintf("%-*s  %s", wide, o.Name, o.About)
		if o.Name == at {
			current, line = i, line+" (now)"
		}
		c.names, lines = append(c.names, o.Name), append(lines, line)
	}
	c.picker = &form.Picker{Options: lines, At: current}
	return c
}

func (c *sources) title(*look) panes.Title { return panes.Title{Left: c.name} }

func (c *sources) said(l *look, w int) []string {
	if c.about == "" {
		return nil
	}
	return l.Wrap(c.about, w)
}

func (c *sources) lines(l *look, w, h int) []string {
	said := c.said(l, w)
	said = said[:max(0, min(len(said), h-c.picker.Height(l, w)))]
	return append(said, c.picker.Lines(l, w, h-len(said))...)
}

func (c *sources) height(l *look, w int) int {
	return len(c.said(l, w)) + c.picker.Height(l, w)
}
func (c *sources) Tall() bool { return true }

func (c *sources) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch keys := m.look.Keys; {
	case keys.Is(k, "close"):
		return c.leave(m), true
	case keys.Is(k, "cancel"):
		return nil, false
	}
	chosen, used := c.picker.Key(m.look, k)
	chosen = chosen || c.again != "" && m.look.Keys.Is(k, c.again)
	if chosen {
		m.close(c)
		return c.done(c.names[c.picker.At]), true
	}
	if c.shown != nil {
		c.shown(c.names[c.picker.At])
	}
	return nil, used
}

// leave puts the card away. What has to be said before the run is asked for again.
func (c *sources) leave(m *Model) tea.Cmd {
	if c.first {
		return m.waitWith("Nothing runs before that is said. {answer} goes back to the question.")
	}
	if c.left != nil {
		c.left()
	}
	m.close(c)
	return nil
}

func (c *sources) hints(m *Model) []draw.Hint {
	back := "back"
	if c.first {
		back = "look around"
	}
	return append(c.picker.Keys(m.look, "take"), m.look.Press("close", back))
}

// firstSource is the card that asks before the run, which nothing was configured for.
func (m *Model) firstSource(then func() tea.Cmd) *sources {
	all := model.Offered(m.cfg.Sources)
	c := newSources(all, "")
	c.first = true
	c.done = func(name string) tea.Cmd {
		if err := opens(all, name); err != nil {
			m.say(err.Error())
			m.open(c)
			return nil
		}
		m.choices.Source = name
		return then()
	}
	lacks := cmp.Or(m.cfg.Lacks, "none is set up: OPENAI_API_KEY, OPENAI_BASE_URL or a configuration file would do that")
	c.about = "This document asks a model, but " + lacks + ". What replies instead?"
	return c
}

// opens reports what is wrong with the source of a name.
func opens(all []model.Origin, name string) error {
	for _, o := range all {
		if o.Name == name && o.Open != nil {
			_, err := o.Open()
			return err
		}
	}
	return nil
}

// chooseSource has a person choose who replies from now on. To choose the one that
// replies already gives it the reply that a person took over.
func (m *Model) chooseSource() tea.Cmd {
	c := newSources(model.Offered(m.cfg.Sources), m.status.Source)
	if q := m.status.Question; q != nil && q.Unasked != "" {
		c.about = "The step asks a model, but " + draw.Clean(q.Unasked) + ". What replies instead?"
	}
	c.done = func(name string) tea.Cmd {
		m.say("Replies come from " + name + " from now on." + m.thenAgain())
		if name == m.status.Source && m.status.Own {
			return m.call(func(s session) error { return s.TakeOver(false) })
		}
		return m.call(func(s session) error { return s.Choose(name) })
	}
	m.open(c)
	return nil
}

// byHand makes the reply under way, or the next one, the person's, or gives it back.
func (m *Model) byHand() tea.Cmd {
	yes, tool := !m.status.Own, callsTool(m.track.Current)
	switch {
	case tool && !yes:
		m.say("The tool is called again from now on.")
	case tool && toolOf(m.track.Row(m.status.Running)) != "":
		m.say("The call is given up: you give its result.")
	case tool:
		m.say("You give the result of the next call. {by-hand} has the tool called again." + m.thenAgain())
	case !yes:
		m.say("Replies come from " + m.status.Source + " again.")
	case m.replying():
		m.say("The call is given up: the reply is yours.")
	case m.question == nil || !m.question.hand:
		m.say("The next reply is yours. {by-hand} gives it back to " + m.status.Source + "." + m.thenAgain())
	}
	return m.call(func(s session) error { return s.TakeOver(yes) })
}

// thenAgain says how a run that has failed comes to ask for a reply.
func (m *Model) thenAgain() string {
	if m.status.State != engine.Over {
		return ""
	}
	return " {again} does " + draw.Clean(m.track.Current.Label) + " again."
}

// tryNow makes a call again at once that waits for a server.
func (m *Model) tryNow() tea.Cmd {
	m.status.Notice.Skip()
	return nil
}
