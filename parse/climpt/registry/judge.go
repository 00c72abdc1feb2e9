package registry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// gateJudge is the Judge of a structured gate (spec §7). It reads the intent of a reply.
type gateJudge struct {
	StepID             string
	IntentField        string
	AllowedIntents     []string
	TargetField        string
	HandoffPaths       []string
	FailFast           bool
	FallbackIntent     string
	FallbackIntentLine int // its line; 0: there is none. engine/match ignores fields whose name ends in Line
	Schema             []byte
	StepKind           string
	Rules              map[string]conditionalRule // conditional rules, by intent
	HasDerivedNext     bool                       // next has no rule and leads to the derived continuation
	JumpTargets        []string                   // the steps that a jump can lead to
	SectionIDs         []string                   // the sections, to which no jump can lead
}

// conditionalRule is what a gate needs of a conditional rule.
type conditionalRule struct {
	Key        string   // a key of the handoff data
	Values     []string // the values that have a target
	HasDefault bool
}

// Describe implements plan.Describer.
func (g gateJudge) Describe() plan.JudgeDescription { return plan.JudgeDescription{Kind: "gate"} }

// intentByAlias are other words that a reply may use for an intent (spec §7, 3).
var intentByAlias = map[string]string{
	"continue": intentNext, "pass": intentNext, "retry": intentRepeat, "wait": intentRepeat, "fail": intentRepeat, "done": intentClosing, "finished": intentClosing,
}

// Judge implements plan.Judge.
func (g gateJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Source: "gate", Text: p.Text, Data: map[string]any{}}}
	o, where, warnings := parseReply(p.Text, g.StepID, g.Schema)
	if v.Warnings = warnings; where == "" {
		return g.handleMissingObject(v, scope)
	}
	v.Data[outcomeOutputKey] = o
	if where != asWholeReply {
		v.Data[outcomeObjectPlaceKey] = where
	}
	v.Reason = replyReason(o)
	g.storeHandoff(&v, o)
	g.readIntent(&v, o)
	if v.Result == plan.Passed {
		g.applyIntent(&v, o)
	}
	return v
}

// handleMissingObject handles a reply without a JSON object. The model is asked once more; a second such
// reply in a row counts as unresolved.
func (g gateJudge) handleMissingObject(v plan.Verdict, scope plan.Scope) plan.Verdict {
	v.Warnings = append(v.Warnings, newWarning("no-output", "the reply contains no JSON object"))
	if hadFormatRetry(scope, g.StepID) {
		v.Reading = &plan.Reading{Variable: g.IntentField, HasNoValue: true, HasNoObject: true}
		g.handleUnresolvedIntent(&v, "gate-unresolved", "two replies in a row contained no JSON object")
		if v.Result == plan.Passed {
			g.applyIntent(&v, nil)
		}
		return v
	}
	v.Result, v.Reason, v.Reading = plan.Failed, "the reply contains no JSON object", &plan.Reading{HasNoObject: true}
	v.Data[outcomeIntentOriginKey] = "format-retry"
	return v
}

// readIntent reads the intent from the reply's object, and handles an unresolved one.
func (g gateJudge) readIntent(v *plan.Verdict, o map[string]any) {
	raw, found := valueAtPath(o, g.IntentField)
	word, isText := raw.(string)
	text := g.IntentField + "=" + jsonText(raw)
	problem := text + " is not an intent"
	if !found {
		problem = g.IntentField + " is missing"
	}
	v.Data[outcomeRawIntentKey] = raw
	v.Reading = &plan.Reading{Variable: g.IntentField, HasNoValue: !found}
	if found {
		v.Reading.Actual, v.Reading.IsJSON = comparableText(raw), !isText
	}
	word = strings.ToLower(strings.TrimSpace(word))
	intent, via := word, "intent"
	if alias, ok := intentByAlias[word]; ok {
		intent, via = alias, "alias"
	}
	switch {
	case !isText || !slices.Contains(allIntents, intent):
		g.handleUnresolvedIntent(v, "gate-unresolved", problem)
	case intent != intentAbort && !slices.Contains(g.AllowedIntents, intent):
		g.handleUnresolvedIntent(v, "intent-not-allowed", fmt.Sprintf("%s: the step does not allow the intent %q", text, intent))
	default:
		v.Intent, v.Data[outcomeIntentOriginKey], v.Reading.Intent = intent, via, intent
		if via == "alias" {
			v.Reading.IntentAlias = word
		}
	}
}

// handleUnresolvedIntent handles an unresolved intent: with failFast it rejects the reply, otherwise it uses the
// fallback intent (spec §7, 4).
func (g gateJudge) handleUnresolvedIntent(v *plan.Verdict, code, why string) {
	if g.FailFast {
		rejectReply(v, code, why)
		return
	}
	switch {
	case slices.Contains(g.AllowedIntents, g.FallbackIntent):
		v.Intent, v.Reading.FallbackIntentLine = g.FallbackIntent, g.FallbackIntentLine
	case slices.Contains(g.AllowedIntents, intentNext):
		v.Intent = intentNext
	default:
		v.Intent = g.AllowedIntents[0]
	}
	v.Data[outcomeIntentOriginKey] = "fallback"
	v.Reading.Intent, v.Reading.FallbackIntent = v.Intent, v.Intent
	source := fmt.Sprintf("the intent %q", v.Intent)
	if line := v.Reading.FallbackIntentLine; line > 0 {
		source = fmt.Sprintf("the fallbackIntent %q (line %d)", v.Intent, line)
	}
	v.Warnings = append(v.Warnings, plan.RunWarning{
		Code: fallbackCode, Message: fmt.Sprintf("%s; %s is used instead", why, source), Line: v.Reading.FallbackIntentLine,
	})
}

// fallbackCode is the code of the warning that the fallback intent was used.
const fallbackCode = climpt.CodePrefix + "gate-fallback"

// storeHandoff stores the values to hand off (spec §7, 6).
func (g gateJudge) storeHandoff(v *plan.Verdict, o map[string]any) {
	out := map[string]any{}
	for _, path := range g.HandoffPaths {
		value, ok := valueAtPath(o, path)
		if !ok {
			v.Warnings = append(v.Warnings, newWarning("handoff-missing", "the reply has no %s to hand off", path))
			continue
		}
		out[lastPathPart(path)] = value
	}
	if len(out) > 0 {
		v.Data[outcomeHandoffKey] = out
	}
}

// applyIntent stores what routes compare: the target of a jump, the value of a condition. It rejects
// an intent that the kind of the step may not use.
func (g gateJudge) applyIntent(v *plan.Verdict, o map[string]any) {
	if !kindAllowsIntent(g.StepKind, v.Intent) {
		rejectReply(v, "intent-not-allowed", fmt.Sprintf("%q is not an intent of a %s step", v.Intent, g.StepKind))
		return
	}
	switch v.Intent {
	case intentAbort:
		v.Result = plan.Failed
	case intentNext:
		if g.HasDerivedNext && v.Data[outcomeIntentOriginKey] == "intent" {
			v.Data[outcomeIntentOriginKey] = "derived"
		}
	case intentJump:
		if g.resolveJump(v, o) {
			return
		}
	}
	if u, ok := g.Rules[v.Intent]; ok {
		u.storeConditionValue(v)
		if path := g.handoffPathIn(o, u.Key); path != u.Key {
			v.Reading.TargetSelector.Path = path
		}
	}
}

// handoffPathIn returns the path whose value in a reply is handed off under a key, or "".
func (g gateJudge) handoffPathIn(o map[string]any, key string) string {
	for _, path := range slices.Backward(g.HandoffPaths) {
		if _, found := valueAtPath(o, path); found && lastPathPart(path) == key {
			return path
		}
	}
	return ""
}

// resolveJump stores the step that the reply names as the target, or rejects the reply if a run cannot
// jump there. It returns false if the reply names none.
func (g gateJudge) resolveJump(v *plan.Verdict, o map[string]any) bool {
	named, _ := valueAtPath(o, g.TargetField)
	target, ok := named.(string)
	switch {
	case !ok || g.TargetField == "" || target == "":
		return false
	case slices.Contains(g.JumpTargets, target):
		v.Data[outcomeTargetKey] = target
		return true
	}
	code, why := "unknown-target", fmt.Sprintf("there is no step %q to jump to", target)
	if slices.Contains(g.SectionIDs, target) {
		code, why = "section-target", target+" is a section, which is never executed"
	}
	rejectReply(v, code, why)
	return true
}

// rejectReply makes the outcome an error, because the run cannot continue with the reply.
func rejectReply(v *plan.Verdict, code, why string) {
	v.Result, v.Intent, v.Reason, v.Reading.RejectionCode = plan.Errored, "", why, code
	v.Warnings = append(v.Warnings, newWarning(code, "%s", why))
}

// storeConditionValue stores the value that a conditional rule compares (spec §8).
func (c conditionalRule) storeConditionValue(v *plan.Verdict) {
	value := objectAt(v.Data, outcomeHandoffKey)[c.Key]
	v.Reading.TargetSelector = &plan.TargetSelector{Key: c.Key, IsDefault: c.HasDefault}
	if value == nil {
		return
	}
	text := comparableText(value)
	v.Data[outcomeConditionValuesKey] = map[string]any{c.Key: text}
	v.Reading.TargetSelector.Value = jsonText(value)
	v.Reading.TargetSelector.IsDefault = c.HasDefault && !slices.Contains(c.Values, text)
}

// comparableText returns a value as targets are compared with it: a string as it is, anything else as JSON.
func comparableText(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return jsonText(value)
}

// Explain implements plan.Explainer: the field and its value, the intent, whether it is allowed, what is handed off,
// and the target (spec §7).
func (g gateJudge) Explain(o plan.Outcome) []plan.Fact {
	if _, ok := o.Data[outcomeIntentOriginKey]; !ok && o.Result != plan.Errored {
		return nil
	}
	out := []plan.Fact{{Name: g.IntentField, Value: rawIntentText(o)}}
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
	for _, key := range slices.Sorted(maps.Keys(handoff)) {
		text := jsonText(handoff[key])
		if path := g.handoffPathIn(objectAt(o.Data, outcomeOutputKey), key); path != "" && path != key {
			text += " (" + path + ")"
		}
		out = append(out, plan.Fact{Name: "handoff: " + key, Value: text})
	}
	if target, ok := o.Data[outcomeTargetKey].(string); ok {
		out = append(out, plan.Fact{Name: g.TargetField, Value: jsonText(target)})
	}
	return out
}

// rawIntentText describes the value that the intent was read from.
func rawIntentText(o plan.Outcome) string {
	raw, found := o.Data[outcomeRawIntentKey]
	switch {
	case o.Data[outcomeOutputKey] == nil:
		return "not read: there is no reply with a JSON object"
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

// ungatedJudge is the Judge of a step without a gate in a registry with gates: any reply has the implied
// intent.
type ungatedJudge struct {
	StepID, Intent string
	Schema         []byte
}

// Judge implements plan.Judge.
func (u ungatedJudge) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{
		Result: plan.Passed, Source: "reply", Intent: u.Intent, Text: p.Text, Data: map[string]any{outcomeIntentOriginKey: "implied"},
		Reading: &plan.Reading{IsIntentImplied: true, Intent: u.Intent},
	}}
	o, where, warnings := parseReply(p.Text, u.StepID, u.Schema)
	switch v.Warnings = warnings; {
	case where != "":
		v.Data[outcomeOutputKey], v.Reason = o, replyReason(o)
	case u.Schema != nil:
		v.Warnings = append(v.Warnings, newWarning("no-structured-output", "the reply contains no JSON object, though the step has a schema"))
	}
	return v
}

// subprocessJudge is the Judge of a command that runs instead of a model call (spec §9).
type subprocessJudge struct {
	HasRepeatRule bool // a repeat transition handles failures
}

// Judge implements plan.Judge. If the command cannot be started, that is an error, which no
// transition handles.
func (c subprocessJudge) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := c.newVerdict(p.Signal == "" && !p.TimedOut && p.ExitCode == 0, exitText(p), p.Stdout)
	if p.Signal == "" && !p.TimedOut && p.Err == "" {
		v.Reading.ExitCode, v.Reading.AbnormalEnd = &p.ExitCode, ""
	}
	if p.Err != "" {
		v.Result, v.Intent, v.Reason, v.Reading.Intent = plan.Errored, "", p.Err, ""
	}
	return v
}

// Decide returns the verdict for a person's pass or fail.
func (c subprocessJudge) Decide(pass bool, note string, _ plan.Scope) plan.Verdict {
	v := c.newVerdict(pass, "manually", "")
	v.Reason = note
	return v
}

func (c subprocessJudge) newVerdict(passed bool, how, stdout string) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{
		Result: plan.Passed, Intent: intentClosing, Source: how, Text: stdout, Data: map[string]any{outcomeIntentOriginKey: "intent"},
	}}
	o := map[string]any{}
	if json.Unmarshal([]byte(stdout), &o) != nil || o == nil {
		o = map[string]any{"raw": stdout}
	}
	v.Data[outcomeOutputKey], v.Reason = o, replyReason(o)
	if !passed {
		v.Result, v.Intent, v.Reason = plan.Failed, "", cmp.Or(v.Reason, how)
		if c.HasRepeatRule {
			v.Intent = intentRepeat
		}
	}
	v.Reading = &plan.Reading{AbnormalEnd: how, Intent: v.Intent}
	return v
}

func exitText(p plan.Product) string {
	switch {
	case p.Err != "":
		return "not started"
	case p.TimedOut:
		return "timeout"
	case p.Signal != "":
		return "signal " + p.Signal
	}
	return fmt.Sprintf("exit %d", p.ExitCode)
}
