package show

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// stepDetails lists what a step does: the first line of its prompt, then what it asks, calls, reads and
// stores. Commands are in the line of the step.
func stepDetails(s *plan.Step) []string {
	var out, stores []string
	for _, a := range s.Actions {
		switch w := a.Work.(type) {
		case plan.Model:
			if first, _, _ := strings.Cut(strings.TrimSpace(plan.SourceText(s.Text)), "\n"); w.CallName == "" && first != "" && !slices.Contains(out, first) {
				out = append(out, first)
			}
		case plan.Ask:
			if !w.OnlyMissingFields {
				out = append(out, questionTexts(w)...)
			}
		case plan.Tool:
			out = append(out, "calls "+tools.Title(w.Server, w.Name))
		case plan.Fetch:
			out = append(out, "reads "+w.Scheme+":"+plan.SourceText(w.Ref))
		}
		if d, ok := a.Judge.(plan.Describer); ok {
			switch about := d.Describe(); about.Kind {
			case "capture":
				stores = append(stores, about.Variable)
			case "check":
				out = append(out, "is checked by "+about.Prompt)
			}
		}
	}
	if stores = append(stores, outputNames(s)...); len(stores) > 0 {
		out = append(out, "stores "+strings.Join(stores, ", "))
	}
	return out
}

// questionTexts returns the questions to a person, with the answers to choose from.
func questionTexts(w plan.Ask) (out []string) {
	for _, f := range w.Fields {
		text := "asks " + plan.SourceText(f.Prompt)
		if len(f.Options) > 0 {
			text += " [" + strings.Join(f.Options, "/") + "]"
		}
		out = append(out, text)
	}
	return out
}

// outputNames returns the variables that a step declares as outputs, if its format has outputs.
func outputNames(s *plan.Step) (names []string) {
	listed, err := json.Marshal(s.Details()["outputs"])
	var all []struct{ Variable string }
	if err != nil || json.Unmarshal(listed, &all) != nil {
		return nil
	}
	for _, o := range all {
		if o.Variable != "" {
			names = append(names, o.Variable)
		}
	}
	return names
}

// defaultDetailWidth is the maximum width of lines of details, in cells, if the width of the terminal is unknown.
const defaultDetailWidth = 100

// detailLines returns the lines of details below a step. Each begins with the prefix below, a part of the drawn tree.
// width 0 means that the width of the terminal is unknown.
func detailLines(s *plan.Step, below string, width int) (lines []string) {
	for _, text := range stepDetails(s) {
		text = sanitize.Plain(text)
		if width == 0 {
			text = ansi.Truncate(text, defaultDetailWidth-ansi.StringWidth(below)-2, "…")
		}
		lines = append(lines, wrapWithPrefixes(below+"  ", below+"    ", text, width)...)
	}
	return lines
}
