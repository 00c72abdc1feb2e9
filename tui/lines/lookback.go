package lines

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// lookBack does a look at the run as it was after an event: :look-back 12 values.
func (t *LineUI) lookBack(arg string) error {
	number, order, _ := strings.Cut(arg, " ")
	seq, err := t.eventNumber(number)
	if err != nil {
		return err
	}
	c, rest, err := t.looking(order)
	if err != nil {
		return err
	}
	tracked, soon, events, status := t.track, t.soon, t.events, t.status
	defer func() { t.track, t.soon, t.events, t.status = tracked, soon, events, status }()
	for i, e := range events {
		if e.Seq == seq {
			t.events = slices.Clip(events[:i+1])
		}
	}
	t.track, t.soon, t.status = track.New(tracked.Plan), track.Foreseen{}, engine.Status{}
	t.track.Fold(t.events...)
	return c.Do(rest)
}

// looking is the look that a line asks for, and what stands behind its name.
func (t *LineUI) looking(order string) (c *Command, rest string, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(order), colon), " ")
	all := t.looks()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name && c.looks }); i >= 0 {
		return &all[i], strings.TrimSpace(rest), nil
	}
	return nil, "", fmt.Errorf("%q is none of the commands that look: steps, text, output, why, values and so on", name)
}

// excerpt is what :copy and :outside take: what a look prints, else what a step put out, or its
// text.
func (t *LineUI) excerpt(arg string) (string, error) {
	if c, rest, err := t.looking(arg); err == nil {
		return t.printed(func() error { return c.Do(rest) })
	}
	name, text := option(arg, "text")
	row, err := t.step(name)
	if err != nil {
		return "", err
	}
	if !text {
		var lines strings.Builder
		if t.putOut(row, func(line []byte) { lines.WriteString(sanitize.OutputPlain(line) + "\n") }) == nil {
			return lines.String(), nil
		}
	}
	return t.textOf(row) + "\n", nil
}

// printed is what is printed meanwhile, without colours.
func (t *LineUI) printed(do func() error) (string, error) {
	var text strings.Builder
	out, colour := t.out, t.colour
	t.out, t.colour = io.Writer(&text), false
	err := do()
	t.out, t.colour = out, colour
	if err == nil && text.Len() == 0 {
		err = errors.New("there is nothing in it")
	}
	return text.String(), err
}
