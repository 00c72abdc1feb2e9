package lines

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// goings are the commands that have the run go on, or hold it.
func (t *Twin) goings() []Command {
	return []Command{
		{Name: "continue", Help: "go on until you are needed", Do: t.goes(engine.Continue), acts: true},
		{Name: "over", Help: "one step, over included documents", Do: t.goes(engine.StepOver), acts: true},
		{Name: "into", Help: "one step, into included documents", Do: t.goes(engine.StepInto), acts: true},
		{Name: "out", Help: "to the end of the group", Do: t.goes(engine.StepOut), acts: true},
		{Name: "run-to", Takes: "STEP", Help: "go on until that step", Do: t.runTo, acts: true},
		{Name: "pause", Help: "hold before the next step", Do: t.hold},
		{Name: "break", Takes: "STEP[:after][ if …]", Help: "hold the run there, or no longer", Do: t.toggleBreak},
		{Name: "breaks", Help: "list the breakpoints", Do: t.listBreaks},
		{Name: "cancel", Help: "cancel the run", Do: func(string) error { return t.session.End(plan.Cancelled, "") }, acts: true},
	}
}

// decisions are the commands that change where the run goes.
func (t *Twin) decisions() []Command {
	return []Command{
		{Name: "answer", Takes: "[REPLY]", Help: "write the answer in $EDITOR, from REPLY on", Do: t.writeAnswer, acts: true},
		{Name: "pass", Takes: "[WHY]", Help: "answer pass, or pass the step; at a pause the next", Do: t.sets("pass"), acts: true},
		{Name: "fail", Takes: "[WHY]", Help: "answer fail, or fail the step; at a pause the next", Do: t.sets("fail"), acts: true},
		{Name: "override", Takes: "pass|fail [WHY]", Help: "set the step before a pause to pass or fail", Do: t.overrides, acts: true},
		{Name: "again", Takes: "[STEP] [WHY]", Help: "run the step again, or an earlier one", Do: t.again, acts: true},
		{Name: "skip", Takes: "[WHY]", Help: "go on without an outcome", Do: t.stepping((*engine.Session).Skip), acts: true},
		{Name: "jump", Takes: "STEP [WHY]", Help: "go to a step", Do: t.jump, acts: true},
		{Name: "undo", Help: "undo what you did last, also going back", Do: t.turns(false), acts: true},
		{Name: "redo", Help: "redo what was undone", Do: t.turns(true), acts: true},
		{Name: "rewind", Takes: "EVENT", Help: "go back to just after an event; see :history", Do: t.rewind, acts: true},
		{Name: "edit", Takes: "[STEP [TEXT]]", Help: "change what a step does, in $EDITOR or to TEXT", Do: t.edit},
		{Name: "set", Takes: "NAME=VALUE", Help: "give a value, also to what :pass takes", Do: t.set},
		{Name: "what-if", Takes: "[STEP] [NAME=VALUE]", Help: "what would be decided; :what-if yes makes it so", Do: t.whatIf},
		{Name: "approvals", Takes: "[each|once|none]", Help: "when you are asked before tool calls", Do: t.approvals},
	}
}

// sourcing are the commands about where replies come from.
func (t *Twin) sourcing() []Command {
	return []Command{
		{Name: "source", Takes: "[NAME]", Help: "where replies come from; choose another", Do: t.source},
		{Name: "by-hand", Help: "reply yourself next time, on or off", Do: t.byHand},
		{Name: "now", Help: "retry at once a call that was put off", Do: t.now},
	}
}

// goes is for going on from a pause.
func (t *Twin) goes(mode engine.Mode) func(string) error {
	return func(string) error {
		if err := t.paused(); err != nil {
			return err
		}
		return t.goOn(mode, "")
	}
}

// goOn has a run that is held go on. It says that it does a little later.
func (t *Twin) goOn(mode engine.Mode, to string) error {
	err := t.session.Go(mode, to)
	t.going = err == nil
	return err
}

// hold has the run pause before the next step.
func (t *Twin) hold(string) error {
	switch t.status.State {
	case engine.Paused:
		return errors.New("the run is held already: :continue goes on")
	case engine.Over:
		return t.paused()
	}
	err := t.session.Pause()
	if err == nil {
		t.line("  the run will be held before the next step")
	}
	return err
}

// paused says what keeps the run from going on.
func (t *Twin) paused() error {
	switch t.status.State {
	case engine.Waits:
		return errors.New("the run waits for your answer; :pause holds it after that")
	case engine.Over:
		return errors.New("the run is over: :again runs the last step again, :jump and :rewind go elsewhere")
	case engine.Running:
		return errors.New("the run is going on; :pause holds it before the next step")
	}
	return nil
}

func (t *Twin) runTo(step string) error {
	row, err := t.step(step)
	if err == nil {
		err = t.paused()
	}
	if err != nil {
		return err
	}
	return t.goOn(engine.Continue, row.Label)
}

// step is the row that is named, or the one that the run is at.
func (t *Twin) step(name string) (*track.Row, error) {
	if name == "" {
		if row := t.at(); row != nil {
			return row, nil
		}
		return nil, errors.New("no step has been entered yet: name one, as :steps lists them")
	}
	name = engine.Unquoted(name)
	if row := t.row(name); row != nil && row.Step != nil {
		return row, nil
	}
	return nil, fmt.Errorf("there is no step %q: %s", name, near.Hint(name, t.labels()))
}

// leading is the step that what stands behind a command begins with, and the rest. Names may
// have blanks: one in quotes counts, else the longest that there is.
func (t *Twin) leading(arg string) (row *track.Row, rest string, err error) {
	if name, rest, is := engine.CutQuoted(arg); is {
		row, err = t.step(name)
		return row, strings.TrimSpace(rest), err
	}
	for end := len(arg); end > 0; end = strings.LastIndexByte(arg[:end], ' ') {
		if row := t.row(strings.TrimSpace(arg[:end])); row != nil && row.Step != nil {
			return row, strings.TrimSpace(arg[end:]), nil
		}
	}
	name, rest, _ := strings.Cut(arg, " ")
	row, err = t.step(name)
	return row, rest, err
}

// at is the row that the run is at, or is about to enter; nil before the first.
func (t *Twin) at() *track.Row {
	if next := t.status.Next; next != nil && t.row(next.Step) != nil {
		return t.row(next.Step)
	}
	return t.track.Current
}

// row is that of a label, if there is one, or is to be one next.
func (t *Twin) row(label string) *track.Row {
	if r := t.soon.At; r != nil && r.Label == label {
		return r
	}
	return t.track.Row(label)
}

func (t *Twin) labels() []string {
	var out []string
	t.each(func(r *track.Row, _ int) {
		if r.Step != nil {
			out = append(out, r.Label)
		}
	})
	return out
}

// sets answers pass or fail, or sets the outcome of the step.
func (t *Twin) sets(result string) func(string) error {
	return func(why string) error {
		switch q := t.status.Question; {
		case t.status.State != engine.Waits || q == nil:
			return t.session.Force(plan.Result(result), why, t.instead...)
		case q.Tool != "" && result == "fail":
			return t.session.Force(plan.Failed, why)
		case q.Field != nil || q.Kind == machine.KindReply || q.Kind == machine.KindApprove:
			return errors.New("a text or a choice is asked for: answer it, or :skip the step")
		}
		return t.session.Answer(machine.Answer{Value: result, By: machine.ByPerson, Note: why, Set: t.instead})
	}
}

// overrides sets the outcome of the step that the run has come from.
func (t *Twin) overrides(arg string) error {
	result, why, _ := strings.Cut(arg, " ")
	if result != "pass" && result != "fail" {
		return errors.New("say which: :override pass, or :override fail")
	}
	return t.session.Override(plan.Result(result), strings.TrimSpace(why), t.instead...)
}

// stepping is for what acts on the step that the run is at.
func (t *Twin) stepping(do func(*engine.Session, string) error) func(string) error {
	return func(why string) error { return do(t.session, why) }
}

// again runs the step that the run is at once more, or goes back to before an earlier one and
// runs that, with what was edited since.
func (t *Twin) again(arg string) error {
	row, why, err := t.leading(arg)
	switch {
	case err != nil || arg == "":
		return t.session.Retry(arg)
	case row == t.track.Current:
		return t.session.Retry(why)
	case row.Last() == nil:
		return fmt.Errorf("nothing of step %s itself has run: :jump %s goes there", row.Label, row.Label)
	case why != "":
		return errors.New("a going back takes no reason: :again STEP")
	}
	i := slices.IndexFunc(t.events, func(e machine.Event) bool { return e.Seq == row.Last().Seq })
	t.stays(i)
	return t.session.Repeat(t.events[i-1].Seq, engine.StepOver)
}

func (t *Twin) jump(arg string) error {
	if arg == "" {
		return errors.New("say which step: :jump STEP")
	}
	row, why, err := t.leading(arg)
	if err != nil {
		return err
	}
	return t.session.Jump(row.Target(), why)
}

// rewind goes back, having said what stays done.
func (t *Twin) rewind(arg string) error {
	seq, err := t.numberOf(arg)
	if err != nil {
		return err
	}
	from := slices.IndexFunc(t.events, func(e machine.Event) bool { return e.Seq == seq })
	if _, begun := t.events[from].Body.(*machine.ActionStarted); !begun { // what it begins is begun again
		from++
	}
	t.stays(from)
	return t.session.Rewind(seq)
}

// turns is for undoing, or redoing, which says of what.
func (t *Twin) turns(redo bool) func(string) error {
	words, turn := "Undone: %s. :redo does it again.", (*engine.Session).Undo
	if redo {
		words, turn = "Redone: %s. :undo takes it back.", (*engine.Session).Redo
	}
	return func(string) error {
		of, err := t.session.Ahead(redo)
		if err == nil {
			err = turn(t.session)
		}
		if err == nil {
			t.line("  "+words, sanitize.Plain(track.Intervention(of)))
		}
		return err
	}
}

// numberOf is an event's number, which the run has.
func (t *Twin) numberOf(arg string) (int, error) {
	seq, err := strconv.Atoi(arg)
	if err != nil || !slices.ContainsFunc(t.events, func(e machine.Event) bool { return e.Seq == seq }) {
		return 0, fmt.Errorf("%q is no event of the run: :history numbers them", arg)
	}
	return seq, nil
}

// stays says what was done from an event on, which going back does not undo.
func (t *Twin) stays(from int) {
	for _, deed := range track.Deeds(t.events[:from], t.events[from:]) {
		t.line("  stays done: %s", deed)
	}
}

func (t *Twin) set(arg string) error {
	name, value, found := strings.Cut(arg, "=")
	if !found || name == "" {
		return errors.New("say it like :set version=1.2; :values lists what there is")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if t.reports(name) {
		return t.amend(name, value)
	}
	if err := t.session.Set(name, value); err != nil {
		return err
	}
	t.line("  %s has that value from here on", label(name))
	return nil
}

// edit changes what a step does in this run.
func (t *Twin) edit(arg string) error {
	row, text, err := t.leading(arg)
	if err != nil {
		return err
	}
	i := row.Editable()
	if i < 0 {
		return fmt.Errorf("step %s runs, asks and calls nothing that could be changed", row.Label)
	}
	was := row.Says(i)
	if text == "" {
		if t.write == nil {
			return errors.New("there is no terminal to edit it at: :edit STEP TEXT gives it another text")
		}
		if text, err = t.write(was); err != nil {
			return err
		}
	}
	if text == was {
		return errors.New("nothing was changed")
	}
	if err := t.session.Edit(row.Target(), i, text); err != nil {
		return err
	}
	t.line("  %s does that from its next execution on, in this run; :write-back writes it into the document", label(row.Label))
	return nil
}

func (t *Twin) approvals(policy string) error {
	if policy == "" {
		t.line("  you are asked before calls of tools: %s", cmp.Or(t.track.Approve, machine.ApproveOnce))
		return nil
	}
	return t.session.Approve(policy)
}

// source lists where replies can come from, or chooses.
func (t *Twin) source(name string) error {
	if name != "" {
		return t.session.Choose(name)
	}
	for _, o := range model.Offered(t.sources) {
		mark := " "
		if o.Name == t.status.Source {
			mark = "*"
		}
		t.line("%s %s  %s", mark, sanitize.Plain(o.Name), sanitize.Plain(o.About))
	}
	return nil
}

func (t *Twin) byHand(string) error {
	own := !t.status.Own
	if err := t.session.TakeOver(own); err != nil {
		return err
	}
	if own {
		t.line("  the next reply is yours")
	} else {
		t.line("  the next reply is not yours")
	}
	return nil
}

func (t *Twin) now(string) error {
	n := t.status.Notice
	if n == nil || n.Skip == nil {
		return errors.New("no call waits to be made again")
	}
	n.Skip()
	return nil
}
