package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/parse"
	"playhead/parse/plan"
)

// TestBreakpoints: breakpoints stay with their steps when the document is edited, and the breakpoint of a removed step
// is kept until the step is back.
func TestBreakpoints(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	file := filepath.Join(t.TempDir(), "a.playbook.md")
	open := func(doc string) (breakpointFile, *plan.Plan) {
		t.Helper()
		if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := Load(file, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := breakpointFileOf(file)
		if err != nil {
			t.Fatal(err)
		}
		return m, p
	}
	stored, before := open("# A\n## STEP 1: Rate\nx\n## STEP 2: Act\ny\n## STEP 3: Gone\nz\n")
	if all, err := stored.load(before); len(all) != 0 || err != nil {
		t.Error(all, err)
	}
	if err := stored.save(before, []engine.Breakpoint{{Step: "2", After: true, LeadsTo: "3", NthHit: 2}, {Step: "3", IsDisabled: true}, {Step: "1", IsFromFlag: true}}); err != nil {
		t.Fatal(err)
	}
	_, edited := open("# A\n## STEP 1: Rate\nx\n## STEP 2: Check\nnew\n## STEP 3: Act\ny\n")
	all, err := stored.load(edited)
	if err != nil || len(all) != 2 || all[0].String() != "3:after to gone hit 2" || !all[1].HasNoStep {
		t.Fatalf("after the edit %v, %v", all, err)
	}
	if err := stored.save(edited, all); err != nil {
		t.Fatal(err)
	}
	_, again := open("# A\n## STEP 1: Gone\nz\n## STEP 2: Act\ny\n")
	all, err = stored.load(again)
	if err != nil || len(all) != 2 || all[0].String() != "2:after to 1 hit 2" || all[1].String() != "1 off" {
		t.Errorf("after the step is back %v, %v", all, err)
	}
}

// TestBreakpointsInAnotherFolder: a run that is resumed in another folder has the breakpoints of its own document, not
// those of a document with the same relative path there.
func TestBreakpointsInAnotherFolder(t *testing.T) {
	file := document(t, "a.runbook.md", asking)
	t.Chdir(filepath.Dir(file))
	o := newOptions()
	run, err := New(o, "a.runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	finish(t, run)
	saved, err := New(o, "a.runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	if err := saved.LoadBreakpoints(); err != nil {
		t.Fatal(err)
	}
	if err := saved.StoreBreakpoints(saved.CurrentPlan, []engine.Breakpoint{{Step: "2"}}); err != nil {
		t.Fatal(err)
	}

	t.Chdir(t.TempDir())
	again := &ResumeOptions{Options: Options{Unattended: true}}
	resumed, err := Open(again, run.Config.Run.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	if err := resumed.Resume(again); err != nil {
		t.Fatal(err)
	}
	if err := resumed.LoadBreakpoints(); err != nil {
		t.Fatal(err)
	}
	if got := resumed.Config.Breakpoints; len(got) != 1 || got[0].Step != "2" {
		t.Errorf("the breakpoints are %v", got)
	}
}
