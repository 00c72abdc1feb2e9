package track

import "playhead/parse/plan"

// Editable is the place of the action of a step that a person can change for the run: the
// last that was begun, else the first; -1 for none.
func (r *Row) Editable() int {
	if r == nil || r.Step == nil {
		return -1
	}
	first := -1
	for i, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Command, plan.Model, plan.Tool:
			if last := r.Action(); first < 0 || last != nil && last.Index == i {
				first = i
			}
		}
	}
	return first
}

// Says is what the i-th action of a step says: a person's word, else as the document has it.
func (r *Row) Says(i int) string {
	if text, ok := r.Edits[i]; ok {
		return text
	}
	if own, ok := plan.WrittenIn(r.Step.Actions[i].Work); ok {
		return own.Own()
	}
	return ""
}
