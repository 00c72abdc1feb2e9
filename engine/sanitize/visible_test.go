package sanitize_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"playhead/engine/sanitize"
	"playhead/parse/hidden"
)

func TestPlainLines(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"clean", "one\ntwo\n", "one\ntwo\n"},
		{"CRLF", "one\r\ntwo\r\n", "one\ntwo\n"},
		{"tabs", "a\tb\n日\tc", "a   b\n日  c"},
		{"an erased line", "echo EVIL\x1b[2K\recho fine", `echo EVIL\x1b[2K\recho fine`},
		{"a lone CR before a line end", "a\r\r\nb", "a\\r\nb"},
		{"backspaces", "rm\b\bls", `rm\b\bls`},
		{"column", "evil\x1b[1Gfine", `evil\x1b[1Gfine`},
		{"8-bit CSI", "evil\u009b2K", `evil\u009b2K`},
		{"NUL, BEL, VT, FF, DEL", "\x00\a\v\f\x7f", `\x00\a\v\f\x7f`},
		{"NEL and separators", "a\u0085b\u2028c\u2029d", `a\u0085b\u2028c\u2029d`},
		{"bidi", "\u202ea\u2066b\u200fc", `\u202ea\u2066b\u200fc`},
		{"no width", "a\u200bb\u2060c\ufeffd\u00ade", `a\u200bb\u2060c\ufeffd\u00ade`},
		{"blank letters", "a\u3164b\u115fc\u034fd", `a\u3164b\u115fc\u034fd`},
		{"tags", "a\U000e0041\U000e007f\U000e0100", `a\U000e0041\U000e007f\U000e0100`},
		{"no character", "\xff\xed\xa0\x80\ufffd", `\xff\xed\xa0\x80` + "\ufffd"},
		{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"family", "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 ©\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f\u20e3 ©\ufe0f"},
		{"Persian and Hindi", "می\u200cخواهم क\u094d\u200dष", "می\u200cخواهم क\u094d\u200dष"},
		{"stray joiners", "\u200da\u200db\u200c", `\u200da\u200db\u200c`},
		{"selectors as a second text", "a\ufe01😀\ufe0f\ufe03", `a\ufe01😀` + "\ufe0f" + `\ufe03`},
		{"heaps of marks", "a" + strings.Repeat("\u0301", 9) + "b", "a" + strings.Repeat("\u0301", 8) + `\u0301b`},
	} {
		if got := sanitize.PlainLines(tt.in); got != tt.want {
			t.Errorf("%s: Text(%q)\n got %q\nwant %q", tt.name, tt.in, got, tt.want)
		}
		if got := sanitize.PlainLines([]byte(tt.in)); got != tt.want {
			t.Errorf("%s: Text of bytes %q\n got %q\nwant %q", tt.name, tt.in, got, tt.want)
		}
		want := strings.ReplaceAll(strings.TrimRight(tt.want, "\n"), "\n", " ")
		if got := sanitize.Plain(tt.in); got != want {
			t.Errorf("%s: Plain(%q)\n got %q\nwant %q", tt.name, tt.in, got, want)
		}
	}
}

func TestCleanTextsCostNoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() {
		sanitize.Plain("go: downloading charm.land/huh/v2 v2.0.3")
		sanitize.PlainLines("make\nmake install\n")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzPlainLines: the result is stable and has no hidden characters, and clean text does not change. Each hidden
// character becomes an escape, in the same order.
func FuzzPlainLines(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		out := sanitize.PlainLines(in)
		checkSafe(t, strings.ReplaceAll(out, "\n", ""))
		if hidden.ContainsHidden(out) || strings.Contains(out, "\x1b") {
			t.Errorf("hidden: %q of %q", out, in)
		}
		if again := sanitize.PlainLines(out); again != out {
			t.Errorf("not stable: %q, then %q", out, again)
		}
		if strings.Count(out, "\n") != strings.Count(string(in), "\n") {
			t.Errorf("line ends were lost: %q of %q", out, in)
		}
		if !hidden.ContainsHidden(string(in)) && !strings.ContainsAny(string(in), "\t\r") && out != string(in) {
			t.Errorf("clean text %q became %q", in, out)
		}
		rest := out
		for s := string(in); s != ""; {
			r, size := utf8.DecodeRuneInString(s)
			invisible := r == utf8.RuneError && size == 1 || unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || r == '\u200b'
			lineEnd := r == '\t' || r == '\n' || r == '\r' && (len(s) == 1 || s[1] == '\n')
			if invisible && !lineEnd {
				_, after, found := strings.Cut(rest, hidden.Escape(s[:size]))
				if !found {
					t.Fatalf("%q is not in %q", s[:size], out)
				}
				rest = after
			}
			s = s[size:]
		}
		if plain := sanitize.Plain(in); hidden.ContainsHidden(plain) || strings.Contains(plain, "\n") || sanitize.Plain(plain) != plain {
			t.Errorf("Plain gives %q", plain)
		}
	})
}
