package rundown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// code reads a fenced block (spec §3.7).
func (d *document) code(n *ast.FencedCodeBlock, e *element) {
	f := d.fence(n)
	e.fence = &f
	switch {
	case f.shell || strings.EqualFold(f.language, "prompt"):
		e.role, e.isShown = body, false
	default:
		d.fenceInfo(n, f.language)
	}
	if f.shell && !f.prompt && strings.TrimSpace(f.text) == "" {
		d.add(e.at, finding{"empty-command", fmt.Sprintf("%s: the command is empty, so it always passes", d.current.name()),
			"write a command, or remove the block"})
	}
}

func (d *document) fenceInfo(n *ast.FencedCodeBlock, first string) {
	i := strings.IndexAny(first, ";,{:")
	if i < 0 || !slices.Contains(shells, strings.ToLower(first[:i])) {
		return
	}
	d.add(n.Pos(), finding{"fence-info",
		fmt.Sprintf("%s: a block marked %q is shown, not executed", d.current.name(), first),
		fmt.Sprintf("separate the words by blanks: %s %s", first[:i], strings.Trim(first[i+1:], ";,{:}"))})
}

var shells = []string{"bash", "sh", "shell"}

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

// fenceText is what stands between the fences, without their indentation.
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
