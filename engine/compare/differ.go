package compare

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Difference is one difference between two attempts, or between the ends of two runs, as text. A side
// that has nothing to compare is empty.
type Difference struct {
	Aspect       string `json:"what"`           // outcome, attempt, route, value, output …
	VariableName string `json:"name,omitempty"` // the name of a variable
	A            string `json:"a,omitempty"`
	B            string `json:"b,omitempty"`
}

// differences returns how two matched attempts differ. Durations are ignored, because they always
// differ.
func (c *Comparison) differences(a, b *Attempt) []Difference {
	var out []Difference
	add := func(what, a, b string) {
		if a != b {
			out = append(out, Difference{Aspect: what, A: a, B: b})
		}
	}
	if !a.isInProgress() && !b.isInProgress() {
		add("outcome", a.outcomeText(), b.outcomeText())
	}
	add("attempt", fmt.Sprint(a.Number), fmt.Sprint(b.Number))
	if i := firstDifference(a.Decisions, b.Decisions); i >= 0 && !(a.isOpen && i >= len(a.Decisions)) && !(b.isOpen && i >= len(b.Decisions)) {
		out = append(out, routeDifference(decisionAt(a.Decisions, i), decisionAt(b.Decisions, i)))
	}
	add("interventions", strings.Join(a.Interventions, "; "), strings.Join(b.Interventions, "; "))
	add("edit", a.EditsText(), b.EditsText())
	out = append(out, valueDifferences(a, b)...)
	for i := range actionPairCount(a, b) {
		out = append(out, c.actionDifferences(actionAt(a, i), actionAt(b, i))...)
	}
	return out
}

// actionPairCount returns how many actions of two attempts can be compared: those that both have, if one of the attempts
// has not done the rest yet, else all.
func actionPairCount(a, b *Attempt) int {
	if a.isOpen || b.isOpen {
		return min(len(a.actions), len(b.actions))
	}
	return max(len(a.actions), len(b.actions))
}

// EditsText returns the texts that a person edited, before and after, or their sizes, "" if there are none.
func (attempt *Attempt) EditsText() string {
	var out []string
	for _, e := range attempt.Edits {
		before, after := textsOrSizes(e.Before, e.After)
		out = append(out, cmp.Or(before, "no text")+" → "+cmp.Or(after, "no text"))
	}
	return strings.Join(out, "; ")
}

// editTextDifferences compares the texts before and after the edits of two attempts, where the edits differ and are too
// long for a Difference.
func (c *Comparison) editTextDifferences(p AttemptPair) []TextDifference {
	sameTexts := func(a, b Edit) bool { return a.Before == b.Before && a.After == b.After }
	if slices.EqualFunc(p.A.Edits, p.B.Edits, sameTexts) {
		return nil
	}
	var out []TextDifference
	for _, side := range []struct {
		run   string
		edits []Edit
	}{{c.A.ID, p.A.Edits}, {c.B.ID, p.B.Edits}} {
		for _, e := range side.edits {
			if !isShort(e.Before) || !isShort(e.After) {
				out = append(out, newTextDifference("edit in "+side.run, e.Before, e.After))
			}
		}
	}
	return out
}

// IsOpen reports whether the run is still in the attempt.
func (attempt *Attempt) IsOpen() bool { return attempt.isOpen }

// isInProgress reports whether the attempt is in progress and has no outcome yet.
func (attempt *Attempt) isInProgress() bool { return attempt.isOpen && attempt.Result == "" }

// routeDifference describes two decisions that differ. If the descriptions are equal, as they can
// be in an edited document, it adds the keys of the destinations.
func routeDifference(a, b *Decision) Difference {
	d := Difference{Aspect: "route", A: a.Describe(), B: b.Describe()}
	if d.A == d.B {
		d.A, d.B = d.A+" ("+a.destinationKey+")", d.B+" ("+b.destinationKey+")"
	}
	return d
}

// outcomeText describes how an attempt ended, such as: fail, exit 1.
func (attempt *Attempt) outcomeText() string {
	s := cmp.Or(attempt.outcomeIntent, string(attempt.Result))
	if attempt.OutcomeSource != "" {
		s += ", " + attempt.OutcomeSource
	}
	if attempt.Overridden {
		s += ", overridden"
	}
	return s
}

// valueDifferences returns the variables to which two attempts gave different values. An attempt that is open may give
// the others their values later.
func valueDifferences(a, b *Attempt) []Difference {
	var out []Difference
	for _, x := range a.assignments {
		d := Difference{Aspect: "value", VariableName: x.Name}
		if y := valueOf(b.assignments, x.Name); y != plan.ValueText(x.Value) && !(b.isInProgress() && y == "") {
			d.A, d.B = textsOrSizes(plan.ValueText(x.Value), y)
			out = append(out, d)
		}
	}
	for _, y := range b.assignments {
		if value := plan.ValueText(y.Value); valueOf(a.assignments, y.Name) == "" && value != "" && !a.isInProgress() {
			out = append(out, Difference{Aspect: "value", VariableName: y.Name, B: textOrSize(value)})
		}
	}
	return out
}

// valueOf returns the value that a list gives a variable, as text, "" if it gives none.
func valueOf(set []plan.Assignment, name string) string {
	for _, x := range set {
		if x.Name == name {
			return plan.ValueText(x.Value)
		}
	}
	return ""
}

// noAction stands for an action that only the other attempt performed.
var noAction = &action{}

func actionAt(attempt *Attempt, i int) *action {
	if i < len(attempt.actions) {
		return attempt.actions[i]
	}
	return noAction
}

// actionDifferences returns the differences between actions of two attempts.
func (c *Comparison) actionDifferences(a, b *action) []Difference {
	kind := cmp.Or(a.kind, b.kind)
	if a.kind != b.kind && a.kind != "" && b.kind != "" {
		return []Difference{{Aspect: "action", A: a.kind, B: b.kind}}
	}
	var out []Difference
	if a.request != b.request {
		d := Difference{Aspect: requestName(kind)}
		d.A, d.B = textsOrSizes(a.request, b.request)
		out = append(out, d)
	}
	if !c.haveSameResult(a, b) {
		d := Difference{Aspect: resultName(kind), A: a.resultOrSize(), B: b.resultOrSize()}
		if !a.isPartial() && !b.isPartial() {
			d.A, d.B = textsOrSizes(a.result, b.result)
		}
		out = append(out, d)
	}
	return out
}

// haveSameResult reports whether two actions had the same result. A log that is too long for events
// is read to the end only if the other one is as long.
func (c *Comparison) haveSameResult(a, b *action) bool {
	switch {
	case a.isRunning || b.isRunning: // there is nothing to compare
		return true
	case !a.isPartial() && !b.isPartial():
		return a.result == b.result
	case a.isPartial() != b.isPartial() || a.log.Bytes != b.log.Bytes:
		return false
	}
	d, err := c.diffResults(a, b)
	return err == nil && d.IsEqual()
}

// diffResults compares the results of two actions line by line.
func (c *Comparison) diffResults(a, b *action) (linediff.Diff, error) {
	x, err := c.openResult(0, a)
	if err != nil {
		return linediff.Diff{}, err
	}
	defer func() { _ = x.Close() }()
	y, err := c.openResult(1, b)
	if err != nil {
		return linediff.Diff{}, err
	}
	defer func() { _ = y.Close() }()
	return linediff.CompareOutputs(x, y)
}

// openResult returns what an action of one run produced.
func (c *Comparison) openResult(side int, d *action) (io.ReadCloser, error) {
	if d.isPartial() && c.openLog[side] != nil {
		return c.openLog[side](d.log)
	}
	text := d.result
	if d.kind != "command" { // it was not printed, and linediff reads lines as a terminal does
		text = sanitize.PlainLines(text)
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// requestAndResultNames are, by kind of action, the name of its request and the name of its result.
var requestAndResultNames = map[string][2]string{
	"command": {"command", "output"}, "model": {"prompt", "reply"}, "tool": {"call", "result"},
	"prompt_ref": {"reference", "text"}, "ask": {"question", "answer"}, "decide": {"question", "decision"},
}

func requestName(kind string) string { return cmp.Or(requestAndResultNames[kind][0], kind+" request") }
func resultName(kind string) string  { return cmp.Or(requestAndResultNames[kind][1], kind+" result") }

// maxShortBytes is the maximum length in bytes of a text that is shown in full.
const maxShortBytes = 120

// isShort reports whether a text is short enough to be shown in full.
func isShort(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= maxShortBytes && !strings.Contains(text, "\n")
}

// textOrSize returns a short text itself, or the size of a longer one.
func textOrSize(text string) string {
	text = strings.TrimSpace(text)
	switch n := strings.Count(text, "\n") + 1; {
	case n > 1:
		return plan.FormatThousands(n) + " lines"
	case !isShort(text):
		return plan.FormatThousands(len(text)) + " bytes"
	}
	return sanitize.Plain(text)
}

// textsOrSizes returns two texts or their sizes, as textOrSize does. If their difference is hard to see, it
// quotes them and names the difference.
func textsOrSizes(a, b string) (string, string) {
	if plan.SlightDifference(a, b) == "" || !isShort(a) || !isShort(b) {
		return textOrSize(a), textOrSize(b)
	}
	return fmt.Sprintf("%q", a), fmt.Sprintf("%q", b) + plan.DifferenceNote(a, b)
}

// resultOrSize returns the result of an action, or its size.
func (a *action) resultOrSize() string {
	if a.isPartial() {
		return fmt.Sprintf("%s bytes", plan.FormatThousands(int(a.log.Bytes)))
	}
	return textOrSize(a.result)
}

// TextDifference is a text that differs between the runs, as a line-by-line comparison.
type TextDifference struct {
	Aspect string `json:"what"`
	linediff.Diff
}

// TextDifferences compares the requests and results of a pair's attempts line by line, where they differ and
// are too long for a Difference. It may read logs.
func (c *Comparison) TextDifferences(p AttemptPair) ([]TextDifference, error) {
	if p.A == nil || p.B == nil {
		return nil, nil
	}
	out := c.editTextDifferences(p)
	for i := range actionPairCount(p.A, p.B) {
		a, b := actionAt(p.A, i), actionAt(p.B, i)
		if a.request != b.request && !(isShort(a.request) && isShort(b.request)) {
			out = append(out, newTextDifference(requestName(cmp.Or(a.kind, b.kind)), a.request, b.request))
		}
		if !a.isPartial() && !b.isPartial() && isShort(a.result) && isShort(b.result) || c.haveSameResult(a, b) {
			continue
		}
		d, err := c.diffResults(a, b)
		if err != nil {
			return out, err
		}
		out = append(out, TextDifference{resultName(cmp.Or(a.kind, b.kind)), d})
	}
	return out, nil
}

// longFinalOutputDifferences compares the final outputs of the runs. It returns nil if they are equal, and if both are
// short: then endDifferences has them.
func (c *Comparison) longFinalOutputDifferences() []TextDifference {
	a, b := finalOutput(c.A.Track), finalOutput(c.B.Track)
	if a == b || isShort(a) && isShort(b) {
		return nil
	}
	return []TextDifference{newTextDifference("final output", a, b)}
}

func newTextDifference(aspect, a, b string) TextDifference {
	return TextDifference{aspect, linediff.Diff{Hunks: linediff.CompareLines(displayedLines(a), displayedLines(b))}}
}

// displayedLines returns the lines of a text as they are displayed.
func displayedLines(s string) []string {
	if s = strings.TrimSuffix(sanitize.PlainLines(s), "\n"); s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func finalOutput(t *track.Track) string {
	a, _ := t.FinalArtifact()
	return a.RawText
}

// endDifferences returns the differences between the ends of the runs.
func (c *Comparison) endDifferences() []Difference {
	var out []Difference
	add := func(what, a, b string) {
		if a != b {
			out = append(out, Difference{Aspect: what, A: a, B: b})
		}
	}
	finalA, finalB := textsOrSizes(finalOutput(c.A.Track), finalOutput(c.B.Track))
	add("result", string(c.A.Result), string(c.B.Result))
	add("message", textOrSize(c.A.Message), textOrSize(c.B.Message))
	add("tokens", c.A.Track.ModelUsage.String(), c.B.Track.ModelUsage.String())
	add("final output", finalA, finalB)
	return out
}
