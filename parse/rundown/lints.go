package rundown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"playhead/parse/plan"
)

// literalNumbers warns of a placeholder in a command, because it stays as written there: a command
// gets the number through its environment (spec §3.8, §5.7).
func (d *document) literalNumbers(x index) {
	d.each(func(u *section) {
		if u.body == nil || u.body.fence.prompt {
			return
		}
		own := u.parent != nil && u.kind == dynamic
		switch {
		case own && d.literalNumber(u, "{n}", "$PLAYHEAD_INSTANCE"):
		case x.loop != nil && own:
			d.literalNumber(u, "{N}", "${PLAYHEAD_STEP%%.*}, the first part of the step's label")
		case x.loop != nil:
			d.literalNumber(u, "{N}", "$PLAYHEAD_INSTANCE")
		}
	})
}

// literalNumber reports whether a unit's command has a placeholder, and warns of the first one. A
// placeholder after a dollar sign is a shell variable.
func (d *document) literalNumber(u *section, placeholder, instead string) bool {
	from, to := d.src.bounds(u.body.first, u.body.last)
	script := d.src.str[from:to]
	for at := 0; ; at++ {
		next := strings.Index(script[at:], placeholder)
		if next < 0 {
			return false
		}
		if at += next; script[at-1] != '$' { // at least the fence comes before it
			d.add(from+at, finding{"command-literal", fmt.Sprintf("%s: %s is not replaced in a command", u.name(), placeholder), "use " + instead})
			return true
		}
	}
}

// callsRD matches the format's own tool at the beginning of a command.
var callsRD = regexp.MustCompile(`(?m)(?:^|[;&|(` + "`" + `])[ \t]*rd[ \t]`)

// lacking returns the warning for a command that calls the format's own tool if there is none.
func lacking(text string) *plan.Note {
	if !callsRD.MatchString(text) {
		return nil
	}
	return &plan.Note{Code: Format + "/rd-missing",
		Message: "rd is not on the PATH: only playhead test provides it. In a run, write the command itself"}
}

// trailingAggregates warns of a modifier after a step's last substep, where it belongs to the
// substep and has no meaning.
func (d *document) trailingAggregates() {
	for _, s := range d.steps {
		if len(s.subs) == 0 {
			continue
		}
		u := s.subs[len(s.subs)-1]
		if len(u.docs) > 0 || u.kind == broken || s.kind == broken {
			continue
		}
		if t := u.modifiedTransition(); t != nil {
			d.add(t.at, finding{"agg-trailing", fmt.Sprintf("%s: %q belongs to this substep, not to %s, and %s means nothing here", u.name(), t.text, s.name(), t.modifier),
				fmt.Sprintf("if it is meant for %s, put it before its first ###", s.name())})
		}
	}
}

// modifiedTransition returns the first transition with a modifier that is not followed by a prompt or a body.
func (u *section) modifiedTransition() *transition {
	var found *transition
	for _, e := range u.elements {
		switch {
		case e.role == prompt || e.role == body:
			found = nil
		case e.move != nil && e.move.modifier != "" && found == nil:
			found = e.move
		}
	}
	return found
}

// unclosed warns of a fence that is still open at the end of the file.
func (d *document) unclosed(root ast.Node) {
	n := root
	for n.LastChild() != nil && n.LastChild().Type() == ast.TypeBlock {
		n = n.LastChild()
	}
	if n.Kind() != ast.KindFencedCodeBlock {
		return
	}
	last := d.src.line(n.Pos())
	if c := n.Lines().Len(); c > 0 {
		last = d.src.line(n.Lines().At(c-1).Stop - 1)
	}
	if last == len(d.src.lines)-1 {
		d.add(n.Pos(), finding{"unclosed-fence", fmt.Sprintf("%s: the code block is still open at the end of the file", d.current.name()),
			"close it with a line like the one that opens it"})
	}
}

// ignore warns of content that would have a meaning at the top level of a step but is only text
// where it stands (spec §1): in a quote, a nested list, a list item, or before the first step.
func (d *document) ignore(n ast.Node) {
	if n.Kind() == ast.KindParagraph {
		d.ignoreLines(n.Lines(), 0)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		d.ignored(start(n), "heading", d.headingText(n).text)
	case *ast.ListItem:
		d.ignoreItem(n)
	case *ast.FencedCodeBlock:
		if f := d.fence(n); f.shell && !f.prompt {
			d.ignored(n.Pos(), "command block", f.language)
		}
	default:
		d.ignoreBelow(n.FirstChild())
	}
}

// ignoreBelow calls ignore for a node and its later siblings.
func (d *document) ignoreBelow(n ast.Node) {
	for ; n != nil; n = n.NextSibling() {
		d.ignore(n)
	}
}

func (d *document) ignoreItem(n *ast.ListItem) {
	lead := n.FirstChild()
	if lead != nil && lead.Kind() == ast.KindParagraph && lead.Lines().Len() == 1 && lead.NextSibling() == nil {
		s := lead.Lines().At(0)
		if path, ok := runbookPath(strings.TrimSpace(d.src.str[s.Start:s.Stop])); ok {
			d.ignored(s.Start, "runbook", path)
			return
		}
	}
	d.ignoreBelow(lead)
}

// ignoreLines warns of transitions among the lines from an index on.
func (d *document) ignoreLines(lines *text.Segments, from int) {
	if from >= lines.Len() {
		return
	}
	c := d.transitionLines(lines)
	for i := from; i < lines.Len(); i++ {
		p, ok := c.line(i)
		if !ok {
			return
		}
		if _, what, _ := parseTransition(p.text); what == valid || what == malformed {
			d.ignored(p.start, "transition", p.text)
		}
	}
}

func (d *document) ignored(at int, what, text string) {
	where := "here"
	if d.current == nil {
		where = "before the first step"
	}
	d.add(at, finding{"ignored-construct",
		fmt.Sprintf("%s: the %s %q is read as plain text %s", d.current.name(), what, text, where),
		"write it in a step, outside quotes, nested lists and list items"})
}
