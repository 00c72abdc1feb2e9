package registry

import (
	"cmp"
	"fmt"
	"strings"

	"playhead/parse/climpt"
)

// readPromptsAndSchemas reads the files of prompts and schemas that steps refer to, and builds the prompts.
func (r *registry) readPromptsAndSchemas() {
	r.promptValues = r.newStaticValues()
	hasSchemas := r.checkSchemaFolder()
	r.findPrompts()
	for _, s := range r.steps {
		s.promptText = splitPlaceholders(s.promptFile.Text, stepVariablePattern)
		if s.isSection {
			r.sectionSteps[normalizeSectionName(strings.TrimPrefix(s.id, "section."))+"section"] = s
		}
		if hasSchemas {
			r.readSchema(s)
		}
	}
	for _, s := range r.steps {
		if !s.isSection {
			s.prompt = r.newPrompt(s)
			s.prompt.Sections = r.includedSections(s.prompt.Text)
		}
	}
}

// findPrompts finds and reads the prompt file of each step, and reports the steps without one.
func (r *registry) findPrompts() {
	wanted := make([]climpt.PromptPaths, len(r.steps))
	for i, s := range r.steps {
		wanted[i] = climpt.PromptPaths{ReferencePlace: s.Place(), Paths: r.promptCandidates(s)}
	}
	for i, file := range r.FindPrompts(r.promptFolder, wanted) {
		s := r.steps[i]
		s.promptFile = file
		if r.hasPromptFolder && file.ChosenPath == "" && len(file.CandidatePaths) > 0 { // otherwise all paths are invalid, which is reported
			r.Warn(s.Place(), "prompt-missing", s.id+" has no prompt file", "create "+strings.Join(file.CandidatePaths, " or "))
		}
	}
}

// promptCandidates returns the paths of the files that may have the prompt of a step, in order (spec §4).
// A command has none.
func (r *registry) promptCandidates(s *step) []string {
	if s.command != nil {
		return nil
	}
	adaptation := s.adaptation
	if s.kind == kindClosure && r.Agent != nil && r.Agent.ClosureAdaptation != "" {
		adaptation = r.Agent.ClosureAdaptation
	}
	editions := []string{s.edition}
	if r.Options.Has("edition-fallback") && s.edition != "default" {
		editions = append(editions, "default")
	}
	var paths []string
	for _, edition := range editions {
		paths = append(paths, r.promptPaths(s.promptC2, s.promptC3, edition, adaptation)...)
	}
	return paths
}

// promptPaths returns the paths for one edition, relative to the prompt folder: with the adaptation if
// there is one, then without.
func (r *registry) promptPaths(c2, c3, edition, adaptation string) []string {
	values := map[string]string{"c1": r.promptC1, "c2": c2, "c3": c3, "edition": edition, "adaptation": adaptation}
	plain := fillPathTemplate(r.pathTemplates.withoutAdaptation, values)
	if adaptation == "" {
		return []string{plain}
	}
	return []string{fillPathTemplate(r.pathTemplates.withAdaptation, values), plain}
}

// fillPathTemplate replaces the placeholders of a template that have values.
func fillPathTemplate(template textPieces, values map[string]string) string {
	var b strings.Builder
	for _, piece := range template {
		value, ok := values[piece.Name]
		if !ok {
			value = piece.Text
		}
		b.WriteString(value)
	}
	return b.String()
}

// newPrompt builds the prompt of a step.
func (r *registry) newPrompt(s *step) *prompt {
	p := &prompt{
		Values: r.promptValues.withoutUnusedLimits(s.usedVariables()), StepID: s.id, StepName: s.name, CandidatePaths: s.promptFile.CandidatePaths, TextOrigin: s.promptFile.ChosenPath,
		DeclaredVariables: s.declaredVariables, UsesStdin: s.usesStdin, FallbackKey: s.fallbackKey, Text: s.promptText,
	}
	switch {
	case s.promptFile.Problem != "":
		p.Problem = fmt.Sprintf("the prompt %s cannot be used: %s", s.promptFile.ChosenPath, s.promptFile.Problem)
	case s.promptFile.ChosenPath == "":
		p.Problem = s.promptFile.NotFoundMessage()
	}
	for _, in := range s.inputs {
		p.Inputs = append(p.Inputs, promptInput{in.variableName, in.sourceStep, in.sourceKey, in.isRequired, in.defaultValue})
	}
	if s.gate != nil {
		p.IntentField, p.AllowedIntents = s.gate.intentField, s.gate.allowedIntents
	}
	return p
}

// includedSections returns the sections that a text includes. Sections do not nest.
func (r *registry) includedSections(t textPieces) []section {
	var out []section
	for _, p := range t {
		if p.Name == "" || p.IsVariable || len(r.sectionSteps) == 0 {
			continue
		}
		if s := r.sectionSteps[normalizeSectionName(p.Name)]; s != nil {
			out = append(out, section{normalizeSectionName(p.Name), r.newPrompt(s)})
		}
	}
	return out
}

// systemPrompt returns the system prompt from the file, or else the built-in one.
func (r *registry) systemPrompt() *prompt {
	file, ok := r.FindSystemPrompt(r.promptFolder)
	r.checkFallbackDir()
	p := &prompt{CandidatePaths: file.CandidatePaths, TextOrigin: file.ChosenPath, OnMissing: missingStays, Text: splitPlaceholders(file.Text, systemVariablePattern)}
	if !ok {
		p.TextOrigin, p.Text = "fallback:system", builtinTextByFallbackKey["system"]
		if r.Agent != nil && r.Options.Get("system") == "" {
			r.Warn(r.Agent.SystemPromptPathPlace, "path-missing",
				fmt.Sprintf("the system prompt %s cannot be used: %s; Playhead uses its built-in one", r.Agent.SystemPromptPath, cmp.Or(file.Problem, "there is no such file in the agent's folder")),
				"create or correct the file, or name another one in systemPromptPath")
		}
	}
	p.Values = r.promptValues.withoutUnusedLimits(p.Text.variables())
	return p
}

// checkFallbackDir reports a fallback folder in agent.json that is not allowed or does not exist.
func (r *registry) checkFallbackDir() {
	if r.Agent == nil {
		return
	}
	prompts := r.Agent.Object("runner").Object("flow").Object("prompts")
	dir := prompts.Get("fallbackDir")
	if dir.Text() == "" {
		return
	}
	const suggestion = "remove fallbackDir: Playhead does not use it"
	if folder, err := r.ResolveBelow(r.AgentDir, dir.Text()); err != nil {
		r.Error(dir.Place(), "path-escape", err.Error(), suggestion)
	} else if !folder.Exists() {
		r.Warn(dir.Place(), "path-missing", "the folder "+dir.Text()+" does not exist", suggestion)
	}
}
