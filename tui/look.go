package tui

import (
	"playhead/themes"
	"playhead/tui/draw"
)

// look is how everything is drawn, and the keys that it speaks of.
type look struct {
	draw.Look
	keys Keys
}

func newLook(p themes.Palette, k Keys) *look {
	return &look{Look: draw.New(p), keys: k}
}
