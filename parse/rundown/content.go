package rundown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// content reads a top-level block that is not a heading (spec §3.5). Before the first step it only
// checks the block, because nothing there is run.
func (d *document) content(n ast.Node, first, last int) {
	if d.current == nil {
		d.ignore(n)
		return
	}
	e := element{role: free, at: start(n), first: first, last: last, isShown: true, literal: true}
	if n.Kind() == ast.KindParagraph {
		d.paragraph(n)
		return
	}
	switch n := n.(type) {
	case *ast.List:
		d.list(n, last)
		return
	case *ast.Blockquote:
		d.ignore(n)
		e.role, e.literal = prompt, false
	case *ast.FencedCodeBlock:
		d.code(n, &e)
	case *ast.HTMLBlock:
		e.isShown = n.HTMLBlockType != ast.HTMLBlockType2 // comments are not shown
	case *ast.LinkReferenceDefinition:
		e.isShown = false
	}
	d.keep(e)
}

// paragraph reads each line of a paragraph separately.
func (d *document) paragraph(n ast.Node) {
	lines := n.Lines()
	texts := d.transitionLines(lines)
	for i := range lines.Len() {
		at := lines.At(i).Start
		row := d.src.line(at)
		e := element{role: prompt, at: at, first: row, last: row, isShown: true}
		if p, ok := texts.line(i); ok {
			e.move = d.transition(p, &e)
		}
		d.keep(e)
	}
}

// transitionLines are the lines of a paragraph that may be transitions. Their inline content is parsed
// only if there are such lines and they contain marks.
type transitionLines struct {
	in      *inliner
	lines   *text.Segments
	parsed  []plain
	isEmpty bool
}

func (d *document) transitionLines(lines *text.Segments) transitionLines {
	c := transitionLines{in: d.in, lines: lines, isEmpty: true}
	for i := range lines.Len() {
		s := lines.At(i)
		if mayBeTransition(d.src.text[s.Start:s.Stop]) {
			c.isEmpty = false
			if d.in.marked(lines) {
				c.parsed = d.in.lines(lines)
			}
			break
		}
	}
	return c
}

// line returns the plain text of line i. ok is false if the line cannot be a transition.
func (c transitionLines) line(i int) (p plain, ok bool) {
	switch {
	case c.isEmpty:
		return p, false
	case c.parsed != nil:
		return c.parsed[i].trimmed(), !c.parsed[i].inSpan
	}
	return c.in.asWritten(c.lines.At(i)).trimmed(), true
}

// transition reads a line. If it is a transition, the element becomes one. A malformed transition
// becomes an element without a move.
func (d *document) transition(p plain, e *element) *transition {
	t, what, bad := parseTransition(p.text)
	switch what {
	case valid:
		t.at = p.start
		e.role, e.at, e.isShown = transitions, t.at, false
		return &t
	case malformed:
		e.role, e.at, e.isShown = transitions, p.start, false
		d.badTransition(e.at, p.text, bad)
	case lookalike:
		advice := "for a transition write keyword, colon and action in capitals, like PASS: CONTINUE"
		if meant := misspelt(p.text); meant != "" {
			advice = "did you mean " + meant + "?"
		}
		d.add(p.start, finding{"transition-like", fmt.Sprintf("%s: %q is prompt text, though it looks like a transition", d.current.name(), p.text), advice})
	}
	return nil
}

func (d *document) badTransition(at int, text string, bad finding) {
	bad.message = fmt.Sprintf("%s: in %q, %s", d.current.name(), text, bad.message)
	d.add(at, bad)
}

// list reads the items of a top-level list one by one.
func (d *document) list(n *ast.List, last int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		end := last
		if next := c.NextSibling(); next != nil {
			end = d.src.line(next.Pos()) - 1
		}
		first := d.src.line(c.Pos())
		_, end = d.src.trim(first, max(first, end))
		d.item(c.(*ast.ListItem), element{role: prompt, at: c.Pos(), first: first, last: end, isShown: true})
	}
}

// item reads an item: a runbook, a transition or prompt text.
func (d *document) item(n *ast.ListItem, e element) {
	lead := n.FirstChild()
	if lead == nil || lead.Kind() != ast.KindParagraph || lead.Lines().Len() == 0 {
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
	if p, ok := d.transitionLines(lines).line(0); ok && d.itemTransition(n, p, e) {
		return
	}
	d.keep(e)
	d.ignoreLines(lines, 1)
	d.ignoreBelow(lead.NextSibling())
}

// itemTransition reads an item whose first line may be a transition. A second line that is indented
// under it makes it malformed. A lazy continuation line is prompt text after it (§3.6).
func (d *document) itemTransition(n *ast.ListItem, p plain, e element) bool {
	lead := n.FirstChild()
	lines := lead.Lines()
	row := d.src.line(lines.At(0).Start)
	t, rest := e, e
	t.last, rest.first = row, row+1
	if lines.Len() > 1 && d.indent(lines.At(1).Start) >= n.Offset {
		if _, what, _ := parseTransition(p.text); what != valid && what != malformed {
			return false
		}
		d.badTransition(p.start, p.text, finding{"bad-transition",
			"the indented line below belongs to it", "put an empty line between them, or write the text elsewhere"})
		t.role, t.isShown, t.at = transitions, false, p.start
		t.last = d.src.line(lines.At(lines.Len() - 1).Start)
		rest.first = t.last + 1
	} else if t.move = d.transition(p, &t); t.role != transitions {
		return false
	} else if t.move == nil { // malformed, including the lines that continue it
		t.last = d.src.line(lines.At(lines.Len() - 1).Start)
		rest.first = t.last + 1
	} else if lines.Len() > 1 {
		d.add(lines.At(1).Start, finding{"lazy-text",
			fmt.Sprintf("%s: this line is directly below the list item %q and is read as prompt text after it", d.current.name(), t.text(d)),
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

// text returns a transition as written, for messages.
func (e *element) text(d *document) string {
	if e.move != nil {
		return e.move.text
	}
	return strings.Trim(d.src.slice(e.first, e.first), blanks)
}

// indent returns the width of the blanks before an offset in its line.
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

// code reads a fenced block (spec §3.7).
func (d *document) code(n *ast.FencedCodeBlock, e *element) {
	f := d.fence(n)
	e.fence = &f
	switch {
	case f.shell || strings.EqualFold(f.language, "prompt"):
		e.role, e.isShown = body, false
	default:
		d.checkFenceInfo(n, f.language)
	}
	if f.shell && !f.prompt && strings.TrimSpace(f.text) == "" {
		d.add(e.at, finding{"empty-command", fmt.Sprintf("%s: the command is empty, so it always passes", d.current.name()),
			"write a command, or remove the block"})
	}
}

// checkFenceInfo warns of a block whose first word is nearly one that makes it a command.
func (d *document) checkFenceInfo(n *ast.FencedCodeBlock, first string) {
	suggestion := ""
	if i := strings.IndexAny(first, ";,{:"); i >= 0 && slices.Contains(shells, strings.ToLower(first[:i])) {
		suggestion = fmt.Sprintf("separate the words by blanks: %s %s", first[:i], strings.Trim(first[i+1:], ";,{:}"))
	} else if shell := meantShell(first); shell != "" {
		suggestion = fmt.Sprintf("did you mean %s?", shell)
	} else {
		return
	}
	d.add(n.Pos(), finding{"fence-info", fmt.Sprintf("%s: a block marked %q is shown, not executed", d.current.name(), first), suggestion})
}

var shells = []string{"bash", "sh", "shell"}

// languages are words that look like names of shells but are languages of their own.
var languages = []string{"ash", "csh", "dash", "hash", "ksh", "mesh", "rsh", "ssh", "tsh", "zsh"}

// meantShell returns the name of a shell that differs from a word by one letter or by two swapped
// letters, "" if there is none.
func meantShell(word string) string {
	word = strings.ToLower(word)
	if len(word) < 3 || len(word) > 6 || slices.Contains(languages, word) {
		return ""
	}
	for _, shell := range shells {
		if levenshtein.ComputeDistance(word, shell) == 1 || areExchanged(word, shell) {
			return shell
		}
	}
	return ""
}

// areExchanged reports whether two words differ only by two neighbouring letters that are swapped.
func areExchanged(word, other string) bool {
	for i := range len(word) - 1 {
		if word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:] == other {
			return true
		}
	}
	return false
}

// fence reads the info string and the text of a fenced block.
func (d *document) fence(n *ast.FencedCodeBlock) fence {
	var f fence
	if n.Info != nil {
		info := d.src.str[n.Info.Segment.Start:n.Info.Segment.Stop]
		for w := range strings.FieldsSeq(info) {
			if f.language == "" {
				f.language = w
			}
			f.prompt = f.prompt || strings.EqualFold(w, "prompt")
		}
		f.shell = slices.ContainsFunc(shells, func(s string) bool { return strings.EqualFold(s, f.language) })
	}
	f.text = d.fenceText(n)
	return f
}

// fenceText returns the text between the fences, without their indentation.
func (d *document) fenceText(n *ast.FencedCodeBlock) string {
	count := n.Lines().Len()
	if count == 0 {
		return ""
	}
	opener := d.src.line(n.Pos())
	end := n.Lines().At(count - 1)
	text := d.src.slice(opener+1, d.src.line(end.Stop-1))
	indent := n.Pos() - d.src.lines[opener]
	if indent == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		lead := len(line) - len(strings.TrimLeft(line, " "))
		b.WriteString(line[min(lead, indent):])
	}
	return b.String()
}

const suffix = ".runbook.md"

// hasSuffix ignores letter case.
func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// runbook reads an item of one word that ends in .runbook.md (spec §3.7). It warns of an item that
// is nearly such a word.
func (d *document) runbook(s text.Segment, e *element) bool {
	raw := strings.TrimSpace(d.src.str[s.Start:s.Stop])
	if _, ok := runbookPath(raw); ok {
		e.role, e.doc, e.isShown, e.at = body, raw, false, s.Start
		return true
	}
	path := raw
	if strings.HasPrefix(raw, "`") || strings.HasPrefix(raw, "[") || strings.HasPrefix(raw, "<") {
		path = linkedPath(raw)
	}
	if hasSuffix(path, ".md") && !strings.ContainsAny(path, blanks) && (path == raw || hasSuffix(path, suffix)) {
		d.add(s.Start, finding{"runbook-suffix",
			fmt.Sprintf("%s: %q is prompt text and includes nothing", d.current.name(), raw),
			"to include a document, name it NAME.runbook.md and write only its path, without backticks or link syntax"})
	}
	return false
}

func runbookPath(raw string) (string, bool) {
	return raw, hasSuffix(raw, suffix) && !strings.ContainsAny(raw, blanks+"`<>") && raw[0] != '['
}

// linkedPath returns the path in a code span or a link, "" if raw is neither.
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
