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

// amendment is a rule edit that was previewed and waits for yes.
type amendment struct {
	offer    *engine.Offer
	decision int // that is made again; 0: the next one
}

// editRule lists the rules of a step, shows what another text of one of them would lead to, and
// makes that edit with yes.
func (v *versions) editRule(a *control.Action, line string) error {
	if line == "yes" {
		return v.applyAmended()
	}
	run := v.run()
	row, rest, err := run.ReadStep(line, true)
	if err != nil {
		return err
	}
	args := control.Args{Step: row}
	number, text, _ := strings.Cut(rest, " ")
	if number != "" {
		if args.Clause, err = strconv.Atoi(number); err != nil {
			return fmt.Errorf("%q is not the number of a rule: :edit-rule STEP lists them", number)
		}
		args.Clause--
	}
	if number == "" && v.listRules(run, run.Step(args), "") {
		return nil
	}
	if why := a.Unavailable(run, args); why != "" {
		return errors.New(why.With(howToAsk))
	}
	if text = strings.TrimSpace(text); text == "" {
		_, old, err := run.Rule(args).Text(run.Plan)
		switch {
		case err != nil:
			return err
		case v.write == nil:
			v.line("%s", indent(old))
			return nil
		}
		if text, err = v.write(old); err != nil {
			return err
		}
	}
	return v.showAmended(run, args, text)
}

// listRules lists the rules of a step behind a prefix, then those of its branches behind their labels.
// It reports whether there are any.
func (v *versions) listRules(run control.Run, row *track.Row, prefix string) (listed bool) {
	if row == nil || row.Step == nil {
		return false
	}
	for i := range row.Plan().Deciding(row.Step) {
		c, text, err := run.Rule(control.Args{Step: row, Clause: i}).Text(run.Plan)
		if err != nil {
			text = err.Error()
		}
		v.line("  %s%d %s, %s: %s", prefix, i+1, c.Kind, sanitize.Plain(c.Place(row.Plan().SourceFile())), sanitize.Plain(firstLine(text)))
		listed = true
	}
	for _, child := range row.Children {
		if child.Step != nil && child.Step.IsArm() && v.listRules(run, child, label(child.Label)+" ") {
			listed = true
		}
	}
	return listed
}

func firstLine(text string) string {
	first, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	if more {
		first += " …"
	}
	return first
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(sanitize.Text(strings.TrimRight(text, "\n")), "\n", "\n  ")
}

// showAmended prints where the decision at hand would lead, and which earlier ones would have gone
// elsewhere.
func (v *versions) showAmended(run control.Run, args control.Args, text string) error {
	o, err := v.session.Amend(run.Rule(args), text)
	if err != nil {
		return err
	}
	if err := o.Err(); err != nil {
		return v.refuse(o.Problems())
	}
	f, err := v.session.Forecast(o, run.DecisionOf(args))
	if err != nil {
		return err
	}
	v.lastRuleEdit = &amendment{o, run.DecisionOf(args)}
	v.line("  Changed: %s", sanitize.Plain(o.Match.Summary()))
	v.printCommands(o.Commands)
	v.printForecast(run, args, f)
	effect := control.Find("edit-rule").Effect(run, args)
	if run.Status.Running != "" {
		v.line("  %s", sanitize.Plain(effect.Text.With(howToAsk)))
	}
	if f.To == 0 {
		v.line("  :edit-rule yes continues with the edited document")
		return nil
	}
	for _, done := range effect.StaysDone {
		v.line("  not undone: %s", sanitize.Plain(done))
	}
	v.line("  :edit-rule yes rewinds to before that decision, with the edit")
	return nil
}

func (v *versions) printForecast(run control.Run, args control.Args, f *engine.Forecast) {
	if why := run.NoDecision(args, f); why != "" {
		v.line("  %s", sanitize.Plain(string(why)))
	} else {
		v.line("  then step %s decides:", label(f.Decision.Step))
		v.printCandidates(f.Decision.Body.(*machine.Decision))
	}
	for _, e := range f.ChangedDecisions {
		to := "something else first"
		if e.To != "" {
			to = label(e.To)
		}
		v.line("  event %d, step %s: would have led to %s instead of %s", e.Event, label(e.Step), to, label(e.From))
	}
}

func (v *versions) applyAmended() error {
	if v.lastRuleEdit == nil {
		return errors.New("name the edit first: :edit-rule STEP N TEXT")
	}
	e := *v.lastRuleEdit
	if !v.allows(e.offer) {
		return fmt.Errorf("the edit has %d new commands: type :allow to allow the commands of the document", len(e.offer.Commands))
	}
	return v.session.ReloadAt(e.offer, e.decision, engine.ReloadChoice{Allow: true})
}
