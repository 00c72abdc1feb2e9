package wording_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"playhead/engine/wording"
)

// TestResumeIsOneCommand: a shell splits the resume command into the intended arguments.
func TestResumeIsOneCommand(t *testing.T) {
	for _, arg := range []string{"4=yes", "Roll back=it's $HOME; `id`", "1=a\"b\\", "--set", "2.1=über & co", "x=", "1=*", "1=~", "1=!!", "#1=yes"} {
		got := wording.ResumeCommand("7f3a", []string{"API KEY"}, "--answer", arg)
		out, err := exec.Command("sh", "-c", `playhead() { printf '%s\n' "$@"; }; `+got).Output()
		want := []string{"resume", "7f3a", "--answer", arg, "--input", "API KEY=VALUE"}
		if lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); err != nil || !slices.Equal(lines, want) {
			t.Errorf("%s: %q, %v", got, lines, err)
		}
	}
}
