package tools

import "testing"

// TestPretty: PrettyJSON makes arguments readable for the person who approves them, and escapes hidden and control
// characters.
func TestPretty(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:                         "{\n  \"a\": 1\n}",
		`["\u65e5\u672c", "caf\u00e9"]`:   "[\n  \"日本\",\n  \"café\"\n]",
		`["\ud83d\ude00"]`:                "[\n  \"😀\"\n]",
		`["\u202eevil\u202c\u0007"]`:      "[\n  \"\\u202eevil\\u202c\\u0007\"\n]",
		`["\u0022, \u005c, \\u65e5, \n"]`: "[\n  \"\\u0022, \\u005c, \\\\u65e5, \\n\"\n]",
		`["\ud83d"]`:                      "[\n  \"\\ud83d\"\n]",
		`no \u65e5 JSON`:                  `no \u65e5 JSON`,
	} {
		if got := PrettyJSON(text); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
}
