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
	OneConditionSuffices bool              // in a composite: one condition is enough
	Conditions           []completionRule
}

func newVerdictRule(v climpt.VerdictConfig, kind string) completionRule {
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
		out.Conditions = append(out.Conditions, newVerdictRule(c, c.Type))
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
		return v.hasSignalObject(reply)
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

// hasSignalObject reports whether the reply contains an object with the signal and the required fields: in a fence, as
// the whole reply, or as the last object with the field signal or type.
func (v completionRule) hasSignalObject(reply string) bool {
	for _, b := range objects.FencedBlocks(reply) {
		if o, ok := parseObject(b.Text); ok && (b.Language == v.Signal || v.hasSignal(o)) && v.hasRequiredFields(o) {
			return true
		}
	}
	if o, ok := parseObject(reply); ok && v.hasSignal(o) && v.hasRequiredFields(o) {
		return true
	}
	for _, field := range []string{"signal", "type"} {
		last, _, _ := objects.LastObjectWithField(reply, field)
		if o, ok := parseObject(last); ok && v.hasSignal(o) && v.hasRequiredFields(o) {
			return true
		}
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

// Explain implements plan.Explainer: the field and its value, the intent, whether it is allowed, what is handed off,
// and the target (spec §7).
func (g gateJudge) Explain(o plan.Outcome) []plan.Fact {
	if _, ok := o.Data[outcomeIntentOriginKey]; !ok && o.Result != plan.Errored {
		return nil
	}
	out := []plan.Fact{{Name: g.IntentField, Value: intentSourceText(o)}}
	if where, _ := o.Data[outcomeObjectPlaceKey].(string); where != "" {
		out[0].Value += ", " + where
	}
	if o.Intent != "" {
		out = append(out, plan.Fact{Name: "intent", Value: o.Intent + intentMethodText(o)})
	}
	out = append(out, plan.Fact{Name: "allowed", Value: strings.Join(g.AllowedIntents, ", ")})
	if o.Intent != "" && !slices.Contains(g.AllowedIntents, o.Intent) && o.Intent != intentAbort {
		out[len(out)-1].Value += ", not " + o.Intent
	}
	handoff := objectAt(o.Data, outcomeHandoffKey)
	for _, key := range sortedKeys(handoff) {
		text := jsonText(handoff[key])
		if path := g.handoffPathIn(objectAt(o.Data, outcomeOutputKey), key); path != "" && path != key {
			text += " (" + path + ")"
		}
		out = append(out, plan.Fact{Name: "hands off " + key, Value: text})
	}
	if target, ok := o.Data[outcomeTargetKey].(string); ok {
		out = append(out, plan.Fact{Name: g.TargetField, Value: jsonText(target)})
	}
	return out
}

// intentSourceText describes the value that the intent was read from.
func intentSourceText(o plan.Outcome) string {
	raw, found := o.Data[outcomeRawIntentKey]
	switch {
	case o.Data[outcomeOutputKey] == nil:
		return "not read: the reply contains no JSON object"
	case !found || raw == nil:
		return "missing, or null"
	}
	return jsonText(raw)
}

// intentMethodText describes how the intent was found, "" if directly in the reply.
func intentMethodText(o plan.Outcome) string {
	origin, _ := o.Data[outcomeIntentOriginKey].(string)
	raw, _ := o.Data[outcomeRawIntentKey].(string)
	switch {
	case origin == "fallback", origin == "derived":
		return " (" + origin + ")"
	case intentByAlias[strings.ToLower(strings.TrimSpace(raw))] == o.Intent: // the origin may already be that of a later change
		return " (alias)"
	}
	return ""
}

// Explain implements plan.Explainer: the failure pattern and the extracted parameters (spec §10).
// The exit status is a check of the outcome.
func (v validatorCommandJudge) Explain(o plan.Outcome) []plan.Fact {
	failed := slices.ContainsFunc(o.Checks, func(c plan.Check) bool { return c.Text == v.ValidatorID && c.Verdict == plan.Failed })
	if !failed {
		return nil
	}
	return v.patternFacts(o)
}

func (v validatorCommandJudge) patternFacts(o plan.Outcome) []plan.Fact {
	out := []plan.Fact{{Name: "pattern", Value: v.FailurePattern}}
	values := templateParams{values: objectAt(o.Data, outcomeParamsKey)}
	for _, key := range sortedKeys(values.values) {
		out = append(out, plan.Fact{Name: key, Value: values.valueText(key)})
	}
	return out
}
