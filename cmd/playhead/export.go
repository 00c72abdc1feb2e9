package main

import (
	"errors"
	"io"
	"io/fs"

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
	scenario       string
	file           string
	force          bool
	schema         bool
}

func newExportCmd(a *app) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write a report of a run, or turn it into a scenario",
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
	cmd.Args, cmd.ValidArgsFunction = o.check, completeRun
	cmd.RunE = a.do(func(_ *cobra.Command, args []string) error {
		if o.schema {
			_, err := io.WriteString(a.out, report.Schema)
			return err
		}
		return a.export(&o, args[0])
	})
	f := cmd.Flags()
	f.BoolVar(&o.md, "md", false, "write a report in Markdown (the default)")
	f.BoolVar(&o.html, "html", false, "write a report as one HTML file")
	f.BoolVar(&o.json, "json", false, "write a report in JSON")
	f.BoolVar(&o.schema, "schema", false, "print the JSON Schema of reports in JSON; no RUN is needed")
	f.StringVar(&o.scenario, "scenario", "", "write a scenario called NAME")
	f.StringVarP(&o.file, "output", "o", "", "write to this FILE (its suffix sets the format), or into a FOLDER/")
	f.BoolVar(&o.force, "force", false, "let --output replace a FILE that exists")
	return cmd
}

// check refuses what does not go together: of the flags, and with a RUN.
func (o *exportOptions) check(cmd *cobra.Command, args []string) error {
	if err := excludeEachOther(cmd, "md", "html", "json", "scenario", "schema"); err != nil {
		return err
	}
	switch {
	case cmd.Flags().Changed("scenario") && o.scenario == "":
		return usageError("--scenario needs a NAME for the scenario")
	case o.schema:
		return noArgs(cmd, args)
	default:
		return oneArg("a RUN (playhead runs lists them)")(cmd, args)
	}
}

func (a *app) export(o *exportOptions, id string) error {
	if o.force && o.file == "" {
		return usageError("--force needs --output")
	}
	if o.file != "" && !outfile.IsFolder(o.file) {
		if err := runs.CheckFolderOf("output", o.file); err != nil {
			return err
		}
	}
	history, err := journal.Default().Read(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	a.notes(history)
	if len(history.Events) == 0 {
		return usageError("run %s has no events to export", history.ID())
	}
	data, name, err := a.encode(o, history)
	if err != nil {
		return err
	}
	if o.file == "" {
		_, err = a.out.Write(data)
		return err
	}
	path, err := runs.Save(o.file, name, data, o.force)
	if errors.Is(err, fs.ErrExist) {
		return usageError("%s exists: use --force to replace it, or give another name", o.file)
	}
	if err != nil {
		return err
	}
	a.note("run %s is exported to %s", history.ID(), path)
	return nil
}

// encode makes what is asked for, and a name for its file.
func (a *app) encode(o *exportOptions, h journal.History) (data []byte, name string, err error) {
	if o.scenario != "" {
		data, err = scenario.Export(o.scenario, machine.Chain(h.Events))
		if err != nil {
			err = usageError("run %s: %w", h.ID(), err)
		}
		return data, h.ID() + runs.Scenarios, err
	}
	p, damage, err := runs.Document(h)
	if err != nil {
		return nil, "", err
	}
	if damage != nil {
		a.note("the document of run %s cannot be read as it was, so the report has only the steps that were run: %v", h.ID(), damage)
	}
	suffix, err := o.suffix()
	if err != nil {
		return nil, "", err
	}
	data, err = runs.Encode(runs.Report(p, h), suffix)
	return data, runs.ReportName(p, h.ID()) + suffix, err
}

// suffix returns the suffix of the kind of report that a flag asks for, else the file's name.
func (o *exportOptions) suffix() (string, error) {
	switch {
	case o.html:
		return runs.HTML, nil
	case o.json:
		return runs.JSON, nil
	case o.md, o.file == "", outfile.IsFolder(o.file):
		return runs.Markdown, nil
	}
	if suffix := runs.ReportSuffix(o.file); suffix != "" {
		return suffix, nil
	}
	return "", usageError("%s does not say which kind of report it is: name it .md, .html or .json, or use --md, --html or --json", o.file)
}
