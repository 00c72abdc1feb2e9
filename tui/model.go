package tui

import (
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/themes"
	"playhead/tui/bar"
	"playhead/tui/dialog"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/export"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/notify"
	"playhead/tui/pane/output"
	"playhead/tui/pane/steps"
	"playhead/tui/pane/text"
	"playhead/tui/pane/why"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/routemap"
	"playhead/tui/search"
	"playhead/tui/session"
	"playhead/tui/terminal"
	"playhead/tui/timeline"
)

// Model is the one tea.Model: it routes messages, and owns the panes, the dialogs and their places.
type Model struct {
	cfg      Config
	look     *draw.Look
	timeline timeline.Timeline
	clock    func() time.Time
	now      time.Time

	session session.Session // nil until the run may begin
	status  engine.Status
	exit    exit
	err     error // why the program ends, when it is not the person who ends it

	ticker     func(time.Duration) tea.Cmd               // brings a tickMsg after a while
	later      func(time.Duration, tea.Msg) tea.Cmd      // brings a message after a while
	launch     func(session.Session)                     // starts what watches and drives a session
	read       func(output.Request)                      // asks the reader
	runProgram func(*exec.Cmd, tea.ExecCallback) tea.Cmd // gives a program the terminal
	copyText   func(string) tea.Cmd                      // gives a text to the clipboard
	queueCall  func(func() error) bool                   // queues a call to the session
	queueInput func(func() error) bool                   // queues what is typed into the command

	theme      themes.Palette       // that was chosen, as the terminal can show it in look
	profile    colorprofile.Profile // of the terminal's colours
	dark       bool                 // its background
	answered   bool                 // which it has told, or has had the time to
	layout     panes.Layout
	focus      panes.Pane
	backTo     panes.Pane // where the focus goes when the last dialog is closed
	zoom       bool
	lookedAway bool // the terminal has said that the person looks elsewhere
	stage      present.Stage
	split      panes.Split
	moving     panes.Border // that the mouse holds
	lastClick  click
	selection  selection
	dialogs    []dialog.Dialog
	before     preparation

	steps  *steps.Pane
	text   *text.Pane
	output *output.Pane
	why    *why.Pane
	search search.Search

	breaks       []engine.Breakpoint
	notice       string // to know before the run, as long as no dialog asks; empty: nothing
	coverage     routemap.Tracker
	choices      Choices   // of the person, before the run
	typedAhead   typeahead // of the person, while it is being begun
	models       bool      // the document asks models
	question     *question.Dialog
	shownEnd     *machine.Finished // the one whose summary was shown
	savedTo      string            // where the final output was saved
	message      string
	messageState engine.State // what the run did when it was said
	stepping     bool         // the last order was to go one step
	target       string       // or to this one
	interrupted  bool         // the last key was ctrl+c: another one quits
	lastDigit    string       // the last key, where that is one that has answered a question
	ignoreUntil  time.Time    // keys are ignored until then
	ticking      bool
	lastChange   time.Time // when something other than the spinner moved
	requested    output.Request
	size         panes.Rect // of the output, as the session knows it

	frame   string
	stale   bool
	targets []bar.Target
}

func newModel(cfg Config) *Model {
	switch {
	case cfg.NoColor:
		cfg.Themes = themes.Always(themes.Plain())
	case cfg.Themes == themes.Pair{}:
		cfg.Themes = themes.Usual()
	}
	m := &Model{
		cfg: cfg, look: draw.New(cfg.Themes.For(true), cfg.Keys), theme: cfg.Themes.For(true), profile: colorprofile.TrueColor, dark: true,
		timeline: timeline.New(cfg.Plan, cfg.History), clock: time.Now, ticker: nextTick, later: later, runProgram: tea.ExecProcess,
		steps: steps.New(), text: text.New(), output: output.New(), why: why.New(), search: search.New(), breaks: cfg.Breaks,
		focus: cfg.Split.Home(), backTo: cfg.Split.Home(), split: cfg.Split, stage: present.New(cfg.Present, cfg.Home), models: cfg.Plan.AsksModels(), coverage: routemap.Tracker{LookUp: cfg.Known}, stale: true,
	}
	m.copyText = m.clipboard
	m.syncTree()
	m.choosePane()
	return m
}

// Init asks for the background, and either for trust or for the run to begin.
func (m *Model) Init() tea.Cmd {
	m.now = m.clock()
	var begun tea.Cmd
	switch {
	case !m.cfg.Plan.Runnable():
		m.open(&start.Problems{})
	case m.cfg.Trusted:
		begun = m.start(false)
	default:
		m.open(&start.Trust{Commands: m.cfg.Commands, Resumed: len(m.cfg.History) > 0})
	}
	m.showNotice()
	return tea.Batch(tea.RequestBackgroundColor, m.later(terminal.AnswerTime, terminal.NoAnswer{}), begun)
}

// showNotice says what there is to know before anything happens: not in the place of the
// keys that a dialog at the start is answered with.
func (m *Model) showNotice() {
	if m.top() == nil || m.timeline.Shown.Current != nil {
		m.sayNext(m.cfg.Notice)
		return
	}
	m.notice = m.cfg.Notice
}

// Update takes a message over and brings every pane up to date.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.clock()
	cmd, changed := m.handle(msg)
	if !changed {
		return m, cmd
	}
	if _, turn := msg.(tickMsg); !turn {
		m.lastChange = m.now
	}
	m.stale = true
	return m, tea.Batch(cmd, m.settle())
}

// handle dispatches, and reports whether there is something new to see.
func (m *Model) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.selection = selection{}
		return m.key(msg), true
	case tea.PasteMsg:
		return m.paste(msg.Content), true
	case tea.MouseClickMsg:
		return m.click(tea.Mouse(msg)), true
	case tea.MouseMotionMsg:
		m.drag(tea.Mouse(msg))
		return nil, true
	case tea.MouseReleaseMsg:
		return m.release(), true
	case tea.MouseWheelMsg:
		return m.wheel(tea.Mouse(msg)), true
	case tea.WindowSizeMsg:
		m.layout.W, m.layout.H = msg.Width, msg.Height
		m.reflow()
		return nil, true
	case tea.BackgroundColorMsg:
		return nil, m.takeBackground(msg.IsDark())
	case terminal.NoAnswer:
		m.answered = true
		return nil, true
	case tea.ColorProfileMsg:
		return nil, m.takeProfile(msg.Profile)
	case tea.ModeReportMsg:
		return nil, m.takeWidths(msg)
	case tickMsg:
		return m.tick(), true
	case tea.FocusMsg, tea.BlurMsg:
		_, m.lookedAway = msg.(tea.BlurMsg)
		return nil, false
	}
	return m.handleResult(msg)
}

// handleResult takes over what the rest of the program has to say.
func (m *Model) handleResult(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case sessionStartedMsg:
		return m.takeSession(msg), true
	case engine.Update:
		return m.update(msg), true
	case sessionEndedMsg:
		return m.takeEnding(msg), true
	case runForkedMsg:
		m.say("Forked as run " + msg.run + ", which this one knows nothing of: " + wording.Resume(msg.run, m.timeline.Shown.Secrets) + " goes on with it.")
	case intervene.Undo:
		return m.carryOut(nil, msg.Requests(m.view())), true
	case edit.Prepared:
		return m.carryOut(nil, msg.Requests()), true
	case session.Failed:
		m.say(msg.Err.Error())
	case output.Window:
		m.output.Take(msg, m.now)
	case routemap.OtherRuns:
		return m.carryOut(nil, m.coverage.Take(msg)), true
	case search.Result:
		return m.foundLine(msg), true
	case excerpt.Saved:
		return m.lookOutside(msg), true
	case excerpt.Copied:
		return m.takeCopied(msg), true
	case textEditedMsg:
		m.takeEdited(msg)
	case comparison.RunsListed:
		return m.carryOut(nil, msg.Requests()), true
	case comparison.Ready:
		return m.takeComparison(msg), true
	case leftoversMsg:
		m.endedLeftovers(msg)
	case export.Result:
		return m.takeExported(msg), true
	case ignoringMsg:
		return m.endIgnoring(), true
	case terminal.Resumed:
		return terminal.Restored(), false
	case present.CaptionOver:
		m.stage.End(msg)
	case panicMsg:
		m.endByPanic(msg)
		return tea.Quit, true
	default: // what a dialog asked for
		return m.tellDialogs(msg)
	}
	return nil, true
}

// takeBackground chooses the palette for the terminal's background.
func (m *Model) takeBackground(dark bool) bool {
	was := m.cfg.Themes.For(m.dark)
	m.dark, m.answered = dark, true
	if now := m.cfg.Themes.For(dark); now != was && m.theme == was {
		m.setPalette(now)
		return true
	}
	return false
}

// takeProfile does with the colours that the terminal has: none where NO_COLOR asks for that.
func (m *Model) takeProfile(p colorprofile.Profile) bool {
	m.profile = p
	if m.theme.In(p) == m.look.Palette {
		return false
	}
	m.setPalette(m.theme)
	return true
}

// setPalette takes another palette.
func (m *Model) setPalette(p themes.Palette) {
	m.theme = p
	m.look.Styles = themes.New(p.In(m.profile))
	m.reflow()
}

// takeWidths learns how the terminal measures emoji.
func (m *Model) takeWidths(r tea.ModeReportMsg) bool {
	if r.Mode != ansi.ModeUnicodeCore || r.Value == ansi.ModeNotRecognized || r.Value == ansi.ModePermanentlyReset {
		return false
	}
	m.look.Method = ansi.GraphemeWidth
	m.reflow()
	return true
}

// say shows a sentence in the last line until the next key.
func (m *Model) say(s string) {
	m.message, m.messageState = draw.Clean(m.look.Keys.Text(s)), m.status.State
}

// anyState stands for the states that an action leads to, whichever they are.
const anyState engine.State = "any"

// sayNext shows a sentence about what the run is about to come to: until the next key.
func (m *Model) sayNext(s string) {
	m.say(s)
	m.messageState = anyState
}

// call queues a call to the session.
func (m *Model) call(do func(session.Session) error) tea.Cmd {
	s := m.session
	if s == nil || m.queueCall == nil {
		return nil
	}
	if !m.queueCall(func() error { return do(s) }) {
		m.say("The session is busy: try again in a moment.")
	}
	return nil
}

// View is the whole screen. It is built again only when something has changed.
func (m *Model) View() tea.View {
	if m.stale {
		m.frame = m.look.Signs(m.draw())
		m.stale = false
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = bar.WindowTitle(m.view())
	if m.answered {
		v.BackgroundColor, v.ForegroundColor = m.look.Palette.Ground(m.dark)
	}
	v.ReportFocus = m.cfg.Notify.On()
	if m.cfg.Notify.Bar {
		v.ProgressBar = notify.Progress(m.view())
	}
	return v
}
