package why

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// valueEntries returns the lines of each variable, and of the environment of the step's commands.
func (p *Pane) valueEntries(run *runview.Run) [][]string {
	dc, w, vars, environment := run.DrawContext, p.box.W, run.ShownTrack.Variables, environment(run, p.subject.Row)
	p.selectedVariableIndex = min(p.selectedVariableIndex, max(0, len(vars)-1))
	names := 0
	for _, x := range vars {
		names = max(names, min(dc.Width(draw.CleanLine(x.Name)), w/3))
	}
	for _, x := range environment {
		names = max(names, min(dc.Width(draw.CleanLine(x.name)), max(w/3, minNameWidth)))
	}
	var out [][]string
	add := func(s draw.Selection, name, value, from string) {
		lines := nameValueLines(dc, names, name, value, from, w-2)
		for i, line := range lines {
			lines[i] = dc.ListRow(line, w, s)
		}
		out = append(out, lines)
	}
	for i, x := range vars {
		add(draw.SelectionOf(i == p.selectedVariableIndex, run.Focus == layout.WhyPane), x.Name, quotedValue(run, x), valueOrigin(run.ShownTrack, x, w))
	}
	for _, x := range environment {
		add(draw.Unselected, x.name, x.value, x.description)
	}
	return append(out, noEnvironmentLines(run, p.subject.Row, w))
}

// entryIndexByLine returns for each line the index of the entry that it belongs to.
func entryIndexByLine(entries [][]string) (out []int) {
	for i, lines := range entries {
		out = append(out, slices.Repeat([]int{i}, len(lines))...)
	}
	return out
}

// quotedValue returns a value as WHY does: a text in quotes.
func quotedValue(run *runview.Run, x track.Variable) string {
	text := run.ShownValueText(x)
	if _, is := x.Value.(string); !is || text == runview.PresentingPlaceholder {
		return text
	}
	if visible := plan.VisibleLines(text); visible != text { // it has quotes
		return visible
	}
	first, rest, several := strings.Cut(text, "\n")
	if several {
		return wording.Quote(first) + "\n" + rest
	}
	return wording.Quote(first)
}

// valueOrigin returns where a variable's value comes from, marked if a person set it.
func valueOrigin(tr *track.Track, x track.Variable, w int) string {
	if r := tr.RowByLabel(x.SetByStep); r != nil && w >= minStepTitleWidth {
		x.SetByStep = draw.StepName(r)
	}
	origin := wording.VariableOrigin(x)
	if x.SetBy != "" {
		return "! " + origin
	}
	return origin
}

// minStepTitleWidth is the minimum width at which the title of a value's step shows.
const minStepTitleWidth = 60

// runsCommands reports whether a row runs commands.
func runsCommands(r *track.Row) bool {
	return r.Step != nil && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		_, command := a.Work.(plan.Command)
		return command
	})
}

// minNameWidth is the width of the longest name that Playhead itself gives.
const minNameWidth = len("PLAYHEAD_ATTEMPT")

// environmentVariable is a variable that Playhead sets for commands.
type environmentVariable struct{ name, value, description string }

// environment returns what Playhead sets for a row's commands, nil if it runs none and there is something
// else to show.
func environment(run *runview.Run, r *track.Row) []environmentVariable {
	if r == nil || !r.IsExecutable() || run.IsPresenting || len(run.ShownTrack.Variables) > 0 && !runsCommands(r) {
		return nil
	}
	out := []environmentVariable{
		{"PLAYHEAD_RUN_ID", run.ShownTrack.RunID, ""},
		{"PLAYHEAD_STEP", r.Label, ""},
		{"PLAYHEAD_ATTEMPT", strconv.Itoa(max(0, r.Attempt-1)), "retries so far"},
	}
	for _, id := range slices.Sorted(maps.Keys(r.InstanceNumbers())) {
		out = append(out, environmentVariable{id, strconv.Itoa(r.InstanceNumbers()[id]), "instance"})
	}
	return out
}

// noEnvironmentLines returns why the environment of a row's commands does not show, nil if it does or is
// of no interest.
func noEnvironmentLines(run *runview.Run, r *track.Row, w int) []string {
	dc := run.DrawContext
	switch {
	case len(run.ShownTrack.Variables) > 0 && r != nil && !runsCommands(r):
	case r == nil || !r.IsExecutable():
		return dc.Wrap(dc.Muted.Paint("Select a step that runs a command to see its environment."), w)
	case run.IsPresenting:
		return []string{dc.Muted.Paint("The environment is " + runview.PresentingPlaceholder + ".")}
	}
	return nil
}

// titleGap is the number of cells of a title that its two parts cannot have.
const titleGap = 4

// valueFacts returns how many variables there are, how many Playhead sets for commands, and the key that
// leaves the values.
func valueFacts(run *runview.Run, r *track.Row) []draw.TitleFact {
	var facts []draw.TitleFact
	addCount := func(n int, text string) {
		if n > 0 {
			facts = append(facts, draw.TitleFact{Text: text, Priority: 3 - 2*len(facts)})
		}
	}
	ofRun, ofPlayhead := len(run.ShownTrack.Variables), len(environment(run, r))
	addCount(ofRun, plan.CountText(ofRun, "variable"))
	addCount(ofPlayhead, plan.CountText(ofPlayhead, "environment variable"))
	if len(facts) == 0 {
		facts = append(facts, draw.TitleFact{Text: "no variables", Priority: 3})
	}
	return append(facts, draw.TitleFact{Text: run.DrawContext.Keys.FirstKeyText("values") + " back to why", Priority: 2})
}

// maxValueLines limits a value to about this many lines.
const maxValueLines = 3

// nameValueLines returns a name in a column of its own, its value, wrapped, and where the value comes from.
func nameValueLines(dc *draw.Context, nameWidth int, name, value, from string, w int) []string {
	value, rest, several := strings.Cut(value, "\n")
	if several {
		from = strings.TrimSuffix("+"+plan.CountText(strings.Count(rest, "\n")+1, "line")+" · "+from, " · ")
	}
	name, from = dc.Fit(draw.CleanLine(name), nameWidth), dc.Cut(draw.CleanLine(from), w/3)
	room := w - nameWidth - 3 - dc.Width(from)
	out := dc.MarkedLines(dc.Muted.Paint(name)+"  ", dc.WrapText(dc.Cut(draw.CleanLine(value), maxValueLines*room), room))
	out[0] = dc.LeftRight(out[0], dc.Muted.Paint(from), w)
	return out
}
