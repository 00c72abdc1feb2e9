package report

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// foldChange folds an event, and adds what a person did with it instead of answering. superseded is the
// number of the event that rewound the run to before the change, 0 for none.
func (b *reportBuilder) foldChange(t *track.Track, e machine.Event, superseded int) {
	c := b.changeOf(t, e)
	t.Fold(e)
	if c.Description == "" {
		return
	}
	c.EventSeq, c.Time, c.Step, c.Note = e.Seq, e.Time, t.ChangedStep(e), e.Note
	c.Title = titleOfStep(t, c.Step)
	if edit, is := e.Body.(*machine.ActionEdited); !is || !b.isEditKept(e, edit) {
		c.SupersededBySeq = superseded
	}
	b.report.Changes = append(b.report.Changes, c)
}

// changeOf describes what a person did with an event instead of answering, with what was changed before and after it.
// The description is "" if it was nothing. t must not have the event yet.
func (b *reportBuilder) changeOf(t *track.Track, e machine.Event) (c Change) {
	answer, isAnswer := e.Body.(*machine.InputGiven)
	overrides := isAnswer && (answer.Kind == machine.KindResume || answer.Kind == machine.KindAcceptOutcome) && answer.Outcome != nil && answer.Outcome.Overridden
	if e.By != machine.ByPerson && !overrides {
		return c
	}
	switch body := e.Body.(type) {
	case *machine.InputGiven:
		if overrides {
			c.Description = track.OutcomeOverrideText(body.Outcome.Result)
		}
	case *machine.StepFinished:
		if body.Overridden {
			c.Description = track.OutcomeOverrideText(body.Result)
		}
	case *machine.Decision:
		if body.ByPerson {
			c.Description = track.PersonMoveText(track.PersonMoveStep(e.Step, body), body)
		}
	case *machine.ActionFinished:
		if body.Overridden {
			c.Description = "its reply was changed"
		}
	case *machine.VariableCaptured:
		c.Description = fmt.Sprintf("%s was set", body.Variable)
		b.setTexts(&c, valueOfVariable(t, body.Variable), plan.ValueText(body.Value))
	case *machine.ActionEdited:
		if body.KeptAcrossRewind { // a copy of an edit that is in the report
			return c
		}
		c.Description = "its text was edited"
		if body.Text == "" {
			c.Description = "its edit was removed"
		}
		before, after := t.EditTexts(e.Step, body)
		b.setTexts(&c, before, after)
	case *machine.DocumentReloaded:
		c.Description = track.ReloadText(body)
		before, after := t.DocumentEditTexts(body)
		b.setTexts(&c, before, after)
	case *machine.ShellOpened:
		c.Description = "a shell was opened"
	case *machine.LimitsUsed:
		c.Description = track.MarkedLimitsText(body)
	case *machine.RunFinished:
		if body.ByPerson {
			c.Description = wording.EndedByPersonText(body, e.PreparedBy)
		}
	}
	return c
}

// setTexts sets what was changed before and after a change, and their diff. The diff is made of the full texts, because
// their excerpts may lack what differs. It costs nothing of the budget: people read it in place of the two texts.
func (b *reportBuilder) setTexts(c *Change, before, after string) {
	budget := b.budget
	c.diff = budget.excerpt(diffText(before, after))
	c.Before, c.After = b.budget.excerpt(before), b.budget.excerpt(after)
}

// isEditKept reports whether the run still has an edit because the rewind to before it kept the edit.
func (b *reportBuilder) isEditKept(e machine.Event, edit *machine.ActionEdited) bool {
	return slices.ContainsFunc(machine.LiveBranch(b.Events), func(later machine.Event) bool {
		laterEdit, is := later.Body.(*machine.ActionEdited)
		return is && laterEdit.KeptAcrossRewind && later.Seq > e.Seq && later.Step == e.Step && laterEdit.ActionIndex == edit.ActionIndex && laterEdit.Text == edit.Text
	})
}

func titleOfStep(t *track.Track, label string) string {
	if r := t.RowByLabel(label); r != nil && r.Title != label {
		return r.Title
	}
	return ""
}

// valueOfVariable returns the value of a variable as text, "" if it has none.
func valueOfVariable(t *track.Track, name string) string {
	for _, v := range t.Variables {
		if v.Name == name {
			return plan.ValueText(v.Value)
		}
	}
	return ""
}

// stepName returns the name of the step that a change is about.
func (c Change) stepName() string { return strings.TrimSpace(c.Step + " " + c.Title) }

// heading returns what was changed.
func (c Change) heading() string {
	if c.Step == "" {
		return c.action()
	}
	return c.stepName() + ": " + c.action()
}

// action returns what was done, and whether a prepared answer did it.
func (c Change) action() string { return c.Description + wording.PreparedSuffix(c.Note) }

// diffText returns the lines that differ between two texts, as a diff. Control characters are not compared, because a
// report does not show them.
func diffText(before, after string) string {
	hunks := linediff.CompareLines(comparedLines(before), comparedLines(after))
	var b strings.Builder
	for _, h := range hunks {
		if len(hunks) > 1 {
			b.WriteString(h.Header() + "\n")
		}
		b.WriteString(h.Lines())
	}
	return b.String()
}

func comparedLines(text string) []string {
	return linediff.SplitLines([]byte(sanitize.PlainLines(strings.Trim(text, "\n"))))
}

// addRewinds adds the rewinds, because their events are not on the current branch.
func (b *reportBuilder) addRewinds() {
	for i, e := range b.Events {
		r, back := e.Body.(*machine.RunRewound)
		if !back || machine.BeginsFork(b.Events, i) {
			continue
		}
		step, text := b.describeRewind(i, e, r)
		b.report.Changes = append(b.report.Changes, Change{
			EventSeq: e.Seq, Time: e.Time, Step: step, Title: titleOfStep(b.track, step), Description: text, Note: e.Note,
			EffectsNotUndone: executedOnlyOn(machine.LiveBranch(b.Events[:i]), machine.BranchTo(b.Events, r.ToSeq)),
		})
	}
	slices.SortFunc(b.report.Changes, func(a, b Change) int { return a.EventSeq - b.EventSeq })
}

// describeRewind describes the rewind that is the i-th event, an undo, a redo, or a rewind to a place, and returns the
// step that it is about.
func (b *reportBuilder) describeRewind(i int, e machine.Event, r *machine.RunRewound) (step, text string) {
	find := machine.NextUndo
	switch {
	case r.Redo:
		find = machine.NextRedo
	case r.Rerun:
		return e.Step, "the run was rewound to here, to run the step again"
	case !r.Undo && e.Step == "":
		return "", "the run was " + track.DescribeEvent(e)
	case !r.Undo:
		return e.Step, "the run was rewound to here"
	}
	if done := find(b.Events[:i]); done != nil {
		return b.changedStep(done.Event), wording.UndoneVerb(*done) + ": " + track.InterventionText(done.Event)
	}
	return e.Step, "the run was rewound to here"
}

// changedStep returns the step that a person's event changed, also if that is no change of the report but an answer.
func (b *reportBuilder) changedStep(e machine.Event) string {
	for _, c := range b.report.Changes {
		if c.EventSeq == e.Seq {
			return c.Step
		}
	}
	return e.Step
}

// executedOnlyOn returns the commands and tool calls that were executed on the branch that was left, and
// not on the other branch.
func executedOnlyOn(left, on []machine.Event) []string {
	stays := map[int]bool{}
	for _, e := range on {
		stays[e.Seq] = true
	}
	return track.SideEffects(on, slices.DeleteFunc(left, func(e machine.Event) bool { return stays[e.Seq] }))
}
