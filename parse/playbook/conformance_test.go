package playbook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// vector is the expected result of a document, in the JSON of the specification's test vectors.
type vector struct {
	Valid      bool              `json:"valid"`
	Definition *vectorDefinition `json:"definition"`
	Warnings   []vectorProblem   `json:"warnings"`
	Errors     []vectorProblem   `json:"errors"`
}

type vectorProblem struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

type vectorDefinition struct {
	Title       string        `json:"title"`
	Description string        `json:"description"`
	System      string        `json:"system_prompt"`
	Inputs      []vectorInput `json:"inputs"`
	Steps       []vectorStep  `json:"steps"`
	Artifact    string        `json:"artifact_type"`
}

type vectorInput struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Default     string   `json:"default"`
	Options     []string `json:"options"`
	Description string   `json:"description"`
	Required    bool     `json:"required"`
	Line        int      `json:"line"`
}

type vectorStep struct {
	Number      int            `json:"number"`
	Label       string         `json:"label"`
	Title       string         `json:"title"`
	Content     string         `json:"content"`
	OutputVar   string         `json:"output_var"`
	OutputType  string         `json:"output_type"`
	Options     []string       `json:"output_options"`
	Extract     string         `json:"extract_field"`
	Elicitation *vectorElicit  `json:"elicitation"`
	Prompt      *vectorPrompt  `json:"prompt_ref"`
	Tool        *vectorTool    `json:"tool_call"`
	Branching   bool           `json:"is_branching"`
	Branches    []vectorBranch `json:"branches"`
	Line        int            `json:"line"`
}

type vectorElicit struct {
	Type    string   `json:"type"`
	Prompt  string   `json:"prompt"`
	Options []string `json:"options"`
}

type vectorPrompt struct {
	ID string `json:"prompt_id"`
}

type vectorTool struct {
	Connection string `json:"connection_name"`
	Tool       string `json:"tool_name"`
	Arguments  string `json:"arguments"`
}

type vectorBranch struct {
	Condition *vectorCondition `json:"condition"`
	Steps     []vectorStep     `json:"steps"`
}

type vectorCondition struct {
	Variable string `json:"variable"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
	Source   string `json:"source"`
}

// TestConformance compares documents from outside this project with their expected results, field by field. CASES is
// their folder.
func TestConformance(t *testing.T) {
	cases := os.Getenv("CASES")
	if cases == "" {
		t.Skip("CASES is not set: make conformance CASES=DIR")
	}
	for _, file := range glob(t, filepath.Join(cases, "playbook", "vectors", "*.playbook.md")) {
		t.Run("vectors/"+filepath.Base(file), func(t *testing.T) { matchesVector(t, file) })
	}
	for _, file := range glob(t, filepath.Join(cases, "playbook", "gallery", "*.md")) {
		t.Run("gallery/"+filepath.Base(file), func(t *testing.T) {
			source := slurp(t, file)
			if !LooksLikePlaybook(source) {
				t.Error("it is not recognized as a playbook")
			}
			for _, d := range Parse(file, source, Options{}).Diagnostics {
				if d.Severity != plan.Info {
					t.Error(d)
				}
			}
		})
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents %s: %v", pattern, err)
	}
	return files
}

func slurp(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func matchesVector(t *testing.T, file string) {
	base := strings.TrimSuffix(file, ".playbook.md")
	expected := base + ".expected.json"
	if _, err := os.Stat(expected); err != nil {
		expected = base + ".errors.json"
	}
	var want vector
	dec := json.NewDecoder(strings.NewReader(string(slurp(t, expected))))
	dec.DisallowUnknownFields() // an unknown field would otherwise go uncompared
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	p := Parse(file, slurp(t, file), Options{})
	if p.Runnable() != want.Valid {
		t.Errorf("valid: %v, want %v", p.Runnable(), want.Valid)
	}
	compare(t, "warnings", lines(p, plan.Warning), problemLines(want.Warnings))
	if n := len(lines(p, plan.Error)); n < len(want.Errors) || n > 0 && want.Valid {
		t.Errorf("%d errors, want %d: %v", n, len(want.Errors), p.Diagnostics)
	}
	if want.Definition != nil {
		got, wanted := reflect.ValueOf(defined(p)), reflect.ValueOf(*want.Definition)
		for i := range got.NumField() {
			compare(t, got.Type().Field(i).Name, got.Field(i).Interface(), wanted.Field(i).Interface())
		}
	}
}

func compare(t *testing.T, name string, got, want any) {
	t.Helper()
	g, _ := json.MarshalIndent(got, "", "  ")
	w, _ := json.MarshalIndent(want, "", "  ")
	if string(g) != string(w) {
		t.Errorf("%s: got %s\nwant %s", name, g, w)
	}
}

func lines(p *plan.Plan, severity plan.Severity) []int {
	out := []int{}
	for _, d := range p.Diagnostics {
		if d.Severity == severity {
			out = append(out, d.Line)
		}
	}
	return out
}

func problemLines(ps []vectorProblem) []int {
	out := []int{}
	for _, p := range ps {
		out = append(out, p.Line)
	}
	return out
}

// defined returns a Plan as a definition of the test vectors.
func defined(p *plan.Plan) vectorDefinition {
	d := vectorDefinition{
		Title: p.Title, Description: p.Description, System: plan.SourceText(p.SystemPrompt),
		Inputs: []vectorInput{}, Steps: vectorSteps(p.Steps), Artifact: plan.SourceText(p.ArtifactType),
	}
	for _, in := range p.Inputs {
		d.Inputs = append(d.Inputs, vectorInput{
			Name: in.Name, Type: in.Type, Default: in.Default, Options: in.Options, Description: in.Description, Required: in.Required, Line: in.DeclaredAt.Span.Line,
		})
	}
	return d
}

func vectorSteps(steps []*plan.Step) []vectorStep {
	out := []vectorStep{}
	for _, s := range steps {
		v := vectorStep{Number: *s.Number, Label: s.ID, Title: s.Title, Content: plan.SourceText(s.Text), Line: s.Span.Line}
		if s.Label != nil {
			v.Label = plan.SourceText(s.Label)
		}
		for _, a := range s.Actions {
			v.action(a)
		}
		for _, arm := range s.Children {
			v.Branching = true
			b := vectorBranch{Steps: vectorSteps(arm.Children)}
			if w := arm.ArmTest; w != nil {
				b.Condition = &vectorCondition{w.Path[0], map[plan.Op]string{plan.OpEqual: "==", plan.OpNotEqual: "!="}[w.Op], w.Value, w.VariableSource}
			}
			v.Branches = append(v.Branches, b)
		}
		out = append(out, v)
	}
	return out
}

func (v *vectorStep) action(a plan.Action) {
	switch w := a.Work.(type) {
	case plan.Ask:
		f := w.Fields[0]
		v.Elicitation = &vectorElicit{f.Type, plan.SourceText(f.Prompt), f.Options}
	case plan.Fetch:
		v.Prompt = &vectorPrompt{strings.TrimPrefix(w.Scheme+":"+plan.SourceText(w.Ref), ":")}
	case plan.Tool:
		v.Tool = &vectorTool{w.Server, w.Name, plan.SourceText(w.Args)}
	case plan.JudgeOnly:
		d := a.Judge.(plan.Describer).Describe()
		v.OutputVar, v.OutputType, v.Options, v.Extract = d.Variable, d.Type, d.Options, d.ExtractedField
	case plan.Model:
		if ref, _ := w.Prompt.(plan.ReferringPrompt).Reference(); ref != "" {
			v.Prompt = &vectorPrompt{ref}
		}
	}
}
