package machine

import (
	"os"
	"strings"
	"testing"
)

// TestEventsAreDocumented: docs/json.md names every kind of event.
func TestEventsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for kind := range newBodyByType {
		if !strings.Contains(string(page), "`"+kind+"`") {
			t.Errorf("docs/json.md does not name %s", kind)
		}
	}
}
