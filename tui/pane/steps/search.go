package steps

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Unavailable returns "": the pane's actions are always available.
func (t *Pane) Unavailable(*runview.Run, string) string { return "" }

// Label returns "": the actions keep their usual names.
func (t *Pane) Label(string) string { return "" }

// Actions returns nil: the state of the run decides what is offered.
func (t *Pane) Actions() []string { return nil }

// SearchIdentity returns nil: the pane always shows the same thing, the steps.
func (t *Pane) SearchIdentity() any { return nil }

// Highlight sets the search whose matches are highlighted.
func (t *Pane) Highlight(s *search.Search) { t.search, t.stale = s, true }

// Position returns a function that restores the selection and the scroll position.
func (t *Pane) Position(*runview.Run) func(*runview.Run) []tea.Msg {
	top, row, follow := t.top, t.Selected(), t.follow
	return func(run *runview.Run) []tea.Msg {
		t.Choose(run.Shown, row)
		t.top, t.follow = top, follow
		return nil
	}
}

// SearchText returns the names and actions of all steps, including folded ones.
func (t *Pane) SearchText(run *runview.Run, _ *search.Search) search.Text {
	rows := t.Rows(run.Shown)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = draw.StepName(r) + actionsText(r)
	}
	at := search.LineReach(max(0, slices.Index(rows, t.Selected())))
	return search.Text{Lines: search.LinesOf(lines), At: at, Show: func(line int) []tea.Msg {
		t.Select(run.Shown, rows[line])
		return nil
	}}
}

// Excerpts returns the title of the selected step. The text pane has the rest.
func (t *Pane) Excerpts(*runview.Run) []excerpt.Excerpt {
	r := t.Selected()
	if r == nil {
		return nil
	}
	title := excerpt.Of("title", draw.Owner(r)+" title", draw.StepName(r))
	title.Part = true
	return []excerpt.Excerpt{title}
}

// maxRows limits the rows that are searched, because documents can include each other without end.
const maxRows = 20_000

// Rows returns all rows in reading order, including folded ones and those of documents that have not been
// opened.
func (t *Pane) Rows(tr *track.Track) []*track.Row {
	var out []*track.Row
	var list func(rows []*track.Row)
	list = func(rows []*track.Row) {
		for _, r := range t.upcoming.InsertInto(rows) {
			if r.Hidden {
				continue
			}
			if out = append(out, r); len(out) < maxRows {
				tr.Expand(r)
				t.upcoming.Expand(r)
			}
			list(r.Children)
		}
	}
	list(tr.Rows)
	return out
}

// actionsText returns what a step does, as its document writes it.
func actionsText(r *track.Row) string {
	if r.Step == nil {
		return ""
	}
	var b strings.Builder
	for _, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Command:
			b.WriteString("\n" + sanitize.Text(plan.Source(work.Text)))
		case plan.Tool:
			b.WriteString("\n" + draw.Clean(tools.Title(work.Server, work.Name)))
		case plan.Decide:
			if work.Show != nil {
				b.WriteString("\n" + sanitize.Text(work.Show.Text))
			}
		case plan.Include:
			b.WriteString("\n" + draw.Clean(strings.Join(work.Docs, " ")))
		}
	}
	return b.String()
}
