package playbook

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/parse/near"
)

// directives are the known ones (spec §5), with what they look like.
var directives = map[string]string{
	"output": "@output(name)",
	"elicit": `@elicit(input, "question")`,
	"prompt": "@prompt(library:id)",
	"tool":   "@tool(connection, tool, {…})",
}

// directiveWord is the known directive that a line starts with, "" if it does not.
func directiveWord(text string) string {
	c := cursor{text: unindent(text)}
	if !c.take("@") {
		return ""
	}
	if w := c.word(); directives[w] != "" && c.take("(") {
		return w
	}
	return ""
}

// misspelt warns of a line that starts with what is nearly a directive: it is text.
func (d *document) misspelt(i int) {
	c := cursor{text: unindent(d.text[i])}
	if !c.take("@") {
		return
	}
	w := c.word()
	if meant := near.Name(w, slices.Sorted(maps.Keys(directives))); meant != "" && c.take("(") {
		d.add(place{line: i}, finding{"directive-like", fmt.Sprintf("@%s is no directive: the line is sent as text", w), "did you mean " + directives[meant] + "?"})
	}
}

// directive reads a line that starts with a known directive, and reports whether
// it parses: if not, it stays text.
func (d *document) directive(p *part, word string, i int) bool {
	text := d.text[i]
	inner, ok := strings.CutPrefix(strings.TrimRight(text, blanks), "@"+word+"(")
	if ok {
		inner, ok = strings.CutSuffix(inner, ")")
	}
	at := place{i, len(word) + 2} // of the arguments
	switch {
	case !ok:
	case word == "output":
		ok = d.readOutput(p, text, at)
	case word == "prompt":
		ok = d.readPrompt(p, inner, at)
	case word == "elicit":
		d.readElicit(p, inner, at)
	default:
		d.readTool(p, inner, at)
	}
	if !ok {
		d.add(place{line: i}, finding{"directive-syntax", fmt.Sprintf("this @%s cannot be read: the line is sent as text", word), "write it alone on its line, from the first column, like: " + directives[word]})
	}
	return ok
}

// repeated warns of a second directive of its kind in a step: the last one counts.
func (d *document) repeated(word string, first, at place) {
	d.add(place{line: at.line}, finding{"directive-repeat", fmt.Sprintf("there is an @%s in line %d already: this one takes its place", word, first.line+1), "remove one of the two"})
}

// conflicts warns of what a tool call in the same step sets aside (spec §5).
func (d *document) conflicts(p *part) {
	if p.tool == nil {
		return
	}
	var beside []string
	if p.prompt != nil {
		beside = append(beside, "@prompt, which is left out")
	}
	if p.elicit != nil {
		beside = append(beside, "@elicit, which is asked after it")
	}
	if p.content.text != "" {
		beside = append(beside, "prompt text, which is not sent")
	}
	if beside != nil {
		d.add(place{line: p.tool.at.line}, finding{"directive-conflict", "@tool is called instead of a model; beside it stands " + strings.Join(beside, ", and "), "give each a step of its own"})
	}
}
