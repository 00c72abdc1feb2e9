package registry

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// gateJudge is the Judge of a structured gate (spec §7). It reads the intent of a reply.
type gateJudge struct {
	Step         string
	Field        string
	Allowed      []string
	Target       string // targetField
	Handoff      []string
	FailFast     bool
	Fallback     string
	FallbackLine int // of fallbackIntent
	Schema       []byte
	Kind         string
	Rules        map[string]ruleLookup // conditional rules, by intent
	Derived      bool                  // next has no rule and leads to the derived continuation
	Steps        []string              // the steps that a jump can lead to
	Sections     []string              // the sections, which it cannot
}

// ruleLookup is what a gate needs of a conditional rule.
type ruleLookup struct {
	Key     string
	Values  []string
	Default bool
}

// Describe implements plan.Describer.
func (g gateJudge) Describe() plan.Description { return plan.Description{Kind: "gate"} }

var aliases = map[string]string{
	"continue": next, "pass": next, "retry": repeat, "wait": repeat, "fail": repeat, "done": closing, "finished": closing,
}

// Judge implements plan.Judge.
func (g gateJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{Result: plan.Passed, Source: "gate", Text: p.Text, Data: map[string]any{}}}
	o, where, notes := parseReply(p.Text, g.Step, g.Schema)
	if v.Notes = notes; where == "" {
		return g.retryFormat(v, scope)
	}
	v.Data[dataOutput] = o
	if where != inWhole {
		v.Data[dataWhere] = where
	}
	v.Reason = replyReason(o)
	g.collectHandoff(&v, o)
	g.readIntent(&v, o)
	if v.Result == plan.Passed {
		g.resolveRoute(&v, o)
	}
	return v
}

// retryFormat handles a reply without a JSON object. The model is asked once more; a second such
// reply in a row counts as unresolved.
func (g gateJudge) retryFormat(v plan.Verdict, scope plan.Scope) plan.Verdict {
	v.Notes = append(v.Notes, note("no-output", "the reply contains no JSON object"))
	if hadFormatRetry(scope, g.Step) {
		v.Reading = &plan.Reading{Variable: g.Field, HasNoValue: true, NoObject: true}
		g.useFallback(&v, "gate-unresolved", "two replies in a row contained no JSON object")
		if v.Result == plan.Passed {
			g.resolveRoute(&v, nil)
		}
		return v
	}
	v.Result, v.Reason, v.Reading = plan.Failed, "the reply contains no JSON object", &plan.Reading{NoObject: true}
	v.Data[dataVia] = "format-retry"
	return v
}

// readIntent reads the intent from the reply's object.
func (g gateJudge) readIntent(v *plan.Verdict, o map[string]any) {
	raw, found := valueAt(o, g.Field)
	word, isText := raw.(string)
	text := g.Field + "=" + jsonText(raw)
	if !found {
		text = g.Field + " is missing"
	}
	v.Data[dataRaw] = raw
	v.Reading = &plan.Reading{Variable: g.Field, HasNoValue: !found}
	if found {
		v.Reading.Actual, v.Reading.IsJSON = asText(raw), !isText
	}
	word = strings.ToLower(strings.TrimSpace(word))
	intent, via := word, "intent"
	if alias, ok := aliases[word]; ok {
		intent, via = alias, "alias"
	}
	switch {
	case !isText || !slices.Contains(intents, intent):
		g.useFallback(v, "gate-unresolved", text+": that is not an intent")
	case intent != abort && !slices.Contains(g.Allowed, intent):
		g.useFallback(v, "intent-not-allowed", fmt.Sprintf("%s: the step does not allow %s", text, intent))
	default:
		v.Intent, v.Data[dataVia], v.Reading.Intent = intent, via, intent
		if via == "alias" {
			v.Reading.Alias = word
		}
	}
}

func jsonText(value any) string { return string(encode(value)) }

// useFallback rejects the reply or uses the fallback intent (spec §7, 4).
func (g gateJudge) useFallback(v *plan.Verdict, code, why string) {
	if g.FailFast {
		rejectReply(v, code, why)
		return
	}
	switch {
	case slices.Contains(g.Allowed, g.Fallback):
		v.Intent, v.Reading.FallbackLine = g.Fallback, g.FallbackLine
	case slices.Contains(g.Allowed, next):
		v.Intent = next
	default:
		v.Intent = g.Allowed[0]
	}
	v.Data[dataVia] = "fallback"
	v.Reading.Intent, v.Reading.Fallback = v.Intent, v.Intent
	fallback := note("gate-fallback", "%s: using %s instead", why, v.Intent)
	fallback.Line = v.Reading.FallbackLine
	v.Notes = append(v.Notes, fallback)
}

// collectHandoff stores the values to hand off (spec §7, 6).
func (g gateJudge) collectHandoff(v *plan.Verdict, o map[string]any) {
	out := map[string]any{}
	for _, path := range g.Handoff {
		value, ok := valueAt(o, path)
		if !ok {
			v.Notes = append(v.Notes, note("handoff-missing", "the reply has no %s to hand off", path))
			continue
		}
		out[lastPart(path)] = value
	}
	if len(out) > 0 {
		v.Data[dataHandoff] = out
	}
}

// resolveRoute stores what routes compare: the target of a jump, the value of a condition.
func (g gateJudge) resolveRoute(v *plan.Verdict, o map[string]any) {
	if !kindAllows(g.Kind, v.Intent) {
		rejectReply(v, "intent-not-allowed", fmt.Sprintf("%s is not an intent of a %s step", v.Intent, g.Kind))
		return
	}
	switch v.Intent {
	case abort:
		v.Result = plan.Failed
	case next:
		if g.Derived && v.Data[dataVia] == "intent" {
			v.Data[dataVia] = "derived"
		}
	case jump:
		if g.resolveJump(v, o) {
			return
		}
	}
	if u, ok := g.Rules[v.Intent]; ok {
		u.addValue(v)
	}
}

// resolveJump stores the step that the reply names, and reports whether it names one.
func (g gateJudge) resolveJump(v *plan.Verdict, o map[string]any) bool {
	named, _ := valueAt(o, g.Target)
	target, ok := named.(string)
	switch {
	case !ok || g.Target == "" || target == "":
		return false
	case slices.Contains(g.Steps, target):
		v.Data[dataTarget] = target
		return true
	}
	code, why := "unknown-target", fmt.Sprintf("there is no step %q to jump to", target)
	if slices.Contains(g.Sections, target) {
		code, why = "section-target", target+" is a section, which is never executed"
	}
	rejectReply(v, code, why)
	return true
}

// rejectReply marks a reply with which the run cannot continue.
func rejectReply(v *plan.Verdict, code, why string) {
	v.Result, v.Intent, v.Reason, v.Reading.RejectionCode = plan.Errored, "", why, code
	v.Notes = append(v.Notes, note(code, "%s", why))
}

// addValue stores the value that a conditional rule compares (spec §8).
func (u ruleLookup) addValue(v *plan.Verdict) {
	value := objectAt(v.Data, dataHandoff)[u.Key]
	v.Reading.Rule = &plan.Rule{Key: u.Key, Default: u.Default}
	if value == nil {
		return
	}
	text := asText(value)
	v.Data[dataValues] = map[string]any{u.Key: text}
	v.Reading.Rule.Value = jsonText(value)
	v.Reading.Rule.Default = u.Default && !slices.Contains(u.Values, text)
}

// asText returns a value as targets are compared with it: a string as it is, anything else as JSON.
func asText(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return jsonText(value)
}

// impliedJudge is the Judge of a step without a gate in a registry with gates.
type impliedJudge struct {
	Step, Intent string
	Schema       []byte
}

// Judge implements plan.Judge.
func (i impliedJudge) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{
		Result: plan.Passed, Source: "reply", Intent: i.Intent, Text: p.Text, Data: map[string]any{dataVia: "implied"},
		Reading: &plan.Reading{Implied: true, Intent: i.Intent},
	}}
	o, where, notes := parseReply(p.Text, i.Step, i.Schema)
	switch v.Notes = notes; {
	case where != "":
		v.Data[dataOutput], v.Reason = o, replyReason(o)
	case i.Schema != nil:
		v.Notes = append(v.Notes, note("no-structured-output", "the reply contains no JSON object, though the step has a schema"))
	}
	return v
}

// commandJudge is the Judge of a command that runs instead of a model call (spec §9).
type commandJudge struct {
	Repeats bool // a repeat transition handles failures
}

// Judge implements plan.Judge. A command that cannot be started is an error, which no transition
// handles.
func (r commandJudge) Judge(p plan.Product, _ plan.Scope) plan.Verdict {
	v := r.judged(p.Signal == "" && !p.TimedOut && p.ExitCode == 0, exitText(p), p.Stdout)
	if p.Signal == "" && !p.TimedOut && p.Err == "" {
		v.Reading.ExitCode, v.Reading.Ended = &p.ExitCode, ""
	}
	if p.Err != "" {
		v.Result, v.Intent, v.Reason, v.Reading.Intent = plan.Errored, "", p.Err, ""
	}
	return v
}

// Decide implements plan.Decider.
func (r commandJudge) Decide(pass bool, reason string, _ plan.Scope) plan.Verdict {
	v := r.judged(pass, "by hand", "")
	v.Reason = reason
	return v
}

func (r commandJudge) judged(passed bool, how, stdout string) plan.Verdict {
	v := plan.Verdict{Outcome: plan.Outcome{
		Result: plan.Passed, Intent: closing, Source: how, Text: stdout, Data: map[string]any{dataVia: "intent"},
	}}
	o := map[string]any{}
	if json.Unmarshal([]byte(stdout), &o) != nil || o == nil {
		o = map[string]any{"raw": stdout}
	}
	v.Data[dataOutput], v.Reason = o, replyReason(o)
	if !passed {
		v.Result, v.Intent, v.Reason = plan.Failed, "", cmp.Or(v.Reason, how)
		if r.Repeats {
			v.Intent = repeat
		}
	}
	v.Reading = &plan.Reading{Ended: how, Intent: v.Intent}
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
