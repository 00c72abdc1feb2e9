package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"playhead/parse"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// LoadScenarios returns the scenarios of the document at path: those in the document and those in its
// sidecar.
func LoadScenarios(p *plan.Plan, path string) ([]Scenario, error) {
	if p.ScenariosProblem != "" {
		return nil, fmt.Errorf("%s: the scenarios cannot be read: %s", p.Path, p.ScenariosProblem)
	}
	all := scenariosInDocument(p)
	name := parse.SidecarPath(path, "scenarios")
	source, err := infile.Read(name, infile.MaxPersonFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the scenarios cannot be read: %w", err)
	}
	beside, err := ParseSidecar(source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return append(all, beside...), nil
}

// DuplicateNameWarnings returns a warning for each scenario with the name of an earlier one.
func DuplicateNameWarnings(p *plan.Plan, path string, all []Scenario) (warnings []string) {
	for i, s := range all {
		if !slices.ContainsFunc(all[:i], func(b Scenario) bool { return b.Name == s.Name }) {
			continue
		}
		where := p.Path
		if s.NameLine > 0 {
			where = fmt.Sprintf("%s:%d", parse.SidecarPath(path, "scenarios"), s.NameLine)
		}
		warnings = append(warnings, fmt.Sprintf("%s: warning: another scenario is also called %q: both are run; rename one", where, s.Name))
	}
	return warnings
}

// SidecarInputNames returns the names of the inputs to which the scenarios in the document's sidecar
// give values. It ignores a sidecar that cannot be read, because `playhead test` reports that.
func SidecarInputNames(p *plan.Plan) []string {
	source, err := infile.Read(parse.SidecarPath(p.Path, "scenarios"), infile.MaxPersonFileSize)
	if err != nil {
		return nil
	}
	all, _ := ParseSidecar(source)
	given := map[string]bool{}
	for _, s := range all {
		for name := range s.Inputs {
			given[name] = true
		}
	}
	return slices.Sorted(maps.Keys(given))
}
