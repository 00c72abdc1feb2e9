package lines

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// narrator prints the events of a run as they happen.
type narrator struct {
	*inspector
	hasPerson        bool     // a person is there
	isLive           bool     // a session drives the run; false: a recording is played
	staysWhenOver    bool     // the session stays open when the run is over
	missingValues    []string // the values that the step still asks for
	hasPrintedChecks bool     // the checks behind the step's outcome were printed
	nextDecisionAt   int      // the number of events when the next decision of a paused run was printed last
	printedTexts     printedTexts
}

// entryHeading returns the heading of the step that is entered.
func (n *narrator) entryHeading(e machine.Event) string {
	text := "[" + sanitize.Plain(e.Step) + "]"
	if row := n.track.RowOfEvent(e); row != nil {
		text = stepHeading(row)
	}
	if e.Attempt > 1 {
		text += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	return text
}

// maxDefaultWidth is the maximum width of the printed default of an input.
const maxDefaultWidth = 120

// printDefaultInputs prints the inputs whose value is the document's default.
func (n *narrator) printDefaultInputs(b *machine.RunStarted) {
	for _, in := range n.track.FirstPlan.Inputs {
		if in.Default != "" && b.Inputs[in.Name] == in.Default {
			value := ansi.Truncate(sanitize.Plain(plan.VisibleText(in.Default)), maxDefaultWidth, "…")
			n.printLine("input %s = %s (default)", sanitize.Plain(in.Name), value)
		}
	}
}

// printCommand prints a command as if a person had typed it at a shell.
func (n *narrator) printCommand(text string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		prompt := "$ "
		if i > 0 {
			prompt = "  "
		}
		n.printLine("%s", n.paint(faint, prompt+sanitize.Plain(line)))
	}
}

// printCall prints the call of a tool.
func (n *narrator) printCall(server, name, args string) {
	for _, line := range toolCallLines(server, name, args) {
		n.printLine("%s", n.paint(faint, line))
	}
}

// toolCallLines returns the call of a tool as lines, with its arguments if it has any.
func toolCallLines(server, name, args string) []string {
	out := []string{"→ " + sanitize.Plain(tools.Title(server, name))}
	if args = tools.PrettyJSON(sanitize.MarkPadding(args)); args == "" || args == "{}" {
		return out
	}
	for line := range strings.SplitSeq(args, "\n") {
		out = append(out, "  "+sanitize.Plain(line))
	}
	return out
}

// printQuestionContext prints what a person needs for the answer: the checks, or what would have been
// executed.
func (n *narrator) printQuestionContext(e machine.Event, b *machine.InputNeeded) {
	row := n.track.RowOfEvent(e)
	if row != nil && b.Kind == machine.KindAcceptOutcome {
		n.printChecks(row.Checks())
	}
	if b.Kind != machine.KindDecide || row == nil || b.ActionIndex >= len(row.Step.Actions) {
		return
	}
	switch w := row.Step.Actions[b.ActionIndex].Work.(type) {
	case plan.Command:
		n.printCommand(plan.TextForDisplay(w.Text, n.track.Scope(row)))
	case plan.Tool:
		n.printCall(w.Server, w.Name, plan.TextForDisplay(w.Args, n.track.Scope(row)))
	case plan.Include:
		for _, doc := range w.DocumentPaths {
			n.printLine("- %s", sanitize.Plain(doc))
		}
	case plan.Decide:
		if w.ShownBlock != nil {
			n.printLine("    %s", strings.ReplaceAll(strings.TrimRight(sanitize.PlainLines(w.ShownBlock.Text), "\n"), "\n", "\n    "))
		}
	}
}

// printChecks prints the checks behind a step's outcome, once.
func (n *narrator) printChecks(all []plan.Check) {
	if n.hasPrintedChecks {
		return
	}
	n.hasPrintedChecks = len(all) > 0
	for _, c := range all {
		verdict := string(c.Verdict)
		line := "  " + n.paint(cmp.Or(colourByWord[verdict], yellow), verdict) + " " + sanitize.Plain(c.Text)
		if c.Detail != "" {
			line += n.paint(faint, " · "+sanitize.Plain(c.Detail))
		}
		n.printLine("%s", line)
	}
}

// printDecision prints the outcome of a step, where it leads and the line that decided.
func (n *narrator) printDecision(e machine.Event, d *machine.Decision) {
	n.printDecisionChecks(d)
	n.printLine("%s", n.decisionLine(e, d))
}

// printNextDecision prints the decision that comes next in a paused run, if one does, unless it was printed after the
// newest event.
func (n *narrator) printNextDecision(w *machine.Waiting) {
	if w == nil || w.NextDecision == nil || n.nextDecisionAt == n.track.EventCount {
		return
	}
	n.nextDecisionAt = n.track.EventCount
	n.printDecisionChecks(w.NextDecision)
	n.printLine("  next: %s", n.decisionLine(machine.Event{Step: w.Step, Attempt: w.Attempt}, w.NextDecision))
}

// printDecisionChecks prints the checks behind the outcome of a decision, once.
func (n *narrator) printDecisionChecks(d *machine.Decision) {
	if d.Outcome != nil {
		n.printChecks(d.Outcome.Checks)
	}
}

// decisionLine returns the outcome of a step, where it leads and the line that decided.
func (n *narrator) decisionLine(e machine.Event, d *machine.Decision) string {
	result := "branched"
	if d.Outcome != nil {
		result = string(d.Outcome.Result)
	} else if d.Destination.SameVisit {
		result = "run again"
	} else if d.SkippedAllArms() {
		result = "no branch taken"
	} else if d.ByPerson {
		result = "jumped"
	}
	line := fmt.Sprintf("%s%s", stepPrefix(e.Step), n.paint(colourByWord[result], result))
	if how := n.outcomeDetails(e, d); how != "" {
		line += " (" + how + ")"
	}
	return line + " -> " + destinationText(wording.WithArmNames(n.track.RowOfEvent(e), d)) + n.routeDetails(e, d)
}

// destinationText returns where a decision leads. Groups need their own text, because a group's label looks
// like that of its first step.
func destinationText(d *machine.Decision) string {
	if d.Destination.Kind == machine.ToGroupRoutes {
		return wording.DestinationText(d)
	}
	return sanitize.Plain(d.To)
}

// outcomeDetails returns where the outcome came from and how long the step took.
func (n *narrator) outcomeDetails(e machine.Event, d *machine.Decision) string {
	var parts []string
	if d.SkippedAllArms() {
		parts = wording.ComparisonTexts(d)
	} else if d.Outcome != nil && len(d.Outcome.ChildResults) > 0 && d.TakenCandidate() != nil {
		parts = append(parts, wording.DecidingChildrenText(wording.WithArmNames(n.track.RowOfEvent(e), d).Outcome))
	} else if d.Outcome != nil && d.Outcome.Source != "" {
		row := n.track.RowOfEvent(e)
		if row != nil && row.Overridden && d.Outcome.Overridden {
			by, before, note := wording.OverrideParts(row)
			parts = append(parts, by, before, note)
		} else {
			parts = append(parts, d.Outcome.Source+outcomeCause(d))
		}
		if row != nil {
			parts = append(parts, wording.SecondsText(row.Duration))
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	}
	return sanitize.Plain(strings.Join(parts, ", "))
}

// outcomeCause returns the reason of an outcome, unless the taken route states it.
func outcomeCause(d *machine.Decision) string {
	if wording.ReadingText(d.Outcome) != "" && d.TakenCandidate() != nil && !d.ByPerson {
		return ""
	}
	return textSuffix(wording.OutcomeReason(d.Outcome))
}

// routeDetails returns the route that was taken, or who made the run jump.
func (n *narrator) routeDetails(e machine.Event, d *machine.Decision) string {
	c := d.TakenCandidate()
	switch {
	case d.ByPerson && e.PreparedBy != "":
		return " (" + wording.ByPreparedAnswer + ")"
	case d.ByPerson:
		return sanitize.Plain(" (" + wording.AuthorText(e.By) + textSuffix(e.Note) + ")")
	case c == nil:
		return ""
	}
	text := c.Text
	if d.Outcome != nil && wording.ReadingText(d.Outcome) != "" {
		text = wording.CandidateReason(d, *d.CandidateIndex)
	} else if limit := wording.LimitText(d, *d.CandidateIndex); limit != "" {
		text += "; " + limit
	}
	if near := track.NearMissText(d); near != "" {
		text += "; " + near
	}
	if c.Implicit {
		return sanitize.Plain(" (default: " + text + ")")
	}
	return sanitize.Plain(fmt.Sprintf(" (line %d: %s)", c.Line, text))
}

func stepPrefix(step string) string {
	if step == "" {
		return ""
	}
	return "[" + sanitize.Plain(step) + "] "
}

func quotedSuffix(message string) string {
	if message == "" {
		return ""
	}
	return fmt.Sprintf(": %q", sanitize.Plain(message))
}

func textSuffix(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// stepHeading returns a step's label and title.
func stepHeading(row *track.Row) string {
	text := "[" + sanitize.Plain(row.Label) + "]"
	if row.Title != "" && row.Title != row.LocalLabel {
		text += " " + sanitize.Plain(row.Title)
	}
	return text
}
