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
	"playhead/engine/rewrite"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/session"
)

// LineUI prints one run and lets a person answer and act.
type LineUI struct {
	*questions
	versionCommands *versionCommands
	playback        *playback // plays a recording instead of a session; nil: none
	watcher         session.Watcher
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

	editsAsChanges   func() ([]rewrite.FileChange, error)
	storeBreakpoints func(version *plan.Plan, all []engine.Breakpoint) error
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

	// EndQuestion returns the question to ask when the session has ended, "" for none. yes carries out
	// the answer yes, and returns what to print. nil: nothing is asked. Quit is closed if the person
	// leaves without an answer.
	EndQuestion func() (question string, yes func() string)
	Quit        <-chan struct{}

	EditsAsChanges   func() ([]rewrite.FileChange, error)                    // the run's edits as changes of its documents; nil: not known
	StoreBreakpoints func(version *plan.Plan, all []engine.Breakpoint) error // stores them for the document; nil: they are not stored
	EditText         func(text string) (string, error)                       // lets a person change a text in their editor; nil: there is no terminal
	RunShell         func(heading string, cmd *exec.Cmd) error               // runs a shell below a heading; nil: there is no terminal
	OpenText         func(text string) error                                 // opens a text in their pager or editor; nil: there is no terminal
	CopyText         func(text string) error                                 // copies a text to the clipboard; nil: there is no clipboard

	terminalLock sync.Locker // held while another program has the terminal
}

// New returns a LineUI. Call Follow to run it.
func New(c Config) *LineUI {
	ui := &LineUI{ringsBell: c.RingsBell}
	ui.questions = &questions{session: c.Session, editText: c.EditText}
	ui.narrator = &narrator{isLive: c.Session != nil, staysWhenOver: c.StaysWhenOver, hasPerson: c.In != nil}
	ui.inspector = &inspector{
		printer:  &printer{out: c.Out, isColoured: c.IsColoured, width: c.Width},
		runState: runState{track: track.New(c.Plan)}, runFolder: c.RunFolder, copyText: c.CopyText, openText: c.OpenText,
	}
	ui.inspector.printRunEnd = ui.printRunEnd
	if c.Player != nil {
		ui.playback = &playback{inspector: ui.inspector, player: c.Player, moveReplay: ui.moveReplay}
	}
	ui.versionCommands = &versionCommands{questions: ui.questions, currentRun: ui.currentRun, perform: ui.perform}
	ui.extraCommands, ui.replySources, ui.breakpoints = c.ExtraCommands, c.ReplySources, c.Breakpoints
	ui.isScript, ui.endQuestion, ui.quitCh = c.IsScript, c.EndQuestion, c.Quit
	ui.editsAsChanges = c.EditsAsChanges
	ui.storeBreakpoints, ui.runShell = c.StoreBreakpoints, c.RunShell
	if c.InputTerminal != nil {
		ui.inputTerminal = &typingTerminal{fd: int(c.InputTerminal.Fd()), terminalLock: cmp.Or[sync.Locker](c.terminalLock, &sync.Mutex{})}
	}
	if c.In != nil {
		ui.typedKeys = readKeys(c.In, ui.inputTerminal)
	}
	return ui
}

// Follow prints events until done is closed at the end of the session. It does not print the first old
// events, which happened before the run was resumed.
func (ui *LineUI) Follow(old int, done <-chan struct{}) {
	ui.eventsToSkip, ui.isResuming = old, old > 0
	if ui.playback != nil {
		ui.watcher = ui.playback.player.WatchFromStart()
		ui.playback.printIntroduction(ui.hasPerson)
	} else {
		ui.watcher = ui.session.WatchFromStart()
	}
	defer ui.inputTerminal.restoreState()
	saved := make(chan session.DocumentChanged)
	if ui.session != nil && ui.hasPerson && !ui.isScript {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go session.WatchDocument(ctx, ui.session, func(changed session.DocumentChanged) {
			select {
			case saved <- changed:
			case <-ctx.Done():
			}
		})
	}
	for {
		ui.handleTypedLines()
		select {
		case <-ui.watcher.Changed():
			ui.handleUpdate(ui.watcher.Take())
		case <-ui.logGrowth:
			ui.printNewOutput(false)
		case changed := <-saved:
			ui.handleDocumentChanged(changed)
		case <-ui.stableTimer:
			ui.printStableLine()
		case keys, more := <-ui.keysToRead():
			ui.receiveKeys(keys, more)
		case <-done:
			ui.handleUpdate(ui.watcher.Take())
			ui.printNewOutput(true)
			ui.askEndQuestion()
			return
		}
	}
}

// askEndQuestion asks the question that the configuration has for the end of the session.
func (ui *LineUI) askEndQuestion() {
	if ui.endQuestion == nil || !ui.hasInput() {
		return
	}
	question, yes := ui.endQuestion()
	if question == "" {
		return
	}
	ui.print("%s %s ", question, bracketedOptions([]string{"yes", "no"}))
	for line, whole := ui.unhandledInput.takeNextLine(); ; line, whole = ui.unhandledInput.takeNextLine() {
		if whole {
			if ui.isScript {
				ui.print("%s\n", sanitize.Plain(line))
			}
			if line = strings.TrimSpace(strings.ToLower(line)); line == "y" || line == "yes" {
				ui.printLine("  %s", yes())
			}
			return
		}
		if !ui.hasInput() {
			ui.printLine("")
			return
		}
		select {
		case keys, more := <-ui.typedKeys:
			ui.receiveKeys(keys, more)
		case <-ui.quitCh:
			ui.printLine("")
			return
		}
	}
}

// PrintSince prints the events of a recorded run that follow the events before. It leaves out where a
// process resumed the run or left it waiting.
func (ui *LineUI) PrintSince(before, since []machine.Event) {
	ui.track.Fold(machine.BranchWithRewinds(before)...)
	for _, e := range since {
		ui.track.Fold(e)
		end, ended := e.Body.(*machine.RunFinished)
		if _, resumed := e.Body.(*machine.RunResumed); !resumed && !(ended && end.WaitingFor != nil) {
			ui.printEvent(e)
		}
	}
}

// handleUpdate handles an update of the session: it prints the new events, and asks the open question.
func (ui *LineUI) handleUpdate(u engine.Update) {
	if ui.isContinuing && len(u.Events) == 0 && u.Status.State == engine.Paused {
		return // the run has not continued yet
	}
	ui.isContinuing = false
	ui.status.SupersededEffectCount = u.Status.SupersededEffectCount // set before the events are printed, because the end of the run prints it
	if u.IsRestarted {
		ui.foldAgain(u.Events)
		if ui.session != nil {
			ui.breakpoints = u.Status.Breakpoints
		}
	}
	for _, e := range u.Events {
		ui.track.Fold(e)
		ui.events = append(ui.events, e)
		ui.hasAskedQuestion = false
		ui.dropQuestionState()
		if ui.eventsToSkip > 0 {
			if ui.eventsToSkip--; ui.eventsToSkip == 0 && ui.isResuming {
				ui.printPosition()
				ui.isResuming = false
			}
			continue
		}
		ui.printEvent(e)
	}
	ui.status, ui.breakpoints, ui.upcomingInstance = u.Status, u.Status.Breakpoints, track.UpcomingInstance{}
	if next := u.Status.NextEvent; next != nil {
		ui.upcomingInstance = ui.track.UpcomingInstance(*next)
	}
	switch u.Status.State {
	case engine.Running:
		if ui.session != nil {
			if u.Status.RunningLog != "" && u.Status.RunningLog == ui.printedTexts.callLogName {
				ui.printPrompt(ui.track.CurrentRow)
			}
			ui.printNotice(u.Status.Notice)
			ui.followLog(u.Status.RunningLog)
		}
	case engine.Waiting, engine.Paused:
		ui.askQuestion()
	case engine.Over:
		if ui.hasPerson && (ui.staysWhenOver || ui.playback != nil) {
			ui.askQuestion()
		} else {
			ui.closeSession()
		}
	}
}

// printPosition prints where a resumed run stands, or how it ended.
func (ui *LineUI) printPosition() {
	what, row := "resumed", ui.track.CurrentRow
	end := ui.track.Finished
	isOver := end != nil && end.Result.IsFinal()
	if isOver {
		what = endName(end) + messageSuffix(end)
	}
	switch {
	case row == nil:
		ui.printLine("%s at the start", what)
	case !isOver && row.IsLeftByPerson():
		ui.printLine("%s after %s (%s)", what, stepHeading(row), sanitize.Plain(track.PersonMoveText(row.Label, row.Decision)))
	case row.Status == track.Running && end != nil && end.WaitingFor != nil: // it was left while it waited
		ui.printLine("%s at %s (%s)", what, stepHeading(row), track.EndWord(end))
	case !isOver && (row.Status == track.Running || row.Status == track.LeftUndecided):
		ui.printLine("%s at %s (interrupted)", what, stepHeading(row))
	case row.Status.IsOver() && !isOver:
		ui.printLine("%s after %s (%s)", what, stepHeading(row), row.Status)
	default:
		ui.printLine("%s at %s (%s)", what, stepHeading(row), row.Status)
	}
}

// foldAgain folds the events of a rewound run again, without printing those that were printed before.
func (ui *LineUI) foldAgain(all []machine.Event) {
	known := 0
	if n := len(ui.events); n > 0 {
		known = ui.events[n-1].Seq
	}
	ui.track, ui.events, ui.printedTexts = track.New(ui.track.FirstPlan), nil, printedTexts{}
	ui.hasAskedQuestion, ui.nextDecisionAt = false, 0
	ui.dropQuestionState()
	ui.eventsToSkip = len(all)
	isNewReload := func(e machine.Event) bool {
		return e.Seq > known && e.Body.Type() == (*machine.DocumentReloaded)(nil).Type()
	}
	if i := slices.IndexFunc(all, isNewReload); i >= 0 {
		ui.eventsToSkip = i // the event of the reload is printed
		return
	}
	ui.printLine("%s", ui.paint(yellow, rewoundText(all)))
}

// rewoundText says that the run was rewound. An undo or a redo may also lead forward, so its text says where the run is.
func rewoundText(all []machine.Event) string {
	if n := len(all); n > 0 {
		if b, rewound := all[n-1].Body.(*machine.RunRewound); rewound && (b.Undo || b.Redo) {
			return sanitize.Plain(track.DescribeEvent(all[n-1]))
		}
	}
	return "the run was rewound"
}

// handleDocumentChanged prints what a saved document changes, and repeats the open question.
func (ui *LineUI) handleDocumentChanged(c session.DocumentChanged) {
	var text string
	if c.Err != nil {
		text = wording.ErrorSentence(c.Err)
	} else if text = c.SavedVersion.ChangeNotice(); text == "" {
		return
	}
	if ui.hasAskedQuestion {
		ui.printLine("")
	}
	text = sanitize.Plain(text)
	if c.SavedVersion == nil || !c.SavedVersion.IsGone {
		text += " Type :reload for details."
	}
	ui.printLine("%s", ui.paint(yellow, text))
	if ui.hasAskedQuestion {
		ui.hasAskedQuestion = false
		ui.askQuestion()
	}
}

// moveReplay moves to another place in the recording, without printing the events between.
func (ui *LineUI) moveReplay(to func() error) error {
	ui.handleUpdate(ui.watcher.Take())
	if err := to(); err != nil {
		return err
	}
	u := ui.watcher.Take()
	if u.IsRestarted {
		ui.track, ui.events = track.New(ui.track.FirstPlan), nil
	}
	u.IsRestarted, ui.eventsToSkip, ui.hasAskedQuestion = false, len(u.Events), false
	ui.handleUpdate(u)
	if ui.status.State == engine.Running {
		ui.printLine("%s, playing", ui.playback.positionText())
	}
	return nil
}

// printNotice prints the notice of a running call, once.
func (ui *LineUI) printNotice(n *model.Notice) {
	if n == nil || n.RetryAt.Equal(ui.retryNoticeTime) {
		return
	}
	ui.retryNoticeTime = n.RetryAt
	ui.printLine("%s (at %s)", ui.paint(yellow, sanitize.Plain(n.Text)), n.RetryAt.Format(time.TimeOnly))
}

// followLog follows the log of the running command from its first line.
func (ui *LineUI) followLog(file string) {
	if file == "" || file != ui.runningLogName || ui.runningTail != nil {
		return
	}
	l := ui.session.Log(file)
	if l == nil {
		return
	}
	ui.runningTail, ui.logGrowth = &logTail{logFile: ui.runFolder.LogFile(file)}, l.Watch()
	ui.printNewOutput(false)
}

// printStableLine prints an unfinished line that was overwritten and has not changed for a while.
func (ui *LineUI) printStableLine() {
	ui.stableTimer = nil
	if ui.runningTail != nil && len(ui.runningTail.unfinishedLine) > 0 {
		ui.updatePartialLine(ui.safeOutputLine(ui.runningTail.printableLine(ui.runningTail.unfinishedLine)))
	}
}

// printNewOutput prints the new complete lines of output. At the end, or if a person is there, it also prints
// the incomplete last line, because it may be a prompt.
func (ui *LineUI) printNewOutput(end bool) {
	if ui.runningTail == nil {
		return
	}
	ui.runningTail.eachNewLine(end, ui.printOutputLine)
	if ui.hasPerson && len(ui.runningTail.unfinishedLine) > 0 {
		ui.printPartialLine(ui.safeOutputLine(ui.runningTail.printableLine(ui.runningTail.unfinishedLine)))
	}
	if end {
		ui.runningTail.close()
		ui.runningTail, ui.logGrowth = nil, nil
	}
}

// printEvent prints an event.
func (ui *LineUI) printEvent(e machine.Event) {
	ui.printTextBeforeEvent(e)
	switch b := e.Body.(type) {
	case *machine.RunStarted:
		ui.printDefaultInputs(b)
	case *machine.StepEntered:
		ui.hasPrintedChecks, ui.missingValues = false, nil
		ui.beginAttempt(e, b)
		ui.printLine("%s", ui.paint(bold, ui.entryHeading(e)))
	case *machine.ActionStarted:
		ui.printActionStart(e, b)
	case *machine.ActionFinished:
		ui.printActionEnd(e, b)
	case *machine.InputNeeded:
		ui.missingValues = b.MissingNames
		ui.printQuestionContext(e, b)
	case *machine.InputGiven:
		if e.By != machine.ByAuto {
			ui.missingValues = nil
		}
		ui.printPreparedAnswer(e, b)
	case *machine.Decision:
		ui.printDecision(e, b)
	case *machine.ChildEntered:
		ui.printLine("[%s] %s", sanitize.Plain(b.Label), sanitize.Plain(b.Document))
	case *machine.ChildFinished:
		ui.printLine("[%s] %s%s", sanitize.Plain(b.Label), ui.paint(colourByWord[string(b.Result)], string(b.Result)), quotedSuffix(b.Message))
	case *machine.WarningRecorded:
		ui.printWarning(e.Step, b)
	case *machine.ShellOpened, *machine.PlayheadToolCalled:
		if ui.isLive {
			ui.printLine("%s%s", stepPrefix(e.Step), sanitize.Plain(track.DescribeEvent(e)))
		}
	case *machine.DocumentReloaded:
		ui.printLine("%s", ui.paint(yellow, sanitize.Plain(track.ReloadText(b))))
	case *machine.RunFinished:
		ui.printRunEnd(b)
	}
	if !ui.isLive {
		ui.printRecordedInteraction(e)
	}
}

// printWarning prints a warning with its code, or that a logpoint was reached.
func (ui *LineUI) printWarning(step string, b *machine.WarningRecorded) {
	if b.Code == machine.LogpointCode {
		ui.printLine("%s%s", stepPrefix(step), sanitize.Plain(track.LogpointText(b.Message)))
		return
	}
	ui.printLine("%s%s %s [%s]", stepPrefix(step), ui.paint(yellow, "warning:"), sanitize.Plain(b.Message), b.Code)
}

// printActionStart prints the command or call that starts.
func (ui *LineUI) printActionStart(e machine.Event, b *machine.ActionStarted) {
	switch b.Kind {
	case "command":
		ui.runningLogName = journal.LogName(e.Seq)
		ui.printCommand(b.Text)
		ui.inputTerminal.passKeysOn()
	case "tool":
		ui.printCall(b.Server, b.Tool, b.Args)
	}
}

// printActionEnd prints the rest of a command's output, or all of it where none was printed yet.
func (ui *LineUI) printActionEnd(e machine.Event, b *machine.ActionFinished) {
	ui.runningLogName = ""
	ui.inputTerminal.restoreState()
	if b.Kind == "tool" && b.CallID != "" && b.Error != "" { // no decision shows this error
		ui.printLine("%s", ui.paint(red, "error: ")+sanitize.Plain(b.Error))
		return
	}
	if pretty := tools.PrettyJSON(b.Output); b.Kind == "tool" && pretty != b.Output {
		for _, line := range strings.Split(pretty, "\n") {
			ui.printLine("%s", sanitize.Plain(line))
		}
		return
	}
	printed := ui.session != nil && b.IsCutOff() // the output was printed before the run was resumed
	switch {
	case b.Kind != "model" || printed:
	case b.Log != nil:
		ui.printLine("%s", ui.paint(faint, stepPrefix(e.Step)+ui.replyLabel()))
	case b.Outcome != nil && len(b.WantedCalls) > 0: // the reply has no text beside its report
		ui.printLine("%s", ui.paint(faint, stepPrefix(e.Step)+"report"))
	}
	if ui.runningTail == nil && b.Log != nil && !printed {
		ui.runningTail = &logTail{logFile: ui.runFolder.LogFile(b.Log.File), offset: b.Log.Offset, isReply: b.Kind != "command"}
		if !ui.runningTail.open() {
			ui.printLine("%s", ui.paint(yellow, "  "+wording.MissingLogText(b.Log.File)))
		}
	}
	ui.printNewOutput(true)
	if used := track.UsageOf(b.ReplyInfo).String(); used != "" {
		ui.printLine("%s", ui.paint(faint, "  tokens "+used))
	}
}

// closeSession closes the session or the replay. Without a person, the session ends by itself.
func (ui *LineUI) closeSession() {
	switch {
	case ui.isClosing:
	case ui.playback != nil:
		ui.isClosing = true
		ui.playback.player.Close()
	case ui.hasPerson:
		ui.isClosing = true
		go ui.session.Close()
	}
}
