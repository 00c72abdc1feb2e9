// Package excerpt takes text out of the screen: to the clipboard, or into a file for another program.
package excerpt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/tui/draw"
)

// Excerpt is something on the screen that can be taken away, whole: nothing of it is cut or wrapped.
type Excerpt struct {
	Name string        // in a list, where no other has it: the command
	Of   string        // in a sentence: 2.1's command
	Text func() string // its lines; nil: those of Log
	Log  Log
	Part bool // of what the pane shows: a title, one of several values
}

// Log is an excerpt that is read in parts, since it may be of any length.
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
}

// Of returns an excerpt of a text that is known now.
func Of(name, of, text string) Excerpt {
	return Excerpt{Name: name, Of: of, Text: func() string { return text }}
}

// About says in a few words what an excerpt holds.
func (x Excerpt) About() string {
	if x.Text == nil {
		_, lines := x.Log.Size()
		return wording.Count(lines, "line")
	}
	return draw.FirstLine(x.Text())
}

// Unstyled returns lines as plain text, without the blanks that only fill them up.
func Unstyled(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// now is the excerpt with the text that it has now; a log is left to be read later.
func (x Excerpt) now() Excerpt {
	if x.Text != nil {
		text := x.Text()
		x.Text = func() string { return text }
	}
	return x
}

// safe is the excerpt's text as it may leave the program.
func (x Excerpt) safe() string { return sanitize.Text(strings.TrimSuffix(x.Text(), "\n")) }

// maxCopied is how many bytes go to the clipboard. Written for the terminal they are a
// third more, and tmux takes a megabyte at a time.
const maxCopied = 750_000

// Copied is an excerpt on its way to the clipboard, or in a file because it is too long for it.
type Copied struct {
	Of   string
	Text string
	file string
	size int64
	err  error
}

// Copy returns a command that reads an excerpt, however long it is, while the screen goes on. Its
// message is a Copied.
func Copy(x Excerpt) tea.Cmd {
	x = x.now()
	return func() tea.Msg {
		msg := Copied{Of: x.Of}
		if x.Text != nil {
			if msg.Text = x.safe(); len(msg.Text) <= maxCopied {
				return msg
			}
			msg.size = int64(len(msg.Text))
		} else if msg.size, _ = x.Log.Size(); msg.size <= maxCopied {
			var b strings.Builder
			msg.err = x.write(&b)
			msg.Text = strings.TrimSuffix(b.String(), "\n")
			return msg
		}
		msg.Text = ""
		msg.file, msg.err = x.save()
		return msg
	}
}

// Message says what was copied, or why nothing was. Text is what goes to the clipboard, empty if nothing does.
func (c Copied) Message() (message, text string) {
	switch {
	case c.err != nil:
		return "Copy failed: " + c.err.Error(), ""
	case c.file != "":
		return fmt.Sprintf("Too long for the clipboard (%s): saved in %s", wording.Size(c.size), c.file), ""
	case c.Text == "":
		return "Nothing to copy.", ""
	}
	of := c.Of
	if n := strings.Count(c.Text, "\n") + 1; n > 1 {
		of = wording.Count(n, "line") + " of " + of
	}
	return "Copied " + of + ".", c.Text
}

// chunk is how many lines of a log are read at a time.
const chunk = 1000

// write writes the excerpt's text.
func (x Excerpt) write(w io.Writer) error {
	if x.Text != nil {
		_, err := io.WriteString(w, x.safe()+"\n")
		return err
	}
	_, total := x.Log.Size()
	for from := 0; from < total; from += chunk {
		lines, err := x.Log.Lines(from, min(chunk, total-from))
		for _, line := range lines {
			_, failed := io.WriteString(w, sanitize.OutputPlain(line)+"\n")
			err = errors.Join(err, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// save writes the excerpt to a file that only the person can read.
func (x Excerpt) save() (string, error) {
	f, err := os.CreateTemp("", "playhead-*.txt")
	if err != nil {
		return "", err
	}
	if err := x.fill(f); err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
		return "", err
	}
	return f.Name(), nil
}

// fill writes the excerpt to a file and closes that.
func (x Excerpt) fill(f *os.File) error {
	w := bufio.NewWriter(f)
	err := x.write(w)
	return errors.Join(err, w.Flush(), f.Close())
}

// Saved is a copy of an excerpt, ready to be looked at in another program.
type Saved struct {
	Path string // in a folder of its own, which goes afterwards
	Log  bool
	Err  error
}

// Save returns a command that writes an excerpt to a file for another program. Its message is a Saved.
func Save(x Excerpt) tea.Cmd {
	x = x.now()
	return func() tea.Msg {
		path, err := x.readOnly()
		return Saved{path, x.Log != nil, err}
	}
}

// readOnly is the excerpt in a file that only the person can read, and nobody is to write.
func (x Excerpt) readOnly() (string, error) {
	dir, err := os.MkdirTemp("", "playhead-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "copy.md")
	if x.Log != nil {
		path = filepath.Join(dir, "output.txt")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err == nil {
		err = x.fill(f)
	}
	if err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to tell
	}
	return path, err
}

// Whole returns what is opened in another program: the first that is no part of what a pane shows.
func Whole(all []Excerpt) Excerpt {
	if i := slices.IndexFunc(all, func(x Excerpt) bool { return !x.Part }); i >= 0 {
		return all[i]
	}
	return all[0]
}
