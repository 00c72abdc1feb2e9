package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// summary is the card of a run that is over: how it went, and what came of it.
type summary struct {
	track *track.Track
	paper paper
	saved string // where the final output was saved
	plays bool   // it is that of a recording, which cannot be gone on with
	list.Scroller
}

func (s *summary) title(l *look) panes.Title {
	t := s.track
	facts := draw.Stopwatch(t.Elapsed(time.Time{}))
	if n := len(t.Forced); n > 0 {
		facts += fmt.Sprintf(" · %d forced", n)
	}
	return panes.Title{Left: verdict(l, t), Right: l.Muted.Paint(facts)}
}

// verdict is how the run ended, with its message.
func verdict(l *look, t *track.Track) string {
	if t.Finished == nil {
		return "running"
	}
	word := strings.ReplaceAll(string(t.Finished.Result), "_", " ")
	switch t.Finished.Result {
	case plan.Completed:
		word = l.Pass.Paint("✓ " + word)
	case plan.Stopped, plan.RunFailed:
		word = l.Fail.Paint("✗ " + word)
	default:
		word = l.Warn.Paint("– " + word)
	}
	if msg := draw.Clean(t.Finished.Message); msg != "" {
		word += " · “" + msg + "”"
	}
	return word
}

func (s *summary) lines(l *look, w, h int) []string {
	return s.Window(&l.Look, s.all(l, w), h)
}

// all is the run's figures, and below them its final output.
func (s *summary) all(l *look, w int) []string {
	out := s.figures(l, w)
	if final, ok := s.track.Final(); ok {
		out = append(append(out, ""), s.paper.lines(l, final, w)...)
	}
	return out
}

func (s *summary) figures(l *look, w int) []string {
	t := s.track
	var out []string
	add := func(name string, ink func(string) string, lines ...string) {
		for i, line := range lines {
			if i > 0 {
				name = ""
			}
			out = append(out, l.Cut(l.Muted.Paint(l.Fit(name, 7))+ink(line), w))
		}
	}
	plain := func(s string) string { return s }
	if !t.Broke() && s.cut(l, w) {
		add("said", plain, l.Wrap(draw.Clean(t.Finished.Message), w-7)...)
	}
	if t.Broke() {
		add("why", l.Fail.Paint, l.Wrap(draw.Clean(t.Finished.Message), w-7)...)
	}
	if t.Broke() && !s.plays {
		add("now", plain, l.Wrap(l.afterFailure(t.Current), w-7)...)
	}
	if flag := t.Exceeded(); flag != "" {
		add("more", plain, l.Wrap("--"+flag+" N lets a new run go on longer", w-7)...)
	}
	if at := t.Finished.Waiting; at != nil {
		add("waits", l.Wait.Paint, l.Wrap(awaited(at), w-7)...)
	}
	add("path", plain, l.Wrap(path(t.Path)+" ("+draw.Count(len(t.Path), "execution")+")", w-7)...)
	for _, f := range t.Forced {
		add("!", l.Warn.Paint, l.Wrap(overridden(t, f), w-7)...)
	}
	if len(t.Behind) > 0 {
		add("ended", plain, l.Wrap("in the background: "+draw.Clean(strings.Join(t.Behind, ", ")), w-7)...)
	}
	if used := t.Used.String(); used != "" {
		add("tokens", plain, used)
	}
	add("log", plain, draw.Size(t.Logged))
	if t.Run != "" {
		add("saved", plain, "as run "+draw.Clean(t.Run))
	}
	if final, ok := t.Final(); ok {
		facts := final.Type + ", of step " + draw.Clean(final.Step+" "+titleOf(t, final.Step))
		if s.saved != "" {
			facts += "· saved in " + draw.Clean(s.saved)
		}
		add("output", plain, l.Wrap(strings.TrimSpace(facts), w-7)...)
	}
	return out
}

// awaited is what a run was left at.
func awaited(at *machine.Waiting) string {
	text := "at " + draw.Clean(at.Step)
	if len(at.Options) > 0 {
		text += " for " + draw.Clean(strings.Join(at.Options, ", "))
	}
	return text
}

// cut reports whether the message has no room in the title, which is between two corners.
func (s *summary) cut(l *look, w int) bool {
	t := s.title(l)
	return s.track.Finished != nil && l.Width(t.Left)+l.Width(t.Right)+4 > w
}

// overridden says what a person forced, and why.
func overridden(t *track.Track, f track.Forced) string {
	text := draw.Clean(f.Step+" "+titleOf(t, f.Step)+f.What) + " by hand"
	if f.Reason != "" {
		text += ": " + draw.Quote(f.Reason)
	}
	return text
}

// afterFailure says how a run goes on that failed at a step.
func (l *look) afterFailure(at *track.Row) string {
	other := ""
	if a := at.Action(); a != nil && a.Kind == "model" {
		other = "; {source} chooses another source of replies first"
	}
	return l.keys.said("{again} does " + draw.Clean(at.Label) + " again, {pass} passes it, {skip} goes on without it" + other)
}

// titleOf is a step's title with a blank behind it, or nothing.
func titleOf(t *track.Track, label string) string {
	if r := t.Row(label); r != nil && r.Title != "" && r.Title != r.Local {
		return r.Title + " "
	}
	return ""
}

// path is the way the run took, repetitions counted.
func path(labels []string) string {
	skipped := max(0, len(labels)-track.LongPath)
	way := strings.Join(track.Way(labels[skipped:]), " → ")
	if skipped > 0 {
		way = "… → " + way
	}
	return way
}

func (s *summary) height(l *look, w int) int { return len(s.all(l, w)) }

// tall reports whether there is more to see than figures.
func (s *summary) tall() bool {
	_, ok := s.track.Final()
	return ok
}

func (s *summary) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if k.String() == "esc" {
		m.close(s)
		return nil, true
	}
	return nil, s.Scrolled(k)
}

func (s *summary) hints(m *Model) []draw.Hint {
	if m.track.Broke() {
		return append(m.offers("again", "pass", "skip"), append([]draw.Hint{draw.Press("esc", "look around")}, m.offers("source", "export", "compare", "jump")...)...)
	}
	return append([]draw.Hint{draw.Press("esc", "look around")}, m.offers("export", "compare", "again", "jump")...)
}
