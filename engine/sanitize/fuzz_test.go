package sanitize_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"playhead/engine/sanitize"
)

var styles = regexp.MustCompile("\x1b\\[[0-9;:]*m")

func seed(f *testing.F) {
	for _, s := range []string{
		"plain", "\x1b[31mred", "\x1b]0;t\x07x", "a\rb\x1b[K\tc", "日本\r\x1b[Cx", "\u009b1m\u009d0;\u009c", "👩\u200d👩\u200d👧\rxx",
		"\xff\xfe\x00", "\u202e\u2066\U000e0041", "a\x1b[38;5;1;4:3mb\b\x1b[0;7mc", "e\u0301\u0301\b\u200d", "one\r\n\x1b[mtwo\n",
		"क\u094d\u200dष\ra", "\x1b[999G😀\x1b[998G日\x1b[X", "🇩🇪\ra🇫", "\x1b\x1b[\x1b(0m",
	} {
		f.Add([]byte(s))
	}
}

// checkSafe fails the test unless s can only show styled text on a terminal.
func checkSafe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	for _, r := range styles.ReplaceAllString(s, "") {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%U in %q", r, s)
		}
	}
}

func FuzzOutput(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		out := sanitize.Output(in)
		checkSafe(t, out)
		if again := sanitize.Output(out); again != out {
			t.Errorf("not stable:\n in %q\nout %q\nand %q", in, out, again)
		}
		all := styles.FindAllString(out, -1)
		if len(all) > 0 && strings.Trim(all[len(all)-1], "\x1b[0;m") != "" {
			t.Errorf("a style is left on: %q", out)
		}
		if plain := sanitize.OutputPlain(out); plain != sanitize.OutputPlain(styles.ReplaceAllString(out, "")) {
			t.Errorf("OutputPlain shows something else than Output: %q and %q", plain, out)
		}
	})
}

func FuzzOutputPlainLines(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		out := sanitize.OutputPlainLines(in)
		checkSafe(t, strings.ReplaceAll(out, "\n", ""))
		if strings.Contains(out, "\x1b") {
			t.Errorf("ESC in %q", out)
		}
		if strings.Count(out, "\n") != strings.Count(string(in), "\n") {
			t.Errorf("line ends were lost: %q of %q", out, in)
		}
		if again := sanitize.OutputPlainLines(out); again != out {
			t.Errorf("not stable: %q, then %q", out, again)
		}
		if plain := sanitize.OutputPlain(out); !strings.Contains(out, "\n") && plain != out {
			t.Errorf("OutputPlain gives %q", plain)
		}
	})
}
