package rundown

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// content reads a top-level block that is no heading (spec §3.5). Before the
// first step it is only looked through: nothing in it is ever run.
func (d *document) content(n ast.Node, first, last int) {
	if d.shown == nil {
		d.ignore(n)
		return
	}
	e := element{role: free, at: start(n), first: first, last: last, shown: true, literal: true}
	switch n := n.(type) {
	case *ast.Paragraph:
		d.paragraph(n)
		return
	case *ast.List:
		d.list(n, last)
		return
	case *ast.Blockquote:
		d.ignore(n)
		e.role, e.literal = prompt, false
	case *ast.FencedCodeBlock:
		d.code(n, &e)
	case *ast.HTMLBlock:
		e.shown = n.HTMLBlockType != ast.HTMLBlockType2 // comments are not shown
	case *ast.LinkReferenceDefinition:
		e.shown = false
	}
	d.keep(e)
}

// paragraph judges each line by itself.
func (d *document) paragraph(n ast.Node) {
	lines := n.Lines()
	texts := d.candidates(lines)
	for i := range lines.Len() {
		at := lines.At(i).Start
		row := d.src.line(at)
		e := element{role: prompt, at: at, first: row, last: row, shown: true}
		if texts != nil {
			e.move = d.transition(texts[i].trimmed(), &e)
		}
		d.keep(e)
	}
}

// candidates are the plain texts of a paragraph's lines, nil where none of them
// can be a transition.
func (d *document) candidates(lines *text.Segments) []plain {
	for i := range lines.Len() {
		s := lines.At(i)
		if mayBeTransition(s.Value(d.src.text)) {
			return d.in.lines(lines)
		}
	}
	return nil
}

// transition reads a line. Where it is one, the element becomes one too; one that
// is malformed is an element without move.
func (d *document) transition(p plain, e *element) *transition {
	t, what, bad := parseTransition(p.text)
	switch what {
	case valid:
		t.at = p.at(0)
		e.role, e.at, e.shown = transitions, t.at, false
		return &t
	case malformed:
		e.role, e.at, e.shown = transitions, p.at(0), false
		d.badTransition(e.at, p.text, bad)
	case lookalike:
		d.add(p.at(0), finding{"transition-like",
			fmt.Sprintf("%s: %q is prompt text, though it looks like a transition", d.shown.name(), p.text),
			"for a transition write keyword, colon and action in capitals, like PASS: CONTINUE"})
	}
	return nil
}

func (d *document) badTransition(at int, text string, bad finding) {
	bad.message = fmt.Sprintf("%s: in %q, %s", d.shown.name(), text, bad.message)
	d.add(at, bad)
}

// list judges the items of a top-level list one by one.
func (d *document) list(n *ast.List, last int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		end := last
		if next := c.NextSibling(); next != nil {
			end = d.src.line(next.Pos()) - 1
		}
		first := d.src.line(c.Pos())
		_, end = d.src.trim(first, max(first, end))
		d.item(c.(*ast.ListItem), element{role: prompt, at: c.Pos(), first: first, last: end, shown: true})
	}
}

// item reads an item: a runbook, a transition, or prompt text.
func (d *document) item(n *ast.ListItem, e element) {
	lead := n.FirstChild()
	if lead == nil || !isText(lead) || lead.Lines().Len() == 0 {
		d.keep(e)
		d.ignoreBelow(lead)
		return
	}
	lines := lead.Lines()
	if lines.Len() == 1 && lead.NextSibling() == nil {
		if d.runbook(lines.At(0), &e) {
			d.keep(e)
			return
		}
	}
	if texts := d.candidates(lines); texts != nil && d.itemTransition(n, texts, e) {
		return
	}
	d.keep(e)
	d.ignoreLines(lines, 1)
	d.ignoreBelow(lead.NextSibling())
}

func isText(n ast.Node) bool {
	return n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock
}

// itemTransition reads an item whose first line may be a transition. A second
// line indented under it spoils it; a lazy one is prompt text behind it (§3.6).
func (d *document) itemTransition(n *ast.ListItem, texts []plain, e element) bool {
	lead := n.FirstChild()
	row := d.src.line(lead.Lines().At(0).Start)
	t, rest := e, e
	t.last, rest.first = row, row+1
	if len(texts) > 1 && d.indent(lead.Lines().At(1).Start) >= n.Offset {
		_, what, _ := parseTransition(texts[0].trimmed().text)
		if what != valid && what != malformed {
			return false
		}
		d.badTransition(texts[0].trimmed().at(0), texts[0].trimmed().text, finding{"bad-transition",
			"the line indented below it belongs to it", "put an empty line between them, or write the text elsewhere"})
		t.role, t.shown, t.at = transitions, false, texts[0].trimmed().at(0)
		t.last = d.src.line(lead.Lines().At(lead.Lines().Len() - 1).Start)
		rest.first = t.last + 1
	} else if t.move = d.transition(texts[0].trimmed(), &t); t.role != transitions {
		return false
	} else if len(texts) > 1 {
		d.add(lead.Lines().At(1).Start, finding{"lazy-text",
			fmt.Sprintf("%s: this line stands directly below the list item %q and is taken as prompt text behind it", d.shown.name(), t.text(d)),
			"put an empty line between them, or write it as an item of its own"})
	}
	d.keep(t)
	d.ignoreBelow(lead.NextSibling())
	if rest.first, rest.last = d.src.trim(rest.first, rest.last); rest.first <= rest.last {
		rest.at, _ = d.src.bounds(rest.first, rest.last)
		d.keep(rest)
	}
	return true
}

// text is a transition's as written, for messages.
func (e *element) text(d *document) string {
	if e.move != nil {
		return e.move.text
	}
	return strings.Trim(string(d.src.slice(e.first, e.first)), blanks)
}

// indent is the width of the blanks ahead of an offset in its line.
func (d *document) indent(at int) int {
	width := 0
	for _, c := range d.src.text[d.src.lines[d.src.line(at)]:at] {
		if c == '\t' {
			width += 4 - width%4
		} else {
			width++
		}
	}
	return width
}

const suffix = ".runbook.md"

// hasSuffix ignores letter case.
func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// runbook reads an item of one word ending in .runbook.md (spec §3.7), and warns
// of what is nearly one.
func (d *document) runbook(s text.Segment, e *element) bool {
	raw := string(bytes.TrimSpace(s.Value(d.src.text)))
	if _, ok := runbookPath(raw); ok {
		e.role, e.doc, e.shown, e.at = body, raw, false, s.Start
		return true
	}
	path := raw
	if strings.HasPrefix(raw, "`") || strings.HasPrefix(raw, "[") || strings.HasPrefix(raw, "<") {
		path = linkedPath(raw)
	}
	if hasSuffix(path, ".md") && !strings.ContainsAny(path, blanks) && (path == raw || hasSuffix(path, suffix)) {
		d.add(s.Start, finding{"runbook-suffix",
			fmt.Sprintf("%s: %q is prompt text and includes nothing", d.shown.name(), raw),
			"to include a document, name it NAME.runbook.md and write its path alone, without marks"})
	}
	return false
}

func runbookPath(raw string) (string, bool) {
	return raw, hasSuffix(raw, suffix) && !strings.ContainsAny(raw, blanks+"`<>") && raw[0] != '['
}

// linkedPath is what a code span or a link leads to, "" if raw is neither.
func linkedPath(raw string) string {
	if inner := strings.Trim(raw, "`"); inner != raw {
		return strings.Trim(inner, blanks)
	}
	if inner := strings.TrimSuffix(strings.TrimPrefix(raw, "<"), ">"); raw[0] == '<' && len(inner) == len(raw)-2 {
		return inner
	}
	_, dest, found := strings.Cut(raw, "](")
	dest, closed := strings.CutSuffix(dest, ")")
	if !found || !closed {
		return ""
	}
	return strings.Trim(firstWord(strings.Trim(dest, blanks)), "<>")
}

// code reads a fenced block (spec §3.7).
func (d *document) code(n *ast.FencedCodeBlock, e *element) {
	e.fence = d.fence(n)
	words := strings.Fields(e.fence.language)
	if len(words) == 0 {
		return
	}
	first := words[0]
	e.fence.language = first
	switch {
	case e.fence.shell || strings.EqualFold(first, "prompt"):
		e.role, e.shown = body, false
	case e.fence.prompt:
		return
	default:
		d.fenceInfo(n, first)
	}
	if e.fence.shell && !e.fence.prompt && strings.TrimSpace(e.fence.text) == "" {
		d.add(e.at, finding{"empty-command", fmt.Sprintf("%s: the command is empty, and passes", d.shown.name()),
			"write a command, or remove the block"})
	}
}

func (d *document) fenceInfo(n *ast.FencedCodeBlock, first string) {
	i := strings.IndexAny(first, ";,{:")
	if i < 0 || !slices.Contains(shells, strings.ToLower(first[:i])) {
		return
	}
	d.add(n.Pos(), finding{"fence-info",
		fmt.Sprintf("%s: a block marked %q is shown, not executed", d.shown.name(), first),
		fmt.Sprintf("separate the words by blanks: %s %s", first[:i], strings.Trim(first[i+1:], ";,{:}"))})
}

var shells = []string{"bash", "sh", "shell"}

// fence reads the info string and the text of a fenced block. language is the
// whole info string.
func (d *document) fence(n *ast.FencedCodeBlock) fence {
	var f fence
	if n.Info != nil {
		f.language = string(n.Info.Segment.Value(d.src.text))
	}
	for i, w := range strings.Fields(f.language) {
		if i == 0 {
			f.shell = slices.Contains(shells, strings.ToLower(w))
		}
		f.prompt = f.prompt || strings.EqualFold(w, "prompt")
	}
	f.text = strings.TrimSuffix(string(n.Lines().Value(d.src.text)), "\n")
	return f
}
