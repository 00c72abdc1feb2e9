// Package lines is Playhead without a screen. It prints a run as lines, in the order in which things
// happen, for pipes, logs, screen readers and simple terminals.
//
//	[1] Preflight
//	$ go version
//	go version go1.26.8 linux/amd64
//	[1] pass (exit 0, 0.4s) -> 2.1 (line 12: PASS: CONTINUE)
//	[4] Approve: Ship this build? [pass/fail/skip/…]
//
// A LineUI watches a session and prints its events. If a person is there, it reads their lines as
// answers to the open question, as commands, or as input of the running command. The text of documents
// and the output of commands are sanitised before they are printed.
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

// updateWatcher receives the updates of a session or a recording.
type updateWatcher interface {
	Changed() <-chan struct{}
	Take() engine.Update
}

// LineUI prints one run and lets a person answer and act.
type LineUI struct {
	*questions
	versionCommands *versionCommands
	playback        *playback // plays a recording instead of a session; nil: none
	watcher         updateWatcher
	eventsToSkip    int  // the number of events to fold without printing them
	isResuming      bool // print the position of the run after those events

	typedKeys        <-chan []byte   // what the person types; nil after the end of their input
	unhandledInput   inputBuffer     // typed lines that are not handled yet
	isScript         bool            // the lines were written beforehand: one is read each time the run waits
	isContinuing     bool            // the paused run was told to continue and has not done so yet
	inputTerminal    *typingTerminal // the terminal of the input; nil: none
	endQuestion      func() (question string, yes func() string)
	quitCh           <-chan struct{}
	ringsBell        bool      // ring the bell when a person is needed
	hasAskedQuestion bool      // the open question has been asked
	retryNoticeTime  time.Time // the time of the next attempt in the notice that was printed last
	isClosing        bool

	extraCommands []Command
	replySources  []model.ReplySourceOption
	breakpoints   []engine.Breakpoint

	storeBreakpoints func([]engine.Breakpoint) error
	runShell         func(heading string, cmd *exec.Cmd) error

	runningLogName string          // the name of the log of the running command
	runningTail    *logTail        // reads that log
	logGrowth      <-chan struct{} // receives when the log has grown
}

// Config is what a LineUI needs.
type Config struct {
	Plan          *plan.Plan
	Session       session.Session
	Player        *replay.Player // plays a recorded run instead of a session; nil: none
	RunFolder     journal.Folder // the run's folder, which has its logs
	Out           io.Writer
	IsColoured    bool
	Width         int       // the width of the terminal Out; 0: Out is not a terminal
	RingsBell     bool      // ring when a person is needed
	In            io.Reader // the input of a person; nil: nobody is there
	InputTerminal *os.File  // the terminal of In; nil: In is not a terminal
	IsScript      bool      // In was written beforehand: one line is read each time the run waits

	StaysWhenOver bool      // keep the session open after the run until the person leaves
	ExtraCommands []Command // commands in addition to those of the LineUI
	ReplySources  []model.ReplySourceOption
	Breakpoints   []engine.Breakpoint // that are set

	// EndQuestion returns the question to ask when the session has ended. yes carries out the answer
	// yes, and returns what to print. Last may be nil. Quit is closed if the person leaves
	// without an answer.
	EndQuestion func() (question string, yes func() string)
	Quit        <-chan struct{}

	StoreBreakpoints func([]engine.Breakpoint) error           // stores them for the document; nil: they are not stored
	EditText         func(text string) (string, error)         // lets a person change a text in their editor; nil: there is no terminal
	RunShell         func(heading string, cmd *exec.Cmd) error // runs a shell below a heading; nil: there is no terminal
	OpenText         func(text string) error                   // opens a text in their pager or editor; nil: there is no terminal
	CopyText         func(text string) error                   // copies a text to the clipboard; nil: there is no clipboard

	terminalLock sync.Locker // held while another program has the terminal
}

// New returns a LineUI. Call Follow to run it.
func New(c Config) *LineUI {
	t := &LineUI{ringsBell: c.RingsBell}
	t.questions = &questions{session: c.Session, editText: c.EditText}
	t.narrator = &narrator{isLive: c.Session != nil, staysWhenOver: c.StaysWhenOver, hasPerson: c.In != nil}
	t.inspector = &inspector{
		printer: &printer{out: c.Out, isColoured: c.IsColoured, width: c.Width},
		runView: runView{track: track.New(c.Plan)}, runFolder: c.RunFolder, copyText: c.CopyText, openText: c.OpenText,
	}
	t.inspector.printRunEnd = t.printRunEnd
	if c.Player != nil {
		t.playback = &playback{inspector: t.inspector, player: c.Player, moveReplay: t.moveReplay}
	}
	t.versionCommands = &versionCommands{questions: t.questions, currentRun: t.currentRun, perform: t.perform}
	t.extraCommands, t.replySources, t.breakpoints = c.ExtraCommands, c.ReplySources, c.Breakpoints
	t.isScript, t.endQuestion, t.quitCh = c.IsScript, c.EndQuestion, c.Quit
	t.storeBreakpoints, t.runShell = c.StoreBreakpoints, c.RunShell
	if c.InputTerminal != nil {
		t.inputTerminal = &typingTerminal{fd: int(c.InputTerminal.Fd()), terminalLock: cmp.Or[sync.Locker](c.terminalLock, &sync.Mutex{})}
	}
	if c.In != nil {
		t.typedKeys = readKeys(c.In, t.inputTerminal)
	}
	return t
}

// Follow prints events until done is closed at the end of the session. It does not print the first old
// events, which happened before the run was resumed.
func (t *LineUI) Follow(old int, done <-chan struct{}) {
	t.eventsToSkip, t.isResuming = old, old > 0
	if t.playback != nil {
		t.watcher = t.playback.player.Watch()
		t.playback.printIntroduction(t.hasPerson)
	} else {
		t.watcher = t.session.Watch()
	}
	defer t.inputTerminal.restoreState()
	saved := make(chan session.DocumentChanged)
	if t.session != nil && t.hasPerson && !t.isScript {
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
		t.handleTypedLines()
		select {
		case <-t.watcher.Changed():
			t.handleUpdate(t.watcher.Take())
		case <-t.logGrowth:
			t.printNewOutput(false)
		case changed := <-saved:
			t.handleDocumentChanged(changed)
		case <-t.stableTimer:
			t.printStableLine()
		case keys, more := <-t.keysToRead():
			t.receiveKeys(keys, more)
		case <-done:
			t.handleUpdate(t.watcher.Take())
			t.printNewOutput(true)
			t.askEndQuestion()
			return
		}
	}
}

// askEndQuestion asks the question that the configuration has for the end of the session.
func (t *LineUI) askEndQuestion() {
	if t.endQuestion == nil || !t.hasInput() {
		return
	}
	question, yes := t.endQuestion()
	if question == "" {
		return
	}
	t.print("%s %s ", question, bracketedOptions([]string{"yes", "no"}))
	for line, whole := t.unhandledInput.takeNextLine(); ; line, whole = t.unhandledInput.takeNextLine() {
		if whole {
			if t.isScript {
				t.print("%s\n", sanitize.Plain(line))
			}
			if line = strings.TrimSpace(strings.ToLower(line)); line == "y" || line == "yes" {
				t.printLine("  %s", yes())
			}
			return
		}
		if !t.hasInput() {
			t.printLine("")
			return
		}
		select {
		case keys, more := <-t.typedKeys:
			t.receiveKeys(keys, more)
		case <-t.quitCh:
			t.printLine("")
			return
		}
	}
}

// PrintSince prints the events of a recorded run that follow the events before. It leaves out where a
// process resumed the run or left it waiting.
func (t *LineUI) PrintSince(before, since []machine.Event) {
	t.track.Fold(machine.LiveBranch(before)...)
	for _, e := range since {
		t.track.Fold(e)
		end, ended := e.Body.(*machine.RunFinished)
		if _, resumed := e.Body.(*machine.RunResumed); !resumed && !(ended && end.WaitingFor != nil) {
			t.printEvent(e)
		}
	}
}

// handleUpdate handles an update of the session: it prints the new events, and asks the open question.
func (t *LineUI) handleUpdate(u engine.Update) {
	if t.isContinuing && len(u.Events) == 0 && u.Status.State == engine.Paused {
		return // the run has not continued yet
	}
	t.isContinuing = false
	if u.IsRestarted {
		t.foldAgain(u.Events)
		if t.session != nil {
			t.breakpoints = u.Status.Breakpoints
		}
	}
	for _, e := range u.Events {
		t.track.Fold(e)
		t.events = append(t.events, e)
		t.hasAskedQuestion = false
		t.dropQuestionState()
		if t.eventsToSkip > 0 {
			if t.eventsToSkip--; t.eventsToSkip == 0 && t.isResuming {
				t.printPosition()
				t.isResuming = false
			}
			continue
		}
		t.printEvent(e)
	}
	t.status, t.breakpoints, t.upcomingInstance = u.Status, u.Status.Breakpoints, track.Upcoming{}
	if next := u.Status.NextEvent; next != nil {
		t.upcomingInstance = t.track.Upcoming(*next)
	}
	switch u.Status.State {
	case engine.Running:
		if t.session != nil {
			if u.Status.RunningLog != "" && u.Status.RunningLog == t.stepTexts.callLogName {
				t.printPrompt(t.track.RowByLabel(u.Status.RunningStep))
			}
			t.printNotice(u.Status.Notice)
			t.followLog(u.Status.RunningLog)
		}
	case engine.Waiting, engine.Paused:
		t.askQuestion()
	case engine.Over:
		if t.hasPerson && (t.staysWhenOver || t.playback != nil) {
			t.askQuestion()
		} else {
			t.closeSession()
		}
	}
}

// printPosition prints where a resumed run stands, or how it ended.
func (t *LineUI) printPosition() {
	what, row := "resumed", t.track.CurrentRow
	end := t.track.Finished
	isOver := end != nil && end.Result.IsFinal()
	if isOver {
		what = resultName(end.Result) + messageSuffix(end)
	}
	switch {
	case row == nil:
		t.printLine("%s at the start", what)
	case !isOver && (row.Status == track.Running || row.Status == track.LeftUndecided):
		t.printLine("%s at %s (interrupted)", what, stepHeading(row))
	case row.Status.IsOver() && !isOver:
		t.printLine("%s after %s (%s)", what, stepHeading(row), row.Status)
	default:
		t.printLine("%s at %s (%s)", what, stepHeading(row), row.Status)
	}
}

// foldAgain folds the events of a rewound run again, without printing those that were printed before.
func (t *LineUI) foldAgain(all []machine.Event) {
	known := 0
	if n := len(t.events); n > 0 {
		known = t.events[n-1].Seq
	}
	t.track, t.events, t.stepTexts = track.New(t.track.FirstPlan), nil, stepTexts{}
	t.hasAskedQuestion = false
	t.dropQuestionState()
	t.eventsToSkip = len(all)
	isNewReload := func(e machine.Event) bool {
		return e.Seq > known && e.Body.Type() == (*machine.DocumentReloaded)(nil).Type()
	}
	if i := slices.IndexFunc(all, isNewReload); i >= 0 {
		t.eventsToSkip = i // the event of the reload is printed
		return
	}
	t.printLine("%s", t.paint(yellow, "the run was rewound"))
}

// handleDocumentChanged prints what a saved document changes, and repeats the open question.
func (t *LineUI) handleDocumentChanged(c session.DocumentChanged) {
	var text string
	if c.Err != nil {
		text = wording.ErrorSentence(c.Err)
	} else if text = c.Offer.ChangeNotice(); text == "" {
		return
	}
	if t.hasAskedQuestion {
		t.printLine("")
	}
	text = sanitize.Plain(text)
	if c.Offer == nil || !c.Offer.IsGone {
		text += " Type :reload for details."
	}
	t.printLine("%s", t.paint(yellow, text))
	if t.hasAskedQuestion {
		t.hasAskedQuestion = false
		t.askQuestion()
	}
}

// moveReplay moves to another place in the recording, without printing the events between.
func (t *LineUI) moveReplay(to func() error) error {
	t.handleUpdate(t.watcher.Take())
	if err := to(); err != nil {
		return err
	}
	u := t.watcher.Take()
	if u.IsRestarted {
		t.track, t.events = track.New(t.track.FirstPlan), nil
	}
	u.IsRestarted, t.eventsToSkip, t.hasAskedQuestion = false, len(u.Events), false
	t.handleUpdate(u)
	if t.status.State == engine.Running {
		t.printLine("%s, playing", t.playback.positionText())
	}
	return nil
}

// printNotice prints the notice of a running call, once.
func (t *LineUI) printNotice(n *model.Notice) {
	if n == nil || n.RetryAt.Equal(t.retryNoticeTime) {
		return
	}
	t.retryNoticeTime = n.RetryAt
	t.printLine("%s (at %s)", t.paint(yellow, sanitize.Plain(n.Text)), n.RetryAt.Format(time.TimeOnly))
}

// followLog follows the log of the running command from its first line.
func (t *LineUI) followLog(file string) {
	if file == "" || file != t.runningLogName || t.runningTail != nil {
		return
	}
	l := t.session.Log(file)
	if l == nil {
		return
	}
	t.runningTail, t.logGrowth = &logTail{logFile: t.runFolder.LogFile(file)}, l.Watch()
	t.printNewOutput(false)
}

// printStableLine prints an unfinished line that was overwritten and has not changed for a while.
func (t *LineUI) printStableLine() {
	t.stableTimer = nil
	if t.runningTail != nil && len(t.runningTail.unfinishedLine) > 0 {
		t.printRestOfLine(t.safeOutputLine(t.runningTail.printableLine(t.runningTail.unfinishedLine)))
	}
}

// printNewOutput prints the new complete lines of output. At the end, or if a person is there, it also prints
// the incomplete last line, because it may be a prompt.
func (t *LineUI) printNewOutput(end bool) {
	if t.runningTail == nil {
		return
	}
	t.runningTail.eachNewLine(end, t.printOutputLine)
	if t.hasPerson && len(t.runningTail.unfinishedLine) > 0 {
		t.printPartialLine(t.safeOutputLine(t.runningTail.printableLine(t.runningTail.unfinishedLine)))
	}
	if end {
		t.runningTail.close()
		t.runningTail, t.logGrowth = nil, nil
	}
}

// printEvent prints an event.
func (t *LineUI) printEvent(e machine.Event) {
	t.printTextBeforeEvent(e)
	switch b := e.Body.(type) {
	case *machine.RunStarted:
		t.printDefaultInputs(b)
	case *machine.StepEntered:
		t.hasPrintedChecks, t.missingValues = false, nil
		t.beginVisit(e, b)
		t.printLine("%s", t.paint(bold, t.entryHeading(e)))
	case *machine.ActionStarted:
		t.printActionStart(e, b)
	case *machine.ActionFinished:
		t.printActionEnd(e, b)
	case *machine.InputNeeded:
		t.missingValues = b.MissingNames
		t.printQuestionContext(e, b)
	case *machine.InputGiven:
		if e.By != machine.ByAuto {
			t.missingValues = nil
		}
	case *machine.Decision:
		t.printDecision(e, b)
	case *machine.ChildEntered:
		t.printLine("[%s] %s", plainLabel(b.Label), sanitize.Plain(b.Document))
	case *machine.ChildFinished:
		t.printLine("[%s] %s%s", plainLabel(b.Label), t.paint(colourByWord[string(b.Result)], string(b.Result)), quotedSuffix(b.Message))
	case *machine.WarningRecorded:
		t.printLine("%s%s %s [%s]", stepPrefix(e.Step), t.paint(yellow, "warning:"), sanitize.Plain(b.Message), b.Code)
	case *machine.ShellOpened, *machine.PlayheadToolCalled:
		if t.isLive {
			t.printLine("%s%s", stepPrefix(e.Step), sanitize.Plain(track.DescribeEvent(e)))
		}
	case *machine.DocumentReloaded:
		t.printLine("%s", t.paint(yellow, sanitize.Plain(track.ReloadText(b))))
	case *machine.RunFinished:
		t.printRunEnd(b)
	}
	if !t.isLive {
		t.printRecordedInteraction(e)
	}
}

// printActionStart prints the command or call that starts.
func (t *LineUI) printActionStart(e machine.Event, b *machine.ActionStarted) {
	switch b.Kind {
	case "command":
		t.runningLogName = journal.LogName(e.Seq)
		t.printCommand(b.Text)
		t.inputTerminal.passKeysOn()
	case "tool":
		t.printCall(b.Server, b.Tool, b.Args)
	}
}

// printActionEnd prints the rest of a command's output, or all of it where none was printed yet.
func (t *LineUI) printActionEnd(e machine.Event, b *machine.ActionFinished) {
	t.runningLogName = ""
	t.inputTerminal.restoreState()
	if b.Kind == "tool" && b.CallID != "" && b.Error != "" { // no decision shows this error
		t.printLine("%s", t.paint(red, "error: ")+sanitize.Plain(b.Error))
		return
	}
	if pretty := tools.PrettyJSON(b.Output); b.Kind == "tool" && pretty != b.Output {
		for _, line := range strings.Split(pretty, "\n") {
			t.printLine("%s", sanitize.Plain(line))
		}
		return
	}
	printed := t.session != nil && b.IsCutOff() // the output was printed before the run was resumed
	switch {
	case b.Kind != "model" || printed:
	case b.Log != nil:
		t.printLine("%s", t.paint(faint, stepPrefix(e.Step)+t.replyLabel()))
	case b.Outcome != nil && len(b.WantedCalls) > 0: // the reply has no text beside its report
		t.printLine("%s", t.paint(faint, stepPrefix(e.Step)+"report"))
	}
	if t.runningTail == nil && b.Log != nil && !printed {
		t.runningTail = &logTail{logFile: t.runFolder.LogFile(b.Log.File), offset: b.Log.Offset, isReply: b.Kind != "command"}
		if !t.runningTail.open() {
			t.printLine("%s", t.paint(yellow, "  the log of this step's output is missing: "+sanitize.Plain(b.Log.File)))
		}
	}
	t.printNewOutput(true)
	if used := track.UsageOf(b.ReplyInfo).String(); used != "" {
		t.printLine("%s", t.paint(faint, "  tokens "+used))
	}
}

// closeSession closes the session or the replay. Without a person, the session ends by itself.
func (t *LineUI) closeSession() {
	switch {
	case t.isClosing:
	case t.playback != nil:
		t.isClosing = true
		t.playback.player.Close()
	case t.hasPerson:
		t.isClosing = true
		go t.session.Close()
	}
}
