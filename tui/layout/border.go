package layout

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
	switch why, output := l.PaneRects[WhyPane], l.PaneRects[OutputPane]; {
	case l.Shape == OnePaneShape || l.Shape == TooSmallShape || y < 1 || y >= l.H-1:
	case l.StepsWidth > 0 && x == l.StepsWidth+1:
		return StepsBorder
	case x <= l.StepsWidth:
	case output.H > 0 && l.PaneRects[TextPane].H > 0 && y == output.Y-1:
		return TextBorder
	case why.H > 0 && y == why.Y-1 && y > 1:
		return WhyBorder
	}
	return NoBorder
}

// HorizontalBorder returns the horizontal border that keys move while a pane has the focus.
func (l Layout) HorizontalBorder(focus PaneID) Border {
	if focus == WhyPane || l.PaneRects[OutputPane].H <= 0 {
		return WhyBorder
	}
	return TextBorder
}

// BorderLine returns the line of the screen on which a horizontal border is.
func (l Layout) BorderLine(b Border) int {
	if b == TextBorder {
		return l.PaneRects[OutputPane].Y - 1
	}
	return l.PaneRects[WhyPane].Y - 1
}

// MoveBorder returns the split with a border moved to a column or line, within its limits.
func (l Layout) MoveBorder(s Split, b Border, to int) Split {
	body := l.H - 2
	switch b {
	case StepsBorder:
		s.StepsShare = toThousandths(min(max(to, MinStepsWidth), l.W-3-MinRightWidth), l.W)
	case TextBorder:
		floor := l.PaneRects[OutputPane]
		s.TextShare = toThousandths(min(max(to-2, MinTextLines), floor.Y+floor.H-2-MinOutputHeight), body)
	case WhyBorder:
		end, above := l.H-1, l.PaneRects[OutputPane].Y
		if above == 0 {
			above = l.PaneRects[TextPane].Y
		}
		s.WhyShare = toThousandths(min(max(end-to-1, minWhyLines), end-above-MinOutputHeight), body)
	}
	return s
}
