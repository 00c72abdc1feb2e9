package front

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"playhead/engine/journal"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse"
)

// TestPreviewOfADocumentWithInputs: an input that the form asks for is not told as an error.
func TestPreviewOfADocumentWithInputs(t *testing.T) {
	got := strings.Join(previewDocument("../../examples/handover.md", 78), "\n")
	if !strings.Contains(got, "Take stock") || strings.Contains(got, "error") {
		t.Error(got)
	}
}

// TestPreviewWrapsTitles: long titles of steps go on below, at the indentation of their step, for a
// document as for a run of it.
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
├ 1 Check that nobody                     PASS → CONTINUE
│ else is deploying to                    FAIL → STOP "wait"
│ this region
└ 2 Build                  $ make image
                           sign publish
                           announce
                           TAG=2026-11-
                           27`: previewDocument(file, 60),
		`interrupted

○ 1 Check that nobody else is
  deploying to this region
○ 2 Build`: outcomeLines(journal.Summary{}, track.New(p), 32),
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
