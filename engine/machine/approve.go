package machine

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// The approval policies: when a person is asked before a tool that a model wants is called.
const (
	ApproveEach = "each" // before each call
	ApproveOnce = "once" // before the first call of each tool
	ApproveNone = "none" // never
)

// Policies lists all approval policies, the strictest first.
var Policies = []string{ApproveEach, ApproveOnce, ApproveNone}

// SetApproval returns the event that changes the approval policy. Earlier approvals for the run are
// forgotten.
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

// The answers to a request for approval: allow this call, refuse it, allow this tool from now on,
// allow all from now on.
const (
	allowed     = "yes"
	Denied      = "no"
	allowedTool = "tool"
	AllowAll    = "all"
)

// Answered is the approval of a call whose result a person entered instead of making it.
const Answered = "answered"

// asksApproval reports whether a person has to allow a call. A call that only reads is never asked
// about. A call that the step's mode allows is asked about only under ApproveEach.
func (m *Machine) asksApproval(f *frame, c plan.ToolCall, args string) bool {
	v := m.judgeCall(f, c, args)
	if v.Reads || m.Approval() == ApproveNone || m.allowed[cmp.Or(v.Key, approvalKey(c))] {
		return false
	}
	return v.Asks || m.Approval() == ApproveEach
}

// approvalKey returns the key of a tool in the set of allowed calls.
func approvalKey(c plan.ToolCall) string { return c.Server + "/" + c.Tool }

func (m *Machine) askApproval(f *frame, c plan.ToolCall, args string) Next {
	q := &Question{
		Action: m.ref(f), Kind: KindApproveCall, Prompt: c.Tool, Call: &c,
		Show:    &plan.Block{Language: "json", Text: args},
		Options: []string{allowed, Denied, allowedTool, AllowAll}, Allows: m.judgeCall(f, c, args).Label,
	}
	if plan.IsLocal(c.Server) && c.Tool == plan.ToolBash {
		q.Folder = m.options.Start
	}
	if f.open.inputRequested {
		return Next{Question: q}
	}
	return nextEvent(f.at(&InputNeeded{Action: m.index(f), Kind: q.Kind, Prompt: q.Prompt, Text: m.stepText(f), Options: q.Options}))
}

// approve records a person's answer about a call: allowed for the run, with other arguments, or
// replaced by a result.
func (m *Machine) approve(f *frame, a Answer, body *InputGiven) error {
	call := f.open.calls[0]
	switch {
	case a.Result != nil:
		body.Value, body.Result = Answered, *a.Result
	case body.Value == Denied:
	case a.Args != "" && !isObject(a.Args):
		return fmt.Errorf("the arguments are not a JSON object")
	default:
		body.Args = a.Args
	}
	if body.Value == allowedTool {
		body.Allows = m.judgeCall(f, call, cmp.Or(body.Args, call.Arguments, "{}")).Key
	}
	return nil
}

// recordApproval stores a person's answer about a call. Under ApproveOnce, one yes covers all
// calls of a server's tool, but a yes to a command or to a change of a file covers that call alone.
func (m *Machine) recordApproval(f *frame, b *InputGiven, note string) {
	value := b.Value
	f.open.approval, f.open.inputRequested = value, false
	if note != "" {
		f.open.remark = ": " + note
	}
	f.open.answer = b.Result
	if b.Args != "" && len(f.open.calls) > 0 {
		f.open.calls = slices.Clone(f.open.calls)
		f.open.calls[0].Arguments, f.open.argsChanged = b.Args, true
	}
	key := AllowAll
	switch {
	case value == AllowAll:
	case len(f.open.calls) > 0 && value == allowedTool:
		key = cmp.Or(b.Allows, approvalKey(f.open.calls[0]))
	case len(f.open.calls) > 0 && value == allowed && m.options.Approve == ApproveOnce && !plan.IsLocal(f.open.calls[0].Server):
		key = approvalKey(f.open.calls[0])
	default:
		return
	}
	if m.allowed == nil {
		m.allowed = map[string]bool{}
	}
	m.allowed[key] = true
}

// Approval returns the approval policy in force.
func (m *Machine) Approval() string {
	if m.allowed[AllowAll] {
		return ApproveNone
	}
	return cmp.Or(m.options.Approve, ApproveNone)
}
