// Package bar draws the first and the last line of the screen. The first shows the document and the state
// of the run, the last a message or hints.
package bar

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/model"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// ClickTarget is a place in the first or the last line where a click presses a key: the cells of line Y
// from StartX up to, but not including, EndX.
type ClickTarget struct {
	Y, StartX, EndX int
	Key             string
}

// Header returns the first line of a screen of w cells: the document left, the run's state right, and
// between them as many facts as fit or, if one pane shows at a time and has focus, the tabs of the panes. If the pane
// of the steps is hidden, the count of steps is beside the progress bar. shownName is the name of
// what the pane with focus shows, for its tab.
func Header(run *runview.Run, w int, oneAtATime, stepsShown bool, shownName string) (line string, targets []ClickTarget) {
	dc := run.DrawContext
	right := " " + runStateText(run, w) + " "
	room := w - 2 - dc.Width(right)
	progress := headerProgress(run, w, stepsShown)
	barWidth := dc.Width(progress)
	reserved := dc.Width(run.FileName()) + 6
	if barWidth > 0 {
		reserved += barWidth + 3
	}
	title := dc.Width(draw.CleanLine(run.Plan.Title))
	middle := runFacts(run, draw.CleanLine(cmp.Or(run.Plan.FormatTitle, run.Plan.Format)), room-reserved-min(title, reservedTitleWidth))
	if dc.Width(middle) > room-reserved-title { // the title is worth more than the name of the format
		middle = runFacts(run, "", room-reserved-min(title, reservedTitleWidth))
	}
	if oneAtATime && slices.Contains(layout.AllPanes, run.Focus) { // a dialog may use the same keys, and has its own title
		middle, targets = paneTabs(run, room, reserved, shownName)
	}
	if barWidth > 0 {
		middle = " " + progress + " " + dc.Border.Paint("─") + middle
	}
	left := " " + documentName(run, room-dc.Width(middle)-3) + " "
	fill := cells.HorizontalLine(room - dc.Width(left) - dc.Width(middle))
	return dc.Border.Paint("╭") + dc.Title.PaintOver(left) + dc.Border.Paint(fill) + middle + right + dc.Border.Paint("╮"), targets
}

// PresentationHeader returns the first line when presenting: the document, and the run's state unless the summary
// shows it.
func PresentationHeader(run *runview.Run, w int) string {
	dc, right := run.DrawContext, ""
	if !run.IsSummaryDialogShown || run.ShowsEarlierMoment() {
		right = runStateText(run, w)
	}
	name := cmp.Or(draw.CleanLine(run.Plan.Title), run.FileName())
	return "  " + dc.LeftRight(dc.Title.Paint(dc.Cut(name, w-4-dc.Width(right)-2)), right, w-4)
}

// reservedTitleWidth is the number of cells that a title keeps before facts about the run are shown.
const reservedTitleWidth = 20

// minTitleWidth is the minimum width of a title that is shown.
const minTitleWidth = 8

// documentName returns the file name in at most w cells, with the title if it fits.
func documentName(run *runview.Run, w int) string {
	dc, name, title := run.DrawContext, run.FileName(), draw.CleanLine(run.Plan.Title)
	rest := w - dc.Width(name) - 3
	if title == "" || title == name || rest < min(dc.Width(title), minTitleWidth) {
		return dc.Cut(name, w)
	}
	return name + " · " + dc.Cut(title, rest)
}

// runFacts returns what models used, the format, the run's id and the reply source, as far as they fit in w
// cells. The format gives way first.
func runFacts(run *runview.Run, format string, w int) string {
	id, by := "", ""
	if run.ShownTrack.RunID != "" {
		id = "run " + draw.CleanLine(run.ShownTrack.RunID)
	}
	if source := replySource(run); source != "" {
		by = "replies: " + source
	}
	tokens := run.ShownTrack.ModelUsage.String()
	if tokens != "" {
		tokens = "tokens " + tokens
	}
	about := joinFacts(format, id)
	for _, facts := range [][]string{{tokens, joinFacts(about, by)}, {tokens, joinFacts(id, by)}, {joinFacts(about, by)}, {joinFacts(id, by)}, {by}, {about}, {id}} {
		s := ""
		for _, fact := range facts {
			if fact != "" {
				s += " " + run.DrawContext.Muted.Paint(fact) + " " + run.DrawContext.Border.Paint("──")
			}
		}
		if run.DrawContext.Width(s) <= w {
			return s
		}
	}
	return ""
}

// joinFacts returns two facts side by side.
func joinFacts(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " · " + b
}

// replySource returns where replies come from, "" for a model.
func replySource(run *runview.Run) string {
	at := run.Status.ReplySourceName
	stored := slices.ContainsFunc(run.ReplySources, func(o model.ReplySourceOption) bool { return o.HasStoredReplies && o.Name == at })
	switch {
	case !run.AsksModels:
	case at == model.ManualReplySource:
		return "manual"
	case run.Status.NextReplyManual:
		return "manual, then " + draw.CleanLine(at)
	case stored:
		return draw.CleanLine(at)
	}
	return ""
}

// paneTabs returns the names of all panes with their keys, for a screen that shows one pane at a time. They
// are at the right end of room cells. If fewer than reserved cells would be left, only the visible pane
// is named.
func paneTabs(run *runview.Run, room, reserved int, shownName string) (s string, targets []ClickTarget) {
	dc, keys, names := run.DrawContext, make([]string, len(layout.AllPanes)), make([]string, len(layout.AllPanes))
	shown := slices.Index(layout.AllPanes, run.Focus)
	for i, p := range layout.AllPanes {
		action := layout.PaneKinds[p].Name
		keys[i] = dc.Keys.FirstKeyText(action)
		names[i] = keys[i] + " " + action
	}
	names[shown] = keys[shown] + " " + shownName
	if dc.Width(strings.Join(names, "  "))+reserved > room {
		for i := range names {
			if i != shown {
				names[i] = keys[i]
			}
		}
	}
	at := room - dc.Width(strings.Join(names, "  ")) - 1
	s = " "
	for i, name := range names {
		style := dc.Muted
		if i == shown {
			style = dc.Accent
		}
		if i > 0 {
			s, at = s+"  ", at+2
		}
		w := dc.Width(name)
		targets = append(targets, ClickTarget{0, at - 1, at + w + 1, clickedKey(dc, draw.Hint{Action: layout.PaneKinds[layout.AllPanes[i]].Name})})
		s, at = s+style.Paint(name), at+w
	}
	return s + " " + dc.Border.Paint("─"), targets
}
