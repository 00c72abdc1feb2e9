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

// actionLines returns what a step does. If its question is asked now, it leaves out what the dialog shows.
func actionLines(dc *draw.Context, cache *textCache, r *track.Row, isAsked bool, w int) []string {
	var out []string
	for i, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Tool:
			out = append(out, toolCallLines(dc, r, i, work, w)...)
		case plan.Command:
			if _, edited := r.EditedTexts[i]; !edited {
				out = append(out, commandLines(dc, cache, a, work, w)...)
			}
		case plan.Decide:
			if work.ShownBlock != nil && !isAsked {
				out = append(out, dc.InstructionLines(work.ShownBlock.Text, w)...)
			}
		case plan.Include:
			for _, doc := range work.DocumentPaths {
				out = append(out, dc.Muted.Paint("includes ")+dc.Cut(draw.CleanLine(doc), w-9))
			}
		}
	}
	return out
}

// editedCommandLines returns the commands of a step that were edited for this run, in lines.
func editedCommandLines(dc *draw.Context, r *track.Row, w int) []string {
	var out []string
	for _, i := range slices.Sorted(maps.Keys(r.EditedTexts)) {
		out = append(out, dc.Warn.Paint(dc.Cut("! edited for this run:", w)))
		for _, line := range strings.Split(sanitize.PlainLines(r.EditedTexts[i]), "\n") {
			out = append(out, dc.CodeLines(line, w)...)
		}
	}
	return out
}

// toolUseLines returns how many calls the model of a step made, how many files it changed and how many commands it ran.
// For the current step it also returns the model's list of tasks.
func toolUseLines(dc *draw.Context, t *track.Track, r *track.Row, w int) []string {
	done := r.NewestStepAttempt().EffectCounts()
	if done.Calls == 0 {
		return nil
	}
	text := plan.CountText(done.Calls, "tool call")
	if done.Files > 0 {
		text += " · " + plan.CountText(done.Files, "file") + " changed (press " + dc.Keys.FirstKeyText("files") + " to see how)"
	}
	if done.Commands > 0 {
		text += " · " + plan.CountText(done.Commands, "command")
	}
	out := []string{dc.Muted.Paint(dc.Cut(text, w))}
	if r != t.CurrentRow {
		return out
	}
	for _, todo := range t.Todos {
		line := map[string]string{"completed": "[x] ", "in_progress": "[>] "}[todo.Status]
		style := dc.Muted
		if todo.Status == "in_progress" {
			style = dc.Focus
		}
		out = append(out, style.Paint(dc.Cut(cmp.Or(line, "[ ] ")+draw.CleanLine(todo.Content), w)))
	}
	return out
}

// commandLines draws the code of an action, with its language or its validators at the right end.
func commandLines(dc *draw.Context, cache *textCache, a plan.Action, work plan.Command, w int) []string {
	label := draw.CleanLine(work.Language)
	if d, ok := a.Judge.(plan.Describer); ok && len(d.Describe().Validators) > 0 {
		label = draw.CleanLine(strings.Join(d.Describe().Validators, ", "))
	}
	k := textCacheKey{work.SourceText(), cmp.Or(work.Language, markdown.DefaultLanguage), label, w, dc.Palette.Name, dc.Measure}
	return slices.Clone(cache.lines(k, func() []string {
		return markdown.CodeBlock(sanitize.PlainLines(k.text), k.language, dc.Command.Paint("$ "), label, w, dc.Styles, dc.Measure)
	}))
}

// logpointWarnings returns the lines that logpoints wrote.
func logpointWarnings(all []machine.WarningRecorded) []machine.WarningRecorded {
	return slices.DeleteFunc(slices.Clone(all), func(w machine.WarningRecorded) bool { return w.Code != machine.LogpointCode })
}

// stepWarningLines returns the diagnostics of a step in the document that the run has not repeated, the warnings and the
// lines of logpoints of the run, and whether a shell was opened.
func stepWarningLines(dc *draw.Context, r *track.Row, warnings []machine.WarningRecorded, w int) []string {
	var out []string
	add := func(text string) { out = append(out, dc.SignedWarningLines("△", draw.CleanLine(text), w)...) }
	for _, d := range r.Plan().Diagnostics {
		if !r.Plan().IsInMainFile(d) {
			continue
		}
		repeated := slices.ContainsFunc(r.Warnings, func(w machine.WarningRecorded) bool { return w.Code == d.Code && w.Line == d.Line })
		if s := r.Step.Span; d.Severity != plan.Info && d.Line >= s.Line && d.Line <= s.LastLine && len(r.Step.Children) == 0 && !repeated {
			add(fmt.Sprintf("line %d: %s", d.Line, d.MessageWithoutFile()))
		}
	}
	for _, n := range warnings {
		if n.Code == machine.LogpointCode {
			out = append(out, dc.MarkedLines(dc.Muted.Paint("· "), dc.PaintLines(dc.Muted, draw.CleanLine(track.LogpointText(n.Message)), w-2))...)
			continue
		}
		add(n.Message)
	}
	if all := r.AllAttempts(); len(all) > 0 && all[len(all)-1].HadShell() {
		add("A shell was opened during this attempt.")
	}
	return out
}

// writtenRouteLines returns the lines of the document that say where a step leads.
func writtenRouteLines(dc *draw.Context, r *track.Row, w int) []string {
	var out []string
	for _, route := range r.Step.Routes {
		for _, m := range route.WrittenMoves() {
			if m.SourceText != "" {
				number := fmt.Sprintf("%4d  ", m.Span.Line)
				out = append(out, dc.MarkedLines(dc.Muted.Paint(number), dc.Wrap(draw.CleanLine(m.SourceText), w-len(number)))...)
			}
		}
	}
	return out
}

// toolCallLines returns a tool call with its arguments: as they were sent, else as the document writes them.
func toolCallLines(dc *draw.Context, r *track.Row, index int, w plan.Tool, width int) []string {
	args := plan.SourceText(w.Args)
	if x := r.NewestStepAttempt(); x != nil {
		for _, a := range x.Actions {
			if a.Index == index && a.Kind == "tool" {
				args = a.Args
			}
		}
	}
	out := []string{dc.Tool.Paint(dc.Cut("→ "+draw.CleanLine(tools.Title(w.Server, w.Name)), width))}
	if args = tools.PrettyJSON(args); args == "" || args == "{}" {
		return out
	}
	return append(out, markdown.CodeBlock(sanitize.PlainLines(args), "json", "", "json", width, dc.Styles, dc.Measure)...)
}
