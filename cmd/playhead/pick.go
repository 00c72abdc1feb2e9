package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"playhead/engine/sanitize"
)

// pick has a person choose one of n numbered lines; enter takes the first. Where there is
// more to say of each, a question mark before its number asks for that.
func (a *app) pick(n int, read func() (string, error), about func(i int) []string) (int, error) {
	takes := fmt.Sprintf("1-%d, enter takes 1", n)
	if about != nil {
		takes += ", ?2 describes 2"
	}
	for {
		word, err := a.answered("["+takes+"]", takes, read)
		if err != nil {
			return 0, err
		}
		number, asks := strings.CutPrefix(word, "?")
		i, err := strconv.Atoi(strings.TrimSpace(number))
		switch fits := err == nil && i >= 1 && i <= n; {
		case word == "":
			return 0, nil
		case fits && asks && about != nil:
			fmt.Fprintln(a.out, strings.Join(about(i-1), "\n"))
		case fits && !asks:
			return i - 1, nil
		default:
			fmt.Fprintf(a.out, "  %q is no number from 1 to %d\n", sanitize.Plain(word), n)
		}
	}
}

// longestLine is how long a line may be that is typed before a run.
const longestLine = 1 << 20

// readLine reads a line and nothing behind it: what follows is for somebody else.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := in.Read(one)
		switch {
		case len(line) > longestLine:
			return "", errors.New("there is no end to that line")
		case n > 0 && one[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, one[0])
		case err != nil:
			return string(line), err
		}
	}
}
