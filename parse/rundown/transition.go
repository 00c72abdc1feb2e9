package rundown

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/parse/near"
	"playhead/parse/plan"
)

// transition is a line that says where an outcome leads (spec §3.6).
type transition struct {
	at        int    // its offset in the source
	text      string // its plain text
	condition string // the keyword and the modifier
	keyword   string // PASS, YES, FAIL or NO
	modifier  string // ALL, ANY or ""
	do        action
}

func (t *transition) result() plan.Result {
	if t.keyword == "PASS" || t.keyword == "YES" {
		return plan.Passed
	}
	return plan.Failed
}

// lineReading is what a line of text is taken for.
type lineReading int

const (
	proseLine            lineReading = iota // prompt text
	transitionLike                          // prompt text that was probably meant as a transition
	validTransition                         // a transition
	malformedTransition                     // a transition with an invalid action
	transitionSeparators = ":→—-"
)

var keywords = []string{"PASS", "FAIL", "YES", "NO"}

var actionWords = map[string]bool{
	"CONTINUE": true, "COMPLETE": true, "STOP": true, "GOTO": true, "RETRY": true, "NEXT": true,
}

// mayBeTransition is a quick check of a line's source. A line that does not begin with a keyword,
// apart from marks, is not a transition.
func mayBeTransition(source []byte) bool {
	var begin [4]byte
	n := 0
	for _, c := range source {
		switch {
		case c == '&': // an entity can stand for any character
			return true
		case letter(c):
			begin[n] = c &^ 0x20
			n++
		case strings.IndexByte(" \t*_[<!\\", c) < 0:
			return leadingKeyword(string(begin[:n])) != "" || hasActionAfterColon(source)
		}
		if k := leadingKeyword(string(begin[:n])); k != "" || n == len(begin) {
			return k != "" || hasActionAfterColon(source)
		}
	}
	return false
}

// hasActionAfterColon reports whether an action word follows the first colon of a line, as in a transition
// with only the keyword misspelt.
func hasActionAfterColon(source []byte) bool {
	_, behind, _ := bytes.Cut(source, []byte(":"))
	next, _ := cutWord(string(bytes.TrimLeft(behind, blanks)))
	return actionWords[next]
}

// meantKeyword returns the keyword with which a line was probably meant to begin, "" if the line looks
// like prose. The word must be in capitals, and a whole action must follow a colon.
func meantKeyword(s string) string {
	said, do, _ := strings.Cut(s, ":")
	first, behind := cutWord(said)
	if mod := strings.Trim(behind, blanks); first != strings.ToUpper(first) || mod != "" && !isModifier(mod) {
		return ""
	}
	if _, bad := parseAction(do); bad.code != "" {
		return ""
	}
	return near.Name(first, keywords)
}

// parseTransition parses the plain text of a line or list item.
func parseTransition(s string) (transition, lineReading, finding) {
	keyword, rest := cutWord(s)
	if keyword != "PASS" && keyword != "YES" && keyword != "FAIL" && keyword != "NO" {
		return transition{}, classifyOtherLine(s), finding{}
	}
	t := transition{text: s, keyword: keyword}
	if mod, behind := cutWord(strings.TrimLeft(rest, blanks)); (mod == "ALL" || mod == "ANY") && rest != "" && strings.IndexByte(blanks, rest[0]) >= 0 {
		t.modifier, rest = mod, behind
	}
	t.condition = s[:len(s)-len(rest)]
	action := strings.TrimLeft(rest, blanks+transitionSeparators)
	sep := rest[:len(rest)-len(action)]
	if !strings.Contains(sep, ":") && !needsNoColon(sep, action, t.modifier != "") {
		return transition{}, classifyOtherLine(s), finding{}
	}
	do, bad := parseAction(action)
	if bad.code != "" {
		return t, malformedTransition, bad
	}
	t.do = do
	return t, validTransition, finding{}
}

// needsNoColon reports whether a keyword without a colon begins a transition (rule 2 of spec
// §3.6).
func needsNoColon(sep, action string, modified bool) bool {
	next, _ := cutWord(action)
	if !actionWords[next] {
		return false
	}
	bare := strings.Trim(sep, blanks)
	switch {
	case strings.ContainsAny(sep, "→—"):
		return true
	case bare == "-":
		return strings.IndexByte(blanks, sep[0]) >= 0 && strings.IndexByte(blanks, sep[len(sep)-1]) >= 0
	}
	return bare == "" && sep != "" && modified
}

// cutWord splits off the letters, digits and underscores with which s begins.
func cutWord(s string) (w, rest string) {
	n := 0
	for n < len(s) && (letter(s[n]) || digit(s[n]) || s[n] == '_') {
		n++
	}
	return s[:n], s[n:]
}

// classifyOtherLine distinguishes what was probably meant as a transition from prose: a keyword in any
// case, perhaps with a modifier, then an action word; or a keyword alone. A word that only begins
// like a keyword (PASSED, but also NOTE and Now) also needs a colon or a similar sign, and after
// NO… a whole action.
func classifyOtherLine(s string) lineReading {
	first, rest := cutWord(s)
	first = strings.ToUpper(first)
	keyword := leadingKeyword(first)
	if keyword == "" && meantKeyword(s) != "" {
		return transitionLike
	}
	if keyword == "" {
		return proseLine
	}
	if mod, behind := cutWord(strings.TrimLeft(rest, blanks)); isModifier(mod) && rest != mod+behind {
		rest = behind
	}
	action := strings.TrimLeft(rest, blanks+transitionSeparators+"–=>.,")
	if action == "" && first == keyword && strings.Trim(rest, blanks) == "" {
		return transitionLike
	}
	next, _ := cutWord(action)
	if !actionWords[strings.ToUpper(next)] || len(action) == len(rest) {
		return proseLine
	}
	if first == keyword {
		return transitionLike
	}
	apart := strings.Trim(rest[:len(rest)-len(action)], blanks) != ""
	_, bad := parseAction(strings.ToUpper(action))
	if apart && (keyword != "NO" || bad.code == "") {
		return transitionLike
	}
	return proseLine
}

func isModifier(s string) bool {
	s = strings.ToUpper(s)
	return s == "ALL" || s == "ANY"
}

// leadingKeyword returns the keyword with which an upper-case word begins, "" if there is none.
func leadingKeyword(w string) string {
	for _, k := range keywords {
		if strings.HasPrefix(w, k) && strings.Trim(w[len(k):], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			return k
		}
	}
	return ""
}

func badTransitionFinding(part, why string) finding {
	message := "no action follows"
	if part != "" {
		message = fmt.Sprintf("%q is not an action", part)
	}
	if why != "" {
		message += ": " + why
	}
	verb, _ := cutWord(part)
	if meant := meantAction(part); meant != "" && meant != verb {
		return finding{"bad-transition", message, "did you mean " + meant + "?"}
	}
	return finding{"bad-transition", message,
		"write CONTINUE, COMPLETE, STOP, GOTO, NEXT or RETRY, and nothing after it"}
}

// meantAction returns the action with which a text begins or almost begins, "" if there is none.
func meantAction(text string) string {
	verb, _ := cutWord(text)
	if actionWords[verb] {
		return verb
	}
	return near.Name(verb, slices.Sorted(maps.Keys(actionWords)))
}
