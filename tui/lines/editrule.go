package lines

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// previewedRuleEdit is a rule edit that was previewed. ":edit-rule yes" makes it.
type previewedRuleEdit struct {
	offer       *engine.ReloadOffer
	decisionSeq int // the event of the decision to make again; 0: the next decision
}

// editRule lists the rules of a step, or shows what another text of a rule would lead to, or with "yes"
// makes the edit that was shown last.
func (v *versionCommands) editRule(a *control.Action, line string) error {
	if line == "yes" {
		return v.applyRuleEdit()
	}
	run := v.currentRun()
	row, rest, err := run.CutStep(line, true)
	if err != nil {
		return err
	}
	args := control.Args{Row: row}
	number, text, _ := strings.Cut(rest, " ")
	if number != "" {
		if args.RuleIndex, err = strconv.Atoi(number); err != nil {
			return fmt.Errorf("%q is not the number of a rule: :edit-rule STEP lists the numbers", number)
		}
		args.RuleIndex--
	}
	if number == "" && v.printRules(run, run.ArgumentRow(args), "") {
		return nil
	}
	if why := a.UnavailableReason(run, args); why != "" {
		return errors.New(why.ReplacePlaceholders(instructionToType))
	}
	if text = strings.TrimSpace(text); text == "" {
		_, old, err := run.RuleRef(args).Text(run.Plan)
		switch {
		case err != nil:
			return err
		case v.editText == nil:
			v.printLine("%s", indentLines(old))
			return nil
		}
		if text, err = v.editText(old); err != nil {
			return err
		}
	}
	return v.previewRuleEdit(run, args, text)
}

// printRules prints the rules of a step after a prefix, and those of its branches after their labels. It
// reports whether there are any.
func (v *versionCommands) printRules(run control.RunView, row *track.Row, prefix string) (listed bool) {
	if row == nil || row.Step == nil {
		return false
	}
	for i := range row.Plan().RulesOf(row.Step) {
		c, text, err := run.RuleRef(control.Args{Row: row, RuleIndex: i}).Text(run.Plan)
		if err != nil {
			text = err.Error()
		}
		v.printLine("  %s%d %s, %s: %s", prefix, i+1, c.Kind, sanitize.Plain(c.PlaceText(row.Plan().SourcePath())), sanitize.Plain(firstLineOf(text)))
		listed = true
	}
	for _, child := range row.Children {
		if child.Step != nil && child.Step.IsArm() && v.printRules(run, child, sanitize.Plain(child.Label)+" ") {
			listed = true
		}
	}
	return listed
}

func firstLineOf(text string) string {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		first += " …"
	}
	return first
}

func indentLines(text string) string {
	return "  " + strings.ReplaceAll(sanitize.PlainLines(strings.TrimRight(text, "\n")), "\n", "\n  ")
}

// previewRuleEdit previews a rule edit: where the current decision would lead, and which earlier decisions
// would have been different.
func (v *versionCommands) previewRuleEdit(run control.RunView, args control.Args, text string) error {
	o, err := v.session.EditRule(run.RuleRef(args), text)
	if err != nil {
		return err
	}
	if err := o.Err(); err != nil {
		return v.printRefusal(o.Problems())
	}
	f, err := v.session.Forecast(o, run.DecisionSeq(args))
	if err != nil {
		return err
	}
	v.lastRuleEdit = &previewedRuleEdit{o, run.DecisionSeq(args)}
	v.printLine("  Changed: %s", sanitize.Plain(o.Match.Summary()))
	v.printForecast(run, args, f)
	effect := control.FindAction("edit-rule").Effect(run, args)
	if run.Status.RunningStep != "" {
		v.printLine("  %s", sanitize.Plain(effect.Text.ReplacePlaceholders(instructionToType)))
	}
	if f.RewindTo == 0 {
		v.printLine("  :edit-rule yes continues with the edited document")
		return nil
	}
	v.printEffectsNotUndone(effect.EffectsNotUndone)
	v.printLine("  :edit-rule yes rewinds to before this decision and applies the edit")
	return nil
}

func (v *versionCommands) printForecast(run control.RunView, args control.Args, f *engine.ReloadForecast) {
	if why := run.NoDecisionReason(args, f); why != "" {
		v.printLine("  %s", sanitize.Plain(why.ReplacePlaceholders(instructionToType)))
	} else {
		v.printForecastDecision(f.DecisionEvent.Step, f.DecisionEvent.Body.(*machine.Decision))
	}
	for _, e := range f.ReroutedDecisions {
		v.printLine("  %s", sanitize.Plain(run.ReroutedDecisionText(e)))
	}
}

func (v *versionCommands) applyRuleEdit() error {
	if v.lastRuleEdit == nil {
		return errors.New("there is no edit to apply yet: type :edit-rule STEP N TEXT first")
	}
	return v.session.ReloadAt(v.lastRuleEdit.offer, v.lastRuleEdit.decisionSeq, engine.ReloadChoice{})
}
