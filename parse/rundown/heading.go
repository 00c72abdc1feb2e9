package rundown

import (
	"fmt"
	"strings"
)

// stepKind is the kind of a step or substep, by its ID (spec §3.3, §3.4).
type stepKind int

const (
	brokenKind  stepKind = iota // not a step heading: a node without an ID
	staticKind                  // 1, 2, 3 …
	dynamicKind                 // {N} or {n}
	namedKind
)

// heading is the parsed text of a heading.
type heading struct {
	kind                 stepKind
	parentID             string // of a substep
	localID              string // the ID of a step, or the part after the point of a substep's ID
	number               int    // of a static step
	titleStart, titleEnd int    // the range of the title in the plain text
	agent                string
	findings             []finding
}

const (
	blankCharacters = " \t"
	titleSeparators = ".:—→-)"
	maxStepNumber   = 999_999
)

// reservedWords are not names of steps (spec §3.3).
var reservedWords = map[string]bool{
	"NEXT": true, "CONTINUE": true, "COMPLETE": true, "STOP": true, "GOTO": true, "RETRY": true,
	"PASS": true, "FAIL": true, "YES": true, "NO": true, "ALL": true, "ANY": true,
}

// isName reports whether s has the form of a step's name (§3.3). It may still be reserved.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && c != '_' && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// leadingDigitCount returns the number of digits with which s begins.
func leadingDigitCount(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// parseStepNumber parses digits. ok is false for 0 and for a number that is too large.
func parseStepNumber(s string) (n int, ok bool) {
	for i := range len(s) {
		if n = n*10 + int(s[i]-'0'); n > maxStepNumber {
			return 0, false
		}
	}
	return n, n > 0
}

// parseStepHeading parses the plain text of an H2 (spec §3.3).
func parseStepHeading(s string) heading {
	switch {
	case leadingDigitCount(s) > 0:
		return parseStaticStepHeading(s)
	case strings.HasPrefix(s, "{N}"):
		h := heading{kind: dynamicKind, localID: "{N}", titleEnd: len(s)}
		return h.withTitle(s, len("{N}"))
	}
	return parseNamedStepHeading(s)
}

func parseStaticStepHeading(s string) heading {
	n := leadingDigitCount(s)
	number, ok := parseStepNumber(s[:n])
	if !ok {
		return newBrokenStepHeading(fmt.Sprintf("%q is not a step heading: %s is not between 1 and %d", s, s[:n], maxStepNumber),
			"number the steps 1, 2, 3 …")
	}
	h := heading{kind: staticKind, localID: s[:n], number: number, titleEnd: len(s)}
	if s[0] == '0' {
		h.addFinding("leading-zero", fmt.Sprintf("step %s counts as %d, but GOTO %d does not find it", h.localID, number, number),
			fmt.Sprintf("write ## %d", number))
	}
	return h.withTitle(s, n)
}

// withTitle sets the range of the title, which must follow an ID of n bytes.
func (h heading) withTitle(s string, n int) heading {
	rest := s[n:]
	title := strings.TrimLeft(rest, blankCharacters+titleSeparators)
	if title == "" {
		return newBrokenStepHeading(fmt.Sprintf("%q is not a step heading: it has no title", s), "write a title after "+h.localID)
	}
	h.titleStart = len(s) - len(title)
	dotted := strings.HasPrefix(rest, ".") && len(rest) > 1 && isDigit(rest[1])
	if len(title) == len(rest) || dotted {
		suggestion := fmt.Sprintf("put a space, or a dot and a space, after the id: ## %s. %s", h.localID, title)
		if dotted {
			suggestion = fmt.Sprintf("for a substep, write ### %s; for step %s, write ## %s. %s", s, h.localID, h.localID, title)
		}
		h.addFinding("heading-separator", fmt.Sprintf("%q is read as step %s with the title %q", s, h.localID, title), suggestion)
	}
	return h
}

func parseNamedStepHeading(s string) heading {
	word := firstWord(s)
	name := strings.TrimRight(word, titleSeparators)
	switch {
	case s == "":
		return newBrokenStepHeading("an empty heading is not a step heading", "write ## 1. Title, or ## Name")
	case reservedWords[name]:
		return newBrokenStepHeading(fmt.Sprintf("%q is not a step heading: %s is a reserved word", s, name),
			"choose another name, such as "+capitalized(name))
	case !isName(name):
		return newBrokenStepHeading(fmt.Sprintf("%q is not a step heading: %q is neither a number, {N} nor a name", s, word),
			"begin with 1, 2, 3 …, with {N}, or with a name of letters, digits and _")
	}
	h := heading{kind: namedKind, localID: name, titleStart: len(word), titleEnd: len(s)}
	for h.titleStart < len(s) { // separators alone are not a title
		rest := strings.TrimLeft(s[h.titleStart:], blankCharacters)
		h.titleStart = len(s) - len(rest)
		next := firstWord(rest)
		if next == "" || strings.Trim(next, titleSeparators) != "" {
			break
		}
		h.titleStart += len(next)
	}
	if h.titleStart < len(s) && isDigit(s[h.titleStart]) {
		h.addFinding("numbered-name", fmt.Sprintf("%q is read as the named step %s, which other steps reach only by GOTO", s, name),
			"for a numbered step write the number first: ## "+s[h.titleStart:])
	}
	return h
}

func capitalized(s string) string { return s[:1] + strings.ToLower(s[1:]) }

func firstWord(s string) string {
	if i := strings.IndexAny(s, blankCharacters); i >= 0 {
		return s[:i]
	}
	return s
}

func newBrokenStepHeading(message, suggestion string) heading {
	return heading{findings: []finding{{"step-heading", message, suggestion}}}
}

func (h *heading) addFinding(code, message, suggestion string) {
	h.findings = append(h.findings, finding{code, message, suggestion})
}

// looksLikeStepHeading reports whether an H1 looks like a step (spec §3.2).
func looksLikeStepHeading(s string) bool {
	n := leadingDigitCount(s)
	return n > 0 && n < len(s) && strings.IndexByte(".:-) \t", s[n]) >= 0
}

// parseSubstepHeading parses the plain text of an H3 (spec §3.4).
func parseSubstepHeading(s string) heading {
	word := firstWord(s)
	parent, child, found := strings.Cut(word, ".")
	switch {
	case s == "":
		return newBrokenSubstepHeading("an empty heading is not a substep heading", "write ### 1.1 Title")
	case !found || !isStepID(parent):
		return newBrokenSubstepHeading(fmt.Sprintf("%q is not a substep heading: it does not begin with the ids of the step and the substep", s),
			"begin with the step's id, a dot and the substep's id: ### 1.1 Title")
	}
	h, problem := parseSubstepID(child)
	if problem != "" {
		return newBrokenSubstepHeading(fmt.Sprintf("%q is not a substep heading: %s", s, problem),
			fmt.Sprintf("write ### %s.1 Title, with a number, {n} or a name after the dot, then a space", parent))
	}
	h.parentID = parent
	h.titleStart = len(s) - len(strings.TrimLeft(s[len(word):], blankCharacters))
	h.readAgent(s)
	if h.kind == staticKind && child[0] == '0' {
		h.addFinding("leading-zero", fmt.Sprintf("substep %s counts as %s.%d, but GOTO %s.%d does not find it",
			word, parent, h.number, parent, h.number), fmt.Sprintf("write ### %s.%d", parent, h.number))
	}
	return h
}

func isStepID(s string) bool {
	return s == "{N}" || s != "" && leadingDigitCount(s) == len(s) || isName(s) && !reservedWords[s]
}

// parseSubstepID parses the text after the dot. problem says why it is invalid.
func parseSubstepID(s string) (h heading, problem string) {
	bare := strings.TrimRight(s, titleSeparators)
	switch {
	case s == "":
		return h, "nothing comes after the dot"
	case s == "{n}":
		return heading{kind: dynamicKind, localID: s}, ""
	case reservedWords[s]:
		return h, s + " is a reserved word"
	case isName(s):
		return heading{kind: namedKind, localID: s}, ""
	case leadingDigitCount(s) == len(s):
		n, ok := parseStepNumber(s)
		if !ok {
			return h, fmt.Sprintf("%s is not between 1 and %d", s, maxStepNumber)
		}
		return heading{kind: staticKind, localID: s, number: n}, ""
	case bare != s && (bare == "{n}" || isName(bare) || bare != "" && leadingDigitCount(bare) == len(bare)):
		return h, fmt.Sprintf("only a space may follow the substep's id %s", bare)
	}
	return h, fmt.Sprintf("%q is neither a number, {n} nor a name", s)
}

// readAgent finds the agent, a text in parentheses at the very end.
func (h *heading) readAgent(s string) {
	h.titleEnd = len(s)
	if !strings.HasSuffix(s, ")") {
		return
	}
	open, at := 0, len(s)
	for at > h.titleStart {
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
	agent := strings.Trim(s[min(at+1, len(s)-1):len(s)-1], blankCharacters)
	if open != 0 || agent == "" {
		return
	}
	h.agent = agent
	h.titleEnd = at
	for h.titleEnd > h.titleStart && strings.IndexByte(blankCharacters, s[h.titleEnd-1]) >= 0 {
		h.titleEnd--
	}
}

func newBrokenSubstepHeading(message, suggestion string) heading {
	return heading{findings: []finding{{"substep-heading", message, suggestion}}}
}
