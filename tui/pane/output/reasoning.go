package output

import (
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// reasoning returns what the model thought before the reply that shows, "" if nothing was recorded.
func (p *Pane) reasoning() string {
	if p.action == nil {
		return ""
	}
	return p.action.Reasoning
}

// room returns how many of h lines are left for the log.
func (p *Pane) room(h int) int {
	h -= p.calls.height(h)
	if p.reasoning() != "" {
		return h - 1
	}
	return h
}

// reasoningLine returns the line above a reply that names the size of the reasoning, nil if there is none.
func (p *Pane) reasoningLine(l *draw.Look, w int) []string {
	if p.reasoning() == "" {
		return nil
	}
	size := "reasoning, " + wording.Size(int64(len(p.reasoning())))
	if p.reasoningOpen {
		return []string{l.Fit(l.Muted.Paint("▾ "+size), w)}
	}
	return []string{l.Fit(l.Muted.Paint("▸ "+size+" · ")+l.Key.Paint(l.Keys.Name("reasoning"))+l.Muted.Paint(" opens it"), w)}
}

// Needs returns how many lines the whole content needs, in a pane that usually has box. If lines are
// wrapped, it returns at least the height of box, because their rows are not counted yet.
func (p *Pane) Needs(l *draw.Look, box panes.Rect) int {
	n := p.window.total
	switch {
	case n == 0:
		n = len(p.placeholder(l, box.W))
	case p.wraps():
		n = max(n, box.H)
	}
	if p.reasoning() != "" {
		n++
	}
	return n + len(p.calls.all)
}

// IsReply reports whether a text is the reply that the pane shows.
func (p *Pane) IsReply(text string) bool {
	return p.isReply() && p.action.Outcome != nil && p.action.Outcome.Text == text
}

// Fits reports whether the whole content fits into a box, as far as that is known.
func (p *Pane) Fits(box panes.Rect) bool {
	return p.window.total > 0 && !p.wraps() && p.window.total <= p.room(box.H)
}

// IsSilent reports whether none of a row's actions prints anything.
func IsSilent(r *track.Row) bool {
	if r.Step == nil {
		return true
	}
	for _, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Decide, plan.Ask, plan.Include:
		default:
			return false
		}
	}
	return true
}
