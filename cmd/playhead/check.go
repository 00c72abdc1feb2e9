package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"playhead/engine/config"
	"playhead/engine/preflight"
	"playhead/engine/scenario"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/preferences"
)

type checkOptions struct {
	setup.NewOptions // used with --connect
	loadFlags
	watchFlag
	json, sarif, strict, connect bool
}

// connectOnlyFlags are the flags that mean something only with --connect.
var connectOnlyFlags = []string{"trust", "approve", "inputs", "replies", "source", "model", "base-url", "temperature", "max-tokens"}

func newCheckCmd(a *app) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check documents for mistakes",
		Long: `Report the mistakes in documents, one per line, as file:line:column.

Exit status: 0, or 2 if a document has an error and cannot run (with
--strict, also if it has a warning). With --watch, the command runs until
ctrl+c and exits with 130.

With --connect, also check whether everything that a headless run needs is
available: models, tools, prompts, included documents, programs, inputs,
environment variables, trust. This takes at most 10 seconds per document.
Tool servers are started only if the document is trusted.`,
		Example: `playhead check *.md
playhead check deploy.playbook.md --connect --trust --input version=1.2`,
		Args: atLeastOneFile,
		RunE: a.runE(func(cmd *cobra.Command, args []string) error {
			for _, name := range connectOnlyFlags {
				if !o.connect && cmd.Flags().Changed(name) {
					return usageError("--%s needs --connect", name)
				}
			}
			return a.repeatOnChange(cmd.Context(), &o.watchFlag, args, func(ctx context.Context) error { return a.check(ctx, &o, args) })
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, oneJSONObjectHelp)
	f.BoolVar(&o.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	f.BoolVar(&o.strict, "strict", false, "count warnings as errors")
	o.watchFlag.register(f, "check")
	f.BoolVar(&o.connect, "connect", false, "also check that models, tools and prompts are available")
	f.BoolVar(&o.Trust, "trust", false, "with --connect, let the document start its tool servers")
	f.StringArrayVar(&o.Inputs, setup.InputFlag, nil, inputHelp)
	f.StringVar(&o.InputsFile, "inputs", "", "with --connect, take the values of inputs from a YAML FILE")
	registerApproval(f, &o.ApprovalOptions)
	registerApprovalCompletion(cmd)
	registerModelFlags(f, &o.ModelOptions)
	registerModelCompletion(cmd, &o.ModelOptions)
	o.loadFlags.register(f)
	allowAtMostOneFlag(cmd, "json", "sarif", "watch")
	return cmd
}

func (a *app) check(ctx context.Context, o *checkOptions, files []string) error {
	if !o.connect {
		o.commonFlags = nil
	}
	configProblems := new(config.Problems)
	if err := preferences.CheckConfig(&o.Settings); err != nil && !(o.connect && errors.As(err, &configProblems)) {
		return err
	}
	options, err := o.parseOptions(a.stdin)
	if err != nil {
		return err
	}
	if len(o.Config.Profiles) > 0 {
		options.ModelAliases = o.ModelAliases(cmp.Or(o.Config.DefaultModel, os.Getenv("OPENAI_MODEL")))
	}
	checked := make([]show.CheckedFile, 0, len(files))
	for _, file := range files {
		f, err := o.checkFile(file, options)
		if err == nil && o.connect {
			err = a.addPreflightDiagnostics(ctx, *o, file, options, &f)
		}
		if err != nil {
			return err
		}
		f.Diagnostics = append(f.Diagnostics, preflight.ConfigDiagnostics(configProblems)...)
		checked = append(checked, f)
	}
	if err := a.printCheck(o, checked); err != nil {
		return err
	}
	return errorOfExitStatus(exitStatusOfCheck(checked, o.strict))
}

func (o *checkOptions) checkFile(file string, options parse.Options) (show.CheckedFile, error) {
	p, err := setup.Load(file, options)
	if err != nil {
		return show.CheckedFile{}, err
	}
	if names := scenario.SidecarInputNames(p); len(names) > 0 && !p.Runnable() {
		if p, err = setup.Load(file, setup.WithAssumedInputs(options, names)); err != nil {
			return show.CheckedFile{}, err
		}
	}
	o.addDocumentFiles(p)
	if err := o.checkFlagsApply(p); err != nil {
		return show.CheckedFile{}, err
	}
	return show.NewCheckedFile(p), nil
}

func (a *app) printCheck(o *checkOptions, files []show.CheckedFile) error {
	switch {
	case o.sarif:
		var all []plan.Diagnostic
		for _, f := range files {
			all = append(all, f.Diagnostics...)
		}
		return show.WriteSARIF(a.jsonWriter(), version, all)
	case o.json:
		return json.NewEncoder(a.jsonWriter()).Encode(map[string][]show.CheckedFile{"files": files})
	}
	show.WriteCheckedFiles(a.stdout, files, o.isWatching)
	_, err := fmt.Fprintln(a.stderr, show.CheckSummary(files))
	return err
}

// exitStatusOfCheck returns exit status 2 if a file has an error, or with strict a warning, else 0.
func exitStatusOfCheck(files []show.CheckedFile, strict bool) int {
	for _, f := range files {
		worst := plan.WorstSeverity(f.Diagnostics)
		if worst == plan.Error || strict && worst == plan.Warning {
			return exitUsage
		}
	}
	return exitOK
}
