package track

import "playhead/engine/machine"

// Asked is a question to a person, and what was said to it.
type Asked struct {
	*machine.InputNeeded
	Given *machine.InputGiven // nil: nothing yet
	By    string              // who said it
}

// asked keeps a question with the execution that asks it.
func (x *Exec) asked(b *machine.InputNeeded) {
	x.Asked = append(x.Asked, Asked{InputNeeded: b})
}

// answered keeps an answer with its question.
func (x *Exec) answered(e machine.Event, b *machine.InputGiven) {
	if n := len(x.Asked); n > 0 && x.Asked[n-1].Action == b.Action {
		x.Asked[n-1].Given, x.Asked[n-1].By = b, e.By
	}
}
