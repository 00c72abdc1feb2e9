package tui

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/terminal"
)

// openMap returns the screen of a run with a jump by a person, with its map open. Two earlier runs are known.
func openMap(t testing.TB, w, h int) *testScreen {
	sc := open(t, release(t), w, h, func(c *Config) {
		c.FindRoutesOfOtherRuns = func(_ *plan.Plan, run string) (runs.RoutesOfOtherRuns, error) {
			if run != "7f3a" {
				t.Errorf("asked for the runs other than %q", run)
			}
			return runs.RoutesOfOtherRuns{RouteLists: [][]routes.RouteRef{
				{{Step: "1.1", RouteIndex: 0}, {Step: "1.2", RouteIndex: 0}, {Step: "1", RouteIndex: 0}, {Step: "2", RouteIndex: 0}, {Step: "3", RouteIndex: 0}},
				{{Step: "1.1", RouteIndex: 0}, {Step: "1.2", RouteIndex: 0}, {Step: "1", RouteIndex: 0}},
			}}, nil
		}
	})
	sc.run(0, 0, "/usr/bin/tar")
	sc.run(0, 0, "30298176")
	sc.run(1, 0, "connection reset by peer")
	sc.run(0, 0, "pushed")
	sc.press("esc", "1", "G", "J")
	sc.write("too late today")
	sc.press("enter", "esc", "1", "m")
	return sc
}

// TestMap: the map shows the routes between steps: those that the run took are heavy, the jump of a person is
// dotted, and those that no run took are marked.
func TestMap(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openMap(t, w, h)
		sc.press("left")
		return sc
	})
}

// TestMapMovementKeys: keys move through the rows of the map, along routes, and back.
func TestMapMovementKeys(t *testing.T) {
	sc := openMap(t, 120, 40)
	sc.want("Rollback leads to", "⇢ ! 3 Approve, overridden", "2 Push, FAIL, limit used up")
	sc.press("left")
	sc.want("3 Approve leads to")
	sc.press("left")
	sc.want("2 Push leads to", "▌   36 PASS ━▸ 3 Approve", "FAIL, 2× ━▸ again")
	sc.press("tab", "right")
	sc.want("2 Push leads to")
	sc.press("tab", "tab", "right")
	sc.want("Rollback leads to")
	sc.press("backspace", "backspace", "up")
	sc.want("1 Preflight (all) leads to")
	sc.press("tab", "right")
	sc.want("This route leads to the end of the document (stopped: not fit).")
	sc.press("/")
	sc.write("TOOLS")
	sc.want("1.1 Tools leads to", "the start")
	sc.press("enter", "b", "enter")
	sc.want("● ", "│ 1.1 Tools")
	sc.wantNot("MAP")
}

// TestMapEditKeys: on the map, e and E edit the selected route, not the selected step.
func TestMapEditKeys(t *testing.T) {
	t.Setenv("VISUAL", "vim")
	sc := openMap(t, 120, 40)
	file := sc.editorArguments()
	sc.press("left", "left", "e")
	sc.want("Edit the route of step 2 (line 36)", "› PASS: CONTINUE")
	sc.press("esc", "tab", "e")
	sc.want("Edit the route of step 2 (line 37)", "› FAIL: RETRY 2 GOTO Rollback")
	sc.press("esc", "E")
	if !strings.Contains(*file, "+37 ") {
		t.Errorf("the editor got %q", *file)
	}
}

// editorArguments returns the arguments with which the person's editor was last opened.
func (sc *testScreen) editorArguments() *string {
	out := ""
	sc.m.externalPrograms.originalPath = func(path string) (string, error) { return path, nil }
	sc.m.externalPrograms.runProgram = func(cmd *exec.Cmd, _ string, done tea.ExecCallback) tea.Cmd {
		out = strings.Join(cmd.Args, " ")
		return nil
	}
	return &out
}

// TestErrorInEditor: the editor opens at the first error of a document that cannot run.
func TestErrorInEditor(t *testing.T) {
	t.Setenv("VISUAL", "vim")
	sc := open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n"), 120, 40)
	file := sc.editorArguments()
	sc.press("E")
	if !strings.Contains(*file, "+3 ") || !strings.Contains(*file, "bad.runbook.md") {
		t.Errorf("the editor got %q", *file)
	}
}

// TestMapMarksBreakpoints: a breakpoint at a group shows at the row of its title, not at the row where its results
// are joined.
func TestMapMarksBreakpoints(t *testing.T) {
	sc := openMap(t, 120, 40)
	sc.press("g", "b", "j", "j", "b")
	sc.want("●          1 Preflight", "●    ╭─╻   ✓ 1.1 Tools", "│ ▌     ╰▸┃ ◆ 1 Preflight (all)", "before each attempt of step 1")
	sc.press("b")
	sc.wantNot("●          1 Preflight")
}

// TestHelpOfADialog: help lists the keys of a dialog, even those that do not fit on the last line, and explains
// its signs.
func TestHelpOfADialog(t *testing.T) {
	sc := openMap(t, 60, 16)
	sc.wantNot("other route")
	sc.press("?")
	sc.want("KEYS", "│ useful now", "tab    other route", "←      back", "b      set or clear a breakpoint")
	sc.press("pgdown")
	sc.want("┃ ━        a route that this run took", "◆          where a group's outcome is decided")
	sc.press("esc")
	sc.want("MAP")
	sc = openMap(t, 160, 90)
	sc.press("?")
	sc.want("KEYS", "run one step")
	sc.wantNot("next pane", "previous pane")
	for _, key := range []string{"m", "L"} { // the map and the document ignore the keys that only change panes
		sc = openMap(t, 160, 90)
		sc.press("esc", "esc", key, "?")
		sc.want("for the dialog", "run one step", "set or clear a breakpoint", "show the steps")
		sc.wantNot("wrap long lines", "scroll left", "narrow the steps pane", "next reply or call", "go back, or select", "and for all panes")
	}
	sc.press("esc", "W")
	sc.want("W does nothing here.")
	sc.press("esc", "1", "?")
	sc.want("│ useful now")
	sc.wantNot("other route")
}

// TestMapClicks: clicks select rows and routes.
func TestMapClicks(t *testing.T) {
	sc := openMap(t, 120, 40)
	row := func(text string) int {
		for y, line := range strings.Split(sc.frame(), "\n") {
			if strings.Contains(line, text) {
				return y
			}
		}
		t.Fatalf("no line has %q", text)
		return 0
	}
	sc.send(tea.MouseClickMsg{X: 20, Y: row("2 Push"), Button: tea.MouseLeft})
	sc.want("2 Push leads to")
	sc.send(tea.MouseClickMsg{X: 90, Y: row("FAIL, limit used up"), Button: tea.MouseLeft})
	sc.press("right")
	sc.want("Rollback leads to")
}

// TestMapFollowsTheRun: the open map shows what happens in the run, and the earlier moment that a person views.
func TestMapFollowsTheRun(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("m")
	sc.want("0 of 9 routes taken")
	sc.run(0, 0, "ok")
	sc.run(0, 0, "ok")
	sc.want("1 of 9 routes taken")
	sc.run(0, 0, "ok")
	sc.press("esc", "t", "4", "g", "m")
	sc.want("0 of 9 routes taken")
}

// TestWhomTheRunWaitsFor: only the screen that controls the run says "waits for you"; a watching screen says "waits for
// a person".
func TestWhomTheRunWaitsFor(t *testing.T) {
	sc := open(t, load(t, "one.runbook.md", "# One\n## 1. Ask\nfine?\n"), 120, 40)
	sc.press("esc", "m")
	sc.want("waits for you · entered 1 time", "─ waits for you ╮")
	sc.s.status.Controller = "playhead attach"
	sc.send(sc.s.Take())
	sc.want("waits for a person · entered 1 time", "watching · waits for a person ╮")
	sc.wantNot("waits for you")
	sc.press("esc")
	sc.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	sc.want("╰ R take control  q quit  ")
}

// TestFaintLinesOfTheSelectedRow: the selected row has no lines in the colour of borders, because that is too faint
// there.
func TestFaintLinesOfTheSelectedRow(t *testing.T) {
	sc := openMap(t, 120, 40)
	sc.press("k")
	colour, _, _ := strings.Cut(strings.TrimPrefix(sc.m.drawContext.Border.Paint("│"), "\x1b["), "m")
	found := false
	for line := range strings.SplitSeq(sc.m.View().Content, "\n") {
		_, row, _ := strings.Cut(line, "▌")
		lanes, _, _ := strings.Cut(row, "3 Approve")
		if !strings.Contains(lanes, "│") {
			continue
		}
		found = true
		if strings.Contains(lanes, colour) {
			t.Errorf("border colour %s in %q", colour, lanes)
		}
	}
	if !found {
		t.Error("no line beside the selected row")
	}
}

// TestMapOfInstances: all instances of a step share one row, and an included document has a map of its own.
func TestMapOfInstances(t *testing.T) {
	sc := open(t, load(t, "tenants.runbook.md", tenants), 120, 40)
	sc.run(0, 0, "moved")
	sc.run(0, 0, "moved")
	sc.press("m")
	sc.want("{N}.{n} Tenant ━↻ next", "×3", "PASS ━▸ the next instance")
	sc.press("space", "esc")
	sc.run(0, 0, "moved")
	sc.press("m")
	sc.want("‖ paused", "│ ▌▶", "○ {N}.{n} Tenant ━↻ next")
	sc = open(t, includingPlan(t), 120, 40)
	sc.run(0, 0, "ok")
	sc.press("m")
	sc.want("MAP release.runbook.md", "1.1 Tools")
}

// TestCoverageInTree: on request, the steps pane marks steps with routes that no run has taken.
func TestCoverageInTree(t *testing.T) {
	sc := openMap(t, 120, 40)
	sc.press("esc", "1", "C")
	sc.want("1 Preflight       ✓ 1 untaken", "3 Approve         1 untaken !", "? Rollback            2 untaken")
	sc.press("C")
	sc.wantNot("untaken")
	plain := open(t, load(t, "a.runbook.md", "# A\n## 1. One\nfine?\n"), 80, 24)
	plain.press("esc", "C")
	plain.want("This document has no explicit routes, so there are none to count.")
}

// TestCoverageWithoutUntakenRoutes: if runs have taken every route, the last line says so each time a person presses C.
func TestCoverageWithoutUntakenRoutes(t *testing.T) {
	doc := load(t, "a.runbook.md", "# A\n## 1. One\nfine?\n- YES: COMPLETE\n- NO: STOP\n")
	sc := open(t, doc, 80, 24, func(c *Config) {
		c.FindRoutesOfOtherRuns = func(*plan.Plan, string) (runs.RoutesOfOtherRuns, error) {
			return runs.RoutesOfOtherRuns{RouteLists: [][]routes.RouteRef{{{Step: "1", RouteIndex: 0}, {Step: "1", RouteIndex: 1}}}}, nil
		}
	})
	for range 2 {
		sc.press("esc", "C")
		sc.want("Every explicit route of this document has been taken.")
		sc.press("g")
		sc.wantNot("Every route")
	}
}

// TestCoverageAfterReload: after a reload, steps stay marked and count the routes that other runs of the new version
// took.
func TestCoverageAfterReload(t *testing.T) {
	const step1 = "# A\n## 1. One\nfine?\n- YES: CONTINUE\n- NO: STOP\n"
	const step2 = "## 2. Two\nfine?\n- YES: COMPLETE\n- NO: STOP\n"
	first, second := load(t, "a.runbook.md", step1), load(t, "a.runbook.md", step1+step2)
	routesByVersion := map[*plan.Plan][][]routes.RouteRef{first: {{{Step: "1", RouteIndex: 0}}}, second: {{{Step: "2", RouteIndex: 0}}}}
	sc := open(t, first, 80, 24, func(c *Config) {
		c.FindRoutesOfOtherRuns = func(version *plan.Plan, _ string) (runs.RoutesOfOtherRuns, error) {
			return runs.RoutesOfOtherRuns{RouteLists: routesByVersion[version]}, nil
		}
	})
	sc.press("esc", "C")
	sc.want("1 One     1 untaken")
	if err := sc.s.intervene(sc.s.m.ReloadEvent(machine.Reload{Match: match.Documents(first, second, nil)})); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.want("1 One     2 untaken", "2 Two     1 untaken")
	sc.press("C")
	sc.wantNot("untaken")
}

func TestOtherVersionsDoNotCount(t *testing.T) {
	sc := open(t, release(t), 120, 40, func(c *Config) {
		c.FindRoutesOfOtherRuns = func(*plan.Plan, string) (runs.RoutesOfOtherRuns, error) {
			return runs.RoutesOfOtherRuns{OtherVersionCount: 3}, nil
		}
	})
	sc.press("m")
	sc.want("Not counted: 3 runs with a different version of this document.", "0 of 9 routes taken │")
	sc.press("esc", "C")
	sc.want("2 Push              3 untaken")
}

// TestMapOnASmallScreen: on a small screen, the explanation gets the lines that the rows do not need. Long routes wrap
// if there is room, and everything can be scrolled into view.
func TestMapOnASmallScreen(t *testing.T) {
	doc := "# Small\n## 1. Look whether the mirror of the archive can be reached from here\nfine?\n- YES: GOTO 2\n- NO: STOP \"the mirror of the archive cannot be reached\"\n## 2. End\nfine?\n"
	sc := open(t, load(t, "small.runbook.md", doc), 60, 16)
	sc.press("esc", "m")
	sc.want("can b… leads to", "NO ", "  → ■ stopped: the mirror of the archive cannot  ", "  be reached  ", "reached from", "the start")
	doc = "# Many\n"
	for i := range 9 {
		doc += fmt.Sprintf("## %d. Ask\nfine?\n- YES: GOTO 10\n- NO: STOP\n", i+1)
	}
	doc += "## 10. End\nfine?\n"
	sc = open(t, load(t, "many.runbook.md", doc), 60, 16)
	sc.press("esc", "m", "G")
	sc.want("10 End leads to", "▌      PASS", "→ 1 Ask")
	sc.press("tab")
	sc.want("10 End leads to", "▌      FAIL", "reached from", "→ 2 Ask")
	sc.want("▌      FAIL (default) → ■ stopped                        ┃", "↓ 7 more lines                                           │")
	for i := range 9 {
		doc += fmt.Sprintf("## %d. Ask\nfine?\n- YES: GOTO 10\n- NO: STOP\n", i+11)
	}
	sc = open(t, load(t, "wide.runbook.md", doc), 120, 16)
	sc.press("esc", "m")
	for range 9 {
		sc.press("down")
	}
	sc.want("1 Ask → ■ stopped                              ×1 ┃ 10 End", "(default) → 11 Ask                        ┃", "10 End                                            │", "28 → 7 Ask, YES                                   │")
}

func TestMapWithoutColour(t *testing.T) {
	sc := openMap(t, 80, 24)
	sc.m.appearance.SetTheme(themes.PlainPalette())
	sc.want("⇢ ! 3 Approve", "╭┈", "┃")
}

// BenchmarkMap moves in the map of 1,000 steps with five routes each. Each iteration presses a key and draws a frame.
func BenchmarkMap(b *testing.B) {
	var doc strings.Builder
	doc.WriteString("# Large\n")
	for i := range 1000 {
		fmt.Fprintf(&doc, "## %d. Step\nfine?\n- YES: GOTO %d\n- NO: RETRY 2 GOTO %d\n", i+1, (i*7)%1000+1, max(1, i-20))
	}
	sc := open(b, load(b, "large.runbook.md", doc.String()), 160, 48)
	sc.press("esc", "m")
	for i := 0; b.Loop(); i++ {
		sc.m.Update(terminal.KeyPress([]string{"down", "pgdown", "right", "up"}[i%4]))
		_ = sc.m.View()
	}
}

// BenchmarkVisitedMap draws the map of 1,000 steps that a run has visited. The selected step is the one to which all
// other steps have a route.
func BenchmarkVisitedMap(b *testing.B) {
	var doc strings.Builder
	doc.WriteString("# Large\n## 1. Step\n```sh\nmake\n```\n")
	for i := range 999 {
		fmt.Fprintf(&doc, "## %d. Step\n```sh\nmake\n```\n- PASS: CONTINUE\n- FAIL: GOTO 1\n", i+2)
	}
	sc := open(b, load(b, "large.runbook.md", doc.String()), 160, 48)
	for sc.s.running != nil {
		sc.s.end(plan.Product{})
	}
	sc.sync()
	sc.press("esc", "esc", "m", "g")
	for b.Loop() {
		sc.m.Update(terminal.KeyPress("tab"))
		_ = sc.m.View()
	}
}

// TestCoverageBesideTimes: on a narrow screen, the count of untaken routes does not shorten a title.
func TestCoverageBesideTimes(t *testing.T) {
	doc := "# A\n## 1. One\n```sh\nmake\n```\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Carry home\nFine?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 80, 24, func(c *Config) {
		c.FindRoutesOfOtherRuns = func(*plan.Plan, string) (runs.RoutesOfOtherRuns, error) { return runs.RoutesOfOtherRuns{}, nil }
	})
	sc.run(0, 3200*time.Millisecond, "ok")
	sc.press("esc", "C")
	sc.want("✓ 1 One     1 untaken │", "? 2 Carry home    (2) │")
}
