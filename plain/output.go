package plain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// mostLast is how many lines of output are printed unless all are asked for.
const mostLast = 40

// outputOf prints what a step put out in its newest execution, or the end of that.
func (t *Twin) outputOf(arg string) error {
	name, all := option(arg, "all")
	row, err := t.step(name)
	if err != nil {
		return err
	}
	lines, err := t.lines(row)
	if err != nil {
		return err
	}
	if skip := len(lines) - mostLast; skip > 0 && !all {
		t.line("  the last %d of %d lines; :output %s all prints them all", mostLast, len(lines), label(row.Label))
		lines = lines[skip:]
	}
	for _, line := range lines {
		t.line("%s", line)
	}
	return nil
}

// lines are what a step put out: the logs of its actions, each line safe to print.
func (t *Twin) lines(row *track.Row) ([]string, error) {
	var out []string
	if exec := row.Last(); exec != nil {
		for _, a := range exec.Actions {
			if a.Log == nil {
				continue
			}
			path, err := t.folder.LogPath(a.Log.File)
			if err != nil {
				return nil, err
			}
			log := &tail{path: path, offset: a.Log.Offset}
			log.each(true, func(line []byte) { out = append(out, t.safe(line)) })
			log.close()
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("step %s has put out nothing", row.Label)
	}
	return out, nil
}

// option takes a word off the end of what stands behind a command.
func option(arg, word string) (rest string, said bool) {
	fields := strings.Fields(arg)
	if n := len(fields); n > 0 && fields[n-1] == word {
		return strings.Join(fields[:n-1], " "), true
	}
	return arg, false
}

// excerpt is what :copy and :outside take: what a step put out, else its text.
func (t *Twin) excerpt(arg string) (string, error) {
	name, text := option(arg, "text")
	row, err := t.step(name)
	if err != nil {
		return "", err
	}
	if !text {
		if lines, err := t.lines(row); err == nil {
			for i := range lines {
				lines[i] = sanitize.Plain([]byte(lines[i]))
			}
			return strings.Join(lines, "\n") + "\n", nil
		}
	}
	return t.textOf(row) + "\n", nil
}

func (t *Twin) copy(arg string) error {
	text, err := t.excerpt(arg)
	if err != nil {
		return err
	}
	if t.clip == nil {
		return errors.New("there is no clipboard to copy to")
	}
	if err := t.clip(text); err != nil {
		return err
	}
	if n := strings.Count(text, "\n"); n != 1 {
		t.line("  %d lines are copied", n)
	} else {
		t.line("  1 line is copied")
	}
	return nil
}

func (t *Twin) outside(arg string) error {
	text, err := t.excerpt(arg)
	if err != nil {
		return err
	}
	if t.show == nil {
		return errors.New("there is no terminal to open it at")
	}
	return t.show(text)
}

// mostFound is how many matches are printed.
const mostFound = 30

// find prints the lines that have a text, each with its step.
func (t *Twin) find(text string) error {
	if text == "" {
		return errors.New("say what to find: :find TEXT")
	}
	n := 0
	look := func(row *track.Row, what string, lines []string) {
		for i, line := range lines {
			if !strings.Contains(strings.ToLower(line), strings.ToLower(text)) {
				continue
			}
			if n++; n <= mostFound {
				t.line("  [%s] %s line %d: %s", label(row.Label), what, i+1, line)
			}
		}
	}
	t.each(func(row *track.Row, _ int) {
		if row.Step == nil {
			return
		}
		look(row, "title", []string{sanitize.Plain(row.Title)})
		look(row, "text", strings.Split(t.textOf(row), "\n"))
		if lines, err := t.lines(row); err == nil {
			look(row, "output", slices.Clone(lines))
		}
	})
	switch {
	case n == 0:
		t.line("  nothing has %s", sanitize.Plain(text))
	case n > mostFound:
		t.line("  and %d more", n-mostFound)
	}
	return nil
}
