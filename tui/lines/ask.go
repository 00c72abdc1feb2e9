package lines

import (
	"bytes"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/scenario"
)

const answerHelp = `  Type one of the answers in brackets (y and n work for yes/no questions), or:
  skip (skip the step and continue), retry (run it again, as one more attempt),
  goto:STEP (jump to STEP), complete:MESSAGE or stop:MESSAGE (end the run).
  ctrl+d (the end of input) quits and keeps the run. If a question asks for
  text, type it on one line; =skip sends the word skip as text.
  When you report values in the model's place, type - for an empty value, or
  json:VALUE for JSON. For a tool call, no:TEXT refuses it and sends TEXT to the
  model, edit:JSON allows it with other arguments, and answer:TEXT gives its
  result without calling the tool.
  A colon begins a command, such as :steps, :why or :undo; :help lists them.`

// askQuestion asks the open question, once.
func (ui *LineUI) askQuestion() {
	if ui.hasAskedQuestion || !ui.hasPerson {
		return
	}
	ui.hasAskedQuestion = true
	if ui.ringsBell {
		ui.print("\a")
	}
	switch {
	case ui.playback != nil:
		ui.playback.printPause()
		return
	case ui.status.State == engine.Paused:
		ui.printNextDecision(ui.status.WaitingFor)
		ui.printLine("paused %s: enter continues, :quit quits and keeps the run, :help lists the commands", ui.describePause())
		return
	case ui.status.State == engine.Over:
		ui.printReportedValues()
		ui.printLine("the run is over: enter quits, :help lists the commands")
		return
	}
	switch q := ui.status.Question; q.Kind {
	case machine.KindReply:
		ui.askReply(q)
	case machine.KindApproveCall:
		ui.askCall(q)
	default:
		above, prompt := ui.questionText(q.Action.StepLabel, q.Kind, q.Prompt)
		if above != "" {
			ui.printLine("%s", above)
		}
		ui.printReportedValues()
		ui.printAnswerPrompt(prompt, ui.printNumberedOptions(q.Options))
	}
}

// describePause returns where a run is paused, and by which breakpoint.
func (ui *LineUI) describePause() string {
	at := "before the next action"
	if next := ui.status.NextEvent; next != nil {
		at = next.PausePreposition() + " " + sanitize.Plain(next.Step)
	}
	if ui.status.HitBreakpoint != "" {
		at += " at breakpoint " + sanitize.Plain(ui.status.HitBreakpoint)
	}
	return at
}

// receiveKeys handles what a person typed: input of the running command, or lines.
func (ui *LineUI) receiveKeys(keys []byte, more bool) {
	switch {
	case !more:
		ui.typedKeys = nil
		ui.unhandledInput.endLastLine()
	case ui.isInputForCommand():
		_ = ui.session.TypeIntoCommand(keys) // it fails if the command has ended; the keys were not meant for anything else
	case !ui.unhandledInput.addInput(keys):
		ui.printLine("\n  a line is longer than 16 MB: Playhead reads no further input")
		ui.typedKeys, ui.unhandledInput = nil, inputBuffer{}
	}
}

// isInputForCommand reports whether what a person types is input of the running command. In a replay
// no command runs, whatever the recording shows.
func (ui *LineUI) isInputForCommand() bool {
	return ui.playback == nil && !ui.isScript && ui.status.State == engine.Running && ui.runningLogName != ""
}

// keysToRead returns the channel of what a person types. It returns nil while a line of a script waits, so
// that no more is read: a script may be endless.
func (ui *LineUI) keysToRead() <-chan []byte {
	if ui.isScript && ui.unhandledInput.hasLine() {
		return nil
	}
	return ui.typedKeys
}

// hasInput reports whether a person has typed, or may still type, something.
func (ui *LineUI) hasInput() bool {
	return ui.hasPerson && (ui.typedKeys != nil || len(ui.unhandledInput.bytes) > 0)
}

// handleTypedLines handles the lines that were typed. A line of a script is handled when the run waits or is
// paused.
func (ui *LineUI) handleTypedLines() {
	for !ui.isClosing && (!ui.isScript || ui.isReadyForLine()) {
		line, whole := ui.unhandledInput.takeNextLine()
		if !whole {
			break
		}
		ui.echoAndHandleLine(strings.TrimSpace(line))
	}
	if ui.hasPerson && !ui.isClosing && !ui.hasInput() && ui.isReadyForLine() {
		ui.printLine("")
		ui.closeSession()
	}
}

// isReadyForLine reports whether the run waits, is paused or is over, and the person has been asked.
func (ui *LineUI) isReadyForLine() bool {
	return ui.hasAskedQuestion && !ui.isContinuing && ui.status.State != engine.Running
}

// echoAndHandleLine handles a line. It prints the line of a script after the question, because no terminal has
// shown it.
func (ui *LineUI) echoAndHandleLine(line string) {
	if !ui.isScript {
		ui.handleLine(line)
		return
	}
	if ui.playback != nil || ui.status.State != engine.Waiting {
		ui.print("> ")
	}
	ui.print("%s\n", sanitize.Plain(line))
	ui.handleLine(line)
	ui.handleUpdate(ui.watcher.Take())
}

// actionByAnswerWord maps the words with which an answer can begin to the names of actions.
var actionByAnswerWord = map[string]string{"skip": "skip", "retry": "rerun", "goto": "jump", "complete": "complete", "stop": "stop"}

// answerOrAct answers the open question with a line, or performs the action that the line names.
func (ui *LineUI) answerOrAct(line string) error {
	if line == "" && ui.unsentReply != "" {
		return ui.sendAnswer(ui.unsentReply)
	}
	if line == "" || line == "?" || line == "help" {
		ui.printLine("%s", answerHelp)
		ui.hasAskedQuestion = false
		ui.askQuestion()
		return nil
	}
	line = expandYesNo(line, ui.status.Question.Options)
	item, err := scenario.ParseAnswer(line, machine.ByPerson)
	verb, arg, _ := strings.Cut(item.Value, ":")
	if name, is := actionByAnswerWord[verb]; is {
		return ui.parseAndPerform(control.FindAction(name), arg)
	}
	switch q := ui.status.Question; {
	case q.Kind == machine.KindReply:
		return ui.handleReply(q, line)
	case q.Kind == machine.KindApproveCall:
		return ui.answerApproval(line)
	case q.Field != nil:
		return ui.sendAnswer(ui.chooseOption(strings.TrimPrefix(line, "="), q.Field.Options))
	case err != nil:
		return err
	}
	return ui.sendAnswer(item.Value)
}

// expandYesNo returns yes for y and no for n, if that is an option and the letter is not. It returns other
// words unchanged.
func expandYesNo(word string, options []string) string {
	full := map[string]string{"y": "yes", "n": "no"}[strings.ToLower(word)]
	if full == "" || !slices.Contains(options, full) || slices.Contains(options, word) {
		return word
	}
	return full
}

// maxLineBytes is the maximum length of a typed line in bytes.
const maxLineBytes = 16 << 20

// inputBuffer holds what a person typed until it is handled.
type inputBuffer struct {
	bytes        []byte
	scannedBytes int // the number of bytes at the start that have no line end
}

// addInput adds input. It returns false if a line is too long.
func (b *inputBuffer) addInput(keys []byte) bool {
	b.bytes = append(b.bytes, keys...)
	return len(b.bytes) <= maxLineBytes || b.hasLine()
}

// endLastLine adds a line end after the last line, so that it is handled too.
func (b *inputBuffer) endLastLine() {
	if n := len(b.bytes); n > 0 && b.bytes[n-1] != '\n' {
		b.bytes = append(b.bytes, '\n')
	}
}

// hasLine reports whether there is a complete line.
func (b *inputBuffer) hasLine() bool {
	i := bytes.IndexByte(b.bytes[b.scannedBytes:], '\n')
	if i < 0 {
		b.scannedBytes = len(b.bytes)
		return false
	}
	b.scannedBytes += i
	return true
}

// takeNextLine removes and returns the first complete line.
func (b *inputBuffer) takeNextLine() (line string, found bool) {
	if !b.hasLine() {
		return "", false
	}
	line, b.bytes, b.scannedBytes = string(b.bytes[:b.scannedBytes]), b.bytes[b.scannedBytes+1:], 0
	return line, true
}
