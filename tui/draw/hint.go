package draw

// Hint is a key and what it does, as the last line shows it.
type Hint struct {
	Key, Text string
	Action    string // whose key it is, which a click on the hint does; empty: clicks press Key
}

// Press returns the hint that the key of an action does what the text says.
func (l *Look) Press(action, text string) Hint { return Hint{l.Keys.Name(action), text, action} }

// UpDown returns the hint for the keys that move up and down.
func (l *Look) UpDown(text string) Hint {
	return Hint{Key: l.Keys.Name("up") + l.Keys.Name("down"), Text: text, Action: "down"}
}

// HintGap is the room between two hints, in cells.
const HintGap = 2
