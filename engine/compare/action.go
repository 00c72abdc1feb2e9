package compare

import (
	"fmt"
	"slices"

	"playhead/engine/machine"
)

// action is what a step did: what was asked of it, and what came of that.
type action struct {
	kind, request, product string
	index                  int
	log                    *machine.LogRef
	how                    string // it ended: exit 1, an error
	done                   bool
}

func newAction(b *machine.ActionStarted) *action {
	d := &action{kind: b.Kind, index: b.Action, request: b.Text}
	if b.Call != nil && b.Tool != "" {
		d.request = b.Tool + " " + b.Args
	}
	return d
}

// openAction is the action of an index that has begun and not ended, or a new one.
func (v *Visit) openAction(index int, kind string) *action {
	for _, d := range slices.Backward(v.actions) {
		if d.index == index && !d.done {
			return d
		}
	}
	d := &action{kind: kind, index: index}
	v.actions = append(v.actions, d)
	return d
}

func (d *action) end(b *machine.ActionFinished) {
	d.done, d.product, d.log = true, b.Output, b.Log
	switch {
	case b.Error != "":
		d.how = b.Error
	case b.Signal != "":
		d.how = "signal " + b.Signal
	case b.ExitCode != nil:
		d.how = fmt.Sprintf("exit %d", *b.ExitCode)
	}
}

// isPartial reports whether the events have only a part of what came of the action: the log
// has all of it.
func (d *action) isPartial() bool {
	return d.kind == "command" && d.log != nil && d.log.Bytes > machine.MaxOutput
}
