package track

import (
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
	r, x := t.at(e), t.VisitOf(e)
	if r != nil {
		t.set(r, Running)
		if x.hasEnded(b.Action) {
			r.addDuration(-r.Took)
		}
	}
	a := &Action{Index: b.Action, Kind: b.Kind, Text: b.Text, Started: e.Time, Start: e}
	if b.Call != nil {
		a.Model, a.Server, a.Tool, a.Args, a.Origin = b.Model, b.Server, b.Tool, b.Args, b.Origin
	}
	if r != nil {
		_, a.Edited = r.Edits[b.Action]
	}
	x.Actions = append(x.Actions, a)
}

func (t *Track) finishAction(e machine.Event, b *machine.ActionFinished) {
	r, x := t.at(e), t.VisitOf(e)
	a := x.action(b.Action, b.Kind)
	a.End = e
	if r == nil {
		return
	}
	if r.Status == Waiting {
		t.set(r, Running)
	}
	a.Done, a.Log, a.ExitCode, a.Signal, a.Error, a.File = true, b.Log, b.ExitCode, b.Signal, b.Error, b.File
	if plan.IsLocal(a.Server) && a.Tool == plan.ToolTodo && b.Error == "" {
		t.Todos, _ = tools.Todos(a.Args) // the arguments are valid, because the tool accepted them
	}
	a.CutOff, a.Background, a.Outcome, a.Calls, a.Correction = b.IsCutOff(), b.Background, b.Outcome, b.Calls, b.Ask
	if b.Kind == "model" {
		a.Excerpt, a.Report, a.Set = firstLine(b.Output), r.reportArgs(b), b.Set
	}
	if b.Overridden {
		r.Changed = true
		t.noteOverride(e, "reply changed")
	}
	t.keepOutput(e, b.Outcome)
	t.Background = append(t.Background, b.Background...)
	a.reply(e.By, b.ReplyInfo)
	if e.By != "" {
		x.By = e.By
	}
	t.Used.add(b.ReplyInfo)
	if b.Log != nil {
		t.OutputBytes += b.Log.Bytes
	}
	if b.DurationMS != nil {
		a.Took = time.Duration(*b.DurationMS) * time.Millisecond
		r.addDuration(a.Took)
	}
}

// reportArgs returns the arguments of the call with which the row's step reports, "" if there is
// none.
func (r *Row) reportArgs(b *machine.ActionFinished) string {
	if r.Step == nil || b.Action >= len(r.Step.Actions) {
		return ""
	}
	work, _ := r.Step.Actions[b.Action].Work.(plan.Model)
	i := slices.IndexFunc(b.Calls, func(c plan.ToolCall) bool { return work.Report != nil && c.Name == work.Report.Name })
	if i < 0 {
		return ""
	}
	return b.Calls[i].Arguments
}

// maxExcerpt limits the excerpt of a reply that is kept with its action, in bytes.
const maxExcerpt = 200

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return strings.ToValidUTF8(text[:min(len(text), maxExcerpt)], "")
}

// reply stores who replied, and what is known about the reply.
func (a *Action) reply(by string, r *machine.ReplyInfo) {
	if a.By = by; r == nil {
		return
	}
	if r.Model != "" {
		a.Model = r.Model
	}
	a.Finish, a.Schema, a.Reasoning = r.Finish, r.Schema, r.Reasoning
	a.Used.add(r)
}

func (t *Track) wait(e machine.Event, b *machine.InputNeeded) {
	t.VisitOf(e).ask(e, b)
	if r := t.at(e); r != nil {
		t.set(r, Waiting)
		if a := r.NewestAction(); a != nil {
			a.NeedsApproval = b.Kind == machine.KindApproveCall
		}
	}
}

// Await shows that a step waits for a person who replies for a model, because no event says so. An
// empty label ends this.
func (t *Track) Await(label string) {
	if r := t.waitingRow; r != nil && r.Label != label {
		t.set(r, Running)
	}
	if r := t.byLabel[label]; r != nil && r.Status != Waiting {
		t.set(r, Waiting)
		t.waitingRow = r
	}
}

func (t *Track) answer(e machine.Event, b *machine.InputGiven) {
	if b.Kind == machine.KindApproveCall && b.Value == machine.AllowAll {
		t.Approve = machine.ApproveNone
	}
	x := t.VisitOf(e)
	x.answer(e, b)
	x.By = e.By
	if r := t.at(e); r != nil {
		t.set(r, Running)
		if a := r.NewestAction(); a != nil && b.Kind == machine.KindApproveCall {
			a.NeedsApproval, a.Denied, a.Started = false, b.Value == machine.Denied, e.Time
			t.changeCall(e, r, a, b)
		}
		if b.Outcome != nil {
			r.Outcome = b.Outcome
		}
		t.keepOutput(e, b.Outcome)
	}
}

// changeCall records what a person changed about a call: its arguments, or the result.
func (t *Track) changeCall(e machine.Event, r *Row, a *Action, b *machine.InputGiven) {
	switch {
	case b.Value == machine.Answered:
		a.Answered = true
		t.noteOverride(e, a.Tool+" answered")
	case b.Args != "":
		a.Args = b.Args
		t.noteOverride(e, "arguments of "+a.Tool+" changed")
	default:
		return
	}
	r.Changed = true
}

// enterChild enters an included document, again if its step was retried.
func (t *Track) enterChild(b *machine.ChildEntered) {
	d := t.byLabel[b.Label]
	if d == nil || d.Doc == nil || d.Doc.Plan == nil {
		return
	}
	t.Expand(d)
	t.reset(d.Children)
	d.frame.numbers = nil
	t.frames = append(t.frames, d.frame)
	t.set(d, Running)
	d.Took, d.Message = 0, ""
}

func (t *Track) finishChild(b *machine.ChildFinished) {
	d := t.byLabel[b.Label]
	if d == nil {
		return
	}
	if n := len(t.frames); n > 1 && t.frames[n-1].row == d {
		t.frames = t.frames[:n-1]
	}
	t.leaveTo(d.Parent)
	t.set(d, Failed)
	if b.Result == plan.Completed {
		t.set(d, Passed)
	}
	d.Message = b.Message
}

// warn keeps a warning with its step, or with the included document that it stands for.
func (t *Track) warn(e machine.Event, b *machine.Warned) {
	r := t.at(e)
	if r == nil {
		return
	}
	r.Warnings = append(r.Warnings, *b)
	if b.Document == "" {
		return
	}
	for _, d := range r.Children {
		if d.Doc != nil && d.Doc.Path == b.Document {
			t.set(d, Failed)
			d.Message = b.Message
		}
	}
}

func (t *Track) inputs(vars map[string]any) {
	names := make([]string, 0, len(vars))
	for name := range vars {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.assign(name, vars[name], "", "")
	}
}

// assign sets a variable. A nil value withdraws its value.
func (t *Track) assign(name string, value any, step, by string) {
	if value == nil {
		t.withdraw(name)
		return
	}
	i, known := t.vars[name]
	if !known {
		i = len(t.Vars)
		t.vars[name] = i
		t.Vars = append(t.Vars, Var{Name: name})
	}
	if from := t.byLabel[t.Vars[i].Step]; from != nil && by == machine.ByPerson && t.Vars[i].By == "" {
		from.Changed = true
	}
	t.Vars[i].Value, t.Vars[i].Step, t.Vars[i].By = value, step, by
}

func (t *Track) withdraw(name string) {
	t.Vars = slices.DeleteFunc(t.Vars, func(v Var) bool { return v.Name == name })
	clear(t.vars)
	for i, v := range t.Vars {
		t.vars[v.Name] = i
	}
}

// RequestIn returns the index of the request to a model in the row's newest visit, and the request.
// The events end with that visit. It returns nil if there is none, or if the model has to report,
// because its earlier tool calls cannot be assumed to be the same.
func (r *Row) RequestIn(events []machine.Event) (at int, work *plan.Model) {
	for at := len(events) - 1; at >= 0 && events[at].Step == r.Label; at-- {
		b, began := events[at].Body.(*machine.ActionStarted)
		if !began || b.Kind != "model" || b.Action >= len(r.Step.Actions) {
			continue
		}
		if work, is := r.Step.Actions[b.Action].Work.(plan.Model); is && work.Report == nil {
			return at, &work
		}
	}
	return 0, nil
}

// Checks returns the checks by which the row's outcome was judged, or by which the outcome is
// judged that is held for a person.
func (r *Row) Checks() []plan.Check {
	newest := r.NewestAction()
	switch {
	case r.Outcome != nil:
		return r.Outcome.Checks
	case newest == nil || !r.Status.IsOpen():
		return nil
	}
	for _, a := range slices.Backward(r.LastVisit().Actions) {
		if a.Outcome != nil && (a == newest || a.Index != newest.Index) {
			return a.Outcome.Checks
		}
	}
	return nil
}

// OtherWarnings returns the warnings of the last visit that no check repeats, without those of breakpoints.
func (r *Row) OtherWarnings() (out []string) {
	checks := r.Checks()
	for _, w := range r.Warnings {
		if w.Code != machine.BreakpointCode && !slices.ContainsFunc(checks, func(c plan.Check) bool { return strings.Contains(w.Message, c.Text) }) {
			out = append(out, w.Message)
		}
	}
	return out
}

// Editable returns the index of the step's action that a person can edit for the run: the last that
// was begun, else the first, or -1 if there is none.
func (r *Row) Editable() int {
	if r == nil || r.Step == nil {
		return -1
	}
	first := -1
	for i, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Command, plan.Model, plan.Tool:
			if last := r.Action(); first < 0 || last != nil && last.Index == i {
				first = i
			}
		}
	}
	return first
}

// ActionText returns the text of the i-th action of a step: a person's edit, else the document's
// text.
func (r *Row) ActionText(i int) string {
	if text, ok := r.Edits[i]; ok {
		return text
	}
	return r.DocumentText(i)
}

// DocumentText returns the text of the i-th action of a step in the document.
func (r *Row) DocumentText(i int) string {
	if own, ok := plan.EditableIn(r.Step.Actions[i].Work); ok {
		return own.DocumentText()
	}
	return ""
}
