package choose

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// CannotGoToStep returns why there is no step to go to, empty if there is one.
func CannotGoToStep(run *runview.Run) string {
	if len(run.Shown.Rows) == 0 {
		return "This document has no steps."
	}
	return ""
}

// Steps lists steps, those in included documents too, to select one by some letters of its label,
// its title or its document.
func Steps(run *runview.Run) *Menu {
	rows := run.Rows()
	names, items := make([]string, len(rows)), make([]string, len(rows))
	at := 0
	for i, r := range rows {
		names[i] = draw.StepName(r)
		items[i] = names[i] + " " + document(r)
		if r == run.Selected {
			at = i
		}
	}
	d := &Menu{Name: "GO TO A STEP", Verb: "select it", Finder: list.NewFinder(items)}
	d.Finder.At = at
	d.Row = func(run *runview.Run, h list.Hit, w int) string {
		return stepLine(run.Look, rows[h.Item], names[h.Item], h, w)
	}
	d.Choose = func(run *runview.Run, item int) []tea.Msg {
		return []tea.Msg{dialog.Close{}, request.Select{Row: rows[item]}, request.Press{Action: "steps"}}
	}
	return d
}

// document returns the included document that a row is of, empty for the run's own.
func document(r *track.Row) string {
	for p := r; p != nil; p = p.Parent {
		if p.Doc != nil {
			return draw.Clean(p.Doc.Path)
		}
	}
	return ""
}

func stepLine(l *draw.Look, r *track.Row, name string, h list.Hit, w int) string {
	doc := document(r)
	behind := h.Part(len(name)+1, len(name)+1+len(doc))
	return l.Spread(l.Glyph(r)+" "+h.Part(0, len(name)).Marked(l, name), l.Muted.Over(behind.Marked(l, doc)), w)
}
