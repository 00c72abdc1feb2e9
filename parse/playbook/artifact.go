package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// artifact says what the final output is (spec §6).
type artifact struct {
	kind  string // in lower case, or a placeholder; "": plain text
	place place
}

var (
	artifactType = regexp.MustCompile(`(?i)^\s*type\s*:\s*(.*?)\s*$`)
	variableOnly = regexp.MustCompile(`^\{\{(\w+)\}\}$`)
)

const artifactTypes = "markdown, json, mermaid, chartjs, html_css, javascript, typescript or {{variable}}"

// readArtifact reads the lines of an ARTIFACTS section: the first type counts.
func (d *document) readArtifact(first, last int) {
	for i := first; i <= last; i++ {
		m := artifactType.FindStringSubmatchIndex(d.text[i])
		if m == nil || d.code[i] {
			continue
		}
		kind := d.text[i][m[2]:m[3]]
		if !variableOnly.MatchString(kind) {
			kind = strings.ToLower(kind)
		}
		d.artifact = artifact{kind, place{i, m[2]}}
		d.checkArtifact()
		return
	}
}

func (d *document) checkArtifact() {
	a := d.artifact
	if _, known := plan.ArtifactSuffix(a.kind); known || variableOnly.MatchString(a.kind) {
		return
	}
	d.add(a.place, finding{"artifact-type", fmt.Sprintf("%q is not an artifact type, so the output is plain text; the types are %s", a.kind, artifactTypes), "use one of these"})
}

// artifactFacts are shown with the document.
type artifactFacts struct {
	Line   int    `json:"line"`
	Suffix string `json:"suffix,omitempty"` // not known before the run for a variable
}

// lower says what the artifact's type is when the run ends.
func (a artifact) lower(p *plan.Plan) {
	if a.kind == "" {
		return
	}
	p.Artifact = parseTemplate(a.kind)
	facts := artifactFacts{Line: a.place.Line + 1}
	if !variableOnly.MatchString(a.kind) {
		facts.Suffix, _ = plan.ArtifactSuffix(a.kind)
	}
	p.Extra = map[string]any{"artifact": facts}
}
