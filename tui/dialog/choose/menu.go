package choose

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Menu is a long list, from which a person chooses an item by some letters of its name.
type Menu struct {
	Name   string
	Verb   string // what choosing does, for the hint
	Prompt string // says what can be typed; "": letters of the name
	Finder *list.Finder

	Row    func(run *runview.Run, h list.Hit, w int) string
	About  func(run *runview.Run, item, w int) []string // details of the selected item; nil: none
	Choose func(run *runview.Run, item int) []tea.Msg
	Can    func(run *runview.Run, item int) bool // reports whether an item can be chosen; nil: all can

	about int // how many lines the last frame has below the selected item
}

// Lines above the list for the query, lines for the details of an item, and the minimum height of a dialog that
// shows details.
const (
	queryLines       = 1
	descriptionLines = 2
	leastMenu        = 8
)

// Title returns the number of matching items.
func (d *Menu) Title(run *runview.Run) panes.Title {
	place := d.Finder.Place()
	if d.Finder.Query != "" && place != "" {
		place += " found"
	}
	return panes.Title{Left: d.Name, Right: run.Look.Muted.Paint(place)}
}

// Overflow returns how many items are out of sight.
func (d *Menu) Overflow() panes.Overflow { return d.Finder.Overflow() }

// View returns the query and the list, with details below the selected item.
func (d *Menu) View(run *runview.Run, w, h int) []string {
	l := run.Look
	query := l.Caret.Paint(" ") + l.Muted.Paint(cmp.Or(d.Prompt, "filter by name"))
	if d.Finder.Query != "" {
		query = l.Cut(draw.Clean(d.Finder.Query), w-1) + l.Caret.Paint(" ")
	}
	out := []string{l.Cut(query, w)}
	item, ok := d.Finder.Chosen()
	if !ok {
		return append(out, l.Muted.Paint("Nothing matches. Press backspace to show more."))
	}
	var about []string
	room := h - queryLines
	if d.About != nil && h > leastMenu {
		about = d.About(run, item, w-4)
		room -= max(descriptionLines, len(about)) // so that the list scrolls in the same way for all items
	}
	d.about = len(about)
	from, to := d.Finder.Window(d.Finder.At, len(d.Finder.Hits), max(1, room))
	for i, one := range d.Finder.Hits[from:to] {
		line, chosen := d.Row(run, one, w-2), from+i == d.Finder.At
		out = append(out, l.ListRow(line, w, draw.SelectionOf(chosen, true)))
		for j := 0; chosen && j < len(about); j++ {
			out = append(out, "    "+about[j])
		}
	}
	return out
}

// itemAt returns the index of the matching item on a line of the dialog.
func (d *Menu) itemAt(y int) int {
	i := d.Finder.Top + y - queryLines
	if i > d.Finder.At { // the details are below the selected item
		i = max(d.Finder.At, i-d.about)
	}
	return i
}

// Height returns the height with all items, so that the dialog keeps its height while the person types.
func (d *Menu) Height(*runview.Run, int) int {
	if d.About == nil {
		return queryLines + len(d.Finder.Items)
	}
	return queryLines + len(d.Finder.Items) + descriptionLines
}

// MayCoverOutput implements dialog.Dialog.
func (d *Menu) MayCoverOutput(*runview.Run) bool { return true }

// Writing returns true: keys edit the query.
func (d *Menu) Writing() bool { return true }

// Update filters, moves and chooses.
func (d *Menu) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		d.Finder.Query += draw.Clean(msg.Content)
		d.Finder.Filter()
	case dialog.Click:
		if i := d.itemAt(msg.Y); msg.Y >= queryLines && i < len(d.Finder.Hits) {
			d.Finder.At = i
		}
	case tea.KeyPressMsg:
		return d.key(run, msg)
	default:
		return dialog.Unhandled()
	}
	return dialog.Send()
}

func (d *Menu) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.Look.Keys; {
	case keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "accept"):
		if item, ok := d.Finder.Chosen(); ok {
			return dialog.Send(d.Choose(run, item)...)
		}
	default:
		d.Finder.Key(keys, k)
	}
	return dialog.Send()
}

// Hints implements dialog.Dialog.
func (d *Menu) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	hints := []draw.Hint{l.UpDown("choose"), l.Press("close", "close")}
	if item, ok := d.Finder.Chosen(); !ok || d.Can != nil && !d.Can(run, item) {
		return hints
	}
	return append([]draw.Hint{l.Press("accept", d.Verb)}, hints...)
}

// CannotGoToStep returns why there is no step to go to, "" if there is one.
func CannotGoToStep(run *runview.Run) string {
	if len(run.Shown.Rows) == 0 {
		return "This document has no steps."
	}
	return ""
}

// Steps lists all steps, including those of included documents. A person selects one by letters of its
// label, its title or its document.
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

// document returns the included document of a row, "" for the run's main document.
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
