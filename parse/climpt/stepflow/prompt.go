package stepflow

import (
	"errors"
	"regexp"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// prompt is the Prompt of a step or a check: the text of a file, split at its placeholders (spec §3).
type prompt struct {
	CandidatePaths []string // in order
	UsedPath       string   // the file that is used; "": none
	RelPath        string   // UsedPath relative to the prompt folder
	Problem        string   // why there is no text
	Pieces         []textPiece
	TextLocation   plan.TextLocation // where the text is in the file
}

// textPiece is literal text, or a placeholder. Then text is how it is written, and argumentName the name in it.
type textPiece struct{ text, argumentName string }

var placeholderPattern = regexp.MustCompile(`^(?:\{\{ *([A-Za-z0-9_-]+) *\}\}|\{ *([A-Za-z0-9_-]+) *\})`)

// splitPlaceholders splits a text at its placeholders.
func splitPlaceholders(text string) []textPiece {
	var out []textPiece
	done, at := 0, 0
	for {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			break
		}
		at += open
		m := placeholderPattern.FindStringSubmatchIndex(text[at:])
		if m == nil {
			at++
			continue
		}
		if at > done {
			out = append(out, textPiece{text: text[done:at]})
		}
		name := text[at:][max(m[2], m[4]):max(m[3], m[5])] // of the two forms one is there
		out = append(out, textPiece{text[at : at+m[1]], name})
		at += m[1]
		done = at
	}
	if done < len(text) {
		out = append(out, textPiece{text: text[done:]})
	}
	return out
}

// Render implements plan.Prompt. A nil scope leaves placeholders as written.
func (p prompt) Render(scope plan.Scope) (plan.Rendered, error) {
	out := plan.Rendered{Origin: plan.PromptOrigin{From: p.UsedPath, SearchedPaths: p.CandidatePaths}}
	if p.Problem != "" && scope != nil {
		out.Warnings = []plan.RunWarning{{Code: climpt.CodePrefix + "prompt-failed", Message: p.Problem}}
		return out, errors.New(p.Problem)
	}
	var b strings.Builder
	for _, piece := range p.Pieces {
		b.WriteString(piece.value(scope, &out.Origin))
	}
	out.Text = b.String()
	return out, nil
}

// value returns the value of the argument, and records it in origin. Without a value it returns the
// placeholder as written.
func (p textPiece) value(scope plan.Scope, origin *plan.PromptOrigin) string {
	if p.argumentName == "" || scope == nil {
		return p.text
	}
	for _, name := range p.possibleNames() {
		if v, ok := scope.Var(name); ok {
			text := plan.ValueText(v)
			origin.AddFilledVariable(name, text)
			return text
		}
	}
	return p.text
}

// possibleNames returns the names under which the argument is looked up, in order: with and without the
// prefix uv-.
func (p textPiece) possibleNames() []string {
	return []string{p.argumentName, "uv-" + p.argumentName, strings.TrimPrefix(p.argumentName, "uv-")}
}

// promptReference is how a registry refers to a prompt.
type promptReference struct {
	climpt.Fields
	paths []string // the candidate files; none if it is invalid
}

func (fl *flow) readPromptReference(o climpt.Fields) promptReference {
	if o.Value == nil {
		return promptReference{}
	}
	return promptReference{o, fl.candidatePaths(o)}
}

// readPrompts finds and reads the prompt files of all steps and checks.
func (fl *flow) readPrompts() {
	wanted := make([]climpt.PromptPaths, 0, 2*len(fl.steps))
	for _, s := range fl.steps {
		for _, o := range []promptReference{s.promptReference, s.check.promptReference} {
			wanted = append(wanted, climpt.PromptPaths{ReferencePlace: o.Place(), Paths: o.paths})
		}
	}
	found := fl.FindPrompts(fl.promptFolder, wanted)
	for i, s := range fl.steps {
		s.prompt, s.check.prompt = fl.newPrompt(s.promptReference, found[2*i]), fl.newPrompt(s.check.promptReference, found[2*i+1])
	}
}

// newPrompt returns the prompt of a reference, and reports a missing file.
func (fl *flow) newPrompt(o promptReference, f climpt.PromptFile) prompt {
	if o.paths == nil {
		return prompt{}
	}
	p := prompt{CandidatePaths: f.CandidatePaths, UsedPath: f.ChosenPath, RelPath: f.RelPath, Pieces: splitPlaceholders(f.Text), TextLocation: f.TextLocation}
	switch {
	case f.ChosenPath == "":
		p.Problem = f.NotFoundMessage()
		if fl.hasPromptFolder && len(f.CandidatePaths) > 0 {
			fl.Error(o.Place(), "prompt-missing", p.Problem, "write the file, or correct the reference")
		}
	case f.Problem != "":
		p.Problem = f.ChosenPath + ": " + f.Problem
		if len(f.CandidatePaths) > 1 {
			p.Problem += "; the files in order of preference: " + strings.Join(f.CandidatePaths, ", ")
		}
	}
	return p
}

// candidatePaths returns the candidate files of a reference, or none if it is invalid.
func (fl *flow) candidatePaths(o climpt.Fields) []string {
	isGiven := func(key string) bool { return o.Has(key) && !(o.Get(key).Is(climpt.String) && o.Get(key).Text() == "") }
	path := o.String("path")
	paths, isValid := fl.c3lPaths(o)
	switch hasParts := isGiven("c1") && isGiven("c2") && isGiven("c3"); {
	case !isGiven("path") && !hasParts, isGiven("path") && o.Has("c1", "c2", "c3"):
		fl.Error(o.Place(), "bad-prompt", "a prompt is either a path, or c1, c2 and c3", `write {"path": "…"} or {"c1": "…", "c2": "…", "c3": "…"}`)
		return nil
	case path != "":
		paths = []string{path}
	case !isValid: // reported
		return nil
	}
	switch fallback := o.String("fallback"); {
	case strings.HasSuffix(fallback, ".md"):
		paths = append(paths, fallback)
	case fallback != "":
		folder, edition, found := strings.Cut(fallback, ":")
		if !found {
			edition = "default"
		}
		paths = append(paths, promptFilePath(folder, edition))
	}
	return paths
}

// c3lPaths returns the candidate files for c1, c2, c3, edition and adaptation, and whether c1, c2 and c3 are
// given and valid.
func (fl *flow) c3lPaths(o climpt.Fields) (paths []string, valid bool) {
	names := map[string]string{"edition": "default"}
	for _, key := range []string{"c1", "c2", "c3", "edition", "adaptation"} {
		text := o.String(key)
		if strings.ContainsAny(text, `/\`) {
			fl.Error(o.PlaceOf(key), "path-escape", key+" contains a slash", "write a name without slashes")
			text = ""
		}
		if text != "" {
			names[key] = text
		}
	}
	folder := strings.Join([]string{names["c1"], names["c2"], names["c3"]}, "/")
	if a := names["adaptation"]; a != "" {
		paths = append(paths, promptFilePath(folder, names["edition"]+"_"+a))
	}
	return append(paths, promptFilePath(folder, names["edition"])), names["c1"] != "" && names["c2"] != "" && names["c3"] != ""
}

func promptFilePath(folder, edition string) string { return folder + "/f_" + edition + ".md" }

var _ plan.EditablePrompt = prompt{}

// EditableText implements plan.EditablePrompt.
func (p prompt) EditableText() string { return plan.SourceText(p) }

// WithText implements plan.EditablePrompt.
func (p prompt) WithText(text string) plan.Prompt {
	p.Pieces, p.Problem = splitPlaceholders(text), ""
	return p
}
