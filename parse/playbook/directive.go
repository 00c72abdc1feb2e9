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
	"tool":   "@tool(connection, tool, {…})",
}

// directiveWord returns the known directive with which a line begins, "" if there is none.
func directiveWord(text string) string {
	c := cursor{text: unindent(text)}
	if !c.skipText("@") {
		return ""
	}
	if w := c.word(); directiveExamples[w] != "" && c.skipText("(") {
		return w
	}
	return ""
}

// directiveLikePattern matches the beginning of a line that is nearly a directive: after marks of a list,
// a quotation or emphasis, in another case, or with blanks or other parentheses.
var directiveLikePattern = regexp.MustCompile("^([\\s\\x{feff}\\x{200b}\\x{a0}\\x{3000}>*+_.)\\d\"'`-]*)[@＠]\\s*(\\w+)(\\s*)([(（\\[{]?)")

// elicitPattern matches a question in the middle of a line.
var elicitPattern = regexp.MustCompile(`(?i)[@＠]\s*elicit\s*[(（]`)

// warnNearDirective warns of a line that is nearly a directive. consequence says what happens to the
// line.
func (d *document) warnNearDirective(i int, consequence string) {
	text := d.lines[i]
	if !strings.ContainsAny(text, "@＠") {
		return
	}
	warn := func(code, message, suggestion string) {
		d.add(place{Line: i}, finding{code, message + ": " + consequence, suggestion})
	}
	m := directiveLikePattern.FindStringSubmatch(text)
	if m == nil {
		m = make([]string, 5)
	}
	before, word, blanks, open := m[1], m[2], m[3], m[4]
	name := strings.ToLower(word)
	meant := near.Name(name, slices.Sorted(maps.Keys(directiveExamples)))
	switch {
	case directiveExamples[name] != "" && (open != "" || name == "elicit"):
		warn("directive-syntax", fmt.Sprintf("this @%s cannot be read", name), aloneSuggestion(name))
	case elicitPattern.MatchString(text):
		warn("directive-syntax", "this @elicit cannot be read", aloneSuggestion("elicit"))
	case open == "" || directiveExamples[name] != "":
	case meant != "":
		warn("directive-like", fmt.Sprintf("@%s is not a directive", word), "did you mean "+directiveExamples[meant]+"?")
	case before == "" && blanks == "" && open == "(":
		warn("directive-like", fmt.Sprintf("@%s is not a directive", word), "the directives are @elicit, @output, @prompt and @tool; a question to a person is "+elicitExamples["confirm"])
	}
}

// warnOutsideSteps warns of questions in lines that belong to no step.
func (d *document) warnOutsideSteps(first, last int) {
	for i := first; i <= last; i++ {
		if !d.isCodeLine[i] && elicitPattern.MatchString(d.lines[i]) {
			d.add(place{Line: i}, finding{"directive-outside", "this @elicit is not in a step: nobody is asked", "put it below a heading like ## STEP 1: Title"})
		}
	}
}

// aloneSuggestion returns the suggestion for a directive that cannot be read.
func aloneSuggestion(word string) string {
	return "write it alone on its line, from the first column, like: " + directiveExamples[word]
}

// readDirective reads a line that begins with a known directive. It reports whether the line is valid;
// otherwise it stays text.
func (d *document) readDirective(p *stepPart, word string, i int) bool {
	text := d.lines[i]
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
		d.add(place{Line: i}, finding{"directive-syntax", fmt.Sprintf("this @%s cannot be read: the line is sent as text", word), aloneSuggestion(word)})
	}
	return ok
}

// warnRepeated warns of a second directive of the same kind in a step. The last one counts.
func (d *document) warnRepeated(word string, first, at place) {
	d.add(place{Line: at.Line}, finding{"directive-repeat", fmt.Sprintf("there is already an @%s on line %d: this one replaces it", word, first.Line+1), "remove one of the two"})
}

// warnConflicts warns of directives that a tool call in the same step makes ineffective (spec §5).
func (d *document) warnConflicts(p *stepPart) {
	if p.tool == nil {
		return
	}
	var beside []string
	if p.prompt != nil {
		beside = append(beside, "@prompt, which is ignored")
	}
	if p.elicit != nil {
		beside = append(beside, "@elicit, which is asked after it")
	}
	if p.content.text != "" {
		beside = append(beside, "prompt text, which is not sent")
	}
	if beside != nil {
		d.add(place{Line: p.tool.at.Line}, finding{"directive-conflict", "@tool is called instead of a model, but the step also has " + strings.Join(beside, ", and "), "give each a step of its own"})
	}
}

// cursor reads a line from left to right. The syntax of the spec is regular, but this is much
// faster than regular expressions.
type cursor struct {
	text string
	at   int
}

// skipBlanks skips blanks. It reports whether there were any.
func (c *cursor) skipBlanks() bool {
	from := c.at
	for c.at < len(c.text) && strings.IndexByte(" \t\f\r", c.text[c.at]) >= 0 {
		c.at++
	}
	return c.at > from
}

// skipText skips a text if it comes next.
func (c *cursor) skipText(text string) bool {
	if !strings.HasPrefix(c.text[c.at:], text) {
		return false
	}
	c.at += len(text)
	return true
}

// word reads letters, digits and underscores, "" if there are none.
func (c *cursor) word() string {
	w, end := wordAt(c.text, c.at)
	c.at = end
	return w
}

// digits reads digits, "" if there are none.
func (c *cursor) digits() string {
	from := c.at
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
	}
	return c.text[from:c.at]
}

// quoted reads a text in double quotes that contains no quotes.
func (c *cursor) quoted() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.at:], `"`) {
		return "", false
	}
	n := strings.IndexByte(c.text[c.at+1:], '"')
	if n < 0 {
		return "", false
	}
	text = c.text[c.at+1 : c.at+1+n]
	c.at += n + 2
	return text, true
}

// readEscaped reads a text in double quotes in which \" is a quote.
func (c *cursor) readEscaped() (text string, ok bool) {
	if !strings.HasPrefix(c.text[c.at:], `"`) {
		return "", false
	}
	for i := c.at + 1; i < len(c.text); i++ {
		switch c.text[i] {
		case '\\':
			i++
		case '"':
			text = strings.ReplaceAll(c.text[c.at+1:i], `\"`, `"`)
			c.at = i + 1
			return text, true
		}
	}
	return "", false
}

// isAtEnd reports whether only blanks are left.
func (c *cursor) isAtEnd() bool {
	c.skipBlanks()
	return c.at == len(c.text)
}

// rest returns what is left, trimmed.
func (c *cursor) rest() string { return strings.TrimSpace(c.text[c.at:]) }

// promptRef is an @prompt: text to insert in front of the step's own (spec §5).
type promptRef struct {
	at       place
	variable string // of @prompt({{variable}})
	scheme   string // "": bare
	id       string
	idAt     place
}

func (d *document) readPrompt(p *stepPart, inner string, at place) bool {
	arg := strings.TrimSpace(inner)
	if arg == "" {
		return false
	}
	at.At += strings.Index(inner, arg)
	r := &promptRef{at: at, id: arg, idAt: at}
	if m := variablePattern.FindStringSubmatch(arg); m != nil {
		r.variable = m[1]
	} else if scheme, id, found := strings.Cut(arg, ":"); found {
		r.scheme, r.id = strings.TrimSpace(scheme), strings.TrimSpace(id)
		r.idAt.At += len(arg) - len(strings.TrimLeft(id, blanks))
		d.checkPromptRef(r)
	}
	if p.prompt != nil {
		d.warnRepeated("prompt", p.prompt.at, at)
	}
	p.prompt = r
	return true
}

// checkPromptRef warns of a reference that no run can resolve.
func (d *document) checkPromptRef(r *promptRef) {
	switch r.scheme {
	case "library", "mcp":
	case "file":
		if problem := d.pathProblem(r.id); problem != "" {
			d.add(r.at, finding{"prompt-path", problem + ": the step runs without this prompt", "name a file in the playbook's folder, or below it"})
		}
	default:
		d.add(r.at, finding{"prompt-scheme", fmt.Sprintf("%q is not a prompt source, so the step runs without this prompt", r.scheme), "use library:, file: or mcp:"})
	}
}

// pathProblem returns why a file cannot be read. A path with placeholders is not checked.
func (d *document) pathProblem(name string) string {
	if why := plan.PathProblem(name); why != "" {
		return why
	}
	if d.options.FileProblem == nil || len(variableUsesIn(name, place{})) > 0 {
		return ""
	}
	if why := d.options.FileProblem(name); why != "" {
		return fmt.Sprintf("%s cannot be read: %s", name, why)
	}
	return ""
}
