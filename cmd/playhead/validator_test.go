package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"playhead/engine/testscale"
)

// judging is an agent whose only step is a closure with one validator, check.sh. %s is the validator's onFailure.
const judging = `{"agentId": "x", "version": "1.0.0", "c1": "steps", "entryStep": "closure.x",
  "failurePatterns": {"p": {"description": "It broke", "edition": "failed"}},
  "validators": {"v": {"type": "command", "command": "exec sh ./check.sh", "successWhen": "empty", "failurePattern": "p"}},
  "validationSteps": {"closure.x": {"stepId": "closure.x", "name": "V", "c2": "retry", "c3": "x",
    "validationConditions": [{"validator": "v"}], "onFailure": %s}},
  "steps": {"closure.x": {"stepId": "closure.x", "name": "Close", "stepKind": "closure", "c2": "closure", "c3": "x",
    "structuredGate": {"allowedIntents": ["closing"], "intentSchemaRef": "#/properties/act", "intentField": "act"},
    "transitions": {"closing": {"target": null}}}}}`

// validates opens the agent with the given script as its validator.
func validates(t *testing.T, onFailure, check string, args ...string) *terminal {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "agent/steps_registry.json"), fmt.Sprintf(judging, onFailure))
	write(t, filepath.Join(dir, "agent/prompts/steps/closure/x/f_default.md"), "Close.\n")
	write(t, filepath.Join(dir, "check.sh"), check)
	write(t, filepath.Join(dir, "replies.yaml"), "closure.x: '{\"act\": \"closing\"}'\n")
	return openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, append([]string{"agent", "--trust", "--replies", "replies.yaml"}, args...)...)
}

// flood is more bytes than Playhead ever keeps of a command's output.
const flood = 100_000_000 / testscale.Divisor

// TestHostileValidators (climpt-registry.md §10): a validator that hangs is ended at its timeout, one that prints 100
// MB is read to its end, and one that kills itself or its group harms nothing else. Each fails, and the screen says
// why.
func TestHostileValidators(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ check, ended string }{
		"hangs":           {"echo begun; tail -f /dev/null\n", "timeout"},
		"prints 100 MB":   {fmt.Sprintf("head -c %d /dev/zero | tr '\\0' x\n", flood), "stdout is not empty"},
		"kills itself":    {"kill -9 $$\n", "signal KILL"},
		"kills its group": {"kill -9 0\n", "signal KILL"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{}
			if name == "hangs" {
				args = append(args, "--validator-timeout", "100ms")
			}
			x := validates(t, `{"action": "abort"}`, c.check, args...)
			x.sees("steps  1") // the summary has opened
			x.sees("closure.x Close failed: v failed (p)")
			x.types("\x1b")
			x.sees("A summary")
			x.types("4")
			x.sees("✗ v · " + c.ended)
			x.types("q")
			x.ends(exitFailed)
		})
	}
}

// TestInterruptedValidator (climpt-registry.md §10): a validator that a person interrupts and fails leads to the retry
// prompt; without attempts left, the run fails.
func TestInterruptedValidator(t *testing.T) {
	t.Parallel()
	x := validates(t, `{"action": "retry", "maxAttempts": 1}`, "echo begun; tail -f /dev/null\n")
	x.sees("begun")
	x.types("\x03")
	x.sees("What now?")
	x.types("f")
	x.sees("A check failed: p. It broke")
	x.sees("begun")
	x.types("\x03")
	x.sees("What now?")
	x.types("f")
	x.sees("closure.x Close failed: it was interrupted, and a person")
	x.sees("✗ failed") // the run has ended
	x.types("q")
	x.ends(exitFailed)
}

// TestSecretInPrompt: no screen shows a secret that is inserted into a prompt.
func TestSecretInPrompt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "agent/steps_registry.json"), fmt.Sprintf(judging, `{"action": "abort"}`))
	write(t, filepath.Join(dir, "agent/prompts/steps/closure/x/f_default.md"), "Close {uv-token}.\n")
	write(t, filepath.Join(dir, "check.sh"), "echo sesame\n")
	write(t, filepath.Join(dir, "replies.yaml"), "closure.x: '{\"act\": \"closing\", \"reason\": \"sesame\"}'\n")
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "agent", "--trust", "--replies", "replies.yaml", "--input", "token=sesame", "--secret", "token")
	x.sees("✗ failed")
	x.sees("Close •••.")
	x.sees("with     token = •••")
	x.types("q")
	x.ends(exitFailed)
	if strings.Contains(x.all(), "sesame") {
		t.Error("the secret was on the screen")
	}
}
