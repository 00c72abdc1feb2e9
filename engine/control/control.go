// Package control is the one table of everything that can be done to a run. Each action has a
// name, parameters, a reason why it is unavailable at the moment, what it will change, and the
// call of the session that carries it out. The screen, the line interface and programs offer
// these actions and nothing else, so they refuse and ask for confirmation in the same sentences.
//
// An Action is data and knows no front end. Where a sentence has to name another action, it
// says {name}; the front end puts its own way of asking for that action there (Sentence.With).
package control

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/engine/trust"
	"playhead/parse/plan"
)

// Session is what actions need of a run's session. engine.Session has it all; a replay refuses
// what would change the recording.
type Session interface {
	Go(mode engine.Mode, to string) error
	Pause() error
	Break([]engine.Breakpoint) error
	Cancel() error
	End(result plan.RunResult, message string) error

	Answer(machine.Answer) error
	OverrideCurrent(result plan.Result, reason string, instead ...plan.Assignment) error
	Override(result plan.Result, reason string, instead ...plan.Assignment) error
	Retry(reason string) error
	Repeat(seq int, mode engine.Mode) error
	Skip(reason string) error
	Jump(target, reason string) error

	NextUndo() (machine.Event, error)
	NextRedo() (machine.Event, error)
	Undo() error
	Redo() error
	Rewind(seq int) error
	Instead(seq int, change machine.Change) error

	Reload(*engine.Offer, engine.ReloadChoice) error
	Amend(rewrite.ClauseRef, string) (*engine.Offer, error)
	EditSteps(plan.StepEdit) (*engine.Offer, error)
	ReloadAt(o *engine.Offer, decision int, c engine.ReloadChoice) error
	Set(name string, value any) error
	Edit(step string, action int, text string) error
	OpenShell(step string) (*exec.Cmd, error)
	Approve(policy string) error
	Restore(path string) error
	Choose(source string) error
	TakeOver(yes bool) error

	TakeControl() error
}

// Run is a run as somebody who acts on it sees it. It is only read.
type Run struct {
	Plan     *plan.Plan
	Track    *track.Track    // the run as it is now
	Events   []machine.Event // of the branch that the run is on
	Status   engine.Status
	Next     track.Upcoming      // the instance that a paused run is about to enter
	Breaks   []engine.Breakpoint // that are set
	Saved    *engine.Offer       // what the document's files hold now; nil: nobody has looked
	Sources  []model.Origin      // that replies can come from
	Now      time.Time
	Begun    bool // a session drives the run
	Stepping bool // the run goes one step and pauses by itself
	Replay   bool // a recording is shown: nothing is executed

	Watched  Sentence // why this front end can only look at the run; empty: it can act
	Takeable bool     // take-control ends that
}

// Args are the arguments of an action: those that its parameters name.
type Args struct {
	Step   *track.Row // nil: the step that the run is at
	Event  int        // a sequence number
	Result plan.Result
	Name   string // of a variable, a source, a policy
	Text   string // a value, an answer, a message or the text of an edit
	Reason string
	Action int                 // of the step's actions, the one to edit
	Break  engine.Breakpoint   // to set, or to clear where there is an equal one
	Breaks []engine.Breakpoint // to set in the place of all there are; nil: Break alone
	Values []plan.Assignment   // that passing takes in the place of those that were reported
	Answer *machine.Answer     // a whole answer, in the place of Text
	Change machine.Change      // what was different, for what-if
	Target string              // the id of a step of the changed document, or of a second one
	After  bool                // behind the step, else before it
	Clause int                 // which of those that decide at the step, as plan.Step.Deciding has them
	Allow  bool                // a person allows the commands of the changed document

	Terminal func(*exec.Cmd) error // gives a program the terminal; nil: there is none
}

// An Action is one thing that can be done to a run.
type Action struct {
	Name   string // stable: keys are bound to it, scripts and lines say it
	Params []Param
	Help   string // what it does, as an imperative without a full stop

	AnyTime bool // it means the same whatever has happened since somebody looked at the run

	unavailable func(Run, Args) Sentence
	effect      func(Run, Args) Effect
	do          func(Session, Run, Args) error
}

// Sentence is text for a person in which {name} stands for how to ask for the action of that
// name. It is empty where there is nothing to say.
type Sentence string

var placeholder = regexp.MustCompile(`\{[a-z]+(-[a-z]+)*\}`)

// With returns the sentence in a front end's words: ask gives "press c" or "type :continue" for
// continue. A placeholder that begins a sentence is capitalised.
func (s Sentence) With(ask func(action string) string) string {
	text := string(s)
	var out strings.Builder
	last := 0
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		out.WriteString(text[last:at[0]])
		text := ask(text[at[0]+1 : at[1]-1])
		if before := out.String(); before == "" || strings.HasSuffix(before, ". ") {
			first, size := utf8.DecodeRuneInString(text)
			text = string(unicode.ToUpper(first)) + text[size:]
		}
		out.WriteString(text)
		last = at[1]
	}
	return out.String() + text[last:]
}

// Effect is what an action will change, for the question before it.
type Effect struct {
	Confirm   bool         // ask first: something is lost or happens a second time
	Title     string       // what is asked, "Rewind to event 12?"
	Text      Sentence     // what will happen
	StaysDone []string     // commands and tool calls that ran and are not undone by it
	Allows    []trust.Item // commands that a person allows with it: ask first, whatever Confirm says
}

// All returns the actions in the order of the help.
func All() []Action { return slices.Clone(table) }

// Find returns the action of a name, or nil.
func Find(name string) *Action {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// Unavailable returns why the action cannot be done now, empty if it can.
func (a *Action) Unavailable(r Run, args Args) Sentence {
	if r.Replay && !playable[a.Name] {
		return "This is a recording: nothing is executed or changed. Run the document to do that."
	}
	if r.Watched != "" && !(r.Takeable && a.Name == "take-control") {
		return r.Watched
	}
	if a.unavailable == nil {
		return ""
	}
	return a.unavailable(r, args)
}

// Effect returns what the action will change: nothing where it is unavailable.
func (a *Action) Effect(r Run, args Args) Effect {
	if a.effect == nil || r.Replay || a.Unavailable(r, args) != "" {
		return Effect{}
	}
	return a.effect(r, args)
}

// Do carries the action out. Where it is unavailable, or the session refuses, the error says
// why; a *Refusal still has its placeholders.
func (a *Action) Do(s Session, r Run, args Args) error {
	if why := a.Unavailable(r, args); why != "" {
		return &Refusal{why}
	}
	if remote, is := s.(Remote); is {
		return remote.Perform(a.Name, a.Data(args))
	}
	return a.do(s, r, args)
}

// Refusal is the error of an action that is unavailable.
type Refusal struct{ Reason Sentence }

// Error returns the reason with actions by their plain names.
func (e *Refusal) Error() string {
	return e.Reason.With(func(action string) string { return action })
}

// Position returns the row that the run is at: the one that a paused run is about to enter, else
// the one that it entered last, nil before the first.
func (r Run) Position() *track.Row {
	if next := r.Status.Next; r.Status.State == engine.Paused && next != nil {
		if row := r.Row(next.Step); row != nil {
			return row
		}
	}
	return r.Track.Current
}

// Row returns the row of a label, also of an instance that is about to begin, or nil.
func (r Run) Row(label string) *track.Row {
	if at := r.Next.At; at != nil && at.Label == label {
		return at
	}
	return r.Track.Row(label)
}

// Step returns the step that an action with these arguments is about, nil before the first.
func (r Run) Step(a Args) *track.Row {
	if a.Step != nil {
		return a.Step
	}
	return r.Track.Current
}

// Subject returns the label of the step that a decision is about: of a paused run, the one that
// is next.
func (r Run) Subject() string {
	if n := r.Status.Next; r.Status.State == engine.Paused && n != nil {
		return n.Step
	}
	return r.Track.Current.Label
}

// PausedAfter reports whether the run is paused after a step has come to its outcome and before
// the next begins: until then the outcome can be changed.
func (r Run) PausedAfter() bool {
	n, at := r.Status.Next, r.Track.Current
	if r.Status.State != engine.Paused || n == nil || at == nil {
		return false
	}
	_, enters := n.Body.(*machine.Entered)
	return enters && at.Status.IsOver()
}

// Underway returns what runs, as a sentence without a full stop.
func (r Run) Underway() string {
	step := r.Status.Running
	if row := r.Track.Row(step); row != nil && row.Newest() != nil {
		switch a := row.Newest(); {
		case a.Kind == "model" && !a.Done:
			return "The reply to step " + step + " is still coming"
		case a.Kind == "tool":
			return "The call of " + a.Server + "/" + a.Tool + " for step " + step + " still runs"
		}
	}
	return "The command of step " + step + " still runs"
}
