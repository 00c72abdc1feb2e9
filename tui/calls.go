package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// Where a step did more than one thing, the pane of output is a list of them in their
// order, a line for each, with one of them open.

// open says which of a row's actions shows, and lists them if there are several. It is
// what goes on, unless the person chose another; where a call waits to be allowed it
// is the reply that wants it.
func (o *output) open(r *track.Row, st engine.Status) *track.Action {
	o.calls = nil
	x := r.Last()
	if x == nil {
		return nil
	}
	for _, a := range x.Actions {
		if a.Kind == "model" || a.Kind == "tool" || a.Kind == "command" {
			o.calls = append(o.calls, a)
		}
	}
	n := len(o.calls)
	if n < 2 {
		o.calls, o.chosen = nil, nil
		return r.Action()
	}
	if !slices.Contains(o.calls, o.chosen) {
		o.chosen = nil
	}
	switch {
	case o.chosen != nil:
		return o.chosen
	case waitsAt(st, r) && st.Question.Kind == machine.KindApprove:
		return wanted(o.calls)
	}
	return o.calls[n-1]
}

// wanted is the newest reply.
func wanted(calls []*track.Action) *track.Action {
	for _, a := range slices.Backward(calls) {
		if a.Kind == "model" {
			return a
		}
	}
	return calls[len(calls)-1]
}

// at is where the open one is in the list.
func (o *output) at() int { return max(0, slices.Index(o.calls, o.action)) }

// listed is how many lines the list has in a pane of h lines, where what is open needs all
// the others.
func (o *output) listed(h int) int { return min(len(o.calls), max(2, h/3)) }

// head is a line of the list.
type head struct {
	index int // from 0
	line  string
}

// heads are n lines of the list, those up to the open one and those behind it. A list
// that is too long shows what is around it.
func (o *output) heads(l *look, w, n int) (above, below []head) {
	if n == 0 {
		return nil, nil
	}
	at := o.at()
	from := min(max(0, at-n/2), len(o.calls)-n)
	for i := from; i < from+n; i++ {
		more := ""
		switch {
		case i == from && from > 0:
			more = "↑ " + track.Thousands(from)
		case i == from+n-1 && from+n < len(o.calls):
			more = "↓ " + track.Thousands(len(o.calls)-from-n)
		}
		h := head{i, o.headLine(l, i, more, w)}
		if i <= at {
			above = append(above, h)
		} else {
			below = append(below, h)
		}
	}
	return above, below
}

// headLine is what an action was, how long it took and how it ended.
func (o *output) headLine(l *look, i int, more string, w int) string {
	a, knob := o.calls[i], "▸ "
	if i == o.at() {
		knob = "▾ "
	}
	right := draw.Join(l.Muted.Paint(more), endOf(l, o.row.Status, a))
	left := l.Muted.Paint(knob) + did(l, a)
	return l.Spread(l.Cut(left, max(1, w-l.Width(right)-2)), right, w)
}

// mostOfArgs is how much of a call's arguments stands in its line, in bytes.
const mostOfArgs = 2 << 10

// did says in a line what an action is: the first line of a reply, a call with its
// arguments, a command.
func did(l *look, a *track.Action) string {
	switch a.Kind {
	case "tool":
		args := strings.Join(strings.Fields(sanitize.Plain(tools.Readable(a.Args[:min(len(a.Args), mostOfArgs)]))), " ")
		return l.Tool.Paint("⚙ "+draw.ToolName(a.Server, a.Tool)) + " " + l.Muted.Paint(args)
	case "command":
		return l.Command.Paint("$ " + draw.FirstLine(a.Text))
	}
	if text := draw.FirstLine(a.Said); text != "" {
		return l.Model.Paint("reply ") + text
	}
	switch {
	case a.Report != "":
		return l.Model.Paint("report")
	case len(a.Calls) > 0:
		return l.Model.Paint("reply ") + l.Muted.Paint("calls "+draw.Count(len(a.Calls), "tool"))
	}
	return l.Model.Paint("reply")
}

// endOf says how an action ended.
func endOf(l *look, row track.Status, a *track.Action) string {
	took := ""
	if a.Took > 0 {
		took = l.Muted.Paint(draw.Clock(a.Took))
	}
	failed := a.ExitCode != nil && *a.ExitCode != 0
	switch o := a.Outcome; {
	case o == nil:
	case a.Kind == "command": // some are to fail
		failed = o.Result != plan.Passed && o.Result != plan.Skipped
	case a.Kind == "model":
		failed = o.Result == plan.Failed
	}
	switch {
	case !a.Done && !row.Open():
		return l.Muted.Paint("–")
	case !a.Done && a.Asks:
		return l.Wait.Paint("?")
	case !a.Done:
		return l.Accent.Paint("…")
	case a.Denied:
		return l.Fail.Paint("not allowed ✗")
	case a.Answered != "":
		return strings.TrimSpace(took + " " + l.Warn.Paint("asked again ✗"))
	case a.CutOff:
		return strings.TrimSpace(took + " " + l.Warn.Paint("broke off ✗"))
	case a.Error != "", a.Signal != "", failed:
		return strings.TrimSpace(took + " " + l.Fail.Paint("failed ✗"))
	}
	return strings.TrimSpace(took + " " + l.Pass.Paint("✓"))
}

// list shows lines of the list, and remembers where they are.
func (o *output) list(heads []head) {
	for len(o.spots) < len(o.lines) {
		o.spots = append(o.spots, 0)
	}
	for _, h := range heads {
		o.lines, o.spots = append(o.lines, h.line), append(o.spots, h.index+1)
	}
}

// clicked opens what a line of the pane stands for.
func (o *output) clicked(y int) {
	if y < len(o.spots) && o.spots[y] > 0 {
		o.choose(o.spots[y] - 1)
	}
}

// choose opens one of the list. With the last one the pane follows the run again.
func (o *output) choose(i int) {
	i = min(max(0, i), len(o.calls)-1)
	o.chosen, o.stale = o.calls[i], true
	if last := len(o.calls) - 1; i == last && !o.calls[last].Done {
		o.chosen = nil
	}
}

// call opens another one of the list.
func call(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.output.choose(m.output.at() + by)
		return nil
	}
}

func notListed(m *Model) string {
	if m.output.calls == nil {
		return "opens another reply or call of a step, and there are not several here"
	}
	return ""
}

// logOf is the log of the action that is open. A call of the list that left none shows
// what it was called with.
func (o *output) logOf(s session, file string, a *track.Action) logStore {
	switch {
	case file != "" && s != nil:
		store := s.Log(file)
		if log, is := store.(*logs.Log); is && o.called() {
			return logs.Visible{Log: log}
		}
		return store
	case a != nil && (a.Kind == "tool" && o.calls != nil || a.Report != ""):
		return &noLog{}
	}
	return nil
}
