package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Difference is one thing that is not the same in two visits, or at the ends of two
// runs, in words. Where one of them has none of it, its side is empty.
type Difference struct {
	What string `json:"what"`           // outcome, attempt, route, value, output …
	Name string `json:"name,omitempty"` // of a variable
	A    string `json:"a,omitempty"`
	B    string `json:"b,omitempty"`
}

// differences returns how two matched visits differ. Durations are ignored, because they always
// differ.
func (c *Comparison) differences(a, b *Visit) []Difference {
	var out []Difference
	add := func(what, a, b string) {
		if a != b {
			out = append(out, Difference{What: what, A: a, B: b})
		}
	}
	if !a.isPending() && !b.isPending() {
		add("outcome", a.outcome(), b.outcome())
	}
	add("attempt", fmt.Sprint(a.Attempt), fmt.Sprint(b.Attempt))
	if i := firstDifference(a.Decisions, b.Decisions); i >= 0 && !(a.open && i >= len(a.Decisions)) && !(b.open && i >= len(b.Decisions)) {
		out = append(out, routeDifference(nth(a.Decisions, i), nth(b.Decisions, i)))
	}
	add("interventions", strings.Join(a.Interventions, "; "), strings.Join(b.Interventions, "; "))
	out = append(out, valueDifferences(a.set, b.set)...)
	n := max(len(a.actions), len(b.actions))
	if a.open || b.open { // it has not done the rest yet
		n = min(len(a.actions), len(b.actions))
	}
	for i := range n {
		out = append(out, c.actionDifferences(actionAt(a, i), actionAt(b, i))...)
	}
	return out
}

// IsOpen reports whether the run is still in the visit.
func (v *Visit) IsOpen() bool { return v.open }

// isPending reports whether the visit is still to come to an outcome.
func (v *Visit) isPending() bool { return v.open && v.Result == "" }

// routeDifference returns two decisions in words. Where the same words lead to different steps, as
// they may in an edited document, the steps' keys tell them apart.
func routeDifference(a, b *Decision) Difference {
	d := Difference{What: "route", A: a.Describe(), B: b.Describe()}
	if d.A == d.B {
		d.A, d.B = d.A+" ("+a.goal+")", d.B+" ("+b.goal+")"
	}
	return d
}

// outcome describes how a visit ended, such as: fail, exit 1.
func (v *Visit) outcome() string {
	s := cmp.Or(v.intent, string(v.Result))
	if v.Source != "" {
		s += ", " + v.Source
	}
	if v.Overridden {
		s += ", overridden"
	}
	return s
}

// valueDifferences returns the variables to which two visits gave different values.
func valueDifferences(a, b []plan.Assignment) []Difference {
	var out []Difference
	for _, x := range a {
		d := Difference{What: "value", Name: x.Name}
		if y := valueOf(b, x.Name); y != plan.TextOf(x.Value) {
			d.A, d.B = bothBrief(plan.TextOf(x.Value), y)
			out = append(out, d)
		}
	}
	for _, y := range b {
		if value := plan.TextOf(y.Value); valueOf(a, y.Name) == "" && value != "" {
			out = append(out, Difference{What: "value", Name: y.Name, B: brief(value)})
		}
	}
	return out
}

// valueOf returns the last value that a list gives a variable, as text.
func valueOf(set []plan.Assignment, name string) (text string) {
	for _, x := range set {
		if x.Name == name {
			text = plan.TextOf(x.Value)
		}
	}
	return text
}

// noAction stands for an action that only the other visit did.
var noAction = &action{}

func actionAt(v *Visit, i int) *action {
	if i < len(v.actions) {
		return v.actions[i]
	}
	return noAction
}

// actionDifferences returns the differences between actions of two visits.
func (c *Comparison) actionDifferences(a, b *action) []Difference {
	kind := cmp.Or(a.kind, b.kind)
	if a.kind != b.kind && a.kind != "" && b.kind != "" {
		return []Difference{{What: "action", A: a.kind, B: b.kind}}
	}
	var out []Difference
	if a.request != b.request {
		d := Difference{What: promptName(kind)}
		d.A, d.B = bothBrief(a.request, b.request)
		out = append(out, d)
	}
	if !c.isSame(a, b) {
		d := Difference{What: resultName(kind), A: a.extent(), B: b.extent()}
		if !a.isPartial() && !b.isPartial() {
			d.A, d.B = bothBrief(a.product, b.product)
		}
		out = append(out, d)
	}
	return out
}

// isSame reports whether two actions had the same result. A log that is too long for events
// is read to the end only if the other one is as long.
func (c *Comparison) isSame(a, b *action) bool {
	switch {
	case !a.isPartial() && !b.isPartial():
		return a.product == b.product
	case a.isPartial() != b.isPartial() || a.log.Bytes != b.log.Bytes:
		return false
	}
	d, err := c.diff(a, b)
	return err == nil && d.Equal()
}

// diff compares what came of two actions, line by line.
func (c *Comparison) diff(a, b *action) (linediff.Diff, error) {
	x, err := c.product(0, a)
	if err != nil {
		return linediff.Diff{}, err
	}
	defer func() { _ = x.Close() }()
	y, err := c.product(1, b)
	if err != nil {
		return linediff.Diff{}, err
	}
	defer func() { _ = y.Close() }()
	return linediff.Read(x, y)
}

// product returns what an action of one run produced.
func (c *Comparison) product(side int, d *action) (io.ReadCloser, error) {
	if d.isPartial() && c.open[side] != nil {
		return c.open[side](d.log)
	}
	text := d.product
	if d.kind != "command" { // nor was it printed: linediff reads lines as a terminal does
		text = sanitize.Text(text)
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// actionNames are, by kind of action, the name of its request and the name of its result.
var actionNames = map[string][2]string{
	"command": {"command", "output"}, "model": {"prompt", "reply"}, "tool": {"call", "result"},
	"prompt_ref": {"reference", "text"}, "ask": {"question", "answer"}, "decide": {"question", "decision"},
}

func promptName(kind string) string { return cmp.Or(actionNames[kind][0], kind+" request") }
func resultName(kind string) string { return cmp.Or(actionNames[kind][1], kind+" result") }

// maxBrief is the longest text, in bytes, that stands for itself.
const maxBrief = 120

// isBrief reports whether a text stands for itself.
func isBrief(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) <= maxBrief && !strings.Contains(text, "\n")
}

// brief returns a short text itself, or the size of a longer one.
func brief(text string) string {
	text = strings.TrimSpace(text)
	switch n := strings.Count(text, "\n") + 1; {
	case n > 1:
		return track.Thousands(n) + " lines"
	case !isBrief(text):
		return track.Thousands(len(text)) + " bytes"
	}
	return sanitize.Plain(text)
}

// bothBrief returns brief of two texts. If their difference is hard to see, it quotes them and
// names the difference.
func bothBrief(a, b string) (string, string) {
	hard := plan.SlightDifference(a, b)
	if hard == "" || !isBrief(a) || !isBrief(b) {
		return brief(a), brief(b)
	}
	return fmt.Sprintf("%q", a), fmt.Sprintf("%q (only %s)", b, hard)
}

// extent returns the result of an action, or its size.
func (d *action) extent() string {
	if d.isPartial() {
		return fmt.Sprintf("%s bytes", track.Thousands(int(d.log.Bytes)))
	}
	return brief(d.product)
}

// Text is a text that is not the same in both, line by line.
type Text struct {
	What string `json:"what"`
	linediff.Diff
}

// Texts compares, line by line, what the visits of a pair were asked to do and what
// came of it, as far as that differs and is longer than the words of a Difference. It
// may read what was printed.
func (c *Comparison) Texts(p Pair) ([]Text, error) {
	if p.A == nil || p.B == nil {
		return nil, nil
	}
	var out []Text
	for i := range max(len(p.A.actions), len(p.B.actions)) {
		a, b := actionAt(p.A, i), actionAt(p.B, i)
		if a.request != b.request && !(isBrief(a.request) && isBrief(b.request)) {
			out = append(out, text(promptName(cmp.Or(a.kind, b.kind)), a.request, b.request))
		}
		if !a.isPartial() && !b.isPartial() && isBrief(a.product) && isBrief(b.product) || c.isSame(a, b) {
			continue
		}
		d, err := c.diff(a, b)
		if err != nil {
			return out, err
		}
		out = append(out, Text{resultName(cmp.Or(a.kind, b.kind)), d})
	}
	return out, nil
}

// finalTexts compares the final outputs of the runs, nil where they are equal.
func (c *Comparison) finalTexts() []Text {
	a, b := finalOf(c.A.Track), finalOf(c.B.Track)
	if a == b || isBrief(a) && isBrief(b) {
		return nil
	}
	return []Text{text("final output", a, b)}
}

func text(what, a, b string) Text {
	return Text{what, linediff.Diff{Hunks: linediff.Lines(split(a), split(b))}}
}

// split returns the lines of a text as they are displayed.
func split(s string) []string {
	if s = strings.TrimSuffix(sanitize.Text(s), "\n"); s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func finalOf(t *track.Track) string {
	a, _ := t.Final()
	return a.Text
}

// endDifferences returns the differences between the ends of the runs.
func (c *Comparison) endDifferences() []Difference {
	var out []Difference
	add := func(what, a, b string) {
		if a != b {
			out = append(out, Difference{What: what, A: a, B: b})
		}
	}
	finalA, finalB := bothBrief(finalOf(c.A.Track), finalOf(c.B.Track))
	add("result", string(c.A.Result), string(c.B.Result))
	add("message", brief(c.A.Message), brief(c.B.Message))
	add("tokens", c.A.Track.Used.String(), c.B.Track.Used.String())
	add("final output", finalA, finalB)
	return out
}
