package draw

// Hint is a key and what it does, as the last line shows it.
type Hint struct{ Key, Text string }

// Press is the hint that a key does what the text says.
func Press(key, text string) Hint { return Hint{key, text} }

// HintGap is the room between two hints, in cells.
const HintGap = 2
