package output

import (
	"context"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/session"
)

// callList lists the replies, calls and commands of a step that made more than one, in order, one line
// each. One of them is open.
type callList struct {
	row    *track.Row
	all    []*track.Action // nil: the step did one thing, or none
	open   *track.Action
	chosen *track.Action // the person's choice; nil: the newest action is open
}

// openOf opens the newest action of a row, unless the person chose another. While a call waits for
// approval, it opens the reply that asks for the call.
func (c *callList) openOf(r *track.Row, st engine.Status) *track.Action {
	c.row, c.all, c.open = r, nil, nil
	x := r.LastVisit()
	if x == nil {
		return nil
	}
	for _, a := range x.Actions {
		if a.Kind == "model" || a.Kind == "tool" || a.Kind == "command" {
			c.all = append(c.all, a)
		}
	}
	n := len(c.all)
	if n < 2 {
		*c = callList{row: r, open: r.Action()}
		return c.open
	}
	if !slices.Contains(c.all, c.chosen) {
		c.chosen = nil
	}
	switch {
	case c.chosen != nil:
		c.open = c.chosen
	case waitsAt(st, r) && st.Question.Kind == machine.KindApproveCall:
		c.open = newestReply(c.all)
	default:
		c.open = c.all[n-1]
	}
	return c.open
}

// newestReply returns the newest reply, or the newest action if there is no reply.
func newestReply(calls []*track.Action) *track.Action {
	for _, a := range slices.Backward(calls) {
		if a.Kind == "model" {
			return a
		}
	}
	return calls[len(calls)-1]
}

// at returns the index of the open action.
func (c *callList) at() int { return max(0, slices.Index(c.all, c.open)) }

// height returns how many lines the list takes in a pane of h lines if the open action fills the other
// lines.
func (c *callList) height(h int) int { return min(len(c.all), max(2, h/3)) }

// listLine is a line of the list.
type listLine struct {
	index int // from 0, or noAction
	line  string
}

// lines returns n lines of the list: those up to the open action, and those after it. If the list is
// longer, the lines around the open action show, and the last line counts the others.
func (c *callList) lines(l *draw.Look, w, n int, focused bool) (above, below []listLine) {
	if n == 0 {
		return nil, nil
	}
	at, all := c.at(), len(c.all)
	shown := n
	if n < all {
		shown = max(1, n-1)
	}
	from := min(max(0, at-shown/2), all-shown)
	for i := from; i < from+shown; i++ {
		h := listLine{i, c.line(l, w, i, draw.SelectionOf(i == at, focused))}
		if i <= at {
			above = append(above, h)
		} else {
			below = append(below, h)
		}
	}
	if shown < n {
		below = append(below, listLine{noAction, l.Muted.Paint(l.Cut(" "+moreCalls(from, all-from-shown), w))})
	}
	return above, below
}

// noAction is the index of a line that stands for no action.
const noAction = -1

// moreCalls returns how many calls are out of sight.
func moreCalls(above, below int) string {
	var out []string
	if above > 0 {
		out = append(out, "↑ "+wording.Count(above, "more call"))
	}
	if below > 0 {
		out = append(out, "↓ "+wording.Count(below, "more call"))
	}
	return strings.Join(out, " · ")
}

// line returns the line of an action: what it is, how long it took and how it ended. The open action is the
// selected one.
func (c *callList) line(l *draw.Look, w, i int, s draw.Selection) string {
	a, marker := c.all[i], "▸ "
	if s != draw.Unselected {
		marker = "▾ "
	}
	right := outcomeText(l, c.row.Status, a)
	left := l.Mark(s) + l.Muted.Paint(marker) + headline(l, a)
	return l.Raise(l.Spread(l.Cut(left, max(1, w-l.Width(right)-2)), right, w), w, s)
}

// maxArgs limits the arguments in the line of a call, in bytes.
const maxArgs = 2 << 10

// headline returns the text of an action in a line: the first line of a reply, a call with its
// arguments, or a command.
func headline(l *draw.Look, a *track.Action) string {
	switch a.Kind {
	case "tool":
		args := strings.Join(strings.Fields(sanitize.Plain(tools.Readable(a.Args[:min(len(a.Args), maxArgs)]))), " ")
		return l.Tool.Paint("⚙ "+draw.ToolName(a.Server, a.Tool)) + " " + l.Muted.Paint(args)
	case "command":
		return l.Command.Paint("$ " + draw.FirstLine(a.Text))
	}
	if text := draw.FirstLine(a.Excerpt); text != "" {
		return l.Model.Paint("reply ") + text
	}
	switch {
	case a.Report != "":
		return l.Model.Paint("report")
	case len(a.Calls) > 0:
		return l.Model.Paint("reply ") + l.Muted.Paint("calls "+wording.Count(len(a.Calls), "tool"))
	}
	return l.Model.Paint("reply")
}

// outcomeText returns how long an action took and how it ended.
func outcomeText(l *draw.Look, row track.Status, a *track.Action) string {
	took := ""
	if a.Took > 0 {
		took = l.Muted.Paint(wording.Clock(a.Took))
	}
	failed := a.ExitCode != nil && *a.ExitCode != 0
	switch end := a.Outcome; {
	case end == nil:
	case a.Kind == "command": // some commands are expected to fail
		failed = end.Result != plan.Passed && end.Result != plan.Skipped
	case a.Kind == "model":
		failed = end.Result == plan.Failed
	}
	switch {
	case !a.Done && !row.IsOpen():
		return l.Muted.Paint("–")
	case !a.Done && a.NeedsApproval:
		return l.Wait.Paint("?")
	case !a.Done:
		return l.Accent.Paint("…")
	case a.Denied:
		return l.Fail.Paint("not allowed ✗")
	case a.Correction != "":
		return strings.TrimSpace(took + " " + l.Warn.Paint("asked again ✗"))
	case a.CutOff:
		return strings.TrimSpace(took + " " + l.Warn.Paint("interrupted ✗"))
	case a.Error != "", a.Signal != "", failed:
		return strings.TrimSpace(took + " " + l.Fail.Paint("failed ✗"))
	}
	return strings.TrimSpace(took + " " + l.Pass.Paint("✓"))
}

// addListLines adds lines of the list, and records which action each line shows.
func (p *Pane) addListLines(heads []listLine) {
	for len(p.heads) < len(p.lines) {
		p.heads = append(p.heads, 0)
	}
	for _, h := range heads {
		p.lines, p.heads = append(p.lines, h.line), append(p.heads, h.index+1)
	}
}

// choose opens action i. Choosing the last one while it runs makes the pane follow the run again.
func (c *callList) choose(i int) {
	last := len(c.all) - 1
	i = min(max(0, i), last)
	if c.chosen = c.all[i]; i == last && !c.chosen.Done {
		c.chosen = nil
	}
}

// logOf returns the log of the open action. For a call in the list that has no log, it returns an empty
// one, so that the arguments show.
func (p *Pane) logOf(open func(string) session.Log, file string, a *track.Action) session.Log {
	switch {
	case file != "" && open != nil:
		store := open(file)
		if log, is := store.(*logs.Log); is && p.IsCall() {
			return logs.Escaped{Log: log}
		}
		return store
	case a != nil && (a.Kind == "tool" && p.calls.all != nil || a.Report != ""):
		return &emptyLog{}
	}
	return nil
}

// emptyLog is the log of an action without output. It is not an empty struct, because pointers to two of
// them must differ.
type emptyLog struct{ _ byte }

func (*emptyLog) Size() (int64, int)               { return 0, 0 }
func (*emptyLog) Lines(int, int) ([]string, error) { return nil, nil }
func (*emptyLog) Text(int) string                  { return "" }
func (*emptyLog) Watch() <-chan struct{}           { return nil }
func (*emptyLog) Unwatch(<-chan struct{})          {}
func (*emptyLog) Count(context.Context, logs.Matcher, int) (before, all int, err error) {
	return 0, 0, nil
}
func (*emptyLog) Search(context.Context, logs.Matcher, int, logs.Direction) (int, bool, error) {
	return 0, false, nil
}
