package show

import (
	"io"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// CheckedFile is the result of checking a document, in the format of docs/json.md.
type CheckedFile struct {
	Path        string            `json:"path"`
	Format      string            `json:"format,omitempty"`
	IsRunnable  bool              `json:"valid"`
	StepCount   int               `json:"steps"`
	Diagnostics []plan.Diagnostic `json:"diagnostics"`
}

// NewCheckedFile returns the result of checking a document.
func NewCheckedFile(p *plan.Plan) CheckedFile {
	return CheckedFile{
		Path: p.Path, Format: p.Format, IsRunnable: p.Runnable(), StepCount: len(p.Steps), Diagnostics: append([]plan.Diagnostic{}, p.Diagnostics...),
	}
}

// WriteCheckedFiles writes the diagnostics of documents, one per line: in order or, if worstFirst is set, first the
// errors of all documents, then the warnings, then the rest.
func WriteCheckedFiles(w io.Writer, files []CheckedFile, worstFirst bool) {
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

// CheckSummary returns how many diagnostics of each severity were found, as text.
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
			found = append(found, plan.CountText(counts[s], string(s)))
		}
	}
	if len(found) == 0 {
		found = []string{"no problems"}
	}
	return plan.CountText(len(files), "file") + ": " + strings.Join(found, ", ")
}
