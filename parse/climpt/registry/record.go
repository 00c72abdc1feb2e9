package registry

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// The keys of what a gate leaves in its outcome's data.
const (
	dataOutput     = "output"     // the object in the reply
	dataWhere      = "read"       // where in the reply it stands, unless it is all of it
	dataHandoff    = "handoff"    // what is handed off, by key
	dataTarget     = "target"     // of a jump
	dataValues     = "values"     // by condition key: the text that the targets of a rule are looked up with
	dataRaw        = "raw"        // the intent as the reply has it
	dataVia        = "via"        // how the next step was found
	dataValidators = "validators" // the runs of validators
	dataParams     = "params"     // what was extracted from the output of the one that failed
	dataFailure    = "failure"    // what kind of validation failed: schema or validator
	dataSkipped    = "skipped"    // "true": a validation that failed is passed over
	dataDone       = "done"       // "true": the verdict is that the run is done
)

// previous is the last execution of a step.
func previous(scope plan.Scope) (plan.Record, bool) {
	all := plan.History(scope)
	if len(all) == 0 {
		return plan.Record{}, false
	}
	return all[len(all)-1], true
}

// recordOf is what a step put out last: its object, with what it hands off over it
// (spec §7).
func recordOf(scope plan.Scope, step string) map[string]any {
	out := map[string]any{}
	for _, r := range slices.Backward(plan.History(scope)) {
		if o := object(r.Outcome.Data, dataOutput); o != nil && r.Step != nil && r.Step.ID == step {
			maps.Copy(out, o)
			maps.Copy(out, object(r.Outcome.Data, dataHandoff))
			break
		}
	}
	return out
}

// object is a value that is an object; nil for any other.
func object(data map[string]any, key string) map[string]any {
	o, _ := data[key].(map[string]any)
	return o
}

// summaryLength is how much of a reply stands for a summary, in characters.
const summaryLength = 2000

// summary says in a few lines what an iteration of a step came to (spec §5).
func summary(step string, o plan.Outcome) string {
	var lines []string
	if o.Reason != "" {
		lines = append(lines, step+": "+o.Reason)
	}
	data := object(o.Data, dataHandoff)
	for _, key := range slices.Sorted(maps.Keys(data)) {
		lines = append(lines, key+": "+plan.TextOf(data[key]))
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	reply := []rune(o.Text)
	return string(reply[:min(len(reply), summaryLength)])
}
