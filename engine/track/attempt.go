package track

import (
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Attempt is one try of a step or group: a visit begins with attempt 1, and each retry is another attempt of it.
type Attempt struct {
	Number           int
	EntrySeq         int // of the event that entered it
	StartedAt        time.Time
	EntryDecision    *machine.Decision // nil: the run began here
	EnteredByPerson  bool              // a person sent the run here, or marked the retries as used and so led it here
	Actions          []*Action
	Questions        []Question      // to a person, oldest first
	Events           []machine.Event // assigned values, outcomes and decisions, oldest first
	Outcome          *plan.Outcome
	Duration         time.Duration // by commands and calls, including those below it
	MarkedLimitsText string        // which limits a person marked as used, in words; empty: none; see MarkedLimitsText
	AnsweredBy       string        // who gave the newest answer, reply or override, if not a model
	awaitsEntry      bool          // its arm is being chosen, and no event has entered the group yet
}

// Action is one action of an attempt.
type Action struct {
	Index               int
	Kind                string
	CallName            string        // which of the step's model calls it is; empty: the one that makes its output
	StartEvent          machine.Event // zero if no event says that it began
	EndEvent            machine.Event // zero while it runs, and if it was cut off with the program
	EditedText          string        // a person's text for this run with which it began; empty: the document's
	Text                string
	PromptOrigin        plan.PromptOrigin // of the prompt, if it could come from several places
	RepliedBy           string            // who replied instead of a model; empty: the model
	Model               string            // the model that replied, or until then the one that is asked
	FinishReason        string            // why its reply ended
	SchemaMethod        string            // how the server was told the reply's schema; empty: there is none
	Reasoning           string            // the model's reasoning before the reply
	Server              string            // the server of a tool, as the document names it
	Tool, Args          string            // the tool that is called, and its arguments as sent
	ReplyExcerpt        string            // the first line of a reply, or part of it
	WantedCalls         []plan.ToolCall   // the calls that a reply requests
	ReportArgs          string            // the arguments of the call with which the step reports
	Assignments         []plan.Assignment // the variables that it assigns
	CorrectionMessage   string            // the message with which a reply that is not accepted is answered
	NeedsApproval       bool              // a person has to approve the call
	WasDenied           bool              // a person refused the call
	HasPersonResult     bool              // a person gave the result instead of the call being made
	Usage               Usage             // by the model
	StartedAt           time.Time         // when it began, or when a person approved it
	IsDone              bool
	Log                 *machine.LogRef
	ExitCode            *int
	Signal              string
	WasCutOff           bool // it was interrupted
	Error               string
	Duration            time.Duration
	BackgroundProcesses []string
	Outcome             *plan.Outcome
	FileState           *machine.FileState // the file that one of Playhead's own tools read or changed
}

// Question is a question to a person, with its answer.
type Question struct {
	*machine.InputNeeded
	AskEvent    machine.Event       // zero: it was answered before it was asked
	Answer      *machine.InputGiven // nil: not answered yet
	AnswerEvent machine.Event
	AnsweredBy  string // who answered
}

// EffectCounts counts the actions of an attempt that may have effects outside the run.
type EffectCounts struct{ Calls, Files, Commands int }

// EffectCounts returns the counts of the tool calls that models wanted, of the files that they changed, and
// of the commands among them.
func (attempt *Attempt) EffectCounts() (d EffectCounts) {
	if attempt == nil {
		return d
	}
	files := map[string]bool{}
	for _, a := range attempt.Actions {
		if !a.isWantedCall() || !a.IsDone || a.WasDenied {
			continue
		}
		d.Calls++
		if plan.IsLocalServer(a.Server) && a.Tool == plan.ToolBash && a.Error == "" && a.RepliedBy == "" && !a.HasPersonResult {
			d.Commands++
		}
		if f := a.FileState; f != nil && f.HashBefore != f.HashAfter {
			files[f.Path] = true
		}
	}
	d.Files = len(files)
	return d
}

// IsExecuted reports whether the action runs a command or calls a model or a tool. Only such actions have
// output.
func (a *Action) IsExecuted() bool {
	return a.Kind == "command" || a.Kind == "model" || a.Kind == "tool"
}

// isWantedCall reports whether the action is a tool call that a model wants.
func (a *Action) isWantedCall() bool {
	b, began := a.StartEvent.Body.(*machine.ActionStarted)
	return began && b.Call != nil && b.ID != ""
}

// RunningCall returns the running tool call that a model wants, nil if there is none.
func (attempt *Attempt) RunningCall() *Action {
	if attempt == nil || len(attempt.Actions) == 0 {
		return nil
	}
	if a := attempt.Actions[len(attempt.Actions)-1]; a.isWantedCall() && !a.IsDone && !a.NeedsApproval {
		return a
	}
	return nil
}

// DecidingQuestion returns the newest question whose answer decided the attempt or set its value, nil if there is none.
// An approval of a tool call does not count, nor does a reply in a model's place.
func (attempt *Attempt) DecidingQuestion() *Question {
	if attempt == nil {
		return nil
	}
	for i, q := range slices.Backward(attempt.Questions) {
		switch q.Kind {
		case machine.KindDecide, machine.KindAsk, machine.KindAcceptOutcome:
			if q.Answer != nil {
				return &attempt.Questions[i]
			}
		case machine.KindResume:
			if q.Answer != nil && q.Answer.Outcome != nil && q.Answer.Outcome.Overridden && attempt.Outcome != nil && attempt.Outcome.Overridden {
				return &attempt.Questions[i]
			}
		}
	}
	return nil
}

// HadShell reports whether a person opened a shell during the attempt, which may have changed
// anything.
func (attempt *Attempt) HadShell() bool {
	return slices.ContainsFunc(attempt.Events, func(e machine.Event) bool {
		_, opened := e.Body.(*machine.ShellOpened)
		return opened
	})
}

// NewestAttempt returns the newest attempt of a step or a group, nil if there is none.
func (row *Row) NewestAttempt() *Attempt {
	if all := row.AllAttempts(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// newestMarkedLimitsText returns the text about the limits that a person marked as used in the newest attempt, "" if nobody did.
func (row *Row) newestMarkedLimitsText() string {
	if x := row.NewestAttempt(); x != nil {
		return x.MarkedLimitsText
	}
	return ""
}

// markedLimitsTextOfAttempt returns that text for the next attempt. The limits stay used in further attempts of a visit.
func (row *Row) markedLimitsTextOfAttempt(attempt int) string {
	if attempt <= 1 {
		return ""
	}
	return row.newestMarkedLimitsText()
}

// AllAttempts returns the attempts of a step or a group, oldest first.
func (row *Row) AllAttempts() []*Attempt {
	if len(row.StepAttempts) > 0 {
		return row.StepAttempts
	}
	return row.GroupAttempts
}

func (row *Row) beginGroupAttempt(e machine.Event, attempt int) *Attempt {
	x := &Attempt{Number: attempt, EntrySeq: e.Seq, StartedAt: e.Time, MarkedLimitsText: row.markedLimitsTextOfAttempt(attempt)}
	row.GroupAttempts = append(row.GroupAttempts, x)
	return x
}

// beginOpenedAttempt begins the attempt of a group that an event opens. A step without content of its own has chosen its
// first arm by then, which began the attempt.
func (row *Row) beginOpenedAttempt(e machine.Event, attempt int) {
	x := row.NewestAttempt()
	if x == nil || !x.awaitsEntry {
		row.beginGroupAttempt(e, attempt)
		return
	}
	x.Number, x.EntrySeq, x.StartedAt, x.awaitsEntry = attempt, e.Seq, e.Time, false
}

// beginArmAttempt begins the attempt of a group that chooses its first arm before it is entered. It does nothing for
// a group that is open, that has content of its own, or whose choice before this one entered no arm.
func (t *Track) beginArmAttempt(e machine.Event) {
	if r := t.ensureRow(e); r != nil && !r.Status.IsOpen() && len(r.StepAttempts) == 0 && !t.isChoosingArm(r) {
		r.beginGroupAttempt(e, max(1, e.Attempt)).awaitsEntry = true
	}
}

// isChoosingArm reports whether the newest decision of the run is a choice of a group that has not been entered since. A
// person's jump in between begins another visit.
func (t *Track) isChoosingArm(r *Row) bool {
	x, d := r.NewestAttempt(), t.lastDecision()
	return x != nil && x.awaitsEntry && t.DecidedRow == r && d != nil && d.IsArmChoice()
}

// EnsureAttempt returns the attempt to which an event of a step belongs. It begins one if the journal has
// none.
func (t *Track) EnsureAttempt(e machine.Event) *Attempt {
	r := t.ensureRow(e)
	if r == nil {
		r = t.ensureUnknownRow(e)
	}
	if x := r.NewestAttempt(); x != nil {
		return x
	}
	return r.beginGroupAttempt(e, max(1, e.Attempt))
}

// ensureUnknownRow returns the row of an event's step that the document does not have.
func (t *Track) ensureUnknownRow(e machine.Event) *Row {
	for _, r := range t.UnknownSteps {
		if r.Label == e.Step {
			return r
		}
	}
	r := &Row{Label: e.Step, LocalLabel: e.Step, Step: &plan.Step{ID: e.StepID()}, Status: LeftUndecided, frame: t.frames[0]}
	t.UnknownSteps = append(t.UnknownSteps, r)
	return r
}

// recordEvent stores an event with its attempt.
func (t *Track) recordEvent(e machine.Event) {
	if e.Step == "" {
		return
	}
	switch b := e.Body.(type) {
	case *machine.VariableCaptured:
		at := e
		if producer := t.producerOf(b.Variable); e.By == machine.ByPerson && producer != "" { // the value replaces its own
			at.Step, at.ExplicitStepID = producer, ""
		}
		x := t.EnsureAttempt(at)
		x.Events = append(x.Events, e)
	case *machine.StepFinished:
		x := t.EnsureAttempt(e)
		x.Events, x.awaitsEntry = append(x.Events, e), false // a group that takes none of its arms is not entered
	case *machine.Decision:
		if b.IsArmChoice() {
			t.beginArmAttempt(e)
		}
		x := t.EnsureAttempt(e)
		x.Events = append(x.Events, e)
	case *machine.ShellOpened: // before the attempt, it belongs to none
		if r := t.ensureRow(e); r != nil && r.NewestAttempt() != nil && r.NewestAttempt().Number == e.Attempt {
			x := r.NewestAttempt()
			x.Events = append(x.Events, e)
		}
	}
}

// restartsAction reports whether an action that begins now is run again from the start: it was begun before,
// and it is not in the middle of a conversation.
func (attempt *Attempt) restartsAction(index int) bool {
	for _, a := range slices.Backward(attempt.Actions) {
		if a.Index == index {
			return !a.IsDone || a.Outcome != nil
		}
	}
	return false
}

// findOrBeginAction returns the newest action with this index that is not done. It begins one if there is
// none.
func (attempt *Attempt) findOrBeginAction(index int, kind string) *Action {
	for _, a := range slices.Backward(attempt.Actions) {
		if a.Index == index && !a.IsDone {
			return a
		}
	}
	a := &Action{Index: index, Kind: kind}
	attempt.Actions = append(attempt.Actions, a)
	return a
}

// addQuestion stores a question with its attempt.
func (attempt *Attempt) addQuestion(e machine.Event, b *machine.InputNeeded) {
	attempt.Questions = append(attempt.Questions, Question{InputNeeded: b, AskEvent: e})
}

// addAnswer stores an answer with its question.
func (attempt *Attempt) addAnswer(e machine.Event, b *machine.InputGiven) {
	n := len(attempt.Questions)
	if n == 0 || attempt.Questions[n-1].ActionIndex != b.ActionIndex {
		attempt.Questions = append(attempt.Questions, Question{InputNeeded: &machine.InputNeeded{ActionIndex: b.ActionIndex, Kind: b.Kind}})
		n++
	}
	q := &attempt.Questions[n-1]
	q.Answer, q.AnswerEvent, q.AnsweredBy = b, e, e.By
}
