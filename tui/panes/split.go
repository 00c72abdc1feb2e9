package panes

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Split is how a person has divided the screen. The zero value is the default. Sizes are fractions, so that
// they suit windows of any size.
type Split struct {
	Steps  int      `json:"tree,omitempty"`   // width of the steps, in thousandths of the screen's; 0: default
	Text   int      `json:"text,omitempty"`   // height of the text, in thousandths of the column's; 0: default
	Why    int      `json:"why,omitempty"`    // height of WHY, in the same unit
	Hidden []string `json:"hidden,omitempty"` // hidden panes: steps, text, output, why
}

// Minimum sizes: columns of the steps and of the panes beside them, lines of the text and of WHY.
const (
	MinSteps = 14
	MinRight = 36
	MinText  = 2
	minWhy   = 2
)

// Same reports whether two splits are equal.
func (s Split) Same(o Split) bool {
	return s.Steps == o.Steps && s.Text == o.Text && s.Why == o.Why && slices.Equal(s.Hidden, o.Hidden)
}

// Hides reports whether a pane is hidden.
func (s Split) Hides(p Pane) bool { return slices.Contains(s.Hidden, Kinds[p].Name) }

// Home returns the pane that has the focus at first, and to which esc returns: the steps, if they show.
func (s Split) Home() Pane {
	for p := Steps; p < Why; p++ {
		if !s.Hides(p) {
			return p
		}
	}
	return Why
}

// treeAlone reports whether only the steps show.
func (s Split) treeAlone() bool {
	return s.Hides(Text) && s.Hides(Output) && s.Hides(Why)
}

// WithHidden returns the split with a pane hidden, or shown if gone is false.
func (s Split) WithHidden(p Pane, gone bool) Split {
	s.Hidden = slices.DeleteFunc(slices.Clone(s.Hidden), func(name string) bool { return name == Kinds[p].Name })
	if gone {
		s.Hidden = append(s.Hidden, Kinds[p].Name)
	}
	return s
}

// StepsWidth returns the width of the steps column on a screen of w columns, 0 if it is hidden. The column
// becomes a little wider than usual if that shows rows completely: row is the width of the widest row that
// MostRow allows.
func (s Split) StepsWidth(w, row int) int {
	switch {
	case s.Hides(Steps):
		return 0
	case s.Steps > 0:
		return min(max(shareOf(s.Steps, w), MinSteps), w-3-MinRight)
	}
	return max(usualSteps(w), min(row, MostRow(w))+rowMargin)
}

// rowMargin is the number of blank cells beside the rows of the steps.
const rowMargin = 2

func usualSteps(w int) int { return min(max(w*3/10, 26), 46) }

// MostRow returns the maximum width of a row of the steps on a screen of w columns.
func MostRow(w int) int { return usualSteps(w) + 4 - rowMargin }

// textHeight returns the height of the text with its title in a column of body lines, 0 if it is hidden.
func (s Split) textHeight(body int) int {
	switch {
	case s.Hides(Text):
		return 0
	case s.Text > 0:
		return 1 + min(max(shareOf(s.Text, body), MinText), body-1-MinOutput-1-minWhy)
	}
	return 1 + max(3, body*3/10)
}

// whyHeight returns the height of WHY without its title, 0 for the default height.
func (s Split) whyHeight(body int) int {
	if s.Why == 0 {
		return 0
	}
	return max(shareOf(s.Why, body), minWhy)
}

// shareOf returns thousandths of n; thousandths is its inverse, so a size survives a round trip.
func shareOf(thousandths, n int) int { return (thousandths*n + 500) / 1000 }

func thousandths(size, n int) int { return max(1, (size*1000+n/2)/n) }

// DropInvalid returns the split without values that cannot be used, as a file may have them.
func (s Split) DropInvalid() Split {
	within := func(n int) int {
		if n < 0 || n > 1000 {
			return 0
		}
		return n
	}
	out := Split{Steps: within(s.Steps), Text: within(s.Text), Why: within(s.Why)}
	for p := Steps; p <= Why; p++ {
		if s.Hides(p) && len(out.Hidden) < len(All)-1 {
			out.Hidden = append(out.Hidden, Kinds[p].Name)
		}
	}
	return out
}

// LoadSplit returns how the screen was divided when it was left, or the default with an error.
func LoadSplit(file string) (split Split, err error) {
	data, err := infile.Read(file, infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return split, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &split)
	}
	if err != nil {
		return Split{}, err
	}
	return split.DropInvalid(), nil
}

// Save writes the split to a file, for the next screen.
func (s Split) Save(file string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return outfile.WriteState(file, data)
}
