package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/trust"
	"playhead/parse/plan"
)

// approvalOptions say when a person is asked about tools that models want called.
type approvalOptions struct{ approve string }

func (o *approvalOptions) register(f *pflag.FlagSet) {
	f.Func("approve", "ask before a model calls a tool: each call, once for each tool, none (default once)", o.set)
}

func (o *approvalOptions) set(policy string) error {
	if !slices.Contains(machine.Policies, policy) {
		return fmt.Errorf("there are %s", strings.Join(machine.Policies, ", "))
	}
	o.approve = policy
	return nil
}

func (o *approvalOptions) complete(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("approve", cobra.FixedCompletions(machine.Policies, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
}

// unattended is the policy where nobody is there and none was named: with --trust
// nobody is asked, else the run waits for somebody.
func unattended(headless, trusted bool) string {
	if headless && trusted {
		return machine.ApproveNone
	}
	return ""
}

// policy is that of a new run. A document whose models call nothing needs none.
func (o *approvalOptions) policy(c *engine.Config, configured string, headless, trusted bool) {
	if callsTools(c.Plan) {
		c.Options.Approve = cmp.Or(o.approve, configured, unattended(headless, trusted), machine.ApproveOnce)
	}
}

// resumed is the policy from here on of a run that has one, "" where that stays. One that
// asks before each call was chosen, as is one that --approve named: --trust does not take it
// back.
func (o *approvalOptions) resumed(has, named, configured string, headless, trusted bool) string {
	if given := unattended(headless, trusted); has != machine.ApproveEach && named == "" && given != "" {
		return cmp.Or(o.approve, configured, given)
	}
	return o.approve
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
