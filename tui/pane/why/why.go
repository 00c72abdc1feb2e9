// Package why is the pane that explains the run. It shows the routes of the selected step, the values of
// the run, or its timeline, from which a person can rewind to an earlier moment.
package why

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/whatif"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/pane"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane implements pane.Pane.
type Pane struct {
	sheet      sheet
	box        layout.Rect
	isUnfolded bool       // the lines show, not only the title
	subject    subject    // the selected row, with its decisions
	drawnFrom  drawnState // what the lines were made from
	content    paneContent

	body                  []string
	drawnLines            []string
	topLine               int
	selectedVariableIndex int            // the index of the selected variable
	entryByLine           []int          // the index of the entry that each line of the values belongs to
	selectedReason        reasonItem     // the selected reason
	search                *search.Search // its matches are highlighted
}

// paneContent is everything that can be shown in a state, visible or not.
type paneContent struct {
	drawnFrom drawnState
	sheet     sheet
	box       layout.Rect
	reasons   []reasonLine
	height    int // in lines
}

// drawnState is what the lines are made from. While it does not change, neither do the lines.
type drawnState struct {
	subject         subject
	trackEventCount int // the number of events of the track
	runEventCount   int
	eventIndex      int // the index of the event after which the screen shows the run
	isPresenting    bool
	hasFocus        bool
	isStale         bool // the lines must be made again in any case
}

// sheet is one of the contents that the pane can show.
type sheet int

const (
	reasonsSheet sheet = iota
	valuesSheet
	timelineSheet
)

// New returns a pane that shows reasons.
func New() *Pane { return &Pane{} }

// Sync takes over the selected row, and the decision that led to it.
func (p *Pane) Sync(run *runview.Run, open bool) {
	isSameRow := run.SelectedRow == p.subject.Row
	if !isSameRow && p.sheet != timelineSheet {
		p.topLine = 0
	}
	p.subject = subject{whatif.DecisionSubjectOf(run.ShownTrack, run.ShownStatus(), run.SelectedRow), run.ShownTrack, isSameRow && p.subject.showsDefaultRoutes}
	p.isUnfolded = open
}

// Resize implements pane.Pane.
func (p *Pane) Resize(box layout.Rect) {
	p.box, p.drawnFrom.isStale, p.content = box, true, paneContent{}
}

// SelectedDecision returns the decision that the pane shows, nil if there is none: that of the selected event or
// candidate, else the one that what-if asks about at the selected row. candidate is the index of the selected
// candidate, -1 if none is selected.
func (p *Pane) SelectedDecision(run *runview.Run) (d *machine.Decision, candidate int) {
	if p.sheet == timelineSheet && run.Focus == layout.WhyPane && run.ShownEventIndex >= 0 {
		return whatif.DecisionAtEvent(&run.RunView, run.ShownEventIndex), -1
	}
	if x := p.selectedItem(run); x.decision != nil {
		return x.decision, max(noCandidate, x.candidateIndex)
	}
	return p.subject.WhatIfDecision(&run.RunView), -1
}

// ShowsValuesOrTimeline reports whether the pane shows the values or the timeline.
func (p *Pane) ShowsValuesOrTimeline() bool { return p.sheet != reasonsSheet }

// ShowsTimeline reports whether the pane shows the timeline.
func (p *Pane) ShowsTimeline() bool { return p.sheet == timelineSheet }

// SelectedVariable returns the variable that is selected among the values, false if there is none.
func (p *Pane) SelectedVariable(run *runview.Run) (track.Variable, bool) {
	if p.sheet != valuesSheet || p.selectedVariableIndex >= len(run.ShownTrack.Variables) {
		return track.Variable{}, false
	}
	return run.ShownTrack.Variables[p.selectedVariableIndex], true
}

// ShowsValues reports whether the pane shows the values.
func (p *Pane) ShowsValues() bool { return p.sheet == valuesSheet }

// Update handles actions and the mouse.
func (p *Pane) Update(run *runview.Run, msg tea.Msg) (requests []tea.Msg, handled bool) {
	switch msg := msg.(type) {
	case pane.Move:
		return p.scrollOrSelect(run, msg.Lines), true
	case pane.Click:
		if p.isReasonSelected(run) && p.selectAtLine(run, msg.Y) {
			if msg.IsDouble && p.isFoldSelected(run) {
				requests = []tea.Msg{request.PressKeyOf{Action: "open"}}
			}
			return requests, true
		}
		return p.showEventAt(run, msg.Y)
	case pane.Drag:
		return p.showEventAt(run, msg.Y)
	case pane.Action:
		switch msg.Name {
		case "values":
			return p.toggleSheet(valuesSheet), true
		case "timeline":
			return p.toggleSheet(timelineSheet), true
		case "left", "right", "open":
			return nil, p.foldDefaultRoutes(run, msg.Name)
		}
	}
	return nil, false
}

// UnavailableReason returns why nothing can be opened here, or why a rewind from here is unavailable, "" otherwise.
func (p *Pane) UnavailableReason(run *runview.Run, action string) string {
	switch {
	case action == "open" && (run.Focus != layout.WhyPane || p.isFoldSelected(run)):
	case action != "open" && action != "rewind":
	case p.sheet != timelineSheet && action == "open":
		return "There is nothing to open here. {timeline} to open the timeline."
	case p.sheet != timelineSheet:
		return "There is no event to rewind to here. {timeline} to select one."
	case run.Focus != layout.WhyPane:
		return "The timeline does not have the focus. {why} to select an event in it."
	case !run.ShowsEarlierMoment():
		return "This is the newest event. {up} to select an earlier one."
	}
	return ""
}

// ActionLabel returns the label of the key that folds or unfolds default routes or leaves the sheet that shows, else "".
func (p *Pane) ActionLabel(action string) string {
	switch {
	case action == "open" && p.subject.showsDefaultRoutes:
		return "fold"
	case action == "open":
		return "unfold"
	case p.sheet == valuesSheet && action == "values", p.sheet == timelineSheet && action == "timeline":
		return "back to why"
	}
	return ""
}

// HintActions returns the actions of the sheets.
func (p *Pane) HintActions() []string {
	return []string{"rewind", "open", "edit", "what-if", "values", "timeline", "copy"}
}

// toggleSheet shows a sheet, or the reasons if it shows already. The screen returns to the current state of
// the run.
func (p *Pane) toggleSheet(s sheet) []tea.Msg {
	if p.sheet == s {
		s = reasonsSheet
	}
	p.sheet, p.topLine, p.drawnFrom.isStale = s, 0, true
	return []tea.Msg{request.ShowCurrentState{}}
}

// scrollOrSelect scrolls, or selects another event or variable.
func (p *Pane) scrollOrSelect(run *runview.Run, by int) []tea.Msg {
	p.drawnFrom.isStale = true
	switch {
	case p.sheet == timelineSheet:
		return []tea.Msg{request.ShowEvent{EventIndex: run.ShownEventIndex + by}}
	case p.sheet == valuesSheet && len(run.ShownTrack.Variables) > 0:
		p.selectedVariableIndex = min(max(0, p.selectedVariableIndex+by), len(run.ShownTrack.Variables)-1)
	case p.isReasonSelected(run):
		p.moveSelection(run, by)
	default:
		p.topLine = max(0, p.topLine+by)
	}
	return nil
}

// showEventAt shows the run at the event in line y of the timeline.
func (p *Pane) showEventAt(run *runview.Run, y int) ([]tea.Msg, bool) {
	i := p.topLine + y
	if p.sheet != timelineSheet || y < 0 || i >= len(run.Events) {
		return nil, false
	}
	return []tea.Msg{request.ShowEvent{EventIndex: i}}, true
}

// Title returns the name of the sheet and a summary of it.
func (p *Pane) Title(run *runview.Run) layout.PaneTitle {
	dc, step := run.DrawContext, ""
	if p.subject.Row != nil {
		step = " " + cmp.Or(draw.CleanLine(p.subject.Row.DisplayLabel()), draw.StepName(p.subject.Row)) // a phase has only a title
	}
	switch p.sheet {
	case valuesSheet:
		left := "VALUES" + step
		return layout.PaneTitle{Left: left, Right: dc.Muted.Paint(dc.FitFacts(valueFacts(run, p.subject.Row), p.box.W-dc.Width(left)-titleGap))}
	case timelineSheet:
		return layout.PaneTitle{Left: "TIMELINE", Right: dc.Muted.Paint(eventCountText(run.Events) + " · " + dc.Keys.FirstKeyText("timeline") + " back to why")}
	}
	if !p.isUnfolded {
		return layout.PaneTitle{Left: p.subject.fittingSummary(dc, p.box.W-2)}
	}
	return layout.PaneTitle{Left: "WHY" + step, Right: p.subject.stateText(dc)}
}

// View implements pane.Pane.
func (p *Pane) View(run *runview.Run) []string {
	now := p.currentState(run)
	if p.drawnFrom == now && len(p.drawnLines) == p.box.H {
		return p.drawnLines
	}
	p.drawnFrom = now
	p.fillBody(run)
	p.drawnLines = make([]string, max(0, p.box.H))
	for i := range p.drawnLines {
		s := ""
		if i < len(p.body) {
			s = p.search.HighlightMatches(run.DrawContext, p.body[i], p.search.IsCurrentMatch(p.searchLine(p.topLine+i)))
		}
		p.drawnLines[i] = run.DrawContext.Fit(s, p.box.W)
	}
	return p.drawnLines
}

// searchLine returns the line of the searched text that line i shows. A variable is one line of it.
func (p *Pane) searchLine(i int) int {
	if p.sheet == valuesSheet {
		return p.entryByLine[i]
	}
	return i
}

// Overflow returns how many lines are out of sight.
func (p *Pane) Overflow(run *runview.Run) layout.Overflow {
	return layout.OverflowOf(p.topLine, p.box.H, p.ContentHeight(run))
}

// Summary returns the decision of the selected row in one line.
func (p *Pane) Summary(dc *draw.Context, w int) string { return p.subject.fittingSummary(dc, w) }

// ContentHeight returns how many lines the whole content has.
func (p *Pane) ContentHeight(run *runview.Run) int {
	if p.sheet == timelineSheet {
		return len(run.Events)
	}
	return p.currentContent(run).height
}

// currentContent returns the content of the values or the reasons. It makes it once for each state.
func (p *Pane) currentContent(run *runview.Run) paneContent {
	state := p.currentState(run)
	if p.content.drawnFrom == state && p.content.sheet == p.sheet && p.content.box == p.box {
		return p.content
	}
	p.content = paneContent{drawnFrom: state, sheet: p.sheet, box: p.box}
	if p.sheet == valuesSheet {
		p.content.height = len(slices.Concat(p.valueEntries(run)...))
	} else {
		p.content.reasons = p.subject.reasonLines(run.DrawContext, p.selectableRules(run), p.box.W, p.box.H)
		p.content.height = len(p.content.reasons)
	}
	return p.content
}

// currentState returns the state from which lines would be made now.
func (p *Pane) currentState(run *runview.Run) drawnState {
	return drawnState{p.subject, run.ShownTrack.EventCount, len(run.Events), run.ShownEventIndex, run.IsPresenting, run.Focus == layout.WhyPane, false}
}

// fillBody makes the visible lines.
func (p *Pane) fillBody(run *runview.Run) {
	var all []string
	switch h := p.box.H; p.sheet {
	case timelineSheet:
		p.fillTimeline(run)
		return
	case valuesSheet:
		rows := p.valueEntries(run)
		all = slices.Concat(rows...)
		p.entryByLine = entryIndexByLine(rows)
		first := len(slices.Concat(rows[:p.selectedVariableIndex]...))
		p.topLine = min(max(p.topLine, first+len(rows[p.selectedVariableIndex])+1-h), first)
	default:
		all = p.markSelected(run, p.currentContent(run).reasons)
	}
	scroller := list.Scroller{TopLine: p.topLine}
	p.body = scroller.VisibleLines(run.DrawContext, all, p.box.H)
	p.topLine = scroller.TopLine
}
