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
	Inputs   map[string]any `json:"inputs,omitempty" jsonschema:"the values of the workflow's inputs, by name"`
	Resume   bool           `json:"resume,omitempty" jsonschema:"continue the newest incomplete run of this workflow; if there is none, start one"`
}

type noArguments struct{}

type templateArguments struct {
	TaskDescription string `json:"task_description,omitempty" jsonschema:"what the workflow is to do"`
}

// reportArguments defines only the schema. reportStep decodes the report itself, because problems of
// the run are reported before problems of the report.
type reportArguments struct {
	StepNumber       int               `json:"step_number" jsonschema:"the number of the current step, from 0"`
	Status           string            `json:"status" jsonschema:"passed or failed"`
	AssertionResults []assertionResult `json:"assertion_results,omitempty" jsonschema:"one for each assertion of the step, in the same order"`
	OutputVariables  map[string]any    `json:"output_variables,omitempty" jsonschema:"the values of the step's output variables"`
	ErrorMessage     string            `json:"error_message,omitempty" jsonschema:"why the step failed"`
}

type assertionResult struct {
	Assertion string `json:"assertion"`
	Passed    bool   `json:"passed"`
	Detail    string `json:"detail,omitempty"`
}

// newReportSchema returns the schema of reportArguments. The library gives no map that may be null.
func newReportSchema() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[reportArguments](nil)
	if err == nil {
		outputs := s.Properties["output_variables"]
		outputs.Type, outputs.Types = "", []string{"null", "object"}
	}
	return s, err
}

// workflowTools are the tools of the Workflow format.
var workflowTools = []serverTool{
	toolWithArguments(serverTool{
		name: "load_workflow", title: "Load a workflow",
		description: "Load a workflow document and begin a run of it. Call this first. With resume, it continues the document's newest run that is unfinished or failed, if there is one.",
	}, (*Server).startOrResumeWorkflow),
	toolWithArguments(serverTool{
		name: "execute_workflow_step", title: "What to do in the current step", isReadOnly: true,
		description: "Return the prompt of the current step: what to do, with which tools, and what to report. You can call this tool more than once for a step.",
	}, (*Server).currentStepPrompt),
	{
		name: "report_step_result", title: "Report the result of a step",
		description: "Report how the current step went, after you have done what its prompt asks for. The result of this call has the prompt of the next step. To retry a failed step, report its result again.",
		newSchema:   newReportSchema,
		handle:      (*Server).reportStep,
	},
	toolWithArguments(serverTool{
		name: "get_workflow_state", title: "The state of the workflow", isReadOnly: true,
		description: "Return which steps have passed, which have failed and which is current, and also the variables and the reports.",
	}, (*Server).getWorkflowState),
	toolWithArguments(serverTool{
		name: "reset_workflow", title: "Begin the workflow again",
		description: "Rewind the run to its first step. Effects of the steps are not undone, and their events stay in the journal.",
	}, (*Server).resetWorkflow),
	toolWithArguments(serverTool{
		name: "get_workflow_template", title: "A starter workflow", isReadOnly: true,
		description: "Return a workflow document in Markdown that shows every part of the format, as a starting point for your own.",
	}, (*Server).workflowTemplate),
}

// startOrResumeWorkflow begins or continues a run of a workflow. If that fails, the workflow that was loaded
// before stays loaded.
func (s *Server) startOrResumeWorkflow(ctx context.Context, a loadArguments) (any, error) {
	p, err := s.loadDocument(a.FilePath)
	if err != nil {
		return nil, err
	}
	if p.Format != workflow.Format && p.Format != "" {
		return nil, newFailure(failureNoSteps, fmt.Sprintf("%s has no workflow step: its format is %s", p.Path, p.Format), "Call start_run for it.")
	}
	var l *runLink
	if a.Resume {
		if l, err = s.connectToUnfinishedRun(p.Path); err != nil {
			return nil, err
		}
	}
	resumed := l != nil
	if !resumed {
		if l, err = s.startOwnRun(p.Path, workflow.Format, a.Inputs, false); err != nil {
			return nil, err
		}
	}
	st, err := s.waitUntilIdle(ctx, l)
	if err != nil {
		return nil, err
	}
	s.workflowLink, s.lastLink, l.lastSeenSeq = l, l, st.LastSeq
	r := l.runView(st)
	first := executableRows(r)[0].Step
	tools, _ := first.Details()["tools"].([]string)
	return struct {
		Success   bool   `json:"success"`
		StepCount int    `json:"step_count"`
		First     any    `json:"first_step"`
		Run       string `json:"run"`
		Resumed   bool   `json:"resumed,omitempty"`
		Warning   string `json:"warning,omitempty"`
	}{true, len(executableRows(r)), struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tools       []string `json:"tool_names"`
	}{first.Title, plan.SourceText(first.Text), tools}, l.runID(), resumed, strings.Join(l.personNotes, "; ")}, nil
}

// connectToUnfinishedRun connects to the newest run of a workflow that is unfinished or failed. It returns nil if there is
// none.
func (s *Server) connectToUnfinishedRun(path string) (*runLink, error) {
	full, err := setup.ResolveFile(path)
	if err == nil {
		full, err = filepath.Abs(full)
	}
	if err != nil {
		return nil, err
	}
	all, err := journal.DefaultStore().RunsOf(full)
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		switch r.Result {
		case "", journal.Running, string(plan.Awaiting), string(plan.RunFailed):
			l := s.linkByRunID[r.Run]
			if l == nil {
				if l, err = s.findRun(r.Run); err != nil {
					return nil, err
				}
			}
			return l, s.connect(l)
		}
	}
	return nil, nil
}

// workflowState is the state of the loaded workflow when a call begins.
type workflowState struct {
	*runLink
	state                drive.State
	run                  *control.RunView
	rows                 []*track.Row
	stepNumber           int // the index of the current step; the number of steps if the workflow is complete
	changesSinceLastCall []string

	isPausedByOthers bool
}

// beginWorkflowCall waits until the loaded workflow needs the agent or is over, or ctx ends, and returns its
// state. It decides a report for which a person would be asked.
func (s *Server) beginWorkflowCall(ctx context.Context) (*workflowState, error) {
	l := s.workflowLink
	if l == nil {
		return nil, newFailure(failureNoWorkflow, "no workflow is loaded", "Call load_workflow first.")
	}
	s.lastLink = l
	if err := s.connectAndAnnounce(l); err != nil {
		return nil, err
	}
	st, err := s.waitAndDecideReport(ctx, l)
	if err != nil {
		return nil, err
	}
	c := &workflowState{runLink: l, changesSinceLastCall: l.changesByOthers(s.nameInEvents()), isPausedByOthers: s.isPausedByOthers(l, st)}
	c.refresh(st)
	l.lastSeenSeq = st.LastSeq
	return c, nil
}

// refresh sets the state, the steps and the number of the current step from a state of the run.
func (s *workflowState) refresh(st drive.State) {
	s.state, s.run = st, s.runView(st)
	s.rows = executableRows(s.run)
	at := s.run.Track.RowByLabel(st.CurrentStep)
	if st.State == engine.Over {
		at = s.run.Track.FailedRow()
	}
	s.stepNumber = slices.Index(s.rows, at)
	if hasEndedWith(st, plan.Completed) || s.stepNumber < 0 {
		s.stepNumber = len(s.rows)
	}
}

// checkReady refuses a call that the workflow is not ready for.
func (s *workflowState) checkReady() error {
	switch {
	case hasEndedWith(s.state, plan.Completed):
		return s.newFailure(failureInternal, "the workflow is complete", "Call get_workflow_state for its results, or reset_workflow to begin again.")
	case s.state.State == engine.Over && s.stepNumber == len(s.rows):
		return s.newFailure(failureInternal, "the run is over: "+s.state.ResultText(), "Ask the person what to do, or call reset_workflow to begin again.")
	case s.isPausedByOthers:
		return s.pausedError(s.state)
	case s.state.NeedsTrust:
		return s.untrustedError(s.state)
	case s.state.State == engine.Running:
		return s.newFailure(failureInternal, "step "+s.state.CurrentStep+" is still running", "Call execute_workflow_step again in a moment.")
	case s.state.State == engine.Paused:
		return s.newFailure(failurePaused, "the run is paused at step "+s.state.CurrentStep, `Call act with the action "continue", then call execute_workflow_step.`)
	case s.state.WaitingFor != nil && s.state.WaitingFor.Kind == machine.KindAsk:
		var names []string
		for _, f := range s.state.WaitingFor.Fields {
			names = append(names, f.Name)
		}
		return s.newFailure(failureValueMissing, fmt.Sprintf("step %d has no value for %s", s.stepNumber+1, strings.Join(names, ", ")),
			`Call act with the action "answer" and the argument "fields" (a list of the values in this order), or call load_workflow with inputs.`)
	case s.state.WaitingFor != nil && (s.state.WaitingFor.Kind != machine.KindReply || len(s.state.WaitingFor.Fields) == 0):
		return s.newFailure(failureInternal, "the run needs another answer first: "+s.state.WaitingFor.Prompt, "Call next_step to see what the run needs.")
	}
	return nil
}

// checkUnchanged refuses a call that would change a run if others have acted on the run since the agent's
// last call.
func (s *workflowState) checkUnchanged() error {
	if len(s.changesSinceLastCall) == 0 {
		return nil
	}
	return s.newFailure(failureRunChanged, othersActedText(s.changesSinceLastCall),
		"Call execute_workflow_step to see which step is current and what it asks for.")
}

// newFailure returns a failure with the ID of the run and the changes that others made.
func (s *workflowState) newFailure(kind, message, suggestion string) error {
	f := newFailure(kind, message, suggestion)
	f.RunID, f.ChangesByOthers = s.runID(), s.changesSinceLastCall
	return f
}

// stepPrompt returns the prompt of the current step. If the run ended at a failed step, it is the prompt that a
// retry of that step would have.
func (s *workflowState) stepPrompt() (string, error) {
	if s.state.WaitingFor != nil {
		return s.state.WaitingFor.Prompt, nil
	}
	m, err := s.session.Machine()
	if err != nil {
		return "", err
	}
	e, err := m.RetryEvent("")
	for err == nil {
		if err = m.Apply(e); err != nil {
			break
		}
		next := m.Next()
		if call, is := next.Effect.(*machine.CallModel); is {
			return call.Prompt, nil
		}
		if next.Event == nil {
			return "", errors.New("the step cannot be run again yet: it first needs an answer or a tool result")
		}
		e = *next.Event
	}
	return "", err
}

func (s *Server) currentStepPrompt(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.beginWorkflowCall(ctx)
	if err == nil {
		err = c.checkReady()
	}
	if err != nil {
		return nil, err
	}
	text, err := c.stepPrompt()
	if err != nil {
		return nil, err
	}
	return struct {
		Prompt string   `json:"prompt"`
		Number int      `json:"step_number"`
		Name   string   `json:"step_name"`
		Total  int      `json:"total_steps"`
		Moved  []string `json:"moved,omitempty"`
	}{text, c.stepNumber, c.rows[c.stepNumber].Title, len(c.rows), c.changesSinceLastCall}, nil
}

// reportReply is the reply to a report that was recorded.
type reportReply struct {
	Success            bool    `json:"success"`
	StepNumber         int     `json:"step_number"`
	Status             string  `json:"status,omitempty"`        // of a failure
	ErrorMessage       *string `json:"error_message,omitempty"` // of a failure
	Warning            any     `json:"warning,omitempty"`
	Prompt             string  `json:"prompt,omitempty"`
	NextStepNumber     *int    `json:"next_step,omitempty"`
	IsWorkflowComplete bool    `json:"workflow_complete,omitempty"`
}

func (s *Server) reportStep(ctx context.Context, arguments json.RawMessage) (any, error) {
	c, err := s.beginWorkflowCall(ctx)
	if err == nil {
		err = c.checkReady()
	}
	if err != nil {
		return nil, err
	}
	if err := c.checkUnchanged(); err != nil {
		return nil, err
	}
	report, problem := workflow.CheckReport(arguments, c.stepNumber)
	if problem != nil {
		return nil, c.newFailure(problem.Type, problem.Message, problem.Suggestion)
	}
	before := c.state.LastSeq
	if err := s.recordReport(ctx, c, report); err != nil {
		return nil, err
	}
	return s.awaitReportReply(ctx, c, c.stepNumber, before)
}

// recordReport records a report for the current step. A report for a failed step retries the step.
func (s *Server) recordReport(ctx context.Context, c *workflowState, report json.RawMessage) error {
	st := c.state
	if st.State == engine.Over {
		if _, err := c.doAction(st, "rerun", struct{}{}); err != nil {
			return err
		}
		var err error
		if st, err = s.waitUntilIdle(ctx, c.runLink); err != nil {
			return err
		}
	}
	_, err := c.doAction(st, "report", map[string]json.RawMessage{"report": report})
	return err
}

// awaitReportReply waits for the outcome of a report of the step with a number, and returns the reply. before is the
// number of the last event before the report.
func (s *Server) awaitReportReply(ctx context.Context, c *workflowState, number, before int) (any, error) {
	st, err := s.waitAndDecideReport(ctx, c.runLink)
	if err != nil {
		return nil, err
	}
	c.refresh(st)
	c.lastSeenSeq, c.isPausedByOthers = st.LastSeq, s.isPausedByOthers(c.runLink, st)
	reply, warnings := c.reportOutcome(number, before)
	if len(warnings) > 0 {
		reply.Warning = strings.Join(warnings, "; ")
	}
	switch {
	case !reply.Success:
		if reply.Warning == nil {
			reply.Warning = json.RawMessage("null")
		}
	case hasEndedWith(st, plan.Completed):
		reply.IsWorkflowComplete = true
	default:
		if err := c.checkReady(); err != nil { // the report was recorded, but the next step is not ready
			reply.Warning = strings.TrimPrefix(strings.Join(append(warnings, err.Error()), "; "), "; ")
			break
		}
		if reply.Prompt, err = c.stepPrompt(); err != nil {
			return nil, err
		}
		reply.NextStepNumber = &c.stepNumber
	}
	return reply, nil
}

// redundantWarningCodes are the codes of warnings that only repeat that the step failed.
var redundantWarningCodes = map[string]bool{workflow.Format + "/assertion-failed": true, workflow.Format + "/output-missing": true}

// reportOutcome returns the outcome of the step with a number, from the events after event before, and the
// warnings among these.
func (s *workflowState) reportOutcome(number, before int) (reply reportReply, warnings []string) {
	reply = reportReply{Success: true, StepNumber: number}
	var warned []*machine.WarningRecorded
	for _, e := range s.eventsSince(before) {
		if e.Step != s.rows[number].Label {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.WarningRecorded:
			warned = append(warned, b)
		case *machine.StepFinished:
			if b.Result != plan.Passed {
				reply.Success, reply.Status, reply.ErrorMessage = false, "failed", &b.Outcome.Reason
				if message, _ := b.Outcome.Data["error_message"].(string); b.Outcome.Data["reported_status"] == "failed" {
					reply.ErrorMessage = &message
				}
			}
		}
	}
	for _, w := range warned {
		if reply.Success || !redundantWarningCodes[w.Code] {
			warnings = append(warnings, w.Message)
		}
	}
	return reply, warnings
}

// waitAndDecideReport is like waitUntilIdle, but also decides a report for which a person would be asked, in
// the same way as the format's own server: a false assertion fails the step, an assertion without a result only
// causes a warning. A person can override both.
func (s *Server) waitAndDecideReport(ctx context.Context, l *runLink) (drive.State, error) {
	st, err := s.waitUntilIdle(ctx, l)
	if err != nil || st.WaitingFor == nil || st.WaitingFor.Kind != machine.KindAcceptOutcome {
		return st, err
	}
	action, note := "pass", "the step is reported as passed, but not every assertion has a result"
	if row := l.runView(st).Track.RowByLabel(st.CurrentStep); row != nil && row.NewestStepAttempt() != nil {
		for _, a := range slices.Backward(row.NewestStepAttempt().Actions) {
			if a.Outcome == nil {
				continue
			}
			if i := slices.IndexFunc(a.Outcome.Checks, func(c plan.Check) bool { return c.Verdict == plan.Failed }); i >= 0 {
				action, note = "fail", "assertion failed: "+a.Outcome.Checks[i].Text
				if detail := a.Outcome.Checks[i].Detail; detail != "" {
					note += " (" + detail + ")"
				}
			}
			break
		}
	}
	if _, err := l.doAction(st, action, map[string]string{"reason": note}); err != nil {
		return st, err
	}
	return s.waitUntilIdle(ctx, l)
}

func (s *Server) getWorkflowState(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.beginWorkflowCall(ctx)
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
	for i, row := range c.rows {
		switch row.Status {
		case track.Passed:
			completed = append(completed, i)
		case track.Failed:
			failed = append(failed, i)
		case track.Skipped:
			if row.SkipReason == track.SkipAfterFailure {
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
	for _, v := range c.run.Track.Variables {
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
	}{c.state.DocumentPath, len(c.rows), c.stepNumber, hasEndedWith(c.state, plan.Completed) && len(outcomes) == len(c.rows), len(failed) > 0, completed, failed, variables, outcomes, c.runID(), c.changesSinceLastCall}, nil
}

func (s *Server) resetWorkflow(ctx context.Context, _ noArguments) (any, error) {
	c, err := s.beginWorkflowCall(ctx)
	switch {
	case err != nil:
	case c.isPausedByOthers:
		err = c.pausedError(c.state)
	default:
		err = c.checkUnchanged()
	}
	if err != nil {
		return nil, err
	}
	if _, err := c.doAction(c.state, "rewind", map[string]int{"event": c.session.Events()[0].Seq}); err != nil {
		return nil, err
	}
	st, err := s.waitUntilIdle(ctx, c.runLink)
	if err == nil && st.State == engine.Paused {
		if _, err = c.doAction(st, "continue", struct{}{}); err == nil {
			st, err = s.waitUntilIdle(ctx, c.runLink)
		}
	}
	if err != nil {
		return nil, err
	}
	c.lastSeenSeq = st.LastSeq
	return struct {
		Success bool `json:"success"`
		Current int  `json:"current_step"`
		Total   int  `json:"total_steps"`
	}{true, 0, len(c.rows)}, nil
}

func (s *Server) workflowTemplate(_ context.Context, a templateArguments) (any, error) {
	reply := struct {
		Success  bool   `json:"success"`
		Template string `json:"template"`
		Task     string `json:"task_description,omitempty"`
		Guidance string `json:"guidance,omitempty"`
	}{Success: true, Template: workflow.StarterDocument, Task: a.TaskDescription}
	if a.TaskDescription != "" {
		reply.Guidance = "Replace the steps of the template with those of your task, save it as a document in the folder of the server or a folder below it, and call check_document before you load it."
	}
	return reply, nil
}
