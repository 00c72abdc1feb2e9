package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/trust"
	"playhead/parse"
	"playhead/parse/plan"
)

// document writes a document into a new folder, and sets the state and configuration folders of the test.
func document(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// newOptions returns the options of an unattended run without flags.
func newOptions() *NewOptions {
	return &NewOptions{
		Options:         Options{Unattended: true, CommandsGetNoInput: true, ShowNote: func(string) {}},
		LoadOptions:     parse.Options{Flags: map[string][]string{}},
		CheckFlagsApply: func(*plan.Plan) error { return nil },
	}
}

const asking = "## 1. Ready?\n- YES: CONTINUE\n- NO: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"

// TestNewRefuses: New refuses options that do not fit the document, before anything runs.
func TestNewRefuses(t *testing.T) {
	file := document(t, "a.runbook.md", asking)
	for want, set := range map[string]func(o *NewOptions){
		`has no step "9" to answer`:                        func(o *NewOptions) { o.Answers = []string{"9=yes"} },
		`--answer "yes" is not STEP=VALUE`:                 func(o *NewOptions) { o.Answers = []string{"yes"} },
		"the answer for 1: ":                               func(o *NewOptions) { o.Answers = []string{"1=perhaps"} },
		"cannot read the answers: ":                        func(o *NewOptions) { o.AnswersFile = "gone.yaml" },
		"--decide: ":                                       func(o *NewOptions) { o.Decide = []string{"yes,perhaps"} },
		`--until: ` + file + ` has no step "9"`:            func(o *NewOptions) { o.UntilStep = "9" },
		"--break: " + file + ": there is no step ":         func(o *NewOptions) { o.Breakpoints = []string{"9:after"} },
		"--cwd: " + file + " is not a folder":              func(o *NewOptions) { o.WorkingDir = file },
		"--env takes the name of an environment variable":  func(o *NewOptions) { o.PassedEnvNames = []string{"A=1"} },
		"--secret NO_SUCH: no input":                       func(o *NewOptions) { o.SecretNames = []string{"NO_SUCH"} },
		file + ` has no input "x"`:                         func(o *NewOptions) { o.Inputs = []string{"x=1"} },
		`--input "x" is not NAME=VALUE`:                    func(o *NewOptions) { o.Inputs = []string{"x"} },
		"cannot read the inputs: ":                         func(o *NewOptions) { o.InputsFile = "gone.yaml" },
		"--" + plan.TransitionsFlag + " must be 0 or more": func(o *NewOptions) { o.MaxTransitions = new(-1) },
		"cannot read the replies: ":                        func(o *NewOptions) { o.RepliesFile = "gone.yaml" },
	} {
		o := newOptions()
		set(o)
		_, err := New(o, file)
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*Error)) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}

// TestResume: a resumed run continues with its own copy of the document and with its stored settings.
func TestResume(t *testing.T) {
	file := document(t, "a.runbook.md", asking)
	o := newOptions()
	o.Answers, o.Approve = []string{"1=yes"}, "each"
	run, err := New(o, file)
	if err != nil {
		t.Fatal(err)
	}
	if end := finish(t, run); end.Result != plan.Awaiting {
		t.Fatalf("ended %s", end.Result)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(asking, "YES: COMPLETE", "YES: STOP", 1)), 0o600); err != nil {
		t.Fatal(err)
	}

	again := &ResumeOptions{Options: Options{Unattended: true}}
	again.Answers = []string{"2=yes"}
	resumed, err := Open(again, run.Config.Run.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := resumed.Resume(again); err != nil {
		t.Fatal(err)
	}
	if end := finish(t, resumed); end.Result != plan.Completed {
		t.Errorf("ended %s", end.Result)
	}
	if notes := resumed.Notes; len(notes) != 1 || !strings.Contains(notes[0], "has changed since the run last read it") {
		t.Errorf("noted %q", resumed.Notes)
	}
	if m, err := readSettings(resumed.Config.Run.Folder); err != nil || m.Approve != "each" {
		t.Errorf("the settings are %+v, %v", m, err)
	}

	over, err := Open(again, run.Config.Run.ID())
	if err != nil || over.PreviousResult != plan.Completed {
		t.Fatal(over.PreviousResult, err)
	}
	defer over.Close()
	if err := over.Resume(again); err == nil || !strings.Contains(err.Error(), "is over: completed") {
		t.Error(err)
	}
}

// TestResumeAfterReload: a run that was reloaded to another version is resumed with the steps of that version.
func TestResumeAfterReload(t *testing.T) {
	file := document(t, "a.runbook.md", asking)
	run, err := New(newOptions(), file)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, run)
	id := run.Config.Run.ID()

	longer := strings.Replace(asking, "YES: COMPLETE", "YES: CONTINUE", 1) + "## 3. Notify\n~~~sh\nno-such-program\n~~~\n"
	if err := os.WriteFile(file, []byte(longer), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(file, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recorded, history, err := journal.DefaultStore().Open(id)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := journal.GatherSources(p, filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := recorded.StoreSources(sources)
	if err != nil {
		t.Fatal(err)
	}
	reloaded := machine.Event{Seq: len(history.Events) + 1, Body: &machine.DocumentReloaded{Snapshot: snapshot}}
	if err := errors.Join(recorded.Append(reloaded), recorded.Close()); err != nil {
		t.Fatal(err)
	}

	o := &ResumeOptions{Options: Options{Unattended: true}}
	o.UntilStep, o.Answers = "3", []string{"3=pass"}
	resumed, err := Open(o, id)
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	if err := resumed.Resume(o); err != nil {
		t.Fatal(err)
	}
	if needs := resumed.preflightNeeds(); len(needs) != 1 || needs[0].Name != "no-such-program" {
		t.Errorf("needs %+v", needs)
	}

	asksModel, err := Load(document(t, "a.playbook.md", "# Hello\n\n## STEP 1: Greet\n\nSay hello.\n"), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resumed.CurrentPlan, o.ReplySource = asksModel, "manual"
	if err := resumed.setUpRepliesAndTools(&o.ModelOptions); err != nil || resumed.Config.FirstReplySourceName != "manual" {
		t.Errorf("replies come from %q, %v", resumed.Config.FirstReplySourceName, err)
	}
}

// finish runs a session until it ends.
func finish(t *testing.T, run *Run) engine.Ending {
	t.Helper()
	defer run.Close()
	session, err := run.Begin()
	if err != nil {
		t.Fatal(err)
	}
	end, err := session.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return end
}

// TestMissingInputs: inputs may be missing if a person can be asked, and a secret value that is given later is masked.
func TestMissingInputs(t *testing.T) {
	text := "# A\n\n## Look\n\n### 🔧 WORKFLOW STEP: Look\n```\nLook into [FOLDER].\n```\n\n### 🛠️ TOOL: say\n\n### 📥 INPUTS:\n- FOLDER: Which one\n"
	file := document(t, "a.md", text)
	o := newOptions()
	o.Unattended, o.SecretNames = false, []string{"FOLDER"}
	run, err := New(o, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.MissingInputs) != 1 || run.MissingInputs[0].Name != "FOLDER" {
		t.Fatalf("missing %v of %s: %v", run.MissingInputs, run.Config.FirstPlan.Format, run.Config.FirstPlan.Diagnostics)
	}
	if err := RequireInputs(run.MissingInputs); err == nil || !strings.Contains(err.Error(), "use --input FOLDER=…") {
		t.Error(err)
	}
	run.SetInput(run.MissingInputs[0], "1.2-secret")
	if run.Config.Inputs["FOLDER"] != "1.2-secret" || !slices.Contains(run.Config.Secrets, "1.2-secret") {
		t.Errorf("%v, masked %q", run.Config.Inputs, run.Config.Secrets)
	}
}

// TestRepliesForNoStep: a note names the replies in a file for steps that the document does not have.
func TestRepliesForNoStep(t *testing.T) {
	o := newOptions()
	o.RepliesFile = document(t, "replies.yaml", "\"1\": a\n1/check: b\n\"9\": c\n9/tool/x: d\n1/tool/x: e\n")
	r, err := New(o, document(t, "a.runbook.md", asking))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	notes := strings.Join(r.Notes, "\n")
	if strings.Count(notes, "has no step") != 2 || !strings.Contains(notes, `no step "9", so this entry is not used`) || !strings.Contains(notes, `no step "9/tool/x"`) {
		t.Errorf("the notes are %s", notes)
	}
}

// TestRepliesBelowAKey: for a file whose replies are below a key, as in scenarios, a note says how to write them.
func TestRepliesBelowAKey(t *testing.T) {
	o := newOptions()
	o.RepliesFile = document(t, "replies.yaml", "replies:\n  \"1\": a\n")
	r, err := New(o, document(t, "a.runbook.md", asking))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "write the step labels at the top level of the file, not below another key") {
		t.Errorf("the notes are %s", notes)
	}
}

// TestResumeNeedsItsSecrets: a resumed run needs the environment variable that is secret, because its value is not
// stored.
func TestResumeNeedsItsSecrets(t *testing.T) {
	t.Setenv("DEPLOY_TOKEN", "a-long-token")
	o := newOptions()
	o.SecretNames = []string{"DEPLOY_TOKEN"}
	run, err := New(o, document(t, "a.runbook.md", asking))
	if err != nil {
		t.Fatal(err)
	}
	finish(t, run)
	for set, want := range map[bool]string{true: "", false: "$DEPLOY_TOKEN is secret, so the run did not store its value"} {
		if !set {
			os.Unsetenv("DEPLOY_TOKEN")
		}
		again := &ResumeOptions{Options: Options{Unattended: true}}
		resumed, err := Open(again, run.Config.Run.ID())
		if err != nil {
			t.Fatal(err)
		}
		err = resumed.Resume(again)
		resumed.Close()
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, want) {
			t.Errorf("set %v: %v", set, err)
		}
		t.Setenv("DEPLOY_TOKEN", "a-long-token")
	}
}

// TestTrustOfExamples: an unchanged built-in example counts as trusted, unless it would start a tool server.
func TestTrustOfExamples(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, c := range []struct {
		name    string
		servers []trust.Item
		want    bool
	}{
		{"example:release", nil, true},
		{"example:handover", nil, true},
		{"example:handover", []trust.Item{{ServerName: "files", Text: "npx server"}}, false},
	} {
		path, err := ResolveFile(c.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Load(path, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (Commands{Plan: p, servers: c.servers}).IsTrusted(); got != c.want || err != nil {
			t.Errorf("%s with %d servers: %t, %v", c.name, len(c.servers), got, err)
		}
	}
}
