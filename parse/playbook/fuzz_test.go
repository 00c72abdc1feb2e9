package playbook

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"playhead/parse/objects"
	"playhead/parse/plan"
)

// FuzzParse: any file becomes a Plan that keeps the promises of keepsPromises.
func FuzzParse(f *testing.F) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			if len(c.doc) < 10_000 {
				f.Add(c.doc)
			}
		}
	}
	f.Add(string(typical(4000)))
	f.Fuzz(func(t *testing.T, doc string) {
		defer tooLong(doc).Stop()
		keepsPromises(t, doc)
	})
}

// TestPromises checks these promises for the documents of the other tests.
func TestPromises(t *testing.T) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			keepsPromises(t, c.doc)
		}
	}
	keepsPromises(t, string(typical(20_000)))
}

// tooLong panics with the document after ten seconds, unless it is stopped.
func tooLong(doc string) *time.Timer {
	return time.AfterFunc(10*time.Second, func() { panic("10 s for " + strconv.Quote(doc)) })
}

func keepsPromises(t *testing.T, doc string) {
	t.Helper()
	p := Parse("x.playbook.md", []byte(doc), Options{})
	if !reflect.DeepEqual(p, Parse("x.playbook.md", []byte(doc), Options{})) {
		t.Error("equal documents, different Plans")
	}
	sorted := slices.Clone(p.Diagnostics)
	plan.SortDiagnostics(sorted)
	if !slices.Equal(sorted, p.Diagnostics) {
		t.Error("the diagnostics are not sorted")
	}
	text := lined(doc)
	for _, d := range p.Diagnostics {
		inside(t, text, plan.Span{Line: d.Line, Column: d.Column, LastLine: d.Line}, d.Code)
	}
	ids, keys := map[string]bool{}, map[string]bool{}
	p.Walk(func(s, _ *plan.Step) bool {
		if ids[s.ID] || keys[s.StableKey] || s.ID == "" || s.StableKey == "" {
			t.Errorf("step %q, key %q: empty or a duplicate", s.ID, s.StableKey)
		}
		ids[s.ID], keys[s.StableKey] = true, true
		checkStep(t, text, s)
		return true
	})
	if p.SystemPrompt != nil {
		render(p.SystemPrompt, run{})
	}
	if _, err := json.Marshal(p); err != nil {
		t.Error(err)
	}
}

// checkStep checks that a step lies in the file, has a route for every outcome, and has prompts that render.
func checkStep(t *testing.T, text []string, s *plan.Step) {
	t.Helper()
	inside(t, text, s.Span, s.ID)
	if len(s.Routes) != 2 {
		t.Errorf("%s has %d routes", s.ID, len(s.Routes))
	}
	for _, a := range s.Actions {
		inside(t, text, a.Span, s.ID)
		switch w := a.Work.(type) {
		case plan.Model:
			render(w.Prompt, run{})
		case plan.Tool:
			if w.Args != nil {
				render(w.Args, run{})
			}
		}
	}
}

func inside(t *testing.T, text []string, s plan.Span, what string) {
	t.Helper()
	if s.Line < 1 || s.LastLine < s.Line || s.LastLine > len(text) || s.Column < 1 || s.Column > utf8.RuneCountInString(text[s.Line-1])+1 {
		t.Errorf("%s: outside the file: %+v", what, s)
	}
}

func lined(doc string) []string {
	doc = strings.TrimPrefix(doc, "\ufeff")
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(doc, "\r\n", "\n"), "\r", "\n"), "\n")
}

// FuzzLastField: a value that is found is valid JSON, and in a JSON object it is the value of the field.
func FuzzLastField(f *testing.F) {
	for _, text := range []string{`{"f": 1}`, `{"g": {"f": [1, "}"]}}`, `{"a": "{", "f": {"b": "\""}} {`, "{\"f\": \"\\u00e9\"}"} {
		f.Add(text)
	}
	f.Fuzz(found)
}

func found(t *testing.T, text string) {
	t.Helper()
	_, raw, found := objects.LastObjectWithField(text, "f")
	if found && !json.Valid([]byte(raw)) {
		t.Errorf("%q is not JSON", raw)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && depth(text) < deepest {
		if want, has := object["f"]; has && string(want) != raw {
			t.Errorf("%q: got %q, want %q", text, raw, want)
		}
	}
}

// deepest is the deepest nesting that parse/objects searches.
const deepest = 1000

// depth returns an upper bound of a text's nesting.
func depth(text string) int { return strings.Count(text, "{") + strings.Count(text, "[") }
