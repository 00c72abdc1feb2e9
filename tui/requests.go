package tui

import (
	"cmp"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/help"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/screen"
	"playhead/tui/session"
)

// handleRequest carries out the requests of panes and dialogs that the screen passes on.
func (m *Model) handleRequest(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case request.Do:
		return m.do(r)
	case request.Press:
		return m.press(r.Action)
	case request.Background:
		return r.Cmd
	case request.Say:
		m.lastLine.say(r.Text)
	case request.SayNext:
		m.lastLine.sayNext(r.Text)
	case request.IgnoreKeys:
		m.input.ignore(r.Text)
	case request.ShowEvent:
		m.timeline.Go(r.Index)
		m.syncSteps()
	case request.ShowNow:
		m.timeline.GoToNow()
		m.syncSteps()
	case request.Paint:
		m.appearance.Choose(r.Palette)
		m.screen.Reflow()
	case request.EditOutside:
		return m.programs.edit(r.Text)
	case start.Trusted:
		return m.startup.rememberTrust(r.Step)
	case start.Prompted:
		return m.startup.ask(start.Choices{Prompted: true})
	case start.Filled, start.Changed, start.Back, choose.FirstSource:
		return m.screen.Do(m.startup.questions.Take(r)...)
	case start.Begin:
		return m.startup.begin(r)
	case breakpoints.Set:
		return m.setBreaks(r.All)
	case intervene.Perform:
		return m.perform(r)
	case comparison.With:
		return m.others.compare(r.Run)
	}
	return nil
}

// do carries out an action on the run, or says why it cannot.
func (m *Model) do(r request.Do) tea.Cmd {
	a, run, args := m.prepare(r)
	if why := a.Unavailable(run, args); why != "" {
		m.lastLine.say(draw.Clean(m.look.Keys.Sentence(why)))
		return nil
	}
	switch r.Action {
	case "continue", "run-to", "over", "into", "out":
		m.screen.FollowRun()
		m.stepping, m.stepTarget = r.Action != "continue" && r.Action != "run-to", ""
		if args.Step != nil {
			m.stepTarget = args.Step.Label
		}
	case "rerun": // the rerun pauses after the step
		m.stepping = true
	}
	return m.conn.call(func(s session.Session) error { return a.Do(s, run, args) })
}

// prepare checks that the step of an action is in the run as it is now, because the action may have been
// chosen at another moment.
func (m *Model) prepare(r request.Do) (*control.Action, control.Run, control.Args) {
	run, args := m.run(), r.Args
	if args.Step != nil {
		args.Step = cmp.Or(run.Row(args.Step.Label), args.Step)
	}
	return control.Find(r.Action), run, args
}

// perform carries out an intervention, unless the run has moved on meanwhile.
func (m *Model) perform(p intervene.Perform) tea.Cmd {
	a, run, args := m.prepare(p.Do)
	if why := p.At.MovedPast(&run); why != "" {
		m.lastLine.say(why)
		return nil
	}
	m.screen.FollowRun()
	if m.conn.status.State != engine.Paused {
		return m.conn.call(func(s session.Session) error { return a.Do(s, run, args) })
	}
	m.stepping = true
	return m.conn.call(func(s session.Session) error { return performPaused(s, p, func() error { return a.Do(s, run, args) }) })
}

// performPaused carries out an intervention so that the run stays paused: before the step to which it
// leads, or after a step that it runs again.
func performPaused(s session.Session, p intervene.Perform, do func() error) error {
	if err := s.Pause(); err != nil {
		return err
	}
	if err := do(); err != nil || !p.StepOver {
		return err
	}
	return s.Go(engine.StepOver, "")
}

// undo asks the session which action can be undone or redone. A replay goes by steps instead.
func (m *Model) undo(redo bool) func() tea.Cmd {
	return func() tea.Cmd {
		s := m.conn.session
		if m.conn.replays() {
			return m.do(request.Do{Action: map[bool]string{false: "undo", true: "redo"}[redo]})
		}
		return func() tea.Msg {
			next := s.NextUndo
			if redo {
				next = s.NextRedo
			}
			of, err := next()
			if err != nil {
				return session.Failed{Err: err}
			}
			return intervene.Undo{Redo: redo, Of: of}
		}
	}
}

// press carries out the action of a key in the pane with focus, or in the action's own pane.
func (m *Model) press(action string) tea.Cmd {
	a := keymap.Find(action)
	if p := screen.PlaceOf(a, m.screen.Focus); p != m.screen.Focus {
		m.screen.FocusPane(p)
	}
	return m.act(a)
}

// setBreaks sets the breakpoints of this run, and stores them for later runs of the document.
func (m *Model) setBreaks(all []engine.Breakpoint) tea.Cmd {
	m.breaks = all
	m.screen.Steps.Redraw()
	keep := m.cfg.KeepBreaks
	return tea.Batch(m.conn.call(func(s session.Session) error { return s.Break(all) }), func() tea.Msg {
		if keep == nil {
			return nil
		}
		if err := keep(all); err != nil {
			return session.Failed{Err: err}
		}
		return nil
	})
}

// takeSaved says how the document's files have changed.
func (m *Model) takeSaved(saved reload.Ready) {
	m.saved = nil
	if text := saved.Notice(); text != "" {
		m.saved = saved.Offer
		m.lastLine.sayNext(text)
	}
}

// help shows the keys, including those of a dialog that do not fit on the last line.
func (m *Model) help() tea.Cmd {
	focus := m.screen.Focus
	h := &help.Dialog{Pane: focus, Scope: panes.Kinds[focus].Scope}
	run := m.view()
	h.Now = m.hints(run).Line()
	if d := m.screen.Top(); d != nil && focus == panes.Dialog {
		if a, answers := d.(dialog.Answering); answers {
			h.Now = append(a.Answers(run), h.Now...)
		}
		if s, has := d.(dialog.Signer); has {
			h.Signs = s.Signs()
		}
	}
	h.Now = m.hints(run).Described(h.Now)
	m.screen.Open(h)
	return nil
}

// openShell opens a shell at the selected step. When presenting, the audience would see what is typed, so
// the person confirms it.
func (m *Model) openShell() tea.Cmd {
	a, run, args := m.prepare(request.Do{Action: "shell", Args: m.args("shell")})
	s, step := m.conn.session, run.ShellStep(args)
	open := request.Background{Cmd: func() (msg tea.Msg) {
		args.Terminal = func(cmd *exec.Cmd) error {
			msg = shellMsg{cmd, wording.ShellHeading(step)}
			return nil
		}
		if err := a.Do(s, run, args); err != nil {
			return session.Failed{Err: err}
		}
		return msg
	}}
	if !m.screen.Presentation.On {
		return m.screen.Do(open)
	}
	return m.screen.Do(dialog.Open{Dialog: &confirm.Dialog{
		Name: "Open a shell while presenting?",
		Text: "Everyone who sees this screen also sees the shell. Nothing in it is hidden.",
		Yes:  []tea.Msg{open},
	}})
}
