// Package output is the pane with the output of the selected step: what a command printed, a model replied
// or a tool returned. The pane holds the visible part of one log. The Reader reads another part when the
// person moves or the log grows.
package output

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/cells"
	"playhead/tui/dialog"
	"playhead/tui/dialog/longtext"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
	"playhead/tui/session"
)

// Pane implements pane.Pane.
type Pane struct {
	box           panes.Rect
	row           *track.Row
	action        *track.Action
	calls         callList     // the replies, calls and commands of the row
	heads         []int        // by line: the number of the action that the line shows in the list, from 1; 0: none
	openQuestion  string       // the kind of question that is open at the row
	state         engine.State // of the run
	IsBefore      bool         // the output is that of an earlier step, about which the selected step may ask
	isNext        bool         // the paused run is about to enter the row
	notice        string       // the state of a call that has no output yet
	file          string
	log           session.Log
	logMissing    bool // the log of the action is missing
	window        Window
	lastGrowth    time.Time // when output last came, or the log was first shown
	from          int       // the first line asked for
	follow        bool      // the end stays in sight
	wrap          bool
	scrollX       int // the first column shown
	typing        bool
	raw           bool // replies show raw instead of rendered
	page          *page
	pages         map[pageKey]*page
	search        *search.Search // its matches are highlighted
	lines         []string
	reasoningOpen bool // a dialog shows the reasoning
	focused       bool // has the focus, as of the last frame
	stale         bool
}

// New returns an empty pane.
func New() *Pane { return &Pane{follow: true, stale: true} }

// Resize implements pane.Pane.
func (p *Pane) Resize(box panes.Rect) { p.box, p.stale = box, true }

// Sync shows the log of the selected row's last action, or of the action that the person has opened.
// asks says that a dialog asks the run's question now. logs opens a log of the run, and is nil before
// there is a session.
func (p *Pane) Sync(run *runview.Run, asks bool, logs func(file string) session.Log) {
	st := run.ShownStatus()
	r := run.Selected
	if asks {
		r = askedAbout(run.Shown, r, st)
	}
	file, action := p.fileOf(r, st)
	isBefore := r != run.Selected
	shown, wasBefore := p.file, p.IsBefore
	changed := file != shown || action != p.action || isBefore != wasBefore // a rewind creates the same action again
	p.stale = p.stale || r != p.row || changed || p.window.total == 0 || st.State != p.state
	p.row, p.action, p.openQuestion, p.state, p.notice = r, action, "", st.State, notice(st, run.Now)
	p.IsBefore = isBefore
	p.isNext = st.State == engine.Paused && r != nil && st.NextEvent != nil && st.NextEvent.Step == r.Label
	if waitsAt(st, r) {
		p.openQuestion = st.Question.Kind
	}
	if changed || p.log == nil { // a session may have begun, or the report of a reply arrived
		p.file, p.log = file, p.logOf(logs, file, action)
		p.logMissing = p.log == nil && logs != nil && action != nil && action.Log != nil
	}
	if changed && (file == "" || file != shown || isBefore != wasBefore) {
		p.window, p.from, p.scrollX, p.typing, p.lastGrowth = Window{}, 0, 0, false, run.Now
		p.follow = p.calls.chosen == nil && !isBefore && !opensAtStart(action)
	}
	p.choosePage(run.Look)
}

// askedAbout returns the row whose output the question of a row may be about: the row itself or, if it has
// no output, the step that made the newest output before the question.
func askedAbout(t *track.Track, r *track.Row, st engine.Status) *track.Row {
	if !waitsAt(st, r) || r.Action() != nil || st.Log != "" {
		return r
	}
	for _, label := range slices.Backward(t.Path) {
		if before := t.Row(label); before != nil && before.Action() != nil {
			return before
		}
	}
	return r
}

// opensAtStart reports whether a text opens at its beginning, as complete replies and results do.
func opensAtStart(a *track.Action) bool {
	return a != nil && a.Done && a.Kind != "command"
}

// fileOf returns the file of the log to show for a row, and the action that wrote it.
func (p *Pane) fileOf(r *track.Row, st engine.Status) (file string, action *track.Action) {
	if r == nil || !r.IsExecutable() {
		p.calls = callList{}
		return "", nil
	}
	action = p.calls.openOf(r, st)
	if action != nil && action.Log != nil {
		file = action.Log.File
	}
	newest := action == nil || action == r.Action() || !action.Done
	if at := st.Running; newest && st.Log != "" && (at == r.Label || at == "" && (waitsAt(st, r) || endsIn(st, action))) {
		file = st.Log
	}
	return file, action
}

// waitsAt reports whether a question is about a row.
func waitsAt(st engine.Status, r *track.Row) bool {
	return r != nil && st.Question != nil && st.Question.Action.Step == r.Label
}

// endsIn reports whether a recording ends in an action.
func endsIn(st engine.Status, a *track.Action) bool {
	return st.State == engine.Over && a != nil && !a.Done
}

// Request returns the part of the log to read, for a pane of at most h lines.
func (p *Pane) Request(l *draw.Look, h int) Request {
	p.choosePage(l)
	return Request{p.log, p.from, max(1, p.room(h)), p.follow, p.running(), p.page}
}

// Take shows a part of the log that the reader has read.
func (p *Pane) Take(w Window, now time.Time) {
	if w.log != p.log {
		return
	}
	if w.bytes != p.window.bytes {
		p.lastGrowth = now
	}
	p.window = w
	if p.follow {
		p.from, _ = p.visibleLines()
	}
	p.stale = true
}

// visibleLines returns the lines of the window that fit into the pane, and the number of the first. The
// window has more lines, so that the pane can grow without reading again.
func (p *Pane) visibleLines() (from int, lines []string) {
	from, lines = p.window.from, p.window.lines
	over := max(0, len(lines)-max(0, p.room(p.box.H)))
	if p.follow {
		return from + over, lines[over:]
	}
	return from, lines[:len(lines)-over]
}

// IsEmpty reports whether there is no log and no list of calls to show.
func (p *Pane) IsEmpty() bool { return p.file == "" && p.log == nil && p.calls.all == nil }

// IsStill reports whether the output that shows has been read and will not change by itself. It is
// false while the person goes through the calls.
func (p *Pane) IsStill() bool { return !p.running() && p.calls.chosen == nil && p.window.log == p.log }

// IsCall reports whether the pane shows the reply of a model or the result of a tool.
func (p *Pane) IsCall() bool { return p.isReply() || p.isTool() }

// IsRaw reports whether replies show raw instead of rendered.
func (p *Pane) IsRaw() bool { return p.raw }

// SetRaw shows replies raw, or rendered.
func (p *Pane) SetRaw(raw bool) { p.raw, p.from, p.stale = raw, 0, true }

// ActionOf returns the action of a row whose output shows, nil if another row's shows.
func (p *Pane) ActionOf(r *track.Row) *track.Action {
	if r != p.row {
		return nil
	}
	return p.action
}

// running reports whether the pane's command is being executed.
func (p *Pane) running() bool {
	return p.action != nil && !p.action.Done && p.row.Status == track.Running
}

// Title returns what ran, how it ended, and which part of the log shows.
func (p *Pane) Title(run *runview.Run) panes.Title {
	l := run.Look
	right, name := p.titleFacts(l, true), ""
	var facts []draw.Fact
	switch {
	case p.isReply():
		facts = replyFacts(p.action)
	case p.isTool():
		facts = []draw.Fact{{Text: resultTitle(p.action)}}
	default:
		return panes.Title{Left: l.CutWords(p.commandTitle(), p.box.W-l.Width(right)-titleGap), Right: right}
	}
	if p.IsBefore {
		name = draw.StepName(p.row) + " · "
	}
	left := name + l.FitFacts(facts, uncut)
	if l.Width(left)+l.Width(right)+titleGap > p.box.W { // the scrollbar shows which part is in sight
		right = p.titleFacts(l, false)
		left = name + l.FitFacts(facts, p.box.W-l.Width(name)-l.Width(right)-titleGap)
	}
	return panes.Title{Left: left, Right: right}
}

// uncut is a width at which nothing is cut.
const uncut = 1 << 16

// titleGap is the number of cells of a title's line that belong neither to its left nor to its right text.
const titleGap = 4

// commandTitle returns a title with the step and the command.
func (p *Pane) commandTitle() string {
	if p.action == nil || p.action.Text == "" {
		return "OUTPUT"
	}
	command := draw.Clean(track.CommandLine(p.action.Text))
	if p.row == nil {
		return "OUTPUT " + command
	}
	return "OUTPUT " + draw.Clean(p.row.Label) + " " + command
}

func (p *Pane) titleFacts(l *draw.Look, withPlace bool) string {
	switch {
	case p.typing:
		return l.Accent.Paint("typing into it · ctrl+] ends")
	case p.action == nil:
		return ""
	}
	var facts []string
	if p.action.Done && p.action.Kind == "command" {
		facts = append(facts, p.ended(l))
		if took := p.action.Took; took > 0 {
			facts = append(facts, l.Muted.Paint(wording.Clock(took)))
		}
	}
	whole := p.action.Done && (p.IsCall() && p.isAtEnd() || p.window.total <= p.room(p.box.H)) // its length does not matter
	if withPlace && p.window.total > 0 && !whole {
		facts = append(facts, l.Muted.Paint(p.place()))
	}
	if n := len(p.calls.all); n > 0 {
		facts = append(facts, l.Muted.Paint(fmt.Sprintf("%d of %d", p.calls.at()+1, n)))
	}
	if p.IsCall() && p.flaw(l) != "" { // the title is cut if this is too long
		facts = append(facts, p.flaw(l))
	}
	return strings.Join(facts, l.Muted.Paint(" · "))
}

// ended returns how the action ended.
func (p *Pane) ended(l *draw.Look) string {
	a := p.action
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

// isAtEnd reports whether the end of the log is in sight.
func (p *Pane) isAtEnd() bool { return p.follow || p.window.total <= p.room(p.box.H) }

// place returns which part of the log shows.
func (p *Pane) place() string {
	if p.follow && p.running() {
		return "following"
	}
	if p.isAtEnd() {
		return wording.Count(p.window.total, "line")
	}
	from, _ := p.visibleLines()
	return fmt.Sprintf("line %s of %s", track.Thousands(from+1), track.Thousands(p.window.total))
}

// Update handles actions and the mouse.
func (p *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		p.scroll(msg.By)
		return nil, true
	case pane.Click:
		if msg.Y >= 0 && msg.Y < len(p.heads) && p.heads[msg.Y] > 0 {
			p.calls.choose(p.heads[msg.Y] - 1)
			p.stale = true
		}
		return nil, true
	case pane.Action:
		return p.act(msg.Name)
	}
	return nil, false
}

// scrollColumns is how many columns a key scrolls to the side.
const scrollColumns = 8

func (p *Pane) act(action string) (requests []tea.Msg, handled bool) {
	p.stale = true
	switch action {
	case "left", "right":
		if p.wrap {
			return []tea.Msg{request.Say{Text: "Lines are wrapped. {wrap} to stop wrapping them."}}, true
		}
		p.scrollX = max(0, p.scrollX+map[string]int{"left": -scrollColumns, "right": scrollColumns}[action])
	case "wrap":
		p.wrap, p.scrollX = !p.wrap, 0
	case "next-call":
		p.calls.choose(p.calls.at() + 1)
	case "previous-call":
		p.calls.choose(p.calls.at() - 1)
	case "reasoning":
		return []tea.Msg{dialog.Open{Dialog: longtext.Reasoning(p.reasoning())}}, true
	default:
		return nil, false
	}
	return nil, true
}

// Unavailable returns why an action on output cannot be done now.
func (p *Pane) Unavailable(run *runview.Run, action string) string {
	switch {
	case action == "reasoning" && p.reasoning() == "":
		return "No reasoning was recorded here."
	case (action == "next-call" || action == "previous-call") && p.calls.all == nil:
		return "This step has no other reply or call."
	case action == "find" && p.log == nil:
		return "This step has no output."
	case action == "type" && !p.CanType(run):
		return "No command is running here."
	}
	return ""
}

// Label returns the label of an action if it differs from the usual one, else "".
func (p *Pane) Label(action string) string {
	switch {
	case action == "raw" && p.raw:
		return "rendered"
	case action == "last" && !p.running():
		return "end"
	}
	return ""
}

// Actions returns the actions of a call or of a log, without those that would change nothing.
func (p *Pane) Actions() []string {
	out := []string{"type", "last", "find", "wrap", "copy"}
	if p.IsCall() {
		out = []string{"next-call", "previous-call", "reasoning", "raw", "last", "find", "copy"}
	}
	return slices.DeleteFunc(out, func(action string) bool { return !p.isUseful(action) })
}

// isUseful reports whether an action would change something.
func (p *Pane) isUseful(action string) bool {
	switch action {
	case "next-call":
		return p.calls.at() != len(p.calls.all)-1
	case "previous-call":
		return p.calls.at() != 0
	case "last":
		return !p.isAtEnd()
	case "wrap":
		return p.window.total != 0
	}
	return true
}

// scroll moves through the log. Going up stops following the end, and only list.Far follows it again.
func (p *Pane) scroll(by int) {
	p.stale = true
	if by == list.Far {
		p.follow = true
		return
	}
	if p.log == nil {
		return
	}
	h := p.room(p.box.H)
	from, _ := p.visibleLines()
	p.from = min(max(0, from+by), max(0, p.window.total-h))
	if by < 0 && p.from < p.window.total-h || by < 0 && p.follow && p.window.total > h {
		p.follow = false
	}
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	l, box := run.Look, p.box
	if p.reasoningOpen != run.ReasoningOpen {
		p.reasoningOpen, p.stale = run.ReasoningOpen, true
	}
	if focused := run.Focus == panes.Output; p.focused != focused {
		p.focused, p.stale = focused, true
	}
	if !p.stale && len(p.lines) == box.H {
		return p.lines
	}
	p.lines, p.heads = p.lines[:0], p.heads[:0]
	body := p.body(l)
	above, below := p.calls.lines(l, box.W, max(p.calls.height(box.H), min(len(p.calls.all), box.H-len(body))), p.focused)
	p.addListLines(above)
	p.lines = append(p.lines, p.cut(l, body, max(0, box.H-len(above)-len(below)))...)
	p.addListLines(below)
	for i := range p.lines {
		p.lines[i] = l.Fit(p.lines[i], box.W)
	}
	for len(p.lines) < box.H {
		p.lines = append(p.lines, cells.Spaces(box.W))
	}
	p.stale = false
	return p.lines
}

// cut returns at most h lines of a body. Between the lines of a list, the last one counts the lines that
// follow.
func (p *Pane) cut(l *draw.Look, body []string, h int) []string {
	from, lines := p.visibleLines()
	hidden := max(0, len(body)-h) + p.window.total - from - len(lines)
	body = body[:min(len(body), h)]
	if p.calls.all != nil && !p.follow && p.page != nil && hidden > 0 && len(body) > 1 {
		body[len(body)-1] = l.Muted.Paint("↓ " + wording.Count(hidden+1, "more line"))
	}
	return body
}

// Overflow returns how much of the log is out of sight.
func (p *Pane) Overflow(*runview.Run) panes.Overflow {
	from, _ := p.visibleLines()
	return panes.Outside(from, p.room(p.box.H), p.window.total)
}

// body returns the lines of the open action.
func (p *Pane) body(l *draw.Look) []string {
	lines, box := p.reasoningLine(l, p.box.W), p.box
	if p.window.total == 0 && !p.typing {
		lines = append(lines, p.placeholder(l, box.W)...)
	} else {
		lines = append(lines, p.visible(l, panes.Rect{X: box.X, Y: box.Y, W: box.W, H: p.room(box.H)})...)
	}
	if p.isTool() && !p.action.Done && p.window.total > 0 && p.window.bytes == 0 {
		lines = append(lines, "", l.Muted.Paint(l.Cut(l.Keys.Sentence(control.Sentence(p.noResult())), box.W)))
	}
	return lines
}

// visible returns the lines of the window, wrapped or cut.
func (p *Pane) visible(l *draw.Look, box panes.Rect) []string {
	var out []string
	from, lines := p.visibleLines()
	for i, line := range lines {
		line = p.search.Highlight(l, line, p.search.IsCurrent(from+i))
		if p.wraps() {
			out = append(out, l.Rows(line, box.W)...)
			continue
		}
		out = append(out, p.clip(l, line, box.W))
	}
	if p.typing && p.follow {
		out = p.caret(l, out, box.W)
	}
	switch over := len(out) - box.H; {
	case over <= 0:
		return out
	case p.follow:
		return out[over:]
	default:
		return out[:box.H]
	}
}

// wraps reports whether long lines are wrapped: also those of a reply that is too long for a page.
func (p *Pane) wraps() bool {
	return p.wrap || p.IsCall() && (p.page == nil || p.window.bytes > maxPage)
}

// clip returns the part of a line between the pane's edges.
func (p *Pane) clip(l *draw.Look, line string, w int) string {
	if p.scrollX == 0 {
		return l.Cut(line, w)
	}
	if l.Width(line) <= p.scrollX {
		return ""
	}
	return l.Cut(l.Slice(line, p.scrollX, p.scrollX+w+1), w)
}
