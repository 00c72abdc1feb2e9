package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/engine/config"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/preferences"
)

// runOptions are the flags of run, and of the root with a FILE.
type runOptions struct {
	setup.NewOptions
	viewOptions
	maxTransitions int
	finalFile      runs.FinalOutputFile
	loadFlags
}

func registerFinalFile(f *pflag.FlagSet, o *runs.FinalOutputFile) {
	f.StringVar(&o.Path, "artifact", "", "save the final output of a completed run in this FILE; with FOLDER/, in a file there that is named after the document's title")
	f.BoolVar(&o.ReplaceExisting, "force", false, "let --artifact replace a FILE that exists")
}

// viewOptions are the flags that say how a run is shown, and whether somebody is there.
type viewOptions struct {
	headless, json, plain, noColor, startsPresenting bool

	themeName string
}

func registerPauses(f *pflag.FlagSet, o *setup.PauseOptions) {
	f.StringVar(&o.UntilStep, "until", "", "pause before this STEP")
	f.StringArrayVar(&o.Breakpoints, "break", nil, "pause before or after a STEP, or when it fails: STEP[:after[ to STEP]|:fail][ if NAME == \"VALUE\"][ hit N][ log]; \"to STEP\" pauses only if the run goes on to that step, \"hit N\" only on the Nth hit, and \"log\" adds a timeline event instead of pausing; any:fail pauses on any failure (repeatable)")
	f.BoolVar(&o.PauseFirst, "step", false, "pause before the next step (in a new run, the first)")
}

// answersHelp says what an answer may be, wherever one is given.
const answersHelp = `An answer is pass or fail (also yes, ok, no), or the value that the step asks
for. For a command that was interrupted, rerun is also an answer. Instead of
an answer, an action can be given: retry (run the step again), skip,
goto:STEP, complete:MESSAGE, stop:MESSAGE. If a step asks for text, all of
these words are taken as text.`

// exitStatusHelp lists the exit statuses.
const exitStatusHelp = `Exit status: 0 completed, 1 stopped or failed, 2 cannot run, 3 needs a
person and nobody is there, 130 interrupted, 128+N if signal N ended it.`

func newRunCmd(a *app) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a document: in a full-screen view, as plain lines, or unattended",
		Long: `Run a document. On a terminal, Playhead opens a full-screen view. With
--plain, or if stdout is not a terminal, it prints lines. With --headless,
nobody is asked: if a step needs a person and has no prepared answer, the run
ends with status 3 and can be resumed.

You are asked before a model calls a tool; --approve says how often. If
nobody can be asked, the run ends with status 3 at the first call that needs
approval. To prevent this, use --approve none.

Before a run that calls a model or a tool, Playhead checks that everything it
needs is there. With --headless, the run does not start if this check finds
an error; a warning does not prevent it. --skip-preflight leaves the check
out.

` + answersHelp + `

` + exitStatusHelp,
		Example: `playhead run deploy.runbook.md
playhead run deploy.runbook.md --headless --json --trust --answer 4=yes
playhead run deploy.runbook.md --prompted --decide pass,fail,pass`,
		Args: exactlyOneArg("a FILE"),
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error { return a.runDocument(cmd.Context(), &o, args) })
	o.register(cmd.Flags())
	o.registerCompletion(cmd)
	return cmd
}

// registerCompletion registers the completion of the values of flags.
func (o *runOptions) registerCompletion(cmd *cobra.Command) {
	registerModelCompletion(cmd, &o.ModelOptions)
	registerApprovalCompletion(cmd)
	o.viewOptions.registerCompletion(cmd)
}

// The help of flags that several commands have.
const (
	inputHelp         = "give an input its value: NAME=VALUE (repeatable)"
	secretInputHelp   = "give a secret input its value again: NAME=VALUE (repeatable)"
	trustHelp         = "let the document run its commands without asking"
	oneJSONObjectHelp = "print one JSON object"
	plainHelp         = "print plain lines instead of opening the full-screen view"
	noColorHelp       = "use no colours"
)

func (o *runOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Inputs, setup.InputFlag, nil, inputHelp)
	f.StringVar(&o.InputsFile, "inputs", "", "take the values of inputs from a YAML FILE")
	f.BoolVar(&o.Prompted, "prompted", false, "show commands instead of running them, and ask for the outcome")
	f.BoolVar(&o.Trust, "trust", false, trustHelp)
	registerPreflight(f, &o.Options)
	registerPauses(f, &o.PauseOptions)
	registerApproval(f, &o.ApprovalOptions)
	f.Func("limit", "limit a model that calls tools: turns=N, tool_call=TIME, tool_result=CHARACTERS (repeatable)", o.ConversationLimits.Set)
	f.IntVar(&o.maxTransitions, plan.TransitionsFlag, 0, "fail the run after N transitions, instead of at the limit of the document's format; 0 means no limit")
	registerAnswers(f, &o.AnswerOptions)
	registerEnvironmentFlags(f, &o.EnvironmentOptions)
	o.viewOptions.register(f)
	registerModelFlags(f, &o.ModelOptions)
	registerFinalFile(f, &o.finalFile)
	o.loadFlags.register(f)
}

func registerPreflight(f *pflag.FlagSet, o *setup.Options) {
	f.BoolVar(&o.SkipPreflight, "skip-preflight", false, "do not check models, tools and prompts before the run")
}

func registerAnswers(f *pflag.FlagSet, o *setup.AnswerOptions) {
	f.StringArrayVar(&o.Answers, "answer", nil, "answer a step: STEP=VALUE (repeatable; the n-th value given for a step answers its n-th attempt in the run)")
	f.StringVar(&o.AnswersFile, "answers", "", "take answers from a YAML FILE with entries STEP: value (or a list of values); an entry decide: [value, …] has the same effect as --decide")
	f.StringArrayVar(&o.Decide, "decide", nil, "answer questions about outcomes in the order they come: VALUE,VALUE,… (without an answer, a headless run ends at the question)")
}

func registerEnvironmentFlags(f *pflag.FlagSet, o *setup.EnvironmentOptions) {
	f.StringVar(&o.WorkingDir, "cwd", "", "run commands in this FOLDER")
	f.StringArrayVar(&o.PassedEnvNames, "env", nil, "with --clean-env, pass this environment VARIABLE on (repeatable)")
	f.BoolVar(&o.CleanEnv, "clean-env", false, "give commands only the environment variables PATH, HOME, USER, SHELL, TERM, TMPDIR, LANG and LC_*")
	f.BoolVar(&o.EndsLeftovers, "end-leftovers", false, "when the run is over, end the leftover processes of its steps")
	f.StringArrayVar(&o.SecretNames, "secret", nil, "mask the value of the input or environment variable NAME (repeatable)")
}

func (o *viewOptions) register(f *pflag.FlagSet) {
	f.BoolVar(&o.headless, "headless", false, "ask nobody: a question without a prepared answer ends the run, unless the document's format says how to answer it")
	f.BoolVar(&o.json, "json", false, "print one JSON event per line; implies --headless")
	f.BoolVar(&o.plain, "plain", false, plainHelp)
	registerScreen(f, o)
}

// registerScreen registers the flags that say how the screen looks.
func registerScreen(f *pflag.FlagSet, o *viewOptions) {
	f.BoolVar(&o.noColor, "no-color", false, noColorHelp)
	f.BoolVar(&o.startsPresenting, "present", false, "present to others: show one large pane, and the keys that you press")
	f.StringVar(&o.themeName, "theme", "", "paint the screen with the theme NAME (default $PLAYHEAD_THEME; see playhead themes)")
}

// registerCompletion registers the completion of the names of themes.
func (o *viewOptions) registerCompletion(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("theme", completeThemeNames) // only an unknown flag fails
}

func registerModelFlags(f *pflag.FlagSet, o *setup.ModelOptions) {
	f.StringVar(&o.RepliesFile, "replies", "", "take model replies from a YAML FILE with entries STEP: text (or a list of texts)")
	f.StringVar(&o.ReplySource, "source", "", "the reply source for steps without an entry in --replies: openai, manual (a person), recording (NAME.replies.yaml beside the document), replay:RUN")
	f.StringVar(&o.Model, "model", "", "the model to ask: a NAME from the configuration, or one that the server knows (default: the one in the configuration, else $OPENAI_MODEL)")
	f.StringVar(&o.BaseURL, "base-url", "", "the server to ask (default: the one in the configuration, else $OPENAI_BASE_URL)")
	f.Func("temperature", "temperature of models, from 0 to 2 (default: the one in the configuration, else the server's own)", func(s string) error {
		t, err := config.ParseTemperature(s)
		o.Temperature = &t
		return err
	})
	f.Func("max-tokens", "the longest reply, in tokens (default: the number in the configuration, else 16384)", func(s string) (err error) {
		o.MaxTokens, err = config.ParseCount(s)
		return err
	})
	registerConfig(f, &o.Settings)
}

// registerModelCompletion registers the completion of the names of models in the configuration.
func registerModelCompletion(cmd *cobra.Command, o *setup.ModelOptions) {
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		_ = preferences.CheckConfig(&o.Settings) // what is wrong is told by a run
		return o.Endpoints().ProfileNames(), cobra.ShellCompDirectiveNoFileComp
	}) // the flag is there
}

func registerApproval(f *pflag.FlagSet, o *setup.ApprovalOptions) {
	f.Func("approve", "when to ask before a model calls a tool: each ("+wording.ApprovalPolicyText(machine.ApproveEach)+"), once ("+wording.ApprovalPolicyText(machine.ApproveOnce)+") or none (never); default in a new run: as in the configuration, else none with --headless --trust, else once", func(policy string) error {
		if !slices.Contains(machine.ApprovalPolicies, policy) {
			return fmt.Errorf("use %s", machine.AlternativesText(machine.ApprovalPolicies))
		}
		o.Approve = policy
		return nil
	})
}

func registerApprovalCompletion(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("approve", cobra.FixedCompletions(machine.ApprovalPolicies, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
}
