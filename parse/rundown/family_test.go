package rundown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

// shelf finds documents by name in a map, whichever document includes them.
type shelf map[string]string

func (s shelf) find(_ *IncludedFile, path string) IncludedFile {
	doc, ok := s[path]
	switch {
	case !ok:
		return IncludedFile{MissingReason: "there is no such file"}
	case doc == "locked":
		return IncludedFile{UnreadableReason: "there is no permission to read it"}
	}
	return IncludedFile{ID: path, Path: path, RelPath: path, Source: []byte(doc)}
}

func (s shelf) parse(name string) *plan.Plan {
	return Parse(name, []byte(s[name]), Options{DocumentID: name, FindFile: s.find})
}

// including returns a document that includes the named ones.
func including(names ...string) string {
	doc := one
	for _, n := range names {
		doc += "- " + n + ".runbook.md\n"
	}
	return doc
}

func shelved(docs map[string]string) shelf {
	s := shelf{}
	for name, doc := range docs {
		s[name+".runbook.md"] = doc
	}
	return s
}

// chain returns a document a0 that includes a1, and so on to a document a<n>.
func chain(n int) map[string]string {
	docs := map[string]string{fmt.Sprintf("a%d", n): one}
	for i := range n {
		docs[fmt.Sprintf("a%d", i)] = including(fmt.Sprintf("a%d", i+1))
	}
	return docs
}

// TestChildren (spec §5.7, §4): missing, invalid and circular included documents are reported.
func TestChildren(t *testing.T) {
	cases := map[string]struct {
		docs map[string]string
		want string
	}{
		"found":               {map[string]string{"a0": including("b", "b"), "b": one}, ""},
		"missing":             {map[string]string{"a0": including("b", "b")}, "2:3 child-missing 3:3 child-missing"},
		"unreadable":          {map[string]string{"a0": including("b"), "b": "locked"}, "2:3 child-invalid"},
		"with errors":         {map[string]string{"a0": including("b"), "b": ""}, "2:3 child-invalid"},
		"with warnings":       {map[string]string{"a0": including("b"), "b": including("c")}, ""},
		"itself":              {map[string]string{"a0": including("a0")}, "2:3 child-cycle"},
		"circle of two":       {map[string]string{"a0": including("b"), "b": including("a0")}, "2:3 child-cycle"},
		"circle below":        {map[string]string{"a0": including("b"), "b": including("c"), "c": including("b")}, "2:3 child-invalid"},
		"circle and more":     {map[string]string{"a0": including("b", "c"), "b": one, "c": including("b", "a0")}, "3:3 child-cycle"},
		"diamond":             {map[string]string{"a0": including("b", "c"), "b": including("d"), "c": including("d"), "d": one}, ""},
		"chain of 16":         {chain(16), ""},
		"chain of 17":         {chain(17), "2:3 child-depth"},
		"chain of 18":         {chain(18), "2:3 child-depth"},
		"errors further down": {map[string]string{"a0": including("b"), "b": including("c"), "c": ""}, ""},
	}
	for name, c := range cases {
		if got := listed(shelved(c.docs).parse("a0.runbook.md")); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestChildPlans: a runnable included document has one Plan, shared by all documents that include it; any other has a
// reason.
func TestChildPlans(t *testing.T) {
	p := shelved(map[string]string{
		"a0": including("b", "c", "x/d", "e", "b"), "b": including("c"), "c": one, "e": one + "- PASS: GOTO 1\n",
	}).parse("a0.runbook.md")
	var got []string
	for _, c := range p.IncludedDocuments {
		got = append(got, fmt.Sprint(c.WrittenPath, " ", c.Name, " ", c.Plan != nil, " ", c.LoadProblem))
	}
	want := []string{
		"b.runbook.md b true ", "c.runbook.md c true ", "x/d.runbook.md d false there is no such file",
		`e.runbook.md e false it has errors: line 2: step 1: "PASS: GOTO 1": it leads back to the same step [rundown/goto-self]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if p.IncludedDocuments[0].Plan.IncludedDocuments[0].Plan != p.IncludedDocuments[1].Plan {
		t.Error("c is parsed twice")
	}
	if p := shelved(map[string]string{"a": including("b"), "b": including("a")}).parse("a.runbook.md"); p.IncludedDocuments[0].Plan != nil ||
		!strings.Contains(p.IncludedDocuments[0].LoadProblem, "a.runbook.md → b.runbook.md → a.runbook.md") {
		t.Errorf("a cycle is not cut, or its documents are not named: %+v", p.IncludedDocuments)
	}
}

// TestManyChildren: documents that all include each other are parsed quickly, each of them once.
func TestManyChildren(t *testing.T) {
	var names []string
	docs := map[string]string{}
	for i := range 60 {
		names = append(names, fmt.Sprintf("a%d", i))
	}
	for _, n := range names {
		docs[n] = including(names...)
	}
	begin := time.Now()
	p := shelved(docs).parse("a0.runbook.md")
	if took := time.Since(begin); len(p.Diagnostics) != len(names) || took > 5*time.Second {
		t.Errorf("%d diagnostics in %v", len(p.Diagnostics), took)
	}
}
