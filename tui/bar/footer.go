package bar

import (
	"slices"
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// Footer returns the last line of a screen of w cells: a message, else the hints. A long message takes more
// lines, above the last one.
func Footer(l *draw.Look, w int, message, keys string) string {
	room := w - 4
	lines := messageLines(l, message, room)
	if lines == nil {
		lines = []string{keys}
	}
	var b strings.Builder
	last := len(lines) - 1
	for _, line := range lines[:last] {
		b.WriteString(l.Border.Paint("│") + " " + l.Fit(line, room) + " " + l.Border.Paint("│") + "\n")
	}
	b.WriteString(l.Border.Paint("╰") + " " + lines[last] + " " + l.Border.Paint(cells.HorizontalLine(room-l.Width(lines[last]))+"╯"))
	return b.String()
}

// maxMessageLines is the maximum number of lines of a message.
const maxMessageLines = 4

// messageLines returns a message in lines of at most w cells.
func messageLines(l *draw.Look, message string, w int) []string {
	lines := l.Wrap(message, w)
	if len(lines) > maxMessageLines {
		rest := strings.Join(lines[maxMessageLines-1:], " ")
		lines = append(lines[:maxMessageLines-1], l.Cut(rest, w))
	}
	for i := range lines {
		lines[i] = l.Title.Paint(lines[i])
	}
	return lines
}

// If there is little room, so many hints take precedence over the first hint at the end, and over the others
// there.
const hintsKeptBeforeFirstEndHint, hintsKeptBeforeOtherEndHints = 5, 3

// HintLine returns the hints that fit into room cells, followed by those at the end, and where a click
// presses them. y is the line of the screen on which they are.
func HintLine(l *draw.Look, hints, end []draw.Hint, room, y int) (line string, targets []ClickTarget) {
	if hintsWidth(l, hints)+hintsWidth(l, end) > room+draw.HintGap {
		hints = slices.DeleteFunc(slices.Clone(hints), func(h draw.Hint) bool { return h.IsOptional })
	}
	shown := fittingHints(l, hints, room-hintsWidth(l, end))
	for i := range end {
		least := hintsKeptBeforeFirstEndHint
		if i > 0 {
			least = hintsKeptBeforeOtherEndHints
		}
		rest := end[i+1:]
		if more := fittingHints(l, hints, room-hintsWidth(l, rest)); len(shown) < min(least, len(hints)) && len(more) > len(shown) {
			shown, end = more, rest
			break
		}
	}
	at := 2
	for i, h := range append(shown[:len(shown):len(shown)], end...) {
		if i > 0 {
			line += cells.Spaces(draw.HintGap)
			at += draw.HintGap
		}
		w := l.HintWidth(h)
		targets = append(targets, ClickTarget{y, at, at + w, clickedKey(l, h)})
		line += l.Key.Paint(h.Key) + " " + h.Text
		at += w
	}
	return line, targets
}

// fittingHints returns as many of the first hints as fit. It always keeps the hint that closes a dialog.
func fittingHints(l *draw.Look, all []draw.Hint, room int) []draw.Hint {
	out := slices.IndexFunc(all, func(h draw.Hint) bool { return h.Key == l.Keys.FirstKeyText("close") })
	for i, h := range all {
		reserved := 0
		if i < out {
			reserved = l.HintWidth(all[out]) + draw.HintGap
		}
		rest := room - l.HintWidth(h) - draw.HintGap
		switch {
		case rest-reserved >= -draw.HintGap:
			room = rest
		case i < out && room-reserved >= -draw.HintGap:
			return append(all[:i:i], all[out])
		default:
			return all[:i]
		}
	}
	return all
}

// hintsWidth returns how many cells hints take at the end of a line.
func hintsWidth(l *draw.Look, hints []draw.Hint) (n int) {
	for _, h := range hints {
		n += l.HintWidth(h) + draw.HintGap
	}
	return n
}

// AnswerClickTargets returns the places of the answers of a dialog of w cells, which end above line y and
// begin in column x.
func AnswerClickTargets(l *draw.Look, answers []draw.Hint, x, y, w int) (targets []ClickTarget) {
	rows := l.AnswerRows(answers, w)
	for i, row := range rows {
		at := x
		for _, h := range row {
			end := at + l.HintWidth(h)
			targets = append(targets, ClickTarget{y - len(rows) + i, at, end, clickedKey(l, h)})
			at = end + draw.HintGap
		}
	}
	return targets
}

// clickedKey returns the key that a click on a hint presses.
func clickedKey(l *draw.Look, h draw.Hint) string {
	if keys := l.Keys.Keys(h.Action); len(keys) > 0 {
		return keys[0]
	}
	return h.Key
}
