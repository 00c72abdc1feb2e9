package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/engine/track"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// known refuses labels of steps that cannot come to exist: to pause before, or to
// answer.
func known(c engine.Config) error {
	ids := idsOf(c.Plan)
	if c.Until != "" && !ids.have(c.Until) {
		return usage("--until: %s has no step %q: %s", c.Plan.Path, c.Until, ids.hint(c.Until))
	}
	for _, b := range c.Breaks {
		if !ids.have(b.Step) {
			return usage("--break: %s has no step %q: %s", c.Plan.Path, b.Step, ids.hint(b.Step))
		}
		if b.To != "" && b.To != machine.ToEnd && !ids.have(b.To) {
			return usage("--break: %s has no step %q to go to: %s (end is its end)", c.Plan.Path, b.To, ids.hint(b.To))
		}
	}
	for _, label := range slices.Sorted(maps.Keys(c.Answers.ByLabel)) {
		if !ids.have(label) && !ids.wants(label) {
			return usage("%s has no step %q to answer: %s", c.Plan.Path, label, near.Hint(label, append(ids.ids, ids.values...)))
		}
		if ids.asks || ids.wants(label) {
			continue // values answer
		}
		for _, item := range c.Answers.ByLabel[label] {
			if _, err := scenario.Item(item.Text, item.By); err != nil {
				return usage("the answer for %s: %w", label, err)
			}
		}
	}
	return nil
}

// stepIDs are the steps of a document and of all it includes: their ids, and the
// labels that instances have.
type stepIDs struct {
	ids       []string
	asks      bool     // some step asks for a value
	values    []string // that steps may ask for together, as answers name them
	instances []*regexp.Regexp
	seen      map[*plan.Plan]bool
}

func idsOf(p *plan.Plan) *stepIDs {
	s := &stepIDs{seen: map[*plan.Plan]bool{}}
	s.add(p)
	return s
}

var numbered = regexp.MustCompile(`\\\{\w+\\\}`) // {N} and {n}, quoted

func (s *stepIDs) add(p *plan.Plan) {
	s.seen[p] = true
	s.ids = append(s.ids, p.IDs()...)
	p.Walk(func(step, _ *plan.Step) bool {
		for _, a := range step.Actions {
			switch w := a.Work.(type) {
			case plan.Ask:
				s.asks = true
				s.named(step, w)
			case plan.Model:
				s.reported(p, step, w)
			}
		}
		if quoted := regexp.QuoteMeta(step.ID); numbered.MatchString(quoted) {
			s.instances = append(s.instances, regexp.MustCompile("^"+numbered.ReplaceAllString(quoted, "[0-9]+")+"$"))
		}
		return true
	})
	for _, c := range p.Children {
		if c.Plan != nil && !s.seen[c.Plan] {
			s.add(c.Plan)
		}
	}
}

// named adds the values that a step asks for where they are missing.
func (s *stepIDs) named(step *plan.Step, ask plan.Ask) {
	for _, f := range ask.Fields {
		if ask.Missing {
			s.values = append(s.values, engine.Key(step.ID, f.Name))
		}
	}
}

// reported adds the values that a step reports: whoever accepts it may take others.
func (s *stepIDs) reported(p *plan.Plan, step *plan.Step, w plan.Model) {
	if w.Report == nil || w.Report.Form == nil {
		return
	}
	for _, f := range w.Report.Form.Fields(track.New(p).Scope(&track.Row{})) {
		if f.Type == "value" {
			s.values = append(s.values, engine.Key(step.ID, f.Name))
		}
	}
}

// wants reports whether an answer names a value that a step may ask for.
func (s *stepIDs) wants(label string) bool {
	return slices.Contains(s.values, label[strings.LastIndex(label, "/")+1:])
}

// have reports whether a step of this label can come to exist. What stands before
// the last slash says which included document it is in; that is not looked at.
func (s *stepIDs) have(label string) bool {
	id := label[strings.LastIndex(label, "/")+1:]
	return slices.Contains(s.ids, id) || slices.ContainsFunc(s.instances, func(r *regexp.Regexp) bool { return r.MatchString(id) })
}

// hint says which step may have been meant by a label.
func (s *stepIDs) hint(label string) string { return near.Hint(label, s.ids) }

// unasked are the labels that were answered beforehand and never asked, in a run
// that is over.
func unasked(c engine.Config, result plan.RunResult, events []machine.Event) []string {
	if result != plan.Completed && result != plan.Stopped && result != plan.RunFailed {
		return nil
	}
	asked := map[string]bool{}
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.InputNeeded:
			asked[e.Step] = true
		case *machine.InputGiven:
			for _, a := range b.Set {
				asked[engine.Key(e.Step, a.Name)] = true
			}
		}
	}
	var out []string
	for _, label := range slices.Sorted(maps.Keys(c.Answers.ByLabel)) {
		if !asked[label] {
			out = append(out, label)
		}
	}
	return out
}
