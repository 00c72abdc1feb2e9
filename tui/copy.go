package tui

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// mostCopied is how many bytes go to the clipboard. Written for the terminal they are a
// third more, and tmux takes a megabyte at a time.
const mostCopied = 750_000

// copiedMsg is an excerpt on its way to the clipboard, or in a file that was made for
// it because it is too long.
type copiedMsg struct {
	of   string
	text string
	file string
	size int64
	err  error
}

// copy takes something of the pane with focus to the clipboard. Where there are several
// things, the person chooses.
func (m *Model) copy() tea.Cmd {
	all := m.excerpts()
	if len(all) == 1 {
		return carry(all[0])
	}
	offers, byName := make([]model.Origin, len(all)), map[string]excerpt{}
	for i, x := range all {
		offers[i] = model.Origin{Name: x.name, About: x.about()}
		byName[x.name] = x
	}
	c := choose.New("Copy what?", offers, "")
	c.Again = "copy"
	c.Chosen = func(_ *runview.Run, name string) []tea.Msg {
		return []tea.Msg{request.Background{Cmd: carry(byName[name])}}
	}
	m.open(c)
	return nil
}

func notCopyable(m *Model) string {
	if len(m.excerpts()) == 0 {
		return "copies what a pane shows, and this one shows nothing yet"
	}
	return ""
}

// carry reads an excerpt, however long it is, while the screen goes on.
func carry(x excerpt) tea.Cmd {
	x = x.read()
	return func() tea.Msg {
		msg := copiedMsg{of: x.of}
		if x.text != nil {
			if msg.text = x.safe(); len(msg.text) <= mostCopied {
				return msg
			}
			msg.size = int64(len(msg.text))
		} else if msg.size, _ = x.log.Size(); msg.size <= mostCopied {
			var b strings.Builder
			msg.err = x.write(&b)
			msg.text = strings.TrimSuffix(b.String(), "\n")
			return msg
		}
		msg.text = ""
		msg.file, msg.err = x.save()
		return msg
	}
}

// chunk is how many lines of a log are read at a time.
const chunk = 1000

// write writes the excerpt's text.
func (x excerpt) write(w io.Writer) error {
	if x.text != nil {
		_, err := io.WriteString(w, x.safe()+"\n")
		return err
	}
	_, total := x.log.Size()
	for from := 0; from < total; from += chunk {
		lines, err := x.log.Lines(from, min(chunk, total-from))
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
func (x excerpt) save() (string, error) {
	f, err := os.CreateTemp("", "playhead-*.txt")
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	err = x.write(w)
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to tell
	}
	return f.Name(), err
}

// copied hands an excerpt to the clipboard and says what it was.
func (m *Model) copied(msg copiedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.say("It could not be copied: " + msg.err.Error())
		return nil
	case msg.file != "":
		m.say(fmt.Sprintf("Too long to copy, %s: it is in %s", draw.Size(msg.size), msg.file))
		return nil
	case msg.text == "":
		m.say("There is nothing in it to copy.")
		return nil
	}
	of := msg.of
	if n := strings.Count(msg.text, "\n") + 1; n > 1 {
		of = draw.Count(n, "line") + " of " + of
	}
	m.say("Copied " + of + ".")
	return m.clip(msg.text)
}

// clipboard gives a text to the terminal, which may be at the other end of a connection,
// and to the system that the program runs on. Nobody says whether the first one took it.
func (m *Model) clipboard(text string) tea.Cmd {
	system := m.cfg.Clipboard
	if system == nil {
		return tea.SetClipboard(text)
	}
	return tea.Batch(tea.SetClipboard(text), func() tea.Msg {
		_ = system(text) // there is the terminal's
		return nil
	})
}
