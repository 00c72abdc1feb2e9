package engine

import "testing"

// TestFillInFixedFields: a prepared report may omit required fields that have only one possible value.
func TestFillInFixedFields(t *testing.T) {
	schema := []byte(`{"required":["n","status","x"],"properties":{"n":{"enum":[2]},"status":{"enum":["a","b"]},"y":{"enum":[1]}}}`)
	for report, want := range map[string]string{
		`{"status":"a"}`:         `{"n":2,"status":"a"}`,
		`{"n":1,"status":"a"}`:   `{"n":1,"status":"a"}`,
		`{"v":1.50,"status":""}`: `{"n":2,"status":"","v":1.50}`,
		`[]`:                     `[]`,
		`null`:                   `null`,
		`x`:                      `x`,
	} {
		if got := fillInFixedFields(report, schema); got != want {
			t.Errorf("%s: %s, want %s", report, got, want)
		}
	}
	if got := fillInFixedFields(`{"a":1}`, nil); got != `{"a":1}` {
		t.Error(got)
	}
}
