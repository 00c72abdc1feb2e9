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

// UnavailableReason returns "": the pane's actions are always available.
func (sp *Pane) UnavailableReason(*runview.Run, string) string { return "" }

// ActionLabel returns "": the actions keep their usual names.
func (sp *Pane) ActionLabel(string) string { return "" }

// HintActions returns nil: the state of the run decides what is offered.
func (sp *Pane) HintActions() []string { return nil }

// SearchIdentity returns nil: the pane always shows the same thing, the steps.
func (sp *Pane) SearchIdentity() any { return nil }

// Highlight sets the search whose matches are highlighted.
func (sp *Pane) Highlight(s *search.Search) { sp.search, sp.isStale = s, true }

// PositionRestorer returns a function that restores the selection and the scroll position.
func (sp *Pane) PositionRestorer(*runview.Run) func(*runview.Run) []tea.Msg {
	top, row, follow := sp.topIndex, sp.SelectedRow(), sp.followsRun
	return func(run *runview.Run) []tea.Msg {
		sp.RevealRow(run.ShownTrack, row)
		sp.topIndex, sp.followsRun = top, follow
		return nil
	}
}

// SearchText returns the names and actions of all steps, including folded ones.
func (sp *Pane) SearchText(run *runview.Run, _ *search.Search) search.Text {
	rows := sp.ExpandAllRows(run.ShownTrack)
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = draw.StepName(r) + actionsText(r)
	}
	at := search.LinePosition(max(0, slices.Index(rows, sp.SelectedRow())))
	return search.Text{Lines: search.MemoryLinesOf(lines), Position: at, ShowLine: func(line int) []tea.Msg {
		sp.SelectRow(run.ShownTrack, rows[line])
		return nil
	}}
}

// DocumentPlace returns the place of the selected step.
func (sp *Pane) DocumentPlace(run *runview.Run) (place runview.DocumentPlace, ok bool) {
	return run.PlaceOfRow(run.SelectedRow), run.SelectedRow != nil
}

// Excerpts returns the title of the selected step. The text pane has the rest.
func (sp *Pane) Excerpts(*runview.Run) []excerpt.Excerpt {
	r := sp.SelectedRow()
	if r == nil {
		return nil
	}
	title := excerpt.FromText("title", draw.PossessiveLabel(r)+" title", draw.StepName(r))
	title.IsPartOfPane = true
	return []excerpt.Excerpt{title}
}

// maxSearchedRows limits the rows that are searched, because documents can include each other without end.
const maxSearchedRows = 20_000

// ExpandAllRows returns all rows in reading order, including folded ones and those of documents that have not been
// opened.
func (sp *Pane) ExpandAllRows(tr *track.Track) []*track.Row {
	var out []*track.Row
	var list func(rows []*track.Row)
	list = func(rows []*track.Row) {
		for _, r := range sp.upcomingInstance.InsertInto(rows) {
			if r.IsHidden {
				continue
			}
			if out = append(out, r); len(out) < maxSearchedRows {
				tr.ExpandDocument(r)
				sp.upcomingInstance.ExpandDocument(r)
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
			b.WriteString("\n" + sanitize.PlainLines(plan.SourceText(work.Text)))
		case plan.Tool:
			b.WriteString("\n" + draw.CleanLine(tools.Title(work.Server, work.Name)))
		case plan.Decide:
			if work.ShownBlock != nil {
				b.WriteString("\n" + sanitize.PlainLines(work.ShownBlock.Text))
			}
		case plan.Include:
			b.WriteString("\n" + draw.CleanLine(strings.Join(work.DocumentPaths, " ")))
		}
	}
	return b.String()
}
