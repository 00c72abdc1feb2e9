package tui

import (
	"maps"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/changedfiles"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/document"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/stepedit"
	"playhead/tui/dialog/whatif"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/request"
	"playhead/tui/routemap"
	"playhead/tui/runview"
)

// screenAction is what an action of the key map does on the screen.
type screenAction struct {
	unavailableReason func() string // returns why it is unavailable now, "" if it is available; nil: it always is
	perform           func() tea.Cmd
}

// newScreenActions returns what each action does outside dialogs.
func (m *Model) newScreenActions() map[string]screenAction {
	all := m.runActions()
	maps.Copy(all, m.viewActions())
	s := m.screen
	for _, move := range []string{"up", "down", "page-up", "page-down", "first", "last"} {
		all[move] = screenAction{perform: func() tea.Cmd { return s.MoveInFocus(move) }}
	}
	for _, direction := range []string{"left", "right"} {
		all[direction] = screenAction{perform: func() tea.Cmd { return s.SendToPane(s.Focus, pane.Action{Name: direction}) }}
	}
	for _, sheet := range []string{"values", "timeline"} {
		all[sheet] = screenAction{perform: func() tea.Cmd { return s.ShowWhySheet(sheet) }}
	}
	for _, action := range []string{"continue", "over", "into", "out", "run-to", "take-control", "now"} {
		all[action] = screenAction{perform: func() tea.Cmd { return m.doControlAction(action) }}
	}
	for _, action := range []string{"reasoning", "next-call", "previous-call", "wrap"} {
		all[action] = screenAction{m.paneReasonGetter(layout.OutputPane, action), func() tea.Cmd { return s.SendToPane(layout.OutputPane, pane.Action{Name: action}) }}
	}
	for _, p := range layout.AllPanes {
		all[layout.PaneKinds[p].Name] = screenAction{perform: func() tea.Cmd { return s.FocusPane(p) }}
	}
	return all
}

// runActions returns the actions on the run and its document.
func (m *Model) runActions() map[string]screenAction {
	s, e := m.screen, m.runEnd
	return map[string]screenAction{
		"pause":        {perform: m.requestPerformer(pauseOrContinue)},
		"break":        {m.reasonGetter(breakpoints.UnavailableReason), m.requestPerformer(breakpoints.Toggle)},
		"breaks":       {perform: m.requestPerformer(dialogOpener(breakpoints.NewList))},
		"inputs":       {m.startup.inputsUnavailableReason, m.startup.openInputs},
		"reload":       {m.startup.reloadUnavailableReason, m.startup.reload},
		"slower":       {m.conn.speedUnavailableReason, func() tea.Cmd { return m.conn.scaleSpeed(-1) }},
		"faster":       {m.conn.speedUnavailableReason, func() tea.Cmd { return m.conn.scaleSpeed(1) }},
		"interrupt":    {perform: m.interrupt},
		"answer":       {m.question.unavailableReason, m.question.focusQuestion},
		"pass":         {perform: m.question.outcomeDecider(plan.Passed)},
		"fail":         {perform: m.question.outcomeDecider(plan.Failed)},
		"pass-note":    {perform: m.question.outcomeDeciderWithNote(plan.Passed)},
		"fail-note":    {perform: m.question.outcomeDeciderWithNote(plan.Failed)},
		"rerun":        {perform: m.question.rerunStep},
		"skip":         {perform: m.requestPerformer(intervene.Skip)},
		"undo":         {perform: m.undoOrRedo(false)},
		"redo":         {perform: m.undoOrRedo(true)},
		"rewind":       {m.paneReasonGetter(layout.WhyPane, "rewind"), m.requestPerformer(intervene.Rewind)},
		"approvals":    {perform: m.requestPerformer(dialogOpener(choose.NewApprovalsDialog))},
		"fork":         {m.otherRuns.forkUnavailableReason, m.otherRuns.confirmFork},
		"jump":         {perform: m.requestPerformer(intervene.Jump)},
		"source":       {perform: m.requestPerformer(dialogOpener(choose.NewReplySourceDialog))},
		"manual-reply": {perform: m.requestPerformer(choose.ReplyManually)},
		"summary":      {e.summaryUnavailableReason, e.showSummary},
		"edit":         {m.editKeyHandler.unavailableReason, m.editKeyHandler.openEditDialog},
		"change-steps": {m.reasonGetter(stepedit.UnavailableReason), m.editKeyHandler.openStepChanges},
		"write-back":   {m.reasonGetter(edit.WriteBackUnavailableReason), func() tea.Cmd { return edit.PrepareWriteBack(s.Steps.SelectedRow().Label, m.cfg.EditsAsChanges) }},
		"what-if": {m.reasonGetter(func(run *runview.Run) string {
			d, _ := s.Why.SelectedDecision(run)
			return whatif.UnavailableReason(run, d)
		}), m.requestPerformer(func(run *runview.Run) []tea.Msg {
			d, candidate := s.Why.SelectedDecision(run)
			if routes := focusedMap(s); routes != nil {
				candidate = routes.CandidateOfSelectedRoute(d)
			}
			return whatif.Open(run, d, candidate, m.conn.session.DecisionPreviewAt)
		})},
		"files":         {m.reasonGetter(changedfiles.UnavailableReason), m.requestPerformer(func(*runview.Run) []tea.Msg { return changedfiles.Open(m.conn.session.FileDiffs()) })},
		"shell":         {perform: m.openShell},
		"export":        {e.exportUnavailableReason, e.openExport},
		"end-leftovers": {e.leftoversUnavailableReason, e.confirmEndLeftovers},
	}
}

// viewActions returns the actions that only change what shows.
func (m *Model) viewActions() map[string]screenAction {
	s := m.screen
	return map[string]screenAction{
		"next-pane":      {perform: func() tea.Cmd { return s.CycleFocus(1) }},
		"previous-pane":  {perform: func() tea.Cmd { return s.CycleFocus(-1) }},
		"go-to":          {m.reasonGetter(choose.GoToStepUnavailableReason), m.requestPerformer(dialogOpener(choose.NewStepMenu))},
		"open":           {m.paneReasonGetter(layout.WhyPane, "open"), s.OpenSelected},
		"back":           {perform: s.GoBack},
		"find":           {s.Searcher.UnavailableReason, s.Searcher.BeginSearch},
		"next-match":     {s.Searcher.NextMatchUnavailableReason, func() tea.Cmd { return s.Searcher.GoToMatch(1) }},
		"previous-match": {s.Searcher.NextMatchUnavailableReason, func() tea.Cmd { return s.Searcher.GoToMatch(-1) }},
		"type":           {m.paneReasonGetter(layout.OutputPane, "type"), s.BeginTyping},
		"compare":        {m.otherRuns.compareUnavailableReason, m.otherRuns.listRuns},
		"map":            {m.reasonGetter(routemap.UnavailableReason), m.requestPerformer(m.coverage.OpenMap)},
		"document":       {perform: m.requestPerformer(dialogOpener(document.New))},
		"coverage":       {m.reasonGetter(routemap.MarkStepsUnavailableReason), m.requestPerformer(m.coverage.ToggleMarks)},
		"zoom":           {perform: s.ToggleZoom},
		"split-left":     {s.Borders.StepsBorderUnavailableReason, func() tea.Cmd { return s.Borders.MoveStepsBorder(-1) }},
		"split-right":    {s.Borders.StepsBorderUnavailableReason, func() tea.Cmd { return s.Borders.MoveStepsBorder(1) }},
		"split-up":       {s.Borders.HorizontalBorderUnavailableReason, func() tea.Cmd { return s.Borders.MoveHorizontalBorder(-1) }},
		"split-down":     {s.Borders.HorizontalBorderUnavailableReason, func() tea.Cmd { return s.Borders.MoveHorizontalBorder(1) }},
		"hide":           {s.Borders.HidingUnavailableReason, s.Borders.HidePane},
		"usual-layout":   {perform: s.Borders.ResetSplit},
		"present":        {perform: s.Presenter.Toggle},
		"raw":            {perform: s.ToggleRaw},
		"copy":           {m.externalPrograms.emptyPaneReason, m.externalPrograms.copyFromPane},
		"outside":        {m.externalPrograms.emptyPaneReason, m.externalPrograms.openFromPane},
		"theme":          {m.themeUnavailableReason, func() tea.Cmd { s.Open(choose.NewThemeDialog(m.cfg.LoadPalettes(), m.appearance.Theme)); return nil }},
		"actions":        {perform: m.requestPerformer(dialogOpener(choose.NewActionMenu))},
		"help":           {perform: m.openHelp},
		"suspend":        {perform: m.suspend},
		"quit":           {perform: m.requestPerformer(requestQuit)},
	}
}

// reasonGetter returns a function that passes the current view to cannot.
func (m *Model) reasonGetter(cannot func(*runview.Run) string) func() string {
	return func() string { return cannot(m.runView()) }
}

// requestPerformer returns a function that carries out what requests returns for the current view.
func (m *Model) requestPerformer(requests func(*runview.Run) []tea.Msg) func() tea.Cmd {
	return func() tea.Cmd { return m.screen.DoRequests(requests(m.runView())...) }
}

// paneReasonGetter returns a function that returns why a pane cannot carry out an action.
func (m *Model) paneReasonGetter(p layout.PaneID, action string) func() string {
	return func() string { return m.screen.Pane(p).UnavailableReason(m.runView(), action) }
}

// themeUnavailableReason returns why no theme can be chosen, "" if one can.
func (m *Model) themeUnavailableReason() string {
	switch {
	case m.cfg.NoColor:
		return "Colours are off."
	case m.cfg.LoadPalettes == nil:
		return "No themes are available."
	}
	return ""
}

// dialogOpener returns a function that requests to open the dialog that newDialog returns.
func dialogOpener[D dialog.Dialog](newDialog func(*runview.Run) D) func(*runview.Run) []tea.Msg {
	return func(run *runview.Run) []tea.Msg { return []tea.Msg{dialog.Open{Dialog: newDialog(run)}} }
}

// doControlAction carries out the action of engine/control that has the name of a key's action.
func (m *Model) doControlAction(name string) tea.Cmd {
	return m.doControlRequest(request.Do{Action: name, Args: m.actionArgs(name)})
}

// pauseOrContinue pauses a running run. It continues a paused one, and one that is about to pause.
func pauseOrContinue(run *runview.Run) []tea.Msg {
	if run.Status.State == engine.Paused || run.Status.PausesNext {
		return []tea.Msg{request.Do{Action: "continue"}}
	}
	return []tea.Msg{request.Do{Action: "pause"}}
}

// controlAction returns the action of the run that a key means now, nil if none. While the step before a
// pause is selected, pass and fail change its outcome.
func (m *Model) controlAction(name string) *control.Action {
	switch name {
	case "pass", "pass-note", "fail", "fail-note":
		name = strings.TrimSuffix(name, "-note")
		if m.conn.session != nil && m.runView().IsStepBeforePauseSelected() {
			name = "override"
		}
	case "answer", "break", "edit", "reload", "rewind", "interrupt": // the screen asks something first
		return nil
	}
	return control.FindAction(name)
}

// actionArgs returns the arguments of an action that a key starts: the selected step.
func (m *Model) actionArgs(name string) control.Args {
	switch name {
	case "run-to", "jump":
		return control.Args{Row: m.screen.Steps.SelectedRow()}
	case "shell":
		return control.Args{Row: m.screen.Steps.SelectedRow(), RunInTerminal: (*exec.Cmd).Run}
	case "pass", "pass-note":
		return control.Args{Result: plan.Passed}
	case "fail", "fail-note":
		return control.Args{Result: plan.Failed}
	case "rerun":
		if m.conn.session != nil {
			return control.Args{Row: m.runView().RowToRerun()}
		}
	}
	return control.Args{}
}

// performOrRefuse carries out an action, or says why it is unavailable.
func (m *Model) performOrRefuse(a *keymap.KeyAction) tea.Cmd {
	if why := m.unavailableReason(a); why != "" {
		return m.inputHandler.refuseAction(a, why)
	}
	return m.actionByName[a.Name].perform()
}

// unavailableReason returns why an action cannot be done now, "" if it can.
func (m *Model) unavailableReason(a *keymap.KeyAction) string {
	return draw.CleanLine(m.drawContext.Keys.FillInKeys(m.unavailableSentence(a)))
}

// unavailableSentence is like unavailableReason, with {name} where the key of an action belongs. Actions on
// the run refer to its current state.
func (m *Model) unavailableSentence(a *keymap.KeyAction) control.Sentence {
	if m.timeline.ShowsEarlierMoment() && a.ActsOn == keymap.ActsOnCurrentState {
		return "You are viewing an earlier moment. {back} to return to now."
	}
	if why := m.conn.unavailableReason(a); why != "" {
		return why
	}
	if c := m.controlAction(a.Name); c != nil {
		return c.UnavailableReason(m.controlRunView(), m.actionArgs(a.Name))
	}
	if cannot := m.actionByName[a.Name].unavailableReason; cannot != nil {
		return control.Sentence(cannot())
	}
	return ""
}

// unavailableReasonByName returns for the list of actions why an action cannot be done in its pane, "" if it
// can. If only a dialog shows, it asks the pane that had the focus before.
func (m *Model) unavailableReasonByName(action string) string {
	s, focus := m.screen, m.screen.Focus
	defer func() { s.Focus = focus }()
	a := keymap.FindKeyAction(action)
	s.Focus = s.PaneForAction(a, s.PaneBehind())
	return draw.CleanLine(m.drawContext.Keys.FillInKeysInDialog(m.unavailableSentence(a), func(*keymap.KeyAction) bool { return false }))
}
