package setup

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/shell"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// ResumeOptions are the options of a run that is resumed.
type ResumeOptions struct {
	Options
	SecretInputs   []string // NAME=VALUE, of secret inputs
	VariablesToSet []string // NAME=VALUE, of variables
	Reopen         bool     // open a run that is over as it ended, even if nobody is there, because a client will reopen it
}

// Open opens a run to be resumed. If o names no configuration file, Open sets the one that the run
// has stored. The caller must read that file before it calls Resume.
func Open(o *ResumeOptions, id string) (*Run, error) {
	answers, err := o.preparedAnswers()
	if err != nil {
		return nil, err
	}
	values, err := o.variableAssignments()
	if err != nil {
		return nil, err
	}
	run, history, err := journal.DefaultStore().Open(id)
	if err != nil {
		return nil, &Error{err}
	}
	r := &Run{options: &o.Options, Notes: history.Notes}
	r.Config = engine.Config{PreparedAnswers: answers, RepeatCutOffCalls: o.Trust, Run: run, History: history.Events, NewValues: values, Now: time.Now}
	if err := r.readSetup(o); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// StartedThisProcess reports whether the run itself has started this process, which must not act on it.
func StartedThisProcess(h journal.History) bool {
	return os.Getenv("PLAYHEAD_RUN_ID") == h.ID() || shell.IsStartedBy(os.Getpid(), -1, engine.LeftoversIn(h.Events))
}

// readSetup reads the settings and the result of the recorded run.
func (r *Run) readSetup(o *ResumeOptions) (err error) {
	if r.savedSettings, err = readSettings(r.Config.Run.Folder); err != nil {
		return &Error{err}
	}
	switch file := r.savedSettings.Config; {
	case o.ConfigFile != "" || file == "":
	case isFile(file):
		o.ConfigFile = file
	default:
		o.ShowNote("the run's configuration file " + file + " no longer exists: the current configuration is used instead")
	}
	if _, err := RunStartedBody(r.Config.Run.ID(), r.Config.History); err != nil {
		return err
	}
	r.PreviousResult = resultIfOver(r.Config.History)
	return nil
}

// Resume sets up how the run continues: with its documents as they were, with what the options add,
// and with the reply source.
func (r *Run) Resume(o *ResumeOptions) error {
	c := &r.Config
	c.WasManual = r.savedSettings.isManual(c.Run.Folder)
	o.restoreFrom(r.savedSettings)
	r.savedSettings.Approve = cmp.Or(o.Approve, r.savedSettings.Approve)
	if err := o.PauseOptions.apply(c); err != nil {
		return err
	}
	started, err := RunStartedBody(c.Run.ID(), c.History)
	if err != nil {
		return err
	}
	c.Options = started.Options
	if err := r.restoreDocuments(o, started); err != nil {
		return err
	}
	if c.RetryFailedRun, err = r.shouldRetry(o.Unattended && !o.Reopen, o.hasAnswers()); err != nil {
		return err
	}
	r.IsOver = r.PreviousResult != "" && !c.RetryFailedRun
	if len(c.NewValues) > 0 && r.IsOver {
		return Errorf("run %s is over: %s; --set changes only runs that can continue", c.Run.ID(), r.PreviousResult)
	}
	for _, a := range c.NewValues {
		if err := r.CurrentPlan.CheckInputValue(a.Name, plan.ValueText(a.Value)); err != nil {
			return Errorf("--set: %w", err)
		}
	}
	if !r.IsOver {
		if err := checkEnvironSecrets(started); err != nil {
			return err
		}
	}
	if err := r.checkLabels(); err != nil {
		return err
	}
	switch current, chosen := approvalPolicyOf(c.History), r.savedSettings.Approve; {
	case current == "" && !modelsCallTools(c.FirstPlan): // recorded when only models that call tools had a policy
		c.ApprovalPolicy = (&ApprovalOptions{chosen}).newPolicy(o.Config.ApprovalPolicy, o.Unattended, o.Trust)
	case modelsCallTools(r.CurrentPlan):
		c.ApprovalPolicy = o.resumedPolicy(current, chosen, o.Config.ApprovalPolicy, o.Unattended, o.Trust)
	default:
		c.ApprovalPolicy = o.Approve
	}
	r.noteExpiry(o.Config.ExpiresAfter)
	return r.setUpRepliesAndTools(&o.ModelOptions)
}

// defaultExpiry is the time after which a run has expired if the configuration does not say it (playbook.md §7).
const defaultExpiry = 24 * time.Hour

// noteExpiry adds a note if the last event of the run is older than the limit. nil is the default, and 0 is no limit.
func (r *Run) noteExpiry(limit *time.Duration) {
	if limit == nil {
		limit = new(defaultExpiry)
	}
	history := r.Config.History
	age := r.Config.Now().Sub(history[len(history)-1].Time)
	if r.IsOver || *limit == 0 || age <= *limit {
		return
	}
	text := wording.DurationText(age)
	if days := int(age.Hours()) / 24; days > 0 {
		text = plan.CountText(days, "day")
	}
	r.Notes = append(r.Notes, "the run has expired: its last event was "+text+" ago. It continues anyway. Check that its values and answers are still right.")
}

// variableAssignments returns the values of --set, in order.
func (o *ResumeOptions) variableAssignments() (out []plan.Assignment, err error) {
	for _, flag := range o.VariablesToSet {
		name, value, found := strings.Cut(flag, "=")
		if !found || name == "" {
			return nil, Errorf("--set %q is not NAME=VALUE: write it like --set version=1.2", flag)
		}
		out = append(out, plan.Assignment{Name: name, Value: value})
	}
	return out, nil
}

// resultIfOver returns the result of a run that is over, "" if it is not.
func resultIfOver(events []machine.Event) plan.RunResult {
	if end, is := events[len(events)-1].Body.(*machine.RunFinished); is && end.Result.IsFinal() {
		return end.Result
	}
	return ""
}

// hasAnswers reports whether flags give answers or values that a failed run may have lacked.
func (o *ResumeOptions) hasAnswers() bool {
	return len(o.Answers)+len(o.Decide)+len(o.VariablesToSet) > 0 || o.AnswersFile != ""
}

// shouldRetry reports whether the step or call that made a run fail is to be repeated. If somebody is there and
// gives no new values, a run that is over is only shown. If nobody is there, a run that cannot be repeated is an
// error.
func (r *Run) shouldRetry(headless, hasAnswers bool) (bool, error) {
	c, end := r.Config, r.PreviousResult
	failed := end == plan.RunFailed && (r.CurrentPlan.IsLinear || machine.SeqBeforeFailedCall(machine.LiveBranch(c.History)) > 0)
	switch {
	case end == "":
		return false, nil
	case failed && (headless || hasAnswers):
		return true, nil
	case !headless:
		return false, nil
	default:
		code := ""
		if r.CurrentPlan.UnavailableActionCode != "" {
			code = " [" + r.CurrentPlan.UnavailableActionCode + "]"
		}
		return false, Errorf("run %s is over: %s; to rewind it, use playhead resume %s at a terminal%s", c.Run.ID(), end, c.Run.ID(), code)
	}
}

// restoreDocuments loads the run's version of the documents, and notes which files have changed since by more than
// the run's edits. It also restores the inputs, the environment and the masked values.
func (r *Run) restoreDocuments(o *ResumeOptions, started *machine.RunStarted) error {
	c := &r.Config
	changed, err := changedDocuments(c.Run.Folder, c.History)
	if err != nil {
		return err
	}
	docs, err := RunDocuments(c.Run.Folder, started, c.History)
	if err != nil {
		return err
	}
	edits := rewrite.EditsInForce(c.History)
	for _, ch := range changed {
		if _, err := docs.ReadUnchanged(ch.Path, edits); err == nil {
			continue
		}
		what := "has changed since the run last read it"
		if ch.IsGone {
			what = "cannot be read any more"
		}
		r.Notes = append(r.Notes, fmt.Sprintf("%s %s. The run uses its own copy.", ch.Path, what))
	}
	if err := o.restoreSecrets(started); err != nil {
		return err
	}
	var src journal.SourcePaths
	if c.FirstPlan, src, err = LoadRunCopy(c.Run.Folder, c.History); err != nil {
		return err
	}
	if r.CurrentPlan, err = currentVersion(c.FirstPlan, c.History); err != nil {
		return err
	}
	if err := LimitTransitions(c.FirstPlan, c.Options.MaxTransitions); err != nil {
		return err
	}
	if err := checkInputValues(r.CurrentPlan, started.Inputs, started.Options.SecretNames); err != nil {
		return err
	}
	for _, name := range started.SecretInputs() { // restoreSecrets had no plan
		started.Inputs[name] = inputByName(c.FirstPlan, name).NormalizedText(plan.ValueText(started.Inputs[name]))
	}
	o.EnvironmentOptions.inheritFrom(started.Options, src.OriginalStartFolder)
	if err := o.EnvironmentOptions.apply(c); err != nil {
		return err
	}
	r.Notes = append(r.Notes, o.secretWarnings(c.FirstPlan, started.Inputs)...)
	c.Secrets, err = o.maskedValues(c.FirstPlan, started.Inputs, nil, o.apiKeyVariables())
	return err
}

// changedDocuments lists the documents whose files match none of the versions that the run has had since it last loaded
// them: an edit of the run may be in the file, or not yet.
func changedDocuments(run journal.Folder, history []machine.Event) (changed []journal.DocumentChange, err error) {
	versions, _ := rewrite.EditSnapshots(machine.LiveBranch(history))
	if len(versions) == 0 {
		versions = []string{CurrentSnapshot(history)}
	}
	for i, version := range versions {
		all, err := run.AtSnapshot(version).ChangedDocuments()
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			changed = all
		default:
			changed = slices.DeleteFunc(changed, func(c journal.DocumentChange) bool { return !slices.Contains(all, c) })
		}
	}
	return changed, nil
}

// checkEnvironSecrets returns an error if a secret environment variable is not set. Otherwise
// commands would silently run with an empty one.
func checkEnvironSecrets(started *machine.RunStarted) error {
	for _, name := range started.Options.SecretNames {
		_, set := os.LookupEnv(name)
		if !set && !slices.Contains(started.SecretInputs(), name) {
			return Errorf("$%s is secret, so the run did not store its value: set it in the environment", name)
		}
	}
	return nil
}

// restoreSecrets sets secret inputs again, because their values are not in the journal.
func (o *ResumeOptions) restoreSecrets(started *machine.RunStarted) error {
	values, err := parseInputFlags(o.SecretInputs)
	if err != nil {
		return err
	}
	for _, name := range started.SecretInputs() {
		value, ok := values[name]
		if !ok {
			return Errorf("the input %s is secret, so the run did not store its value: give it again with --input %s=…", name, name)
		}
		delete(values, name)
		started.Inputs[name] = value
		o.SecretNames = append(o.SecretNames, name)
		for i, flag := range started.Options.FormatFlags[InputFlag] {
			if strings.HasPrefix(flag, name+"=") {
				started.Options.FormatFlags[InputFlag][i] = name + "=" + value
			}
		}
	}
	for name := range values {
		return Errorf("--input %s: the run has no secret input of that name; to change a variable that is not secret, use playhead resume --set %s=…", name, name)
	}
	return nil
}
