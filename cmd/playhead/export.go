package main

import (
	"io"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/outfile"
	"playhead/engine/report"
	"playhead/engine/runs"
	"playhead/engine/scenario"
)

type exportOptions struct {
	md, html, json bool
	scenarioName   string
	outputPath     string
	replacesFile   bool
	printsSchema   bool
}

func newExportCmd(a *app) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write a report of a run, or turn the run into a scenario",
		Long: `Write a report of a run: what it did, how it ended, why it took each route
and what a person changed. The report is Markdown, one self-contained
HTML file, or JSON. A run can be exported at any time. Secrets are masked,
as in the run itself; long output is cut in the middle.

With --scenario, turn a finished run into a scenario. It has the run's
inputs, answers and replies, and the result, path and values to expect.
Append it to the scenarios beside the document, such as
triage.scenarios.yaml for triage.playbook.md. playhead test then checks it.`,
		Example: `playhead export 7f3a
playhead export 7f3a -o release.html
playhead export 7f3a --json | jq .result
playhead export 7f3a --scenario "a high rating" >> triage.scenarios.yaml`,
	}
	allowAtMostOneFlag(cmd, "md", "html", "json", "scenario", "schema")
	cmd.Args, cmd.ValidArgsFunction = o.checkArgs, completeOneRunID
	cmd.RunE = a.runE(func(_ *cobra.Command, args []string) error {
		if o.printsSchema {
			_, err := io.WriteString(a.stdout, report.Schema)
			return err
		}
		return a.export(&o, args[0])
	})
	f := cmd.Flags()
	f.BoolVar(&o.md, "md", false, "write a report in Markdown (the default)")
	f.BoolVar(&o.html, "html", false, "write a report as one HTML file")
	f.BoolVar(&o.json, "json", false, "write a report in JSON")
	f.BoolVar(&o.printsSchema, "schema", false, "print the JSON Schema of reports in JSON; no RUN is needed")
	f.StringVar(&o.scenarioName, "scenario", "", "write a scenario called NAME")
	f.StringVarP(&o.outputPath, "output", "o", "", "write to this FILE (its suffix sets the format), or into a FOLDER/")
	f.BoolVar(&o.replacesFile, "force", false, "let --output replace a FILE that exists")
	return cmd
}

// checkArgs checks the name of --scenario and the number of arguments.
func (o *exportOptions) checkArgs(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.Flags().Changed("scenario") && o.scenarioName == "":
		return usageError("--scenario needs a NAME for the scenario")
	case o.printsSchema && len(args) > 0:
		return usageError("--schema takes no RUN: remove %q", args[0])
	case o.printsSchema:
		return nil
	default:
		return exactlyOneArg(runArgument)(cmd, args)
	}
}

func (a *app) export(o *exportOptions, id string) error {
	if err := runs.CheckOutputPath("output", o.outputPath, o.replacesFile); err != nil {
		return err
	}
	history, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	a.printJournalNotes(history)
	if len(history.Events) == 0 {
		return usageError("run %s has no events to export", history.ID())
	}
	data, name, err := a.encodeExport(o, history)
	if err != nil {
		return err
	}
	if o.outputPath == "" {
		_, err = a.stdout.Write(data)
		return err
	}
	path, err := runs.SaveExport(o.outputPath, name, data, o.replacesFile)
	if err != nil {
		return err
	}
	a.printNote("exported run %s to %s", history.ID(), path)
	return nil
}

// encodeExport returns the report or scenario that the flags ask for, and a file name for it.
func (a *app) encodeExport(o *exportOptions, h journal.History) (data []byte, name string, err error) {
	if o.scenarioName != "" {
		data, err = scenario.ExportRun(o.scenarioName, machine.LiveBranch(h.Events))
		if err != nil {
			err = usageError("run %s: %w", h.ID(), err)
		}
		return data, h.ID() + runs.ScenarioSuffix, err
	}
	p, damage, err := runs.InitialPlanOrStub(h)
	if err != nil {
		return nil, "", err
	}
	if damage != nil {
		a.printNote("run %s's copy of the document cannot be read, so the report has only the steps that were run: %v", h.ID(), damage)
	}
	suffix, err := o.reportSuffix()
	if err != nil {
		return nil, "", err
	}
	data, err = runs.EncodeReport(runs.BuildReport(p, h), suffix)
	return data, runs.ReportFileName(p, h.ID()) + suffix, err
}

// reportSuffix returns the suffix of the report: that of the kind that a flag asks for, else that of the
// output file.
func (o *exportOptions) reportSuffix() (string, error) {
	switch {
	case o.html:
		return runs.HTMLSuffix, nil
	case o.json:
		return runs.JSONSuffix, nil
	case o.md, o.outputPath == "", outfile.IsFolderPath(o.outputPath):
		return runs.MarkdownSuffix, nil
	}
	if suffix := runs.ReportSuffix(o.outputPath); suffix != "" {
		return suffix, nil
	}
	return "", usageError("%s has no suffix that sets the format: use the suffix .md, .html or .json, or --md, --html or --json", o.outputPath)
}
