package plan

import "testing"

// TestNumbers: a number is one as people write it (playbook.md §2).
func TestNumbers(t *testing.T) {
	in := Input{Name: "n", Type: "number"}
	for _, value := range []string{"1", "-1.50", " 2 ", "1e3", ".5", "+7"} {
		if problem := in.Unfit(value); problem != "" {
			t.Errorf("%q: %s", value, problem)
		}
	}
	for _, value := range []string{"", "x", "NaN", "inf", "-Infinity", "0x10", "1_000", "1,5", "0x1p4", "1e999"} {
		if in.Unfit(value) == "" {
			t.Errorf("%q is a number", value)
		}
	}
}
