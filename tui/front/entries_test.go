package front

import (
	"strings"
	"testing"
	"time"
)

// TestPreviewOfADocumentWithInputs: an input that the form asks for is not told as an error.
func TestPreviewOfADocumentWithInputs(t *testing.T) {
	got := strings.Join(previewDocument("../../examples/handover.md", 78), "\n")
	if !strings.Contains(got, "Take stock") || strings.Contains(got, "error") {
		t.Error(got)
	}
}

func TestFormatAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 90 * time.Second: "1 min ago", 59 * time.Minute: "59 min ago",
		25 * time.Hour: "1 d ago", 80 * time.Hour: "3 d ago", -time.Hour: "just now",
	} {
		if got := formatAge(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
