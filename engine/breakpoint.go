package engine

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Breakpoint holds a run at a step: before it is entered, or after it has come to
// its outcome, or has acted and chooses an arm, and before that route is taken.
type Breakpoint struct {
	Step  string // its id, or its label
	After bool
	To    string     // holds only if what comes after it leads to this step, by its id or label, or to the end; empty: wherever
	If    *plan.Test // holds only when a variable has, or has not, this value; nil: always
	Hit   int        // holds only at the n-th time all that is so; 0: each time
	Log   bool       // does not hold, but leaves a line in the history
	Off   bool       // does nothing for now
	Lost  bool       // the document has no such step any more: Step is the key that it had
}

// breakpoint is STEP, or STEP:after, and where that leads to; what else it takes for
// the run to be held; and what it does then.
var breakpoint = regexp.MustCompile(`^([^\s:]+)(?:(:after)(?:\s+to\s+(\S+))?)?(?:\s+if\s+(\w+)\s*(==|!=)\s*"([^"]*)")?(?:\s+hit\s+([1-9][0-9]{0,6}))?(\s+log)?(\s+off)?$`)

// ParseBreakpoint reads STEP[:after[ to STEP]][ if NAME == "VALUE"][ hit N][ log][ off].
func ParseBreakpoint(text string) (Breakpoint, error) {
	m := breakpoint.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Breakpoint{}, fmt.Errorf("%q is no breakpoint: it is STEP, STEP:after or STEP:after to STEP, and behind it, if wanted, if NAME == \"VALUE\", hit N, log, off", text)
	}
	b := Breakpoint{Step: m[1], After: m[2] != "", To: m[3], Log: m[8] != "", Off: m[9] != ""}
	if m[4] != "" {
		b.If = &plan.Test{Path: []string{m[4]}, Value: m[6]}
		if m[5] == "!=" {
			b.If.Op = plan.IsNot
		}
	}
	b.Hit, _ = strconv.Atoi(m[7]) // digits, or nothing
	return b, nil
}

// String writes the breakpoint as ParseBreakpoint reads it.
func (b Breakpoint) String() string { return b.Step + b.Terms() }

// Terms is all of it but the step.
func (b Breakpoint) Terms() string {
	s := ""
	if b.After {
		s = ":after"
	}
	if b.To != "" {
		s += " to " + b.To
	}
	if b.If != nil {
		op := "=="
		if b.If.Op == plan.IsNot {
			op = "!="
		}
		s += fmt.Sprintf(" if %s %s \"%s\"", b.If.Path[0], op, b.If.Value)
	}
	if b.Hit > 0 {
		s += fmt.Sprintf(" hit %d", b.Hit)
	}
	if b.Log {
		s += " log"
	}
	if b.Off {
		s += " off"
	}
	return s
}

// at reports whether the event is where the breakpoint is, and its condition holds.
func (b Breakpoint) at(e machine.Event, m *machine.Machine) bool {
	depth, here := m.Depth(), false
	switch body := e.Body.(type) {
	case *machine.Entered:
		here = !b.After && entersStep(b.Step, e, body, depth)
	case *machine.Decision:
		decides := body.Outcome != nil || len(body.Candidates) > 0 // which arm, for one
		here = b.After && decides && names(b.Step, e.Step, e.StepID(), depth) && b.leads(body)
	}
	return here && !b.Off && !b.Lost && (b.If == nil || m.Holds(b.If))
}

// leads reports whether a decision leads where the breakpoint says.
func (b Breakpoint) leads(d *machine.Decision) bool {
	return b.To == "" || b.To == d.To || b.To == d.Arrival.Step
}

// entersStep reports whether the event enters a step; a group is entered with its
// first unit.
func entersStep(step string, e machine.Event, body *machine.Entered, depth int) bool {
	for _, o := range body.Opened {
		if names(step, o.Step, o.ID, depth) {
			return true
		}
	}
	return names(step, e.Step, e.StepID(), depth)
}

// names reports whether a step is meant: by its label, or in the root document by
// its id.
func names(step, label, id string, depth int) bool { return step == label || depth == 0 && step == id }
