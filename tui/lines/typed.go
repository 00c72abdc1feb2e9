package lines

import "bytes"

// maxLine is how much may be typed before a line has to end: more than anybody says.
const maxLine = 16 << 20

// typed is what a person has typed, and nobody has taken yet.
type typed struct {
	text []byte
	seen int // so much of it is known to have no line end
}

// add takes more in. It reports whether that is still a line that may be one.
func (t *typed) add(keys []byte) bool {
	t.text = append(t.text, keys...)
	return len(t.text) <= maxLine || t.whole()
}

// end ends the last line: it counts, too.
func (t *typed) end() {
	if n := len(t.text); n > 0 && t.text[n-1] != '\n' {
		t.text = append(t.text, '\n')
	}
}

// whole reports whether there is a line, up to its end.
func (t *typed) whole() bool {
	i := bytes.IndexByte(t.text[t.seen:], '\n')
	if i < 0 {
		t.seen = len(t.text)
		return false
	}
	t.seen += i
	return true
}

// line takes the first line off, if there is one.
func (t *typed) line() (line string, whole bool) {
	if !t.whole() {
		return "", false
	}
	line, t.text, t.seen = string(t.text[:t.seen]), t.text[t.seen+1:], 0
	return line, true
}
