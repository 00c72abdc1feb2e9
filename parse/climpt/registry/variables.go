package registry

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// checkVariables compares the variables that prompts use with those declared and supplied (spec
// §5, §12).
func (r *registry) checkVariables() {
	for _, s := range r.steps {
		r.checkDeclaredVariables(s)
		r.checkInputSources(s)
		r.warnUnsetInFirstIteration(s)
		r.compareWithContinuation(s)
		if r.Agent != nil && !s.isSection {
			r.reportUnsuppliedVariables(s)
		}
	}
}

// checkDeclaredVariables compares the variables that a step declares with those in its prompt file, and
// with the front matter of that file.
func (r *registry) checkDeclaredVariables(s *step) {
	if s.promptFile.ChosenPath == "" || s.promptFile.Problem != "" {
		return
	}
	uses := s.promptText.variables()
	for _, name := range uses {
		if !slices.Contains(s.declaredVariables, name) && !r.isVariableSupplied(s, name) {
			r.Warn(s.PlaceOf("uvVariables"), "uv-undeclared", fmt.Sprintf("%s uses {uv-%s}, which is not in uvVariables", s.promptFile.ChosenPath, name), "declare it")
		}
	}
	for _, name := range s.declaredVariables {
		if !slices.Contains(uses, name) {
			r.Warn(s.PlaceOf("uvVariables"), "uv-unused", fmt.Sprintf("the variable %s is declared, but %s does not use it", name, s.promptFile.ChosenPath), "remove it, or use {uv-"+name+"} in the prompt file")
		}
	}
	if f := s.promptFile.FrontMatter; f.HasVariables {
		var front []string
		for _, name := range f.Variables {
			front = append(front, strings.TrimPrefix(name, "uv-"))
		}
		if !equalSets(front, s.declaredVariables) {
			r.Warn(s.PlaceOf("uvVariables"), "front-matter", fmt.Sprintf("the uvVariables differ: %s in the front matter of %s, but %s in the registry", listOrNone(front), s.promptFile.ChosenPath, listOrNone(s.declaredVariables)), "make the two lists the same; Playhead uses the registry's")
		}
	}
}

func equalSets(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// isVariableSupplied reports whether the run itself or an input of the step supplies a variable.
func (r *registry) isVariableSupplied(s *step, name string) bool {
	return slices.Contains(runtimeVariables, name) || slices.ContainsFunc(s.inputs, func(in stepInput) bool { return in.variableName == name })
}

// reportUnsuppliedVariables warns of declared variables that nothing supplies.
func (r *registry) reportUnsuppliedVariables(s *step) {
	for _, name := range s.declaredVariables {
		if r.isVariableSupplied(s, name) || r.hasInputFlag(name) {
			continue
		}
		i := slices.IndexFunc(r.Agent.Parameters, func(p climpt.Parameter) bool { return p.Name == name })
		switch {
		case i < 0:
			r.Warn(s.PlaceOf("uvVariables"), "uv-unsupplied", fmt.Sprintf("nothing supplies the variable %s", name), "declare it as a parameter in agent.json, pass --input NAME=value, or enter its value when Playhead asks for the inputs")
		case !r.Agent.Parameters[i].Required && r.Agent.Parameters[i].Default == nil:
			r.Warn(s.PlaceOf("uvVariables"), "uv-optional", fmt.Sprintf("%s is an optional parameter without a default: if it has no value, the prompt file of %s cannot be used", name, s.id), "give it a default, or make it required")
		}
	}
}

// warnUnsetInFirstIteration warns of variables that an initial step declares but that have no value yet.
func (r *registry) warnUnsetInFirstIteration(s *step) {
	if !strings.HasPrefix(s.id, "initial.") {
		return
	}
	for _, name := range unsetInFirstIteration {
		if slices.Contains(s.declaredVariables, name) {
			r.Warn(s.PlaceOf("uvVariables"), "uv-initial", name+" has no value in the first iteration", "do not declare it on an initial step")
		}
	}
}

// unsetInFirstIteration are the variables that come from the iteration before.
var unsetInFirstIteration = []string{"completed_iterations", "previous_summary"}

func (r *registry) hasInputFlag(name string) bool {
	return slices.ContainsFunc(r.Options.NameValues("input"), func(v climpt.NameValue) bool { return v.Name == name })
}

// checkInputSources warns of required inputs whose source step cannot supply them.
func (r *registry) checkInputSources(s *step) {
	for _, in := range s.inputs {
		if in.sourceStep == "" || !in.isRequired || in.defaultValue != nil {
			continue
		}
		from := r.byID[in.sourceStep]
		why := ""
		switch {
		case from == nil:
			why = fmt.Sprintf("there is no step %q", in.sourceStep)
		case from.gate == nil:
			why = fmt.Sprintf("%s has no gate, so only a JSON object in its reply can supply %s", in.sourceStep, in.sourceKey)
		case from.gate.handoffPathOfKey(in.sourceKey) == "" && !hasProperty(from.replySchema, in.sourceKey):
			why = fmt.Sprintf("%s does not hand off %s, and its schema does not have it", in.sourceStep, in.sourceKey)
		default:
			continue
		}
		r.Warn(in.PlaceOf("from"), "input-source", "the input may be missing: "+why, `correct "from", or give the input a default`)
	}
}

// hasProperty reports whether a schema lists a top-level property.
func hasProperty(schema jsonNode, key string) bool {
	properties, _ := asMembers(schema).get("properties")
	_, ok := asMembers(properties).get(key)
	return ok
}

// compareWithContinuation warns if an initial step has no continuation, or one that declares other
// variables.
func (r *registry) compareWithContinuation(s *step) {
	name, ok := strings.CutPrefix(s.id, "initial.")
	if !ok {
		return
	}
	other := r.byID["continuation."+name]
	if other == nil {
		r.Warn(s.Place(), "continuation-pair", "there is no step continuation."+name+", which usually follows "+s.id, "add it")
		return
	}
	drop := func(list []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(n string) bool { return slices.Contains(unsetInFirstIteration, n) })
	}
	if a, b := drop(s.declaredVariables), drop(other.declaredVariables); !equalSets(a, b) {
		r.Warn(other.PlaceOf("uvVariables"), "continuation-pair", fmt.Sprintf("%s declares %s, but %s declares %s", s.id, listOrNone(a), other.id, listOrNone(b)), "declare the same variables in both steps")
	}
}
