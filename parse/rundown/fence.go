package rundown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// code reads a fenced block (spec §3.7).
func (d *document) code(n *ast.FencedCodeBlock, e *element) {
	f := d.fence(n)
	e.fence = &f
	switch {
	case f.shell || strings.EqualFold(f.language, "prompt"):
		e.role, e.shown = body, false
	case !f.prompt:
		d.fenceInfo(n, f.language)
	}
	if f.shell && !f.prompt && strings.TrimSpace(f.text) == "" {
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
	f.text = d.fenceText(n.Lines())
	return f
}

// fenceText is the text of a fenced block's lines.
func (d *document) fenceText(lines *text.Segments) string {
	if lines.Len() == 0 {
		return ""
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	whole := first.Padding == 0
	for i := 1; whole && i < lines.Len(); i++ {
		s := lines.At(i)
		whole = s.Padding == 0 && s.Start == lines.At(i-1).Stop
	}
	if whole {
		return strings.TrimSuffix(d.src.str[first.Start:last.Stop], "\n")
	}
	var b strings.Builder
	for i := range lines.Len() {
		s := lines.At(i)
		b.WriteString(strings.Repeat(" ", s.Padding))
		b.WriteString(d.src.str[s.Start:s.Stop])
	}
	return strings.TrimSuffix(b.String(), "\n")
}
