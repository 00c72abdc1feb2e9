package setup

import (
	"cmp"
	"context"
	"strings"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/model/openai"
	"playhead/engine/preflight"
	"playhead/engine/shell"
	"playhead/parse/plan"
)

// ChecksFirst reports whether the run's needs are to be checked before it begins, because it will
// call a model or a tool.
func (r *Run) ChecksFirst() bool {
	return !r.options.SkipPreflight && !r.IsOver && r.Config.Plan.Runnable() && preflight.HasCalls(r.needs())
}

// needs returns what the run needs from its current position on.
func (r *Run) needs() []preflight.Need {
	c := &r.Config
	return preflight.List(c.Plan, preflight.Options{
		From: position(c.History), Replies: c.Replies, Results: c.Results, Prompted: c.Options.Prompted,
		AsksServer: c.Source == serverSource || strings.HasPrefix(c.Source, serverSource+":"),
		AsksEach:   r.approval() == machine.ApproveEach,
	})
}

// position returns the ID of the step of the root document that a run is at, "" for a new run.
func position(history []machine.Event) (step string) {
	depth := 0
	for _, e := range machine.Chain(history) {
		switch e.Body.(type) {
		case *machine.ChildEntered:
			depth++
		case *machine.ChildFinished:
			depth--
		case *machine.Entered:
			if depth == 0 {
				step = cmp.Or(e.ID, e.Step)
			}
		}
	}
	return step
}

// Preflight checks within preflight.Limit whether what the run needs is available. It returns
// diagnostics about what is wrong or could not be checked. The programs of tool servers are started
// only for a trusted document, and keep running for the run.
func (r *Run) Preflight(ctx context.Context, trusted bool) ([]plan.Diagnostic, error) {
	c := &r.Config
	found := preflight.MissingFiles(c.Plan)
	if r.options.Unattended {
		found = append(found, r.missingNeeds(trusted)...)
	}
	if err := r.tools.attachEarly(*c); err != nil {
		return nil, err
	}
	if !trusted {
		r.tools.omitPrograms()
	}
	ports := preflight.Ports{
		Model:            r.target(),
		Texts:            c.Texts,
		Program:          func(name string) bool { return shell.HasProgram(name, c.Dir, c.Env) },
		Trusted:          trusted,
		WaitsForApproval: r.options.Unattended && r.approval() != machine.ApproveNone,
	}
	if r.tools != nil {
		ports.Tools, ports.Servers = c.Tools, r.tools.described
		for _, wrong := range r.tools.broken {
			ports.UnreadableFile = wrong.File
			found = append(found, preflight.At(wrong.File, wrong.Line, wrong.Column, plan.Error, preflight.CodeToolServer, wrong.Message, "correct the file"))
		}
	}
	found = append(found, preflight.Check(ctx, r.needs(), ports)...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	secrets := logs.NewSecrets(c.Secrets)
	for i, d := range found { // texts of servers may contain secrets
		found[i].Message, found[i].Suggestion = secrets.Text(d.Message), secrets.Text(d.Suggestion)
	}
	plan.SortDiagnostics(found)
	return found, nil
}

// approval returns the policy for tools that models want called.
func (r *Run) approval() string {
	switch c := &r.Config; {
	case c.Approve != "":
		return c.Approve
	case c.Run != nil:
		return approvalOf(c.History)
	default:
		return c.Options.Approve
	}
}

// missingNeeds returns diagnostics for the inputs and the trust that an unattended run lacks.
func (r *Run) missingNeeds(trusted bool) (out []plan.Diagnostic) {
	path := r.Config.Plan.Path
	for _, in := range r.Missing {
		out = append(out, preflight.At(cmp.Or(in.Declared.File, path), in.Declared.Span.Line, 1, plan.Error, preflight.CodeInput, "the input "+in.Name+" has no value", "use --input "+in.Name+"=…"))
	}
	if commands := r.Commands().All(); !trusted && len(commands) > 0 {
		out = append(out, preflight.At(path, 1, 1, plan.Error, preflight.CodeTrust, path+" was not allowed to run its commands", "read them, then use --trust"))
	}
	return out
}

// target returns a function that finds the server and model of a request.
func (r *Run) target() func(name string, alias bool) preflight.Target {
	all := r.options.Endpoints()
	own := all.Default
	if name, named := strings.CutPrefix(r.Config.Source, serverSource+":"); named && all.ByName[name] != nil {
		own = all.ByName[name]
	}
	return func(name string, alias bool) preflight.Target {
		e, model, _ := all.endpointFor(own, name, alias)
		t := preflight.Target{
			ID: e.Config.Server() + " " + e.Key, Server: e.Config.Server(), Model: model, Problem: e.Err, Has: openai.HasModel,
			Models: func(ctx context.Context) ([]string, error) {
				defer e.client.Close()
				return e.client.Models(ctx)
			},
		}
		if e.Err == nil && model == "" {
			t.Problem = Errorf("no model is named: use --model NAME, or set OPENAI_MODEL")
		}
		t.Unset = e.Err != nil && e.Profile.Key != "" && e.Config.Key == ""
		return t
	}
}
