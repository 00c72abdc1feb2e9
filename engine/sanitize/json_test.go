package sanitize

import (
	"encoding/json"
	"testing"
)

func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"plain, \x1b[2J":            `"plain, \u001b[2J"`,
		"é 漢 🙂":                     `"é 漢 🙂"`,
		"a\u009b2Jb\x7f":            `"a\u009b2Jb\u007f"`,
		"\u202eevil\u2066\u200bx":   `"\u202eevil\u2066\u200bx"`,
		"tags \U000e0041\U000e007f": `"tags \udb40\udc41\udb40\udc7f"`,
		"a\u200db c\ufe01\ufe01d":   `"a\u200db c\ufe01\ufe01d"`,
		"👩\u200d💻 ❤\ufe0f":          "\"👩\u200d💻 ❤\ufe0f\"",
		"broken \xff":               `"broken \ufffd"`,
	} {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		got := EscapeJSON(raw)
		if string(got) != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
		var meant, back string
		if json.Unmarshal(raw, &meant) != nil || json.Unmarshal(got, &back) != nil || meant != back {
			t.Errorf("%q means %q", text, back)
		}
	}
	indented := []byte("{\n  \"a\": 1\n}\n")
	if got := EscapeJSON(indented); string(got) != string(indented) {
		t.Errorf("%s", got)
	}
}
