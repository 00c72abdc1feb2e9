package track

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// SideEffects returns the commands that ran and the tools that were called in the events since,
// each with its step and a description. A rewind does not undo them. A call counts when its result
// arrives, because the person may have been asked about it in the events before.
func SideEffects(before, since []machine.Event) []string {
	var d sideEffects
	for _, e := range before {
		d.fold(e)
	}
	d.effects = nil
	for _, e := range since {
		d.fold(e)
	}
	if d.openCall != "" && !d.awaitsApproval {
		d.effects = append(d.effects, d.openCall)
	}
	return d.effects
}

type sideEffects struct {
	effects        []string
	openCall       string // the tool call in progress
	awaitsApproval bool   // a person is asked to approve it
}

func (d *sideEffects) fold(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		switch what := sanitize.Plain(e.Step + " " + describeActionStart(b)); b.Kind {
		case "command":
			d.effects = append(d.effects, what)
		case "tool":
			d.openCall = what
		}
	case *machine.InputNeeded:
		d.awaitsApproval = b.Kind == machine.KindApproveCall
	case *machine.InputGiven:
		if d.awaitsApproval = false; b.Kind == machine.KindApproveCall && (b.Value == machine.DenyCall || b.Value == machine.AnsweredByPerson) {
			d.openCall = ""
		}
	case *machine.ActionFinished:
		if d.openCall != "" && e.By != machine.ByFile && e.By != "replay" {
			d.effects = append(d.effects, d.openCall)
		}
		d.openCall = ""
	}
}

// uninformativeLinePattern matches lines of a command that do not show what it does: comments, options of the
// shell, changes of the folder, plain assignments.
var uninformativeLinePattern = regexp.MustCompile(`^(#|//|--|set [-+]|shopt |cd [^;&|]*$|(export )?\w+=([^\s$` + "`" + `]|\$[^(\s])*$|$)`)

// describeActionStart returns what an action does, on one line.
func describeActionStart(b *machine.ActionStarted) string {
	if b.Kind == "tool" && b.Call != nil {
		return strings.TrimSuffix(b.Tool+" "+strings.Join(strings.Fields(b.Args), " "), " {}")
	}
	return MainCommandLine(b.Text)
}

// MainCommandLine returns the line of a command that shows best what it does: the first that is not a
// comment, option or assignment, without the comment after it.
func MainCommandLine(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !uninformativeLinePattern.MatchString(line) {
			return withoutComment(line)
		}
		first = cmp.Or(first, line)
	}
	return first
}

// withoutComment returns a line of a command without the comment that ends it. A # in quotes or
// after a backslash starts no comment.
func withoutComment(line string) string {
	var quote, before rune = 0, ' '
	for i, c := range line {
		switch {
		case before == '\\' && quote != '\'':
			c = 0 // it has no meaning, nor does it escape what follows
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '#' && unicode.IsSpace(before):
			return strings.TrimSpace(line[:i])
		}
		before = c
	}
	return line
}
