package lines

import (
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/compare"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// PrintComparison prints two runs side by side, as a diff of their paths.
func PrintComparison(out io.Writer, c *compare.Comparison, colour bool) error {
	p := &comparisonPrinter{Comparison: c, isColoured: colour}
	p.addRuns()
	for i, pair := range c.Pairs {
		if c.Divergence != nil && c.Divergence.CommonPairCount == i {
			p.addDivergence(c.Divergence)
		}
		p.addPair(pair)
	}
	if c.Divergence != nil && c.Divergence.CommonPairCount == len(c.Pairs) {
		p.addDivergence(c.Divergence)
	}
	p.addEnds()
	_, err := io.WriteString(out, p.outputText.String())
	return err
}

// comparisonPrinter makes the text of a comparison, which PrintComparison then writes at once.
type comparisonPrinter struct {
	*compare.Comparison
	isColoured bool
	outputText strings.Builder
}

// addLine adds a line after a mark. The mark decides the colour: - is of run A, + of run B, ~ of both.
func (p *comparisonPrinter) addLine(mark, format string, args ...any) {
	tint := map[string]string{"-": red, "+": green, "~": yellow}[strings.TrimSpace(mark)]
	line := mark + " " + sanitize.Plain(fmt.Sprintf(format, args...))
	if p.isColoured && tint != "" {
		line = tint + line + reset
	}
	p.outputText.WriteString(line + "\n")
}

func (p *comparisonPrinter) addBlankLine() { p.outputText.WriteByte('\n') }

// addRuns adds the names of the runs, how they are related, and whether their paths differ.
func (p *comparisonPrinter) addRuns() {
	for i, r := range []compare.Run{p.A, p.B} {
		p.addLine([]string{"-", "+"}[i], "%s  %s, started %s: %s", r.ID, r.DocumentPath, r.Started.Local().Format(time.DateTime), endingText(r))
	}
	for _, sentence := range p.DocumentSentences() {
		p.addLine(" ", "%s", strings.TrimSuffix(sentence, "."))
	}
	if f := p.Fork; f != nil {
		p.addLine(" ", "%s", strings.TrimSuffix(f.Sentence(), "."))
	}
	p.addBlankLine()
	if p.Divergence == nil {
		p.addLine(" ", "Both took %s:", p.SamePathText())
	}
}

// endingText returns how a run ended, and how long it took.
func endingText(r compare.Run) string {
	s := "not over"
	if r.Result != "" {
		s = endName(r.Track.Finished) + quotedSuffix(r.Message)
	}
	s += fmt.Sprintf(", %s entered%s", plan.CountText(r.EntryCount, "step"), durationSuffix(time.Duration(r.DurationMS)*time.Millisecond))
	if used := r.Track.ModelUsage.String(); used != "" {
		s += ", tokens " + used
	}
	return s
}

// addPair adds two attempts that match, or one that only one of the runs has.
func (p *comparisonPrinter) addPair(pair compare.AttemptPair) {
	switch {
	case pair.A == nil:
		p.addLine("+", "%s", attemptText(pair.B))
	case pair.B == nil:
		p.addLine("-", "%s", attemptText(pair.A))
	case len(pair.Differences) == 0:
		p.addLine(" ", "%s | %s", attemptText(pair.A), outcomeText(pair.B))
	default:
		p.addLine("~", "%s | %s", attemptText(pair.A), attemptTextOfRunB(pair))
		p.addDifferences(pair.Differences)
		p.addTextDiffs(pair.TextDifferences)
	}
}

// attemptText returns the name of an attempt and its outcome.
func attemptText(attempt *compare.Attempt) string {
	s := "[" + attempt.Step + "]"
	if attempt.Title != "" && attempt.Title != attempt.Step {
		s += " " + attempt.Title
	}
	return s + ": " + outcomeText(attempt)
}

// attemptTextOfRunB returns the outcome of the second attempt of a pair, with its name if the labels differ.
func attemptTextOfRunB(p compare.AttemptPair) string {
	if p.A.Step == p.B.Step {
		return outcomeText(p.B)
	}
	return attemptText(p.B)
}

func outcomeText(attempt *compare.Attempt) string {
	s := string(attempt.Result)
	switch {
	case s == "" && attempt.IsOpen():
		s = "not decided yet"
	case s == "":
		s = wording.LeftUndecidedText
	}
	if attempt.Number > 1 {
		s += fmt.Sprintf(", attempt %d", attempt.Number)
	}
	if attempt.DurationMS != nil {
		s += durationSuffix(time.Duration(*attempt.DurationMS) * time.Millisecond)
	}
	return s
}

// durationSuffix returns a duration after a comma, "" if it rounds to nothing.
func durationSuffix(d time.Duration) string {
	if took := wording.SecondsText(d); took != "" {
		return ", " + took
	}
	return ""
}

// addDifferences adds what differs. Texts that differ follow line by line.
func (p *comparisonPrinter) addDifferences(all []compare.Difference) {
	for _, d := range all {
		name := strings.TrimSpace(d.Aspect + " " + d.VariableName)
		p.addLine("   ", "%s", name)
		if d.A != "" {
			p.addLine("    -", "%s", d.A)
		}
		if d.B != "" {
			p.addLine("    +", "%s", d.B)
		}
	}
}

// maxTextLines is the maximum number of lines that are printed of a text.
const maxTextLines = 40

// addTextDiffs adds the lines that differ.
func (p *comparisonPrinter) addTextDiffs(all []compare.TextDifference) {
	for _, t := range all {
		p.addLine("   ", "lines of the %s", t.Aspect)
		n := 0
		for _, h := range t.Hunks {
			for i, l := range h {
				if n++; n > maxTextLines {
					continue
				}
				if i == 0 {
					p.addLine("    @@", "line %d", max(l.NumberInA, l.NumberInB))
				}
				p.addLine("    "+string(l.Op), "%s", l.Text)
			}
		}
		p.addOmittedNote(t.Diff, n)
	}
}

// addOmittedNote adds how much of a text is not printed.
func (p *comparisonPrinter) addOmittedNote(d linediff.Diff, n int) {
	if n > maxTextLines {
		p.addLine("    …", "%s: playhead compare --json prints all lines", plan.CountText(n-maxTextLines, "more line"))
	}
	if text := d.UncomparedText(); text != "" {
		p.addLine("    …", "%s", text)
	}
}

// addDivergence adds where the paths diverge, and why.
func (p *comparisonPrinter) addDivergence(at *compare.Divergence) {
	p.addBlankLine()
	p.addLine("≠", "Paths diverge:")
	p.addRouteAtDivergence("    -", p.A.ID, at.A)
	p.addRouteAtDivergence("    +", p.B.ID, at.B)
	p.addValues(at.DifferingVariables)
	p.addBlankLine()
}

// addRouteAtDivergence adds which route a run took where the paths diverge, and why.
func (p *comparisonPrinter) addRouteAtDivergence(mark, run string, t compare.Departure) {
	if len(t.Decisions) == 0 {
		p.addLine(mark, "%s: %s", run, t.NoDecisionReason)
	}
	for _, r := range t.DecidingDecisions() {
		s := fmt.Sprintf("%s at %s: %s", run, r.Step, r.Describe())
		if r.ShownWhy != "" && !r.Overridden {
			s += "; reason: " + r.ShownWhy
		}
		p.addLine(mark, "%s", s)
	}
}

func (p *comparisonPrinter) addValues(all []compare.VariableDifference) {
	for _, v := range all {
		d := compare.Difference{Aspect: "value", VariableName: v.Name}
		if d.A, d.B = v.Describe(); v.IsTested {
			d.VariableName += " (a route depends on it)"
		}
		p.addDifferences([]compare.Difference{d})
	}
}

// addEnds adds how the ends differ.
func (p *comparisonPrinter) addEnds() {
	if len(p.EndDifferences)+len(p.DifferingVariables) == 0 {
		return
	}
	p.addBlankLine()
	p.addLine("~", "How they ended:")
	p.addDifferences(p.EndDifferences)
	p.addTextDiffs(p.FinalOutputDifferences)
	p.addValues(p.DifferingVariables)
}
