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
	offset    int    // its offset in the source
	plainText string // its plain text
	condition string // the keyword and the modifier
	keyword   string // PASS, YES, FAIL or NO
	modifier  string // ALL, ANY or ""
	action    action
}

func (t *transition) matchedResult() plan.Result {
	if t.keyword == "PASS" || t.keyword == "YES" {
		return plan.Passed
	}
	return plan.Failed
}

// lineClassification is what a line of text is taken for.
type lineClassification int

const (
	proseLine      lineClassification = iota // prompt text
	transitionLike                           // prompt text that was probably meant as a transition
	validTransition
	malformedTransition // a transition with an invalid action
)

// transitionSeparators are the characters that can separate a condition from an action (spec §3.6).
const transitionSeparators = ":→—-"

var transitionKeywords = []string{"PASS", "FAIL", "YES", "NO"}

var actionKeywords = map[string]bool{
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
		case isLetter(c):
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
	next, _ := cutWord(string(bytes.TrimLeft(behind, blankCharacters)))
	return actionKeywords[next]
}

// intendedKeyword returns the keyword with which a line was probably meant to begin, "" if the line looks
// like prose. The word must be in capitals, and a whole action must follow a colon.
func intendedKeyword(s string) string {
	condition, do, _ := strings.Cut(s, ":")
	first, behind := cutWord(condition)
	if mod := strings.Trim(behind, blankCharacters); first != strings.ToUpper(first) || mod != "" && !isModifier(mod) {
		return ""
	}
	if _, bad := parseAction(do); bad.code != "" {
		return ""
	}
	return near.MostSimilar(first, transitionKeywords)
}

// parseTransition parses the plain text of a line or list item. The finding says why a transition is malformed. A line
// without a colon whose action cannot be parsed is prompt text (rule 2 of spec §3.6); the finding then says why.
func parseTransition(s string) (transition, lineClassification, finding) {
	keyword, rest := cutWord(s)
	if !slices.Contains(transitionKeywords, keyword) {
		return transition{}, classifyNonTransition(s), finding{}
	}
	t := transition{plainText: s, keyword: keyword}
	if mod, behind := cutWord(strings.TrimLeft(rest, blankCharacters)); (mod == "ALL" || mod == "ANY") && rest != "" && strings.IndexByte(blankCharacters, rest[0]) >= 0 {
		t.modifier, rest = mod, behind
	}
	t.condition = s[:len(s)-len(rest)]
	action := strings.TrimLeft(rest, blankCharacters+transitionSeparators)
	sep := rest[:len(rest)-len(action)]
	if !strings.Contains(sep, ":") && !canOmitColon(sep, action, t.modifier != "") {
		return transition{}, classifyNonTransition(s), finding{}
	}
	do, bad := parseAction(action)
	switch {
	case bad.code == "bad-transition" && !strings.Contains(sep, ":"):
		return transition{}, transitionLike, bad
	case bad.code != "":
		return t, malformedTransition, bad
	}
	t.action = do
	return t, validTransition, finding{}
}

// canOmitColon reports whether a keyword without a colon begins a transition (rule 2 of spec §3.6). Unlike a colon,
// other separators stand alone.
func canOmitColon(sep, action string, modified bool) bool {
	next, _ := cutWord(action)
	if !actionKeywords[next] {
		return false
	}
	bare := strings.Trim(sep, blankCharacters)
	switch bare {
	case "→", "—":
		return true
	case "-":
		return strings.IndexByte(blankCharacters, sep[0]) >= 0 && strings.IndexByte(blankCharacters, sep[len(sep)-1]) >= 0
	}
	return bare == "" && sep != "" && modified
}

// cutWord splits off the letters, digits and underscores with which s begins.
func cutWord(s string) (w, rest string) {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '_') {
		n++
	}
	return s[:n], s[n:]
}

// classifyNonTransition says whether a line that is no transition was probably meant as one (transitionLike), or
// is prose. Probably meant as one is a keyword in any case, perhaps with a modifier, followed by an action word or by
// nothing. A word that only begins like a keyword, such as PASSED, must be followed by a colon or a similar sign and
// an action word, or by a valid action. Words that begin with NO are common (NOTE, Now), so they must be followed by
// a separator and a valid action.
func classifyNonTransition(s string) lineClassification {
	first, rest := cutWord(s)
	first = strings.ToUpper(first)
	keyword := leadingKeyword(first)
	if keyword == "" && intendedKeyword(s) != "" {
		return transitionLike
	}
	if keyword == "" {
		return proseLine
	}
	if mod, behind := cutWord(strings.TrimLeft(rest, blankCharacters)); isModifier(mod) && rest != mod+behind {
		rest = behind
	}
	action := strings.TrimLeft(rest, blankCharacters+transitionSeparators+"–=>.,")
	if action == "" && first == keyword && strings.Trim(rest, blankCharacters) == "" {
		return transitionLike
	}
	next, _ := cutWord(action)
	if !actionKeywords[strings.ToUpper(next)] || len(action) == len(rest) {
		return proseLine
	}
	if first == keyword {
		return transitionLike
	}
	hasSeparator := strings.Trim(rest[:len(rest)-len(action)], blankCharacters) != ""
	_, bad := parseAction(strings.ToUpper(action))
	isValid := bad.code == ""
	if hasSeparator && isValid || keyword != "NO" && (hasSeparator || isValid) {
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
	for _, k := range transitionKeywords {
		if strings.HasPrefix(w, k) && strings.Trim(w[len(k):], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			return k
		}
	}
	return ""
}

func badTransitionFinding(part, why string) finding {
	message := "the action is missing"
	switch {
	case part != "" && why != "":
		message = fmt.Sprintf("%q cannot be read: %s", part, why)
	case part != "":
		message = fmt.Sprintf("%q is not an action", part)
	}
	verb, _ := cutWord(part)
	if meant := intendedAction(part); meant != "" && meant != verb {
		return finding{"bad-transition", message, "did you mean " + meant + "?"}
	}
	return finding{"bad-transition", message,
		"write CONTINUE, COMPLETE, STOP, GOTO STEP, NEXT or RETRY N"}
}

// intendedAction returns the action with which a text begins or almost begins, "" if there is none.
func intendedAction(text string) string {
	verb, _ := cutWord(text)
	if actionKeywords[verb] {
		return verb
	}
	return near.MostSimilar(verb, slices.Sorted(maps.Keys(actionKeywords)))
}
