// Package lines is Playhead without a screen: a run as lines, in the order in
// which things happen, for pipes, logs, screen readers and terminals that can do
// no more.
//
//	[1] Preflight
//	$ go version
//	go version go1.26.8 linux/amd64
//	[1] pass (exit 0, 0.4s) -> 2.1 (line 12: PASS: CONTINUE)
//	[4] Approve: Ship this build? [pass/fail/skip/…]
//
// A LineUI watches a session and prints; if a person is there it reads their lines,
// as answers to the open question or as input of the command that runs. What
// documents and commands say is sanitised line by line on its way out.
package lines

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/replay"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/session"
)

// watcher receives the updates of a session or a recording.
type watcher interface {
	Changed() <-chan struct{}
	Take() engine.Update
}

// LineUI prints one run and lets a person answer and act.
type LineUI struct {
	*questions
	versions *versions
	play     *playback // of a recorded run, in the place of a session; nil: none is played
	watcher  watcher
	old      int  // events that were printed before the run was resumed
	resumes  bool // print the position of the run once those are folded

	keys            <-chan []byte // what they type; nil once their input has ended
	typed           inputBuffer   // lines to be taken, and of one that is not complete
	script          bool          // they are typed beforehand: each is for the next stop
	isContinuing    bool          // it was told to go on from a pause, and has not yet
	screen          *terminal     // where they type it
	last            func() (question string, yes func() string)
	quit            <-chan struct{}
	bell            bool      // rings when they are asked
	hasAsked        bool      // the open question has been put
	retryNoticeTime time.Time // when a call is made again, of the last notice that was printed
	closing         bool

	others      []Command
	sources     []model.Origin
	breakpoints []engine.Breakpoint

	keepBreaks func([]engine.Breakpoint) error
	shell      func(heading string, cmd *exec.Cmd) error

	running   string          // the name of the log of the action that runs
	tail      *tail           // of that log
	logGrowth <-chan struct{} // receives when the log has grown
}

// Config is what a LineUI needs.
type Config struct {
	Plan    *plan.Plan
	Session session.Session
	Play    *replay.Player // a recorded run that is played in the place of a session
	Folder  journal.Folder // of the run, where its logs are
	Out     io.Writer
	Colour  bool
	Width   int       // of the terminal that Out is; 0: it is none
	Bell    bool      // ring when a person is needed
	In      io.Reader // what a person types; nil: nobody is there
	Typing  *os.File  // the terminal that In comes from; nil: from none
	Script  bool      // In was written beforehand: each line is taken when the run stands

	Stay        bool      // when the run is over, until the person leaves
	Commands    []Command // that a person has besides those of a LineUI
	Sources     []model.Origin
	Breakpoints []engine.Breakpoint // that are set

	// Last is what the person is asked when the session has ended, and what a yes does, which
	// returns what to say; nil: nothing. Quit is closed when they leave without an answer.
	Last func() (question string, yes func() string)
	Quit <-chan struct{}

	KeepBreaks func([]engine.Breakpoint) error           // remembers them for the document; nil: nobody does
	Write      func(text string) (string, error)         // lets a person change a text in their editor; nil: there is no terminal
	Shell      func(heading string, cmd *exec.Cmd) error // gives a shell the terminal, below a heading; nil: there is no terminal
	OpenText   func(text string) error                   // opens a text in their pager or editor; nil: there is no terminal
	Clip       func(text string) error                   // copies a text; nil: there is nowhere to

	terminalLock sync.Locker // held while another program has the terminal
}

// New returns a LineUI, which Follow runs.
func New(c Config) *LineUI {
	t := &LineUI{bell: c.Bell}
	t.questions = &questions{session: c.Session, write: c.Write}
	t.narrator = &narrator{live: c.Session != nil, stay: c.Stay, person: c.In != nil}
	t.inspector = &inspector{
		printer: &printer{out: c.Out, colour: c.Colour, width: c.Width},
		view:    view{track: track.New(c.Plan)}, folder: c.Folder, clip: c.Clip, show: c.OpenText,
	}
	t.inspector.printRunEnd = t.printEnd
	if c.Play != nil {
		t.play = &playback{inspector: t.inspector, player: c.Play, seek: t.seek}
	}
	t.versions = &versions{questions: t.questions, run: t.run, perform: t.perform}
	t.others, t.sources, t.breakpoints = c.Commands, c.Sources, c.Breakpoints
	t.script, t.last, t.quit = c.Script, c.Last, c.Quit
	t.keepBreaks, t.shell = c.KeepBreaks, c.Shell
	if c.Typing != nil {
		t.screen = &terminal{fd: int(c.Typing.Fd()), terminalLock: cmp.Or[sync.Locker](c.terminalLock, &sync.Mutex{})}
	}
	if c.In != nil {
		t.keys = readKeys(c.In, t.screen)
	}
	return t
}

// Follow prints what happens until done is closed, which the end of the session does. The first
// old events are not printed: they were before the run was resumed.
func (t *LineUI) Follow(old int, done <-chan struct{}) {
	t.old, t.resumes = old, old > 0
	if t.play != nil {
		t.watcher = t.play.player.Watch()
		t.play.announce(t.person)
	} else {
		t.watcher = t.session.Watch()
	}
	defer t.screen.restore()
	saved := make(chan session.DocumentChanged)
	if t.session != nil && t.person && !t.script {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go session.WatchDocument(ctx, t.session, func(changed session.DocumentChanged) {
			select {
			case saved <- changed:
			case <-ctx.Done():
			}
		})
	}
	for {
		t.takeLines()
		select {
		case <-t.watcher.Changed():
			t.update(t.watcher.Take())
		case <-t.logGrowth:
			t.flush(false)
		case changed := <-saved:
			t.documentChanged(changed)
		case <-t.stableTimer:
			t.settle()
		case keys, more := <-t.input():
			t.receive(keys, more)
		case <-done:
			t.update(t.watcher.Take())
			t.flush(true)
			t.askAtEnd()
			return
		}
	}
}

// askAtEnd asks the question of Config.Last once the session has ended.
func (t *LineUI) askAtEnd() {
	if t.last == nil || !t.hasInput() {
		return
	}
	question, yes := t.last()
	if question == "" {
		return
	}
	t.print("%s %s ", question, brackets([]string{"yes", "no"}))
	for line, whole := t.typed.line(); ; line, whole = t.typed.line() {
		if whole {
			if t.script {
				t.print("%s\n", sanitize.Plain(line))
			}
			if line = strings.TrimSpace(strings.ToLower(line)); line == "y" || line == "yes" {
				t.line("  %s", yes())
			}
			return
		}
		if !t.hasInput() {
			t.line("")
			return
		}
		select {
		case keys, more := <-t.keys:
			t.receive(keys, more)
		case <-t.quit:
			t.line("")
			return
		}
	}
}

// PrintSince prints what has happened in a recorded run since some events, but not how it was driven.
func (t *LineUI) PrintSince(before, since []machine.Event) {
	t.track.Fold(machine.Chain(before)...)
	for _, e := range since {
		t.track.Fold(e)
		end, ended := e.Body.(*machine.Finished)
		if _, resumed := e.Body.(*machine.Resumed); !resumed && !(ended && end.Waiting != nil) {
			t.event(e)
		}
	}
}

// update prints what is new.
func (t *LineUI) update(u engine.Update) {
	if t.isContinuing && len(u.Events) == 0 && u.Status.State == engine.Paused {
		return // it is still where it was told to go on
	}
	t.isContinuing = false
	if u.Restarted {
		t.restart(u.Events)
		if t.session != nil {
			t.breakpoints = u.Status.Breaks
		}
	}
	for _, e := range u.Events {
		t.track.Fold(e)
		t.events = append(t.events, e)
		t.hasAsked = false
		t.forget()
		if t.old > 0 {
			if t.old--; t.old == 0 && t.resumes {
				t.printPosition()
				t.resumes = false
			}
			continue
		}
		t.event(e)
	}
	t.status, t.breakpoints, t.upcoming = u.Status, u.Status.Breaks, track.Upcoming{}
	if next := u.Status.NextEvent; next != nil {
		t.upcoming = t.track.Upcoming(*next)
	}
	switch u.Status.State {
	case engine.Running:
		if t.session != nil {
			if u.Status.Log != "" && u.Status.Log == t.texts.log {
				t.printPrompt(t.track.Row(u.Status.Running))
			}
			t.notice(u.Status.Notice)
			t.watch(u.Status.Log)
		}
	case engine.Waits, engine.Paused:
		t.ask()
	case engine.Over:
		if t.person && (t.stay || t.play != nil) {
			t.ask()
		} else {
			t.leave()
		}
	}
}

// printPosition prints where a resumed run stands, or how it ended.
func (t *LineUI) printPosition() {
	what, row := "resumed", t.track.Current
	end := t.track.Finished
	isOver := end != nil && end.Result.Over()
	if isOver {
		what = resultName(end.Result) + messageSuffix(end)
	}
	switch {
	case row == nil:
		t.line("%s at the start", what)
	case !isOver && (row.Status == track.Running || row.Status == track.LeftUndecided):
		t.line("%s at %s (interrupted)", what, heading(row))
	case row.Status.IsOver() && !isOver:
		t.line("%s after %s (%s)", what, heading(row), row.Status)
	default:
		t.line("%s at %s (%s)", what, heading(row), row.Status)
	}
}

// restart folds a run again that was rewound. Its events were printed when they happened.
func (t *LineUI) restart(all []machine.Event) {
	known := 0
	if n := len(t.events); n > 0 {
		known = t.events[n-1].Seq
	}
	t.track, t.events, t.texts = track.New(t.track.FirstPlan), nil, stepTexts{}
	t.hasAsked = false
	t.forget()
	t.old = len(all)
	isNewReload := func(e machine.Event) bool { return e.Seq > known && e.Body.Type() == (*machine.Reloaded)(nil).Type() }
	if i := slices.IndexFunc(all, isNewReload); i >= 0 {
		t.old = i // it tells what happened
		return
	}
	t.line("%s", t.paint(yellow, "the run was rewound"))
}

// documentChanged prints what a saved document changes, and repeats the open question.
func (t *LineUI) documentChanged(c session.DocumentChanged) {
	var text string
	if c.Err != nil {
		text = wording.Sentence(c.Err)
	} else if text = c.Offer.Notice(); text == "" {
		return
	}
	if t.hasAsked {
		t.line("")
	}
	t.line("%s", t.paint(yellow, sanitize.Plain(text)+" :reload shows it."))
	if t.hasAsked {
		t.hasAsked = false
		t.ask()
	}
}

// seek moves elsewhere on the recording. What lies between is not printed.
func (t *LineUI) seek(to func() error) error {
	t.update(t.watcher.Take())
	if err := to(); err != nil {
		return err
	}
	u := t.watcher.Take()
	if u.Restarted {
		t.track, t.events = track.New(t.track.FirstPlan), nil
	}
	u.Restarted, t.old, t.hasAsked = false, len(u.Events), false
	t.update(u)
	if t.status.State == engine.Running {
		t.line("%s, playing on", t.play.place())
	}
	return nil
}

// notice prints the notice of a call that runs, once.
func (t *LineUI) notice(n *model.Notice) {
	if n == nil || n.Until.Equal(t.retryNoticeTime) {
		return
	}
	t.retryNoticeTime = n.Until
	t.line("%s (at %s)", t.paint(yellow, sanitize.Plain(n.Text)), n.Until.Format(time.TimeOnly))
}

// watch follows the log of the command that runs, from its first line.
func (t *LineUI) watch(file string) {
	if file == "" || file != t.running || t.tail != nil {
		return
	}
	l := t.session.Log(file)
	if l == nil {
		return
	}
	t.tail, t.logGrowth = &tail{log: t.folder.LogFile(file)}, l.Watch()
	t.flush(false)
}

// settle prints a line that was overwritten and then stayed the same.
func (t *LineUI) settle() {
	t.stableTimer = nil
	if t.tail != nil && len(t.tail.rest) > 0 {
		t.draw(t.safe(t.tail.printable(t.tail.rest)))
	}
}

// flush prints the complete lines of output. At the end, and for a person who may be asked
// something, it prints the incomplete one too.
func (t *LineUI) flush(end bool) {
	if t.tail == nil {
		return
	}
	t.tail.each(end, t.output)
	if t.person && len(t.tail.rest) > 0 {
		t.begin(t.safe(t.tail.printable(t.tail.rest)))
	}
	if end {
		t.tail.close()
		t.tail, t.logGrowth = nil, nil
	}
}

// event prints an event.
func (t *LineUI) event(e machine.Event) {
	t.printTextBefore(e)
	switch b := e.Body.(type) {
	case *machine.Started:
		t.printDefaults(b)
	case *machine.Entered:
		t.hasPrintedChecks, t.missingValues = false, nil
		t.enterStep(e, b)
		t.line("%s", t.paint(bold, t.entryHeading(e)))
	case *machine.ActionStarted:
		t.started(e, b)
	case *machine.ActionFinished:
		t.finished(e, b)
	case *machine.InputNeeded:
		t.missingValues = b.Values
		t.printQuestionContext(e, b)
	case *machine.InputGiven:
		if e.By != machine.ByAuto {
			t.missingValues = nil
		}
	case *machine.Decision:
		t.printDecision(e, b)
	case *machine.ChildEntered:
		t.line("[%s] %s", label(b.Label), sanitize.Plain(b.Document))
	case *machine.ChildFinished:
		t.line("[%s] %s%s", label(b.Label), t.paint(tints[string(b.Result)], string(b.Result)), quoted(b.Message))
	case *machine.Warned:
		t.line("%s%s %s [%s]", mark(e.Step), t.paint(yellow, "warning:"), sanitize.Plain(b.Message), b.Code)
	case *machine.ShellOpened, *machine.Called:
		if t.live {
			t.line("%s%s", mark(e.Step), sanitize.Plain(track.Describe(e)))
		}
	case *machine.Reloaded:
		t.line("%s", t.paint(yellow, sanitize.Plain(track.ReloadText(b))))
	case *machine.Finished:
		t.printEnd(b)
	}
	if !t.live {
		t.printRecorded(e)
	}
}

// started prints the command or call that starts.
func (t *LineUI) started(e machine.Event, b *machine.ActionStarted) {
	switch b.Kind {
	case "command":
		t.running = journal.LogName(e.Seq)
		t.printCommand(b.Text)
		t.screen.pass()
	case "tool":
		t.printCall(b.Server, b.Tool, b.Args)
	}
}

// finished prints the rest of a command's output, or all of it where none was printed yet.
func (t *LineUI) finished(e machine.Event, b *machine.ActionFinished) {
	t.running = ""
	t.screen.restore()
	if b.Kind == "tool" && b.CallID != "" && b.Error != "" { // no decision says so
		t.line("%s", t.paint(red, "error: ")+sanitize.Plain(b.Error))
		return
	}
	if pretty := tools.Pretty(b.Output); b.Kind == "tool" && pretty != b.Output {
		for _, line := range strings.Split(pretty, "\n") {
			t.line("%s", sanitize.Plain(line))
		}
		return
	}
	printed := t.session != nil && b.IsCutOff() // before the run was resumed
	switch {
	case b.Kind != "model" || printed:
	case b.Log != nil:
		t.line("%s", t.paint(faint, mark(e.Step)+t.replyLabel()))
	case b.Outcome != nil && len(b.Calls) > 0: // the reply has no text beside its report
		t.line("%s", t.paint(faint, mark(e.Step)+"report"))
	}
	if t.tail == nil && b.Log != nil && !printed {
		t.tail = &tail{log: t.folder.LogFile(b.Log.File), offset: b.Log.Offset, isReply: b.Kind != "command"}
		if !t.tail.open() {
			t.line("%s", t.paint(yellow, "  the log of its output is missing: "+sanitize.Plain(b.Log.File)))
		}
	}
	t.flush(true)
	if used := track.UsageOf(b.ReplyInfo).String(); used != "" {
		t.line("%s", t.paint(faint, "  tokens "+used))
	}
}

// leave ends the session, which a person could otherwise still reopen.
func (t *LineUI) leave() {
	switch {
	case t.closing:
	case t.play != nil:
		t.closing = true
		t.play.player.Close()
	case t.person:
		t.closing = true
		go t.session.Close()
	}
}
