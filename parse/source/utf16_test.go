package source

import "testing"

// TestUTF16: text of that encoding is told from other files with zeros in them.
func TestUTF16(t *testing.T) {
	for file, want := range map[string]bool{
		"": false, "\x00": false, "# A\n": false, "a\x00b": false, "\x00\x00\x01\x00": false,
		"\xff\xfe": true, "\xfe\xff\x00#": true, "#\x00 \x00A\x00": true, "\x00#\x00 \x00A": true,
		"#\x00 \x00A\x00\xde\x30\xcb\x30\n\x00": true, // Japanese behind it
	} {
		if got := isUTF16(file); got != want {
			t.Errorf("%q: %v", file, got)
		}
	}
}
