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
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// ClickTarget is a place in the first or the last line where a click presses a key: the cells of line Y
// from From up to, but not including, To.
type ClickTarget struct {
	Y, From, To int
	Key         string
}

// Header returns the first line of a screen of w cells: the document left, the run's state right, and
// between them as many facts as fit or, if one pane shows at a time, the tabs of the panes. If the steps do
// not show, which have a count of their own, the progress bar has the count of steps. dialogName is the name of
// the dialog on top, for its tab.
func Header(run *runview.Run, w int, oneAtATime, stepsShown bool, dialogName string) (line string, targets []ClickTarget) {
	l := run.Look
	right := " " + State(run, w) + " "
	room := w - 2 - l.Width(right)
	progress := headerProgress(run, w, stepsShown)
	barWidth := l.Width(progress)
	middle := runFacts(run, room-l.Width(run.FileName())-3-barWidth-2-min(l.Width(draw.Clean(run.Plan.Title)), keptTitle))
	if oneAtATime {
		reserved := l.Width(run.FileName()) + 6
		if barWidth > 0 {
			reserved += barWidth + 3
		}
		middle, targets = tabs(run, room, reserved, dialogName)
	}
	if barWidth > 0 {
		middle = " " + progress + " " + l.Border.Paint("─") + middle
	}
	left := " " + document(run, room-l.Width(middle)-3) + " "
	fill := cells.Rule(room - l.Width(left) - l.Width(middle))
	return l.Border.Paint("╭") + l.Title.Over(left) + l.Border.Paint(fill) + middle + right + l.Border.Paint("╮"), targets
}

// PresentationHeader returns the first line when presenting: the document, and the run's state.
func PresentationHeader(run *runview.Run, w int) string {
	l, right := run.Look, State(run, w)
	name := cmp.Or(draw.Clean(run.Plan.Title), run.FileName())
	return "  " + l.Spread(l.Title.Paint(l.Cut(name, w-4-l.Width(right)-2)), right, w-4)
}

// keptTitle is the number of cells that a title keeps before facts about the run are shown.
const keptTitle = 20

// shortTitle is the minimum width of a title that is shown.
const shortTitle = 8

// document returns the name of the document's file in at most w cells, with its title if it fits.
func document(run *runview.Run, w int) string {
	l, name, title := run.Look, run.FileName(), draw.Clean(run.Plan.Title)
	rest := w - l.Width(name) - 3
	if title == "" || title == name || rest < min(l.Width(title), shortTitle) {
		return l.Cut(name, w)
	}
	return name + " · " + l.Cut(title, rest)
}

// runFacts returns what models used, the format, the run's id and the reply source, as far as they fit in w
// cells. The id is shown only if everything else fits.
func runFacts(run *runview.Run, w int) string {
	kind, id, by := draw.Clean(cmp.Or(run.Plan.Kind, run.Plan.Format)), "", ""
	if run.Shown.Run != "" {
		id = "run " + draw.Clean(run.Shown.Run)
	}
	if source := replySource(run); source != "" {
		by = "replies: " + source
	}
	tokens := run.Shown.Used.String()
	if tokens != "" {
		tokens = "tokens " + tokens
	}
	about := joinFacts(kind, id)
	for _, facts := range [][]string{{tokens, joinFacts(about, by)}, {joinFacts(about, by)}, {joinFacts(id, by)}, {by}, {about}, {id}} {
		s := ""
		for _, fact := range facts {
			if fact != "" {
				s += " " + run.Look.Muted.Paint(fact) + " " + run.Look.Border.Paint("──")
			}
		}
		if run.Look.Width(s) <= w {
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
	at := run.Status.Source
	stored := slices.ContainsFunc(run.Sources, func(o model.Origin) bool { return o.Stored && o.Name == at })
	switch {
	case !run.AsksModels:
	case at == model.Manual:
		return "yours"
	case run.Status.NextReplyManual:
		return "yours, then " + draw.Clean(at)
	case stored:
		return draw.Clean(at)
	}
	return ""
}

// tabs returns the tabs of the panes on a screen that shows one at a time, at the right end of room cells.
// If fewer than the reserved cells would be left, it names only the pane that shows.
func tabs(run *runview.Run, room, reserved int, dialogName string) (s string, targets []ClickTarget) {
	l, keys, names := run.Look, make([]string, len(panes.All)), make([]string, len(panes.All))
	shown := int(min(run.Focus, panes.Why) - panes.Steps)
	for i, p := range panes.All {
		action := panes.Kinds[p].Name
		keys[i] = l.Keys.Name(action)
		names[i] = keys[i] + " " + action
	}
	if run.Focus == panes.Dialog {
		names[shown] = keys[shown] + " " + dialogName
	}
	if l.Width(strings.Join(names, "  "))+reserved > room {
		for i := range names {
			if i != shown {
				names[i] = keys[i]
			}
		}
	}
	at := room - l.Width(strings.Join(names, "  ")) - 1
	s = " "
	for i, name := range names {
		ink := l.Muted
		if i == shown {
			ink = l.Accent
		}
		if i > 0 {
			s, at = s+"  ", at+2
		}
		w := l.Width(name)
		targets = append(targets, ClickTarget{0, at - 1, at + w + 1, keyOf(l, draw.Hint{Action: panes.Kinds[panes.All[i]].Name})})
		s, at = s+ink.Paint(name), at+w
	}
	return s + " " + l.Border.Paint("─"), targets
}
