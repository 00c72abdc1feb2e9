package main

import (
	"bufio"
	"fmt"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/setup"
)

// refuse lists what a document would execute, which is not done.
func (a *app) refuse(d setup.Commands) error {
	d.WriteList(a.err)
	return usage("%s was not allowed to run these commands: read them, then use --trust", d.Plan.Path)
}

// trusted reports whether a document may run its commands. If that cannot be read, it is as if
// it were the first time.
func (a *app) trusted(d setup.Commands) bool {
	ok, err := d.IsTrusted()
	if err != nil {
		a.complain(err)
	}
	return ok
}

// askTrust lists the commands and lets a person say yes, which is remembered, or have
// nothing executed and decide by themselves: of a run that goes on that was said when it
// began.
func (a *app) askTrust(d setup.Commands, in *bufio.Reader, begun bool) (prompted bool, err error) {
	d.WriteList(a.out)
	choices, takes := "yes/no/prompted", "yes runs them, no runs nothing, prompted asks you how each one went instead"
	if begun {
		choices, takes = "yes/no", "yes runs them, no runs nothing"
	}
	question := fmt.Sprintf("%s would run these commands. Let it? [%s]", sanitize.Plain(d.Plan.Path), choices)
	for {
		answer, err := a.answered(question, takes, func() (string, error) { return readLine(in) })
		switch word := strings.ToLower(answer); {
		case !begun && (word == "prompted" || word == "p"):
			return true, nil
		case word == "yes" || word == "y":
			return false, d.Remember()
		case word == "no" || word == "n":
			return false, usage("nothing was run")
		}
		if err != nil { // nobody says yes any more
			return false, usage("nothing was run")
		}
		fmt.Fprintf(a.out, "%q is no answer. ", sanitize.Plain(answer))
	}
}
