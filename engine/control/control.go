// Package control is the one table of everything that can be done to a run. An action has a name,
// parameters, the reason why it is unavailable at the moment, its effect, and the call of the
// session that carries it out. The screen, the line interface and programs offer exactly these
// actions, so they refuse and ask for confirmation in the same sentences.
//
// An Action does not know the front ends. To refer to another action, a sentence contains {name},
// and the front end replaces this by its own way of asking for that action (Sentence.With).
package control

import (
	"cmp"
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

// Session is what actions need of a run's session. *engine.Session implements it. A replay refuses
// whatever would change the recording.
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
	RerunFrom(seq int, mode engine.Mode) error
	Skip(reason string) error
	Jump(target, reason string) error

	NextUndo() (machine.Event, error)
	NextRedo() (machine.Event, error)
	Undo() error
	Redo() error
	Rewind(seq int) error
	RewindAndChange(seq int, change machine.Change) error

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

// Run is a read-only view of a run for somebody who acts on it.
type Run struct {
	Plan     *plan.Plan
	Track    *track.Track    // the current state of the run
	Events   []machine.Event // the events of the current branch
	Status   engine.Status
	Upcoming track.Upcoming      // the instance that a paused run is about to enter
	Breaks   []engine.Breakpoint // the breakpoints that are set
	Saved    *engine.Offer       // what the document's files contain now; nil: not checked
	Sources  []model.Origin      // the possible reply sources
	Now      time.Time
	Begun    bool // a session drives the run
	Stepping bool // the run goes one step and then pauses by itself
	Replay   bool // a recording is shown, and nothing is executed

	Watched  Sentence // why this front end can only watch the run; empty: it can act
	Takeable bool     // the take-control action ends Watched
}

// Args are the arguments of an action. Each action uses those of its parameters.
type Args struct {
	Step   *track.Row // nil: the step that the run is at
	Event  int        // a sequence number
	Result plan.Result
	Name   string // of a variable, a reply source or a policy
	Text   string // a value, an answer, a message or the text of an edit
	Reason string
	Action int                 // the index of the step's action to edit
	Break  engine.Breakpoint   // to set, or to clear if there is an equal one
	Breaks []engine.Breakpoint // to set in place of all existing ones; nil: only Break counts
	Values []plan.Assignment   // values that replace the reported ones when a step is passed, or those of new inputs
	Answer *machine.Answer     // a complete answer, instead of Text
	Change machine.Change      // what would be different, for what-if
	Target string              // the ID of a step of the changed document, or of a second step
	After  bool                // behind the step instead of before it
	Clause int                 // the index of the clause in plan.Step.Deciding
	Allow  bool                // a person allows the new commands of the changed document

	Terminal func(*exec.Cmd) error // runs a program that takes over the terminal; nil: there is no terminal
}

// An Action is one thing that can be done to a run.
type Action struct {
	Name    string // does not change, because key bindings and scripts use it
	Params  []Param
	Details []string // the keys of arguments that a line cannot give, in the order in which they are read
	Help    string   // what it does, as an imperative without a full stop

	Moves      bool // the run goes on, goes back or ends because of it
	Playable   bool // it also works on a recording
	AnyTime    bool // it means the same whatever has happened since somebody looked at the run
	OnTerminal bool // it lets the run execute what nobody has read: only a person at a terminal can do it

	unavailable func(Run, Args) Sentence
	effect      func(Run, Args) Effect
	do          func(Session, Run, Args) error
}

// Sentence is text for a person in which {name} stands for how to ask for the action with that
// name. It is empty if there is nothing to say.
type Sentence string

var placeholder = regexp.MustCompile(`\{[a-z]+(-[a-z]+)*\}`)

// With replaces the placeholders. For continue, ask returns "press c" or "type :continue", for
// example. A placeholder at the beginning of a sentence is capitalised.
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

// Effect is what an action will change. A front end shows it before it asks for confirmation.
type Effect struct {
	Confirm   bool         // ask first, because something is lost or happens a second time
	Title     string       // the question, such as "Rewind to event 12?"
	Text      Sentence     // what will happen
	StaysDone []string     // the commands and tool calls that ran and that the action does not undo
	Allows    []trust.Item // the commands that a person allows with it; ask first, whatever Confirm says
}

// All returns the actions in the order of the help.
func All() []Action { return slices.Clone(table) }

// earlierNames maps the names that actions had in earlier versions to those that they have now. Lines,
// programs and the configuration may still use them. Some are of actions that only the key map has.
var earlierNames = map[string]string{"by-hand": "manual-reply", "again": "rerun", "again-note": "rerun-note", "palette": "actions"}

// CurrentName returns the name of the action that had a name in an earlier version, else the name itself.
func CurrentName(name string) string { return cmp.Or(earlierNames[name], name) }

// Find returns the action with a name, nil if there is none.
func Find(name string) *Action {
	for i := range table {
		if table[i].Name == CurrentName(name) {
			return &table[i]
		}
	}
	return nil
}

// InReplay refuses whatever would change a recording.
const InReplay Sentence = "This is a replay: nothing is executed, and nothing can be changed."

// Unavailable returns why the action cannot be done now, "" if it can.
func (a *Action) Unavailable(r Run, args Args) Sentence {
	if r.Replay && !a.Playable {
		return InReplay
	}
	if r.Watched != "" && !(r.Takeable && a.Name == "take-control") {
		return r.Watched
	}
	if a.unavailable == nil {
		return ""
	}
	return a.unavailable(r, args)
}

// Effect returns what the action will change. It is the zero Effect if the action is unavailable.
func (a *Action) Effect(r Run, args Args) Effect {
	if a.effect == nil || r.Replay || a.Unavailable(r, args) != "" {
		return Effect{}
	}
	return a.effect(r, args)
}

// Do carries out the action. If it is unavailable, the error is a *Refusal, whose reason still has
// its placeholders. Errors of the session are returned as they are.
func (a *Action) Do(s Session, r Run, args Args) error {
	if why := a.Unavailable(r, args); why != "" {
		return &Refusal{why}
	}
	if remote, is := s.(Remote); is {
		return remote.Perform(a.Name, a.Data(args))
	}
	return a.do(s, r, args)
}

// Refusal is the error for an action that is unavailable.
type Refusal struct{ Reason Sentence }

// Error returns the reason, with actions by their plain names.
func (e *Refusal) Error() string {
	return e.Reason.With(func(action string) string { return action })
}

// Position returns the row that the run is at: the one that a paused run is about to enter, else
// the last one entered, nil before the first.
func (r Run) Position() *track.Row {
	if next := r.Status.NextEvent; r.Status.State == engine.Paused && next != nil {
		if row := r.Row(next.Step); row != nil {
			return row
		}
	}
	return r.Track.Current
}

// Row returns the row with a label, also of an instance that is about to begin, nil if there is
// none.
func (r Run) Row(label string) *track.Row {
	if at := r.Upcoming.At; at != nil && at.Label == label {
		return at
	}
	return r.Track.Row(label)
}

// Step returns the row of the step that an action with these arguments is about, nil before the
// first step.
func (r Run) Step(a Args) *track.Row {
	if a.Step != nil {
		return a.Step
	}
	return r.Track.Current
}

// Subject returns the label of the step that a decision is about. In a paused run this is the next
// step.
func (r Run) Subject() string {
	if n := r.Status.NextEvent; r.Status.State == engine.Paused && n != nil {
		return n.Step
	}
	return r.Track.Current.Label
}

// IsPausedAfter reports whether the run is paused between the outcome of a step and the next step.
// Until then, the outcome can be changed.
func (r Run) IsPausedAfter() bool {
	n, at := r.Status.NextEvent, r.Track.Current
	if r.Status.State != engine.Paused || n == nil || at == nil {
		return false
	}
	_, enters := n.Body.(*machine.Entered)
	return enters && at.Status.IsOver()
}

// RunningText returns what is running, as a sentence without a full stop.
func (r Run) RunningText() string {
	step := r.Status.Running
	if row := r.Track.Row(step); row != nil && row.NewestAction() != nil {
		switch a := row.NewestAction(); {
		case a.Kind == "model" && !a.Done:
			return "The reply to step " + step + " is still coming"
		case a.Kind == "tool":
			return "The call of " + a.Server + "/" + a.Tool + " for step " + step + " is still running"
		}
	}
	return "The command of step " + step + " is still running"
}
