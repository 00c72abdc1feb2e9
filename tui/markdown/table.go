package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// drawTable draws aligned columns that are as wide as their cells need.
func (d *document) drawTable(t *extast.Table, width int) []string {
	rows := d.cellSources(t)
	lines := d.drawProse(tableSource(rows, t.Alignments), min(width, tableWidth(rows)))
	if strings.Join(rows[0], "") == "" && len(lines) > 2 { // an empty header stands for none
		return lines[2:]
	}
	return lines
}

// cellSources returns the text of each cell as cellSource does, row by row, the header first.
func (d *document) cellSources(t *extast.Table) [][]string {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		cells := make([]string, len(t.Alignments))
		i := 0
		for c := row.FirstChild(); c != nil && i < len(cells); c = c.NextSibling() {
			cells[i] = d.cellSource(c)
			i++
		}
		rows = append(rows, cells)
	}
	return rows
}

// cellSource returns the source of a cell, trimmed and with escaped entities, so it is only for drawing.
func (d *document) cellSource(c ast.Node) string {
	return escapeEntities(strings.TrimSpace(string(c.Lines().Value(d.source))))
}

// tableSource returns the source of a table. The lines of the document cannot be used, because they may
// begin with the marks of quotes and lists.
func tableSource(rows [][]string, alignments []extast.Alignment) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i > 0 {
			continue
		}
		for _, a := range alignments {
			b.WriteString(map[extast.Alignment]string{
				extast.AlignLeft: "|:--", extast.AlignRight: "|--:", extast.AlignCenter: "|:-:", extast.AlignNone: "|---",
			}[a])
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// markRemover removes the Markdown marks that are not drawn.
var markRemover = strings.NewReplacer("**", "", "`", "")

// tableWidth returns the width at which no cell is wrapped.
func tableWidth(rows [][]string) int {
	total := 0
	for column := range rows[0] {
		widest := 0
		for _, row := range rows {
			widest = max(widest, ansi.StringWidth(markRemover.Replace(row[column])))
		}
		total += widest + 3
	}
	return total - 1
}
