package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// testOptions are the flags of test.
type testOptions struct {
	setup.Settings
	loadFlags
	json, trust bool
}

func newTestCmd(a *app) *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Run the scenarios of documents, and list the routes that none of them took",
		Long: `Run the scenarios of documents, each from the start in an empty folder.
Scenarios are in a Rundown's front matter, or beside any document in
NAME.scenarios.yaml. No model and no tool server is asked: their replies are
part of the scenario.

Exit status: 0 all passed, 1 one did not, 2 a document or its scenarios have
an error.`,
		Args: someFiles,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.test(cmd.Context(), o, args) })
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.trust, "trust", false, "let the documents run their commands without asking")
	registerConfig(f, &o.Settings)
	o.loadFlags.register(f)
	return cmd
}

// testedFile is a file's share of test --json.
type testedFile struct {
	Path      string            `json:"path"`
	Scenarios []scenario.Report `json:"scenarios"`
	Coverage  coverage          `json:"coverage"`
}

type coverage struct {
	Routes routes.Routes `json:"routes"`
	Never  []string      `json:"never"`
	lines  []int         // of those, for people
}

func coverageOf(c *routes.Coverage) coverage {
	out := coverage{Routes: c.Routes(), Never: []string{}}
	for _, e := range c.Never() {
		out.Never = append(out.Never, c.Name(e))
		out.lines = append(out.lines, e.Line)
	}
	return out
}

// test runs the scenarios of all files, and ends with the worst of their statuses.
func (a *app) test(ctx context.Context, o testOptions, files []string) error {
	r, err := o.runner()
	if err != nil {
		return err
	}
	defer r.Close()
	ctx, left := leaving(ctx, nil)
	status := exitOK
	tested := make([]testedFile, 0, len(files))
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		t, err := a.testFile(ctx, r, o, file)
		if err != nil {
			a.complain(err)
			status = exitUsage
		} else if t.failed() {
			status = max(status, exitFailed)
		}
		tested = append(tested, t)
		if !o.json && err == nil {
			a.printTested(t)
		}
	}
	if sig := left(); sig != 0 {
		return silently(statusOfSignal(sig))
	}
	if o.json {
		if err := json.NewEncoder(a.json()).Encode(map[string][]testedFile{"files": tested}); err != nil {
			return err
		}
	}
	return silently(status)
}

// runner makes what runs the scenarios.
func (o *testOptions) runner() (*scenario.Runner, error) {
	if err := readSettings(&o.Settings); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return scenario.NewRunner(program, os.Environ())
}

func (t testedFile) failed() bool {
	return slices.ContainsFunc(t.Scenarios, func(r scenario.Report) bool { return r.Status == scenario.Fail })
}

// testFile runs the scenarios of one file. An error says why none was run.
func (a *app) testFile(ctx context.Context, r *scenario.Runner, o testOptions, file string) (testedFile, error) {
	t := testedFile{Path: file, Scenarios: []scenario.Report{}, Coverage: coverage{Never: []string{}}}
	p, all, err := a.tests(r, o, file)
	if err != nil {
		return t, err
	}
	cov := routes.Of(p).NewCoverage()
	if err := a.mayTest(p, all, o.trust); err != nil {
		for _, s := range all {
			t.Scenarios = append(t.Scenarios, s.Unrun("commands were not allowed to run: use --trust"))
		}
		t.Coverage = coverageOf(cov)
		return t, err
	}
	for _, s := range all {
		report, err := r.Run(ctx, p, s, cov)
		if err != nil {
			return t, err
		}
		t.Scenarios = append(t.Scenarios, report)
	}
	t.Coverage = coverageOf(cov)
	if path, err := setup.ResolveFile(file); err == nil {
		runs.KeepTested(path, p, cov)
	}
	return t, nil
}

// tests loads a document with its scenarios.
func (a *app) tests(r *scenario.Runner, o testOptions, file string) (*plan.Plan, []scenario.Scenario, error) {
	options, err := o.options(a.in)
	if err != nil {
		return nil, nil, err
	}
	options.Start = r.Start()
	o.ValidatorLimit(options)
	p, err := setup.Load(file, options)
	if err != nil {
		return nil, nil, err
	}
	if err = o.fit(p); err != nil {
		return nil, nil, err
	}
	if p, _, err = setup.AssumeInputs(p, file, options); err != nil {
		return nil, nil, err
	}
	if !p.Runnable() {
		show.WriteDiagnostics(a.err, p.Diagnostics)
		return nil, nil, silently(exitUsage)
	}
	path, err := setup.ResolveFile(file)
	if err != nil {
		return nil, nil, err
	}
	r.Texts = o.Texts(path)
	all, err := a.scenariosOf(p, path)
	a.warnOfNamesakes(p, path, all)
	return p, all, err
}

// scenariosOf collects the document's own scenarios and those beside it, at path.
func (a *app) scenariosOf(p *plan.Plan, path string) ([]scenario.Scenario, error) {
	if p.Unreadable != "" {
		return nil, usage("%s: the scenarios cannot be read: %s", p.Path, p.Unreadable)
	}
	all := scenario.Declared(p)
	name := parse.Beside(path, "scenarios")
	source, err := infile.Read(name, infile.Given)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, usage("the scenarios cannot be read: %w", err)
	}
	beside, err := scenario.Sidecar(source)
	if err != nil {
		return nil, usage("%s: %w", name, err)
	}
	return append(all, beside...), nil
}

// warnOfNamesakes says which scenarios have the name of one before them.
func (a *app) warnOfNamesakes(p *plan.Plan, path string, all []scenario.Scenario) {
	for i, s := range all {
		if !slices.ContainsFunc(all[:i], func(b scenario.Scenario) bool { return b.Name == s.Name }) {
			continue
		}
		where := p.Path
		if s.Line > 0 {
			where = fmt.Sprintf("%s:%d", parse.Beside(path, "scenarios"), s.Line)
		}
		a.note("%s: warning: another scenario is also called %q: both are run; rename one", where, s.Name)
	}
}

// mayTest refuses a document that would run commands nobody allowed.
func (a *app) mayTest(p *plan.Plan, all []scenario.Scenario, flag bool) error {
	if flag || !slices.ContainsFunc(all, scenario.Scenario.Executes) || a.trusted(setup.Commands{Plan: p}) {
		return nil
	}
	return a.refuse(setup.Commands{Plan: p})
}

// printTested prints the scenarios of a file and its coverage as text.
func (a *app) printTested(t testedFile) {
	fmt.Fprintln(a.out, t.Path)
	for _, s := range t.Scenarios {
		fmt.Fprintf(a.out, "  %-7s  %s%s\n", s.Status, sanitize.Plain(s.Name), because(s))
	}
	if len(t.Scenarios) == 0 {
		fmt.Fprintln(a.out, "  has no scenarios")
	}
	if t.Coverage.Routes.Total == 0 {
		fmt.Fprintln(a.out, "  writes no routes: its steps follow each other")
		return
	}
	fmt.Fprintf(a.out, "  routes taken: %d of %d\n", t.Coverage.Routes.Taken, t.Coverage.Routes.Total)
	for i, never := range t.Coverage.Never {
		fmt.Fprintf(a.out, "    never  line %d  %s\n", t.Coverage.lines[i], sanitize.Plain(never))
	}
}

// because says of a scenario what its name does not.
func because(s scenario.Report) string {
	if s.Status == scenario.Pass {
		return ""
	}
	text := ": " + s.Reason
	if len(s.Path) > 0 {
		text += " (path " + strings.Join(s.Path, " ")
		if len(s.Answers) > 0 {
			text += ", answers " + strings.Join(s.Answers, " ")
		}
		text += ")"
	}
	return sanitize.Plain(text)
}
