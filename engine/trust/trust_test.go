package trust

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

func command(id string, line int, text string) *plan.Step {
	return &plan.Step{ID: id, Actions: []plan.Action{{
		Work: plan.Command{Shell: "bash", Language: "bash", Text: plan.Literal(text)}, Span: plan.Span{Line: line},
	}}}
}

func includes(id string, paths ...string) *plan.Step {
	return &plan.Step{ID: id, Actions: []plan.Action{{Work: plan.Include{DocumentPaths: paths}}}}
}

func doc(path, source string, steps ...*plan.Step) *plan.Plan {
	return &plan.Plan{Path: path, Source: []byte(source), Steps: steps}
}

func child(path string, p *plan.Plan) plan.IncludedDocument {
	return plan.IncludedDocument{WrittenPath: path, File: path, Plan: p}
}

func TestHash(t *testing.T) {
	sample := func() *plan.Plan {
		p := doc("a.md", "source of a", includes("1", "b.md", "c.md"))
		p.IncludedDocuments = []plan.IncludedDocument{child("b.md", doc("b.md", "source of b", command("1", 3, "make"))), child("c.md", nil)}
		return p
	}
	base := DocumentHash(sample())
	if len(base) != 64 || base != DocumentHash(sample()) {
		t.Errorf("Hash = %q, then %q", base, DocumentHash(sample()))
	}
	cases := map[string]struct {
		change func(p *plan.Plan)
		same   bool
	}{
		"the document is edited":  {change: func(p *plan.Plan) { p.Source = []byte("source of A") }},
		"a child is edited":       {change: func(p *plan.Plan) { p.IncludedDocuments[0].Plan.Source = []byte("source of B") }},
		"a child moves elsewhere": {change: func(p *plan.Plan) { p.IncludedDocuments[0].WrittenPath = "x/b.md" }},
		"a missing child appears": {change: func(p *plan.Plan) { p.IncludedDocuments[1].Plan = doc("c.md", "") }},
		"a child goes missing":    {change: func(p *plan.Plan) { p.IncludedDocuments[0].Plan = nil }},
		"bytes move between documents": {change: func(p *plan.Plan) {
			p.Source, p.IncludedDocuments[0].Plan.Source = []byte("source of as"), []byte("ource of b")
		}},
		"another child": {change: func(p *plan.Plan) { p.IncludedDocuments = append(p.IncludedDocuments, child("d.md", doc("d.md", ""))) }},
		"the order of children": {change: func(p *plan.Plan) {
			p.IncludedDocuments[0], p.IncludedDocuments[1] = p.IncludedDocuments[1], p.IncludedDocuments[0]
		}},
		"read as another format": {change: func(p *plan.Plan) { p.Steps = append(p.Steps, command("2", 9, "rm -rf /")) }},
		"the document is moved":  {change: func(p *plan.Plan) { p.Path = "/elsewhere/a.md" }, same: true},
		"the title":              {change: func(p *plan.Plan) { p.Title = "x" }, same: true},
	}
	for name, c := range cases {
		p := sample()
		c.change(p)
		if (DocumentHash(p) == base) != c.same {
			t.Errorf("%s: the hash is the same: %v, want %v", name, !c.same, c.same)
		}
	}
}

// TestSharedAndCyclicDocuments: a command of a shared or cyclic document is listed once. In this chain each document
// includes the next one twice, so that 2^60 paths lead to its end.
func TestSharedAndCyclicDocuments(t *testing.T) {
	last := doc("last.md", "", command("1", 1, "make"))
	p := last
	for range 60 {
		next := doc("x.md", "", includes("1", "b.md", "c.md"))
		next.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "b.md", Plan: p}, {WrittenPath: "c.md", Plan: p}}
		p = next
	}
	last.Steps = append(last.Steps, includes("2", "top.md"))
	last.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "top.md", Plan: p}}
	if items := ListCommands(p); len(items) != 1 {
		t.Errorf("Commands = %v, want one", items)
	}
	if DocumentHash(p) == DocumentHash(last) {
		t.Error("two documents have one hash")
	}
}

// TestHashOfServers: the hash that a person trusts includes the tool servers that are started.
func TestHashOfServers(t *testing.T) {
	p := doc("a.md", "source of a")
	server := Item{ServerName: "docs", File: ".mcp.json", Text: "TOKEN=••• docs", ExactText: "one"}
	base := DocumentHash(p, server)
	if base == DocumentHash(p) || base != DocumentHash(p, server) {
		t.Error("the hash does not include the server")
	}
	for _, change := range []func(*Item){
		func(i *Item) { i.ServerName = "other" }, func(i *Item) { i.Text = "TOKEN=••• evil" }, func(i *Item) { i.ExactText = "two" },
	} {
		changed := server
		change(&changed)
		if DocumentHash(p, changed) == base {
			t.Errorf("%+v has the same hash", changed)
		}
	}
}

// broken is a Prompt that cannot be rendered.
type broken struct{}

func (broken) Render(plan.Scope) (plan.Rendered, error) {
	return plan.Rendered{}, errors.New("no such file")
}

func TestCommands(t *testing.T) {
	argv := func(words ...string) *plan.Step {
		var args []plan.Prompt
		for _, w := range words {
			args = append(args, plan.Text{{Literal: w}})
		}
		return &plan.Step{ID: "9", Actions: []plan.Action{{Work: plan.Command{Language: "validator", Argv: args}}}, Span: plan.Span{Line: 4}}
	}
	group := &plan.Step{ID: "2", Children: []*plan.Step{command("2.1", 5, "make a"), {ID: "2.2", Actions: []plan.Action{{Work: plan.Decide{}}}}}}
	lint := doc("lint.md", "lint", command("1", 2, "golint"))
	invalid := doc("bad.md", "bad", command("1", 2, "rm"))
	invalid.Diagnostics = []plan.Diagnostic{{Severity: plan.Error}}
	family := doc("a.md", "a", command("1", 3, "first"), includes("2", "lint.md", "bad.md", "none.md", "unknown.md"), includes("3", "lint.md", "copy.md"), command("4", 9, "last"))
	family.IncludedDocuments = []plan.IncludedDocument{
		child("lint.md", lint), child("bad.md", invalid), child("none.md", nil),
		child("copy.md", lint),
	}

	cases := map[string]struct {
		plan *plan.Plan
		want []Item
	}{
		"nothing":           {doc("a.md", "", &plan.Step{ID: "1"}), nil},
		"a tree":            {doc("a.md", "", command("1", 3, "make {N}\n"), group), []Item{{File: "a.md", StepID: "1", Line: 3, Language: "bash", Text: "make {N}\n"}, {File: "a.md", StepID: "2.1", Line: 5, Language: "bash", Text: "make a"}}},
		"arguments":         {doc("a.md", "", argv("git", "commit", "-m", "a b", "", `"`)), []Item{{File: "a.md", StepID: "9", Line: 4, Language: "validator", Text: `git commit -m "a b" "" "\""`}}},
		"an empty one":      {doc("a.md", "", command("1", 3, "")), []Item{{File: "a.md", StepID: "1", Line: 3, Language: "bash", Text: ""}}},
		"control sequences": {doc("a.md", "", command("1", 3, "\x1b[2Jls")), []Item{{File: "a.md", StepID: "1", Line: 3, Language: "bash", Text: "\x1b[2Jls"}}},
		"not to be shown": {doc("a.md", "", &plan.Step{ID: "1", Actions: []plan.Action{{Work: plan.Command{Text: broken{}}}}}),
			[]Item{{File: "a.md", StepID: "1", Line: 0, Language: "", Text: "(cannot be shown: no such file)"}}},
		"children": {family, []Item{{File: "a.md", StepID: "1", Line: 3, Language: "bash", Text: "first"}, {File: "lint.md", StepID: "1", Line: 2, Language: "bash", Text: "golint"}, {File: "a.md", StepID: "4", Line: 9, Language: "bash", Text: "last"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ListCommands(c.plan)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzHashCoversCommands: every listed command is part of the hash, so that a trusted command cannot be replaced by
// another.
func FuzzHashCoversCommands(f *testing.F) {
	f.Add("ls", "rm", "1", "2")
	f.Add("a", "", "", "a")
	f.Fuzz(func(t *testing.T, text, other, id, otherID string) {
		a, b := DocumentHash(doc("a.md", "", command(id, 1, text))), DocumentHash(doc("a.md", "", command(otherID, 1, other)))
		if (a == b) != (text == other && id == otherID) {
			t.Errorf("%q of %q and %q of %q: one hash: %v", text, id, other, otherID, a == b)
		}
		if strings.Trim(a, "0123456789abcdef") != "" {
			t.Errorf("Hash = %q", a)
		}
	})
}
