package tui

import "playhead/tui/draw"

// look is how everything is drawn, and the keys that it speaks of.
type look = draw.Look
