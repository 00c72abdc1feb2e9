package show

import (
	"io"
	"slices"
	"strings"

	"playhead/engine/wording"
	"playhead/parse/plan"
)

// CheckedFile is a document that was checked, as docs/json.md has it.
type CheckedFile struct {
	Path        string            `json:"path"`
	Format      string            `json:"format,omitempty"`
	Valid       bool              `json:"valid"`
	Steps       int               `json:"steps"`
	Diagnostics []plan.Diagnostic `json:"diagnostics"`
}

// Checked returns what a check of a document found.
func Checked(p *plan.Plan) CheckedFile {
	return CheckedFile{
		Path: p.Path, Format: p.Format, Valid: p.Runnable(), Steps: len(p.Steps), Diagnostics: append([]plan.Diagnostic{}, p.Diagnostics...),
	}
}

// WriteChecked prints the diagnostics of documents: errors of all of them first, or as they stand.
func WriteChecked(w io.Writer, files []CheckedFile, worstFirst bool) {
	var all []plan.Diagnostic
	for _, f := range files {
		all = append(all, f.Diagnostics...)
	}
	if worstFirst {
		order := map[plan.Severity]int{plan.Error: 0, plan.Warning: 1, plan.Info: 2}
		slices.SortStableFunc(all, func(x, y plan.Diagnostic) int { return order[x.Severity] - order[y.Severity] })
	}
	WriteDiagnostics(w, all)
}

// CheckSummary counts what was found.
func CheckSummary(files []CheckedFile) string {
	counts := map[plan.Severity]int{}
	for _, f := range files {
		for _, d := range f.Diagnostics {
			counts[d.Severity]++
		}
	}
	var found []string
	for _, s := range []plan.Severity{plan.Error, plan.Warning, plan.Info} {
		if counts[s] > 0 {
			found = append(found, wording.Count(counts[s], string(s)))
		}
	}
	if len(found) == 0 {
		found = []string{"no problems"}
	}
	return wording.Count(len(files), "file") + ": " + strings.Join(found, ", ")
}
