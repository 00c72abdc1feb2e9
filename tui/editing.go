package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/editrule"
	"playhead/tui/dialog/stepedit"
	"playhead/tui/layout"
	"playhead/tui/routemap"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// editKeyHandler decides what the key "edit" edits.
type editKeyHandler struct {
	screen     *screen.Screen
	conn       *runConnection
	currentRun func() *runview.Run
}

// editsRule reports whether the key edits a rule: in WHY, on the map, or at a step with nothing else to
// edit.
func (e editKeyHandler) editsRule() bool {
	s, run, t := e.screen, e.currentRun(), e.editTarget()
	if t.IsVariable || editrule.UnavailableReason(run) != "" {
		return false
	}
	return focusedMap(s) != nil || s.Focus == layout.WhyPane || t.UnavailableReason(run) != ""
}

// focusedMap returns the map if it has the focus, else nil.
func focusedMap(s *screen.Screen) *routemap.Map {
	if m, is := s.Dialogs.Top().(*routemap.Map); is && s.Focus == layout.DialogPlace {
		return m
	}
	return nil
}

// editTarget returns the action or variable that can be edited.
func (e editKeyHandler) editTarget() edit.Target {
	s := e.screen
	row := s.Steps.SelectedRow()
	t := edit.Target{IsVariable: s.Why.ShowsValues() && s.Focus == layout.WhyPane, Row: row, Action: s.Output.ShownActionOf(row), ValueKeys: s.EditValueKeys()}
	if x, ok := s.Why.SelectedVariable(e.currentRun()); ok {
		t.Variable = &x
	}
	return t
}

// failedStepTarget returns the action of the step that has just failed, if the selected step is the next one. Most
// people then want to correct the failed one. nil: there is no such action.
func (e editKeyHandler) failedStepTarget() *edit.Target {
	run, focus := e.currentRun(), e.screen.Focus
	failed := run.FailedStepBeforePause()
	if failed == nil || run.SelectedRow != run.PositionRow() || run.SelectedRow == failed || focus != layout.StepsPane && focus != layout.OutputPane {
		return nil
	}
	t := &edit.Target{Row: failed, Action: failed.NewestAction()}
	if t.UnavailableReason(run) != "" {
		return nil
	}
	return t
}

// unavailableReason returns why there is nothing to edit, "" if there is.
func (e editKeyHandler) unavailableReason() string {
	if e.editsRule() || e.failedStepTarget() != nil {
		return ""
	}
	return e.editTarget().UnavailableReason(e.currentRun())
}

// openEditDialog opens the dialog for what the key edits.
func (e editKeyHandler) openEditDialog() tea.Cmd {
	run := e.currentRun()
	if failed := e.failedStepTarget(); failed != nil {
		if e.editsRule() {
			return e.screen.DoRequests(editrule.EditActionOrRule(run, editrule.EditableAction{Name: failed.Describe(), EditRequests: edit.Open(run, *failed)}, e.conn.session)...)
		}
		return e.screen.DoRequests(edit.OpenOneOf(run, *failed, e.editTarget())...)
	}
	if e.editsRule() {
		var focus editrule.RuleContext
		if m := focusedMap(e.screen); m != nil {
			focus.FocusedRules, focus.AreRulesSelected = m.RulesOfSelectedRoute(run), true
		} else {
			focus.FocusedRules, focus.AreRulesSelected = e.screen.Why.RulesOfReason(run)
			focus.PreviewedDecision, _ = e.screen.Why.SelectedDecision(run)
		}
		return e.screen.DoRequests(editrule.Open(run, focus, e.conn.session)...)
	}
	t := e.editTarget()
	if e.screen.Focus == layout.TextPane && editrule.UnavailableReason(run) == "" { // the text shows the action and the rules
		return e.screen.DoRequests(editrule.EditActionOrRule(run, editrule.EditableAction{Name: t.Describe(), EditRequests: edit.Open(run, t)}, e.conn.session)...)
	}
	return e.screen.DoRequests(edit.Open(run, t)...)
}

// openStepChanges asks how to change the steps.
func (e editKeyHandler) openStepChanges() tea.Cmd {
	e.screen.Open(stepedit.New(e.currentRun(), e.conn.session))
	return nil
}
