package stepflow

import (
	"encoding/json"
	"fmt"

	"playhead/parse/plan"
)

// replyChoices are the replies to a check that a person can give at once: ok and ng, in the
// words that its responseFormat has for them.
type replyChoices struct{ step *step }

// resultWords are those of results, by what a responseFormat says of them.
var resultWords = map[string][2]any{"pass|fail": {"pass", "fail"}, "boolean": {true, false}}

// Choices implements plan.ReplyChoices.
func (o replyChoices) Choices() []plan.Choice {
	s := o.step
	format := s.check.Object("responseFormat").Get("result").Text()
	result, known := resultWords[format]
	if !known {
		result = [2]any{"ok", "ng"}
	}
	return []plan.Choice{
		{Name: fmt.Sprint(result[0]), Reply: s.answer(result[0]), To: s.passLeads()},
		{Name: fmt.Sprint(result[1]), Reply: s.answer(result[1]), To: s.leads(s.check.onFail, s.failLeads())},
	}
}

// answer is the smallest reply to a check with a result.
func (s *step) answer(result any) string {
	out, _ := json.Marshal(struct {
		Result  any    `json:"result"`
		Message string `json:"message"`
	}{result, ""})
	return string(out)
}

// passLeads says where ok leads; below min that is not acted on.
func (s *step) passLeads() string {
	to := s.leads(s.check.onPass, "end")
	if s.min > 1 {
		to += fmt.Sprintf(", from iteration %d on", s.min)
	}
	return to
}

// failLeads says where ng leads that nothing is written for.
func (s *step) failLeads() string {
	if s.max > 1 {
		return fmt.Sprintf("%s, up to iteration %d", s.id, s.max)
	}
	return "end"
}

// leads says where one side leads at first, in the order of spec §6.
func (s *step) leads(o side, otherwise string) string {
	switch {
	case o.complete:
		return "end"
	case o.next != "":
		return o.next
	case o.retry && o.most > 0:
		return fmt.Sprintf("%s, retry ≤ %d", s.id, o.most)
	case o.retry:
		return s.id
	case o.fallback != "":
		return o.fallback
	}
	return otherwise
}
