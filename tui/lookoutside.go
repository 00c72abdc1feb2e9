package tui

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/outside"
	"playhead/tui/panes"
)

// outsideMsg is a copy of an excerpt, ready to be looked at in another program.
type outsideMsg struct {
	path string // in a folder of its own, which goes afterwards
	log  bool
	err  error
}

// openOutside opens what the pane with focus shows in the person's own editor, or pager
// where it is output. It is a copy that nothing reads again; the run goes on meanwhile.
func (m *Model) openOutside() tea.Cmd {
	x := m.outside().read()
	return func() tea.Msg {
		path, err := x.draft()
		return outsideMsg{path, x.log != nil, err}
	}
}

// outside is what is opened: of a log all of it, of a sheet all of that.
func (m *Model) outside() excerpt {
	all := m.excerpts()
	for _, x := range all {
		if x.log != nil {
			return x
		}
	}
	switch {
	case m.focus == panes.Tree && len(all) > 1:
		return all[1]
	case m.focus == panes.Why:
		return all[len(all)-1]
	}
	return all[0]
}

func notOpenable(m *Model) string {
	if len(m.excerpts()) == 0 {
		return "opens what a pane shows, and this one shows nothing yet"
	}
	return ""
}

// draft is the excerpt in a file that only the person can read, and nobody is to write.
func (x excerpt) draft() (string, error) {
	dir, err := os.MkdirTemp("", "playhead-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "copy.md")
	if x.log != nil {
		path = filepath.Join(dir, "output.txt")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err == nil {
		w := bufio.NewWriter(f)
		err = errors.Join(x.write(w), w.Flush(), f.Close())
	}
	if err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to tell
	}
	return path, err
}

// lookOutside gives the terminal to the other program.
func (m *Model) lookOutside(msg outsideMsg) tea.Cmd {
	if msg.err != nil {
		m.say("It cannot be opened outside: " + msg.err.Error())
		return nil
	}
	cmd := outside.Editor(msg.path)
	if pager := os.Getenv("PAGER"); pager != "" && msg.log {
		cmd = outside.Program(pager, msg.path)
	}
	return m.hand(cmd, func(err error) tea.Msg {
		_ = os.RemoveAll(filepath.Dir(msg.path)) // in a temporary folder anyway
		if err != nil {
			return calledMsg{errors.New("what it was opened in ended with " + err.Error())}
		}
		return nil
	})
}
