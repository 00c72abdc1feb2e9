package rundown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"playhead/parse/source"
)

// readContent reads a top-level block that is not a heading (spec §3.5). Before the first step it only
// checks the block, because nothing there is run.
func (d *document) readContent(n ast.Node, first, last int) {
	if d.currentStep == nil {
		d.warnIgnoredBlock(n)
		return
	}
	e := element{role: anyPlaceRole, offset: blockStart(n), firstLine: first, lastLine: last, isShown: true, keepsPlaceholders: true}
	switch n := n.(type) {
	case *ast.Paragraph:
		d.readParagraph(n)
		return
	case *ast.List:
		d.readList(n, last)
		return
	case *ast.Blockquote:
		d.warnIgnoredBlock(n)
		e.role, e.keepsPlaceholders = promptTextRole, false
	case *ast.FencedCodeBlock:
		d.readCodeBlock(n, &e)
	case *ast.HTMLBlock:
		e.isShown = n.HTMLBlockType != ast.HTMLBlockType2 // comments are not shown
	case *ast.LinkReferenceDefinition:
		e.isShown = false
	}
	d.addElement(e)
}

// readParagraph reads each line of a paragraph separately.
func (d *document) readParagraph(n ast.Node) {
	lines := n.Lines()
	texts := d.newTransitionLines(lines)
	for i := range lines.Len() {
		at := lines.At(i).Start
		row := d.sourceLines.lineAt(at)
		e := element{role: promptTextRole, offset: at, firstLine: row, lastLine: row, isShown: true}
		if p, ok := texts.plainTextOf(i); ok {
			e.parsedTransition = d.readTransition(p, &e)
		}
		d.addElement(e)
	}
}

// transitionLines are the lines of a paragraph, some of which may be transitions. Their inline content
// is parsed only if one may be a transition and the paragraph contains marks.
type transitionLines struct {
	plainTextParser *plainTextParser
	lines           *text.Segments
	parsedLines     []mappedText
	mayMatch        bool // a line may be a transition
}

func (d *document) newTransitionLines(lines *text.Segments) transitionLines {
	c := transitionLines{plainTextParser: d.plainTextParser, lines: lines}
	for i := range lines.Len() {
		s := lines.At(i)
		if mayBeTransition(d.sourceLines.text[s.Start:s.Stop]) {
			c.mayMatch = true
			if d.plainTextParser.hasInlineMarks(lines) {
				c.parsedLines = d.plainTextParser.plainTextOfLines(lines)
			}
			break
		}
	}
	return c
}

// plainTextOf returns the plain text of line i. ok is false if the line cannot be a transition.
func (t transitionLines) plainTextOf(i int) (p mappedText, ok bool) {
	switch {
	case !t.mayMatch:
		return p, false
	case t.parsedLines != nil:
		return t.parsedLines[i].trimmed(), !t.parsedLines[i].beginsInSpan
	}
	return t.plainTextParser.writtenText(t.lines.At(i)).trimmed(), true
}

// readTransition reads a line. If it is a transition, the element becomes one. A malformed transition
// becomes an element without a move.
func (d *document) readTransition(p mappedText, e *element) *transition {
	t, what, bad := parseTransition(p.text)
	switch what {
	case validTransition:
		t.offset = p.lineStart
		e.role, e.offset, e.isShown = transitionRole, t.offset, false
		return &t
	case malformedTransition:
		e.role, e.offset, e.isShown = transitionRole, p.lineStart, false
		d.reportBadTransition(e.offset, p.text, bad)
	case transitionLike:
		d.warnTransitionLike(p, bad.suggestion)
	}
	return nil
}

// warnTransitionLike warns of prompt text that was probably meant as a transition. suggestion may be empty.
func (d *document) warnTransitionLike(p mappedText, suggestion string) {
	if meant := intendedKeyword(p.text); meant != "" {
		suggestion = "did you mean " + meant + "?"
	}
	d.add(p.lineStart, finding{"transition-like", fmt.Sprintf("%s: %q is prompt text, though it looks like a transition", d.currentStep.nameForMessages(), p.text),
		cmp.Or(suggestion, "write a transition in capitals and with a colon, like PASS: CONTINUE")})
}

func (d *document) reportBadTransition(at int, text string, bad finding) {
	bad.message = fmt.Sprintf("%s: in %q, %s", d.currentStep.nameForMessages(), text, bad.message)
	d.add(at, bad)
}

// readList reads the items of a top-level list one by one.
func (d *document) readList(n *ast.List, last int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		end := last
		if next := c.NextSibling(); next != nil {
			end = d.sourceLines.lineAt(next.Pos()) - 1
		}
		first := d.sourceLines.lineAt(c.Pos())
		_, end = d.sourceLines.trimBlankLines(first, max(first, end))
		d.readItem(c.(*ast.ListItem), element{role: promptTextRole, offset: c.Pos(), firstLine: first, lastLine: end, isShown: true})
	}
}

// readItem reads an item: a runbook, a transition or prompt text.
func (d *document) readItem(n *ast.ListItem, e element) {
	lead := n.FirstChild()
	if lead == nil || lead.Kind() != ast.KindParagraph || lead.Lines().Len() == 0 {
		d.addElement(e)
		d.warnIgnoredBlocksFrom(lead)
		return
	}
	lines := lead.Lines()
	if lines.Len() == 1 && lead.NextSibling() == nil {
		if d.readRunbookItem(lines.At(0), &e) {
			d.addElement(e)
			return
		}
	}
	if p, ok := d.newTransitionLines(lines).plainTextOf(0); ok && d.readItemTransition(n, p, e) {
		return
	}
	d.addElement(e)
	d.warnIgnoredTransitions(lines, 1)
	d.warnIgnoredBlocksFrom(lead.NextSibling())
}

// readItemTransition reads an item whose first line may be a transition, and reports whether it is one, valid or
// malformed. A second line that is indented under it makes it malformed. A lazy continuation line is prompt text after
// it (spec §3.6).
func (d *document) readItemTransition(n *ast.ListItem, p mappedText, e element) bool {
	lead := n.FirstChild()
	lines := lead.Lines()
	row := d.sourceLines.lineAt(lines.At(0).Start)
	t, rest := e, e
	t.lastLine, rest.firstLine = row, row+1
	isIndented := false
	if lines.Len() > 1 {
		columns, _ := source.IndentOf(d.sourceLines.textOfLines(row+1, row+1))
		isIndented = columns >= n.Offset
	}
	if isIndented {
		if _, what, bad := parseTransition(p.text); what != validTransition && what != malformedTransition {
			if bad.code != "" {
				d.warnTransitionLike(p, bad.suggestion)
			}
			return false
		}
		d.add(p.lineStart, finding{"bad-transition",
			fmt.Sprintf("%s: the indented line below is read as part of the transition %q", d.currentStep.nameForMessages(), p.text),
			"put an empty line between them, or move the text"})
		t.role, t.isShown, t.offset = transitionRole, false, p.lineStart
		t.lastLine = d.sourceLines.lineAt(lines.At(lines.Len() - 1).Start)
		rest.firstLine = t.lastLine + 1
	} else if t.parsedTransition = d.readTransition(p, &t); t.role != transitionRole {
		return false
	} else if t.parsedTransition == nil { // malformed, including the lines that continue it
		t.lastLine = d.sourceLines.lineAt(lines.At(lines.Len() - 1).Start)
		rest.firstLine = t.lastLine + 1
	} else if lines.Len() > 1 {
		d.add(lines.At(1).Start, finding{"lazy-text",
			fmt.Sprintf("%s: this line is directly below the list item %q and is read as prompt text after it", d.currentStep.nameForMessages(), t.transitionText(d)),
			"put an empty line between them, or write it as an item of its own"})
	}
	d.addElement(t)
	d.warnIgnoredBlocksFrom(lead.NextSibling())
	if rest.firstLine, rest.lastLine = d.sourceLines.trimBlankLines(rest.firstLine, rest.lastLine); rest.firstLine <= rest.lastLine {
		rest.offset, _ = d.sourceLines.lineBounds(rest.firstLine, rest.lastLine)
		d.addElement(rest)
	}
	return true
}

// transitionText returns a transition as written, for messages.
func (e *element) transitionText(d *document) string {
	if e.parsedTransition != nil {
		return e.parsedTransition.plainText
	}
	return strings.Trim(d.sourceLines.textOfLines(e.firstLine, e.firstLine), blankCharacters)
}

// readCodeBlock reads a fenced block (spec §3.7).
func (d *document) readCodeBlock(n *ast.FencedCodeBlock, e *element) {
	f := d.readFence(n)
	e.fence = &f
	if f.isExecutable || strings.EqualFold(f.language, "prompt") {
		e.role, e.isShown = bodyRole, false
	} else {
		d.warnMisspelledShell(n, f.language)
	}
	if f.isExecutable && !f.isPrompt && strings.TrimSpace(f.text) == "" {
		d.add(e.offset, finding{"empty-command", fmt.Sprintf("%s: the command is empty, so it always passes", d.currentStep.nameForMessages()),
			"write a command, or remove the block"})
	}
}

// warnMisspelledShell warns of a block whose language is nearly one that makes it a command.
func (d *document) warnMisspelledShell(n *ast.FencedCodeBlock, language string) {
	suggestion := ""
	if i := strings.IndexAny(language, ";,{:\u00a0"); i >= 0 && slices.Contains(shells, strings.ToLower(language[:i])) {
		suggestion = fmt.Sprintf("separate the words with a space: %s %s", language[:i], strings.Trim(language[i:], ";,{:}\u00a0"))
	} else if shell := intendedShell(language); shell != "" {
		suggestion = fmt.Sprintf("did you mean %s?", shell)
	} else {
		return
	}
	d.add(n.Pos(), finding{"fence-info", fmt.Sprintf("%s: a block marked %q is shown, not executed", d.currentStep.nameForMessages(), language), suggestion})
}

var shells = []string{"bash", "sh", "shell"}

// shellLikeLanguages are words that look like names of shells but are languages of their own.
var shellLikeLanguages = []string{"ash", "csh", "dash", "hash", "ksh", "mesh", "rsh", "ssh", "tsh", "zsh"}

// intendedShell returns the name of a shell that differs from a word by one letter or by two swapped
// letters, "" if there is none.
func intendedShell(word string) string {
	word = strings.ToLower(word)
	if len(word) < 3 || len(word) > 6 || slices.Contains(shellLikeLanguages, word) {
		return ""
	}
	for _, shell := range shells {
		if levenshtein.ComputeDistance(word, shell) == 1 || differBySwappedLetters(word, shell) {
			return shell
		}
	}
	return ""
}

// differBySwappedLetters reports whether two words differ only by two neighbouring letters that are swapped.
func differBySwappedLetters(word, other string) bool {
	for i := range len(word) - 1 {
		if word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:] == other {
			return true
		}
	}
	return false
}

// readFence reads the info string and the text of a fenced block.
func (d *document) readFence(n *ast.FencedCodeBlock) fence {
	var f fence
	if n.Info != nil {
		info := d.sourceLines.textString[n.Info.Segment.Start:n.Info.Segment.Stop]
		for w := range strings.FieldsFuncSeq(info, func(c rune) bool { return strings.ContainsRune(blankCharacters, c) }) {
			if f.language == "" {
				f.language = w
			}
			f.isPrompt = f.isPrompt || strings.EqualFold(w, "prompt")
		}
		f.isExecutable = slices.ContainsFunc(shells, func(s string) bool { return strings.EqualFold(s, f.language) })
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
	opener := d.sourceLines.lineAt(n.Pos())
	end := n.Lines().At(count - 1)
	text := d.sourceLines.textOfLines(opener+1, d.sourceLines.lineAt(end.Stop-1))
	indent := n.Pos() - d.sourceLines.lineStarts[opener]
	if indent == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		columns, at := 0, 0
		for ; columns < indent && at < len(line) && strings.IndexByte(blankCharacters, line[at]) >= 0; at++ {
			columns++
			if line[at] == '\t' {
				columns = (columns + 3) / 4 * 4 // the next tab stop
			}
		}
		b.WriteString(strings.Repeat(" ", max(0, columns-indent)) + line[at:])
	}
	return b.String()
}

const runbookSuffix = ".runbook.md"

// hasSuffixFold is strings.HasSuffix without regard to letter case.
func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// readRunbookItem reads an item of one word that ends in .runbook.md (spec §3.7), and reports whether it is one. It warns
// of an item that is nearly such a word.
func (d *document) readRunbookItem(s text.Segment, e *element) bool {
	raw := strings.TrimSpace(d.sourceLines.textString[s.Start:s.Stop])
	if _, ok := parseRunbookPath(raw); ok {
		e.role, e.includedPath, e.isShown, e.offset = bodyRole, raw, false, s.Start
		return true
	}
	path := raw
	if strings.HasPrefix(raw, "`") || strings.HasPrefix(raw, "[") || strings.HasPrefix(raw, "<") {
		path = d.plainTextParser.pathInCodeSpanOrLink(raw)
	}
	if hasSuffixFold(path, ".md") && !strings.ContainsAny(path, blankCharacters) && (path == raw || hasSuffixFold(path, runbookSuffix)) {
		d.add(s.Start, finding{"runbook-suffix",
			fmt.Sprintf("%s: %q is read as prompt text, so it does not include a document", d.currentStep.nameForMessages(), raw),
			"to include a document, name it NAME.runbook.md and write only its path, without backticks or link syntax"})
	}
	return false
}

func parseRunbookPath(raw string) (string, bool) {
	return raw, hasSuffixFold(raw, runbookSuffix) && !strings.ContainsAny(raw, blankCharacters+"`<>") && raw[0] != '['
}

// pathInCodeSpanOrLink returns the path in a code span or a link, "" if raw is neither.
func (p *plainTextParser) pathInCodeSpanOrLink(raw string) string {
	if inner := strings.TrimSuffix(raw[1:], ">"); raw[0] == '<' && len(inner) == len(raw)-2 {
		return inner
	}
	snippet := []byte(raw)
	if !p.spendBudget(snippet) {
		return ""
	}
	switch n := p.parse(snippet).FirstChild().(type) {
	case *ast.Link:
		if n.NextSibling() == nil {
			return string(n.Destination)
		}
	case *ast.CodeSpan:
		if n.NextSibling() == nil {
			return strings.Trim(raw, "`"+blankCharacters)
		}
	}
	return ""
}
