package rundown

import "github.com/yuin/goldmark/ast"

// Named reports whether a file's name makes it a runbook (spec §1).
func Named(name string) bool { return hasSuffix(name, suffix) }

// Claims reports whether a text reads as a runbook: it has a top-level heading of
// level 2 that is a static or {N} step (spec §1).
func Claims(file []byte) bool {
	d := &document{}
	if !d.read(file) {
		return false
	}
	root, refs, _ := parseBlocks(d.src)
	d.in = newInliner(d.src, refs)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if k := parseStep(d.headingText(h).text).kind; k == static || k == dynamic {
				return true
			}
		}
	}
	return false
}
