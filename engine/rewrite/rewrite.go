// Package rewrite writes what a person has changed for a run into the document: the
// text of a command, of a prompt, of a tool's arguments.
//
// It knows no format. Where a text stands is what the Plan says (plan.Passage). A
// change is proposed only if the document that it makes, parsed anew, does what the
// edited run does, and is the same in all else; whatever a text may mean where it is
// put, that finds it.
package rewrite

import (
	"strings"

	"playhead/engine/machine"
)

// Edit is the text that a person has put in the place of what an action says.
type Edit struct {
	Step   string // its id
	Label  string
	Action int
	Text   string

	before []string // what was put there before
}

// Is reports whether the edit is of an action.
func (e Edit) Is(step string, action int) bool { return e.Step == step && e.Action == action }

// Edits are those that hold at the end of a run, in the order in which they were made.
func Edits(events []machine.Event) []Edit {
	var out []Edit
	for _, e := range machine.Chain(events) {
		b, ok := e.Body.(*machine.Edited)
		if !ok {
			continue
		}
		edit := Edit{Step: e.StepID(), Label: e.Step, Action: b.Action, Text: b.Text}
		kept := out[:0:0]
		for _, o := range out {
			if o.Label == edit.Label && o.Is(edit.Step, edit.Action) {
				edit.before = append(o.before, o.Text)
				continue
			}
			kept = append(kept, o)
		}
		out = append(kept, edit)
	}
	return held(out)
}

// held leaves out what was taken back.
func held(all []Edit) []Edit {
	out := all[:0:0]
	for _, e := range all {
		if e.Text != "" {
			out = append(out, e)
		}
	}
	return out
}

// child reports whether the edit is of a step of an included document.
func (e Edit) child() bool { return strings.Contains(e.Label, "/") }
