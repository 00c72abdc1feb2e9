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
	CommonPairCount    int                  `json:"after"` // the number of pairs that the paths have in common
	A                  Departure            `json:"a"`
	B                  Departure            `json:"b"`
	DifferingVariables []VariableDifference `json:"variables,omitempty"` // what differs there: values of replies and variables that the routes test first
}

// Departure is where one of the runs went at the divergence.
type Departure struct {
	NextStep         string      `json:"next,omitempty"`   // the step that it went to; empty: none
	Decisions        []*Decision `json:"routes,omitempty"` // the decisions, from the first one that differs
	NoDecisionReason string      `json:"why,omitempty"`    // without a decision: why there is none
}

// DecidingDecisions returns the decisions that explain the departure. It leaves out implicit routes
// that only lead to the decision of a group.
func (d Departure) DecidingDecisions() []*Decision {
	var out []*Decision
	for i, r := range d.Decisions {
		c := r.Record.TakenCandidate()
		passes := r.Record.Destination.Kind == machine.ToGroupRoutes && c != nil && c.Implicit
		if !passes || i == len(d.Decisions)-1 {
			out = append(out, r)
		}
	}
	return out
}

// VariableDifference is a variable, or a value of a reply, that differs between the runs. FromA and FromB say where the
// values come from; empty: there is no value.
type VariableDifference struct {
	Name     string `json:"variable"`
	A        any    `json:"a,omitempty"`
	B        any    `json:"b,omitempty"`
	FromA    string `json:"a_from,omitempty"`
	FromB    string `json:"b_from,omitempty"`
	IsTested bool   `json:"decides"` // a route at which the runs diverge tests it
}

// findDivergence finds where the paths diverge. A run that is not over has not diverged if the
// other one only went on from where it is.
func (c *Comparison) findDivergence(a, b Side, pathA, pathB *attemptPath) *Divergence {
	n := commonPrefixLength(pathA.attempts, pathB.attempts)
	endA, endB := n == len(pathA.attempts), n == len(pathB.attempts)
	if endA && endB || endA && !c.A.IsOver() || endB && !c.B.IsOver() {
		return nil
	}
	decisionsA, decisionsB := pathA.decisionsTo(n), pathB.decisionsTo(n)
	i := max(0, firstDifference(decisionsA, decisionsB))
	p := &Divergence{CommonPairCount: n, A: departureOf(pathA, n, decisionsA[min(i, len(decisionsA)):], c.A), B: departureOf(pathB, n, decisionsB[min(i, len(decisionsB)):], c.B)}
	p.DifferingVariables = differingVariables(trackAfter(a, pathA.eventCountBefore(a, n, p.A)), trackAfter(b, pathB.eventCountBefore(b, n, p.B)))
	for i := range p.DifferingVariables {
		v := &p.DifferingVariables[i]
		v.IsTested = p.A.testsVariable(v.Name) || p.B.testsVariable(v.Name)
	}
	slices.SortStableFunc(p.DifferingVariables, func(x, y VariableDifference) int { return testedFirstOrder(x) - testedFirstOrder(y) })
	p.DifferingVariables = append(differingReplyValues(decisionAt(p.A.Decisions, 0), decisionAt(p.B.Decisions, 0)), p.DifferingVariables...)
	return p
}

// testedFirstOrder sorts the variables that a route tests before the others.
func testedFirstOrder(v VariableDifference) int {
	if v.IsTested {
		return 0
	}
	return 1
}

// IsOver reports whether a run has come to its end.
func (r Run) IsOver() bool { return r.Result != "" && r.Result != plan.Awaiting }

// RunBehind returns the ID of the run that has not come as far as the other one, "" if neither is
// behind.
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

// SamePathText says that both runs took the same path, up to the point that the shorter one has reached. Call it only if
// Divergence is nil.
func (c *Comparison) SamePathText() string {
	if behind := c.RunBehind(); behind != "" {
		return "the same path, up to the point that " + behind + " has reached"
	}
	return "the same path"
}

// decisionsTo returns the decisions that lead to the n-th attempt.
func (p *attemptPath) decisionsTo(n int) []*Decision {
	if n == 0 {
		return p.firstDecisions
	}
	return p.attempts[n-1].Decisions
}

// eventCountBefore returns how many of a run's events come before the first decision of a departure.
// Without a decision it counts those before the n-th attempt.
func (p *attemptPath) eventCountBefore(s Side, n int, t Departure) int {
	switch {
	case len(t.Decisions) > 0:
		return slices.IndexFunc(s.Events, func(e machine.Event) bool { return e.Seq == t.Decisions[0].EventSeq })
	case n < len(p.entryIndexes):
		return p.entryIndexes[n]
	}
	return len(s.Events)
}

func departureOf(p *attemptPath, n int, decisions []*Decision, run Run) Departure {
	t := Departure{Decisions: decisions}
	if n < len(p.attempts) {
		t.NextStep = p.attempts[n].Step
	}
	switch {
	case len(decisions) > 0:
	case t.NextStep != "":
		t.NoDecisionReason = "it went to " + t.NextStep + " without a decision"
	default:
		if t.Decisions = p.endingDecision(run); t.Decisions == nil {
			t.NoDecisionReason = "it " + endDescriptions[run.Result]
		}
	}
	return t
}

// endingDecision returns the decision that ended the run, nil if none did. It may be one that both runs made,
// after which a person continued the other one.
func (p *attemptPath) endingDecision(run Run) []*Decision {
	last := p.decisionsTo(len(p.attempts))
	if len(last) == 0 || !run.IsOver() || run.Track.Finished.ByPerson {
		return nil
	}
	last = last[len(last)-1:]
	if to := last[0].Record.Destination; to.Kind != machine.ToDocumentEnd || to.Result != run.Result {
		return nil
	}
	return last
}

// endDescriptions describes the end of a run that no decision ended.
var endDescriptions = map[plan.RunResult]string{
	"": "has not ended", plan.Awaiting: "waits for a person", plan.Cancelled: "was cancelled", plan.RunFailed: "failed",
	plan.Stopped: "was stopped", plan.Completed: "was completed",
}

// firstDifference returns the index of the first decision that differs, -1 if none does.
func firstDifference(a, b []*Decision) int {
	for i := range max(len(a), len(b)) {
		if !decisionAt(a, i).tookSameRoute(decisionAt(b, i)) {
			return i
		}
	}
	return -1
}

func decisionAt(decisions []*Decision, i int) *Decision {
	if i < len(decisions) {
		return decisions[i]
	}
	return nil
}

// tookSameRoute reports whether two decisions took the same route. In an edited document the route may
// have another text or another position.
func (d *Decision) tookSameRoute(s *Decision) bool {
	if d == nil || s == nil {
		return d == s
	}
	if d.stepKey != s.stepKey || d.destinationKey != s.destinationKey || d.Record.Destination.Kind != s.Record.Destination.Kind || d.Overridden != s.Overridden {
		return false
	}
	return d.RouteText == s.RouteText || d.routeIndex() == s.routeIndex()
}

// routeIndex returns the index of the route among the step's, -1 if a person chose.
func (d *Decision) routeIndex() int {
	if d.Record.TakenCandidate() == nil {
		return -1
	}
	return *d.Record.CandidateIndex
}

// testsVariable reports whether routes at the decisions test a variable.
func (d Departure) testsVariable(name string) bool {
	return slices.ContainsFunc(d.Decisions, func(r *Decision) bool { return r.testedVariables[name] })
}

// Describe returns a decision in a few words.
func (d *Decision) Describe() string {
	switch {
	case d == nil:
		return ""
	case d.Overridden:
		return wording.OverriddenMoveText(d.Record, d.Note)
	case d.Line > 0 && !d.isDefaultRoute():
		return fmt.Sprintf("%s → %s (line %d)", d.RouteLabel(), d.To, d.Line)
	}
	return d.RouteLabel() + " → " + d.To
}

// RouteLabel returns the text of the route that was taken, without its destination, and marked if the document does not
// write it.
func (d *Decision) RouteLabel() string {
	text := d.Record.WithoutDestination(d.RouteText)
	if d.isDefaultRoute() {
		text += " (default)"
	}
	return text
}

// isDefaultRoute reports whether the document does not write the route that was taken. Its line is then that of the step.
func (d *Decision) isDefaultRoute() bool {
	c := d.Record.TakenCandidate()
	return c != nil && c.Implicit
}

// differingVariables returns the variables whose values differ, in the order in which they
// got one.
func differingVariables(a, b *track.Track) []VariableDifference {
	var out []VariableDifference
	for _, x := range a.Variables {
		v := VariableDifference{Name: x.Name, A: x.Value, FromA: wording.VariableOrigin(x)}
		if y, ok := findVariable(b, x.Name); ok {
			v.B, v.FromB = y.Value, wording.VariableOrigin(y)
		}
		if v.FromB == "" || plan.ValueText(v.A) != plan.ValueText(v.B) {
			out = append(out, v)
		}
	}
	for _, y := range b.Variables {
		if _, known := findVariable(a, y.Name); !known {
			out = append(out, VariableDifference{Name: y.Name, B: y.Value, FromB: wording.VariableOrigin(y)})
		}
	}
	return out
}

// differingReplyValues returns the values that two decisions of one step read in different replies.
func differingReplyValues(a, b *Decision) []VariableDifference {
	if a == nil || b == nil || a.stepKey != b.stepKey {
		return nil
	}
	var out []VariableDifference
	valuesA, valuesB := a.replyValues(), b.replyValues()
	for _, x := range valuesA {
		i := slices.IndexFunc(valuesB, func(y VariableDifference) bool { return y.Name == x.Name })
		if i >= 0 && x.A != valuesB[i].A {
			out = append(out, VariableDifference{Name: x.Name, A: x.A, FromA: x.FromA, B: valuesB[i].A, FromB: valuesB[i].FromA, IsTested: true})
		}
	}
	return out
}

// replyValues returns the values that a decision read in a reply. Only the fields of run A are set.
func (d *Decision) replyValues() []VariableDifference {
	if d.Record.Outcome == nil || d.Record.Outcome.Reading == nil {
		return nil
	}
	var out []VariableDifference
	r := d.Record.Outcome.Reading
	add := func(name, value string, isMissing bool, origin string) {
		switch {
		case name == "":
		case isMissing:
			out = append(out, VariableDifference{Name: name})
		default:
			out = append(out, VariableDifference{Name: name, A: value, FromA: origin})
		}
	}
	if s := r.TargetSelector; s != nil {
		add(s.Key, s.ValueText(), s.Value == "", wording.ReplyOrigin(s.Path))
	}
	add(r.Variable, r.Actual, r.HasNoValue, wording.ReplyOrigin(""))
	return out
}

// Describe returns both values with where they come from, "" for a missing value.
func (v VariableDifference) Describe() (a, b string) {
	a, b = textsOrSizes(plan.ValueText(v.A), plan.ValueText(v.B))
	words := func(value, from string) string {
		if from == "" {
			return ""
		}
		return strings.TrimSpace(value + " (" + from + ")")
	}
	return words(a, v.FromA), words(b, v.FromB)
}

func findVariable(t *track.Track, name string) (track.Variable, bool) {
	i := slices.IndexFunc(t.Variables, func(x track.Variable) bool { return x.Name == name })
	if i < 0 {
		return track.Variable{}, false
	}
	return t.Variables[i], true
}
