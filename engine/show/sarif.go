package show

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"playhead/parse/plan"
)

// The parts of SARIF 2.1.0 that editors and code hosts read.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

var sarifLevelBySeverity = map[plan.Severity]string{plan.Error: "error", plan.Warning: "warning", plan.Info: "note"}

// WriteSARIF writes diagnostics as one SARIF run of this version of Playhead.
func WriteSARIF(w io.Writer, version string, diagnostics []plan.Diagnostic) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "playhead", Version: version, Rules: []sarifRule{}}
	for _, d := range diagnostics {
		run.Results = append(run.Results, newSarifResult(d, run.Tool.Driver.ruleIndex(d.Code)))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// ruleIndex returns the index of a code among the rules, and adds a new code to them.
func (d *sarifDriver) ruleIndex(code string) int {
	if i := slices.Index(d.Rules, sarifRule{code}); i >= 0 {
		return i
	}
	d.Rules = append(d.Rules, sarifRule{code})
	return len(d.Rules) - 1
}

func newSarifResult(d plan.Diagnostic, rule int) sarifResult {
	text := d.Message
	if d.Suggestion != "" {
		text += ". " + d.Suggestion
	}
	uri := url.URL{Path: filepath.ToSlash(d.File)}
	return sarifResult{
		RuleID: d.Code, RuleIndex: rule, Level: sarifLevelBySeverity[d.Severity],
		Message: sarifMessage{text},
		Locations: []sarifLocation{{sarifPhysical{
			sarifArtifact{uri.String()}, sarifRegion{max(d.Line, 1), max(d.Column, 1)},
		}}},
	}
}
