package stepflow

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/objects"
	"playhead/parse/plan"
)

// anyReplyJudge is the Judge of a step's own call. Any reply passes.
type anyReplyJudge struct{}

// Judge implements plan.Judge.
func (anyReplyJudge) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	return plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Source: "reply", Text: p.Text}}
}

// checkJudge is the Judge of a check: it reads ok or ng in the reply (spec §5). The step's output
// stays the reply to its own prompt.
type checkJudge struct{ PromptPath string } // the file of its prompt, for display

// Describe implements plan.Describer.
func (c checkJudge) Describe() plan.JudgeDescription {
	return plan.JudgeDescription{Kind: "check", Prompt: c.PromptPath}
}

// Judge implements plan.Judge.
func (c checkJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	out := plan.Verdict{Outcome: plan.Outcome{Result: plan.Failed, Source: "check", Text: scope.Outcome().Text}}
	object, found := findResultObject(p.Text)
	ok := found && isResultOK(object["result"])
	switch word, hasWord := readResultWords(p.Text); {
	case found:
		out.Data = object
		out.Reason, _ = object["message"].(string)
	case hasWord:
		ok = word
	default:
		out.Reason = "could not parse the check reply" // the words of the spec
		out.Warnings = []plan.RunWarning{{Code: climpt.CodePrefix + "check-unparsed", Message: out.Reason + ": it counts as ng"}}
	}
	out.Reading = &plan.Reading{CheckResult: "ng"}
	if ok {
		out.Result, out.Reading.CheckResult = plan.Passed, "ok"
	}
	out.Checks = []plan.Check{{Text: c.PromptPath, Verdict: out.Result, Detail: out.Reason}}
	return out
}

// Explain implements plan.Explainer: what the reply says (spec §5) besides its message, which the
// outcome has.
func (checkJudge) Explain(o plan.Outcome) (out []plan.Fact) {
	if o.Source != "check" {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(o.Data)) {
		if text, is := o.Data[key].(string); is && text == o.Reason {
			continue
		}
		value, _ := json.Marshal(o.Data[key])
		out = append(out, plan.Fact{Name: key, Value: string(value)})
	}
	return out
}

// findResultObject returns the first object with a result, in the order of spec §5.
func findResultObject(text string) (map[string]any, bool) {
	var candidates []string
	for _, b := range objects.FencedBlocks(text) {
		if b.Language == "" || strings.EqualFold(b.Language, "json") {
			candidates = append(candidates, b.Text)
		}
	}
	last, _, _ := objects.LastObjectWithField(text, "result")
	for _, c := range append(candidates, text, last) {
		object, _ := objects.Parse(c)
		if _, has := object["result"]; has {
			return object, true
		}
	}
	return nil, false
}

func isResultOK(result any) bool {
	switch r := result.(type) {
	case bool:
		return r
	case string:
		return isOKWord(r)
	}
	return false
}

func isOKWord(word string) bool {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "true", "ok", "pass":
		return true
	}
	return false
}

var resultWordPattern = regexp.MustCompile(`(?i)"?result"?\s*[:=]\s*"?(ok|pass|true|ng|fail|false)\b`)

// readResultWords reads a reply without an object: ok says that all its result words mean ok, found that it
// has any.
func readResultWords(text string) (ok, found bool) {
	ok = true
	for _, m := range resultWordPattern.FindAllStringSubmatchIndex(text, -1) {
		if strings.HasPrefix(text[m[1]:], "|") { // the reply repeats the format, which is not a result
			continue
		}
		found = true
		ok = ok && isOKWord(text[m[2]:m[3]])
	}
	return ok && found, found
}
