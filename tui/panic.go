package tui

import (
	"fmt"
	"os"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// shield is the Model as Bubble Tea has it: a panic in it, or in one of its
// commands, ends the program as usual, so that the terminal is restored.
type shield struct {
	*Model
	send func(tea.Msg)
}

// Update is the Model's, and quits where that panics.
func (s shield) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if v := recover(); v != nil {
			s.endByPanic(panicMsg{v, debug.Stack()})
			next, cmd = s, tea.Quit
		}
	}()
	_, cmd = s.Model.Update(msg)
	return s, shielded(cmd)
}

// View is the Model's, or what it showed last.
func (s shield) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			go s.send(panicMsg{r, debug.Stack()})
			v = tea.NewView(s.frame)
			v.AltScreen = true
		}
	}()
	return s.Model.View()
}

// Init is the Model's.
func (s shield) Init() tea.Cmd { return shielded(s.Model.Init()) }

// shielded makes a panic of a command a message.
func shielded(cmd tea.Cmd) tea.Cmd {
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
				batch[i] = shielded(batch[i])
			}
		}
		return msg
	}
}

// panicMsg is a panic on its way to the caller of Run.
type panicMsg struct {
	value any
	stack []byte
}

// guard makes a panic of one of our goroutines a message.
func guard(send func(tea.Msg), f func()) {
	defer func() {
		if v := recover(); v != nil {
			send(panicMsg{v, debug.Stack()})
		}
	}()
	f()
}

// endByPanic takes over a panic: the first one is why the program ends.
func (m *Model) endByPanic(p panicMsg) {
	if m.err == nil {
		m.err = p.message()
	}
}

// message is the panic in a line for people. Where it happened is in a file.
func (p panicMsg) message() error {
	what := fmt.Sprintf("the screen crashed; the run is kept: %s", draw.Clean(fmt.Sprint(p.value)))
	file, err := p.trace()
	if err != nil {
		return fmt.Errorf("%s (its trace cannot be written: %w)", what, err)
	}
	return fmt.Errorf("%s; please report it with %s", what, file)
}

// trace writes the panic with its stack to a file, and names it.
func (p panicMsg) trace() (name string, err error) {
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
