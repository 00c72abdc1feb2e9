// Package show prints what a document says, and which runs there are: its steps as a tree or a flow, its routes as a
// graph for Graphviz or Mermaid, its diagnostics as lines or SARIF.
package show

import (
	"fmt"
	"io"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// WriteSteps prints the steps of a document, as wide as a terminal or, for 0, as they are.
func WriteSteps(w io.Writer, p *plan.Plan, width int) {
	if isFlow(p) {
		writeFlow(w, p, width)
		return
	}
	writeTree(w, p, width)
}

// WriteDiagnostics prints one diagnostic a line. They quote the document.
func WriteDiagnostics(w io.Writer, ds []plan.Diagnostic) {
	for _, d := range ds {
		fmt.Fprintln(w, sanitize.Plain(d.String()))
	}
}
