package lines

import (
	"errors"
	"fmt"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// defaultLineCount is the number of lines of output that are printed by default.
const defaultLineCount = 40

// printStepOutput prints the output of a step's last attempt: the last lines, or with "all" everything.
func (in *inspector) printStepOutput(arg string) error {
	name, all := cutTrailingWord(arg, "all")
	row, err := in.findRow(name)
	if err != nil {
		return err
	}
	last, n := make([][]byte, defaultLineCount), 0
	err = in.eachOutputLine(row, func(line []byte) {
		if all {
			in.printLine("%s", in.safeOutputLine(line))
		} else {
			last[n%defaultLineCount] = append(last[n%defaultLineCount][:0], line...)
		}
		n++
	})
	if err != nil || all {
		return err
	}
	if n > defaultLineCount {
		in.printLine("  the last %d of %d lines; :output %s all prints all of them", defaultLineCount, n, sanitize.Plain(row.Label))
	}
	for i := max(0, n-defaultLineCount); i < n; i++ {
		in.printLine("%s", in.safeOutputLine(last[i%defaultLineCount]))
	}
	return nil
}

// eachOutputLine calls visit with each line of a step's output. The result of a tool follows its call.
// The lines are not kept, because they may not fit into memory.
func (in *inspector) eachOutputLine(row *track.Row, visit func(line []byte)) error {
	some := false
	each := func(line []byte) { some = true; visit(line) }
	if attempt := row.NewestStepAttempt(); attempt != nil {
		for _, a := range attempt.Actions {
			if a.Log == nil {
				continue
			}
			if a.Tool != "" {
				for _, line := range toolCallLines(a.Server, a.Tool, a.Args) {
					each([]byte(line))
				}
			}
			log := &logTail{logFile: in.runFolder.LogFile(a.Log.File), offset: a.Log.Offset, isReply: a.Kind != "command"}
			if !log.open() {
				return errors.New(wording.MissingLogText(a.Log.File))
			}
			log.eachNewLine(true, each)
			log.close()
		}
	}
	if !some {
		return fmt.Errorf("step %s has no output", row.Label)
	}
	return nil
}

// cutTrailingWord removes an optional word from the end of an argument, and reports whether it was there.
func cutTrailingWord(arg, word string) (rest string, found bool) {
	rest, found = strings.CutSuffix(" "+arg, " "+word)
	return strings.TrimSpace(rest), found
}

func (in *inspector) copyExcerpt(arg string) error {
	text, err := in.excerptText(arg)
	if err != nil {
		return err
	}
	switch {
	case in.copyText == nil && in.openText == nil:
		return errors.New("there is no clipboard to copy to")
	case in.copyText == nil:
		return errors.New("there is no clipboard to copy to: :outside opens the output in your pager or editor")
	}
	if err := in.copyText(text); err != nil {
		return err
	}
	if n := strings.Count(text, "\n"); n != 1 {
		in.printLine("  copied %d lines", n)
	} else {
		in.printLine("  copied 1 line")
	}
	return nil
}

func (in *inspector) openExcerpt(arg string) error {
	text, err := in.excerptText(arg)
	if err != nil {
		return err
	}
	if in.openText == nil {
		return errors.New("there is no terminal to open the text in")
	}
	return in.openText(text)
}

// excerptText returns the text for :copy and :outside: the output of a viewing command, else that of a
// step, else the step's text.
func (in *inspector) excerptText(arg string) (string, error) {
	if c, rest, err := in.parseViewCommand(arg); err == nil {
		return in.captureOutput(func() error { return c.Do(rest) })
	}
	name, text := cutTrailingWord(arg, "text")
	row, err := in.findRow(name)
	if err != nil {
		return "", err
	}
	if !text {
		var lines strings.Builder
		if in.eachOutputLine(row, func(line []byte) { lines.WriteString(sanitize.OutputPlain(line) + "\n") }) == nil {
			return lines.String(), nil
		}
	}
	return in.stepTextOrNone(row) + "\n", nil
}

// captureOutput returns what do prints, without colours.
func (in *inspector) captureOutput(do func() error) (string, error) {
	var text strings.Builder
	saved := *in.printer
	in.out, in.isColoured, in.partialLine = &text, false, ""
	err := do()
	*in.printer = saved
	if err == nil && text.Len() == 0 {
		err = errors.New("this command printed nothing")
	}
	return text.String(), err
}

// maxMatchesAtOnce is the number of matches that are printed at once.
const maxMatchesAtOnce = 30

// findText prints the first lines that contain a text, each with its place.
func (in *inspector) findText(text string) error {
	if text == "" {
		return errors.New("find needs text to search for: type :find TEXT")
	}
	in.searchQuery, in.printedMatchCount = text, 0
	return in.printNextMatches("")
}

// printNextMatches prints the next matches of the last search.
func (in *inspector) printNextMatches(string) error {
	if in.searchQuery == "" {
		return errors.New("there is no search to continue: type :find TEXT first")
	}
	m := lineMatches{lowerQuery: strings.ToLower(in.searchQuery), matchesToSkip: in.printedMatchCount}
	in.collectMatches(&m)
	if in.printedMatchCount >= m.matchCount {
		if in.printedMatchCount = 0; m.matchCount > 0 {
			return errors.New("there are no more matches: :next-match starts again from the first")
		}
		in.printLine("  no match for %s", sanitize.Plain(in.searchQuery))
		return nil
	}
	for _, line := range m.shownLines {
		in.printLine("  %s", line)
	}
	if in.printedMatchCount += maxMatchesAtOnce; in.printedMatchCount < m.matchCount {
		in.printLine("  and %d more: :next-match", m.matchCount-in.printedMatchCount)
	}
	return nil
}

// lineMatches counts the lines that contain a text in any case, and keeps some of them.
type lineMatches struct {
	lowerQuery    string
	matchesToSkip int // those that were printed before
	matchCount    int
	shownLines    []string
}

// addIfMatch counts a line if it contains the text, and keeps it if it is to be shown. where returns its
// place.
func (m *lineMatches) addIfMatch(line string, where func() string) {
	if !strings.Contains(strings.ToLower(line), m.lowerQuery) {
		return
	}
	if m.matchCount >= m.matchesToSkip && len(m.shownLines) < maxMatchesAtOnce {
		m.shownLines = append(m.shownLines, where()+": "+line)
	}
	m.matchCount++
}

// collectMatches searches the lines of steps, routes, output, values and events.
func (in *inspector) collectMatches(m *lineMatches) {
	at := func(where string, line string) { m.addIfMatch(sanitize.Plain(line), func() string { return where }) }
	in.eachRow(func(row *track.Row, _ int) {
		if row.Step == nil {
			return
		}
		step, n := "["+sanitize.Plain(row.Label)+"] ", 0
		at(step+"title", row.Title)
		for i, line := range strings.Split(in.stepText(row), "\n") {
			at(fmt.Sprintf("%stext line %d", step, i+1), line)
		}
		_ = in.eachOutputLine(row, func(line []byte) { // a step without output has no lines
			n++
			m.addIfMatch(sanitize.OutputPlain(line), func() string { return fmt.Sprintf("%soutput line %d", step, n) })
		})
	})
	if ways, err := in.captureOutput(func() error { return in.printRouteMap("") }); err == nil {
		for line := range strings.Lines(ways) {
			if line = strings.TrimSpace(line); strings.Contains(line, " -> ") {
				at("route", line)
			}
		}
	}
	for _, x := range in.track.Variables {
		at("value", x.Name+" = "+plan.VisibleLines(plan.ValueText(x.Value)))
	}
	for _, e := range in.events {
		l := in.track.EventLine(e)
		at(fmt.Sprintf("event %d", l.Seq), stepPrefix(l.StepDisplayLabel)+l.Description+authorText(l))
	}
}
