package tui

import (
	"errors"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/outside"
	"playhead/tui/excerpt"
	"playhead/tui/session"
)

// openOutside opens what the pane with focus shows in the person's own editor, or pager
// where it is output. It is a copy that nothing reads again; the run goes on meanwhile.
func (m *Model) openOutside() tea.Cmd { return excerpt.Save(excerpt.Whole(m.excerpts())) }

func canOpenOutside(m *Model) string {
	if len(m.excerpts()) == 0 {
		return "opens what a pane shows, and this one shows nothing yet"
	}
	return ""
}

// lookOutside gives the terminal to the other program.
func (m *Model) lookOutside(msg excerpt.Saved) tea.Cmd {
	if msg.Err != nil {
		m.say("It cannot be opened outside: " + msg.Err.Error())
		return nil
	}
	cmd := outside.Editor(msg.Path)
	if pager := os.Getenv("PAGER"); pager != "" && msg.Log {
		cmd = outside.Program(pager, msg.Path)
	}
	return m.runProgram(cmd, func(err error) tea.Msg {
		_ = os.RemoveAll(filepath.Dir(msg.Path)) // in a temporary folder anyway
		if err != nil {
			return session.Failed{Err: errors.New("what it was opened in ended with " + err.Error())}
		}
		return nil
	})
}
