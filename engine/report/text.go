package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// String returns the duration as text.
func (d Duration) String() string { return wording.DurationText(time.Duration(d)) }

// String returns how much is left out, such as "lines left out: 998,000 (41,230,112 bytes)".
func (o Omission) String() string {
	bytes := plan.FormatThousands(int(o.Bytes)) + " bytes"
	if o.Lines > 0 {
		return fmt.Sprintf("lines left out: %s (%s)", plan.FormatThousands(o.Lines), bytes)
	}
	return bytes + " left out"
}

// ResultText returns the result of the run as people read it, with its sign. For a paused run, this is where it is paused.
func (r *Report) ResultText() string {
	switch {
	case r.isPaused():
		return "‖ " + r.WaitingFor.text
	case r.WaitingFor != nil:
		return glyph(plan.Awaiting) + " " + track.ResultWord(plan.Awaiting)
	}
	return glyph(r.Result) + " " + track.ResultWord(plan.RunResult(r.Result))
}

// isPaused reports whether the run is paused and waits for no answer.
func (r *Report) isPaused() bool {
	return r.WaitingFor != nil && r.WaitingFor.Kind == machine.KindPause
}

// glyphByStatus has the signs of statuses and results. A sign stands beside the word, never in its place.
var glyphByStatus = map[string]string{
	"passed": "✓", "pass": "✓", "completed": "✓", "failed": "✗", "fail": "✗", "stopped": "✗", "error": "✗",
	"skipped": "–", "left": "↷", "cancelled": "–", "waiting": "?", "awaiting_input": "?", "running": "▶",
	"unverified": "△",
}

func glyph[S ~string](status S) string {
	if g, known := glyphByStatus[string(status)]; known {
		return g
	}
	return "○"
}

// String returns a text as it is, in quotes if its blanks would not show, and any other value as JSON.
func (v Variable) String() string {
	if v.Text != nil {
		return v.Text.String()
	}
	if s, is := v.Value.(string); is {
		return sanitize.PlainLines(plan.VisibleLines(s))
	}
	data, err := json.Marshal(v.Value)
	if err != nil {
		return ""
	}
	return sanitize.PlainLines(data)
}

// String returns the text with a note where something is left out.
func (e Excerpt) String() string {
	if e.LeftOut == nil {
		return e.Text
	}
	return e.Text + "\n… " + e.LeftOut.String() + " …\n" + e.Tail
}

// answerText returns an answer as a person reads it, in quotes if its blanks would not show.
func (w *Work) answerText() string {
	return plan.VisibleLines(wording.AnswerLabel(w.QuestionKind, w.Answer.String()))
}

// origin returns where a value comes from, for a column of a table.
func (v Variable) origin() string {
	return wording.VariableOrigin(track.Variable{SetByStep: v.Step, SetBy: v.By, IsStepGone: v.StepGone})
}

// supersededMark marks what was done before a rewind took the run back to an earlier moment.
const supersededMark = "superseded"

// overrideMark says that an outcome or a decision with a note is an override, and whether a prepared answer made it.
func overrideMark(note string) string { return "! overridden" + wording.PreparedSuffix(note) }

// heading returns what a piece of work is: tool files/search, model gpt-5.
func (w *Work) heading() string {
	switch {
	case w.Kind == kindQuestion:
		return "question (" + w.QuestionKind + ")"
	case w.Tool != "" && w.Server != "":
		return "tool " + w.Server + "/" + w.Tool
	case w.Tool != "":
		return "tool " + w.Tool
	case w.Model != "":
		return w.Kind + " " + w.Model
	default:
		return w.Kind
	}
}

// resultName returns the name of the result of a piece of work.
func (w *Work) resultName() string {
	switch {
	case w.Kind == kindModel:
		return "Reply"
	case w.Tool != "":
		return "Result"
	default:
		return "Output"
	}
}

// details returns how a piece of work went, in a few words each.
func (w *Work) details() []string {
	var out []string
	add := func(yes bool, format string, args ...any) {
		if yes {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(w.SupersededBySeq > 0, supersededMark)
	add(w.Edited, "! edited by a person")
	add(w.By != "", "%s", wording.AuthorText(w.By))
	if w.ExitCode != nil {
		add(true, "exit %d", *w.ExitCode)
	}
	add(w.Signal != "", "signal %s", w.Signal)
	add(w.IsInterrupted, "interrupted")
	add(!w.isDone, "not finished")
	if w.Took != nil {
		add(true, "%s", *w.Took)
	}
	if w.Usage != nil {
		add(true, "tokens %s", w.Usage.text)
	}
	return out
}

// statusText returns the status of a step, and whether a failure caused it to be skipped. A pending step that a
// rewind took back is superseded. One of a run that is over was not reached, or not taken, and a text for prompts is never
// entered.
func (s *Step) statusText() string {
	isLive := func(attempt *Attempt) bool { return attempt.SupersededBySeq == 0 }
	if s.Status == track.Pending.String() && len(s.Attempts) > 0 && !slices.ContainsFunc(s.Attempts, isLive) {
		return supersededMark
	}
	if s.SkipReason == track.SkipAfterFailure {
		return s.Status + ", after a failure"
	}
	return cmp.Or(s.notRunText, s.Status)
}

// identity returns which attempt of which visit it is, and whether a rewind undid it.
func (attempt *Attempt) identity() []string {
	var out []string
	if attempt.visit > 0 {
		out = append(out, fmt.Sprintf("visit %d", attempt.visit))
	}
	out = append(out, fmt.Sprintf("attempt %d", attempt.Number))
	if attempt.SupersededBySeq > 0 {
		out = append(out, supersededMark)
	}
	return out
}

// details returns which attempt of which visit it is, how it ended and why.
func (attempt *Attempt) details() []string {
	out := attempt.identity()
	if attempt.Result != "" {
		out = append(out, glyph(attempt.Result)+" "+attempt.Result)
	}
	switch o := attempt.Override; {
	case o != nil && o.From != "":
		out = append(out, overrideMark(attempt.Reason)+", originally "+o.From)
	case attempt.Overridden:
		out = append(out, overrideMark(attempt.Reason))
	}
	if attempt.OutcomeSource != "" && attempt.OutcomeSource != attempt.Result && !attempt.Overridden {
		out = append(out, track.OutcomeSourceText(&plan.Outcome{Source: attempt.OutcomeSource}))
	}
	if attempt.Took > 0 {
		out = append(out, attempt.Took.String())
	}
	return out
}
