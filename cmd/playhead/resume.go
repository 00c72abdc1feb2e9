package main

import (
	"context"

	"github.com/spf13/cobra"

	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// resumeOptions are the flags of resume.
type resumeOptions struct {
	setup.ResumeOptions
	viewOptions
	finalFile runs.FinalOutputFile
}

func newResumeCmd(a *app) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Continue an unfinished run, or look at a finished one",
		Long: `Continue a run that waits for a person or was interrupted, or whose process
died. The run goes on with the documents as it last read them.

On the screen and with --plain, a run that was paused when you left it is
still paused, unless you give --until. A run that is over opens in its final
state: look back from there, or rewind it. With --headless, --json, --set or
prepared answers, a run that failed at a model or tool call repeats that
call, and a failed run of a workflow repeats its failed step.

A command that was running when the run was left is never repeated unasked:
you choose rerun, pass or fail. The same applies to a call to a model. There,
pass accepts the part of the reply that had arrived. If nobody can be asked,
--trust makes the call again, unless the model had tools that may have acted.

The run keeps its model, its reply source (with a copy of the --replies file)
and its approval policy. Flags given here replace them. Answers (--answer,
--answers, --decide) and --break apply only to this command: give them again
when you resume the run later.

` + answersHelp + `

` + exitStatusHelp,
		Args:              exactlyOneArg(runArgument),
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), &o, args[0]) })
	f := cmd.Flags()
	f.BoolVar(&o.Trust, "trust", false, trustHelp)
	f.StringArrayVar(&o.SecretInputs, "input", nil, secretInputHelp)
	f.StringArrayVar(&o.VariablesToSet, "set", nil, "give a variable a value before the run continues: NAME=VALUE (repeatable)")
	registerPreflight(f, &o.Options)
	registerPauses(f, &o.PauseOptions)
	registerAnswers(f, &o.AnswerOptions)
	registerEnvironmentFlags(f, &o.EnvironmentOptions)
	o.viewOptions.register(f)
	o.viewOptions.registerCompletion(cmd)
	registerModelFlags(f, &o.ModelOptions)
	registerModelCompletion(cmd, &o.ModelOptions)
	registerApproval(f, &o.ApprovalOptions)
	registerApprovalCompletion(cmd)
	registerFinalFile(f, &o.finalFile)
	return cmd
}

func (a *app) resume(ctx context.Context, o *resumeOptions, id string) error {
	if err := o.viewOptions.checkExclusive(); err != nil {
		return err
	}
	a.setProcessOptions(&o.Options, o.viewOptions)
	run, err := setup.Open(&o.ResumeOptions, id)
	if err != nil {
		return err
	}
	defer run.Close()
	r, err := a.newRunner(&o.Settings, o.viewOptions, o.finalFile)
	if err != nil {
		return err
	}
	if o.finalFile.Path != "" && run.PreviousResult == plan.Completed {
		p, _, err := setup.LoadRunCopy(run.Config.Run.Folder, run.Config.History)
		if err != nil {
			return err
		}
		return r.saveFinalOutputOf(p, run.Config.Run.ID(), run.Config.History)
	}
	if err := run.Resume(&o.ResumeOptions); err != nil {
		return err
	}
	r.DrivenRun.Run = run
	return r.run(ctx)
}
