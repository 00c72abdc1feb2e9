package lines

import (
	"cmp"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// onScreenOnly are the actions of engine/control that lines have in another form: what-if makes
// its change with "yes".
var onScreenOnly = []string{"instead", "take-control"}

// actions returns a command for each action of engine/control, and breaks beside break.
func (t *LineUI) actions() []Command {
	var out []Command
	for _, a := range control.All() {
		if slices.Contains(onScreenOnly, a.Name) {
			continue
		}
		c := Command{Name: a.Name, Takes: a.Usage(), Help: a.Help, moves: a.Moves}
		c.Do = func(line string) error { return t.act(&a, line) }
		if own := t.findAdaptation(a.Name); own != nil {
			c.Takes, c.Do = own.takes, func(line string) error { return own.do(&a, line) }
		}
		out = append(out, c)
		if a.Name == "reload" {
			out = append(out, Command{Name: "allow", Help: "allow the new commands of the changed document", Do: t.versions.allow})
		}
		if a.Name == "break" {
			out = append(out, Command{Name: "breaks", Help: "list the breakpoints", Do: t.listBreaks})
		}
	}
	return out
}

// adaptation is what a line does for an action besides performing it: it opens an editor or lists
// what can be given.
type adaptation struct {
	takes string
	do    func(a *control.Action, line string) error
}

func (t *LineUI) findAdaptation(action string) *adaptation {
	switch action {
	case "break":
		return &adaptation{"[STEP][:after][ if …]", t.toggleBreak}
	case "answer":
		return &adaptation{"[VALUE]", t.answerOpen}
	case "edit":
		return &adaptation{"[STEP [TEXT]]", t.edit}
	case "set":
		return &adaptation{"NAME=VALUE", t.set}
	case "insert-step":
		return &adaptation{"before|after STEP TEXT", t.insertStep}
	case "edit-rule":
		return &adaptation{"[STEP [N [TEXT]]|yes]", t.versions.editRule}
	case "reload":
		return &adaptation{"[here [STEP]|rewind|restart]", t.versions.reload}
	case "shell":
		return &adaptation{"[STEP]", t.openShell}
	case "approvals":
		return &adaptation{"[each|once|none]", t.approvals}
	case "source":
		return &adaptation{"[NAME]", t.source}
	}
	return nil
}

// act performs an action with the arguments that a line gives.
func (t *LineUI) act(a *control.Action, line string) error {
	args, err := a.Parse(t.run(), line)
	if err != nil {
		return explainRefusal(err)
	}
	return t.perform(a, args)
}

// perform prints what the action will change, performs it and prints what follows.
func (t *LineUI) perform(a *control.Action, args control.Args) error {
	run := t.run()
	args.Values = t.correctedValues
	if why := a.Unavailable(run, args); why != "" {
		return errors.New(why.With(howToAsk))
	}
	if next, err := t.nextTurn(a.Name); err == nil && next.Seq > 0 {
		args.Event = next.Seq
	}
	t.announce(a.Effect(run, args))
	err := a.Do(t.session, run, args)
	if broken := (*engine.InvalidError)(nil); errors.As(err, &broken) {
		return t.refuse(broken.Problems)
	}
	if err != nil {
		return explainRefusal(err)
	}
	t.performed(a, run, args)
	return nil
}

// nextTurn returns the event that undo or redo is about. Another action is about none.
func (t *LineUI) nextTurn(action string) (machine.Event, error) {
	switch action {
	case "undo":
		return t.session.NextUndo()
	case "redo":
		return t.session.NextRedo()
	}
	return machine.Event{}, nil
}

// announce prints what an action will do where it would be confirmed on a screen. Lines do not
// ask: undo takes it back.
func (t *LineUI) announce(e control.Effect) {
	if !e.Confirm {
		return
	}
	if e.Text != "" {
		t.line("  %s", sanitize.Plain(e.Text.With(howToAsk)))
	}
	for _, done := range e.StaysDone {
		t.line("  not undone: %s", sanitize.Plain(done))
	}
}

// performed prints the result of an action that no event shows.
func (t *LineUI) performed(a *control.Action, run control.Run, args control.Args) {
	switch a.Name {
	case "continue", "over", "into", "out", "run-to":
		t.isContinuing = true
	case "pause":
		if run.Status.State != engine.Paused {
			t.line("  The run pauses before the next step.")
		}
	case "set":
		t.line("  %s is set from here on.", label(args.Name))
	case "edit":
		t.line("  Step %s uses the edit from its next visit. Type :write-back to write it into the document.", label(run.Step(args).Label))
	case "undo", "redo":
		t.printUndo(a.Name, run, args.Event)
	case "manual-reply":
		if run.Status.NextReplyManual {
			t.line("  You no longer write the next reply.")
		} else {
			t.line("  You write the next reply.")
		}
	}
}

// printUndo prints what was undone or redone.
func (t *LineUI) printUndo(action string, run control.Run, seq int) {
	i := slices.IndexFunc(run.Events, func(e machine.Event) bool { return e.Seq == seq })
	words, back := "Undone", "redo"
	if action == "redo" {
		words, back = "Redone", "undo"
	}
	what := ""
	if i >= 0 {
		what = ": " + track.Intervention(run.Events[i])
	}
	t.line("  %s%s. %s to %s it.", words, sanitize.Plain(what), capital(howToAsk(back)), back)
}

// run returns the run as engine/control sees it.
func (t *LineUI) run() control.Run {
	run := t.view.run()
	run.Breaks, run.Sources, run.Now = t.breakpoints, t.sources, time.Now()
	run.Saved = t.versions.saved
	run.Begun, run.Stepping, run.Replay = t.session != nil || t.play != nil, t.isContinuing, t.play != nil
	return run
}

// howToAsk returns how a person asks for an action in lines.
func howToAsk(action string) string {
	if action == "answer" {
		return "type a reply"
	}
	return "type " + colon + action
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// explainRefusal returns an error of engine/control that names commands of the line interface.
func explainRefusal(err error) error {
	if refusal, is := errors.AsType[*control.Refusal](err); is {
		return errors.New(refusal.Reason.With(howToAsk))
	}
	return err
}

// action returns the command of engine/control with a name that it has.
func action(name string) *control.Action { return control.Find(name) }

// answerOpen gives an answer, or lets the person write one in their editor.
func (t *LineUI) answerOpen(a *control.Action, line string) error {
	if q := t.status.Question; line != "" && q != nil && q.Kind != machine.KindReply {
		return t.act(a, line)
	}
	return t.writeAnswer(line)
}

// set sets a variable, or a value that passing the step takes.
func (t *LineUI) set(a *control.Action, line string) error {
	args, err := a.Parse(t.run(), line)
	if err == nil && t.isReported(args.Name) {
		return t.changeReported(args.Name, args.Text)
	}
	if err != nil {
		return explainRefusal(err)
	}
	return t.perform(a, args)
}

// edit changes what a step does in this run, in the person's editor where the line has no text.
func (t *LineUI) edit(a *control.Action, line string) error {
	args, err := a.Parse(t.run(), line)
	if err != nil {
		return explainRefusal(err)
	}
	run := t.run()
	if why := a.Unavailable(run, args); why != "" {
		return errors.New(why.With(howToAsk))
	}
	if args.Text == "" {
		if t.write == nil {
			return errors.New("there is no terminal for an editor: :edit STEP TEXT gives the step another text")
		}
		if args.Text, err = t.write(run.Step(args).ActionText(args.Action)); err != nil {
			return err
		}
	}
	return t.perform(a, args)
}

// insertStep inserts a step, whose lines are written in one.
func (t *LineUI) insertStep(a *control.Action, line string) error {
	args, err := a.Parse(t.run(), line)
	if err != nil {
		return explainRefusal(err)
	}
	args.Text = strings.ReplaceAll(args.Text, `\n`, "\n")
	return t.perform(a, args)
}

// openShell gives the terminal to a shell at a step until that exits.
func (t *LineUI) openShell(a *control.Action, line string) error {
	run := t.run()
	args, err := a.Parse(run, line)
	if err != nil {
		return explainRefusal(err)
	}
	if t.shell != nil {
		args.Terminal = func(cmd *exec.Cmd) error { return t.shell(wording.ShellHeading(run.ShellStep(args)), cmd) }
	}
	return t.perform(a, args)
}

// approvals prints when a person is asked before tool calls, or sets it.
func (t *LineUI) approvals(a *control.Action, line string) error {
	if line != "" {
		return t.act(a, line)
	}
	t.line("  Tool calls need your approval: %s.", cmp.Or(t.track.Approve, machine.ApproveOnce))
	return nil
}

// source lists where replies can come from, or chooses.
func (t *LineUI) source(a *control.Action, line string) error {
	if line != "" {
		return t.act(a, line)
	}
	for _, o := range model.WithManual(t.sources) {
		mark := " "
		if o.Name == t.status.Source {
			mark = "*"
		}
		t.line("%s %s  %s", mark, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	return nil
}

// toggleBreak sets or clears a breakpoint, by default at the step that the run is at, for this
// run and for the document's next ones.
func (t *LineUI) toggleBreak(a *control.Action, line string) error {
	run := t.run()
	if row := run.Position(); line == "" && row != nil {
		line = engine.QuoteStep(row.BreakName())
	}
	args, err := a.Parse(run, line)
	if err != nil {
		return explainRefusal(err)
	}
	if err := t.perform(a, args); err != nil {
		return err
	}
	before := len(t.breakpoints)
	t.breakpoints = run.ToggleBreakpoint(args.Break)
	if len(t.breakpoints) < before {
		t.line("  The run no longer pauses at %s.", label(args.Break.Step))
	} else {
		t.line("  The run pauses at %s.", sanitize.Plain(args.Break.String()))
	}
	if t.keepBreaks == nil {
		return nil
	}
	return t.keepBreaks(t.breakpoints)
}

func (t *LineUI) listBreaks(string) error {
	if len(t.breakpoints) == 0 {
		t.line("  There are no breakpoints. :break STEP sets one.")
	}
	for _, b := range t.breakpoints {
		hits := ""
		if n := t.status.Hits[b.String()]; n > 0 {
			hits = ", reached " + wording.Count(n, "time")
		}
		t.line("  %s%s", sanitize.Plain(b.String()), hits)
	}
	return nil
}
