// Package summary says how a run went that is over, and what came of it.
package summary

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// Dialog is a run's figures, and below them its final output.
type Dialog struct {
	Left   []shell.Leftover // what steps left running
	Saved  string           // where the final output was saved
	Failed string           // which step failed, and why; empty: none did
	output output
	list.Scroller
}

// Title is how the run ended.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	l, t := run.Look, run.Track
	facts := wording.Stopwatch(t.Elapsed(time.Time{}))
	if n := len(t.Overrides); n > 0 {
		facts += fmt.Sprintf(" · %d overridden", n)
	}
	return panes.Title{Left: verdict(l, t), Right: l.Muted.Paint(facts)}
}

// verdict is how the run ended, with its message.
func verdict(l *draw.Look, t *track.Track) string {
	if t.Finished == nil {
		return "running"
	}
	word := l.Ended(t.Finished.Result)
	if t.Finished.Message != "" {
		word += " · " + draw.Quote(t.Finished.Message)
	}
	return word
}

// View is the run's figures and its final output.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run, w), h)
}

// all is the run's figures, and below them its final output.
func (d *Dialog) all(run *runview.Run, w int) []string {
	f := figures{l: run.Look, w: w}
	d.addCourse(&f, run)
	d.addRemains(&f, run.Track)
	out := f.lines
	if final, ok := run.Track.Final(); ok {
		out = append(append(out, ""), d.output.lines(run.Look, final, w)...)
	}
	return out
}

// figures are lines of a summary, each with a name in front.
type figures struct {
	l     *draw.Look
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

// addCourse says how the run came to its end, and how one goes on from there.
func (d *Dialog) addCourse(f *figures, run *runview.Run) {
	t := run.Track
	if !t.EndedAtFailure() && d.isTitleCut(run, f.w) {
		f.add("said", plainly, draw.Clean(t.Finished.Message))
	}
	switch {
	case d.Failed != "":
		f.add("why", f.l.Fail.Paint, draw.Clean(d.Failed))
	case t.EndedAtFailure():
		f.add("why", f.l.Fail.Paint, draw.Clean(t.Finished.Message))
	}
	if t.EndedAtFailure() && !run.Replay {
		f.add("now", plainly, afterFailure(f.l, t.Current))
	}
	if flag := t.Exceeded(); flag != "" {
		f.add("more", plainly, "--"+flag+" N lets a new run go on longer")
	}
	if at := t.Finished.Waiting; at != nil {
		f.add("waits", f.l.Wait.Paint, awaited(at))
	}
	f.add("path", plainly, path(t.Path)+" ("+wording.Count(len(t.Path), "visit")+")")
	for _, by := range t.Overrides {
		f.add("!", f.l.Warn.Paint, overridden(t, by))
	}
}

// addRemains says what there is of the run.
func (d *Dialog) addRemains(f *figures, t *track.Track) {
	if len(t.Background) > 0 {
		f.add("ended", plainly, "in the background: "+draw.Clean(strings.Join(t.Background, ", ")))
	}
	if len(d.Left) > 0 {
		f.add("left", f.l.Warn.Paint, draw.Clean(shell.Names(d.Left))+f.l.Keys.Text(": still running. {end-leftovers} ends it."))
	}
	if used := t.Used.String(); used != "" {
		f.add("tokens", plainly, used)
	}
	f.add("log", plainly, wording.Size(t.Logged))
	if t.Run != "" {
		f.add("saved", plainly, "as run "+draw.Clean(t.Run))
	}
	if final, ok := t.Final(); ok {
		facts := final.Type + ", of step " + draw.Clean(final.Step+" "+titleOf(t, final.Step))
		if d.Saved != "" {
			facts += "· saved in " + draw.Clean(d.Saved)
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

// isTitleCut reports whether the message has no room in the title, which is between two corners.
func (d *Dialog) isTitleCut(run *runview.Run, w int) bool {
	l, t := run.Look, d.Title(run)
	return run.Track.Finished != nil && l.Width(t.Left)+l.Width(t.Right)+4 > w
}

// overridden says what a person forced, and why.
func overridden(t *track.Track, f track.Override) string {
	return wording.ByHand(f.Step+" "+titleOf(t, f.Step)+f.What, f.Reason)
}

// afterFailure says how a run goes on that failed at a step.
func afterFailure(l *draw.Look, at *track.Row) string {
	other := ""
	if a := at.Action(); a != nil && a.Kind == "model" {
		other = "; {source} chooses another source of replies first"
	}
	return l.Keys.Text("{again} runs " + draw.Clean(at.Label) + " again, {pass} passes it, {skip} skips it" + other)
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
	way := strings.Join(track.FormatPath(labels[skipped:]), " → ")
	if skipped > 0 {
		way = "… → " + way
	}
	return way
}

// Height is that of all.
func (d *Dialog) Height(run *runview.Run, w int) int { return len(d.all(run, w)) }

// Tall reports whether there is more to see than figures.
func (d *Dialog) Tall(run *runview.Run) bool {
	_, ok := run.Track.Final()
	return ok
}

// Update scrolls and closes.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.Look.Keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints are the ways to go on.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	out := []draw.Hint{run.Look.Press("close", "look around")}
	if run.Shown.EndedAtFailure() {
		out = append(run.Hints("again", "pass", "skip"), out...)
		return append(out, run.Hints("end-leftovers", "source", "export", "compare", "jump")...)
	}
	return append(out, run.Hints("end-leftovers", "export", "compare", "again", "jump")...)
}
