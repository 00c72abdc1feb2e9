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

// ungated is the Judge of a step in a registry without gates: it says whether the run
// is done (spec §9).
type ungated struct {
	Step    string
	Schema  []byte
	Verdict verdict
}

// verdict is when a run is done, as data.
type verdict struct {
	Type       string
	Most       int // iterations, or checks
	Keyword    string
	Signal     string
	Present    []string
	Equal      map[string]string // as JSON
	Any        bool              // of composite: one condition is enough
	Conditions []verdict
}

// lowerVerdict is a verdict as a Judge has it.
func lowerVerdict(v climpt.Verdict, kind string) verdict {
	out := verdict{Type: kind, Most: v.MaxIterations, Keyword: v.Keyword, Signal: v.SignalType, Present: v.RequiredKeys, Any: v.Operator != "and", Equal: map[string]string{}}
	if kind == "count:check" {
		out.Most = v.MaxChecks
	}
	for _, m := range v.Required.Members() {
		out.Equal[m.Key()] = written(m.Any())
	}
	for _, c := range v.Conditions {
		out.Conditions = append(out.Conditions, lowerVerdict(c, c.Type))
	}
	return out
}

// Judge implements plan.Judge.
func (u ungated) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := implied{u.Step, "", u.Schema}.Judge(p, scope)
	iteration := view{values: &values{}, scope: scope}.iteration()
	done := u.Verdict.ends(p.Text, iteration)
	v.Intent, v.Data[dataVia], v.Data[dataDone] = "", "verdict", fmt.Sprint(done)
	v.Reading = &plan.Reading{Completion: u.Verdict.Type, Iteration: iteration, IsDone: done}
	return v
}

// ends reports whether a reply, or the number of replies, ends the run.
func (v verdict) ends(reply string, iteration int) bool {
	switch v.Type {
	case "count:iteration", "count:check":
		return iteration >= v.Most
	case "detect:keyword":
		return v.Keyword != "" && strings.Contains(reply, v.Keyword)
	case "detect:structured":
		return v.signalled(reply)
	case "meta:composite":
		return v.composed(reply, iteration)
	}
	return false
}

// composed is done when all of its conditions are, or one; a composite in it never is.
func (v verdict) composed(reply string, iteration int) bool {
	for _, c := range v.Conditions {
		done := c.Type != "meta:composite" && c.ends(reply, iteration)
		if done == v.Any {
			return done
		}
	}
	return !v.Any && len(v.Conditions) > 0
}

// signalled reports whether an object in the reply is the signal that is waited for.
func (v verdict) signalled(reply string) bool {
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

func (v verdict) hasSignal(o map[string]any) bool {
	return o["signal"] == v.Signal || o["type"] == v.Signal
}

// holds reports whether the required fields are there, and equal what they must.
func (v verdict) holds(o map[string]any) bool {
	for _, key := range v.Present {
		if _, ok := o[key]; !ok {
			return false
		}
	}
	for key, want := range v.Equal {
		if value, ok := o[key]; !ok || !equal(written(value), want) {
			return false
		}
	}
	return true
}

// equal compares two values that are written as JSON.
func equal(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return written(x) == written(y)
}

// Explain implements plan.Explained: the field and what it says, the intent that this
// is, whether it is allowed, and what goes along with it (spec §7).
func (g gate) Explain(o plan.Outcome) []plan.Fact {
	if _, ok := o.Data[dataVia]; !ok && o.Result != plan.Errored {
		return nil
	}
	out := []plan.Fact{{Name: g.Field, Value: intentSource(o)}}
	if where, _ := o.Data[dataWhere].(string); where != "" {
		out[0].Value += ", " + where
	}
	if o.Intent != "" {
		out = append(out, plan.Fact{Name: "intent", Value: o.Intent + how(o)})
	}
	out = append(out, plan.Fact{Name: "allowed", Value: strings.Join(g.Allowed, ", ")})
	if o.Intent != "" && !slices.Contains(g.Allowed, o.Intent) && o.Intent != abort {
		out[len(out)-1].Value += ", not " + o.Intent
	}
	handed := object(o.Data, dataHandoff)
	for _, key := range sortedKeys(handed) {
		out = append(out, plan.Fact{Name: "hands off " + key, Value: written(handed[key])})
	}
	if target, ok := o.Data[dataTarget].(string); ok {
		out = append(out, plan.Fact{Name: g.Target, Value: written(target)})
	}
	return out
}

// intentSource is the value that an intent was read from.
func intentSource(o plan.Outcome) string {
	raw, found := o.Data[dataRaw]
	switch {
	case o.Data[dataOutput] == nil:
		return "not read: the reply holds no JSON object"
	case !found || raw == nil:
		return "missing, or null"
	}
	return written(raw)
}

// how says by which way an intent was found, where it is not what the reply says.
func how(o plan.Outcome) string {
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

// Explain implements plan.Explained: which pattern was chosen for a command that failed,
// and what was extracted (spec §10). How it ended is a check of the outcome.
func (v validated) Explain(o plan.Outcome) []plan.Fact {
	failed := slices.ContainsFunc(o.Checks, func(c plan.Check) bool { return c.Text == v.Name && c.Verdict == plan.Failed })
	if !failed {
		return nil
	}
	return v.patternFacts(o)
}

// patternFacts are the pattern that a failure is answered with, and its parameters.
func (v validated) patternFacts(o plan.Outcome) []plan.Fact {
	out := []plan.Fact{{Name: "pattern", Value: v.Pattern}}
	values := params{values: object(o.Data, dataParams)}
	for _, key := range sortedKeys(values.values) {
		out = append(out, plan.Fact{Name: key, Value: values.text(key)})
	}
	return out
}
