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

// stepDetails lists what a step does that asks a model or a person: the first line of its
// prompt, then what it asks, calls and stores. Commands are in the line of the step.
func stepDetails(s *plan.Step) []string {
	var out, stores []string
	for _, a := range s.Actions {
		switch w := a.Work.(type) {
		case plan.Model:
			if first, _, _ := strings.Cut(strings.TrimSpace(plan.Source(s.Text)), "\n"); w.Part == "" && first != "" && !slices.Contains(out, first) {
				out = append(out, first)
			}
		case plan.Ask:
			if !w.Missing {
				out = append(out, questions(w)...)
			}
		case plan.Tool:
			out = append(out, "calls "+tools.Title(w.Server, w.Name))
		case plan.Fetch:
			out = append(out, "reads "+w.Scheme+":"+plan.Source(w.Ref))
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
	if stores = append(stores, outputs(s)...); len(stores) > 0 {
		out = append(out, "stores "+strings.Join(stores, ", "))
	}
	return out
}

// questions returns the questions to a person, with the answers to choose from.
func questions(w plan.Ask) (out []string) {
	for _, f := range w.Fields {
		text := "asks " + plan.Source(f.Prompt)
		if len(f.Options) > 0 {
			text += " [" + strings.Join(f.Options, "/") + "]"
		}
		out = append(out, text)
	}
	return out
}

// outputs returns the variables that a step declares as outputs, if its format has outputs.
func outputs(s *plan.Step) (names []string) {
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

// detailWidth is how wide those lines are where nothing says how wide the terminal is.
const detailWidth = 100

// detailLines returns the lines of details below a step. Each begins with below, which the tree
// draws.
func detailLines(s *plan.Step, below string, width int) (lines []string) {
	for _, text := range stepDetails(s) {
		text = sanitize.Plain(text)
		if width == 0 {
			text = ansi.Truncate(text, detailWidth-ansi.StringWidth(below)-2, "…")
		}
		lines = append(lines, hang(below+"  ", below+"    ", text, width)...)
	}
	return lines
}
