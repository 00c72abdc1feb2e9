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
	minSecretChars     = 8 // in characters; a shorter value may be a part of other words
	minSecretLineBytes = 4 // in bytes: a shorter line of a secret, such as a brace or END, is not a secret itself
)

// IsShortSecret reports whether a value is so short that it may well be a part of other words.
func IsShortSecret(value string) bool { return utf8.RuneCountInString(value) < minSecretChars }

// ShortSecretWarning returns what to tell a person who has made a short value a secret, "" if there is nothing
// to tell.
func ShortSecretWarning(name, value string) string {
	if value == "" || !IsShortSecret(value) {
		return ""
	}
	return fmt.Sprintf("the secret %s is shorter than %d characters: unrelated text that contains it is masked too", name, minSecretChars)
}

// ShortItemWarning returns what to tell a person about a secret list with short items, "" if it has none.
func ShortItemWarning(name string, items []string) string {
	if !slices.ContainsFunc(items, IsShortSecret) {
		return ""
	}
	return fmt.Sprintf("the secret %s has items shorter than %d characters: unrelated text that contains them may be masked too", name, minSecretChars)
}

// Secrets are values that must not be shown, in the forms in which they are recognised: the whole
// value, the value without surrounding blanks, and each of its lines.
//
// A form contains only what shows. What does not show makes no difference to a reader: colours,
// other control sequences, NULs, characters without width.
type Secrets struct {
	formsByFirstByte    [256][]secretForm // by their first byte, the longest first
	singleLineForms     [][]byte          // the forms of one line
	needsCloserLook     [256]bool         // the bytes with which forms and control sequences begin
	possibleSecondBytes [256]*[256]bool   // the visible bytes that can follow such a byte; nil: any byte can
	mayMoveCursor       [256]bool         // the bytes that may begin a cursor movement
	longestLineBytes    int               // the length of the longest of singleLineForms
	hasBlanks           bool              // whether singleLineForms contain blanks
	replacer            *strings.Replacer
}

// A secretForm is a text to look for. A form that is not short is also found if a line end breaks it.
type secretForm struct {
	text         string
	canSpanLines bool
}

// NewSecrets returns values as secrets, nil if none of them shows.
func NewSecrets(values []string) *Secrets {
	s := &Secrets{}
	var all, pairs []string
	for _, value := range values {
		all = append(all, formTextsOf(value)...)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for _, text := range slices.Compact(all) {
		pairs = append(pairs, text, SecretPlaceholder)
		s.formsByFirstByte[text[0]] = append(s.formsByFirstByte[text[0]], secretForm{text, !IsShortSecret(text)})
		s.addFirstBytes(text)
		if !strings.Contains(text, "\n") {
			s.singleLineForms = append(s.singleLineForms, []byte(text))
			s.longestLineBytes = max(s.longestLineBytes, len(text))
			s.hasBlanks = s.hasBlanks || strings.Contains(text, " ")
		}
	}
	if len(all) == 0 {
		return nil
	}
	s.replacer = strings.NewReplacer(pairs...)
	for _, b := range []byte{'\x1b', 0xc2} { // U+0080 to U+009F in UTF-8
		s.needsCloserLook[b], s.mayMoveCursor[b], s.possibleSecondBytes[b] = true, true, nil
	}
	s.mayMoveCursor['\r'], s.mayMoveCursor['\b'], s.mayMoveCursor['\t'] = true, true, s.hasBlanks
	return s
}

// FormTexts returns the texts in which the secrets are recognised.
func (s *Secrets) FormTexts() (texts []string) {
	if s != nil {
		for _, forms := range s.formsByFirstByte {
			for _, f := range forms {
				texts = append(texts, f.text)
			}
		}
	}
	return texts
}

// addFirstBytes records the first two bytes of a form, at which the search must look closer.
func (s *Secrets) addFirstBytes(text string) {
	first := text[0]
	if !s.needsCloserLook[first] {
		s.needsCloserLook[first], s.possibleSecondBytes[first] = true, new([256]bool)
	}
	if len(text) == 1 {
		s.possibleSecondBytes[first] = nil
	} else if s.possibleSecondBytes[first] != nil {
		s.possibleSecondBytes[first][text[1]] = true
	}
}

// isRuledOut reports whether no secret begins with these two bytes, given that one begins with the first.
func (s *Secrets) isRuledOut(first, second byte) bool {
	return second >= ' ' && second < 0x7f && s.possibleSecondBytes[first] != nil && !s.possibleSecondBytes[first][second]
}

// formTextsOf returns the texts to look for if value is a secret.
func formTextsOf(value string) []string {
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return nil
	}
	out := []string{strings.TrimRight(value, "\r\n"), trimmed}
	if strings.Contains(trimmed, "\n") {
		for line := range strings.Lines(trimmed) {
			if line = strings.TrimSpace(line); len(line) >= minSecretLineBytes {
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
		p := sanitize.FirstPart(text)
		if p.PartKind == sanitize.VisiblePart || text[0] == '\n' || text[0] == '\t' {
			out = append(out, text[:p.Size]...)
		}
		text = text[p.Size:]
	}
	return string(out)
}

// findLongestSecret returns the length of the longest secret with which the letters begin, and whether a line
// end breaks it. It is open while the letters may be the beginning of a longer secret, unless they
// are the last.
func (s *Secrets) findLongestSecret(letters []letter, last bool) (found int, broken, open bool) {
	for _, f := range s.formsByFirstByte[letters[0].char] {
		found, broken, open = f.matchLetters(letters)
		if open = open && !last; found > 0 || open {
			return found, broken, open
		}
	}
	return 0, false, false
}

func (f secretForm) matchLetters(letters []letter) (found int, broken, open bool) {
	n := 0 // the number of letters of the form
	for i, l := range letters {
		switch {
		case l.char == f.text[n]:
			n++
		case f.canSpanLines && l.char == '\n' && i > 0 && letters[i-1].char != '\n':
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

// findSecretInLine returns the start and end of a secret that overlaps [from, to) in text, which is one line. The
// end is 0 if there is none.
func (s *Secrets) findSecretInLine(text []byte, from, to int) (start, end int) {
	for _, line := range s.singleLineForms {
		at := max(0, from-len(line)+1)
		if i := bytes.Index(text[at:], line); i >= 0 && at+i < to {
			return at + i, at + i + len(line)
		}
	}
	return 0, 0
}

// MaskText returns the text with SecretPlaceholder in the place of the secrets, both those that it contains without
// its control sequences and those that a terminal would show.
func (s *Secrets) MaskText(text string) string {
	if s == nil {
		return text
	}
	m := secretFilter{secrets: s, removesStyles: true}
	out := string(m.flushAll(m.filterBytes(nil, []byte(text))))
	if !strings.ContainsAny(out, "\r\b\t\x1b\u009b") {
		return out
	}
	lines := strings.SplitAfter(out, "\n")
	for i, line := range lines {
		lines[i] = s.maskDrawnSecret(line)
	}
	return strings.Join(lines, "")
}

// maskDrawnSecret returns a line as a terminal shows it, with its secrets masked. A line that shows no secret is
// returned unchanged.
func (s *Secrets) maskDrawnSecret(line string) string {
	body := strings.TrimRight(line, "\r\n")
	text := visibleText(sanitize.OutputPlain(body))
	if _, end := s.findSecretInLine([]byte(text), 0, len(text)); end == 0 {
		return line
	}
	return s.MaskText(text) + line[len(body):]
}
