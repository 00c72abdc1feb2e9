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
	Prompted       bool                   // nothing is executed: a person decides instead
	MaxTransitions int                    // TransitionsOfFormat: the format's limit; 0: no limit
	Load           parse.Options          // how the document is loaded, without the inputs from files
	Fits           func(*plan.Plan) error // refuses flags that do not apply to the document
	ChecksOnly     bool                   // nothing will run: what a document with errors needs can be checked too
}

// TransitionsOfFormat means the limit on moves of the document's format.
const TransitionsOfFormat = 1000

// canSetUp reports whether a run of the document can be set up.
func (o *NewOptions) canSetUp(p *plan.Plan) bool { return o.ChecksOnly || p.Runnable() }

// New sets up a run of the document in file. If the document cannot run, the Run has only its plan,
// unless nothing will run.
func New(o *NewOptions, file string) (*Run, error) {
	r := &Run{options: &o.Options}
	r.Config = engine.Config{Options: o.machineOptions(), Now: time.Now}
	if err := o.configure(r, file); err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, o.warnings(r.Config.Inputs)...)
	if !o.canSetUp(r.Config.Plan) {
		return r, nil
	}
	r.saved.Approve = o.Approve
	if err := r.source(&o.ModelOptions); err != nil {
		return nil, err
	}
	o.policy(&r.Config, o.Config.Approve, o.Unattended, o.Trust)
	o.limit(&r.Config, o.Config.Limits)
	setRoot(&r.Config)
	return r, nil
}

// setRoot sets where Playhead's own tools work: below --root, else the working folder. A run that has
// none may get some with another version of its document.
func setRoot(c *engine.Config) {
	o := &c.Options
	o.Root, o.Start = c.Dir, c.Dir
	if root := o.Load["root"]; len(root) > 0 {
		o.Root = root[len(root)-1]
	}
	if real, err := filepath.EvalSymlinks(o.Root); err == nil && real != o.Root {
		o.RealRoot = real
	}
}

// configure sets what the flags determine, except for the run's folder.
func (o *NewOptions) configure(r *Run, file string) (err error) {
	c := &r.Config
	if err = o.PauseOptions.apply(c); err != nil {
		return err
	}
	if c.Answers, err = o.answers(); err != nil {
		return err
	}
	if err = o.EnvironOptions.apply(c); err != nil {
		return err
	}
	options, err := o.loadOptions()
	if err != nil {
		return err
	}
	options.Start = c.Dir
	if err = o.load(c, file, options); err != nil || !o.canSetUp(c.Plan) {
		return err
	}
	return o.checkFlags(r)
}

// load loads the document, and records how. Missing inputs are allowed if a person can be asked for
// them, or if nothing will run.
func (o *NewOptions) load(c *engine.Config, file string, options parse.Options) (err error) {
	if c.Plan, err = Load(file, options); err != nil {
		return err
	}
	if err = o.Fits(c.Plan); err != nil {
		return err
	}
	if !o.Unattended || o.ChecksOnly {
		if c.Plan, options, err = AssumeInputs(c.Plan, file, options); err != nil {
			return err
		}
	}
	c.Options.Load, err = absolutePaths(options.Flags)
	return err
}

// loadOptions returns the options for loading the document. They include the inputs from a file as well
// as those of flags.
func (o *NewOptions) loadOptions() (parse.Options, error) {
	options := o.Load
	inputs, err := o.InputOptions.read()
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		pairs = append(pairs, name+"="+plan.TextOf(inputs[name]))
	}
	if len(pairs) > 0 {
		options.Flags[InputFlag] = pairs
	}
	o.ValidatorLimit(options)
	if o.asksServer() {
		options.Aliases = o.Aliases(cmp.Or(o.defaultProfile().Model, strings.TrimPrefix(o.Source, serverSource)))
	}
	return options, err
}

// machineOptions returns the flags that are stored with the run.
func (o *NewOptions) machineOptions() machine.Options {
	k := machine.Options{
		Prompted: o.Prompted, Dir: o.absoluteDir(), CleanEnv: o.CleanEnv, Env: o.Env, Secrets: o.Secrets,
	}
	if o.MaxTransitions != TransitionsOfFormat {
		k.Limit = &o.MaxTransitions
	}
	return k
}

// checkFlags checks the flags against the document.
func (o *NewOptions) checkFlags(r *Run) error {
	c := &r.Config
	values, err := o.values(c.Plan)
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, unusedInputs(c.Plan, values)...)
	if c.Inputs, r.Missing, err = c.Plan.Fill(values); err != nil {
		return Errorf("%s", HideSecrets(err.Error(), values, o.Secrets))
	}
	r.assumed = assumed(c.Plan, values)
	if err := LimitTransitions(c.Plan, c.Options.Limit); err != nil {
		return err
	}
	if err := checkLabels(*c); err != nil {
		return err
	}
	c.Secrets, err = o.maskedValues(c.Inputs, r.Missing, o.keyNames())
	return err
}

// assumed returns the inputs that have a default and no value.
func assumed(p *plan.Plan, values map[string]any) (names []string) {
	for _, in := range p.Inputs {
		if _, given := values[in.Name]; !given && in.Default != "" {
			names = append(names, in.Name)
		}
	}
	return names
}

// LimitTransitions sets the limit on moves of the run. nil keeps the format's limit. It returns an
// error for a negative limit.
func LimitTransitions(p *plan.Plan, limit *int) error {
	switch {
	case limit == nil:
	case *limit > 0:
		p.Limit = plan.Transitions(*limit, cmp.Or(p.Limit.Code, "playhead/transition-limit"))
	case *limit == 0:
		p.Limit.Max = 0
	default:
		return Errorf("--%s must be 0 or more", plan.TransitionsFlag)
	}
	return nil
}
