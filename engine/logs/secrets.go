package logs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

// SecretPlaceholder is shown in place of a secret.
const SecretPlaceholder = "•••"

const (
	minSecret     = 8 // in characters: see Short
	minSecretLine = 4 // in bytes: a shorter line of a secret, such as a brace or END, is not a secret itself
)

// Short reports whether a value is so short that it may well be a part of other words.
func Short(value string) bool { return utf8.RuneCountInString(value) < minSecret }

// Warning returns what to tell a person who has made a short value a secret, "" if there is nothing
// to tell.
func Warning(name, value string) string {
	if value == "" || !Short(value) {
		return ""
	}
	return fmt.Sprintf("the secret %s has fewer than %d characters: other text that has them in it is masked too", name, minSecret)
}

// Secrets are values that must not be shown, in the forms in which they are recognised: the whole
// value, the value without surrounding blanks, and each of its lines.
//
// A form contains only what shows. What does not show makes no difference to a reader: colours,
// other control sequences, NULs, characters without width.
type Secrets struct {
	forms   [256][]form     // by their first byte, the longest first
	lines   [][]byte        // the forms of one line
	stops   [256]bool       // the bytes at which Mask has to look closer: forms and control sequences begin with them
	seconds [256]*[256]bool // for those of stops that only some visible bytes can follow, these bytes
	moves   [256]bool       // the bytes at which a screen has to look closer
	longest int             // the length of the longest of lines
	blanks  bool            // whether lines contain blanks
	literal *strings.Replacer
}

// A form is a text to look for. A form that is not short is also found if a line end breaks it.
type form struct {
	text   string
	breaks bool
}

// NewSecrets returns values as secrets, nil if none of them shows.
func NewSecrets(values []string) *Secrets {
	s := &Secrets{}
	var all, pairs []string
	for _, value := range values {
		all = append(all, formsOf(value)...)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, text := range slices.Compact(all) {
		pairs = append(pairs, text, SecretPlaceholder)
		s.forms[text[0]] = append(s.forms[text[0]], form{text, !Short(text)})
		s.begin(text)
		if !strings.Contains(text, "\n") {
			s.lines = append(s.lines, []byte(text))
			s.longest = max(s.longest, len(text))
			s.blanks = s.blanks || strings.Contains(text, " ")
		}
	}
	if len(all) == 0 {
		return nil
	}
	s.literal = strings.NewReplacer(pairs...)
	for _, b := range []byte{'\x1b', 0xc2} { // U+0080 to U+009F in UTF-8
		s.stops[b], s.moves[b], s.seconds[b] = true, true, nil
	}
	s.moves['\r'], s.moves['\b'], s.moves['\t'] = true, true, s.blanks
	return s
}

// Forms returns the texts in which the secrets are recognised.
func (s *Secrets) Forms() (texts []string) {
	if s != nil {
		for _, forms := range s.forms {
			for _, f := range forms {
				texts = append(texts, f.text)
			}
		}
	}
	return texts
}

// begin makes Mask look where text may begin.
func (s *Secrets) begin(text string) {
	first := text[0]
	if !s.stops[first] {
		s.stops[first], s.seconds[first] = true, new([256]bool)
	}
	if len(text) == 1 {
		s.seconds[first] = nil
	} else if s.seconds[first] != nil {
		s.seconds[first][text[1]] = true
	}
}

// lacks reports whether no secret begins with these two bytes. Some secret begins with the first.
func (s *Secrets) lacks(first, second byte) bool {
	return second >= ' ' && second < 0x7f && s.seconds[first] != nil && !s.seconds[first][second]
}

// formsOf returns the texts to look for if value is a secret.
func formsOf(value string) []string {
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil
	}
	out := []string{strings.TrimRight(value, "\r\n"), trimmed}
	if strings.Contains(trimmed, "\n") {
		for line := range strings.Lines(trimmed) {
			if line = strings.TrimSpace(line); len(line) >= minSecretLine {
				out = append(out, line)
			}
		}
	}
	for i := range out {
		out[i] = visibleText(out[i])
	}
	return slices.DeleteFunc(out, func(text string) bool { return strings.Trim(text, "•") == "" })
}

// visibleText returns what shows of a text, including line ends and tabs.
func visibleText(text string) string {
	var out []byte
	for text != "" {
		p := sanitize.First(text)
		if p.Kind == sanitize.Letter || text[0] == '\n' || text[0] == '\t' {
			out = append(out, text[:p.Size]...)
		}
		text = text[p.Size:]
	}
	return string(out)
}

// find returns the length of the longest secret with which the letters begin, and whether a line
// end breaks it. It is open while the letters may be the beginning of a longer secret, unless they
// are the last.
func (s *Secrets) find(letters []letter, last bool) (found int, broken, open bool) {
	for _, f := range s.forms[letters[0].char] {
		found, broken, open = f.find(letters)
		if open = open && !last; found > 0 || open {
			return found, broken, open
		}
	}
	return 0, false, false
}

func (f form) find(letters []letter) (found int, broken, open bool) {
	n := 0 // the number of letters of the form
	for i, l := range letters {
		switch {
		case l.char == f.text[n]:
			n++
		case f.breaks && l.char == '\n' && i > 0 && letters[i-1].char != '\n':
			broken = true
		default:
			return 0, false, false
		}
		if n == len(f.text) {
			return i + 1, broken, false
		}
	}
	return 0, broken, true
}

// secretIn returns the start and end of a secret in a text of one line that overlaps [from, to). The
// end is 0 if there is none.
func (s *Secrets) secretIn(text []byte, from, to int) (start, end int) {
	for _, line := range s.lines {
		at := max(0, from-len(line)+1)
		if i := bytes.Index(text[at:], line); i >= 0 && at+i < to {
			return at + i, at + i + len(line)
		}
	}
	return 0, 0
}

// Text returns the text without the secrets, both those that it contains without its control
// sequences and those that a terminal would show.
func (s *Secrets) Text(text string) string {
	if s == nil {
		return text
	}
	m := matcher{secrets: s, bare: true}
	out := string(m.end(m.add(nil, []byte(text))))
	if !strings.ContainsAny(out, "\r\b\t\x1b\u009b") {
		return out
	}
	lines := strings.SplitAfter(out, "\n")
	for i, line := range lines {
		lines[i] = s.drawSecret(line)
	}
	return strings.Join(lines, "")
}

// drawSecret returns a line that may move the cursor as a terminal shows it, if that shows a secret.
func (s *Secrets) drawSecret(line string) string {
	body := strings.TrimRight(line, "\r\n")
	text := visibleText(sanitize.OutputPlain(body))
	if _, end := s.secretIn([]byte(text), 0, len(text)); end == 0 {
		return line
	}
	return s.Text(text) + line[len(body):]
}
