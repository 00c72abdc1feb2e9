package track

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// startAction begins an action. An action that is run again begins from the start, and so does the
// clock of its step. A conversation that continues is the same action.
func (t *Track) startAction(e machine.Event, b *machine.ActionStarted) {
	r, x := t.ensureRow(e), t.EnsureAttempt(e)
	if r != nil {
		t.setStatus(r, Running)
		if x.restartsAction(b.ActionIndex) {
			r.addDuration(-r.Duration)
		}
	}
	a := &Action{Index: b.ActionIndex, Kind: b.Kind, Text: b.Text, StartedAt: e.Time, StartEvent: e}
	if b.Call != nil {
		a.Model, a.Server, a.Tool, a.Args, a.PromptOrigin = b.Model, b.Server, b.Tool, b.Args, b.PromptOrigin
		a.CallName = b.CallName
	}
	if r != nil {
		a.EditedText = r.EditedTexts[b.ActionIndex]
	}
	x.Actions = append(x.Actions, a)
}

func (t *Track) finishAction(e machine.Event, b *machine.ActionFinished) {
	r, x := t.ensureRow(e), t.EnsureAttempt(e)
	a := x.findOrBeginAction(b.ActionIndex, b.Kind)
	a.EndEvent = e
	if r == nil {
		return
	}
	if r.Status == Waiting {
		t.setStatus(r, Running)
	}
	a.IsDone, a.Log, a.ExitCode, a.Signal, a.Error, a.FileState = true, b.Log, b.ExitCode, b.Signal, b.Error, b.FileState
	if plan.IsLocalServer(a.Server) && a.Tool == plan.ToolTodo && b.Error == "" {
		t.Todos, _ = tools.ParseTodos(a.Args) // the arguments are valid, because the tool accepted them
	}
	a.WasCutOff, a.BackgroundProcesses, a.Outcome, a.WantedCalls, a.CorrectionMessage = b.IsCutOff(), b.BackgroundProcesses, b.Outcome, b.WantedCalls, b.CorrectionMessage
	if b.Kind == "model" {
		a.ReplyExcerpt, a.ReportArgs, a.Assignments = replyExcerpt(b.Output), r.reportArguments(b), b.Assignments
	}
	if b.Overridden {
		r.ReplacedByPerson = true
		t.addOverride(e, Override{Kind: ChangedReply})
	}
	t.storeOutput(e, b.Outcome)
	t.BackgroundProcesses = append(t.BackgroundProcesses, b.BackgroundProcesses...)
	a.storeReply(e.By, b.ReplyInfo)
	if e.By != "" {
		x.AnsweredBy = e.By
	}
	t.ModelUsage.addReply(b.ReplyInfo)
	if b.DurationMS != nil {
		a.Duration = time.Duration(*b.DurationMS) * time.Millisecond
		r.addDuration(a.Duration)
	}
}

// reportArguments returns the arguments of the call with which the row's step reports, "" if there is
// none.
func (row *Row) reportArguments(b *machine.ActionFinished) string {
	if row.Step == nil || b.ActionIndex >= len(row.Step.Actions) {
		return ""
	}
	work, _ := row.Step.Actions[b.ActionIndex].Work.(plan.Model)
	i := slices.IndexFunc(b.WantedCalls, func(c plan.ToolCall) bool { return work.ReportTool != nil && c.Name == work.ReportTool.Name })
	if i < 0 {
		return ""
	}
	return b.WantedCalls[i].Arguments
}

// maxReplyExcerptBytes limits the excerpt of a reply that is kept with its action, in bytes.
const maxReplyExcerptBytes = 200

func replyExcerpt(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(text[:min(len(text), maxReplyExcerptBytes)], "")
}

// storeReply stores who replied, and what is known about the reply.
func (a *Action) storeReply(by string, r *machine.ReplyInfo) {
	if a.RepliedBy = by; r == nil {
		return
	}
	if r.Model != "" {
		a.Model = r.Model
	}
	a.FinishReason, a.SchemaMethod, a.Reasoning = r.FinishReason, r.SchemaMethod, r.Reasoning
	a.Usage.addReply(r)
}

func (t *Track) recordQuestion(e machine.Event, b *machine.InputNeeded) {
	t.EnsureAttempt(e).addQuestion(e, b)
	if r := t.ensureRow(e); r != nil {
		t.setStatus(r, Waiting)
		if a := r.NewestAction(); a != nil {
			a.NeedsApproval = b.Kind == machine.KindApproveCall
		}
	}
}

// ShowWaiting shows that the step of a row waits for a person who replies for a model, because no event says so. nil
// ends this.
func (t *Track) ShowWaiting(r *Row) {
	if t.waitingRow != nil && t.waitingRow != r {
		t.setStatus(t.waitingRow, Running)
	}
	if r != nil && r.Status != Waiting {
		t.setStatus(r, Waiting)
		t.waitingRow = r
	}
}

func (t *Track) recordAnswer(e machine.Event, b *machine.InputGiven) {
	if b.Kind == machine.KindApproveCall && b.Value == machine.AllowAll {
		t.ApprovalPolicy = machine.ApproveNone
	}
	x := t.EnsureAttempt(e)
	x.addAnswer(e, b)
	x.AnsweredBy = e.By
	if r := t.ensureRow(e); r != nil {
		t.setStatus(r, Running)
		if a := r.NewestAction(); a != nil && b.Kind == machine.KindApproveCall {
			a.NeedsApproval, a.WasDenied, a.StartedAt = false, b.Value == machine.DenyCall, e.Time
			t.recordCallChange(e, r, a, b)
		}
		if b.Outcome != nil {
			r.Outcome = b.Outcome
		}
		t.storeOutput(e, b.Outcome)
	}
}

// recordCallChange records what a person changed about a call: its arguments, or the result.
func (t *Track) recordCallChange(e machine.Event, r *Row, a *Action, b *machine.InputGiven) {
	switch {
	case b.Value == machine.AnsweredByPerson:
		a.HasPersonResult = true
		t.addOverride(e, Override{Kind: GivenResult, Object: a.Tool})
	case b.Args != "":
		a.Args = b.Args
		t.addOverride(e, Override{Kind: ChangedArguments, Object: a.Tool})
	default:
		return
	}
	r.ReplacedByPerson = true
}

// enterDocument enters an included document, again if its step was retried.
func (t *Track) enterDocument(b *machine.ChildEntered) {
	d := t.rowByLabel[b.Label]
	if d == nil || d.IncludedDocument == nil || d.IncludedDocument.Plan == nil {
		return
	}
	t.ExpandDocument(d)
	t.resetRows(d.Children)
	d.frame.instanceNumbers = nil
	t.frames = append(t.frames, d.frame)
	t.setStatus(d, Running)
	d.Duration, d.EndMessage = 0, ""
}

func (t *Track) finishDocument(b *machine.ChildFinished) {
	d := t.rowByLabel[b.Label]
	if d == nil {
		return
	}
	if n := len(t.frames); n > 1 && t.frames[n-1].documentRow == d {
		t.frames = t.frames[:n-1]
	}
	t.moveToRow(d.Parent)
	t.setStatus(d, Failed)
	if b.Result == plan.Completed {
		t.setStatus(d, Passed)
	}
	d.EndMessage = b.Message
}

// recordWarning keeps a warning with its step, or with the included document that it stands for.
func (t *Track) recordWarning(e machine.Event, b *machine.WarningRecorded) {
	r := t.ensureRow(e)
	if r == nil {
		return
	}
	r.Warnings = append(r.Warnings, *b)
	if b.Document == "" {
		return
	}
	for _, d := range r.Children {
		if d.IncludedDocument != nil && d.IncludedDocument.WrittenPath == b.Document {
			t.setStatus(d, Failed)
			d.EndMessage = b.Message
		}
	}
}

func (t *Track) assignInputs(vars map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		t.setVariable(name, vars[name], "", "")
	}
}

// setVariable sets a variable. A nil value withdraws its value.
func (t *Track) setVariable(name string, value any, step, by string) {
	if value == nil {
		t.removeVariable(name)
		return
	}
	i, known := t.variableIndex[name]
	if !known {
		i = len(t.Variables)
		t.variableIndex[name] = i
		t.Variables = append(t.Variables, Variable{Name: name})
	}
	if from := t.rowByLabel[t.Variables[i].SetByStep]; from != nil && by == machine.ByPerson && t.Variables[i].SetBy == "" {
		from.ReplacedByPerson = true
	}
	t.Variables[i].Value, t.Variables[i].SetByStep, t.Variables[i].SetBy, t.Variables[i].IsStepGone = value, step, by, false
	if by != machine.ByPerson {
		t.Variables[i].setByStepBeforePerson = step
	}
}

func (t *Track) removeVariable(name string) {
	t.Variables = slices.DeleteFunc(t.Variables, func(v Variable) bool { return v.Name == name })
	clear(t.variableIndex)
	for i, v := range t.Variables {
		t.variableIndex[v.Name] = i
	}
}

// ModelRequestIn returns the index of the request to a model in the row's newest attempt, and the request.
// The events end with that attempt. It returns nil if there is none, or if the model has to report,
// because its earlier tool calls cannot be assumed to be the same.
func (row *Row) ModelRequestIn(events []machine.Event) (at int, work *plan.Model) {
	for at := len(events) - 1; at >= 0 && events[at].Step == row.Label; at-- {
		b, began := events[at].Body.(*machine.ActionStarted)
		if !began || b.Kind != "model" || b.ActionIndex >= len(row.Step.Actions) {
			continue
		}
		if work, is := row.Step.Actions[b.ActionIndex].Work.(plan.Model); is && work.ReportTool == nil {
			return at, &work
		}
	}
	return 0, nil
}

// Checks returns the checks behind the row's outcome, or behind the outcome that is held for a person.
func (row *Row) Checks() []plan.Check {
	newest := row.NewestAction()
	switch {
	case row.Outcome != nil:
		return row.Outcome.Checks
	case newest == nil || !row.Status.IsOpen():
		return nil
	}
	for _, a := range slices.Backward(row.NewestStepAttempt().Actions) {
		if a.Outcome != nil && (a == newest || a.Index != newest.Index) {
			return a.Outcome.Checks
		}
	}
	return nil
}

// OwnWarnings returns the warnings of the last attempt without those that only repeat why its last action
// failed: the failure itself shows in place of a result, until a person gives the step another outcome.
func (row *Row) OwnWarnings() []machine.WarningRecorded {
	a, showsFailure := row.NewestAction(), row.Status.IsOpen() || row.HasFailed() && !row.Overridden
	if a == nil || a.Error == "" || !showsFailure {
		return row.Warnings
	}
	return slices.DeleteFunc(slices.Clone(row.Warnings), func(w machine.WarningRecorded) bool { return w.Message == a.Error })
}

// OtherWarnings returns the warnings of the last attempt that no check repeats, without those of breakpoints.
func (row *Row) OtherWarnings() (out []string) {
	checks := row.Checks()
	for _, w := range row.OwnWarnings() {
		if w.Code != machine.LogpointCode && !slices.ContainsFunc(checks, func(c plan.Check) bool { return strings.Contains(w.Message, c.Text) }) {
			out = append(out, w.Message)
		}
	}
	return out
}

// EditableActionIndex returns the index of the step's action that a person can edit for the run: the last that
// was begun, else the first, or -1 if there is none.
func (row *Row) EditableActionIndex() int {
	if row == nil || row.Step == nil {
		return -1
	}
	first := -1
	for i, a := range row.Step.Actions {
		switch a.Work.(type) {
		case plan.Command, plan.Model, plan.Tool:
			if last := row.ShownAction(); first < 0 || last != nil && last.Index == i {
				first = i
			}
		}
	}
	return first
}

// ActionText returns the text of the i-th action of a step: a person's edit, else the document's
// text.
func (row *Row) ActionText(i int) string {
	if text, ok := row.EditedTexts[i]; ok {
		return text
	}
	return row.DocumentText(i)
}

// DocumentText returns the text of the i-th action of a step in the document.
func (row *Row) DocumentText(i int) string {
	if own, ok := plan.EditablePromptOf(row.Step.Actions[i].Work); ok {
		return own.EditableText()
	}
	return ""
}

// EditTexts returns the text of an action before and after a person's edit of it, "" if the document lacks the action. The
// track must not have the event of the edit yet.
func (t *Track) EditTexts(label string, b *machine.ActionEdited) (before, after string) {
	r := t.RowByLabel(label)
	if r == nil || r.Step == nil || b.ActionIndex >= len(r.Step.Actions) {
		return "", ""
	}
	return r.ActionText(b.ActionIndex), cmp.Or(b.Text, r.DocumentText(b.ActionIndex))
}
