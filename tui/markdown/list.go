package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// list draws a list: each item's marker, and what it holds behind it.
func (r *renderer) list(l *ast.List, width int) []string {
	var lines []string
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "•"
		if l.IsOrdered() {
			marker = strconv.Itoa(number) + "."
			number++
		}
		indent := strings.Repeat(" ", len([]rune(marker))+1)
		drawn := r.blocks(item, width-len(indent), !l.IsTight)
		if len(drawn) == 0 {
			drawn = []string{""}
		}
		if !l.IsTight && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, strings.TrimRight(r.styles.Marker(marker)+" "+drawn[0], " "))
		lines = append(lines, prefixed(drawn[1:], indent)...)
	}
	return lines
}
