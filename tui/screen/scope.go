package screen

import (
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// ScopeOf returns where keys mean what they mean in a pane.
func ScopeOf(p panes.Pane) keymap.Scope {
	return map[panes.Pane]keymap.Scope{
		panes.Tree: keymap.Steps, panes.Text: keymap.Text, panes.Output: keymap.Output, panes.Why: keymap.Why,
	}[p]
}

// WorksIn reports whether an action works in a pane.
func WorksIn(a *keymap.Action, p panes.Pane) bool {
	return a.In == keymap.Anywhere || a.In&ScopeOf(p) != 0
}

// PlaceOf returns the pane that an action is done in: the one with focus, if it works there.
func PlaceOf(a *keymap.Action, focus panes.Pane) panes.Pane {
	if WorksIn(a, focus) {
		return focus
	}
	for p := panes.Tree; p < panes.Dialog; p++ {
		if WorksIn(a, p) {
			return p
		}
	}
	return focus
}
