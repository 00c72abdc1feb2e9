package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// summary is the card of a run that is over: how it went, and what came of it.
type summary struct {
	track *track.Track
	paper paper
	saved string // where the final output was saved
	scroller
}

func (s *summary) title(l *look) title {
	t := s.track
	facts := stopwatch(t.Elapsed(time.Time{}))
	if n := len(t.Forced); n > 0 {
		facts += fmt.Sprintf(" · %d forced", n)
	}
	return title{verdict(l, t), l.Muted.Paint(facts)}
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
	if msg := clean(t.Finished.Message); msg != "" {
		word += " · “" + msg + "”"
	}
	return word
}

func (s *summary) lines(l *look, w, h int) []string {
	return s.window(l, s.all(l, w), h)
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
			out = append(out, l.cut(l.Muted.Paint(l.fit(name, 7))+ink(line), w))
		}
	}
	plain := func(s string) string { return s }
	if !t.Broke() && s.cut(l, w) {
		add("said", plain, l.wrap(clean(t.Finished.Message), w-7)...)
	}
	if t.Broke() {
		add("why", l.Fail.Paint, l.wrap(clean(t.Finished.Message), w-7)...)
		add("now", plain, l.wrap(l.afterFailure(clean(t.Current.Label)), w-7)...)
	}
	if at := t.Finished.Waiting; at != nil {
		add("waits", l.Wait.Paint, l.wrap(awaited(at), w-7)...)
	}
	add("path", plain, l.wrap(path(t.Path)+" ("+count(len(t.Path), "execution")+")", w-7)...)
	for _, f := range t.Forced {
		add("!", l.Warn.Paint, l.wrap(overridden(t, f), w-7)...)
	}
	if len(t.Behind) > 0 {
		add("ended", plain, l.wrap("in the background: "+clean(strings.Join(t.Behind, ", ")), w-7)...)
	}
	if used := t.Used.String(); used != "" {
		add("tokens", plain, used)
	}
	add("log", plain, size(t.Logged))
	if t.Run != "" {
		add("saved", plain, "as run "+clean(t.Run))
	}
	if final, ok := t.Final(); ok {
		facts := final.Type + ", of step " + clean(final.Step+" "+titleOf(t, final.Step))
		if s.saved != "" {
			facts += "· saved in " + clean(s.saved)
		}
		add("output", plain, l.wrap(strings.TrimSpace(facts), w-7)...)
	}
	return out
}

// awaited is what a run was left at.
func awaited(at *machine.Waiting) string {
	text := "at " + clean(at.Step)
	if len(at.Options) > 0 {
		text += " for " + clean(strings.Join(at.Options, ", "))
	}
	return text
}

// cut reports whether the message has no room in the title, which is between two corners.
func (s *summary) cut(l *look, w int) bool {
	t := s.title(l)
	return s.track.Finished != nil && l.width(t.left)+l.width(t.right)+4 > w
}

// overridden says what a person forced, and why.
func overridden(t *track.Track, f track.Forced) string {
	text := clean(f.Step+" "+titleOf(t, f.Step)+f.What) + " by hand"
	if f.Reason != "" {
		text += ": " + quote(f.Reason)
	}
	return text
}

// afterFailure says how a run goes on that failed at a step.
func (l *look) afterFailure(step string) string {
	return l.keys.said("{again} does " + step + " again, {pass} passes it, {skip} goes on without it")
}

// titleOf is a step's title with a blank behind it, or nothing.
func titleOf(t *track.Track, label string) string {
	if r := t.Row(label); r != nil && r.Title != "" && r.Title != r.Local {
		return r.Title + " "
	}
	return ""
}

// longPath is how many positions of a path are shown.
const longPath = 60

// path is the way the run took, repetitions counted.
func path(labels []string) string {
	var parts []string
	skipped := max(0, len(labels)-longPath)
	if skipped > 0 {
		parts = append(parts, "…")
		labels = labels[skipped:]
	}
	for i := 0; i < len(labels); {
		n := 1
		for i+n < len(labels) && labels[i+n] == labels[i] {
			n++
		}
		part := clean(labels[i])
		if n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, " → ")
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
	return nil, s.scrolled(k)
}

func (s *summary) hints(m *Model) []hint {
	if m.track.Broke() {
		return append(m.offers("again", "pass", "skip"), append([]hint{{"esc", "look around"}}, m.offers("export", "compare", "jump")...)...)
	}
	return append([]hint{{"esc", "look around"}}, m.offers("export", "compare", "again", "jump")...)
}
