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

const answerHelp = `  Type one of the answers in brackets (y and n will do for yes and no), or: skip
  (continue without an outcome), retry (run it again, as one more attempt),
  goto:STEP, complete:MESSAGE, stop:MESSAGE. The end of input keeps the run.
  Where a text is asked for, a line is that text. To send one of these words as
  text, put = first. In a report, - leaves a value empty, and json: in front makes
  it JSON. Text after no: goes to the model; edit:JSON allows a call with other
  arguments, and answer:TEXT is its result instead.
  A colon begins a command, such as :steps, :why or :undo; :help lists them.`

// ask asks the open question, once.
func (t *LineUI) ask() {
	if t.hasAsked || !t.person {
		return
	}
	t.hasAsked = true
	if t.bell {
		t.print("\a")
	}
	switch {
	case t.play != nil:
		t.play.announcePause()
		return
	case t.status.State == engine.Paused:
		t.line("paused %s: enter continues, :quit keeps the run, :help lists the rest", t.describePause())
		return
	case t.status.State == engine.Over:
		t.printReported()
		t.line("the run is over: enter quits, :help lists the commands")
		return
	}
	switch q := t.status.Question; q.Kind {
	case machine.KindReply:
		t.askReply(q)
	case machine.KindApproveCall:
		t.askCall(q)
	default:
		above, prompt := t.questionText(q.Action.Step, q.Kind, q.Prompt)
		if above != "" {
			t.line("%s", above)
		}
		t.printReported()
		t.prompt(prompt, t.numbered(q.Options))
	}
}

// describePause returns where a run is paused, and by which breakpoint.
func (t *LineUI) describePause() string {
	at := "before the next action"
	if next := t.status.NextEvent; next != nil {
		at = next.PauseSide() + " " + label(next.Step)
	}
	if t.status.Break != "" {
		at += " at breakpoint " + sanitize.Plain(t.status.Break)
	}
	return at
}

// receive takes what a person typed: input of the command that runs, or lines.
func (t *LineUI) receive(keys []byte, more bool) {
	switch {
	case !more:
		t.keys = nil
		t.typed.end()
	case t.commandReads():
		_ = t.session.Type(keys) // refused when nothing runs any more: it was not meant for what comes next
	case !t.typed.add(keys):
		t.line("\n  the line is too long: nothing more is read")
		t.keys, t.typed = nil, inputBuffer{}
	}
}

// commandReads reports whether what a person types is input of the running command. In a replay
// no command runs, whatever the recording shows.
func (t *LineUI) commandReads() bool {
	return t.play == nil && !t.script && t.status.State == engine.Running && t.running != ""
}

// input returns the channel of what a person types. While lines of a script wait it is nil: a
// script may have no end.
func (t *LineUI) input() <-chan []byte {
	if t.script && t.typed.hasLine() {
		return nil
	}
	return t.keys
}

// hasInput reports whether a person has typed, or may still type, something.
func (t *LineUI) hasInput() bool { return t.person && (t.keys != nil || len(t.typed.text) > 0) }

// takeLines handles the lines that were typed. A script's line waits until the run does.
func (t *LineUI) takeLines() {
	for !t.closing && (!t.script || t.isReady()) {
		line, whole := t.typed.line()
		if !whole {
			break
		}
		t.takeLine(strings.TrimSpace(line))
	}
	if t.person && !t.closing && !t.hasInput() && t.isReady() {
		t.line("")
		t.leave()
	}
}

// isReady reports whether the run waits or is paused, and the person was told.
func (t *LineUI) isReady() bool {
	return t.hasAsked && !t.isContinuing && t.status.State != engine.Running
}

// takeLine handles a line. Where no terminal has shown it, it is printed behind the question.
func (t *LineUI) takeLine(line string) {
	if !t.script {
		t.handleLine(line)
		return
	}
	if t.play != nil || t.status.State != engine.Waits {
		t.print("> ")
	}
	t.print("%s\n", sanitize.Plain(line))
	t.handleLine(line)
	t.update(t.watcher.Take())
}

// answerActions maps the word that an answer may begin with to its action.
var answerActions = map[string]string{"skip": "skip", "retry": "rerun", "goto": "jump", "complete": "complete", "stop": "stop"}

// answer gives the answer that a line holds, or performs the action that it names.
func (t *LineUI) answer(line string) error {
	if line == "" && t.unsentReply != "" {
		return t.answerWith(t.unsentReply)
	}
	if line == "" || line == "?" || line == "help" {
		t.line("%s", answerHelp)
		t.hasAsked = false
		t.ask()
		return nil
	}
	line = initial(line, t.status.Question.Options)
	item, err := scenario.Item(line, machine.ByPerson)
	verb, arg, _ := strings.Cut(item.Value, ":")
	if name, is := answerActions[verb]; is {
		return t.act(action(name), arg)
	}
	switch q := t.status.Question; {
	case q.Kind == machine.KindReply:
		return t.reply(q, line)
	case q.Kind == machine.KindApproveCall:
		return t.approve(line)
	case q.Field != nil:
		return t.answerWith(t.chooseOption(strings.TrimPrefix(line, "="), q.Field.Options))
	case err != nil:
		return err
	}
	return t.answerWith(item.Value)
}

// initial returns the yes or no that a letter stands for, where that can be answered and no option
// is the letter itself. It returns any other word as it is.
func initial(word string, options []string) string {
	full := map[string]string{"y": "yes", "n": "no"}[strings.ToLower(word)]
	if full == "" || !slices.Contains(options, full) || slices.Contains(options, word) {
		return word
	}
	return full
}

// maxLine is the longest line that is read.
const maxLine = 16 << 20

// inputBuffer holds what a person typed until it is handled.
type inputBuffer struct {
	text    []byte
	scanned int // so much of it is known to have no line end
}

// add adds input. It reports false if a line has grown too long.
func (t *inputBuffer) add(keys []byte) bool {
	t.text = append(t.text, keys...)
	return len(t.text) <= maxLine || t.hasLine()
}

// end ends the last line, so that it is handled, too.
func (t *inputBuffer) end() {
	if n := len(t.text); n > 0 && t.text[n-1] != '\n' {
		t.text = append(t.text, '\n')
	}
}

// hasLine reports whether there is a complete line.
func (t *inputBuffer) hasLine() bool {
	i := bytes.IndexByte(t.text[t.scanned:], '\n')
	if i < 0 {
		t.scanned = len(t.text)
		return false
	}
	t.scanned += i
	return true
}

// line removes and returns the first complete line.
func (t *inputBuffer) line() (line string, found bool) {
	if !t.hasLine() {
		return "", false
	}
	line, t.text, t.scanned = string(t.text[:t.scanned]), t.text[t.scanned+1:], 0
	return line, true
}
