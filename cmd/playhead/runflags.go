package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"playhead/engine"
	"playhead/parse/plan"
)

// runOptions are the flags of run, and of the root with a FILE.
type runOptions struct {
	answerOptions
	environOptions
	viewOptions
	modelOptions
	artifactOptions
	loadFlags
	holdOptions
	approvalOptions
	limitOptions
	inputs         []string
	inputsFile     string
	prompted       bool
	trust          bool
	maxTransitions int
}

// answerOptions are the flags that give answers beforehand.
type answerOptions struct {
	answers     []string
	answersFile string
	decide      []string
}

// environOptions are the flags that say what commands get to see, and what becomes of what
// they leave.
type environOptions struct {
	endLeftovers bool

	cwd      string
	env      []string
	cleanEnv bool
	secrets  []string
}

// viewOptions are the flags that say how a run is shown, and whether somebody is
// there.
type viewOptions struct {
	headless, json, plain, noColor, present bool

	theme string
}

// holdOptions are the flags that say where to pause.
type holdOptions struct {
	until  string
	breaks []string
	step   bool
}

func (o *holdOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.until, "until", "", "pause before this STEP")
	f.StringArrayVar(&o.breaks, "break", nil, "pause before STEP, or after it: STEP[:after][ if NAME == \"VALUE\"][ hit N][ log] (repeatable)")
	f.BoolVar(&o.step, "step", false, "pause before the next step (in a new run, the first)")
}

// hold sets where the session pauses.
func (o *holdOptions) hold(c *engine.Config) error {
	c.Until = o.until
	if o.step {
		c.Mode = engine.Hold
	}
	for _, text := range o.breaks {
		b, err := engine.ParseBreakpoint(text)
		if err != nil {
			return usage("--break: %w", err)
		}
		c.Breaks = append(c.Breaks, b)
	}
	return nil
}

// answersHelp says what an answer may be, wherever one is given.
const answersHelp = `An answer is pass or fail (also yes, ok, no) or, for a command that was
interrupted, rerun. It can also act instead: retry, skip, goto:STEP,
complete:MESSAGE, stop:MESSAGE.`

// statusHelp lists the exit statuses.
const statusHelp = `Exit status: 0 completed, 1 stopped or failed, 2 cannot run, 3 needs a
person and nobody is there, 130 interrupted, 128 plus its number for another
signal.`

// formatsOwn stands for the limit of moves that the document's format has.
const formatsOwn = 1000

func newRunCmd(a *app) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a document: on the screen, as lines, or unattended",
		Long: `Run a document. On a terminal, it opens the screen. With --plain, or if
stdout is not a terminal, it prints lines. With --headless, nobody is asked:
if a step needs a person and has no answer in advance, the run ends with
status 3 and can be resumed.

You are asked before a model calls a tool; --approve says how often. If
nobody can be asked, and neither --approve nor --trust is given, the run
stops at its first call.

` + answersHelp + `

` + statusHelp,
		Example: `playhead run deploy.runbook.md
playhead run deploy.runbook.md --headless --json --trust --answer 4=yes
playhead run deploy.runbook.md --prompted --decide pass,fail,pass`,
		Args: oneArg("a FILE"),
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.runCommand(cmd.Context(), &o, args) })
	o.register(cmd.Flags())
	o.complete(cmd)
	return cmd
}

// complete has the shell complete values of flags.
func (o *runOptions) complete(cmd *cobra.Command) {
	o.modelOptions.complete(cmd)
	o.approvalOptions.complete(cmd)
	o.viewOptions.complete(cmd)
}

func (o *runOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.inputs, inputFlag, nil, "give an input its value: NAME=VALUE (repeatable)")
	f.StringVar(&o.inputsFile, "inputs", "", "take the values of inputs from a YAML FILE")
	f.BoolVar(&o.prompted, "prompted", false, "show commands instead of running them, and ask for the result")
	f.BoolVar(&o.trust, "trust", false, "let the document run its commands without asking")
	o.holdOptions.register(f)
	o.approvalOptions.register(f)
	o.limitOptions.register(f)
	f.IntVar(&o.maxTransitions, plan.TransitionsFlag, formatsOwn, "end the run as failed beyond N moves; 0 is no limit")
	o.answerOptions.register(f)
	o.environOptions.register(f)
	o.viewOptions.register(f)
	o.modelOptions.register(f)
	o.artifactOptions.register(f)
	o.loadFlags.register(f)
}

func (o *answerOptions) register(f *pflag.FlagSet) {
	f.StringArrayVar(&o.answers, "answer", nil, "answer a step: LABEL=VALUE (repeatable; the n-th is for its n-th execution)")
	f.StringVar(&o.answersFile, "answers", "", "take answers from a YAML FILE: LABEL: value, or a list; decide: [value, …]")
	f.StringArrayVar(&o.decide, "decide", nil, "answer the steps that ask, in order: VALUE,VALUE,…")
}

func (o *environOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.cwd, "cwd", "", "run commands in this FOLDER")
	f.StringArrayVar(&o.env, "env", nil, "with --clean-env, pass this environment VARIABLE on (repeatable)")
	f.BoolVar(&o.cleanEnv, "clean-env", false, "pass only a few environment variables on to commands")
	f.BoolVar(&o.endLeftovers, "end-leftovers", false, "when the run is over, end the processes that steps left running")
	f.StringArrayVar(&o.secrets, "secret", nil, "mask the value of the input or environment variable NAME (repeatable)")
}

func (o *viewOptions) register(f *pflag.FlagSet) {
	f.BoolVar(&o.headless, "headless", false, "ask nobody")
	f.BoolVar(&o.json, "json", false, "print one JSON event per line; implies --headless")
	f.BoolVar(&o.plain, "plain", false, "print lines instead of opening the screen")
	f.BoolVar(&o.noColor, "no-color", false, "use no colours")
	f.BoolVar(&o.present, "present", false, "present to others: one large pane, and the keys you press")
	f.StringVar(&o.theme, "theme", "", "paint the screen with the theme NAME (default $PLAYHEAD_THEME; see playhead themes)")
}

// complete has the shell complete the names of themes.
func (o *viewOptions) complete(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("theme", completeThemes) // only an unknown flag fails
}
