package logs

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"playhead/engine/sanitize"
)

// MaskText returns the text with SecretPlaceholder in the place of a secret.
func MaskText(text, secret string) string { return NewSecrets([]string{secret}).MaskText(text) }

// A Masker writes to another writer and puts SecretPlaceholder in the place of every secret
// that a person could read there. It also finds a secret that arrives in several writes, that has control
// sequences in it, that a line end breaks, or that cursor movements put together. It holds back
// only what may be the beginning of a secret. Its methods may be called from any goroutine.
type Masker struct {
	w       io.Writer
	secrets *Secrets

	mu                 sync.Mutex
	secretFilter       secretFilter
	cursorSecretFilter cursorSecretFilter
	output             []byte
}

// NewMasker returns a Masker that writes to w. Secrets that overlap are hidden together.
func NewMasker(w io.Writer, secrets []string) *Masker {
	s := NewSecrets(secrets)
	return &Masker{w: w, secrets: s, secretFilter: secretFilter{secrets: s}, cursorSecretFilter: cursorSecretFilter{secrets: s}}
}

// Write writes what cannot be the beginning of a secret any more, and holds back the rest of p. It returns len(p)
// unless the other writer fails.
func (m *Masker) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.secrets == nil {
		return m.w.Write(p)
	}
	m.output = m.secretFilter.filterBytes(m.output[:0], p)
	if err := m.writeOutput(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back, so that a reader sees it now. If it was the beginning of a
// secret, the rest of the secret is hidden.
func (m *Masker) Flush() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.output = m.secretFilter.flushUndecided(m.output[:0])
	return m.writeOutput()
}

// Close writes what was held back. It does not close the other writer.
func (m *Masker) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.output = m.secretFilter.flushAll(m.output[:0])
	return m.writeOutput()
}

func (m *Masker) writeOutput() error {
	if len(m.output) == 0 {
		return nil
	}
	_, err := m.w.Write(m.cursorSecretFilter.filterBytes(m.output))
	return err
}

// EscapedLog reads the log of a model's reply or a tool's result. Such text is not meant for a
// terminal, so its hidden characters show as escapes and have no effect.
type EscapedLog struct{ *Log }

// Lines is like Log.Lines, but shows hidden characters as escapes.
func (e EscapedLog) Lines(from, n int) ([]string, error) {
	lines, err := e.Log.Lines(from, n)
	for i, line := range lines {
		lines[i] = sanitize.PlainLines(line)
	}
	return lines, err
}

// ShortenedText is like Log.ShortenedText, but shows hidden characters as escapes.
func (e EscapedLog) ShortenedText(max int) string {
	return e.shortenedTextWith(max, sanitize.PlainLines[[]byte])
}

// Search is like Log.Search, but searches for hidden characters as escapes.
func (e EscapedLog) Search(ctx context.Context, m LineMatcher, from int, dir Direction) (line int, found bool, err error) {
	m.showsEscapes = true
	return e.Log.Search(ctx, m, from, dir)
}

// CountMatches is like Log.CountMatches, but searches for hidden characters as escapes.
func (e EscapedLog) CountMatches(ctx context.Context, m LineMatcher, line int) (before, all int, err error) {
	m.showsEscapes = true
	return e.Log.CountMatches(ctx, m, line)
}

// maxHeldBytes limits how many bytes are held back when a secret may have begun. Characters that do not
// show could go on for ever.
const maxHeldBytes = 4 * maxLineBytes

// maxPartBytes limits the length of a control sequence, because the line that contains it is cut.
const maxPartBytes = maxLineBytes + 4

// A secretFilter copies bytes and removes the secrets from what a person would see of them.
type secretFilter struct {
	secrets            *Secrets
	removesStyles      bool     // also remove styles between the letters of a secret
	incompletePart     []byte   // an incomplete character or control sequence
	undecidedBytes     []byte   // bytes that are not decided yet
	letters            []letter // the visible letters of undecidedBytes, after letters that were already written
	writtenLetterCount int      // how many of letters were already written
	hiddenLetterCount  int      // how many of letters belong to a secret and are hidden
	secretSpansLines   bool     // a line end breaks that secret
}

// A letter is one visible byte, a line end, or 0 for anything that moves the cursor.
type letter struct {
	char     byte
	endIndex int // the index in undecidedBytes
}

// filterBytes appends to out all bytes that are decided after p.
func (s *secretFilter) filterBytes(out, p []byte) []byte {
	text := string(s.incompletePart) + string(p)
	for text != "" {
		if len(s.letters) == 0 {
			n := s.plainPrefixLength(text)
			out, text = append(out, text[:n]...), text[n:]
		}
		n := s.holdPart(text)
		if n == 0 {
			break
		}
		text = text[n:]
		out = s.appendDecided(out, false)
	}
	s.incompletePart = append(s.incompletePart[:0], text...)
	if len(s.undecidedBytes) > maxHeldBytes {
		out = s.flushUndecided(out)
	}
	return out
}

// plainPrefixLength returns the number of bytes before the first one at which a secret or a control
// sequence may begin.
func (s *secretFilter) plainPrefixLength(text string) int {
	for i := range len(text) {
		if b := text[i]; s.secrets.needsCloserLook[b] && (i+1 == len(text) || !s.secrets.isRuledOut(b, text[i+1])) {
			return i
		}
	}
	return len(text)
}

// holdPart holds the first part of text, unless more input is needed to know where that part ends.
func (s *secretFilter) holdPart(text string) (n int) {
	text = text[:min(len(text), maxPartBytes)]
	if text == "" {
		return 0
	}
	part, more := sanitize.FirstPart(text), strings.TrimLeft(text, "\r")
	if (part.IsIncomplete || more == "") && len(text) < maxPartBytes {
		return 0
	}
	s.addPart(text[:part.Size], part, strings.HasPrefix(more, "\n"))
	return part.Size
}

// addPart adds one part to undecidedBytes. CRs before LF belong to the line end, because a terminal adds one to
// the program's own.
func (s *secretFilter) addPart(raw string, part sanitize.Part, ends bool) {
	switch {
	case part.PartKind == sanitize.VisiblePart, raw == "\n", raw == "\t":
		for i := range len(raw) {
			s.letters = append(s.letters, letter{raw[i], len(s.undecidedBytes) + i + 1})
		}
	case part.PartKind == sanitize.MovingPart && !ends:
		s.letters = append(s.letters, letter{0, len(s.undecidedBytes) + len(raw)})
	case !part.HasLastingEffect: // a window title may contain a secret
		raw = s.secrets.replacer.Replace(raw)
	}
	s.undecidedBytes = append(s.undecidedBytes, raw...)
}

// appendDecided appends the bytes that are decided, or all bytes if last is set.
func (s *secretFilter) appendDecided(out []byte, last bool) []byte {
	i, start := 0, 0 // the indices in letters and undecidedBytes of the first undecided byte
	found, broken, open := 0, false, false
	for ; i < len(s.letters); i++ {
		if found, broken, open = s.secrets.findLongestSecret(s.letters[i:], last); open {
			break
		}
		end := max(start, s.letters[i].endIndex)
		raw := s.undecidedBytes[start:end]
		start = end
		if s.hiddenLetterCount == 0 && found == 0 {
			out = append(out, raw...)
			continue
		}
		if s.hiddenLetterCount == 0 {
			s.secretSpansLines = broken
			out = append(out, raw[:max(0, len(raw)-1)]...)
			if i+found > s.writtenLetterCount {
				out = append(out, SecretPlaceholder...)
			}
		} else {
			out = s.appendRemains(out, raw)
		}
		s.hiddenLetterCount = max(s.hiddenLetterCount, found) - 1
	}
	s.letters = append(s.letters[:0], s.letters[i:]...)
	for j := range s.letters {
		s.letters[j].endIndex = max(0, s.letters[j].endIndex-start)
	}
	s.writtenLetterCount = max(0, s.writtenLetterCount-i)
	if len(s.letters) == 0 {
		out = append(out, s.undecidedBytes[start:]...)
		start = len(s.undecidedBytes)
	}
	s.undecidedBytes = append(s.undecidedBytes[:0], s.undecidedBytes[start:]...)
	if n := len(s.letters); open && broken && n > s.writtenLetterCount && n <= minSecretLineBytes {
		out = s.flushUndecided(out) // do not hold back a line for so few letters
	}
	return out
}

// appendRemains appends what is kept of a hidden letter: the styles before it, and the letter itself if it is
// a line end.
func (s *secretFilter) appendRemains(out, raw []byte) []byte {
	for text := string(raw); text != ""; {
		part := sanitize.FirstPart(text)
		if part.HasLastingEffect && !s.removesStyles || s.secretSpansLines && strings.Trim(text, "\r\n") == "" {
			out = append(out, text[:part.Size]...)
		}
		text = text[part.Size:]
	}
	return out
}

// flushUndecided appends what is undecided and remembers it, because it may be the beginning of a secret.
func (s *secretFilter) flushUndecided(out []byte) []byte {
	letters, hide, broken := slices.Clone(s.letters), s.hiddenLetterCount, s.secretSpansLines
	out = s.appendDecided(out, true)
	for i := range letters {
		letters[i].endIndex = 0
	}
	s.letters, s.writtenLetterCount, s.hiddenLetterCount, s.secretSpansLines = letters, len(letters), hide, broken
	return out
}

// flushAll appends all that is left.
func (s *secretFilter) flushAll(out []byte) []byte {
	for rest := string(s.incompletePart); rest != ""; {
		part := sanitize.FirstPart(rest)
		s.addPart(rest[:part.Size], part, false)
		rest = rest[part.Size:]
	}
	s.incompletePart = s.incompletePart[:0]
	return s.appendDecided(out, true)
}
