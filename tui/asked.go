package tui

import (
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/tui/cells"
	"playhead/tui/draw"
)

// asked is what a row's execution asked of a person, and what was said: for those who look
// at a recording or at the past, where no card shows it.
func asked(l *look, r *track.Row, w int) []string {
	x := r.Last()
	if x == nil {
		return nil
	}
	var out []string
	for _, a := range x.Asked {
		out = append(out, l.hanging(l.Wait.Paint("? "), questionOf(a), w)...)
		out = append(out, answersOf(l, a, w)...)
	}
	return out
}

// questionOf is a question in words. That of a decision is the step's own text.
func questionOf(a track.Asked) string {
	if a.Kind == machine.KindAsk && a.Prompt != "" {
		return sanitize.Text(a.Prompt)
	}
	return draw.Clean(strings.Join(a.Options, " · "))
}

// answersOf are the answers that an ask offers, and the one that was given.
func answersOf(l *look, a track.Asked, w int) []string {
	var out []string
	given := a.Given == nil
	if a.Kind == machine.KindAsk {
		for _, o := range a.Options {
			chosen := a.Given != nil && a.Given.Value == o
			given = given || chosen
			out = append(out, answerOf(l, a, o, chosen, w)...)
		}
	}
	if !given {
		out = append(out, answerOf(l, a, a.Given.Value, true, w)...)
	}
	return out
}

func answerOf(l *look, a track.Asked, value string, chosen bool, w int) []string {
	if !chosen {
		return l.hanging("    ", l.Muted.Paint(sanitize.Text(value)), w)
	}
	lines := l.hanging("  "+l.Accent.Paint("› "), l.Person.Paint(sanitize.Text(value)), w)
	lines[0] = l.Spread(lines[0], l.Muted.Paint(prepared(a.By)), w)
	return lines
}

// hanging wraps a text behind a mark, with its other lines below its first. Nothing is a
// line too.
func (l *look) hanging(mark, text string, w int) []string {
	n := l.Width(mark)
	lines := l.Wrap(text, w-n)
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i := range lines {
		if i > 0 {
			mark = cells.Spaces(n)
		}
		lines[i] = mark + lines[i]
	}
	return lines
}
