package logs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// A screen copies bytes and hides the secrets that cursor movements put together. What shows of
// such a secret is overwritten before the rest of it is written.
//
// It draws the lines in which the cursor moves, and divides lines as a Log does, because readers of
// a Log draw them one by one.
type screen struct {
	secrets     *Secrets
	cutter      cutter
	line        []byte         // the line so far, while the cursor does not move in it
	examined    int            // how many bytes of line were found to move no cursor
	drawn       *sanitize.Line // nil while the cursor does not move
	latest      string         // not drawn yet, because the next character may combine with its last one
	lastLetters []byte         // the letters at the end of the line before, if it was cut
	raw         string         // what to show next; it does not move the cursor
	text        []byte         // what shows around raw, and of it
	origins     []int          // for each byte of text, its column, or beforeLine, or an index from fromRaw on
	start       int            // the index of a secret in text
	end         int
	out         []byte
}

// Values of screen.origins for bytes without a column.
const (
	beforeLine = -1
	fromRaw    = 1 << 30 // plus the index in raw
)

const maxLatest = 4 << 10 // bytes

// add returns what to write for p. It is valid until the next call.
func (s *screen) add(p []byte) []byte {
	s.out = s.out[:0]
	for len(p) > 0 {
		after := s.cutter
		n, ended := after.next(p)
		done := s.piece(string(p[:n]))
		cut := n == 0 || p[n-1] != '\n'
		if p = p[done:]; done == n && ended {
			s.cutter = after
			s.next(cut)
		}
	}
	return s.out
}

// emit appends raw to the output and counts its bytes as part of the line.
func (s *screen) emit(raw string) {
	s.out = append(s.out, raw...)
	s.cutter.length += len(raw)
}

// next begins a line.
func (s *screen) next(cut bool) {
	if s.lastLetters = s.lastLetters[:0]; cut {
		s.lastLetters = s.tail(s.lastLetters)
	}
	draws := cut && s.drawn != nil
	s.line, s.examined, s.latest, s.drawn = s.line[:0], 0, "", nil
	if draws {
		s.drawn = sanitize.NewLine()
	}
}

// tail appends the letters at the end of the line.
func (s *screen) tail(letters []byte) []byte {
	most := s.secrets.longest
	if s.drawn == nil {
		return append(letters, visibleText(string(s.line[max(0, len(s.line)-4*most):]))...)
	}
	s.drawn.Draw(s.latest)
	letters, _ = s.drawn.Read(letters, nil, s.drawn.Columns()-most, s.drawn.Columns())
	return letters
}

// piece reads a part of a line and returns how many bytes it read. This may be less than all,
// because what was added may have filled the line.
func (s *screen) piece(p string) (done int) {
	if s.drawn == nil {
		done = s.copyUnmoved(p)
	}
	for done < len(p) {
		n := unmovedPrefix(p[done:])
		moves := n == 0
		if moves {
			n = sanitize.First(p[done:]).Size
		}
		s.raw = p[done : done+n]
		added, room := false, s.secrets.blanks && s.hasRoom(4*s.secrets.longest)
		if !moves {
			added, room = s.show()
		} else if room || !s.secrets.blanks {
			added, room = s.move(), true
		}
		if !room {
			s.out, s.cutter = append(s.out, '\n'), cutter{}
			s.next(false)
			return done
		}
		if done += n; added {
			return done
		}
	}
	return done
}

// copyUnmoved copies text that does not move the cursor. At the first movement it begins to draw.
func (s *screen) copyUnmoved(p string) (done int) {
	emitted := len(s.line)
	s.line = append(s.line, p...)
	at, moves := s.firstMove()
	if s.examined = at; !moves {
		s.emit(p)
		return len(p)
	}
	at = max(at, emitted)
	s.emit(string(s.line[emitted:at]))
	s.drawn = sanitize.NewLine()
	s.drawn.Draw(string(s.line[:at]))
	return at - emitted
}

// firstMove returns where the cursor moves first, or else how many bytes were examined.
func (s *screen) firstMove() (at int, moves bool) {
	for at = s.examined; at < len(s.line) && !s.secrets.moves[s.line[at]]; at++ {
	}
	for rest := string(s.line[at:]); rest != ""; {
		size := 1
		switch more := strings.TrimLeft(rest, "\r"); {
		case more == "": // a line end may follow
			return len(s.line) - len(rest), false
		case more[0] == '\n':
			size = len(rest) - len(more) + 1
		case s.secrets.moves[rest[0]]:
			part := sanitize.First(rest)
			if part.Kind == sanitize.Moving {
				return len(s.line) - len(rest), true
			}
			size = part.Size
		}
		rest = rest[size:]
	}
	return len(s.line), false
}

// unmovedPrefix returns the number of bytes before the first that moves the cursor.
func unmovedPrefix(p string) int {
	for n := 0; n < len(p); {
		part := sanitize.First(p[n:])
		if part.Kind == sanitize.Moving {
			return n
		}
		n += part.Size
	}
	return len(p)
}

// move copies a cursor movement. It may erase text that separated the parts of a secret.
func (s *screen) move() (added bool) {
	s.emit(s.raw)
	s.drawn.Draw(s.latest + s.raw)
	s.raw, s.latest = "", ""
	for s.secrets.blanks && s.findErased() {
		s.maskSecret()
		added = true
	}
	return added
}

func (s *screen) findErased() bool {
	s.text, s.origins = s.drawn.Read(s.text[:0], s.origins[:0], 0, s.drawn.Columns())
	s.start, s.end = s.secrets.secretIn(s.text, 0, len(s.text))
	return s.end > 0
}

// show copies text that does not move the cursor. First it covers the secrets that the text would
// complete.
func (s *screen) show() (added, room bool) {
	for s.findSecret() {
		if !s.hasRoom(4 * len(s.text)) {
			return added, false
		}
		if s.latest != "" { // what is added separates it from raw
			s.drawn.Draw(s.latest)
			s.latest, s.start = "", s.end
		}
		s.maskSecret()
		added = true
	}
	s.emit(s.raw)
	s.keep()
	return added, true
}

// hasRoom reports whether the line can take n more bytes in addition to raw. An empty line always
// can.
func (s *screen) hasRoom(n int) bool {
	return s.cutter.length == 0 || s.cutter.length+len(s.raw)+n+len("\x1b[99999G") < maxLine
}

// findSecret finds a secret that becomes visible when raw is shown.
func (s *screen) findSecret() bool {
	col, most := s.drawn.Column(), s.secrets.longest
	s.text, s.origins = s.text[:0], s.origins[:0]
	if col < most {
		for _, b := range s.lastLetters {
			s.text, s.origins = append(s.text, b), append(s.origins, beforeLine)
		}
	}
	s.text, s.origins = s.drawn.Read(s.text, s.origins, col-most, col)
	from, raw := len(s.text), s.latest+s.raw
	for at := 0; at < len(raw); {
		part := sanitize.First(raw[at:])
		for i := 0; i < part.Size && part.Kind == sanitize.Letter; i++ {
			s.text, s.origins = append(s.text, raw[at+i]), append(s.origins, fromRaw+at+i)
		}
		at += part.Size
	}
	to, wide := len(s.text), sanitize.Width(sanitize.OutputPlain(raw))
	s.text, s.origins = s.drawn.Read(s.text, s.origins, col+wide, min(col+wide+most, s.drawn.Columns()))
	s.start, s.end = s.secrets.secretIn(s.text, from, to)
	return s.end > 0
}

// maskSecret hides a secret: it overwrites the part on the line, and changes the part in raw.
func (s *screen) maskSecret() {
	var fix, raw strings.Builder
	next, kept := -1, 0
	for _, at := range s.origins[s.start:s.end] {
		switch {
		case at >= fromRaw:
			at -= fromRaw
			raw.WriteString(s.raw[kept:at])
			if kept = at + 1; utf8.RuneStart(s.raw[at]) {
				raw.WriteString("•")
			}
		case at != beforeLine && at != next-1: // another character begins here
			if at != next {
				fmt.Fprintf(&fix, "\x1b[%dG", at+1)
			}
			fix.WriteString("•")
			next = at + 1
		}
	}
	fmt.Fprintf(&fix, "\x1b[%dG", s.drawn.Column()+1)
	s.raw = raw.String() + s.raw[kept:]
	s.emit(fix.String())
	s.drawn.Draw(fix.String())
}

// keep draws all of the shown text but the last character, because the next character may combine
// with it.
func (s *screen) keep() {
	text, last := s.latest+s.raw, 0
	for at := 0; at < len(text); {
		part := sanitize.First(text[at:])
		if part.Kind == sanitize.Letter && part.Size == 1 {
			last = at
		}
		at += part.Size
	}
	if last == 0 && len(text) > maxLatest {
		last = len(text)
	}
	s.drawn.Draw(text[:last])
	s.latest = text[last:]
}
