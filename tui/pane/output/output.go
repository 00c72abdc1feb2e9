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
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/dialog"
	"playhead/tui/dialog/longtext"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
	"playhead/tui/session"
)

// Pane implements pane.Pane.
type Pane struct {
	box layout.Rect
	shownAction
	actionList         actionList // the replies, calls and commands of the row
	actionNumberByLine []int      // by line: the number of the action that the line shows in the list, from 1; 0: none
	ShowsEarlierOutput bool       // the output is that of an earlier step, about which the selected step may ask
	logFile            string
	actionLog          session.Log
	isLogMissing       bool     // the log of the action is missing
	canOpenLogs        bool     // there is a session
	isTextComplete     bool     // the reply or result that shows has ended
	viewport           viewport // which part of the log shows
	isWrapOn           bool
	isTyping           bool
	isRaw              bool // replies show raw instead of rendered
	page               *logPage
	pageCache          map[pageKey]*logPage
	search             *search.Search // its matches are highlighted
	drawnLines         []string
	isReasoningOpen    bool // a dialog shows the reasoning
	hasFocus           bool // has the focus, as of the last frame
	isStale            bool
}

// New returns an empty pane.
func New() *Pane { return &Pane{viewport: viewport{followsEnd: true}, isStale: true} }

// Resize implements pane.Pane.
func (p *Pane) Resize(box layout.Rect) {
	p.box, p.viewport.height, p.isStale = box, p.logHeight(box.H), true
}

// Sync shows the log of the selected row's last action, or of the action that the person has opened.
// logs opens a log of the run, and is nil before there is a session.
func (p *Pane) Sync(run *runview.Run, logs func(file string) session.Log) {
	st := run.ShownStatus()
	r := rowOfShownOutput(run.ShownTrack, run.SelectedRow, st)
	file, action := p.chooseLogFile(r, st)
	isBefore := r != run.SelectedRow
	shown, wasBefore := p.logFile, p.ShowsEarlierOutput
	changed := file != shown || action != p.action || isBefore != wasBefore // a rewind creates the same action again
	now := newShownAction(run, r, action)
	p.isStale = p.isStale || now != p.shownAction || changed || p.viewport.logWindow.totalLines == 0
	p.shownAction, p.ShowsEarlierOutput = now, isBefore
	if changed || p.actionLog == nil { // a session may have begun, or the report of a reply arrived
		p.logFile, p.actionLog = file, p.openLog(logs, file, action)
		p.canOpenLogs = logs != nil
		p.isLogMissing = p.actionLog == nil && logs != nil && action != nil && action.Log != nil
	}
	wasComplete := p.isTextComplete
	p.isTextComplete = hasCompleteText(action)
	switch {
	case changed && (file == "" || file != shown || isBefore != wasBefore):
		p.isTyping = false
		window := p.viewport.logWindow
		p.viewport.reset(run.Now, p.actionList.chosenAction == nil && !p.isTextComplete && (!isBefore || r.HasFailed()))
		if window.log == p.actionLog { // the same part of a log is not read again
			p.viewport.logWindow = window
		}
	case p.isTextComplete && !wasComplete && p.viewport.followsEnd:
		p.viewport.goToStart()
	}
	p.viewport.height = p.logHeight(p.box.H)
	p.choosePage(run.DrawContext)
}

// updateIsCauseShownElsewhere finds out whether the screen shows elsewhere why the action failed. The
// layout decides that, and may change after Sync.
func (p *Pane) updateIsCauseShownElsewhere(run *runview.Run) {
	if shown := isCauseShownElsewhere(run, p.row, p.action); shown != p.isCauseShownElsewhere {
		p.isCauseShownElsewhere, p.isStale = shown, true
	}
}

// rowOfShownOutput returns the row whose output the question of a row may be about: the row itself or, if
// it has no output, the step that made the newest output before the question.
func rowOfShownOutput(t *track.Track, r *track.Row, st engine.Status) *track.Row {
	if !isQuestionAbout(st, r) || r.ShownAction() != nil || st.RunningLog != "" {
		return r
	}
	for before := range t.EnteredRows() {
		if a := before.ShownAction(); a != nil && (a.Log != nil || a.IsExecuted()) {
			return before
		}
	}
	return r
}

// hasCompleteText reports whether a text opens at its beginning, as complete replies and results do.
func hasCompleteText(a *track.Action) bool {
	return a != nil && a.IsDone && a.Kind != "command"
}

// chooseLogFile returns the file of the log to show for a row, and the action that wrote it.
func (p *Pane) chooseLogFile(r *track.Row, st engine.Status) (file string, action *track.Action) {
	if r == nil || !r.IsExecutable() {
		p.actionList = actionList{}
		return "", nil
	}
	action = p.actionList.openNewestOrChosen(r, st)
	if action != nil && action.Log != nil {
		file = action.Log.File
	}
	newest := action == nil || action == r.ShownAction() || !action.IsDone
	if at := st.RunningStep; newest && st.RunningLog != "" && (at == r.Label || at == "" && (isQuestionAbout(st, r) || recordingEndsDuring(st, action))) {
		file = st.RunningLog
	}
	return file, action
}

// recordingEndsDuring reports whether a recording ends in an action.
func recordingEndsDuring(st engine.Status, a *track.Action) bool {
	return st.State == engine.Over && a != nil && !a.IsDone
}

// ReadRequest returns the part of the log to read, for a pane of at most h lines.
func (p *Pane) ReadRequest(dc *draw.Context, h int) ReadRequest {
	p.choosePage(dc)
	return ReadRequest{p.actionLog, p.viewport.firstLine, max(1, p.logHeight(h)), p.viewport.followsEnd, p.IsRunning(), p.page}
}

// ShowWindow shows a part of the log that the reader has read.
func (p *Pane) ShowWindow(w LogWindow, now time.Time) {
	if w.log != p.actionLog {
		return
	}
	p.viewport.show(w, now)
	p.isStale = true
}

// IsEmpty reports whether there is no log and no list of calls to show.
func (p *Pane) IsEmpty() bool {
	return p.logFile == "" && p.actionLog == nil && p.actionList.actions == nil
}

// IsOutputFinal reports whether the output that shows has been read and will not change by itself. It is
// false while the person goes through the calls.
func (p *Pane) IsOutputFinal() bool {
	return !p.IsRunning() && p.actionList.chosenAction == nil && p.viewport.logWindow.log == p.actionLog
}

// IsRaw reports whether replies show raw instead of rendered.
func (p *Pane) IsRaw() bool { return p.isRaw }

// SetRaw shows replies raw, or rendered.
func (p *Pane) SetRaw(raw bool) { p.isRaw, p.viewport.firstLine, p.isStale = raw, 0, true }

// Title returns what ran, how it ended, and which part of the log shows.
func (p *Pane) Title(run *runview.Run) layout.PaneTitle {
	dc := run.DrawContext
	right, name := p.rightTitle(dc, true), ""
	isAlone := run.Focus == layout.OutputPane && !run.IsTextPaneShown
	var facts []draw.TitleFact
	switch {
	case p.showsReply():
		facts = replyFacts(p.action, p.titleDuration())
	case p.showsToolResult():
		facts = []draw.TitleFact{{Text: resultTitle(p.action, p.titleDuration())}}
	default:
		return layout.PaneTitle{Left: dc.CutWords(p.commandTitle(isAlone && run.IsPresenting), p.leftTitleWidth(dc, right)), Right: right}
	}
	if p.ShowsEarlierOutput || isAlone {
		name = dc.CutWords(draw.StepName(p.row), p.box.W/2) + " · "
	}
	left := name + dc.FitFacts(facts, draw.UncutWidth)
	if dc.Width(left) > p.leftTitleWidth(dc, right) { // the scrollbar shows which part is in sight
		right = p.rightTitle(dc, false)
		left = name + dc.FitFacts(facts, p.leftTitleWidth(dc, right)-dc.Width(name))
	}
	return layout.PaneTitle{Left: left, Right: right}
}

// leftTitleWidth returns how many cells the left text of the title has beside the right one.
func (p *Pane) leftTitleWidth(dc *draw.Context, right string) int {
	if right == "" {
		return p.box.W - 2
	}
	return p.box.W - 2 - dc.Width(right) - 2
}

// commandTitle returns a title with the step and the command. When presenting, it has the name of the step.
func (p *Pane) commandTitle(isPresented bool) string {
	command := ""
	if p.action != nil {
		command = draw.CleanLine(track.CommandExcerpt(p.action.Text))
	}
	switch {
	case isPresented && p.row != nil && command == "":
		return draw.StepName(p.row)
	case isPresented && p.row != nil:
		return draw.StepName(p.row) + " · " + command
	case command == "":
		return "OUTPUT"
	case p.row == nil:
		return "OUTPUT " + command
	}
	return "OUTPUT " + draw.CleanLine(p.row.Label) + " " + command
}

// rightTitle returns how the action ended, and its place in the list and in the log. withPlace adds which part of the
// log shows.
func (p *Pane) rightTitle(dc *draw.Context, withPlace bool) string {
	switch {
	case p.isTyping:
		facts := []draw.TitleFact{{Text: keymap.EndTypingKey + " to end typing", Priority: 2}, {Text: "keys go to the command", Priority: 1}}
		return dc.Accent.Paint(dc.FitFacts(facts, p.box.W*2/3))
	case p.action == nil:
		return ""
	}
	var facts []string
	if p.action.IsDone && p.action.Kind == "command" {
		facts = append(facts, p.actionEndText(dc))
		if took := wording.ColumnDuration(p.action.Duration); took != "" {
			facts = append(facts, dc.Muted.Paint(took))
		}
	}
	whole := p.action.IsDone && (p.ShowsReplyOrResult() && p.viewport.isAtEnd() || p.viewport.fits()) // its length does not matter
	if withPlace && p.viewport.logWindow.totalLines > 0 && !whole {
		facts = append(facts, dc.Muted.Paint(p.viewport.positionText(p.IsRunning())))
	}
	if n := len(p.actionList.actions); n > 0 {
		facts = append(facts, dc.Muted.Paint(fmt.Sprintf("%d of %d", p.actionList.openIndex()+1, n)))
	}
	if p.ShowsReplyOrResult() && p.replyProblem(dc) != "" { // the title is cut if this is too long
		facts = append(facts, p.replyProblem(dc))
	}
	return strings.Join(facts, dc.Muted.Paint(" · "))
}

// Update handles actions and the mouse.
func (p *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		p.viewport.scroll(msg.Lines)
		p.isStale = true
		return nil, true
	case pane.Click:
		if msg.Y >= 0 && msg.Y < len(p.actionNumberByLine) && p.actionNumberByLine[msg.Y] > 0 {
			p.actionList.chooseActionAt(p.actionNumberByLine[msg.Y] - 1)
			p.isStale = true
		}
		return nil, true
	case pane.Action:
		return p.handleAction(msg.Name)
	}
	return nil, false
}

// scrollColumns is how many columns a key scrolls to the side.
const scrollColumns = 8

// handleAction performs an action of the key map. handled is false if it is none of the pane's.
func (p *Pane) handleAction(action string) (requests []tea.Msg, handled bool) {
	p.isStale = true
	switch action {
	case "left", "right":
		if p.isWrapOn {
			return []tea.Msg{request.Say{Text: "Lines are wrapped. {wrap} to stop wrapping them."}}, true
		}
		p.viewport.firstColumn = max(0, p.viewport.firstColumn+map[string]int{"left": -scrollColumns, "right": scrollColumns}[action])
	case "wrap":
		p.isWrapOn, p.viewport.firstColumn = !p.isWrapOn, 0
	case "next-call":
		p.actionList.chooseActionAt(p.actionList.openIndex() + 1)
	case "previous-call":
		p.actionList.chooseActionAt(p.actionList.openIndex() - 1)
	case "reasoning":
		return []tea.Msg{dialog.Open{Dialog: longtext.NewReasoning(p.reasoningText())}}, true
	default:
		return nil, false
	}
	return nil, true
}

// UnavailableReason returns why an action on output cannot be done now.
func (p *Pane) UnavailableReason(run *runview.Run, action string) string {
	switch {
	case action == "reasoning" && p.reasoningText() == "":
		return "No reasoning was recorded here."
	case (action == "next-call" || action == "previous-call") && p.actionList.actions == nil:
		return "This step has no other reply, call or command."
	case action == "find" && p.actionLog == nil:
		return "There is no output to search here."
	case action == "type" && !p.CanType(run):
		return "No command is running here."
	}
	return ""
}

// ActionLabel returns the label of an action if it differs from the usual one, else "".
func (p *Pane) ActionLabel(action string) string {
	if action == "last" && !p.IsRunning() {
		return "end"
	}
	return ""
}

// HintActions returns the actions of a call or of a log, without those that would change nothing.
func (p *Pane) HintActions() []string {
	out := []string{"type", "last", "find", "wrap", "copy"}
	if p.ShowsReplyOrResult() {
		out = []string{"next-call", "previous-call", "reasoning", "raw", "last", "find", "copy"}
	}
	return slices.DeleteFunc(out, func(action string) bool { return !p.isUseful(action) })
}

// isUseful reports whether an action would change something.
func (p *Pane) isUseful(action string) bool {
	switch action {
	case "next-call":
		return p.actionList.openIndex() != len(p.actionList.actions)-1
	case "previous-call":
		return p.actionList.openIndex() != 0
	case "last":
		return !p.viewport.isAtEnd()
	case "wrap", "raw", "find", "copy":
		return p.viewport.logWindow.totalLines != 0
	}
	return true
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	dc, box := run.DrawContext, p.box
	if p.isReasoningOpen != run.IsReasoningOpen {
		p.isReasoningOpen, p.isStale = run.IsReasoningOpen, true
	}
	p.updateIsCauseShownElsewhere(run)
	if focused := run.Focus == layout.OutputPane; p.hasFocus != focused {
		p.hasFocus, p.isStale = focused, true
	}
	if !p.isStale && len(p.drawnLines) == box.H {
		return p.drawnLines
	}
	p.drawnLines, p.actionNumberByLine = p.drawnLines[:0], p.actionNumberByLine[:0]
	body := p.bodyLines(dc)
	above, below := p.actionList.linesAroundOpen(dc, box.W, max(p.actionList.height(box.H), min(len(p.actionList.actions), box.H-len(body))), p.hasFocus)
	p.addListLines(above)
	p.drawnLines = append(p.drawnLines, p.cutBody(dc, body, max(0, box.H-len(above)-len(below)))...)
	p.addListLines(below)
	for i := range p.drawnLines {
		p.drawnLines[i] = dc.Fit(p.drawnLines[i], box.W)
	}
	for len(p.drawnLines) < box.H {
		p.drawnLines = append(p.drawnLines, cells.Spaces(box.W))
	}
	p.isStale = false
	return p.drawnLines
}

// cutBody returns at most h lines of a body. The last line of a page counts the lines that do not show.
func (p *Pane) cutBody(dc *draw.Context, body []string, h int) []string {
	from, lines := p.viewport.visibleLines()
	hidden := max(0, len(body)-h) + p.viewport.logWindow.totalLines - from - len(lines)
	body = body[:min(len(body), h)]
	if !p.viewport.followsEnd && p.page != nil && hidden > 0 && len(body) > 1 {
		body[len(body)-1] = dc.Muted.Paint("↓ " + plan.CountText(hidden+1, "more line"))
	}
	return body
}

// Overflow returns how much of the log is out of sight.
func (p *Pane) Overflow(*runview.Run) layout.Overflow { return p.viewport.overflow() }

// bodyLines returns the lines of the open action.
func (p *Pane) bodyLines(dc *draw.Context) []string {
	lines, box := p.reasoningLine(dc, p.box.W), p.box
	if p.viewport.logWindow.totalLines == 0 && !p.isTyping {
		lines = append(lines, p.placeholderLines(dc, box.W)...)
	} else {
		lines = append(lines, p.windowLines(dc, layout.Rect{X: box.X, Y: box.Y, W: box.W, H: p.viewport.height})...)
	}
	if p.showsToolResult() && !p.action.IsDone && p.viewport.logWindow.totalLines > 0 && p.viewport.logWindow.logBytes == 0 {
		lines = append(lines, "", dc.Muted.Paint(dc.Cut(dc.Keys.FillInKeys(control.Sentence(p.noResultText())), box.W)))
	}
	return lines
}

// windowLines returns the lines of the window, wrapped or cut.
func (p *Pane) windowLines(dc *draw.Context, box layout.Rect) []string {
	var out []string
	from, lines := p.viewport.visibleLines()
	wrap := dc.WrapCode
	if p.showsReply() {
		wrap = dc.WrapText
	}
	for i, line := range lines {
		line = p.search.HighlightMatches(dc, line, p.search.IsCurrentMatch(from+i))
		if p.wrapsLongLines() {
			out = append(out, wrap(line, box.W)...)
			continue
		}
		out = append(out, p.viewport.clip(dc, line, box.W))
	}
	if p.isTyping && p.viewport.followsEnd {
		out = p.addCaret(dc, out, box.W)
	}
	switch over := len(out) - box.H; {
	case over <= 0:
		return out
	case p.viewport.followsEnd:
		return out[over:]
	default:
		return out[:box.H]
	}
}

// CutsLongLines reports whether lines that are wider than the pane are cut, because it shows what a command printed.
func (p *Pane) CutsLongLines() bool { return !p.ShowsReplyOrResult() && !p.isWrapOn }

// wrapsLongLines reports whether long lines are wrapped: also those of a reply that is too long for a page.
func (p *Pane) wrapsLongLines() bool {
	return p.isWrapOn || p.ShowsReplyOrResult() && (p.page == nil || p.viewport.logWindow.logBytes > maxRenderedBytes)
}
