package registry

import (
	"fmt"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// readFiles reads the prompts and schemas that a registry refers to.
func (r *registry) readFiles() {
	r.values = r.loadValues()
	if !r.hasFiles {
		r.Warn(r.Registry.At("userPromptsBase"), "prompt-missing", "the prompt folder "+r.prompts+" does not exist", "create it, or name another one with --prompts")
	}
	hasSchemas := r.checkSchemaFolder()
	r.findPrompts()
	for _, s := range r.steps {
		s.text = splitPlaceholders(s.file.Text, stepVariableName)
		if s.section {
			r.sectionSteps[sectionKey(strings.TrimPrefix(s.id, "section."))+"section"] = s
		}
		if hasSchemas {
			r.readSchema(s)
		}
	}
	for _, s := range r.steps {
		if !s.section {
			s.prompt = r.prompt(s)
			s.prompt.Sections = r.sections(s.prompt.Text)
		}
	}
}

// findPrompts looks for the prompt files of steps.
func (r *registry) findPrompts() {
	wanted := make([]climpt.PromptPaths, len(r.steps))
	for i, s := range r.steps {
		wanted[i] = climpt.PromptPaths{At: s.Place(), Paths: r.candidates(s)}
	}
	for i, file := range r.Prompts(r.prompts, wanted) {
		s := r.steps[i]
		s.file = file
		if r.hasFiles && file.Chosen == "" && len(file.Candidates) > 0 { // else all are out of their folder
			r.Warn(s.Place(), "prompt-missing", s.id+" has no prompt: there is no "+strings.Join(file.Candidates, " and no "), "write one of these files")
		}
	}
}

// candidates returns the files that may hold the prompt of a step, in order. A command has none.
func (r *registry) candidates(s *step) []string {
	if s.command != nil {
		return nil
	}
	adaptation := s.adaptation
	if s.kind == closure && r.Agent != nil && r.Agent.Closure != "" {
		adaptation = r.Agent.Closure
	}
	editions := []string{s.edition}
	if r.Options.Has("edition-fallback") && s.edition != "default" {
		editions = append(editions, "default")
	}
	var paths []string
	for _, edition := range editions {
		paths = append(paths, r.paths(s.c2, s.c3, edition, adaptation)...)
	}
	return paths
}

// paths returns the candidate files, relative to the prompt folder (spec §4).
func (r *registry) paths(c2, c3, edition, adaptation string) []string {
	p := pathParts{r.c1, c2, c3, edition, adaptation}
	plain := p.fill(r.templates.plain)
	if adaptation == "" {
		return []string{plain}
	}
	return []string{p.fill(r.templates.adapted), plain}
}

// pathParts are the values for the placeholders of a path template.
type pathParts struct{ c1, c2, c3, edition, adaptation string }

// fill replaces the placeholders of a template.
func (p pathParts) fill(template text) string {
	all := make([]string, len(template))
	for i, piece := range template {
		all[i] = p.value(piece)
	}
	return strings.Join(all, "")
}

func (p pathParts) value(piece piece) string {
	switch piece.Name {
	case "c1":
		return p.c1
	case "c2":
		return p.c2
	case "c3":
		return p.c3
	case "edition":
		return p.edition
	case "adaptation":
		return p.adaptation
	}
	return piece.Text
}

// prompt builds the prompt of a step.
func (r *registry) prompt(s *step) *prompt {
	p := &prompt{
		Values: r.values.namedBy(s.usedVariables()), Step: s.id, Name: s.name, Candidates: s.file.Candidates, File: s.file.Chosen,
		Declared: s.variables, Stdin: s.usesStdin, Key: s.fallbackKey, Text: s.text,
	}
	switch {
	case s.file.Problem != "":
		p.Problem = fmt.Sprintf("the prompt %s cannot be used: %s", s.file.Chosen, s.file.Problem)
	case s.file.Chosen == "":
		p.Problem = "there is no prompt file: " + strings.Join(s.file.Candidates, ", ")
	}
	for _, in := range s.inputs {
		p.Inputs = append(p.Inputs, promptInput{in.name, in.step, in.key, in.required, in.defaultValue})
	}
	if s.gate != nil {
		p.Field, p.Allowed = s.gate.field, s.gate.allowed
	}
	return p
}

// sections returns the sections that a text includes. Sections do not nest.
func (r *registry) sections(t text) []section {
	var out []section
	for _, p := range t {
		if p.Name == "" || p.Variable || len(r.sectionSteps) == 0 {
			continue
		}
		if s := r.sectionSteps[sectionKey(p.Name)]; s != nil {
			out = append(out, section{sectionKey(p.Name), r.prompt(s)})
		}
	}
	return out
}

// system returns the system prompt from the file, or else the built-in one.
func (r *registry) system() plan.Prompt {
	file, ok := r.System(r.prompts)
	r.fallbackDir()
	p := &prompt{Candidates: file.Candidates, File: file.Chosen, Missing: missingStays, Text: splitPlaceholders(file.Text, systemVariableName)}
	if !ok {
		p.File, p.Text = "fallback:system", builtins["system"]
		if r.Agent != nil {
			r.Warn(r.Agent.SystemAt, "path-missing", "there is no system prompt "+r.Agent.System+": Playhead uses its built-in text", "write the file, or name another one: systemPromptPath")
		}
	}
	p.Values = r.values.namedBy(p.Text.variables())
	return p
}

// fallbackDir warns of a fallback folder in agent.json that does not exist.
func (r *registry) fallbackDir() {
	if r.Agent == nil {
		return
	}
	prompts := r.Agent.Object("runner").Object("flow").Object("prompts")
	dir := prompts.Get("fallbackDir")
	if folder, err := r.Within(r.Dir, dir.Text()); dir.Text() != "" && (err != nil || !folder.Exists()) {
		r.Warn(dir.Place(), "path-missing", "the folder "+dir.Text()+" does not exist", "create it, or remove the key: it has no effect here")
	}
}
