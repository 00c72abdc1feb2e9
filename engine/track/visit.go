package track

import (
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Visit is one pass of the run through a step or a group.
type Visit struct {
	Attempt   int
	Seq       int // of the event that entered it
	Started   time.Time
	EnteredBy *machine.Decision // nil: it is where the run began
	Actions   []*Action
	Questions []Question      // of a person, oldest first
	Events    []machine.Event // values set, outcomes and decisions, oldest first
	Outcome   *plan.Outcome
	Took      time.Duration // by commands and calls, and by those below it
	By        string        // who gave the newest answer or reply, if no model did
}

// Action is what a visit did.
type Action struct {
	Index         int
	Kind          string
	Start         machine.Event // zero: no event says that it began
	End           machine.Event // zero: it goes on, or was cut off with the program
	Edited        bool          // a person changed what it does, for this run
	Text          string
	Origin        plan.Origin       // of the text, if it is a prompt that could come from several places
	By            string            // who replied in a model's place; empty: the model
	Model         string            // that replied; before that, the one asked for
	Finish        string            // why its reply ended
	Schema        string            // how the server was told that of the reply; empty: there is none
	Reasoning     string            // what came before it
	Server        string            // of a tool, as the document names it
	Tool, Args    string            // the tool that is called, and its arguments as they are sent
	Excerpt       string            // the first line of a reply, or a part of it
	Calls         []plan.ToolCall   // that a reply makes
	Report        string            // the arguments of the one of them that reports
	Set           []plan.Assignment // what it gives variables
	Correction    string            // with what, a reply that was not accepted and is asked for again
	NeedsApproval bool              // a person has to allow the call
	Denied        bool              // a person did not allow it
	Used          Usage             // by the model
	Started       time.Time         // or allowed by a person
	Done          bool
	Log           *machine.LogRef
	ExitCode      *int
	Signal        string
	CutOff        bool // it was interrupted
	Error         string
	Took          time.Duration
	Background    []string
	Outcome       *plan.Outcome
	File          *machine.FileState // that a tool of Playhead read or changed
}

// Question is a question to a person, with its answer.
type Question struct {
	*machine.InputNeeded
	Asked    machine.Event       // zero: it was answered before it was asked
	Answer   *machine.InputGiven // nil: nothing yet
	Answered machine.Event
	By       string // who said it
}

// Done is how many things a visit did that may have effects.
type Done struct{ Calls, Files, Commands int }

// Done counts the calls of tools that models wanted, the files that they changed, and the commands among them.
func (x *Visit) Done() (d Done) {
	if x == nil {
		return d
	}
	files := map[string]bool{}
	for _, a := range x.Actions {
		if !a.isWanted() || !a.Done || a.Denied {
			continue
		}
		d.Calls++
		if plan.IsLocal(a.Server) && a.Tool == plan.ToolBash && a.Error == "" {
			d.Commands++
		}
		if f := a.File; f != nil && f.Before != f.After {
			files[f.Path] = true
		}
	}
	d.Files = len(files)
	return d
}

// isWanted reports whether the action is a call of a tool that a model wants.
func (a *Action) isWanted() bool {
	b, began := a.Start.Body.(*machine.ActionStarted)
	return began && b.Call != nil && b.ID != ""
}

// RunningCall returns the call that a model wanted and that is being made, nil if none is.
func (x *Visit) RunningCall() *Action {
	if x == nil || len(x.Actions) == 0 {
		return nil
	}
	if a := x.Actions[len(x.Actions)-1]; a.isWanted() && !a.Done && !a.NeedsApproval {
		return a
	}
	return nil
}

// Answer returns the newest answer that decided a visit or gave it a value; nil: there is none. The
// approval of a tool call is not one, nor a reply in a model's place.
func (x *Visit) Answer() *Question {
	if x == nil {
		return nil
	}
	for i, q := range slices.Backward(x.Questions) {
		switch q.Kind {
		case machine.KindDecide, machine.KindAsk, machine.KindAccept:
			if q.Answer != nil {
				return &x.Questions[i]
			}
		}
	}
	return nil
}

// HadShell reports whether a person opened a shell during the visit, which may have changed anything.
func (x *Visit) HadShell() bool {
	return slices.ContainsFunc(x.Events, func(e machine.Event) bool {
		_, opened := e.Body.(*machine.ShellOpened)
		return opened
	})
}

// newest is the newest visit, or nil.
func (r *Row) newest() *Visit {
	if all := r.History(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// History returns the visits of a unit or a group, oldest first.
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

// VisitOf returns the visit that an event of a step belongs to. One is begun where the journal has
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

// unknown is the row of an event's step that the document does not have.
func (t *Track) unknown(e machine.Event) *Row {
	for _, r := range t.Unknown {
		if r.Label == e.Step {
			return r
		}
	}
	r := &Row{Label: e.Step, Local: e.Step, Step: &plan.Step{ID: e.StepID()}, Status: Left, frame: t.frames[0]}
	t.Unknown = append(t.Unknown, r)
	return r
}

// record keeps an event with the visit that it says something of.
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

// hasEnded reports whether the action of an index was begun before, and is not in the
// middle of a conversation.
func (x *Visit) hasEnded(index int) bool {
	for _, a := range slices.Backward(x.Actions) {
		if a.Index == index {
			return !a.Done || a.Outcome != nil
		}
	}
	return false
}

// action finds the newest action of an index that is not done, or begins one.
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

// ask keeps a question with the visit that asks it.
func (x *Visit) ask(e machine.Event, b *machine.InputNeeded) {
	x.Questions = append(x.Questions, Question{InputNeeded: b, Asked: e})
}

// answer keeps an answer with its question.
func (x *Visit) answer(e machine.Event, b *machine.InputGiven) {
	n := len(x.Questions)
	if n == 0 || x.Questions[n-1].Action != b.Action {
		x.Questions = append(x.Questions, Question{InputNeeded: &machine.InputNeeded{Action: b.Action, Kind: b.Kind}})
		n++
	}
	q := &x.Questions[n-1]
	q.Answer, q.Answered, q.By = b, e, e.By
}
