package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/rule"
	"playhead/tui/dialog/stepedit"
	"playhead/tui/panes"
	"playhead/tui/routemap"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// editing decides what the key "edit" edits.
type editing struct {
	screen *screen.Screen
	conn   *connection
	run    func() *runview.Run
}

// isOfRule reports whether the key edits a rule: in WHY, on the map, or at a step with nothing else to
// edit.
func (e editing) isOfRule() bool {
	s, run, t := e.screen, e.run(), e.target()
	if t.IsVariable || rule.Unavailable(run) != "" {
		return false
	}
	return e.onMap() != nil || s.Focus == panes.Why || t.Unavailable(run) != ""
}

// onMap returns the map if it has the focus, else nil.
func (e editing) onMap() *routemap.Map {
	if m, is := e.screen.Top().(*routemap.Map); is && e.screen.Focus == panes.Dialog {
		return m
	}
	return nil
}

// target returns the action or variable that can be edited.
func (e editing) target() edit.Target {
	s := e.screen
	t := edit.Target{IsVariable: s.Why.ShowsValues() && s.Focus == panes.Why, Action: s.Output.ActionOf(s.Steps.Selected())}
	if x, ok := s.Why.Variable(e.run()); ok {
		t.Variable = &x
	}
	return t
}

// unavailable returns why there is nothing to edit, "" if there is.
func (e editing) unavailable() string {
	if e.isOfRule() {
		return ""
	}
	return e.target().Unavailable(e.run())
}

// open opens the dialog for what the key edits.
func (e editing) open() tea.Cmd {
	run := e.run()
	if e.isOfRule() {
		var look rule.Focus
		if m := e.onMap(); m != nil {
			look.Rules, look.Selected = m.RulesInSight(run), true
		} else {
			look.Rules, look.Selected = e.screen.Why.RulesInSight(run)
			look.Decision, _ = e.screen.Why.SelectedDecision(run)
		}
		return e.screen.Do(rule.Open(run, look, e.conn.session)...)
	}
	t := e.target()
	if e.screen.Focus == panes.Text && rule.Unavailable(run) == "" { // the text shows the action and the rules
		return e.screen.Do(rule.OpenWith(run, rule.Action{Name: t.Describe(run), Edit: edit.Open(run, t)}, e.conn.session)...)
	}
	return e.screen.Do(edit.Open(run, t)...)
}

// changeSteps asks how to change the steps.
func (e editing) changeSteps() tea.Cmd {
	e.screen.Open(stepedit.New(e.run(), e.conn.session))
	return nil
}
