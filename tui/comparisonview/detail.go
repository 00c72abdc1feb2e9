package comparisonview

import (
	"slices"
	"strings"

	"playhead/engine/compare"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/list"
)

// minTwoColumnWidth is the minimum width at which the details of both runs are in two columns.
const minTwoColumnWidth = 100

// selectedName returns the name of the selected item.
func (v *View) selectedName() string {
	switch it := v.items[v.selectedItem]; it {
	case divergenceItem:
		return "PATHS DIVERGE"
	case endsItem:
		return "HOW THEY ENDED"
	default:
		p := v.comparison.Pairs[it]
		one := p.A
		if one == nil {
			one = p.B
		}
		if one.Title == "" || one.Title == one.Step {
			return draw.CleanLine(one.Step)
		}
		return draw.CleanLine(one.Step + " " + one.Title)
	}
}

// detailLines returns the details of the selected item.
func (v *View) detailLines(dc *draw.Context, w int) []string {
	switch it := v.items[v.selectedItem]; it {
	case divergenceItem:
		return v.divergenceLines(dc, v.comparison.Divergence, w)
	case endsItem:
		return v.endingLines(dc, w)
	default:
		return v.pairLines(dc, int(it), w)
	}
}

// divergenceLines returns how each run reached its decision.
func (v *View) divergenceLines(dc *draw.Context, p *compare.Divergence, w int) []string {
	out := bothRunsLines(dc, w, func(w int) []string { return departureLines(dc, v.comparison.A, p.A, w) }, func(w int) []string { return departureLines(dc, v.comparison.B, p.B, w) })
	if len(p.DifferingVariables) == 0 {
		return append(out, "", dc.Muted.Paint("All variables are the same "+v.divergencePlace()+"."))
	}
	return append(append(out, "", dc.Muted.Paint("values that differ "+v.divergencePlace())), valueLines(dc, p.DifferingVariables, w)...)
}

// bothRunsLines returns the lines of the two runs in two columns, or below each other if the width is too
// small.
func bothRunsLines(dc *draw.Context, w int, a, b func(w int) []string) []string {
	if w < minTwoColumnWidth {
		return append(append(a(w), ""), b(w)...)
	}
	left, right := detailWidths(w)
	return twoColumnLines(dc, a(left), b(right), left, right)
}

// twoColumnLines returns the lines of two columns of these widths.
func twoColumnLines(dc *draw.Context, a, b []string, left, right int) []string {
	var out []string
	for i := range max(len(a), len(b)) {
		out = append(out, twoColumnLine(dc, list.ElementOrZero(a, i), list.ElementOrZero(b, i), left, right))
	}
	return out
}

// departureLines returns how one run reached its decision.
func departureLines(dc *draw.Context, r compare.Run, t compare.Departure, w int) []string {
	name := dc.Title.Paint(draw.CleanLine(r.ID))
	if len(t.Decisions) == 0 {
		return []string{dc.Cut(name+": "+draw.CleanLine(t.NoDecisionReason), w)}
	}
	var out []string
	for i, d := range t.DecidingDecisions() {
		if i > 0 {
			name = "then"
		}
		out = append(out, dc.LeftRight(name+" at "+draw.CleanLine(d.Step), dc.Muted.Paint(wording.OutcomeText(d.Record)), w))
		out = append(out, decisionLines(dc, r, d, w)...)
	}
	return out
}

// decisionLines returns the candidates of a decision, or that a person overrode it.
func decisionLines(dc *draw.Context, r compare.Run, d *compare.Decision, w int) []string {
	if !d.Overridden {
		return decision.DrawCandidates(dc, nil, wording.WithArmNames(r.Track.RowByLabel(d.Step), d.Record), false, w).Lines
	}
	return dc.Wrap(dc.Warn.Paint(wording.DecisionText(d.Record, d.Note)), w)
}

// endingLines returns how the ends of the runs differ, and what each run used.
func (v *View) endingLines(dc *draw.Context, w int) []string {
	left, right := detailWidths(w)
	out := twoColumnLines(dc, usageLines(dc, v.comparison.A, left), usageLines(dc, v.comparison.B, right), left, right)
	out = append(out, v.documentLines(dc, w)...)
	if !v.itemDiffers(endsItem) {
		return append(out, "", dc.Muted.Paint(v.noDifferenceText()))
	}
	out = append(append(out, ""), differenceLines(dc, v.comparison.EndDifferences, signedEndLines, w)...)
	out = append(out, valueLines(dc, v.comparison.DifferingVariables, w)...)
	for _, t := range v.comparison.FinalOutputDifferences {
		out = append(out, textDiffLines(dc, t, w)...)
	}
	return out
}

// noDifferenceText returns why the ends of the runs have no differences.
func (v *View) noDifferenceText() string {
	a, b := v.comparison.A, v.comparison.B
	switch {
	case a.IsOver() && b.IsOver():
		return "Both runs ended the same way."
	case a.IsOver():
		return draw.CleanLine(b.ID) + " is not over."
	case b.IsOver():
		return draw.CleanLine(a.ID) + " is not over."
	}
	return "Neither run is over."
}

// usageLines returns the duration of a run, and the tokens that it used.
func usageLines(dc *draw.Context, r compare.Run, w int) []string {
	s := plan.CountText(r.EntryCount, "step") + " entered"
	if took := wording.ColumnDuration(r.Track.Duration()); took != "" {
		s = took + " · " + s
	}
	if used := r.Track.ModelUsage.String(); used != "" {
		s += " · tokens " + used
	}
	return []string{dc.Cut(dc.Title.Paint(draw.CleanLine(r.ID))+" "+s, w)}
}

// documentLines returns how the documents differ, and which run is a fork.
func (v *View) documentLines(dc *draw.Context, w int) []string {
	var out []string
	for _, sentence := range v.comparison.DocumentSentences() {
		out = append(out, dc.Wrap(dc.Warn.Paint(draw.CleanLine(sentence)), w)...)
	}
	if f := v.comparison.Fork; f != nil {
		out = append(out, dc.Wrap(draw.CleanLine(f.Sentence()), w)...)
	}
	return out
}

// pairLines returns how two attempts differ.
func (v *View) pairLines(dc *draw.Context, i int, w int) []string {
	p := v.comparison.Pairs[i]
	switch {
	case p.B == nil:
		return unmatchedAttemptLines(dc, v.comparison.A, p.A, w)
	case p.A == nil:
		return unmatchedAttemptLines(dc, v.comparison.B, p.B, w)
	case len(p.Differences) == 0:
		return []string{dc.Muted.Paint("The same in both, except for the time it took.")}
	}
	read, ok := v.textsByPair[i]
	if !ok {
		return differenceLines(dc, p.Differences, signedLines, w)
	}
	out := differenceLines(dc, withoutEqualCounts(p.Differences, read.differingTexts), signedLines, w)
	if read.err != nil {
		out = append(out, dc.Wrap(dc.Warn.Paint(draw.CleanLine(wording.ErrorSentence(read.err))), w)...)
	}
	for _, t := range read.differingTexts {
		out = append(out, textDiffLines(dc, t, w)...)
	}
	if len(out) > 0 && out[0] == "" { // the rule above it already separates it
		out = out[1:]
	}
	return out
}

// withoutEqualCounts returns the differences without the lengths of two texts that are equal, if the texts
// are compared line by line anyway.
func withoutEqualCounts(all []compare.Difference, texts []compare.TextDifference) []compare.Difference {
	return slices.DeleteFunc(slices.Clone(all), func(d compare.Difference) bool {
		return d.A == d.B && slices.ContainsFunc(texts, func(t compare.TextDifference) bool { return t.Aspect == d.Aspect })
	})
}

// unmatchedAttemptLines returns lines about an attempt that only one run has.
func unmatchedAttemptLines(dc *draw.Context, r compare.Run, attempt *compare.Attempt, w int) []string {
	out := []string{dc.Cut("Only in "+draw.CleanLine(r.ID)+": "+draw.CleanLine(r.Track.VisitText(attempt.Step, attempt.EntrySeq))+".", w)}
	for _, d := range attempt.Decisions {
		out = append(out, dc.Wrap(draw.CleanLine("at "+d.Step+": "+d.Describe()), w)...)
	}
	for _, intervention := range attempt.Interventions {
		out = append(out, dc.Wrap(dc.Warn.Paint("! "+draw.CleanLine(intervention)), w)...)
	}
	if edits := attempt.EditsText(); edits != "" {
		out = append(out, dc.Wrap("edit  "+draw.CleanLine(edits), w)...)
	}
	return out
}

// valueLines returns the values that differ. A ≠ marks values on which routes depend.
func valueLines(dc *draw.Context, all []compare.VariableDifference, w int) []string {
	var ds []compare.Difference
	for _, v := range all {
		d := compare.Difference{Aspect: v.Name}
		if d.A, d.B = v.Describe(); v.IsTested {
			d.Aspect = "≠ " + d.Aspect
		}
		ds = append(ds, d)
	}
	return differenceLines(dc, ds, signedLines, w)
}

// maxDifferenceNameWidth is the maximum width of the column of names.
const maxDifferenceNameWidth = 18

// differenceLines returns a line for each difference: the name, the value of the first run and that of the
// second. drawValue draws a value.
func differenceLines(dc *draw.Context, all []compare.Difference, drawValue func(dc *draw.Context, style themes.Style, sign, aspect, text string, w int) []string, w int) []string {
	wide := 0
	for _, d := range all {
		wide = min(maxDifferenceNameWidth, max(wide, dc.Width(differenceName(d))))
	}
	left, _ := detailWidths(w)
	room, second := w-wide-2, left+gapWidth-wide-2 // second is where the second side begins
	var out []string
	for _, d := range all {
		name := dc.Muted.Paint(dc.Fit(differenceName(d), wide)) + "  "
		a, b := drawValue(dc, dc.Fail, "-", d.Aspect, d.A, room), drawValue(dc, dc.Pass, "+", d.Aspect, d.B, room)
		if len(a) == 1 && len(b) == 1 && dc.Width(a[0])+dc.Width(b[0])+4 <= room {
			a, b = []string{dc.Fit(a[0], max(second, dc.Width(a[0])+2)) + b[0]}, nil
		}
		out = append(out, dc.MarkedLines(name, append(a, b...))...)
	}
	return out
}

func differenceName(d compare.Difference) string {
	return draw.CleanLine(strings.TrimSpace(d.Aspect + " " + d.VariableName))
}

// signedLines returns the value of one run after its sign, nil for no value.
func signedLines(dc *draw.Context, style themes.Style, sign, _, text string, w int) []string {
	if text == "" {
		return nil
	}
	return dc.MarkedLines(style.Paint(sign)+" ", dc.Wrap(draw.CleanLine(text), w-2))
}

// signedEndLines is like signedLines for how a run ended. The sign is muted, because a result has a colour of its own.
func signedEndLines(dc *draw.Context, style themes.Style, sign, aspect, text string, w int) []string {
	switch {
	case text == "":
	case aspect == "result":
		return []string{dc.Muted.Paint(sign) + " " + dc.Cut(dc.ResultLabel(plan.RunResult(text)), w-2)}
	case aspect == "message":
		style, text = dc.Muted, wording.Quote(text)
	}
	return signedLines(dc, style, sign, aspect, text, w)
}
