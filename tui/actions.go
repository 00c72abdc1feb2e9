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
	"playhead/tui/pane"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/routemap"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// command is what an action of the key map does on the screen.
type command struct {
	cannot func() string // returns why it is unavailable now, "" if it is available; nil: it always is
	do     func() tea.Cmd
}

// newCommands returns the commands of all actions that have one outside dialogs.
func (m *Model) newCommands() map[string]command {
	all := m.runCommands()
	maps.Copy(all, m.viewCommands())
	s := m.screen
	for _, move := range []string{"up", "down", "page-up", "page-down", "first", "last"} {
		all[move] = command{do: func() tea.Cmd { return s.Move(move) }}
	}
	for _, direction := range []string{"left", "right"} {
		all[direction] = command{do: func() tea.Cmd { return s.TellPane(s.Focus, pane.Action{Name: direction}) }}
	}
	for _, sheet := range []string{"values", "history"} {
		all[sheet] = command{do: func() tea.Cmd { return s.ShowSheet(sheet) }}
	}
	for _, action := range []string{"continue", "over", "into", "out", "run-to", "take-control", "now"} {
		all[action] = command{do: func() tea.Cmd { return m.doByKey(action) }}
	}
	for _, action := range []string{"reasoning", "next-call", "previous-call", "wrap"} {
		all[action] = command{m.paneCannot(panes.Output, action), func() tea.Cmd { return s.TellPane(panes.Output, pane.Action{Name: action}) }}
	}
	for _, p := range panes.All {
		all[panes.Kinds[p].Name] = command{do: func() tea.Cmd { return s.FocusPane(p) }}
	}
	return all
}

// runCommands returns the commands that act on the run and its document.
func (m *Model) runCommands() map[string]command {
	s, e := m.screen, m.end
	return map[string]command{
		"pause":        {do: m.ask(pause)},
		"break":        {m.reasonFrom(breakpoints.CannotSet), m.ask(breakpoints.Toggle)},
		"breaks":       {do: m.ask(opening(breakpoints.NewList))},
		"inputs":       {m.startup.cannotChangeInputs, m.startup.changeInputs},
		"reload":       {m.startup.cannotReload, m.startup.reload},
		"slower":       {m.conn.cannotSetSpeed, func() tea.Cmd { return m.conn.faster(-1) }},
		"faster":       {m.conn.cannotSetSpeed, func() tea.Cmd { return m.conn.faster(1) }},
		"interrupt":    {do: m.interrupt},
		"answer":       {m.question.unavailable, m.question.show},
		"pass":         {do: m.question.decide(plan.Passed)},
		"fail":         {do: m.question.decide(plan.Failed)},
		"pass-note":    {do: m.question.decideNoted(plan.Passed)},
		"fail-note":    {do: m.question.decideNoted(plan.Failed)},
		"rerun":        {do: m.question.rerun},
		"skip":         {do: m.ask(intervene.Skip)},
		"undo":         {do: m.undo(false)},
		"redo":         {do: m.undo(true)},
		"rewind":       {m.paneCannot(panes.Why, "rewind"), m.ask(intervene.Rewind)},
		"approvals":    {do: m.ask(opening(choose.Approvals))},
		"fork":         {m.others.cannotFork, m.others.fork},
		"jump":         {do: m.ask(intervene.Jump)},
		"source":       {do: m.ask(opening(choose.Source))},
		"manual-reply": {do: m.ask(choose.ReplyManually)},
		"summary":      {e.cannotShowSummary, e.show},
		"edit":         {m.editing.unavailable, m.editing.open},
		"change-steps": {m.reasonFrom(stepedit.Unavailable), m.editing.changeSteps},
		"write-back":   {m.reasonFrom(edit.CannotWrite), func() tea.Cmd { return edit.Prepare(s.Steps.Selected(), m.cfg.Drafts) }},
		"what-if": {m.reasonFrom(func(run *runview.Run) string { d, _ := s.Why.SelectedDecision(run); return whatif.Unavailable(run, d) }), m.ask(func(run *runview.Run) []tea.Msg {
			d, candidate := s.Why.SelectedDecision(run)
			return whatif.Ask(run, d, candidate, m.conn.session.PreviewDecision)
		})},
		"files":         {m.reasonFrom(changedfiles.Unavailable), m.ask(func(*runview.Run) []tea.Msg { return changedfiles.Open(m.conn.session.ChangedFiles()) })},
		"shell":         {do: m.openShell},
		"export":        {e.cannotExport, e.export},
		"end-leftovers": {e.cannotEndLeftovers, e.endLeftovers},
	}
}

// viewCommands returns the commands that only change what shows.
func (m *Model) viewCommands() map[string]command {
	s := m.screen
	return map[string]command{
		"next-pane":      {do: func() tea.Cmd { return s.CycleFocus(1) }},
		"previous-pane":  {do: func() tea.Cmd { return s.CycleFocus(-1) }},
		"go-to":          {m.reasonFrom(choose.CannotGoToStep), m.ask(opening(choose.Steps))},
		"open":           {do: s.Enter},
		"back":           {do: s.Back},
		"find":           {s.Finder.Unavailable, s.Finder.Open},
		"next-match":     {s.Finder.NextMatchUnavailable, func() tea.Cmd { return s.Finder.GoToMatch(1) }},
		"previous-match": {s.Finder.NextMatchUnavailable, func() tea.Cmd { return s.Finder.GoToMatch(-1) }},
		"type":           {m.paneCannot(panes.Output, "type"), s.BeginTyping},
		"compare":        {m.others.cannotCompare, m.others.list},
		"map":            {m.reasonFrom(routemap.Unavailable), m.ask(m.coverage.Open)},
		"document":       {do: m.ask(opening(document.New))},
		"coverage":       {m.reasonFrom(routemap.CannotMark), m.ask(m.coverage.Toggle)},
		"zoom":           {do: s.ToggleZoom},
		"split-left":     {s.Borders.CannotMoveAside, func() tea.Cmd { return s.Borders.MoveAside(-1) }},
		"split-right":    {s.Borders.CannotMoveAside, func() tea.Cmd { return s.Borders.MoveAside(1) }},
		"split-up":       {s.Borders.CannotMoveDown, func() tea.Cmd { return s.Borders.MoveDown(-1) }},
		"split-down":     {s.Borders.CannotMoveDown, func() tea.Cmd { return s.Borders.MoveDown(1) }},
		"hide":           {s.Borders.CannotHide, s.Borders.Hide},
		"usual-layout":   {do: s.Borders.Reset},
		"present":        {do: s.TogglePresentation},
		"raw":            {do: s.ToggleRaw},
		"copy":           {m.programs.unavailable, m.programs.copy},
		"outside":        {m.programs.unavailable, m.programs.open},
		"theme":          {m.cannotChooseTheme, func() tea.Cmd { s.Open(choose.Theme(m.cfg.Palettes(), m.appearance.Theme)); return nil }},
		"actions":        {do: m.ask(opening(choose.Actions))},
		"help":           {do: m.help},
		"suspend":        {do: m.suspend},
		"quit":           {do: m.ask(quit)},
	}
}

// reasonFrom returns a function that passes the current view to cannot.
func (m *Model) reasonFrom(cannot func(*runview.Run) string) func() string {
	return func() string { return cannot(m.view()) }
}

// ask returns a function that carries out what requests returns for the current view.
func (m *Model) ask(requests func(*runview.Run) []tea.Msg) func() tea.Cmd {
	return func() tea.Cmd { return m.screen.Do(requests(m.view())...) }
}

// paneCannot returns a function that returns why a pane cannot carry out an action.
func (m *Model) paneCannot(p panes.Pane, action string) func() string {
	return func() string { return m.screen.Pane(p).Unavailable(m.view(), action) }
}

// cannotChooseTheme returns why no theme can be chosen, "" if one can.
func (m *Model) cannotChooseTheme() string {
	switch {
	case m.cfg.NoColor:
		return "Colours are off."
	case m.cfg.Palettes == nil:
		return "No themes are available."
	}
	return ""
}

// opening returns a function that requests to open the dialog from newDialog.
func opening[D dialog.Dialog](newDialog func(*runview.Run) D) func(*runview.Run) []tea.Msg {
	return func(run *runview.Run) []tea.Msg { return []tea.Msg{dialog.Open{Dialog: newDialog(run)}} }
}

// doByKey carries out the action of engine/control that has the name of a key's action.
func (m *Model) doByKey(name string) tea.Cmd {
	return m.do(request.Do{Action: name, Args: m.args(name)})
}

// pause pauses a running run, and continues a paused one.
func pause(run *runview.Run) []tea.Msg {
	switch {
	case run.Status.State == engine.Paused:
		return []tea.Msg{request.Do{Action: "continue"}}
	case run.Replay:
		return []tea.Msg{request.Do{Action: "pause"}}
	}
	return []tea.Msg{request.Say{Text: "The run pauses before the next step."}, request.Do{Action: "pause"}}
}

// control returns the action of the run that a key means now, nil if none. While the step before a pause is
// selected, pass and fail change its outcome.
func (m *Model) control(name string) *control.Action {
	switch name {
	case "pass", "pass-note", "fail", "fail-note":
		name = strings.TrimSuffix(name, "-note")
		if m.conn.session != nil && m.view().LooksBefore() {
			name = "override"
		}
	case "answer", "break", "edit", "reload", "rewind", "interrupt": // the screen asks something first
		return nil
	}
	return control.Find(name)
}

// args returns the arguments of an action that a key starts: the selected step.
func (m *Model) args(name string) control.Args {
	switch name {
	case "run-to", "jump":
		return control.Args{Step: m.screen.Steps.Selected()}
	case "shell":
		return control.Args{Step: m.screen.Steps.Selected(), Terminal: (*exec.Cmd).Run}
	case "pass", "pass-note":
		return control.Args{Result: plan.Passed}
	case "fail", "fail-note":
		return control.Args{Result: plan.Failed}
	case "rerun":
		if m.conn.session != nil {
			return control.Args{Step: m.view().StepToRerun()}
		}
	}
	return control.Args{}
}

// act carries out an action, or says why it is unavailable.
func (m *Model) act(a *keymap.Action) tea.Cmd {
	if why := m.unavailable(a); why != "" {
		m.refuse(a, why)
		return nil
	}
	return m.commands[a.Name].do()
}

// unavailable returns why an action cannot be done now, "" if it can.
func (m *Model) unavailable(a *keymap.Action) string {
	return draw.Clean(m.look.Keys.Sentence(m.refusal(a)))
}

// refusal returns the same with {name} for the keys of actions. Actions on the run refer to its current
// state.
func (m *Model) refusal(a *keymap.Action) control.Sentence {
	if m.timeline.ShowsEarlierMoment() && a.Acts == keymap.OnCurrentState {
		return "You are viewing an earlier moment. {back} to return to now."
	}
	if why := m.conn.refusal(a); why != "" {
		return why
	}
	if c := m.control(a.Name); c != nil {
		return c.Unavailable(m.run(), m.args(a.Name))
	}
	if cannot := m.commands[a.Name].cannot; cannot != nil {
		return control.Sentence(cannot())
	}
	return ""
}

// refuse says why an action is unavailable. After "find", a person may go on typing the query: those keys
// are ignored.
func (m *Model) refuse(a *keymap.Action, why string) {
	if a.Name == "find" {
		m.input.ignore(why)
		return
	}
	m.lastLine.say(why)
}

// unavailableNamed returns why an action cannot be done in its pane, "" if it can. If only a dialog shows,
// it asks the pane that had the focus before.
func (m *Model) unavailableNamed(action string) string {
	s, focus := m.screen, m.screen.Focus
	defer func() { s.Focus = focus }()
	a := keymap.Find(action)
	s.Focus = screen.PlaceOf(a, s.PaneBehind())
	return m.unavailable(a)
}
