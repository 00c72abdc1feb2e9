package track

import (
	"slices"

	"playhead/parse/plan"
)

// JumpOnlyRows returns the rows which the run has not entered and which the order of the steps does not lead to: those
// that are only targets, those behind a step that never continues if a route jumps to them, and those to which only
// these lead.
func (t *Track) JumpOnlyRows() map[*Row]bool {
	out, previousBelow, targets := map[*Row]bool{}, map[*Row]*Row{}, map[*plan.Plan]map[string]bool{}
	for _, r := range t.AllRows() {
		parent := r.Parent
		previous := previousBelow[parent]
		if !r.IsTargetOnly() {
			previousBelow[parent] = r
		}
		switch {
		case r.Status != Pending:
		case r.IsOutsideOrder():
			out[r] = true
		case r.Step == nil || previous == nil || r.Step.IsArm():
			out[r] = out[parent]
		case previous.Step == r.Step || continues(previous.Step):
			out[r] = out[previous]
		default:
			if targets[r.Plan()] == nil {
				targets[r.Plan()] = jumpTargets(r.Plan())
			}
			out[r] = isEnteredAt(r.Step, targets[r.Plan()])
		}
	}
	return out
}

// continues reports whether a step has a route to the step behind it.
func continues(s *plan.Step) bool {
	return slices.ContainsFunc(s.Routes, func(r plan.Route) bool {
		for m := &r.Do; m != nil; m = m.AfterLimit {
			if m.Verb == plan.Continue {
				return true
			}
		}
		return false
	})
}

// isEnteredAt reports whether one of the targets enters a step or, if that is a group, its beginning.
func isEnteredAt(s *plan.Step, targets map[string]bool) bool {
	for !targets[s.ID] && len(s.Children) > 0 {
		s = s.EntryChild()
	}
	return targets[s.ID]
}

// jumpTargets returns the IDs of the steps to which routes of a document jump.
func jumpTargets(p *plan.Plan) map[string]bool {
	out := map[string]bool{}
	p.Walk(func(s, _ *plan.Step) bool {
		for _, r := range s.Routes {
			for m := &r.Do; m != nil; m = m.AfterLimit {
				if m.To.Step != "" {
					out[m.To.Step] = true
				}
			}
		}
		return true
	})
	return out
}

// JumpedOverRows returns the rows which the run has not entered although it was at a step behind them, or left their
// document from a step that only jumps reach. Where the steps have no order, there are none.
func (t *Track) JumpedOverRows() map[*Row]bool {
	rows := t.AllRows()
	position := make(map[*Row]int, len(rows))
	for i, r := range rows {
		position[r] = i
	}
	furthest, isAside := map[*Row]int{}, map[*Row]bool{} // by the row of the document
	for r := range t.EnteredRows() {
		d, isTargetOnly := r.documentRow(), r.isInTargetOnly()
		if _, isKnown := isAside[d]; !isKnown { // this is the last one entered
			isAside[d] = isTargetOnly
		}
		if !isTargetOnly {
			furthest[d] = max(furthest[d], position[r])
		}
	}
	out := map[*Row]bool{}
	for i, r := range rows {
		d := r.documentRow()
		at := i
		for d != nil && d.Status == Pending { // the run jumped over the whole document, or not
			at, d = position[d], d.documentRow()
		}
		out[r] = r.Status == Pending && r.frame.hasStepOrder && (isAside[d] || at < furthest[d])
	}
	return out
}

// isInTargetOnly reports whether the row is a step that only jumps reach, or in one.
func (row *Row) isInTargetOnly() bool {
	for group := row; group != nil; group = group.GroupRow() {
		if group.IsTargetOnly() {
			return true
		}
	}
	return false
}

// documentRow returns the row of the included document that the row is in, nil if it is in the root document.
func (row *Row) documentRow() *Row {
	for p := row.Parent; p != nil; p = p.Parent {
		if p.IncludedDocument != nil {
			return p
		}
	}
	return nil
}
