package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// callingDoc returns a folder with a playbook that calls a tool of a server that does not exist.
func callingDoc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text := "# Ask\n## STEP 1: One\n@tool(desk, forecast, {\"city\": \"Oslo\"})\n@output(high: number, extract:\"high\")\n"
	if err := os.WriteFile(filepath.Join(dir, "a.playbook.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestResultIsGivenWhereNothingIsExecuted: with --prompted a person writes the result of a tool call. A result that the
// step cannot use is refused, and the step's output comes from an accepted one.
func TestResultIsGivenWhereNothingIsExecuted(t *testing.T) {
	t.Parallel()
	dir := callingDoc(t)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--prompted")
	x.sees("Write the result of forecast.")
	x.types("warm\x13")
	x.sees("the value is not a number")
	x.types("{\"high\": 21}\x13")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--prompted", "--plain")
	x.sees("[1] type the result of forecast")
	x.types(":fail no desk\n")
	x.sees("failed: step 1 failed")
	x.sees("1 failed: no desk")
}

// TestResultIsGivenInsteadOfAnotherCall: after a failed tool call, H lets a person write the result of the next
// attempt.
func TestResultIsGivenInsteadOfAnotherCall(t *testing.T) {
	t.Parallel()
	dir := callingDoc(t)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md")
	x.sees("Run it anyway?")
	x.types("y")
	x.sees("failed")
	x.types("H")
	x.sees("You will write the result of the next tool call.")
	x.types("r")
	x.sees("Run step 1 again?")
	x.types("y")
	x.sees("Write the result of forecast.")
	x.types("{\"high\": 21}\x13")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--plain", "--skip-preflight")
	x.sees("failed at 1")
	x.ends(1)
	run := strings.Fields(strings.Split(program(t, x.cmd, "runs"), "\n")[1])[0]
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "resume", run, "--plain")
	x.sees("the run is over")
	x.types(":by-hand\n:again\n")
	x.sees("You will write the result of the next tool call.")
	x.sees("[1] type the result of forecast")
	x.types("{\"high\": 21}\n")
	x.sees("completed")
}

// TestResultIsGivenForNextStep: at a pause before a step with a tool call, H announces a manual result of the call, not
// a manual reply, although the previous step calls no tool.
func TestResultIsGivenForNextStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "# Ask\n## STEP 1: City\n@elicit(input, \"Which city?\")\n## STEP 2: Forecast\n@tool(desk, forecast, {})\n"
	if err := os.WriteFile(filepath.Join(dir, "a.playbook.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags      []string
		answer, by string
	}{
		{nil, "Oslo\r", "H"},
		{[]string{"--plain"}, "Oslo\n", ":by-hand\n"},
	} {
		x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, append([]string{"a.playbook.md", "--trust", "--skip-preflight", "--break", "2"}, c.flags...)...)
		x.sees("Which city?")
		x.types(c.answer)
		x.sees("paused")
		x.types(c.by)
		x.sees("You will write the result of the next tool call.")
	}
}
