package draw

// Selection says whether a row of a list is selected, and whether its list has the focus.
type Selection int

// The states of a row.
const (
	Unselected Selection = iota
	SelectedBehind
	SelectedInFocus
)

// SelectedIf is the state of a row that is selected or not, in a list that has the focus or not.
func SelectedIf(selected, focused bool) Selection {
	switch {
	case selected && focused:
		return SelectedInFocus
	case selected:
		return SelectedBehind
	}
	return Unselected
}

// Mark is the first cell of a row: a bar where it is selected.
func (l *Look) Mark(s Selection) string {
	switch s {
	case SelectedInFocus:
		return l.Accent.Paint("▌")
	case SelectedBehind:
		return l.Muted.Paint("▌")
	}
	return " "
}

// Raise sets a whole row off from the others where it is selected.
func (l *Look) Raise(row string, w int, s Selection) string {
	switch s {
	case SelectedInFocus:
		return l.Selected.Over(l.Fit(row, w))
	case SelectedBehind:
		return l.Dimmed.Over(l.Fit(row, w))
	}
	return row
}

// Row is a row of a list, w cells wide: a mark, a blank and a text, which is cut if it is too long.
func (l *Look) Row(text string, w int, s Selection) string {
	return l.Raise(l.Cut(l.Mark(s)+" "+text, w), w, s)
}
