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
	allowedIntents  []string
	intentField     string // dotted path
	intentSchemaRef string
	targetField     string   // dotted path
	handoffPaths    []string // dotted paths
	failFast        bool
	fallbackIntent  string
}

// gateDiagnosticCodes are the diagnostic codes for the fields of a gate.
var gateDiagnosticCodes = &climpt.DiagnosticCodes{Missing: "bad-gate", Type: "bad-type", Enum: "bad-enum"}

func (r *registry) readGate(s *step) *gateFields {
	o := s.Object("structuredGate").WithCodes(gateDiagnosticCodes)
	if o.Value == nil {
		return nil
	}
	o.Require("allowedIntents", "intentSchemaRef", "intentField")
	g := &gateFields{
		Fields: o, allowedIntents: o.Strings("allowedIntents"), intentField: o.String("intentField"), intentSchemaRef: o.String("intentSchemaRef"),
		targetField: o.String("targetField"), handoffPaths: o.Strings("handoffFields"), failFast: o.Bool("failFast", true),
		fallbackIntent: o.Enum("fallbackIntent", allIntents...),
	}
	o.Enum("targetMode", "explicit", "dynamic", "conditional")
	if v := o.Get("allowedIntents"); v.Is(climpt.Array) && len(v.Items()) == 0 {
		r.Error(v.Place(), "bad-gate", "allowedIntents is empty", "allow an intent")
	}
	if g.intentSchemaRef != "" && !strings.HasPrefix(g.intentSchemaRef, "#/") {
		r.Error(o.PlaceOf("intentSchemaRef"), "bad-gate", fmt.Sprintf("intentSchemaRef %q does not begin with #/", g.intentSchemaRef), "write a pointer that does")
	}
	r.checkGateIntents(s, g)
	r.warnHandoffCollisions(g)
	return g
}

// checkGateIntents reports intents that do not exist or that the kind of the step may not use, and a
// fallbackIntent without effect.
func (r *registry) checkGateIntents(s *step, g *gateFields) {
	for _, v := range g.Get("allowedIntents").Items() {
		switch intent := v.Text(); {
		case !v.Is(climpt.String):
		case !slices.Contains(allIntents, intent):
			r.Error(v.Place(), "bad-enum", fmt.Sprintf("%q is not an intent", intent), "use one of "+strings.Join(allIntents, ", "))
		case !kindAllowsIntent(s.kind, intent):
			r.reportIntentOfOtherKind(s, v.Place(), intent)
		}
	}
	if g.fallbackIntent == "" {
		return
	}
	if !kindAllowsIntent(s.kind, g.fallbackIntent) {
		r.reportIntentOfOtherKind(s, g.PlaceOf("fallbackIntent"), g.fallbackIntent)
	}
	if why := g.fallbackProblem(); why != "" {
		r.Info(g.PlaceOf("fallbackIntent"), "inert-fallback-intent", "fallbackIntent has no effect: "+why, "")
	}
}

// fallbackProblem returns why fallbackIntent has no effect, or "".
func (g *gateFields) fallbackProblem() string {
	switch {
	case g.failFast:
		return "failFast is true, which is the default"
	case !slices.Contains(g.allowedIntents, g.fallbackIntent):
		return "it is not in allowedIntents"
	}
	return ""
}

// warnHandoffCollisions warns of handoff fields that end in the same key.
func (r *registry) warnHandoffCollisions(g *gateFields) {
	seen := map[string]string{}
	for _, v := range g.Get("handoffFields").Items() {
		key := lastPathPart(v.Text())
		if first := seen[key]; first != "" {
			r.Warn(v.Place(), "handoff-collision", fmt.Sprintf("%s and %s are both handed off as %s: the one listed later counts", first, v.Text(), key), "")
		}
		seen[key] = v.Text()
	}
}

// lastPathPart returns the last segment of a dotted path.
func lastPathPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// handoffPathOfKey returns the path whose value is handed off under a key, or "".
func (g *gateFields) handoffPathOfKey(key string) string {
	if g == nil {
		return ""
	}
	for _, path := range slices.Backward(g.handoffPaths) {
		if lastPathPart(path) == key {
			return path
		}
	}
	return ""
}
