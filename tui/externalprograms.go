package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/userprograms"
	"playhead/engine/wording"
	"playhead/parse/infile"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/excerpt"
	"playhead/tui/form"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/screen"
	"playhead/tui/session"
)

// externalPrograms passes texts of the screen to the clipboard and to the person's own programs.
type externalPrograms struct {
	screen        *screen.Screen
	runProgram    func(cmd *exec.Cmd, heading string, done tea.ExecCallback) tea.Cmd // gives a program the terminal
	originalPath  func(path string) (string, error)                                  // returns the file that a person can edit; nil: none
	editorCommand string                                                             // the command that opens a file at a line, see userprograms.EditorCommandAt
	copyText      func(string) tea.Cmd                                               // copies a text to the clipboard
}

// newCopyCommand returns a function that copies a text to the clipboard of the terminal, which may be on
// another machine, and with system, unless it is nil, to that of this machine. Terminals do not report
// whether they took a text.
func newCopyCommand(system func(text string) error) func(text string) tea.Cmd {
	return func(text string) tea.Cmd {
		if system == nil {
			return tea.SetClipboard(text)
		}
		return tea.Batch(tea.SetClipboard(text), func() tea.Msg {
			_ = system(text) // the terminal's clipboard has it anyway
			return nil
		})
	}
}

// say shows a sentence in the last line.
func (e *externalPrograms) say(text string) tea.Cmd {
	return e.screen.DoRequests(request.Say{Text: text})
}

// copyFromPane copies an excerpt of the pane with focus to the clipboard. If there are several, the person
// chooses one.
func (e *externalPrograms) copyFromPane() tea.Cmd {
	all := e.screen.Excerpts()
	if len(all) == 1 {
		return excerpt.ReadForClipboard(all[0])
	}
	options, byName := make([]choose.NamedOption, len(all)), map[string]excerpt.Excerpt{}
	for i, x := range all {
		options[i] = choose.NamedOption{Name: x.Name, Description: x.Description()}
		byName[x.Name] = x
	}
	c := choose.New("Copy what?", options, "")
	c.OpeningAction = "copy"
	c.OnChoose = func(_ *runview.Run, name string) []tea.Msg {
		return []tea.Msg{request.Background{Cmd: excerpt.ReadForClipboard(byName[name])}}
	}
	return e.screen.DoRequests(dialog.Open{Dialog: c})
}

// copyToClipboard copies a text to the clipboard and says what it is.
func (e *externalPrograms) copyToClipboard(c excerpt.ClipboardText) tea.Cmd {
	message, text := c.Message()
	show := e.say(message)
	if text == "" {
		return show
	}
	return tea.Batch(show, e.copyText(text))
}

// openFromPane opens the line of the document that the pane with focus shows in the person's own editor. If the
// pane shows something else, it opens a copy of it, which is not read back: output in the pager, other
// text in the editor. The run continues meanwhile.
func (e *externalPrograms) openFromPane() tea.Cmd {
	if at, ok := e.screen.DocumentPlace(); ok && e.originalPath != nil {
		return e.openFile(at)
	}
	return excerpt.SaveForProgram(excerpt.FirstWholeExcerpt(e.screen.Excerpts()))
}

// handleExcerptSaved runs the program that shows an excerpt in the terminal.
func (e *externalPrograms) handleExcerptSaved(msg excerpt.SaveResultMsg) tea.Cmd {
	if msg.Err != nil {
		return e.say(wording.ErrorSentence(fmt.Errorf("cannot open this in another program: %w", msg.Err)))
	}
	cmd := userprograms.EditorCommand(msg.Path)
	if pager := os.Getenv("PAGER"); pager != "" && msg.IsLog {
		cmd = userprograms.ProgramCommand(pager, msg.Path)
	}
	return e.runProgram(cmd, "", func(err error) tea.Msg {
		_ = os.RemoveAll(filepath.Dir(msg.Path)) // it is in a temporary folder anyway
		if err != nil {
			return session.CallFailed{Err: fmt.Errorf("the editor or pager failed: %w", err)}
		}
		return nil
	})
}

// openFile opens a file of the document in the person's own editor. The run notices the changes as it does
// all changes of its files.
func (e *externalPrograms) openFile(at runview.DocumentPlace) tea.Cmd {
	file, err := e.originalPath(at.File)
	if err != nil {
		return e.say(wording.ErrorSentence(err))
	}
	return e.runProgram(userprograms.EditorCommandAt(e.editorCommand, file, at.Line), "", func(err error) tea.Msg {
		if err != nil {
			return session.CallFailed{Err: fmt.Errorf("the editor failed: %w", err)}
		}
		return nil
	})
}

// emptyPaneReason returns why nothing of the pane with focus can be copied or opened, "" if something can.
func (e *externalPrograms) emptyPaneReason() string {
	if len(e.screen.Excerpts()) == 0 {
		return "This pane is empty."
	}
	return ""
}

// shellReadyMsg has a shell that is ready to run in the terminal.
type shellReadyMsg struct {
	cmd     *exec.Cmd
	heading string
}

// handleShellReady runs a shell in the terminal.
func (e *externalPrograms) handleShellReady(msg shellReadyMsg) tea.Cmd {
	return e.runProgram(msg.cmd, msg.heading, func(err error) tea.Msg {
		if err = userprograms.ShellError(err); err != nil {
			return session.CallFailed{Err: err}
		}
		return nil
	})
}

// textEditedMsg has the text that a person saved in their own editor.
type textEditedMsg struct {
	editedField form.EditableText
	text        string
	err         error
}

// editText opens a text in the person's own editor, in the terminal.
func (e *externalPrograms) editText(t form.EditableText) tea.Cmd {
	path, err := userprograms.CreateDraftFile(t.Value())
	if err != nil {
		return e.say(wording.ErrorSentence(fmt.Errorf("cannot open the editor: %w", err)))
	}
	return e.runProgram(userprograms.EditorCommand(path), "", func(err error) tea.Msg {
		defer os.RemoveAll(filepath.Dir(path))
		if err != nil {
			return textEditedMsg{err: err}
		}
		text, err := infile.Read(path, infile.MaxPersonFileSize)
		return textEditedMsg{t, strings.TrimSuffix(string(text), "\n"), err}
	})
}

// handleTextEdited takes over the edited text.
func (e *externalPrograms) handleTextEdited(msg textEditedMsg) tea.Cmd {
	if msg.err != nil {
		return e.say(wording.ErrorSentence(fmt.Errorf("the editor failed, so the text is unchanged: %w", msg.err)))
	}
	msg.editedField.Set(msg.text)
	e.screen.Reflow()
	return nil
}
