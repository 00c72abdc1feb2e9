package track

import "playhead/engine/machine"

// Foresee is the row of an instance that an event is to enter and that is not there yet,
// and the highest row that it brings with it: itself, or a group's. It is nil of what has
// its row. The Track stays as it is, and makes rows of its own when the event comes.
func (t *Track) Foresee(e machine.Event) (at, top *Row) {
	b, enters := e.Body.(*machine.Entered)
	if !enters || t.byLabel[e.Step] != nil {
		return nil, nil
	}
	soon := t.Clone()
	soon.frameOf(e.Step).count(b.Numbers)
	if at = soon.at(e); at == nil {
		return nil, nil
	}
	for top = at; top.Parent != nil; top = top.Parent {
		if r := t.byLabel[top.Parent.Label]; r != nil {
			top.Parent = r
			break
		}
	}
	return at, top
}
