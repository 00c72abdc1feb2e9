package logs

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"playhead/engine/sanitize"
)

// MaskText returns the text without the secret.
func MaskText(text, secret string) string { return NewSecrets([]string{secret}).Text(text) }

// A Masker writes to another writer and puts SecretPlaceholder in the place of every secret
// that a person could read there. It also finds a secret that arrives in several writes, that has control
// sequences in it, that a line end breaks, or that cursor movements put together. It holds back
// only what may be the beginning of a secret. Its methods may be called from any goroutine.
type Masker struct {
	w       io.Writer
	secrets *Secrets

	mu      sync.Mutex
	matcher matcher
	screen  screen
	out     []byte
}

// Mask returns a Masker that writes to w. Secrets that overlap are hidden together.
func Mask(w io.Writer, secrets []string) *Masker {
	s := NewSecrets(secrets)
	return &Masker{w: w, secrets: s, matcher: matcher{secrets: s}, screen: screen{secrets: s}}
}

// Write writes the part of p that is decided.
func (m *Masker) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.secrets == nil {
		return m.w.Write(p)
	}
	m.out = m.matcher.add(m.out[:0], p)
	if err := m.flush(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back, so that a reader sees it now. If it was the beginning of a
// secret, the rest of the secret is hidden.
func (m *Masker) Flush() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.out = m.matcher.flush(m.out[:0])
	return m.flush()
}

// Close writes what was held back. It does not close the other writer.
func (m *Masker) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.out = m.matcher.end(m.out[:0])
	return m.flush()
}

func (m *Masker) flush() error {
	if len(m.out) == 0 {
		return nil
	}
	_, err := m.w.Write(m.screen.add(m.out))
	return err
}

// Escaped reads the log of a model's reply or a tool's result. Such text is not meant for a
// terminal, so its hidden characters show as escapes and have no effect.
type Escaped struct{ *Log }

// Lines is like Log.Lines, but shows hidden characters as escapes.
func (e Escaped) Lines(from, n int) ([]string, error) {
	lines, err := e.Log.Lines(from, n)
	for i, line := range lines {
		lines[i] = sanitize.Text(line)
	}
	return lines, err
}

// Text is like Log.Text, but shows hidden characters as escapes.
func (e Escaped) Text(max int) string { return e.excerpt(max, sanitize.Text[[]byte]) }

// Search is like Log.Search, but searches for hidden characters as escapes.
func (e Escaped) Search(ctx context.Context, m Matcher, from int, dir Direction) (line int, found bool, err error) {
	m.escaped = true
	return e.Log.Search(ctx, m, from, dir)
}

// Count is like Log.Count, but searches for hidden characters as escapes.
func (e Escaped) Count(ctx context.Context, m Matcher, line int) (before, all int, err error) {
	m.escaped = true
	return e.Log.Count(ctx, m, line)
}

// maxHeld limits how many bytes are held back when a secret may have begun. Characters that do not
// show could go on for ever.
const maxHeld = 4 * maxLine

// longestPart limits the length of a control sequence, because the line that contains it is cut.
const longestPart = maxLine + 4

// A matcher copies bytes and removes the secrets from what a person would see of them.
type matcher struct {
	secrets       *Secrets
	bare          bool     // remove everything between the letters of a secret
	incomplete    []byte   // an incomplete character or control sequence
	undecided     []byte   // bytes that are not decided yet
	letters       []letter // the visible letters of undecided, after those that were passed on
	passedLetters int      // the number of letters that were passed on already
	hide          int      // the number of letters that belong to a secret
	broken        bool     // a line end breaks that secret
}

// A letter is one visible byte, a line end, or 0 for anything that moves the cursor.
type letter struct {
	char byte
	end  int // the index in undecided
}

// add appends to out what p decides.
func (m *matcher) add(out, p []byte) []byte {
	text := string(m.incomplete) + string(p)
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
	m.incomplete = append(m.incomplete[:0], text...)
	if len(m.undecided) > maxHeld {
		out = m.flush(out)
	}
	return out
}

// plain returns the number of bytes before the first that needs a closer look.
func (m *matcher) plain(text string) int {
	for i := range len(text) {
		if b := text[i]; m.secrets.stops[b] && (i+1 == len(text) || !m.secrets.lacks(b, text[i+1])) {
			return i
		}
	}
	return len(text)
}

// take holds the first part of text, unless more input is needed to know where that part ends.
func (m *matcher) take(text string) (n int) {
	text = text[:min(len(text), longestPart)]
	if text == "" {
		return 0
	}
	part, more := sanitize.First(text), strings.TrimLeft(text, "\r")
	if (part.IsIncomplete || more == "") && len(text) < longestPart {
		return 0
	}
	m.addPart(text[:part.Size], part, strings.HasPrefix(more, "\n"))
	return part.Size
}

// addPart adds one part to undecided. CRs before LF belong to the line end, because a terminal adds one to
// the program's own.
func (m *matcher) addPart(raw string, part sanitize.Part, ends bool) {
	switch {
	case part.Kind == sanitize.Letter, raw == "\n", raw == "\t":
		for i := range len(raw) {
			m.letters = append(m.letters, letter{raw[i], len(m.undecided) + i + 1})
		}
	case part.Kind == sanitize.Moving && !ends:
		m.letters = append(m.letters, letter{0, len(m.undecided) + len(raw)})
	case !part.HasLastingEffect: // a window title may contain a secret
		raw = m.secrets.literal.Replace(raw)
	}
	m.undecided = append(m.undecided, raw...)
}

// decide appends what is decided: everything if last is true.
func (m *matcher) decide(out []byte, last bool) []byte {
	i, start := 0, 0 // the indices in letters and undecided of the first undecided byte
	found, broken, open := 0, false, false
	for ; i < len(m.letters); i++ {
		if found, broken, open = m.secrets.find(m.letters[i:], last); open {
			break
		}
		end := max(start, m.letters[i].end)
		raw := m.undecided[start:end]
		start = end
		if m.hide == 0 && found == 0 {
			out = append(out, raw...)
			continue
		}
		if m.hide == 0 {
			m.broken = broken
			out = append(out, raw[:max(0, len(raw)-1)]...)
			if i+found > m.passedLetters {
				out = append(out, SecretPlaceholder...)
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
	m.passedLetters = max(0, m.passedLetters-i)
	if len(m.letters) == 0 {
		out = append(out, m.undecided[start:]...)
		start = len(m.undecided)
	}
	m.undecided = append(m.undecided[:0], m.undecided[start:]...)
	if n := len(m.letters); open && broken && n > m.passedLetters && n <= minSecretLine {
		out = m.flush(out) // do not hold a line back for so little
	}
	return out
}

// leave appends what remains of a hidden letter: the styles before it, and the letter itself if it
// is a line end.
func (m *matcher) leave(out, raw []byte) []byte {
	for text := string(raw); text != ""; {
		part := sanitize.First(text)
		if part.HasLastingEffect && !m.bare || m.broken && strings.Trim(text, "\r\n") == "" {
			out = append(out, text[:part.Size]...)
		}
		text = text[part.Size:]
	}
	return out
}

// flush appends what is undecided and remembers it, because it may be the beginning of a secret.
func (m *matcher) flush(out []byte) []byte {
	letters, hide, broken := slices.Clone(m.letters), m.hide, m.broken
	out = m.decide(out, true)
	for i := range letters {
		letters[i].end = 0
	}
	m.letters, m.passedLetters, m.hide, m.broken = letters, len(letters), hide, broken
	return out
}

// end appends all that is left.
func (m *matcher) end(out []byte) []byte {
	for rest := string(m.incomplete); rest != ""; {
		part := sanitize.First(rest)
		m.addPart(rest[:part.Size], part, false)
		rest = rest[part.Size:]
	}
	m.incomplete = m.incomplete[:0]
	return m.decide(out, true)
}
