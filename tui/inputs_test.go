package tui

import (
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"playhead/engine"
	"playhead/parse"
	"playhead/parse/plan"
)

// demanding has an input of every type.
const demanding = "# Report\n\n## INPUTS\n- `service` (enum: checkout, search, mail): The service it is about\n" +
	"- `visitors` (number): How many visitors are affected, per hour\n- `urgent` (boolean: true): Whether somebody is to be woken\n" +
	"- `report` (text): What was reported, in the reporter's words\n- `who` (string: the people on call): Who reads it\n\n" +
	"## STEP 1: Read\n@elicit(confirm, \"Is {{service}} meant?\")\n"

func inputForm(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := playbookOf(t, "report.playbook.md", demanding)
	return open(t, p, w, h, func(c *Config) { c.Inputs = p.Inputs })
}

func TestInputsForm(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := inputForm(t, w, h)
		sc.press("j")
		return sc
	})
}

func TestInputsFormText(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := inputForm(t, w, h)
		sc.press("2")
		sc.write("400")
		sc.press("enter", "enter")
		sc.write("Since 09:40 the search answers nothing.")
		return sc
	})
}

var back = tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}

func TestInputsAreChecked(t *testing.T) {
	sc := inputForm(t, 80, 24)
	sc.press("enter")
	sc.want("visitors (number)", "input 2 of 5")
	sc.press("enter")
	sc.want("This input is required")
	sc.write("many")
	sc.press("enter")
	sc.want(`"many" is not a number`)
	for range 4 {
		sc.press("backspace")
	}
	sc.wantNot("is not a number")
	sc.write("4e2")
	sc.press("enter", "space", "up")
	sc.want("4e2")
	sc.send(back)
	sc.want("▌ 1 checkout")
	sc.press("esc")
	sc.want("Nothing runs before the inputs are given")
	sc.press("c", "a", "3", "enter")
	sc.want("4e2", "Enter was ignored: you already answered with 3.")
	sc.press("enter", "enter", "ctrl+s")
	sc.want("This input is required")
	sc.send(tea.PasteMsg{Content: "It is down.\nReally."})
	if sc.s != nil {
		t.Fatal("started without all inputs")
	}
	sc.press("ctrl+s")
	sc.want("the people on call", "enter start the run")
	sc.press("tab")
	sc.want("input 1 of 5", "▌ 3 mail")
	sc.send(back)
	sc.want("input 1 of 5")
	sc.press("tab", "tab", "tab", "tab")
	sc.want("the people on call", "input 5 of 5")
	sc.press("enter")
	want := map[string]string{
		"service": "mail", "visitors": "4e2", "urgent": "false", "report": "It is down.\nReally.", "who": "the people on call",
	}
	if d := cmp.Diff(want, sc.inputs); d != "" || sc.s == nil || sc.s.status.State != engine.Waits {
		t.Error(d)
	}
}

// TestTrustThenInputs: first whether it may run, then what it is to run with.
func TestTrustThenInputs(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", demanding)
	remembered := 0
	sc := open(t, p, 80, 24, func(c *Config) {
		c.Inputs, c.Trusted = []plan.Input{{Name: "who", Type: "string"}}, false
		c.Remember = func() error { remembered++; return nil }
	})
	sc.press("y")
	sc.want("who (string, optional)")
	sc.press("enter")
	if remembered != 1 || sc.s == nil || len(sc.inputs) != 0 {
		t.Errorf("remembered %d times, inputs %v", remembered, sc.inputs)
	}
}

// needy is a workflow whose step needs two values.
const needy = "### 🔧 WORKFLOW STEP: Look\n```\nLook.\n```\n### 🛠️ TOOL: list\n### 📥 INPUTS:\n- HOST: Machine to look at\n- PATH: Where on it\n"

func needyPlan() *plan.Plan {
	return parse.Load("look.md", parse.Options{
		FS: fstest.MapFS{"look.md": {Data: []byte(needy)}}, Flags: map[string][]string{"input": {"HOST=", "PATH="}},
	})
}

// TestEmptyInputs: the empty text is a value, of someone who means it (workflow.md §4).
func TestEmptyInputs(t *testing.T) {
	sc := open(t, needyPlan(), 80, 24, func(c *Config) { c.Inputs = needyPlan().Inputs })
	sc.press("enter")
	sc.want("HOST (string)", "again to leave it empty")
	sc.write("d")
	sc.press("backspace", "enter")
	sc.want("HOST (string)", "again to leave it empty")
	sc.press("enter")
	sc.want("PATH (string)")
	sc.write("/")
	sc.press("enter")
	if d := cmp.Diff(map[string]string{"HOST": "", "PATH": "/"}, sc.inputs); d != "" {
		t.Error(d)
	}
}

// TestMissingValues: a step waits for its inputs without a value in one form (workflow.md
// §4, §8).
func TestMissingValues(t *testing.T) {
	sc := open(t, needyPlan(), 80, 24)
	sc.want("The step needs 2 values first", "HOST", "Machine to look at")
	sc.press("enter", "enter")
	sc.want("PATH", "Where on it")
	sc.write("/srv")
	sc.press("enter")
	if vars := sc.m.timeline.Shown.Vars; len(vars) != 2 || vars[0].Value != "" || vars[1].Value != "/srv" {
		t.Errorf("%+v", vars)
	}
}

// TestSecretText: a secret of several lines is written as any text is, and nobody sees it, when
// it is typed, pasted or too long to be edited here.
func TestSecretText(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", "# R\n\n## INPUTS\n- `key` (text): The deploy key\n\n## STEP 1: Read\n@elicit(confirm, \"Now?\")\n")
	sc := open(t, p, 80, 24, func(c *Config) { c.Inputs, c.Secrets = p.Inputs, []string{"key"} })
	sc.want("key (text, hidden)")
	sc.send(tea.PasteMsg{Content: "hunter2\nhunter3"})
	sc.press("up", "home")
	sc.write("x")
	sc.want("› ******** ", "› ******* ")
	sc.wantNot("hunter", "$EDITOR")
	sc.press("ctrl+e")
	sc.wantNot("hunter")
	sc.send(tea.PasteMsg{Content: "\thunter4"})
	sc.want("in 2 lines. Press backspace to delete it.")
	sc.wantNot("hunter", "ctrl+e edits")
	sc.press("backspace")
	sc.write("other")
	sc.press("ctrl+s")
	if d := cmp.Diff(map[string]string{"key": "other"}, sc.inputs); d != "" {
		t.Error(d)
	}
	sc.want("the secret key has fewer than 8 characters")
}
