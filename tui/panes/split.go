package panes

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Split is how a person has divided the screen; the zero value is the usual way. Sizes are
// shares, so that they hold for windows of any size.
type Split struct {
	Steps  int      `json:"tree,omitempty"`   // width of the steps, in thousandths of the screen's; 0: as usual
	Text   int      `json:"text,omitempty"`   // height of the text, in thousandths of the column's; 0: as usual
	Why    int      `json:"why,omitempty"`    // height of WHY, likewise
	Hidden []string `json:"hidden,omitempty"` // of steps, text, output, why: those that do not show
}

// How small panes get: columns of the steps and of what is beside them, lines of the text
// and of WHY.
const (
	MinSteps = 14
	MinRight = 36
	MinText  = 2
	minWhy   = 2
)

// Same reports whether two ways to divide the screen are one.
func (s Split) Same(o Split) bool {
	return s.Steps == o.Steps && s.Text == o.Text && s.Why == o.Why && slices.Equal(s.Hidden, o.Hidden)
}

// Hides reports whether a pane does not show.
func (s Split) Hides(p Pane) bool { return slices.Contains(s.Hidden, Kinds[p].Name) }

// Home is the pane where a person begins, and where esc leads: the steps, if they show.
func (s Split) Home() Pane {
	for p := Steps; p < Why; p++ {
		if !s.Hides(p) {
			return p
		}
	}
	return Why
}

// treeAlone reports whether nothing shows beside the steps.
func (s Split) treeAlone() bool {
	return s.Hides(Text) && s.Hides(Output) && s.Hides(Why)
}

// WithHidden is the split without a pane, or with it.
func (s Split) WithHidden(p Pane, gone bool) Split {
	s.Hidden = slices.DeleteFunc(slices.Clone(s.Hidden), func(name string) bool { return name == Kinds[p].Name })
	if gone {
		s.Hidden = append(s.Hidden, Kinds[p].Name)
	}
	return s
}

// Left is the width of the column of steps on a screen of w columns, 0 without it. It is a little wider
// than usual if that shows rows whole: row is the widest one of those that fit.
func (s Split) Left(w, row int) int {
	switch {
	case s.Hides(Steps):
		return 0
	case s.Steps > 0:
		return min(max(shareOf(s.Steps, w), MinSteps), w-3-MinRight)
	}
	return max(usualSteps(w), min(row, MostRow(w))+rowMargin)
}

// rowMargin is how much of the column of steps is blank beside the rows.
const rowMargin = 2

func usualSteps(w int) int { return min(max(w*3/10, 26), 46) }

// MostRow is how wide a row of the steps can be on a screen of w columns.
func MostRow(w int) int { return usualSteps(w) + 4 - rowMargin }

// textHeight is the height of the text and its title in a column of so many lines, 0 without it.
func (s Split) textHeight(body int) int {
	switch {
	case s.Hides(Text):
		return 0
	case s.Text > 0:
		return 1 + min(max(shareOf(s.Text, body), MinText), body-1-MinOutput-1-minWhy)
	}
	return 1 + max(3, body*3/10)
}

// whyHeight is the height of WHY, without its title, 0 where it is as usual.
func (s Split) whyHeight(body int) int {
	if s.Why == 0 {
		return 0
	}
	return max(shareOf(s.Why, body), minWhy)
}

// shareOf is so many thousandths of n, and thousandths its inverse: a size that was set
// comes out again.
func shareOf(thousandths, n int) int { return (thousandths*n + 500) / 1000 }

func thousandths(size, n int) int { return max(1, (size*1000+n/2)/n) }

// DropInvalid is the split without what makes no sense, as it may be in a file.
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

// LoadSplit is how the screen was divided when it was left; with an error, as usual.
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

// Save keeps the split for the next screen.
func (s Split) Save(file string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return outfile.WriteState(file, data)
}
