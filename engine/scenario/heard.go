package scenario

import (
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
)

// Heard are what models and tools said in a run, in order, to be said again.
func Heard(events []machine.Event, by string) Said {
	out := NewSaid(by)
	var called machine.Call
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.ActionStarted:
			called = machine.Call{}
			if b.Call != nil {
				called = *b.Call
			}
		case *machine.ActionFinished:
			if b.Came() {
				out.hear(e.Step, called, b)
			}
		}
	}
	return out
}

func (s Said) hear(label string, called machine.Call, b *machine.ActionFinished) {
	switch b.Kind {
	case "model":
		key := model.Key(label, called.Part)
		s.Replies.All[key] = append(s.Replies.All[key], model.Reply{Text: b.Output, Calls: b.Calls})
	case "tool":
		key := tools.Key(label, called.Tool)
		s.Results.Texts[key] = append(s.Results.Texts[key], b.Output)
	}
}
