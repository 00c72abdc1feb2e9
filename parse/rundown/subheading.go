package rundown

import (
	"fmt"
	"strings"
)

// parseSubstep reads the plain text of an H3 (spec §3.4).
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

// parseChild reads what stands behind the point. problem says why it is nothing.
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
