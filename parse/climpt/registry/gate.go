package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// gateFields is a structuredGate as written (spec §3).
type gateFields struct {
	climpt.Fields
	allowed   []string
	field     string   // intentField
	schemaRef string   // intentSchemaRef
	target    string   // targetField
	handoff   []string // dotted paths
	failFast  bool
	fallback  string
}

// gateCodes are the diagnostic codes for the fields of a gate.
var gateCodes = &climpt.Codes{Missing: "bad-gate", Type: "bad-type", Enum: "bad-enum"}

func (r *registry) gate(s *step) *gateFields {
	o := s.Object("structuredGate").With(gateCodes)
	if o.Value == nil {
		return nil
	}
	o.Require("allowedIntents", "intentSchemaRef", "intentField")
	g := &gateFields{
		Fields: o, allowed: o.Strings("allowedIntents"), field: o.String("intentField"), schemaRef: o.String("intentSchemaRef"),
		target: o.String("targetField"), handoff: o.Strings("handoffFields"), failFast: o.Bool("failFast", true),
		fallback: o.Enum("fallbackIntent", intents...),
	}
	o.Enum("targetMode", "explicit", "dynamic", "conditional")
	if v := o.Get("allowedIntents"); v.Is(climpt.Array) && len(v.Items()) == 0 {
		r.Error(v.Place(), "bad-gate", "allowedIntents is empty", "allow an intent")
	}
	if g.schemaRef != "" && !strings.HasPrefix(g.schemaRef, "#/") {
		r.Error(o.At("intentSchemaRef"), "bad-gate", fmt.Sprintf("intentSchemaRef is %q", g.schemaRef), "write a pointer that begins #/")
	}
	r.checkGateIntents(s, g)
	r.checkHandoffKeys(g)
	return g
}

// checkGateIntents checks that the intents exist and suit the kind of the step.
func (r *registry) checkGateIntents(s *step, g *gateFields) {
	for _, v := range g.Get("allowedIntents").Items() {
		switch intent := v.Text(); {
		case !v.Is(climpt.String):
		case !slices.Contains(intents, intent):
			r.Error(v.Place(), "bad-enum", fmt.Sprintf("%q is not an intent", intent), "use one of "+strings.Join(intents, ", "))
		case !kindAllows(s.kind, intent):
			r.reportIntentKind(s, v.Place(), intent)
		}
	}
	if g.fallback == "" {
		return
	}
	if !kindAllows(s.kind, g.fallback) {
		r.reportIntentKind(s, g.At("fallbackIntent"), g.fallback)
	}
	if why := g.fallbackProblem(); why != "" {
		r.Info(g.At("fallbackIntent"), "inert-fallback-intent", "fallbackIntent has no effect: "+why, "")
	}
}

// fallbackProblem returns why fallbackIntent has no effect, "" if it has one.
func (g *gateFields) fallbackProblem() string {
	switch {
	case g.failFast:
		return "failFast is true"
	case !slices.Contains(g.allowed, g.fallback):
		return "the intent is not allowed"
	}
	return ""
}

// checkHandoffKeys warns of handoff fields that end in the same key.
func (r *registry) checkHandoffKeys(g *gateFields) {
	seen := map[string]string{}
	for _, v := range g.Get("handoffFields").Items() {
		key := lastPart(v.Text())
		if first := seen[key]; first != "" {
			r.Warn(v.Place(), "handoff-collision", fmt.Sprintf("%s and %s are both handed off as %s: the later one counts", first, v.Text(), key), "")
		}
		seen[key] = v.Text()
	}
}

// lastPart returns the last segment of a dotted path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// handoffPath returns the path whose value is handed off under a key, or "".
func (g *gateFields) handoffPath(key string) string {
	if g == nil {
		return ""
	}
	for _, path := range slices.Backward(g.handoff) {
		if lastPart(path) == key {
			return path
		}
	}
	return ""
}
