package lines

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// runState is the state of a run that the commands show: the current one, or the one after an event.
type runState struct {
	track            *track.Track
	upcomingInstance track.UpcomingInstance // the instance that a paused run is about to begin
	events           []machine.Event        // the events of the live branch
	status           engine.Status
}

// controlRunView returns what engine/control needs to find steps and events.
func (v *runState) controlRunView() control.RunView {
	return control.RunView{Plan: v.track.Plan, Track: v.track, Events: v.events, Status: v.status, Upcoming: v.upcomingInstance}
}

// inspector prints the parts of a run that a person asks for. It changes nothing.
type inspector struct {
	*printer
	runState
	runFolder          journal.Folder // the run's folder, which has its logs
	openText, copyText func(text string) error
	printRunEnd        func(*machine.RunFinished) // prints how the run ended
	searchQuery        string                     // the text of the last search
	printedMatchCount  int                        // how many of its matches were printed
}

// findRow returns the row with a name. For an empty name, it returns the row that the run is at.
func (in *inspector) findRow(name string) (*track.Row, error) {
	run := in.runState.controlRunView()
	if name == "" {
		if row := run.PositionRow(); row != nil {
			return row, nil
		}
		return nil, errors.New("no step has run yet: name a step (:steps lists them)")
	}
	name = engine.UnquoteStep(name)
	if row := run.RowByLabel(name); row != nil && row.Step != nil {
		return row, nil
	}
	return nil, fmt.Errorf("there is no step %q: %s", name, near.Suggestion(name, run.StepLabels()))
}

// viewCommands returns the commands that change nothing.
func (in *inspector) viewCommands() []Command {
	return []Command{
		{Name: "steps", Help: "all steps, and how each went", Do: in.printSteps, isViewing: true},
		{Name: "document", Usage: "[STEP]", Help: "the document, with line numbers", Do: in.printDocument, isViewing: true},
		{Name: "text", Usage: "[STEP]", Help: "the text of a step", Do: in.printStepText, isViewing: true},
		{Name: "output", Usage: "[STEP] [all]", Help: "the last lines of a step's output, or all", Do: in.printStepOutput, isViewing: true},
		{Name: "why", Usage: "[STEP]", Help: "the decision of a step, and its reasons", Do: in.printWhy, isViewing: true},
		{Name: "values", Help: "the variables", Do: in.printValues, isViewing: true},
		{Name: "timeline", Usage: "[N]", Help: "the last events, or the last N", Do: in.printTimeline, isViewing: true},
		{Name: "find", Usage: "TEXT", Help: "search steps, routes, output, values and events", Do: in.findText},
		{Name: "next-match", Help: "more matches of :find", Do: in.printNextMatches},
		{Name: "reasoning", Usage: "[STEP]", Help: "the reasoning of a model before its reply", Do: in.printReasoning, isViewing: true},
		{Name: "summary", Help: "how the run ended", Do: in.printSummary, isViewing: true},
		{Name: "map", Help: "the steps and where their routes lead", Do: in.printRouteMap, isViewing: true},
		{Name: "look-back", Usage: "EVENT COMMAND", Help: "view the run as of EVENT, as in :look-back 12 map", Do: in.viewAtEvent},
		{Name: "copy", Usage: "[STEP|COMMAND]", Help: "copy a step's output, or what COMMAND prints", Do: in.copyExcerpt},
		{Name: "outside", Usage: "[STEP|COMMAND]", Help: "open a copy of the output in $PAGER or $EDITOR", Do: in.openExcerpt},
	}
}

// eachRow visits the visible rows with their depth.
func (in *inspector) eachRow(visit func(r *track.Row, depth int)) {
	var walk func(rows []*track.Row, depth int)
	walk = func(rows []*track.Row, depth int) {
		for _, r := range in.upcomingInstance.InsertInto(rows) {
			if !r.IsHidden {
				visit(r, depth)
			}
			walk(r.Children, depth+1)
		}
	}
	walk(in.track.Rows, 0)
}

// printSteps prints all steps with their statuses in words.
func (in *inspector) printSteps(string) error {
	at := in.runState.controlRunView().PositionRow()
	in.eachRow(func(r *track.Row, depth int) {
		indent := strings.Repeat("  ", depth+1)
		if r.IsPhase() {
			in.printLine("%s%s", indent, sanitize.Plain(r.Title))
			return
		}
		line := indent + stepHeading(r) + ": " + r.Status.String()
		if r.Attempt > 1 {
			line += fmt.Sprintf(", attempt %d", r.Attempt)
		}
		if n := r.TotalAttempts(); n > r.Attempt && r.Status != track.Pending {
			line += fmt.Sprintf(", %d attempts over all visits", n)
		}
		if r.IsChangedByPerson() {
			line += ", changed by a person"
		}
		if r.HasWarnings() {
			line += ", with a warning"
		}
		if r == at {
			line += "  <- the run is here"
		}
		in.printLine("%s", line)
	})
	return nil
}

func (in *inspector) printStepText(name string) error {
	row, err := in.findRow(name)
	if err != nil {
		return err
	}
	in.printLine("%s", in.stepTextOrNone(row))
	return nil
}

// instructionTexts returns the texts for a person or a model besides the step's own text.
func instructionTexts(row *track.Row) []string {
	if row.Step == nil {
		return nil
	}
	out := row.Step.Instructions()
	if i := row.EditableActionIndex(); i >= 0 {
		out = append(out, row.ActionText(i))
	}
	return out
}

// stepTextOrNone returns a step's text with its instructions, or a sentence that it has none.
func (in *inspector) stepTextOrNone(row *track.Row) string {
	if text := in.stepText(row); text != "" {
		return text
	}
	return "Step " + sanitize.Plain(row.Label) + " has no text."
}

// stepText returns what a step sent to a model, else its text, with its instructions; empty if it has none.
func (in *inspector) stepText(row *track.Row) string {
	sent, written := in.sentText(row) // written is without the values of variables
	text := strings.TrimSpace(cmp.Or(sent, in.track.TextWithParents(row)))
	if row.Step != nil {
		written += "\n" + plan.SourceText(row.Step.Text)
	}
	for _, says := range instructionTexts(row) {
		if says = strings.TrimSpace(says); !strings.Contains(text, says) && !strings.Contains(written, says) {
			text = strings.TrimSpace(text + "\n\n" + says)
		}
	}
	return sanitize.PlainLines(text)
}

// printValues prints the variables, and where the value of each comes from.
func (in *inspector) printValues(string) error {
	if len(in.track.Variables) == 0 {
		in.printLine("  %s", control.NoVariablesReason)
	}
	for _, x := range in.track.Variables {
		in.printLine("  %s", sanitize.Plain(fmt.Sprintf("%s = %s  (%s)", x.Name, plan.VisibleText(plan.ValueText(x.Value)), wording.VariableOrigin(x))))
	}
	in.printEnvironment()
	return nil
}

// printEnvironment prints the environment variables that Playhead sets for a command of the current step.
func (in *inspector) printEnvironment() {
	row := in.runState.controlRunView().PositionRow()
	if row == nil || !row.IsExecutable() || !slices.ContainsFunc(row.Step.Actions, isCommandAction) {
		return
	}
	in.printLine("  a command of step %s gets PLAYHEAD_RUN_ID=%s, PLAYHEAD_STEP=%s and PLAYHEAD_ATTEMPT=%d (the number of retries so far)",
		sanitize.Plain(row.Label), in.track.RunID, sanitize.Plain(row.Label), max(0, row.Attempt-1))
}

func isCommandAction(a plan.Action) bool {
	_, command := a.Work.(plan.Command)
	return command
}

// defaultEventCount is the number of events that :timeline prints by default.
const defaultEventCount = 20

func (in *inspector) printTimeline(arg string) error {
	n := defaultEventCount
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return fmt.Errorf("%q is not a number of events: write a number, as in :timeline 20", arg)
		}
	}
	for _, e := range in.events[max(0, len(in.events)-n):] {
		l := in.track.EventLine(e)
		line := fmt.Sprintf("%d  %s  %s%s", l.Seq, l.Time.Local().Format(time.TimeOnly), stepPrefix(l.StepDisplayLabel), l.Description)
		in.printLine("  %s", sanitize.Plain(line+authorText(l)))
	}
	return nil
}

// printWhy prints the candidates of a step's decisions, those between branches first, and the decision that led
// there.
func (in *inspector) printWhy(name string) error {
	row, err := in.findRow(name)
	if err != nil {
		return err
	}
	subject := whatif.DecisionSubjectOf(in.track, in.status, row)
	d, isNext := subject.OwnDecision()
	if row.Overridden && row.Outcome != nil {
		in.printLine("  ! %s", wording.OverriddenText(row))
	}
	for _, text := range row.ChangedRuleTexts() {
		in.printLine("  ! %s", sanitize.Plain(text))
	}
	choices := subject.ArmChoices(d)
	for _, c := range choices {
		in.printCandidates(wording.WithArmNames(c.Row, c.Decision))
	}
	if isNext {
		in.printLine("  the next decision of this step:")
	}
	switch {
	case d != nil:
		in.printCandidates(wording.WithArmNames(row, d))
	case len(choices) == 0 && row == wording.RowOfEndByPerson(in.track):
		in.printLine("  ! %s", wording.EndedByPersonText(in.track.Finished, in.track.EndPreparedBy))
	case len(choices) == 0:
		in.printLine("  step %s has made no decision yet", sanitize.Plain(row.Label))
	}
	from, entry := row.EnteredFrom, row.EntryDecision
	if entry == nil || from == nil {
		from, entry = subject.PrecedingRow, subject.PrecedingDecision
	}
	if entry != nil && from != nil && !row.IsInUntakenArm() {
		text := wording.StepAndDecisionText(from.StepLabel(), wording.WithArmNames(from, entry), wording.PersonNoteOrAnswerText(from, entry))
		if entry.ByPerson { // lines have words instead of signs
			text = "from " + sanitize.Plain(from.StepLabel()) + ", " + wording.PersonMoveText(from.Label, entry, from.DecisionNote(entry))
		}
		in.printLine("  %s", text)
	}
	return nil
}

// printForecastDecision prints what a step decides after a change.
func (in *inspector) printForecastDecision(step string, d *machine.Decision) {
	in.printLine("  with this change, step %s decides:", sanitize.Plain(step))
	in.printCandidates(d)
}

// printCandidates prints the candidates of a decision, and where it leads.
func (in *inspector) printCandidates(d *machine.Decision) {
	for i, c := range d.Candidates {
		words := wording.CandidateReasonWithDestination(d, i)
		if taken := d.CandidateIndex != nil && *d.CandidateIndex == i && !d.ByPerson; taken {
			words = strings.TrimSuffix("taken: "+wording.CandidateReasonWithRetry(d, i), ": ")
		}
		where := "default"
		if !c.Implicit {
			where = fmt.Sprintf("line %d", c.Line)
		}
		in.printLine("  %s", sanitize.Plain(fmt.Sprintf("%s, %s: %s", where, c.Text, words)))
	}
	by := ""
	if d.ByPerson {
		by = ", overridden"
	}
	if d.SkippedAllArms() {
		in.printLine("  no branch taken -> %s", destinationText(d))
		return
	}
	in.printLine("  -> %s%s", destinationText(d), by)
}

func (in *inspector) printReasoning(name string) error {
	row, err := in.findRow(name)
	if err != nil {
		return err
	}
	if a := row.ShownAction(); a != nil && a.Reasoning != "" {
		in.printLine("%s", sanitize.PlainLines(a.Reasoning))
		return nil
	}
	return errors.New("no reasoning was recorded for this step")
}

func (in *inspector) printSummary(string) error {
	if in.track.Finished == nil || in.status.State != engine.Over {
		return errors.New("the run is not over")
	}
	in.printRunEnd(in.track.Finished)
	return nil
}

// printRouteMap lists the document's steps and where their routes lead.
func (in *inspector) printRouteMap(string) error {
	counts := routes.NewRunCounts("")
	counts.Fold(in.events...)
	g := routes.GraphOf(in.track.Plan).WithCounts(counts)
	for _, n := range g.Nodes {
		if n.Step == nil || !n.CanBeCurrent() {
			continue
		}
		head := "[" + n.Step.ID + "]"
		if n.Step.Title != "" && n.Step.Title != n.Step.ID {
			head += " " + n.Step.Title
		}
		in.printLine("%s%s", strings.Repeat("  ", n.Depth+1), sanitize.Plain(head))
		for _, i := range n.OutEdges {
			in.printLine("%s%s", strings.Repeat("  ", n.Depth+2), sanitize.Plain(describeRoute(g, g.Edges[i])))
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
	if e.TargetInstance != "" {
		target += " (" + e.TargetInstance + ")"
	}
	line := cmp.Or(e.SourceText, e.Condition) + " -> " + target // a default route may have no text
	if e.Implicit {
		line += " (default)"
	}
	if e.IsByPerson {
		line = "jump by a person -> " + target
	}
	switch {
	case e.TakenCount == 1:
		line += ", taken once"
	case e.TakenCount > 1:
		line += fmt.Sprintf(", taken %d times", e.TakenCount)
	}
	return line
}

// viewAtEvent runs a viewing command on the run as it was after an event: :look-back 12 values.
func (in *inspector) viewAtEvent(arg string) error {
	number, order, _ := strings.Cut(arg, " ")
	seq, err := in.runState.controlRunView().ParseEventSeq(number)
	if err != nil {
		return err
	}
	earlier := *in
	earlier.runState = runState{track: track.New(in.track.FirstPlan)}
	for i, e := range in.events {
		if e.Seq == seq {
			earlier.events = slices.Clip(in.events[:i+1])
		}
	}
	earlier.track.Fold(earlier.events...)
	c, rest, err := earlier.parseViewCommand(order)
	if err != nil {
		return err
	}
	return c.Do(rest)
}

// parseViewCommand returns the viewing command that a line names, and its argument.
func (in *inspector) parseViewCommand(order string) (c *Command, rest string, err error) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(order), commandPrefix), " ")
	all := in.viewCommands()
	if i := slices.IndexFunc(all, func(c Command) bool { return c.Name == control.CurrentActionName(name) && c.isViewing }); i >= 0 {
		return &all[i], strings.TrimSpace(rest), nil
	}
	return nil, "", fmt.Errorf(":look-back cannot run %q: use a command that shows something, such as steps, text, output, why or values", name)
}

// printDocument prints the document that contains a step, by default the current one, with line numbers. The first line of
// each step has a note about the step in this run.
func (in *inspector) printDocument(name string) error {
	doc := in.track.Plan // before the first step
	if row, err := in.findRow(name); err == nil {
		doc = row.Plan()
	} else if name != "" {
		return err
	}
	notes := map[int]string{}
	in.eachRow(func(r *track.Row, _ int) {
		if r.Step == nil || r.Plan() != doc {
			return
		}
		if note := in.marginNote(r); note != "" {
			notes[r.Step.Span.Line] = "  <- " + note
		}
	})
	lines := linediff.SplitLines(doc.Source)
	digits := len(fmt.Sprint(len(lines)))
	for i, line := range lines {
		in.printLine("  %*d  %s%s", digits, i+1, sanitize.PlainLines(line), notes[i+1])
	}
	return nil
}

// breakpointNote names a breakpoint in the margin of the document. It says if the breakpoint does not pause.
func breakpointNote(b engine.Breakpoint) string {
	switch {
	case b.IsDisabled:
		return "breakpoint that is off"
	case b.IsLogpoint:
		return "logpoint"
	}
	return "breakpoint"
}

// marginNote returns in words what the screen shows of a step in the margin of the document.
func (in *inspector) marginNote(r *track.Row) string {
	var out []string
	if r.Status != track.Pending {
		out = append(out, r.Status.String())
	}
	for _, b := range in.status.Breakpoints {
		if text := breakpointNote(b); b.Step == r.Step.ID && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if r == in.runState.controlRunView().PositionRow() {
		out = append(out, "the run is here")
	}
	return strings.Join(out, ", ")
}
