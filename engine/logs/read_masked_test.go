package logs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/engine/testscale"
)

// readings returns the text that a person reads in a log, by the way in which it is shown.
func readings(t testing.TB, l *logs.Log) map[string]string {
	t.Helper()
	_, total := l.Size()
	all := lines(t, l, 0, total)
	var screen, html strings.Builder
	for _, line := range all {
		screen.WriteString(sanitize.OutputPlain(line) + "\n")
		for _, span := range sanitize.OutputSpans(line) {
			html.WriteString(span.Text)
		}
		html.WriteString("\n")
	}
	return map[string]string{
		"raw": strings.Join(all, "\n"), "screen": screen.String(), "spans": html.String(),
		"text": l.ShortenedText(1 << 20), "short text": l.ShortenedText(200),
	}
}

// hiddenIn fails the test if a person can read the secret in the log of these writes, or a search finds it.
func hiddenIn(t testing.TB, l *logs.Log, secret string, writes ...string) {
	t.Helper()
	m := logs.NewMasker(l, []string{secret})
	for _, w := range writes {
		if _, err := m.Write([]byte(w)); err != nil {
			t.Fatal(err)
		}
		if _, n, err := l.CountMatches(t.Context(), logs.LinesContaining(secret), 0); n > 0 || err != nil {
			t.Fatalf("while %q is written, the secret is found in %q (%v)", writes, lines(t, l, 0, 99), err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	for reader, text := range readings(t, l) {
		if strings.Contains(text, secret) {
			t.Fatalf("%s: %.2000q reads %.2000q", reader, writes, text)
		}
	}
}

// decorated contains lines that a terminal shows as MYs3cretVALUE.
var decorated = map[string]string{
	"plain":               "token=MYs3cretVALUE;\r\n",
	"colours of grep":     "token=MY\x1b[01;31m\x1b[Ks3c\x1b[m\x1b[KretVALUE\n",
	"each letter":         "\x1b[1mM\x1b[1mY\x1b[1ms\x1b[1m3\x1b[1mc\x1b[1mr\x1b[1me\x1b[1mt\x1b[1mVALUE\x1b[m\n",
	"C1 controls":         "MYs3\u009b31mcret\u009dtitle\u009cVALUE\n",
	"NULs":                "M\x00Y\x00s\x00\x00\x003cret\x00VALUE\n",
	"DEL and BEL":         "MY\x7fs3c\aretVALUE\n",
	"a title":             "MYs3c\x1b]0;a title\aretVALUE\n",
	"a link":              "MYs3c\x1b]8;;https://example.com\x1b\\retVALUE\x1b]8;;\x1b\\\n",
	"zero width":          "MY\u200bs3c\u2060ret\ufeffVALUE\n",
	"joiners":             "MY\u200ds3c\u200cretVALUE\n",
	"selectors and marks": "MY\ufe0fs3c\u034fret\u0332VALUE\n",
	"bidi and tags":       "MY\u202es3c\U000e0041retVALUE\n",
	"fillers":             "MY\u3164s3c\u1160retVALUE\n",
	"backspaces":          "token=MYs3X\bcretVALUE\n",
	"overstruck":          "M\bMY\bYs\bs3\b3c\bcr\bre\bet\btV\bVA\bAL\bLU\bUE\bE\n",
	"carriage return":     "XXX3cretVALUE\rMYs\n",
	"the middle last":     "MY      VALUE\r\x1b[2Cs3cret\n",
	"columns":             "\x1b[8GtVALUE\x1b[1GMYs3cre\n",
	"columns, backwards":  "\x1b[9GVALUE\x1b[6Gret\x1b[3Gs3c\x1b[GMY\n",
	"erased":              "MYs3cXXXX\x1b[4D\x1b[KretVALUE\n",
	"a wide one under it": "MYs3日日日日\r\x1b[4CcretVALUE\n",
	"a coloured overlay":  "\x1b[32mMYs3____VALUE\r\x1b[4C\x1b[31mc\x1b[33mr\x1b[34me\x1b[35mt\x1b[m\n",
	"progress":            "10%\r20%\r\x1b[KMYs3cret\x1b[1GMYs3cretVALUE\r30%\x1b[C\n",
	"broken by a line":    "token MYs3cr\netVALUE\n",
	"broken, with CR":     "token MYs3c\r\r\nretVALUE\r\r\n",
	"broken as by fold":   "token MYs3c\r\nretVA\r\nLUE\n",
	"JSON of a terminal":  "{\"a\":\"MYs3\x1b[0mcretVALUE\"}\n",
	"not ended":           "MYs3cret\x1b[31mVALUE",
	"after an open title": "x\x1b]0;\nMYs3cretVALUE\n",
	"in a title":          "\x1b]0;MYs3cretVALUE\a\n",
}

func TestNobodyReadsASecret(t *testing.T) {
	const secret = "MYs3cretVALUE"
	for name, payload := range decorated {
		t.Run(name, func(t *testing.T) {
			for at := 0; at < len(payload); at += min(2, testscale.Divisor) {
				l, _ := create(t)
				hiddenIn(t, l, secret, payload[:at], payload[at:])
			}
			l, _ := create(t)
			hiddenIn(t, l, secret, strings.Split(payload, "")...)
			whole := readings(t, l)["screen"]
			if strings.Contains(sanitize.OutputPlainLines(payload), secret) && !strings.Contains(whole, "••") {
				t.Errorf("nothing is hidden in %q", whole)
			}
			if text := logs.NewSecrets([]string{secret}).MaskText(payload); strings.Contains(sanitize.OutputPlainLines(text), secret) || strings.Contains(text, secret) {
				t.Errorf("as a text it is %q", text)
			}
		})
	}
}

// TestNobodyReadsASecretAtTheEndOfALongLine: a secret is masked even where a long line is cut.
func TestNobodyReadsASecretAtTheEndOfALongLine(t *testing.T) {
	const secret = "MYs3cretVALUE"
	for name, payload := range decorated {
		for before := 16<<10 - len(payload) - 8; before <= 16<<10+8; before += 5 * testscale.Divisor {
			l, _ := create(t)
			hiddenIn(t, l, secret, strings.Repeat("x", before)+"\x1b[1;31m", payload)
			if t.Failed() {
				t.Fatal(name, before)
			}
		}
	}
}

// TestNobodyReadsAnySecret: a secret stays masked whatever is written between its letters, and however the cursor moves
// to write them.
func TestNobodyReadsAnySecret(t *testing.T) {
	dir := t.TempDir()
	files := 0
	rapid.Check(t, func(t *rapid.T) {
		files++
		secret := rapid.SampledFrom([]string{"hunter2", "MYs3cretVALUE", "pass word one", "日本語密碼", "aabaab"}).Draw(t, "secret")
		var writes []string
		for range rapid.IntRange(1, 30).Draw(t, "parts") {
			writes = append(writes, part(t, secret))
		}
		l, err := logs.NewAppendingLog(at(filepath.Join(dir, fmt.Sprint(files))))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		neverShown(t, l, secret, writes)
	})
}

// part draws a part of a secret, or what may be written between such parts.
func part(t *rapid.T, secret string) string {
	letters := []rune(secret)
	from := rapid.IntRange(0, len(letters)-1).Draw(t, "from")
	to := rapid.IntRange(from+1, len(letters)).Draw(t, "to")
	n := rapid.IntRange(1, 14).Draw(t, "n")
	switch rapid.IntRange(0, 7).Draw(t, "part") {
	case 0:
		return rapid.SampledFrom([]string{"\x00", "\u200b", "\x1b[m", "\x1b[01;31m\x1b[K", "\u200d", "\a", "\ufe0f", "\u00ad"}).Draw(t, "unseen")
	case 1:
		return strings.Repeat("\b", n)
	case 2:
		return fmt.Sprintf("\x1b[%d%s", n, rapid.SampledFrom([]string{"C", "D", "G", "`", "X"}).Draw(t, "move"))
	case 3:
		return fmt.Sprintf("\x1b[%dK", n%3)
	case 4:
		return rapid.SampledFrom([]string{"\r", "\n", "\r\n", "\t", " ", "日", "é", "e\u0301", "👩\u200d👩", "•"}).Draw(t, "other")
	default:
		return string(letters[from:to])
	}
}

// neverShown fails the test if a line, or the text as a whole, shows the secret at any moment.
func neverShown(t *rapid.T, l *logs.Log, secret string, writes []string) {
	m := logs.NewMasker(l, []string{secret})
	for i, w := range append(writes, "") {
		if _, err := m.Write([]byte(w)); err != nil {
			t.Fatal(err)
		}
		if i == len(writes) {
			m.Close()
		}
		all, err := l.Lines(0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range all {
			if strings.Contains(sanitize.OutputPlain(line), secret) {
				t.Fatalf("%q is read in %q, of which the log has %q", sanitize.OutputPlain(line), writes, all)
			}
		}
	}
	text := logs.NewSecrets([]string{secret}).MaskText(strings.Join(writes, ""))
	if strings.Contains(sanitize.OutputPlainLines(text), secret) {
		t.Fatalf("as a text, %q is %q", writes, text)
	}
}
