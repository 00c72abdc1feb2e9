package lines

import (
	"bytes"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/scenario"
)

const answerHelp = `  Type one of the answers in brackets (y and n work at yes/no questions), or:
  skip (skip the step and continue), retry (run it again, as one more attempt),
  goto:STEP, complete:MESSAGE, stop:MESSAGE. Ctrl+D (the end of input) quits and
  keeps the run. If a question asks for text, type it on one line; start it with
  = to send one of these words as text. In a report, type - for an empty value,
  or json:VALUE for JSON. For a tool call, no:TEXT refuses it and sends TEXT to
  the model, edit:JSON allows it with other arguments, and answer:TEXT gives its
  result without calling the tool.
  A colon begins a command, such as :steps, :why or :undo; :help lists them.`

// askQuestion asks the open question, once.
func (t *LineUI) askQuestion() {
	if t.hasAskedQuestion || !t.hasPerson {
		return
	}
	t.hasAskedQuestion = true
	if t.ringsBell {
		t.print("\a")
	}
	switch {
	case t.playback != nil:
		t.playback.printPause()
		return
	case t.status.State == engine.Paused:
		t.printLine("paused %s: enter continues, :quit leaves and keeps the run, :help lists all commands", t.describePause())
		return
	case t.status.State == engine.Over:
		t.printReportedValues()
		t.printLine("the run is over: enter quits, :help lists the commands")
		return
	}
	switch q := t.status.Question; q.Kind {
	case machine.KindReply:
		t.askReply(q)
	case machine.KindApproveCall:
		t.askCall(q)
	default:
		above, prompt := t.questionText(q.Action.StepLabel, q.Kind, q.Prompt)
		if above != "" {
			t.printLine("%s", above)
		}
		t.printReportedValues()
		t.printAnswerPrompt(prompt, t.numberOptions(q.Options))
	}
}

// describePause returns where a run is paused, and by which breakpoint.
func (t *LineUI) describePause() string {
	at := "before the next action"
	if next := t.status.NextEvent; next != nil {
		at = next.PausePreposition() + " " + plainLabel(next.Step)
	}
	if t.status.HitBreakpoint != "" {
		at += " at breakpoint " + sanitize.Plain(t.status.HitBreakpoint)
	}
	return at
}

// receiveKeys handles what a person typed: input of the running command, or lines.
func (t *LineUI) receiveKeys(keys []byte, more bool) {
	switch {
	case !more:
		t.typedKeys = nil
		t.unhandledInput.endLastLine()
	case t.isInputForCommand():
		_ = t.session.TypeIntoCommand(keys) // it fails if the command has ended; the keys were not meant for anything else
	case !t.unhandledInput.addInput(keys):
		t.printLine("\n  the line is too long: Playhead ignores it and all further input")
		t.typedKeys, t.unhandledInput = nil, inputBuffer{}
	}
}

// isInputForCommand reports whether what a person types is input of the running command. In a replay
// no command runs, whatever the recording shows.
func (t *LineUI) isInputForCommand() bool {
	return t.playback == nil && !t.isScript && t.status.State == engine.Running && t.runningLogName != ""
}

// keysToRead returns the channel of what a person types. It returns nil while a line of a script waits, so
// that no more is read: a script may be endless.
func (t *LineUI) keysToRead() <-chan []byte {
	if t.isScript && t.unhandledInput.hasLine() {
		return nil
	}
	return t.typedKeys
}

// hasInput reports whether a person has typed, or may still type, something.
func (t *LineUI) hasInput() bool {
	return t.hasPerson && (t.typedKeys != nil || len(t.unhandledInput.bytes) > 0)
}

// handleTypedLines handles the lines that were typed. A line of a script is handled when the run waits or is
// paused.
func (t *LineUI) handleTypedLines() {
	for !t.isClosing && (!t.isScript || t.isReadyForLine()) {
		line, whole := t.unhandledInput.takeNextLine()
		if !whole {
			break
		}
		t.echoAndHandleLine(strings.TrimSpace(line))
	}
	if t.hasPerson && !t.isClosing && !t.hasInput() && t.isReadyForLine() {
		t.printLine("")
		t.closeSession()
	}
}

// isReadyForLine reports whether the run waits, is paused or is over, and the person has been asked.
func (t *LineUI) isReadyForLine() bool {
	return t.hasAskedQuestion && !t.isContinuing && t.status.State != engine.Running
}

// echoAndHandleLine handles a line. It prints the line of a script after the question, because no terminal has
// shown it.
func (t *LineUI) echoAndHandleLine(line string) {
	if !t.isScript {
		t.handleLine(line)
		return
	}
	if t.playback != nil || t.status.State != engine.Waiting {
		t.print("> ")
	}
	t.print("%s\n", sanitize.Plain(line))
	t.handleLine(line)
	t.handleUpdate(t.watcher.Take())
}

// actionByAnswerWord maps the words with which an answer can begin to the names of actions.
var actionByAnswerWord = map[string]string{"skip": "skip", "retry": "rerun", "goto": "jump", "complete": "complete", "stop": "stop"}

// answerOrAct answers the open question with a line, or performs the action that the line names.
func (t *LineUI) answerOrAct(line string) error {
	if line == "" && t.unsentReply != "" {
		return t.sendAnswer(t.unsentReply)
	}
	if line == "" || line == "?" || line == "help" {
		t.printLine("%s", answerHelp)
		t.hasAskedQuestion = false
		t.askQuestion()
		return nil
	}
	line = expandYesNo(line, t.status.Question.Options)
	item, err := scenario.ParseAnswer(line, machine.ByPerson)
	verb, arg, _ := strings.Cut(item.Value, ":")
	if name, is := actionByAnswerWord[verb]; is {
		return t.parseAndPerform(controlAction(name), arg)
	}
	switch q := t.status.Question; {
	case q.Kind == machine.KindReply:
		return t.handleReply(q, line)
	case q.Kind == machine.KindApproveCall:
		return t.answerApproval(line)
	case q.Field != nil:
		return t.sendAnswer(t.chooseOption(strings.TrimPrefix(line, "="), q.Field.Options))
	case err != nil:
		return err
	}
	return t.sendAnswer(item.Value)
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
func (t *inputBuffer) addInput(keys []byte) bool {
	t.bytes = append(t.bytes, keys...)
	return len(t.bytes) <= maxLineBytes || t.hasLine()
}

// endLastLine adds a line end after the last line, so that it is handled too.
func (t *inputBuffer) endLastLine() {
	if n := len(t.bytes); n > 0 && t.bytes[n-1] != '\n' {
		t.bytes = append(t.bytes, '\n')
	}
}

// hasLine reports whether there is a complete line.
func (t *inputBuffer) hasLine() bool {
	i := bytes.IndexByte(t.bytes[t.scannedBytes:], '\n')
	if i < 0 {
		t.scannedBytes = len(t.bytes)
		return false
	}
	t.scannedBytes += i
	return true
}

// takeNextLine removes and returns the first complete line.
func (t *inputBuffer) takeNextLine() (line string, found bool) {
	if !t.hasLine() {
		return "", false
	}
	line, t.bytes, t.scannedBytes = string(t.bytes[:t.scannedBytes]), t.bytes[t.scannedBytes+1:], 0
	return line, true
}
