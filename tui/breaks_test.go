package tui

import (
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/tui/typeahead"
)

// TestConditionsLeadBackToTheList: after enter or esc in the dialog for a breakpoint's condition, the list of
// breakpoints shows again, with that breakpoint selected.
func TestConditionsLeadBackToTheList(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30, func(c *Config) {
		c.Breakpoints = []engine.Breakpoint{{Step: "1"}, {Step: "3"}}
	})
	sc.press("B", "g", "e", "esc")
	sc.want("BREAKPOINTS", "▌ ● 1 ")
	sc.press("e")
	sc.write(":after")
	sc.press("enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.want("BREAKPOINTS", "▌ ● 1 ", ":after")
	sc.press("x", "G", "k", "enter", "esc")
	sc.want("BREAKPOINTS", "▌ + at ")
	if len(sc.s.breaks) != 1 || sc.s.breaks[0].Step != "3" {
		t.Errorf("breakpoints %v", sc.s.breaks)
	}
}

// TestBreakpointsThatDoNotPause: disabled breakpoints and logpoints have a different sign from breakpoints that pause,
// in the tree and in the document.
func TestBreakpointsThatDoNotPause(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30, func(c *Config) {
		c.Breakpoints = []engine.Breakpoint{{Step: "1", IsDisabled: true}, {Step: "2", IsLogpoint: true}, {Step: "3", IsDisabled: true}, {Step: "3", After: true}}
	})
	for _, key := range []string{"B", "L"} {
		sc.want("▌▶◌", "◌ ▾ 2", "● ○ 3 Sum up")
		sc.press(key)
		if n := strings.Count(sc.frame(), "◌"); key == "L" && n != 2 {
			t.Errorf("%d signs in the document:\n%s", n, sc.frame())
		}
		sc.press("esc")
	}
}

// TestBreakpoint: b sets a breakpoint, which shows in the gutter and pauses the run before the step. A second b
// clears it.
func TestBreakpoint(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30)
	sc.press("G", "b")
	sc.want("● ○ 3 Sum up", "before each attempt of step 3")
	if len(sc.s.breaks) != 1 || sc.s.breaks[0] != (engine.Breakpoint{Step: "3"}) {
		t.Errorf("breakpoints %v", sc.s.breaks)
	}
	sc.press("b")
	sc.wantNot("●")
	if len(sc.s.breaks) != 0 {
		t.Errorf("breakpoints %v", sc.s.breaks)
	}
	sc.press("e")
	sc.want("Edit step 3 for this run", "Sum up.")
	sc.press("esc")
}

// TestEditValue: a person can edit a variable in the list of variables, which then marks it as set by a person.
func TestEditValue(t *testing.T) {
	sc := openAtBranch(t, 100, 30)
	sc.press("esc", "v", "4", "e")
	sc.want("Set severity", "high")
	for range 4 {
		sc.press("backspace")
	}
	sc.write("low")
	sc.press("enter")
	sc.want("▌ severity", "low", "! set by a person")
	sc.press("e", "esc")
	sc.wantNot("Set severity")
}

// TestEditStep: the action of a step can be edited for this run, and the edit shows.
func TestEditStep(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30)
	sc.press("G", "e", "ctrl+end")
	sc.write(" Twice.")
	sc.press("ctrl+s")
	sc.want("3 Sum up", "!", "Step 3 uses the edit the next time it begins.")
	sc.press("e", "ctrl+end")
	for range len("Sum up. Twice.") {
		sc.press("backspace")
	}
	sc.press("ctrl+s")
	sc.want("The edit is removed: step 3 uses the document's text")
	sc.wantNot("edited for this run")
	sc.press("g", "e")
	sc.want("Edit step 1 for this run", "Rate the report.")
}

// TestBreakList: the list shows all breakpoints, where a person can disable, remove and edit them. An invalid condition
// is refused with the reason.
func TestBreakList(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30)
	sc.press("G", "B")
	sc.want("▌ + at 3 Sum up, with a condition…", "None yet. Press enter to set one.")
	sc.press("esc", "b", "B")
	sc.want("BREAKPOINTS", "▌ ● 3 Sum up", "+ at 3 Sum up, with a condition…")
	sc.wantNot("There are none yet")
	sc.press("space")
	sc.want("▌ ◌ 3 Sum up  off")
	if len(sc.s.breaks) != 1 || !sc.s.breaks[0].IsDisabled {
		t.Errorf("breakpoints %v", sc.s.breaks)
	}
	sc.press("space", "j", "enter")
	sc.want("Breakpoint at 3, replaces 3 ─")
	sc.press("esc", "k", "e")
	sc.want("Breakpoint at 3 ─")
	sc.write(":after to nowhere")
	sc.press("enter")
	sc.want("Breakpoint at 3", `There is no step "nowhere" to go to: choose from 1, 2`)
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("ctrl+u")
	sc.write(`if sevrity == "high"`)
	sc.press("enter")
	sc.want("Breakpoint at 3", `There is no variable "sevrity": did you mean severity?`)
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("ctrl+u")
	sc.write(":after hit 2")
	sc.press("enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("B", "e", "enter")
	sc.want("Breakpoint 3:after hit 2 is already set.")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("g", "B", "k", "enter")
	sc.want("▶ ")
	sc.press("B", "x", "esc")
	sc.wantNot("●")
	if len(sc.s.breaks) != 0 {
		t.Errorf("breakpoints %v", sc.s.breaks)
	}
}

// TestNextInstanceShowsBeforeItBegins: if the run pauses before an instance, the tree shows the instance and its group
// before it begins, and a breakpoint can be set there.
func TestNextInstanceShowsBeforeItBegins(t *testing.T) {
	sc := open(t, load(t, "tenants.runbook.md", tenants), 80, 24)
	sc.press("space")
	sc.run(0, time.Second, "moved")
	sc.want("▶   ○ 1.2 Tenant", "Tenant 2 of batch 1.", "Press n to run this step", "from 1.1, line 9 → 1.2", "1 done")
	sc.press("b")
	sc.want("●   ✓ 1.1", "▶●  ○ 1.2", "before each attempt of step {N}.{n}")
	sc.press("/")
	sc.write("tenant")
	sc.want("2 of 2")
	sc.press("esc", "'")
	sc.want("▌ ○ 1.2 Tenant")
	sc.press("esc", "b", "t", "4", "k")
	sc.wantNot("1.2 Tenant")
	sc.press("t", "n")
	sc.run(1, time.Second, "locked")
	sc.press("n", "f")
	if n := strings.Count(sc.frame(), "1.2 Tenant"); n != 1 {
		t.Errorf("1.2 has %d rows\n%s", n, sc.frame())
	}
	sc.press("n", "p")
	sc.want("  ▾ 2 Batch", "▶   ○ 2.1 Tenant", "Fetch batch 2.", "Tenant 1 of batch 2.")
	sc.press("n")
	sc.want("  ▾ 2 Batch", "▶   ⠋ 2.1 Tenant")
}

// TestBreakpointBeforeTheRun: a breakpoint on the first step that is set or cleared before the run begins takes effect
// from the first event on, whichever dialog starts the run.
func TestBreakpointBeforeTheRun(t *testing.T) {
	ask := func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1", Text: "true"}}
	}
	p := load(t, "a.runbook.md", "## 1. One\n```sh\ntrue\n```\n")
	for _, keys := range [][]string{{"b", "y"}, {"esc", "b", "a", "y"}} {
		sc := open(t, p, 80, 24, ask)
		sc.press(keys...)
		sc.want("paused", "▌▶●○ 1 One")
	}
	sc := open(t, p, 80, 24, ask, func(c *Config) { c.Breakpoints = []engine.Breakpoint{{Step: "1"}} })
	sc.press("b", "y")
	sc.want("running")

	sc = openInputsForm(t, 80, 24)
	sc.press("esc", "b", "a", "enter")
	sc.write("400")
	sc.press("tab", "tab")
	sc.write("It is slow.")
	sc.press("ctrl+s")
	sc.want("paused", "▌▶●○ 1 Read")
}
