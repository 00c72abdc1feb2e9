package report

import (
	"cmp"
	"time"

	"playhead/engine/machine"
	"playhead/engine/tools"
	"playhead/engine/track"
)

// The kinds of Work that are shown in their own way. A question is one to a person.
const (
	kindQuestion = "question"
	kindCommand  = "command"
	kindModel    = "model"
)

// workOfAction returns the work of an action. It is nil if the action only read existing values and left no
// trace.
func (b *reportBuilder) workOfAction(step string, a *track.Action) *Work {
	w := &Work{Kind: a.Kind, Edited: a.EditedText != "", startSeq: cmp.Or(a.StartEvent.Seq, a.EndEvent.Seq), Started: a.StartEvent.Time}
	if start, is := a.StartEvent.Body.(*machine.ActionStarted); is {
		b.addRequest(w, start)
	}
	end, is := a.EndEvent.Body.(*machine.ActionFinished)
	if !is {
		b.addPartialOutput(w, a.StartEvent.Seq)
		return w
	}
	if a.StartEvent.Seq == 0 {
		if w.Started = a.EndEvent.Time; end.Error == "" && (end.Kind == "read" || end.Output == "") {
			return nil
		}
	}
	w.isDone, w.By, w.Note = true, a.EndEvent.By, a.EndEvent.Note
	b.finishWork(step, w, end)
	return w
}

// addRequest adds what was asked for.
func (b *reportBuilder) addRequest(w *Work, body *machine.ActionStarted) {
	w.Language, w.Request = body.Language, b.budget.excerpt(body.Text)
	if c := body.Call; c != nil {
		w.SystemMessage, w.Model, w.Server, w.Tool = b.budget.excerpt(c.SystemMessage), c.Model, c.Server, c.Tool
		w.Arguments = b.budget.excerpt(tools.PrettyJSON(c.Args))
	}
}

// finishWork adds the result of a piece of work.
func (b *reportBuilder) finishWork(step string, w *Work, body *machine.ActionFinished) {
	w.ExitCode, w.Signal, w.IsInterrupted, w.Error = body.ExitCode, body.Signal, body.IsCutOff(), body.Error
	w.Result = b.outputExcerpt(step, body)
	if body.DurationMS != nil {
		took := Duration(time.Duration(*body.DurationMS) * time.Millisecond)
		w.Took = &took
	}
	for _, c := range body.WantedCalls {
		w.WantedCalls = append(w.WantedCalls, Call{c.Name, b.budget.excerptOrEmpty(tools.PrettyJSON(c.Arguments))})
	}
	if r := body.ReplyInfo; r != nil {
		w.Model, w.Reasoning, w.Usage = cmp.Or(r.Model, w.Model), b.budget.excerpt(r.Reasoning), usageOf(track.UsageOf(r))
	}
}

// outputExcerpt returns the output of an action of a step: its log, else its text.
func (b *reportBuilder) outputExcerpt(step string, body *machine.ActionFinished) *Excerpt {
	if body.Log != nil && b.OpenLog != nil && body.Kind == kindCommand {
		if e, err := b.logExcerpt(*body.Log); err == nil {
			return e
		}
		b.report.Warnings = append(b.report.Warnings, Warning{
			step, "playhead/log", "the log of a command's output is missing from the run's folder, or cannot be read: " + body.Log.File,
		})
	}
	if body.Output == "" && body.Outcome != nil {
		return b.budget.excerpt(body.Outcome.Text)
	}
	return b.budget.excerpt(body.Output)
}

func (b *reportBuilder) logExcerpt(ref machine.LogRef) (*Excerpt, error) {
	l, err := b.OpenLog(ref)
	if err != nil {
		return nil, err
	}
	return b.budget.logExcerpt(l)
}

// addPartialOutput adds what unfinished work has printed. No event has this, whether the work is still in
// progress or ended with its process.
func (b *reportBuilder) addPartialOutput(w *Work, seq int) {
	if b.OpenPartialOutput == nil {
		return
	}
	if l, err := b.OpenPartialOutput(w.Kind, seq); err == nil {
		w.Result, _ = b.budget.logExcerpt(l)
	}
}

// workOfQuestion returns a question to a person, with its answer.
func (b *reportBuilder) workOfQuestion(q track.Question) *Work {
	w := &Work{
		Kind: kindQuestion, QuestionKind: q.Kind, Started: q.AskEvent.Time, Request: b.budget.excerpt(q.Prompt), Options: q.Options,
		startSeq: cmp.Or(q.AskEvent.Seq, q.AnswerEvent.Seq),
	}
	if q.Answer != nil {
		took := Duration(max(0, q.AnswerEvent.Time.Sub(cmp.Or(q.AskEvent.Time, q.AnswerEvent.Time))))
		answer := b.budget.excerptOrEmpty(q.Answer.Value)
		w.isDone, w.Took, w.Answer, w.By, w.Note = true, &took, &answer, q.AnsweredBy, q.AnswerEvent.Note
	}
	return w
}
