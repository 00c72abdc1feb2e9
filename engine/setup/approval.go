package setup

import (
	"cmp"

	"playhead/engine"
	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/trust"
	"playhead/parse/plan"
)

// ApprovalOptions say when a person is asked about tools that models want called.
type ApprovalOptions struct{ Approve string } // one of machine.Policies; empty: as configured

// unattendedPolicy is the policy where nobody is there and none was named: with --trust
// nobody is asked, else the run waits for somebody.
func unattendedPolicy(unattended, trusted bool) string {
	if unattended && trusted {
		return machine.ApproveNone
	}
	return ""
}

// policy is that of a new run. A document whose models call nothing needs none.
func (o *ApprovalOptions) policy(c *engine.Config, configured string, unattended, trusted bool) {
	if callsTools(c.Plan) {
		c.Options.Approve = cmp.Or(o.Approve, configured, unattendedPolicy(unattended, trusted), machine.ApproveOnce)
	}
}

// resumedPolicy is the policy from here on of a run that has one, "" where that stays. One that
// asks before each call was chosen, as is one that --approve named: --trust does not take it
// back.
func (o *ApprovalOptions) resumedPolicy(has, named, configured string, unattended, trusted bool) string {
	if policy := unattendedPolicy(unattended, trusted); has != machine.ApproveEach && named == "" && policy != "" {
		return cmp.Or(o.Approve, configured, policy)
	}
	return o.Approve
}

// approvalOf is the policy that a run has, "" for one that needs none.
func approvalOf(events []machine.Event) (policy string) {
	for _, e := range machine.Trail(events) {
		switch b := e.Body.(type) {
		case *machine.Started:
			policy = b.Options.Approve
		case *machine.Approval:
			policy = b.Policy
		}
	}
	return policy
}

// callsTools reports whether a model of the document may call tools.
func callsTools(p *plan.Plan) bool {
	calls := false
	trust.Each(p, func(_ string, _ *plan.Step, a plan.Action) {
		w, _ := a.Work.(plan.Model)
		calls = calls || len(w.Tools) > 0
	})
	return calls
}

// LimitOptions say how far a conversation with a model that calls tools may go.
type LimitOptions struct{ Limits config.Limits }

// limit sets the limits of a new run. A document whose models call nothing needs none.
func (o *LimitOptions) limit(c *engine.Config, configured config.Limits) {
	if callsTools(c.Plan) {
		c.Options.Bounds = boundsOf(o.Limits).Or(boundsOf(configured))
	}
}

func boundsOf(l config.Limits) plan.Bounds {
	return plan.Bounds{Turns: l.Turns, Call: l.ToolCall, Result: l.ToolResult}
}
