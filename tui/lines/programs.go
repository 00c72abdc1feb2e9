package lines

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/userprograms"
	"playhead/parse/infile"
)

// Programs runs the editor, the pager and the shell of a person at a terminal, and copies texts.
type Programs struct {
	In        io.Reader
	Out, Err  io.Writer
	Clipboard func(text string) error // copies to the system's clipboard; nil: there is none

	terminalLock sync.Mutex
}

// AddTo sets the functions of c that need other programs: the editor, the shell, the pager and the
// clipboard.
func (p *Programs) AddTo(c *Config) {
	c.terminalLock = &p.terminalLock
	c.EditText = func(text string) (changed string, err error) {
		err = withDraftFile(text, func(path string) error {
			if err := p.runEditorOrPager(userprograms.EditorCommand(path)); err != nil {
				return err
			}
			after, err := infile.Read(path, infile.MaxPersonFileSize)
			changed = strings.TrimSuffix(string(after), "\n")
			return err
		})
		return changed, err
	}
	c.RunShell = func(heading string, cmd *exec.Cmd) error {
		fmt.Fprint(p.Out, heading)
		return userprograms.ShellError(p.runInTerminal(cmd))
	}
	c.OpenText = func(text string) error {
		return withDraftFile(text, func(path string) error {
			if pager := os.Getenv("PAGER"); pager != "" {
				return p.runEditorOrPager(userprograms.ProgramCommand(pager, path))
			}
			return p.runEditorOrPager(userprograms.EditorCommand(path))
		})
	}
	c.CopyText = p.copyFunc()
}

// copyFunc returns a function that copies a text to the clipboards of the terminal and the system, nil if
// there is none.
func (p *Programs) copyFunc() func(text string) error {
	system := p.Clipboard
	if os.Getenv("TERM") == "dumb" { // it would print the control sequence
		return system
	}
	return func(text string) error {
		fmt.Fprint(p.Out, ansi.SetSystemClipboard(text))
		if system != nil {
			_ = system(text) // the terminal may have it
		}
		return nil
	}
}

// withDraftFile calls do with the path of a temporary file that contains a text.
func withDraftFile(text string, do func(path string) error) error {
	path, err := userprograms.CreateDraftFile(text)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(path))
	return do(path)
}

// runEditorOrPager runs an editor or a pager.
func (p *Programs) runEditorOrPager(cmd *exec.Cmd) error {
	if err := p.runInTerminal(cmd); err != nil {
		return fmt.Errorf("the editor or pager failed: %w", err)
	}
	return nil
}

// runInTerminal runs another program in the terminal, and waits until it ends.
func (p *Programs) runInTerminal(cmd *exec.Cmd) error {
	p.terminalLock.Lock()
	defer p.terminalLock.Unlock()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.In, p.Out, p.Err
	return cmd.Run()
}
