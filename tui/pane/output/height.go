package output

import (
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/layout"
)

// logHeight returns how many of h lines are left for the log.
func (p *Pane) logHeight(h int) int {
	h -= p.actionList.height(h)
	if p.reasoningText() != "" {
		h--
	}
	return max(0, h)
}

// reasoningLine returns the line above a reply that names the size of the reasoning, nil if there is none.
func (p *Pane) reasoningLine(dc *draw.Context, w int) []string {
	if p.reasoningText() == "" {
		return nil
	}
	size := "reasoning, " + wording.ByteSize(int64(len(p.reasoningText())))
	if p.isReasoningOpen {
		return []string{dc.Fit(dc.Muted.Paint("▾ "+size), w)}
	}
	return []string{dc.Fit(dc.Muted.Paint("▸ "+size+" · press ")+dc.Key.Paint(dc.Keys.FirstKeyText("reasoning"))+dc.Muted.Paint(" to open it"), w)}
}

// NeededLines returns how many lines the whole content needs, in a pane that usually has box. If lines are
// wrapped, it returns at least the height of box, because their rows are not counted yet.
func (p *Pane) NeededLines(dc *draw.Context, box layout.Rect) int {
	n := p.viewport.logWindow.totalLines
	switch {
	case n == 0:
		n = len(p.placeholderLines(dc, box.W))
	case p.wrapsLongLines():
		n = max(n, box.H)
	}
	if p.reasoningText() != "" {
		n++
	}
	return n + len(p.actionList.actions)
}

// FitsIn reports whether the whole content fits into a box, as far as that is known.
func (p *Pane) FitsIn(box layout.Rect) bool {
	return p.viewport.logWindow.totalLines > 0 && !p.wrapsLongLines() && p.viewport.logWindow.totalLines <= p.logHeight(box.H)
}
