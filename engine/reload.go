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

// Documents loads other versions of a run's document. Its methods may be called from any goroutine.
type Documents interface {
	// Saved loads the document from its files as they are now.
	Saved() (*Version, error)
	// Edited loads the version that a snapshot of the run names, with changed files. edit gets the
	// plan of that version and returns new contents by the paths in the plan.
	Edited(snapshot string, edit func(p *plan.Plan) (map[string][]byte, error)) (*Version, error)
	// EditSteps returns the file of a document with a change of its steps.
	EditSteps(p *plan.Plan, e plan.StepEdit) ([]byte, error)
	// Original returns a text in which the paths of the run's copies are replaced by those of the
	// originals.
	Original(text string) string
}

// Version is a version of a document with which a run can continue.
type Version struct {
	Plan     *plan.Plan                          // ready to run, or with errors among its diagnostics
	File     string                              // the absolute path of the saved document; empty: it is an edited copy
	About    string                              // what a person edited in it; empty: it is the content of the files
	Commands []trust.Item                        // the commands that a person has to allow first
	Keep     func() (snapshot string, err error) // stores it in the run's folder
	Allow    func() error                        // stores that a person allows its commands
}

// An Offer is another version of the document, compared with the current state of the run.
type Offer struct {
	*Version
	Match         *match.Match          // compares the version in force with this one; nil if this one has errors
	FirstChanged  int                   // the event to rewind to before, so that the first changed step that has run runs again; 0: none has, or it has no place
	FirstStep     string                // the label of that step
	Missing       []plan.Input          // the required inputs that the run has no value for
	NoPlace       *machine.NoPlaceError // why the run cannot continue where it is; nil: it can
	Edits         string                // what a person has edited in the version in force; those that this version lacks are dropped
	HasEdits      bool                  // it differs from the version in force only in edits of steps that the run already uses
	lostDocuments []plan.Diagnostic     // the included documents that only the version in force can run
}

// EditsDropped is what a person has to know of an Offer's Edits.
const EditsDropped = "A reload drops those of your edits that are not in the file: %s."

// Problems returns the errors of a version that cannot run.
func (o *Offer) Problems() (out []plan.Diagnostic) {
	for _, d := range o.Plan.Diagnostics {
		if d.Severity == plan.Error {
			out = append(out, d)
		}
	}
	return append(out, o.lostDocuments...)
}

// Err returns why the version cannot be used, nil if it can.
func (o *Offer) Err() error {
	problems := o.Problems()
	switch {
	case o.isUsable():
		return nil
	case len(problems) == 0:
		return fmt.Errorf("%s cannot run", o.Plan.Path)
	}
	return &InvalidError{o.Plan.Path, problems}
}

// An InvalidError says that a version of a document cannot be used because it has errors.
type InvalidError struct {
	Path     string
	Problems []plan.Diagnostic // at least one
}

// Error names the document and its first error.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("%s has errors, so the run keeps its document: %s", e.Path, e.Problems[0].MessageWithoutFile())
}

func (o *Offer) isUsable() bool { return o.Plan.Runnable() && len(o.lostDocuments) == 0 }

// IsUnchanged reports whether the version does the same as the run with its edits.
func (o *Offer) IsUnchanged() bool { return o.HasEdits || o.Match != nil && o.Match.Summary() == "" }

// Notice returns in a sentence how the saved version differs from the run's document, "" if the run would
// not notice it.
func (o *Offer) Notice() string {
	switch {
	case o.Err() != nil:
		return "The saved document has " + plan.Count(len(o.Problems()), "error") + ", so the run keeps its own."
	case o.IsUnchanged():
		return ""
	}
	return "The document changed: " + o.Match.Summary() + "."
}

// ReloadChoice says how a run continues with another version. The zero value means where it is.
type ReloadChoice struct {
	To     int               // the event to rewind to first; 0: none
	Target string            // the ID of a step of the new document to continue at; empty: where the run is then
	Start  bool              // the run starts again
	Allow  bool              // the person allows the version's commands
	Inputs []plan.Assignment // values of the inputs that the version adds
	Reason string

	DecideAgain bool // a run that is about to enter a step makes its last decision again if that leads elsewhere now
}

// An UntrustedError says that a version has commands that nobody has allowed.
type UntrustedError struct{ Commands []trust.Item }

// Error says how many commands nobody has allowed.
func (e *UntrustedError) Error() string {
	return fmt.Sprintf("the document has %s that you have not allowed", plan.Count(len(e.Commands), "new or changed command"))
}

// errNoDocuments is the error of a session without Documents.
var errNoDocuments = errors.New("the run does not know where its document is")

// Saved returns the current version of the document's files. A version with errors is not an error
// of Saved.
func (s *Session) Saved() (*Offer, error) {
	if s.cfg.Documents == nil {
		return nil, errNoDocuments
	}
	v, err := s.cfg.Documents.Saved()
	if err != nil {
		return nil, err
	}
	return s.offer(v)
}

// offer compares a version with the run.
func (s *Session) offer(v *Version) (*Offer, error) {
	o := &Offer{Version: v}
	now, err := s.inForce()
	if err != nil {
		return nil, err
	}
	if o.lostDocuments = lostDocuments(now.plan, v.Plan, map[*plan.Plan]bool{}); !o.isUsable() {
		return o, nil
	}
	o.Match = s.match(now.plan, v.Plan)
	o.FirstChanged, o.FirstStep = firstChanged(now.chain, o.Match)
	if o.FirstChanged > 0 && slices.ContainsFunc(o.Match.Changes(), match.Change.IsLost) {
		o.FirstChanged = s.beforeLost(now.chain, o)
	}
	if snapshots, edits := rewrite.DocumentEdits(now.chain); edits != "" && !s.hasEdits(now, snapshots[0], v.Plan) {
		o.Edits = edits
	}
	if edits := writtenEdits(now.chain, o.Match.Of("")); len(edits) > 0 && !o.IsUnchanged() {
		o.HasEdits = s.newMatch(rewrite.Apply(now.plan, edits), v.Plan).Summary() == ""
	}
	known := trust.Commands(now.plan)
	o.Commands = slices.DeleteFunc(slices.Clone(v.Commands), func(item trust.Item) bool {
		return slices.ContainsFunc(known, item.SameCommand)
	})
	err = s.ask(request{do: func() error {
		_, o.Missing = s.m.NewInputs(v.Plan, nil)
		_, err := s.m.Reload(machine.Reload{Match: o.Match})
		if errors.As(err, &o.NoPlace) || errors.As(err, new(*machine.MissingInputsError)) {
			return nil
		}
		return err
	}})
	return o, err
}

// hasEdits reports whether a version of the document has the edits that the version in force was made
// with from a snapshot.
func (s *Session) hasEdits(now versionInForce, snapshot string, after *plan.Plan) bool {
	base := s.cfg.Plan
	for _, e := range now.chain {
		if b, is := e.Body.(*machine.Reloaded); is && b.Snapshot == snapshot && b.Load != nil {
			if p, err := b.Load(); err == nil {
				base = p
			}
		}
	}
	return s.sources(after).Contains(s.sources(base), s.sources(now.plan))
}

// sources returns the contents of the files of a document and of those that it includes, by their
// original paths.
func (s *Session) sources(p *plan.Plan) rewrite.FileContents {
	out, seen := rewrite.FileContents{}, map[*plan.Plan]bool{}
	var add func(p *plan.Plan)
	add = func(p *plan.Plan) {
		if p == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, f := range p.AllFiles() {
			out[s.cfg.Documents.Original(f.Path)] = f.Source
		}
		for _, c := range p.Children {
			add(c.Plan)
		}
	}
	add(p)
	return out
}

// beforeLost returns FirstChanged where the version lacks steps: the event that entered the step if it
// has a place in the version, else the decision that led there, which the version makes anew.
func (s *Session) beforeLost(chain []machine.Event, o *Offer) int {
	i := slices.IndexFunc(chain, func(e machine.Event) bool { return e.Seq == o.FirstChanged })
	for ; i > 0; i-- {
		m, err := s.stateAt(chain[i-1].Seq)
		if err == nil {
			_, err = m.Reload(machine.Reload{Match: s.match(m.Plan(), o.Plan)})
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

// writtenEdits returns the edits of steps that another version of the document contains, with the
// line ends that they have there.
func writtenEdits(chain []machine.Event, d *match.Document) (out []rewrite.Edit) {
	for _, e := range rewrite.Edits(chain) {
		step := d.New.Find(d.ID(e.Step))
		if step == nil || e.Action >= len(step.Actions) {
			continue
		}
		own, editable := plan.EditableIn(step.Actions[e.Action].Work)
		if editable && strings.TrimRight(own.DocumentText(), "\n") == strings.TrimRight(e.Text, "\n") {
			e.Text = own.DocumentText()
			out = append(out, e)
		}
	}
	return out
}

// match matches two versions of the run's document. The last match is cached, because a large
// document takes a while.
func (s *Session) match(before, after *plan.Plan) *match.Match {
	s.mu.Lock()
	last := s.lastMatch
	s.mu.Unlock()
	if last != nil && last.Of("").Old == before && last.Of("").New == after {
		return last
	}
	last = s.newMatch(before, after)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastMatch = last
	return last
}

func (s *Session) newMatch(before, after *plan.Plan) *match.Match {
	var original func(string) string
	if s.cfg.Documents != nil {
		original = s.cfg.Documents.Original
	}
	return match.Documents(before, after, original)
}

// versionInForce is what the run currently uses.
type versionInForce struct {
	plan     *plan.Plan
	snapshot string
	chain    []machine.Event
}

func (s *Session) inForce() (v versionInForce, err error) {
	err = s.ask(request{do: func() error {
		v = versionInForce{s.m.Plan(), "", machine.Chain(s.journal)}
		for _, e := range v.chain {
			if b, is := e.Body.(*machine.Reloaded); is {
				v.snapshot = b.Snapshot
			}
		}
		return nil
	}})
	return v, err
}

// lostDocuments returns the included documents that a version of the document can run and another one
// cannot, as errors at the steps that include them. It looks once at a document that is included several
// times; seen are those it has looked at.
func lostDocuments(before, after *plan.Plan, seen map[*plan.Plan]bool) (out []plan.Diagnostic) {
	if before == after || seen[after] {
		return nil
	}
	seen[after] = true
	after.Walk(func(step, _ *plan.Step) bool {
		for _, a := range step.Actions {
			work, _ := a.Work.(plan.Include)
			for _, path := range work.Docs {
				was, _ := before.Child(path)
				now, _ := after.Child(path)
				switch {
				case was.Plan == nil:
				case now.Plan != nil:
					out = append(out, lostDocuments(was.Plan, now.Plan, seen)...)
				default:
					at := cmp.Or(a.Span, step.Span)
					out = append(out, plan.Diagnostic{
						File: after.Path, Line: at.Line, Column: at.Column, Severity: plan.Error,
						Code: lostCode, Message: path + ": " + now.Reason,
					})
				}
			}
		}
		return true
	})
	return out
}

// lostCode is the code of an error about an included document that cannot be run any more.
const lostCode = "reload/document"

// firstChanged returns the event that entered the first step of a run that differs in another
// version of its document, or that chose among branches which differ, and the label of the step.
func firstChanged(chain []machine.Event, m *match.Match) (seq int, label string) {
	changed, deciders := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, d := range m.Documents {
		changed[d.File], deciders[d.File] = map[string]bool{}, d.Deciders()
		for _, c := range d.Changes {
			if c.Old != nil {
				changed[d.File][c.Old.ID] = true
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
		case *machine.Reloaded:
			later, renamed := now, b.Renamed("")
			now = func(id string) string { return later(renamed(id)) }
		case *machine.Entered:
			for _, g := range b.Opened {
				if isIn(changed, g.Step, g.ID, now) {
					seq, label = e.Seq, g.Step
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
// decision and pauses. The error is an *UntrustedError if a person has to allow commands first, and a
// *machine.NoPlaceError if the run needs a target to continue at.
func (s *Session) Reload(o *Offer, c ReloadChoice) error {
	if err := o.Err(); err != nil {
		return err
	}
	switch {
	case len(o.Commands) > 0 && !c.Allow:
		return &UntrustedError{o.Commands}
	case c.Start:
		c.To = 1
	case c.To == 0 && c.Target == "" && !o.IsUnchanged():
		err := s.ask(request{do: func() error {
			c.To = s.beforeEnd()
			return nil
		}})
		if err != nil {
			return err
		}
	}
	if seq := s.lastMove(); c.DecideAgain && seq > 0 {
		if f, err := s.Forecast(o, seq); err == nil && f.Differs {
			return s.ReloadAt(o, seq, c)
		}
	}
	if err := o.Allow(); err != nil {
		return err
	}
	r := reloadPlan{s: s, offer: o, choice: c}
	act := intervention{event: r.event}
	if c.To > 0 {
		act = intervention{event: r.rewindEvent, then: func() error {
			e, err := r.event()
			if err == nil {
				err = s.record(e)
			}
			return err
		}}
	}
	return s.ask(request{act: &act})
}

// beforeEnd returns the number of the event before the decision that ended the run, else before its end.
// It is 0 if the run is not over.
func (s *Session) beforeEnd() int {
	chain := machine.Chain(s.journal)
	if s.m.Result() == nil {
		return 0
	}
	i := slices.IndexFunc(chain, func(e machine.Event) bool { return e.Body == machine.Body(s.m.Result()) })
	if d, decides := chain[max(0, i-1)].Body.(*machine.Decision); decides && !d.ByPerson {
		i--
	}
	return chain[max(0, i-1)].Seq
}

// lastMove returns the number of the decision by which the run is about to enter a step, 0 if it is not or
// if a person sent it there.
func (s *Session) lastMove() (seq int) {
	_ = s.ask(request{do: func() error {
		chain := machine.Chain(s.journal)
		last := chain[len(chain)-1]
		if d, decides := last.Body.(*machine.Decision); decides && !d.ByPerson && s.m.IsArriving() {
			seq = last.Seq
		}
		return nil
	}})
	return seq
}

// reloadPlan is a reload in progress: its version is stored once, and matched with each version that
// is in force meanwhile.
type reloadPlan struct {
	s        *Session
	offer    *Offer
	choice   ReloadChoice
	snapshot string
	keepCall bool // the reply to the open call is judged again
	exact    bool // it rewinds to exactly this event
}

// event returns the event of the reload for the current state of the run.
func (r *reloadPlan) event() (machine.Event, error) {
	e, err := r.eventOn(r.s.m)
	if err != nil || r.snapshot != "" {
		return e, err
	}
	if r.snapshot, err = r.offer.Keep(); err != nil {
		return e, err
	}
	e.Body.(*machine.Reloaded).Snapshot = r.snapshot
	return e, nil
}

func (r *reloadPlan) eventOn(m *machine.Machine) (machine.Event, error) {
	pair := r.offer.Match
	if pair.Of("").Old != m.Plan() {
		pair = r.s.match(m.Plan(), r.offer.Plan)
	}
	return m.Reload(machine.Reload{
		Snapshot: r.snapshot, Match: pair, Target: r.choice.Target, Start: r.choice.Start, KeepCall: r.keepCall,
		Inputs: r.choice.Inputs, About: r.offer.About, Reason: r.choice.Reason,
	})
}

// rewindEvent returns the event of the rewind before the reload. Both belong together.
func (r *reloadPlan) rewindEvent() (machine.Event, error) {
	e, err := r.s.rewindEvent(r.choice.To)
	if err != nil {
		return e, err
	}
	back := e.Body.(*machine.Rewound)
	back.Join = true
	if r.exact {
		back.To = r.choice.To
	}
	m, err := r.s.stateAt(back.To)
	if err == nil {
		_, err = r.eventOn(m)
	}
	return e, err
}

// followDocument updates what refers to the IDs of steps after a reload.
func (s *Session) followDocument(before *plan.Plan) {
	after := s.m.Plan()
	if before == after {
		return
	}
	d := s.match(before, after).Of("")
	s.stepper.breaks = FollowBreakpoints(s.stepper.breaks, d)
	if id := d.ID(s.stepper.until); id != "" {
		s.stepper.until = id
	}
}

// FollowBreakpoints returns breakpoints for the new version of a document. If a step is gone, its
// breakpoint has no step until the step comes back.
func FollowBreakpoints(all []Breakpoint, d *match.Document) []Breakpoint {
	keys := map[string]string{}
	d.New.Walk(func(s, _ *plan.Step) bool {
		keys[s.Key] = s.ID
		return true
	})
	out := make([]Breakpoint, len(all))
	for i, b := range all {
		switch old := d.Old.Find(b.Step); {
		case b.HasNoStep && keys[b.Step] != "":
			b.Step, b.HasNoStep = keys[b.Step], false
		case b.HasNoStep || old == nil:
		case d.ID(b.Step) != "":
			b.Step = d.ID(b.Step)
		default:
			b.Step, b.HasNoStep = old.Key, true
		}
		if b.To != "" {
			b.To = cmp.Or(d.ID(b.To), b.To)
		}
		out[i] = b
	}
	return out
}
