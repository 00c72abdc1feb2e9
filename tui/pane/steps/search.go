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

// Unavailable is empty: the pane's actions can always be done.
func (t *Pane) Unavailable(*runview.Run, string) string { return "" }

// Label is empty: the pane's actions are called what they are called everywhere.
func (t *Pane) Label(string) string { return "" }

// Actions is empty: what the state of the run calls for is offered.
func (t *Pane) Actions() []string { return nil }

// SearchIdentity is always the same: the steps.
func (t *Pane) SearchIdentity() any { return nil }

// Highlight has the matches of a search stand out.
func (t *Pane) Highlight(s *search.Search) { t.marks, t.stale = s, true }

// Position returns what goes back to the selection and to the rows in sight.
func (t *Pane) Position(*runview.Run) func(*runview.Run) []tea.Msg {
	top, row, follow := t.top, t.Selected(), t.follow
	return func(run *runview.Run) []tea.Msg {
		t.Choose(run.Shown, row)
		t.top, t.follow = top, follow
		return nil
	}
}

// SearchText is all steps, also those that are folded away: what they are called, and what they do.
func (t *Pane) SearchText(run *runview.Run, _ *search.Search) search.Text {
	rows := t.Rows(run.Shown)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = draw.StepName(r) + actionsText(r)
	}
	at := search.Chosen(max(0, slices.Index(rows, t.Selected())))
	return search.Text{Lines: search.LinesOf(lines), At: at, Show: func(line int) []tea.Msg {
		t.Select(run.Shown, rows[line])
		return nil
	}}
}

// Excerpts are the title of the selected step. What else there is of it is the text's.
func (t *Pane) Excerpts(*runview.Run) []excerpt.Excerpt {
	r := t.Selected()
	if r == nil {
		return nil
	}
	title := excerpt.Of("title", draw.Owner(r)+" title", draw.StepName(r))
	title.Part = true
	return []excerpt.Excerpt{title}
}

// maxRows is how many rows are searched: documents that include each other again and
// again are not opened beyond that.
const maxRows = 20_000

// Rows returns all rows in reading order, also those that are folded away, and those of
// documents that nobody has looked into yet.
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

// actionsText is what a step does, as its document writes it.
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
