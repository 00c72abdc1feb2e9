package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// output is an @output: the variable in which the step's result is stored (spec §5).
type output struct {
	place          place // of the name
	name           string
	valueType      string // canonical, "" if none is written
	writtenType    string // the type as written
	typeOffset     int    // the offset of the type in the line
	options        []string
	extractedField string
	isShadowed     bool // an input has the same name, so nothing is stored
}

// parseOutput parses a line by spec §5. It returns nil if the line is invalid.
func parseOutput(text string) *output {
	c := cursor{text: text}
	o := &output{}
	if !c.skipText("@output(") {
		return nil
	}
	if o.name = c.readWord(); o.name == "" {
		return nil
	}
	if at := c.offset; !o.parseType(&c) {
		c.offset = at
	}
	for {
		option, ok := parseOption(&c)
		if !ok {
			break
		}
		o.options = append(o.options, option)
	}
	if at := c.offset; !o.parseExtractedField(&c) {
		c.offset = at
	}
	if !c.skipText(")") || !c.isAtEnd() {
		return nil
	}
	return o
}

func (o *output) parseType(c *cursor) bool {
	c.skipBlanks()
	if !c.skipText(":") {
		return false
	}
	c.skipBlanks()
	o.typeOffset = c.offset
	if o.writtenType = c.readWord(); o.writtenType != "" {
		o.valueType = canonicalType(o.writtenType)
	}
	return o.writtenType != ""
}

// parseOption parses a comma and a quoted text, or nothing.
func parseOption(c *cursor) (option string, ok bool) {
	at := c.offset
	if c.skipText(",") {
		c.skipBlanks()
		if option, ok = c.readQuoted(); ok {
			return option, true
		}
	}
	c.offset = at
	return "", false
}

func (o *output) parseExtractedField(c *cursor) bool {
	if !c.skipText(",") {
		return false
	}
	c.skipBlanks()
	if !c.skipText(`extract:"`) {
		return false
	}
	field := c.readWord()
	if field == "" || !c.skipText(`"`) {
		return false
	}
	o.extractedField = field
	return true
}

func (d *document) readOutputDirective(p *stepPart, text string, at place) bool {
	o := parseOutput(text)
	if o == nil {
		return false
	}
	o.place = at
	if o.valueType == "enum" && len(o.options) == 0 {
		d.add(at, emptyEnumFinding(o.name, `list them: @output(`+o.name+`: enum, "one", "two")`))
	}
	if o.writtenType != "" {
		d.warnUnknownType("output", outputTypes, place{at.Line, o.typeOffset}, o.writtenType)
	}
	if p.output != nil {
		d.warnRepeatedDirective("output", p.output.place, at)
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
	artifactTypePattern = regexp.MustCompile(`(?i)^\s*type\s*:\s*(.*?)\s*$`)
	placeholderPattern  = regexp.MustCompile(`^\{\{(\w+)\}\}$`)
)

const artifactTypes = "markdown, json, mermaid, chartjs, html_css, javascript, typescript or {{variable}}"

// readArtifact reads the lines of an ARTIFACTS section. The first type counts.
func (d *document) readArtifact(first, last int) {
	for i := first; i <= last; i++ {
		m := artifactTypePattern.FindStringSubmatchIndex(d.lines[i])
		if m == nil || d.isCodeLine[i] {
			continue
		}
		kind := d.lines[i][m[2]:m[3]]
		if !placeholderPattern.MatchString(kind) {
			kind = strings.ToLower(kind)
		}
		d.artifact = artifact{kind, place{i, m[2]}}
		d.checkArtifact()
		return
	}
}

func (d *document) checkArtifact() {
	a := d.artifact
	if _, known := plan.ArtifactSuffix(a.kind); known || placeholderPattern.MatchString(a.kind) {
		return
	}
	d.add(a.place, finding{"artifact-type", fmt.Sprintf("%q is not an artifact type, so the final output is plain text; the types are %s", a.kind, artifactTypes), "use one of these types"})
}

// artifactFacts are shown with the document.
type artifactFacts struct {
	Line   int    `json:"line"`
	Suffix string `json:"suffix,omitempty"` // "" for a variable, because its value is unknown before the run
}

// addTypeToPlan sets the type of the artifact, which is determined when the run ends.
func (a artifact) addTypeToPlan(p *plan.Plan) {
	if a.kind == "" {
		return
	}
	p.ArtifactType = parseTemplate(a.kind)
	facts := artifactFacts{Line: a.place.Line + 1}
	if !placeholderPattern.MatchString(a.kind) {
		facts.Suffix, _ = plan.ArtifactSuffix(a.kind)
	}
	p.Extra = map[string]any{"artifact": facts}
}
