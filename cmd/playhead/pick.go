package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// pick has a person choose one of n numbered lines; enter takes the first.
func pick(out io.Writer, n int, read func() (string, error)) (int, error) {
	for {
		fmt.Fprintf(out, "[1-%d, enter takes 1] ", n)
		line, err := read()
		if err != nil {
			return 0, err
		}
		i := 1
		if line = strings.TrimSpace(line); line != "" {
			i, _ = strconv.Atoi(line) // what is no number is none of them
		}
		if i >= 1 && i <= n {
			return i - 1, nil
		}
	}
}

// readLine reads a line and nothing behind it: what follows is for somebody else.
func readLine(in io.Reader) (string, error) {
	var line []byte
	for one := make([]byte, 1); ; {
		n, err := in.Read(one)
		switch {
		case n > 0 && one[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, one[0])
		case err != nil:
			return string(line), err
		}
	}
}
