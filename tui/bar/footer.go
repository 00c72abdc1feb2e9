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
	b.WriteString(l.Border.Paint("╰") + " " + lines[last] + " " + l.Border.Paint(cells.Rule(room-l.Width(lines[last]))+"╯"))
	return b.String()
}

// maxMessage is the maximum number of lines of a message.
const maxMessage = 4

// messageLines returns a message in lines of at most w cells.
func messageLines(l *draw.Look, message string, w int) []string {
	lines := l.Wrap(message, w)
	if len(lines) > maxMessage {
		rest := strings.Join(lines[maxMessage-1:], " ")
		lines = append(lines[:maxMessage-1], l.Cut(rest, w))
	}
	for i := range lines {
		lines[i] = l.Title.Paint(lines[i])
	}
	return lines
}

// mostUseful is the number of hints that come before the first of the hints at the end if the room is
// short; indispensable is the number that come before the others at the end.
const mostUseful, indispensable = 5, 3

// Keys returns the hints that fit into room cells, followed by those at the end. If the room is short, it
// drops the first hint at the end rather than one of the mostUseful hints, and the others rather than one
// of the indispensable ones. y is the line of the screen on which the hints are.
func Keys(l *draw.Look, hints, end []draw.Hint, room, y int) (line string, targets []ClickTarget) {
	shown := fitting(l, hints, room-widths(l, end))
	for i := range end {
		least := mostUseful
		if i > 0 {
			least = indispensable
		}
		rest := end[i+1:]
		if more := fitting(l, hints, room-widths(l, rest)); len(shown) < min(least, len(hints)) && len(more) > len(shown) {
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
		targets = append(targets, ClickTarget{y, at, at + w, keyOf(l, h)})
		line += l.Key.Paint(h.Key) + " " + h.Text
		at += w
	}
	return line, targets
}

// fitting returns as many of the first hints as fit. The hint of the key that closes a dialog is always
// among them.
func fitting(l *draw.Look, all []draw.Hint, room int) []draw.Hint {
	out := slices.IndexFunc(all, func(h draw.Hint) bool { return h.Key == l.Keys.Name("close") })
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

// widths returns how many cells hints take at the end of a line.
func widths(l *draw.Look, hints []draw.Hint) (n int) {
	for _, h := range hints {
		n += l.HintWidth(h) + draw.HintGap
	}
	return n
}

// AnswerTargets returns the places of the answers of a dialog of w cells, which end above line y and begin in
// column x.
func AnswerTargets(l *draw.Look, answers []draw.Hint, x, y, w int) (targets []ClickTarget) {
	rows := l.AnswerRows(answers, w)
	for i, row := range rows {
		at := x
		for _, h := range row {
			end := at + l.HintWidth(h)
			targets = append(targets, ClickTarget{y - len(rows) + i, at, end, keyOf(l, h)})
			at = end + draw.HintGap
		}
	}
	return targets
}

// keyOf returns the key that a click on a hint presses.
func keyOf(l *draw.Look, h draw.Hint) string {
	if keys := l.Keys.Keys(h.Action); len(keys) > 0 {
		return keys[0]
	}
	return h.Key
}
