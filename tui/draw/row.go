package draw

import (
	"slices"
	"strings"

	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
)

// StepName returns a row's full label and its title; for a branch, its condition.
func StepName(r *track.Row) string {
	if r.Step != nil && r.Step.IsArm() {
		return CleanLine(r.Step.ArmText())
	}
	label := r.LocalLabel
	if strings.HasSuffix(r.Label, r.LocalLabel) {
		label = r.Label
	}
	if r.Title == r.LocalLabel {
		return CleanLine(label)
	}
	return strings.TrimSpace(CleanLine(label) + " " + CleanLine(r.Title))
}

// OnlyTitleLines returns the title of a row whose step has no text of its own, in lines of w cells. It returns nil if the
// title of a pane of that width shows it whole.
func (dc *Context) OnlyTitleLines(tr *track.Track, r *track.Row, w int) []string {
	if r.Step == nil || r.Step.IsArm() || dc.Width(StepName(r)) <= w || plan.TextForDisplay(r.Step.Text, tr.Scope(r)) != "" {
		return nil
	}
	return dc.Wrap(CleanLine(r.Title), w)
}

// ToolName returns the name of a tool for people.
func ToolName(server, tool string) string {
	if server == "" || plan.IsLocalServer(server) {
		return CleanLine(tool)
	}
	return CleanLine(server) + "/" + CleanLine(tool)
}

// LastToolName returns the tool that a row called last, "" if its last action was not a tool call.
func LastToolName(r *track.Row) string {
	if !r.NewestIsToolCall() {
		return ""
	}
	return ToolName(r.NewestAction().Server, r.NewestAction().Tool)
}

// Gutter returns the first three cells of a row: the mark of the selection, the run's position, and the sign of a
// breakpoint, "" for none.
func (dc *Context) Gutter(s Selection, breakpointSign string, isCurrent bool) string {
	mark := dc.SelectionMark(s)
	switch {
	case breakpointSign != "" && isCurrent:
		return mark + dc.Accent.Paint("▶") + breakpointSign
	case breakpointSign != "":
		return mark + breakpointSign + " "
	case isCurrent:
		return mark + dc.Accent.Paint("▶") + " "
	}
	return mark + "  "
}

// AnsweredBy returns who gave a row's newest answer, reply or override, "" before there is one.
func AnsweredBy(r *track.Row) string {
	if x := r.NewestStepAttempt(); x != nil {
		return x.AnsweredBy
	}
	return ""
}

// ShortLabel returns a label in about n cells. It keeps the end of a long label, which distinguishes the
// steps of a document.
func ShortLabel(label string, n int) string {
	label = CleanLine(label)
	if i := strings.LastIndexByte(label, '/'); i > 0 && len(label) > n {
		return "…" + label[i:]
	}
	return label
}

// HintLabelWidth is the width of a step's label in a hint.
const HintLabelWidth = 12

// PossessiveLabel returns a row's label in the possessive: 2.1's.
func PossessiveLabel(r *track.Row) string { return ShortLabel(r.DisplayLabel(), HintLabelWidth) + "'s" }

// Selection says whether a row of a list is selected, and whether its list has the focus.
type Selection int

// The values of Selection.
const (
	Unselected Selection = iota
	SelectedUnfocused
	SelectedFocused
)

// SelectionOf returns the Selection of a row.
func SelectionOf(selected, focused bool) Selection {
	switch {
	case selected && focused:
		return SelectedFocused
	case selected:
		return SelectedUnfocused
	}
	return Unselected
}

// SelectionMark returns the first cell of a row: a bar if it is selected.
func (dc *Context) SelectionMark(s Selection) string {
	switch s {
	case SelectedFocused:
		return dc.Accent.Paint("▌")
	case SelectedUnfocused:
		return dc.Muted.Paint("▌")
	}
	return " "
}

// HighlightRow returns a row with the background of the selection if it is selected and its list has the
// focus, so at most one row of the screen has it.
func (dc *Context) HighlightRow(row string, w int, s Selection) string {
	if s == SelectedFocused {
		return dc.Selected.PaintOver(dc.Fit(row, w))
	}
	return row
}

// ListRow returns a row of a list, w cells wide: a mark, a blank, and a text that is cut if it is too long.
func (dc *Context) ListRow(text string, w int, s Selection) string {
	return dc.HighlightRow(dc.Cut(dc.SelectionMark(s)+" "+text, w), w, s)
}

// WrapItems returns items after each other, on as many lines of w cells as they need.
func (dc *Context) WrapItems(items []string, w int) []string {
	var out []string
	for _, row := range packIntoRows(items, dc.Width, w) {
		out = append(out, dc.Cut(strings.Join(row, cells.Spaces(HintGap)), w))
	}
	return out
}

// AnswerLines returns the keys that answer a dialog, below a blank line.
func (dc *Context) AnswerLines(keys []Hint, w int) []string {
	items := make([]string, len(keys))
	for i, h := range keys {
		items[i] = dc.Key.Paint(h.Key) + " " + h.Text
	}
	return append([]string{""}, dc.WrapItems(items, w)...)
}

// AnswerRows returns the keys that answer a dialog, in the rows in which they are drawn.
func (dc *Context) AnswerRows(keys []Hint, w int) [][]Hint {
	return packIntoRows(keys, dc.HintWidth, w)
}

// packIntoRows returns items in rows of at most w cells.
func packIntoRows[T any](items []T, width func(T) int, w int) (rows [][]T) {
	room := 0
	for _, item := range items {
		need := width(item) + HintGap
		if len(rows) == 0 || need > room {
			rows, room = append(rows, nil), w+HintGap
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], item)
		room -= need
	}
	return rows
}

// HintWidth returns how wide a hint is, in cells.
func (dc *Context) HintWidth(h Hint) int { return dc.Width(h.Key) + 1 + dc.Width(h.Text) }

// TitleFact is a fact in a title. If there is little room, facts with a higher priority are kept.
type TitleFact struct {
	Text     string
	Priority int
}

// FitFacts returns the facts that fit into room cells. It drops those of the lowest priority first, and keeps the one of
// the highest priority even if that does not fit.
func (dc *Context) FitFacts(facts []TitleFact, room int) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.Text
	}
	text := strings.Join(texts, " · ")
	if len(facts) < 2 || dc.Width(text) <= room {
		return text
	}
	lowest := slices.MinFunc(facts, func(a, b TitleFact) int { return a.Priority - b.Priority })
	i := slices.Index(facts, lowest)
	return dc.FitFacts(slices.Delete(slices.Clone(facts), i, i+1), room)
}
