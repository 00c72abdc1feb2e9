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
	"playhead/parse/plan"
)

// State is what a run does at the moment, and what it needs (docs/protocol.md).
type State struct {
	Run    string         `json:"run"`
	Path   string         `json:"path,omitempty"`
	Format string         `json:"format,omitempty"`
	Title  string         `json:"title,omitempty"`
	Seq    int            `json:"seq"`   // the number of the last event
	State  engine.State   `json:"state"` // or Interrupted
	Live   bool           `json:"live"`  // a process drives the run
	Step   string         `json:"step,omitempty"`
	Result plan.RunResult `json:"result,omitempty"` // of a run that is over
	Text   string         `json:"message,omitempty"`
	Need   *Need          `json:"waiting,omitempty"` // what a run that is paused or waits needs

	Running    string   `json:"running,omitempty"` // the label of the step whose command or call is running
	Log        string   `json:"log,omitempty"`     // the name of the log of Running
	Breaks     []string `json:"breakpoints,omitempty"`
	Source     string   `json:"source,omitempty"`     // the current reply source
	Controller string   `json:"controller,omitempty"` // the client whose screen controls the run
	PausedBy   string   `json:"paused_by,omitempty"`  // the client that had the run pause, now or before the next step
	Untrusted  bool     `json:"untrusted,omitempty"`  // a person has to trust the document before the run continues
	Error      string   `json:"error,omitempty"`      // why the run cannot continue

	Screen *Screen `json:"screen,omitempty"`
}

// Interrupted is the state of a run that no process drives and that was not left waiting.
const Interrupted engine.State = "interrupted"

// Need is what a run needs from a person.
type Need struct {
	machine.Waiting
	Fields   []plan.Field  `json:"fields,omitempty"`  // of an answer or a report with several values
	Choices  []plan.Choice `json:"choices,omitempty"` // the replies that the step understands
	Answers  []string      `json:"answers,omitempty"` // the possible answers, as arguments of `playhead do`
	Terminal bool          `json:"terminal"`          // only a person at a terminal can give it
}

// Screen is further state for Playhead's own screens. Other programs should not rely on it.
type Screen struct {
	Next            *machine.Event    `json:"next,omitempty"`
	Break           string            `json:"break,omitempty"`
	Question        *machine.Question `json:"question,omitempty"`
	Tool            *tools.Tool       `json:"tool,omitempty"`
	PendingValues   []plan.Assignment `json:"pending_values,omitempty"`
	Notice          *model.Notice     `json:"notice,omitempty"`
	ReasoningWords  int               `json:"reasoning_words,omitempty"`
	NextReplyManual bool              `json:"next_reply_manual,omitempty"`
	Hits            map[string]int    `json:"hits,omitempty"`
}

// stateOf returns the state of a run.
func stateOf(t *track.Track, seq int, st engine.Status) State {
	s := State{
		Run: t.Run, Path: t.Plan.Path, Format: t.Plan.Format, Title: t.Plan.Title, Seq: seq, State: st.State, Live: true,
		Running: st.Running, Log: st.Log, Source: st.Source, Controller: st.Controller, PausedBy: st.PausedBy,
		Screen: &Screen{
			Next: st.NextEvent, Break: st.Break, Question: st.Question, Tool: st.Tool, PendingValues: st.PendingValues,
			Notice: st.Notice, ReasoningWords: st.ReasoningWords, NextReplyManual: st.NextReplyManual, Hits: st.Hits,
		},
	}
	for _, b := range st.Breaks {
		s.Breaks = append(s.Breaks, b.String())
	}
	if st.Err != nil {
		s.Error = st.Err.Error()
	}
	if t.Current != nil {
		s.Step = t.Current.Label
	}
	s.setEnd(t.Finished)
	if st.Need != nil && (st.State == engine.Paused || st.State == engine.Waits) {
		s.setNeed(st.Need, st.Question)
	}
	return s
}

func (s *State) setEnd(end *machine.Finished) {
	if end != nil && (end.Result.Over() || s.State == engine.Over && end.Result == plan.Cancelled) {
		s.State, s.Result, s.Text = cmp.Or(s.State, engine.Over), end.Result, end.Message
	}
}

func (s *State) setNeed(w *machine.Waiting, q *machine.Question) {
	s.Step = w.Step
	s.Need = &Need{Waiting: *w, Answers: []string{"continue", "over"}}
	if q == nil {
		return
	}
	s.Need.Fields, s.Need.Choices, s.Need.Terminal = q.Fields, q.Choices, q.Kind == machine.KindApproveCall
	if q.Field != nil && len(q.Fields) == 0 {
		s.Need.Fields = []plan.Field{*q.Field}
	}
	s.Need.Answers = answers(q)
}

// answers returns the ways to answer a question.
func answers(q *machine.Question) []string {
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

// Recorded returns the state of a run that no process drives.
func Recorded(p *plan.Plan, h journal.History) State {
	t := track.New(p)
	chain := machine.Chain(h.Events)
	t.Fold(chain...)
	s := State{Run: h.ID(), Path: p.Path, Format: p.Format, Title: p.Title, Seq: len(h.Events)}
	if t.Current != nil {
		s.Step = t.Current.Label
	}
	s.setEnd(t.Finished)
	if s.State == "" {
		s.State = Interrupted
	}
	if len(chain) == 0 {
		return s
	}
	end, ended := chain[len(chain)-1].Body.(*machine.Finished)
	switch {
	case ended && end.Waiting != nil && end.Waiting.Kind == machine.KindBreak:
		s.State = engine.Paused
		s.setNeed(end.Waiting, nil)
	case ended && end.Waiting != nil:
		s.State = engine.Waits
		s.setNeed(end.Waiting, questionAt(fold(p, chain[:len(chain)-1]), end.Waiting))
	case !ended:
		if m := fold(p, chain); m != nil && m.Waiting() != nil { // its process was killed there
			s.State = engine.Waits
			s.setNeed(m.Waiting(), m.Next().Question)
		}
	}
	return s
}

// fold returns the machine after the events, nil if they do not fit the plan.
func fold(p *plan.Plan, chain []machine.Event) *machine.Machine {
	if len(chain) == 0 {
		return nil
	}
	started, ok := chain[0].Body.(*machine.Started)
	if !ok {
		return nil
	}
	m := machine.New(p, started.Options)
	for _, e := range chain {
		if m.Apply(e) != nil {
			return nil
		}
	}
	return m
}

// questionAt returns the question at which a run was left, as far as its events contain it.
func questionAt(m *machine.Machine, w *machine.Waiting) *machine.Question {
	q := &machine.Question{Kind: w.Kind, Options: w.Options, Tool: w.Tool}
	if m == nil {
		return q
	}
	next := m.Next()
	if call, is := next.Effect.(*machine.CallModel); is {
		q.ManualReply = call.ManualReply
	} else if next.Question != nil {
		return next.Question
	}
	return q
}

// Status returns the state as a session's Status.
func (s *State) Status() engine.Status {
	st := engine.Status{
		State: s.State, Running: s.Running, Log: s.Log, Source: s.Source, Controller: s.Controller, PausedBy: s.PausedBy, Breaks: []engine.Breakpoint{},
	}
	for _, text := range s.Breaks {
		if b, err := engine.ParseBreakpoint(text); err == nil {
			st.Breaks = append(st.Breaks, b)
		}
	}
	if s.Error != "" {
		st.Err = errors.New(s.Error)
	}
	if s.Need != nil {
		st.Need = &s.Need.Waiting
	}
	if v := s.Screen; v != nil {
		st.NextEvent, st.Break, st.Question, st.Tool, st.PendingValues = v.Next, v.Break, v.Question, v.Tool, v.PendingValues
		st.Notice, st.ReasoningWords, st.NextReplyManual, st.Hits = v.Notice, v.ReasoningWords, v.NextReplyManual, v.Hits
	}
	if st.Notice != nil {
		st.Notice.Skip = func() {} // the process that drives the run can skip it
	}
	return st
}

// IsIdle reports whether the run does nothing until somebody acts on it.
func (s *State) IsIdle() bool { return s.State != engine.Running }

// WriteText writes what the run needs from a person. It writes what the run does only if it needs
// nothing, or if that was asked.
func (s State) WriteText(w io.Writer, asked bool) {
	if asked || s.Need == nil {
		fmt.Fprintf(w, "run %s: %s\n", s.Run, sanitize.Plain(s.line()))
	}
	if s.Need != nil {
		s.writeNeed(w)
	}
}

// line describes what the run does.
func (s State) line() string {
	at := ""
	if s.Step != "" {
		at = " at " + s.Step
	}
	switch {
	case s.Result != "" && s.Text != "":
		return fmt.Sprintf("%s %q", s.Result, s.Text)
	case s.Result != "":
		return string(s.Result)
	case s.State == Interrupted:
		return "interrupted" + at + ". Use playhead do continue --run " + s.Run + " to continue"
	case s.Running != "":
		return "running step " + s.Running
	}
	return string(s.State) + at
}

func (s State) writeNeed(w io.Writer) {
	n := s.Need
	what := n.Prompt
	if strings.Contains(what, "\n") || what == n.Text {
		what = n.Kind
	}
	fmt.Fprintf(w, "run %s waits at %s: %s\n", s.Run, sanitize.Plain(n.Step), sanitize.Plain(what))
	if n.Text != "" {
		for line := range strings.Lines(sanitize.Text(n.Text)) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, f := range n.Fields {
		fmt.Fprintf(w, "  field %q (%s) %s %s\n", f.Name, f.Type, sanitize.Plain(plan.Source(f.Prompt)), sanitize.Plain(strings.Join(f.Options, ", ")))
	}
	if len(n.Options) > 0 && slices.Contains(n.Answers, "answer VALUE") {
		fmt.Fprintf(w, "  options: %s\n", sanitize.Plain(strings.Join(n.Options, ", ")))
	}
	if n.Terminal {
		fmt.Fprintf(w, "  only a person at a terminal can answer: playhead attach %s, or playhead resume %s\n", s.Run, s.Run)
		return
	}
	for _, a := range n.Answers {
		fmt.Fprintf(w, "  playhead do %s\n", sanitize.Plain(a))
	}
}
