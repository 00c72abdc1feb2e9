package choose

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// NewActionMenu lists all actions by name. Unavailable actions are muted, with the reason. The others do what
// their keys do in the pane with focus, or in their own pane.
func NewActionMenu(run *runview.Run) *Menu {
	all := actionRows(run)
	items := make([]string, len(all))
	for i, a := range all {
		items[i] = a.Name + " " + a.help + " " + a.HintText
	}
	finder := list.NewFinder(items)
	return &Menu{
		Name: "ACTIONS", Verb: "do it", Finder: finder,
		DrawItem: func(run *runview.Run, h list.MatchingItem, w int) string {
			a := all[h.ItemIndex]
			return a.line(run.DrawContext, h, run.UnavailableReason(a.Name), nameColumn(all, finder.MatchingItems, w), w)
		},
		DetailLines: func(run *runview.Run, item, w int) (out []string) {
			dc, a := run.DrawContext, all[item]
			if a.roomForName(w+2) < len(a.Name) { // the row cuts the help
				out = dc.Wrap(a.help, w)
			}
			out = append(out, dc.WarningLines(draw.CleanLine(run.UnavailableReason(a.Name)), w)...)
			return out
		},
		CanChoose: func(run *runview.Run, item int) bool { return run.UnavailableReason(all[item].Name) == "" },
		OnChoose: func(run *runview.Run, item int) []tea.Msg {
			a := all[item]
			if why := run.UnavailableReason(a.Name); why != "" {
				return []tea.Msg{request.Say{Text: why}}
			}
			return []tea.Msg{dialog.Close{}, request.PressKeyOf{Action: a.Name}}
		},
	}
}

// actionRow is an action in the list.
type actionRow struct {
	*keymap.KeyAction
	help      string
	keys      string
	restWidth int // the width of all but the name
}

// actionRows returns all actions except "actions": first those that are available, last the unavailable
// ones. Actions that move come between.
func actionRows(run *runview.Run) []actionRow {
	var all []actionRow
	rank := map[*keymap.KeyAction]int{}
	for _, each := range keymap.KeyActions() {
		a := keymap.FindKeyAction(each.Name)
		if a.Name == "actions" || a.Group == keymap.DialogGroup {
			continue
		}
		help, keys := a.Help(run.IsReplay), run.DrawContext.Keys.AllKeysText(a.Name)
		all = append(all, actionRow{a, help, keys, 1 + run.DrawContext.Width(help) + 1 + run.DrawContext.Width(keys)})
		if a.Group == "move" {
			rank[a] = 1
		}
		if run.UnavailableReason(a.Name) != "" {
			rank[a] = 2
		}
	}
	slices.SortStableFunc(all, func(a, b actionRow) int { return cmp.Compare(rank[a.KeyAction], rank[b.KeyAction]) })
	return all
}

// actionNameWidth is the usual width of the column of names.
const actionNameWidth = 15

// roomForName returns the width that a row of w cells leaves for the name if everything else shows completely.
func (a actionRow) roomForName(w int) int { return w - a.restWidth }

// nameColumn returns the width of the column of names in rows of w cells. If a row needs the room, the names get
// less, with a gap of two cells before the key, but they show completely.
func nameColumn(all []actionRow, shown []list.MatchingItem, w int) int {
	column, widest := actionNameWidth, 0
	for _, h := range shown {
		a := all[h.ItemIndex]
		column, widest = min(column, a.roomForName(w)-1), max(widest, len(a.Name))
	}
	return max(column, widest)
}

// line returns the row: the name in a column, what the action does, and its keys. A text that is too long even so
// gets the room that its own name leaves.
func (a actionRow) line(dc *draw.Context, h list.MatchingItem, why string, column, w int) string {
	column = min(column, max(len(a.Name), a.roomForName(w)))
	name := h.InPart(0, len(a.Name)).HighlightedItem(dc, a.Name)
	help := h.InPart(len(a.Name)+1, len(a.Name)+1+len(a.help)).HighlightedItem(dc, a.help)
	if why != "" {
		return dc.LeftRight(dc.Muted.PaintOver(dc.Fit(name, column)+" "+help), dc.Muted.Paint(a.keys), w)
	}
	return dc.LeftRight(dc.Fit(name, column)+" "+help, dc.Key.Paint(a.keys), w)
}
