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

// FuzzParse: whatever the file, there is a Plan that keeps its promises.
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

// TestPromises checks the promises for the documents of the other tests.
func TestPromises(t *testing.T) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			keepsPromises(t, c.doc)
		}
	}
	keepsPromises(t, string(typical(20_000)))
}

// tooLong panics, naming the document, unless it is stopped soon.
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
			t.Errorf("step %q, key %q: empty or there already", s.ID, s.StableKey)
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

// checkStep: it stands in the file, every outcome has a road, and its prompts can
// be shown.
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

// FuzzLastField: what is found is JSON, and is found again in text around it.
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
		t.Errorf("%q is no JSON", raw)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && depth(text) < deepest {
		if want, has := object["f"]; has && string(want) != raw {
			t.Errorf("%q: got %q, want %q", text, raw, want)
		}
	}
}

// deepest is how deep values may lie to be found, as parse/objects has it.
const deepest = 1000

// depth returns an upper bound of how deep a text is nested.
func depth(text string) int { return strings.Count(text, "{") + strings.Count(text, "[") }
