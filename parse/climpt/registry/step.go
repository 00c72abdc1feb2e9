package registry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// The kinds of steps.
const (
	work         = "work"
	verification = "verification"
	closure      = "closure"
)

// step is a step as written (spec §3).
type step struct {
	climpt.Fields
	index        int // in the file, from 0
	id, name     string
	kind         string // work, verification or closure; "" allows every intent
	c2, c3       string
	edition      string
	adaptation   string
	fallbackKey  string
	model        string
	mode         plan.Mode // effective
	variables    []string  // uvVariables, without the prefix uv-
	usesStdin    bool
	section      bool
	gate         *gateFields
	rules        []rule // of transitions, in the file's order
	inputs       []input
	command      *subprocess
	schemaRef    climpt.Fields
	schema       node // resolved; nil: none
	file         climpt.File
	text         text // of the file
	edges        []edge
	successors   []*step // the steps that edges lead to
	predecessors []*step // the steps whose edges lead here
	prompt       *prompt
}

// usedVariables returns the variable names that the step's prompt uses.
func (s *step) usedVariables() []string {
	out := slices.Concat(s.variables, s.text.variables(), builtins[s.fallbackKey].variables())
	for _, in := range s.inputs {
		out = append(out, in.name)
	}
	return out
}

// input is a value that another step hands over.
type input struct {
	climpt.Fields
	step, key    string // from
	name         string // of the variable
	required     bool
	defaultValue *string // default
}

// subprocess is a command that runs instead of a model call.
type subprocess struct {
	climpt.Fields
	command string
	args    []string
	timeout int // in milliseconds
}

var (
	modeByKind = map[string]plan.Mode{work: plan.AcceptEdits, closure: plan.AcceptEdits, verification: plan.Verification}
	kinds      = []string{work, verification, closure}
	kindByC2   = map[string]string{"initial": work, "continuation": work, "verification": verification, "closure": closure}
	c3Name     = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
)

func (r *registry) step(o climpt.Fields) *step {
	s := &step{Fields: o, id: o.Key(), c2: o.String("c2"), c3: o.String("c3"), edition: "default"}
	o.Require("stepId", "c2", "c3")
	r.identity(o, r.Error)
	r.checkPathPart(o, "c2", "c3", "edition", "adaptation")
	if s.c3 != "" && !c3Name.MatchString(s.c3) {
		r.Error(o.At("c3"), "bad-c3", fmt.Sprintf("c3 is %q", s.c3), "use a-z, and single hyphens between")
	}
	if o.Has("edition") {
		o.Require("edition")
		s.edition = cmp.Or(o.String("edition"), s.edition)
	}
	s.adaptation, s.fallbackKey = o.String("adaptation"), o.String("fallbackKey")
	s.section = s.c2 == "section" || strings.HasPrefix(s.id, "section.")
	r.naming(s)
	r.kind(s)
	s.variables, s.usesStdin = variables(o.Get("uvVariables")), o.Bool("usesStdin", false)
	s.schemaRef = o.Object("outputSchemaRef")
	s.schemaRef.Require("file", "schema")
	s.gate = r.gate(s)
	s.rules = r.rules(s)
	s.inputs = r.inputs(s)
	s.command = r.subprocess(s)
	o.Enum("type", "prompt")
	s.model = o.Enum("model", climpt.Models...)
	o.Check(climpt.String, "description")
	s.mode = r.Agent.Mode(o, modeByKind[s.kind])
	return s
}

// identity checks that stepId equals the key of the object.
func (r *registry) identity(o climpt.Fields, report func(at climpt.Place, code, message, suggestion string)) {
	if id := o.String("stepId"); id != "" && id != o.Key() {
		report(o.At("stepId"), "id-mismatch", fmt.Sprintf("the stepId %q is not the key %q", id, o.Key()), "give both the same name")
	}
}

func (r *registry) naming(s *step) {
	if s.name = s.String("name"); s.Has("name") {
		s.Require("name")
	}
	if !s.Has("name") {
		s.name = s.id
		r.Warn(s.Place(), "defaulted", s.id+" has no name: its id is shown", `add "name"`)
	}
	first, rest, dotted := strings.Cut(s.id, ".")
	second, _, _ := strings.Cut(rest, ".")
	if dotted && s.c2 != "" && s.c3 != "" && (first != s.c2 || second != s.c3) {
		r.Warn(s.At("stepId"), "name-mismatch", fmt.Sprintf("%s is not named after its c2 %q and c3 %q", s.id, s.c2, s.c3), fmt.Sprintf("a usual name is %s.%s", s.c2, s.c3))
	}
}

// kind sets the step's kind from stepKind or from c2.
func (r *registry) kind(s *step) {
	s.kind = s.Enum("stepKind", kinds...)
	if !s.Has("stepKind") {
		s.kind = kindByC2[s.c2]
		if s.Has("structuredGate") {
			r.Warn(s.Place(), "kind-inferred", fmt.Sprintf("%s has a gate and no stepKind; it is treated as %s", s.id, kindOrAny(s.kind)), `add "stepKind"`)
		}
	}
}

func kindOrAny(kind string) string {
	if kind == "" {
		return "one that may use every intent"
	}
	return kind
}

// variables returns the names in uvVariables. Items that are not names are ignored.
func variables(v *climpt.Value) []string {
	var out []string
	for _, item := range v.Items() {
		if item.Is(climpt.String) {
			out = append(out, strings.TrimPrefix(item.Text(), "uv-"))
		}
	}
	return out
}

func (r *registry) inputs(s *step) []input {
	var out []input
	for _, o := range s.Objects("inputs") {
		in := input{Fields: o, name: o.Key(), required: o.Bool("required", true)}
		if from := o.String("from"); from != "" {
			at := strings.LastIndexByte(from, '.')
			if at <= 0 || at == len(from)-1 {
				r.Error(o.At("from"), "bad-type", fmt.Sprintf("from is %q", from), "write it like initial.issue.status: a step and a key of its output")
				continue
			}
			in.step, in.key = from[:at], from[at+1:]
			in.name = strings.ReplaceAll(in.step, ".", "_") + "_" + in.key
		}
		if v := o.Get("default"); v != nil {
			text := v.Plain()
			in.defaultValue = &text
		}
		out = append(out, in)
	}
	return out
}

func (r *registry) subprocess(s *step) *subprocess {
	o := s.Object("runner")
	if o.Value == nil {
		return nil
	}
	o.Require("command")
	if s.kind != closure {
		r.Error(o.Place(), "bad-type", "runner is for closure steps only", "remove it, or make the step a closure")
	}
	c := &subprocess{Fields: o, command: o.String("command"), args: o.Strings("args"), timeout: 30_000}
	if v := o.Get("timeout"); v != nil {
		n, ok := v.Int()
		if !ok || n < 1 {
			r.Error(v.Place(), "bad-type", "timeout is not a whole number of milliseconds", "write it like 30000")
		} else {
			c.timeout = n
		}
	}
	return c
}

func span(p climpt.Place) plan.Span {
	return plan.Span{Line: max(p.Line, 1), Column: max(p.Column, 1), End: max(p.Line, 1)}
}
