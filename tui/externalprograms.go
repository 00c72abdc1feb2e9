package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/engine/userprograms"
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
	screen     *screen.Screen
	runProgram func(*exec.Cmd, tea.ExecCallback) tea.Cmd // gives a program the terminal
	runShell   func(tea.ExecCommand, tea.ExecCallback) tea.Cmd
	original   func(path string) (string, error) // returns the file that a person can edit; nil: none
	editor     string                            // the command that opens a file at a line, see userprograms.EditorAt
	copyText   func(string) tea.Cmd              // copies a text to the clipboard
}

// clipboard returns a function that copies a text to the clipboard of the terminal, which may be on another
// machine, and with system, unless it is nil, to that of this machine. Terminals do not report whether they
// took a text.
func clipboard(system func(text string) error) func(text string) tea.Cmd {
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
func (h *externalPrograms) say(text string) tea.Cmd { return h.screen.Do(request.Say{Text: text}) }

// copy copies an excerpt of the pane with focus to the clipboard. If there are several, the person chooses
// one.
func (h *externalPrograms) copy() tea.Cmd {
	all := h.screen.Excerpts()
	if len(all) == 1 {
		return excerpt.Copy(all[0])
	}
	offers, byName := make([]model.Origin, len(all)), map[string]excerpt.Excerpt{}
	for i, x := range all {
		offers[i] = model.Origin{Name: x.Name, About: x.About()}
		byName[x.Name] = x
	}
	c := choose.New("Copy what?", offers, "")
	c.OpenAction = "copy"
	c.Choose = func(_ *runview.Run, name string) []tea.Msg {
		return []tea.Msg{request.Background{Cmd: excerpt.Copy(byName[name])}}
	}
	return h.screen.Do(dialog.Open{Dialog: c})
}

// takeCopied copies a text to the clipboard and says what it is.
func (h *externalPrograms) takeCopied(c excerpt.Copied) tea.Cmd {
	message, text := c.Message()
	said := h.say(message)
	if text == "" {
		return said
	}
	return tea.Batch(said, h.copyText(text))
}

// open opens the line of the document that the pane with focus shows in the person's own editor. If the
// pane shows something else, open opens a copy of it, which is not read back: output in the pager, other
// text in the editor. The run continues meanwhile.
func (h *externalPrograms) open() tea.Cmd {
	if at, ok := h.screen.Place(); ok && h.original != nil {
		return h.openFile(at)
	}
	return excerpt.Save(excerpt.Whole(h.screen.Excerpts()))
}

// takeSaved runs the program that shows an excerpt in the terminal.
func (h *externalPrograms) takeSaved(msg excerpt.Saved) tea.Cmd {
	if msg.Err != nil {
		return h.say("Cannot open this in another program: " + msg.Err.Error())
	}
	cmd := userprograms.Editor(msg.Path)
	if pager := os.Getenv("PAGER"); pager != "" && msg.Log {
		cmd = userprograms.Program(pager, msg.Path)
	}
	return h.runProgram(cmd, func(err error) tea.Msg {
		_ = os.RemoveAll(filepath.Dir(msg.Path)) // it is in a temporary folder anyway
		if err != nil {
			return session.Failed{Err: errors.New("The editor or pager failed: " + err.Error())}
		}
		return nil
	})
}

// openFile opens a file of the document in the person's own editor. The run notices the changes as it does
// all changes of its files.
func (h *externalPrograms) openFile(at runview.Place) tea.Cmd {
	file, err := h.original(at.File)
	if err != nil {
		return h.say(err.Error())
	}
	return h.runProgram(userprograms.EditorAt(h.editor, file, at.Line), func(err error) tea.Msg {
		if err != nil {
			return session.Failed{Err: errors.New("The editor failed: " + err.Error())}
		}
		return nil
	})
}

// unavailable returns why nothing of the pane with focus can be copied or opened, "" if something can.
func (h *externalPrograms) unavailable() string {
	if len(h.screen.Excerpts()) == 0 {
		return "This pane is empty."
	}
	return ""
}

// shellMsg has a shell that is ready to run in the terminal.
type shellMsg struct {
	cmd     *exec.Cmd
	heading string
}

// shellProgram runs a shell with a heading above its prompt.
type shellProgram struct{ shellMsg }

func (p *shellProgram) SetStdin(r io.Reader)  { p.cmd.Stdin = r }
func (p *shellProgram) SetStdout(w io.Writer) { p.cmd.Stdout = w }
func (p *shellProgram) SetStderr(w io.Writer) { p.cmd.Stderr = w }

// Run shows the heading and waits until the shell exits.
func (p *shellProgram) Run() error {
	_, _ = io.WriteString(p.cmd.Stdout, p.heading)
	return userprograms.ShellError(p.cmd.Run())
}

// takeShell runs a shell in the terminal.
func (h *externalPrograms) takeShell(msg shellMsg) tea.Cmd {
	return h.runShell(&shellProgram{msg}, func(err error) tea.Msg {
		if err != nil {
			return session.Failed{Err: err}
		}
		return nil
	})
}

// textEditedMsg has the text that a person saved in their own editor.
type textEditedMsg struct {
	of   form.Text
	text string
	err  error
}

// edit opens a text in the person's own editor, in the terminal.
func (h *externalPrograms) edit(t form.Text) tea.Cmd {
	path, err := userprograms.Draft(t.Value())
	if err != nil {
		return h.say("Cannot open the editor: " + err.Error())
	}
	return h.runProgram(userprograms.Editor(path), func(err error) tea.Msg {
		defer os.RemoveAll(filepath.Dir(path))
		if err != nil {
			return textEditedMsg{err: err}
		}
		text, err := infile.Read(path, infile.Given)
		return textEditedMsg{t, strings.TrimSuffix(string(text), "\n"), err}
	})
}

// takeEdited takes over the edited text.
func (h *externalPrograms) takeEdited(msg textEditedMsg) tea.Cmd {
	if msg.err != nil {
		return h.say("The text is unchanged: the editor failed: " + msg.err.Error())
	}
	msg.of.Set(msg.text)
	h.screen.Reflow()
	return nil
}
