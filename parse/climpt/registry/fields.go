package registry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/parse/climpt"
)

// pathTemplates are the paths of prompt files, relative to the prompt folder (spec §4).
type pathTemplates struct{ withAdaptation, withoutAdaptation textPieces }

// readFields reads the registry: its own fields, its validators and its steps (§3).
func (r *registry) readFields() {
	o := r.Registry
	o.Require("agentId", "version", "c1", "steps")
	r.agentID, r.promptC1 = o.String("agentId"), cmp.Or(o.String("c1"), "steps")
	r.checkPathPart(o, "c1")
	if o.String("version") != "" {
		r.CheckVersion(r.Error)
	}
	if a := r.Agent; a != nil && a.Name != "" && r.agentID != "" && a.Name != r.agentID {
		r.Error(o.PlaceOf("agentId"), "agent-mismatch", fmt.Sprintf("agentId is %q, but the agent's name is %q", r.agentID, a.Name), "give both the same name")
	}
	r.pathTemplates = pathTemplates{
		withAdaptation:    r.readPathTemplate("pathTemplate", "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md"),
		withoutAdaptation: r.readPathTemplate("pathTemplateNoAdaptation", "{c1}/{c2}/{c3}/f_{edition}.md"),
	}
	r.promptFolder, r.hasPromptFolder = r.ChoosePromptFolder("userPromptsBase", r.ProjectRoot)
	r.schemaFolder = r.ChooseFolder("schemas", "schemasBase", r.ProjectRoot, "schemas")
	o.CheckKinds(climpt.String, "userPromptsBase", "schemasBase")
	r.verdict = r.EffectiveVerdict()
	r.validatorTimeout = r.FlagDuration("validator-timeout", defaultValidatorTimeout)
	r.readFailurePatterns()
	r.readValidators()
	r.readValidations()
	r.readSteps()
}

// pathPlaceholders are the names that a path template can have in braces.
var pathPlaceholders = []string{"c1", "c2", "c3", "edition", "adaptation"}

// readPathTemplate parses a path template and reports placeholders that cannot be filled in.
func (r *registry) readPathTemplate(key, otherwise string) textPieces {
	template := splitPlaceholders(cmp.Or(r.Registry.String(key), otherwise), nil)
	for _, p := range template {
		if p.Text == "{"+p.Name+"}" && !slices.Contains(pathPlaceholders, p.Name) {
			r.Error(r.Registry.PlaceOf(key), "bad-placeholder", p.Text+" is not a placeholder", "use only {c1}, {c2}, {c3}, {edition} or {adaptation}")
		}
	}
	return template
}

// checkPathPart reports fields that must be one part of a path but are a path themselves.
func (r *registry) checkPathPart(o climpt.Fields, keys ...string) {
	for _, key := range keys {
		if text := o.Get(key).Text(); strings.ContainsAny(text, `/\`) || text == ".." {
			r.Error(o.PlaceOf(key), "path-escape", fmt.Sprintf("%s must be a name, not the path %q", key, text), "write a name without slashes")
		}
	}
}

func (r *registry) readSteps() {
	all := r.Registry.Steps()
	r.steps, r.byID = make([]*step, 0, len(all)), make(map[string]*step, len(all))
	for _, fields := range all {
		s := r.readStep(fields)
		s.index = len(r.steps)
		r.steps = append(r.steps, s)
		r.stepIDs.All = append(r.stepIDs.All, s.id)
		r.byID[s.id] = s
		r.hasGates = r.hasGates || s.gate != nil
	}
}

// suggestStep suggests what to write instead of an unknown step ID.
func (r *registry) suggestStep(id string) string {
	if meant := r.stepIDs.MostSimilar(id); meant != "" {
		return fmt.Sprintf("did you mean %s?", meant)
	}
	return r.SuggestStep()
}
