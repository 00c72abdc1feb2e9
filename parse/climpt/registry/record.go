package registry

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// The keys that judges store in an outcome's data.
const (
	outcomeOutputKey          = "output"     // the object in the reply
	outcomeObjectPlaceKey     = "read"       // where in the reply the object stands, unless it is the whole reply
	outcomeHandoffKey         = "handoff"    // the values handed off, by key
	outcomeTargetKey          = "target"     // the target of a jump
	outcomeConditionValuesKey = "values"     // the value that a conditional rule compares, by the rule's key
	outcomeRawIntentKey       = "raw"        // the intent as the reply has it
	outcomeIntentOriginKey    = "via"        // how the intent was found
	outcomeValidatorsKey      = "validators" // the runs of validators
	outcomeParamsKey          = "params"     // what was extracted from the failed validator's output
	outcomeFailurePatternKey  = "pattern"    // the failure pattern of the failed validator
	outcomeErrorTextKey       = "error"      // what the failed validator printed: stderr, or else stdout
	outcomeFailedPartKey      = "failure"    // what failed: "schema" or "validator"
	outcomeFailureIgnoredKey  = "skipped"    // "true" if a failed validation was skipped
	outcomeDoneKey            = "done"       // "true" if the verdict is that the run is done
)

// lastFinishedAttempt returns the last attempt of the run that has ended, and false if there is none.
func lastFinishedAttempt(scope plan.Scope) (plan.FinishedAttempt, bool) {
	all := plan.History(scope)
	if len(all) == 0 {
		return plan.FinishedAttempt{}, false
	}
	return all[len(all)-1], true
}

// lastOutputOfStep returns the last output object of a step, overlaid with what it handed off (spec §7,
// 8). It is empty if there is none.
func lastOutputOfStep(scope plan.Scope, step string) map[string]any {
	out := map[string]any{}
	for _, r := range slices.Backward(plan.History(scope)) {
		if o := objectAt(r.Outcome.Data, outcomeOutputKey); o != nil && r.Step != nil && r.Step.ID == step {
			maps.Copy(out, o)
			maps.Copy(out, objectAt(r.Outcome.Data, outcomeHandoffKey))
			break
		}
	}
	return out
}

// objectAt returns the value of a key if it is an object, else nil.
func objectAt(data map[string]any, key string) map[string]any {
	o, _ := data[key].(map[string]any)
	return o
}

// maxSummaryLength limits a summary that is taken from a reply, in characters.
const maxSummaryLength = 2000

// iterationSummary describes the outcome of a visit to a step (spec §5): its reason and what it handed
// off, or else the beginning of its reply.
func iterationSummary(step string, o plan.Outcome) string {
	var lines []string
	if o.Reason != "" {
		lines = append(lines, step+": "+o.Reason)
	}
	data := objectAt(o.Data, outcomeHandoffKey)
	for _, key := range slices.Sorted(maps.Keys(data)) {
		lines = append(lines, key+": "+plan.ValueText(data[key]))
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	reply := []rune(o.Text)
	return string(reply[:min(len(reply), maxSummaryLength)])
}
