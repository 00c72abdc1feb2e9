package tui

import (
	"fmt"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/tui/cells"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
	"playhead/tui/panes"
	"playhead/tui/search"
)

// output is the pane of what the selected step printed. It holds the visible part
// of one log; the reader brings another when the person moves or the log grows.
type output struct {
	row    *track.Row
	action *track.Action
	calls  []*track.Action // what the row did, if that is a list
	chosen *track.Action   // of them, by the person; nil: what goes on
	spots  []int           // of the lines: which of them a line stands for, from 1
	asks   string          // the kind of question that is open at the row
	state  engine.State    // of the run
	next   bool            // it is about to come to the row
	notice string          // what there is to say of the call under way
	file   string
	log    logStore
	gone   bool // there was a log, which cannot be read any more
	win    window
	grown  time.Time // when something came last, or the log came to be shown
	from   int       // the first line asked for
	follow bool      // the end stays in sight
	wrap   bool
	left   int // the first column shown
	typing bool
	raw    bool // a reply shows as it came
	page   *leaf
	pages  map[pageKey]*leaf
	marks  *search.Search // whose matches stand out
	lines  []string
	stale  bool
}

func newOutput() output { return output{follow: true, stale: true} }

// show makes the pane show the log of a row's last action.
func (o *output) show(r *track.Row, s session, st engine.Status, now time.Time) {
	file, action := "", (*track.Action)(nil)
	if r == nil || !r.Unit() {
		o.calls, o.chosen = nil, nil
	} else {
		action = o.open(r, st)
		if action != nil && action.Log != nil {
			file = action.Log.File
		}
		newest := action == nil || action == r.Action() || !action.Done
		if at := st.Running; newest && st.Log != "" && (at == r.Label || at == "" && (waitsAt(st, r) || leftAt(st, action))) {
			file = st.Log
		}
	}
	changed := file != o.file || action != o.action
	o.stale = o.stale || r != o.row || changed || o.win.total == 0
	o.stale = o.stale || st.State != o.state
	o.row, o.action, o.asks, o.state, o.notice = r, action, "", st.State, meanwhile(st, now)
	o.next = st.State == engine.Paused && r != nil && st.Next != nil && st.Next.Step == r.Label
	if waitsAt(st, r) {
		o.asks = st.Question.Kind
	}
	if changed || o.log == nil { // a session may have come, or the report of a reply
		o.file, o.log = file, o.logOf(s, file, action)
		o.gone = o.log == nil && s != nil && action != nil && action.Log != nil
	}
	if changed {
		o.win, o.from, o.left, o.follow, o.typing, o.grown = window{}, 0, 0, o.chosen == nil, false, now
	}
}

// waitsAt reports whether a question is about a row.
func waitsAt(st engine.Status, r *track.Row) bool {
	return r != nil && st.Question != nil && st.Question.Action.Step == r.Label
}

// leftAt reports whether a recording ends in an action.
func leftAt(st engine.Status, a *track.Action) bool {
	return st.State == engine.Over && a != nil && !a.Done
}

// view is the part of the log to read for a pane of h lines.
func (o *output) view(h int) view {
	return view{o.log, o.from, max(1, o.room(h)), o.follow, o.running(), o.page}
}

// take shows what the reader brought.
func (o *output) take(w window, now time.Time) {
	if w.log != o.log {
		return
	}
	if w.bytes != o.win.bytes {
		o.grown = now
	}
	o.win = w
	if o.follow {
		o.from = w.from
	}
	o.stale = true
}

// running reports whether the pane's command is being executed.
func (o *output) running() bool {
	return o.action != nil && !o.action.Done && o.row.Status == track.Running
}

// title says what ran, how it ended, and which part of the log shows.
func (o *output) title(l *look) panes.Title {
	left := "OUTPUT"
	if o.reply() {
		return panes.Title{Left: replied(o.action), Right: o.facts(l)}
	}
	if o.tool() {
		return panes.Title{Left: resulted(o.action), Right: o.facts(l)}
	}
	if o.action != nil && o.action.Text != "" {
		text, _, _ := strings.Cut(strings.TrimSpace(sanitize.Text(o.action.Text)), "\n")
		left = "$ " + text
	}
	return panes.Title{Left: left, Right: o.facts(l)}
}

func (o *output) facts(l *look) string {
	switch {
	case o.typing:
		return l.Accent.Paint("typing into it · ctrl+] ends")
	case o.action == nil:
		return ""
	}
	var facts []string
	if o.action.Done && o.action.Kind == "command" {
		facts = append(facts, o.ended(l))
	}
	if ended := o.called() && o.action.Done && o.follow; o.win.total > 0 && !ended {
		facts = append(facts, l.Muted.Paint(o.place()))
	}
	if n := len(o.calls); n > 0 {
		facts = append(facts, l.Muted.Paint(fmt.Sprintf("%d of %d", o.at()+1, n)))
	}
	if o.called() && o.flaw(l) != "" { // as long as it is: what there is no room for is cut
		facts = append(facts, o.flaw(l))
	}
	return strings.Join(facts, l.Muted.Paint(" · "))
}

// ended says how the action ended.
func (o *output) ended(l *look) string {
	a := o.action
	switch {
	case a.Error != "":
		return l.Fail.Paint(draw.Clean(a.Error))
	case a.Signal != "":
		return l.Fail.Paint("signal " + draw.Clean(a.Signal))
	case a.CutOff:
		return l.Fail.Paint("interrupted")
	case a.ExitCode != nil && *a.ExitCode != 0:
		return l.Fail.Paint(fmt.Sprintf("exit %d", *a.ExitCode))
	case a.ExitCode != nil:
		return l.Pass.Paint("exit 0")
	case a.Outcome != nil:
		return l.Muted.Paint(string(a.Outcome.Result))
	}
	return l.Muted.Paint("ended")
}

// place says which part of the log shows.
func (o *output) place() string {
	if o.follow {
		return draw.Count(o.win.total, "line") + " · end"
	}
	return fmt.Sprintf("line %s of %s", track.Thousands(o.win.from+1), track.Thousands(o.win.total))
}

// empty says what to do where there is no output.
func (o *output) empty() string {
	switch r := o.row; {
	case r == nil:
		return steps.NoSteps
	case r.Doc != nil || !r.Unit() || len(r.Children) > 0 && o.action == nil:
		return "Only single steps have output: select one below this."
	case !r.Plan().Runnable():
		return "A document with errors cannot be run: {why} says what is wrong."
	case o.gone:
		return "The log of what it printed is missing from the run's folder: " + draw.Clean(o.file)
	case o.file != "" && o.log == nil:
		return "What came here can be read when the run goes on."
	case o.win.err != nil:
		return "The log cannot be read: " + draw.Clean(o.win.err.Error())
	case o.asks == machine.KindResume && o.reply():
		return "Nothing of the reply came. {answer} goes to the question."
	case o.asks == machine.KindResume:
		return "The command was interrupted before it printed anything. {answer} goes to the question."
	case o.reply() || o.asks == machine.KindReply:
		return o.silence()
	case o.tool():
		return o.noResult()
	case o.running() && o.state == engine.Over:
		return "Nothing had been printed when the recording ends."
	case o.running():
		return "Running. Nothing printed yet."
	case r.Status == track.Waiting && silent(r):
		return "Nothing is executed here: this step asks a person." + o.toQuestion()
	case r.Status == track.Waiting && o.action == nil:
		return "Nothing was executed: a person decides." + o.toQuestion()
	case o.action != nil && o.action.Kind == "command":
		return "It printed nothing."
	case r.Status.Over():
		return "Nothing was executed here."
	default:
		return "Nothing has run here yet" + o.toThis()
	}
}

// toThis says which key brings the run here, or to what keeps it from here.
func (o *output) toThis() string {
	switch {
	case o.row.Status == track.Running: // it is here already
		return "."
	case o.state == engine.Paused:
		if o.next {
			return ": {over} runs it."
		}
		return ". Press {run-to} to bring the run here."
	case o.state == engine.Waits:
		return ". {answer} goes to the question that the run waits at."
	}
	return "."
}

// toQuestion says which key goes to the question, where it does: the past and a replay have
// none that is open.
func (o *output) toQuestion() string {
	if o.asks == "" {
		return ""
	}
	return " {answer} goes to the question."
}

// scroll moves through the log. Going up stops following; reaching the end does
// not start it again, G does.
func (o *output) scroll(by, h int) {
	if o.log == nil {
		return
	}
	h = o.room(h)
	o.from = min(max(0, o.win.from+by), max(0, o.win.total-h))
	if by < 0 && o.from < o.win.total-h || by < 0 && o.follow && o.win.total > h {
		o.follow = false
	}
	o.stale = true
}

// jump shows a line in the middle of the pane.
func (o *output) jump(line, h int) {
	o.follow = false
	o.from = max(0, line-h/2)
	o.stale = true
}

// pan moves sideways.
func (o *output) pan(by int) {
	o.left = max(0, o.left+by)
	o.stale = true
}

// rows is the lines of the pane.
func (o *output) rows(l *look, box panes.Rect) []string {
	if !o.stale && len(o.lines) == box.H {
		return o.lines
	}
	o.lines, o.spots = o.lines[:0], o.spots[:0]
	body := o.body(l, box)
	above, below := o.heads(l, box.W, max(o.listed(box.H), min(len(o.calls), box.H-len(body))))
	o.list(above)
	o.lines = append(o.lines, body[:min(len(body), max(0, box.H-len(above)-len(below)))]...)
	o.list(below)
	for i := range o.lines {
		o.lines[i] = l.Fit(o.lines[i], box.W)
	}
	for len(o.lines) < box.H {
		o.lines = append(o.lines, cells.Spaces(box.W))
	}
	o.stale = false
	return o.lines
}

// body is the lines of what is open.
func (o *output) body(l *look, box panes.Rect) []string {
	lines := o.folded(l, box.W)
	if o.win.total == 0 && !o.typing {
		lines = append(lines, o.placeholder(l, box.W)...)
	} else {
		lines = append(lines, o.visible(l, panes.Rect{X: box.X, Y: box.Y, W: box.W, H: o.room(box.H)})...)
	}
	if o.tool() && !o.action.Done && o.win.total > 0 && o.win.bytes == 0 {
		lines = append(lines, "", l.Muted.Paint(l.Cut(l.Keys.Text(o.noResult()), box.W)))
	}
	return lines
}

// placeholder is what stands where there is no output.
func (o *output) placeholder(l *look, w int) []string {
	lines := l.Wrap(l.Keys.Text(o.empty()), w)
	for i, line := range lines {
		lines[i] = l.Muted.Paint(line)
	}
	return lines
}

// visible sets the window's lines, wrapped or cut.
func (o *output) visible(l *look, box panes.Rect) []string {
	var out []string
	for i, line := range o.win.lines {
		line = o.marks.Highlight(l, line, o.marks.IsCurrent(o.win.from+i))
		if o.wraps() {
			out = append(out, l.Hard(line, box.W)...)
			continue
		}
		out = append(out, o.clip(l, line, box.W))
	}
	if o.typing && o.follow {
		out = o.caret(l, out, box.W)
	}
	switch over := len(out) - box.H; {
	case over <= 0:
		return out
	case o.follow:
		return out[over:]
	default:
		return out[:box.H]
	}
}

// wraps reports whether long lines go on in the next row.
func (o *output) wraps() bool { return o.wrap || o.called() && o.page == nil }

// clip is the part of a line between the pane's edges.
func (o *output) clip(l *look, line string, w int) string {
	if o.left == 0 {
		return l.Cut(line, w)
	}
	if l.Width(line) <= o.left {
		return ""
	}
	return l.Cut(l.Slice(line, o.left, o.left+w+1), w)
}
