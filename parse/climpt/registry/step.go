package registry

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// The kinds of steps.
const (
	kindWork         = "work"
	kindVerification = "verification"
	kindClosure      = "closure"
)

// step is a step as written (spec §3).
type step struct {
	climpt.Fields
	index              int // in the file, from 0
	id, name           string
	kind               string // work, verification or closure; "" allows every intent
	promptC2, promptC3 string
	edition            string
	adaptation         string
	fallbackKey        string
	modelName          string
	permissionMode     plan.PermissionMode // effective
	declaredVariables  []string            // uvVariables, without the prefix uv-
	usesStdin          bool
	isSection          bool
	gate               *gateFields
	rules              []rule // of transitions, in the file's order
	inputs             []stepInput
	command            *subprocess
	schemaReference    climpt.Fields
	replySchema        jsonNode // resolved; nil: none
	promptFile         climpt.PromptFile
	promptText         textPieces // of the file
	edges              []edge
	successors         []*step // the steps that edges lead to
	predecessors       []*step // the steps whose edges lead here
	prompt             *prompt
}

// usedVariables returns the variable names that the step's prompt uses.
func (s *step) usedVariables() []string {
	out := slices.Concat(s.declaredVariables, s.promptText.variables(), builtinTextByFallbackKey[s.fallbackKey].variables())
	for _, in := range s.inputs {
		out = append(out, in.variableName)
	}
	return out
}

// stepInput is an entry of inputs: a value from another step's output, or only a default.
type stepInput struct {
	climpt.Fields
	sourceStep, sourceKey string // the step, and the key of its output; "": there is only the default
	variableName          string // the variable that prompts read
	isRequired            bool
	defaultValue          *string // nil: none
}

// subprocess is a command that runs instead of a model call.
type subprocess struct {
	climpt.Fields
	command       string
	args          []string
	timeoutMillis int
}

var (
	modeByKind = map[string]plan.PermissionMode{kindWork: plan.AcceptEditsMode, kindClosure: plan.AcceptEditsMode, kindVerification: plan.VerificationMode}
	stepKinds  = []string{kindWork, kindVerification, kindClosure}
	kindByC2   = map[string]string{"initial": kindWork, "continuation": kindWork, "verification": kindVerification, "closure": kindClosure}
	c3Pattern  = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
)

// readStep reads a step, and checks each of its fields on its own.
func (r *registry) readStep(o climpt.Fields) *step {
	s := &step{Fields: o, id: o.Key(), promptC2: o.String("c2"), promptC3: o.String("c3"), edition: "default"}
	o.Require("stepId", "c2", "c3")
	r.checkStepID(o, r.Error)
	r.checkPathPart(o, "c2", "c3", "edition", "adaptation")
	if s.promptC3 != "" && !c3Pattern.MatchString(s.promptC3) {
		r.Error(o.PlaceOf("c3"), "bad-c3", fmt.Sprintf("c3 %q is not valid", s.promptC3), "use only a-z and single hyphens, as in check-links")
	}
	if o.Has("edition") {
		o.Require("edition")
		s.edition = cmp.Or(o.String("edition"), s.edition)
	}
	s.adaptation, s.fallbackKey = o.String("adaptation"), o.String("fallbackKey")
	s.isSection = s.promptC2 == "section" || strings.HasPrefix(s.id, "section.")
	r.readName(s)
	r.readKind(s)
	s.declaredVariables, s.usesStdin = declaredVariables(o.Get("uvVariables")), o.Bool("usesStdin", false)
	s.schemaReference = o.Object("outputSchemaRef")
	s.schemaReference.Require("file", "schema")
	s.gate = r.readGate(s)
	s.rules = r.readRules(s)
	s.inputs = r.readInputs(s)
	s.command = r.readSubprocess(s)
	o.Enum("type", "prompt")
	s.modelName = o.Enum("model", climpt.ModelNames...)
	o.CheckKinds(climpt.String, "description")
	s.permissionMode = r.Agent.StepPermissionMode(o, modeByKind[s.kind])
	return s
}

// checkStepID reports a stepId that differs from the key of the object.
func (r *registry) checkStepID(o climpt.Fields, report func(at climpt.Place, code, message, suggestion string)) {
	if id := o.String("stepId"); id != "" && id != o.Key() {
		report(o.PlaceOf("stepId"), "id-mismatch", fmt.Sprintf("the stepId %q differs from the key %q", id, o.Key()), "give both the same name")
	}
}

// readName sets the name, and compares the ID with c2 and c3.
func (r *registry) readName(s *step) {
	if s.name = s.StepName(); s.Has("name") {
		s.Require("name")
	}
	first, rest, dotted := strings.Cut(s.id, ".")
	second, _, _ := strings.Cut(rest, ".")
	if dotted && s.promptC2 != "" && s.promptC3 != "" && (first != s.promptC2 || second != s.promptC3) {
		r.Warn(s.PlaceOf("stepId"), "name-mismatch",
			fmt.Sprintf("%s is not named after its c2 %q and c3 %q", s.id, s.promptC2, s.promptC3),
			fmt.Sprintf("name it %s.%s", s.promptC2, s.promptC3))
	}
}

// readKind sets the kind of a step: stepKind, else the kind that c2 implies.
func (r *registry) readKind(s *step) {
	s.kind = s.Enum("stepKind", stepKinds...)
	if !s.Has("stepKind") {
		s.kind = kindByC2[s.promptC2]
		if s.Has("structuredGate") {
			r.Warn(s.Place(), "kind-inferred", fmt.Sprintf("%s has a gate and no stepKind; it is treated as %s", s.id, kindForMessage(s.kind)), `add "stepKind"`)
		}
	}
}

func kindForMessage(kind string) string {
	if kind == "" {
		return "a step that may use any intent"
	}
	return "a " + kind + " step"
}

// declaredVariables returns the names in uvVariables. Items that are not names are ignored.
func declaredVariables(v *climpt.Value) []string {
	var out []string
	for _, item := range v.Items() {
		if item.Is(climpt.String) {
			out = append(out, strings.TrimPrefix(item.Text(), "uv-"))
		}
	}
	return out
}

func (r *registry) readInputs(s *step) []stepInput {
	var out []stepInput
	for _, o := range s.Objects("inputs") {
		in := stepInput{Fields: o, variableName: o.Key(), isRequired: o.Bool("required", true)}
		if from := o.String("from"); from != "" {
			at := strings.LastIndexByte(from, '.')
			if at <= 0 || at == len(from)-1 {
				r.Error(o.PlaceOf("from"), "bad-type", fmt.Sprintf("the value %q of \"from\" does not name a step and a key", from), "write a step and a key of its output, such as initial.issue.status")
				continue
			}
			in.sourceStep, in.sourceKey = from[:at], from[at+1:]
			in.variableName = strings.ReplaceAll(in.sourceStep, ".", "_") + "_" + in.sourceKey
		}
		if v := o.Get("default"); v != nil {
			text := v.VariableText()
			in.defaultValue = &text
		}
		out = append(out, in)
	}
	return out
}

func (r *registry) readSubprocess(s *step) *subprocess {
	o := s.Object("runner")
	if o.Value == nil {
		return nil
	}
	o.Require("command")
	if s.kind != kindClosure {
		r.Error(o.Place(), "bad-type", "runner is for closure steps only", "remove it, or make the step a closure")
	}
	c := &subprocess{Fields: o, command: o.String("command"), args: o.Strings("args"), timeoutMillis: 30_000}
	if v := o.Get("timeout"); v != nil {
		n, ok := v.Int()
		if !ok || n < 1 {
			r.Error(v.Place(), "bad-type", "timeout is not a whole number of 1 or more", "write it in milliseconds, such as 30000")
		} else {
			c.timeoutMillis = min(n, int(math.MaxInt64/time.Millisecond))
		}
	}
	return c
}
