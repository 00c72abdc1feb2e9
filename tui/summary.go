package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// summary is the card of a run that is over: how it went, and what came of it.
type summary struct {
	track *track.Track
	paper paper
	left  []shell.Leftover // what steps left running
	saved string           // where the final output was saved
	plays bool             // it is that of a recording, which cannot be gone on with
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
	word := l.Ended(t.Finished.Result)
	if t.Finished.Message != "" {
		word += " · " + draw.Quote(t.Finished.Message)
	}
	return word
}

func (s *summary) lines(l *look, w, h int) []string {
	return s.Window(l, s.all(l, w), h)
}

// all is the run's figures, and below them its final output.
func (s *summary) all(l *look, w int) []string {
	out := s.figures(l, w)
	if final, ok := s.track.Final(); ok {
		out = append(append(out, ""), s.paper.lines(l, final, w)...)
	}
	return out
}

// figures is how the run went, and what it leaves.
func (s *summary) figures(l *look, w int) []string {
	f := figures{l: l, w: w}
	s.went(&f)
	s.leaves(&f)
	return f.lines
}

// figures are lines of a summary, each with a name in front.
type figures struct {
	l     *look
	w     int
	lines []string
}

// figureName is the column of names.
const figureName = 7

// add sets a text below its name, and wraps it.
func (f *figures) add(name string, ink func(string) string, text string) {
	for _, line := range f.l.Wrap(text, f.w-figureName) {
		f.lines = append(f.lines, f.l.Cut(f.l.Muted.Paint(f.l.Fit(name, figureName))+ink(line), f.w))
		name = ""
	}
}

func plainly(s string) string { return s }

// went is how the run came to its end, and how one goes on from there.
func (s *summary) went(f *figures) {
	t := s.track
	if !t.Broke() && s.cut(f.l, f.w) {
		f.add("said", plainly, draw.Clean(t.Finished.Message))
	}
	if t.Broke() {
		f.add("why", f.l.Fail.Paint, draw.Clean(t.Finished.Message))
	}
	if t.Broke() && !s.plays {
		f.add("now", plainly, afterFailure(f.l, t.Current))
	}
	if flag := t.Exceeded(); flag != "" {
		f.add("more", plainly, "--"+flag+" N lets a new run go on longer")
	}
	if at := t.Finished.Waiting; at != nil {
		f.add("waits", f.l.Wait.Paint, awaited(at))
	}
	f.add("path", plainly, path(t.Path)+" ("+draw.Count(len(t.Path), "execution")+")")
	for _, by := range t.Forced {
		f.add("!", f.l.Warn.Paint, overridden(t, by))
	}
}

// leaves is what there is of the run.
func (s *summary) leaves(f *figures) {
	t := s.track
	if len(t.Behind) > 0 {
		f.add("ended", plainly, "in the background: "+draw.Clean(strings.Join(t.Behind, ", ")))
	}
	if len(s.left) > 0 {
		f.add("left", f.l.Warn.Paint, draw.Clean(shell.Names(s.left))+f.l.Keys.Text(": still running. {end-leftovers} ends it."))
	}
	if used := t.Used.String(); used != "" {
		f.add("tokens", plainly, used)
	}
	f.add("log", plainly, draw.Size(t.Logged))
	if t.Run != "" {
		f.add("saved", plainly, "as run "+draw.Clean(t.Run))
	}
	if final, ok := t.Final(); ok {
		facts := final.Type + ", of step " + draw.Clean(final.Step+" "+titleOf(t, final.Step))
		if s.saved != "" {
			facts += "· saved in " + draw.Clean(s.saved)
		}
		f.add("output", plainly, strings.TrimSpace(facts))
	}
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
	return decision.ByHand(f.Step+" "+titleOf(t, f.Step)+f.What, f.Reason)
}

// afterFailure says how a run goes on that failed at a step.
func afterFailure(l *look, at *track.Row) string {
	other := ""
	if a := at.Action(); a != nil && a.Kind == "model" {
		other = "; {source} chooses another source of replies first"
	}
	return l.Keys.Text("{again} does " + draw.Clean(at.Label) + " again, {pass} passes it, {skip} goes on without it" + other)
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
func (s *summary) Tall() bool {
	_, ok := s.track.Final()
	return ok
}

func (s *summary) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.look.Keys.Is(k, "close") {
		m.close(s)
		return nil, true
	}
	return nil, s.Scrolled(m.look.Keys, k)
}

func (s *summary) hints(m *Model) []draw.Hint {
	if m.track.Broke() {
		return append(m.offers("again", "pass", "skip"), append([]draw.Hint{m.look.Press("close", "look around")}, m.offers("end-leftovers", "source", "export", "compare", "jump")...)...)
	}
	return append([]draw.Hint{m.look.Press("close", "look around")}, m.offers("end-leftovers", "export", "compare", "again", "jump")...)
}
