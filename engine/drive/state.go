package drive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// State is what a run does at the moment, and what it needs (docs/protocol.md).
type State struct {
	RunID        string         `json:"run"`
	DocumentPath string         `json:"path,omitempty"`
	Format       string         `json:"format,omitempty"`
	Title        string         `json:"title,omitempty"`
	LastSeq      int            `json:"seq"`   // the number of the last event
	State        engine.State   `json:"state"` // one of the session, or Interrupted
	IsLive       bool           `json:"live"`  // a process drives the run
	CurrentStep  string         `json:"step,omitempty"`
	Result       plan.RunResult `json:"result,omitempty"` // of a run that is over
	EndMessage   string         `json:"message,omitempty"`
	WaitingFor   *Need          `json:"waiting,omitempty"` // what a run that is paused or waits needs

	RunningStep     string   `json:"running,omitempty"` // the label of the step whose command or call is running
	RunningLog      string   `json:"log,omitempty"`     // the name of the log of that command or call
	Breakpoints     []string `json:"breakpoints,omitempty"`
	ReplySourceName string   `json:"source,omitempty"`     // the current reply source
	Controller      string   `json:"controller,omitempty"` // the client whose screen controls the run
	PausedBy        string   `json:"paused_by,omitempty"`  // the client that asked for a pause, now or before the next step
	NeedsTrust      bool     `json:"untrusted,omitempty"`  // a person has to trust the document before the run continues
	Error           string   `json:"error,omitempty"`      // why the run cannot continue

	Screen *ScreenState `json:"screen,omitempty"`
}

// Interrupted is the state of a run that no process drives and that was not left waiting.
const Interrupted engine.State = "interrupted"

// Need is what a run needs from a person.
type Need struct {
	machine.Waiting
	Fields           []plan.Field       `json:"fields,omitempty"`  // of an answer or a report with several values
	Choices          []plan.ReplyChoice `json:"choices,omitempty"` // the replies that the step understands
	AnswerArguments  []string           `json:"answers,omitempty"` // the possible answers, as arguments of `playhead do`
	RequiresTerminal bool               `json:"terminal"`          // only a person at a terminal can give it
}

// ScreenState is further state for Playhead's own screens. Other programs should not rely on it.
type ScreenState struct {
	NextEvent             *machine.Event    `json:"next,omitempty"`
	HitBreakpoint         string            `json:"break,omitempty"`
	PausesNext            bool              `json:"pauses_next,omitempty"`
	Question              *machine.Question `json:"question,omitempty"`
	ToolToApprove         *tools.Tool       `json:"tool,omitempty"`
	PendingValues         []plan.Assignment `json:"pending_values,omitempty"`
	Notice                *model.Notice     `json:"notice,omitempty"`
	ReasoningWords        int               `json:"reasoning_words,omitempty"`
	NextReplyManual       bool              `json:"next_reply_manual,omitempty"`
	HitCounts             map[string]int    `json:"hits,omitempty"`
	SupersededEffectCount int               `json:"superseded_effects,omitempty"`
}

// newState returns the state of a run that a process drives. seq is the number of its last event.
func newState(t *track.Track, seq int, st engine.Status) State {
	s := State{
		RunID: t.RunID, DocumentPath: t.Plan.Path, Format: t.Plan.Format, Title: t.Plan.Title, LastSeq: seq, State: st.State, IsLive: true,
		RunningStep: st.RunningStep, RunningLog: st.RunningLog, ReplySourceName: st.ReplySourceName, Controller: st.Controller, PausedBy: st.PausedBy,
		Screen: &ScreenState{
			NextEvent: st.NextEvent, HitBreakpoint: st.HitBreakpoint, PausesNext: st.PausesNext, Question: st.Question, ToolToApprove: st.ToolToApprove, PendingValues: st.PendingValues,
			Notice: st.Notice, ReasoningWords: st.ReasoningWords, NextReplyManual: st.NextReplyManual, HitCounts: st.HitCounts, SupersededEffectCount: st.SupersededEffectCount,
		},
	}
	for _, b := range st.Breakpoints {
		s.Breakpoints = append(s.Breakpoints, b.String())
	}
	if st.Err != nil {
		s.Error = st.Err.Error()
	}
	if t.CurrentRow != nil {
		s.CurrentStep = t.CurrentRow.Label
	}
	s.setEnd(t.Finished)
	if st.WaitingFor != nil && (st.State == engine.Paused || st.State == engine.Waiting) {
		s.setNeed(st.WaitingFor, st.Question)
	}
	return s
}

// setEnd sets the result of a run that is over. end is nil if the run has not ended.
func (s *State) setEnd(end *machine.RunFinished) {
	if end != nil && (end.Result.IsFinal() || s.State == engine.Over && end.Result == plan.Cancelled) {
		s.State, s.Result, s.EndMessage = cmp.Or(s.State, engine.Over), end.Result, end.Message
	}
}

// setNeed sets what the run needs. q is nil if it does not ask, but is paused.
func (s *State) setNeed(w *machine.Waiting, q *machine.Question) {
	s.CurrentStep = w.Step
	s.WaitingFor = &Need{Waiting: *wording.WaitingWithReasonText(w).WithOutputCut(), AnswerArguments: []string{"continue", "over"}}
	if q == nil {
		return
	}
	s.WaitingFor.Fields, s.WaitingFor.Choices, s.WaitingFor.RequiresTerminal = q.Fields, q.Choices, q.Kind == machine.KindApproveCall
	if q.Field != nil && len(q.Fields) == 0 {
		s.WaitingFor.Fields = []plan.Field{*q.Field}
	}
	s.WaitingFor.AnswerArguments = answerArguments(q)
}

// answerArguments returns the ways to answer a question, as arguments of playhead do.
func answerArguments(q *machine.Question) []string {
	switch {
	case q.Kind == machine.KindApproveCall:
		return nil
	case q.Kind == machine.KindReply && len(q.Fields) > 0:
		return []string{"report -", "skip"}
	case q.Kind == machine.KindReply && q.Tool != "":
		return []string{"reply -", "fail", "skip"}
	case q.Kind == machine.KindReply:
		return []string{"reply -", "skip"}
	case q.Field != nil:
		return []string{"answer VALUE", "skip"}
	}
	var out []string
	for _, o := range q.Options {
		switch o {
		case "pass", "yes":
			out = append(out, "pass")
		case "fail", "no":
			out = append(out, "fail")
		default:
			out = append(out, "answer "+o)
		}
	}
	return append(out, "skip")
}

// RecordedState returns the state of a run that no process drives.
func RecordedState(p *plan.Plan, h journal.History) State {
	t := track.New(p)
	chain := machine.LiveBranch(h.Events)
	t.Fold(chain...)
	s := State{RunID: h.ID(), DocumentPath: p.Path, Format: p.Format, Title: p.Title, LastSeq: len(h.Events)}
	if t.CurrentRow != nil {
		s.CurrentStep = t.CurrentRow.Label
	}
	s.setEnd(t.Finished)
	if s.State == "" {
		s.State = Interrupted
	}
	if len(chain) == 0 {
		return s
	}
	end, ended := chain[len(chain)-1].Body.(*machine.RunFinished)
	switch {
	case ended && end.WaitingFor != nil && end.WaitingFor.Kind == machine.KindPause:
		s.State = engine.Paused
		s.setNeed(end.WaitingFor, nil)
	case ended && end.WaitingFor != nil:
		s.State = engine.Waiting
		s.setNeed(end.WaitingFor, openQuestionAt(machine.FromEvents(p, chain[:len(chain)-1]), end.WaitingFor))
	case !ended:
		if m := machine.FromEvents(p, chain); m != nil && m.WaitingFor() != nil { // its process was killed while it waited
			s.State = engine.Waiting
			s.setNeed(m.WaitingFor(), m.Next().Question)
		}
	}
	return s
}

// openQuestionAt returns the question at which a run was left, as far as its events contain it.
func openQuestionAt(m *machine.Machine, w *machine.Waiting) *machine.Question {
	q := &machine.Question{Kind: w.Kind, Options: w.Options, Tool: w.Tool}
	if m == nil {
		return q
	}
	next := m.Next()
	if call, is := next.Effect.(*machine.CallModel); is {
		q.ManualReplyForm = call.ManualReplyForm
	} else if next.Question != nil {
		return next.Question
	}
	return q
}

// EngineStatus returns the state as a session's Status, for screens of other processes.
func (s *State) EngineStatus() engine.Status {
	st := engine.Status{
		State: s.State, RunningStep: s.RunningStep, RunningLog: s.RunningLog, ReplySourceName: s.ReplySourceName, Controller: s.Controller, PausedBy: s.PausedBy, Breakpoints: []engine.Breakpoint{},
	}
	for _, text := range s.Breakpoints {
		if b, err := engine.ParseBreakpoint(text); err == nil {
			st.Breakpoints = append(st.Breakpoints, b)
		}
	}
	if s.Error != "" {
		st.Err = errors.New(s.Error)
	}
	if s.WaitingFor != nil {
		st.WaitingFor = &s.WaitingFor.Waiting
	}
	if v := s.Screen; v != nil {
		st.NextEvent, st.HitBreakpoint, st.PausesNext, st.Question, st.ToolToApprove, st.PendingValues = v.NextEvent, v.HitBreakpoint, v.PausesNext, v.Question, v.ToolToApprove, v.PendingValues
		st.Notice, st.ReasoningWords, st.NextReplyManual, st.HitCounts, st.SupersededEffectCount = v.Notice, v.ReasoningWords, v.NextReplyManual, v.HitCounts, v.SupersededEffectCount
	}
	if st.Notice != nil {
		st.Notice.RetryNow = func() {} // only the process that drives the run can retry the call at once
	}
	return st
}

// IsIdle reports whether the run does nothing until somebody acts on it.
func (s *State) IsIdle() bool { return s.State != engine.Running }

// WriteText writes what the run needs from a person. It also writes what the run does if withSummary is set,
// or if the run needs nothing.
func (s State) WriteText(w io.Writer, withSummary bool) {
	if withSummary || s.WaitingFor == nil {
		fmt.Fprintf(w, "run %s: %s\n", s.RunID, sanitize.Plain(s.summary()))
	}
	if s.WaitingFor != nil {
		s.writeNeed(w)
	}
}

// ResultText returns the result of a run that is over, with its message if it has one.
func (s State) ResultText() string {
	if s.EndMessage == "" {
		return string(s.Result)
	}
	return fmt.Sprintf("%s %q", s.Result, s.EndMessage)
}

// summary describes what the run does.
func (s State) summary() string {
	at := ""
	if s.CurrentStep != "" {
		at = " at " + s.CurrentStep
	}
	switch {
	case s.Result != "":
		return s.ResultText()
	case s.State == Interrupted:
		return "interrupted" + at + ": to continue, use playhead do continue --run " + s.RunID
	case s.RunningStep != "":
		return "running step " + s.RunningStep
	}
	return string(s.State) + at
}

// writeNextDecision writes the outcome of the step after which a run is paused and where it goes next. d may be nil.
func writeNextDecision(w io.Writer, d *machine.Decision) {
	if d == nil {
		return
	}
	if outcome := wording.OutcomeText(d); outcome != "" && d.TakenCandidate() != nil { // else the next line begins with it
		fmt.Fprintf(w, "  outcome: %s\n", outcome)
	}
	fmt.Fprintf(w, "  next: %s\n", strings.TrimSpace(wording.DecisionText(d, "")))
}

func (s State) writeNeed(w io.Writer) {
	n := s.WaitingFor
	switch {
	case n.Kind == machine.KindPause:
		fmt.Fprintf(w, "run %s is %s\n", s.RunID, wording.PauseText(&n.Waiting))
		writeNextDecision(w, n.NextDecision)
	case n.Kind == machine.KindApproveCall, strings.Contains(n.Prompt, "\n"), n.Prompt == n.StepText:
		fmt.Fprintf(w, "run %s waits at %s for %s\n", s.RunID, sanitize.Plain(n.Step), wording.WaitingForText(&n.Waiting))
	default:
		fmt.Fprintf(w, "run %s waits at %s: %s\n", s.RunID, sanitize.Plain(n.Step), sanitize.Plain(n.Prompt))
	}
	if n.StepText != "" {
		for line := range strings.Lines(sanitize.PlainLines(n.StepText)) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, f := range n.Fields {
		fmt.Fprintf(w, "  field %q (%s) %s %s\n", f.Name, f.Type, sanitize.Plain(plan.SourceText(f.Prompt)), sanitize.Plain(strings.Join(f.Options, ", ")))
	}
	if len(n.Options) > 0 && slices.Contains(n.AnswerArguments, "answer VALUE") {
		fmt.Fprintf(w, "  options: %s\n", sanitize.Plain(strings.Join(n.Options, ", ")))
	}
	if n.RequiresTerminal {
		fmt.Fprintf(w, "  only a person at a terminal can answer: playhead attach %s, or playhead resume %s\n", s.RunID, s.RunID)
		return
	}
	for _, a := range n.AnswerArguments {
		fmt.Fprintf(w, "  playhead do %s --run %s\n", sanitize.Plain(a), s.RunID)
	}
}
