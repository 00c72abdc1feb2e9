package prompt

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// TestTrustOfARunThatGoesOn: a run that has already begun does not accept "prompted" as an answer to the question of
// trust.
func TestTrustOfARunThatGoesOn(t *testing.T) {
	var out strings.Builder
	p := &Prompt{In: strings.NewReader("prompted\nno\n"), Out: &out}
	prompted, err := p.AskTrust(setup.Commands{Plan: &plan.Plan{}}, true)
	if prompted || err == nil || strings.Count(out.String(), "[yes/no] ") != 2 {
		t.Errorf("%v, %v: %s", prompted, err, out.String())
	}
}

// TestInputs (climpt-registry.md §2): an array typed as JSON becomes a list with commas, as after a flag. A secret is
// masked in the form in which it is used.
func TestInputs(t *testing.T) {
	tags := plan.Input{Name: "tags", Type: "array", Required: true}
	var notes []string
	p := &Prompt{
		In: strings.NewReader("[\"a\", \"b\"]\n"), Out: io.Discard,
		HideInput: func() func() { return func() {} },
		PrintNote: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) },
	}
	r := &setup.Run{MissingInputs: []plan.Input{tags}, Config: engine.Config{
		Inputs: map[string]any{}, Options: machine.Options{SecretNames: []string{"tags"}},
	}}
	if err := p.AskReplySourceAndInputs(r); err != nil {
		t.Fatal(err)
	}
	if got := r.Config.Inputs["tags"]; got != "a,b" || !slices.Equal(r.Config.Secrets, []string{"a,b", "a\nb"}) {
		t.Errorf("%v; the secrets are %q", got, r.Config.Secrets)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "the secret tags is shorter than 8 characters") {
		t.Errorf("noted %q", notes)
	}
}

// TestChoose: a number chooses, a question mark describes an option, enter takes the first, and :quit leaves.
func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		typed, says string
		want        int
		fails       bool
	}{
		{"2\n", "", 1, false},
		{"\n", "", 0, false},
		{"?2\n1\n", "more of 2", 0, false},
		{"7\n2\n", `"7" is not a number from 1 to 2.`, 1, false},
		{":help\n2\n", "Type a number from 1 to 2 (enter alone means 1), ?1 to describe 1, or :quit", 1, false},
		{":quit\n", "", 0, true},
		{"", "", 0, true},
		{"2", "", 1, false}, // the last line ends with the input
	} {
		var out strings.Builder
		p := &Prompt{In: strings.NewReader(tt.typed), Out: &out}
		got, err := p.ChooseNumber(2, func(i int) []string { return []string{fmt.Sprint("more of ", i+1)} })
		if got != tt.want || (err != nil) != tt.fails || !strings.Contains(out.String(), tt.says) {
			t.Errorf("%q: %d, %v: %s", tt.typed, got, err, out.String())
		}
	}
}
