package setup

import (
	"cmp"

	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/trust"
	"playhead/parse/plan"
)

// ApprovalOptions are the flags for the approval of models' tool calls.
type ApprovalOptions struct{ Approve string } // one of machine.ApprovalPolicies; empty: as configured

// unattendedApprovalPolicy returns the policy of an unattended run for which none is chosen: with --trust,
// calls need no approval. For any other run it returns "".
func unattendedApprovalPolicy(unattended, trusted bool) string {
	if unattended && trusted {
		return machine.ApproveNone
	}
	return ""
}

// newPolicy returns the approval policy of a new run. It has one even if its models call no tools, because those of a
// later version of the document may.
func (o *ApprovalOptions) newPolicy(configured string, unattended, trusted bool) string {
	return cmp.Or(o.Approve, configured, unattendedApprovalPolicy(unattended, trusted), machine.ApproveOnce)
}

// resumedPolicy returns the new policy of a resumed run, "" if it keeps its policy. current is that policy, and
// fromFlag the one that --approve named, now or when the run was started. --trust does not replace a policy
// that somebody chose: one that asks before each call, or one of --approve.
func (o *ApprovalOptions) resumedPolicy(current, fromFlag, configured string, unattended, trusted bool) string {
	if policy := unattendedApprovalPolicy(unattended, trusted); current != machine.ApproveEach && fromFlag == "" && policy != "" {
		return cmp.Or(o.Approve, configured, policy)
	}
	return o.Approve
}

// approvalPolicyOf returns the policy of a recorded run, "" if an earlier version of Playhead gave it none.
func approvalPolicyOf(events []machine.Event) (policy string) {
	for _, e := range machine.BranchWithRewinds(events) {
		switch b := e.Body.(type) {
		case *machine.RunStarted:
			policy = b.Options.ApprovalPolicy
		case *machine.ApprovalChanged:
			policy = b.Policy
		}
	}
	return policy
}

// modelsCallTools reports whether a model of the document may call tools.
func modelsCallTools(p *plan.Plan) bool {
	calls := false
	trust.VisitActions(p, func(_ string, _ *plan.Step, a plan.Action) {
		w, _ := a.Work.(plan.Model)
		calls = calls || len(w.Tools) > 0
	})
	return calls
}

// LimitOptions are the flags that limit a conversation with a model that calls tools.
type LimitOptions struct{ ConversationLimits config.ConversationLimits }

// newConversationBounds returns the limits of a new run, which a later version of the document may need.
func (o *LimitOptions) newConversationBounds(configured config.ConversationLimits) plan.ConversationBounds {
	return conversationBoundsOfConfig(o.ConversationLimits).WithDefaults(conversationBoundsOfConfig(configured))
}

func conversationBoundsOfConfig(l config.ConversationLimits) plan.ConversationBounds {
	return plan.ConversationBounds{MaxTurns: l.MaxTurns, CallTimeout: l.CallTimeout, MaxResultChars: l.MaxResultChars}
}
