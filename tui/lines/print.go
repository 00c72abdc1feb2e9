package lines

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// The colours of the twin are the terminal's own: there is no theme without a screen.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	faint  = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

var tints = map[string]string{
	"pass": green, "completed": green, "fail": red, "failed": red, "stopped": red, "error": red,
	"skipped": yellow, "warning": yellow, "awaiting_input": yellow, "cancelled": yellow,
}

func (t *LineUI) paint(colour, text string) string {
	if !t.colour || colour == "" || text == "" {
		return text
	}
	return colour + text + reset
}

// event prints what happened.
func (t *LineUI) event(e machine.Event) {
	t.tells(e)
	switch b := e.Body.(type) {
	case *machine.Entered:
		t.checked, t.wanting = false, nil
		t.arrives(e, b)
		t.line("%s", t.paint(bold, t.where(e)))
	case *machine.ActionStarted:
		t.started(e, b)
	case *machine.ActionFinished:
		t.finished(e, b)
	case *machine.InputNeeded:
		t.wanting = b.Values
		t.needed(e, b)
	case *machine.InputGiven:
		if e.By != machine.ByAuto {
			t.wanting = nil
		}
	case *machine.Decision:
		t.routed(e, b)
	case *machine.ChildEntered:
		t.line("[%s] %s", label(b.Label), sanitize.Plain(b.Document))
	case *machine.ChildFinished:
		t.line("[%s] %s%s", label(b.Label), t.paint(tints[string(b.Result)], string(b.Result)), quoted(b.Message))
	case *machine.Warned:
		t.line("%s%s %s [%s]", mark(e.Step), t.paint(yellow, "warning:"), sanitize.Plain(b.Message), b.Code)
	case *machine.Finished:
		t.ended(b)
	}
	if t.session == nil {
		t.happened(e)
	}
}

// started shows what is executed.
func (t *LineUI) started(e machine.Event, b *machine.ActionStarted) {
	switch b.Kind {
	case "command":
		t.running = journal.LogName(e.Seq)
		t.command(b.Text)
		t.screen.pass()
	case "tool":
		t.tool(b.Server, b.Tool, b.Args)
	}
}

// where names the unit that is entered.
func (t *LineUI) where(e machine.Event) string {
	text := "[" + label(e.Step) + "]"
	if row := t.track.Row(e.Step); row != nil {
		text = heading(row)
	}
	if e.Attempt > 1 {
		text += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	return text
}

// command prints a command as a person would have typed it.
func (t *LineUI) command(text string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		prompt := "$ "
		if i > 0 {
			prompt = "  "
		}
		t.line("%s", t.paint(faint, prompt+sanitize.Plain(line)))
	}
}

// tool prints the call of a tool.
func (t *LineUI) tool(server, name, args string) {
	for _, line := range calling(server, name, args) {
		t.line("%s", t.paint(faint, line))
	}
}

// calling is the call of a tool as lines, with its arguments if it has any.
func calling(server, name, args string) []string {
	out := []string{"→ " + sanitize.Plain(tools.Title(server, name))}
	if args = tools.Pretty(sanitize.Unpadded(args)); args == "" || args == "{}" {
		return out
	}
	for line := range strings.SplitSeq(args, "\n") {
		out = append(out, "  "+sanitize.Plain(line))
	}
	return out
}

// needed shows what a person is to judge, or would have been executed.
func (t *LineUI) needed(e machine.Event, b *machine.InputNeeded) {
	row := t.track.Row(e.Step)
	if row != nil && b.Kind == machine.KindAccept {
		t.checks(row.Checks())
	}
	if b.Kind != machine.KindDecide || row == nil || b.Action >= len(row.Step.Actions) {
		return
	}
	switch w := row.Step.Actions[b.Action].Work.(type) {
	case plan.Command:
		t.command(plan.Show(w.Text, t.track.Scope(row)))
	case plan.Tool:
		t.tool(w.Server, w.Name, plan.Show(w.Args, t.track.Scope(row)))
	case plan.Include:
		for _, doc := range w.Docs {
			t.line("- %s", sanitize.Plain(doc))
		}
	case plan.Decide:
		if w.Show != nil {
			t.line("    %s", strings.ReplaceAll(strings.TrimRight(sanitize.Text(w.Show.Text), "\n"), "\n", "\n    "))
		}
	}
}

// checks prints what a step's outcome was judged by, once.
func (t *LineUI) checks(all []plan.Check) {
	if t.checked {
		return
	}
	t.checked = len(all) > 0
	for _, c := range all {
		verdict := string(c.Verdict)
		line := "  " + t.paint(cmp.Or(tints[verdict], yellow), verdict) + " " + sanitize.Plain(c.Text)
		if c.Detail != "" {
			line += t.paint(faint, " · "+sanitize.Plain(c.Detail))
		}
		t.line("%s", line)
	}
}

// routed prints a move: what the step came to, where it leads and which line says
// so.
func (t *LineUI) routed(e machine.Event, d *machine.Decision) {
	result := "moved"
	if d.Outcome != nil {
		t.checks(d.Outcome.Checks)
		result = string(d.Outcome.Result)
	} else if d.Arrival.Again {
		result = "retried"
	} else if d.Untaken() {
		result = "no branch taken"
	}
	line := fmt.Sprintf("%s%s", mark(e.Step), t.paint(tints[result], result))
	if how := t.how(e, d); how != "" {
		line += " (" + how + ")"
	}
	t.line("%s -> %s%s", line, label(d.To), t.because(e, d))
}

// how is where the outcome came from, and how long it took.
func (t *LineUI) how(e machine.Event, d *machine.Decision) string {
	var parts []string
	if d.Untaken() {
		parts = d.Compared()
	} else if d.Outcome != nil && len(d.Outcome.Results) > 0 && d.Taken != nil {
		parts = append(parts, d.Outcome.Deciders())
	} else if d.Outcome != nil && d.Outcome.Source != "" {
		parts = append(parts, d.Outcome.Source+cause(d))
		if row := t.track.Row(e.Step); row != nil && row.Took >= 50*time.Millisecond {
			parts = append(parts, fmt.Sprintf("%.1fs", row.Took.Seconds()))
		}
	}
	return sanitize.Plain(strings.Join(parts, ", "))
}

// cause is the reason of an outcome, unless the route that is taken says it.
func cause(d *machine.Decision) string {
	if d.Outcome.Why != "" && d.Taken != nil && !d.Forced {
		return ""
	}
	return reason(d.Outcome.Reason)
}

// because is the route that was taken, or who chose without one.
func (t *LineUI) because(e machine.Event, d *machine.Decision) string {
	switch {
	case d.Forced && strings.HasPrefix(e.Reason, "prepared by"):
		return sanitize.Plain(" (" + e.Reason + ")")
	case d.Forced:
		return sanitize.Plain(" (by " + e.By + reason(e.Reason) + ")")
	case d.Taken == nil:
		return ""
	}
	c := d.Candidates[*d.Taken]
	text := c.Text
	if d.Outcome != nil && d.Outcome.Why != "" { // the format says it all in its own words
		text = c.Why
	} else if spent := c.Reason.Spent(); spent != "" {
		text += "; " + spent
	}
	if c.Implicit {
		return sanitize.Plain(" (default: " + text + ")")
	}
	return sanitize.Plain(fmt.Sprintf(" (line %d: %s)", c.Line, text))
}

func label(l string) string { return sanitize.Plain(l) }

func mark(step string) string {
	if step == "" {
		return ""
	}
	return "[" + label(step) + "] "
}

func quoted(message string) string {
	if message == "" {
		return ""
	}
	return fmt.Sprintf(": %q", sanitize.Plain(message))
}

func reason(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
