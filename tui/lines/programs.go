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

// Programs are what a person at a terminal has for texts: an editor, a pager and a clipboard.
type Programs struct {
	In        io.Reader
	Out, Err  io.Writer
	Clipboard func(text string) error // the system's; nil: there is none

	running sync.Mutex
}

// Use sets the functions of c that need other programs: the editor, the shell, the pager and the
// clipboard.
func (p *Programs) Use(c *Config) {
	c.terminalLock = &p.running
	c.Write = func(text string) (changed string, err error) {
		err = withDraft(text, func(path string) error {
			if err := p.open(userprograms.Editor(path)); err != nil {
				return err
			}
			after, err := infile.Read(path, infile.Given)
			changed = strings.TrimSuffix(string(after), "\n")
			return err
		})
		return changed, err
	}
	c.Shell = func(heading string, cmd *exec.Cmd) error {
		fmt.Fprint(p.Out, heading)
		return userprograms.ShellError(p.run(cmd))
	}
	c.OpenText = func(text string) error {
		return withDraft(text, func(path string) error {
			if pager := os.Getenv("PAGER"); pager != "" {
				return p.open(userprograms.Program(pager, path))
			}
			return p.open(userprograms.Editor(path))
		})
	}
	c.Clip = p.clip()
}

// clip copies a text to the terminal's clipboard and the system's; nil where there is none.
func (p *Programs) clip() func(text string) error {
	system := p.Clipboard
	if os.Getenv("TERM") == "dumb" { // it would print what is for a clipboard
		return system
	}
	return func(text string) error {
		fmt.Fprint(p.Out, ansi.SetSystemClipboard(text))
		if system != nil {
			_ = system(text) // the terminal has it, or nobody can
		}
		return nil
	}
}

// withDraft calls do with the path of a temporary file that contains a text.
func withDraft(text string, do func(path string) error) error {
	path, err := userprograms.Draft(text)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(path))
	return do(path)
}

// open runs an editor or a pager.
func (p *Programs) open(cmd *exec.Cmd) error {
	if err := p.run(cmd); err != nil {
		return fmt.Errorf("the editor or pager failed: %w", err)
	}
	return nil
}

// run gives the terminal to another program until that ends.
func (p *Programs) run(cmd *exec.Cmd) error {
	p.running.Lock()
	defer p.running.Unlock()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.In, p.Out, p.Err
	return cmd.Run()
}
