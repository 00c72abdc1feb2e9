package lines

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// viewAtEvent runs a viewing command on the run as it was after an event: :look-back 12 values.
func (v *inspector) viewAtEvent(arg string) error {
	number, order, _ := strings.Cut(arg, " ")
	seq, err := v.view.run().Event(number)
	if err != nil {
		return err
	}
	earlier := *v
	earlier.view = view{track: track.New(v.track.FirstPlan)}
	for i, e := range v.events {
		if e.Seq == seq {
			earlier.events = slices.Clip(v.events[:i+1])
		}
	}
	earlier.track.Fold(earlier.events...)
	c, rest, err := earlier.viewCommand(order)
	if err != nil {
		return err
	}
	return c.Do(rest)
}

// viewCommand returns the viewing command that a line names, and its argument.
func (v *inspector) viewCommand(order string) (c *Command, rest string, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(order), colon), " ")
	all := v.viewCommands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name && c.looks }); i >= 0 {
		return &all[i], strings.TrimSpace(rest), nil
	}
	return nil, "", fmt.Errorf("%q is not a viewing command: steps, text, output, why, values and so on", name)
}

// excerpt returns what :copy and :outside take: what a viewing command prints, else a step's
// output or its text.
func (v *inspector) excerpt(arg string) (string, error) {
	if c, rest, err := v.viewCommand(arg); err == nil {
		return v.capture(func() error { return c.Do(rest) })
	}
	name, text := cutOption(arg, "text")
	row, err := v.step(name)
	if err != nil {
		return "", err
	}
	if !text {
		var lines strings.Builder
		if v.eachOutputLine(row, func(line []byte) { lines.WriteString(sanitize.OutputPlain(line) + "\n") }) == nil {
			return lines.String(), nil
		}
	}
	return v.textOrNone(row) + "\n", nil
}

// capture returns what is printed meanwhile, without colours.
func (v *inspector) capture(do func() error) (string, error) {
	var text strings.Builder
	out, colour := v.out, v.colour
	v.out, v.colour = io.Writer(&text), false
	err := do()
	v.out, v.colour = out, colour
	if err == nil && text.Len() == 0 {
		err = errors.New("it is empty")
	}
	return text.String(), err
}
