package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/workflow"
)

type loadArguments struct {
	FilePath string         `json:"file_path" jsonschema:"the path of the workflow, from the folder of the server"`
	Inputs   map[string]any `json:"inputs,omitempty" jsonschema:"values of the variables that no step gives, by their names"`
	Resume   bool           `json:"resume,omitempty" jsonschema:"continue the newest run of this workflow that is not complete; without one, a run begins"`
}

type noArguments struct{}

type templateArguments struct {
	TaskDescription string `json:"task_description,omitempty" jsonschema:"what the workflow is to do"`
}

// reportArguments are for the schema alone: what is wrong in a report is said after what is wrong with the
// run.
type reportArguments struct {
	StepNumber       int               `json:"step_number" jsonschema:"the number of the current step, from 0"`
	Status           string            `json:"status" jsonschema:"passed or failed"`
	AssertionResults []assertionResult `json:"assertion_results,omitempty" jsonschema:"one for each assertion of the step, in its order"`
	OutputVariables  map[string]any    `json:"output_variables,omitempty" jsonschema:"the values that the step gives variables"`
	ErrorMessage     string            `json:"error_message,omitempty" jsonschema:"why the step failed"`
}

type assertionResult struct {
	Assertion string `json:"assertion"`
	Passed    bool   `json:"passed"`
	Detail    string `json:"detail,omitempty"`
}

// workflowTools are the tools of the Workflow format.
var workflowTools = []tool{
	withArguments(tool{
		name: "load_workflow", title: "Load a workflow",
		about: "Load a workflow document and begin a run of it. Call this first. With resume, the newest run of the document that is not complete goes on instead.",
	}, (*Server).loadWorkflow),
	withArguments(tool{
		name: "execute_workflow_step", title: "What to do in the current step", isReadOnly: true,
		about: "Return the prompt of the current step: what to do, with which tools, and what to report. It changes nothing and may be called again.",
	}, (*Server).executeStep),
	{
		name: "report_step_result", title: "Report a step",
		about:  "Report how the current step went, after you have done what its prompt asks for. The reply has the prompt of the next step. A step that failed can be reported again: that retries it.",
		schema: func() (*jsonschema.Schema, error) { return jsonschema.For[reportArguments](nil) },
		call:   (*Server).reportStep,
	},
	withArguments(tool{
		name: "get_workflow_state", title: "The state of the workflow", isReadOnly: true,
		about: "Return which steps are done, failed and current, the variables, and what was reported.",
	}, (*Server).workflowState),
	withArguments(tool{
		name: "reset_workflow", title: "Begin the workflow again",
		about: "Go back to the first step. What was done stays done, and stays in the record of the run.",
	}, (*Server).resetWorkflow),
	withArguments(tool{
		name: "get_workflow_template", title: "A workflow to begin with", isReadOnly: true,
		about: "Return a workflow document in Markdown that shows every part of the format, to write another one from.",
	}, (*Server).workflowTemplate),
}

// loadWorkflow begins a run of a workflow, or goes on with one. What was loaded stays if that fails.
func (s *Server) loadWorkflow(ctx context.Context, a loadArguments) (any, error) {
	p, err := s.load(a.FilePath)
	if err != nil {
		return nil, err
	}
	if p.Format != workflow.Format && p.Format != "" {
		return nil, fail(validation, fmt.Sprintf("%s is no workflow but a %s", p.Path, p.Format), "Call start_run for it.")
	}
	var l *link
	if a.Resume {
		if l, err = s.unfinished(p.Path); err != nil {
			return nil, err
		}
	}
	resumed := l != nil
	if !resumed {
		if l, err = s.start(p.Path, a.Inputs, false); err != nil {
			return nil, err
		}
	}
	st, err := s.waitUntilIdle(ctx, l)
	if err != nil {
		return nil, err
	}
	s.workflow, s.last, l.lastSeen = l, l, st.Seq
	r := l.controlRun(st)
	first := steps(r)[0].Step
	tools, _ := first.Details()["tools"].([]string)
	return struct {
		Success   bool   `json:"success"`
		StepCount int    `json:"step_count"`
		First     any    `json:"first_step"`
		Run       string `json:"run"`
		Resumed   bool   `json:"resumed,omitempty"`
		Warning   string `json:"warning,omitempty"`
	}{true, len(steps(r)), struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tools       []string `json:"tool_names"`
	}{first.Title, plan.Source(first.Text), tools}, l.id(), resumed, strings.Join(l.notes, "; ")}, nil
}

// unfinished returns the newest run of a workflow that is not complete, nil if there is none.
func (s *Server) unfinished(path string) (*link, error) {
	full, err := setup.ResolveFile(path)
	if err == nil {
		full, err = filepath.Abs(full)
	}
	if err != nil {
		return nil, err
	}
	all, err := journal.Default().RunsOf(full)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		switch r.Result {
		case "", journal.Running, string(plan.Awaiting), string(plan.RunFailed):
			l := s.links[r.Run]
			if l == nil {
				if l, err = s.find(r.Run); err != nil {
					return nil, err
				}
			}
			return l, s.connect(l)
		}
	}
	return nil, nil
}

// current is the workflow as a call finds it.
type current struct {
	*link
	st           drive.State
	run          *control.Run
	steps        []*track.Row
	stepNumber   int // the number of the current step; that of all steps once the workflow is complete
	otherChanges []string

	pausedByOthers bool
}

// current returns the workflow once it waits for the agent.
func (s *Server) current(ctx context.Context) (*current, error) {
	l := s.workflow
	if l == nil {
		return nil, fail(noWorkflow, "no workflow is loaded", "Call load_workflow first.")
	}
	s.last = l
	if err := s.join(l); err != nil {
		return nil, err
	}
	st, err := s.waitUntilIdle(ctx, l)
	if err == nil {
		st, err = s.decideIncompleteReport(ctx, l, st)
	}
	if err != nil {
		return nil, err
	}
	c := &current{link: l, otherChanges: l.changesByOthers(s.self()), pausedByOthers: s.isPausedByOthers(l, st)}
	c.update(st)
	l.lastSeen = st.Seq
	return c, nil
}

// update refreshes c from the current state of the run.
func (c *current) update(st drive.State) {
	c.st, c.run = st, c.controlRun(st)
	c.steps = steps(c.run)
	at := c.run.Track.Row(st.Step)
	if st.State == engine.Over {
		at = c.run.Track.FailedStep()
	}
	c.stepNumber = slices.Index(c.steps, at)
	if isOver(st, plan.Completed) || c.stepNumber < 0 {
		c.stepNumber = len(c.steps)
	}
}

// check refuses a call that the workflow is not ready for.
func (c *current) check() error {
	switch {
	case isOver(c.st, plan.Completed):
		return c.fail(internal, "the workflow is complete", "Call get_workflow_state for its results, or reset_workflow to begin again.")
	case c.st.State == engine.Over && c.stepNumber == len(c.steps):
		return c.fail(internal, fmt.Sprintf("a person has ended the run: %s", strings.TrimSpace(string(c.st.Result)+" "+c.st.Text)), "Ask the person, or call reset_workflow to begin again.")
	case c.pausedByOthers:
		return c.pausedError(c.st)
	case c.st.Untrusted:
		return c.untrusted(c.st)
	case c.st.State == engine.Running:
		return c.fail(internal, "the run is busy", "Call execute_workflow_step again in a moment.")
	case c.st.State == engine.Paused:
		return c.fail(paused, "the run is paused before step "+c.st.Step, "Call act with the action continue, then execute_workflow_step.")
	case c.st.Need != nil && c.st.Need.Kind == machine.KindAsk:
		var names []string
		for _, f := range c.st.Need.Fields {
			names = append(names, f.Name)
		}
		return c.fail(valueMissing, fmt.Sprintf("step %d has no value for %s", c.stepNumber+1, strings.Join(names, ", ")),
			`Call act with the action answer and the argument fields, a list with the values in this order; or load_workflow with inputs.`)
	case c.st.Need != nil && (c.st.Need.Kind != machine.KindReply || len(c.st.Need.Fields) == 0):
		return c.fail(internal, "the run waits for something else: "+c.st.Need.Prompt, "Call next_step for what it needs.")
	}
	return nil
}

// checkMoved refuses a call that would change a run which others have moved since the agent's last call.
func (c *current) checkMoved() error {
	if len(c.otherChanges) == 0 {
		return nil
	}
	return c.fail(moved, "nothing was done, because others have acted on the run: "+strings.Join(c.otherChanges, "; "),
		"Call execute_workflow_step to see which step is current and what it asks for.")
}

// fail returns a failure that says which run it is about, and who moved that.
func (c *current) fail(kind, message, suggestion string) error {
	f := fail(kind, message, suggestion)
	f.Run, f.Moved = c.id(), c.otherChanges
	return f
}

// prompt returns what the current step asks for. Of a step that has failed that is what a retry would ask.
func (c *current) prompt() (string, error) {
	if c.st.Need != nil {
		return c.st.Need.Prompt, nil
	}
	m, err := c.view.Machine()
	if err != nil {
		return "", err
	}
	e, err := m.Retry("")
	for err == nil {
		if err = m.Apply(e); err != nil {
			break
		}
		next := m.Next()
		if call, is := next.Effect.(*machine.CallModel); is {
			return call.Prompt, nil
		}
		if next.Event == nil {
			return "", errors.New("the step cannot be done again: it waits for something else")
		}
		e = *next.Event
	}
	return "", err
}

func (s *Server) executeStep(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.current(ctx)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	text, err := c.prompt()
	if err != nil {
		return nil, err
	}
	return struct {
		Prompt string   `json:"prompt"`
		Number int      `json:"step_number"`
		Name   string   `json:"step_name"`
		Total  int      `json:"total_steps"`
		Moved  []string `json:"moved,omitempty"`
	}{text, c.stepNumber, c.steps[c.stepNumber].Title, len(c.steps), c.otherChanges}, nil
}

// reportReply is the reply to a report that was recorded.
type reportReply struct {
	Success  bool    `json:"success"`
	Number   int     `json:"step_number"`
	Status   string  `json:"status,omitempty"`        // of a failure
	Error    *string `json:"error_message,omitempty"` // of a failure
	Warning  any     `json:"warning,omitempty"`
	Prompt   string  `json:"prompt,omitempty"`
	Next     *int    `json:"next_step,omitempty"`
	Complete bool    `json:"workflow_complete,omitempty"`
}

func (s *Server) reportStep(ctx context.Context, arguments json.RawMessage) (any, error) {
	c, err := s.current(ctx)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	if err := c.checkMoved(); err != nil {
		return nil, err
	}
	report, problem := workflow.ReadReport(arguments, c.stepNumber)
	if problem != nil {
		return nil, c.fail(problem.Type, problem.Message, problem.Suggestion)
	}
	before := c.st.Seq
	if err := s.record(ctx, c, report); err != nil {
		return nil, err
	}
	return s.afterReport(ctx, c, c.stepNumber, before)
}

// record records a report for the current step. One for a step that has failed retries it.
func (s *Server) record(ctx context.Context, c *current, report json.RawMessage) error {
	st := c.st
	if st.State == engine.Over {
		if _, err := c.act(st, "rerun", struct{}{}); err != nil {
			return err
		}
		var err error
		if st, err = s.waitUntilIdle(ctx, c.link); err != nil {
			return err
		}
	}
	_, err := c.act(st, "report", map[string]json.RawMessage{"report": report})
	return err
}

// afterReport replies to a report of a step that was recorded after an event.
func (s *Server) afterReport(ctx context.Context, c *current, number, before int) (any, error) {
	st, err := s.waitUntilIdle(ctx, c.link)
	if err == nil {
		st, err = s.decideIncompleteReport(ctx, c.link, st)
	}
	if err != nil {
		return nil, err
	}
	c.update(st)
	c.lastSeen, c.pausedByOthers = st.Seq, s.isPausedByOthers(c.link, st)
	reply, warnings := c.outcomeOf(number, before)
	if len(warnings) > 0 {
		reply.Warning = strings.Join(warnings, "; ")
	}
	switch {
	case !reply.Success:
		if reply.Warning == nil {
			reply.Warning = json.RawMessage("null")
		}
	case isOver(st, plan.Completed):
		reply.Complete = true
	default:
		if err := c.check(); err != nil { // it was recorded: what comes next is not ready
			reply.Warning = strings.TrimPrefix(strings.Join(append(warnings, err.Error()), "; "), "; ")
			break
		}
		if reply.Prompt, err = c.prompt(); err != nil {
			return nil, err
		}
		reply.Next = &c.stepNumber
	}
	return reply, nil
}

// redundantWarnings are warnings that say no more than that the step failed.
var redundantWarnings = map[string]bool{workflow.Format + "/assertion-failed": true, workflow.Format + "/output-missing": true}

// outcomeOf returns what a step came to after an event, and what the run warned of.
func (c *current) outcomeOf(number, before int) (reply reportReply, warnings []string) {
	reply = reportReply{Success: true, Number: number}
	var warned []*machine.Warned
	for _, e := range c.eventsSince(before) {
		if e.Step != c.steps[number].Label {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.Warned:
			warned = append(warned, b)
		case *machine.StepFinished:
			if b.Result != plan.Passed {
				reply.Success, reply.Status, reply.Error = false, "failed", &b.Outcome.Reason
				if message, _ := b.Outcome.Data["error_message"].(string); b.Outcome.Data["reported_status"] == "failed" {
					reply.Error = &message
				}
			}
		}
	}
	for _, w := range warned {
		if reply.Success || !redundantWarnings[w.Code] {
			warnings = append(warnings, w.Message)
		}
	}
	return reply, warnings
}

// decideIncompleteReport decides a report about which a person would be asked, as the format's own server does: a false assertion fails the
// step, one without a result only warns. A person can override either.
func (s *Server) decideIncompleteReport(ctx context.Context, l *link, st drive.State) (drive.State, error) {
	if st.Need == nil || st.Need.Kind != machine.KindAcceptOutcome {
		return st, nil
	}
	action, reason := "pass", "reported as passed; not every assertion has a result"
	if row := l.controlRun(st).Track.Row(st.Step); row != nil && row.LastVisit() != nil {
		for _, a := range slices.Backward(row.LastVisit().Actions) {
			if a.Outcome == nil {
				continue
			}
			for _, check := range a.Outcome.Checks {
				if check.Verdict == plan.Failed && action == "pass" {
					action, reason = "fail", "assertion failed: "+check.Text
					if check.Detail != "" {
						reason += " (" + check.Detail + ")"
					}
				}
			}
			break
		}
	}
	if _, err := l.act(st, action, map[string]string{"reason": reason}); err != nil {
		return st, err
	}
	return s.waitUntilIdle(ctx, l)
}

func (s *Server) workflowState(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	type outcome struct {
		Status     string `json:"status"`
		Assertions any    `json:"assertion_results"`
		Outputs    any    `json:"output_variables"`
		Error      string `json:"error_message"`
	}
	completed, failed, outcomes, variables := []int{}, []int{}, map[int]outcome{}, map[string]any{}
	for i, row := range c.steps {
		switch row.Status {
		case track.Passed:
			completed = append(completed, i)
		case track.Failed:
			failed = append(failed, i)
		case track.Skipped:
			if row.Skip == track.SkipFailure {
				continue
			}
		default:
			continue
		}
		out := outcome{Status: row.Status.String(), Assertions: []any{}, Outputs: map[string]any{}}
		if o := row.Outcome; o != nil {
			out.Assertions, out.Outputs = cmp.Or[any](o.Data["assertion_results"], out.Assertions), cmp.Or[any](o.Data["output_variables"], out.Outputs)
			message, _ := o.Data["error_message"].(string)
			if row.Status == track.Failed {
				out.Error = cmp.Or(message, o.Reason)
			}
		}
		outcomes[i] = out
	}
	for _, v := range c.run.Track.Vars {
		variables[v.Name] = v.Value
	}
	return struct {
		Path      string          `json:"file_path"`
		Total     int             `json:"total_steps"`
		Current   int             `json:"current_step"`
		Complete  bool            `json:"is_complete"`
		Failed    bool            `json:"is_failed"`
		Completed []int           `json:"completed_steps"`
		Fails     []int           `json:"failed_steps"`
		Variables map[string]any  `json:"variables"`
		Outcomes  map[int]outcome `json:"step_outcomes"`
		Run       string          `json:"run"`
		Moved     []string        `json:"moved,omitempty"`
	}{c.st.Path, len(c.steps), c.stepNumber, isOver(c.st, plan.Completed), len(failed) > 0, completed, failed, variables, outcomes, c.id(), c.otherChanges}, nil
}

func (s *Server) resetWorkflow(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.current(ctx)
	switch {
	case err != nil:
	case c.pausedByOthers:
		err = c.pausedError(c.st)
	default:
		err = c.checkMoved()
	}
	if err != nil {
		return nil, err
	}
	if _, err := c.act(c.st, "rewind", map[string]int{"event": c.view.Events()[0].Seq}); err != nil {
		return nil, err
	}
	st, err := s.waitUntilIdle(ctx, c.link)
	if err == nil && st.State == engine.Paused {
		if _, err = c.act(st, "continue", struct{}{}); err == nil {
			st, err = s.waitUntilIdle(ctx, c.link)
		}
	}
	if err != nil {
		return nil, err
	}
	c.lastSeen = st.Seq
	return struct {
		Success bool `json:"success"`
		Current int  `json:"current_step"`
		Total   int  `json:"total_steps"`
	}{true, 0, len(c.steps)}, nil
}

func (s *Server) workflowTemplate(_ context.Context, a templateArguments) (any, error) {
	reply := struct {
		Success  bool   `json:"success"`
		Template string `json:"template"`
		Task     string `json:"task_description,omitempty"`
		Guidance string `json:"guidance,omitempty"`
	}{Success: true, Template: workflow.Template, Task: a.TaskDescription}
	if a.TaskDescription != "" {
		reply.Guidance = "Replace each step by one of your task, save the document below the folder of the server, and call check_document before you load it."
	}
	return reply, nil
}
