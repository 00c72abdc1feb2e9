// Package tui is Playhead's screen: one Bubble Tea program that shows a run and
// lets a person drive it.
//
// The screen answers four questions, each in its place: where the run is (the steps, left), what happens (the
// step's text above its output, right), why the run went there (the routes, bottom right) and what a person can
// do now (the last line). Questions to a person open as a dialog over the lower right, never over the steps.
//
// There is one tea.Model. It routes messages, and connects the session with the screen (tui/screen), which has
// the panes, the dialogs, the focus and the layout. Panes (tui/pane) and dialogs (tui/dialog) are components:
// they read the run, keep their own state and lines, and return requests. Update does no I/O: session.Pump sends
// the updates of the session, output.Reader sends the visible part of a log, and a queue makes calls to the
// session in order. All text of documents, commands and journals is sanitised on its way to a pane.
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
	"playhead/tui/dialog/export"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/rule"
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
	cfg        Config
	look       *draw.Look // the Look of appearance
	appearance *appearance.Appearance
	screen     *screen.Screen
	timeline   timeline.Timeline
	clock      func() time.Time
	now        time.Time
	exit       exit
	err        error // why the program ends, unless a person quits

	after  func(time.Duration, tea.Msg) tea.Cmd // sends a message after a delay
	launch func(session.Session)                // starts the goroutines that watch and drive a session
	read   func(output.Request)                 // requests a part of a log from the reader

	conn     *connection
	lastLine *lastLine
	input    *inputHandler
	startup  *startup
	question *openQuestion
	editing  editing
	others   otherRuns
	end      *runEnd
	programs *externalPrograms
	spinner  *spinner
	coverage routemap.Tracker
	commands map[string]command

	breaks     []engine.Breakpoint
	saved      *engine.Offer // the content of the document's files, if it differs from the run's document
	asksModels bool          // the document asks models
	hasFocus   bool          // the terminal has the focus, as far as it reports that

	isReplacingTrack bool   // the session repeats events that already show
	stepping         bool   // the run was told to go on by one step
	stepTarget       string // the run was told to go on to this step; "": it was not
	requested        output.Request

	frame string
	stale bool
}

func newModel(cfg Config) *Model {
	switch {
	case cfg.NoColor:
		cfg.Themes = themes.Always(themes.Plain())
	case cfg.Themes == themes.Pair{}:
		cfg.Themes = themes.Usual()
	}
	look := draw.New(cfg.Themes.For(true), cfg.Keys)
	m := &Model{
		cfg: cfg, look: look, appearance: appearance.New(cfg.Themes, look),
		timeline: timeline.New(cfg.Plan, cfg.History), clock: time.Now, after: after,
		breaks: cfg.Breakpoints, asksModels: cfg.Plan.AsksModels(), coverage: routemap.Tracker{LookUp: cfg.Known}, hasFocus: true, stale: true,
	}
	m.screen = screen.New(screen.Config{Look: look, Split: cfg.Split, Presentation: present.New(cfg.Present, cfg.Home), Run: m.view, HandleRequest: m.handleRequest})
	m.conn = &connection{play: cfg.Play, join: cfg.Join, timeline: &m.timeline}
	m.lastLine = &lastLine{look: look, conn: m.conn}
	m.conn.lastLine = m.lastLine
	m.programs = &externalPrograms{screen: m.screen, runProgram: tea.ExecProcess, runShell: tea.Exec, original: cfg.Original, editor: cfg.Editor, copyText: clipboard(cfg.Clipboard)}
	m.input = &inputHandler{
		look: look, screen: m.screen, conn: m.conn, lastLine: m.lastLine, programs: m.programs, act: m.act,
		now:   func() time.Time { return m.now },
		after: func(d time.Duration, msg tea.Msg) tea.Cmd { return m.after(d, msg) },
		hints: func() hints.Hints { return m.hints(m.view()) },
	}
	m.startup = &startup{cfg: &m.cfg, screen: m.screen, input: m.input, lastLine: m.lastLine, conn: m.conn, run: m.view, fail: m.fail, questions: newQuestions(cfg), stopCheck: func() {}}
	m.question = &openQuestion{screen: m.screen, conn: m.conn, lastLine: m.lastLine, run: m.view}
	m.editing = editing{screen: m.screen, conn: m.conn, run: m.view}
	m.others = otherRuns{cfg: &m.cfg, screen: m.screen, lastLine: m.lastLine, timeline: &m.timeline}
	m.end = &runEnd{screen: m.screen, run: m.view, saved: cfg.Exports, findLeftovers: cfg.Leftovers}
	m.spinner = &spinner{look: look, screen: m.screen, conn: m.conn, timeline: &m.timeline, after: nextTick}
	m.commands = m.newCommands()
	m.syncSteps()
	m.screen.ChoosePane()
	return m
}

// Init asks the terminal for its background, and asks for trust or begins the run.
func (m *Model) Init() tea.Cmd {
	m.now = m.clock()
	begun := m.startup.open()
	m.showNotice()
	return tea.Batch(tea.RequestBackgroundColor, m.after(terminal.AnswerTime, terminal.NoAnswer{}), begun)
}

// showNotice shows the notice of the configuration: in the text pane if a dialog needs the last line for
// its keys, else in the last line.
func (m *Model) showNotice() {
	if m.screen.Top() == nil || m.timeline.Shown.Current != nil {
		m.lastLine.sayNext(m.cfg.Notice)
		return
	}
	m.screen.Notice = m.cfg.Notice
}

// Update handles a message, and then updates all panes.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.clock()
	cmd, changed := m.handle(msg)
	if !changed {
		return m, cmd
	}
	if _, turn := msg.(tickMsg); !turn {
		m.spinner.lastChange = m.now
	}
	m.stale = true
	return m, tea.Batch(cmd, m.settle())
}

// handle dispatches a message, and reports whether the screen changes.
func (m *Model) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.screen.Mouse.Deselect()
		return m.input.key(msg), true
	case tea.PasteMsg:
		return m.input.paste(msg.Content), true
	case tea.MouseClickMsg:
		return m.input.click(tea.Mouse(msg)), true
	case tea.MouseMotionMsg:
		m.screen.Mouse.Drag(tea.Mouse(msg))
		return nil, true
	case tea.MouseReleaseMsg:
		return m.input.release(), true
	case tea.MouseWheelMsg:
		return m.screen.Mouse.Wheel(tea.Mouse(msg)), true
	case tea.WindowSizeMsg:
		m.screen.Resize(msg.Width, msg.Height)
		return nil, true
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		changed := m.appearance.Take(msg)
		if changed {
			m.screen.Reflow()
		}
		return nil, changed
	case terminal.NoAnswer:
		m.appearance.IsBackgroundKnown = true
		return nil, true
	case tickMsg:
		m.spinner.advance()
		return nil, true
	case tea.FocusMsg, tea.BlurMsg:
		_, m.hasFocus = msg.(tea.FocusMsg)
		return nil, false
	}
	return m.handleResult(msg)
}

// handleResult handles the messages of sessions, commands and goroutines.
func (m *Model) handleResult(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case checkedMsg:
		return m.startup.takeCheck(msg), true
	case sessionStartedMsg:
		return m.takeSession(msg), true
	case engine.Update:
		return m.update(msg), true
	case sessionEndedMsg:
		return m.takeEnding(msg), true
	case runForkedMsg:
		m.lastLine.say("Forked: run " + msg.run + " is an independent copy. Continue it with " + wording.Resume(msg.run, m.timeline.Shown.Secrets) + ".")
	case intervene.Undo:
		return m.screen.Do(msg.Requests(m.view())...), true
	case edit.WriteBackMsg:
		return m.screen.Do(msg.Requests()...), true
	case rule.PreviewMsg:
		return m.screen.Do(msg.Requests()...), true
	case stepedit.PreviewMsg:
		return m.screen.Do(msg.Requests()...), true
	case session.FilesChanged:
		m.startup.takeFilesChanged()
	case session.DocumentChanged:
		m.takeSaved(reload.Ready{Offer: msg.Offer, Err: msg.Err})
	case reload.Ready:
		m.saved = msg.Offer
		return m.screen.Do(msg.Requests()...), true
	case session.Failed:
		m.lastLine.say(msg.Err.Error())
	case output.Window:
		m.screen.Output.Take(msg, m.now)
	case routemap.OtherRuns:
		return m.screen.Do(m.coverage.Take(msg)...), true
	case search.Result:
		return m.screen.Finder.Found(msg), true
	case excerpt.Saved:
		return m.programs.takeSaved(msg), true
	case excerpt.Copied:
		return m.programs.takeCopied(msg), true
	case shellMsg:
		return m.programs.takeShell(msg), true
	case textEditedMsg:
		return m.programs.takeEdited(msg), true
	case comparison.RunsListed:
		return m.screen.Do(msg.Requests()...), true
	case comparison.Ready:
		return m.others.show(msg), true
	case leftoversMsg:
		return m.end.takeLeftovers(msg), true
	case export.Result:
		return m.end.takeExported(msg), true
	case typeahead.IgnoringEnded:
		return m.input.endIgnoring(), true
	case terminal.Resumed:
		return terminal.Restored(), false
	case present.CaptionExpired:
		m.screen.Presentation.EndCaption(msg)
	case panicMsg:
		m.endByPanic(msg)
		return tea.Quit, true
	default: // results for dialogs
		return m.screen.TellAll(msg)
	}
	return nil, true
}

// View returns the whole screen. It draws the frame only if something has changed.
func (m *Model) View() tea.View {
	run := m.view()
	if m.stale {
		m.draw(run)
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = bar.WindowTitle(run)
	v.BackgroundColor, v.ForegroundColor = m.appearance.TerminalColours()
	v.ReportFocus = m.cfg.Notify.On()
	if m.cfg.Notify.Bar {
		v.ProgressBar = notify.Progress(run)
	}
	return v
}

// draw draws the frame.
func (m *Model) draw(run *runview.Run) {
	footer := screen.Footer{Message: m.lastLine.text}
	if m.lastLine.text == "" {
		footer.Keys = func() (hints, always []draw.Hint) {
			h := m.hints(run)
			return h.Line(), h.Always()
		}
	}
	frame, targets := m.screen.Draw(footer)
	m.frame, m.input.targets, m.stale = m.look.Signs(frame), targets, false
}
