package registry

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

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
