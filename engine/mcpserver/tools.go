package mcpserver

import (
	"cmp"
	"context"
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

// allTools are all tools, those of the Workflow format first.
var allTools = slices.Concat(workflowTools, []serverTool{
	toolWithArguments(serverTool{
		name: "list_documents", title: "Documents and unfinished runs", isReadOnly: true,
		description: "List the runbooks, playbooks and workflows that can be run here, and the unfinished runs. Use it when you do not know a path or a run's id.",
	}, (*Server).listDocuments),
	toolWithArguments(serverTool{
		name: "check_document", title: "Check a document", isReadOnly: true,
		description: "Report the mistakes in a document, the inputs that it takes, the commands that it would run, and whether a person has trusted the document. Use this tool before start_run, and after you have written a document.",
	}, (*Server).checkDocument),
	toolWithArguments(serverTool{
		name: "start_run", title: "Start a run",
		description: "Begin a run of a document of any format. Playhead runs its commands, if a person has trusted the document; where it asks a model, you reply. The run continues until it needs you: the result of this call says what it needs.",
	}, (*Server).startRun),
	toolWithArguments(serverTool{
		name: "run_state", title: "The state of a run", isReadOnly: true,
		description: "Return the state of a run and of its steps, its variables, and the actions that are available now. Use it to get an overview, or when an action was refused.",
	}, (*Server).runState),
	toolWithArguments(serverTool{
		name: "next_step", title: "What a run needs next", isReadOnly: true,
		description: "Return what the run waits for: the step's text with everything filled in, what is expected, and how to answer with act. This call waits a while for a step that is still running. Use it before each act.",
	}, (*Server).nextStep),
	toolWithArguments(serverTool{
		name: "act", title: "Act on a run",
		description: "Perform an action: answer what next_step asks (pass, fail, answer, reply, report), or use skip, rerun, jump, set, break, pause, continue, undo, rewind, stop or another action that run_state lists. The result of this call says what happened and what comes next.",
	}, (*Server).act),
	toolWithArguments(serverTool{
		name: "explain", title: "Explain a decision", isReadOnly: true,
		description: "Explain the last decision, or the last decision of a step: why the run went where it went, with every route that was considered and the values that were compared. Use it after a failure or a surprising decision.",
	}, (*Server).explainDecision),
	toolWithArguments(serverTool{
		name: "what_if", title: "What if something were different", isReadOnly: true,
		description: "Without `name`: list what you can change (values, the outcome, the reply) at the decision that waits for an answer. If none waits, list what you can change at the last decision. With `name` and `value`: say what would be decided with that change. The run does not change.",
	}, (*Server).whatIf),
})

type documentArguments struct {
	Document string `json:"document" jsonschema:"the path of the document, from the folder of the server, or example:release for a built-in one"`
}

type startArguments struct {
	documentArguments
	Inputs   map[string]any `json:"inputs,omitempty" jsonschema:"the values of the document's inputs, by name"`
	Prompted bool           `json:"prompted,omitempty" jsonschema:"do not execute commands: the run waits at each one, and you report pass or fail. Needs no trust."`
}

type runArguments struct {
	Run stringOrNumber `json:"run,omitempty" jsonschema:"the id of the run; without one, the run that the last call was about"`
}

type stepArguments struct {
	runArguments
	Step stringOrNumber `json:"step,omitempty" jsonschema:"the label of a step; without one, the last decision of the run"`
}

type whatIfArguments struct {
	stepArguments
	Name  string `json:"name,omitempty" jsonschema:"the name of what to change, as listed by what_if"`
	Value string `json:"value,omitempty" jsonschema:"the value to try"`
}

type actArguments struct {
	runArguments
	Action    string         `json:"action" jsonschema:"the name of an action"`
	Arguments map[string]any `json:"arguments,omitempty" jsonschema:"its arguments, as next_step and run_state show them"`
	Seq       int            `json:"seq,omitempty" jsonschema:"the seq of an earlier response (default: the last one): the action is refused if the run has newer events"`
}

// unfinishedRun is a run that is not over, in a list.
type unfinishedRun struct {
	RunID    string `json:"run"`
	Document string `json:"document"`
	State    string `json:"state"`
	Step     string `json:"step,omitempty"`
}

func (s *Server) listDocuments(context.Context, noArguments) (any, error) {
	type document struct {
		Path   string `json:"document"`
		Format string `json:"format"`
	}
	docs, unfinished := []document{}, []unfinishedRun{}
	for _, d := range s.folderDocuments() {
		docs = append(docs, document{d.Path, d.Format})
	}
	runs, err := journal.DefaultStore().List()
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		switch r.Result {
		case "", journal.Running, string(plan.Awaiting):
			if r.StartFolder == s.config.Folder && len(unfinished) < maxListedRuns {
				unfinished = append(unfinished, unfinishedRun{r.Run, r.Path, r.ResultWord(), r.Step})
			}
		}
	}
	return struct {
		Success   bool            `json:"success"`
		Folder    string          `json:"folder"`
		Documents []document      `json:"documents"`
		Runs      []unfinishedRun `json:"open_runs"`
	}{true, s.config.Folder, docs, unfinished}, nil
}

// maxListedRuns is how many runs a list has at most.
const maxListedRuns = 50

func (s *Server) checkDocument(_ context.Context, a documentArguments) (any, error) {
	p, err := s.loadDocument(a.Document)
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
		reply.Inputs = append(reply.Inputs, input{in.Name, in.Description, wording.AcceptedValues(in), in.Default, in.Required})
	}
	commands := setup.Commands{Plan: p}
	for _, c := range commands.All() {
		reply.Commands = append(reply.Commands, fmt.Sprintf("%s:%d: %s", c.File, c.Line, c.Text))
	}
	if reply.Trusted, err = commands.IsTrusted(); err != nil {
		return nil, err
	}
	if !reply.Trusted {
		reply.Note = "A person has to trust this document at a terminal before its commands run: start_run says how."
	}
	return reply, nil
}

func (s *Server) startRun(ctx context.Context, a startArguments) (any, error) {
	path, err := s.resolvePath(a.Document)
	if err != nil {
		return nil, err
	}
	l, err := s.startOwnRun(path, "", a.Inputs, a.Prompted)
	if err != nil {
		return nil, err
	}
	s.lastLink = l
	st, err := s.waitUntilIdle(ctx, l)
	if err != nil {
		return nil, err
	}
	r := s.replyAndMarkSeen(l, st, 0)
	r.Note = strings.Join(append(l.personNotes, fmt.Sprintf("A person can follow the run with: playhead watch %s", l.runID())), ". ")
	return r, nil
}

// runReply is what a run has done and needs.
type runReply struct {
	Success          bool           `json:"success"`
	RunID            string         `json:"run"`
	Document         string         `json:"document"`
	LastSeq          int            `json:"seq"`
	State            engine.State   `json:"state"`
	Step             string         `json:"step,omitempty"`
	Result           plan.RunResult `json:"result,omitempty"`
	Message          string         `json:"message,omitempty"`
	WaitingFor       *neededAnswer  `json:"waiting,omitempty"`
	EventTexts       []string       `json:"happened,omitempty"`
	Effect           string         `json:"effect,omitempty"`     // what the screen would ask a person to confirm before an action
	EffectsNotUndone []string       `json:"stays_done,omitempty"` // commands and calls that a rewind does not undo
	ChangesByOthers  []string       `json:"moved,omitempty"`      // what others did since the last reply about the run
	Note             string         `json:"note,omitempty"`

	Steps              []stepState       `json:"steps,omitempty"`
	Variables          map[string]any    `json:"variables,omitempty"`
	Actions            []availableAction `json:"actions,omitempty"`
	UnavailableReasons map[string]string `json:"unavailable,omitempty"` // actions, and why they cannot be done now
}

// neededAnswer is what a run waits for.
type neededAnswer struct {
	Step          string             `json:"step"`
	Attempt       int                `json:"attempt"`
	Kind          string             `json:"kind"`
	Prompt        string             `json:"prompt,omitempty"`
	Text          string             `json:"text,omitempty"`
	Instruction   string             `json:"expects"`
	Options       []string           `json:"options,omitempty"`
	Fields        []plan.Field       `json:"fields,omitempty"`
	Choices       []plan.ReplyChoice `json:"choices,omitempty"`
	PossibleCalls []actCall          `json:"answers,omitempty"`
}

// actCall is a call of act.
type actCall struct {
	Action    string         `json:"action"`
	Arguments map[string]any `json:"arguments,omitempty"`
}

// availableAction is an action that can be done now.
type availableAction struct {
	Name         string   `json:"action"`
	Help         string   `json:"help"`
	ArgumentKeys []string `json:"arguments,omitempty"`
}

// stepState is one step in the reply of run_state.
type stepState struct {
	Label   string `json:"step"`
	Title   string `json:"title,omitempty"`
	Status  string `json:"status"`
	Attempt int    `json:"attempt,omitempty"`
}

// replyAndMarkSeen returns what the run has done since an event (a sequence number; 0: leave that out) and what it
// needs, and records that the agent has seen it.
func (s *Server) replyAndMarkSeen(l *runLink, st drive.State, since int) *runReply {
	r := &runReply{
		Success: true, RunID: l.runID(), Document: st.DocumentPath, LastSeq: st.LastSeq, State: st.State, Step: st.CurrentStep, Result: st.Result, Message: st.EndMessage,
		ChangesByOthers: l.changesByOthers(s.nameInEvents()), EventTexts: l.describeEventsSince(since),
	}
	switch {
	case st.NeedsTrust:
		r.WaitingFor = &neededAnswer{Step: st.CurrentStep, Kind: "trust", Instruction: trustInstruction(st)}
	case st.WaitingFor != nil:
		r.WaitingFor = newNeededAnswer(st)
	}
	switch {
	case st.State == engine.Running:
		r.Note = "Step " + cmp.Or(st.RunningStep, st.CurrentStep) + " is still running. Call next_step to wait for it."
	case st.Error != "":
		r.Note = st.Error
	}
	l.lastSeenSeq = st.LastSeq
	return r
}

// newNeededAnswer returns what a run waits for, and how to answer.
func newNeededAnswer(st drive.State) *neededAnswer {
	n := st.WaitingFor
	out := &neededAnswer{
		Step: n.Step, Attempt: n.Attempt, Kind: n.Kind, Prompt: n.Prompt, Text: n.StepText,
		Options: n.Options, Fields: n.Fields, Choices: n.Choices, Instruction: instructionFor(st),
	}
	if out.Text == out.Prompt {
		out.Prompt = ""
	}
	for _, text := range n.AnswerArguments {
		out.PossibleCalls = append(out.PossibleCalls, newActCall(text, n.Fields))
	}
	return out
}

// instructionFor returns what an agent should do about the state that a run waits in.
func instructionFor(st drive.State) string {
	n := st.WaitingFor
	switch n.Kind {
	case machine.KindApproveCall:
		return "Only a person at a terminal can allow this tool call, with playhead attach " + st.RunID + ". Ask them, then call next_step."
	case machine.KindPause:
		return "The run is paused. Use the action \"continue\" to go on, or \"over\" to run one step."
	case machine.KindResume:
		return "The step did not finish. Find out what it has done, if anything, then use rerun, pass or fail."
	case machine.KindAcceptOutcome:
		return "The step did not pass on its own. Use \"pass\" to accept it anyway, or \"fail\" to reject it."
	case machine.KindAsk:
		return "Give " + wording.WaitingForText(&n.Waiting) + "."
	case machine.KindReply:
		if len(n.Fields) > 0 {
			return "Do what the text says, then report how it went."
		}
		return "Do what the text says, and reply with the result alone."
	}
	return "Do or judge what the text says, then use " + machine.AlternativesText(n.AnswerArguments) + "."
}

// trustInstruction explains to an agent how a person trusts the document of a run that waits for that.
func trustInstruction(st drive.State) string {
	return "This document runs commands, and no person has trusted it. Ask the person to run playhead attach " + st.RunID +
		" at a terminal, read the commands and answer yes. You cannot do that for them. Then call next_step."
}

// untrustedError returns the refusal while a run waits until a person trusts its document.
func (l *runLink) untrustedError(st drive.State) error {
	f := newFailure(failureNotTrusted, "the run waits until a person trusts "+st.DocumentPath, trustInstruction(st))
	f.RunID = l.runID()
	return f
}

// newActCall returns a possible answer as a call of act.
func newActCall(text string, fields []plan.Field) actCall {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "report":
		return actCall{word, map[string]any{"report": map[string]any{"status": "passed or failed"}}}
	case word == "reply":
		return actCall{word, map[string]any{"text": "…"}}
	case word == "answer" && len(fields) > 1:
		values := make([]string, len(fields))
		for i, f := range fields {
			values[i] = "value of " + f.Name
		}
		return actCall{word, map[string]any{"fields": values}}
	case word == "answer":
		return actCall{word, map[string]any{"value": rest}}
	}
	return actCall{Action: text}
}

// Limits of a reply.
const (
	maxListedEvents = 60
	maxOutputChars  = 2000 // characters of what a command printed last
	maxListedSteps  = 200
)

// describeEventsSince describes each event after the one with a sequence number, the newest maxListedEvents at
// most. For 0 it returns nil.
func (l *runLink) describeEventsSince(since int) (out []string) {
	events := l.eventsSince(since)
	if since == 0 || len(events) == 0 {
		return nil
	}
	if over := len(events) - maxListedEvents; over > 0 {
		out = append(out, "… "+plan.CountText(over, "earlier event"))
		events = events[over:]
	}
	for _, e := range events {
		if _, called := e.Body.(*machine.PlayheadToolCalled); called {
			continue
		}
		text := strings.TrimSpace(e.Step + " " + track.DescribeEvent(e))
		if b, ended := e.Body.(*machine.ActionFinished); ended && b.Output != "" {
			printed := []rune(strings.TrimSpace(b.Output))
			if over := len(printed) - maxOutputChars; over > 0 {
				printed = append([]rune("…"), printed[over:]...)
			}
			text += "\n" + string(printed)
		}
		out = append(out, text)
	}
	return out
}

// personAtOwnScreen stands for the client that has no name.
const personAtOwnScreen = "a person at " + engine.OwnScreen

// changesByOthers describes what persons and other programs did since the agent's last reply about the run. self
// is this server's name in events.
func (l *runLink) changesByOthers(self string) (out []string) {
	if l.lastSeenSeq == 0 {
		return nil
	}
	for _, e := range l.eventsSince(l.lastSeenSeq) {
		if e.By == machine.ByPerson && e.Client != self {
			out = append(out, strings.TrimSpace(cmp.Or(e.Client, personAtOwnScreen)+": "+strings.TrimSpace(stepPrefix(e)+track.DescribeEvent(e))))
		}
	}
	return out
}

func stepPrefix(e machine.Event) string {
	if e.Step == "" {
		return ""
	}
	return "step " + e.Step + " "
}

func (s *Server) runState(_ context.Context, a runArguments) (any, error) {
	l, err := s.openLink(string(a.Run))
	if err != nil {
		return nil, err
	}
	st, err := s.currentState(l)
	if err != nil {
		return nil, err
	}
	r := s.replyAndMarkSeen(l, st, 0)
	run := l.runView(st)
	for _, row := range executableRows(run) {
		if len(r.Steps) == maxListedSteps {
			r.Note = strings.TrimSpace(r.Note + fmt.Sprintf(" Only the first %d steps are listed.", maxListedSteps))
			break
		}
		r.Steps = append(r.Steps, stepState{row.Label, row.Title, row.Status.String(), row.Attempt})
	}
	r.Variables = map[string]any{}
	for _, v := range run.Track.Variables {
		r.Variables[v.Name] = v.Value
	}
	var all []drive.Action
	if err := l.client.Call("actions", nil, &all); err != nil {
		return nil, err
	}
	r.UnavailableReasons = map[string]string{}
	for _, a := range all {
		if a.IsAvailable {
			r.Actions = append(r.Actions, availableAction{a.Name, a.Help, a.ArgumentKeys})
		} else {
			r.UnavailableReasons[a.Name] = a.UnavailableReason
		}
	}
	return r, nil
}

func (s *Server) nextStep(ctx context.Context, a runArguments) (any, error) {
	l, err := s.openLink(string(a.Run))
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
	return s.replyAndMarkSeen(l, st, l.lastSeenSeq), nil
}

func (s *Server) act(ctx context.Context, a actArguments) (any, error) {
	action := control.FindActionByAlias(a.Action)
	if action == nil {
		return nil, newFailure(failureValidation, fmt.Sprintf("there is no action %q", a.Action), "Call run_state: it lists the actions.")
	}
	s.calledTool += " " + a.Action
	l, err := s.openLink(string(a.Run))
	if err != nil {
		return nil, err
	}
	st, err := s.waitWhilePausedByOthers(ctx, l)
	if err != nil {
		return nil, err
	}
	if slices.Contains(pauseReplacingActions, action.Name) && st.Screen != nil && st.Screen.PausesNext && s.isPauseRequestedByOthers(l, st) {
		return nil, l.pausedError(st)
	}
	if others := l.changesByOthers(s.nameInEvents()); len(others) > 0 {
		f := newFailure(failureRunChanged, othersActedText(others), "Call next_step for the current state of the run.")
		f.RunID, f.ChangesByOthers, l.lastSeenSeq = l.runID(), others, st.LastSeq
		return nil, f
	}
	if st.NeedsTrust && !action.AllowedWhenStale {
		return nil, l.untrustedError(st)
	}
	before := st.LastSeq
	if a.Seq != 0 {
		st.LastSeq = a.Seq
	}
	var arguments any
	if a.Arguments != nil {
		arguments = a.Arguments
	}
	done, err := l.doAction(st, a.Action, arguments)
	if err != nil {
		return nil, err
	}
	if st, err = s.waitUntilIdle(ctx, l); err != nil {
		return nil, err
	}
	r := s.replyAndMarkSeen(l, st, before)
	r.Effect, r.EffectsNotUndone = done.Effect, done.EffectsNotUndone
	return r, nil
}

// pauseReplacingActions are the actions on a busy run after which it would not pause where it was told to, or would pause
// on behalf of whoever acted.
var pauseReplacingActions = []string{"continue", "run-to", "pause", "rerun", "undo", "redo", "rewind", "instead", "reload"}

// waitWhilePausedByOthers waits while another client pauses the run, and returns the run's state. It fails if the
// run is still paused when ctx ends. It does not wait for a busy run, because actions on it are possible.
func (s *Server) waitWhilePausedByOthers(ctx context.Context, l *runLink) (drive.State, error) {
	st, err := s.currentState(l)
	if err != nil || !s.isPausedByOthers(l, st) {
		return st, err
	}
	if st, err = s.waitUntilIdle(ctx, l); err == nil && s.isPausedByOthers(l, st) {
		err = l.pausedError(st)
	}
	return st, err
}

// currentState returns the state of the run at the moment, without waiting for the run to do anything.
func (s *Server) currentState(l *runLink) (drive.State, error) {
	st, err := l.client.State()
	if err != nil {
		return st, err
	}
	return st, l.catchUp(st)
}
