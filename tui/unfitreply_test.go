package tui

import (
	"strings"
	"testing"
)

// TestValueThatDoesNotFitItsDeclaration: a value that does not fit its declaration marks its step, and the decision
// that used the value says so.
func TestValueThatDoesNotFitItsDeclaration(t *testing.T) {
	rated := strings.Replace(branching, `severity, extract`, `severity: enum, "low", "minor", extract`, 1)
	sc := open(t, playbookOf(t, "triage.playbook.md", rated), 100, 30)
	sc.endReply(`{"severity": "high"}`)
	sc.press("esc", "g")
	sc.want("✓ 1 Rate", "△", "△ @output(severity): the value is not one of low, minor")
	sc.press("j", "4")
	sc.want(`no match: severity = "high" (the value is not one`, "of low, minor)")
}
