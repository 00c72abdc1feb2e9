package match_test

import (
	"strings"
	"testing"

	"playhead/engine/match"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

// playbookChanges returns the changes between two playbooks, one on a line.
func playbookChanges(before, after string) (m *match.Match, changes string) {
	parse := func(text string) *plan.Plan {
		return playbook.Parse("a.playbook.md", []byte("# A\n"+text), playbook.Options{})
	}
	m = match.Documents(parse(before), parse(after), nil)
	for _, c := range m.AllChanges() {
		changes += wording.ChangeText(c) + "\n"
	}
	return m, changes
}

// TestRenumberedStep: the label of a step is part of the document, so another one is a change, unless it only follows from
// the steps before it.
func TestRenumberedStep(t *testing.T) {
	const question, text = "@elicit(confirm, \"two?\")\n", "Say {{__elicit_step_2}}.\n"
	const first, last = "## STEP 1: A\n@elicit(input, \"one?\")\n", "## STEP 3: D\n" + text
	const branch = "Act.\n```if a == \"b\"```\n### STEP 2a: Sub\nGo.\n```endif```\n"
	for _, c := range []struct{ name, before, after, summary, changes string }{
		{"another number", first + "## STEP 2: C\n" + question + last, first + "## STEP 5: C\n" + question + last, "1 step", "5 C: label (was 2)\n"},
		{"inserted before", first + "## STEP 2: C\n" + question, first + "## STEP 2: B\nBe.\n## STEP 3: C\n" + question, "1 step", "2 B: added\n"},
		{"around a substep", "## STEP 2: C\n" + branch, "## STEP 5: C\n" + branch, "1 step", "5 C: label (was 2)\n"},
	} {
		if m, changes := playbookChanges(c.before, c.after); m.Summary() != c.summary || changes != c.changes {
			t.Errorf("%s: %q, want %q; changed:\n%s", c.name, m.Summary(), c.summary, changes)
		}
	}
}

// TestRepeatedNumberCorrected: a step whose number was that of another one is the only change when it gets its own number.
// The answer to the other step keeps its name.
func TestRepeatedNumberCorrected(t *testing.T) {
	const before = "## STEP 1: A\n@elicit(input, \"one?\")\n## STEP 1: B\n@elicit(confirm, \"two?\")\n## STEP 2: C\nSay it.\n"
	after := strings.Replace(before, "1: B", "3: Bee", 1)
	m, changes := playbookChanges(before, after)
	if want := "3 Bee: title, label (was 1~2)\n"; changes != want || m.Summary() != "1 step" {
		t.Errorf("%q, changed:\n%s\nwant:\n%s", m.Summary(), changes, want)
	}
	if names := m.FindDocument("").RenamedVariables(); len(names) > 0 {
		t.Errorf("renamed: %v", names)
	}
}

// TestRepeatedNumberTyped: the answers to several steps that get one number keep their names, because only one of them
// could have the new one.
func TestRepeatedNumberTyped(t *testing.T) {
	const before = "## STEP 1: A\n@elicit(input, \"one?\")\n## STEP 2: B\n@elicit(input, \"two?\")\n"
	for name, after := range map[string]string{
		"of another step": strings.Replace(before, "1: A", "2: A", 1),
		"new to both":     strings.NewReplacer("1: A", "3: A", "2: B", "3: B").Replace(before),
	} {
		m, _ := playbookChanges(before, after)
		if names := m.FindDocument("").RenamedVariables(); len(names) > 0 {
			t.Errorf("%s: renamed: %v", name, names)
		}
	}
}
