package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestNotTextReason: the problem has the place of the first byte that is not text.
func TestNotTextReason(t *testing.T) {
	for _, tc := range []struct {
		file, problem string
		at            Place
	}{
		{"a\nb", "", Place{}},
		{"\xef\xbb\xbfa\r\nb\x00", "it contains a NUL byte: this is not a text file", Place{1, 1}},
		{"a\rb\rc\xff", "it is not valid UTF-8 (byte 0xff)", Place{2, 1}},
		{"\xff\xfe#\x00", "it is UTF-16", Place{0, 0}},
		{"a \uFFFD b", "", Place{}},
	} {
		text := Normalize([]byte(tc.file))
		at, problem := NotTextReason(text)
		if problem != tc.problem || problem != "" && PlaceOf(text, at) != tc.at {
			t.Errorf("%q: %q at %v", tc.file, problem, PlaceOf(text, at))
		}
	}
}

// TestFence: fences are recognized, and may open or close blocks, as in CommonMark.
func TestFence(t *testing.T) {
	tick := Fence{Char: '`', Length: 3}
	for _, tc := range []struct {
		line                    string
		fence, canOpen, closing bool
	}{
		{"```", true, true, true},
		{"  ````  ", true, true, true},
		{"``", false, false, false},
		{"```sh", true, true, false},
		{"```a`b", true, false, false},
		{"~~~a`b", true, true, false},
		{"~~~", true, true, false},
		{"text", false, false, false},
		{"", false, false, false},
	} {
		f, ok := ReadFence(tc.line)
		if ok != tc.fence || ok && (f.CanOpen() != tc.canOpen || f.Closes(tick) != tc.closing) {
			t.Errorf("%q: %+v, %v", tc.line, f, ok)
		}
	}
	if f, _ := ReadFence("\t  ```"); f.IndentColumns != 6 || f.IndentBytes != 3 {
		t.Errorf("indented by %d columns, %d bytes", f.IndentColumns, f.IndentBytes)
	}
}

// FuzzSource: any file is either text or has a first byte that is not text.
func FuzzSource(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbf# a\r\n```\rb\x00\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		text := Normalize(file)
		at, problem := NotTextReason(text)
		if (problem == "") != (utf8.ValidString(text) && !strings.Contains(text, "\x00")) || strings.Contains(text, "\r") {
			t.Errorf("%q: %q", text, problem)
		}
		if p := PlaceOf(text, at); p.Line != strings.Count(text[:at], "\n") || p.Offset < 0 {
			t.Errorf("%+v", p)
		}
		for line := range strings.Lines(text) {
			if fence, ok := ReadFence(line); ok && (fence.Length < 3 || fence.IndentBytes+fence.Length > len(line)) {
				t.Errorf("%q: %+v", line, fence)
			}
		}
	})
}

// TestUTF16: UTF-16 is distinguished from other files that contain zero bytes.
func TestUTF16(t *testing.T) {
	for file, want := range map[string]bool{
		"": false, "\x00": false, "# A\n": false, "a\x00b": false, "\x00\x00\x01\x00": false,
		"\xff\xfe": true, "\xfe\xff\x00#": true, "#\x00 \x00A\x00": true, "\x00#\x00 \x00A": true,
		"#\x00 \x00A\x00\xde\x30\xcb\x30\n\x00": true, // followed by Japanese text
	} {
		if got := isUTF16(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}
