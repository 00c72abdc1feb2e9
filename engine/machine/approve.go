package machine

import (
	"cmp"
	"errors"
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

// ApprovalPolicies lists all approval policies, the strictest first.
var ApprovalPolicies = []string{ApproveEach, ApproveOnce, ApproveNone}

// ApprovalEvent returns the event that changes the approval policy. Earlier approvals for the run are
// forgotten.
func (m *Machine) ApprovalEvent(policy, by string) (Event, error) {
	if !slices.Contains(ApprovalPolicies, policy) {
		return Event{}, fmt.Errorf("%q is not an approval policy: use %s", policy, AlternativesText(ApprovalPolicies))
	}
	e := m.eventHere(&ApprovalChanged{policy})
	e.By = by
	return e, nil
}

// The answers to a request for approval: allow this call, refuse it, allow this tool from now on,
// allow all from now on.
const (
	allowCall = "yes"
	DenyCall  = "no"
	allowTool = "tool"
	AllowAll  = "all"
)

// AnsweredByPerson is the recorded answer if a person entered the result of a call, so that it is not made.
const AnsweredByPerson = "answered"

// needsApproval reports whether a person has to allow a call. A call that only reads is never asked
// about. A call that the step's mode allows is asked about only under ApproveEach.
func (m *Machine) needsApproval(f *documentFrame, c plan.ToolCall, args string) bool {
	v := m.callConsent(f, c, args)
	if v.IsReadOnly || m.ApprovalPolicy() == ApproveNone || m.allowedCalls[cmp.Or(v.ApprovalKey, approvalKey(c))] {
		return false
	}
	return v.NeedsApproval || m.ApprovalPolicy() == ApproveEach
}

// approvalKey returns the key of a tool in the set of allowed calls.
func approvalKey(c plan.ToolCall) string { return c.Server + "/" + c.Tool }

func (m *Machine) askApproval(f *documentFrame, c plan.ToolCall, args string) Next {
	q := &Question{
		Action: m.actionRef(f), Kind: KindApproveCall, Prompt: c.Tool, Call: &c,
		ShownBlock: &plan.VerbatimBlock{Language: "json", Text: args},
		Options:    []string{allowCall, DenyCall, allowTool, AllowAll}, CoveredCallsText: m.callConsent(f, c, args).ApprovalLabel,
	}
	if plan.IsLocalServer(c.Server) && c.Tool == plan.ToolBash {
		q.CommandFolder = m.options.ToolDir
	}
	return m.askPerson(f, q)
}

// completeApproval completes the event of a person's answer about a call. The answer can allow it for the run,
// change its arguments, or replace it by a result.
func (m *Machine) completeApproval(f *documentFrame, a Answer, body *InputGiven) error {
	call := f.openAction.wantedCalls[0]
	switch {
	case a.CallResult != nil:
		body.Value, body.CallResult = AnsweredByPerson, *a.CallResult
	case body.Value == DenyCall:
	case a.Args != "" && !isJSONObject(a.Args):
		return errors.New(argumentsNotObject)
	default:
		body.Args = a.Args
	}
	if body.Value == allowTool {
		body.CoveredCalls = m.callConsent(f, call, cmp.Or(body.Args, call.Arguments, "{}")).ApprovalKey
	}
	return nil
}

// recordApproval stores a person's answer about a call. Under ApproveOnce, one yes covers all
// calls of a server's tool, but a yes to a command or to a change of a file covers that call alone.
func (m *Machine) recordApproval(f *documentFrame, b *InputGiven, note string) {
	value := b.Value
	f.openAction.approvalAnswer, f.openAction.inputRequested = value, false
	if note != "" {
		f.openAction.approvalNote = ": " + note
	}
	f.openAction.givenResult = b.CallResult
	if b.Args != "" && len(f.openAction.wantedCalls) > 0 {
		f.openAction.wantedCalls = slices.Clone(f.openAction.wantedCalls)
		f.openAction.wantedCalls[0].Arguments, f.openAction.argsChanged = b.Args, true
	}
	key := AllowAll
	switch {
	case value == AllowAll:
	case len(f.openAction.wantedCalls) > 0 && value == allowTool:
		key = cmp.Or(b.CoveredCalls, approvalKey(f.openAction.wantedCalls[0]))
	case len(f.openAction.wantedCalls) > 0 && value == allowCall && m.options.ApprovalPolicy == ApproveOnce && !plan.IsLocalServer(f.openAction.wantedCalls[0].Server):
		key = approvalKey(f.openAction.wantedCalls[0])
	default:
		return
	}
	if m.allowedCalls == nil {
		m.allowedCalls = map[string]bool{}
	}
	m.allowedCalls[key] = true
}

// ApprovalPolicy returns the approval policy in force.
func (m *Machine) ApprovalPolicy() string {
	if m.allowedCalls[AllowAll] {
		return ApproveNone
	}
	return cmp.Or(m.options.ApprovalPolicy, ApproveNone)
}
