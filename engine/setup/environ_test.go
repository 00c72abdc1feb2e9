package setup

import (
	"strings"
	"testing"

	"playhead/engine/logs"
	"playhead/parse/plan"
)

// TestItemsOfSecretsAreMasked: an item of a secret list is masked even where it is printed alone, unless it is very
// short.
func TestItemsOfSecretsAreMasked(t *testing.T) {
	p := &plan.Plan{Inputs: []plan.Input{{Name: "list", Type: "array"}, {Name: "text", Type: "string"}}}
	for _, c := range []struct{ name, value, printed, want string }{
		{"list", "alphatoken,betatoken", "one betatoken", "one •••"},
		{"list", "alphatoken, me", "alphatoken for me", "••• for me"},
		{"undeclared", `["alphatoken","beta,token"]`, "beta,token", "•••"},
		{"text", "alphatoken,betatoken", "one betatoken", "one betatoken"},
	} {
		values, err := EnvironmentOptions{SecretNames: []string{c.name}}.maskedValues(p, map[string]any{c.name: c.value}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if warns := len(EnvironmentOptions{SecretNames: []string{c.name}}.secretWarnings(p, map[string]any{c.name: c.value})) > 0; warns != strings.HasSuffix(c.value, ", me") {
			t.Errorf("%s = %s: warned %t", c.name, c.value, warns)
		}
		if got := logs.NewSecrets(values).MaskText(c.printed); got != c.want {
			t.Errorf("%s = %s: %q", c.name, c.value, got)
		}
	}
}
