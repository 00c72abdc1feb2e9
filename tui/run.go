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
	"playhead/tui/notify"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/session"
	"playhead/tui/terminal"
)

// Command is a command that a document would run.
type Command = start.Command

// CommandsOf lists what a document and those it includes would run.
func CommandsOf(all []trust.Item, document string) []Command { return start.CommandsOf(all, document) }

// Choices are what a person said before the run.
type Choices = start.Choices

// Config is what the screen needs.
type Config struct {
	Plan *plan.Plan
	// Start makes the session. It is called once, when the person has said what
	// there is to say before a run.
	Start func(Choices) (*engine.Session, error)
	// Check finds out what is wrong with what the run needs, before Start. It may take some seconds. Nil: nobody does.
	Check func(context.Context, Choices) ([]plan.Diagnostic, error)

	Inputs        []plan.Input   // those that a person can change before the run; the default is the value there is
	AskInputs     bool           // before the run
	Secrets       []string       // names of values that are masked: of inputs, nobody sees what is written
	Sources       []model.Origin // that replies can come from, but for a person
	Ask           bool           // ask for the reply source before the run
	ServerProblem string         // what the configuration of the model server lacks; empty: no server is configured
	Breakpoints   []engine.Breakpoint
	KeepBreaks    func([]engine.Breakpoint) error            // remembers them for the document; nil: nobody does
	Fork          func(seq int) (run string, err error)      // forks the run that is shown
	Play          *replay.Player                             // a recording that is shown instead of a session; nil: none
	Join          *remote.Session                            // a run of another process that is shown; nil: none
	Recorded      func() (*replay.Player, error)             // plays what that run has recorded, once its process has ended
	Known         func(run string) (runs.OtherRoutes, error) // returns the routes that other runs of the document took; nil: unknown
	Others        func() ([]journal.Summary, error)          // the other runs of the document, newest first
	Compare       func(shown []machine.Event, with string) (*compare.Comparison, error)
	Drafts        func() ([]rewrite.Change, error) // the run's edits as changes of its documents
	History       []machine.Event                  // of a run that is gone on with: what to show before it is
	Notice        string                           // something to know before anything happens

	Split     panes.Split                       // how the screen is divided, as it was left
	Original  func(path string) (string, error) // the file of the document that a person can edit; nil: there is none
	Editor    string                            // opens it at a line, as outside.EditorAt has it; empty: $VISUAL or $EDITOR does
	Clipboard func(text string) error           // the system's, beside the terminal's own; nil: there is none

	Files    []plan.File  // of the document, which are watched until the run begins
	Trusted  bool         // commands may run without asking
	Commands []Command    // what there is to ask about
	Remember func() error // keeps the person's yes for this content
	NoColor  bool
	Themes   themes.Pair             // what is painted with; the zero value is the usual pair
	Keys     keymap.Map              // which keys do what; the zero value has the usual ones
	Palettes func() []themes.Palette // what there is to choose from; nil: nothing

	Notify      notify.Terminal // calls a person who looks elsewhere; the zero value does not
	NotifyAfter time.Duration   // the least duration of a step whose end is reported

	Present bool   // the screen is shown to others
	Home    string // the person's own folder, which is not shown to them

	Leftovers func() []shell.Leftover // what steps left running; nil: nobody knows

	Exports []runs.Export // what the run can be written as, besides its final output

	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: the terminal

	begin func(Choices) (session.Session, error)
}

// OthersOf lets the run of a folder be compared with the others of its document.
func (c *Config) OthersOf(folder func() journal.Folder) {
	c.Others = func() ([]journal.Summary, error) { return runs.Others(folder()) }
	c.Compare = func(shown []machine.Event, with string) (*compare.Comparison, error) {
		return runs.Compare(folder(), shown, with)
	}
}

// Result is how the person left. Ending.Result is awaiting_input where the run was held or
// left at a question, and empty where it was left in the middle of something else.
type Result struct {
	Started bool // a session was made
	Reopen  bool // before that, the person asked to open the changed document
	Split   panes.Split
	Ending  engine.Ending
}

// Run shows the document and runs it until the person quits or ctx ends: signals
// are the caller's, who ends ctx. The terminal is as it was when Run returns,
// whatever happened.
func Run(ctx context.Context, cfg Config) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cfg.begin = func(said Choices) (session.Session, error) {
		if cfg.Play != nil {
			return session.Replay(cfg.Play), nil
		}
		if cfg.Join != nil {
			return session.Joined(cfg.Join), nil
		}
		s, err := cfg.Start(said)
		if err != nil {
			return nil, err
		}
		return session.Live(s), nil
	}
	var checking sync.Mutex // held while Check does something
	if check := cfg.Check; check != nil {
		cfg.Check = func(ctx context.Context, said Choices) ([]plan.Diagnostic, error) {
			checking.Lock()
			defer checking.Unlock()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return check(ctx, said)
		}
	}
	m := newModel(cfg)
	var p *tea.Program
	p = tea.NewProgram(panicGuard{m, func(msg tea.Msg) { p.Send(msg) }}, options(ctx, cfg)...)
	var running sync.WaitGroup
	m.connectRuntime(ctx, p.Send, &running)
	go terminal.HearResumes(ctx, p.Send)

	out := cfg.Output
	if out == nil {
		out = os.Stdout
	}
	fmt.Fprint(out, terminal.PushTitle)
	_, err := p.Run()
	fmt.Fprint(out, terminal.PopTitle)
	m.startup.stopCheck()
	checking.Lock() // nothing that it has started is left behind
	if s := m.conn.session; s != nil {
		s.Close()
	}
	running.Wait()
	return m.result(ctx, err)
}

func options(ctx context.Context, cfg Config) []tea.ProgramOption {
	opts := terminal.Options(ctx, cfg.NoColor)
	if cfg.Input != nil {
		opts = append(opts, tea.WithInput(cfg.Input))
	}
	if cfg.Output != nil {
		opts = append(opts, tea.WithOutput(cfg.Output))
	}
	return opts
}

// connectRuntime gives the model what it reaches the rest of the program with. Of the
// goroutines, running counts the one that drives the session.
func (m *Model) connectRuntime(ctx context.Context, send func(tea.Msg), running *sync.WaitGroup) {
	reads, calls, keys := output.NewReader(), session.NewQueue(), session.NewQueue()
	m.read, m.conn.queueCall, m.conn.queueInput = reads.Show, calls.Put, keys.Put
	go recoverGoroutine(send, func() { reads.Run(ctx, send) })
	go recoverGoroutine(send, func() { calls.Run(ctx, send) })
	go recoverGoroutine(send, func() { keys.Run(ctx, send) })
	beforeRun, begun := context.WithCancel(ctx)
	go recoverGoroutine(send, func() { session.WatchFiles(beforeRun, m.cfg.Files, func(c session.FilesChanged) { send(c) }) })
	m.launch = func(s session.Session) {
		begun()
		w := s.Watch()
		go recoverGoroutine(send, func() { session.Pump(ctx, w, send) })
		go recoverGoroutine(send, func() { session.WatchDocument(ctx, s, func(c session.DocumentChanged) { send(c) }) })
		running.Go(func() {
			recoverGoroutine(send, func() {
				ending, err := s.Run(ctx)
				m.exit = exit{ending, err}
				send(sessionEndedMsg{ending, err})
			})
		})
	}
}

// exit is how the session's Run returned. It is written by the goroutine that
// drives the session and read when that is over.
type exit struct {
	ending engine.Ending
	err    error
}

// result is what Run returns. That the program was ended from outside is no error
// of its own.
func (m *Model) result(ctx context.Context, err error) (Result, error) {
	r := Result{Started: m.conn.session != nil, Reopen: m.startup.reopens, Split: m.screen.Split, Ending: m.exit.ending}
	switch {
	case m.err != nil:
		return r, m.err
	case m.exit.err != nil:
		return r, m.exit.err
	case err != nil && ctx.Err() != nil:
		return r, nil
	}
	return r, err
}
