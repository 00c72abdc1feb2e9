package registry

import (
	"fmt"
	"slices"

	"playhead/parse/climpt"
)

// model is the name of the model that a step asks for, and where it stands; empty: a
// flag says which (spec §9).
func (r *registry) model(s *step) (name string, at climpt.Place) {
	switch {
	case r.Options.Has("model"):
		return "", at
	case s.model != "":
		return s.model, s.At("model")
	case r.Agent != nil && r.Agent.DefaultModel != "":
		return r.Agent.DefaultModel, r.Agent.Object("runner").Object("flow").At("defaultModel")
	}
	return "opus", r.Registry.Place()
}

// checkModels finds models that the configuration does not have, each once.
func (r *registry) checkModels() {
	if r.Aliases == nil {
		return
	}
	var told []string
	for _, s := range r.steps {
		name, at := r.model(s)
		if name == "" || s.section || s.command != nil || slices.Contains(r.Aliases.Names, name) || slices.Contains(told, name) {
			continue
		}
		told = append(told, name)
		message, suggestion := fmt.Sprintf("the configuration has no model %s", name), "add it to models, or use --model NAME"
		if r.Aliases.Usual {
			r.Warn(at, "model-unmapped", message+": the usual one is asked", suggestion)
			continue
		}
		r.Error(at, "model-unmapped", message+", and no usual one", suggestion)
	}
}
