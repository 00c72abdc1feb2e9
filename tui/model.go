// Package tui is Playhead's screen: one Bubble Tea program that shows a run and
// lets a person drive it.
//
// The screen answers four questions, each in its place: where the run is (the steps, left), what happens (the
// step's text above its output, right), why the run went there (the routes, bottom right) and what a person can
// do now (the last line). Questions to a person open as a dialog over the lower right, never over the steps.
//
// There is one tea.Model. It routes messages, and connects the session with the screen (tui/screen), which has
// the panes, the dialogs, the focus and the layout. Panes (tui/pane) and dialogs (tui/dialog) are components:
// they read the run, keep their own state and lines, and return requests. Update does no I/O:
// goroutines send the updates of the session and the visible part of a log, and a queue makes calls to
// the session in order. All text of documents, commands and journals is sanitised before it reaches a
// pane.
//
// Start reading at model.go. actions.go lists what each action of the key map does.
package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/wording"
	"playhead/themes"
	"playhead/tui/appearance"
	"playhead/tui/bar"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/editrule"
	"playhead/tui/dialog/export"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/stepedit"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/hints"
	"playhead/tui/notify"
	"playhead/tui/pane/output"
	"playhead/tui/present"
	"playhead/tui/routemap"
	"playhead/tui/runview"
	"playhead/tui/screen"
	"playhead/tui/search"
	"playhead/tui/session"
	"playhead/tui/terminal"
	"playhead/tui/timeline"
	"playhead/tui/typeahead"
)

// Model is the tea.Model of the screen: it routes messages, and connects the screen with the session.
type Model struct {
	cfg           Config
	drawContext   *draw.Context // the same as that of appearance
	appearance    *appearance.Appearance
	screen        *screen.Screen
	timeline      timeline.Timeline
	currentTime   func() time.Time
	now           time.Time
	sessionResult sessionResult
	quitError     error // why the program ends, unless a person quits

	sendAfter     func(time.Duration, tea.Msg) tea.Cmd // sends a message after a delay
	launchSession func(session.Session)                // starts the goroutines that watch and drive a session
	requestLog    func(output.ReadRequest)             // requests a part of a log from the reader

	conn             *runConnection
	lastLine         *lastLineMessage
	inputHandler     *inputHandler
	startup          *startup
	question         *questionHandler
	editKeyHandler   editKeyHandler
	otherRuns        otherRunsActions
	runEnd           *runEndActions
	externalPrograms *externalPrograms
	spinner          *spinner
	coverage         routemap.CoverageTracker
	overrideForecast intervene.OverrideForecast
	actionByName     map[string]screenAction

	breakpoints      []engine.Breakpoint
	savedVersion     *engine.ReloadOffer // the content of the document's files, if it differs from the run's document
	asksModels       bool                // the document asks models
	hasTerminalFocus bool                // the terminal has the focus, as far as it reports that

	isSessionRepeatingEvents bool   // the session repeats events that already show
	isStepping               bool   // the run was told to go on by one step
	targetStep               string // the run was told to go on to this step; "": it was not
	lastLogRequest           output.ReadRequest

	frame        string
	isFrameStale bool
}

func newModel(cfg Config) *Model {
	switch {
	case cfg.NoColor:
		cfg.ThemePair = themes.UniformPair(themes.PlainPalette())
	case cfg.ThemePair == themes.Pair{}:
		cfg.ThemePair = themes.DefaultPair()
	}
	dc := draw.New(cfg.ThemePair.ForBackground(true), cfg.Keys)
	m := &Model{
		cfg: cfg, drawContext: dc, appearance: appearance.New(cfg.ThemePair, dc),
		timeline: timeline.New(cfg.Plan, cfg.ResumedEvents), currentTime: time.Now, sendAfter: sendMsgAfter,
		breakpoints: cfg.Breakpoints, coverage: routemap.CoverageTracker{FindRoutesOfOtherRuns: cfg.FindRoutesOfOtherRuns}, hasTerminalFocus: true, isFrameStale: true,
	}
	m.asksModels = m.timeline.LiveTrack.Plan.AsksModels()
	m.screen = screen.New(screen.Config{DrawContext: dc, Split: cfg.Split, Presentation: present.New(cfg.StartsPresenting, cfg.HomeFolder), CurrentRun: m.runView, HandleRequest: m.handleRequest})
	m.conn = &runConnection{player: cfg.Player, remoteRun: cfg.RemoteRun, timeline: &m.timeline}
	m.lastLine = &lastLineMessage{drawContext: dc, conn: m.conn, letsKeyThrough: m.screen.DialogLetsKeyThrough}
	m.conn.lastLine = m.lastLine
	m.externalPrograms = &externalPrograms{screen: m.screen, runProgram: terminal.RunProgram, originalPath: cfg.OriginalPath, editorCommand: cfg.EditorCommand, copyText: newCopyCommand(cfg.CopyToClipboard)}
	m.inputHandler = &inputHandler{
		drawContext: dc, screen: m.screen, conn: m.conn, lastLine: m.lastLine, externalPrograms: m.externalPrograms, performAction: m.performOrRefuse,
		currentTime:  func() time.Time { return m.now },
		sendAfter:    func(d time.Duration, msg tea.Msg) tea.Cmd { return m.sendAfter(d, msg) },
		currentHints: func() hints.Hints { return m.hints(m.runView()) },
	}
	m.startup = &startup{cfg: &m.cfg, screen: m.screen, inputHandler: m.inputHandler, lastLine: m.lastLine, conn: m.conn, currentRun: m.runView, quitWithError: m.quitWithError, questions: newPreparation(cfg), cancelNeedsCheck: func() {}}
	m.question = &questionHandler{screen: m.screen, conn: m.conn, lastLine: m.lastLine, currentRun: m.runView}
	m.editKeyHandler = editKeyHandler{screen: m.screen, conn: m.conn, currentRun: m.runView}
	m.otherRuns = otherRunsActions{cfg: &m.cfg, screen: m.screen, lastLine: m.lastLine, timeline: &m.timeline}
	m.runEnd = &runEndActions{screen: m.screen, currentRun: m.runView, runExports: cfg.RunExports, findLeftoverProcesses: cfg.FindLeftoverProcesses}
	m.spinner = &spinner{drawContext: dc, screen: m.screen, conn: m.conn, timeline: &m.timeline, sendTick: nextSpinnerTick}
	m.actionByName = m.newScreenActions()
	m.syncSteps()
	m.screen.Presenter.FollowRelevantPane()
	return m
}

// Init asks the terminal for its background, and asks for trust or begins the run.
func (m *Model) Init() tea.Cmd {
	m.now = m.currentTime()
	begun := m.startup.openFirstDialog()
	m.inputHandler.noteUnreadDialog(m.screen.Dialogs.Top())
	m.showNotice()
	return tea.Batch(tea.RequestBackgroundColor, m.sendAfter(terminal.AnswerTimeout, terminal.NoAnswer{}), begun)
}

// showNotice shows the notice of the configuration: in the text pane if a dialog needs the last line for
// its keys, else in the last line.
func (m *Model) showNotice() {
	if m.screen.Dialogs.Top() == nil || m.timeline.ShownTrack.CurrentRow != nil {
		m.lastLine.sayUntilKey(m.cfg.Notice)
		return
	}
	m.screen.Notice = m.cfg.Notice
}

// Update handles a message, and then updates all panes.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.currentTime()
	before := m.screen.Dialogs.Top()
	cmd, changed := m.handleMessage(msg)
	if !changed {
		return m, cmd
	}
	if top := m.screen.Dialogs.Top(); top != before && !isInput(msg) {
		m.inputHandler.noteUnreadDialog(top)
	}
	if _, turn := msg.(spinnerTickMsg); !turn {
		m.spinner.lastChange = m.now
	}
	m.isFrameStale = true
	return m, tea.Batch(cmd, m.syncScreen())
}

// isInput reports whether a message is a key, a text or a click of the person.
func isInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseReleaseMsg:
		return true
	}
	return false
}

// handleMessage dispatches a message, and reports whether the screen changes.
func (m *Model) handleMessage(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.screen.Mouse.Deselect()
		return m.inputHandler.handleKey(msg), true
	case tea.PasteMsg:
		return m.inputHandler.handlePaste(msg.Content), true
	case tea.MouseClickMsg:
		return m.inputHandler.handleClick(tea.Mouse(msg)), true
	case tea.MouseMotionMsg:
		m.screen.Mouse.Drag(tea.Mouse(msg))
		return nil, true
	case tea.MouseReleaseMsg:
		return m.inputHandler.handleRelease(), true
	case tea.MouseWheelMsg:
		return m.screen.Mouse.ScrollByWheel(tea.Mouse(msg)), true
	case tea.WindowSizeMsg:
		if m.screen.Layout.W == 0 { // the first frame shows the dialog before the run
			m.inputHandler.noteUnreadDialog(m.screen.Dialogs.Top())
		}
		m.screen.Resize(msg.Width, msg.Height)
		return nil, true
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		changed := m.appearance.HandleReport(msg)
		if changed {
			m.screen.Reflow()
		}
		return nil, changed
	case terminal.NoAnswer:
		m.appearance.IsBackgroundKnown = true
		return nil, true
	case spinnerTickMsg:
		m.spinner.turn()
		return nil, true
	case tea.FocusMsg, tea.BlurMsg:
		_, m.hasTerminalFocus = msg.(tea.FocusMsg)
		return nil, false
	}
	return m.handleResult(msg)
}

// handleResult handles the messages of sessions, commands and goroutines.
func (m *Model) handleResult(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case needsCheckedMsg:
		return m.startup.handleNeedsChecked(msg), true
	case sessionStartedMsg:
		return m.handleSessionStarted(msg), true
	case engine.Update:
		return m.handleSessionUpdate(msg), true
	case sessionEndedMsg:
		return m.handleSessionEnded(msg), true
	case runForkedMsg:
		m.lastLine.say("Forked: run " + msg.runID + " is an independent copy. Resume it with " + wording.ResumeCommand(msg.runID, m.timeline.ShownTrack.SecretInputs) + ".")
	case intervene.UndoOrRedo:
		if !msg.IsRedo {
			m.question.lastUndone = msg.Step.Event
		}
		return m.screen.DoRequests(msg.Requests(m.runView())...), true
	case intervene.DestinationFound:
		msg.AddToHintText(m.runView())
		m.screen.Reflow()
	case intervene.ForecastMade:
		m.overrideForecast.Store(m.runView(), msg)
	case edit.WriteBackMsg:
		return m.screen.DoRequests(msg.Requests(m.runView())...), true
	case editrule.PreviewMsg:
		return m.screen.DoRequests(msg.Requests()...), true
	case stepedit.PreviewMsg:
		return m.screen.DoRequests(msg.Requests()...), true
	case session.FilesChangedBeforeRun:
		m.startup.handleFilesChanged()
	case session.DocumentChanged:
		m.handleSavedDocument(reload.FilesRead{Offer: msg.SavedVersion, Err: msg.Err})
	case reload.FilesRead:
		m.savedVersion = msg.Offer
		return m.screen.DoRequests(msg.Requests()...), true
	case session.CallFailed:
		m.lastLine.say(wording.ErrorSentence(msg.Err))
	case output.LogWindow:
		m.screen.Output.ShowWindow(msg, m.now)
	case routemap.OtherRunsMsg:
		return m.screen.DoRequests(m.coverage.HandleOtherRuns(msg)...), true
	case search.Result:
		return m.screen.Searcher.GoToResult(msg), true
	case excerpt.SaveResultMsg:
		return m.externalPrograms.handleExcerptSaved(msg), true
	case excerpt.ClipboardText:
		return m.externalPrograms.copyToClipboard(msg), true
	case shellReadyMsg:
		return m.externalPrograms.handleShellReady(msg), true
	case textEditedMsg:
		return m.externalPrograms.handleTextEdited(msg), true
	case comparison.RunsListed:
		return m.screen.DoRequests(msg.Requests()...), true
	case comparison.ComparisonMade:
		return m.otherRuns.showComparison(msg), true
	case leftoversEndedMsg:
		return m.runEnd.handleLeftoversEnded(msg), true
	case export.WriteResult:
		return m.runEnd.handleExported(msg), true
	case typeahead.IgnoringEnded:
		return m.inputHandler.endKeysIgnored(), true
	case terminal.Resumed:
		return terminal.ResumeScreen(), false
	case present.CaptionExpired:
		m.screen.Presenter.EndCaption(msg)
	case panicMsg:
		m.endByPanic(msg)
		return tea.Quit, true
	default: // results for dialogs
		return m.screen.SendToAllDialogs(msg)
	}
	return nil, true
}

// View returns the whole screen. It draws the frame only if something has changed.
func (m *Model) View() tea.View {
	run := m.runView()
	if m.isFrameStale {
		m.drawFrame(run)
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = bar.WindowTitle(run)
	v.BackgroundColor, v.ForegroundColor = m.appearance.BackgroundAndTextColours()
	v.ReportFocus = m.cfg.Notifier.IsOn()
	if m.cfg.Notifier.ShowsProgress {
		v.ProgressBar = notify.ProgressBar(run)
	}
	return v
}

// drawFrame draws the frame.
func (m *Model) drawFrame(run *runview.Run) {
	footer := screen.Footer{Message: m.lastLine.message}
	if m.lastLine.message == "" {
		footer.Hints = func() (hints, always []draw.Hint) {
			h := m.hints(run)
			return h.MainHints(), h.FixedHints()
		}
	}
	frame, targets := m.screen.Draw(footer)
	m.frame, m.inputHandler.clickTargets, m.isFrameStale = m.drawContext.AdaptEmoji(frame), targets, false
}
