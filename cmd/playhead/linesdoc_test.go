package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/replay"
	"playhead/engine/setup"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/lines"
)

// onScreen lists the actions without a command in plain mode: they arrange or paint the screen, another command covers
// them, or typing a line replaces them.
var onScreen = []string{
	"inputs",       // :set changes inputs at a pause before the first step
	"change-steps", // each change has its own command
	"pass-note", "fail-note", "previous-match", "next-call", "previous-call", "type",
	"zoom", "take-control", "split-left", "split-right", "split-up", "split-down", "hide", "usual-layout", "present", "wrap", "raw", "theme", "actions", "suspend",
}

func lineCommands() []lines.Command {
	r := &runner{app: &app{}, DrivenRun: host.DrivenRun{Run: &setup.Run{Config: engine.Config{Run: &journal.Run{}}}}}
	return lines.New(lines.Config{Plan: &plan.Plan{}, ExtraCommands: r.lineCommands()}).Commands()
}

// replayCommands returns the commands of a replay that differ from those of a live run.
func replayCommands() []lines.Command {
	all := lines.New(lines.Config{Plan: &plan.Plan{}, Player: &replay.Player{}, ExtraCommands: lines.RunCommands{}.Commands()}).Commands()
	live := lineCommands()
	return slices.DeleteFunc(all, func(c lines.Command) bool {
		return slices.ContainsFunc(live, func(l lines.Command) bool { return l.String() == c.String() })
	})
}

// TestLinesHaveEveryAction: each action of the screen has a command of the same name, except those of onScreen.
func TestLinesHaveEveryAction(t *testing.T) {
	all := append(lineCommands(), replayCommands()...)
	for _, a := range (keymap.Map{}).HelpEntries() {
		has := slices.ContainsFunc(all, func(c lines.Command) bool { return c.Name == a.Action })
		if screen := a.Group == "move" || a.Group == keymap.DialogGroup; !screen && has == slices.Contains(onScreen, a.Action) {
			t.Errorf("%s: has a command: %v", a.Action, has)
		}
	}
	for _, c := range all {
		if line := c.String(); len([]rune(line)) > 78 {
			t.Errorf("too wide for 80 columns: %s", line)
		}
	}
}

// TestLinesDoc: docs/plain.md lists exactly the commands of plain mode; -update writes them.
func TestLinesDoc(t *testing.T) {
	const page = "../../docs/plain.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	all := lineCommands()
	isBreak := func(c lines.Command) bool { return c.Name == "break" }
	want := listed(t, string(text), "commands", helpLines(all))
	want = listed(t, want, "breakpoints", all[slices.IndexFunc(all, isBreak)].Describe())
	want = listed(t, want, "replay", helpLines(replayCommands()))
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Error("docs/plain.md is old: go test ./cmd/playhead -run TestLinesDoc -update")
	}
}

// helpLines returns the line of each command in the help.
func helpLines(all []lines.Command) (out []string) {
	for _, c := range all {
		out = append(out, c.String())
	}
	return out
}

// listed returns a page with lines inserted at a place.
func listed(t *testing.T, page, place string, inserted []string) string {
	t.Helper()
	first, last := "<!-- "+place+" -->\n", "<!-- /"+place+" -->\n"
	head, rest, _ := strings.Cut(page, first)
	_, tail, ok := strings.Cut(rest, last)
	if !ok {
		t.Fatal("the page has no place for the " + place)
	}
	return head + first + "\n```text\n" + strings.Join(inserted, "\n") + "\n```\n\n" + last + tail
}
