package logs

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"sync"
)

// Hidden stands where a secret was.
const Hidden = "•••"

// Masked is a text that says something of a secret, without the secret.
func Masked(text, secret string) string {
	if secret == "" {
		return text
	}
	return strings.ReplaceAll(text, secret, Hidden)
}

// A Masker writes to another writer, with Hidden in the place of every secret, also of one that
// arrives in several writes. It holds back what may be the beginning of a secret, nothing else.
// Its methods may be called from any goroutine.
type Masker struct {
	w       io.Writer
	secrets []string // the longest first
	first   [256]bool

	mu   sync.Mutex
	held []byte // in which a secret may begin
	told int    // how much of that Flush has written already
	hide int    // how much of what comes next belongs to a secret that was found
	out  []byte
}

// Mask returns a Masker that writes to w.
//
// A secret of several lines is also found with the CR LF that a pseudo-terminal makes of LF.
// Secrets that overlap are hidden together.
func Mask(w io.Writer, secrets []string) *Masker {
	m := &Masker{w: w}
	for _, secret := range secrets {
		m.know(strings.TrimRight(secret, "\r\n"))
	}
	slices.SortFunc(m.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return m
}

func (m *Masker) know(secret string) {
	if secret == "" {
		return
	}
	m.secrets = append(m.secrets, secret)
	m.first[secret[0]] = true
	if crlf := strings.ReplaceAll(strings.ReplaceAll(secret, "\r\n", "\n"), "\n", "\r\n"); crlf != secret {
		m.secrets = append(m.secrets, crlf)
	}
}

// Write writes p as far as it is certain what is in it.
func (m *Masker) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held = append(m.held, p...)
	if err := m.pass(false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back, for whoever looks now: more may come. Should it turn out to
// have been the beginning of a secret, the rest of that is hidden.
func (m *Masker) Flush() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, hide := slices.Clone(m.held), m.hide
	err := m.pass(true)
	m.held, m.told, m.hide = held, len(held), hide
	return err
}

// Close writes what was held back, and leaves the other writer open.
func (m *Masker) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pass(true)
}

// pass writes what can be decided; all of it when there will be no more.
func (m *Masker) pass(last bool) error {
	m.out = m.out[:0]
	i, plain := 0, 0 // what lies between them is to be written as it is
	for ; i < len(m.held); i++ {
		found, open := m.find(m.held[i:], last)
		if open {
			break
		}
		if found > 0 && m.hide == 0 {
			m.show(plain, i)
			if i+found > m.told {
				m.out = append(m.out, Hidden...)
			}
		}
		if m.hide = max(m.hide, found); m.hide > 0 {
			m.hide--
			plain = i + 1
		}
	}
	m.show(plain, i)
	m.held, m.told = append(m.held[:0], m.held[i:]...), max(0, m.told-i)
	if len(m.out) == 0 {
		return nil
	}
	_, err := m.w.Write(m.out)
	return err
}

// show writes a part of what is held as it is, unless it was written already.
func (m *Masker) show(from, to int) {
	if from = max(from, m.told); from < to {
		m.out = append(m.out, m.held[from:to]...)
	}
}

// find returns the length of the longest secret that b begins with. It stays open while b, if it
// is not the last there is, may be the beginning of a longer one.
func (m *Masker) find(b []byte, last bool) (found int, open bool) {
	if !m.first[b[0]] {
		return 0, false
	}
	for _, secret := range m.secrets {
		switch {
		case len(b) < len(secret):
			if !last && secret[:len(b)] == string(b) {
				return 0, true
			}
		case string(b[:len(secret)]) == secret:
			return len(secret), false
		}
	}
	return 0, false
}
