// Package prompt asks a person in lines what has to be known before there is a run: which document or run to open,
// whether its commands may run, where replies come from, and what its inputs are.
package prompt

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"playhead/engine/sanitize"
)

// Prompt asks a person who types lines.
type Prompt struct {
	In   io.Reader
	Out  io.Writer
	Echo bool                          // lines are printed when they are read: no terminal has shown them
	Hide func() (restore func())       // keeps what is typed from being shown until restore is called
	Note func(format string, a ...any) // tells the person what is no error
}

// errQuit says that the person wants to answer nothing.
var errQuit = errors.New("quit")

// ask asks until a line answers. Behind a colon stands a command as at any question, but here are
// only help and quit. takes says what else can be typed.
func (p *Prompt) ask(question, takes string, read func() (string, error)) (string, error) {
	for {
		fmt.Fprintf(p.Out, "%s ", question)
		line, err := read()
		if line != "" && errors.Is(err, io.EOF) { // the last line counts too
			err = nil
		}
		switch line = strings.TrimSpace(line); {
		case err != nil:
			fmt.Fprintln(p.Out) // the question's line is ended
			return "", err
		case !strings.HasPrefix(line, ":"):
			return line, nil
		case line == ":quit":
			return "", errQuit
		}
		fmt.Fprintf(p.Out, "  Type %s, or :quit to run nothing. Other commands work once the run has begun.\n", takes)
	}
}

// Choose asks the person to choose one of n numbered lines; enter takes the first. With describe, a
// question mark before a number prints more about it.
func (p *Prompt) Choose(n int, describe func(i int) []string) (int, error) {
	takes := fmt.Sprintf("1-%d, enter for 1", n)
	if describe != nil {
		takes += ", ?2 to describe 2"
	}
	for {
		word, err := p.ask("["+takes+"]", takes, p.line)
		if err != nil {
			return 0, err
		}
		number, asks := strings.CutPrefix(word, "?")
		i, err := strconv.Atoi(strings.TrimSpace(number))
		switch fits := err == nil && i >= 1 && i <= n; {
		case word == "":
			return 0, nil
		case fits && asks && describe != nil:
			fmt.Fprintln(p.Out, strings.Join(describe(i-1), "\n"))
		case fits && !asks:
			return i - 1, nil
		default:
			fmt.Fprintf(p.Out, "  %q is not a number from 1 to %d.\n", sanitize.Plain(word), n)
		}
	}
}

// line reads a line, and prints it where no terminal has shown it.
func (p *Prompt) line() (string, error) {
	line, err := readLine(p.In)
	if line != "" && p.Echo {
		fmt.Fprintln(p.Out, sanitize.Plain(strings.TrimSpace(line)))
	}
	return line, err
}

// maxLine is how long a line may be, in bytes.
const maxLine = 1 << 20

// readLine reads a line and nothing after it: what follows is for somebody else.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := in.Read(one)
		switch {
		case len(line) > maxLine:
			return "", errors.New("the line is too long")
		case n > 0 && one[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, one[0])
		case err != nil:
			return string(line), err
		}
	}
}
