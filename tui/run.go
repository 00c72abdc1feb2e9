package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/remote"
	"playhead/engine/replay"
	"playhead/engine/rewrite"
	"playhead/engine/runs"
	"playhead/engine/shell"
	"playhead/engine/trust"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/dialog/start"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/notify"
	"playhead/tui/pane/output"
	"playhead/tui/session"
	"playhead/tui/terminal"
)

// DocumentCommand is a command of a document.
type DocumentCommand = start.Command

// CommandsOf returns the commands of a document and of those that it includes.
func CommandsOf(all []trust.Item, document string) []DocumentCommand {
	return start.CommandsOf(all, document)
}

// Choices are a person's answers before the run.
type Choices = start.Choices

// Config configures the screen.
type Config struct {
	Plan *plan.Plan
	// NewSession makes the session. It is called once, with the person's answers to the questions before
	// the run.
	NewSession func(Choices) (*engine.Session, error)
	// CheckNeeds returns diagnostics about what the run needs. It is called before NewSession. It may take some seconds; nil:
	// no check.
	CheckNeeds func(context.Context, Choices) ([]plan.Diagnostic, error)

	Inputs                []plan.Input              // inputs that a person can change before the run; Default is the present value
	AskInputs             bool                      // ask for the inputs before the run
	SecretNames           []string                  // names of values that are masked, also while a person types them
	ReplySources          []model.ReplySourceOption // the reply sources, apart from a person
	AskReplySource        bool                      // ask for the reply source before the run
	ServerProblem         string                    // what the configuration of the model server lacks; "": no server is configured
	Breakpoints           []engine.Breakpoint
	StoreBreakpoints      func(version *plan.Plan, all []engine.Breakpoint) error              // stores them for the document; nil: they are not stored
	ForkRun               func(seq int) (run string, err error)                                // forks the run
	Player                *replay.Player                                                       // the recording to show instead of a session; nil: none
	RemoteRun             *remote.Session                                                      // the run of another process to show; nil: none
	ReplayRemoteRun       func() (*replay.Player, error)                                       // plays the recording of that run after its process has ended
	FindRoutesOfOtherRuns func(version *plan.Plan, run string) (runs.RoutesOfOtherRuns, error) // finds the routes of a version that other runs took; nil: unknown
	ListOtherRuns         func() ([]journal.RunSummary, error)                                 // the other runs of the document, newest first
	CompareWith           func(shown []machine.Event, with string) (*compare.Comparison, error)
	EditsAsChanges        func() ([]rewrite.FileChange, error) // the run's edits as changes of its documents
	ResumedEvents         []machine.Event                      // the events of a resumed run, shown until it continues
	Notice                string                               // a warning to show before the run; "": none

	Split           layout.Split                      // how the screen was divided when it was last left
	OriginalPath    func(path string) (string, error) // returns the file that a person can edit; nil: none
	EditorCommand   string                            // with {file} and {line}, see userprograms.EditorCommandAt; "": $VISUAL or $EDITOR
	CopyToClipboard func(text string) error           // writes to the system's clipboard, besides the terminal's; nil: none

	WatchedFiles        []plan.File       // the files of the document, watched until the run begins
	IsTrusted           bool              // commands run without asking
	CommandsToTrust     []DocumentCommand // the commands that a person is asked to trust
	CommandsHaveChanged bool              // the person trusted another version of the document
	RememberTrust       func() error      // remembers that a person trusts this content
	NoColor             bool
	ThemePair           themes.Pair             // the themes for dark and light terminals; zero: the default pair
	Keys                keymap.Map              // the keys of actions; zero: the default keys
	LoadPalettes        func() []themes.Palette // returns the themes to choose from; nil: none

	Notifier    notify.Notifier // notifies a person who looks elsewhere; zero: does not
	NotifyAfter time.Duration   // the minimum duration of a step whose end is notified

	StartsPresenting bool   // begin in the mode for presenting
	HomeFolder       string // the person's home folder, which the audience must not see

	FindLeftoverProcesses func() []shell.Leftover // returns the processes that steps left running; nil: unknown

	RunExports []runs.Export // the forms in which a run can be exported, besides its final output

	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: the terminal

	newSession func(Choices) (session.Session, error)
}

// AllowComparing allows comparing the run of a folder with the others of its document.
func (c *Config) AllowComparing(folder func() journal.Folder) {
	c.ListOtherRuns = func() ([]journal.RunSummary, error) { return runs.OtherRuns(folder()) }
	c.CompareWith = func(shown []machine.Event, with string) (*compare.Comparison, error) {
		return runs.Compare(folder(), shown, with)
	}
}

// Result is how the person left the screen. Ending.Result is awaiting_input if the run was paused or waited
// for an answer, and empty if it was left while something else was happening.
type Result struct {
	WasStarted   bool // the session was made
	ShouldReopen bool // the person asked to open the changed document before the run
	Split        layout.Split
	Ending       engine.Ending
}

// Run shows the document and runs it until the person quits or ctx ends. The caller handles signals by
// ending ctx. Run always restores the terminal before it returns.
func Run(ctx context.Context, cfg Config) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cfg.newSession = func(choices Choices) (session.Session, error) {
		if cfg.Player != nil {
			return session.FromPlayer(cfg.Player), nil
		}
		if cfg.RemoteRun != nil {
			return session.FromRemote(cfg.RemoteRun), nil
		}
		s, err := cfg.NewSession(choices)
		if err != nil {
			return nil, err
		}
		return session.FromEngine(s), nil
	}
	var checking sync.Mutex // held while CheckNeeds runs
	if check := cfg.CheckNeeds; check != nil {
		cfg.CheckNeeds = func(ctx context.Context, choices Choices) ([]plan.Diagnostic, error) {
			checking.Lock()
			defer checking.Unlock()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return check(ctx, choices)
		}
	}
	m := newModel(cfg)
	var p *tea.Program
	p = tea.NewProgram(panicGuard{m, func(msg tea.Msg) { p.Send(msg) }}, programOptions(ctx, cfg)...)
	var running sync.WaitGroup
	m.connectRuntime(ctx, p.Send, &running)
	go terminal.SendResumes(ctx, p.Send)

	out := cfg.Output
	if out == nil {
		out = os.Stdout
	}
	fmt.Fprint(out, terminal.PushTitle)
	_, err := p.Run()
	fmt.Fprint(out, terminal.PopTitle)
	m.startup.cancelNeedsCheck()
	checking.Lock() // wait for a check that still runs
	if s := m.conn.session; s != nil {
		s.Close()
	}
	running.Wait()
	return m.result(ctx, err)
}

func programOptions(ctx context.Context, cfg Config) []tea.ProgramOption {
	opts := terminal.ProgramOptions(ctx, cfg.NoColor)
	if cfg.Input != nil {
		opts = append(opts, tea.WithInput(cfg.Input))
	}
	if cfg.Output != nil {
		opts = append(opts, tea.WithOutput(cfg.Output))
	}
	return opts
}

// connectRuntime connects the model with its goroutines. running counts the goroutine that drives the
// session.
func (m *Model) connectRuntime(ctx context.Context, send func(tea.Msg), running *sync.WaitGroup) {
	reads, calls, keys := output.NewReader(), session.NewQueue(), session.NewQueue()
	m.requestLog, m.conn.queueCall, m.conn.queueInput = reads.SetRequest, calls.AddCall, keys.AddCall
	go recoverGoroutine(send, func() { reads.AnswerRequests(ctx, send) })
	go recoverGoroutine(send, func() { calls.Run(ctx, send) })
	go recoverGoroutine(send, func() { keys.Run(ctx, send) })
	beforeRun, begun := context.WithCancel(ctx)
	go recoverGoroutine(send, func() {
		session.WatchFiles(beforeRun, m.cfg.WatchedFiles, func(c session.FilesChangedBeforeRun) { send(c) })
	})
	m.launchSession = func(s session.Session) {
		begun()
		w := s.WatchFromStart()
		go recoverGoroutine(send, func() { session.SendUpdates(ctx, w, send) })
		go recoverGoroutine(send, func() { session.WatchDocument(ctx, s, func(c session.DocumentChanged) { send(c) }) })
		running.Go(func() {
			recoverGoroutine(send, func() {
				ending, err := s.Run(ctx)
				m.sessionResult = sessionResult{ending, err}
				send(sessionEndedMsg{ending, err})
			})
		})
	}
}

// sessionResult is the result of the session's Run. The goroutine that drives the session writes it, and result
// reads it after that has ended.
type sessionResult struct {
	ending engine.Ending
	runErr error
}

// result returns the result of Run. It is not an error that ctx ended.
func (m *Model) result(ctx context.Context, err error) (Result, error) {
	r := Result{WasStarted: m.conn.session != nil, ShouldReopen: m.startup.isReopening, Split: m.screen.Split, Ending: m.sessionResult.ending}
	switch {
	case m.quitError != nil:
		return r, m.quitError
	case m.sessionResult.runErr != nil:
		return r, m.sessionResult.runErr
	case err != nil && ctx.Err() != nil:
		return r, nil
	}
	return r, err
}
