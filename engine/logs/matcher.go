package logs

import (
	"slices"
	"strings"

	"playhead/engine/sanitize"
)

// maxHeld is how much is held back, in bytes, where a secret may have begun: what does not show
// can go on for ever.
const maxHeld = 4 * maxLine

// longestPart is how long a control sequence gets at most: the line that has it is cut.
const longestPart = maxLine + 4

// A matcher passes bytes on, without the secrets among what shows of them.
type matcher struct {
	secrets *Secrets
	bare    bool     // nothing stays of what is between the letters of a secret
	rest    []byte   // a character or control sequence that has not ended
	held    []byte   // what is undecided
	letters []letter // what shows of it, behind what was told
	passed  int      // how many letters were passed on already
	hide    int      // how many letters belong to a secret that was found
	broken  bool     // a line end breaks that one
}

// A letter is one byte that shows, a line end, or 0 for whatever moves the cursor.
type letter struct {
	char byte
	end  int // in held
}

// add appends to out what can be decided with p.
func (m *matcher) add(out, p []byte) []byte {
	text := string(m.rest) + string(p)
	for text != "" {
		if len(m.letters) == 0 {
			n := m.plain(text)
			out, text = append(out, text[:n]...), text[n:]
		}
		n := m.take(text)
		if n == 0 {
			break
		}
		text = text[n:]
		out = m.decide(out, false)
	}
	m.rest = append(m.rest[:0], text...)
	if len(m.held) > maxHeld {
		out = m.tell(out)
	}
	return out
}

// plain counts the bytes before the first that has to be looked at.
func (m *matcher) plain(text string) int {
	for i := range len(text) {
		if b := text[i]; m.secrets.stops[b] && (i+1 == len(text) || !m.secrets.lacks(b, text[i+1])) {
			return i
		}
	}
	return len(text)
}

// take holds the first part of text, unless more is needed to know where that ends.
func (m *matcher) take(text string) (n int) {
	text = text[:min(len(text), longestPart)]
	if text == "" {
		return 0
	}
	part, more := sanitize.First(text), strings.TrimLeft(text, "\r")
	if (part.Unended || more == "") && len(text) < longestPart {
		return 0
	}
	m.hold(text[:part.Size], part, strings.HasPrefix(more, "\n"))
	return part.Size
}

// hold takes one part in. CRs before LF are a part of the line end: a terminal adds one to that of
// the program.
func (m *matcher) hold(raw string, part sanitize.Part, ends bool) {
	switch {
	case part.Kind == sanitize.Letter, raw == "\n", raw == "\t":
		for i := range len(raw) {
			m.letters = append(m.letters, letter{raw[i], len(m.held) + i + 1})
		}
	case part.Kind == sanitize.Moving && !ends:
		m.letters = append(m.letters, letter{0, len(m.held) + len(raw)})
	case !part.Standing: // a window's title can have a secret in it
		raw = m.secrets.literal.Replace(raw)
	}
	m.held = append(m.held, raw...)
}

// decide appends what is decided: everything where there is no more to come.
func (m *matcher) decide(out []byte, last bool) []byte {
	i, start := 0, 0 // where in letters and held the undecided begins
	found, broken, open := 0, false, false
	for ; i < len(m.letters); i++ {
		if found, broken, open = m.secrets.find(m.letters[i:], last); open {
			break
		}
		end := max(start, m.letters[i].end)
		raw := m.held[start:end]
		start = end
		if m.hide == 0 && found == 0 {
			out = append(out, raw...)
			continue
		}
		if m.hide == 0 {
			m.broken = broken
			out = append(out, raw[:max(0, len(raw)-1)]...)
			if i+found > m.passed {
				out = append(out, Hidden...)
			}
		} else {
			out = m.leave(out, raw)
		}
		m.hide = max(m.hide, found) - 1
	}
	m.letters = append(m.letters[:0], m.letters[i:]...)
	for j := range m.letters {
		m.letters[j].end = max(0, m.letters[j].end-start)
	}
	m.passed = max(0, m.passed-i)
	if len(m.letters) == 0 {
		out = append(out, m.held[start:]...)
		start = len(m.held)
	}
	m.held = append(m.held[:0], m.held[start:]...)
	if n := len(m.letters); open && broken && n > m.passed && n <= fewest {
		out = m.tell(out) // a line is not kept waiting for so little
	}
	return out
}

// leave appends what stays of a hidden letter: the styles before it, and the line end that it is.
func (m *matcher) leave(out, raw []byte) []byte {
	for text := string(raw); text != ""; {
		part := sanitize.First(text)
		if part.Standing && !m.bare || m.broken && strings.Trim(text, "\r\n") == "" {
			out = append(out, text[:part.Size]...)
		}
		text = text[part.Size:]
	}
	return out
}

// tell appends what is undecided, and remembers it: it may be the beginning of a secret.
func (m *matcher) tell(out []byte) []byte {
	letters, hide, broken := slices.Clone(m.letters), m.hide, m.broken
	out = m.decide(out, true)
	for i := range letters {
		letters[i].end = 0
	}
	m.letters, m.passed, m.hide, m.broken = letters, len(letters), hide, broken
	return out
}

// end appends all that is left.
func (m *matcher) end(out []byte) []byte {
	for rest := string(m.rest); rest != ""; {
		part := sanitize.First(rest)
		m.hold(rest[:part.Size], part, false)
		rest = rest[part.Size:]
	}
	m.rest = m.rest[:0]
	return m.decide(out, true)
}
