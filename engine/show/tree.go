package show

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// treeLine is a step in three columns: where it is, what it does, where it leads.
type treeLine struct {
	first, below  string // what the tree draws in front of the name, and of lines that go on
	name, summary string
	routes        []string
	step          *plan.Step
}

const (
	widest    = 40 // how wide a column may push the next one, if not all of them fit
	narrowest = 12 // a column that gives way, on a narrow terminal
	readable  = 30 // what the routes are left with, if the summaries can give way
	least     = 24 // what the routes are left with, if only the names can give way
	gap       = "   "
)

// writeTree prints the steps of a document as a tree, width columns wide; 0 is as
// wide as it takes.
func writeTree(w io.Writer, p *plan.Plan, width int) {
	fmt.Fprintln(w, strings.Join(hang("", "", sanitize.Plain(p.Title), width), "\n"))
	lines := treeLines(nil, p.Steps, "")
	names, summaries := columnWidths(lines, width)
	for _, l := range lines {
		l.write(w, names, summaries, width)
		for _, line := range detailLines(l.step, l.below, width) {
			fmt.Fprintln(w, line)
		}
	}
}

// columnWidths returns the widths of the names and of the summaries; the routes get the rest.
func columnWidths(lines []treeLine, width int) (names, summaries int) {
	routes, route := 0, 0 // in one line, and the longest one
	for _, l := range lines {
		names, summaries = max(names, ansi.StringWidth(l.first+l.name)), max(summaries, ansi.StringWidth(l.summary))
		routes = max(routes, ansi.StringWidth(joined(l.routes)))
		for _, r := range l.routes {
			route = max(route, ansi.StringWidth(r))
		}
	}
	if names+summaries+routes+2*len(gap) <= width {
		return names, summaries
	}
	names, summaries = min(names, widest), min(summaries, widest)
	if width > 0 {
		summaries = min(summaries, max(narrowest, width-names-2*len(gap)-min(route, readable)))
		names = min(names, max(narrowest, width-summaries-2*len(gap)-min(route, least)))
	}
	return names, summaries
}

// write prints the step in as many lines as its texts take, or in one where nothing says how wide the terminal is.
func (l treeLine) write(w io.Writer, names, summaries, width int) {
	name, summary := []string{l.first + l.name}, []string{l.summary}
	if width > 0 {
		name, summary = hang(l.first, l.below, l.name, names), hang("", "", l.summary, summaries)
	}
	routes := wrapped(l.routes, width-names-summaries-2*len(gap))
	for i := range max(len(name), len(summary), len(routes)) {
		cells := [3]string{l.below}
		for at, rows := range [][]string{name, summary, routes} {
			if i < len(rows) {
				cells[at] = rows[i]
			}
		}
		line := column(cells[0], names) + gap + column(cells[1], summaries) + gap + cells[2]
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// hang puts a text into lines of a width, with what the tree draws in front of the first one and of those below. It
// shortens the text where little room is left, and leaves it as it is where the width is 0.
func hang(first, below, text string, width int) []string {
	room := width - max(ansi.StringWidth(first), ansi.StringWidth(below))
	switch {
	case width == 0 || ansi.StringWidth(first+text) <= width:
		return []string{first + text}
	case room < narrowest/2:
		return []string{ansi.Truncate(first+text, width, "…")}
	}
	lines := strings.Split(ansi.Wrap(text, room, ""), "\n")
	for i, front := 0, first; i < len(lines); i, front = i+1, below {
		lines[i] = front + lines[i]
	}
	return lines
}

// joined returns routes in one line.
func joined(routes []string) string { return strings.Join(routes, " · ") }

// wrapped puts routes into lines of some room, if it is a terminal's.
func wrapped(routes []string, room int) []string {
	text := joined(routes)
	if room <= 0 || ansi.StringWidth(text) <= room {
		return []string{text}
	}
	var rows []string
	for _, route := range routes {
		rows = append(rows, strings.Split(ansi.Wrap(route, room, ""), "\n")...)
	}
	return rows
}

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
			first:   indent + branch,
			below:   after,
			name:    stepName(s),
			summary: sanitize.Plain(stepSummary(s)),
			routes:  stepRoutes(s),
			step:    s,
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
	if len(s.Children) > 0 && routes.Decides(s) {
		words = append(words, map[plan.Join]string{plan.All: "pessimistic", plan.Any: "optimistic"}[s.Join])
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

func actionSummary(w plan.Work) string {
	switch w := w.(type) {
	case plan.Command:
		return "$ " + firstCommand(plan.Source(w.Text))
	case plan.Decide:
		if w.Show != nil {
			return "prompt block"
		}
		return ""
	case plan.Include:
		return "▸ " + strings.Join(w.Docs, ", ")
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
		names[i] = plan.Source(t)
		if mode := w.Permissions.Mode; mode != "" {
			names[i] = cmp.Or(plan.LocalTool(names[i]), names[i])
		}
	}
	out := "tools " + strings.Join(names, ", ")
	if w.Permissions.Mode != "" {
		out += ", mode " + string(w.Permissions.Mode)
	}
	return out
}

// firstCommand returns the first line of a script that does more than prepare it.
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
	do := strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(r.Do.Text, when), " \t:→—-"))
	if then := r.Do.Then; then != nil && !then.Implicit && then.Text != "" && do != then.Text {
		do = strings.TrimSpace(strings.TrimSuffix(do, then.Text)) + " → " + then.Text
	}
	return strings.TrimPrefix(when+" → "+do, " → ")
}

// column returns a text cut or padded to the width of its column.
func column(s string, width int) string {
	s = ansi.Truncate(s, width, "…")
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}
