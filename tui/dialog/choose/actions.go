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
	all := sortedActions(run)
	items := make([]string, len(all))
	for i, a := range all {
		items[i] = a.Name + " " + a.HelpText + " " + a.HintText
	}
	return &Menu{
		Name: "ACTIONS", Verb: "do it", Finder: list.NewFinder(items),
		DrawItem: func(run *runview.Run, h list.Hit, w int) string {
			a := all[h.ItemIndex]
			return actionLine(run.Look, a, h, run.UnavailableReason(a.Name), w)
		},
		DetailLines: func(run *runview.Run, item, w int) (out []string) {
			l, a := run.Look, all[item]
			if roomForName(l, a, w+2) < len(a.Name) { // the line cuts the help
				out = l.Wrap(a.HelpText, w)
			}
			for _, line := range l.Wrap(draw.CleanLine(run.UnavailableReason(a.Name)), w) {
				out = append(out, l.Warn.Paint(line))
			}
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

// sortedActions returns all actions except "actions": first those that are available, last the unavailable
// ones. Actions that move come between.
func sortedActions(run *runview.Run) []*keymap.Action {
	var all []*keymap.Action
	rank := map[*keymap.Action]int{}
	for _, each := range keymap.Actions() {
		a := keymap.FindAction(each.Name)
		if a.Name == "actions" || a.Group == keymap.DialogGroup {
			continue
		}
		all = append(all, a)
		if a.Group == "move" {
			rank[a] = 1
		}
		if run.UnavailableReason(a.Name) != "" {
			rank[a] = 2
		}
	}
	slices.SortStableFunc(all, func(a, b *keymap.Action) int { return cmp.Compare(rank[a], rank[b]) })
	return all
}

// actionNameWidth is the width of the column of names.
const actionNameWidth = 15

// roomForName returns the width that a line of w cells leaves for the name of an action if everything else
// shows completely.
func roomForName(l *draw.Look, a *keymap.Action, w int) int {
	return w - 1 - l.Width(a.HelpText) - 1 - l.Width(l.Keys.AllKeysText(a.Name))
}

// actionLine returns the line of an action: its name, what it does, and its key. A long text gets the room
// that a short name leaves.
func actionLine(l *draw.Look, a *keymap.Action, h list.Hit, why string, w int) string {
	keys := l.Keys.AllKeysText(a.Name)
	column := min(actionNameWidth, max(len(a.Name), roomForName(l, a, w)))
	name := h.Within(0, len(a.Name)).HighlightedItem(l, a.Name)
	help := h.Within(len(a.Name)+1, len(a.Name)+1+len(a.HelpText)).HighlightedItem(l, a.HelpText)
	if why != "" {
		return l.LeftRight(l.Muted.PaintOver(l.Fit(name, column)+" "+help), l.Muted.Paint(keys), w)
	}
	return l.LeftRight(l.Fit(name, column)+" "+help, l.Key.Paint(keys), w)
}
