package config_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"playhead/engine/config"
)

// FuzzParse: whatever the file contains, each problem has a position in the file and each profile has valid numbers.
func FuzzParse(f *testing.F) {
	for _, s := range []string{whole, "models: &a {x: *a}", "? {a: b}\n: c", "<<: {model: x}", "models: {a: {price: {in: 1e999, out: 0}}}", "!!int x: 1", "model: !!binary x"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		c, problems := config.Parse(source)
		lines := 2 + strings.Count(string(source), "\n") + strings.Count(string(source), "\r") + strings.Count(string(source), "\u0085") +
			strings.Count(string(source), "\u2028") + strings.Count(string(source), "\u2029")
		if !utf8.Valid(source) {
			lines = len(source) + 1 // it may be UTF-16
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || p.Message == "" || strings.Contains(p.Message, "\n") {
				t.Errorf("%+v, of %d lines", p, lines)
			}
		}
		for _, p := range c.Profiles {
			if p.MaxReplyTokens < 0 || p.ConnectTimeout < 0 || p.SilenceTimeout < 0 || p.Price != nil && (p.Price.InputPrice < 0 || p.Price.OutputPrice < 0) {
				t.Errorf("%+v", p)
			}
		}
	})
}
