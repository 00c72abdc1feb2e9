package lines

import "bytes"

// maxLine is the longest line that is read.
const maxLine = 16 << 20

// typed holds what a person typed until it is handled.
type typed struct {
	text []byte
	seen int // so much of it is known to have no line end
}

// add adds input. It reports false if a line has grown too long.
func (t *typed) add(keys []byte) bool {
	t.text = append(t.text, keys...)
	return len(t.text) <= maxLine || t.whole()
}

// end ends the last line, so that it is handled, too.
func (t *typed) end() {
	if n := len(t.text); n > 0 && t.text[n-1] != '\n' {
		t.text = append(t.text, '\n')
	}
}

// whole reports whether there is a complete line.
func (t *typed) whole() bool {
	i := bytes.IndexByte(t.text[t.seen:], '\n')
	if i < 0 {
		t.seen = len(t.text)
		return false
	}
	t.seen += i
	return true
}

// line removes and returns the first complete line.
func (t *typed) line() (line string, whole bool) {
	if !t.whole() {
		return "", false
	}
	line, t.text, t.seen = string(t.text[:t.seen]), t.text[t.seen+1:], 0
	return line, true
}
