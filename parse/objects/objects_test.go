package objects

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLastObjectWithField (playbook.md §5) finds the object with the field that ends last.
func TestLastObjectWithField(t *testing.T) {
	for text, want := range map[string]string{
		`{"f": 1}`:                            "1",
		`{"f": 1} {"f": 2}`:                   "2",
		`{"f": 1} {"g": 2}`:                   "1",
		"```json\n{\"f\": [1, {\"f\": 2}]}\n": `[1, {"f": 2}]`,
		`{"g": {"f": 1}}`:                     "1",
		`{"g": {"f": 1}, "f": 2}`:             "2",
		`{"f": 2, "g": {"f": 1}}`:             "2",
		`{"f": 1} {"g": {"f": 2}}`:            "2",
		`{"f": 1, "f": 2}`:                    "2",
		`{"\u0066": 1}`:                       "1",
		`{"g": "{\"f\": 1}"}`:                 "",
		`{"g": "{}", "f": "}"}`:               `"}"`,
		`{broken {"f": 1}`:                    "1",
		`{"broken: {"f": 1}`:                  "1",
		`{"f": 1`:                             "",
		`{"f": 1,}`:                           "",
		`{"f" 1}`:                             "",
		`{"f": 01}`:                           "",
		`{"f": <type>} {f: 1}`:                "",
		`{"f": 1, "a": [}`:                    "",
		`["f", {"f": true}]`:                  "true",
		`{}`:                                  "",
		"{\"f\": \"a\nb\"}":                   "",
		`{"f": -1.5e+3}` + "}}}]]":            "-1.5e+3",
		"":                                    "",
	} {
		_, got, found := LastObjectWithField(text, "f")
		if got != want || found != (want != "") {
			t.Errorf("%s: got %q %v, want %q", text, got, found, want)
		}
	}
}

// TestTopLevelObjects finds the objects that are not inside another one.
func TestTopLevelObjects(t *testing.T) {
	want := []string{`{"a": {"b": 1}}`, `{"c": 2}`, `{"d": 3}`}
	text := `x {"a": {"b": 1}} [{"c": 2}] {broken {"d": 3}`
	if diff := cmp.Diff(want, slices.Collect(TopLevelObjects(text))); diff != "" {
		t.Error(diff)
	}
	for o := range TopLevelObjects(text) {
		if o != want[0] {
			t.Error(o)
		}
		break
	}
}

// TestFencedBlocks finds only closed blocks, with the first word after the opening fence.
func TestFencedBlocks(t *testing.T) {
	text := "a\n```json x\n{}\n```\n~~~\n```\n~~~~\n  ```\r\nb\r\n```\r\n~~~ a`b\nc\n~~~\n```open\n"
	want := []FencedBlock{{"json", "{}\n"}, {"", "```\n"}, {"", "b\r\n"}, {"a`b", "c\n"}}
	if diff := cmp.Diff(want, FencedBlocks(text)); diff != "" {
		t.Error(diff)
	}
	if o, v, ok := LastObjectWithField(`x {"a": {"f": 1}, "g": 2} y`, "f"); o != `{"f": 1}` || v != "1" || !ok {
		t.Error(o, v, ok)
	}
}
