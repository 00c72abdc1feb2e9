package lines

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/whatif"
	"playhead/parse/plan"
)

// whatIfChange is the change that the last :what-if showed.
type whatIfChange struct {
	seqBefore int // the event before the decision
	change    machine.WhatIfChange
}

// handleWhatIf lists what could have been different at the decision of a step, by default of the one that the run
// is at. With NAME=VALUE, it prints what would be decided. With "yes", it makes the change that was shown last.
func (qs *questions) handleWhatIf(arg string) error {
	if arg == "yes" {
		if qs.lastWhatIf == nil {
			return errors.New("there is no change to apply yet: type :what-if NAME=VALUE first")
		}
		s := *qs.lastWhatIf
		return qs.session.RewindAndChange(s.seqBefore, s.change)
	}
	run, at, listCommand := qs.controlRunView(), "", ":what-if"
	moment := whatif.CurrentMoment
	if name, _, _ := strings.Cut(arg, "="); strings.ContainsAny(name, ` "`) || name == arg && arg != "" {
		row, rest, err := run.CutStep(arg, false)
		if err != nil {
			return err
		}
		at, listCommand, arg = " at step "+sanitize.Plain(row.Label), listCommand+" "+sanitize.Plain(row.Label), rest
		moment = func(run *control.RunView) (whatif.DecisionMoment, bool) { return whatif.MomentOfRow(run, row) }
	}
	m, ok := moment(&run)
	switch {
	case !ok:
		return errors.New("there is no decision to change yet" + at)
	case arg == "":
		qs.printWhatIfOptions(m)
		return nil
	}
	name, value, found := strings.Cut(arg, "=")
	if !found {
		return errors.New("write [STEP] NAME=VALUE, as in :what-if severity=low, :what-if outcome=fail or :what-if 2 outcome=fail")
	}
	return qs.previewWhatIf(m, listCommand, strings.TrimSpace(name), strings.TrimSpace(value))
}

// previewWhatIf prints what would have been decided with another value. listCommand lists the names.
func (qs *questions) previewWhatIf(m whatif.DecisionMoment, listCommand, name, value string) error {
	all := m.PossibleChanges(qs.session.DecisionPreviewAt)
	i := slices.IndexFunc(all, func(d whatif.PossibleChange) bool { return d.Name() == name })
	if i < 0 {
		return fmt.Errorf("%q cannot be changed at step %s: %s lists what can be changed", name, sanitize.Plain(m.StepLabel), listCommand)
	}
	d := all[i]
	option, err := parseOption(&d, value)
	if err != nil {
		return err
	}
	f, err := d.Forecast(option)
	if err != nil {
		return err
	}
	qs.printForecastDecision(f.StepLabel, f.Decision)
	for _, text := range f.FollowUpTexts() {
		qs.printLine("  %s", text)
	}
	qs.printEffectsNotUndone(d.SideEffects)
	if d.Kind == whatif.AnswerChange {
		qs.printLine("  :what-if yes gives this answer, then pauses")
	} else {
		qs.printLine("  :what-if yes rewinds to before this decision and applies the change")
	}
	qs.lastWhatIf = &whatIfChange{d.EventSeqBefore, d.ChangeTo(option)}
	return nil
}

// parseOption returns the option that a text names. A reply can be named by its number, another value can be in
// quotes.
func parseOption(d *whatif.PossibleChange, text string) (whatif.Option, error) {
	if d.Kind == whatif.ReplyChange {
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(d.Options) {
			return d.Options[n-1], nil
		}
	} else if unquoted, err := strconv.Unquote(text); err == nil && strings.HasPrefix(text, `"`) {
		text = unquoted
	}
	return d.ParseOption(text)
}

// printWhatIfOptions lists what could have been different at a decision.
func (qs *questions) printWhatIfOptions(m whatif.DecisionMoment) {
	at := "step " + sanitize.Plain(m.StepLabel)
	if line := m.Line(); line > 0 {
		at += fmt.Sprintf(", line %d", line)
	}
	all := m.PossibleChanges(qs.session.DecisionPreviewAt)
	switch {
	case len(all) == 0:
		qs.printLine("  nothing can be changed at %s", at)
	case all[0].Kind == whatif.AnswerChange:
		qs.printLine("  possible answers at %s:", at)
	default:
		qs.printLine("  possible changes at %s:", at)
	}
	for _, d := range all {
		qs.printWhatIfOption(d)
	}
}

func (qs *questions) printWhatIfOption(d whatif.PossibleChange) {
	switch d.Kind {
	case whatif.ReplyChange:
		qs.printLine("  %s=TEXT: another reply from the step's model", d.Name())
		for n, o := range d.Options {
			text := o.Name + o.LimitsSuffix()
			if d.UnknownIntent != "" {
				text += ", not " + whatif.ListedValueText(plan.CutText(d.UnknownIntent, plan.MaxValueChars)) + plan.DifferenceNote(o.Name, d.UnknownIntent)
			}
			qs.printLine("  %s=%d: %s%s", d.Name(), n+1, sanitize.Plain(text), destinationAfter(&d, o))
		}
		return
	case whatif.AnswerChange:
		for _, o := range d.Options {
			qs.printLine("  %s=%s: %s%s", d.Name(), sanitize.Plain(o.Value)+o.LimitsSuffix(), sanitize.Plain(o.Name)+o.LimitsSuffix(), destinationAfter(&d, o))
		}
		return
	case whatif.LimitsChange:
		qs.printLine("  %s=%s: %s%s", d.Name(), d.Options[0].Value, d.Options[0].Name, destinationAfter(&d, d.Options[0]))
		return
	}
	was, values := d.ActualText, make([]string, len(d.Options))
	if d.Kind == whatif.VariableChange {
		was = whatif.ListedValueText(plan.ValueText(d.Variable.Value))
	}
	for i, o := range d.Options {
		if values[i] = whatif.ListedValueText(o.Value); o.LimitsUsed {
			values[i] = strconv.Quote(o.Value + o.LimitsSuffix())
		}
		if destination := destinationAfter(&d, o); destination != "" {
			values[i] += " (" + strings.TrimSpace(destination) + ")"
		}
	}
	if d.AllowsAnyValue {
		values = append(values, "any other value")
	}
	line := d.Name() + "=…: was " + was
	if last := len(values) - 1; last >= 0 {
		line += "; could be " + strings.TrimPrefix(strings.Join(values[:last], ", ")+" or "+values[last], " or ")
	}
	qs.printLine("  %s", sanitize.Plain(line))
}

// destinationAfter returns where an option leads, after an arrow, "" if that is unknown.
func destinationAfter(d *whatif.PossibleChange, o whatif.Option) string {
	f, err := d.Forecast(o)
	if err != nil {
		return ""
	}
	return " -> " + sanitize.Plain(f.DestinationWithoutEndMessage())
}
