package front

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// TestPreviewOfADocumentWithInputs: the preview shows no error about an input for which the form will ask.
func TestPreviewOfADocumentWithInputs(t *testing.T) {
	got := strings.Join(previewDocument("../../examples/handover.md", 78), "\n")
	if !strings.Contains(got, "Take stock") || strings.Contains(got, "error") {
		t.Error(got)
	}
}

// TestPreviewWrapsTitles: the preview of a document shows a step's routes or command below its title if columns would
// be narrow. In the preview of a run, a long title continues at the indentation of its step.
func TestPreviewWrapsTitles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deploy.runbook.md")
	if err := os.WriteFile(file, []byte("# Deploy\n## 1 Check that nobody else is deploying to this region\n- PASS: CONTINUE\n- FAIL: STOP \"wait\"\n## 2 Build\n```bash\nmake image sign publish announce TAG=2026-11-27\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := setup.Load(file, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string][]string{
		`Deploy
├ 1 Check that nobody else is deploying to this region
│   PASS → CONTINUE · FAIL → STOP "wait"
└ 2 Build
    $ make image sign publish announce TAG=2026-11-27`: previewDocument(file, 60),
		`interrupted

○ 1 Check that nobody else is
  deploying to this region
○ 2 Build`: outcomeLines(journal.RunSummary{}, track.New(p), 32),
	} {
		if got := strings.Join(got, "\n"); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestFormatAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 90 * time.Second: "1 min ago", 59 * time.Minute: "59 min ago",
		25 * time.Hour: "1 d ago", 80 * time.Hour: "3 d ago", -time.Hour: "just now",
	} {
		if got := formatAge(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

// TestRunWithoutStep: if a run has entered no step, its column of steps is blank.
func TestRunWithoutStep(t *testing.T) {
	if got := (Entry{Age: "1 h ago"}).detailsText(draw.New(themes.PlainPalette(), keymap.Map{}), 40, columnWidths{stepWidth: 5, ageWidth: 7}); got != "       1 h ago" {
		t.Errorf("%q", got)
	}
}

// TestWriteList: lines say that the number of a step is one, because nothing separates it from the age.
func TestWriteList(t *testing.T) {
	var out strings.Builder
	WriteList(&out, []Entry{
		{Group: "recent runs", Name: "3821 Triage", StateWord: "completed", Details: "2", Age: "1 min ago"},
		{Group: "recent runs", Name: "84f1 Changelog", Folder: "~/work", StateWord: "interrupted", Age: "2 h ago"},
		{Group: "documents here", Name: "deploy.runbook.md", Details: "Rundown"},
	})
	if want := `recent runs
  1  3821 Triage  completed at step 2, 1 min ago
  2  84f1 Changelog  ~/work  interrupted, 2 h ago
documents here
  3  deploy.runbook.md  Rundown
`; out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

// TestPreviewOfForks: the preview of a fork says when and from which run it was forked, and where it continues or
// waits.
func TestPreviewOfForks(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.Local)
	fork := journal.RunSummary{Run: "beef", ForkOf: "cafe", Started: at.Add(-time.Hour), ForkedAt: at, IsUnopenedFork: true, Step: "1"}
	if got := startText(fork); got != "forked 2026-03-01 10:00:00 from run cafe" {
		t.Error(got)
	}
	run := track.New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}}})
	run.Fold(machine.Event{Seq: 1, Step: "1", Attempt: 1, Body: &machine.StepEntered{}})
	if got := outcomeLines(fork, run, 60)[0]; got != "forked: continues at step 1" {
		t.Error(got)
	}
	run.Fold(machine.Event{Seq: 2, Step: "1", Attempt: 1, Body: &machine.InputNeeded{Options: []string{"pass", "fail"}}})
	fork.Result = string(plan.Awaiting)
	if got := outcomeLines(fork, run, 60); got[0] != "waiting at step 1 for pass or fail" {
		t.Errorf("%q", got)
	}
	run.Fold(machine.Event{Seq: 3, Body: &machine.RunFinished{Result: plan.Awaiting}})
	if got := outcomeLines(fork, run, 60); got[0] != "waiting at step 1" { // a run that a person has quit
		t.Errorf("%q", got)
	}
}
