package registry

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// replyChoices lists the replies that a person can pick for a step.
type replyChoices struct {
	step          *step
	derivedTarget string   // where next leads without a rule; "": nowhere
	jumpTargets   []string // the steps that a jump can lead to
}

// Choices implements plan.ReplyChoiceSource. There is one choice per allowed intent, per value of a
// condition, and per target of a jump.
func (r replyChoices) Choices() []plan.ReplyChoice {
	s := r.step
	if s.gate == nil {
		return nil
	}
	var out []plan.ReplyChoice
	for _, intent := range s.gate.allowedIntents {
		u := s.findRule(intent)
		switch {
		case u != nil && u.conditionKey != "":
			out = append(out, s.conditionChoices(u)...)
			continue
		case intent == intentJump && s.gate.targetField != "":
			for _, id := range r.jumpTargets {
				out = append(out, s.newChoice("jump "+id, id, intent, s.gate.targetField, id))
			}
			if u == nil {
				continue
			}
		}
		out = append(out, s.newChoice(intent, r.intentTarget(intent, u), intent, "", ""))
	}
	return out
}

// intentTarget returns where an unconditional intent leads.
func (r replyChoices) intentTarget(intent string, u *rule) string {
	switch {
	case intent == intentClosing, intent == intentAbort, u != nil && u.hasNullTarget && intent != intentRepeat:
		return "end"
	case u != nil && u.targetID != "":
		return u.targetID
	case intent == intentRepeat:
		return r.step.id
	}
	return r.derivedTarget
}

// conditionChoices returns one choice for each target of a condition.
func (s *step) conditionChoices(u *rule) []plan.ReplyChoice {
	path := s.gate.handoffPathOfKey(u.conditionKey)
	var out []plan.ReplyChoice
	for _, b := range u.caseTargets {
		value, text := b.caseValue, b.caseValue
		if value == defaultTargetKey {
			value, text = u.unlistedValue(s.replySchema, path)
			text += " (" + defaultTargetKey + ")"
		}
		out = append(out, s.newChoice(u.intent+" "+u.conditionKey+"="+text, b.targetID, u.intent, path, value))
	}
	return out
}

// unlistedValue returns a value that has no target of its own, from the schema's enum if possible, and
// how a choice names the value.
func (r *rule) unlistedValue(schema jsonNode, path string) (value, text string) {
	written := func(value string) bool {
		return value == defaultTargetKey || slices.ContainsFunc(r.caseTargets, func(c caseTarget) bool { return c.caseValue == value })
	}
	for key := range strings.SplitSeq(path, ".") {
		properties, _ := asMembers(schema).get("properties")
		schema, _ = asMembers(properties).get(key)
	}
	listed, _ := asMembers(schema).get("enum")
	values, _ := listed.([]jsonNode)
	for _, v := range values {
		if text, ok := v.(string); ok && !written(text) {
			return text, text
		}
	}
	for value = "other"; written(value); {
		value = "any " + value
	}
	return value, "any other value"
}

// newChoice builds the smallest reply that the schema and the gate accept, with an intent and
// optionally a value at another path.
func (s *step) newChoice(name, to, intent, path, value string) plan.ReplyChoice {
	o := asMembers(sampleValue(s.replySchema))
	if _, has := o.get("stepId"); has {
		o = o.with("stepId", s.id)
	}
	for _, path := range s.gate.handoffPaths {
		o = addSamples(o, s.replySchema, path)
	}
	o = setAtPath(o, s.gate.intentField, intent)
	if path != "" {
		o = setAtPath(o, path, value)
	}
	return plan.ReplyChoice{Name: name, To: to, Reply: string(encodeNode(o))}
}

// setAtPath returns an object with a value at a dotted path. It replaces what is in the way.
func setAtPath(o jsonMembers, path string, value jsonNode) jsonMembers {
	key, rest, deeper := strings.Cut(path, ".")
	if deeper {
		below, _ := o.get(key)
		value = setAtPath(asMembers(below), rest, value)
	}
	return o.with(key, value)
}

// addSamples returns an object with a value at a dotted path: the one that is there, else a sample.
func addSamples(o jsonMembers, schema jsonNode, path string) jsonMembers {
	key, rest, deeper := strings.Cut(path, ".")
	properties, _ := asMembers(schema).get("properties")
	of, _ := asMembers(properties).get(key)
	value, has := o.get(key)
	if !has {
		value = sampleValue(of)
	}
	if deeper {
		value = addSamples(asMembers(value), of, rest)
	}
	return o.with(key, value)
}

// sampleValue returns a small value that the common keywords of a schema accept.
func sampleValue(schema jsonNode) jsonNode {
	o, ok := schema.(jsonMembers)
	if !ok {
		return nil
	}
	if v, has := o.get("const"); has {
		return v
	}
	if list, _ := o.get("enum"); list != nil {
		if values, ok := list.([]jsonNode); ok && len(values) > 0 {
			return values[0]
		}
	}
	kind, _ := o.get("type")
	if several, ok := kind.([]jsonNode); ok && len(several) > 0 {
		kind = several[0]
	}
	switch kind {
	case "string":
		return ""
	case "integer", "number":
		return 0
	case "boolean":
		return false
	case "array":
		return []jsonNode{}
	case "null":
		return nil
	}
	out := jsonMembers{}
	required, _ := o.get("required")
	names, _ := required.([]jsonNode)
	properties, _ := o.get("properties")
	for _, name := range names {
		key, _ := name.(string)
		p, _ := asMembers(properties).get(key)
		out = append(out, jsonMember{key, sampleValue(p)})
	}
	return out
}
