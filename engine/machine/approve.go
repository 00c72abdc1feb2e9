package machine

import "playhead/parse/plan"

// When a person is asked about a tool that a model wants called.
const (
	ApproveEach = "each" // before each call
	ApproveOnce = "once" // before the first call of each tool
)

// The answers: this call, no, this tool from now on, all from now on.
const (
	allowed     = "yes"
	denied      = "no"
	allowedTool = "tool"
	allowedAll  = "all"
)

// asksApproval reports whether a person has to allow a call.
func (m *Machine) asksApproval(c plan.ToolCall) bool {
	switch m.options.Approve {
	case ApproveEach, ApproveOnce:
		return !m.allowed[allowedAll] && !m.allowed[approvalKey(c)]
	default:
		return false
	}
}

// approvalKey names a tool among those that are allowed.
func approvalKey(c plan.ToolCall) string { return c.Server + "/" + c.Tool }

// askApproval asks whether a call may be made.
func (m *Machine) askApproval(f *frame, c plan.ToolCall, args string) Next {
	q := &Question{
		Action: m.ref(f), Kind: KindApprove, Prompt: c.Tool, Call: &c,
		Show:    &plan.Block{Language: "json", Text: args},
		Options: []string{allowed, denied, allowedTool, allowedAll},
	}
	if f.open.asked {
		return Next{Question: q}
	}
	return event(f.at(&InputNeeded{Action: m.index(f), Kind: q.Kind, Prompt: q.Prompt, Options: q.Options}))
}

// approved remembers what was said about a call.
func (m *Machine) approved(f *frame, value, note string) {
	f.open.approval, f.open.asked = value, false
	if note != "" {
		f.open.remark = ": " + note
	}
	key := allowedAll
	switch {
	case value == allowedAll:
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
