package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// openWithFinalOutput returns the screen of a run that completed with a final output of the given type.
func openWithFinalOutput(t *testing.T, w, h int, kind, text string) *testScreen {
	t.Helper()
	section := ""
	if kind != "" {
		section = "## OUTPUT\ntype: " + kind + "\n"
	}
	sc := open(t, playbookOf(t, "report.playbook.md", "# The Report\n## STEP 1: Write\nWrite it.\n"+section), w, h)
	sc.s.nextReplyAuthor = machine.ByFile
	sc.s.print(strings.Split(text, "\n")...)
	sc.s.end(plan.Product{Text: text})
	sc.sync()
	return sc
}

// TestFinalOutput: when a run ends, the screen shows its final output (playbook.md §6).
func TestFinalOutput(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		return openWithFinalOutput(t, w, h, "markdown", "## Outcome\n\nIt **works**:\n\n| what | how |\n|---|---|\n| speed | fine |\n")
	})
}

func TestFinalOutputByType(t *testing.T) {
	sc := openWithFinalOutput(t, 80, 24, "json", "```json\n{\"a\":[1]}\n```")
	sc.wantNot("\"a\":[1]}\n```")
	sc.want("json, from step 1 Write", `"a": [`, "x export")
	sc = openWithFinalOutput(t, 80, 24, "mermaid", "graph TD\n  a --> b")
	sc.want("mermaid, from step 1", "  a --> b")
	sc = openWithFinalOutput(t, 80, 24, "", "# no heading\nbut text")
	sc.want("text, from step 1", "no heading") // the output pane shows the reply
	sc.press("esc", "1")
	sc.press("A")
	sc.want("text, from step 1")
	sc.press("r", "y") // the run continues, so it has no final output any more
	sc.press("x")
	sc.want("There is nothing to export yet.")
}

// TestHostileOutput: whatever a final output contains, the frame is safe (see safety_test.go).
func TestHostileOutput(t *testing.T) {
	for _, kind := range []string{"markdown", "json", ""} {
		sc := openWithFinalOutput(t, 80, 24, kind, "a\x1b]52;c;aGk=\x07b\x1b[2J\u202egnp\x00\r\n| a |\n|---|\n```\nopen")
		checkSafe(t, sc.m.View().Content)
		sc.frame()
	}
}

func TestSaveFinalOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	sc := openWithFinalOutput(t, 80, 24, "markdown", "Done.")
	sc.press("x")
	sc.want("Export what?", "1 final output  markdown")
	sc.press("1")
	sc.want("Save the final output as", "the-report.md", "enter save")
	sc.press("enter")
	sc.want("Saved as the-report.md.")
	if err := os.WriteFile("the-report.md", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	sc.press("x", "1", "enter")
	sc.want("the-report.md exists. Replace it")
	sc.press("n")
	if got, _ := os.ReadFile("the-report.md"); string(got) != "mine" {
		t.Errorf("the file holds %q", got)
	}
	sc.press("x", "1", "enter", "y")
	sc.want("Saved as the-report.md.")
	if got, _ := os.ReadFile("the-report.md"); string(got) != "Done.\n" {
		t.Errorf("the file holds %q", got)
	}
	sc.press("x", "1")
	sc.write("/nowhere")
	sc.press("enter")
	sc.want("Cannot save the final output")
	if left, _ := filepath.Glob(".playhead-*"); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// TestTheFinalOutputShowsOnce: if there is room, the screen of an ended run shows the whole final output, either
// as the reply or in the summary, and no part of it twice.
func TestTheFinalOutputShowsOnce(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("- a line\n", 12)) + "\n- the last line"
	for _, test := range []struct{ kind, reply, first, last string }{
		{"markdown", "A short reply.", "A short reply.", "A short reply."},
		{"markdown", "A long reply.\n\n" + long, "A long reply.", "the last line"},
		{"", "A long text.\n\n" + long, "A long text.", "the last line"},
		{"json", `{"first": 1, "last": 2}`, `"first": 1`, `"last": 2`},
		{"mermaid", "graph TD\n  a --> b\n  b --> c", "  a --> b", "  b --> c"},
	} {
		for _, size := range [][2]int{{160, 48}, {120, 40}, {100, 30}, {80, 26}} {
			sc := openWithFinalOutput(t, size[0], size[1], test.kind, test.reply)
			for range 2 {
				frame := sc.frame()
				for _, text := range []string{test.first, test.last} {
					if n := strings.Count(frame, text); n != 1 {
						t.Errorf("%v, %s: %q shows %d times\n%s", size, test.kind, text, n, frame)
					}
				}
				sc.press("esc", "A") // close the summary and open it again
			}
		}
	}
}

// TestTheAnswerShowsOnce: the summary does not repeat an answer that the text pane shows.
func TestTheAnswerShowsOnce(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 16}} {
		sc := open(t, playbookOf(t, "ask.playbook.md", "# Ask\n## STEP 1: Where\n@elicit(input, \"Where?\")\n"), size[0], size[1])
		sc.write("to Rome")
		sc.press("enter")
		sc.want("COMPLETED", "text, from step 1 Where · shown above")
		if n := strings.Count(sc.frame(), "to Rome"); n > 2 { // in the steps and in the text
			t.Errorf("%v: the answer shows %d times\n%s", size, n, sc.frame())
		}
	}
}
