package lines

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
	person           bool     // somebody is there
	live             bool     // a session drives the run; false: a recording is played
	stay             bool     // when the run is over
	missingValues    []string // values that the step asks for, and nobody has given
	hasPrintedChecks bool     // what the step's outcome was judged by was printed
	texts            stepTexts
}

// entryHeading returns the heading of the step that is entered.
func (n *narrator) entryHeading(e machine.Event) string {
	text := "[" + label(e.Step) + "]"
	if row := n.track.Row(e.Step); row != nil {
		text = heading(row)
	}
	if e.Attempt > 1 {
		text += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	return text
}

// maxDefault limits the value of an input, in cells.
const maxDefault = 120

// printDefaults prints the inputs that have the document's default.
func (n *narrator) printDefaults(b *machine.Started) {
	for _, in := range n.track.FirstPlan.Inputs {
		if in.Default != "" && b.Inputs[in.Name] == in.Default {
			value := ansi.Truncate(sanitize.Plain(plan.Visible(in.Default)), maxDefault, "…")
			n.line("input %s = %s (default)", sanitize.Plain(in.Name), value)
		}
	}
}

// printCommand prints a command as a person would have typed it.
func (n *narrator) printCommand(text string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		prompt := "$ "
		if i > 0 {
			prompt = "  "
		}
		n.line("%s", n.paint(faint, prompt+sanitize.Plain(line)))
	}
}

// printCall prints the call of a tool.
func (n *narrator) printCall(server, name, args string) {
	for _, line := range calling(server, name, args) {
		n.line("%s", n.paint(faint, line))
	}
}

// calling returns the call of a tool as lines, with its arguments if it has any.
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

// printQuestionContext prints what a person is to judge, or what would have been executed.
func (n *narrator) printQuestionContext(e machine.Event, b *machine.InputNeeded) {
	row := n.track.Row(e.Step)
	if row != nil && b.Kind == machine.KindAcceptOutcome {
		n.printChecks(row.Checks())
	}
	if b.Kind != machine.KindDecide || row == nil || b.Action >= len(row.Step.Actions) {
		return
	}
	switch w := row.Step.Actions[b.Action].Work.(type) {
	case plan.Command:
		n.printCommand(plan.Show(w.Text, n.track.Scope(row)))
	case plan.Tool:
		n.printCall(w.Server, w.Name, plan.Show(w.Args, n.track.Scope(row)))
	case plan.Include:
		for _, doc := range w.Docs {
			n.line("- %s", sanitize.Plain(doc))
		}
	case plan.Decide:
		if w.Show != nil {
			n.line("    %s", strings.ReplaceAll(strings.TrimRight(sanitize.Text(w.Show.Text), "\n"), "\n", "\n    "))
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
		line := "  " + n.paint(cmp.Or(tints[verdict], yellow), verdict) + " " + sanitize.Plain(c.Text)
		if c.Detail != "" {
			line += n.paint(faint, " · "+sanitize.Plain(c.Detail))
		}
		n.line("%s", line)
	}
}

// printDecision prints the outcome of a step, where it leads and the line that decided.
func (n *narrator) printDecision(e machine.Event, d *machine.Decision) {
	result := "moved"
	if d.Outcome != nil {
		n.printChecks(d.Outcome.Checks)
		result = string(d.Outcome.Result)
	} else if d.Arrival.SameVisit {
		result = "run again"
	} else if d.SkippedAllArms() {
		result = "no branch taken"
	}
	line := fmt.Sprintf("%s%s", mark(e.Step), n.paint(tints[result], result))
	if how := n.outcomeDetails(e, d); how != "" {
		line += " (" + how + ")"
	}
	n.line("%s -> %s%s", line, destination(d), n.routeDetails(e, d))
}

// destination returns where a decision leads. Groups need their own text, because a group's label looks
// like that of its first step.
func destination(d *machine.Decision) string {
	if d.Arrival.Kind == machine.ToGroupRoutes {
		return wording.Destination(d)
	}
	return label(d.To)
}

// outcomeDetails returns where the outcome came from and how long the step took.
func (n *narrator) outcomeDetails(e machine.Event, d *machine.Decision) string {
	var parts []string
	if d.SkippedAllArms() {
		parts = wording.Comparisons(d)
	} else if d.Outcome != nil && len(d.Outcome.Results) > 0 && d.CandidateIndex != nil {
		parts = append(parts, wording.Deciders(d.Outcome))
	} else if d.Outcome != nil && d.Outcome.Source != "" {
		row := n.track.Row(e.Step)
		if row != nil && row.Overridden && d.Outcome.Overridden {
			by, before, note := wording.Override(row)
			parts = append(parts, by, before, note)
		} else {
			parts = append(parts, d.Outcome.Source+cause(d))
		}
		if row != nil && row.Took >= 50*time.Millisecond {
			parts = append(parts, wording.Seconds(row.Took))
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	}
	return sanitize.Plain(strings.Join(parts, ", "))
}

// cause returns the reason of an outcome, unless the taken route states it.
func cause(d *machine.Decision) string {
	if wording.Reading(d.Outcome) != "" && d.CandidateIndex != nil && !d.ByPerson {
		return ""
	}
	return reason(wording.OutcomeReason(d.Outcome))
}

// routeDetails returns the route that was taken, or who chose without one.
func (n *narrator) routeDetails(e machine.Event, d *machine.Decision) string {
	switch {
	case d.ByPerson && e.Prepared != "":
		return sanitize.Plain(" (" + e.Reason + ")")
	case d.ByPerson:
		return sanitize.Plain(" (by " + e.By + reason(e.Reason) + ")")
	case d.CandidateIndex == nil:
		return ""
	}
	c := d.Candidates[*d.CandidateIndex]
	text := c.Text
	if d.Outcome != nil && wording.Reading(d.Outcome) != "" {
		text = wording.Reason(d, *d.CandidateIndex)
	} else if c.Reason != nil && c.Reason.Used != nil {
		text += "; " + wording.Budget(&c.Reason.Budget)
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

// heading returns a step's label and title.
func heading(row *track.Row) string {
	text := "[" + label(row.Label) + "]"
	if row.Title != "" && row.Title != row.Local {
		text += " " + sanitize.Plain(row.Title)
	}
	return text
}
