package logs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// A cursorSecretFilter copies bytes and hides the secrets that cursor movements put together. What shows of
// such a secret is overwritten before the rest of it is written.
//
// It draws the lines in which the cursor moves, and divides lines as a Log does, because readers of
// a Log draw them one by one.
type cursorSecretFilter struct {
	secrets         *Secrets
	cutter          lineCutter
	lineBytes       []byte              // the line so far, while the cursor does not move in it
	examinedBytes   int                 // how many bytes of lineBytes were examined and do not move the cursor
	drawnLine       *sanitize.DrawnLine // nil while the cursor does not move
	undrawnText     string              // text that is not drawn yet, because the next character may combine with its last one
	previousLineEnd []byte              // the letters at the end of the previous line, if that line was cut
	rawText         string              // the text to show next, which does not move the cursor
	visibleBytes    []byte              // the visible bytes around rawText and in it
	originOfByte    []int               // for each byte of visibleBytes: its column, or originBeforeLine, or originInRawText plus its index in rawText
	secretStart     int                 // the index of a secret in visibleBytes
	secretEnd       int
	output          []byte
}

// Values of originOfByte for bytes without a column.
const (
	originBeforeLine = -1
	originInRawText  = 1 << 30 // plus the index in rawText
)

// maxPendingBytes is how much text may remain undrawn, in bytes.
const maxPendingBytes = 4 << 10

// filterBytes returns what to write for p. It is valid until the next call.
func (s *cursorSecretFilter) filterBytes(p []byte) []byte {
	s.output = s.output[:0]
	for len(p) > 0 {
		after := s.cutter
		n, ended := after.readToLineEnd(p)
		done := s.copyPart(string(p[:n]))
		cut := n == 0 || p[n-1] != '\n'
		if p = p[done:]; done == n && ended {
			s.cutter = after
			s.beginLine(cut)
		}
	}
	return s.output
}

// emit appends raw to the output and counts its bytes as part of the line.
func (s *cursorSecretFilter) emit(raw string) {
	s.output = append(s.output, raw...)
	s.cutter.lineLength += len(raw)
}

// beginLine begins a line. If cut is set, the line before it was cut, so this one continues what it shows.
func (s *cursorSecretFilter) beginLine(cut bool) {
	if s.previousLineEnd = s.previousLineEnd[:0]; cut {
		s.previousLineEnd = s.appendLineEnd(s.previousLineEnd)
	}
	draws := cut && s.drawnLine != nil
	s.lineBytes, s.examinedBytes, s.undrawnText, s.drawnLine = s.lineBytes[:0], 0, "", nil
	if draws {
		s.drawnLine = sanitize.NewDrawnLine()
	}
}

// appendLineEnd appends the letters at the end of the line.
func (s *cursorSecretFilter) appendLineEnd(letters []byte) []byte {
	most := s.secrets.longestLineBytes
	if s.drawnLine == nil {
		return append(letters, visibleText(string(s.lineBytes[max(0, len(s.lineBytes)-4*most):]))...)
	}
	s.drawnLine.Draw(s.undrawnText)
	letters, _ = s.drawnLine.AppendChars(letters, nil, s.drawnLine.ColumnCount()-most, s.drawnLine.ColumnCount())
	return letters
}

// copyPart copies a part of a line to the output, without secrets, and returns how many bytes of p it copied. This
// may be less than all, because what was added may have filled the line.
func (s *cursorSecretFilter) copyPart(p string) (done int) {
	if s.drawnLine == nil {
		done = s.copyUntilMove(p)
	}
	for done < len(p) {
		n := lengthBeforeCursorMove(p[done:])
		moves := n == 0
		if moves {
			n = sanitize.FirstPart(p[done:]).Size
		}
		s.rawText = p[done : done+n]
		added, room := false, s.secrets.hasBlanks && s.hasRoomInLine(4*s.secrets.longestLineBytes)
		if !moves {
			added, room = s.copyText()
		} else if room || !s.secrets.hasBlanks {
			added, room = s.copyCursorMove(), true
		}
		if !room {
			s.output, s.cutter = append(s.output, '\n'), lineCutter{}
			s.beginLine(false)
			return done
		}
		if done += n; added {
			return done
		}
	}
	return done
}

// copyUntilMove copies text that does not move the cursor. At the first movement it begins to draw.
func (s *cursorSecretFilter) copyUntilMove(p string) (done int) {
	emitted := len(s.lineBytes)
	s.lineBytes = append(s.lineBytes, p...)
	at, moves := s.firstCursorMove()
	if s.examinedBytes = at; !moves {
		s.emit(p)
		return len(p)
	}
	at = max(at, emitted)
	s.emit(string(s.lineBytes[emitted:at]))
	s.drawnLine = sanitize.NewDrawnLine()
	s.drawnLine.Draw(string(s.lineBytes[:at]))
	return at - emitted
}

// firstCursorMove returns where the cursor moves first, or else how many bytes were examined.
func (s *cursorSecretFilter) firstCursorMove() (at int, moves bool) {
	for at = s.examinedBytes; at < len(s.lineBytes) && !s.secrets.mayMoveCursor[s.lineBytes[at]]; at++ {
	}
	for rest := string(s.lineBytes[at:]); rest != ""; {
		size := 1
		switch more := strings.TrimLeft(rest, "\r"); {
		case more == "": // a line end may follow
			return len(s.lineBytes) - len(rest), false
		case more[0] == '\n':
			size = len(rest) - len(more) + 1
		case s.secrets.mayMoveCursor[rest[0]]:
			part := sanitize.FirstPart(rest)
			if part.PartKind == sanitize.MovingPart {
				return len(s.lineBytes) - len(rest), true
			}
			size = part.Size
		}
		rest = rest[size:]
	}
	return len(s.lineBytes), false
}

// lengthBeforeCursorMove returns the number of bytes before the first that moves the cursor.
func lengthBeforeCursorMove(p string) int {
	for n := 0; n < len(p); {
		part := sanitize.FirstPart(p[n:])
		if part.PartKind == sanitize.MovingPart {
			return n
		}
		n += part.Size
	}
	return len(p)
}

// copyCursorMove copies a cursor movement, and masks the secrets that show after it, because the movement may erase
// text that separated their parts. added reports that the output has more than the movement.
func (s *cursorSecretFilter) copyCursorMove() (added bool) {
	s.emit(s.rawText)
	s.drawnLine.Draw(s.undrawnText + s.rawText)
	s.rawText, s.undrawnText = "", ""
	for s.secrets.hasBlanks && s.findDrawnSecret() {
		s.maskSecret()
		added = true
	}
	return added
}

func (s *cursorSecretFilter) findDrawnSecret() bool {
	s.visibleBytes, s.originOfByte = s.drawnLine.AppendChars(s.visibleBytes[:0], s.originOfByte[:0], 0, s.drawnLine.ColumnCount())
	s.secretStart, s.secretEnd = s.secrets.findSecretInLine(s.visibleBytes, 0, len(s.visibleBytes))
	return s.secretEnd > 0
}

// copyText copies text that does not move the cursor. First it masks the secrets that the text would complete. added
// reports that the output has more than the text. room is false if the line is full and the text must begin the next
// one.
func (s *cursorSecretFilter) copyText() (added, room bool) {
	for s.findCompletedSecret() {
		if !s.hasRoomInLine(4 * len(s.visibleBytes)) {
			return added, false
		}
		if s.undrawnText != "" { // what is added separates it from rawText
			s.drawnLine.Draw(s.undrawnText)
			s.undrawnText, s.secretStart = "", s.secretEnd
		}
		s.maskSecret()
		added = true
	}
	s.emit(s.rawText)
	s.drawShownText()
	return added, true
}

// hasRoomInLine reports whether the line can take n more bytes in addition to rawText. An empty line always
// can.
func (s *cursorSecretFilter) hasRoomInLine(n int) bool {
	return s.cutter.lineLength == 0 || s.cutter.lineLength+len(s.rawText)+n+len("\x1b[99999G") < maxLineBytes
}

// findCompletedSecret finds a secret that becomes visible when rawText is shown.
func (s *cursorSecretFilter) findCompletedSecret() bool {
	col, most := s.drawnLine.CursorColumn(), s.secrets.longestLineBytes
	s.visibleBytes, s.originOfByte = s.visibleBytes[:0], s.originOfByte[:0]
	if col < most {
		for _, b := range s.previousLineEnd {
			s.visibleBytes, s.originOfByte = append(s.visibleBytes, b), append(s.originOfByte, originBeforeLine)
		}
	}
	s.visibleBytes, s.originOfByte = s.drawnLine.AppendChars(s.visibleBytes, s.originOfByte, col-most, col)
	from, raw := len(s.visibleBytes), s.undrawnText+s.rawText
	for at := 0; at < len(raw); {
		part := sanitize.FirstPart(raw[at:])
		for i := 0; i < part.Size && part.PartKind == sanitize.VisiblePart; i++ {
			s.visibleBytes, s.originOfByte = append(s.visibleBytes, raw[at+i]), append(s.originOfByte, originInRawText+at+i)
		}
		at += part.Size
	}
	to, wide := len(s.visibleBytes), sanitize.ColumnWidth(sanitize.OutputPlain(raw))
	s.visibleBytes, s.originOfByte = s.drawnLine.AppendChars(s.visibleBytes, s.originOfByte, col+wide, min(col+wide+most, s.drawnLine.ColumnCount()))
	s.secretStart, s.secretEnd = s.secrets.findSecretInLine(s.visibleBytes, from, to)
	return s.secretEnd > 0
}

// maskSecret hides a secret: it overwrites the part on the line, and changes the part in rawText.
func (s *cursorSecretFilter) maskSecret() {
	var fix, raw strings.Builder
	next, unmaskedStart := -1, 0
	for _, at := range s.originOfByte[s.secretStart:s.secretEnd] {
		switch {
		case at >= originInRawText:
			at -= originInRawText
			raw.WriteString(s.rawText[unmaskedStart:at])
			if unmaskedStart = at + 1; utf8.RuneStart(s.rawText[at]) {
				raw.WriteString("•")
			}
		case at != originBeforeLine && at != next-1: // another character begins here
			if at != next {
				fmt.Fprintf(&fix, "\x1b[%dG", at+1)
			}
			fix.WriteString("•")
			next = at + 1
		}
	}
	fmt.Fprintf(&fix, "\x1b[%dG", s.drawnLine.CursorColumn()+1)
	s.rawText = raw.String() + s.rawText[unmaskedStart:]
	s.emit(fix.String())
	s.drawnLine.Draw(fix.String())
}

// drawShownText draws all of the shown text but the last character, because the next character may combine
// with it.
func (s *cursorSecretFilter) drawShownText() {
	text, last := s.undrawnText+s.rawText, 0
	for at := 0; at < len(text); {
		part := sanitize.FirstPart(text[at:])
		if part.PartKind == sanitize.VisiblePart && part.Size == 1 {
			last = at
		}
		at += part.Size
	}
	if last == 0 && len(text) > maxPendingBytes {
		last = len(text)
	}
	s.drawnLine.Draw(text[:last])
	s.undrawnText = text[last:]
}
