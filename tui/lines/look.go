package lines

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// looks are the commands that change nothing.
func (t *LineUI) looks() []Command {
	return []Command{
		{Name: "steps", Help: "all steps, and how each went", Do: t.steps, looks: true},
		{Name: "text", Takes: "[STEP]", Help: "what a step says", Do: t.text, looks: true},
		{Name: "output", Takes: "[STEP] [all]", Help: "the output of a step", Do: t.outputOf, looks: true},
		{Name: "why", Takes: "[STEP]", Help: "why the run went where it did from a step", Do: t.why, looks: true},
		{Name: "values", Help: "the variables", Do: t.values, looks: true},
		{Name: "history", Takes: "[N]", Help: "the last events, or the last N", Do: t.history, looks: true},
		{Name: "find", Takes: "TEXT", Help: "search the steps and their output", Do: t.find},
		{Name: "next-match", Help: "more of what :find found", Do: t.findMore},
		{Name: "reasoning", Takes: "[STEP]", Help: "what a model thought before its reply", Do: t.reasoning, looks: true},
		{Name: "summary", Help: "how the run ended", Do: t.summary, looks: true},
		{Name: "map", Help: "the steps and where their routes lead", Do: t.routeMap, looks: true},
		{Name: "look-back", Takes: "EVENT COMMAND", Help: "look as of an event: :look-back 12 values", Do: t.lookBack},
		{Name: "copy", Takes: "[STEP|COMMAND]", Help: "copy the output of a step, or :why, :text …", Do: t.copy},
		{Name: "outside", Takes: "[STEP|COMMAND]", Help: "open a copy of that in $PAGER or $EDITOR", Do: t.outside},
	}
}

// each visits the rows that show, with how deep they lie.
func (t *LineUI) each(visit func(r *track.Row, depth int)) {
	var walk func(rows []*track.Row, depth int)
	walk = func(rows []*track.Row, depth int) {
		for _, r := range t.soon.Among(rows) {
			if !r.Hidden {
				visit(r, depth)
			}
			walk(r.Children, depth+1)
		}
	}
	walk(t.track.Rows, 0)
}

// steps lists the tree, with a word for what the screen has signs for.
func (t *LineUI) steps(string) error {
	at := t.run().Position()
	t.each(func(r *track.Row, depth int) {
		line := strings.Repeat("  ", depth+1) + heading(r) + ": " + r.Status.String()
		if r.Attempt > 1 {
			line += fmt.Sprintf(", attempt %d", r.Attempt)
		}
		if n := r.Times(); n > r.Attempt && r.Status != track.Pending {
			line += fmt.Sprintf(", executed %d times", n)
		}
		if r.ByHand() {
			line += ", by hand"
		}
		if r.Warned() {
			line += ", with a warning"
		}
		if r == at {
			line += "  <- the run is here"
		}
		t.line("%s", line)
	})
	return nil
}

func (t *LineUI) text(name string) error {
	row, err := t.step(name)
	if err != nil {
		return err
	}
	t.line("%s", t.textOf(row))
	return nil
}

// told is what a person or a model is told besides a step's text.
func told(row *track.Row) []string {
	if row.Step == nil {
		return nil
	}
	out := row.Step.Instructions()
	if i := row.Editable(); i >= 0 {
		out = append(out, row.Says(i))
	}
	return out
}

// textOf is what a step says, and what its action says where a person or a model is told
// more than that.
func (t *LineUI) textOf(row *track.Row) string {
	if text := t.words(row); text != "" {
		return text
	}
	return "Step " + label(row.Label) + " has no text."
}

// words are those of a step, "" if it has none.
func (t *LineUI) words(row *track.Row) string {
	text := strings.TrimSpace(t.track.Text(row))
	written := "" // before values were put in
	if row.Step != nil {
		written = plan.Source(row.Step.Text)
	}
	for _, says := range told(row) {
		if says = strings.TrimSpace(says); !strings.Contains(text, says) && !strings.Contains(written, says) {
			text = strings.TrimSpace(text + "\n\n" + says)
		}
	}
	return sanitize.Text(text)
}

// values lists the variables, and whose they are.
func (t *LineUI) values(string) error {
	if len(t.track.Vars) == 0 {
		t.line("  no variable has a value yet")
	}
	for _, x := range t.track.Vars {
		from := "input"
		switch {
		case x.By != "":
			from = "set by hand"
		case x.Step != "":
			from = "of step " + x.Step
		}
		t.line("  %s", sanitize.Plain(fmt.Sprintf("%s = %s  (%s)", x.Name, plan.TextOf(x.Value), from)))
	}
	t.environment()
	return nil
}

// environment lists what a command of the step that the run is at is given.
func (t *LineUI) environment() {
	row := t.run().Position()
	if row == nil || !row.Unit() || !slices.ContainsFunc(row.Step.Actions, executes) {
		return
	}
	t.line("  a command of step %s is given PLAYHEAD_RUN_ID=%s, PLAYHEAD_STEP=%s and PLAYHEAD_ATTEMPT=%d, the retries so far",
		label(row.Label), t.track.Run, label(row.Label), max(0, row.Attempt-1))
}

func executes(a plan.Action) bool {
	_, command := a.Work.(plan.Command)
	return command
}

// mostEvents is how many events are listed unless another number is given.
const mostEvents = 20

func (t *LineUI) history(arg string) error {
	n := mostEvents
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return fmt.Errorf("%q is no number of events", arg)
		}
	}
	for _, e := range t.events[max(0, len(t.events)-n):] {
		l := track.LineOf(e)
		line := fmt.Sprintf("%d  %s  %s%s", l.Seq, l.Time.Local().Format(time.TimeOnly), mark(l.Step), l.What)
		t.line("  %s", sanitize.Plain(line+by(l)))
	}
	return nil
}

// why says what was weighed at a step, and what led there.
func (t *LineUI) why(name string) error {
	row, err := t.step(name)
	if err != nil {
		return err
	}
	d := row.Decision
	if next := t.status.Next; next != nil && next.Step == row.Label {
		if about, is := next.Body.(*machine.Decision); is {
			d = about
			t.line("  about to be decided:")
		}
	}
	if choice, _ := row.Choice(); d == nil && choice != nil {
		d = choice
	}
	if d == nil {
		t.line("  step %s has decided nothing yet", label(row.Label))
	} else {
		t.weighed(d)
	}
	if row.Came != nil && row.From != nil {
		t.line("  the run came here from %s", label(row.From.Label))
	}
	return nil
}

// weighed lists the candidates of a decision, and where it leads.
func (t *LineUI) weighed(d *machine.Decision) {
	for i, c := range d.Candidates {
		taken := d.Taken != nil && *d.Taken == i && !d.Forced
		words := "no"
		switch {
		case taken:
			words = "taken"
		case c.Matched:
			words = "would match"
		}
		if c.Why != "" {
			words += ": " + c.Why
		}
		where := "default"
		if !c.Implicit {
			where = fmt.Sprintf("line %d", c.Line)
		}
		t.line("  %s", sanitize.Plain(fmt.Sprintf("%s, %s: %s", where, c.Text, words)))
	}
	by := ""
	if d.Forced {
		by = ", by hand"
	}
	t.line("  -> %s%s", label(d.To), by)
}

func (t *LineUI) reasoning(name string) error {
	row, err := t.step(name)
	if err != nil {
		return err
	}
	if a := row.Action(); a != nil && a.Reasoning != "" {
		t.line("%s", sanitize.Text(a.Reasoning))
		return nil
	}
	return errors.New("nothing is kept here of what a model thought")
}

func (t *LineUI) summary(string) error {
	if t.track.Finished == nil || t.status.State != engine.Over {
		return errors.New("the run is not over")
	}
	t.ended(t.track.Finished)
	return nil
}
