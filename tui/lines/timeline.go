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
func (in *inspector) viewAtEvent(arg string) error {
	number, order, _ := strings.Cut(arg, " ")
	seq, err := in.runView.controlRunView().ParseEventSeq(number)
	if err != nil {
		return err
	}
	earlier := *in
	earlier.runView = runView{track: track.New(in.track.FirstPlan)}
	for i, e := range in.events {
		if e.Seq == seq {
			earlier.events = slices.Clip(in.events[:i+1])
		}
	}
	earlier.track.Fold(earlier.events...)
	c, rest, err := earlier.parseViewCommand(order)
	if err != nil {
		return err
	}
	return c.Do(rest)
}

// parseViewCommand returns the viewing command that a line names, and its argument.
func (in *inspector) parseViewCommand(order string) (c *Command, rest string, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(order), commandPrefix), " ")
	all := in.viewCommands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == name && c.isViewing }); i >= 0 {
		return &all[i], strings.TrimSpace(rest), nil
	}
	return nil, "", fmt.Errorf(":look-back takes a command that shows something, such as steps, text, output, why or values, not %q", name)
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
	out, colour := in.out, in.isColoured
	in.out, in.isColoured = io.Writer(&text), false
	err := do()
	in.out, in.isColoured = out, colour
	if err == nil && text.Len() == 0 {
		err = errors.New("this command printed nothing")
	}
	return text.String(), err
}
