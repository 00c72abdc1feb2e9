package panes

// Border is a line between panes that can be moved.
type Border int

const (
	NoBorder    Border = iota // no border
	StepsBorder               // right of the steps
	TextBorder                // above the output
	WhyBorder                 // above WHY
)

// BorderAt returns the border at a place on the screen.
func (l Layout) BorderAt(x, y int) Border {
	switch why, output := l.Panes[Why], l.Panes[Output]; {
	case l.Shape == Narrow || l.Shape == Tiny || y < 1 || y >= l.H-1:
	case l.Left > 0 && x == l.Left+1:
		return StepsBorder
	case x <= l.Left:
	case output.H > 0 && l.Panes[Text].H > 0 && y == output.Y-1:
		return TextBorder
	case why.H > 0 && y == why.Y-1 && y > 1:
		return WhyBorder
	}
	return NoBorder
}

// RowBorder returns the horizontal border that keys move while a pane has the focus.
func (l Layout) RowBorder(focus Pane) Border {
	if focus == Why || l.Panes[Output].H <= 0 {
		return WhyBorder
	}
	return TextBorder
}

// Line returns the line of the screen on which a horizontal border is.
func (l Layout) Line(b Border) int {
	if b == TextBorder {
		return l.Panes[Output].Y - 1
	}
	return l.Panes[Why].Y - 1
}

// MoveBorder returns the split with a border moved to a column or line, within its limits.
func (l Layout) MoveBorder(s Split, b Border, to int) Split {
	body := l.H - 2
	switch b {
	case StepsBorder:
		s.Steps = thousandths(min(max(to, MinSteps), l.W-3-MinRight), l.W)
	case TextBorder:
		floor := l.Panes[Output]
		s.Text = thousandths(min(max(to-2, MinText), floor.Y+floor.H-2-MinOutput), body)
	case WhyBorder:
		end, above := l.H-1, l.Panes[Output].Y
		if above == 0 {
			above = l.Panes[Text].Y
		}
		s.Why = thousandths(min(max(end-to-1, minWhy), end-above-MinOutput), body)
	}
	return s
}
