package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/intervene"
	"playhead/tui/request"
)

// undo asks the session what there is to undo, or to redo. A replay goes by steps.
func undo(redo bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		s := m.session
		if m.replays() {
			return m.do(request.Do{Action: map[bool]string{false: "undo", true: "redo"}[redo]})
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
			return intervene.Undo{Redo: redo, Of: of}
		}
	}
}
