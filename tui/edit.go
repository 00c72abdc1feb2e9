package tui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/dialog/edit"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// edit changes what is selected: a variable in VALUES, else what a step does.
func (m *Model) edit() tea.Cmd {
	if x, ok := m.why.Variable(m.view()); ok && m.focus == panes.Why {
		m.open(edit.Variable(m.view(), x))
		return nil
	}
	r := m.steps.Selected()
	m.open(edit.Step(r, m.editableAction(r)))
	return nil
}

func (m *Model) editsValue() bool { return m.why.ShowsValues() && m.focus == panes.Why }

// editableAction is the place of the action that can be changed: the one whose output
// shows, else the row's; -1 for none.
func (m *Model) editableAction(r *track.Row) int {
	a := m.output.ActionOf(r)
	if r != nil && r.Step != nil && a != nil && edit.Editable(r.Step.Actions[a.Index]) {
		return a.Index
	}
	return r.Editable()
}

func notEditable(m *Model) string {
	switch {
	case m.session == nil:
		return "does nothing: the run has not started"
	case m.editsValue() && len(m.timeline.Shown.Vars) == 0:
		return "does nothing: no variable has a value yet"
	case !m.editsValue() && m.editableAction(m.steps.Selected()) < 0:
		return "changes what a step runs or asks, or a value ({values}): select a step that does"
	}
	return ""
}

// draft makes a change of the document of what was edited in the selected step.
func (m *Model) draft() tea.Cmd { return edit.Draft(m.steps.Selected(), m.cfg.Drafts) }

// showDraft shows a change, or that there is none to be made.
func (m *Model) showDraft(d edit.Drafted) {
	if d.Failed != nil {
		m.say(d.Failed.Error())
		return
	}
	if d.There && d.After != nil {
		m.say(draw.Clean(d.Label) + " is written into " + draw.Clean(filepath.Base(d.File)) + ". This run goes on with its own copy of the document.")
		return
	}
	if d.There {
		m.say("The document says that already.")
		return
	}
	m.open(&edit.WriteBack{Draft: d.Draft})
}

func notWritable(m *Model) string {
	switch r := m.steps.Selected(); {
	case m.session == nil || m.cfg.Drafts == nil:
		return "does nothing: the run has not started"
	case r == nil || len(r.Edits) == 0:
		return "writes an edit into the document, and this step has none: {edit} edits it"
	}
	return ""
}
