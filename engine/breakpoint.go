package engine

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// Breakpoint pauses a run, or writes a line if it is a logpoint, before a step or, with After, between the step's outcome
// and its route. At a step with arms, After means before an arm is chosen. A disabled breakpoint does neither.
type Breakpoint struct {
	Step         string // its ID or its label
	After        bool
	OnlyFailures bool       // with After: only if the step failed
	LeadsTo      string     // with After: the step or "end" that the decision must lead to; empty: any
	Condition    *plan.Test // a condition on a variable; nil: none
	NthHit       int        // pauses only at the nth hit; 0: at each
	IsLogpoint   bool       // writes a line to the history and does not pause
	IsDisabled   bool
	HasNoStep    bool // the document no longer has the step; Step is what it was called
	IsFromFlag   bool // given by --break: not kept for later runs

	client string // that set it; empty: the owner's own screen
}

// breakpointClause is one of the parts that may follow the step of a breakpoint.
type breakpointClause struct {
	keyword string // its first word
	syntax  string // for errors
	pattern *regexp.Regexp
}

// breakpointClauses may each occur once, in this order.
var breakpointClauses = []breakpointClause{
	{":after", ":after, :after to STEP or :fail", regexp.MustCompile(`^:(?:fail\b|after\b(?:\s+to\s+("(?:[^"\\]|\\.)*"|\S+))?)`)},
	{"if", `if NAME == "VALUE" or if NAME != "VALUE"`, regexp.MustCompile(`^\s+if\s+(\w+)\s*(==|!=)\s*"([^"]*)"`)},
	{"hit", "hit N, where N is 1 or more", regexp.MustCompile(`^\s+hit\s+([1-9][0-9]{0,6})\b`)},
	{"log", "log", regexp.MustCompile(`^\s+log\b`)},
	{"off", "off", regexp.MustCompile(`^\s+off\b`)},
}

// BreakpointClauseHelp lists what may follow the step of a breakpoint, in the order in which it is written, and what it
// means.
var BreakpointClauseHelp = [][2]string{
	{":after", "after the step"},
	{":after to STEP", "after it, if STEP is next"},
	{":fail", "after it, if it failed"},
	{`if NAME == "VALUE"`, "only if this is true; != works too"},
	{"hit N", "only on the Nth hit"},
	{"log", "a timeline event, no pause"},
	{"off", "disabled"},
}

// AnyFailureText is the text of the breakpoint on the failures of all steps.
const AnyFailureText = "any:fail"

// AnyFailureStep is the Step of a breakpoint on the failures of all steps.
const AnyFailureStep = "any"

// IsAnyFailure reports whether the breakpoint is on the failures of all steps.
func (b Breakpoint) IsAnyFailure() bool { return b.Step == AnyFailureStep && b.OnlyFailures }

// ParseBreakpoint parses STEP[:after[ to STEP]|:fail][ if NAME == "VALUE"][ hit N][ log][ off],
// where any:fail means the failures of all steps. A step's name with blanks or colons must be
// quoted. The error says which part cannot be read.
func ParseBreakpoint(text string) (Breakpoint, error) {
	text = strings.TrimSpace(text)
	step, rest, quoted := CutQuotedStep(text)
	if i := strings.IndexAny(text, stepNameDelimiters); !quoted && i >= 0 {
		step, rest = text[:i], text[i:]
	} else if !quoted {
		step, rest = text, ""
	}
	if step == "" {
		return Breakpoint{}, errors.New("a breakpoint begins with a step: STEP, STEP:after, STEP:after to STEP or STEP:fail")
	}
	matches := make([][]string, len(breakpointClauses))
	for i, c := range breakpointClauses {
		if matches[i] = c.pattern.FindStringSubmatch(rest); matches[i] != nil {
			rest = rest[len(matches[i][0]):]
		}
	}
	if rest != "" {
		return Breakpoint{}, breakpointSyntaxError(strings.TrimSpace(rest))
	}
	b := Breakpoint{Step: step, IsLogpoint: matches[3] != nil, IsDisabled: matches[4] != nil}
	if after := matches[0]; after != nil {
		b.After, b.LeadsTo, b.OnlyFailures = true, UnquoteStep(after[1]), after[0] == ":fail"
	}
	if test := matches[1]; test != nil {
		b.Condition = &plan.Test{Path: []string{test[1]}, Value: test[3]}
		if test[2] == "!=" {
			b.Condition.Op = plan.OpNotEqual
		}
	}
	if hit := matches[2]; hit != nil {
		b.NthHit, _ = strconv.Atoi(hit[1]) // the pattern allows only digits
	}
	return b, nil
}

// breakpointSyntaxError explains why the rest of a breakpoint cannot be read.
func breakpointSyntaxError(rest string) error {
	word, _, _ := strings.Cut(rest, " ")
	if strings.HasPrefix(word, ":") { // :after or :fail
		word = breakpointClauses[0].keyword
	}
	for _, t := range breakpointClauses {
		switch {
		case word != t.keyword:
		case t.pattern.MatchString(rest), t.pattern.MatchString(" " + rest):
			return fmt.Errorf("%q is repeated or out of order: the order is :after or :fail, if, hit, log, off", rest)
		default:
			return fmt.Errorf("%q cannot be read: expected %s", rest, t.syntax)
		}
	}
	return fmt.Errorf("%q is not part of a breakpoint: write STEP (in quotes if it has spaces), then any of these in this order: :after [to STEP] or :fail, if, hit, log, off", rest)
}

// String returns the breakpoint in the syntax of ParseBreakpoint.
func (b Breakpoint) String() string { return QuoteStep(b.Step) + b.ClauseText() }

// ClauseText returns the breakpoint without its step, in the syntax of ParseBreakpoint.
func (b Breakpoint) ClauseText() string {
	s := ""
	switch {
	case b.OnlyFailures:
		s = ":fail"
	case b.After:
		s = ":after"
	}
	if b.LeadsTo != "" {
		s += " to " + QuoteStep(b.LeadsTo)
	}
	if b.Condition != nil {
		op := "=="
		if b.Condition.Op == plan.OpNotEqual {
			op = "!="
		}
		s += fmt.Sprintf(" if %s %s \"%s\"", b.Condition.Path[0], op, b.Condition.Value)
	}
	if b.NthHit > 0 {
		s += fmt.Sprintf(" hit %d", b.NthHit)
	}
	if b.IsLogpoint {
		s += " log"
	}
	if b.IsDisabled {
		s += " off"
	}
	return s
}

// matches reports whether the event is at the breakpoint and its condition holds.
func (b Breakpoint) matches(e machine.Event, m *machine.Machine) bool {
	depth, here := m.IncludeDepth(), false
	switch body := e.Body.(type) {
	case *machine.StepEntered:
		here = !b.After && b.matchesEntry(e, body, m)
	case *machine.Decision:
		if b.matchesAnyFailure(body) {
			here = b.matchesDecision(body, nil)
		} else if namesStep(b.Step, e.Step, e.StepID(), depth) {
			here = b.matchesDecision(body, m.FindStep(e.StepID()))
		}
	}
	return here && !b.IsDisabled && !b.HasNoStep && (b.Condition == nil || m.ConditionHolds(b.Condition))
}

// matchesDecision reports whether the breakpoint is at a decision of the step. A step with arms decides
// when it chooses one, before it has an outcome. If it has no actions, a breakpoint before the step is here too,
// because the step has no earlier event.
func (b Breakpoint) matchesDecision(d *machine.Decision, step *plan.Step) bool {
	switch {
	case b.OnlyFailures:
		return b.After && d.Outcome != nil && (d.Outcome.Result == plan.Failed || d.Outcome.Result == plan.Errored)
	case b.LeadsTo != "":
		return b.LeadsTo == d.To || b.LeadsTo == d.Destination.StepID
	case d.IsArmChoice():
		return isFirstArmChoice(d, step) && (b.After || len(step.Actions) == 0)
	}
	return b.After && d.Outcome != nil && (step == nil || firstArm(step) == nil)
}

// firstArm returns the first arm of the step's first choice, nil if it has none.
func firstArm(step *plan.Step) *plan.Step {
	i := slices.IndexFunc(step.Children, (*plan.Step).IsArm)
	if i < 0 {
		return nil
	}
	return step.Children[i]
}

// isFirstArmChoice reports whether a decision is the first of a step's choices between arms.
func isFirstArmChoice(d *machine.Decision, step *plan.Step) bool {
	if step == nil {
		return false
	}
	arm := firstArm(step)
	return arm != nil && d.Candidates[0].Line == arm.Span.Line
}

// matchesEntry reports whether the event enters the breakpoint's step. It leaves out a step that only chooses an
// arm, because the run has paused before the choice (matchesDecision).
func (b Breakpoint) matchesEntry(e machine.Event, body *machine.StepEntered, m *machine.Machine) bool {
	depth := m.IncludeDepth()
	for _, o := range body.OpenedGroups {
		if step := m.FindStep(cmp.Or(o.StepID, o.Label)); step != nil && len(step.Actions) == 0 && firstArm(step) == step.EntryChild() {
			continue
		}
		if namesStep(b.Step, o.Label, o.StepID, depth) {
			return true
		}
	}
	return namesStep(b.Step, e.Step, e.StepID(), depth)
}

// matchesAnyFailure reports whether a decision is about the failure of any step except a group, because a
// group fails only because one of its steps did.
func (b Breakpoint) matchesAnyFailure(d *machine.Decision) bool {
	return b.IsAnyFailure() && d.JoinMode == ""
}

// entersStep reports whether the event enters a step, even one that only chooses an arm. A group is entered with
// its first step.
func entersStep(step string, e machine.Event, body *machine.StepEntered, depth int) bool {
	for _, o := range body.OpenedGroups {
		if namesStep(step, o.Label, o.StepID, depth) {
			return true
		}
	}
	return namesStep(step, e.Step, e.StepID(), depth)
}

// namesStep reports whether a name means a step: as its label, or in the root document as its ID.
func namesStep(name, label, id string, depth int) bool {
	return name == label || depth == 0 && name == id
}

// stepNameDelimiters end a step's name that is not quoted.
const stepNameDelimiters = " \t\r\n:"

// QuoteStep returns a step's name for ParseBreakpoint: in quotes if it contains delimiters or quotes.
func QuoteStep(step string) string {
	if strings.ContainsAny(step, stepNameDelimiters+`"`) {
		return strconv.Quote(step)
	}
	return step
}

// CutQuotedStep cuts a quoted step's name off the beginning of a line, and reports whether there is
// one.
func CutQuotedStep(line string) (step, rest string, ok bool) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil || line[0] != '"' {
		return "", line, false
	}
	step, err = strconv.Unquote(quoted)
	return step, line[len(quoted):], err == nil
}

// UnquoteStep returns a step's name without its quotes, if it has any.
func UnquoteStep(name string) string {
	if step, rest, ok := CutQuotedStep(name); ok && rest == "" {
		return step
	}
	return name
}

// StepAndVariableNames are the IDs of the steps of a document and of all that it includes, and their variables.
type StepAndVariableNames struct {
	StepIDs          []string
	Plans            []*plan.Plan // the document and all that it includes
	Variables        []string     // the variables that can get a value
	instancePatterns []*regexp.Regexp
}

// StepAndVariableNamesOf returns the names of a document, with additional variables of a run.
func StepAndVariableNamesOf(p *plan.Plan, variables ...string) *StepAndVariableNames {
	n := &StepAndVariableNames{}
	n.addPlanAndIncluded(p)
	n.addVariables(variables)
	return n
}

var instanceNumberPattern = regexp.MustCompile(`\\\{\w+\\\}`) // the quoted form of {N} and {n}

func (n *StepAndVariableNames) addPlanAndIncluded(p *plan.Plan) {
	n.Plans = append(n.Plans, p)
	n.addVariables(p.VariableNames())
	for _, id := range p.StepIDs() {
		n.StepIDs = append(n.StepIDs, id)
		if quoted := regexp.QuoteMeta(id); instanceNumberPattern.MatchString(quoted) {
			n.instancePatterns = append(n.instancePatterns, regexp.MustCompile("^"+instanceNumberPattern.ReplaceAllString(quoted, "[0-9]+")+"$"))
		}
	}
	for _, c := range p.IncludedDocuments {
		if c.Plan != nil && !slices.Contains(n.Plans, c.Plan) {
			n.addPlanAndIncluded(c.Plan)
		}
	}
}

func (n *StepAndVariableNames) addVariables(variables []string) {
	for _, name := range variables {
		if !slices.Contains(n.Variables, name) {
			n.Variables = append(n.Variables, name)
		}
	}
}

// HasStep reports whether a step can have this label. The included document, which is the part
// before the last slash, is ignored.
func (n *StepAndVariableNames) HasStep(label string) bool {
	id := label[strings.LastIndex(label, "/")+1:]
	return slices.Contains(n.StepIDs, id) || slices.ContainsFunc(n.instancePatterns, func(r *regexp.Regexp) bool { return r.MatchString(id) })
}

// CheckBreakpoint returns an error for a breakpoint whose step or variable does not exist. Its text is
// "there is no …" with a similar name.
func (n *StepAndVariableNames) CheckBreakpoint(b Breakpoint) error {
	switch {
	case b.IsAnyFailure():
	case !n.HasStep(b.Step):
		return fmt.Errorf("there is no step %q: %s", b.Step, near.Suggestion(b.Step, n.StepIDs))
	case b.LeadsTo != "" && b.LeadsTo != machine.EndLabel && !n.HasStep(b.LeadsTo):
		return fmt.Errorf("there is no step %q to go to: %s (write \"end\" for the end of the document)", b.LeadsTo, near.Suggestion(b.LeadsTo, n.StepIDs))
	case b.Condition != nil && !slices.Contains(n.Variables, b.Condition.Path[0]):
		return fmt.Errorf("there is no variable %q: %s", b.Condition.Path[0], near.Suggestion(b.Condition.Path[0], n.Variables))
	}
	return nil
}
