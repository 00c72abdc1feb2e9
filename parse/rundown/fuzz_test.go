package rundown

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"playhead/parse/plan"
)

// seed adds the documents of the other tests.
func seed(f *testing.F) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			if len(c.doc) < 10_000 {
				f.Add(c.doc)
			}
		}
	}
	f.Add(string(typical(4000)))
}

// FuzzParse: any file becomes a Plan with valid diagnostics and, if it is runnable, valid routes.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, doc string) {
		before := doc
		defer tooLong(doc).Stop()
		p := Parse("x.runbook.md", []byte(doc), Options{FindFile: shelf{"a.runbook.md": one}.find})
		if doc != before {
			t.Error("the file was changed")
		}
		checkDiagnostics(t, doc, p.Diagnostics)
		if p.Runnable() {
			checkRunnable(t, p)
		}
		if _, err := p.MarshalJSON(); err != nil {
			t.Error(err)
		}
	})
}

// tooLong panics with the document after ten seconds, unless it is stopped.
func tooLong(doc string) *time.Timer {
	return time.AfterFunc(10*time.Second, func() { panic("10 s for " + strconv.Quote(doc)) })
}

// checkDiagnostics checks that diagnostics are sorted and lie in the file.
func checkDiagnostics(t *testing.T, doc string, ds []plan.Diagnostic) {
	t.Helper()
	sorted := slices.Clone(ds)
	plan.SortDiagnostics(sorted)
	if !slices.Equal(sorted, ds) {
		t.Error("the diagnostics are not sorted")
	}
	doc = strings.TrimPrefix(doc, "\ufeff")
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(doc, "\r\n", "\n"), "\r", "\n"), "\n")
	for _, d := range ds {
		if d.Line < 1 || d.Line > len(lines) || d.Column < 1 || d.Column > utf8.RuneCountInString(lines[d.Line-1])+1 {
			t.Errorf("outside the file: %s", d)
		}
	}
}

// checkRunnable checks a runnable Plan: it has an entry, all targets exist, a step has one action or children, and
// every outcome has a route.
func checkRunnable(t *testing.T, p *plan.Plan) {
	t.Helper()
	ids := map[string]bool{}
	keys := map[string]bool{}
	p.Walk(func(s, _ *plan.Step) bool {
		if s.ID == "" || ids[s.ID] || s.StableKey == "" || keys[s.StableKey] {
			t.Errorf("id %q, key %q: missing or repeated", s.ID, s.StableKey)
		}
		ids[s.ID], keys[s.StableKey] = true, true
		return true
	})
	if len(p.Entries) != 1 || !ids[p.Entries[0].Step] {
		t.Errorf("entries %v", p.Entries)
	}
	p.Walk(func(s, _ *plan.Step) bool {
		if (len(s.Children) == 0) != (len(s.Actions) == 1) || len(s.Actions) > 1 {
			t.Errorf("%s: %d actions, %d children", s.ID, len(s.Actions), len(s.Children))
		}
		sides := map[plan.Result]int{}
		for _, r := range s.Routes {
			sides[r.When.Result]++
			for m := &r.Do; m != nil; m = m.AfterLimit {
				if m.SourceText == "" || m.Span.Line == 0 || m.Verb == plan.Goto && !ids[m.To.Step] {
					t.Errorf("%s: %+v", s.ID, *m)
				}
			}
		}
		if sides[""] != 1 && (sides[plan.Passed] != 1 || sides[plan.Failed] != 1) {
			t.Errorf("%s: routes %v", s.ID, sides)
		}
		return true
	})
}

// FuzzFrontMatter: no front matter makes parsing slow or gives invalid diagnostics or scenarios.
func FuzzFrontMatter(f *testing.F) {
	for _, c := range append(diagnosed["3.1 front matter"], diagnosed["6 scenarios"]...) {
		if rest, ok := strings.CutPrefix(c.doc, "---\n"); ok {
			rest, _, _ = strings.Cut(rest, "\n---\n")
			f.Add(rest)
		}
	}
	f.Add(bomb())
	f.Fuzz(func(t *testing.T, yaml string) {
		doc := "---\n" + yaml + "\n---\n" + one
		defer tooLong(doc).Stop()
		p := Parse("x.runbook.md", []byte(doc), Options{})
		checkDiagnostics(t, doc, p.Diagnostics)
		for _, s := range p.Scenarios {
			if s.Line < 1 || s.InvalidReason == "" && s.SkipReason == "" && (s.Result == "" || len(s.Commands) == 0) {
				t.Errorf("%+v", s)
			}
		}
	})
}

// defaultParser is goldmark's parser with the corrections of blockParser.
var defaultParser = parser.NewParser(
	parser.WithBlockParsers(correctedBlockParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

func correctedBlockParsers() []util.PrioritizedValue {
	parsers := parser.DefaultBlockParsers()
	for i := range parsers {
		switch p := parsers[i].Value; p {
		case parser.NewListParser():
			parsers[i].Value = emptyItemParser{parser.NewListParser()}
		case parser.NewListItemParser():
			parsers[i].Value = tabIndentParser{parser.NewListItemParser()}
		case parser.NewHTMLBlockParser():
			parsers[i].Value = htmlBlockParser{parser.NewHTMLBlockParser()}
		}
	}
	return parsers
}

// FuzzBlocks: the protections around goldmark do not change the blocks that it reads.
func FuzzBlocks(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, doc string) {
		src, problem := newTextLines([]byte(doc))
		if problem != "" || strings.Count(doc, ">")+strings.Count(doc, "-")+strings.Count(doc, "*")+strings.Count(doc, "+") > maxDepth/2 {
			return
		}
		got, _, _ := parseBlocks(src)
		want := defaultParser.Parse(text.NewReader(src.text))
		if g, w := outlineOf(got, src), outlineOf(want, src); g != w {
			t.Errorf("%q\ngot\n%swant\n%s", doc, g, w)
		}
	})
}

// outlineOf lists the blocks of a tree with the last digits of their first lines.
func outlineOf(root ast.Node, src *textLines) string {
	var b strings.Builder
	depth := 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		kind := n.Kind()
		if kind == ast.KindTextBlock {
			kind = ast.KindParagraph
		}
		line := 0
		if kind != ast.KindFencedCodeBlock && n.Lines().Len() > 0 { // blank lines in fences become one
			line = src.lineAt(n.Lines().At(0).Start) + 1
		}
		b.WriteString(strings.Repeat(" ", depth) + kind.String() + " " + string(rune('0'+line%10)) + "\n")
		depth++
		return ast.WalkContinue, nil
	})
	return b.String()
}
