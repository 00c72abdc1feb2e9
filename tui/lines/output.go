package lines

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
func (t *LineUI) outputOf(arg string) error {
	name, all := option(arg, "all")
	row, err := t.step(name)
	if err != nil {
		return err
	}
	last, n := make([][]byte, mostLast), 0
	err = t.putOut(row, func(line []byte) {
		if all {
			t.line("%s", t.safe(line))
		} else {
			last[n%mostLast] = append(last[n%mostLast][:0], line...)
		}
		n++
	})
	if err != nil || all {
		return err
	}
	if n > mostLast {
		t.line("  the last %d of %d lines; :output %s all prints them all", mostLast, n, label(row.Label))
	}
	for i := max(0, n-mostLast); i < n; i++ {
		t.line("%s", t.safe(last[i%mostLast]))
	}
	return nil
}

// putOut visits the lines that a step put out, as they came: those of the logs of its actions,
// and before that of a tool how it was called. There can be more of them than memory has room for.
func (t *LineUI) putOut(row *track.Row, visit func(line []byte)) error {
	some := false
	each := func(line []byte) { some = true; visit(line) }
	if exec := row.Last(); exec != nil {
		for _, a := range exec.Actions {
			if a.Log == nil {
				continue
			}
			if a.Tool != "" {
				for _, line := range calling(a.Server, a.Tool, a.Args) {
					each([]byte(line))
				}
			}
			log := &tail{at: t.folder.LogFile(a.Log.File), offset: a.Log.Offset, said: a.Kind != "command"}
			if !log.open() {
				return fmt.Errorf("the log of what it printed is missing: %s", a.Log.File)
			}
			log.each(true, each)
			log.close()
		}
	}
	if !some {
		return fmt.Errorf("step %s has put out nothing", row.Label)
	}
	return nil
}

// option takes a word off the end of what stands behind a command.
func option(arg, word string) (rest string, said bool) {
	rest, said = strings.CutSuffix(" "+arg, " "+word)
	return strings.TrimSpace(rest), said
}

func (t *LineUI) copy(arg string) error {
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

func (t *LineUI) outside(arg string) error {
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
func (t *LineUI) find(text string) error {
	if text == "" {
		return errors.New("say what to find: :find TEXT")
	}
	t.sought, t.found = text, 0
	return t.findMore("")
}

// findMore prints the next matches of what was sought.
func (t *LineUI) findMore(string) error {
	if t.sought == "" {
		return errors.New("say first what to find: :find TEXT")
	}
	m := matches{text: strings.ToLower(t.sought), from: t.found}
	t.search(&m)
	if t.found >= m.all {
		if t.found = 0; m.all > 0 {
			return errors.New("these were all: :find looks anew")
		}
		t.line("  nothing has %s", sanitize.Plain(t.sought))
		return nil
	}
	for _, line := range m.shown {
		t.line("  %s", line)
	}
	if t.found += mostFound; t.found < m.all {
		t.line("  and %d more: :next-match", m.all-t.found)
	}
	return nil
}

// matches are the lines that have a text, whatever the case: how many, and some of them.
type matches struct {
	text  string
	from  int // of the first that is shown
	all   int
	shown []string
}

// look takes a line that has the text. where says where it stands.
func (m *matches) look(line string, where func() string) {
	if !strings.Contains(strings.ToLower(line), m.text) {
		return
	}
	if m.all >= m.from && len(m.shown) < mostFound {
		m.shown = append(m.shown, where()+": "+line)
	}
	m.all++
}

// search looks at the lines of steps, of where they lead and what they put out, at values and at
// events.
func (t *LineUI) search(m *matches) {
	at := func(where string, line string) { m.look(sanitize.Plain(line), func() string { return where }) }
	t.each(func(row *track.Row, _ int) {
		if row.Step == nil {
			return
		}
		step, n := "["+label(row.Label)+"] ", 0
		at(step+"title", row.Title)
		for i, line := range strings.Split(t.words(row), "\n") {
			at(fmt.Sprintf("%stext line %d", step, i+1), line)
		}
		_ = t.putOut(row, func(line []byte) { // what has put out nothing has nothing
			n++
			m.look(sanitize.OutputPlain(line), func() string { return fmt.Sprintf("%soutput line %d", step, n) })
		})
	})
	if ways, err := t.printed(func() error { return t.routeMap("") }); err == nil {
		for line := range strings.Lines(ways) {
			if line = strings.TrimSpace(line); strings.Contains(line, " -> ") {
				at("route", line)
			}
		}
	}
	for _, x := range t.track.Vars {
		at("value", x.Name+" = "+plan.TextOf(x.Value))
	}
	for _, e := range t.events {
		l := track.LineOf(e)
		at(fmt.Sprintf("event %d", l.Seq), mark(l.Step)+l.What+by(l))
	}
}
