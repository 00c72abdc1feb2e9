package track

import (
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Visit is one passage of the run through a step or a group.
type Visit struct {
	Attempt   int
	Seq       int // of the event that entered it
	Started   time.Time
	EnteredBy *machine.Decision // nil: the run began here
	Actions   []*Action
	Questions []Question      // to a person, oldest first
	Events    []machine.Event // assigned values, outcomes and decisions, oldest first
	Outcome   *plan.Outcome
	Took      time.Duration // by commands and calls, including those below it
	By        string        // who gave the newest answer or reply, if not a model
}

// Action is one action of a visit.
type Action struct {
	Index         int
	Kind          string
	Start         machine.Event // zero if no event says that it began
	End           machine.Event // zero while it runs, and if it was cut off with the program
	Edited        bool          // a person changed what it does in this run
	Text          string
	Origin        plan.Origin       // of the prompt, if it could come from several places
	By            string            // who replied instead of a model; empty: the model
	Model         string            // the model that replied, or until then the one that is asked
	Finish        string            // why its reply ended
	Schema        string            // how the server was told the reply's schema; empty: there is none
	Reasoning     string            // the model's reasoning before the reply
	Server        string            // the server of a tool, as the document names it
	Tool, Args    string            // the tool that is called, and its arguments as sent
	Excerpt       string            // the first line of a reply, or part of it
	Calls         []plan.ToolCall   // the calls that a reply requests
	Report        string            // the arguments of the call in Calls that reports
	Set           []plan.Assignment // the variables that it assigns
	Correction    string            // the message with which a reply that is not accepted is answered
	NeedsApproval bool              // a person has to approve the call
	Denied        bool              // a person refused the call
	Answered      bool              // a person gave the result instead of the call being made
	Used          Usage             // by the model
	Started       time.Time         // when it began, or when a person approved it
	Done          bool
	Log           *machine.LogRef
	ExitCode      *int
	Signal        string
	CutOff        bool // it was interrupted
	Error         string
	Took          time.Duration
	Background    []string
	Outcome       *plan.Outcome
	File          *machine.FileState // the file that one of Playhead's own tools read or changed
}

// Question is a question to a person, with its answer.
type Question struct {
	*machine.InputNeeded
	AskEvent    machine.Event       // zero: it was answered before it was asked
	Answer      *machine.InputGiven // nil: not answered yet
	AnswerEvent machine.Event
	By          string // who answered
}

// EffectCounts counts what a visit did that may have effects.
type EffectCounts struct{ Calls, Files, Commands int }

// EffectCounts returns the counts of the tool calls that models wanted, of the files that they changed, and
// of the commands among them.
func (x *Visit) EffectCounts() (d EffectCounts) {
	if x == nil {
		return d
	}
	files := map[string]bool{}
	for _, a := range x.Actions {
		if !a.isWanted() || !a.Done || a.Denied {
			continue
		}
		d.Calls++
		if plan.IsLocal(a.Server) && a.Tool == plan.ToolBash && a.Error == "" && a.By == "" && !a.Answered {
			d.Commands++
		}
		if f := a.File; f != nil && f.Before != f.After {
			files[f.Path] = true
		}
	}
	d.Files = len(files)
	return d
}

// isWanted reports whether the action is a tool call that a model wants.
func (a *Action) isWanted() bool {
	b, began := a.Start.Body.(*machine.ActionStarted)
	return began && b.Call != nil && b.ID != ""
}

// RunningCall returns the running tool call that a model wants, nil if there is none.
func (x *Visit) RunningCall() *Action {
	if x == nil || len(x.Actions) == 0 {
		return nil
	}
	if a := x.Actions[len(x.Actions)-1]; a.isWanted() && !a.Done && !a.NeedsApproval {
		return a
	}
	return nil
}

// Answer returns the newest answer that decided the visit or set its value, nil if there is none.
// An approval of a tool call does not count, nor does a reply instead of a model.
func (x *Visit) Answer() *Question {
	if x == nil {
		return nil
	}
	for i, q := range slices.Backward(x.Questions) {
		switch q.Kind {
		case machine.KindDecide, machine.KindAsk, machine.KindAcceptOutcome:
			if q.Answer != nil {
				return &x.Questions[i]
			}
		}
	}
	return nil
}

// HadShell reports whether a person opened a shell during the visit, which may have changed
// anything.
func (x *Visit) HadShell() bool {
	return slices.ContainsFunc(x.Events, func(e machine.Event) bool {
		_, opened := e.Body.(*machine.ShellOpened)
		return opened
	})
}

// newest returns the newest visit, nil if there is none.
func (r *Row) newest() *Visit {
	if all := r.History(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// History returns the visits of a step or a group, oldest first.
func (r *Row) History() []*Visit {
	if len(r.Visits) > 0 {
		return r.Visits
	}
	return r.GroupVisits
}

func (r *Row) beginGroupVisit(e machine.Event, attempt int) *Visit {
	x := &Visit{Attempt: attempt, Seq: e.Seq, Started: e.Time}
	r.GroupVisits = append(r.GroupVisits, x)
	return x
}

// VisitOf returns the visit to which an event of a step belongs. It begins one if the journal has
// none.
func (t *Track) VisitOf(e machine.Event) *Visit {
	r := t.at(e)
	if r == nil {
		r = t.unknown(e)
	}
	if x := r.newest(); x != nil {
		return x
	}
	return r.beginGroupVisit(e, max(1, e.Attempt))
}

// unknown returns the row of an event's step that the document does not have.
func (t *Track) unknown(e machine.Event) *Row {
	for _, r := range t.Unknown {
		if r.Label == e.Step {
			return r
		}
	}
	r := &Row{Label: e.Step, Local: e.Step, Step: &plan.Step{ID: e.StepID()}, Status: LeftUndecided, frame: t.frames[0]}
	t.Unknown = append(t.Unknown, r)
	return r
}

// record stores an event with its visit.
func (t *Track) record(e machine.Event) {
	if e.Step == "" {
		return
	}
	switch e.Body.(type) {
	case *machine.Captured, *machine.StepFinished, *machine.Decision:
		x := t.VisitOf(e)
		x.Events = append(x.Events, e)
	case *machine.ShellOpened: // before the visit, it belongs to none
		if r := t.at(e); r != nil && r.newest() != nil && r.newest().Attempt == e.Attempt {
			x := r.newest()
			x.Events = append(x.Events, e)
		}
	}
}

// hasEnded reports whether the action with this index began before and is not in the middle of a
// conversation.
func (x *Visit) hasEnded(index int) bool {
	for _, a := range slices.Backward(x.Actions) {
		if a.Index == index {
			return !a.Done || a.Outcome != nil
		}
	}
	return false
}

// action returns the newest action with this index that is not done. It begins one if there is
// none.
func (x *Visit) action(index int, kind string) *Action {
	for _, a := range slices.Backward(x.Actions) {
		if a.Index == index && !a.Done {
			return a
		}
	}
	a := &Action{Index: index, Kind: kind}
	x.Actions = append(x.Actions, a)
	return a
}

// ask stores a question with its visit.
func (x *Visit) ask(e machine.Event, b *machine.InputNeeded) {
	x.Questions = append(x.Questions, Question{InputNeeded: b, AskEvent: e})
}

// answer stores an answer with its question.
func (x *Visit) answer(e machine.Event, b *machine.InputGiven) {
	n := len(x.Questions)
	if n == 0 || x.Questions[n-1].Action != b.Action {
		x.Questions = append(x.Questions, Question{InputNeeded: &machine.InputNeeded{Action: b.Action, Kind: b.Kind}})
		n++
	}
	q := &x.Questions[n-1]
	q.Answer, q.AnswerEvent, q.By = b, e, e.By
}
