package parse

import (
	"path"

	"playhead/parse/climpt"
	"playhead/parse/climpt/registry"
	"playhead/parse/climpt/stepflow"
	"playhead/parse/plan"
)

// parseClimpt parses agent.json or a registry, and the files that it names, in the dialect of the registry.
func (l *loader) parseClimpt(file []byte) *plan.Plan {
	f := climpt.Open(l.givenPath, l.readPath, file, l.files, l.Flags, climpt.Dialect(l.Format))
	f.ModelAliases = l.ModelAliases
	switch f.Dialect {
	case climpt.Stepflow:
		return stepflow.Parse(f)
	case climpt.Registry:
		return registry.Parse(f)
	}
	return f.FinishPlan(f.NewPlan())
}

// adaptClimptDiagnostic changes the codes for files that cannot be read to those of Climpt.
func adaptClimptDiagnostic(d *plan.Diagnostic, _ bool) {
	switch path.Base(d.Code) {
	case "unreadable":
		d.Code = climpt.CodePrefix + "file-not-found"
	case "too-large":
		d.Code = climpt.CodePrefix + "bad-json"
	}
}

// claimClimpt claims every JSON file: no other format uses JSON, and the dialects can say what is
// missing.
func claimClimpt(name string, _ []byte) claimStrength {
	if isJSONName(name) {
		return claimedByForm
	}
	return notClaimed
}
