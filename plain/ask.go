package plain

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/scenario"
	"playhead/parse/plan"
)

const answerHelp = `  An answer of the brackets, or: skip (go on without an outcome), retry (run it
  again), goto:STEP, complete:MESSAGE, stop:MESSAGE. End of input keeps the run.`

// readLines reads a person's lines, until there are no more.
func readLines(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// ask puts the open question, once.
func (t *Twin) ask() {
	if t.asked || !t.person {
		return
	}
	t.asked = true
	if t.lines == nil {
		t.leave()
		return
	}
	if t.status.State == engine.Paused {
		t.line("paused before %s: enter goes on, end of input keeps the run", label(t.status.Next.Step))
		return
	}
	q := t.status.Question
	prompt := sanitize.Plain(q.Prompt)
	text := ""
	if row := t.track.Row(q.Action.Step); row != nil && q.Kind == machine.KindDecide {
		text = strings.TrimSpace(sanitize.Text(t.track.Text(row)))
	}
	if strings.Contains(text, "\n") {
		t.line("%s", text)
	} else if text != "" {
		prompt += ": " + text
	}
	fmt.Fprintf(t.out, "[%s] %s [%s/skip/…] ", label(q.Action.Step), prompt, strings.Join(q.Options, "/"))
}

// heard is a line that a person typed: an answer, or input of what runs.
func (t *Twin) heard(line string, more bool) {
	var err error
	switch {
	case !more:
		t.lines = nil
		if t.asked {
			t.line("")
			t.leave()
		}
	case t.status.State == engine.Waits:
		err = t.answer(strings.TrimSpace(line))
	case t.status.State == engine.Paused:
		err = t.session.Go(engine.Continue, "")
	case t.status.State == engine.Running:
		err = t.session.Type([]byte(line + "\n"))
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
