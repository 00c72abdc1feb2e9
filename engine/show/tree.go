package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// treeLine is a step in three columns: its name in the tree, what it does, its routes.
type treeLine struct {
	firstPrefix, belowPrefix string // the prefix of the first line, and that of further lines
	name, summary            string
	routes                   []string
	step                     *plan.Step
}

const (
	maxColumnWidth     = 40 // the maximum width of a column, if not all columns fit
	minTreeColumnWidth = 12 // the minimum width of a shortened column
	wideRoutesWidth    = 30 // the width of routes for which the summaries are shortened
	minRoutesWidth     = 24 // the width of routes for which the names are shortened
	minColumnsWidth    = 72 // the width below which columns that do not fit stand below each other
	columnGap          = "   "
)

// writeTree writes the steps of a document as a tree in lines of at most width columns; 0 means no
// limit.
func writeTree(w io.Writer, p *plan.Plan, width int) {
	fmt.Fprintln(w, strings.Join(wrapWithPrefixes("", "", sanitize.Plain(p.Title), width), "\n"))
	lines := treeLines(nil, p.Steps, "")
	names, summaries, fit := columnWidths(lines, width)
	for _, l := range lines {
		if fit || width == 0 || width >= minColumnsWidth {
			l.writeRows(w, names, summaries, width)
		} else {
			l.writeStacked(w, width)
		}
		for _, line := range detailLines(l.step, l.belowPrefix, width) {
			fmt.Fprintln(w, line)
		}
	}
}

// columnWidths returns the widths of the names and of the summaries; the routes get the rest. fit is false if some
// column is too narrow for its text.
func columnWidths(lines []treeLine, width int) (names, summaries int, fit bool) {
	routes, route := 0, 0 // the width of all routes in one line, and of the longest route
	for _, l := range lines {
		names, summaries = max(names, ansi.StringWidth(l.firstPrefix+l.name)), max(summaries, ansi.StringWidth(l.summary))
		routes = max(routes, ansi.StringWidth(joinRoutes(l.routes)))
		for _, r := range l.routes {
			route = max(route, ansi.StringWidth(r))
		}
	}
	if names+summaries+routes+2*len(columnGap) <= width {
		return names, summaries, true
	}
	names, summaries = min(names, maxColumnWidth), min(summaries, maxColumnWidth)
	if width > 0 {
		summaries = min(summaries, max(minTreeColumnWidth, width-names-2*len(columnGap)-min(route, wideRoutesWidth)))
		names = min(names, max(minTreeColumnWidth, width-summaries-2*len(columnGap)-min(route, minRoutesWidth)))
	}
	return names, summaries, false
}

// writeRows writes the step in as many lines as necessary, or in one line if width is 0.
func (l treeLine) writeRows(w io.Writer, names, summaries, width int) {
	name, summary := []string{l.firstPrefix + l.name}, []string{l.summary}
	if width > 0 {
		name, summary = wrapWithPrefixes(l.firstPrefix, l.belowPrefix, l.name, names), wrapWithPrefixes("", "", l.summary, summaries)
	}
	routes := wrapRoutes(l.routes, width-names-summaries-2*len(columnGap))
	for i := range max(len(name), len(summary), len(routes)) {
		cells := [3]string{l.belowPrefix}
		for at, rows := range [][]string{name, summary, routes} {
			if i < len(rows) {
				cells[at] = rows[i]
			}
		}
		line := padToWidth(cells[0], names) + columnGap + padToWidth(cells[1], summaries) + columnGap + cells[2]
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// writeStacked writes the step's name, and what it does and its routes below it.
func (l treeLine) writeStacked(w io.Writer, width int) {
	texts := wrapRoutes(l.routes, width-ansi.StringWidth(l.belowPrefix)-2)
	lines := wrapWithPrefixes(l.firstPrefix, l.belowPrefix, l.name, width)
	for _, text := range append([]string{l.summary}, texts...) {
		if text != "" {
			lines = append(lines, wrapWithPrefixes(l.belowPrefix+"  ", l.belowPrefix+"    ", text, width)...)
		}
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
}

// wrapWithPrefixes wraps a text to a width, with a prefix for the first line and another one for the lines
// below. It cuts the text if there is little room, and does not wrap it if width is 0.
func wrapWithPrefixes(first, below, text string, width int) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(below))
	switch {
	case width == 0 || ansi.StringWidth(first+text) <= width:
		return []string{first + text}
	case room < minTreeColumnWidth/2:
		return []string{ansi.Truncate(first+text, width, "…")}
	}
	lines := strings.Split(ansi.Wrap(text, room, ""), "\n")
	for i, front := 0, first; i < len(lines); i, front = i+1, below {
		lines[i] = front + lines[i]
	}
	return lines
}

// joinRoutes returns routes in one line.
func joinRoutes(routes []string) string { return strings.Join(routes, " · ") }

// wrapRoutes returns routes in lines of at most room cells, or in one line if room is not positive.
func wrapRoutes(routes []string, room int) []string {
	text := joinRoutes(routes)
	if room <= 0 || ansi.StringWidth(text) <= room {
		return []string{text}
	}
	var rows []string
	for _, route := range routes {
		rows = append(rows, strings.Split(ansi.Wrap(route, room, ""), "\n")...)
	}
	return rows
}

// treeLines appends the lines of steps and of their substeps, each with indent before its branch.
func treeLines(lines []treeLine, steps []*plan.Step, indent string) []treeLine {
	for i, s := range steps {
		branch, below := "├ ", "│ "
		if i == len(steps)-1 {
			branch, below = "└ ", "  "
		}
		after := indent + below
		if len(s.Children) > 0 {
			after += "│ "
		}
		lines = append(lines, treeLine{
			firstPrefix: indent + branch,
			belowPrefix: after,
			name:        stepName(s),
			summary:     sanitize.Plain(stepSummary(s)),
			routes:      stepRoutes(s),
			step:        s,
		})
		lines = treeLines(lines, s.Children, indent+below)
	}
	return lines
}

// stepName returns the ID and title of a step.
func stepName(s *plan.Step) string {
	if s.Title == "" || s.Title == s.ID {
		return sanitize.Plain(s.ID)
	}
	return sanitize.Plain(s.ID + " " + s.Title)
}

// stepSummary describes in a few words what a step does.
func stepSummary(s *plan.Step) string {
	var words []string
	if agent, ok := s.Details()["agent"].(string); ok {
		words = append(words, "agent "+agent)
	}
	for _, a := range s.Actions {
		words = append(words, actionSummary(a.Work))
	}
	if len(s.Children) > 0 && s.HasExplicitRoutes() {
		words = append(words, map[plan.Join]string{plan.JoinAll: "pessimistic", plan.JoinAny: "optimistic"}[s.Join])
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

func actionSummary(w plan.Work) string {
	switch w := w.(type) {
	case plan.Command:
		return "$ " + firstCommand(plan.SourceText(w.Text))
	case plan.Decide:
		if cmp.Or(w.ShownBlock, w.BlockInText) != nil {
			return "prompt block"
		}
		return ""
	case plan.Include:
		return "▸ " + strings.Join(w.DocumentPaths, ", ")
	case plan.Model:
		return toolNames(w)
	default:
		return ""
	}
}

// toolNames names the tools that a model may call.
func toolNames(w plan.Model) string {
	if len(w.Tools) == 0 {
		return ""
	}
	names := make([]string, len(w.Tools))
	for i, t := range w.Tools {
		names[i] = plan.SourceText(t)
		if mode := w.Permissions.Mode; mode != "" {
			names[i] = cmp.Or(plan.LocalToolName(names[i]), names[i])
		}
	}
	out := "tools " + strings.Join(names, ", ")
	if w.Permissions.Mode != "" {
		out += ", mode " + string(w.Permissions.Mode)
	}
	return out
}

// firstCommand returns the first line of a script after comments, cd and set commands.
func firstCommand(script string) string {
	lines := strings.Split(strings.TrimSpace(script), "\n")
	first := slices.IndexFunc(lines, func(l string) bool {
		return !strings.HasPrefix(l, "set -") && !strings.HasPrefix(l, "cd ") && !strings.HasPrefix(l, "#")
	})
	if first < 0 || len(lines) == 1 {
		return lines[0]
	}
	return lines[first] + " …"
}

// stepRoutes returns the routes that the document writes.
func stepRoutes(s *plan.Step) []string {
	var out []string
	for _, r := range s.Routes {
		if !r.Do.Implicit {
			out = append(out, sanitize.Plain(routeText(r)))
		}
	}
	return out
}

// routeText returns a route as a chain: FAIL ANY → RETRY 1 → GOTO Repair.
func routeText(r plan.Route) string {
	when := r.Condition()
	do := strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(r.Do.SourceText, when), " \t:→—-"))
	if then := r.Do.AfterLimit; then != nil && !then.Implicit && then.SourceText != "" && do != then.SourceText {
		do = strings.TrimSpace(strings.TrimSuffix(do, then.SourceText)) + " → " + then.SourceText
	}
	return strings.TrimPrefix(when+" → "+do, " → ")
}

// padToWidth returns a text cut or padded to the width of its column.
func padToWidth(s string, width int) string {
	s = ansi.Truncate(s, width, "…")
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}
