package rundown

import (
	"fmt"
	"strconv"
	"strings"
)

// action is the action of a transition (spec §3.6).
type action struct {
	verb         string // CONTINUE, COMPLETE, STOP, GOTO or RETRY
	sourceText   string // as written
	message      string // of COMPLETE and STOP
	target       target // of GOTO
	retryCount   int    // of RETRY
	afterRetries *action
}

// parseAction reads all of s as one action. If s is not an action, the finding says why, and otherwise has no code.
func parseAction(s string) (action, finding) {
	s = strings.Trim(s, blankCharacters)
	verb, rest := cutWord(s)
	arg := strings.Trim(rest, blankCharacters)
	a := action{verb: verb, sourceText: s}
	if rest != "" && rest == strings.TrimLeft(rest, blankCharacters) {
		if (verb == "COMPLETE" || verb == "STOP") && rest[0] == ':' {
			return a, unquotedMessage(verb, s, rest)
		}
		return a, badTransitionFinding(s, "")
	}
	switch verb {
	case "CONTINUE":
		if arg != "" {
			bad := badTransitionFinding(s, fmt.Sprintf("%q follows CONTINUE, which takes no argument", arg))
			bad.suggestion = "write CONTINUE alone"
			return a, bad
		}
		return a, finding{}
	case "COMPLETE", "STOP":
		var ok bool
		if a.message, ok = parseMessage(arg); !ok {
			return a, unquotedMessage(verb, s, arg)
		}
		return a, finding{}
	case "GOTO", "NEXT":
		return parseGoto(a, arg)
	case "RETRY":
		return parseRetry(a, arg)
	}
	return a, badTransitionFinding(s, "")
}

// unquotedMessage returns the finding for a message without quotes that is not a plain word. It shows how to write the
// message.
func unquotedMessage(verb, sourceText, message string) finding {
	bare := strings.Trim(strings.TrimLeft(message, blankCharacters+transitionSeparators), blankCharacters+`"“”„`)
	f := badTransitionFinding(sourceText, fmt.Sprintf("the message %q needs double quotes, because it is not a single plain word", message))
	f.suggestion = fmt.Sprintf(`write %s "%s"`, verb, bare)
	return f
}

// parseMessage reads one word, or the text between the first and the last quote.
func parseMessage(s string) (message string, ok bool) {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1], true
	}
	return s, s == "" || isName(s)
}

func parseGoto(a action, arg string) (action, finding) {
	verb := a.verb
	a.verb = "GOTO"
	if verb == "NEXT" {
		a.target.isNextInstance = true
	} else if first := firstWord(arg); first == "NEXT" {
		a.target.isNextInstance = true
		arg = strings.TrimLeft(arg[len(first):], blankCharacters)
	}
	if a.target.isNextInstance && arg == "" {
		return a, finding{}
	}
	to, ok := parseTarget(arg)
	if a.target.isNextInstance {
		if !ok || to.child != "{n}" && to.String() != "{N}" {
			return a, finding{"goto-next-form", fmt.Sprintf("GOTO NEXT cannot lead to %q", arg),
				"write GOTO NEXT, GOTO NEXT {N}, GOTO NEXT {N}.{n}, or GOTO NEXT 2.{n} for step 2"}
		}
		to.isNextInstance = true
	}
	if !ok {
		if arg == "" {
			return a, badTransitionFinding(a.sourceText, "the target is missing")
		}
		return a, badTransitionFinding(a.sourceText, fmt.Sprintf("%q is not a target", arg))
	}
	a.target = to
	return a, finding{}
}

// target is the target of a GOTO: a step, or a child of a step (spec §5.5).
type target struct {
	step, child    string // if step is empty, the target is a bare NEXT
	isNextInstance bool
}

// String returns the ID of the step or substep.
func (t target) String() string {
	if t.child == "" {
		return t.step
	}
	return t.step + "." + t.child
}

func parseTarget(s string) (t target, ok bool) {
	step, child, hasChild := strings.Cut(s, ".")
	if !isStepID(step) {
		return t, false
	}
	if isDigit(step[0]) {
		if _, ok := parseStepNumber(step); !ok {
			return t, false
		}
	}
	if hasChild {
		if _, problem := parseSubstepID(child); problem != "" {
			return t, false
		}
	}
	return target{step: step, child: child}, true
}

// maxRetries replaces a larger count of a RETRY. No run makes so many.
const maxRetries = 1 << 30

func parseRetry(a action, arg string) (action, finding) {
	a.retryCount = 1
	hasCount := false
	if n := leadingDigitCount(firstWord(arg)); n > 0 && n == len(firstWord(arg)) {
		count, err := strconv.Atoi(arg[:n])
		if err != nil { // it is too large
			count = maxRetries
		}
		if count < 1 {
			return a, finding{"retry-count", "the number of retries must be 1 or more", "write how many extra attempts to make"}
		}
		a.retryCount, hasCount = min(count, maxRetries), true
		arg = strings.TrimLeft(arg[n:], blankCharacters)
	}
	if arg == "" {
		return a, finding{}
	}
	if arg[0] == '"' { // RETRY n "msg" means RETRY n STOP "msg"
		message, ok := parseMessage(arg)
		if !ok {
			bad := badTransitionFinding(arg, "the message does not end with a double quote")
			bad.suggestion = "end the message with a double quote, and write nothing after it"
			return a, bad
		}
		a.afterRetries = &action{verb: "STOP", sourceText: "STOP " + arg, message: message}
		return a, finding{}
	}
	if verb, _ := cutWord(arg); verb == "RETRY" {
		return a, finding{"retry-nested", fmt.Sprintf("RETRY cannot be followed by %q", arg),
			"write one RETRY with the total count, then another action"}
	}
	then, bad := parseAction(arg)
	a.afterRetries = &then
	if !hasCount && bad.code == "bad-transition" && intendedAction(arg) == "" {
		bad.message = fmt.Sprintf("RETRY takes a number, but %q is not one", firstWord(arg))
		bad.suggestion = "write how many extra attempts to make, for example RETRY 2"
	}
	return a, bad
}
