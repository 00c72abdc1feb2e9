package compare

import (
	"fmt"
	"slices"

	"playhead/engine/machine"
)

// deed is what an action was asked, and what came of it.
type deed struct {
	kind, request, product string
	action                 int
	log                    *machine.LogRef
	how                    string // it ended: exit 1, an error
	done                   bool
}

func begun(b *machine.ActionStarted) *deed {
	d := &deed{kind: b.Kind, action: b.Action, request: b.Text}
	if b.Call != nil && b.Tool != "" {
		d.request = b.Tool + " " + b.Args
	}
	return d
}

// deed is the one that an action has begun and not ended, or a new one.
func (v *Visit) deed(action int, kind string) *deed {
	for _, d := range slices.Backward(v.deeds) {
		if d.action == action && !d.done {
			return d
		}
	}
	d := &deed{kind: kind, action: action}
	v.deeds = append(v.deeds, d)
	return d
}

func (d *deed) end(b *machine.ActionFinished) {
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

// isPartial reports whether the events have only a part of what came of the deed: the log
// has all of it.
func (d *deed) isPartial() bool {
	return d.kind == "command" && d.log != nil && d.log.Bytes > machine.MaxOutput
}
