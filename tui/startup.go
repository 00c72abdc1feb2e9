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

// startup handles what comes before the run: the person's choices, the check of what the run needs, and the
// start of the session.
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
	stopCheck func() // cancels a check that is running

	filesChanged bool // the document's files have changed since it was opened
	reopens      bool // the program ends so that the document is opened again
}

// The messages of the start of a run.
type (
	// checkedMsg is the result of the check.
	checkedMsg struct {
		choices start.Choices
		found   []plan.Diagnostic
		err     error
	}
	// sessionStartedMsg has the session that is ready to run.
	sessionStartedMsg struct {
		session session.Session
		err     error
	}
)

// newQuestions returns the questions to a person before the run.
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

// open asks for trust, or the questions before the run. If there are none, the run begins.
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

// ask asks the questions before the run, with the first choices.
func (b *startup) ask(c start.Choices) tea.Cmd { return b.screen.Do(b.questions.Start(c)...) }

// rememberTrust remembers that the person trusts the document, and continues with the questions.
func (b *startup) rememberTrust(step bool) tea.Cmd {
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

// begin makes the session, after checking what the run needs.
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

// check checks what the run needs.
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
	b.input.dropHeld() // they were typed for the run
	b.screen.Open(&start.Missing{Diagnostics: msg.found, Run: checked})
	return nil
}

// cannotChangeInputs returns why the inputs cannot be changed, "" if they can. After a step was entered,
// their values can only be set one by one.
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

// changeInputs opens the form of the inputs.
func (b *startup) changeInputs() tea.Cmd {
	run := b.run()
	if !run.Begun {
		return b.screen.Do(b.questions.Change()...)
	}
	b.screen.Open(start.ResetInputs(start.InputsOf(run)))
	return nil
}

// takeFilesChanged announces that the document's files have changed. The screen keeps the old document,
// which the person may be about to trust, until they ask for the new one.
func (b *startup) takeFilesChanged() {
	if b.run().Begun { // during the run, the session reports changes
		return
	}
	b.filesChanged = true
	b.lastLine.sayNext("The document's files changed. {reload} to open it again.")
}

// cannotReload returns why there is nothing to reload, "" if the files have changed.
func (b *startup) cannotReload() string {
	if !b.run().Begun && !b.filesChanged {
		return control.FilesUnchanged
	}
	return ""
}

// reload reads the document's files. Before the run, it opens the changed document instead of this one.
func (b *startup) reload() tea.Cmd {
	if !b.run().Begun {
		b.reopens = true
		return tea.Quit
	}
	return reload.Read(b.conn.session.Saved)
}
