package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/parse/plan"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/start"
	"playhead/tui/runview"
	"playhead/tui/screen"
	"playhead/tui/session"
)

// startup is what comes before the run: the person's choices, the check of what the run needs, and
// the session.
type startup struct {
	cfg      *Config
	screen   *screen.Screen
	input    *inputHandler
	lastLine *lastLine
	conn     *connection
	run      func() *runview.Run
	fail     func(error) tea.Cmd // ends the program

	questions *start.Preparation
	choices   start.Choices
	stopCheck func() // ends the check, if one runs

	filesChanged bool // the document's files have changed since it was opened
	reopens      bool // the program ends so that the document is opened again
}

// The messages that bring about the beginning of a run.
type (
	// checkedMsg is what is wrong with what the run needs.
	checkedMsg struct {
		choices start.Choices
		found   []plan.Diagnostic
		err     error
	}
	// sessionStartedMsg is a session that is ready to run.
	sessionStartedMsg struct {
		session session.Session
		err     error
	}
)

// newQuestions returns what a person is asked before the run.
func newQuestions(cfg Config) *start.Preparation {
	var source *choose.Dialog
	var inputs *start.Inputs
	if cfg.Ask {
		source = choose.BeforeRun(cfg.Sources, cfg.ServerProblem)
	}
	if cfg.AskInputs {
		inputs = start.AskInputs(cfg.Inputs, cfg.Secrets)
	}
	return start.NewPreparation(source, inputs, cfg.Inputs)
}

// open asks for trust, or what else there is to ask. With nothing to ask the run begins.
func (b *startup) open() tea.Cmd {
	switch {
	case !b.cfg.Plan.Runnable():
		b.screen.Open(&start.Problems{})
	case b.cfg.Trusted:
		return b.ask(start.Choices{})
	default:
		b.screen.Open(&start.Trust{Commands: b.cfg.Commands, Resumed: len(b.cfg.History) > 0, Inputs: b.questions.PresetInputs})
	}
	return nil
}

// ask asks what there is to ask, given how the run is to be executed.
func (b *startup) ask(c start.Choices) tea.Cmd { return b.screen.Do(b.questions.Start(c)...) }

// trust remembers the person's yes, and begins.
func (b *startup) trust(step bool) tea.Cmd {
	begin, remember := b.ask(start.Choices{Step: step}), b.cfg.Remember
	if remember == nil {
		return begin
	}
	return func() tea.Msg {
		if err := remember(); err != nil {
			return tea.BatchMsg{func() tea.Msg { return session.Failed{Err: err} }, begin}
		}
		if begin == nil {
			return nil
		}
		return begin()
	}
}

// begin makes the session, once what the run needs is checked.
func (b *startup) begin(r start.Begin) tea.Cmd {
	b.input.guard.HoldUntilStarted()
	if b.cfg.Check != nil && !r.Checked {
		return b.check(r.Choices)
	}
	b.choices = r.Choices
	return func() tea.Msg {
		s, err := b.cfg.begin(r.Choices)
		return sessionStartedMsg{s, err}
	}
}

// check finds out what is wrong with what the run needs.
func (b *startup) check(choices start.Choices) tea.Cmd {
	b.lastLine.say("Checking what the run needs …")
	ctx, cancel := context.WithCancel(context.Background())
	b.stopCheck = cancel
	return func() tea.Msg {
		found, err := b.cfg.Check(ctx, choices)
		return checkedMsg{choices, found, err}
	}
}

// takeCheck begins the run, or asks the person whether it should begin.
func (b *startup) takeCheck(msg checkedMsg) tea.Cmd {
	b.stopCheck()
	b.lastLine.clear()
	checked := start.Begin{Choices: msg.choices, Checked: true}
	switch worst := plan.Worst(msg.found); {
	case msg.err != nil:
		return b.fail(msg.err)
	case worst != plan.Error && worst != plan.Warning:
		return b.begin(checked)
	}
	b.input.dropHeld() // keys that were meant for the run
	b.screen.Open(&start.Missing{Found: msg.found, Run: checked})
	return nil
}

// cannotChangeInputs is for a run that has entered a step: its values are changed one by one.
func (b *startup) cannotChangeInputs() string {
	run := b.run()
	switch {
	case !run.Begun:
		return b.questions.CannotChange()
	case len(run.Track.Path) > 0:
		return "The run has begun. {values}, then {edit} to change a value."
	case len(start.InputsOf(run)) == 0:
		return "This document has no inputs that can be changed here."
	}
	return ""
}

// changeInputs shows the inputs, as long as no step was entered.
func (b *startup) changeInputs() tea.Cmd {
	run := b.run()
	if !run.Begun {
		return b.screen.Do(b.questions.Change()...)
	}
	b.screen.Open(start.ResetInputs(start.InputsOf(run)))
	return nil
}

// takeFilesChanged announces that the document is not what its files hold. What the person may be about
// to agree to stays on the screen until they ask for the new document.
func (b *startup) takeFilesChanged() {
	if b.run().Begun { // the session says how its document changed
		return
	}
	b.filesChanged = true
	b.lastLine.sayNext("The document's files changed. {reload} to open it again.")
}

// cannotReload is for a document that is what its files hold.
func (b *startup) cannotReload() string {
	if !b.run().Begun && !b.filesChanged {
		return control.FilesUnchanged
	}
	return ""
}

// reload reads what the document's files hold. Before the run, the changed document is opened in place of
// this one.
func (b *startup) reload() tea.Cmd {
	if !b.run().Begun {
		b.reopens = true
		return tea.Quit
	}
	return reload.Read(b.conn.session.Saved)
}
