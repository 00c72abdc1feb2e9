package registry

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// replyChoices lists the replies that a person can pick for a step.
type replyChoices struct {
	step    *step
	derived string   // where next leads without a rule; "": nowhere
	ids     []string // the steps that a jump can lead to
}

// Choices implements plan.ReplyChoices. There is one choice per allowed intent, per value of a
// condition, and per target of a jump.
func (o replyChoices) Choices() []plan.Choice {
	s := o.step
	if s.gate == nil {
		return nil
	}
	var out []plan.Choice
	for _, intent := range s.gate.allowed {
		u := s.rule(intent)
		switch {
		case u != nil && u.condition != "":
			out = append(out, s.conditionChoices(u)...)
			continue
		case intent == jump && s.gate.target != "":
			for _, id := range o.ids {
				out = append(out, s.choice("jump "+id, id, intent, s.gate.target, id))
			}
			if u == nil {
				continue
			}
		}
		out = append(out, s.choice(intent, o.targetOf(intent, u), intent, "", ""))
	}
	return out
}

// targetOf returns where an unconditional intent leads.
func (o replyChoices) targetOf(intent string, u *rule) string {
	switch {
	case intent == closing, intent == abort, u != nil && u.isNull && intent != repeat:
		return "end"
	case u != nil && u.target != "":
		return u.target
	case intent == repeat:
		return o.step.id
	}
	return o.derived
}

// conditionChoices returns one choice for each target of a condition.
func (s *step) conditionChoices(u *rule) []plan.Choice {
	path := s.gate.handoffPath(u.condition)
	var out []plan.Choice
	for _, b := range u.branches {
		value := b.value
		if value == defaultCase {
			value = u.unlistedValue(s.schema, path)
		}
		out = append(out, s.choice(u.intent+" "+u.condition+"="+b.value, b.target, u.intent, path, value))
	}
	return out
}

// unlistedValue returns a value without a target of its own, from the schema's enum if possible.
func (u *rule) unlistedValue(schema node, path string) string {
	written := func(value string) bool {
		return value == defaultCase || slices.ContainsFunc(u.branches, func(c branch) bool { return c.value == value })
	}
	for key := range strings.SplitSeq(path, ".") {
		properties, _ := asMembers(schema).get("properties")
		schema, _ = asMembers(properties).get(key)
	}
	listed, _ := asMembers(schema).get("enum")
	values, _ := listed.([]node)
	for _, v := range values {
		if text, ok := v.(string); ok && !written(text) {
			return text
		}
	}
	value := "other " + defaultCase
	for written(value) {
		value = "other " + value
	}
	return value
}

// choice builds the smallest reply that the schema and the gate accept, with an intent and
// optionally a value at another path.
func (s *step) choice(name, to, intent, path, value string) plan.Choice {
	o := asMembers(sample(s.schema))
	if _, has := o.get("stepId"); has {
		o = o.with("stepId", s.id)
	}
	for _, path := range s.gate.handoff {
		o = fillIn(o, s.schema, path)
	}
	o = setPath(o, s.gate.field, intent)
	if path != "" {
		o = setPath(o, path, value)
	}
	return plan.Choice{Name: name, To: to, Reply: string(encode(o))}
}

// setPath sets the value at a dotted path.
func setPath(o members, path string, value node) members {
	key, rest, deeper := strings.Cut(path, ".")
	if deeper {
		below, _ := o.get(key)
		value = setPath(asMembers(below), rest, value)
	}
	return o.with(key, value)
}

// fillIn adds samples where a dotted path has no value.
func fillIn(o members, schema node, path string) members {
	key, rest, deeper := strings.Cut(path, ".")
	properties, _ := asMembers(schema).get("properties")
	of, _ := asMembers(properties).get(key)
	value, has := o.get(key)
	if !has {
		value = sample(of)
	}
	if deeper {
		value = fillIn(asMembers(value), of, rest)
	}
	return o.with(key, value)
}

func asMembers(n node) members {
	o, _ := n.(members)
	return o
}

// sample returns a small value that the common keywords of a schema accept.
func sample(schema node) node {
	o, ok := schema.(members)
	if !ok {
		return nil
	}
	if v, has := o.get("const"); has {
		return v
	}
	if list, _ := o.get("enum"); list != nil {
		if values, ok := list.([]node); ok && len(values) > 0 {
			return values[0]
		}
	}
	kind, _ := o.get("type")
	if several, ok := kind.([]node); ok && len(several) > 0 {
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
		return []node{}
	case "null":
		return nil
	}
	out := members{}
	required, _ := o.get("required")
	names, _ := required.([]node)
	properties, _ := o.get("properties")
	for _, name := range names {
		key, _ := name.(string)
		p, _ := asMembers(properties).get(key)
		out = append(out, member{key, sample(p)})
	}
	return out
}
