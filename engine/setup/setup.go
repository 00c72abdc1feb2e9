// Package setup turns flags, files and the configuration into a session that is ready to run. New
// sets up a run of a document, and Open and Resume set up a recorded one. A mistake in what a
// person gave is an *Error.
package setup

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// An Error is a mistake of the person who sets up a run: in flags, in the files that they name, or
// in the configuration.
type Error struct{ err error }

// Error returns the message of the mistake.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error that was the cause.
func (e *Error) Unwrap() error { return e.err }

// Errorf is like fmt.Errorf, but returns an *Error.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Options are the options of new and resumed runs.
type Options struct {
	AnswerOptions
	EnvironmentOptions
	ModelOptions
	PauseOptions
	ApprovalOptions

	SkipPreflight bool // nothing is checked before the run begins

	Trust              bool              // the document may run its commands
	Unattended         bool              // nobody can be asked anything
	CommandsGetNoInput bool              // commands get no input from a person
	Version            string            // of Playhead, for tool servers
	ShowNote           func(text string) // tells a person something that is not an error
}

// A Run has all that its session needs. Begin creates the session.
type Run struct {
	Config         engine.Config
	CurrentPlan    *plan.Plan     // the version of the document with which the run begins or continues; Config.FirstPlan if it was not reloaded
	MissingInputs  []plan.Input   // inputs without a value
	Notes          []string       // what a person should know before it runs
	PreviousResult plan.RunResult // how it ended before it is resumed; empty: it is not over
	IsOver         bool           // the run is shown as it ended, and continues only if a person rewinds it

	AsksReplySource bool   // a person has to choose the reply source
	ServerProblem   string // what the configured server lacks; empty: no server is configured

	StoreBreakpoints func(version *plan.Plan, all []engine.Breakpoint) error // stores breakpoints of steps of a version for the document's next runs; nil before LoadBreakpoints

	defaultedInputs []string // inputs that have the document's default because nobody gave them a value
	options         *Options
	savedSettings   savedSettings
	tools           *toolServers // nil: the run needs no tool servers
}

// Commands returns what the run would execute.
func (r *Run) Commands() Commands {
	out := Commands{Plan: r.CurrentPlan, servers: r.tools.programsToStart()}
	if r.Config.Run != nil {
		if source, err := r.Config.Run.SourcePaths(); err == nil { // a relative path is that of the folder where the run began
			out.originalPath = source.OriginalDocument
		}
	}
	return out
}

// EndsLeftovers reports whether leftover processes end with the run.
func (r *Run) EndsLeftovers() bool { return r.options.EndsLeftovers }

// MayExecuteWithoutTrust reports whether the run may execute its commands whether or not the document is
// trusted: because it executes none, because of --trust, now or when it began, or because a
// person allowed them during the run.
func (r *Run) MayExecuteWithoutTrust() bool { return r.isExemptFromTrust(r.Commands()) }

func (r *Run) isExemptFromTrust(c Commands) bool {
	if r.options.Trust || r.Config.Options.Prompted {
		return true
	}
	return r.Config.Run != nil && wasContentAllowed(r.Config.Run.Folder, c)
}

// isAllowed reports whether the run may execute commands without asking anybody.
func (r *Run) isAllowed(c Commands) bool {
	trusted, err := c.IsTrusted()
	return r.isExemptFromTrust(c) || err == nil && trusted
}

// LoadBreakpoints adds the breakpoints that are stored for the document.
func (r *Run) LoadBreakpoints() error {
	path, err := originalDocumentPath(&r.Config)
	if err != nil {
		return err
	}
	breaks, err := breakpointFileOf(path)
	if err != nil {
		return err
	}
	before, err := breaks.load(r.CurrentPlan)
	r.Config.Breakpoints, r.StoreBreakpoints = append(r.Config.Breakpoints, before...), breaks.save
	return err
}

// SettableInputs returns the inputs that a person can set before the run begins: those without a value, and
// those whose value is not secret. Default is the current value.
func (r *Run) SettableInputs() (out []plan.Input) {
	if r.Config.Run != nil { // its inputs are fixed
		return nil
	}
	for _, in := range r.CurrentPlan.Inputs {
		value, has := r.Config.Inputs[in.Name]
		switch {
		case has && slices.Contains(r.Config.Options.SecretNames, in.Name):
			continue
		case has:
			in.Default = plan.ValueText(value)
		}
		out = append(out, in)
	}
	return out
}

// HasDefaultedInputs reports whether there is an input that a person can change, that has a default,
// and that nobody gave a value.
func (r *Run) HasDefaultedInputs() bool {
	return slices.ContainsFunc(r.SettableInputs(), func(in plan.Input) bool { return slices.Contains(r.defaultedInputs, in.Name) })
}

// HasUnsetInputs reports whether there is an input that has no value, whether or not the document requires one.
func (r *Run) HasUnsetInputs() bool {
	return slices.ContainsFunc(r.SettableInputs(), func(in plan.Input) bool {
		_, has := r.Config.Inputs[in.Name]
		return !has
	})
}

// ReplaceSettableInputs sets the inputs that a person can change. Such an input loses its value if values does not have it.
func (r *Run) ReplaceSettableInputs(values map[string]string) {
	for _, in := range r.SettableInputs() {
		if value, given := values[in.Name]; given {
			r.SetInput(in, value)
		} else {
			delete(r.Config.Inputs, in.Name)
		}
	}
}

// SetInput sets an input. The value is masked if the input is secret.
func (r *Run) SetInput(in plan.Input, value string) {
	value = in.NormalizedText(value)
	r.Config.Inputs[in.Name] = value
	if slices.Contains(r.Config.Options.SecretNames, in.Name) {
		r.Config.Secrets = append(r.Config.Secrets, maskedTexts(in, value)...)
	}
}

// Begin creates the session, and the run's folder if the run is new.
func (r *Run) Begin() (*engine.Session, error) {
	c := &r.Config
	c.Headless, c.CommandsGetNoInput = r.options.Unattended || c.Controller != "", r.options.CommandsGetNoInput
	if c.Run == nil {
		run, err := createRunFolder(r.Config)
		if err != nil {
			return nil, err
		}
		c.Run = run
	}
	if r.options.Trust {
		if err := storeAllowedHash(c.Run.Folder, r.Commands()); err != nil {
			return nil, err
		}
	}
	if err := r.tools.attachRun(r.Config); err != nil {
		return nil, err
	}
	c.StoreReplySource = r.storeReplySource
	c.VersionLoader = r.newVersionLoader()
	session, err := engine.New(r.Config)
	if err != nil {
		return nil, err
	}
	return session, r.savedSettings.write(c.Run)
}

// createRunFolder makes the folder of a new run, with copies of the documents.
func createRunFolder(c engine.Config) (*journal.Run, error) {
	p := *c.FirstPlan
	var err error
	if p.Path, err = ResolveFile(p.Path); err != nil {
		return nil, err
	}
	return journal.DefaultStore().Create(&p, c.WorkingDir)
}

// Close ends the tool servers and unlocks the run, if there is one.
func (r *Run) Close() {
	r.tools.close()
	if r.Config.Run != nil {
		_ = r.Config.Run.Close() // errors of the journal were reported before
	}
}

// setUpRepliesAndTools sets where replies and results of tools come from, including the tool servers. If nobody chose a
// source, a person is asked if there are several, and told which one is used otherwise.
func (r *Run) setUpRepliesAndTools(o *ModelOptions) error {
	viewOnly := r.IsOver && !r.options.Unattended // no source is asked until a person rewinds the run
	choice, err := o.setReplySources(r)
	if err != nil && viewOnly && o.isReplySourceSaved { // the source no longer exists
		o.ReplySource = model.ManualReplySource
		choice, err = o.setReplySources(r)
	}
	if err != nil {
		return err
	}
	if o.RepliesFile != "" {
		r.Notes = append(r.Notes, r.unusedReplyNotes(o.RepliesFile, choice.replyLineByLabel)...)
	}
	choice.savedSettings.Approve = r.savedSettings.Approve
	r.savedSettings = choice.savedSettings
	if r.tools, err = r.setUpToolServers(); err != nil {
		return err
	}
	isChecked := r.NeedsPreflight()
	if r.tools != nil && !isChecked {
		if len(r.tools.problems) > 0 {
			return Errorf("%w", r.tools.problems[0])
		}
		r.Notes = append(r.Notes, r.tools.serverNotes...)
	}
	byFlag := o.flagReplySource() != "" && !o.isReplySourceSaved
	if !isChecked && byFlag && r.Config.PreparedReplies == nil && !viewOnly { // a server of the configuration may never be asked
		if err := checkReplySource(&r.Config, r.Config.FirstReplySourceName); err != nil {
			return err
		}
	}
	r.AsksReplySource, r.ServerProblem = choice.canChoose && !r.options.Unattended && !viewOnly, choice.serverProblem
	if choice.defaultNote != "" && !r.AsksReplySource && !viewOnly {
		r.Notes = append(r.Notes, choice.defaultNote)
	}
	return nil
}

// ChooseReplySource makes the run begin with the source that a person chose. It returns an error if the
// source cannot be used.
func (r *Run) ChooseReplySource(name string) error {
	if err := checkReplySource(&r.Config, name); err != nil {
		return err
	}
	r.savedSettings.ReplySource = name
	return setFirstReplySource(&r.Config, name)
}

// storeReplySource stores the reply source that a person chooses during the run.
func (r *Run) storeReplySource(name string) error {
	r.savedSettings.ReplySource = name
	return r.savedSettings.write(r.Config.Run)
}
