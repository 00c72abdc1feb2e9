package setup

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
)

// TestPolicy: the flag takes precedence over the configuration, and the configuration over --trust. By default, a
// person approves each tool once, headless or not (workflow.md §6).
func TestPolicy(t *testing.T) {
	for _, tt := range []struct {
		flag, configured  string
		headless, trusted bool
		want              string
	}{
		{"", "", false, false, machine.ApproveOnce},
		{"", "", false, true, machine.ApproveOnce},
		{"", "", true, false, machine.ApproveOnce}, // the document was trusted earlier
		{"", "", true, true, machine.ApproveNone},
		{"", "each", true, true, machine.ApproveEach},
		{"", "none", false, false, machine.ApproveNone},
		{"once", "none", true, true, machine.ApproveOnce},
		{"none", "each", false, false, machine.ApproveNone},
	} {
		if policy := (&ApprovalOptions{Approve: tt.flag}).newPolicy(tt.configured, tt.headless, tt.trusted); policy != tt.want {
			t.Errorf("%+v: %s", tt, policy)
		}
	}
}

// TestReloadCallsTools: after a reload to a version whose model calls tools, the run asks for approval of the calls.
func TestReloadCallsTools(t *testing.T) {
	testReloadCallsTools(t, func(run *Run) *Run { return run })
}

// TestOldRunCallsTools: a run that an earlier version of Playhead recorded without an approval policy asks, too.
func TestOldRunCallsTools(t *testing.T) {
	testReloadCallsTools(t, func(run *Run) *Run {
		run.Config.Options.ApprovalPolicy = ""
		if _, err := run.Begin(); err != nil {
			t.Fatal(err)
		}
		run.Close()
		o := &ResumeOptions{}
		resumed, err := Open(o, run.Config.Run.ID())
		if err != nil {
			t.Fatal(err)
		}
		if err := resumed.Resume(o); err != nil {
			t.Fatal(err)
		}
		return resumed
	})
}

// testReloadCallsTools reloads the run that open returns to a version whose model calls a tool, and waits for the
// request for approval.
func testReloadCallsTools(t *testing.T, open func(*Run) *Run) {
	dir := filepath.Join(filepath.Dir(document(t, "x", "")), "greeting")
	if err := os.CopyFS(dir, os.DirFS("../../examples/greeting")); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(dir, "agent.json")
	text, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	withoutTools := regexp.MustCompile(`"allowedTools": \[.*\]`).ReplaceAll(text, []byte(`"allowedTools": []`))
	if err := os.WriteFile(agent, withoutTools, 0o600); err != nil {
		t.Fatal(err)
	}
	o := newOptions()
	o.Unattended, o.PauseFirst, o.WorkingDir = false, true, t.TempDir()
	o.RepliesFile = filepath.Join(t.TempDir(), "replies.yaml")
	replies := "initial.greeting:\n  - calls: [{tool: Write, arguments: {file_path: playhead-greeting/greet.sh, content: hello}}]\n"
	if err := os.WriteFile(o.RepliesFile, []byte(replies), 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := New(o, dir)
	if err != nil {
		t.Fatal(err)
	}
	run = open(run)
	defer run.Close()
	s, err := run.Begin()
	if err != nil {
		t.Fatal(err)
	}
	go s.Run(t.Context())
	defer s.Close()
	if err := os.WriteFile(agent, text, 0o600); err != nil {
		t.Fatal(err)
	}
	offer, err := s.OfferSaved()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Reload(offer, engine.ReloadChoice{AllowCommands: true}), s.Continue(engine.Continue, "")); err != nil {
		t.Fatal(err)
	}
	for w := s.WatchFromStart(); ; <-w.Changed() {
		switch u := w.Take(); {
		case u.Status.State == engine.Over:
			t.Fatal("the call was made without approval")
		case u.Status.Question != nil && u.Status.Question.Kind == machine.KindApproveCall:
			return
		}
	}
}
