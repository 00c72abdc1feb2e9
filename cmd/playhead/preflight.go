package main

import (
	"context"
	"maps"
	"slices"

	"playhead/engine/host"
	"playhead/engine/preflight"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui"
)

// checkFirst checks what the run needs, before a run in lines begins, and says what is wrong. Where nobody
// is there, an error keeps the run from beginning; a person decides.
func (r *runner) checkFirst(ctx context.Context) error {
	if !r.ChecksFirst() {
		return nil
	}
	trusted := r.IsAllowed() || r.trusted(r.Commands())
	ctx, stop := host.CatchSignals(ctx, nil)
	found, err := r.Preflight(ctx, trusted)
	switch sig := stop(); {
	case sig != 0:
		return exitWith(statusOfSignal(sig))
	case err != nil:
		return err
	case !isWorthShowing(found):
		return nil
	case !r.view.headless():
		return r.prompt(r.lineInput).Problems(found)
	}
	if isError := plan.Worst(found) == plan.Error; isError && !trusted {
		r.Commands().WriteList(r.err)
	}
	show.WriteDiagnostics(r.err, found)
	if plan.Worst(found) == plan.Error {
		return usageError("nothing was run: correct the errors, or use --skip-preflight")
	}
	return nil
}

// isWorthShowing reports whether findings say more before a run than that something could not be checked.
func isWorthShowing(found []plan.Diagnostic) bool {
	worst := plan.Worst(found)
	return worst == plan.Error || worst == plan.Warning
}

// checkOnScreen checks what the run needs, before it begins on the screen, where a person has trusted the document.
func (r *runner) checkOnScreen(ctx context.Context, said tui.Choices) ([]plan.Diagnostic, error) {
	if err := r.prepare(said); err != nil || !r.ChecksFirst() {
		return nil, err
	}
	return r.Preflight(ctx, true)
}

// isSameFinding reports whether a finding about the document itself says what a finding about its needs does.
func isSameFinding(own, found plan.Diagnostic) bool {
	isInput := found.Code == preflight.CodeInput && own.Severity == plan.Error && own.File == found.File && own.Line == found.Line
	return own == found || isInput
}

// connect checks what a headless run of a document would need, and adds what is wrong to its diagnostics.
func (a *app) connect(ctx context.Context, o checkOptions, file string, load parse.Options, f *show.CheckedFile) error {
	o.Load, o.Fits, o.Unattended, o.ChecksOnly, o.Version = load, o.check, true, true, version
	o.Load.Flags = maps.Clone(load.Flags) // the setup adds what files say
	o.Note = func(text string) { a.note("%s", text) }
	run, err := setup.New(&o.NewOptions, file)
	switch {
	case err != nil && !f.Valid:
		return nil // its own errors come first
	case err != nil:
		return err
	}
	defer run.Close()
	ctx, stop := host.CatchSignals(ctx, nil)
	found, err := run.Preflight(ctx, run.IsAllowed() || a.trusted(run.Commands()))
	if sig := stop(); sig != 0 {
		return exitWith(statusOfSignal(sig))
	}
	for _, d := range found {
		if !slices.ContainsFunc(f.Diagnostics, func(own plan.Diagnostic) bool { return isSameFinding(own, d) }) {
			f.Diagnostics = append(f.Diagnostics, d)
		}
	}
	plan.SortDiagnostics(f.Diagnostics)
	return err
}
