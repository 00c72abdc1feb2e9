package lines

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/whatif"
	"playhead/parse/plan"
)

// whatIfChange is the change that the last what-if was about.
type whatIfChange struct {
	seq    int // the event before the decision
	change machine.Change
}

// whatIf lists what could be different at the last decision, or at the last one of a step. With
// NAME=VALUE it prints what would be decided; with yes it makes the change.
func (t *questions) whatIf(arg string) error {
	if arg == "yes" {
		if t.lastWhatIf == nil {
			return errors.New("name the change first: :what-if NAME=VALUE")
		}
		s := *t.lastWhatIf
		return t.session.RewindAndChange(s.seq, s.change)
	}
	run, step := t.run(), ""
	if name, _, _ := strings.Cut(arg, "="); strings.ContainsAny(name, ` "`) || name == arg && arg != "" {
		row, rest, err := run.ReadStep(arg, false)
		if err != nil {
			return err
		}
		step, arg = row.Label, rest
	}
	m, ok := whatif.Last(&run, step)
	switch {
	case !ok && step == "":
		return errors.New("no decision has been made yet")
	case !ok:
		return errors.New("no decision has been made yet at step " + label(step))
	case arg == "":
		t.listDifferences(m)
		return nil
	}
	name, value, found := strings.Cut(arg, "=")
	if !found {
		return errors.New("write :what-if severity=low, :what-if outcome=fail or :what-if 2 outcome=fail")
	}
	return t.suppose(m, strings.TrimSpace(name), strings.TrimSpace(value))
}

// suppose prints what would be decided with a change.
func (t *questions) suppose(m whatif.Moment, name, value string) error {
	all := m.Differences()
	i := slices.IndexFunc(all, func(d whatif.Difference) bool { return d.Name() == name })
	if i < 0 {
		return fmt.Errorf("%q had no value when step %s made its decision: see :what-if", name, label(m.Step))
	}
	d := all[i]
	if d.Kind == whatif.Reply {
		var choices []plan.Choice
		for _, o := range d.Options {
			choices = append(choices, plan.Choice{Name: o.Name, Reply: o.Value})
		}
		if n := replyIndex(choices, value); n >= 0 {
			value = choices[n].Reply
		}
	}
	change := d.Change(value)
	e, err := t.session.PreviewDecision(d.Before)(change)
	if err != nil {
		return err
	}
	t.line("  then step %s decides:", label(e.Step))
	t.printCandidates(e.Body.(*machine.Decision))
	for _, done := range d.SideEffects {
		t.line("  not undone: %s", sanitize.Plain(done))
	}
	t.line("  :what-if yes rewinds to before that, with the change")
	t.lastWhatIf = &whatIfChange{d.Before, change}
	return nil
}

// listDifferences lists what can be supposed.
func (t *questions) listDifferences(m whatif.Moment) {
	at := "step " + label(m.Step)
	if m.Line > 0 {
		at += fmt.Sprintf(", line %d", m.Line)
	}
	t.line("  what could have been different at %s:", at)
	for _, d := range m.Differences() {
		t.listDifference(d)
	}
}

func (t *questions) listDifference(d whatif.Difference) {
	switch d.Kind {
	case whatif.Reply:
		t.line("  %s=TEXT: another reply of its model", d.Name())
		for n, o := range d.Options {
			t.line("  %s=%d: %s", d.Name(), n+1, sanitize.Plain(o.Name))
		}
		return
	case whatif.Answer:
		for _, o := range d.Options {
			t.line("  %s=%s: %s", d.Name(), o.Value, o.Name)
		}
		return
	case whatif.Limits:
		t.line("  %s=%s: all attempts used", d.Name(), d.Options[0].Value)
		return
	}
	was, values := d.Text, make([]string, len(d.Options))
	if d.Kind == whatif.Variable {
		was = plan.Visible(plan.TextOf(d.Var.Value))
	}
	for i, o := range d.Options {
		values[i] = plan.Visible(o.Value)
	}
	if d.Free {
		values = append(values, "any other value")
	}
	line := d.Name() + "=…: it is " + was
	if len(values) > 0 {
		line += "; try " + strings.Join(values, ", ")
	}
	t.line("  %s", sanitize.Plain(line))
}
