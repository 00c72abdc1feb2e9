package main

import (
	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/scenario"
)

func newExportCmd(a *app) *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "export RUN --scenario NAME",
		Short: "Print a run that is over as a scenario for playhead test",
		Long: `Print a run that is over as a scenario: its inputs, answers and replies, and how it
has to end, along which path and with which values. Appended to the sidecar beside
the document (NAME.scenarios.yaml), playhead test repeats it.`,
		Example: "playhead export 7f3a --scenario \"a high rating\" >> triage.scenarios.yaml",
		Args:    oneArg("a RUN (playhead runs lists them)"),
	}
	cmd.RunE = a.do(func(_ *cobra.Command, args []string) error { return a.export(args[0], name) })
	cmd.Flags().StringVar(&name, "scenario", "", "what the scenario is called")
	return cmd
}

func (a *app) export(id, name string) error {
	if name == "" {
		return usage("playhead export needs --scenario NAME: what the scenario is called")
	}
	history, err := journal.Default().Read(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	if len(history.Events) == 0 {
		return usage("run %s has recorded nothing", id)
	}
	out, err := scenario.Export(name, machine.Chain(history.Events))
	if err != nil {
		return usage("run %s: %w", id, err)
	}
	_, err = a.out.Write(out)
	return err
}
