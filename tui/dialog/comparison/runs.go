package comparison

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Other runs are listed and read in the background, because journals and logs may be long. These are the messages.
type (
	// RunsListed is the list of runs to compare with.
	RunsListed struct {
		Runs []journal.Summary
		Err  error
	}
	// With is the request to compare with a run.
	With struct{ Run string }
	// Ready is a finished comparison.
	Ready struct {
		Comparison *compare.Comparison
		Err        error
	}
)

// List lists the runs to compare with.
func List(others func() ([]journal.Summary, error)) tea.Cmd {
	return func() tea.Msg {
		all, err := others()
		return RunsListed{all, err}
	}
}

// Read compares events with those of another run.
func Read(events []machine.Event, with string, lay func([]machine.Event, string) (*compare.Comparison, error)) tea.Cmd {
	return func() tea.Msg {
		c, err := lay(events, with)
		return Ready{c, err}
	}
}

// Requests asks which run to compare with.
func (l RunsListed) Requests() []tea.Msg {
	switch {
	case l.Err != nil:
		return []tea.Msg{request.Say{Text: l.Err.Error()}}
	case len(l.Runs) == 0:
		return []tea.Msg{request.Say{Text: "There is no other run of this document to compare with yet."}}
	}
	others := l.Runs
	items := make([]string, len(others))
	for i, r := range others {
		items[i] = r.Run + "  " + describe(r)
	}
	return []tea.Msg{dialog.Open{Dialog: &choose.Menu{
		Name: "Compare with which run?", Verb: "compare", Prompt: "filter by id, date or result", Finder: list.NewFinder(items),
		Row: func(run *runview.Run, h list.Hit, w int) string {
			l := run.Look
			return l.Cut(l.RunSign(others[h.Item].Word())+" "+h.Marked(l, draw.Clean(items[h.Item])), w)
		},
		Choose: func(_ *runview.Run, item int) []tea.Msg {
			return []tea.Msg{dialog.Close{}, With{others[item].Run}}
		},
	}}}
}

// describe returns when a run was, and how and where it ended.
func describe(r journal.Summary) string {
	s := r.Since().Format(time.DateTime) + "  " + r.Word()
	if r.Step != "" {
		s += " at " + r.Step
	}
	if r.Fork != "" {
		s += ", fork of " + r.Fork
	}
	return s
}
