package layout

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
	StepsShare  int      `json:"tree,omitempty"`   // width of the steps, in thousandths of the screen's; 0: default
	TextShare   int      `json:"text,omitempty"`   // height of the text, in thousandths of the column's; 0: default
	WhyShare    int      `json:"why,omitempty"`    // height of WHY, in the same unit
	HiddenPanes []string `json:"hidden,omitempty"` // hidden panes: steps, text, output, why
}

// Minimum sizes: columns of the steps and of the panes beside them, lines of the text and of WHY.
const (
	MinStepsWidth = 14
	MinRightWidth = 36
	MinTextLines  = 2
	minWhyLines   = 2
)

// Equal reports whether two splits are equal.
func (s Split) Equal(o Split) bool {
	return s.StepsShare == o.StepsShare && s.TextShare == o.TextShare && s.WhyShare == o.WhyShare && slices.Equal(s.HiddenPanes, o.HiddenPanes)
}

// Hides reports whether a pane is hidden.
func (s Split) Hides(p PaneID) bool { return slices.Contains(s.HiddenPanes, PaneKinds[p].Name) }

// HomePane returns the pane that has the focus at first, and to which esc returns: the steps, if they show.
func (s Split) HomePane() PaneID {
	visible := slices.IndexFunc(AllPanes, func(p PaneID) bool { return !s.Hides(p) })
	return AllPanes[max(0, visible)]
}

// showsOnlySteps reports whether only the steps show.
func (s Split) showsOnlySteps() bool {
	return !slices.ContainsFunc(AllPanes, func(p PaneID) bool { return p != StepsPane && !s.Hides(p) })
}

// WithShown returns the split with a pane shown.
func (s Split) WithShown(p PaneID) Split {
	s.HiddenPanes = slices.DeleteFunc(slices.Clone(s.HiddenPanes), func(name string) bool { return name == PaneKinds[p].Name })
	return s
}

// WithHidden returns the split with a pane hidden.
func (s Split) WithHidden(p PaneID) Split {
	s = s.WithShown(p)
	s.HiddenPanes = append(s.HiddenPanes, PaneKinds[p].Name)
	return s
}

// StepsWidth returns the width of the steps column on a screen of w columns, 0 if it is hidden. The column
// becomes a little wider than usual if that shows rows completely: row is the width of the widest row that
// MaxStepsRowWidth allows.
func (s Split) StepsWidth(w, row int) int {
	switch {
	case s.Hides(StepsPane):
		return 0
	case s.StepsShare > 0:
		return min(max(fromThousandths(s.StepsShare, w), MinStepsWidth), w-3-MinRightWidth)
	}
	return max(usualStepsWidth(w), min(row, MaxStepsRowWidth(w))+stepsRowMargin)
}

// stepsRowMargin is the number of blank cells beside the rows of the steps.
const stepsRowMargin = 2

func usualStepsWidth(w int) int { return min(max(w*3/10, 26), 46) }

// MaxStepsRowWidth returns the maximum width of a row of the steps on a screen of w columns.
func MaxStepsRowWidth(w int) int { return usualStepsWidth(w) + 4 - stepsRowMargin }

// textHeight returns the height of the text with its title in a column of body lines, 0 if it is hidden.
func (s Split) textHeight(body int) int {
	switch {
	case s.Hides(TextPane):
		return 0
	case s.TextShare > 0:
		return 1 + min(max(fromThousandths(s.TextShare, body), MinTextLines), body-1-MinOutputHeight-1-minWhyLines)
	}
	return 1 + max(3, body*3/10)
}

// whyLines returns the height of WHY without its title, 0 for the default height.
func (s Split) whyLines(body int) int {
	if s.WhyShare == 0 {
		return 0
	}
	return max(fromThousandths(s.WhyShare, body), minWhyLines)
}

// fromThousandths returns thousandths of n. toThousandths is its inverse, so a size survives a round trip.
func fromThousandths(thousandths, n int) int { return (thousandths*n + 500) / 1000 }

func toThousandths(size, n int) int { return max(1, (size*1000+n/2)/n) }

// WithoutInvalidValues returns the split without values that cannot be used, as a file may have them.
func (s Split) WithoutInvalidValues() Split {
	within := func(n int) int {
		if n < 0 || n > 1000 {
			return 0
		}
		return n
	}
	out := Split{StepsShare: within(s.StepsShare), TextShare: within(s.TextShare), WhyShare: within(s.WhyShare)}
	for _, p := range AllPanes {
		if s.Hides(p) && len(out.HiddenPanes) < len(AllPanes)-1 {
			out.HiddenPanes = append(out.HiddenPanes, PaneKinds[p].Name)
		}
	}
	return out
}

// LoadSplit returns how the screen was divided when it was left, or the default with an error.
func LoadSplit(file string) (split Split, err error) {
	data, err := infile.Read(file, infile.MaxStateFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return split, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &split)
	}
	if err != nil {
		return Split{}, err
	}
	return split.WithoutInvalidValues(), nil
}

// Save writes the split to a file, for the next screen.
func (s Split) Save(file string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return outfile.WriteStateFile(file, data)
}
