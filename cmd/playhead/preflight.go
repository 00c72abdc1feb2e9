package main

import (
	"context"
	"maps"

	"playhead/engine/preflight"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui"
)

// preflightInLines checks what the run needs before a run in lines begins, and prints the problems. If nobody
// is there, an error prevents the run. Otherwise the person decides.
func (r *runner) preflightInLines(ctx context.Context) error {
	if !r.NeedsPreflight() {
		return nil
	}
	trusted := r.MayExecuteWithoutTrust() || r.isTrusted(r.Commands())
	found, err := preflightUntilSignal(ctx, r.DrivenRun.Run, trusted)
	switch {
	case err != nil:
		return err
	case !hasErrorOrWarning(found):
		return nil
	case !r.viewMode.isHeadless():
		return r.newPrompt(r.lineInput).ConfirmProblems(found)
	}
	isError := plan.WorstSeverity(found) == plan.Error
	if isError && !trusted {
		r.Commands().WriteCommands(r.stderr)
	}
	show.WriteDiagnostics(r.stderr, found)
	if isError {
		return usageError("nothing was run: correct the errors, or use --skip-preflight")
	}
	return nil
}

// hasErrorOrWarning reports whether findings contain an error or a warning. Other findings only say that
// something could not be checked.
func hasErrorOrWarning(found []plan.Diagnostic) bool {
	worst := plan.WorstSeverity(found)
	return worst == plan.Error || worst == plan.Warning
}

// preflightOnScreen checks what the run needs, before it begins on the screen, where a person has trusted
// the document.
func (r *runner) preflightOnScreen(ctx context.Context, choices tui.Choices) ([]plan.Diagnostic, error) {
	if err := r.applyChoices(choices); err != nil || !r.NeedsPreflight() {
		return nil, err
	}
	return r.Preflight(ctx, true)
}

// addPreflightDiagnostics checks what a headless run of a document would need, and adds what is wrong to the
// diagnostics of f.
func (a *app) addPreflightDiagnostics(ctx context.Context, o checkOptions, file string, load parse.Options, f *show.CheckedFile) error {
	o.LoadOptions, o.CheckFlagsApply, o.Unattended, o.ChecksOnly, o.Version = load, o.checkFlagsApply, true, true, version
	o.LoadOptions.Flags = maps.Clone(load.Flags) // the setup adds what files say
	o.ShowNote = func(text string) { a.printNote("%s", text) }
	run, err := setup.New(&o.NewOptions, file)
	switch {
	case err != nil && !f.IsRunnable:
		return nil // its own errors come first
	case err != nil:
		return err
	}
	defer run.Close()
	found, err := preflightUntilSignal(ctx, run, run.MayExecuteWithoutTrust() || a.isTrusted(run.Commands()))
	f.Diagnostics = preflight.MergeFindings(f.Diagnostics, found)
	return err
}

// preflightUntilSignal checks what a run needs. A signal ends the check.
func preflightUntilSignal(ctx context.Context, run *setup.Run, trusted bool) (found []plan.Diagnostic, err error) {
	err = untilSignal(ctx, func(ctx context.Context) (err error) {
		found, err = run.Preflight(ctx, trusted)
		return err
	})
	return found, err
}
