package plain

import (
	"errors"
	"fmt"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
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

// lines are what a step put out: the logs of its actions, and before that of a tool how it
// was called; each line safe to print.
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
			if a.Tool != "" {
				out = append(out, calling(a.Server, a.Tool, a.Args)...)
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
	rest, said = strings.CutSuffix(" "+arg, " "+word)
	return strings.TrimSpace(rest), said
}

func (t *Twin) copy(arg string) error {
	text, err := t.excerpt(arg)
	if err != nil {
		return err
	}
	if t.clip == nil {
		return errors.New("there is no clipboard to copy to; :outside opens it in your editor")
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

// mostFound is how many matches are printed at a time.
const mostFound = 30

// find prints the lines that have a text, each with where it stands.
func (t *Twin) find(text string) error {
	if text == "" {
		return errors.New("say what to find: :find TEXT")
	}
	t.sought, t.found = text, 0
	return t.findMore("")
}

// findMore prints the next matches of what was sought.
func (t *Twin) findMore(string) error {
	if t.sought == "" {
		return errors.New("say first what to find: :find TEXT")
	}
	all := t.matches(strings.ToLower(t.sought))
	if t.found >= len(all) {
		if t.found = 0; len(all) > 0 {
			return errors.New("these were all: :find looks anew")
		}
		t.line("  nothing has %s", sanitize.Plain(t.sought))
		return nil
	}
	for _, m := range all[t.found:min(len(all), t.found+mostFound)] {
		t.line("  %s", m)
	}
	if t.found += mostFound; t.found < len(all) {
		t.line("  and %d more: :next-match", len(all)-t.found)
	}
	return nil
}

// matches are the lines that have a text: of steps, of where they lead and what they put out, of
// values and of events.
func (t *Twin) matches(text string) (out []string) {
	look := func(where, line string) {
		if line = sanitize.Plain(line); strings.Contains(strings.ToLower(line), text) {
			out = append(out, where+": "+line)
		}
	}
	each := func(where string, lines []string) {
		for i, line := range lines {
			look(fmt.Sprintf("%s line %d", where, i+1), line)
		}
	}
	t.each(func(row *track.Row, _ int) {
		if row.Step == nil {
			return
		}
		at := "[" + label(row.Label) + "] "
		look(at+"title", row.Title)
		each(at+"text", strings.Split(t.words(row), "\n"))
		if lines, err := t.lines(row); err == nil {
			each(at+"output", lines)
		}
	})
	if ways, err := t.printed(func() error { return t.routeMap("") }); err == nil {
		for line := range strings.Lines(ways) {
			if line = strings.TrimSpace(line); strings.Contains(line, " -> ") {
				look("route", line)
			}
		}
	}
	for _, x := range t.track.Vars {
		look("value", x.Name+" = "+plan.TextOf(x.Value))
	}
	for _, e := range t.events {
		l := track.LineOf(e)
		look(fmt.Sprintf("event %d", l.Seq), mark(l.Step)+l.What+by(l))
	}
	return out
}
