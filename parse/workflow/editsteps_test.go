package workflow_test

import (
	"strings"
	"testing"

	"playhead/parse/plan"
	"playhead/parse/workflow"
)

const listed = "# Count\n\n### 🔧 WORKFLOW STEP: List\n```\nList them.\n```\n\n### 🛠️ TOOL: list\n\n### 🔧 WORKFLOW STEP: Tell\n```\nTell.\n```\n\n### 🛠️ TOOL: notify\n"

// TestEditSteps: an edit needs no renumbering, because steps have no numbers and no references. The text of a new step
// becomes a fenced block, and its parts become headings.
func TestEditSteps(t *testing.T) {
	p := workflow.Parse("count.md", []byte(listed), workflow.Options{})
	second := p.Steps[len(p.Steps)-1].ID
	for name, c := range map[string]struct {
		edit   plan.StepEdit
		titles string
		text   string
	}{
		"insert": {
			plan.StepEdit{Verb: plan.InsertStep, Text: "Check\nLook at it.\nTwice.\nTOOL: look\nASSERT:\n- it is there"}, "List, Check, Tell",
			"### 🔧 WORKFLOW STEP: Check\n```\nLook at it.\nTwice.\n```\n\n### 🛠️ TOOL: look\n\n### ✅ ASSERT:\n- it is there\n",
		},
		"insert after":    {plan.StepEdit{Verb: plan.InsertStep, After: true, Text: "Check\nTOOL: look"}, "List, Tell, Check", "```\nCheck\n```"},
		"insert a whole":  {plan.StepEdit{Verb: plan.InsertStep, Text: "### 🔧 WORKFLOW STEP: Check\n```\nLook.\n```\n### 🛠️ TOOL: look"}, "List, Check, Tell", "### 🛠️ TOOL: look\n"},
		"duplicate":       {plan.StepEdit{Verb: plan.DuplicateStep}, "List, Tell, Tell (copy)", "### 🛠️ TOOL: notify\n\n### 🔧 WORKFLOW STEP: Tell (copy)"},
		"remove":          {plan.StepEdit{Verb: plan.RemoveStep}, "List", "List them."},
		"move":            {plan.StepEdit{Verb: plan.MoveStep, OtherStep: "1"}, "Tell, List", "List them."},
		"words, no parts": {plan.StepEdit{Verb: plan.InsertStep, Text: "Check\nOutput: a list.\nTOOL: look"}, "List, Check, Tell", "```\nOutput: a list.\n```"},
	} {
		t.Run(name, func(t *testing.T) {
			c.edit.Step = second
			text, err := workflow.EditSteps(p, c.edit)
			if err != nil {
				t.Fatal(err)
			}
			now := workflow.Parse("count.md", []byte(text), workflow.Options{})
			var titles []string
			for _, s := range now.Steps {
				titles = append(titles, s.Title)
			}
			if got := strings.Join(titles, ", "); got != c.titles || !now.Runnable() || !strings.Contains(text, c.text) {
				t.Errorf("%s, %v:\n%s", got, now.Diagnostics, text)
			}
		})
	}
}

// TestEditStepsOfSections: the heading of the next section stays where it is.
func TestEditStepsOfSections(t *testing.T) {
	const titled = "# Count\n\n## First\n\n### 🔧 WORKFLOW STEP: List\n```\nList them.\n```\n\n### 🛠️ TOOL: list\n\n## Second\n\n### 🔧 WORKFLOW STEP: Tell\n```\nTell.\n```\n\n### 🛠️ TOOL: notify\n\n## Notes\n\nRead them.\n"
	p := workflow.Parse("count.md", []byte(titled), workflow.Options{})
	for verb, want := range map[plan.StepVerb]string{
		plan.DuplicateStep: "list\n\n### 🔧 WORKFLOW STEP: List (copy)\n```\nList them.\n```\n\n### 🛠️ TOOL: list\n\n## Second\n\n### 🔧 WORKFLOW STEP: Tell",
		plan.InsertStep:    "list\n\n### 🔧 WORKFLOW STEP: Check\n```\nCheck\n```\n\n### 🛠️ TOOL: look\n\n## Second\n",
	} {
		text, err := workflow.EditSteps(p, plan.StepEdit{Verb: verb, Step: "1", After: true, Text: "Check\nTOOL: look"})
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v:\n%s", err, text)
		}
	}
	if text, err := workflow.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: "2"}); err != nil || !strings.HasSuffix(text, "TOOL: notify\n\n## Notes\n\nRead them.\n") {
		t.Errorf("%v:\n%s", err, text)
	}
}
