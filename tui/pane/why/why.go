// Package why is the pane that explains the run. It shows the routes of the selected step, the values of
// the run, or its history, from which a person can rewind to an earlier moment.
package why

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	sheet          sheet
	box            panes.Rect
	open           bool       // the lines show, not only the title
	row            *track.Row // the selected row
	runOver        bool
	next           *machine.Event // the next event, if the run is paused
	decidedBy      *track.Row     // the row whose decision led to the selected one
	decisionBefore *machine.Decision
	shown          drawnState // what the lines were made from
	content        content

	body   []string
	lines  []string
	top    int
	sel    int            // the index of the selected variable
	item   item           // the selected reason
	search *search.Search // its matches are highlighted
}

// content is everything that can be shown in a state, visible or not.
type content struct {
	state   drawnState
	sheet   sheet
	box     panes.Rect
	reasons []reasonLine
	height  int // in lines
}

// drawnState is what the lines are made from. While it does not change, neither do the lines.
type drawnState struct {
	row        *track.Row
	next       *machine.Event
	enteredBy  *machine.Decision // the decision that led to the row
	count      int               // the number of events of the track
	events     int
	index      int // the index of the event after which the screen shows the run
	presenting bool
	focused    bool
	stale      bool // the lines must be made again in any case
}

// sheet is one of the contents that the pane can show.
type sheet int

const (
	reasons sheet = iota
	values
	history
)

// New returns a pane that shows reasons.
func New() *Pane { return &Pane{} }

// Sync takes over the selected row, and the decision that led to it.
func (p *Pane) Sync(run *runview.Run, open bool) {
	r, status := run.Selected, run.ShownStatus()
	if r != p.row && p.sheet != history {
		p.top = 0
	}
	p.row, p.next, p.open, p.decidedBy, p.decisionBefore, p.runOver = r, nil, open, nil, nil, run.Shown.IsOver()
	if status.State == engine.Paused {
		p.next = status.NextEvent
	}
	switch routed := run.Shown.DecidedRow; {
	case r == nil:
	case p.next != nil && p.next.Step == r.Label && !r.IsPhase() && routed != nil && routed != r:
		p.decidedBy, p.decisionBefore = routed, routed.Decision
	case r.Status.IsOpen() && r.From != r:
		p.decidedBy, p.decisionBefore = r.From, r.EnteredBy
	}
}

// Resize implements pane.Pane.
func (p *Pane) Resize(box panes.Rect) { p.box, p.shown.stale, p.content = box, true, content{} }

// SelectedDecision returns the decision that the pane shows, nil if there is none: that of the selected
// event or candidate, else the first one shown for the selected row. While the outcome of that row waits to be
// accepted, the decision that led there does not count. candidate is the index of the selected
// candidate, -1 if none is selected.
func (p *Pane) SelectedDecision(run *runview.Run) (d *machine.Decision, candidate int) {
	if p.sheet == history && run.Focus == panes.Why && run.Index >= 0 {
		if d := decisionOf(run.Events, run.Index); d != nil {
			return d, -1
		}
	}
	if x := p.selected(run); x.decision != nil {
		return x.decision, x.candidate
	}
	d = p.shownDecision()
	if d == p.decisionBefore && p.row != nil && whatif.IsHeld(&run.Run, p.row.Label) {
		d = nil // the step is about to decide
	}
	return d, -1
}

// decisionOf returns the decision at the end of the visit that the event at index at belongs to, or the one
// that ended the run if the event says that it ended. It returns nil if there is none.
func decisionOf(events []machine.Event, at int) *machine.Decision {
	step := events[at].Step
	if _, ends := events[at].Body.(*machine.Finished); ends {
		for _, e := range slices.Backward(events[:at]) {
			if d, is := e.Body.(*machine.Decision); is {
				return d
			}
		}
	}
	for i, e := range events[at:] {
		if e.Step != step || step == "" {
			continue
		}
		switch b := e.Body.(type) {
		case *machine.Decision:
			return b
		case *machine.Entered:
			if i > 0 { // another visit
				return nil
			}
		}
	}
	return nil
}

func (p *Pane) shownDecision() *machine.Decision {
	if p.row == nil {
		return nil
	}
	d, about := p.decision()
	if about {
		return d
	}
	choice, _ := p.row.Choice()
	isArm := p.row.Step != nil && p.row.Step.IsArm()
	switch {
	case choice != nil && (isArm || p.isInUntakenArm()):
		return choice
	case len(p.row.Choices) > 0:
		return p.row.Choices[len(p.row.Choices)-1]
	case d != nil:
		return d
	case p.isLeftUndecided():
		return wording.LeavingDecision(p.row)
	}
	return p.decisionBefore
}

// IsSheet reports whether the pane shows the values or the history.
func (p *Pane) IsSheet() bool { return p.sheet != reasons }

// ShowsHistory reports whether the pane shows the history.
func (p *Pane) ShowsHistory() bool { return p.sheet == history }

// Variable returns the variable that is selected among the values, false if there is none.
func (p *Pane) Variable(run *runview.Run) (track.Var, bool) {
	if p.sheet != values || p.sel >= len(run.Shown.Vars) {
		return track.Var{}, false
	}
	return run.Shown.Vars[p.sel], true
}

// ShowsValues reports whether the pane shows the values.
func (p *Pane) ShowsValues() bool { return p.sheet == values }

// Update handles actions and the mouse.
func (p *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		return p.move(run, msg.By), true
	case pane.Click:
		if p.isSelecting(run) && p.pick(run, msg.Y) {
			return nil, true
		}
		return p.showEventAt(run, msg.Y)
	case pane.Drag:
		return p.showEventAt(run, msg.Y)
	case pane.Action:
		switch msg.Name {
		case "values":
			return p.toggleSheet(values), true
		case "history":
			return p.toggleSheet(history), true
		}
	}
	return nil, false
}

// Unavailable returns why a rewind from here is unavailable, "" if it is available.
func (p *Pane) Unavailable(run *runview.Run, action string) string {
	switch {
	case action != "rewind":
	case p.sheet != history || run.Focus != panes.Why:
		return "{history} to select an event to rewind to."
	case !run.ShowsEarlierMoment():
		return "This is the newest event. {up} to select an earlier one."
	}
	return ""
}

// Label returns the label of the key that leaves the sheet that shows, else "".
func (p *Pane) Label(action string) string {
	if p.sheet == values && action == "values" || p.sheet == history && action == "history" {
		return "back to why"
	}
	return ""
}

// Actions returns the actions of the sheets.
func (p *Pane) Actions() []string {
	return []string{"rewind", "edit", "what-if", "values", "history", "copy"}
}

// toggleSheet shows a sheet, or the reasons if it shows already. The screen returns to the current state of
// the run.
func (p *Pane) toggleSheet(s sheet) []tea.Msg {
	if p.sheet == s {
		s = reasons
	}
	p.sheet, p.top, p.shown.stale = s, 0, true
	return []tea.Msg{request.ShowNow{}}
}

// move scrolls, or selects another event or variable.
func (p *Pane) move(run *runview.Run, by int) []tea.Msg {
	p.shown.stale = true
	switch {
	case p.sheet == history:
		return []tea.Msg{request.ShowEvent{Index: run.Index + by}}
	case p.sheet == values && len(run.Shown.Vars) > 0:
		p.sel = min(max(0, p.sel+by), len(run.Shown.Vars)-1)
	case p.isSelecting(run):
		p.moveSelection(run, by)
	default:
		p.top = max(0, p.top+by)
	}
	return nil
}

// showEventAt shows the run at the event in line y of the history.
func (p *Pane) showEventAt(run *runview.Run, y int) ([]tea.Msg, bool) {
	i := p.top + y
	if p.sheet != history || y < 0 || i >= len(run.Events) {
		return nil, false
	}
	return []tea.Msg{request.ShowEvent{Index: i}}, true
}

// Title returns the name of the sheet and a summary of it.
func (p *Pane) Title(run *runview.Run) panes.Title {
	l, step := run.Look, ""
	if p.row != nil {
		step = " " + draw.Clean(p.row.Label)
	}
	switch p.sheet {
	case values:
		left := "VALUES" + step
		return panes.Title{Left: left, Right: l.Muted.Paint(l.FitFacts(p.valueFacts(run), p.box.W-l.Width(left)-titleGap))}
	case history:
		return panes.Title{Left: "TIMELINE", Right: l.Muted.Paint(ofAll(run.Events) + " · " + l.Keys.Name("history") + " back to why")}
	}
	if !p.open {
		return panes.Title{Left: p.Summary(l, p.box.W-2)}
	}
	return panes.Title{Left: "WHY" + step, Right: p.state(l)}
}

// state returns whether a route is taken, about to be taken, or not decided yet.
func (p *Pane) state(l *draw.Look) string {
	d, about := p.decision()
	switch {
	case p.row != nil && p.row.IsPhase():
		return ""
	case p.hasDocumentErrors():
		return l.Muted.Paint("cannot be run")
	case p.isInUntakenArm():
		return l.Muted.Paint("not taken")
	case p.isLeftUndecided():
		return l.Muted.Paint("left undecided")
	case p.row != nil && p.row.Status.IsOpen() && len(p.row.Choices) > 0 && !about:
		return l.Muted.Paint("a branch is taken")
	case p.decisionBefore != nil && !about:
		return l.Muted.Paint("what led here")
	case d == nil:
		return l.Muted.Paint(p.pendingText())
	case about:
		return l.Bold.Paint("about to be taken")
	case d.ByPerson:
		return l.Warn.Paint("overridden")
	}
	outcome := p.outcomeText(d)
	if p.row.Status.IsOpen() && p.row.Attempt > 1 { // the newest attempt has no outcome yet
		outcome = fmt.Sprintf("attempt %d: %s", p.row.Attempt-1, outcome)
	}
	return l.Muted.Paint(outcome)
}

// outcomeText returns the outcome on which the row's own decision was based.
func (p *Pane) outcomeText(d *machine.Decision) string {
	if d == p.row.Decision && d.Outcome != nil && d.Outcome.Intent == "" && p.row.HasToolResult() && d.Outcome.Source == "reply" {
		return string(d.Outcome.Result) + ", tool result"
	}
	return cmp.Or(wording.AnswerOf(p.row), wording.Outcome(d))
}

// pendingText returns why the row has no decision: it is not decided, or not reached.
func (p *Pane) pendingText() string {
	switch {
	case !p.runOver:
		return "not decided yet"
	case p.row.Status == track.Pending:
		return "not reached"
	}
	return "not decided"
}

// isLeftUndecided reports whether a route led out of the row's group before the group was decided.
func (p *Pane) isLeftUndecided() bool {
	return p.row != nil && p.row.Step != nil && p.row.EndedBeforeRoutes()
}

// hasDocumentErrors reports whether the row's document has errors, so that nothing is decided.
func (p *Pane) hasDocumentErrors() bool {
	return p.row != nil && p.row.Step != nil && !p.row.Plan().Runnable()
}

// decision returns the decision to show, and whether it is about to be taken.
func (p *Pane) decision() (d *machine.Decision, about bool) {
	if p.row == nil {
		return nil, false
	}
	if p.next != nil && p.next.Step == p.row.Label {
		if d, ok := p.next.Body.(*machine.Decision); ok {
			return d, true
		}
	}
	return p.row.Decision, false
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	now := p.drawnNow(run)
	if p.shown == now && len(p.lines) == p.box.H {
		return p.lines
	}
	p.shown = now
	p.fill(run)
	p.lines = make([]string, max(0, p.box.H))
	for i := range p.lines {
		s := ""
		if i < len(p.body) {
			s = p.search.Highlight(run.Look, p.body[i], p.search.IsCurrent(p.top+i))
		}
		p.lines[i] = run.Look.Fit(s, p.box.W)
	}
	return p.lines
}

// Overflow returns how many lines are out of sight.
func (p *Pane) Overflow(run *runview.Run) panes.Overflow {
	return panes.Outside(p.top, p.box.H, p.Height(run))
}

// Height returns how many lines the whole content has.
func (p *Pane) Height(run *runview.Run) int {
	if p.sheet == history {
		return len(run.Events)
	}
	return p.contentNow(run).height
}

// contentNow returns the content of the values or the reasons. It makes it once for each state.
func (p *Pane) contentNow(run *runview.Run) content {
	state := p.drawnNow(run)
	if p.content.state == state && p.content.sheet == p.sheet && p.content.box == p.box {
		return p.content
	}
	p.content = content{state: state, sheet: p.sheet, box: p.box}
	if p.sheet == values {
		p.content.height = len(p.values(run))
	} else {
		p.content.reasons = p.reasonLines(run, p.box.W, p.box.H)
		p.content.height = len(p.content.reasons)
	}
	return p.content
}

// drawnNow returns the state from which lines would be made now.
func (p *Pane) drawnNow(run *runview.Run) drawnState {
	return drawnState{p.row, p.next, p.decisionBefore, run.Shown.Count, len(run.Events), run.Index, run.Presenting, run.Focus == panes.Why, false}
}

// fill makes the visible lines.
func (p *Pane) fill(run *runview.Run) {
	var all []string
	switch h := p.box.H; p.sheet {
	case history:
		p.fillHistory(run)
		return
	case values:
		all = p.values(run)
		p.top = min(max(p.top, p.sel+2-h), max(0, p.sel))
	default:
		all = p.drawSelected(run, p.contentNow(run).reasons)
	}
	scroller := list.Scroller{Top: p.top}
	p.body = scroller.Window(run.Look, all, p.box.H)
	p.top = scroller.Top
}

// values returns the variables, and the environment of the step's commands.
func (p *Pane) values(run *runview.Run) []string {
	l, w, vars, environment := run.Look, p.box.W, run.Shown.Vars, p.environment(run)
	var out []string
	p.sel = min(p.sel, max(0, len(vars)-1))
	names := 0
	for _, x := range vars {
		names = max(names, min(l.Width(draw.Clean(x.Name)), w/3))
	}
	for _, x := range environment {
		names = max(names, min(l.Width(draw.Clean(x.name)), max(w/3, leastNames)))
	}
	for i, x := range vars {
		text := pair(l, names, x.Name, quoted(run, x), setter(run.Shown, x, w), w-2)
		out = append(out, l.ListRow(text, w, draw.SelectionOf(i == p.sel, run.Focus == panes.Why)))
	}
	for _, x := range environment {
		out = append(out, l.ListRow(pair(l, names, x.name, x.value, x.about, w-2), w, draw.Unselected))
	}
	return append(out, p.noEnvironment(run)...)
}

// quoted returns a value as WHY does: a text in quotes.
func quoted(run *runview.Run, x track.Var) string {
	text := plan.Visible(run.ValueText(x))
	if _, is := x.Value.(string); !is || text == runview.SecretPlaceholder {
		return text
	}
	first, rest, several := strings.Cut(text, "\n")
	if several {
		return wording.Quote(first) + "\n" + rest
	}
	return wording.Quote(first)
}

// setter returns where a variable's value comes from, marked if a person set it.
func setter(tr *track.Track, x track.Var, w int) string {
	step := x.Step
	if r := tr.Row(step); r != nil && w >= wideValues {
		step = draw.StepName(r)
	}
	origin := wording.Origin(step, x.By != "")
	if x.By != "" {
		return "! " + origin
	}
	return origin
}

// wideValues is the minimum width at which the title of a value's step shows.
const wideValues = 60

// executes reports whether a row runs commands.
func executes(r *track.Row) bool {
	return r.Step != nil && slices.ContainsFunc(r.Step.Actions, func(a plan.Action) bool {
		_, command := a.Work.(plan.Command)
		return command
	})
}

// leastNames is the width of the longest name that Playhead itself gives.
const leastNames = len("PLAYHEAD_ATTEMPT")

// environmentVariable is a variable that Playhead sets for commands.
type environmentVariable struct{ name, value, about string }

// environment returns what Playhead sets for the row's commands, nil if it runs none and there is something else to show.
func (p *Pane) environment(run *runview.Run) []environmentVariable {
	r := p.row
	if r == nil || !r.IsExecutable() || run.Presenting || len(run.Shown.Vars) > 0 && !executes(r) {
		return nil
	}
	out := []environmentVariable{
		{"PLAYHEAD_RUN_ID", run.Shown.Run, ""},
		{"PLAYHEAD_STEP", r.Label, ""},
		{"PLAYHEAD_ATTEMPT", strconv.Itoa(max(0, r.Attempt-1)), "retries so far"},
	}
	for _, id := range slices.Sorted(maps.Keys(r.Numbers())) {
		out = append(out, environmentVariable{id, strconv.Itoa(r.Numbers()[id]), "instance"})
	}
	return out
}

// noEnvironment returns why the environment of the row's commands does not show, nil if it does or is of no interest.
func (p *Pane) noEnvironment(run *runview.Run) []string {
	r, l := p.row, run.Look
	switch {
	case len(run.Shown.Vars) > 0 && r != nil && !executes(r):
	case r == nil || !r.IsExecutable():
		return l.Wrap(l.Muted.Paint("Select a single step to see what its command is given."), p.box.W)
	case run.Presenting:
		return []string{l.Muted.Paint("The environment is " + runview.SecretPlaceholder + ".")}
	}
	return nil
}

// titleGap is the number of cells of a title that its two parts cannot have.
const titleGap = 4

// valueFacts returns how many variables there are, how many Playhead sets for commands, and the key that leaves the
// values.
func (p *Pane) valueFacts(run *runview.Run) []draw.Fact {
	count := "no variables"
	if n := len(run.Shown.Vars); n > 0 {
		count = wording.Count(n, "variable")
	}
	facts := []draw.Fact{{Text: count, Weight: 3}}
	if n := len(p.environment(run)); n > 0 {
		facts = append(facts, draw.Fact{Text: fmt.Sprintf("%d from Playhead", n), Weight: 1})
	}
	return append(facts, draw.Fact{Text: run.Look.Keys.Name("values") + " back to why", Weight: 2})
}

// pair returns a line with a name in a column of its own, its value and where the value comes from.
func pair(l *draw.Look, nameWidth int, name, value, from string, w int) string {
	value, rest, several := strings.Cut(value, "\n")
	if several {
		from = strings.TrimSpace(fmt.Sprintf("+%d … %s", strings.Count(rest, "\n")+1, from))
	}
	return l.Spread(l.Muted.Paint(l.Fit(draw.Clean(name), nameWidth))+"  "+draw.Clean(value), l.Muted.Paint(draw.Clean(from)), w)
}
