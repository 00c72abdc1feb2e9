package output

import (
	"context"
	"fmt"
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

// actionList is the list of the replies, calls and commands of a step that made more than one, one line
// each. One of them is open.
type actionList struct {
	row          *track.Row
	actions      []*track.Action // nil: the step did one thing, or none
	openedAction *track.Action
	chosenAction *track.Action // the person's choice; nil: the newest action is open

	showsArguments bool // the arguments of the open call follow its line
}

// openNewestOrChosen opens the newest action of a row, unless the person chose another. While a call waits for
// approval, it opens the reply that asks for the call.
func (l *actionList) openNewestOrChosen(r *track.Row, st engine.Status) *track.Action {
	l.row, l.actions, l.openedAction = r, nil, nil
	x := r.NewestStepAttempt()
	if x == nil {
		return nil
	}
	for _, a := range x.Actions {
		if a.IsExecuted() {
			l.actions = append(l.actions, a)
		}
	}
	n := len(l.actions)
	if n < 2 {
		*l = actionList{row: r, openedAction: r.ShownAction()}
		return l.openedAction
	}
	if !slices.Contains(l.actions, l.chosenAction) {
		l.chosenAction = nil
	}
	switch {
	case l.chosenAction != nil:
		l.openedAction = l.chosenAction
	case isQuestionAbout(st, r) && st.Question.Kind == machine.KindApproveCall:
		l.openedAction = newestReply(l.actions)
	default:
		l.openedAction = l.actions[n-1]
	}
	return l.openedAction
}

// newestReply returns the newest reply, or the newest action if there is no reply.
func newestReply(actions []*track.Action) *track.Action {
	for _, a := range slices.Backward(actions) {
		if a.Kind == "model" {
			return a
		}
	}
	return actions[len(actions)-1]
}

// openIndex returns the index of the open action.
func (l *actionList) openIndex() int { return max(0, slices.Index(l.actions, l.openedAction)) }

// height returns how many lines the list takes in a pane of h lines if the open action fills the other
// lines.
func (l *actionList) height(h int) int { return min(len(l.actions), max(2, h/3)) }

// actionListLine is a line of the list.
type actionListLine struct {
	actionIndex int // from 0, or noAction
	text        string
}

// linesAroundOpen returns the part of the list up to the open action, and the part after it, n rows
// together. If the list is longer, it returns those around the open action, and the last row counts the
// others.
func (l *actionList) linesAroundOpen(dc *draw.Context, w, n int, focused bool) (above, below []actionListLine) {
	if n == 0 {
		return nil, nil
	}
	at, all := l.openIndex(), len(l.actions)
	shown := n
	if n < all {
		shown = max(1, n-1)
	}
	from := min(max(0, at-shown/2), all-shown)
	for i := from; i < from+shown; i++ {
		line := actionListLine{i, l.actionLine(dc, w, i, draw.SelectionOf(i == at, focused))}
		if i <= at {
			above = append(above, line)
		} else {
			below = append(below, line)
		}
	}
	if shown < n {
		below = append(below, actionListLine{noAction, dc.Muted.Paint(dc.Cut(" "+hiddenActionsText(from, all-from-shown), w))})
	}
	return above, below
}

// noAction is the index of a line that stands for no action.
const noAction = -1

// hiddenActionsText returns how many actions of the list are out of sight above and below.
func hiddenActionsText(above, below int) string {
	var out []string
	if above > 0 {
		out = append(out, fmt.Sprintf("↑ %d more", above))
	}
	if below > 0 {
		out = append(out, fmt.Sprintf("↓ %d more", below))
	}
	return strings.Join(out, " · ")
}

// actionLine describes an action in the list: what it is, how long it took and how it ended. The open
// action is the selected one.
func (l *actionList) actionLine(dc *draw.Context, w, i int, s draw.Selection) string {
	a, marker, summary := l.actions[i], "▸ ", ""
	switch {
	case s == draw.Unselected:
		summary = actionSummary(dc, a)
	case a.Kind == "model" && a.ReplyExcerpt != "": // its text follows
		marker, summary = "▾ ", dc.Model.Paint("reply")
	case a.Kind == "tool" && l.showsArguments: // they follow
		marker, summary = "▾ ", toolSummary(dc, a)
	default:
		marker, summary = "▾ ", actionSummary(dc, a)
	}
	right := outcomeText(dc, l.row, a)
	left := dc.SelectionMark(s) + dc.Muted.Paint(marker) + summary
	return dc.HighlightRow(dc.LeftRight(dc.Cut(left, max(1, w-dc.Width(right)-2)), right, w), w, s)
}

// maxArgBytes limits the arguments in the line of a call, in bytes.
const maxArgBytes = 2 << 10

// actionSummary returns the text of an action in a line: the first line of a reply, a call with its
// arguments, or a command.
func actionSummary(dc *draw.Context, a *track.Action) string {
	switch a.Kind {
	case "tool":
		args := strings.Join(strings.Fields(sanitize.Plain(tools.UnescapeNonASCII(a.Args[:min(len(a.Args), maxArgBytes)]))), " ")
		return toolSummary(dc, a) + " " + dc.Muted.Paint(args)
	case "command":
		return dc.Command.Paint("$ " + draw.FirstLine(a.Text))
	}
	if text := draw.FirstLine(a.ReplyExcerpt); text != "" {
		return dc.Model.Paint("reply ") + text
	}
	switch {
	case a.ReportArgs != "":
		return dc.Model.Paint("report")
	case len(a.WantedCalls) > 0:
		return dc.Model.Paint("reply ") + dc.Muted.Paint("with "+plan.CountText(len(a.WantedCalls), "tool call"))
	}
	return dc.Model.Paint("reply")
}

// toolSummary returns the text of a call without its arguments.
func toolSummary(dc *draw.Context, a *track.Action) string {
	return dc.Tool.Paint("⚙ " + draw.ToolName(a.Server, a.Tool))
}

// outcomeText returns how an action ended and how long it took. Its glyph is last, so that the durations of all
// actions end in the same column.
func outcomeText(dc *draw.Context, row *track.Row, a *track.Action) string {
	took := wording.ColumnDuration(a.Duration)
	if took != "" {
		took = dc.Muted.Paint(took) + " "
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
	case !a.IsDone && !row.Status.IsOpen():
		return dc.Muted.Paint("–")
	case !a.IsDone && a.NeedsApproval:
		return dc.Wait.Paint("?")
	case !a.IsDone:
		return dc.Accent.Paint("…")
	case a.WasDenied:
		return dc.Fail.Paint("refused ✗")
	case a.CorrectionMessage != "":
		return dc.Warn.Paint("not accepted ") + took + dc.Warn.Paint("✗")
	case a.WasCutOff:
		return dc.Warn.Paint("interrupted ") + took + dc.Warn.Paint("✗")
	case a.Error != "", a.Signal != "", failed:
		return dc.Fail.Paint("failed ") + took + dc.Fail.Paint("✗")
	case a.Outcome != nil && a.Outcome.Result == plan.Undecided:
		return took + heldReportGlyph(dc, row, a)
	}
	return took + dc.Pass.Paint("✓")
}

// heldReportGlyph returns the one-cell glyph of a held report, by what became of it.
func heldReportGlyph(dc *draw.Context, row *track.Row, a *track.Action) string {
	switch state, _ := heldReportState(row, a); state {
	case track.Waiting:
		return dc.Wait.Paint("?")
	case track.Passed:
		return dc.Warn.Paint("!")
	case track.Failed:
		return dc.Fail.Paint("✗")
	}
	return dc.Muted.Paint("–")
}

// addListLines adds lines of the list, and records which action each line shows.
func (p *Pane) addListLines(lines []actionListLine) {
	for len(p.actionNumberByLine) < len(p.drawnLines) {
		p.actionNumberByLine = append(p.actionNumberByLine, 0)
	}
	for _, line := range lines {
		p.drawnLines, p.actionNumberByLine = append(p.drawnLines, line.text), append(p.actionNumberByLine, line.actionIndex+1)
	}
}

// chooseActionAt opens action i. Choosing the last one while it runs makes the pane follow the run again.
func (l *actionList) chooseActionAt(i int) {
	last := len(l.actions) - 1
	i = min(max(0, i), last)
	if l.chosenAction = l.actions[i]; i == last && !l.chosenAction.IsDone {
		l.chosenAction = nil
	}
}

// openLog returns the log of the open action. For a call in the list that has no log, it returns an empty
// one, so that the arguments show.
func (p *Pane) openLog(open func(string) session.Log, file string, a *track.Action) session.Log {
	switch {
	case file != "" && open != nil:
		opened := open(file)
		if log, isFile := opened.(*logs.Log); isFile && p.ShowsReplyOrResult() {
			return logs.EscapedLog{Log: log}
		}
		return opened
	case a != nil && (a.Kind == "tool" && p.actionList.actions != nil || a.ReportArgs != ""):
		return &emptyLog{}
	}
	return nil
}

// emptyLog is the log of an action without output. It is not an empty struct, because pointers to two of
// them must differ.
type emptyLog struct{ _ byte }

func (*emptyLog) Size() (int64, int)               { return 0, 0 }
func (*emptyLog) Lines(int, int) ([]string, error) { return nil, nil }
func (*emptyLog) ShortenedText(int) string         { return "" }
func (*emptyLog) Watch() <-chan struct{}           { return nil }
func (*emptyLog) Unwatch(<-chan struct{})          {}
func (*emptyLog) CountMatches(context.Context, logs.LineMatcher, int) (before, all int, err error) {
	return 0, 0, nil
}
func (*emptyLog) Search(context.Context, logs.LineMatcher, int, logs.Direction) (int, bool, error) {
	return 0, false, nil
}
