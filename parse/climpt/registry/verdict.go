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
	Step    string
	Schema  []byte
	Verdict verdictRule
}

// verdictRule says when a run is done.
type verdictRule struct {
	Type       string
	Most       int // iterations or checks
	Keyword    string
	Signal     string
	Present    []string
	Equal      map[string]string // values as JSON
	Any        bool              // in a composite: one condition is enough
	Conditions []verdictRule
}

func lowerVerdict(v climpt.Verdict, kind string) verdictRule {
	out := verdictRule{Type: kind, Keyword: v.Keyword, Signal: v.SignalType, Present: v.RequiredKeys, Any: v.Operator != "and", Equal: map[string]string{}}
	switch kind {
	case "count:iteration":
		out.Most = v.MaxIterations
	case "count:check":
		out.Most = v.MaxChecks
	}
	for _, m := range v.Required.Members() {
		out.Equal[m.Key()] = jsonText(m.Any())
	}
	for _, c := range v.Conditions {
		out.Conditions = append(out.Conditions, lowerVerdict(c, c.Type))
	}
	return out
}

// Judge implements plan.Judge.
func (u verdictJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := impliedJudge{u.Step, "", u.Schema}.Judge(p, scope)
	iteration := view{staticValues: &staticValues{}, scope: scope}.iteration()
	done := u.Verdict.ends(p.Text, iteration)
	v.Intent, v.Data[dataVia], v.Data[dataDone] = "", "verdict", fmt.Sprint(done)
	v.Reading = &plan.Reading{Completion: u.Verdict.Type, Iteration: iteration, IsDone: done}
	return v
}

// ends reports whether a reply, or the number of iterations, ends the run.
func (v verdictRule) ends(reply string, iteration int) bool {
	switch v.Type {
	case "count:iteration", "count:check":
		return iteration >= v.Most
	case "detect:keyword":
		return v.Keyword != "" && strings.Contains(reply, v.Keyword)
	case "detect:structured":
		return v.hasSignalObject(reply)
	case "meta:composite":
		return v.compositeEnds(reply, iteration)
	}
	return false
}

// compositeEnds combines the conditions with and or or. A nested composite never ends the run.
func (v verdictRule) compositeEnds(reply string, iteration int) bool {
	for _, c := range v.Conditions {
		done := c.Type != "meta:composite" && c.ends(reply, iteration)
		if done == v.Any {
			return done
		}
	}
	return !v.Any && len(v.Conditions) > 0
}

// hasSignalObject reports whether the reply contains the expected signal object.
func (v verdictRule) hasSignalObject(reply string) bool {
	for _, b := range objects.Fenced(reply) {
		if o, ok := readObject(b.Text); ok && (b.Tag == v.Signal || v.hasSignal(o)) && v.holds(o) {
			return true
		}
	}
	if o, ok := readObject(reply); ok && v.hasSignal(o) && v.holds(o) {
		return true
	}
	for _, field := range []string{"signal", "type"} {
		last, _, _ := objects.LastWith(reply, field)
		if o, ok := readObject(last); ok && v.hasSignal(o) && v.holds(o) {
			return true
		}
	}
	return false
}

func (v verdictRule) hasSignal(o map[string]any) bool {
	return o["signal"] == v.Signal || o["type"] == v.Signal
}

// holds reports whether the required fields exist and have the required values.
func (v verdictRule) holds(o map[string]any) bool {
	for _, key := range v.Present {
		if _, ok := o[key]; !ok {
			return false
		}
	}
	for key, want := range v.Equal {
		if value, ok := o[key]; !ok || !equal(jsonText(value), want) {
			return false
		}
	}
	return true
}

// equal compares two JSON texts as values.
func equal(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return jsonText(x) == jsonText(y)
}

// Explain implements plan.Explainer: the field and its value, the intent, whether it is allowed,
// and what is handed off (spec §7).
func (g gateJudge) Explain(o plan.Outcome) []plan.Fact {
	if _, ok := o.Data[dataVia]; !ok && o.Result != plan.Errored {
		return nil
	}
	out := []plan.Fact{{Name: g.Field, Value: intentSource(o)}}
	if where, _ := o.Data[dataWhere].(string); where != "" {
		out[0].Value += ", " + where
	}
	if o.Intent != "" {
		out = append(out, plan.Fact{Name: "intent", Value: o.Intent + intentMethod(o)})
	}
	out = append(out, plan.Fact{Name: "allowed", Value: strings.Join(g.Allowed, ", ")})
	if o.Intent != "" && !slices.Contains(g.Allowed, o.Intent) && o.Intent != abort {
		out[len(out)-1].Value += ", not " + o.Intent
	}
	handed := objectAt(o.Data, dataHandoff)
	for _, key := range sortedKeys(handed) {
		out = append(out, plan.Fact{Name: "hands off " + key, Value: jsonText(handed[key])})
	}
	if target, ok := o.Data[dataTarget].(string); ok {
		out = append(out, plan.Fact{Name: g.Target, Value: jsonText(target)})
	}
	return out
}

// intentSource describes the value that the intent was read from.
func intentSource(o plan.Outcome) string {
	raw, found := o.Data[dataRaw]
	switch {
	case o.Data[dataOutput] == nil:
		return "not read: the reply contains no JSON object"
	case !found || raw == nil:
		return "missing, or null"
	}
	return jsonText(raw)
}

// intentMethod describes how the intent was found, "" if directly in the reply.
func intentMethod(o plan.Outcome) string {
	via, _ := o.Data[dataVia].(string)
	raw, _ := o.Data[dataRaw].(string)
	switch {
	case via == "fallback", via == "derived":
		return " (" + via + ")"
	case aliases[strings.ToLower(strings.TrimSpace(raw))] == o.Intent: // via may say what came of it
		return " (alias)"
	}
	return ""
}

// Explain implements plan.Explainer: the failure pattern and the extracted parameters (spec §10).
// The exit status is a check of the outcome.
func (v validatorJudge) Explain(o plan.Outcome) []plan.Fact {
	failed := slices.ContainsFunc(o.Checks, func(c plan.Check) bool { return c.Text == v.Name && c.Verdict == plan.Failed })
	if !failed {
		return nil
	}
	return v.patternFacts(o)
}

func (v validatorJudge) patternFacts(o plan.Outcome) []plan.Fact {
	out := []plan.Fact{{Name: "pattern", Value: v.Pattern}}
	values := params{values: objectAt(o.Data, dataParams)}
	for _, key := range sortedKeys(values.values) {
		out = append(out, plan.Fact{Name: key, Value: values.text(key)})
	}
	return out
}
