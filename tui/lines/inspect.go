package lines

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// view is a run as the commands show it: as it is now, or as it was after an event.
type view struct {
	track    *track.Track
	upcoming track.Upcoming  // the instance that a paused run is about to begin
	events   []machine.Event // of the branch that the run is on
	status   engine.Status
}

// run returns what engine/control needs to find steps and events.
func (v *view) run() control.Run {
	return control.Run{Plan: v.track.Plan, Track: v.track, Events: v.events, Status: v.status, Upcoming: v.upcoming}
}

// inspector prints the parts of a run that a person asks for. It changes nothing.
type inspector struct {
	*printer
	view
	folder      journal.Folder // of the run, where its logs are
	show, clip  func(text string) error
	printRunEnd func(*machine.Finished) // prints how the run ended
	query       string                  // what was to be found
	matchCount  int                     // how many matches of it were printed
}

// step returns the row of a name, or the one that the run is at.
func (v *inspector) step(name string) (*track.Row, error) {
	run := v.view.run()
	if name == "" {
		if row := run.Position(); row != nil {
			return row, nil
		}
		return nil, errors.New("no step has run yet: name one, as :steps lists them")
	}
	name = engine.UnquoteStep(name)
	if row := run.Row(name); row != nil && row.Step != nil {
		return row, nil
	}
	return nil, fmt.Errorf("there is no step %q: %s", name, near.Hint(name, run.Labels()))
}

// viewCommands returns the commands that change nothing.
func (v *inspector) viewCommands() []Command {
	return []Command{
		{Name: "steps", Help: "all steps, and how each went", Do: v.steps, looks: true},
		{Name: "document", Takes: "[STEP]", Help: "the document, with line numbers", Do: v.document, looks: true},
		{Name: "text", Takes: "[STEP]", Help: "the text of a step", Do: v.text, looks: true},
		{Name: "output", Takes: "[STEP] [all]", Help: "the output of a step", Do: v.outputOf, looks: true},
		{Name: "why", Takes: "[STEP]", Help: "why the run went where it did from a step", Do: v.why, looks: true},
		{Name: "values", Help: "the variables", Do: v.values, looks: true},
		{Name: "history", Takes: "[N]", Help: "the last events, or the last N", Do: v.history, looks: true},
		{Name: "find", Takes: "TEXT", Help: "search the steps and their output", Do: v.find},
		{Name: "next-match", Help: "more of what :find found", Do: v.findMore},
		{Name: "reasoning", Takes: "[STEP]", Help: "what a model thought before its reply", Do: v.reasoning, looks: true},
		{Name: "summary", Help: "how the run ended", Do: v.summary, looks: true},
		{Name: "map", Help: "the steps and where their routes lead", Do: v.routeMap, looks: true},
		{Name: "look-back", Takes: "EVENT COMMAND", Help: "view the run as of EVENT: :look-back 12 values", Do: v.viewAtEvent},
		{Name: "copy", Takes: "[STEP|COMMAND]", Help: "copy the output of a step, or :why, :text …", Do: v.copy},
		{Name: "outside", Takes: "[STEP|COMMAND]", Help: "open a copy of that in $PAGER or $EDITOR", Do: v.outside},
	}
}

// eachRow visits the visible rows with their depth.
func (v *inspector) eachRow(visit func(r *track.Row, depth int)) {
	var walk func(rows []*track.Row, depth int)
	walk = func(rows []*track.Row, depth int) {
		for _, r := range v.upcoming.InsertInto(rows) {
			if !r.Hidden {
				visit(r, depth)
			}
			walk(r.Children, depth+1)
		}
	}
	walk(v.track.Rows, 0)
}

// steps lists the tree, with words in place of the screen's signs.
func (v *inspector) steps(string) error {
	at := v.view.run().Position()
	v.eachRow(func(r *track.Row, depth int) {
		line := strings.Repeat("  ", depth+1) + heading(r) + ": " + r.Status.String()
		if r.Attempt > 1 {
			line += fmt.Sprintf(", attempt %d", r.Attempt)
		}
		if n := r.TotalAttempts(); n > r.Attempt && r.Status != track.Pending {
			line += fmt.Sprintf(", visited %d times", n)
		}
		if r.ChangedByPerson() {
			line += ", changed by a person"
		}
		if r.HasWarnings() {
			line += ", with a warning"
		}
		if r == at {
			line += "  <- the run is here"
		}
		v.line("%s", line)
	})
	return nil
}

func (v *inspector) text(name string) error {
	row, err := v.step(name)
	if err != nil {
		return err
	}
	v.line("%s", v.textOrNone(row))
	return nil
}

// instructions returns what a person or a model is told besides a step's text.
func instructions(row *track.Row) []string {
	if row.Step == nil {
		return nil
	}
	out := row.Step.Instructions()
	if i := row.Editable(); i >= 0 {
		out = append(out, row.ActionText(i))
	}
	return out
}

// textOrNone returns a step's text with its instructions, or a sentence that it has none.
func (v *inspector) textOrNone(row *track.Row) string {
	if text := v.stepText(row); text != "" {
		return text
	}
	return "Step " + label(row.Label) + " has no text."
}

// stepText returns a step's text with its instructions, empty if it has none.
func (v *inspector) stepText(row *track.Row) string {
	text := strings.TrimSpace(v.track.Text(row))
	written := "" // before values were put in
	if row.Step != nil {
		written = plan.Source(row.Step.Text)
	}
	for _, says := range instructions(row) {
		if says = strings.TrimSpace(says); !strings.Contains(text, says) && !strings.Contains(written, says) {
			text = strings.TrimSpace(text + "\n\n" + says)
		}
	}
	return sanitize.Text(text)
}

// values lists the variables, and where each comes from.
func (v *inspector) values(string) error {
	if len(v.track.Vars) == 0 {
		v.line("  no variable has a value yet")
	}
	for _, x := range v.track.Vars {
		v.line("  %s", sanitize.Plain(fmt.Sprintf("%s = %s  (%s)", x.Name, plan.Visible(plan.TextOf(x.Value)), wording.Origin(x.Step, x.By != ""))))
	}
	v.environment()
	return nil
}

// environment lists the variables that a command of the current step gets.
func (v *inspector) environment() {
	row := v.view.run().Position()
	if row == nil || !row.IsExecutable() || !slices.ContainsFunc(row.Step.Actions, executes) {
		return
	}
	v.line("  a command of step %s gets PLAYHEAD_RUN_ID=%s, PLAYHEAD_STEP=%s and PLAYHEAD_ATTEMPT=%d, the retries so far",
		label(row.Label), v.track.Run, label(row.Label), max(0, row.Attempt-1))
}

func executes(a plan.Action) bool {
	_, command := a.Work.(plan.Command)
	return command
}

// defaultEvents is how many events history lists by default.
const defaultEvents = 20

func (v *inspector) history(arg string) error {
	n := defaultEvents
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return fmt.Errorf("%q is not a number of events", arg)
		}
	}
	for _, e := range v.events[max(0, len(v.events)-n):] {
		l := track.LineOf(e)
		line := fmt.Sprintf("%d  %s  %s%s", l.Seq, l.Time.Local().Format(time.TimeOnly), mark(l.Step), l.What)
		v.line("  %s", sanitize.Plain(line+authorText(l)))
	}
	return nil
}

// why prints the candidates of a step's decision, and the step that led there.
func (v *inspector) why(name string) error {
	row, err := v.step(name)
	if err != nil {
		return err
	}
	d := row.Decision
	if next := v.status.NextEvent; next != nil && next.Step == row.Label {
		if about, is := next.Body.(*machine.Decision); is {
			d = about
			v.line("  about to be decided:")
		}
	}
	if choice, _ := row.Choice(); d == nil && choice != nil {
		d = choice
	}
	if d == nil {
		v.line("  step %s has made no decision yet", label(row.Label))
	} else {
		v.printCandidates(d)
	}
	if row.EnteredBy != nil && row.From != nil {
		v.line("  the run came here from %s", label(row.From.Label))
	}
	return nil
}

// printCandidates prints the candidates of a decision, and where it leads.
func (v *inspector) printCandidates(d *machine.Decision) {
	for i, c := range d.Candidates {
		words := wording.Candidate(d, i)
		if taken := d.CandidateIndex != nil && *d.CandidateIndex == i && !d.ByPerson; taken {
			words = strings.TrimSuffix("taken: "+wording.Reason(d, i), ": ")
		}
		where := "default"
		if !c.Implicit {
			where = fmt.Sprintf("line %d", c.Line)
		}
		v.line("  %s", sanitize.Plain(fmt.Sprintf("%s, %s: %s", where, c.Text, words)))
	}
	by := ""
	if d.ByPerson {
		by = ", overridden"
	}
	v.line("  -> %s%s", destination(d), by)
}

func (v *inspector) reasoning(name string) error {
	row, err := v.step(name)
	if err != nil {
		return err
	}
	if a := row.Action(); a != nil && a.Reasoning != "" {
		v.line("%s", sanitize.Text(a.Reasoning))
		return nil
	}
	return errors.New("no reasoning was recorded for this step")
}

func (v *inspector) summary(string) error {
	if v.track.Finished == nil || v.status.State != engine.Over {
		return errors.New("the run is not over")
	}
	v.printRunEnd(v.track.Finished)
	return nil
}

// routeMap lists the document's steps and where their routes lead.
func (v *inspector) routeMap(string) error {
	trail := routes.NewTrail("")
	trail.Fold(v.events...)
	g := routes.Of(v.track.Plan).Along(trail)
	for _, n := range g.Nodes {
		if n.Step == nil || !n.CanBeCurrent() {
			continue
		}
		head := "[" + n.Step.ID + "]"
		if n.Step.Title != "" && n.Step.Title != n.Step.ID {
			head += " " + n.Step.Title
		}
		v.line("%s%s", strings.Repeat("  ", n.Depth+1), sanitize.Plain(head))
		for _, i := range n.Out {
			v.line("%s%s", strings.Repeat("  ", n.Depth+2), sanitize.Plain(describeRoute(g, g.Edges[i])))
		}
	}
	return nil
}

// describeRoute returns a route as a line of text.
func describeRoute(g *routes.Graph, e routes.Edge) string {
	to := g.Nodes[e.To]
	target := to.Label
	if to.Step != nil {
		target = to.Step.ID
	}
	if e.Instance != "" {
		target += " (" + e.Instance + ")"
	}
	line := e.Text + " -> " + target
	if e.Implicit {
		line += " (default)"
	}
	if e.Overridden {
		line = "manual -> " + target
	}
	switch {
	case e.Times == 1:
		line += ", taken once"
	case e.Times > 1:
		line += fmt.Sprintf(", taken %d times", e.Times)
	}
	return line
}
