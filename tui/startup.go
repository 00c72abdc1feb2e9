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
	cfg           *Config
	screen        *screen.Screen
	inputHandler  *inputHandler
	lastLine      *lastLineMessage
	conn          *runConnection
	currentRun    func() *runview.Run
	quitWithError func(error) tea.Cmd // ends the program

	questions        *start.Preparation
	choices          start.Choices
	cancelNeedsCheck func() // cancels a check that is running

	filesChanged bool // the document's files have changed since it was opened
	isReopening  bool // the program ends so that the document is opened again
}

// The messages of the start of a run.
type (
	// needsCheckedMsg is the result of checking what the run needs.
	needsCheckedMsg struct {
		choices     start.Choices
		diagnostics []plan.Diagnostic
		err         error
	}
	// sessionStartedMsg has the session that is ready to run.
	sessionStartedMsg struct {
		session session.Session
		err     error
	}
)

// newPreparation returns the questions to a person before the run.
func newPreparation(cfg Config) *start.Preparation {
	var source *choose.Dialog
	var inputs *start.InputsDialog
	if cfg.AskReplySource {
		source = choose.NewFirstReplySourceDialog(cfg.ReplySources, cfg.ServerProblem)
	}
	if cfg.AskInputs {
		inputs = start.NewAskInputsDialog(cfg.Inputs, cfg.SecretNames)
	}
	return start.NewPreparation(source, inputs, cfg.Inputs)
}

// openFirstDialog asks for trust, or the questions before the run. If there are none, the run begins.
func (st *startup) openFirstDialog() tea.Cmd {
	switch {
	case !st.cfg.Plan.Runnable():
		st.screen.Open(&start.ProblemsDialog{})
	case st.cfg.IsTrusted:
		return st.askQuestions(start.Choices{})
	default:
		st.screen.Open(&start.TrustDialog{Commands: st.cfg.CommandsToTrust, CommandsHaveChanged: st.cfg.CommandsHaveChanged, IsResumed: len(st.cfg.ResumedEvents) > 0, PresetInputs: st.questions.PresetInputs})
	}
	return nil
}

// askQuestions asks the questions before the run, with the first choices.
func (st *startup) askQuestions(c start.Choices) tea.Cmd {
	return st.screen.DoRequests(st.questions.Start(c)...)
}

// trustAndAskQuestions remembers that the person trusts the document, and continues with the questions.
func (st *startup) trustAndAskQuestions(step bool) tea.Cmd {
	begin, remember := st.askQuestions(start.Choices{PauseFirst: step}), st.cfg.RememberTrust
	if remember == nil {
		return begin
	}
	return func() tea.Msg {
		if err := remember(); err != nil {
			return tea.BatchMsg{func() tea.Msg { return session.CallFailed{Err: err} }, begin}
		}
		if begin == nil {
			return nil
		}
		return begin()
	}
}

// beginRun makes the session, after checking what the run needs. The session has the breakpoints from the
// beginning, because it may pass the first step before it serves a request.
func (st *startup) beginRun(r start.BeginRun) tea.Cmd {
	st.inputHandler.typeaheadGuard.HoldUntilStarted()
	r.Choices.Breakpoints = st.currentRun().Breakpoints
	if st.cfg.CheckNeeds != nil && !r.AreNeedsChecked {
		return st.startNeedsCheck(r.Choices)
	}
	st.choices = r.Choices
	return func() tea.Msg {
		s, err := st.cfg.newSession(r.Choices)
		return sessionStartedMsg{s, err}
	}
}

// startNeedsCheck checks what the run needs.
func (st *startup) startNeedsCheck(choices start.Choices) tea.Cmd {
	st.lastLine.say("Checking what the run needs…")
	ctx, cancel := context.WithCancel(context.Background())
	st.cancelNeedsCheck = cancel
	return func() tea.Msg {
		found, err := st.cfg.CheckNeeds(ctx, choices)
		return needsCheckedMsg{choices, found, err}
	}
}

// handleNeedsChecked begins the run, or asks the person whether it should begin.
func (st *startup) handleNeedsChecked(msg needsCheckedMsg) tea.Cmd {
	st.cancelNeedsCheck()
	st.lastLine.clear()
	checked := start.BeginRun{Choices: msg.choices, AreNeedsChecked: true}
	switch worst := plan.WorstSeverity(msg.diagnostics); {
	case msg.err != nil:
		return st.quitWithError(msg.err)
	case worst != plan.Error && worst != plan.Warning:
		return st.beginRun(checked)
	}
	ignored := st.inputHandler.dropHeldKeys() // they were typed for the run
	st.screen.Open(&start.MissingNeedsDialog{Diagnostics: msg.diagnostics, BeginRequest: checked})
	return ignored
}

// inputsUnavailableReason returns why the inputs cannot be changed, "" if they can. After a step was entered,
// their values can only be set one by one.
func (st *startup) inputsUnavailableReason() string {
	run := st.currentRun()
	switch {
	case !run.IsBegun:
		return st.questions.InputsUnavailableReason()
	case len(run.Track.EnteredSteps) > 0:
		if keys := st.screen.EditValueKeys(); keys != "" {
			return "The run has started. " + keys + " to change a value."
		}
		return "The run has started, and it has no variables to change."
	case len(start.CurrentInputs(run)) == 0:
		return start.NoInputsReason
	}
	return ""
}

// openInputs opens the form of the inputs.
func (st *startup) openInputs() tea.Cmd {
	run := st.currentRun()
	if !run.IsBegun {
		return st.screen.DoRequests(st.questions.OpenChangeInputsDialog()...)
	}
	st.screen.Open(start.NewBegunRunInputsDialog(start.CurrentInputs(run)))
	return nil
}

// handleFilesChanged announces that the document's files have changed. The screen keeps the old document,
// which the person may be about to trust, until they ask for the new one.
func (st *startup) handleFilesChanged() {
	if st.currentRun().IsBegun { // during the run, the session reports changes
		return
	}
	st.filesChanged = true
	st.lastLine.announce("The document's files changed. {reload} to open the document again.")
}

// reloadUnavailableReason returns why there is nothing to reload, "" if the files have changed.
func (st *startup) reloadUnavailableReason() string {
	if !st.currentRun().IsBegun && !st.filesChanged {
		return control.FilesUnchangedReason
	}
	return ""
}

// reload reads the document's files. Before the run, it opens the changed document instead of this one.
func (st *startup) reload() tea.Cmd {
	if !st.currentRun().IsBegun {
		st.isReopening = true
		return tea.Quit
	}
	return reload.ReadFiles(st.conn.session.OfferSaved)
}
