package lines

import (
	"errors"
	"fmt"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// defaultLines is how many lines of output are printed by default.
const defaultLines = 40

// outputOf prints the output of a step's last visit, or the end of it.
func (v *inspector) outputOf(arg string) error {
	name, all := cutOption(arg, "all")
	row, err := v.step(name)
	if err != nil {
		return err
	}
	last, n := make([][]byte, defaultLines), 0
	err = v.eachOutputLine(row, func(line []byte) {
		if all {
			v.line("%s", v.safe(line))
		} else {
			last[n%defaultLines] = append(last[n%defaultLines][:0], line...)
		}
		n++
	})
	if err != nil || all {
		return err
	}
	if n > defaultLines {
		v.line("  the last %d of %d lines; :output %s all prints them all", defaultLines, n, label(row.Label))
	}
	for i := max(0, n-defaultLines); i < n; i++ {
		v.line("%s", v.safe(last[i%defaultLines]))
	}
	return nil
}

// eachOutputLine visits the lines of a step's output, and the call before the result of a tool.
// There can be more lines than fit into memory.
func (v *inspector) eachOutputLine(row *track.Row, visit func(line []byte)) error {
	some := false
	each := func(line []byte) { some = true; visit(line) }
	if exec := row.LastVisit(); exec != nil {
		for _, a := range exec.Actions {
			if a.Log == nil {
				continue
			}
			if a.Tool != "" {
				for _, line := range calling(a.Server, a.Tool, a.Args) {
					each([]byte(line))
				}
			}
			log := &tail{log: v.folder.LogFile(a.Log.File), offset: a.Log.Offset, isReply: a.Kind != "command"}
			if !log.open() {
				return fmt.Errorf("the log of its output is missing: %s", a.Log.File)
			}
			log.each(true, each)
			log.close()
		}
	}
	if !some {
		return fmt.Errorf("step %s has no output", row.Label)
	}
	return nil
}

// cutOption removes an optional word from the end of an argument.
func cutOption(arg, word string) (rest string, found bool) {
	rest, found = strings.CutSuffix(" "+arg, " "+word)
	return strings.TrimSpace(rest), found
}

func (v *inspector) copy(arg string) error {
	text, err := v.excerpt(arg)
	if err != nil {
		return err
	}
	if v.clip == nil {
		return errors.New("there is no clipboard to copy to; :outside opens it in your editor")
	}
	if err := v.clip(text); err != nil {
		return err
	}
	if n := strings.Count(text, "\n"); n != 1 {
		v.line("  %d lines are copied", n)
	} else {
		v.line("  1 line is copied")
	}
	return nil
}

func (v *inspector) outside(arg string) error {
	text, err := v.excerpt(arg)
	if err != nil {
		return err
	}
	if v.show == nil {
		return errors.New("there is no terminal to open it at")
	}
	return v.show(text)
}

// matchesShown is how many matches are printed at once.
const matchesShown = 30

// find prints the lines that contain a text, each with its place.
func (v *inspector) find(text string) error {
	if text == "" {
		return errors.New("find needs a text: :find TEXT")
	}
	v.query, v.matchCount = text, 0
	return v.findMore("")
}

// findMore prints the next matches of the last search.
func (v *inspector) findMore(string) error {
	if v.query == "" {
		return errors.New("find needs a text: :find TEXT")
	}
	m := matches{text: strings.ToLower(v.query), from: v.matchCount}
	v.search(&m)
	if v.matchCount >= m.all {
		if v.matchCount = 0; m.all > 0 {
			return errors.New("there are no more matches: :find starts again")
		}
		v.line("  no match for %s", sanitize.Plain(v.query))
		return nil
	}
	for _, line := range m.lines {
		v.line("  %s", line)
	}
	if v.matchCount += matchesShown; v.matchCount < m.all {
		v.line("  and %d more: :next-match", m.all-v.matchCount)
	}
	return nil
}

// matches counts the lines that contain a text in any case, and keeps some of them.
type matches struct {
	text  string
	from  int // of the first that is shown
	all   int
	lines []string
}

// add adds a line if it contains the text; where returns its place.
func (m *matches) add(line string, where func() string) {
	if !strings.Contains(strings.ToLower(line), m.text) {
		return
	}
	if m.all >= m.from && len(m.lines) < matchesShown {
		m.lines = append(m.lines, where()+": "+line)
	}
	m.all++
}

// search searches the lines of steps, routes, output, values and events.
func (v *inspector) search(m *matches) {
	at := func(where string, line string) { m.add(sanitize.Plain(line), func() string { return where }) }
	v.eachRow(func(row *track.Row, _ int) {
		if row.Step == nil {
			return
		}
		step, n := "["+label(row.Label)+"] ", 0
		at(step+"title", row.Title)
		for i, line := range strings.Split(v.stepText(row), "\n") {
			at(fmt.Sprintf("%stext line %d", step, i+1), line)
		}
		_ = v.eachOutputLine(row, func(line []byte) { // what has no output has nothing
			n++
			m.add(sanitize.OutputPlain(line), func() string { return fmt.Sprintf("%soutput line %d", step, n) })
		})
	})
	if ways, err := v.capture(func() error { return v.routeMap("") }); err == nil {
		for line := range strings.Lines(ways) {
			if line = strings.TrimSpace(line); strings.Contains(line, " -> ") {
				at("route", line)
			}
		}
	}
	for _, x := range v.track.Vars {
		at("value", x.Name+" = "+plan.Visible(plan.TextOf(x.Value)))
	}
	for _, e := range v.events {
		l := track.LineOf(e)
		at(fmt.Sprintf("event %d", l.Seq), mark(l.Step)+l.What+authorText(l))
	}
}
