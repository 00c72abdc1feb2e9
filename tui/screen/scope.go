package screen

import (
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// WorksIn reports whether an action works in a pane.
func WorksIn(a *keymap.Action, p panes.Pane) bool {
	return a.In == keymap.Anywhere || a.In&panes.Kinds[p].Scope != 0
}

// PlaceOf returns the pane that an action is done in: the one with focus, if it works there.
func PlaceOf(a *keymap.Action, focus panes.Pane) panes.Pane {
	if WorksIn(a, focus) {
		return focus
	}
	for _, p := range panes.All {
		if WorksIn(a, p) {
			return p
		}
	}
	return focus
}
