// Package control is the one table of everything that can be done to a run. An action has a name,
// parameters, the reason why it is unavailable at the moment, its effect, and the call of the
// session that carries it out. The screen, the line interface and programs offer exactly these
// actions, so they refuse and ask for confirmation in the same sentences.
//
// An Action does not know the front ends. To refer to another action, a sentence contains {name},
// and the front end replaces this by its own way of asking for that action (Sentence.ReplacePlaceholders).
package control

import (
	"cmp"
	"fmt"
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
	"playhead/engine/replay"
	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/trust"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Session is what actions need of a run's session. *engine.Session implements it. A replay refuses
// whatever would change the recording.
type Session interface {
	Continue(mode engine.Mode, to string) error
	Pause() error
	SetBreakpoints([]engine.Breakpoint) error
	Interrupt() error
	EndRun(result plan.RunResult, message string) error

	Answer(machine.Answer) error
	OverrideCurrent(result plan.Result, note string, instead ...plan.Assignment) error
	OverridePrevious(result plan.Result, note string, instead ...plan.Assignment) error
	Retry(note string) error
	RerunFrom(seq int, mode engine.Mode) error
	Skip(note string) error
	Jump(target, note string) error

	NextUndo() (machine.UndoStep, error)
	NextRedo() (machine.UndoStep, error)
	Undo() error
	Redo() error
	Rewind(seq int) error
	RewindAndChange(seq int, change machine.WhatIfChange) error

	Reload(*engine.ReloadOffer, engine.ReloadChoice) error
	EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error)
	EditSteps(plan.StepEdit) (*engine.ReloadOffer, error)
	ReloadAt(o *engine.ReloadOffer, decision int, c engine.ReloadChoice) error
	SetVariable(name string, value any) error
	EditAction(step string, action int, text string) error
	OpenShell(step string) (*exec.Cmd, error)
	SetApprovalPolicy(policy string) error
	RestoreFiles(path string) error
	ChooseReplySource(source string) error
	TakeOverReply(yes bool) error

	TakeControl() error
}

// RunView is a read-only view of a run: what actions need to decide whether they are available.
type RunView struct {
	Plan         *plan.Plan
	Track        *track.Track    // the current state of the run
	Events       []machine.Event // the events of the current branch
	Status       engine.Status
	Upcoming     track.UpcomingInstance    // the instance that a paused run is about to enter
	Breakpoints  []engine.Breakpoint       // the breakpoints that are set
	SavedVersion *engine.ReloadOffer       // what the document's files contain now; nil: not checked
	ReplySources []model.ReplySourceOption // the possible reply sources
	Now          time.Time
	IsBegun      bool // a session drives the run
	IsStepping   bool // the run goes one step and then pauses by itself
	IsReplay     bool // a recording is shown, and nothing is executed

	WatchOnlyReason Sentence // why this front end can only watch the run; empty: it can act
	CanTakeControl  bool     // the take-control action lets this front end act
}

// Args are the arguments of an action. Each action uses those of its parameters.
type Args struct {
	Row            *track.Row // nil: the step that the run is at
	EventSeq       int
	Result         plan.Result
	Name           string // of a variable
	Text           string // a value, an answer, a message, the text of an edit, a path or another choice
	Note           string
	ActionIndex    int                  // the index of the action to edit, in the step
	Breakpoint     engine.Breakpoint    // to set, or to clear if there is an equal one
	Breakpoints    []engine.Breakpoint  // to set in place of all existing ones; nil: only Breakpoint counts
	Assignments    []plan.Assignment    // values that replace the reported ones when a step is passed, or those of new inputs
	Answer         *machine.Answer      // a complete answer, instead of Text
	WhatIfChange   machine.WhatIfChange // what would be different, for what-if
	TargetID       string               // the ID of a step of the changed document, or of a second step
	IsAfterStep    bool                 // insert after the step instead of before it
	RuleIndex      int                  // the index of the rule in plan.Plan.RulesOf
	AllowsCommands bool                 // a person allows the new commands of the changed document

	RunInTerminal func(*exec.Cmd) error // runs a program that takes over the terminal; nil: there is no terminal
}

// An Action is one thing that can be done to a run.
type Action struct {
	Name            string // does not change, because key bindings and scripts use it
	Params          []Param
	ProgramOnlyKeys []string // the keys of arguments that a line cannot give, in the order in which they are read
	Help            string   // what it does, as an imperative without a full stop

	MovesRun         bool // it continues, rewinds or ends the run
	WorksInReplay    bool // it also works on a recording
	AllowedWhenStale bool // it can be done even if the client has not seen the newest events
	RequiresTerminal bool // only a person at a terminal can do it, because the run may then execute text that nobody has read

	unavailableReason func(RunView, Args) Sentence
	effectOf          func(RunView, Args) Effect
	resultOf          func(RunView, Args) Sentence
	perform           func(Session, RunView, Args) error
}

// Sentence is text for a person in which {name} stands for how to ask for the action with that
// name. It is empty if there is nothing to say.
type Sentence string

var placeholderPattern = regexp.MustCompile(`\{\{|\{[a-z]{2,}(-[a-z]+)*\}`) // {n} is part of a step's name

// LiteralText escapes a text for a Sentence, which then shows it as it is, even if it has braces.
func LiteralText(text string) Sentence { return Sentence(strings.ReplaceAll(text, "{", "{{")) }

// Sentencef is like fmt.Sprintf with only %s for values. The sentence shows each value as it is, as with LiteralText.
func Sentencef(format string, values ...any) Sentence {
	for i, v := range values {
		values[i] = LiteralText(fmt.Sprint(v))
	}
	return Sentence(fmt.Sprintf(format, values...))
}

// ReplacePlaceholders replaces the placeholders. For continue, ask returns "press c" or "type :continue", for
// example. A placeholder at the beginning of a sentence is capitalised.
func (s Sentence) ReplacePlaceholders(ask func(action string) string) string {
	text := string(s)
	var out strings.Builder
	last := 0
	for _, at := range placeholderPattern.FindAllStringIndex(text, -1) {
		out.WriteString(text[last:at[0]])
		last = at[1]
		if text[at[0]:at[1]] == "{{" {
			out.WriteByte('{')
			continue
		}
		text := ask(text[at[0]+1 : at[1]-1])
		if before := out.String(); before == "" || strings.HasSuffix(before, ". ") {
			first, size := utf8.DecodeRuneInString(text)
			text = string(unicode.ToUpper(first)) + text[size:]
		}
		out.WriteString(text)
	}
	return out.String() + text[last:]
}

// Effect is what an action will change. A front end shows it before it asks for confirmation.
type Effect struct {
	NeedsConfirmation bool         // ask first, because something is lost or happens a second time
	Question          string       // the question, such as "Rewind to event 12?"
	Text              Sentence     // what will happen
	IsEasilyMissed    bool         // say Text even if nothing has to be confirmed
	EffectsNotUndone  []string     // the commands and tool calls that ran and that the action does not undo
	AllowedCommands   []trust.Item // the commands that a person allows with it; ask first, whatever NeedsConfirmation says
}

// TextToSay returns what a front end says that does not ask, because undo reverts the action: what will happen if a person
// would have to confirm it or could miss it, "" otherwise.
func (e Effect) TextToSay() Sentence {
	if !e.NeedsConfirmation && !e.IsEasilyMissed {
		return ""
	}
	return e.Text
}

// AllActions returns the actions in the order of the help.
func AllActions() []Action { return slices.Clone(actionTable) }

// currentNameByEarlierName maps names from earlier versions to current names. Lines, programs and the
// configuration may still use them. Some name actions that only the key map has.
var currentNameByEarlierName = map[string]string{"by-hand": "manual-reply", "again": "rerun", "again-note": "rerun-note", "palette": "actions", "history": "timeline", "previous-node": "previous-step"}

// CurrentActionName returns the current name of an action, given a current name or one of an earlier version.
func CurrentActionName(name string) string { return cmp.Or(currentNameByEarlierName[name], name) }

// FindAction returns the action with a name, nil if there is none.
func FindAction(name string) *Action {
	for i := range actionTable {
		if actionTable[i].Name == CurrentActionName(name) {
			return &actionTable[i]
		}
	}
	return nil
}

// InReplayReason refuses whatever would change a recording.
var InReplayReason = Sentence(wording.ErrorSentence(replay.ErrReadOnly))

// UnavailableReason returns why the action cannot be done now, "" if it can.
func (a *Action) UnavailableReason(r RunView, args Args) Sentence {
	if r.IsReplay && !a.WorksInReplay {
		return InReplayReason
	}
	if r.WatchOnlyReason != "" && !(r.CanTakeControl && a.Name == "take-control") {
		return r.WatchOnlyReason
	}
	if a.unavailableReason == nil {
		return ""
	}
	return a.unavailableReason(r, args)
}

// Effect returns what the action will change. It is the zero Effect if the action is unavailable.
func (a *Action) Effect(r RunView, args Args) Effect {
	if a.effectOf == nil || r.IsReplay || a.UnavailableReason(r, args) != "" {
		return Effect{}
	}
	return a.effectOf(r, args)
}

// UndoneText returns what an undo or a redo has done, and which action reverses it. fileWithEdit is the file that still
// contains an edit that was undone, "" for none.
func UndoneText(action string, done machine.UndoStep, fileWithEdit string) Sentence {
	reverse := Sentence("{undo}")
	if action == "undo" {
		reverse = "{redo}"
	}
	purpose := Sentence(" to redo it.")
	switch {
	case done.Repeats:
		purpose = " to undo it."
	case action == "redo": // it took back a rewind after which nothing has run
		purpose = " to rewind again."
	}
	return LiteralText(wording.UndoneText(done)+" "+wording.StillContainsText(fileWithEdit)) + reverse + purpose
}

// ResultText returns what carrying out the action has changed, "" if an event or the state shows it. r is the
// run before the action.
func (a *Action) ResultText(r RunView, args Args) Sentence {
	if a.resultOf == nil || r.IsReplay {
		return ""
	}
	return a.resultOf(r, args)
}

// Do carries out the action. If it is unavailable, the error is a *RefusedError, whose reason still has
// its placeholders. Errors of the session are returned as they are.
func (a *Action) Do(s Session, r RunView, args Args) error {
	if why := a.UnavailableReason(r, args); why != "" {
		return &RefusedError{why}
	}
	if remote, is := s.(RemoteSession); is {
		return remote.Perform(a.Name, a.EncodeArguments(args))
	}
	return a.perform(s, r, args)
}

// RefusedError is the error for an action that is unavailable.
type RefusedError struct{ Reason Sentence }

// Error returns the reason, with actions by their plain names.
func (e *RefusedError) Error() string {
	return e.Reason.ReplacePlaceholders(func(action string) string { return action })
}

// PositionRow returns the row that the run is at: the one that a paused run is about to enter, else
// the last one entered, nil before the first.
func (r RunView) PositionRow() *track.Row {
	if next := r.Status.NextEvent; r.Status.State == engine.Paused && next != nil {
		if row := r.RowByLabel(next.Step); row != nil {
			return row
		}
	}
	return r.Track.CurrentRow
}

// IsAtToolStep reports whether the step that the run is at, or is about to enter, calls a tool, so that a person who
// replies gives the tool's result.
func (r RunView) IsAtToolStep() bool { return r.PositionRow().CallsTool() }

// ManualReplyText returns what the action manual-reply, which toggles, changes.
func (r RunView) ManualReplyText() string {
	switch atTool := r.IsAtToolStep(); {
	case atTool && r.Status.NextReplyManual:
		return "Tools run normally again."
	case atTool:
		return "You will write the result of the next tool call."
	case r.Status.NextReplyManual:
		return "Replies come from the reply source " + sanitize.Plain(r.Status.ReplySourceName) + " again."
	}
	return "You will write the next reply."
}

// RowByLabel returns the row with a label, also of an instance that is about to begin, nil if there is
// none.
func (r RunView) RowByLabel(label string) *track.Row {
	if at := r.Upcoming.Row; at != nil && at.Label == label {
		return at
	}
	return r.Track.RowByLabel(label)
}

// ArgumentRow returns the row of the step that an action with these arguments is about, nil before the
// first step.
func (r RunView) ArgumentRow(a Args) *track.Row {
	if a.Row != nil {
		return a.Row
	}
	return r.Track.CurrentRow
}

// NextOrCurrentStepLabel returns the label of the step that a decision is about. In a paused run this is the next
// step.
func (r RunView) NextOrCurrentStepLabel() string {
	if n := r.Status.NextEvent; r.Status.State == engine.Paused && n != nil {
		return n.Step
	}
	return r.Track.CurrentRow.Label
}

// OverriddenStepLabel returns the label of the step whose outcome pass and fail set: of a run that is paused before
// it enters a step, that step, else the current one.
func (r RunView) OverriddenStepLabel() string {
	if r.IsPausedBeforeStep() {
		return r.Status.NextEvent.Step
	}
	return r.Track.CurrentRow.Label
}

// IsPausedBeforeStep reports whether the run is paused before it enters a step.
func (r RunView) IsPausedBeforeStep() bool {
	if r.Status.State != engine.Paused || r.Status.NextEvent == nil {
		return false
	}
	_, enters := r.Status.NextEvent.Body.(*machine.StepEntered)
	return enters
}

// IsPausedBetweenSteps reports whether the run is paused between the outcome of a step and the next step.
// Until then, the outcome can be changed.
func (r RunView) IsPausedBetweenSteps() bool {
	at := r.Track.CurrentRow
	return at != nil && at.Status.IsOver() && r.IsPausedBeforeStep()
}

// RunningText returns what is running, as a sentence without a full stop.
func (r RunView) RunningText() string {
	step := r.Status.RunningStep
	if row := r.Track.RowByLabel(step); row != nil && row.NewestAction() != nil {
		switch a := row.NewestAction(); {
		case a.Kind == "model" && !a.IsDone:
			return "The model is still replying for step " + step
		case a.Kind == "tool":
			return "The call to " + a.Server + "/" + a.Tool + " for step " + step + " is still running"
		}
	}
	return "Step " + step + " is still running"
}
