package sanitize_test

import (
	"strings"
	"testing"

	"playhead/engine/sanitize"
)

func TestOutput(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "hello, world", "hello, world"},
		{"empty", "", ""},
		{"line end", "hello\r\n", "hello"},
		{"unicode", "naïve 日本語 ✓", "naïve 日本語 ✓"},
		{"colour stays", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"},
		{"short reset", "\x1b[31mred\x1b[m", "\x1b[31mred\x1b[m"},
		{"open colour is closed", "\x1b[38;5;0mdark", "\x1b[38;5;0mdark\x1b[0m"},
		{"true colour by colons", "\x1b[48:2::1:2:3mx\x1b[m", "\x1b[48:2::1:2:3mx\x1b[m"},
		{"colour by an 8-bit control", "\u009b1mbold", "\x1b[1mbold\x1b[0m"},
		{"key modes are no colour", "a\x1b[>4;2mb\x1b[?4mc", "abc"},
		{"style with an intermediate", "a\x1b[1 mb", "ab"},
		{"title", "a\x1b]0;gotcha\x07b", "ab"},
		{"clipboard ended by ST", "a\x1b]52;c;Z290Y2hh\x1b\\b", "ab"},
		{"8-bit OSC and ST", "a\u009d0;gotcha\u009cb", "ab"},
		{"unterminated OSC", "a\x1b]0;gotcha", "a"},
		{"OSC broken off by a colour", "a\x1b]0;got\x1b[1mb\x1b[0m", "a\x1b[1mb\x1b[0m"},
		{"DCS, SOS, PM, APC", "a\x1bPq#0\x1b\\b\x1bXx\x1b\\c\x1b^x\x1b\\d\x1b_Gi=1\x1b\\e", "abcde"},
		{"cursor and screen", "a\x1b[2J\x1b[3;4Hb\x1b[?1049hc\x1b[5Ad\x1bMe\x1bcf", "abcdef"},
		{"charset", "a\x1b(0q\x1b)Bb", "aqb"},
		{"bells and nulls", "a\x00\x07b\x7f\x0bc\x0e", "abc"},
		{"8-bit controls", "a\u0085b\u008dc", "abc"},
		{"broken CSI", "a\x1b[12\x1b[1mb\x1b[0m", "a\x1b[1mb\x1b[0m"},
		{"ESC at the end", "a\x1b", "a"},
		{"invalid UTF-8", "a\xff\xc3(b\x9b31m", "a\uFFFD\uFFFD(b\uFFFD31m"},
		{"bidi overrides", "a\u202eb\u2066c\u200fd", "abcd"},
		{"hidden text", "a\U000e0041\U000e0042b\u200bc\ufeffd\U000e0100", "abcd"},
		{"line separator", "a\u2028b", "a b"},
		{"family stays one", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"},
		{"heart with selector", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		{"Persian non-joiner", "می\u200cخواهم", "می\u200cخواهم"},
		{"stray joiners", "\u200da\u200db\u200c", "ab"},
		{"joiner with a control in it", "👩\u200d\x1b[K👧", "👩👧"},
		{"heaps of marks", "a" + strings.Repeat("\u0301", 50) + "b", "a" + strings.Repeat("\u0301", 8) + "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sanitize.Output(tt.in); got != tt.want {
				t.Errorf("Output(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
			if got := sanitize.Output([]byte(tt.in)); got != tt.want {
				t.Errorf("Output of bytes %q\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

// TestOutputMoves: Output returns what a terminal shows of a line in which the cursor moves.
func TestOutputMoves(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"progress", " 10%\r 50%\r100%", "100%"},
		{"shorter last", "downloading\rdone", "doneloading"},
		{"erased first", "downloading\r\x1b[Kdone", "done"},
		{"erased to the screen's end", "downloading\r\x1b[Jdone", "done"},
		{"erased whole", "downloading\x1b[2K\rdone", "done"},
		{"erased start", "abcdef\x1b[3D\x1b[1Kx", "   xef"},
		{"erased characters", "abcdef\r\x1b[3Xx", "x  def"},
		{"returns at the end", "done\r\r", "done"},
		{"backspaces", "spin |\b/\b-\b\\", "spin \\"},
		{"backspace at the start", "\b\bab", "ab"},
		{"bold by overstrike", "N\bNA\bAM\bME\bE", "NAME"},
		{"tab", "a\tb", "a       b"},
		{"tabs", "\t\tb", "                b"},
		{"tab after a wide character", "日本\tb", "日本    b"},
		{"column", "Starting\x1b[20G[ OK ]", "Starting           [ OK ]"},
		{"right", "a\x1b[3Cb", "a   b"},
		{"left", "abc\x1b[2Dx", "axc"},
		{"colours overwrite too", "\x1b[31mred\x1b[0m\r\x1b[32mg", "\x1b[32mg\x1b[0;31med\x1b[0m"},
		{"colour switched off", "\x1b[1;4;31mx\x1b[22;39my\t", "\x1b[1;4;31mx\x1b[0;4my\x1b[0m"},
		{"palette and true colour", "\x1b[38;5;9;48;2;1;2;3mx\r", "\x1b[38;5;9;48;2;1;2;3mx\x1b[0m"},
		{"palette and true colour, moved", "-\r\x1b[38;5;9;48;2;1;2;3mx", "\x1b[38;5;9;48;2;1;2;3mx\x1b[0m"},
		{"half of a wide character", "日本\rx", "x 本"},
		{"right half of a wide character", "日本\r\x1b[Cx", " x本"},
		{"wide over narrow", "abc\r日", "日c"},
		{"wide over a wide one's half", "a日b\r本", "本 b"},
		{"marks move with their letter", "e\u0301x\ry", "yx"},
		{"family is one", "👩\u200d👧x\rab", "abx"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sanitize.Output(tt.in); got != tt.want {
				t.Errorf("Output(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	for _, in := range []string{
		"\x1b[999999999Gx", "\x1b[999999999Cx", strings.Repeat("\x1b[999C", 1000) + "x", "a\r\x1b[99999999999999999999X",
		"a" + strings.Repeat("\u0301\b\x1b[C", 10000),
	} {
		if got := sanitize.Output(in); len(got) > 2100 {
			t.Errorf("Output(%.40q) is %d bytes long", in, len(got))
		}
	}
}

func TestOutputPlain(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Build \x1b[31mred\x1b[0m\n", "Build red"},
		{"a\tb", "a       b"},
		{"old\rnew", "new"},
	}
	for _, tt := range tests {
		if got := sanitize.OutputPlain(tt.in); got != tt.want {
			t.Errorf("OutputPlain(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestOutputPlainLines(t *testing.T) {
	tests := []struct{ in, want string }{
		{"one\ntwo\n", "one\ntwo\n"},
		{"one\r\n\x1b[1mtwo\x1b[0m\r\n\r\nthree", "one\ntwo\n\nthree"},
		{"10%\r99%\r\ndone\x00\n", "99%\ndone\n"},
		{"open \x1b]0;title\nnext line", "open \nnext line"},
	}
	for _, tt := range tests {
		if got := sanitize.OutputPlainLines(tt.in); got != tt.want {
			t.Errorf("OutputText(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestPlainLinesCostNoAllocation(t *testing.T) {
	for _, line := range []string{"go: downloading charm.land/huh/v2 v2.0.3", "\x1b[32mok\x1b[0m  playhead/engine ✓"} {
		if n := testing.AllocsPerRun(100, func() { sanitize.Output(line) }); n != 0 {
			t.Errorf("Output(%q) allocates %v times", line, n)
		}
	}
}

func BenchmarkOutput(b *testing.B) {
	for name, line := range map[string]string{
		"plain":    "2024-05-01T12:00:00Z INFO request served path=/a",
		"coloured": "\x1b[2m12:00:00\x1b[0m \x1b[32mINFO\x1b[0m request served \x1b[36mpath=\x1b[0m/a",
		"unicode":  "✓ Prüfung bestanden — 日本語 request served",
		"progress": "\x1b[2K\r 10% [=>        ]\r 50% [=====>    ]\r100% [==========]",
		"tabs":     "\tsanitize_test.go:12: got\t3",
		"hostile":  strings.Repeat("\x1b[31ma\b\x1b[1;38;5;3m日\r", 700),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				sanitize.Output(line)
			}
		})
	}
}
