package tui

import (
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/outside"
	"playhead/parse/infile"
	"playhead/tui/form"
)

// textEditedMsg is a text that comes back from the person's own editor.
type textEditedMsg struct {
	editor *form.Editor
	text   string
	err    error
}

// editOutside opens the text in the person's own editor, which has the terminal
// meanwhile.
func (m *Model) editOutside(e *form.Editor) tea.Cmd {
	path, err := outside.Draft(e.Value())
	if err != nil {
		m.say("The text cannot be edited outside: " + err.Error())
		return nil
	}
	return m.runProgram(outside.Editor(path), func(err error) tea.Msg {
		defer os.RemoveAll(filepath.Dir(path))
		if err != nil {
			return textEditedMsg{err: err}
		}
		text, err := infile.Read(path, infile.Given)
		return textEditedMsg{e, strings.TrimSuffix(string(text), "\n"), err}
	})
}

// takeEdited takes over what the person wrote outside.
func (m *Model) takeEdited(msg textEditedMsg) {
	if msg.err != nil {
		m.say("The text was not taken over: the editor ended with " + msg.err.Error())
		return
	}
	msg.editor.Set(msg.text)
	m.reflow()
}
