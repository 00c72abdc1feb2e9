package report

import (
	"cmp"
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/engine/tools"
	"playhead/engine/track"
)

// Kinds of Work that are written in a way of their own; a question is what a person is asked.
const (
	question = "question"
	command  = "command"
	model    = "model"
)

// startWork begins a piece of work.
func (b *builder) startWork(e machine.Event, body *machine.ActionStarted) {
	w := &Work{Kind: body.Kind, Started: e.Time, Language: body.Language, Request: b.budget.excerpt(body.Text), index: body.Action, seq: e.Seq}
	if c := body.Call; c != nil {
		w.System, w.Model, w.Server, w.Tool = b.budget.excerpt(c.System), c.Model, c.Server, c.Tool
		w.Arguments = b.budget.excerpt(tools.Pretty(c.Args))
	}
	if r := b.track.Row(e.Step); r != nil {
		_, w.Edited = r.Edits[body.Action]
	}
	v := b.at(e)
	v.Work = append(v.Work, w)
}

// finishWork says what came of it. What only reads what is there already leaves no trace of
// its own unless it went wrong.
func (b *builder) finishWork(e machine.Event, body *machine.ActionFinished) {
	v := b.at(e)
	if body.Outcome != nil { // one that is held has not become the visit's yet
		v.Checks = body.Outcome.Checks
	}
	w := v.open(body.Action, body.Kind)
	if w == nil {
		if body.Error == "" && (body.Kind == "read" || body.Output == "") {
			return
		}
		w = &Work{Kind: body.Kind, Started: e.Time, index: body.Action}
		v.Work = append(v.Work, w)
	}
	w.done, w.By, w.Note = true, e.By, e.Reason
	w.ExitCode, w.Signal, w.Interrupted, w.Error = body.ExitCode, body.Signal, body.IsCutOff(), body.Error
	w.Result = b.output(e.Step, body)
	if body.DurationMS != nil {
		took := Duration(time.Duration(*body.DurationMS) * time.Millisecond)
		w.Took = &took
		b.updateDurations(e)
	}
	for _, c := range body.Calls {
		w.Calls = append(w.Calls, Call{c.Name, b.budget.excerptOrEmpty(tools.Pretty(c.Arguments))})
	}
	if r := body.Replied; r != nil {
		w.Model, w.Reasoning, w.Used = cmp.Or(r.Model, w.Model), b.budget.excerpt(r.Reasoning), used(track.UsageOf(r))
	}
}

// updateDurations brings how long visits took in line with what the newest work did: that of the
// step, and those that hold it.
func (b *builder) updateDurations(e machine.Event) {
	for r := b.track.Row(e.Step); r != nil; r = r.Parent {
		if all := b.visits[r.Label]; len(all) > 0 {
			all[len(all)-1].Took = Duration(r.Took)
		}
	}
}

// output is what there is to read of an action of a step: its log, else its text.
func (b *builder) output(step string, body *machine.ActionFinished) *Excerpt {
	if body.Log != nil && b.Log != nil && body.Kind == command {
		if e, err := b.logged(*body.Log); err == nil {
			return e
		}
		b.report.Warnings = append(b.report.Warnings, Warning{
			step, "playhead/log", "the log of what it printed is missing from the run's folder, or cannot be read: " + body.Log.File,
		})
	}
	if body.Output == "" && body.Outcome != nil {
		return b.budget.excerpt(body.Outcome.Text)
	}
	return b.budget.excerpt(body.Output)
}

func (b *builder) logged(ref machine.LogRef) (*Excerpt, error) {
	l, err := b.Log(ref)
	if err != nil {
		return nil, err
	}
	return b.budget.logExcerpt(l)
}

// addPartialOutput gives work under way, or cut off with the process that did it, what has come of
// it: no event says.
func (b *builder) addPartialOutput() {
	for _, label := range b.order {
		for _, v := range b.visits[label] {
			for _, w := range v.Work {
				if w.done || w.seq == 0 || b.Part == nil {
					continue
				}
				if l, err := b.Part(w.Kind, w.seq); err == nil {
					w.Result, _ = b.budget.logExcerpt(l)
				}
			}
		}
	}
}

// open is the newest work of an action that is not done.
func (v *Visit) open(index int, kind string) *Work {
	for _, w := range slices.Backward(v.Work) {
		if w.index == index && w.Kind == kind && !w.done {
			return w
		}
	}
	return nil
}

func (b *builder) ask(e machine.Event, body *machine.InputNeeded) {
	v := b.at(e)
	v.Work = append(v.Work, &Work{
		Kind: question, Question: body.Kind, Started: e.Time, Request: b.budget.excerpt(body.Prompt), Options: body.Options, index: body.Action,
	})
}

func (b *builder) answer(e machine.Event, body *machine.InputGiven) {
	v := b.at(e)
	w := v.open(body.Action, question)
	if w == nil {
		w = &Work{Kind: question, Question: body.Kind, Started: e.Time, index: body.Action}
		v.Work = append(v.Work, w)
	}
	took := Duration(max(0, e.Time.Sub(w.Started)))
	w.done, w.Took, w.Answer, w.By, w.Note = true, &took, b.budget.excerpt(body.Value), e.By, e.Reason
}
