package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// errQuit says that a person wants to answer nothing.
var errQuit = errors.New("quit")

// answered puts a question before there is a run, until a line answers it. Behind a colon
// stands a command as at any question, but here are only help and quit; takes says what else
// can be said.
func (a *app) answered(question, takes string, read func() (string, error)) (string, error) {
	for {
		fmt.Fprintf(a.out, "%s ", question)
		line, err := read()
		if line != "" && errors.Is(err, io.EOF) { // the last line counts too
			err = nil
		}
		switch line = strings.TrimSpace(line); {
		case err != nil:
			fmt.Fprintln(a.out) // the question's line is ended
			return "", err
		case !strings.HasPrefix(line, ":"):
			return line, nil
		case line == ":quit":
			return "", errQuit
		}
		fmt.Fprintf(a.out, "  here: %s, or :quit, which runs nothing; other commands are there once a run has begun\n", takes)
	}
}
