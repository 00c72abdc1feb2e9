package mcpserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// tools are all tools, those of the Workflow format first.
var tools = slices.Concat(workflowTools, []tool{
	withArguments(tool{
		name: "list_documents", title: "Documents and open runs", isReadOnly: true,
		about: "List the runbooks, playbooks and workflows that can be run here, and the runs that are not over. Use it when you do not know a path or a run's id.",
	}, (*Server).listAll),
	withArguments(tool{
		name: "check_document", title: "Check a document", isReadOnly: true,
		about: "Report the mistakes in a document, the inputs that it takes, the commands that it would run, and whether a person has trusted those. Use it before start_run, and after you have written a document.",
	}, (*Server).checkDocument),
	withArguments(tool{
		name: "start_run", title: "Start a run",
		about: "Begin a run of a document of any format. Playhead runs its commands, if a person has trusted the document; where it asks a model, you reply. The run goes on until it needs you: the reply says what for.",
	}, (*Server).startRun),
	withArguments(tool{
		name: "run_state", title: "The state of a run", isReadOnly: true,
		about: "Return what a run does, how its steps stand, its variables, and which actions are available now. Use it to get an overview, or when an action was refused.",
	}, (*Server).runState),
	withArguments(tool{
		name: "next_step", title: "What a run needs next", isReadOnly: true,
		about: "Return what the run waits for: the step's text with everything filled in, what is expected, and how to answer with act. It waits a while for a step that still runs. Use it before each act.",
	}, (*Server).nextStep),
	withArguments(tool{
		name: "act", title: "Act on a run",
		about: "Do an action: answer what next_step asks (pass, fail, answer, reply, report), or skip, rerun, jump, set, break, pause, continue, undo, rewind, stop and the others that run_state lists. The reply says what happened and what comes next.",
	}, (*Server).act),
	withArguments(tool{
		name: "explain", title: "Explain a decision", isReadOnly: true,
		about: "Say why the run went where it went: the last decision, or that of a step, with every route that was considered and the values compared. Use it after a failure or a surprising move.",
	}, (*Server).explain),
	withArguments(tool{
		name: "what_if", title: "What if something were different", isReadOnly: true,
		about: "Without name: list what could have been different at the last decision (values, the outcome, the reply). With name and value: say what would be decided then. Nothing happens to the run.",
	}, (*Server).whatIf),
})

type documentArguments struct {
	Document string `json:"document" jsonschema:"the path of the document, from the folder of the server, or example:release for a built-in one"`
}

type startArguments struct {
	documentArguments
	Inputs   map[string]any `json:"inputs,omitempty" jsonschema:"values of the document's inputs, by their names"`
	Prompted bool           `json:"prompted,omitempty" jsonschema:"run no command: the run waits at each, and you say with pass or fail how it went. Needs no trust."`
}

type runArguments struct {
	Run label `json:"run,omitempty" jsonschema:"the id of the run; without one, the run that the last call was about"`
}

type stepArguments struct {
	runArguments
	Step label `json:"step,omitempty" jsonschema:"the label of a step; without one, the last decision of the run"`
}

type whatIfArguments struct {
	stepArguments
	Name  string `json:"name,omitempty" jsonschema:"what could have been different, as the list names it"`
	Value string `json:"value,omitempty" jsonschema:"what it could have been"`
}

type actArguments struct {
	runArguments
	Action    string         `json:"action" jsonschema:"the name of an action"`
	Arguments map[string]any `json:"arguments,omitempty" jsonschema:"its arguments, as next_step and run_state show them"`
	Seq       int            `json:"seq,omitempty" jsonschema:"the seq of a reply: refuse if anything has happened in the run since. Without it, since the last reply about the run."`
}

// openRun is a run that is not over, in a list.
type openRun struct {
	Run      string `json:"run"`
	Document string `json:"document"`
	State    string `json:"state"`
	Step     string `json:"step,omitempty"`
}

func (s *Server) listAll(context.Context, noArguments) (any, error) {
	type document struct {
		Path   string `json:"document"`
		Format string `json:"format"`
	}
	docs, open := []document{}, []openRun{}
	for _, d := range s.documents() {
		docs = append(docs, document{d.Path, d.Format})
	}
	runs, err := journal.Default().List()
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		switch r.Result {
		case "", journal.Running, string(plan.Awaiting):
			if r.Folder == s.cfg.Folder && len(open) < maxRuns {
				open = append(open, openRun{r.Run, r.Path, r.Word(), r.Step})
			}
		}
	}
	return struct {
		Success   bool       `json:"success"`
		Folder    string     `json:"folder"`
		Documents []document `json:"documents"`
		Runs      []openRun  `json:"open_runs"`
	}{true, s.cfg.Folder, docs, open}, nil
}

// maxRuns is how many runs a list has at most.
const maxRuns = 50

func (s *Server) checkDocument(_ context.Context, a documentArguments) (any, error) {
	p, err := s.load(a.Document)
	if err != nil {
		return nil, err
	}
	type input struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Values      string `json:"values,omitempty"`
		Default     string `json:"default,omitempty"`
		Required    bool   `json:"required"`
	}
	reply := struct {
		Success     bool              `json:"success"`
		Path        string            `json:"document"`
		Format      string            `json:"format"`
		Title       string            `json:"title,omitempty"`
		Valid       bool              `json:"valid"`
		Diagnostics []plan.Diagnostic `json:"diagnostics"`
		Inputs      []input           `json:"inputs"`
		Commands    []string          `json:"commands"`
		Trusted     bool              `json:"trusted"`
		Note        string            `json:"note,omitempty"`
	}{true, p.Path, p.Format, p.Title, p.Runnable(), slices.Concat([]plan.Diagnostic{}, p.Diagnostics), []input{}, []string{}, true, ""}
	for _, in := range p.Inputs {
		reply.Inputs = append(reply.Inputs, input{in.Name, in.Description, wording.InputKind(in), in.Default, in.Required})
	}
	commands := setup.Commands{Plan: p}
	for _, c := range commands.All() {
		reply.Commands = append(reply.Commands, fmt.Sprintf("%s:%d: %s", c.Document, c.Line, c.Text))
	}
	if reply.Trusted, err = commands.IsTrusted(); err != nil {
		return nil, err
	}
	if !reply.Trusted {
		reply.Note = "A person has to trust this document on Playhead's own terminal before its commands run: start_run says how."
	}
	return reply, nil
}

func (s *Server) startRun(ctx context.Context, a startArguments) (any, error) {
	path, err := s.resolvePath(a.Document)
	if err != nil {
		return nil, err
	}
	l, err := s.start(path, a.Inputs, a.Prompted)
	if err != nil {
		return nil, err
	}
	s.last = l
	st, err := s.waitUntilIdle(ctx, l)
	if err != nil {
		return nil, err
	}
	r := s.reply(l, st, 0)
	r.Note = strings.Join(append(l.notes, fmt.Sprintf("A person can follow with: playhead watch %s", l.id())), ". ")
	return r, nil
}

// runReply is what a run has done and needs.
type runReply struct {
	Success   bool           `json:"success"`
	Run       string         `json:"run"`
	Document  string         `json:"document"`
	Seq       int            `json:"seq"`
	State     engine.State   `json:"state"`
	Step      string         `json:"step,omitempty"`
	Result    plan.RunResult `json:"result,omitempty"`
	Message   string         `json:"message,omitempty"`
	Waiting   *need          `json:"waiting,omitempty"`
	Happened  []string       `json:"happened,omitempty"`
	StaysDone []string       `json:"stays_done,omitempty"` // commands and calls that a rewind does not undo
	Moved     []string       `json:"moved,omitempty"`      // what others did since the last reply about the run
	Note      string         `json:"note,omitempty"`

	Steps       []stepState       `json:"steps,omitempty"`
	Variables   map[string]any    `json:"variables,omitempty"`
	Actions     []action          `json:"actions,omitempty"`
	Unavailable map[string]string `json:"unavailable,omitempty"` // actions, and why they cannot be done now
}

// need is what a run waits for.
type need struct {
	Step    string        `json:"step"`
	Attempt int           `json:"attempt"`
	Kind    string        `json:"kind"`
	Prompt  string        `json:"prompt,omitempty"`
	Text    string        `json:"text,omitempty"`
	Expects string        `json:"expects"`
	Options []string      `json:"options,omitempty"`
	Fields  []plan.Field  `json:"fields,omitempty"`
	Choices []plan.Choice `json:"choices,omitempty"`
	Answers []answer      `json:"answers,omitempty"`
}

// answer is a call of act.
type answer struct {
	Action    string         `json:"action"`
	Arguments map[string]any `json:"arguments,omitempty"`
}

// action is an action that can be done now.
type action struct {
	Name      string   `json:"action"`
	Help      string   `json:"help"`
	Arguments []string `json:"arguments,omitempty"`
}

// stepState is how a step stands.
type stepState struct {
	Label   string `json:"step"`
	Title   string `json:"title,omitempty"`
	Status  string `json:"status"`
	Attempt int    `json:"attempt,omitempty"`
}

// reply returns what the run has done since an event and what it needs, and records that the agent has seen
// it.
func (s *Server) reply(l *link, st drive.State, since int) *runReply {
	r := &runReply{
		Success: true, Run: l.id(), Document: st.Path, Seq: st.Seq, State: st.State, Step: st.Step, Result: st.Result, Message: st.Text,
		Moved: l.changesByOthers(s.self()), Happened: l.describeEventsSince(since),
	}
	switch {
	case st.Untrusted:
		r.Waiting = &need{Step: st.Step, Kind: "trust", Expects: trustFirst(st)}
	case st.Need != nil:
		r.Waiting = needOf(st)
	}
	switch {
	case st.State == engine.Running:
		r.Note = "The run is still busy with step " + cmp.Or(st.Running, st.Step) + ". Call next_step to wait for it."
	case st.Error != "":
		r.Note = st.Error
	}
	l.lastSeen = st.Seq
	return r
}

// needOf returns what a run waits for, and how to answer.
func needOf(st drive.State) *need {
	n := st.Need
	out := &need{
		Step: n.Step, Attempt: n.Attempt, Kind: n.Kind, Prompt: n.Prompt, Text: n.Text,
		Options: n.Options, Fields: n.Fields, Choices: n.Choices, Expects: expected(st),
	}
	if out.Text == out.Prompt {
		out.Prompt = ""
	}
	for _, text := range n.Answers {
		out.Answers = append(out.Answers, answerOf(text, n.Fields))
	}
	return out
}

// expected tells an agent what to do about what a run waits for.
func expected(st drive.State) string {
	n := st.Need
	switch n.Kind {
	case machine.KindApproveCall:
		return "Only a person at Playhead's own terminal can allow this tool call: playhead attach " + st.Run + ". Ask them, then call next_step."
	case machine.KindBreak:
		return "The run is paused. Use continue to go on, or over to run one step."
	case machine.KindResume:
		return "This was interrupted. Find out what it has done, then use rerun, pass or fail."
	case machine.KindAcceptOutcome:
		return "The step did not pass by itself. Use pass to accept it, or fail."
	case machine.KindAsk:
		return "Give " + wording.WaitingFor(&n.Waiting) + "."
	case machine.KindReply:
		if len(n.Fields) > 0 {
			return "Do what the text says, then report how it went."
		}
		return "Do what the text says, and reply with the result alone."
	}
	return "Do or judge what the text says, then use " + machine.OneOf(n.Answers) + "."
}

// trustFirst explains to an agent how a person trusts the document of a run that waits for that.
func trustFirst(st drive.State) string {
	return "This document runs commands, and no person has trusted it. Ask the person to read them and answer yes on a terminal: playhead attach " +
		st.Run + ". Then call next_step. You cannot do that for them."
}

// untrusted returns the refusal while a run waits until a person trusts its document.
func (l *link) untrusted(st drive.State) error {
	f := fail(notTrusted, "nothing was done: the run waits until a person trusts "+st.Path, trustFirst(st))
	f.Run = l.id()
	return f
}

// answerOf returns an answer of a Need as a call of act.
func answerOf(text string, fields []plan.Field) answer {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "report":
		return answer{word, map[string]any{"report": map[string]any{"status": "passed or failed"}}}
	case word == "reply":
		return answer{word, map[string]any{"text": "…"}}
	case word == "answer" && len(fields) > 1:
		values := make([]string, len(fields))
		for i, f := range fields {
			values[i] = "value of " + f.Name
		}
		return answer{word, map[string]any{"fields": values}}
	case word == "answer":
		return answer{word, map[string]any{"value": rest}}
	}
	return answer{Action: text}
}

// Limits of a reply.
const (
	maxEvents = 60
	maxOutput = 2000 // characters of what a command printed last
	maxSteps  = 200
)

// describeEventsSince describes what has happened since an event.
func (l *link) describeEventsSince(since int) (out []string) {
	events := l.eventsSince(since)
	if since == 0 || len(events) == 0 {
		return nil
	}
	if over := len(events) - maxEvents; over > 0 {
		out = append(out, fmt.Sprintf("… %s before", wording.Count(over, "event")))
		events = events[over:]
	}
	for _, e := range events {
		if _, called := e.Body.(*machine.Called); called {
			continue
		}
		text := strings.TrimSpace(e.Step + " " + track.Describe(e))
		if b, ended := e.Body.(*machine.ActionFinished); ended && b.Output != "" {
			printed := []rune(strings.TrimSpace(b.Output))
			if over := len(printed) - maxOutput; over > 0 {
				printed = append([]rune("…"), printed[over:]...)
			}
			text += "\n" + string(printed)
		}
		out = append(out, text)
	}
	return out
}

// changesByOthers describes what others did since the agent's last reply about the run.
func (l *link) changesByOthers(self string) (out []string) {
	if l.lastSeen == 0 {
		return nil
	}
	for _, e := range l.eventsSince(l.lastSeen) {
		if e.By == machine.ByPerson && e.Client != self {
			out = append(out, strings.TrimSpace(cmp.Or(e.Client, "a person at the run's own screen")+": "+strings.TrimSpace(stepText(e)+track.Describe(e))))
		}
	}
	return out
}

func stepText(e machine.Event) string {
	if e.Step == "" {
		return ""
	}
	return "step " + e.Step + " "
}

func (s *Server) runState(_ context.Context, a runArguments) (any, error) {
	l, err := s.open(string(a.Run))
	if err != nil {
		return nil, err
	}
	st, err := s.currentState(l)
	if err != nil {
		return nil, err
	}
	r := s.reply(l, st, 0)
	run := l.controlRun(st)
	for _, row := range steps(run) {
		if len(r.Steps) == maxSteps {
			r.Note = strings.TrimSpace(r.Note + fmt.Sprintf(" Only the first %d steps are listed.", maxSteps))
			break
		}
		r.Steps = append(r.Steps, stepState{row.Label, row.Title, row.Status.String(), row.Attempt})
	}
	r.Variables = map[string]any{}
	for _, v := range run.Track.Vars {
		r.Variables[v.Name] = v.Value
	}
	var all []drive.Action
	if err := l.client.Call("actions", nil, &all); err != nil {
		return nil, err
	}
	r.Unavailable = map[string]string{}
	for _, a := range all {
		if a.Available {
			r.Actions = append(r.Actions, action{a.Name, a.Help, a.Arguments})
		} else {
			r.Unavailable[a.Name] = a.Reason
		}
	}
	return r, nil
}

func (s *Server) nextStep(ctx context.Context, a runArguments) (any, error) {
	l, err := s.open(string(a.Run))
	if err != nil {
		return nil, err
	}
	st, err := s.waitUntilIdle(ctx, l)
	switch {
	case err != nil:
		return nil, err
	case s.isPausedByOthers(l, st):
		return nil, l.pausedError(st)
	}
	return s.reply(l, st, l.lastSeen), nil
}

func (s *Server) act(ctx context.Context, a actArguments) (any, error) {
	action := control.Resolve(a.Action)
	if action == nil {
		return nil, fail(validation, fmt.Sprintf("there is no action %q", a.Action), "Call run_state: it lists the actions.")
	}
	s.tool += " " + a.Action
	l, err := s.open(string(a.Run))
	if err != nil {
		return nil, err
	}
	st, err := s.waitUntilFree(ctx, l)
	if err != nil {
		return nil, err
	}
	if others := l.changesByOthers(s.self()); len(others) > 0 {
		f := fail(moved, "nothing was done, because others have acted on the run: "+strings.Join(others, "; "), "Call next_step to see how the run stands now.")
		f.Run, f.Moved, l.lastSeen = l.id(), others, st.Seq
		return nil, f
	}
	if st.Untrusted && !action.AnyTime {
		return nil, l.untrusted(st)
	}
	before := st.Seq
	if a.Seq != 0 {
		st.Seq = a.Seq
	}
	var arguments any
	if a.Arguments != nil {
		arguments = a.Arguments
	}
	done, err := l.act(st, a.Action, arguments)
	if err != nil {
		return nil, err
	}
	if st, err = s.waitUntilIdle(ctx, l); err != nil {
		return nil, err
	}
	r := s.reply(l, st, before)
	r.StaysDone = done.StaysDone
	return r, nil
}

// waitUntilFree returns what the run does once nobody else pauses it. A run that is busy can be acted on.
func (s *Server) waitUntilFree(ctx context.Context, l *link) (drive.State, error) {
	st, err := s.currentState(l)
	if err != nil || !s.isPausedByOthers(l, st) {
		return st, err
	}
	if st, err = s.waitUntilIdle(ctx, l); err == nil && s.isPausedByOthers(l, st) {
		err = l.pausedError(st)
	}
	return st, err
}

// currentState returns what the run does at the moment.
func (s *Server) currentState(l *link) (drive.State, error) {
	st, err := l.client.State()
	if err != nil {
		return st, err
	}
	return st, l.catchUp(context.Background(), st)
}

// encode writes arguments as JSON; nil are none.
func encode(arguments any) (json.RawMessage, error) {
	if arguments == nil {
		return nil, nil
	}
	data, err := json.Marshal(arguments)
	return bytes.TrimSpace(data), err
}
