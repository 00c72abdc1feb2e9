package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse/plan"
)

type showOptions struct {
	loadFlags
	json, mermaid, dot bool
}

func newShowCmd(a *app) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show the steps of a document and their routes",
		Long: `Show the steps of a document: what each does, and its explicit
routes. For a step with substeps, pessimistic means that all of them must
pass, and optimistic that one is enough.

Exit status: 0, or 2 if the document has an error and cannot run.`,
		Args: exactlyOneArg("a FILE"),
		RunE: a.runE(func(_ *cobra.Command, args []string) error { return a.show(o, args[0]) }),
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print the steps, routes, inputs and diagnostics as JSON")
	f.BoolVar(&o.mermaid, "mermaid", false, "print the route graph as a Mermaid flowchart")
	f.BoolVar(&o.dot, "dot", false, "print the route graph for Graphviz")
	o.loadFlags.register(f)
	allowAtMostOneFlag(cmd, "json", "mermaid", "dot")
	return cmd
}

// show prints the plan of a document. If the document has errors, it prints what it understood, prints
// the errors on stderr, and returns exit status 2.
func (a *app) show(o showOptions, file string) error {
	options, err := o.parseOptions(a.stdin)
	if err != nil {
		return err
	}
	p, err := setup.Load(file, options)
	if err != nil {
		return err
	}
	if err := o.checkFlagsApply(p); err != nil {
		return err
	}
	if err := a.printPlan(o, p); err != nil {
		return err
	}
	if p.Runnable() {
		return nil
	}
	if !o.json {
		show.WriteDocumentDiagnostics(a.stderr, p)
	}
	return errorOfExitStatus(exitUsage)
}

func (a *app) printPlan(o showOptions, p *plan.Plan) error {
	switch {
	case o.json:
		enc := json.NewEncoder(a.jsonWriter())
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(p)
	case len(p.Steps) == 0:
		return nil
	case o.mermaid:
		show.WriteMermaid(a.stdout, p)
	case o.dot:
		show.WriteDOT(a.stdout, p)
	default:
		show.WriteSteps(a.stdout, p, a.terminalWidth())
	}
	return nil
}
