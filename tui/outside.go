package tui

import (
	"cmp"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// editedMsg is a text that comes back from the person's own editor.
type editedMsg struct {
	editor *editor
	text   string
	err    error
}

// editOutside opens the text in the person's own editor, which has the terminal
// meanwhile.
func (m *Model) editOutside(e *editor) tea.Cmd {
	path, err := draft(e.value())
	if err != nil {
		m.say("The text cannot be edited outside: " + err.Error())
		return nil
	}
	return m.hand(editorOn(path), func(err error) tea.Msg {
		defer os.Remove(path)
		if err != nil {
			return editedMsg{err: err}
		}
		text, err := os.ReadFile(path)
		return editedMsg{e, strings.TrimSuffix(string(text), "\n"), err}
	})
}

// draft is a file of a text, which only the person can read.
func draft(text string) (string, error) {
	f, err := os.CreateTemp("", "playhead-*.md")
	if err != nil {
		return "", err
	}
	if _, err = f.WriteString(text); err == nil {
		err = f.Close()
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// editorOn is the person's editor on a file. What names it may hold arguments.
func editorOn(path string) *exec.Cmd {
	name := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi")
	return exec.Command("sh", "-c", name+` "$1"`, "sh", path)
}

// edited takes over what the person wrote outside.
func (m *Model) edited(msg editedMsg) {
	if msg.err != nil {
		m.say("The text was not taken over: the editor ended with " + msg.err.Error())
		return
	}
	msg.editor.set(msg.text)
	m.reflow()
}
