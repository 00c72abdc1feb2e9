package sanitize

import "playhead/parse/hidden"

// filterLine returns the parts of a line that are safe to show. If the line moves the cursor, flat is false
// and the result is not usable: the line must be drawn first.
func filterLine(s string, styles bool) (safe string, flat bool) {
	f := lineFilter{sourceLine: s, keepsStyles: styles}
	for f.readBytes < len(s) {
		if isPrintable(s[f.readBytes]) {
			f.copyPrintableASCII()
			continue
		}
		t := readToken(s[f.readBytes:])
		switch {
		case t.finalByte == '\t' && !f.hasNonASCII && !f.isStyleOn: // a tab is not underlined
			f.expandTab()
		case t.kind == motionToken:
			return "", false
		default:
			f.copyToken(t)
		}
	}
	return f.result(), true
}

// A lineFilter copies the safe parts of a line. As long as nothing has to be removed, it copies nothing.
type lineFilter struct {
	sourceLine   string
	keepsStyles  bool
	readBytes    int    // how many bytes of the line were read
	copiedBytes  int    // how many bytes of the line were copied to output or removed
	output       []byte // nil as long as nothing read was removed or added
	isStyleOn    bool   // a style is switched on
	column       int    // the column reached, unless hasNonASCII
	hasNonASCII  bool   // the line has characters outside ASCII, which may take more or less than one column
	joinerFilter hidden.JoinerFilter
}

// copyPrintableASCII keeps a sequence of printable ASCII characters.
func (k *lineFilter) copyPrintableASCII() {
	n := leadingBytesInRange(k.sourceLine[k.readBytes:], ' ', '~')
	k.readBytes += n
	k.column += n
	k.joinerFilter = hidden.JoinerFilter{}
}

// expandTab replaces a tab by blanks up to the next tab stop.
func (k *lineFilter) expandTab() {
	const stop = "        "
	n := tabWidth - k.column%tabWidth
	k.replaceBytes(1, stop[:n])
	k.column += n
	k.joinerFilter = hidden.JoinerFilter{}
}

// copyToken keeps or removes a token that is not printable ASCII.
func (k *lineFilter) copyToken(t token) {
	put := t.output
	switch t.kind {
	case textToken:
		k.hasNonASCII = true
		if !k.joinerFilter.Keeps(t.char, k.sourceLine[k.readBytes+t.size:]) {
			put = ""
		}
	case styleToken:
		if !k.keepsStyles {
			put = ""
			k.joinerFilter.NoteRemoval()
			break
		}
		k.isStyleOn = !resetsStyle(t.params)
		k.joinerFilter = hidden.JoinerFilter{}
	default:
		k.joinerFilter.NoteRemoval()
	}
	k.replaceBytes(t.size, put)
}

// replaceBytes reads size bytes and puts put in their place.
func (k *lineFilter) replaceBytes(size int, put string) {
	end := k.readBytes + size
	if put != k.sourceLine[k.readBytes:end] {
		if k.output == nil {
			k.output = make([]byte, 0, len(k.sourceLine)+len(resetStyle))
		}
		k.output = append(k.output, k.sourceLine[k.copiedBytes:k.readBytes]...)
		k.output = append(k.output, put...)
		k.copiedBytes = end
	}
	k.readBytes = end
}

func (k *lineFilter) result() string {
	switch {
	case k.output == nil && !k.isStyleOn:
		return k.sourceLine
	case k.output == nil:
		return k.sourceLine + resetStyle
	}
	k.output = append(k.output, k.sourceLine[k.copiedBytes:]...)
	if k.isStyleOn {
		k.output = append(k.output, resetStyle...)
	}
	return string(k.output)
}
