package plan

import "testing"

// TestNumbers: a number input takes numbers in the forms that people write (playbook.md §2).
func TestNumbers(t *testing.T) {
	in := Input{Name: "n", Type: "number"}
	for _, value := range []string{"1", "-1.50", " 2 ", "1e3", ".5", "+7"} {
		if problem := in.ValueProblem(value); problem != "" {
			t.Errorf("%q: %s", value, problem)
		}
	}
	for _, value := range []string{"", "x", "NaN", "inf", "-Infinity", "0x10", "1_000", "1,5", "0x1p4", "1e999"} {
		if in.ValueProblem(value) == "" {
			t.Errorf("%q is taken for a number", value)
		}
	}
}

// TestArrays: an array input takes a JSON array or a list with commas (climpt-registry.md §2).
func TestArrays(t *testing.T) {
	p := Plan{Inputs: []Input{{Name: "l", Type: "array"}, {Name: "s", Type: "string"}}}
	for given, want := range map[string]string{`["a", "b c", 1.50, true]`: "a,b c,1.5,true", `[]`: "", "a, b": "a, b", "[a": "[a", "": ""} {
		values, _, err := p.InitialVariables(map[string]any{"l": given, "s": given})
		if err != nil || values["l"] != want || values["s"] != given {
			t.Errorf("%s: %v, %v", given, values, err)
		}
	}
}

// TestBlankInputs: where a format says so, a required input with a blank value has none (playbook.md §2).
func TestBlankInputs(t *testing.T) {
	p := Plan{Inputs: []Input{
		{Name: "none", Required: true, BlankIsMissing: true}, {Name: "optional", Default: "d", BlankIsMissing: true}, {Name: "empty", Required: true},
	}}
	values, missing, err := p.InitialVariables(map[string]any{"none": " ", "optional": "", "empty": ""})
	_, found := values["none"]
	if err != nil || found || values["optional"] != "" || values["empty"] != "" || len(missing) != 1 || missing[0].Name != "none" {
		t.Errorf("%v, missing %v, %v", values, missing, err)
	}
}
