package tui

import (
	"cmp"
	"os/exec"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/rewrite"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/help"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/start"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/session"
)

// handleRequest carries out the requests of panes and dialogs that the screen passes on.
func (m *Model) handleRequest(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case request.Do:
		return m.doControlRequest(r)
	case request.PressKeyOf:
		return m.pressActionKey(r.Action)
	case request.Background:
		return r.Cmd
	case request.Say:
		m.lastLine.say(r.Text)
	case request.SayUntilKey:
		m.lastLine.sayUntilKey(r.Text)
	case request.IgnoreKeys:
		return m.inputHandler.ignoreKeys(m.inputHandler.typeaheadGuard.IgnoreUntilPause, r.Text, r.Text)
	case request.ShowEvent:
		m.timeline.ShowEvent(r.EventIndex)
		m.syncSteps()
	case request.ShowCurrentState:
		m.timeline.ShowCurrentState()
		m.syncSteps()
	case request.ChangeTheme:
		m.appearance.SetTheme(r.Palette)
		m.screen.Reflow()
	case request.EditInEditor:
		return m.externalPrograms.editText(r.Text)
	case start.TrustCommands:
		return m.startup.trustAndAskQuestions(r.PauseFirst)
	case start.ExecuteNothing:
		return m.startup.askQuestions(start.Choices{ExecutesNothing: true})
	case start.InputsGiven, start.InputsChanged, start.BackToReplySource, choose.FirstReplySourceChosen:
		return m.screen.DoRequests(m.startup.questions.HandleAnswer(r)...)
	case start.BeginRun:
		return m.startup.beginRun(r)
	case breakpoints.ReplaceAll:
		return m.setBreakpoints(r.Breakpoints)
	case intervene.Perform:
		return m.performIntervention(r)
	case comparison.CompareWith:
		return m.otherRuns.compareWith(r.RunID)
	}
	return nil
}

// doControlRequest carries out an action on the run, or says why it cannot.
func (m *Model) doControlRequest(r request.Do) tea.Cmd {
	a, run, args := m.resolveRequest(r)
	if why := a.UnavailableReason(run, args); why != "" {
		m.lastLine.say(string(why))
		return nil
	}
	if text := a.ResultText(run, args); text != "" {
		say := m.lastLine.say
		if r.SaysUntilKey {
			say = m.lastLine.sayUntilKey
		}
		say(string(text))
	}
	switch r.Action {
	case "continue", "run-to", "over", "into", "out":
		m.screen.FollowRun()
		m.isStepping, m.targetStep = r.Action != "continue" && r.Action != "run-to", ""
		if args.Row != nil {
			m.targetStep = args.Row.Label
		}
	case "rerun": // the rerun pauses after the step
		m.isStepping = true
	}
	return m.conn.queueSessionCall(func(s session.Session) error { return a.Do(s, run, args) })
}

// resolveRequest checks that the step of an action is in the run as it is now, because the action may have been
// chosen at another moment.
func (m *Model) resolveRequest(r request.Do) (*control.Action, control.RunView, control.Args) {
	run, args := m.controlRunView(), r.Args
	if args.Row != nil {
		args.Row = cmp.Or(run.RowByLabel(args.Row.Label), args.Row)
	}
	return control.FindAction(r.Action), run, args
}

// performIntervention carries out an intervention, unless the run has moved on meanwhile.
func (m *Model) performIntervention(p intervene.Perform) tea.Cmd {
	a, run, args := m.resolveRequest(p.Do)
	if why := p.Attempt.MovedPastText(&run); why != "" {
		m.lastLine.say(why)
		return nil
	}
	m.screen.FollowRun()
	if m.conn.status.State != engine.Paused {
		return m.conn.queueSessionCall(func(s session.Session) error { return a.Do(s, run, args) })
	}
	m.isStepping = true
	return m.conn.queueSessionCall(func(s session.Session) error {
		return performAndStayPaused(s, p, func() error { return a.Do(s, run, args) })
	})
}

// performAndStayPaused carries out an intervention so that the run stays paused: before the step to which it
// leads, or after a step that it runs again.
func performAndStayPaused(s session.Session, p intervene.Perform, do func() error) error {
	if err := s.Pause(); err != nil {
		return err
	}
	if err := do(); err != nil || !p.StepsOver {
		return err
	}
	return s.Continue(engine.StepOver, "")
}

// undoOrRedo returns a function that asks the session which action would be undone or redone. A replay goes back or
// forward by a step instead.
func (m *Model) undoOrRedo(redo bool) func() tea.Cmd {
	return func() tea.Cmd {
		s := m.conn.session
		if m.conn.isReplay() {
			return m.doControlRequest(request.Do{Action: map[bool]string{false: "undo", true: "redo"}[redo]})
		}
		return func() tea.Msg {
			next := s.NextUndo
			if redo {
				next = s.NextRedo
			}
			step, err := next()
			if err != nil {
				return session.CallFailed{Err: err}
			}
			msg := intervene.UndoOrRedo{IsRedo: redo, Step: step}
			if !redo {
				msg.FileWithEdit = rewrite.FileWithEdit(step.Event, m.cfg.EditsAsChanges)
			}
			return msg
		}
	}
}

// pressActionKey carries out the action of a key in the pane with focus, or in the action's own pane.
func (m *Model) pressActionKey(action string) tea.Cmd {
	a := keymap.FindKeyAction(action)
	if p := m.screen.PaneForAction(a, m.screen.Focus); p != m.screen.Focus {
		m.screen.FocusPane(p)
	}
	return m.performOrRefuse(a)
}

// setBreakpoints sets the breakpoints of this run, and stores them for later runs of the document.
func (m *Model) setBreakpoints(all []engine.Breakpoint) tea.Cmd {
	m.breakpoints = all
	m.screen.Steps.Redraw()
	store, version := m.cfg.StoreBreakpoints, m.timeline.LiveTrack.Plan
	return tea.Batch(m.conn.queueSessionCall(func(s session.Session) error { return s.SetBreakpoints(all) }), func() tea.Msg {
		if store == nil {
			return nil
		}
		if err := store(version, all); err != nil {
			return session.CallFailed{Err: err}
		}
		return nil
	})
}

// handleSavedDocument says how the document's files have changed.
func (m *Model) handleSavedDocument(saved reload.FilesRead) {
	m.savedVersion = nil
	if text := saved.Notice(); text != "" {
		m.savedVersion = saved.Offer
		m.lastLine.announce(control.Sentence(text))
	}
}

// openHelp shows the keys, including those of a dialog that do not fit on the last line.
func (m *Model) openHelp() tea.Cmd {
	focus := m.screen.Focus
	actions := slices.DeleteFunc(m.screen.WorkingActions(), func(a keymap.KeyAction) bool { return m.conn.isRefusedInReplay(&a) })
	h, run := &help.Dialog{Pane: focus, Noun: m.screen.PaneNoun(focus), Actions: actions}, m.runView()
	h.UsefulKeys = m.hints(run).MainHints()
	if d := m.screen.Dialogs.Top(); d != nil && focus == layout.DialogPlace {
		switch a := d.(type) {
		case *question.Dialog:
			h.UsefulKeys = append(a.AnswerHintsWithDestinations(run), h.UsefulKeys...)
		case dialog.AnswerLister:
			h.UsefulKeys = append(a.AnswerHints(run), h.UsefulKeys...)
		}
		if s, has := d.(dialog.LegendProvider); has {
			h.DialogLegend = s.Legend()
		}
	}
	h.UsefulKeys = m.hints(run).WithDescriptions(h.UsefulKeys)
	m.screen.Open(h)
	return nil
}

// openShell opens a shell at the selected step. When presenting, the audience would see what is typed, so
// the person confirms it.
func (m *Model) openShell() tea.Cmd {
	a, run, args := m.resolveRequest(request.Do{Action: "shell", Args: m.actionArgs("shell")})
	s, step := m.conn.session, run.ShellRow(args)
	open := request.Background{Cmd: func() (msg tea.Msg) {
		args.RunInTerminal = func(cmd *exec.Cmd) error {
			msg = shellReadyMsg{cmd, wording.ShellHeading(step)}
			return nil
		}
		if err := a.Do(s, run, args); err != nil {
			return session.CallFailed{Err: err}
		}
		return msg
	}}
	if !m.screen.Presenter.IsOn {
		return m.screen.DoRequests(open)
	}
	return m.screen.DoRequests(dialog.Open{Dialog: &confirm.Dialog{
		Name:        "Open a shell while presenting?",
		Text:        "Everyone who sees this screen also sees the shell. Nothing in it is hidden.",
		YesRequests: []tea.Msg{open},
	}})
}
