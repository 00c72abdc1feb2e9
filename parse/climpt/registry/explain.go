package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Explain implements plan.Explained: the field and what it says, the intent that this
// is, whether it is allowed, and what goes along with it (spec §7).
func (g gate) Explain(o plan.Outcome) []plan.Fact {
	if _, read := o.Data[dataVia]; !read && o.Result != plan.Errored {
		return nil
	}
	out := []plan.Fact{{Name: g.Field, Value: said(o)}}
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

// said is the value that an intent was read from.
func said(o plan.Outcome) string {
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

// Explain implements plan.Explained: how the command ended, and of one that failed which
// pattern was chosen and what was extracted (spec §10).
func (v validated) Explain(o plan.Outcome) []plan.Fact {
	runs, _ := o.Data[dataValidators].([]any)
	for _, r := range runs {
		run, _ := r.(map[string]any)
		switch {
		case run["validator"] != v.Name:
		case run["passed"] == true:
			return []plan.Fact{{Name: v.Name, Value: fmt.Sprintf("passed, %v", run["ended"])}}
		default:
			return append([]plan.Fact{{Name: v.Name, Value: fmt.Sprintf("failed, %v", run["ended"])}}, v.chosen(o)...)
		}
	}
	return nil
}

// chosen is what a failure is answered with.
func (v validated) chosen(o plan.Outcome) []plan.Fact {
	out := []plan.Fact{{Name: "pattern", Value: v.Pattern}}
	values := params{values: object(o.Data, dataParams)}
	for _, key := range sortedKeys(values.values) {
		out = append(out, plan.Fact{Name: key, Value: values.text(key)})
	}
	return out
}
