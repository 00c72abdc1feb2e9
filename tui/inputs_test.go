package tui

import (
	"slices"
	"testing"
	"testing/fstest"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"playhead/engine"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/typeahead"
)

// demanding is a document with an input of every type.
const demanding = "# Report\n\n## INPUTS\n- `service` (enum: checkout, search, mail): The service it is about\n" +
	"- `visitors` (number): How many visitors are affected, per hour\n- `urgent` (boolean: true): Whether somebody is to be woken\n" +
	"- `report` (text): What was reported, in the reporter's words\n- `who` (string: the people on call): Who reads it\n\n" +
	"## STEP 1: Read\n@elicit(confirm, \"Is {{service}} meant?\")\n"

func openInputsForm(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := playbookOf(t, "report.playbook.md", demanding)
	return open(t, p, w, h, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
}

func TestInputsForm(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openInputsForm(t, w, h)
		sc.press("j")
		return sc
	})
}

func TestInputsFormText(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openInputsForm(t, w, h)
		sc.press("2")
		sc.write("400")
		sc.press("enter")
		sc.write("Since 09:40 the search answers nothing.")
		return sc
	})
}

var back = tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}

// TestUnansweredChoice: an input with choices shows no value until a person chooses one.
func TestUnansweredChoice(t *testing.T) {
	p := playbookOf(t, "a.playbook.md", "# A\n\n## INPUTS\n- `name` (string): N\n- `kind` (enum: a, b): K\n- `loud` (boolean): L\n\n## STEP 1: Read\nRead {{name}} {{kind}} {{loud}}.\n")
	sc := open(t, p, 80, 24, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
	sc.want("kind = (required)", "loud = (required)")
	sc.write("x")
	sc.press("enter", "2")
	sc.want("kind = b", "input 3 of 3")
	sc.press("tab")
	sc.want("loud = (required)")
	sc.press("enter")
	sc.want("input 3 of 3")
	sc.press("space", "tab")
	sc.want("loud = yes")
}

func TestInputsAreChecked(t *testing.T) {
	sc := openInputsForm(t, 80, 24)
	sc.press("enter")
	sc.want("visitors (a number, required)", "input 2 of 5", "report = (required)")
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
	sc.press("enter")
	sc.want("input 4 of 5", "ctrl+s start the run", "tab next") // urgent has a value and was skipped
	sc.send(back)
	sc.want("input 3 of 5", "▌ yes", "visitors = 4e2", "who = the people on call")
	sc.press("space", "up")
	sc.want("› 4e2", "urgent = no")
	sc.send(back)
	sc.want("▌ 1 checkout")
	sc.press("esc")
	sc.want("Nothing runs until you give the inputs")
	sc.press("c", "a", "3", "enter")
	sc.want("4e2", "Enter was ignored: key 3 already answered the previous question.")
	sc.want("input 4 of 5") // visitors has a value already
	sc.press("ctrl+s")
	sc.want("This input is required")
	sc.send(tea.PasteMsg{Content: "It is down.\nReally."})
	sc.press("tab")
	if sc.s != nil {
		t.Fatal("started without all inputs")
	}
	sc.want("› the people on call", "input 5 of 5", "enter start the run")
	sc.press("tab")
	sc.want("input 1 of 5", "▌ 3 mail")
	sc.send(back)
	sc.want("input 1 of 5")
	sc.press("tab", "tab", "tab", "tab")
	sc.want("› the people on call", "input 5 of 5")
	sc.press("enter")
	want := map[string]string{
		"service": "mail", "visitors": "4e2", "urgent": "false", "report": "It is down.\nReally.", "who": "the people on call",
	}
	if d := cmp.Diff(want, sc.inputs); d != "" || sc.s == nil || sc.s.status.State != engine.Waiting {
		t.Error(d)
	}
}

// TestKeyThatStartsTheRun: in a form with a text, one key starts the run from every field, and the last line names
// the key of each field on the smallest screen too.
func TestKeyThatStartsTheRun(t *testing.T) {
	p := playbookOf(t, "letter.playbook.md", "# Letter\n\n## INPUTS\n- `words` (number: 80)\n- `letter` (text: hello)\n\n## STEP 1: Sort\n@elicit(confirm, \"Now?\")\n")
	for _, field := range []struct {
		tabs int
		hint string
	}{{0, "enter start the run"}, {1, "ctrl+s start the run"}, {2, "enter start the run"}} {
		sc := open(t, p, 60, 16, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
		for range field.tabs {
			sc.press("tab")
		}
		sc.want(field.hint)
		sc.press("ctrl+s")
		if sc.s == nil {
			t.Errorf("ctrl+s does not start the run after %d tabs", field.tabs)
		}
	}
}

// TestOneInputIsChangedBeforeTheRun: a person who goes back to change an input can start the run from there.
func TestOneInputIsChangedBeforeTheRun(t *testing.T) {
	p := playbookOf(t, "letter.playbook.md", "# Letter\n\n## INPUTS\n- `letter` (text)\n- `tone` (string)\n\n## STEP 1: Sort\n@elicit(confirm, \"Now?\")\n")
	sc := open(t, p, 60, 16, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
	sc.write("Hello")
	sc.want("ctrl+s next")
	sc.press("ctrl+s")
	sc.write("warm")
	sc.want("enter start the run")
	sc.press("tab")
	sc.write("!")
	sc.want("│ letter  ", "ctrl+s start the run")
	sc.press("ctrl+s")
	if d := cmp.Diff(map[string]string{"letter": "Hello!", "tone": "warm"}, sc.inputs); d != "" {
		t.Error(d)
	}
}

// TestPresetInputs: the form does not ask for inputs that have values before the run, but a person can open and change
// them.
func TestPresetInputs(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", demanding)
	given := slices.Clone(p.Inputs)
	given[0].Default, given[1].Default, given[3].Default = "search", "400", "It is down."
	sc := open(t, p, 80, 24, func(c *Config) { c.Inputs, c.IsTrusted = given, false })
	sc.want("Trust this document?", "T inputs: service = search, visitors = 400")
	sc.press("T")
	sc.want("▌ 2 search", "visitors = 400", "urgent = yes", "report = It is down.", "who = the people on call", "esc back")
	sc.press("tab", "5", "esc", "T")
	sc.want("visitors = 400") // esc has changed nothing
	sc.press("tab", "5", "tab", "space", "enter")
	sc.want("Trust this document?", "visitors = 4005", "The run will start with these inputs.")
	sc.press("T")
	sc.want("visitors = 4005", "urgent = no")
	sc.press("esc", "y")
	want := map[string]string{
		"service": "search", "visitors": "4005", "urgent": "false", "report": "It is down.", "who": "the people on call",
	}
	if d := cmp.Diff(want, sc.inputs); d != "" || sc.s == nil {
		t.Error(d)
	}
}

// TestInputsBeforeTheFirstStep: while a run is paused before its first step, its inputs can still be changed.
func TestInputsBeforeTheFirstStep(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", "# R\n\n## INPUTS\n- `tone` (string: formal)\n- `far` (boolean: true)\n\n## STEP 1: Read\n@elicit(confirm, \"{{tone}}?\")\n## STEP 2: End\n@elicit(confirm, \"Now?\")\n")
	sc := open(t, p, 80, 24, func(c *Config) { c.Inputs, c.IsTrusted = p.Inputs, false })
	sc.press("T", "enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("s")
	sc.want("paused", "T inputs")
	sc.press("T")
	sc.want("› formal", "far = yes")
	sc.press("backspace", "backspace", "enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("n")
	sc.want("form?")
	sc.press("esc", "T")
	sc.want("The run has started. Press v, then press 4, then press e to change a value.")
	sc.press("v", "1", "T")
	sc.want("The run has started. Press 4, then press e to change a value.")
	sc.press("4", "T")
	sc.want("The run has started. Press e to change a value.")
}

// TestNoInputsToChange: after a run without variables has started, T says that there is no value to change.
func TestNoInputsToChange(t *testing.T) {
	sc := openAtQuestion(t, 80, 24)
	sc.press("esc", "T")
	sc.want("The run has started, and it has no variables to change.")
}

// TestTrustThenInputs: the question about trust comes before the questions for inputs.
func TestTrustThenInputs(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", demanding)
	remembered := 0
	sc := open(t, p, 80, 24, func(c *Config) {
		c.Inputs, c.AskInputs, c.IsTrusted = []plan.Input{{Name: "who", Type: "string"}}, true, false
		c.RememberTrust = func() error { remembered++; return nil }
	})
	sc.press("y")
	sc.want("who (optional)")
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

// TestEmptyInputs: the empty text is accepted as a value after a confirmation (workflow.md §4).
func TestEmptyInputs(t *testing.T) {
	sc := open(t, needyPlan(), 80, 24, func(c *Config) { c.Inputs, c.AskInputs = needyPlan().Inputs, true })
	sc.press("enter")
	sc.want("HOST", "The text is empty")
	sc.write("d")
	sc.press("backspace", "enter")
	sc.want("HOST", "The text is empty")
	sc.press("enter")
	sc.want("PATH")
	sc.write("/")
	sc.press("enter")
	if d := cmp.Diff(map[string]string{"HOST": "", "PATH": "/"}, sc.inputs); d != "" {
		t.Error(d)
	}
}

// TestMissingValues: a step asks for all inputs without a value in one form (workflow.md §4, §8).
func TestMissingValues(t *testing.T) {
	sc := open(t, needyPlan(), 80, 24)
	sc.want("The step needs 2 values first", "HOST", "Machine to look at")
	sc.press("enter", "enter")
	sc.want("PATH", "Where on it")
	sc.write("/srv")
	sc.press("enter")
	if vars := sc.m.timeline.ShownTrack.Variables; len(vars) != 2 || vars[0].Value != "" || vars[1].Value != "/srv" {
		t.Errorf("%+v", vars)
	}
}

// TestMissingValueReportedOtherwise: if a report has a value that the step does not declare, the report and the
// question for the declared value both show it.
func TestMissingValueReportedOtherwise(t *testing.T) {
	doc := "### 🔧 WORKFLOW STEP: Find\n```\nFind it.\n```\n### 🛠️ TOOL: list\n### 📤 OUTPUTS:\n- archives[0].id → ARCHIVE\n" +
		"### 🔧 WORKFLOW STEP: Verify\n```\nVerify [ARCHIVE].\n```\n### 🛠️ TOOL: list\n### 📥 INPUTS:\n- ARCHIVE: Found before\n"
	sc := open(t, backup("# Backup\n\n"+doc), 120, 40)
	sc.endCall(0, plan.Product{ToolCalls: []plan.ToolCall{{ID: "a", Name: "report_step_result", Arguments: `{"step_number": 0, "status": "passed", "output_variables": {"ARCHIVE_ID": "a-91"}}`}}})
	sc.want("The step needs 1 value first", "Find did not report ARCHIVE. It reported ARCHIVE_ID = a-91 instead.", "ARCHIVE_ID = a-91 · not declared")
}

// TestSecretText: a person enters a secret of several lines like any text. It is masked when it is typed and when it is
// pasted, even if it cannot be edited in the dialog.
func TestSecretText(t *testing.T) {
	p := playbookOf(t, "report.playbook.md", "# R\n\n## INPUTS\n- `key` (text): The deploy key\n\n## STEP 1: Read\n@elicit(confirm, \"Now?\")\n")
	sc := open(t, p, 80, 24, func(c *Config) { c.Inputs, c.AskInputs, c.SecretNames = p.Inputs, true, []string{"key"} })
	sc.want("key (hidden, required)")
	sc.send(tea.PasteMsg{Content: "hunter2\nhunter3"})
	sc.press("up", "home")
	sc.write("x")
	sc.want("› ******** ", "› ******* ")
	sc.wantNot("hunter", "ctrl+e")
	sc.press("ctrl+e")
	sc.wantNot("hunter")
	sc.send(tea.PasteMsg{Content: "\thunter4"})
	sc.want("in 2 lines) cannot be edited", "here. Press backspace to delete it.")
	sc.wantNot("hunter", "ctrl+e edits")
	sc.press("backspace")
	sc.write("other")
	sc.press("ctrl+s")
	if d := cmp.Diff(map[string]string{"key": "other"}, sc.inputs); d != "" {
		t.Error(d)
	}
	sc.want("the secret key is shorter than 8 characters")
}
