package sanitize

import "playhead/parse/hidden"

// filterLine returns the parts of a line that are safe to show, with or without styles. If the line moves the cursor,
// isFlat is false and there is no result: the line must be drawn first.
func filterLine(s string, keepsStyles bool) (safe string, isFlat bool) {
	f := lineFilter{sourceLine: s, keepsStyles: keepsStyles}
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
func (l *lineFilter) copyPrintableASCII() {
	n := leadingBytesInRange(l.sourceLine[l.readBytes:], ' ', '~')
	l.readBytes += n
	l.column += n
	l.joinerFilter = hidden.JoinerFilter{}
}

// expandTab replaces a tab by blanks up to the next tab stop.
func (l *lineFilter) expandTab() {
	const stop = "        "
	n := tabWidth - l.column%tabWidth
	l.replaceBytes(1, stop[:n])
	l.column += n
	l.joinerFilter = hidden.JoinerFilter{}
}

// copyToken keeps or removes a token that is not printable ASCII.
func (l *lineFilter) copyToken(t token) {
	put := t.output
	switch t.kind {
	case textToken:
		l.hasNonASCII = true
		if !l.joinerFilter.AdmitNext(t.char, l.sourceLine[l.readBytes+t.size:]) {
			put = ""
		}
	case styleToken:
		if !l.keepsStyles {
			put = ""
			l.joinerFilter.NoteRemoval()
			break
		}
		l.isStyleOn = !resetsStyle(t.params)
		l.joinerFilter = hidden.JoinerFilter{}
	default:
		l.joinerFilter.NoteRemoval()
	}
	l.replaceBytes(t.size, put)
}

// replaceBytes reads size bytes and puts put in their place.
func (l *lineFilter) replaceBytes(size int, put string) {
	end := l.readBytes + size
	if put != l.sourceLine[l.readBytes:end] {
		if l.output == nil {
			l.output = make([]byte, 0, len(l.sourceLine)+len(resetStyle))
		}
		l.output = append(l.output, l.sourceLine[l.copiedBytes:l.readBytes]...)
		l.output = append(l.output, put...)
		l.copiedBytes = end
	}
	l.readBytes = end
}

func (l *lineFilter) result() string {
	switch {
	case l.output == nil && !l.isStyleOn:
		return l.sourceLine
	case l.output == nil:
		return l.sourceLine + resetStyle
	}
	l.output = append(l.output, l.sourceLine[l.copiedBytes:]...)
	if l.isStyleOn {
		l.output = append(l.output, resetStyle...)
	}
	return string(l.output)
}
