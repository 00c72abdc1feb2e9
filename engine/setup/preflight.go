package setup

import (
	"cmp"
	"context"
	"strings"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/preflight"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// NeedsPreflight reports whether the run's needs are to be checked before it begins, because it will
// call a model or a tool.
func (r *Run) NeedsPreflight() bool {
	return !r.options.SkipPreflight && !r.IsOver && r.CurrentPlan.Runnable() && preflight.HasCalls(r.preflightNeeds())
}

// preflightNeeds returns what the run needs from its current position on.
func (r *Run) preflightNeeds() []preflight.Need {
	c := &r.Config
	return preflight.ListNeeds(r.CurrentPlan, preflight.Options{
		CurrentStepID: currentStepID(c.History), PreparedReplies: c.PreparedReplies, PreparedResults: c.PreparedResults, ExecutesNothing: c.Options.Prompted,
		PreparedLabel:         engine.InitialLabelsAfter(machine.LiveBranch(c.History), c.RepliesSince).Of,
		AsksModelServer:       c.FirstReplySourceName == serverReplySourceName || strings.HasPrefix(c.FirstReplySourceName, serverReplySourceName+":"),
		AsksAboutAllowedCalls: r.approvalPolicy() == machine.ApproveEach,
	})
}

// currentStepID returns the ID of the step of the root document that a run is at, "" for a new run.
func currentStepID(history []machine.Event) (step string) {
	depth := 0
	for _, e := range machine.LiveBranch(history) {
		switch e.Body.(type) {
		case *machine.ChildEntered:
			depth++
		case *machine.ChildFinished:
			depth--
		case *machine.StepEntered:
			if depth == 0 {
				step = cmp.Or(e.ExplicitStepID, e.Step)
			}
		}
	}
	return step
}

// Preflight checks within preflight.CheckTimeout whether what the run needs is available. It returns
// diagnostics about what is wrong or could not be checked. The programs of tool servers are started
// only for a trusted document, and keep running for the run.
func (r *Run) Preflight(ctx context.Context, trusted bool) ([]plan.Diagnostic, error) {
	c := &r.Config
	found := preflight.MissingFileDiagnostics(r.CurrentPlan)
	if r.options.Unattended {
		found = append(found, r.missingNeeds(trusted)...)
	}
	if err := r.tools.attachBeforeRun(*c); err != nil {
		return nil, err
	}
	if !trusted {
		r.tools.omitPrograms()
	}
	providers := preflight.Providers{
		TargetOfModel:  r.modelTargetFunc(),
		PromptTexts:    c.PromptTexts,
		HasProgram:     func(name string) bool { return shell.HasProgram(name, c.WorkingDir, c.CommandEnv) },
		IsTrusted:      trusted,
		NobodyApproves: r.options.Unattended && r.approvalPolicy() != machine.ApproveNone,
	}
	if r.tools != nil {
		providers.ToolServers, providers.ConfiguredToolServers = c.Tools, r.tools.describedServers
		for _, wrong := range r.tools.fileErrors {
			providers.UnreadableFile = wrong.File
			found = append(found, preflight.NewDiagnostic(wrong.File, wrong.Line, wrong.Column, plan.Error, preflight.CodeToolServer, wrong.Message, "correct the file"))
		}
	}
	found = append(found, preflight.CheckNeeds(ctx, r.preflightNeeds(), providers)...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	secrets := logs.NewSecrets(c.Secrets)
	for i, d := range found { // texts of servers may contain secrets
		found[i].Message, found[i].Suggestion = secrets.MaskText(d.Message), secrets.MaskText(d.Suggestion)
	}
	plan.SortDiagnostics(found)
	return found, nil
}

// approvalPolicy returns when a person is asked before a model calls a tool, "" if an earlier version of Playhead recorded none.
func (r *Run) approvalPolicy() string {
	switch c := &r.Config; {
	case c.ApprovalPolicy != "":
		return c.ApprovalPolicy
	case c.Run != nil:
		return approvalPolicyOf(c.History)
	default:
		return c.Options.ApprovalPolicy
	}
}

// missingNeeds returns diagnostics for what only a person could give an unattended run: values of inputs, and
// trust.
func (r *Run) missingNeeds(trusted bool) (out []plan.Diagnostic) {
	path := r.CurrentPlan.Path
	for _, in := range r.MissingInputs {
		out = append(out, preflight.NewDiagnostic(cmp.Or(in.DeclaredAt.File, path), in.DeclaredAt.Span.Line, 1, plan.Error, preflight.CodeInput, "the input "+in.Name+" has no value", "use --input "+in.Name+"=…"))
	}
	if commands := r.Commands().All(); !trusted && len(commands) > 0 {
		out = append(out, preflight.NewDiagnostic(path, 1, 1, plan.Error, preflight.CodeTrust, path+" is not trusted to run its commands", "read them, then use --trust"))
	}
	return out
}

// modelTargetFunc returns a function that finds the server and model of a request.
func (r *Run) modelTargetFunc() func(name string, alias bool) preflight.ModelTarget {
	all := r.options.Endpoints()
	own := all.Default
	if name, named := strings.CutPrefix(r.Config.FirstReplySourceName, serverReplySourceName+":"); named && all.ByName[name] != nil {
		own = all.ByName[name]
	}
	return func(name string, alias bool) preflight.ModelTarget {
		e, model, _ := all.endpointFor(own, name, alias)
		t := preflight.ModelTarget{
			ServerKey: e.Config.PublicURL() + " " + e.APIKeyVariable, ServerName: e.Config.PublicURL(), ModelName: model, Problem: e.Err,
			ListModels: func(ctx context.Context) ([]string, error) {
				server := e.server()
				defer server.Close()
				return server.ListModels(ctx)
			},
		}
		if e.Err == nil && model == "" {
			t.Problem = errNoModelNamed
		}
		t.IsVariableUnset = e.Err != nil && e.Profile.APIKeyVariable != "" && e.Config.APIKey == ""
		return t
	}
}
