// Package excerpt copies text of the screen to the clipboard, or into a file for another program.
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
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// Excerpt is something on the screen that can be copied. Its text is complete, neither cut nor wrapped.
type Excerpt struct {
	Name         string        // a unique name in a list: command
	FullName     string        // the name in a sentence: 2.1's command
	Text         func() string // returns the text; nil: the text is that of Log
	Log          Log
	IsPartOfPane bool // it is only a part of what the pane shows, such as a title
}

// Log is a text of any length, which is read in parts.
type Log interface {
	Size() (bytes int64, lines int)
	Lines(from, n int) ([]string, error)
}

// FromText returns an excerpt of a text that is known now.
func FromText(name, of, text string) Excerpt {
	return Excerpt{Name: name, FullName: of, Text: func() string { return text }}
}

// Description returns a description of the excerpt's content in a few words.
func (e Excerpt) Description() string {
	if e.Text == nil {
		_, lines := e.Log.Size()
		return plan.CountText(lines, "line")
	}
	return draw.FirstLine(e.Text())
}

// UnstyledText returns lines as plain text, without blanks at their ends.
func UnstyledText(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// withCurrentText returns the excerpt with its current text. A log is still read later.
func (e Excerpt) withCurrentText() Excerpt {
	if e.Text != nil {
		text := e.Text()
		e.Text = func() string { return text }
	}
	return e
}

// escapedText returns the excerpt's text with hidden characters as escapes.
func (e Excerpt) escapedText() string { return sanitize.PlainLines(strings.TrimSuffix(e.Text(), "\n")) }

// maxCopiedBytes limits the bytes that are copied to the clipboard. Encoded for the terminal they become a
// third more, and tmux accepts a megabyte at a time.
const maxCopiedBytes = 750_000

// ClipboardText is an excerpt for the clipboard, or in a file if it is too long for that.
type ClipboardText struct {
	FullName  string
	Text      string
	savedPath string
	byteCount int64
	err       error
}

// ReadForClipboard returns a command that reads an excerpt in the background. Its message is a CopyResultMsg.
func ReadForClipboard(x Excerpt) tea.Cmd {
	x = x.withCurrentText()
	return func() tea.Msg {
		msg := ClipboardText{FullName: x.FullName}
		if x.Text != nil {
			if msg.Text = x.escapedText(); len(msg.Text) <= maxCopiedBytes {
				return msg
			}
			msg.byteCount = int64(len(msg.Text))
		} else if msg.byteCount, _ = x.Log.Size(); msg.byteCount <= maxCopiedBytes {
			var b strings.Builder
			msg.err = x.writeTo(&b)
			msg.Text = strings.TrimSuffix(b.String(), "\n")
			return msg
		}
		msg.Text = ""
		msg.savedPath, msg.err = x.writeTempFile()
		return msg
	}
}

// Message returns what was copied, or why nothing was. text is what to copy to the clipboard, "" for
// nothing.
func (c ClipboardText) Message() (message, text string) {
	switch {
	case c.err != nil:
		return wording.ErrorSentence(fmt.Errorf("copy failed: %w", c.err)), ""
	case c.savedPath != "":
		return fmt.Sprintf("Too long for the clipboard (%s): saved in %s", wording.ByteSize(c.byteCount), c.savedPath), ""
	case c.Text == "":
		return "Nothing to copy.", ""
	}
	of := c.FullName
	if n := strings.Count(c.Text, "\n") + 1; n > 1 {
		of = plan.CountText(n, "line") + " of " + of
	}
	return "Copied " + of + ".", c.Text
}

// chunkLines is the number of lines of a log that are read at a time.
const chunkLines = 1000

func (e Excerpt) writeTo(w io.Writer) error {
	if e.Text != nil {
		_, err := io.WriteString(w, e.escapedText()+"\n")
		return err
	}
	_, total := e.Log.Size()
	for from := 0; from < total; from += chunkLines {
		lines, err := e.Log.Lines(from, min(chunkLines, total-from))
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

// writeTempFile writes the excerpt to a file that only the person can read.
func (e Excerpt) writeTempFile() (string, error) {
	f, err := os.CreateTemp("", "playhead-*.txt")
	if err != nil {
		return "", err
	}
	if err := e.writeAndClose(f); err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to report
		return "", err
	}
	return f.Name(), nil
}

// writeAndClose writes the excerpt to a file and closes the file.
func (e Excerpt) writeAndClose(f *os.File) error {
	w := bufio.NewWriter(f)
	err := e.writeTo(w)
	return errors.Join(err, w.Flush(), f.Close())
}

// SaveResultMsg is a copy of an excerpt, ready for another program.
type SaveResultMsg struct {
	Path  string // in a folder of its own, which is removed afterwards
	IsLog bool
	Err   error
}

// SaveForProgram returns a command that writes an excerpt to a file for another program. Its message is a
// SaveResultMsg.
func SaveForProgram(x Excerpt) tea.Cmd {
	x = x.withCurrentText()
	return func() tea.Msg {
		path, err := x.writeReadOnlyFile()
		return SaveResultMsg{path, x.Log != nil, err}
	}
}

// writeReadOnlyFile writes the excerpt to a file that only the person can read, and that nobody should write.
func (e Excerpt) writeReadOnlyFile() (string, error) {
	dir, err := os.MkdirTemp("", "playhead-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "copy.md")
	if e.Log != nil {
		path = filepath.Join(dir, "output.txt")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o400)
	if err == nil {
		err = e.writeAndClose(f)
	}
	if err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to report
	}
	return path, err
}

// FirstWholeExcerpt returns the excerpt to open in another program: the first one that is not only a part
// of what a pane shows.
func FirstWholeExcerpt(all []Excerpt) Excerpt {
	if i := slices.IndexFunc(all, func(x Excerpt) bool { return !x.IsPartOfPane }); i >= 0 {
		return all[i]
	}
	return all[0]
}
