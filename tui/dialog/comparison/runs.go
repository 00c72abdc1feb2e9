package comparison

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Other runs are listed and read in the background, because journals and logs may be long. These are the
// messages.
type (
	// RunsListed is the list of runs to compare with.
	RunsListed struct {
		Runs []journal.RunSummary
		Err  error
	}
	// CompareWith is the request to compare with a run.
	CompareWith struct{ RunID string }
	// ComparisonMade is a finished comparison.
	ComparisonMade struct {
		Comparison *compare.Comparison
		Err        error
	}
)

// ListRuns lists the runs to compare with.
func ListRuns(others func() ([]journal.RunSummary, error)) tea.Cmd {
	return func() tea.Msg {
		all, err := others()
		return RunsListed{all, err}
	}
}

// CompareRuns compares events with those of another run.
func CompareRuns(events []machine.Event, with string, compareWith func([]machine.Event, string) (*compare.Comparison, error)) tea.Cmd {
	return func() tea.Msg {
		c, err := compareWith(events, with)
		return ComparisonMade{c, err}
	}
}

// Requests asks which run to compare with.
func (l RunsListed) Requests() []tea.Msg {
	if l.Err != nil {
		return []tea.Msg{request.Say{Text: wording.ErrorSentence(l.Err)}}
	}
	others := l.Runs
	items := make([]string, len(others))
	for i, r := range others {
		items[i] = r.Run + "  " + describeRun(r)
	}
	return []tea.Msg{dialog.Open{Dialog: &choose.Menu{
		Name: "Compare with which run?", Verb: "compare", FilterPlaceholder: "filter by id, date or result", Finder: list.NewFinder(items),
		DrawItem: func(run *runview.Run, h list.MatchingItem, w int) string {
			dc := run.DrawContext
			return dc.Cut(dc.RunGlyph(others[h.ItemIndex].ResultWord())+" "+h.HighlightedItem(dc, draw.CleanLine(items[h.ItemIndex])), w)
		},
		OnChoose: func(_ *runview.Run, item int) []tea.Msg {
			return []tea.Msg{dialog.Close{}, CompareWith{others[item].Run}}
		},
	}}}
}

// describeRun returns when a run was, and how and where it ended.
func describeRun(r journal.RunSummary) string {
	s := r.BeganAt().Local().Format(time.DateTime) + "  " + r.ResultWord()
	if r.Step != "" {
		s += " at " + r.Step
	}
	if r.ForkOf != "" {
		s += ", fork of " + r.ForkOf
	}
	return s
}
