package playbook

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/near"
	"playhead/parse/plan"
)

// directiveExamples are the known directives (spec §5) with examples.
var directiveExamples = map[string]string{
	"output": "@output(name)",
	"elicit": `@elicit(input, "question")`,
	"prompt": "@prompt(library:id)",
	"tool":   "@tool(server, tool, {…})",
}

// directiveWord returns the known directive with which a line begins, "" if there is none.
func directiveWord(text string) string {
	c := cursor{text: trimMarkerIndent(text)}
	if !c.skipText("@") {
		return ""
	}
	if w := c.readWord(); directiveExamples[w] != "" && c.skipText("(") {
		return w
	}
	return ""
}

// malformedDirectivePattern matches the beginning of a line that is nearly a directive: after marks of a list,
// a quotation or emphasis, in another case, or with blanks or other parentheses.
var malformedDirectivePattern = regexp.MustCompile("^([\\s\\x{feff}\\x{200b}\\x{a0}\\x{3000}>*+_.)\\d\"'`-]*)[@＠]\\s*(\\w+)(\\s*)([(（\\[{]?)")

// inlineElicitPattern matches the beginning of an @elicit anywhere in a line.
var inlineElicitPattern = regexp.MustCompile(`(?i)[@＠]\s*elicit\s*[(（]`)

// warnMalformedDirective warns of a line that is nearly a directive. consequence says what happens to the
// line.
func (d *document) warnMalformedDirective(i int, consequence string) {
	text := d.lines[i]
	if !strings.ContainsAny(text, "@＠") {
		return
	}
	warn := func(code, message, suggestion string) {
		d.add(place{Line: i}, finding{code, message + ": " + consequence, suggestion})
	}
	m := malformedDirectivePattern.FindStringSubmatch(text)
	if m == nil {
		m = make([]string, 5)
	}
	before, word, blanks, open := m[1], m[2], m[3], m[4]
	name := strings.ToLower(word)
	meant := near.MostSimilar(name, slices.Sorted(maps.Keys(directiveExamples)))
	switch {
	case directiveExamples[name] != "" && (open != "" || name == "elicit"):
		code := "directive-like"
		if strings.HasPrefix(strings.TrimLeft(text, blankCharacters), "@"+name+"(") {
			code = "directive-syntax"
		}
		warn(code, fmt.Sprintf("this @%s is not valid", name), directiveSuggestion(name))
	case inlineElicitPattern.MatchString(text):
		warn("directive-like", "@elicit counts only at the start of a line", directiveSuggestion("elicit"))
	case open == "" || directiveExamples[name] != "":
	case meant != "":
		warn("directive-like", fmt.Sprintf("@%s is not a directive", word), "did you mean "+directiveExamples[meant]+"?")
	case before == "" && blanks == "" && open == "(":
		warn("directive-like", fmt.Sprintf("@%s is not a directive", word), "the directives are @elicit, @output, @prompt and @tool; to ask a person, write "+elicitExamples["confirm"])
	}
}

// warnOutsideSteps warns of each @elicit in lines that belong to no step.
func (d *document) warnOutsideSteps(first, last int) {
	for i := first; i <= last; i++ {
		if !d.isCodeLine[i] && inlineElicitPattern.MatchString(d.lines[i]) {
			d.add(place{Line: i}, finding{"directive-outside", "this @elicit is not in a step: nobody is asked", "put it below a heading like ## STEP 1: Title"})
		}
	}
}

// directiveSuggestion returns the suggestion for a directive that cannot be read.
func directiveSuggestion(word string) string {
	return "write it alone on its line, and start it in the first column, like: " + directiveExamples[word]
}

// readDirective reads a line that begins with a known directive. It reports whether the line is valid;
// otherwise it stays text.
func (d *document) readDirective(p *stepPart, word string, i int) bool {
	text := d.lines[i]
	inner, ok := strings.CutPrefix(strings.TrimRight(text, blankCharacters), "@"+word+"(")
	if ok {
		inner, ok = strings.CutSuffix(inner, ")")
	}
	at := place{i, len(word) + 2} // of the arguments
	switch {
	case !ok:
	case word == "output":
		ok = d.readOutputDirective(p, text, at)
	case word == "prompt":
		ok = d.readPromptDirective(p, inner, at)
	case word == "elicit":
		d.readElicitDirective(p, inner, at)
	default:
		d.readToolDirective(p, inner, at)
	}
	if !ok {
		d.add(place{Line: i}, finding{"directive-syntax", fmt.Sprintf("this @%s is not valid: the line is read as text", word), directiveSuggestion(word)})
	}
	return ok
}

// warnRepeatedDirective warns of a second directive of the same kind in a step. The last one counts.
func (d *document) warnRepeatedDirective(word string, first, at place) {
	d.add(place{Line: at.Line}, finding{"directive-repeat", fmt.Sprintf("there is already an @%s on line %d: this one replaces it", word, first.Line+1), "remove one of the two"})
}

// warnIneffectiveBesideTool warns of directives that a tool call in the same step makes ineffective (spec §5).
func (d *document) warnIneffectiveBesideTool(p *stepPart) {
	if p.tool == nil {
		return
	}
	var beside []string
	if p.promptRef != nil {
		beside = append(beside, "@prompt, which is ignored")
	}
	if p.elicit != nil {
		beside = append(beside, "@elicit, whose question is asked after the tool call")
	}
	if p.content.text != "" {
		beside = append(beside, "prompt text, which is not sent")
	}
	if beside != nil {
		d.add(place{Line: p.tool.place.Line}, finding{"directive-conflict", "@tool is called instead of a model, but the step also has " + strings.Join(beside, ", and "), "give each a step of its own"})
	}
}

// cursor reads a line from left to right. The syntax of the spec is regular, but this is much
// faster than regular expressions.
type cursor struct {
	text   string
	offset int
}

// skipBlanks skips blanks. It reports whether there were any.
func (c *cursor) skipBlanks() bool {
	from := c.offset
	for c.offset < len(c.text) && strings.IndexByte(" \t\f\r", c.text[c.offset]) >= 0 {
		c.offset++
	}
	return c.offset > from
}

// skipText skips a text if it comes next. It reports whether it does.
func (c *cursor) skipText(text string) bool {
	if !strings.HasPrefix(c.text[c.offset:], text) {
		return false
	}
	c.offset += len(text)
	return true
}

// readWord reads letters, digits and underscores, "" if there are none.
func (c *cursor) readWord() string {
	w, end := wordAt(c.text, c.offset)
	c.offset = end
	return w
}

// readDigits reads digits, "" if there are none.
func (c *cursor) readDigits() string {
	from := c.offset
	for c.offset < len(c.text) && c.text[c.offset] >= '0' && c.text[c.offset] <= '9' {
		c.offset++
	}
	return c.text[from:c.offset]
}

// readQuoted reads a text in double quotes, up to the next quote. ok is false, and nothing is read, if there is none.
func (c *cursor) readQuoted() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.offset:], `"`) {
		return "", false
	}
	n := strings.IndexByte(c.text[c.offset+1:], '"')
	if n < 0 {
		return "", false
	}
	text = c.text[c.offset+1 : c.offset+1+n]
	c.offset += n + 2
	return text, true
}

// readEscapedQuoted is like readQuoted, but \" is a quote in the text.
func (c *cursor) readEscapedQuoted() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.offset:], `"`) {
		return "", false
	}
	for i := c.offset + 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			i++
		case '"':
			text = strings.ReplaceAll(c.text[c.offset+1:i], `\"`, `"`)
			c.offset = i + 1
			return text, true
		}
	}
	return "", false
}

// isAtEnd reports whether only blanks are left.
func (c *cursor) isAtEnd() bool {
	c.skipBlanks()
	return c.offset == len(c.text)
}

// remainingText returns what is left, trimmed.
func (c *cursor) remainingText() string { return strings.TrimSpace(c.text[c.offset:]) }

// promptRef is an @prompt: text to insert in front of the step's own (spec §5).
type promptRef struct {
	place    place
	variable string // of @prompt({{variable}})
	scheme   string // "": bare
	id       string
	idPlace  place
}

// readPromptDirective reads the argument of an @prompt. It returns false if there is none.
func (d *document) readPromptDirective(p *stepPart, inner string, at place) bool {
	arg := strings.TrimSpace(inner)
	if arg == "" {
		return false
	}
	at.Offset += strings.Index(inner, arg)
	r := &promptRef{place: at, id: arg, idPlace: at}
	if m := placeholderPattern.FindStringSubmatch(arg); m != nil {
		r.variable = m[1]
	} else if scheme, id, found := strings.Cut(arg, ":"); found {
		r.scheme, r.id = strings.TrimSpace(scheme), strings.TrimSpace(id)
		r.idPlace.Offset += len(arg) - len(strings.TrimLeft(id, blankCharacters))
		d.checkPromptRef(r)
	}
	if p.promptRef != nil {
		d.warnRepeatedDirective("prompt", p.promptRef.place, at)
	}
	p.promptRef = r
	return true
}

// checkPromptRef warns of a reference that no run can resolve.
func (d *document) checkPromptRef(r *promptRef) {
	switch r.scheme {
	case "library", "mcp":
	case "file":
		if problem := d.promptFileProblem(r.id); problem != "" {
			d.add(r.place, finding{"prompt-path", problem + ", so this prompt is left out", "name a readable file of at most 4 MiB in the playbook's folder, or below it"})
		}
	default:
		d.add(r.place, finding{"prompt-scheme", fmt.Sprintf("%q is not a prompt source, so this prompt is left out", r.scheme), "use library:, file: or mcp:"})
	}
}

// promptFileProblem returns why a file cannot be read. A path with placeholders is not checked.
func (d *document) promptFileProblem(name string) string {
	if problem := plan.PathProblem(name); problem != "" {
		return problem
	}
	if d.options.PromptFileProblem == nil || len(variableUsesIn(name, place{})) > 0 {
		return ""
	}
	if problem := d.options.PromptFileProblem(name); problem != "" {
		return fmt.Sprintf("%s cannot be read: %s", name, problem)
	}
	return ""
}
