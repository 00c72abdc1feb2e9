package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// output is an @output: the variable in which the step's result is stored (spec §5).
type output struct {
	at      place // of the name
	name    string
	kind    string // canonical, "" if none is written
	word    string // the type as written
	typeAt  int    // the offset of the type in the line
	options []string
	extract string
	shadows bool // an input has the same name, so nothing is stored
}

// parseOutput parses a line by spec §5. It returns nil if the line is invalid.
func parseOutput(text string) *output {
	c := cursor{text: text}
	o := &output{}
	if !c.take("@output(") {
		return nil
	}
	if o.name = c.word(); o.name == "" {
		return nil
	}
	if at := c.at; !o.parseType(&c) {
		c.at = at
	}
	for {
		option, ok := parseOption(&c)
		if !ok {
			break
		}
		o.options = append(o.options, option)
	}
	if at := c.at; !o.parseExtract(&c) {
		c.at = at
	}
	if !c.take(")") || !c.end() {
		return nil
	}
	return o
}

func (o *output) parseType(c *cursor) bool {
	c.spaces()
	if !c.take(":") {
		return false
	}
	c.spaces()
	o.typeAt = c.at
	if o.word = c.word(); o.word != "" {
		o.kind = canonical(o.word)
	}
	return o.word != ""
}

// parseOption parses a comma and a quoted text, or nothing.
func parseOption(c *cursor) (option string, ok bool) {
	at := c.at
	if c.take(",") {
		c.spaces()
		if option, ok = c.quoted(); ok {
			return option, true
		}
	}
	c.at = at
	return "", false
}

func (o *output) parseExtract(c *cursor) bool {
	if !c.take(",") {
		return false
	}
	c.spaces()
	if !c.take(`extract:"`) {
		return false
	}
	field := c.word()
	if field == "" || !c.take(`"`) {
		return false
	}
	o.extract = field
	return true
}

func (d *document) readOutput(p *part, text string, at place) bool {
	o := parseOutput(text)
	if o == nil {
		return false
	}
	o.at = at
	if o.kind == "enum" && len(o.options) == 0 {
		d.add(at, finding{"enum-empty", fmt.Sprintf("the enum %q has no options", o.name), `list them: @output(` + o.name + `: enum, "one", "two")`})
	}
	if o.word != "" {
		d.checkType("output", outputTypes, place{at.Line, o.typeAt}, o.word)
	}
	if p.output != nil {
		d.repeated("output", p.output.at, at)
	}
	p.output = o
	return true
}

// artifact is the declaration of the final output (spec §6).
type artifact struct {
	kind  string // in lower case, or a placeholder; "": plain text
	place place
}

var (
	artifactType = regexp.MustCompile(`(?i)^\s*type\s*:\s*(.*?)\s*$`)
	variableOnly = regexp.MustCompile(`^\{\{(\w+)\}\}$`)
)

const artifactTypes = "markdown, json, mermaid, chartjs, html_css, javascript, typescript or {{variable}}"

// readArtifact reads the lines of an ARTIFACTS section. The first type counts.
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
	Suffix string `json:"suffix,omitempty"` // "" for a variable, because its value is unknown before the run
}

// lower sets the type of the artifact, which is determined when the run ends.
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
