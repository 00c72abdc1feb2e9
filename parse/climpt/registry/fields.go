package registry

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/near"
)

// templates are the paths of prompt files below their folder (spec §4).
type templates struct{ adapted, plain text }

var semver = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// read reads the fields of §3.
func (r *registry) read() {
	o := r.Registry
	o.Require("agentId", "version", "c1", "steps")
	r.id, r.c1 = o.String("agentId"), cmp.Or(o.String("c1"), "steps")
	r.part(o, "c1")
	if v := o.String("version"); v != "" && !semver.MatchString(v) {
		r.Error(o.At("version"), "bad-version", fmt.Sprintf("the version is %q", v), "write it like 1.0.0")
	}
	if a := r.Agent; a != nil && a.Name != "" && r.id != "" && a.Name != r.id {
		r.Error(o.At("agentId"), "agent-mismatch", fmt.Sprintf("agentId is %q, and the agent's name is %q", r.id, a.Name), "give both the same name")
	}
	r.templates = templates{
		adapted: r.template("pathTemplate", "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md"),
		plain:   r.template("pathTemplateNoAdaptation", "{c1}/{c2}/{c3}/f_{edition}.md"),
	}
	r.prompts = r.Base("prompts", "userPromptsBase", r.Root, "prompts")
	r.schemas = r.Base("schemas", "schemasBase", r.Root, "schemas")
	r.hasFiles = r.Exists(r.prompts)
	o.Check(climpt.String, "userPromptsBase", "schemasBase")
	r.verdict = r.Verdict()
	r.patience = r.Time("validator-timeout", validatorTime)
	r.readPatterns()
	r.readValidators()
	r.readValidations()
	r.readSteps()
}

// template is a path template, checked for what cannot be filled in.
func (r *registry) template(key, otherwise string) text {
	t := parseText(cmp.Or(r.Registry.String(key), otherwise), nil)
	for _, p := range t {
		switch p.Name {
		case "c1", "c2", "c3", "edition", "adaptation":
		default:
			if p.Text == "{"+p.Name+"}" {
				r.Error(r.Registry.At(key), "bad-placeholder", p.Text+" stands for nothing", "use {c1}, {c2}, {c3}, {edition} and {adaptation}")
			}
		}
	}
	return t
}

// part reports a member that is to be a part of a path and is a path itself.
func (r *registry) part(o climpt.Fields, keys ...string) {
	for _, key := range keys {
		if text := o.Get(key).Text(); strings.ContainsAny(text, `/\`) || text == ".." {
			r.Error(o.At(key), "path-escape", fmt.Sprintf("%s is %q: a path", key, text), "write a name without slashes")
		}
	}
}

// readSteps reads steps, in the file's order.
func (r *registry) readSteps() {
	o := r.Registry
	if v := o.Get("steps"); v.Is(climpt.Object) && len(v.Members()) == 0 {
		r.Error(v.Place(), "missing-field", "there are no steps", "add one")
	}
	all := o.Steps()
	r.steps, r.byID = make([]*step, 0, len(all)), make(map[string]*step, len(all))
	for _, fields := range all {
		s := r.step(fields)
		s.nth = len(r.steps)
		r.steps = append(r.steps, s)
		r.byID[s.id] = s
		r.gated = r.gated || s.gate != nil
	}
}

// like names the id that may have been meant.
func (r *registry) like(id string) string {
	switch meant := r.near(id); {
	case meant != "":
		return fmt.Sprintf("is it %s?", meant)
	case len(r.steps) == 0:
		return "add the step"
	}
	return "name a step: the first one is " + r.steps[0].id
}

// maxCompared is how many ids are compared with those of all steps: it takes long.
const maxCompared = 20

// near is the id of a step that another one is nearly, "" if there is none.
func (r *registry) near(id string) string {
	meant, known := r.suggestions[id]
	if known || len(r.suggestions) == maxCompared {
		return meant
	}
	ids := make([]string, 0, len(r.steps))
	for _, s := range r.steps {
		ids = append(ids, s.id)
	}
	r.suggestions[id] = near.Name(id, ids)
	return r.suggestions[id]
}
