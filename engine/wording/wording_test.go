package wording

import (
	"testing"
	"time"
)

// TestDurationsThatRoundToNothing: a duration that rounds to 0.0s has no text.
func TestDurationsThatRoundToNothing(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "", 0: "", 49 * time.Millisecond: "", 50 * time.Millisecond: "0.1s", 3200 * time.Millisecond: "3.2s",
	} {
		if seconds, column := SecondsText(d), ColumnDuration(d); seconds != want || column != want {
			t.Errorf("%v: %q and %q, want %q", d, seconds, column, want)
		}
	}
}

// TestFinalOutputText: the text names the step of the final output, unless the document no longer has this step.
func TestFinalOutputText(t *testing.T) {
	for step, want := range map[string]string{"3": "text, from step 3", "": "text"} {
		if got := FinalOutputText("text", step); got != want {
			t.Errorf("step %q: %q, want %q", step, got, want)
		}
	}
}
