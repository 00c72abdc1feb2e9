package compare

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Divergence is where two paths diverge.
type Divergence struct {
	After  int       `json:"after"` // how many pairs the paths have in common
	A      Departure `json:"a"`
	B      Departure `json:"b"`
	Values []Value   `json:"variables,omitempty"` // that are not the same there, those that decide first
}

// Departure is where one of the runs went at the divergence.
type Departure struct {
	Next      string      `json:"next,omitempty"`   // the step it went to; empty: to none
	Decisions []*Decision `json:"routes,omitempty"` // the decisions, from the first one that differs
	Why       string      `json:"why,omitempty"`    // without a decision: why there is none
}

// DecidingDecisions returns the decisions that explain the way: what a format supplies for leaving a
// group only leads to the group's own decision.
func (t Departure) DecidingDecisions() []*Decision {
	var out []*Decision
	for i, r := range t.Decisions {
		passes := r.Record.Arrival.Kind == machine.ToGroupRoutes && r.routeIndex() >= 0 && r.Record.Candidates[r.routeIndex()].Implicit
		if !passes || i == len(t.Decisions)-1 {
			out = append(out, r)
		}
	}
	return out
}

// Value is a variable that has not the same value in both runs. From says where a
// value comes from; empty: there is none.
type Value struct {
	Name    string `json:"variable"`
	A       any    `json:"a,omitempty"`
	B       any    `json:"b,omitempty"`
	FromA   string `json:"a_from,omitempty"`
	FromB   string `json:"b_from,omitempty"`
	Decides bool   `json:"decides"` // the routes there ask about it
}

// findDivergence finds where the paths diverge. A run that is not over has not diverged from one that
// went on where it stands.
func (c *Comparison) findDivergence(a, b Side, pathA, pathB *path) *Divergence {
	n := commonPrefixLength(pathA.visits, pathB.visits)
	endA, endB := n == len(pathA.visits), n == len(pathB.visits)
	if endA && endB || endA && !c.A.IsOver() || endB && !c.B.IsOver() {
		return nil
	}
	decisionsA, decisionsB := pathA.decisionsTo(n), pathB.decisionsTo(n)
	i := max(0, firstDifference(decisionsA, decisionsB))
	p := &Divergence{After: n, A: departureOf(pathA, n, decisionsA[min(i, len(decisionsA)):], c.A), B: departureOf(pathB, n, decisionsB[min(i, len(decisionsB)):], c.B)}
	p.Values = differingVariables(trackAfter(a, pathA.eventsBefore(a, n, p.A)), trackAfter(b, pathB.eventsBefore(b, n, p.B)))
	for i := range p.Values {
		v := &p.Values[i]
		v.Decides = p.A.readsVariable(v.Name) || p.B.readsVariable(v.Name)
	}
	slices.SortStableFunc(p.Values, func(x, y Value) int { return rank(x) - rank(y) })
	return p
}

func rank(v Value) int {
	if v.Decides {
		return 0
	}
	return 1
}

// IsOver reports whether a run has come to its end.
func (r Run) IsOver() bool { return r.Result != "" && r.Result != plan.Awaiting }

// RunBehind returns the run that has not got as far as the other; "" if neither is behind.
func (c *Comparison) RunBehind() string {
	switch last := len(c.Pairs) - 1; {
	case c.Divergence != nil || last < 0:
		return ""
	case c.Pairs[last].A == nil:
		return c.A.ID
	case c.Pairs[last].B == nil:
		return c.B.ID
	}
	return ""
}

// decisionsTo returns the decisions that lead to the n-th visit.
func (p *path) decisionsTo(n int) []*Decision {
	if n == 0 {
		return p.first
	}
	return p.visits[n-1].Decisions
}

// eventsBefore returns how many of a run's events come before the first decision of a departure.
// Without a decision it counts those before the n-th visit.
func (p *path) eventsBefore(s Side, n int, t Departure) int {
	switch {
	case len(t.Decisions) > 0:
		return slices.IndexFunc(s.Events, func(e machine.Event) bool { return e.Seq == t.Decisions[0].Event })
	case n < len(p.starts):
		return p.starts[n]
	}
	return len(s.Events)
}

func departureOf(p *path, n int, decisions []*Decision, run Run) Departure {
	t := Departure{Decisions: decisions}
	if n < len(p.visits) {
		t.Next = p.visits[n].Step
	}
	switch {
	case len(decisions) > 0:
	case t.Next != "":
		t.Why = "no decision led there"
	default:
		t.Why = "it " + endTexts[run.Result]
	}
	return t
}

// endTexts says how a run ended that made no decision any more.
var endTexts = map[plan.RunResult]string{
	"": "has not ended", plan.Awaiting: "waits for a person", plan.Cancelled: "was cancelled", plan.RunFailed: "failed",
	plan.Stopped: "was stopped", plan.Completed: "was completed",
}

// firstDifference returns the index of the first decision that differs, -1 if none does.
func firstDifference(a, b []*Decision) int {
	for i := range max(len(a), len(b)) {
		if !nth(a, i).isLike(nth(b, i)) {
			return i
		}
	}
	return -1
}

func nth(decisions []*Decision, i int) *Decision {
	if i < len(decisions) {
		return decisions[i]
	}
	return nil
}

// isLike reports whether two decisions took the same route. In an edited document the
// route may be written otherwise, or stand elsewhere.
func (r *Decision) isLike(s *Decision) bool {
	if r == nil || s == nil {
		return r == s
	}
	if r.key != s.key || r.goal != s.goal || r.Record.Arrival.Kind != s.Record.Arrival.Kind || r.Overridden != s.Overridden {
		return false
	}
	return r.Text == s.Text || r.routeIndex() == s.routeIndex()
}

// routeIndex returns the index of the route among the step's, -1 if a person chose.
func (r *Decision) routeIndex() int {
	if r.Record.CandidateIndex == nil {
		return -1
	}
	return *r.Record.CandidateIndex
}

// readsVariable reports whether routes at the decisions test a variable.
func (t Departure) readsVariable(name string) bool {
	return slices.ContainsFunc(t.Decisions, func(r *Decision) bool { return r.testedVariables[name] })
}

// Describe returns a decision in a few words.
func (r *Decision) Describe() string {
	switch {
	case r == nil:
		return ""
	case r.Overridden:
		return "→ " + wording.OverrideText(r.To, r.Reason)
	case r.Line > 0:
		return fmt.Sprintf("%s → %s (line %d)", r.Text, r.To, r.Line)
	}
	return r.Text + " → " + r.To
}

// differingVariables returns the variables whose values differ, in the order in which they
// got one.
func differingVariables(a, b *track.Track) []Value {
	var out []Value
	for _, x := range a.Vars {
		v := Value{Name: x.Name, A: x.Value, FromA: origin(x)}
		if y, ok := variable(b, x.Name); ok {
			v.B, v.FromB = y.Value, origin(y)
		}
		if v.FromB == "" || plan.TextOf(v.A) != plan.TextOf(v.B) {
			out = append(out, v)
		}
	}
	for _, y := range b.Vars {
		if _, known := variable(a, y.Name); !known {
			out = append(out, Value{Name: y.Name, B: y.Value, FromB: origin(y)})
		}
	}
	return out
}

// Describe returns the value on both sides and where it comes from, empty where there is none.
func (v Value) Describe() (a, b string) {
	a, b = bothBrief(plan.TextOf(v.A), plan.TextOf(v.B))
	words := func(value, from string) string {
		if from == "" {
			return ""
		}
		return strings.TrimSpace(value + " (" + from + ")")
	}
	return words(a, v.FromA), words(b, v.FromB)
}

func variable(t *track.Track, name string) (track.Var, bool) {
	i := slices.IndexFunc(t.Vars, func(x track.Var) bool { return x.Name == name })
	if i < 0 {
		return track.Var{}, false
	}
	return t.Vars[i], true
}

func origin(x track.Var) string { return wording.Origin(x.Step, x.By == machine.ByPerson) }
