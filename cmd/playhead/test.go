package main

import (
	"context"
	"encoding/json"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"playhead/engine/host"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/tui/preferences"
)

type testOptions struct {
	setup.Settings
	loadFlags
	watchFlag
	json, trust bool
}

func newTestCmd(a *app) *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run the scenarios of documents, and list the routes that none of them took",
		Long: `Run the scenarios of documents, each from the start in an empty folder.
Scenarios are in a runbook's front matter or, for any document, in
NAME.scenarios.yaml beside it. No model or tool server is called: their
replies are part of the scenario.

Exit status: 0 all passed, 1 at least one failed, 2 a document
could not be tested: it or its scenarios contain an error, or its commands
are not allowed. With --watch, the command runs until ctrl+c and exits with
130.`,
		Args: atLeastOneFile,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		return a.repeatOnChange(cmd.Context(), &o.watchFlag, args, func(ctx context.Context) error { return a.test(ctx, &o, args) })
	})
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, oneJSONObjectHelp)
	f.BoolVar(&o.trust, "trust", false, "allow the documents to run their commands")
	o.watchFlag.register(f, "run the scenarios")
	registerConfig(f, &o.Settings)
	o.loadFlags.register(f)
	allowAtMostOneFlag(cmd, "json", "watch")
	return cmd
}

// test runs the scenarios of all files, and ends with the worst of their statuses.
func (a *app) test(ctx context.Context, o *testOptions, files []string) error {
	r, err := o.newScenarioRunner()
	if err != nil {
		return err
	}
	defer r.Close()
	ctx, stop := host.CatchSignals(ctx, nil)
	status := exitOK
	tested := make([]scenario.FileReport, 0, len(files))
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		t, err := a.testFile(ctx, r, o, file)
		if err != nil {
			a.printError(err)
			status = exitUsage
		} else if t.HasFailures() {
			status = max(status, exitFailed)
		}
		tested = append(tested, t)
		if !o.json && !o.isWatching && err == nil {
			t.WriteText(a.stdout)
		}
	}
	if sig := stop(); sig != 0 {
		return errorOfExitStatus(exitStatusOfSignal(sig))
	}
	if o.isWatching {
		scenario.WriteFailuresFirst(a.stdout, a.stderr, tested)
	}
	if o.json {
		if err := json.NewEncoder(a.jsonWriter()).Encode(map[string][]scenario.FileReport{"files": tested}); err != nil {
			return err
		}
	}
	return errorOfExitStatus(status)
}

// newScenarioRunner returns the runner of the scenarios.
func (o *testOptions) newScenarioRunner() (*scenario.Runner, error) {
	if err := preferences.CheckConfig(&o.Settings); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return scenario.NewRunner(rundown.CommandName, program, os.Environ())
}

// testFile runs the scenarios of one file. An error says why none was run.
func (a *app) testFile(ctx context.Context, r *scenario.Runner, o *testOptions, file string) (scenario.FileReport, error) {
	t := scenario.FileReport{Path: file, Scenarios: []scenario.Report{}, Coverage: scenario.RouteCoverage{Untaken: []string{}}}
	p, all, err := a.loadScenarios(r, o, file)
	if err != nil {
		return t, err
	}
	cov := routes.GraphOf(p).NewCoverage()
	if err := a.checkTestTrust(p, all, o.trust); err != nil {
		for _, s := range all {
			t.Scenarios = append(t.Scenarios, s.SkippedReport("the document is not trusted to run its commands: use --trust"))
		}
		t.Coverage = scenario.NewRouteCoverage(cov)
		return t, err
	}
	for _, s := range all {
		report, err := r.Run(ctx, p, s, cov)
		if err != nil {
			return t, err
		}
		t.Scenarios = append(t.Scenarios, report)
	}
	t.Coverage = scenario.NewRouteCoverage(cov)
	if path, err := setup.ResolveFile(file); err == nil {
		runs.SaveScenarioRoutes(path, p, cov)
	}
	return t, nil
}

// loadScenarios loads a document with its scenarios, and lets r fetch the texts of its prompts. It prints the warnings.
func (a *app) loadScenarios(r *scenario.Runner, o *testOptions, file string) (*plan.Plan, []scenario.Scenario, error) {
	options, err := o.parseOptions(a.stdin)
	if err != nil {
		return nil, nil, err
	}
	options.StartFolder = r.StartFolder()
	o.AddValidatorTimeoutTo(options)
	p, err := setup.Load(file, options)
	if err != nil {
		return nil, nil, err
	}
	o.addDocumentFiles(p)
	if err = o.checkFlagsApply(p); err != nil {
		return nil, nil, err
	}
	if p, _, err = setup.LoadAssumingInputs(p, file, options); err != nil {
		return nil, nil, err
	}
	if !p.Runnable() {
		show.WriteDocumentDiagnostics(a.stderr, p)
		return nil, nil, errorOfExitStatus(exitUsage)
	}
	path, err := setup.ResolveFile(file)
	if err != nil {
		return nil, nil, err
	}
	r.PromptTexts = o.PromptTexts(path)
	all, err := scenario.LoadScenarios(p, path)
	if err != nil {
		return nil, nil, &exitError{exitUsage, err}
	}
	for _, warning := range scenario.DuplicateNameWarnings(p, path, all) {
		a.printNote("%s", warning)
	}
	return p, all, nil
}

// checkTestTrust returns an error if the scenarios would run commands that are not allowed.
func (a *app) checkTestTrust(p *plan.Plan, all []scenario.Scenario, flag bool) error {
	if flag || !slices.ContainsFunc(all, scenario.Scenario.ExecutesCommands) || a.isTrusted(setup.Commands{Plan: p}) {
		return nil
	}
	return a.refuseUntrusted(setup.Commands{Plan: p}, trustFlagRemedy)
}
