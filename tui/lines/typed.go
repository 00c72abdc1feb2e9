package lines

import "bytes"

// maxLine is the longest line that is read.
const maxLine = 16 << 20

// inputBuffer holds what a person typed until it is handled.
type inputBuffer struct {
	text    []byte
	scanned int // so much of it is known to have no line end
}

// add adds input. It reports false if a line has grown too long.
func (t *inputBuffer) add(keys []byte) bool {
	t.text = append(t.text, keys...)
	return len(t.text) <= maxLine || t.whole()
}

// end ends the last line, so that it is handled, too.
func (t *inputBuffer) end() {
	if n := len(t.text); n > 0 && t.text[n-1] != '\n' {
		t.text = append(t.text, '\n')
	}
}

// whole reports whether there is a complete line.
func (t *inputBuffer) whole() bool {
	i := bytes.IndexByte(t.text[t.scanned:], '\n')
	if i < 0 {
		t.scanned = len(t.text)
		return false
	}
	t.scanned += i
	return true
}

// line removes and returns the first complete line.
func (t *inputBuffer) line() (line string, whole bool) {
	if !t.whole() {
		return "", false
	}
	line, t.text, t.scanned = string(t.text[:t.scanned]), t.text[t.scanned+1:], 0
	return line, true
}
