package tui

import (
	"fmt"
	"os"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// panicGuard wraps the Model so that a panic ends the program in the usual way, with the terminal restored.
type panicGuard struct {
	*Model
	sendToProgram func(tea.Msg)
}

// Update calls the Model's Update, and quits if it panics.
func (p panicGuard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			p.endByPanic(panicMsg{v, debug.Stack()})
			next, cmd = p, tea.Quit
		}
	}()
	_, cmd = p.Model.Update(msg)
	return p, recoverCmd(cmd)
}

// View returns the Model's view, or the last frame if it panics.
func (p panicGuard) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			go p.sendToProgram(panicMsg{r, debug.Stack()})
			v = tea.NewView(p.frame)
			v.AltScreen = true
		}
	}()
	return p.Model.View()
}

// Init returns the Model's first command, with its panics caught.
func (p panicGuard) Init() tea.Cmd { return recoverCmd(p.Model.Init()) }

// recoverCmd returns a command whose panics become messages.
func recoverCmd(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if v := recover(); v != nil {
				msg = panicMsg{v, debug.Stack()}
			}
		}()
		msg = cmd()
		if batch, several := msg.(tea.BatchMsg); several {
			for i := range batch {
				batch[i] = recoverCmd(batch[i])
			}
		}
		return msg
	}
}

// panicMsg carries a panic to the Model.
type panicMsg struct {
	value any
	stack []byte
}

// recoverGoroutine runs f, and sends a panic as a message.
func recoverGoroutine(send func(tea.Msg), f func()) {
	defer func() {
		if v := recover(); v != nil {
			send(panicMsg{v, debug.Stack()})
		}
	}()
	f()
}

// endByPanic ends the program with a panic as its error. Only the first one counts.
func (m *Model) endByPanic(p panicMsg) {
	if m.quitError == nil {
		m.quitError = p.crashError()
	}
}

// crashError returns the panic as an error of one line, which names the file with the stack.
func (p panicMsg) crashError() error {
	what := fmt.Sprintf("the screen crashed (the run is kept): %s", draw.CleanLine(fmt.Sprint(p.value)))
	file, err := p.writeTrace()
	if err != nil {
		return fmt.Errorf("%s (its trace cannot be written: %w)", what, err)
	}
	return fmt.Errorf("%s; please report it, and attach %s", what, file)
}

// writeTrace writes the panic with its stack to a file, and returns its name.
func (p panicMsg) writeTrace() (name string, err error) {
	f, err := os.CreateTemp("", "playhead-panic-*.txt")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "panic: %v\n\n%s", p.value, p.stack)
	if shut := f.Close(); err == nil {
		err = shut
	}
	return f.Name(), err
}
