package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// checkLabels returns an error for a label in a flag or in an answer that no step can have.
func (r *Run) checkLabels() error {
	c, path, names := r.Config, r.CurrentPlan.Path, r.answerableNames()
	if c.UntilStep != "" && !names.HasStep(c.UntilStep) {
		return Errorf("--until: %s has no step %q: %s", path, c.UntilStep, near.Suggestion(c.UntilStep, names.StepIDs))
	}
	for _, b := range c.Breakpoints {
		if err := names.CheckBreakpoint(b); err != nil {
			return Errorf("--break: %s: %w", path, err)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(c.PreparedAnswers.ByLabel)) {
		if !names.HasStep(label) && !names.asksFor(label) {
			return Errorf("%s has no step %q to answer: %s", path, label, near.Suggestion(label, append(names.StepIDs, names.askedValues...)))
		}
		if names.asksForValue || names.asksFor(label) {
			continue // values can be answered too
		}
		for _, item := range c.PreparedAnswers.ByLabel[label] {
			if _, err := scenario.ParseAnswer(item.Text, item.PreparedBy); err != nil {
				return Errorf("the answer for %s: %w", label, err)
			}
		}
	}
	return nil
}

// unusedReplyNotes returns a note for each prepared reply or result that fits no step, with the step that may be
// meant. lines are the lines of the labels in the file.
func (r *Run) unusedReplyNotes(file string, lines map[string]int) []string {
	c := r.Config
	if c.PreparedReplies == nil {
		return nil
	}
	names := engine.StepAndVariableNamesOf(r.CurrentPlan)
	var out []string
	for _, label := range slices.Sorted(maps.Keys(c.PreparedReplies.ByCallKey)) {
		if !namesStepOrCall(names, label) {
			out = append(out, label)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.PreparedResults.TextsByKey)) {
		if label, _, _ := strings.Cut(key, tools.ResultKey("", "")); !names.HasStep(label) {
			out = append(out, key)
		}
	}
	for i, label := range out {
		hint := near.Suggestion(label, names.StepIDs)
		if label == "replies" { // scenarios nest them under this key
			hint = "write the step labels at the top level of the file, not below another key"
		}
		out[i] = fmt.Sprintf("%s: line %d: %s has no step %q, so this entry is not used: %s", file, lines[label], r.CurrentPlan.Path, label, hint)
	}
	return out
}

// namesStepOrCall reports whether a key of replies names a step or a part of one.
func namesStepOrCall(names *engine.StepAndVariableNames, key string) bool {
	return names.HasStep(key) || names.HasStep(key[:max(0, strings.LastIndex(key, "/"))])
}

// answerableNames are the names of steps, and of the values that steps ask for.
type answerableNames struct {
	*engine.StepAndVariableNames
	asksForValue bool     // whether some step asks for a value
	askedValues  []string // the values that steps may ask for together, as answers name them
}

func (r *Run) answerableNames() *answerableNames {
	c := r.Config
	before := track.New(c.FirstPlan)
	before.Fold(c.History...)
	names := slices.Sorted(maps.Keys(c.Inputs))
	s := &answerableNames{StepAndVariableNames: engine.StepAndVariableNamesOf(r.CurrentPlan, append(names, before.VariableNames()...)...)}
	for _, one := range s.Plans {
		one.Walk(func(step, _ *plan.Step) bool {
			for _, a := range step.Actions {
				switch w := a.Work.(type) {
				case plan.Ask:
					s.asksForValue = true
					s.addMissingValues(step, w)
				case plan.Tool:
					s.asksForValue = s.asksForValue || c.Options.Prompted // the person gives the call's result
				case plan.Model:
					s.addReportedValues(one, step, w)
				}
			}
			return true
		})
	}
	return s
}

// addMissingValues adds the values that a step asks for only if they are missing.
func (a *answerableNames) addMissingValues(step *plan.Step, ask plan.Ask) {
	for _, f := range ask.Fields {
		if ask.OnlyMissingFields {
			a.askedValues = append(a.askedValues, engine.PreparedAnswerKey(step.ID, f.Name))
		}
	}
}

// addReportedValues adds the values that a step reports, because a person who accepts the report may
// change them.
func (a *answerableNames) addReportedValues(p *plan.Plan, step *plan.Step, w plan.Model) {
	if w.ReportTool == nil || w.ReportTool.Form == nil {
		return
	}
	for _, f := range w.ReportTool.Form.Fields(track.New(p).Scope(&track.Row{})) {
		if f.Type == "value" {
			a.askedValues = append(a.askedValues, engine.PreparedAnswerKey(step.ID, f.Name))
		}
	}
}

// asksFor reports whether an answer names a value that a step may ask for.
func (a *answerableNames) asksFor(label string) bool {
	return slices.Contains(a.askedValues, label[strings.LastIndex(label, "/")+1:])
}

// UnusedAnswers returns the labels of prepared answers that were not used in a run that is over.
func UnusedAnswers(c engine.Config, result plan.RunResult, events []machine.Event) []string {
	if result != plan.Completed && result != plan.Stopped && result != plan.RunFailed {
		return nil
	}
	answered := map[string]bool{} // labels of steps, and keys of values
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.InputNeeded:
			answered[e.Step] = true
		case *machine.ActionFinished: // a prepared result of a tool
			answered[e.Step] = answered[e.Step] || e.By == machine.ByFlag || e.By == machine.ByFile
		case *machine.InputGiven:
			for _, a := range b.Assignments {
				answered[engine.PreparedAnswerKey(e.Step, a.Name)] = true
			}
		}
	}
	var out []string
	for _, label := range slices.Sorted(maps.Keys(c.PreparedAnswers.ByLabel)) {
		if !answered[label] {
			out = append(out, label)
		}
	}
	return out
}
