package registry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/objects"
	"playhead/parse/plan"
)

// verdictJudge is the Judge of a step in a registry without gates: it decides whether the run is
// done (spec §9).
type verdictJudge struct {
	StepID string
	Schema []byte
	Rule   completionRule
}

// completionRule says when a run is done.
type completionRule struct {
	Type                 string
	Limit                int // iterations or checks
	Keyword              string
	Signal               string
	RequiredKeys         []string
	RequiredValues       map[string]string // values as JSON
	OneConditionSuffices bool              // of a composite: the operator is not "and"
	Conditions           []completionRule
}

func newCompletionRule(v climpt.VerdictConfig, kind string) completionRule {
	out := completionRule{Type: kind, Keyword: v.Keyword, Signal: v.SignalType, RequiredKeys: v.RequiredKeys, OneConditionSuffices: v.Operator != "and", RequiredValues: map[string]string{}}
	switch kind {
	case "count:iteration":
		out.Limit = v.MaxIterations
	case "count:check":
		out.Limit = v.MaxChecks
	}
	for _, m := range v.RequiredValues.Members() {
		out.RequiredValues[m.Key()] = jsonText(m.GoValue())
	}
	for _, c := range v.Conditions {
		out.Conditions = append(out.Conditions, newCompletionRule(c, c.Type))
	}
	return out
}

// Judge implements plan.Judge.
func (j verdictJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := ungatedJudge{j.StepID, "", j.Schema}.Judge(p, scope)
	iteration := promptContext{staticValues: &staticValues{}, scope: scope}.iteration()
	done := j.Rule.endsRun(p.Text, iteration)
	v.Intent, v.Data[outcomeIntentOriginKey], v.Data[outcomeDoneKey] = "", "verdict", fmt.Sprint(done)
	v.Reading = &plan.Reading{CompletionRule: j.Rule.Type, Iteration: iteration, IsDone: done}
	return v
}

// endsRun reports whether a reply, or the number of iterations, ends the run.
func (v completionRule) endsRun(reply string, iteration int) bool {
	switch v.Type {
	case "count:iteration", "count:check":
		return iteration >= v.Limit
	case "detect:keyword":
		return v.Keyword != "" && strings.Contains(reply, v.Keyword)
	case "detect:structured":
		return v.repliesWithSignal(reply)
	case "meta:composite":
		return v.compositeEnds(reply, iteration)
	}
	return false
}

// compositeEnds combines the conditions with "and" or "or". A nested composite never ends the run.
func (v completionRule) compositeEnds(reply string, iteration int) bool {
	for _, c := range v.Conditions {
		done := c.Type != "meta:composite" && c.endsRun(reply, iteration)
		if done == v.OneConditionSuffices {
			return done
		}
	}
	return !v.OneConditionSuffices && len(v.Conditions) > 0
}

// repliesWithSignal reports whether the reply contains the signal with the required fields: in any object, or as the
// language of a fenced block. The block must be an object only if fields are required.
func (v completionRule) repliesWithSignal(reply string) bool {
	for _, b := range objects.FencedBlocks(reply) {
		if o, _ := objects.Parse(b.Text); b.Language == v.Signal && v.hasRequiredFields(o) {
			return true
		}
	}
	for text := range objects.TopLevelObjects(reply) {
		if !strings.Contains(text, v.Signal) && !strings.Contains(text, `\`) { // not parsed: a reply can have many objects; \ may hide the signal
			continue
		}
		if o, ok := objects.Parse(text); ok && v.containsSignal(o) {
			return true
		}
	}
	return false
}

// containsSignal reports whether a value is an object with the signal and the required fields, or contains one.
func (v completionRule) containsSignal(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		if v.hasSignal(value) && v.hasRequiredFields(value) {
			return true
		}
		for _, inner := range value {
			if v.containsSignal(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, v.containsSignal)
	}
	return false
}

func (v completionRule) hasSignal(o map[string]any) bool {
	return o["signal"] == v.Signal || o["type"] == v.Signal
}

// hasRequiredFields reports whether the required fields exist and have the required values.
func (v completionRule) hasRequiredFields(o map[string]any) bool {
	for _, key := range v.RequiredKeys {
		if _, ok := o[key]; !ok {
			return false
		}
	}
	for key, want := range v.RequiredValues {
		if value, ok := o[key]; !ok || !equalJSON(jsonText(value), want) {
			return false
		}
	}
	return true
}

// equalJSON compares two JSON texts as values.
func equalJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return jsonText(x) == jsonText(y)
}
