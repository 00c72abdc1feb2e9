package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/request"
)

// turnMsg is what an undo is about, or a redo.
type turnMsg struct {
	redo bool
	of   machine.Event
}

func (m *Model) undo() tea.Cmd { return m.turnBack(false) }
func (m *Model) redo() tea.Cmd { return m.turnBack(true) }

// turnBack asks the session what there is to undo, or to redo. A replay goes by steps.
func (m *Model) turnBack(redo bool) tea.Cmd {
	s := m.session
	if m.replays() {
		return m.call(turning(redo))
	}
	return func() tea.Msg {
		next := s.NextUndo
		if redo {
			next = s.NextRedo
		}
		of, err := next()
		if err != nil {
			return calledMsg{err}
		}
		return turnMsg{redo, of}
	}
}

func turning(redo bool) func(session) error {
	if redo {
		return session.Redo
	}
	return session.Undo
}

// turn undoes or redoes, and says what. Where something has run since that stays done, it
// asks.
func (m *Model) turn(msg turnMsg) tea.Cmd {
	i := slices.IndexFunc(m.events, func(e machine.Event) bool { return e.Seq == msg.of.Seq })
	deed := draw.Clean(track.Intervention(msg.of))
	said := "Undone: " + deed + ". {redo} does it again."
	switch {
	case msg.redo && i >= 0 && i == len(m.events)-1: // a going back, and nothing since
		said = "The run is where it was before " + deed + ". {undo} takes it there again."
	case msg.redo:
		said = "Redone: " + deed + ". {undo} takes it back."
	}
	action := "undo"
	if msg.redo {
		action = "redo"
	}
	do := request.Do{Action: action, Args: control.Args{Event: msg.of.Seq}}
	run := []tea.Msg{request.SayNext{Text: said}, do}
	if e := control.Named(action).Effect(m.run(), do.Args); e.Confirm {
		m.open(&confirm.Dialog{Name: draw.Clean(e.Title), StaysDone: e.StaysDone, Yes: run})
		return nil
	}
	return m.carryOut(nil, run)
}
