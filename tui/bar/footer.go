package bar

import (
	"slices"
	"strings"

	"playhead/tui/cells"
	"playhead/tui/draw"
)

// Footer returns the last line of a screen of w cells: a message, else the hints. A long message takes more
// lines, above the last one, at most maxLines.
func Footer(dc *draw.Context, w int, message, keys string, maxLines int) string {
	room := w - 4
	lines := messageLines(dc, message, room, maxLines)
	if lines == nil {
		lines = []string{keys}
	}
	var b strings.Builder
	last := len(lines) - 1
	for _, line := range lines[:last] {
		b.WriteString(dc.Border.Paint("│") + " " + dc.Fit(line, room) + " " + dc.Border.Paint("│") + "\n")
	}
	b.WriteString(dc.Border.Paint("╰") + " " + lines[last] + " " + dc.Border.Paint(cells.HorizontalLine(room-dc.Width(lines[last]))+"╯"))
	return b.String()
}

// MaxMessageLines is the maximum number of lines of a message.
const MaxMessageLines = 4

// messageLines returns a message in at most maxLines lines of at most w cells.
func messageLines(dc *draw.Context, message string, w, maxLines int) []string {
	lines := dc.Wrap(message, w)
	if len(lines) > maxLines {
		rest := strings.Join(lines[maxLines-1:], " ")
		lines = append(lines[:maxLines-1], dc.CutWords(rest, w))
	}
	for i := range lines {
		lines[i] = dc.Title.Paint(lines[i])
	}
	return lines
}

// In a narrow line, the first hint at the end gives way as long as fewer than minHintsWithFirstEndHint other hints
// show, and those after it as long as fewer than minHintsWithOtherEndHints do.
const minHintsWithFirstEndHint, minHintsWithOtherEndHints = 5, 3

// HintLine returns the hints that fit into room cells, followed by those at the end, and where a click
// presses them. y is the line of the screen on which they are.
func HintLine(dc *draw.Context, hints, end []draw.Hint, room, y int) (line string, targets []ClickTarget) {
	for hintsWidth(dc, hints)+hintsWidth(dc, end) > room+draw.HintGap {
		at := slices.IndexFunc(hints, func(h draw.Hint) bool { return h.IsOptional })
		if at < 0 {
			break
		}
		hints = slices.Delete(slices.Clone(hints), at, at+1)
	}
	shown := fittingHints(dc, hints, room-hintsWidth(dc, end))
	for i := range end {
		least := minHintsWithFirstEndHint
		if i > 0 {
			least = minHintsWithOtherEndHints
		}
		rest := end[i+1:]
		if more := fittingHints(dc, hints, room-hintsWidth(dc, rest)); len(shown) < min(least, len(hints)) && len(more) > len(shown) {
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
		w := dc.HintWidth(h)
		targets = append(targets, ClickTarget{y, at, at + w, clickedKey(dc, h)})
		line += dc.Key.Paint(h.Key) + " " + h.Text
		at += w
	}
	return line, targets
}

// fittingHints returns as many of the first hints as fit. It always keeps the hint that closes a dialog.
func fittingHints(dc *draw.Context, all []draw.Hint, room int) []draw.Hint {
	closeIndex := slices.IndexFunc(all, func(h draw.Hint) bool { return h.Key == dc.Keys.FirstKeyText("close") })
	for i, h := range all {
		reserved := 0
		if i < closeIndex {
			reserved = dc.HintWidth(all[closeIndex]) + draw.HintGap
		}
		rest := room - dc.HintWidth(h) - draw.HintGap
		switch {
		case rest-reserved >= -draw.HintGap:
			room = rest
		case i < closeIndex && room-reserved >= -draw.HintGap:
			return append(all[:i:i], all[closeIndex])
		default:
			return all[:i]
		}
	}
	return all
}

// hintsWidth returns how many cells hints take at the end of a line.
func hintsWidth(dc *draw.Context, hints []draw.Hint) (n int) {
	for _, h := range hints {
		n += dc.HintWidth(h) + draw.HintGap
	}
	return n
}

// AnswerClickTargets returns the places of the answers of a dialog of w cells, which end above line y and
// begin in column x.
func AnswerClickTargets(dc *draw.Context, answers []draw.Hint, x, y, w int) (targets []ClickTarget) {
	rows := dc.AnswerRows(answers, w)
	for i, row := range rows {
		at := x
		for _, h := range row {
			end := at + dc.HintWidth(h)
			targets = append(targets, ClickTarget{y - len(rows) + i, at, end, clickedKey(dc, h)})
			at = end + draw.HintGap
		}
	}
	return targets
}

// clickedKey returns the key that a click on a hint presses.
func clickedKey(dc *draw.Context, h draw.Hint) string {
	if keys := dc.Keys.Keys(h.Action); len(keys) > 0 {
		return keys[0]
	}
	return h.Key
}
