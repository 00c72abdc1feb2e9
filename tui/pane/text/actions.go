package text

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/markdown"
)

// actions returns what a step does. If its question is asked now, it leaves out what the dialog shows.
func actions(l *draw.Look, r *track.Row, asked bool, w int) []string {
	var out []string
	for i, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Tool:
			out = append(out, toolCall(l, r, i, work, w)...)
		case plan.Command:
			if _, edited := r.Edits[i]; !edited {
				out = append(out, command(l, a, work, w)...)
			}
		case plan.Decide:
			if work.Show != nil && !asked {
				out = append(out, l.Instruction(work.Show.Text, w)...)
			}
		case plan.Include:
			for _, doc := range work.Docs {
				out = append(out, l.Muted.Paint("includes ")+l.Cut(draw.Clean(doc), w-9))
			}
		}
	}
	return out
}

// edits returns the edits of a step's commands in this run.
func edits(l *draw.Look, r *track.Row, w int) []string {
	var out []string
	for _, i := range slices.Sorted(maps.Keys(r.Edits)) {
		out = append(out, l.Warn.Paint(l.Cut("! edited for this run:", w)))
		for _, line := range strings.Split(sanitize.Text(r.Edits[i]), "\n") {
			out = append(out, l.Code(line, w)...)
		}
	}
	return out
}

// work returns how many tools the model of a step used. For the current step it also returns the model's
// list of tasks.
func work(l *draw.Look, t *track.Track, r *track.Row, w int) []string {
	done := r.LastVisit().EffectCounts()
	if done.Calls == 0 {
		return nil
	}
	text := plan.Count(done.Calls, "tool call")
	if done.Files > 0 {
		text += " · " + plan.Count(done.Files, "file") + " changed, " + l.Keys.Name("files") + " shows them"
	}
	if done.Commands > 0 {
		text += " · " + plan.Count(done.Commands, "command")
	}
	out := []string{l.Muted.Paint(l.Cut(text, w))}
	if r != t.Current {
		return out
	}
	for _, todo := range t.Todos {
		line := map[string]string{"completed": "[x] ", "in_progress": "[>] "}[todo.Status]
		ink := l.Muted
		if todo.Status == "in_progress" {
			ink = l.Focus
		}
		out = append(out, ink.Paint(l.Cut(cmp.Or(line, "[ ] ")+draw.Clean(todo.Content), w)))
	}
	return out
}

// defaultLanguage is the language of a command whose document names none.
const defaultLanguage = "bash"

// command returns a command, with its language or its checks at the right end.
func command(l *draw.Look, a plan.Action, work plan.Command, w int) []string {
	label := draw.Clean(work.Language)
	if d, ok := a.Judge.(plan.Describer); ok && len(d.Describe().Validators) > 0 {
		label = draw.Clean(strings.Join(d.Describe().Validators, ", "))
	}
	out := markdown.Block(sanitize.Text(work.Source()), cmp.Or(work.Language, defaultLanguage), l.Command.Paint("$ "), label, w, l.Styles)
	for i, line := range out {
		out[i] = l.Cut(line, w)
	}
	return out
}

// ofBreakpoints returns the warnings about breakpoints.
func ofBreakpoints(all []machine.Warned) []machine.Warned {
	return slices.DeleteFunc(slices.Clone(all), func(w machine.Warned) bool { return w.Code != machine.BreakpointCode })
}

// notes returns the diagnostics of a step in the document, the warnings of the run, and whether a shell was
// opened.
func notes(l *draw.Look, r *track.Row, warnings []machine.Warned, w int) []string {
	var out []string
	add := func(text string) { out = append(out, warning(l, text, w)...) }
	for _, d := range r.Plan().Diagnostics {
		if !r.Plan().IsInMainFile(d) {
			continue
		}
		repeated := slices.ContainsFunc(r.Warnings, func(w machine.Warned) bool { return w.Code == d.Code && w.Line == d.Line })
		if s := r.Step.Span; d.Severity != plan.Info && d.Line >= s.Line && d.Line <= s.End && len(r.Step.Children) == 0 && !repeated {
			add(fmt.Sprintf("line %d: %s", d.Line, d.MessageWithoutFile()))
		}
	}
	for _, n := range warnings {
		add(n.Message)
	}
	if all := r.History(); len(all) > 0 && all[len(all)-1].HadShell() {
		add("A shell was opened during this visit.")
	}
	return out
}

// warning returns a warning in lines of at most w cells.
func warning(l *draw.Look, text string, w int) []string {
	var out []string
	for i, line := range l.Wrap(draw.Clean(text), w-2) {
		mark := "  "
		if i == 0 {
			mark = "△ "
		}
		out = append(out, l.Warn.Paint(mark+line))
	}
	return out
}

// writtenRoutes returns the lines of the document that say where a step leads.
func writtenRoutes(l *draw.Look, r *track.Row, w int) []string {
	var out []string
	for _, route := range r.Step.Routes {
		if route.Do.Implicit || route.Do.Text == "" {
			continue
		}
		out = append(out, l.Numbered(fmt.Sprintf("%4d  ", route.Do.Span.Line), draw.Clean(route.Do.Text), w)...)
	}
	return out
}

// toolCall returns a tool call with its arguments: as they were sent, else as the document writes them.
func toolCall(l *draw.Look, r *track.Row, index int, w plan.Tool, width int) []string {
	args := plan.Source(w.Args)
	if x := r.LastVisit(); x != nil {
		for _, a := range x.Actions {
			if a.Index == index && a.Kind == "tool" {
				args = a.Args
			}
		}
	}
	out := []string{l.Tool.Paint(l.Cut("→ "+draw.Clean(tools.Title(w.Server, w.Name)), width))}
	if args = tools.Pretty(args); args == "" || args == "{}" {
		return out
	}
	return append(out, markdown.Block(sanitize.Text(args), "json", "", "json", width, l.Styles)...)
}
