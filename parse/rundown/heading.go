package rundown

import (
	"fmt"
	"strings"
)

// kind is the kind of a step or substep, by its ID (spec §3.3, §3.4).
type kind int

const (
	broken  kind = iota // not a step heading: a node without an ID
	static              // 1, 2, 3 …
	dynamic             // {N} or {n}
	named
)

// heading is the parsed text of a heading.
type heading struct {
	kind     kind
	parent   string // of a substep
	id       string // the ID of a step, or the part after the point of a substep's ID
	number   int    // of a static step
	from, to int    // the range of the title in the plain text
	agent    string
	findings []finding
}

const (
	blanks     = " \t"
	separators = ".:—→-)"
	maxNumber  = 999_999
)

// reserved words are not names of steps (spec §3.3).
var reserved = map[string]bool{
	"NEXT": true, "CONTINUE": true, "COMPLETE": true, "STOP": true, "GOTO": true, "RETRY": true,
	"PASS": true, "FAIL": true, "YES": true, "NO": true, "ALL": true, "ANY": true,
}

// isName reports whether s has the form of a step's name (§3.3). It may still be reserved.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !letter(c) && c != '_' && (i == 0 || !digit(c)) {
			return false
		}
	}
	return s != ""
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// digits returns the number of digits with which s begins.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// parseNumber parses digits. ok is false for 0 and for a number that is too large.
func parseNumber(s string) (n int, ok bool) {
	for i := range len(s) {
		if n = n*10 + int(s[i]-'0'); n > maxNumber {
			return 0, false
		}
	}
	return n, n > 0
}

// parseStep parses the plain text of an H2 (spec §3.3).
func parseStep(s string) heading {
	switch {
	case digits(s) > 0:
		return parseStatic(s)
	case strings.HasPrefix(s, "{N}"):
		h := heading{kind: dynamic, id: "{N}", to: len(s)}
		return h.titled(s, len("{N}"))
	}
	return parseNamed(s)
}

func parseStatic(s string) heading {
	n := digits(s)
	number, ok := parseNumber(s[:n])
	if !ok {
		return noStep(fmt.Sprintf("%q is not a step heading: %s is not between 1 and %d", s, s[:n], maxNumber),
			"number the steps 1, 2, 3 …")
	}
	h := heading{kind: static, id: s[:n], number: number, to: len(s)}
	if s[0] == '0' {
		h.note("leading-zero", fmt.Sprintf("step %s counts as %d, but GOTO %d does not find it", h.id, number, number),
			fmt.Sprintf("write ## %d", number))
	}
	return h.titled(s, n)
}

// titled finds the required title after an ID of n bytes.
func (h heading) titled(s string, n int) heading {
	rest := s[n:]
	title := strings.TrimLeft(rest, blanks+separators)
	if title == "" {
		return noStep(fmt.Sprintf("%q is not a step heading: it has no title", s), "write a title after "+h.id)
	}
	h.from = len(s) - len(title)
	dotted := strings.HasPrefix(rest, ".") && len(rest) > 1 && digit(rest[1])
	if len(title) == len(rest) || dotted {
		h.note("heading-separator", fmt.Sprintf("%q is read as step %s, %q", s, h.id, title),
			fmt.Sprintf("put a blank, or a point and a blank, after the id: ## %s. %s", h.id, title))
	}
	return h
}

func parseNamed(s string) heading {
	word := firstWord(s)
	name := strings.TrimRight(word, separators)
	switch {
	case s == "":
		return noStep("an empty heading is not a step heading", "write ## 1. Title, or ## Name")
	case reserved[name]:
		return noStep(fmt.Sprintf("%q is not a step heading: %s is a reserved word", s, name),
			"choose another name, such as "+capitalized(name))
	case !isName(name):
		return noStep(fmt.Sprintf("%q is not a step heading: %q is neither a number, {N} nor a name", s, word),
			"begin with 1, 2, 3 …, with {N}, or with a name of letters, digits and _")
	}
	h := heading{kind: named, id: name, from: len(word), to: len(s)}
	for h.from < len(s) { // separators alone are not a title
		rest := strings.TrimLeft(s[h.from:], blanks)
		h.from = len(s) - len(rest)
		next := firstWord(rest)
		if next == "" || strings.Trim(next, separators) != "" {
			break
		}
		h.from += len(next)
	}
	if h.from < len(s) && digit(s[h.from]) {
		h.note("numbered-name", fmt.Sprintf("%q is the named step %s, which only a GOTO reaches", s, name),
			"for a numbered step write the number first: ## "+s[h.from:])
	}
	return h
}

func capitalized(s string) string { return s[:1] + strings.ToLower(s[1:]) }

func firstWord(s string) string {
	if i := strings.IndexAny(s, blanks); i >= 0 {
		return s[:i]
	}
	return s
}

func noStep(message, suggestion string) heading {
	return heading{findings: []finding{{"step-heading", message, suggestion}}}
}

func (h *heading) note(code, message, suggestion string) {
	h.findings = append(h.findings, finding{code, message, suggestion})
}

// looksNumbered reports whether an H1 looks like a step (spec §3.2).
func looksNumbered(s string) bool {
	n := digits(s)
	return n > 0 && n < len(s) && strings.IndexByte(".:-) \t", s[n]) >= 0
}

// parseSubstep parses the plain text of an H3 (spec §3.4).
func parseSubstep(s string) heading {
	word := firstWord(s)
	parent, child, found := strings.Cut(word, ".")
	switch {
	case s == "":
		return noSubstep("an empty heading is not a substep heading", "write ### 1.1 Title")
	case !found || !isStepID(parent):
		return noSubstep(fmt.Sprintf("%q is not a substep heading: it does not begin with the ids of step and substep", s),
			"begin with the step's id, a point and the substep's: ### 1.1 Title")
	}
	h, problem := parseChild(child)
	if problem != "" {
		return noSubstep(fmt.Sprintf("%q is not a substep heading: %s", s, problem),
			fmt.Sprintf("write ### %s.1 Title: 1, 2, 3 …, {n} or a name after the point, then a blank", parent))
	}
	h.parent = parent
	h.from = len(s) - len(strings.TrimLeft(s[len(word):], blanks))
	h.agentOf(s)
	if h.kind == static && child[0] == '0' {
		h.note("leading-zero", fmt.Sprintf("substep %s counts as %s.%d, but GOTO %s.%d does not find it",
			word, parent, h.number, parent, h.number), fmt.Sprintf("write ### %s.%d", parent, h.number))
	}
	return h
}

func isStepID(s string) bool {
	return s == "{N}" || s != "" && digits(s) == len(s) || isName(s) && !reserved[s]
}

// parseChild parses the text after the point. problem says why it is invalid.
func parseChild(s string) (h heading, problem string) {
	bare := strings.TrimRight(s, separators)
	switch {
	case s == "":
		return h, "nothing comes after the point"
	case s == "{n}":
		return heading{kind: dynamic, id: s}, ""
	case reserved[s]:
		return h, s + " is a reserved word"
	case isName(s):
		return heading{kind: named, id: s}, ""
	case digits(s) == len(s):
		n, ok := parseNumber(s)
		if !ok {
			return h, fmt.Sprintf("%s is not between 1 and %d", s, maxNumber)
		}
		return heading{kind: static, id: s, number: n}, ""
	case bare != s && (bare == "{n}" || isName(bare) || bare != "" && digits(bare) == len(bare)):
		return h, fmt.Sprintf("no separator may follow %s", bare)
	}
	return h, fmt.Sprintf("%q is neither a number, {n} nor a name", s)
}

// agentOf finds the agent, a text in parentheses at the very end.
func (h *heading) agentOf(s string) {
	h.to = len(s)
	if !strings.HasSuffix(s, ")") {
		return
	}
	open, at := 0, len(s)
	for at > h.from {
		at--
		switch s[at] {
		case ')':
			open++
		case '(':
			open--
		}
		if open == 0 {
			break
		}
	}
	agent := strings.Trim(s[min(at+1, len(s)-1):len(s)-1], blanks)
	if open != 0 || agent == "" {
		return
	}
	h.agent = agent
	h.to = at
	for h.to > h.from && strings.IndexByte(blanks, s[h.to-1]) >= 0 {
		h.to--
	}
}

func noSubstep(message, suggestion string) heading {
	return heading{findings: []finding{{"substep-heading", message, suggestion}}}
}
