package setup

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse"
	"playhead/parse/plan"
)

// NewOptions are the options of a new run.
type NewOptions struct {
	Options
	InputOptions
	LimitOptions
	Prompted        bool                   // nothing is executed: a person decides instead
	MaxTransitions  *int                   // nil: the limit of the document's format; 0: no limit
	LoadOptions     parse.Options          // how the document is loaded, without the inputs from files
	CheckFlagsApply func(*plan.Plan) error // refuses flags that do not apply to the document
	ChecksOnly      bool                   // nothing will run: a document with errors is set up too, to check what it needs
}

// canSetUp reports whether a run of the document can be set up.
func (o *NewOptions) canSetUp(p *plan.Plan) bool { return o.ChecksOnly || p.Runnable() }

// New sets up a run of the document in file. If the document cannot run, the Run has only its plan,
// unless nothing will run.
func New(o *NewOptions, file string) (*Run, error) {
	r := &Run{options: &o.Options}
	r.Config = engine.Config{Options: o.machineOptions(), Now: time.Now}
	if err := o.applyFlags(r, file); err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, o.secretWarnings(r.CurrentPlan, r.Config.Inputs)...)
	if !o.canSetUp(r.CurrentPlan) {
		return r, nil
	}
	r.savedSettings.Approve = o.Approve
	if err := r.setUpRepliesAndTools(&o.ModelOptions); err != nil {
		return nil, err
	}
	r.Config.Options.ApprovalPolicy = o.newPolicy(o.Config.ApprovalPolicy, o.Unattended, o.Trust)
	r.Config.Options.ConversationBounds = o.newConversationBounds(o.Config.ConversationLimits)
	setProjectRoot(&r.Config)
	return r, nil
}

// setProjectRoot sets the folder in which Playhead's own tools work: that of --root, else the working
// folder. It is set even if the document uses none of these tools, because a later version of it
// may.
func setProjectRoot(c *engine.Config) {
	o := &c.Options
	o.ProjectRoot, o.ToolDir = c.WorkingDir, c.WorkingDir
	if root := o.FormatFlags["root"]; len(root) > 0 {
		o.ProjectRoot = root[len(root)-1]
	}
	if real, err := filepath.EvalSymlinks(o.ProjectRoot); err == nil && real != o.ProjectRoot {
		o.RealProjectRoot = real
	}
}

// applyFlags sets what the flags determine, except for the run's folder.
func (o *NewOptions) applyFlags(r *Run, file string) (err error) {
	c := &r.Config
	if err = o.PauseOptions.apply(c); err != nil {
		return err
	}
	if c.PreparedAnswers, err = o.preparedAnswers(); err != nil {
		return err
	}
	if err = o.EnvironmentOptions.apply(c); err != nil {
		return err
	}
	options, err := o.loadOptions()
	if err != nil {
		return err
	}
	options.StartFolder = c.WorkingDir
	if err = o.loadDocument(c, file, options); err != nil {
		return err
	}
	if r.CurrentPlan = c.FirstPlan; !o.canSetUp(r.CurrentPlan) {
		return nil
	}
	return o.applyFlagsToDocument(r)
}

// loadDocument loads the document, and records how. Missing inputs are allowed if a person can be asked for
// them, or if nothing will run.
func (o *NewOptions) loadDocument(c *engine.Config, file string, options parse.Options) (err error) {
	if c.FirstPlan, err = Load(file, options); err != nil {
		return err
	}
	if err = o.CheckFlagsApply(c.FirstPlan); err != nil {
		return err
	}
	if !o.Unattended || o.ChecksOnly {
		if c.FirstPlan, options, err = LoadAssumingInputs(c.FirstPlan, file, options); err != nil {
			return err
		}
	}
	c.Options.FormatFlags, err = absolutePathFlags(options.Flags)
	return err
}

// loadOptions returns the options for loading the document. They include the inputs from a file as well
// as those of flags.
func (o *NewOptions) loadOptions() (parse.Options, error) {
	options := o.LoadOptions
	inputs, err := o.InputOptions.readInputs()
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		pairs = append(pairs, name+"="+plan.ValueText(inputs[name]))
	}
	if len(pairs) > 0 {
		options.Flags[InputFlag] = pairs
	}
	o.AddValidatorTimeoutTo(options)
	if o.asksServer() {
		options.ModelAliases = o.ModelAliases(cmp.Or(o.defaultProfile().ModelName, strings.TrimPrefix(o.ReplySource, serverReplySourceName)))
	}
	return options, err
}

// machineOptions returns the flags that the run's first event stores.
func (o *NewOptions) machineOptions() machine.Options {
	return machine.Options{
		Prompted: o.Prompted, WorkingDir: o.absoluteDir(), CleanEnv: o.CleanEnv, EnvNames: o.PassedEnvNames, SecretNames: o.SecretNames,
		MaxTransitions: o.MaxTransitions,
	}
}

// applyFlagsToDocument sets what depends on both the flags and the document: inputs, the limit of transitions, the masked
// values. It returns an error for flags that do not fit the document.
func (o *NewOptions) applyFlagsToDocument(r *Run) error {
	c, p := &r.Config, r.CurrentPlan
	values, err := o.inputValues(p)
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, unusedInputNotes(p, values)...)
	if c.Inputs, r.MissingInputs, err = p.InitialVariables(values); err != nil {
		return Errorf("%s", hideSecrets(err.Error(), values, o.SecretNames))
	}
	r.defaultedInputs = inputsWithDefault(p, values)
	if err := LimitTransitions(p, c.Options.MaxTransitions); err != nil {
		return err
	}
	if err := r.checkLabels(); err != nil {
		return err
	}
	c.Secrets, err = o.maskedValues(p, c.Inputs, r.MissingInputs, o.apiKeyVariables())
	return err
}

// inputsWithDefault returns the inputs that have a default and no value.
func inputsWithDefault(p *plan.Plan, values map[string]any) (names []string) {
	for _, in := range p.Inputs {
		if _, given := values[in.Name]; !given && in.Default != "" {
			names = append(names, in.Name)
		}
	}
	return names
}

// LimitTransitions sets the largest number of moves in a run of p. nil keeps the format's limit, 0 means no
// limit, and a negative number is an error.
func LimitTransitions(p *plan.Plan, limit *int) error {
	switch {
	case limit == nil:
	case *limit > 0:
		p.EntryLimit = plan.TransitionLimit(*limit, cmp.Or(p.EntryLimit.Code, "playhead/transition-limit"))
	case *limit == 0:
		p.EntryLimit.Max = 0
	default:
		return Errorf("--%s must be 0 or more", plan.TransitionsFlag)
	}
	return nil
}
