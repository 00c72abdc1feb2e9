package machine

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// The policies: when a person is asked about a tool that a model wants called.
const (
	ApproveEach = "each" // before each call
	ApproveOnce = "once" // before the first call of each tool
	ApproveNone = "none" // never
)

// Policies are all of them, the strictest first.
var Policies = []string{ApproveEach, ApproveOnce, ApproveNone}

// SetApproval changes the policy from here on. What was allowed before is forgotten.
func (m *Machine) SetApproval(policy, by string) (Event, error) {
	if !slices.Contains(Policies, policy) {
		return Event{}, fmt.Errorf("%q is not a policy: use %s", policy, OneOf(Policies))
	}
	e := Event{Body: &Approval{policy}}
	if f := m.currentFrame(); f != nil {
		e = f.at(e.Body)
	}
	e.By = by
	return e, nil
}

// The answers to a call: this one, no, this tool from now on, all from now on.
const (
	allowed     = "yes"
	Denied      = "no"
	allowedTool = "tool"
	AllowAll    = "all"
)

// asksApproval reports whether a person has to allow a call.
func (m *Machine) asksApproval(c plan.ToolCall) bool {
	return m.Approval() != ApproveNone && !m.allowed[approvalKey(c)]
}

// approvalKey names a tool among those that are allowed.
func approvalKey(c plan.ToolCall) string { return c.Server + "/" + c.Tool }

func (m *Machine) askApproval(f *frame, c plan.ToolCall, args string) Next {
	q := &Question{
		Action: m.ref(f), Kind: KindApprove, Prompt: c.Tool, Call: &c,
		Show:    &plan.Block{Language: "json", Text: args},
		Options: []string{allowed, Denied, allowedTool, AllowAll},
	}
	if f.open.inputRequested {
		return Next{Question: q}
	}
	return event(f.at(&InputNeeded{Action: m.index(f), Kind: q.Kind, Prompt: q.Prompt, Text: m.stepText(f), Options: q.Options}))
}

func (m *Machine) rememberApproval(f *frame, value, note string) {
	f.open.approval, f.open.inputRequested = value, false
	if note != "" {
		f.open.remark = ": " + note
	}
	key := AllowAll
	switch {
	case value == AllowAll:
	case len(f.open.calls) > 0 && (value == allowedTool || value == allowed && m.options.Approve == ApproveOnce):
		key = approvalKey(f.open.calls[0])
	default:
		return
	}
	if m.allowed == nil {
		m.allowed = map[string]bool{}
	}
	m.allowed[key] = true
}

// Approval is the policy at the moment.
func (m *Machine) Approval() string {
	if m.allowed[AllowAll] {
		return ApproveNone
	}
	return cmp.Or(m.options.Approve, ApproveNone)
}
