package workflow

import (
	"fmt"
	"strings"
	"unicode"
)

// reportToolName is the tool with which the model reports a step's result (§6). No tool can have its name.
const reportToolName = "report_step_result"

// tool is a tool as a step names it.
type tool struct {
	name  string
	place place
}

// marksAroundToolName may surround a tool's name.
const marksAroundToolName = "`*\"'“”‘’"

// readToolItem reads an item of a list of tools: one name, or several separated by commas.
func (d *document) readToolItem(s *step, it *item) {
	words, hasOtherText := parseToolWords(it.text)
	for _, w := range words {
		name := strings.TrimLeft(strings.TrimRight(it.text[w.start:w.end], marksAroundToolName+",;:"), marksAroundToolName)
		hasOtherText = hasOtherText || name != it.text
		at := it.placeAt(w.start + strings.Index(it.text[w.start:w.end], name))
		s.hasToolItem = true
		if !isValidToolName(name) {
			d.add(at, s, finding{"bad-tool-name", fmt.Sprintf("%q cannot be a tool's name", it.text[w.start:w.end]), "write the tool's name as its server lists it; report_step_result is reserved"})
			continue
		}
		s.tools = append(s.tools, tool{name, at})
	}
	if hasOtherText {
		d.add(it.placeAt(0), s, finding{"item-form", "this line contains more than a tool's name", "write one tool name per line and nothing else"})
	}
}

// parseToolWords returns the words of an item that name tools: single words separated by commas, else
// the first word. several is true if there is more than one. A text without any word is returned whole.
func parseToolWords(text string) (words []textRange, several bool) {
	from := 0
	for part := range strings.SplitSeq(text, ",") {
		word := strings.TrimSpace(part)
		at := from + strings.Index(part, word)
		from += len(part) + 1
		if firstBlankOffset(word) < len(word) {
			return []textRange{{start: 0, end: firstBlankOffset(text)}}, false
		}
		if word != "" {
			words = append(words, textRange{start: at, end: at + len(word)})
		}
	}
	if len(words) == 0 {
		return []textRange{{start: 0, end: len(text)}}, false
	}
	return words, len(words) > 1
}

// isValidToolName reports whether a text can be a tool's name: letters, digits, _ . / - and placeholders.
func isValidToolName(name string) bool {
	var literal strings.Builder
	done := 0
	for at, variable := range placeholders(name) {
		literal.WriteString(name[done:at])
		done = at + len(variable) + 2
	}
	literal.WriteString(name[done:])
	for _, r := range literal.String() {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-", r) {
			return false
		}
	}
	return name != "" && name != reportToolName
}
