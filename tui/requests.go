package tui

import (
	"cmp"
	"fmt"
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

// fulfil does what a pane or a dialog requests and the screen cannot do alone.
func (m *Model) fulfil(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case request.Do:
		return m.do(r)
	case request.Press:
		return m.press(r.Action)
	case request.Background:
		return r.Cmd
	case request.Say:
		m.say(r.Text)
	case request.SayNext:
		m.sayNext(r.Text)
	case request.IgnoreKeys:
		m.ignoreKeys(r.Text)
	case request.ShowEvent:
		m.timeline.Go(r.Index)
		m.syncTree()
	case request.ShowNow:
		m.timeline.GoToNow()
		m.syncTree()
	case request.Paint:
		m.appearance.Choose(r.Palette)
		m.screen.Reflow()
	case request.EditOutside:
		return m.handoff.edit(r.Text)
	case start.Trusted:
		return m.takeTrust(r.Step)
	case start.Prompted:
		return m.screen.Do(m.before.Start(start.Choices{Prompted: true})...)
	case start.Filled, start.Changed, start.Back, choose.FirstSource:
		return m.screen.Do(m.before.Take(r)...)
	case start.Begin:
		if m.cfg.Check != nil && !r.Checked {
			return m.checkFirst(r.Choices)
		}
		return m.begin(r.Choices)
	case breakpoints.Set:
		return m.setBreaks(r.All)
	case intervene.Perform:
		return m.perform(r)
	case comparison.With:
		m.say("Reading run " + r.Run + " …")
		return comparison.Read(m.timeline.Until(), r.Run, m.cfg.Compare)
	}
	return nil
}

// do carries out an action on the run, or says why it cannot.
func (m *Model) do(r request.Do) tea.Cmd {
	a, run, args := m.prepare(r)
	if why := a.Unavailable(run, args); why != "" {
		m.say(draw.Clean(m.look.Keys.Sentence(why)))
		return nil
	}
	switch r.Action {
	case "continue", "run-to", "over", "into", "out":
		m.screen.FollowRun()
		m.stepping, m.target = r.Action != "continue" && r.Action != "run-to", ""
		if args.Step != nil {
			m.target = args.Step.Label
		}
	case "again": // which pauses after the step
		m.stepping = true
	}
	return m.call(func(s session.Session) error { return a.Do(s, run, args) })
}

// prepare is an action with the run as it is now, of which its step has to be one: it may have been
// chosen while another moment showed.
func (m *Model) prepare(r request.Do) (*control.Action, control.Run, control.Args) {
	run, args := m.run(), r.Args
	if args.Step != nil {
		args.Step = cmp.Or(run.Row(args.Step.Label), args.Step)
	}
	return control.Find(r.Action), run, args
}

// press does what the key of an action does in the pane with focus, or in its own.
func (m *Model) press(action string) tea.Cmd {
	a := keymap.Named(action)
	if p := screen.PlaceOf(a, m.screen.Focus); p != m.screen.Focus {
		m.screen.FocusPane(p)
	}
	return m.act(a)
}

// setBreaks sets the breakpoints, for this run and for the document's next ones.
func (m *Model) setBreaks(all []engine.Breakpoint) tea.Cmd {
	m.breaks = all
	m.screen.Steps.Redraw()
	keep := m.cfg.KeepBreaks
	return tea.Batch(m.call(func(s session.Session) error { return s.Break(all) }), func() tea.Msg {
		if keep == nil {
			return nil
		}
		if err := keep(all); err != nil {
			return session.Failed{Err: err}
		}
		return nil
	})
}

// takeSaved says what changed in the document's files.
func (m *Model) takeSaved(saved reload.Ready) {
	m.saved = nil
	if text := saved.Notice(); text != "" {
		m.saved = saved.Offer
		m.sayNext(text)
	}
}

// changeInputs shows the inputs, as long as no step was entered.
func (m *Model) changeInputs() tea.Cmd {
	run := m.view()
	if !run.Begun {
		return m.screen.Do(m.before.Change()...)
	}
	m.screen.Open(start.ResetInputs(start.InputsOf(run)))
	return nil
}

// takeComparison shows a comparison.
func (m *Model) takeComparison(msg comparison.Ready) tea.Cmd {
	if msg.Err != nil {
		m.say(msg.Err.Error())
		return nil
	}
	m.message = ""
	m.screen.CloseIdle()
	d, read := comparison.New(msg.Comparison)
	m.screen.Open(d)
	return read
}

// help shows the keys. The last line may have no room for all those of a dialog.
func (m *Model) help() tea.Cmd {
	focus := m.screen.Focus
	h := &help.Dialog{Pane: focus, Scope: panes.Kinds[focus].Scope}
	h.Now = m.hints(m.view()).Line()
	if d := m.screen.Top(); d != nil && focus == panes.Dialog {
		if s, has := d.(dialog.Signer); has {
			h.Signs = s.Signs()
		}
	}
	m.screen.Open(h)
	return nil
}

// fork asks before it makes a run of its own of the run as it is, or as it was after the event that is
// selected.
func (m *Model) fork() tea.Cmd {
	event, fork := m.timeline.Events[m.timeline.Index()], m.cfg.Fork
	do := func() tea.Msg {
		run, err := fork(event.Seq)
		if err != nil {
			return session.Failed{Err: err}
		}
		return runForkedMsg{run}
	}
	return m.screen.Do(dialog.Open{Dialog: &confirm.Dialog{
		Name: fmt.Sprintf("Fork the run after event %d?", event.Seq),
		Text: "A new run starts with all events up to this one. This run stays as it is.",
		Yes:  []tea.Msg{request.Background{Cmd: do}},
	}})
}

// openShell opens a shell at the selected step. Those who look on see what is typed there, so the
// person confirms it while presenting.
func (m *Model) openShell() tea.Cmd {
	a, run, args := m.prepare(request.Do{Action: "shell", Args: m.args("shell")})
	s, step := m.session, run.ShellStep(args)
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
	if !m.screen.Stage.On {
		return m.screen.Do(open)
	}
	return m.screen.Do(dialog.Open{Dialog: &confirm.Dialog{
		Name: "Open a shell while presenting?",
		Text: "Everybody who sees this screen sees the shell, and nothing in it is hidden.",
		Yes:  []tea.Msg{open},
	}})
}

// goToQuestion gives the focus to what waits for the person, and selects the step that asks: its text
// is what there is to read.
func (m *Model) goToQuestion() tea.Cmd {
	if d := m.screen.Blocking(); d != nil {
		m.screen.Open(d)
		return nil
	}
	m.screen.GoToRun()
	m.screen.Open(m.question)
	return nil
}
