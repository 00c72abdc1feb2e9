package playbook

import (
	"fmt"
	"regexp"
	"strings"
)

// branchMarker is a line that begins or ends an arm (spec §4).
type branchMarker struct {
	line      int
	word      string // if, elif, else, endif
	condition condition
	isValid   bool
}

// condition compares a variable with a text. The zero value is the condition of else.
type condition struct {
	variable, operator, value string
	place                     place
	variableSource            string // input, output or unknown
}

// String returns the condition as written, without unnecessary spaces.
func (c condition) String() string {
	return c.variable + " " + c.operator + ` "` + c.value + `"`
}

// branchMarkerPattern matches a line that looks like a marker, valid or not.
var branchMarkerPattern = regexp.MustCompile("^`{3,}\\s*((?i)if|elif|elseif|else|endif|end)\\b")

// malformedBranchMarkerPattern matches a line that is nearly a marker: with another number of backticks, with tildes,
// indented, or in a list.
var malformedBranchMarkerPattern = regexp.MustCompile("^[\\s\\x{a0}>*+-]*(?:`+|~{3,})\\s*((?i)if|elif|elseif|else|endif)\\b[^`~]*[`~]+\\s*$")

// isBranchMarkerLike reports whether a line is a marker, or was meant to be one.
func isBranchMarkerLike(text string) bool {
	text = trimMarkerIndent(text)
	return strings.HasPrefix(text, "```") && branchMarkerPattern.MatchString(text)
}

// parseBranchMarker parses line i, which looks like a marker (isBranchMarkerLike).
func parseBranchMarker(i int, text string) branchMarker {
	rest := trimMarkerIndent(text)
	c := cursor{text: rest}
	m := branchMarker{line: i}
	c.skipText("```")
	switch m.word = c.readWord(); m.word {
	case "else", "endif":
		m.isValid = true
	case "if", "elif":
		m.condition, m.isValid = parseCondition(&c, place{i, len(text) - len(rest)})
	}
	c.skipBlanks()
	if m.isValid = m.isValid && c.skipText("```") && c.isAtEnd(); !m.isValid {
		return branchMarker{line: i, word: intendedMarkerWord(rest)}
	}
	return m
}

// parseCondition parses a variable, an operator and a quoted text. textStart is the place where the
// cursor's text begins.
func parseCondition(c *cursor, textStart place) (cond condition, ok bool) {
	ok = c.skipBlanks()
	cond.place = place{textStart.Line, textStart.Offset + c.offset}
	cond.variable = c.readWord()
	c.skipBlanks()
	from := c.offset
	ok = ok && cond.variable != "" && (c.skipText("==") || c.skipText("!="))
	cond.operator = c.text[from:c.offset]
	c.skipBlanks()
	value, quoted := c.readQuoted()
	cond.value = value
	return cond, ok && quoted
}

// intendedMarkerWord returns the word that an invalid marker stands for. An else with "if" after it stands for an elif.
func intendedMarkerWord(text string) string {
	m := branchMarkerPattern.FindStringSubmatchIndex(text)
	word := strings.ToLower(text[m[2]:m[3]])
	switch {
	case word == "end":
		return "endif"
	case word == "elseif", word == "else" && strings.Contains(text[m[3]:], "if"):
		return "elif"
	}
	return word
}

// syntaxFinding returns what is wrong with an invalid marker, and how to write it.
func (m branchMarker) syntaxFinding(text string) finding {
	message := "this is not a valid branch line"
	if m.word == "if" || m.word == "elif" {
		message = "this condition cannot be read: " + conditionProblem(text)
	}
	consequence := "; this branch is ignored"
	switch m.word {
	case "if":
		consequence = "; everything up to its endif is ignored"
	case "else", "endif":
		consequence = "; it is read as " + m.word
	}
	return finding{"condition-syntax", message + consequence, "write the whole line like: " + exampleOfMarker(m.word, text)}
}

// exampleOfMarker returns a valid branch line for an invalid one.
func exampleOfMarker(word, text string) string {
	if word == "else" || word == "endif" {
		return "```" + word + "```"
	}
	return "```" + strings.Replace(word, "elseif", "elif", 1) + " " + conditionSuggestion(text) + "```"
}

// comparisonPattern matches a condition with common mistakes: a name alone, another operator, or other
// quotes.
var comparisonPattern = regexp.MustCompile("^`{3,}\\s*(?i:else\\s*if|elif|if)\\s*\\(?\\s*(!|not\\s+)?\\{{0,2}\\s*(\\w+)\\s*\\}{0,2}\\s*(?:(={1,3}|!==?|<>|is\\s+not\\b|is\\b)\\s*[\"'“”‘’]?([^\"'“”‘’`=!<>()|&]*?)[\"'“”‘’]?)?\\s*\\)?\\s*:?\\s*`*\\s*$")

// conditionSuggestion returns the suggestion for a condition that cannot be read.
func conditionSuggestion(text string) string {
	m := comparisonPattern.FindStringSubmatch(text)
	if m == nil || strings.Contains(m[4], " and ") || strings.Contains(m[4], " or ") {
		return `name == "value"`
	}
	not, name, operator, value := m[1] != "", m[2], m[3], m[4]
	if operator == "" {
		value = "true"
	}
	c := condition{variable: name, operator: "==", value: strings.TrimSpace(value)}
	if not != (strings.ContainsAny(operator, "!<") || strings.Contains(operator, "not")) {
		c.operator = "!="
	}
	return c.String()
}

// wrongQuotePattern matches a value that begins with another quotation mark than the straight double one.
var wrongQuotePattern = regexp.MustCompile(`(?:[=<>]|\bis|\bnot)\s*['“”‘’]`)

// conditionProblem returns why a condition cannot be read.
func conditionProblem(text string) string {
	m := comparisonPattern.FindStringSubmatch(text)
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, "`"), " "):
		return "there is a space after the backticks"
	case !strings.HasSuffix(strings.TrimSpace(text[3:]), "```"):
		return "it does not end in ``` on the same line"
	case wrongQuotePattern.MatchString(text):
		return "values need straight double quotes"
	case !strings.ContainsAny(text, "=<>"):
		return "it compares nothing"
	case m != nil && (m[3] == "==" || m[3] == "!=") && m[4] != "" && !strings.Contains(text, `"`):
		return fmt.Sprintf("the value %s needs double quotes", strings.TrimSpace(m[4]))
	}
	return "only one comparison, with == or !=, can follow if or elif"
}
