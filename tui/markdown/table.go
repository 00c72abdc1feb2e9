package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// other draws the blocks of extensions.
func (r *renderer) other(n ast.Node, width int) []string {
	if t, ok := n.(*extast.Table); ok {
		return r.table(t, width)
	}
	return r.blocks(n, width, true)
}

// table draws a table in columns, or each row as a list of its cells where there
// is no room for that.
func (r *renderer) table(t *extast.Table, width int) []string {
	rows := r.cells(t)
	widths := columns(rows)
	total := 0
	for _, w := range widths {
		total += w + 3
	}
	if total-3 > width {
		return r.narrow(rows, width)
	}
	var lines []string
	head := 1
	if strings.Join(rows[0], "") == "" { // how a table without a header is written
		rows, head = rows[1:], 0
	}
	for i, row := range rows {
		lines = append(lines, strings.TrimRight(strings.Join(padded(row, widths), r.styles.Rule(" │ ")), " "))
		if i+1 == head {
			lines = append(lines, r.styles.Rule(ruler(widths)))
		}
	}
	return lines
}

// cells are the rows of a table, the header first.
func (r *renderer) cells(t *extast.Table) [][]string {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			text := r.inline(c)
			if len(rows) == 0 && text != "" {
				text = r.styles.Strong(text)
			}
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	return rows
}

func columns(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	return widths
}

func padded(row []string, widths []int) []string {
	out := make([]string, len(widths))
	for i, w := range widths {
		cell := ""
		if i < len(row) {
			cell = row[i]
		}
		out[i] = cell + strings.Repeat(" ", w-lipgloss.Width(cell))
	}
	return out
}

func ruler(widths []int) string {
	parts := make([]string, len(widths))
	for i, w := range widths {
		parts[i] = strings.Repeat("─", w)
	}
	return strings.Join(parts, "─┼─")
}

// narrow draws each row as its cells, one below the other.
func (r *renderer) narrow(rows [][]string, width int) []string {
	var lines []string
	for i, row := range rows {
		if i > 0 {
			lines = append(lines, "")
		}
		for _, cell := range row {
			lines = append(lines, wrap(cell, width)...)
		}
	}
	return lines
}
