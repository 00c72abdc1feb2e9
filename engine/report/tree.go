package report

import (
	"strings"

	"playhead/engine/track"
	"playhead/parse/plan"
)

// steps is the tree as far as it exists: what stands for instances that do not exist
// yet is there, what did so before is not. Phases only group steps, and are left out.
func (b *builder) steps(rows []*track.Row) []*Step {
	var out []*Step
	for _, r := range rows {
		switch {
		case r.Phase():
			out = append(out, b.steps(r.Children)...)
		case !r.Hidden:
			out = append(out, b.step(r))
		}
	}
	return out
}

func (b *builder) step(r *track.Row) *Step {
	s := &Step{
		Label: r.Label, Title: r.Title, Status: r.Status.String(), Skip: r.Skip, Forced: r.Forced, Edited: r.Changed || len(r.Edits) > 0, Message: r.Message,
		Visits: b.visits[r.Label],
	}
	delete(b.visits, r.Label)
	switch {
	case r.Doc != nil:
		s.Kind = "document"
	default:
		s.Kind, s.Line = r.Step.Kind, r.Step.Span.Line
		if r.Step.ID != r.Label {
			s.ID = r.Step.ID
		}
		said := append([]string{plan.Show(r.Step.Text, b.track.Scope(r))}, r.Step.Instructions()...)
		s.Text = b.purse.excerpt(strings.TrimLeft(strings.Join(said, "\n\n"), "\n"))
	}
	s.Children = b.steps(r.Children)
	return s
}

// strangers are steps that the run went through and its document does not have: it was
// recorded by a version that read the document differently.
func (b *builder) strangers() []*Step {
	var out []*Step
	for _, label := range b.order {
		if visits := b.visits[label]; visits != nil {
			out = append(out, &Step{Label: label, Status: "left", Visits: visits})
		}
	}
	return out
}
