package tui

import (
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/changed"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/document"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/rule"
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
	cannot func(*Model) string // why it cannot be done now, empty if it can; nil: it always can
	do     func(*Model) tea.Cmd
}

// commands are those of all actions that have one outside dialogs. They are filled in by init,
// since help and palette show them.
var commands map[string]command

func init() {
	commands = map[string]command{
		"up":             {do: moving("up")},
		"down":           {do: moving("down")},
		"page-up":        {do: moving("page-up")},
		"page-down":      {do: moving("page-down")},
		"first":          {do: moving("first")},
		"last":           {do: moving("last")},
		"left":           {do: inFocus("left")},
		"right":          {do: inFocus("right")},
		"next-pane":      {do: turning(1)},
		"previous-pane":  {do: turning(-1)},
		"go-to":          {cannot: cannotGoToStep, do: opening(choose.Steps)},
		"open":           {do: onScreen((*screen.Screen).Enter)},
		"back":           {do: onScreen((*screen.Screen).Back)},
		"continue":       {do: doing("continue")},
		"over":           {do: doing("over")},
		"into":           {do: doing("into")},
		"out":            {do: doing("out")},
		"pause":          {do: requesting(pause)},
		"run-to":         {do: doing("run-to")},
		"break":          {cannot: by(breakpoints.Unavailable), do: requesting(breakpoints.Toggle)},
		"take-control":   {do: doing("take-control")},
		"breaks":         {do: opening(breakpoints.NewList)},
		"inputs":         {cannot: cannotChangeInputs, do: (*Model).changeInputs},
		"reload":         {cannot: cannotReload, do: func(m *Model) tea.Cmd { return reload.Read(m.session.Saved) }},
		"slower":         {cannot: cannotSetSpeed, do: speed(-1)},
		"faster":         {cannot: cannotSetSpeed, do: speed(1)},
		"interrupt":      {do: (*Model).interrupt},
		"answer":         {cannot: cannotAnswer, do: (*Model).goToQuestion},
		"pass":           {do: decide(plan.Passed)},
		"fail":           {do: decide(plan.Failed)},
		"pass-note":      {do: decisionNoted(plan.Passed)},
		"fail-note":      {do: decisionNoted(plan.Failed)},
		"again":          {do: (*Model).again},
		"skip":           {do: requesting(intervene.Skip)},
		"undo":           {do: undo(false)},
		"redo":           {do: undo(true)},
		"rewind":         {cannot: paneCannot(panes.Why, "rewind"), do: requesting(intervene.Rewind)},
		"approvals":      {do: opening(choose.Approvals)},
		"fork":           {cannot: cannotFork, do: (*Model).fork},
		"jump":           {do: requesting(intervene.Jump)},
		"source":         {do: opening(choose.Source)},
		"by-hand":        {do: requesting(choose.ReplyManually)},
		"now":            {do: doing("now")},
		"reasoning":      {cannot: paneCannot(panes.Output, "reasoning"), do: inOutput("reasoning")},
		"find":           {cannot: func(m *Model) string { return m.screen.Finder.Unavailable() }, do: func(m *Model) tea.Cmd { return m.screen.Finder.Open() }},
		"next-match":     {cannot: cannotGoToMatch, do: goToMatch(1)},
		"previous-match": {cannot: cannotGoToMatch, do: goToMatch(-1)},
		"next-call":      {cannot: paneCannot(panes.Output, "next-call"), do: inOutput("next-call")},
		"previous-call":  {cannot: paneCannot(panes.Output, "previous-call"), do: inOutput("previous-call")},
		"type":           {cannot: paneCannot(panes.Output, "type"), do: onScreen((*screen.Screen).BeginTyping)},
		"values":         {do: showSheet("values")},
		"summary":        {cannot: ending((*runEnd).cannotShow), do: ending((*runEnd).show)},
		"edit":           {cannot: cannotEdit, do: editing},
		"change-steps":   {cannot: by(stepedit.Unavailable), do: changingSteps},
		"write-back":     {cannot: by(edit.CannotWrite), do: func(m *Model) tea.Cmd { return edit.Prepare(m.screen.Steps.Selected(), m.cfg.Drafts) }},
		"what-if": {cannot: func(m *Model) string { return whatif.Unavailable(m.view(), m.screen.Why.InSight(m.view())) }, do: func(m *Model) tea.Cmd {
			return m.screen.Do(whatif.Ask(m.view(), m.screen.Why.InSight(m.view()), m.session.PreviewDecision)...)
		}},
		"files": {cannot: func(m *Model) string {
			return string(control.Find("restore").Unavailable(m.view().Run, control.Args{}))
		}, do: func(m *Model) tea.Cmd { return m.screen.Do(changed.Open(m.session.ChangedFiles())...) }},
		"compare":       {cannot: cannotCompare, do: func(m *Model) tea.Cmd { return comparison.List(m.cfg.Others) }},
		"history":       {do: showSheet("history")},
		"map":           {cannot: by(routemap.Unavailable), do: func(m *Model) tea.Cmd { return m.screen.Do(m.coverage.Open(m.view())...) }},
		"document":      {do: opening(document.New)},
		"coverage":      {cannot: by(routemap.CannotMark), do: func(m *Model) tea.Cmd { return m.screen.Do(m.coverage.Toggle(m.view())...) }},
		"zoom":          {do: onScreen((*screen.Screen).ToggleZoom)},
		"split-left":    {cannot: dividing(screen.Borders.CannotMoveAside), do: moveAside(-1)},
		"split-right":   {cannot: dividing(screen.Borders.CannotMoveAside), do: moveAside(1)},
		"split-up":      {cannot: dividing(screen.Borders.CannotMoveDown), do: moveDown(-1)},
		"split-down":    {cannot: dividing(screen.Borders.CannotMoveDown), do: moveDown(1)},
		"hide":          {cannot: dividing(screen.Borders.CannotHide), do: dividing(screen.Borders.Hide)},
		"usual-layout":  {do: dividing(screen.Borders.Reset)},
		"present":       {do: onScreen((*screen.Screen).ToggleStage)},
		"wrap":          {cannot: paneCannot(panes.Output, "wrap"), do: inOutput("wrap")},
		"raw":           {do: onScreen((*screen.Screen).ToggleRaw)},
		"copy":          {cannot: func(m *Model) string { return m.handoff.unavailable() }, do: func(m *Model) tea.Cmd { return m.handoff.copy() }},
		"outside":       {cannot: func(m *Model) string { return m.handoff.unavailable() }, do: func(m *Model) tea.Cmd { return m.handoff.open() }},
		"shell":         {do: (*Model).openShell},
		"export":        {cannot: ending((*runEnd).cannotExport), do: ending((*runEnd).export)},
		"end-leftovers": {cannot: ending((*runEnd).cannotEndLeftovers), do: ending((*runEnd).endLeftovers)},
		"theme":         {cannot: cannotChooseTheme, do: func(m *Model) tea.Cmd { m.screen.Open(choose.Theme(m.cfg.Palettes(), m.appearance.Theme)); return nil }},
		"palette":       {do: opening(choose.Actions)},
		"help":          {do: (*Model).help},
		"suspend":       {do: (*Model).suspend},
		"quit":          {do: requesting(quit)},
	}
	for _, p := range panes.All {
		commands[panes.Kinds[p].Name] = command{do: focusing(p)}
	}
}

// onScreen is a command of the screen alone.
func onScreen(do func(*screen.Screen) tea.Cmd) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return do(m.screen) }
}

// dividing asks or tells the borders of the screen.
func dividing[T any](of func(screen.Borders) T) func(*Model) T {
	return func(m *Model) T { return of(m.screen.Borders) }
}

// ending asks or tells the end of the run.
func ending[T any](of func(*runEnd) T) func(*Model) T {
	return func(m *Model) T { return of(m.end) }
}

// moving moves in the pane with focus, by lines or pages or to an end.
func moving(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Move(action) }
}

// inFocus does an action in the pane with focus.
func inFocus(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.TellPane(m.screen.Focus, pane.Action{Name: action}) }
}

func turning(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Turn(by) }
}

func focusing(p panes.Pane) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.FocusPane(p) }
}

func moveAside(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Borders.MoveAside(by) }
}

func moveDown(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Borders.MoveDown(by) }
}

func showSheet(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.ShowSheet(action) }
}

func goToMatch(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Finder.GoToMatch(by) }
}

// inOutput does an action in the pane of output.
func inOutput(action string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.TellPane(panes.Output, pane.Action{Name: action}) }
}

// paneCannot says why a pane cannot do an action.
func paneCannot(p panes.Pane, action string) func(*Model) string {
	return func(m *Model) string { return m.screen.Pane(p).Unavailable(m.view(), action) }
}

// by asks a function of the run why something cannot be done.
func by(unavailable func(*runview.Run) string) func(*Model) string {
	return func(m *Model) string { return unavailable(m.view()) }
}

// requesting does what a function of the run requests.
func requesting(requests func(*runview.Run) []tea.Msg) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.screen.Do(requests(m.view())...) }
}

// opening opens the dialog that a function of the run returns.
func opening[D dialog.Dialog](newDialog func(*runview.Run) D) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.screen.Open(newDialog(m.view()))
		return nil
	}
}

// doing carries out the action on the run that has the same name.
func doing(name string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.do(request.Do{Action: name, Args: m.args(name)}) }
}

// pause pauses a run that goes on. The key that pauses continues, too.
func pause(run *runview.Run) []tea.Msg {
	switch {
	case run.Status.State == engine.Paused:
		return []tea.Msg{request.Do{Action: "continue"}}
	case run.Replay:
		return []tea.Msg{request.Do{Action: "pause"}}
	}
	return []tea.Msg{request.Say{Text: "The run pauses before the next step."}, request.Do{Action: "pause"}}
}

// control is the action on the run that a key means now, nil if it means none. Pass and fail change
// the outcome of the step before a pause while that is selected, with a note or without.
func (m *Model) control(name string) *control.Action {
	switch name {
	case "pass", "pass-note", "fail", "fail-note":
		name = strings.TrimSuffix(name, "-note")
		if m.session != nil && m.view().LooksBefore() {
			name = "override"
		}
	case "answer", "break", "edit", "reload", "rewind", "interrupt": // the screen has more to ask first
		return nil
	}
	return control.Find(name)
}

// args are the arguments that a key gives an action: the selected step is the one that it is about.
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
	case "again":
		if m.session != nil {
			return control.Args{Step: m.view().StepToRepeat()}
		}
	}
	return control.Args{}
}

// act does an action, or says why it makes no sense now.
func (m *Model) act(a *keymap.Action) tea.Cmd {
	if why := m.unavailable(a); why != "" {
		m.refuse(a, why)
		return nil
	}
	return commands[a.Name].do(m)
}

// unavailable is why an action makes no sense now, "" when it does.
func (m *Model) unavailable(a *keymap.Action) string {
	return draw.Clean(m.look.Keys.Sentence(m.refusal(a)))
}

// refusal is why an action makes no sense now, before its keys are filled in. What acts on the
// run acts on it as it is.
func (m *Model) refusal(a *keymap.Action) control.Sentence {
	if m.timeline.IsPast() && (a.Group == "run" || a.Group == "decide") && a.Name != "rewind" && a.Name != "fork" {
		return "You are viewing an earlier moment. {back} to return to now."
	}
	if why := m.cannotWhileWatched(a); why != "" {
		return why
	}
	if m.replays() {
		if why, ok := m.cannotReplay(a); ok {
			return control.Sentence(why)
		}
	}
	if c := m.control(a.Name); c != nil {
		return c.Unavailable(m.run(), m.args(a.Name))
	}
	if cannot := commands[a.Name].cannot; cannot != nil {
		return control.Sentence(cannot(m))
	}
	return ""
}

// refuse says why an action makes no sense now. What is typed behind a key that
// opens a line is text, and no key: it is dropped.
func (m *Model) refuse(a *keymap.Action, why string) {
	if a.Name == "find" {
		m.ignoreKeys(why)
		return
	}
	m.say(why)
}

// unavailableNamed is why an action cannot be done in its pane, empty if it can. While a dialog
// shows alone, that is the pane that had the focus before it.
func (m *Model) unavailableNamed(action string) string {
	s, focus := m.screen, m.screen.Focus
	defer func() { s.Focus = focus }()
	a := keymap.Named(action)
	s.Focus = screen.PlaceOf(a, s.PaneBehind())
	return m.unavailable(a)
}

// editsRule reports whether the key that edits is about what decides: in WHY, on the map, and at a step
// that has nothing else to edit.
func (m *Model) editsRule() bool {
	s, run, t := m.screen, m.view(), m.editTarget()
	if t.Values || rule.Unavailable(run) != "" {
		return false
	}
	_, onMap := s.Top().(*routemap.Map)
	return onMap && s.Focus == panes.Dialog || s.Focus == panes.Why || t.Unavailable(run) != ""
}

func cannotEdit(m *Model) string {
	if m.editsRule() {
		return ""
	}
	return m.editTarget().Unavailable(m.view())
}

// editing opens what the key that edits is about.
func editing(m *Model) tea.Cmd {
	run := m.view()
	if m.editsRule() {
		return m.screen.Do(rule.Open(run, m.screen.Why.InSight(run), m.session)...)
	}
	return m.screen.Do(edit.Open(run, m.editTarget())...)
}

func changingSteps(m *Model) tea.Cmd {
	m.screen.Open(stepedit.New(m.view(), m.session))
	return nil
}

// editTarget is what can be changed now.
func (m *Model) editTarget() edit.Target {
	s := m.screen
	t := edit.Target{Values: s.Why.ShowsValues() && s.Focus == panes.Why, Action: s.Output.ActionOf(s.Steps.Selected())}
	if x, ok := s.Why.Variable(m.view()); ok {
		t.Variable = &x
	}
	return t
}
