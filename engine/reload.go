package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/rewrite"
	"playhead/engine/trust"
	"playhead/parse/plan"
)

// VersionLoader loads other versions of a run's document. Its methods may be called from any goroutine.
type VersionLoader interface {
	// LoadSaved loads the document from its files as they are now.
	LoadSaved() (*DocumentVersion, error)
	// LoadEdited loads the version that a snapshot of the run names, with changed files. edit gets the
	// plan of that version and returns new contents by the paths in the plan.
	LoadEdited(snapshot string, edit func(p *plan.Plan) (map[string][]byte, error)) (*DocumentVersion, error)
	// FileWithStepEdit returns the file of a document with a change of its steps.
	FileWithStepEdit(p *plan.Plan, e plan.StepEdit) ([]byte, error)
	// ReplaceCopyPaths returns a text in which the paths of the run's copies are replaced by those of the
	// originals.
	ReplaceCopyPaths(text string) string
}

// DocumentVersion is a version of a document with which a run can continue.
type DocumentVersion struct {
	Plan            *plan.Plan                          // ready to run, or with errors among its diagnostics
	SavedPath       string                              // the absolute path of the saved document; empty: it is an edited copy
	IsGone          bool                                // the saved document no longer exists, which is its error
	EditSubject     string                              // what a person edited in it; empty: it is the content of the files
	EditedRule      *rewrite.RuleRef                    // the rule that a person edited; nil: none
	CommandsToAllow []trust.Item                        // the commands that a person has to allow first
	StoreSnapshot   func() (snapshot string, err error) // stores it in the run's folder
	AllowCommands   func() error                        // stores that a person allows its commands
}

// A ReloadOffer is another version of the document, compared with the current state of the run.
type ReloadOffer struct {
	*DocumentVersion
	Match              *match.Match          // compares the version in force with this one; nil if this one has errors
	FirstChangedSeq    int                   // the event before which to rewind, so that the first changed step runs again; 0: none
	FirstChangedStep   string                // the label of that step
	MissingInputs      []plan.Input          // the required inputs that the run has no value for
	NoPlaceError       *machine.NoPlaceError // why the run cannot continue where it is; nil: it can
	DroppedEdits       string                // what a person has edited in the version in force, and this version lacks; empty: nothing
	IsAsLastRead       bool                  // its files equal a version that the run has had since it last loaded them: it only lacks edits of the document
	DiffersOnlyInEdits bool                  // it differs from the version in force only in edits of steps that the run already uses
	lostDocuments      []plan.Diagnostic     // the included documents that only the version in force can run
}

// DroppedEditsMessageFormat is the message about edits that a reload drops, as a format for their description.
const DroppedEditsMessageFormat = "Reloading discards your edits that are not in the file: %s."

// Problems returns the errors of a version that cannot run.
func (o *ReloadOffer) Problems() (out []plan.Diagnostic) {
	for _, d := range o.Plan.Diagnostics {
		if d.Severity == plan.Error {
			out = append(out, d)
		}
	}
	return append(out, o.lostDocuments...)
}

// Err returns why the version cannot be used, nil if it can.
func (o *ReloadOffer) Err() error {
	problems := o.Problems()
	switch {
	case o.isUsable():
		return nil
	case o.IsGone:
		return fmt.Errorf("%s no longer exists, so the run keeps its own copy", o.Plan.Path)
	case len(problems) == 0:
		return fmt.Errorf("%s cannot run", o.Plan.Path)
	}
	return &InvalidVersionError{o.Plan.Path, problems}
}

// An InvalidVersionError says that a version of a document cannot be used because it has errors.
type InvalidVersionError struct {
	Path     string
	Problems []plan.Diagnostic // at least one
}

// Error names the document and its first error.
func (e *InvalidVersionError) Error() string {
	return fmt.Sprintf("%s has errors, so the run keeps its own copy: %s", e.Path, e.Problems[0].MessageWithoutFile())
}

func (o *ReloadOffer) isUsable() bool { return o.Plan.Runnable() && len(o.lostDocuments) == 0 }

// IsUnchanged reports whether the version does the same as the run with its edits.
func (o *ReloadOffer) IsUnchanged() bool {
	return o.DiffersOnlyInEdits || o.Match != nil && o.Match.Summary() == ""
}

// ChangeNotice returns a sentence about how the saved version differs from the run's document, "" if the
// difference does not affect the run or is nothing but the run's edits.
func (o *ReloadOffer) ChangeNotice() string {
	switch {
	case o.IsGone:
		return "The document no longer exists, so the run keeps its own copy."
	case o.Err() != nil:
		return "The saved document has " + plan.CountText(len(o.Problems()), "error") + ", so the run keeps its own copy."
	case o.IsUnchanged(), o.IsAsLastRead:
		return ""
	}
	return "The document changed: " + o.Match.Summary() + "."
}

// ReloadChoice says how a run continues with another version. The zero value means where it is.
type ReloadChoice struct {
	RewindTo      int               // the event to rewind to first; 0: none
	TargetStep    string            // the ID of a step of the new document to continue at; empty: where the run is then
	FromStart     bool              // the run starts again
	AllowCommands bool              // the person allows the version's commands
	Inputs        []plan.Assignment // values of the inputs that the version adds
	Note          string

	DecideAgain bool // a run that is about to enter a step makes its last decision again if that leads elsewhere now
}

// An UntrustedCommandsError says that a version has commands that nobody has allowed.
type UntrustedCommandsError struct{ Commands []trust.Item }

// Error says how many commands nobody has allowed.
func (e *UntrustedCommandsError) Error() string {
	return fmt.Sprintf("the document has %s that nobody has allowed", plan.CountText(len(e.Commands), "new or changed command"))
}

// errNoVersionLoader is the error of a session without a VersionLoader.
var errNoVersionLoader = errors.New("the run does not know where its document is")

// OfferSaved returns the current version of the document's files. A version with errors is not an error
// of OfferSaved.
func (s *Session) OfferSaved() (*ReloadOffer, error) {
	if s.config.VersionLoader == nil {
		return nil, errNoVersionLoader
	}
	v, err := s.config.VersionLoader.LoadSaved()
	if err != nil {
		return nil, err
	}
	return s.newReloadOffer(v)
}

// newReloadOffer compares a version with the run.
func (s *Session) newReloadOffer(v *DocumentVersion) (*ReloadOffer, error) {
	o := &ReloadOffer{DocumentVersion: v}
	now, err := s.currentVersion()
	if err != nil {
		return nil, err
	}
	if o.lostDocuments = lostDocuments(now.plan, v.Plan, map[*plan.Plan]bool{}); !o.isUsable() {
		return o, nil
	}
	o.Match = s.matchPlans(now.plan, v.Plan)
	o.FirstChangedSeq, o.FirstChangedStep = firstChangedStep(now.events, o.Match)
	if o.FirstChangedSeq > 0 && slices.ContainsFunc(o.Match.AllChanges(), match.Change.IsLost) {
		o.FirstChangedSeq = s.firstChangedWithPlace(now.events, o)
	}
	var dropped []string
	if snapshots, label := rewrite.EditSnapshots(now.events); label != "" {
		saved := s.documentFiles(v.Plan)
		if !saved.ContainsEdits(s.filesOfSnapshot(now, snapshots[0]), s.documentFiles(now.plan)) {
			dropped = append(dropped, label)
		}
		o.IsAsLastRead = slices.ContainsFunc(snapshots, func(name string) bool { return saved.Equal(s.filesOfSnapshot(now, name)) })
	}
	edits := editsInVersion(now.events, o.Match.FindDocument(""))
	o.DroppedEdits = strings.Join(append(dropped, droppedStepEdits(now.events, edits, o.Match.FindDocument(""))...), ", ")
	if len(edits) > 0 && !o.IsUnchanged() {
		o.DiffersOnlyInEdits = s.computeMatch(rewrite.ApplyEdits(now.plan, edits), v.Plan).Summary() == ""
	}
	known := trust.ListCommands(now.plan)
	o.CommandsToAllow = slices.DeleteFunc(slices.Clone(v.CommandsToAllow), func(item trust.Item) bool {
		return slices.ContainsFunc(known, item.ExecutesSameAs)
	})
	err = s.sendRequest(request{do: func() error {
		_, o.MissingInputs = s.machine.NewInputValues(v.Plan, nil)
		_, err := s.machine.ReloadEvent(machine.Reload{Match: o.Match})
		if errors.As(err, &o.NoPlaceError) || errors.As(err, new(*machine.MissingInputsError)) {
			return nil
		}
		return err
	}})
	return o, err
}

// filesOfSnapshot returns the files of a version that the run has had.
func (s *Session) filesOfSnapshot(now versionInForce, snapshot string) rewrite.FileContents {
	p := s.config.FirstPlan
	for _, e := range now.events {
		if b, is := e.Body.(*machine.DocumentReloaded); is && b.Snapshot == snapshot && b.Load != nil {
			if loaded, err := b.Load(); err == nil {
				p = loaded
			}
		}
	}
	return s.documentFiles(p)
}

// documentFiles returns the contents of the files of a document and of those that it includes, by their
// original paths.
func (s *Session) documentFiles(p *plan.Plan) rewrite.FileContents {
	out, seen := rewrite.FileContents{}, map[*plan.Plan]bool{}
	var add func(p *plan.Plan)
	add = func(p *plan.Plan) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, f := range p.SourceFiles() {
			out[s.config.VersionLoader.ReplaceCopyPaths(f.Path)] = f.Source
		}
		for _, c := range p.IncludedDocuments {
			add(c.Plan)
		}
	}
	add(p)
	return out
}

// firstChangedWithPlace returns the event before which to rewind for a version that lacks steps, 0 if there is
// none. It is the event that entered the first changed step if the run has a place there in the version, else the
// decision that led to the step, which is then made again.
func (s *Session) firstChangedWithPlace(chain []machine.Event, o *ReloadOffer) int {
	i := slices.IndexFunc(chain, func(e machine.Event) bool { return e.Seq == o.FirstChangedSeq })
	for ; i > 0; i-- {
		m, err := s.stateAt(chain[i-1].Seq)
		if err == nil {
			_, err = m.ReloadEvent(machine.Reload{Match: s.matchPlans(m.Plan(), o.Plan)})
		}
		if !errors.As(err, new(*machine.NoPlaceError)) {
			return chain[i].Seq
		}
		if d, decides := chain[i-1].Body.(*machine.Decision); !decides || d.ByPerson {
			break
		}
	}
	return 0
}

// editsInVersion returns the edits of steps that another version of the document contains, with the
// line ends that they have there.
func editsInVersion(chain []machine.Event, d *match.DocumentMatch) (out []rewrite.Edit) {
	for _, e := range rewrite.EditsInForce(chain) {
		step := d.NewPlan.FindStep(d.NewID(e.StepID))
		if step == nil || e.ActionIndex >= len(step.Actions) {
			continue
		}
		own, editable := plan.EditablePromptOf(step.Actions[e.ActionIndex].Work)
		if editable && strings.TrimRight(own.EditableText(), "\n") == strings.TrimRight(e.Text, "\n") {
			e.Text = own.EditableText()
			out = append(out, e)
		}
	}
	return out
}

// droppedStepEdits returns the edits of steps that no longer apply with another version of the document, in words, except
// for those that the version contains.
func droppedStepEdits(chain []machine.Event, contained []rewrite.Edit, d *match.DocumentMatch) (out []string) {
	for _, e := range rewrite.EditsInForce(chain) {
		isContained := slices.ContainsFunc(contained, func(c rewrite.Edit) bool { return c.StepID == e.StepID && c.ActionIndex == e.ActionIndex })
		changesStep := func(c match.Change) bool {
			return c.OldStep != nil && c.OldStep.ID == e.StepID && (c.NewStep == nil || c.ActionsChanged)
		}
		text := "edit of step " + e.Label
		if !isContained && !e.IsOfIncludedDocument() && slices.ContainsFunc(d.Changes, changesStep) && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// matchPlans matches two versions of the run's document. The last match is cached, because a large
// document takes a while.
func (s *Session) matchPlans(before, after *plan.Plan) *match.Match {
	s.mu.Lock()
	last := s.cachedMatch
	s.mu.Unlock()
	if last != nil && last.FindDocument("").OldPlan == before && last.FindDocument("").NewPlan == after {
		return last
	}
	last = s.computeMatch(before, after)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cachedMatch = last
	return last
}

func (s *Session) computeMatch(before, after *plan.Plan) *match.Match {
	var original func(string) string
	if s.config.VersionLoader != nil {
		original = s.config.VersionLoader.ReplaceCopyPaths
	}
	return match.Documents(before, after, original)
}

// versionInForce is the version of the document that the run currently uses.
type versionInForce struct {
	plan     *plan.Plan
	snapshot string
	events   []machine.Event
}

func (s *Session) currentVersion() (v versionInForce, err error) {
	err = s.sendRequest(request{do: func() error {
		v = versionInForce{s.machine.Plan(), "", machine.LiveBranch(s.journal)}
		for _, e := range v.events {
			if b, is := e.Body.(*machine.DocumentReloaded); is {
				v.snapshot = b.Snapshot
			}
		}
		return nil
	}})
	return v, err
}

// lostDocuments returns the included documents that one version of a document can run and another
// one cannot, as errors at the steps that include them. seen has the documents that were checked
// already.
func lostDocuments(before, after *plan.Plan, seen map[*plan.Plan]bool) (out []plan.Diagnostic) {
	if before == after || seen[after] {
		return nil
	}
	seen[after] = true
	after.Walk(func(step, _ *plan.Step) bool {
		for _, a := range step.Actions {
			work, _ := a.Work.(plan.Include)
			for _, path := range work.DocumentPaths {
				was, _ := before.IncludedDocument(path)
				now, _ := after.IncludedDocument(path)
				switch {
				case was.Plan == nil:
				case now.Plan != nil:
					out = append(out, lostDocuments(was.Plan, now.Plan, seen)...)
				default:
					at := cmp.Or(a.Span, step.Span)
					out = append(out, plan.Diagnostic{
						File: after.Path, Line: at.Line, Column: at.Column, Severity: plan.Error,
						Code: lostDocumentCode, Message: path + ": " + now.LoadProblem,
					})
				}
			}
		}
		return true
	})
	return out
}

// lostDocumentCode is the code of an error about an included document that cannot be run any more.
const lostDocumentCode = "reload/document"

// firstChangedStep returns the first event of a run that another version of its document changes, and
// the label of its step. The event enters a step that differs, or chooses among branches that
// differ.
func firstChangedStep(chain []machine.Event, m *match.Match) (seq int, label string) {
	changed, deciders := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, d := range m.Documents {
		changed[d.IncludedFile], deciders[d.IncludedFile] = map[string]bool{}, d.AffectedDecisionIDs()
		for _, c := range d.Changes {
			if c.OldStep != nil {
				changed[d.IncludedFile][c.OldStep.ID] = true
			}
		}
	}
	isIn := func(all map[string]map[string]bool, label, id string, now func(string) string) bool {
		if !strings.Contains(label, "/") {
			return all[""][now(id)]
		}
		for file, ids := range all {
			if file != "" && ids[id] {
				return true
			}
		}
		return false
	}
	now := func(id string) string { return id }
	for _, e := range slices.Backward(chain) {
		switch b := e.Body.(type) {
		case *machine.DocumentReloaded:
			later, renamed := now, b.NewIDs("")
			now = func(id string) string { return later(renamed(id)) }
		case *machine.StepEntered:
			for _, g := range b.OpenedGroups {
				if isIn(changed, g.Label, g.StepID, now) {
					seq, label = e.Seq, g.Label
				}
			}
			if isIn(changed, e.Step, e.StepID(), now) {
				seq, label = e.Seq, e.Step
			}
		case *machine.Decision:
			if b.Outcome == nil && !b.ByPerson && isIn(deciders, e.Step, e.StepID(), now) {
				seq, label = e.Seq, e.Step
			}
		}
	}
	return seq, label
}

// Reload continues the run with another version of its document. This is one intervention, which is
// undone as one. What is running is ended first. A run that was paused or rewinds is paused
// afterwards. A run that was over is reopened if the version differs: it rewinds to before its last
// decision and pauses. The error is an *UntrustedCommandsError if a person has to allow commands first, and a
// *machine.NoPlaceError if the run needs a target to continue at.
func (s *Session) Reload(o *ReloadOffer, c ReloadChoice) error {
	if err := o.Err(); err != nil {
		return err
	}
	switch {
	case len(o.CommandsToAllow) > 0 && !c.AllowCommands:
		return &UntrustedCommandsError{o.CommandsToAllow}
	case c.FromStart:
		c.RewindTo = 1
	case c.RewindTo == 0 && c.TargetStep == "" && !o.IsUnchanged():
		err := s.sendRequest(request{do: func() error {
			c.RewindTo = s.seqBeforeEnd()
			return nil
		}})
		if err != nil {
			return err
		}
	}
	if seq := s.arrivingDecisionSeq(); c.DecideAgain && seq > 0 {
		if f, err := s.Forecast(o, seq); err == nil && f.LeadsElsewhere {
			return s.ReloadAt(o, seq, c)
		}
	}
	if err := o.AllowCommands(); err != nil {
		return err
	}
	r := pendingReload{session: s, offer: o, choice: c}
	act := intervention{makeEvent: r.makeEvent}
	if c.RewindTo > 0 {
		act = intervention{makeEvent: r.rewindEvent, followUp: func() error {
			e, err := r.makeEvent()
			if err == nil {
				err = s.record(e)
			}
			return err
		}}
	}
	return s.sendRequest(request{intervention: &act})
}

// seqBeforeEnd returns the number of the event before the decision that ended the run, else before its end.
// It is 0 if the run is not over.
func (s *Session) seqBeforeEnd() int {
	chain := machine.LiveBranch(s.journal)
	if s.machine.Result() == nil {
		return 0
	}
	i := slices.IndexFunc(chain, func(e machine.Event) bool { return e.Body == machine.Body(s.machine.Result()) })
	if d, decides := chain[max(0, i-1)].Body.(*machine.Decision); decides && !d.ByPerson {
		i--
	}
	return chain[max(0, i-1)].Seq
}

// arrivingDecisionSeq returns the number of the decision by which the run is about to enter a step, 0 if it
// is not or if a person sent it there.
func (s *Session) arrivingDecisionSeq() (seq int) {
	_ = s.sendRequest(request{do: func() error {
		chain := machine.LiveBranch(s.journal)
		last := chain[len(chain)-1]
		if d, decides := last.Body.(*machine.Decision); decides && !d.ByPerson && s.machine.IsBetweenSteps() {
			seq = last.Seq
		}
		return nil
	}})
	return seq
}

// pendingReload is a reload in progress. Its version is stored once. If another version comes into force before the reload
// is done, it is matched again with that.
type pendingReload struct {
	session        *Session
	offer          *ReloadOffer
	choice         ReloadChoice
	snapshot       string
	keepCall       bool // the open call stays, and its reply is judged again
	rewindsExactly bool // the run rewinds to exactly choice.RewindTo
}

// makeEvent returns the event of the reload for the current state of the run.
func (r *pendingReload) makeEvent() (machine.Event, error) {
	e, err := r.makeEventFor(r.session.machine)
	if err != nil || r.snapshot != "" {
		return e, err
	}
	if r.snapshot, err = r.offer.StoreSnapshot(); err != nil {
		return e, err
	}
	e.Body.(*machine.DocumentReloaded).Snapshot = r.snapshot
	return e, nil
}

func (r *pendingReload) makeEventFor(m *machine.Machine) (machine.Event, error) {
	pair := r.offer.Match
	if pair.FindDocument("").OldPlan != m.Plan() {
		pair = r.session.matchPlans(m.Plan(), r.offer.Plan)
	}
	reload := machine.Reload{
		Snapshot: r.snapshot, Match: pair, TargetStepID: r.choice.TargetStep, FromEntry: r.choice.FromStart, KeepCall: r.keepCall,
		Inputs: r.choice.Inputs, EditSubject: r.offer.EditSubject, Note: r.choice.Note,
	}
	if rule := r.offer.EditedRule; rule != nil {
		reload.EditedDocument, reload.EditedStepID = rule.Document, rule.StepID
	}
	return m.ReloadEvent(reload)
}

// rewindEvent returns the event of the rewind before the reload. Both belong together.
func (r *pendingReload) rewindEvent() (machine.Event, error) {
	e, err := r.session.rewindEvent(r.choice.RewindTo)
	if err != nil {
		return e, err
	}
	back := e.Body.(*machine.RunRewound)
	back.JoinsNextEvent = true
	if r.rewindsExactly {
		back.ToSeq = r.choice.RewindTo
	}
	m, err := r.session.stateAt(back.ToSeq)
	if err == nil {
		_, err = r.makeEventFor(m)
	}
	return e, err
}

// updateStepIDs updates what refers to the IDs of steps after a reload.
func (s *Session) updateStepIDs(before *plan.Plan) {
	after := s.machine.Plan()
	if before == after {
		return
	}
	d := s.matchPlans(before, after).FindDocument("")
	s.stepper.breakpoints = UpdatedBreakpoints(s.stepper.breakpoints, d)
	if id := d.NewID(s.stepper.untilStep); id != "" {
		s.stepper.untilStep = id
	}
}

// UpdatedBreakpoints returns breakpoints for the new version of a document. If a step is gone, its
// breakpoint has no step until the step comes back.
func UpdatedBreakpoints(all []Breakpoint, d *match.DocumentMatch) []Breakpoint {
	keys := map[string]string{}
	d.NewPlan.Walk(func(s, _ *plan.Step) bool {
		keys[s.StableKey] = s.ID
		return true
	})
	out := make([]Breakpoint, len(all))
	for i, b := range all {
		switch old := d.OldPlan.FindStep(b.Step); {
		case b.HasNoStep && keys[b.Step] != "":
			b.Step, b.HasNoStep = keys[b.Step], false
		case b.HasNoStep || old == nil:
		case d.NewID(b.Step) != "":
			b.Step = d.NewID(b.Step)
		default:
			b.Step, b.HasNoStep = old.StableKey, true
		}
		if b.LeadsTo != "" {
			b.LeadsTo = cmp.Or(d.NewID(b.LeadsTo), b.LeadsTo)
		}
		out[i] = b
	}
	return out
}
