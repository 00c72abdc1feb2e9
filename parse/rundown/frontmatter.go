package rundown

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/parse/plan"
)

// frontMatter is the content between the two --- lines (spec §3.1).
type frontMatter struct {
	name, description, version, author string

	tags           []string
	scenarios      []plan.Scenario
	scenariosError string // why the scenarios cannot be read
	firstLine      int    // the line after the opening ---, counted from 0
	nextLine       int    // the line after the closing ---, counted from 0; 0: there is no front matter
}

// findFrontMatter finds the two --- lines of the front matter, counted from 0. ok is false if there is none.
func findFrontMatter(src *textLines) (open, closing int, ok bool) {
	open = -1
	for i := range src.lineStarts {
		text := strings.TrimSpace(src.textOfLines(i, i))
		switch {
		case text == "---" && open >= 0:
			return open, i, true
		case text == "---":
			open = i
		case len(text) > 0 && open < 0:
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// readFrontMatter reads the front matter and replaces it by blank lines in the text, for the Markdown parser.
func (d *document) readFrontMatter() {
	open, closing, ok := findFrontMatter(d.sourceLines)
	if !ok {
		return
	}
	d.frontMatter.firstLine, d.frontMatter.nextLine = open+1, closing+1
	from, _ := d.sourceLines.lineBounds(open, open)
	_, to := d.sourceLines.lineBounds(closing, closing)
	content := ""
	if closing > open+1 {
		content = d.sourceLines.textOfLines(open+1, closing-1)
	}
	d.sourceLines.text = bytes.Clone(d.sourceLines.text)
	for i := from; i < to; i++ {
		if d.sourceLines.text[i] != '\n' {
			d.sourceLines.text[i] = ' '
		}
	}
	d.readYAML([]byte(content))
}

// readYAML reads the mapping. Problems are only warnings, because the front matter describes the
// runbook and is not part of it.
func (d *document) readYAML(content []byte) {
	var root yaml.Node
	if err := yaml.Unmarshal(content, &root); err != nil {
		d.reportBrokenYAML(err)
		return
	}
	if root.Kind == 0 { // it is empty
		return
	}
	top := resolveAlias(root.Content[0])
	if top.Kind != yaml.MappingNode {
		if top.Tag != "!!null" {
			d.frontMatter.scenariosError = "the front matter is not a mapping"
			d.addAtNode(top, finding{"front-matter", d.frontMatter.scenariosError, "write it as key: value"})
		}
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], resolveAlias(top.Content[i+1])
		if seen[key.Value]++; seen[key.Value] == 2 {
			d.addAtNode(key, finding{"front-matter", fmt.Sprintf("the front matter has %q twice; the last one counts", key.Value), "remove one"})
		}
		d.readFrontMatterKey(key, value)
	}
}

var yamlErrorLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (d *document) reportBrokenYAML(err error) {
	line := 0
	if m := yamlErrorLine.FindStringSubmatch(err.Error()); m != nil && m[1] != "" {
		line, _ = strconv.Atoi(m[1])
	}
	text := yamlErrorLine.ReplaceAllString(err.Error(), "")
	d.frontMatter.scenariosError = "the front matter is not valid YAML: " + text
	row := min(d.frontMatter.firstLine+max(line, 1), d.frontMatter.nextLine)
	d.addAt(row, 1, finding{"front-matter", "the front matter is not valid YAML, and is ignored: " + text,
		"check its indentation and quotes"})
}

// readFrontMatterKey reads one key of the front matter. It ignores unknown keys.
func (d *document) readFrontMatterKey(key, value *yaml.Node) {
	switch key.Value {
	case "name":
		if d.readScalar(key, value, &d.frontMatter.name) && !isValidFrontMatterName(d.frontMatter.name) {
			d.addAtNode(value, finding{"front-matter-name", fmt.Sprintf("the name %q has characters other than a-z, A-Z, 0-9 and hyphens", d.frontMatter.name),
				suggestFrontMatterName(d.frontMatter.name)})
		}
	case "description":
		d.readScalar(key, value, &d.frontMatter.description)
	case "version":
		d.readScalar(key, value, &d.frontMatter.version)
	case "author":
		d.readScalar(key, value, &d.frontMatter.author)
	case "tags":
		d.readTags(key, value)
	case "scenarios":
		d.readScenarios(key, value)
	}
}

// suggestFrontMatterName suggests a valid name in place of an invalid one.
func suggestFrontMatterName(name string) string {
	if slug := plan.Slug(name); isValidFrontMatterName(slug) {
		return "write " + slug
	}
	return "use only these characters"
}

// readScalar stores a value as text, so that 1.0 is "1.0". It returns false if the value is empty or not a scalar.
func (d *document) readScalar(key, value *yaml.Node, into *string) bool {
	if value.Tag == "!!null" {
		return false
	}
	if value.Kind != yaml.ScalarNode {
		d.reportWrongShape(key, "a string")
		return false
	}
	*into = strings.TrimRight(value.Value, "\n") // a block ends with one
	return *into != ""
}

func (d *document) readTags(key, value *yaml.Node) {
	if value.Tag == "!!null" {
		return
	}
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		items = value.Content
	}
	d.frontMatter.tags = nil
	for _, n := range items {
		if n = resolveAlias(n); n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			d.frontMatter.tags = nil
			d.reportWrongShape(key, "a string or a list of strings")
			return
		}
		d.frontMatter.tags = append(d.frontMatter.tags, n.Value)
	}
}

func (d *document) reportWrongShape(key *yaml.Node, want string) {
	d.addAtNode(key, finding{"front-matter", fmt.Sprintf("%q in the front matter is not %s, and is ignored", key.Value, want),
		fmt.Sprintf("write %s as %s", key.Value, want)})
}

// addAtNode reports a finding at a YAML node.
func (d *document) addAtNode(n *yaml.Node, f finding) {
	d.addAt(d.fileLineOfNode(n), max(n.Column, 1), f)
}

func (d *document) fileLineOfNode(n *yaml.Node) int { return d.frontMatter.firstLine + max(n.Line, 1) }

// resolveAlias follows an alias. YAML does not allow an alias of an alias.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func isValidFrontMatterName(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
}
