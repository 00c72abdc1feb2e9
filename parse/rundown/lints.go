package rundown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// trailingAggregates warns of a modifier behind a step's last substep, where it
// belongs to the substep and means nothing.
func (d *document) trailingAggregates() {
	for _, s := range d.steps {
		if len(s.subs) == 0 {
			continue
		}
		u := s.subs[len(s.subs)-1]
		if len(u.docs) > 0 || u.kind == broken || s.kind == broken {
			continue
		}
		if t := u.modified(); t != nil {
			d.add(t.at, finding{"agg-trailing", fmt.Sprintf("%s: %q belongs to this substep, not to %s, and %s means nothing here", u.name(), t.text, s.name(), t.modifier),
				fmt.Sprintf("if it is meant for %s, put it before its first ###", s.name())})
		}
	}
}

// modified is the first transition with a modifier that no prompt and no body
// follows.
func (u *unit) modified() *transition {
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
		d.add(n.Pos(), finding{"unclosed-fence", fmt.Sprintf("%s: the code block is still open at the end of the file", d.shown.name()),
			"close it with a line like the one that opens it"})
	}
}
