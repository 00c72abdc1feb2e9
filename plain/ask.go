package plain

import (
	"bytes"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/scenario"
	"playhead/parse/plan"
)

const answerHelp = `  An answer of the brackets, or: skip (go on without an outcome), retry (run it
  again, as one more attempt), goto:STEP, complete:MESSAGE, stop:MESSAGE. End of
  input keeps the run.`

// ask puts the open question, once.
func (t *Twin) ask() {
	if t.asked || !t.person {
		return
	}
	t.asked = true
	if t.keys == nil {
		t.leave()
		return
	}
	if t.status.State == engine.Paused {
		t.line("paused before %s: enter goes on, end of input keeps the run", label(t.status.Next.Step))
		return
	}
	q := t.status.Question
	above, prompt := t.question(q.Action.Step, q.Kind, q.Prompt)
	if above != "" {
		t.line("%s", above)
	}
	t.print("[%s] %s [%s/skip/…] ", label(q.Action.Step), prompt, strings.Join(q.Options, "/"))
}

// question is what a person is asked, with the step's text: in front if it is a
// line, above if it is more.
func (t *Twin) question(step, kind, asked string) (above, prompt string) {
	prompt = sanitize.Plain(asked)
	row := t.track.Row(step)
	if row == nil || kind != machine.KindDecide {
		return "", prompt
	}
	text := strings.TrimSpace(sanitize.Text(t.track.Text(row)))
	if strings.Contains(text, "\n") {
		return text, prompt
	}
	if text != "" {
		prompt += ": " + text
	}
	return "", prompt
}

// heard is what a person typed: input of what runs, or answers, each a line.
func (t *Twin) heard(keys []byte, more bool) {
	if !more {
		t.keys = nil
		if t.asked {
			t.line("")
			t.leave()
		}
		return
	}
	if t.status.State == engine.Running {
		_ = t.session.Type(keys) // refused when nothing runs any more: it was not meant for what comes next
		return
	}
	t.typed = append(t.typed, keys...)
	for {
		line, rest, whole := bytes.Cut(t.typed, []byte("\n"))
		if !whole {
			return
		}
		t.typed = rest
		t.says(strings.TrimSpace(string(line)))
	}
}

// says does what a line says, at the open question or at a pause.
func (t *Twin) says(line string) {
	var err error
	switch t.status.State {
	case engine.Waits:
		err = t.answer(line)
	case engine.Paused:
		err = t.session.Go(engine.Continue, "")
	}
	if err != nil {
		t.line("  %s", sanitize.Plain(err.Error()))
		t.asked = false
		t.ask()
	}
}

// answer does what a line says.
func (t *Twin) answer(line string) error {
	if line == "" || line == "?" || line == "help" {
		t.line("%s", answerHelp)
		t.asked = false
		t.ask()
		return nil
	}
	item, err := scenario.Item(line, machine.ByPerson)
	if err != nil {
		return err
	}
	verb, arg, _ := strings.Cut(item.Value, ":")
	switch verb {
	case "skip":
		return t.session.Skip("")
	case "retry":
		return t.session.Retry("")
	case "goto":
		return t.session.Jump(arg, "")
	case "complete":
		return t.session.End(plan.Completed, arg)
	case "stop":
		return t.session.End(plan.Stopped, arg)
	default:
		return t.session.Answer(machine.Answer{Value: item.Value, By: machine.ByPerson})
	}
}
