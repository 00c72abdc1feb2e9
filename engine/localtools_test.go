package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/consent"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools/local"
	"playhead/parse/plan"
)

// acting returns a plan of one step whose model may call Playhead's own tools, in a permission mode.
func acting(mode plan.PermissionMode, tools ...string) *plan.Plan {
	w := plan.Model{Prompt: plan.Literal("Do it."), Bounds: plan.DefaultConversationBounds, Permissions: plan.Permissions{Mode: mode}}
	for _, name := range tools {
		w.Tools = append(w.Tools, plan.Literal("local/"+name))
	}
	return &plan.Plan{
		Format: "test", Path: "act.md", Source: []byte("act"), Entries: []plan.Entry{{Step: "1"}},
		Steps: []*plan.Step{{ID: "1", Actions: []plan.Action{{Work: w}}, Routes: []plan.Route{{Do: plan.Move{Verb: plan.Continue}}}}},
	}
}

// scripted is a model whose replies each want one call, until it replies done.
type scripted struct {
	calls []plan.ToolCall
	said  []string // the results of its calls
	stall bool     // it never replies after its last call
}

func wants(tool string, args map[string]any) plan.ToolCall {
	data, _ := json.Marshal(args)
	return plan.ToolCall{Name: tool, Arguments: string(data)}
}

// Reply implements model.ReplySource.
func (s *scripted) Reply(ctx context.Context, q model.Request, out io.Writer) model.Reply {
	results := 0
	s.said = nil
	for _, said := range q.EarlierMessages {
		if said.Role == plan.ToolRole {
			results++
			s.said = append(s.said, said.Text)
		}
	}
	if results < len(s.calls) {
		c := s.calls[results]
		c.ID = fmt.Sprint("c", results)
		return model.Reply{WantedCalls: []plan.ToolCall{c}}
	}
	if s.stall {
		<-ctx.Done()
		return model.Reply{IsCancelled: true}
	}
	_, err := io.WriteString(out, "done")
	return model.Reply{Text: "done", Err: err}
}

// act makes a session of a run of p in the fixture's folder, with m as the model.
func act(f *fixture, run string, p *plan.Plan, m *scripted, adjust func(*engine.Config)) *engine.Session {
	f.plan = p
	return f.session(run, func(c *engine.Config) {
		c.ReplySources, c.FirstReplySourceName = []model.ReplySourceOption{{Name: "model", Open: func() (model.ReplySource, error) { return m, nil }}}, "model"
		c.Options = machine.Options{ProjectRoot: f.dir, ToolDir: f.dir, ApprovalPolicy: machine.ApproveNone}
		if adjust != nil {
			adjust(c)
		}
	})
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) read(name string) string {
	data, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		return "no file"
	}
	return string(data)
}

var (
	readA  = wants("Read", map[string]any{"file_path": "a.txt"})
	editA  = wants("Edit", map[string]any{"file_path": "a.txt", "old_string": "one", "new_string": "two"})
	writeB = wants("Write", map[string]any{"file_path": "b.txt", "content": "new\n"})
	runLs  = wants("Bash", map[string]any{"command": "cat a.txt; exit 3"})
)

// TestLocalTools: a model reads, edits and writes files and runs commands, and gets the result of each call.
func TestLocalTools(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	f.write("a.txt", "one\n")
	m := &scripted{calls: []plan.ToolCall{
		editA, readA, editA, editA, writeB, runLs, wants("Bash", map[string]any{"command": "sleep 20", "timeout": "200"}),
		wants("Bash", map[string]any{"command": "gh issue close 1"}), wants("Read", map[string]any{"file_path": "/etc/passwd"}), wants("Task", nil),
		wants("Bash", map[string]any{"command": ""}), wants("Bash", map[string]any{"command": "sleep 0.1; echo far", "timeout": 18446744073710}),
	}}
	end, events := headless(t, act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, nil))
	want := []string{
		"error: a.txt has not been read in this run: read it first", "     1\tone", "a.txt was changed.",
		"error: old_string is not in a.txt: it must match exactly, including whitespace and line breaks", "b.txt was written.", "two\n[exit status 3]",
		"[ended after 200ms, the time limit]", "error: `gh issue close` changes the state of an issue, a pull request or a release", "error: /etc/passwd is outside the project root",
		`error: there is no tool "Task"`, "error: command is missing", "far",
	}
	if end.Result != plan.Completed || len(m.said) != len(want) {
		t.Fatalf("ended %+v, said %q", end.RunFinished, m.said)
	}
	for i := range want {
		if !strings.HasPrefix(m.said[i], want[i]) {
			t.Errorf("%d: %q, want %q", i, m.said[i], want[i])
		}
	}
	if f.read("a.txt") != "two\n" || f.read("b.txt") != "new\n" {
		t.Errorf("%q %q", f.read("a.txt"), f.read("b.txt"))
	}
	files := engine.FilesChangedByTools(events)
	if len(files) != 2 || files[0].Path != "a.txt" || files[1].Path != "b.txt" || files[1].HashBefore != "" {
		t.Errorf("%+v", files)
	}
	if before, err := f.runs[0].FileContent(files[0].HashBefore); string(before) != "one\n" || err != nil {
		t.Errorf("kept %q %v", before, err)
	}
}

// TestLocalToolModes: a permission mode refuses a call even if the approval policy allows it.
func TestLocalToolModes(t *testing.T) {
	for mode, want := range map[plan.PermissionMode][]bool{plan.PlanOnlyMode: {true, true}, plan.VerificationMode: {true, false}, plan.AskMode: {false, false}} {
		f := newFixture(t, "## 1 A\n")
		f.write("a.txt", "one\n")
		m := &scripted{calls: []plan.ToolCall{writeB, runLs}}
		headless(t, act(f, "", acting(mode, plan.LocalTools...), m, nil))
		for i, refused := range want {
			if strings.HasPrefix(m.said[i], "error: ") != refused {
				t.Errorf("%s: %q", mode, m.said)
			}
		}
	}
}

// TestApprovalOfChange: a person sees a change before it is made, and can refuse it, edit it, answer in its place or
// allow a folder.
func TestApprovalOfChange(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	f.write("a.txt", "one\n")
	m := &scripted{calls: []plan.ToolCall{readA, editA, editA, runLs, writeB, writeB}}
	l := steer(t, act(f, "", acting(plan.AskMode, plan.LocalTools...), m, func(c *engine.Config) {
		c.Headless, c.Options.ApprovalPolicy = false, machine.ApproveOnce
	}))
	by := machine.ByPerson
	q := l.waiting("1", machine.KindApproveCall)
	if q.Call.Tool != "Edit" || l.last.ProposedChange == nil || l.last.ProposedChange.Before != "one\n" || l.last.ProposedChange.After != "two\n" || q.CoveredCallsText != "changes to files directly in the project root" {
		t.Errorf("asks %+v, change %+v", q, l.last.ProposedChange)
	}
	l.do(l.s.Answer(machine.Answer{Value: "no", By: by, Note: "not that"}))
	l.until("asks again", func(s engine.Status) bool { return s.Question != nil && s.Question.Call.ID == "c2" })
	edited := wants("Edit", map[string]any{"file_path": "a.txt", "old_string": "one", "new_string": "three"}).Arguments
	if err := l.s.Answer(machine.Answer{Value: "yes", By: by, Args: "[]"}); err == nil {
		t.Error("arguments that are not an object are accepted")
	}
	l.do(l.s.Answer(machine.Answer{Value: "yes", By: by, Args: edited}))
	if s := l.until("asks about the command", func(s engine.Status) bool { return s.Question != nil && s.Question.Call.ID == "c3" }); s.Question.CommandFolder != f.dir {
		t.Errorf("in %q", s.Question.CommandFolder)
	}
	result := "it says three"
	l.do(l.s.Answer(machine.Answer{CallResult: &result, By: by}))
	l.until("asks about the file", func(s engine.Status) bool { return s.Question != nil && s.Question.Call.ID == "c4" })
	l.do(l.s.Answer(machine.Answer{Value: "tool", By: by}))
	l.over(plan.Completed)
	want := []string{"     1\tone", "error: a person refused this call: not that", "[a person changed the arguments to " + edited + "]\na.txt was changed.", "it says three", "b.txt was written.", "b.txt was changed."}
	if fmt.Sprintf("%q", m.said) != fmt.Sprintf("%q", want) || f.read("a.txt") != "three\n" {
		t.Errorf("said %q\nwant %q, file %q", m.said, want, f.read("a.txt"))
	}
}

// TestApprovalShowsNoSecrets: the question for an approval shows no secret's value, neither in the arguments nor in the
// calls that it covers.
func TestApprovalShowsNoSecrets(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	m := &scripted{calls: []plan.ToolCall{wants("Bash", map[string]any{"command": "echo hunter2"})}}
	l := steer(t, act(f, "", acting(plan.AskMode, plan.LocalTools...), m, func(c *engine.Config) {
		c.Headless, c.Options.ApprovalPolicy, c.Secrets = false, machine.ApproveEach, []string{"hunter2"}
	}))
	q := l.waiting("1", machine.KindApproveCall)
	if data, err := json.Marshal(q); err != nil || strings.Contains(string(data), "hunter2") || !strings.Contains(q.Call.Arguments, "echo") {
		t.Errorf("%s %v", data, err)
	}
}

// TestChangesShowNoSecrets: a secret in a changed file is masked in the diffs, during the run and afterwards. Restoring
// the file brings the secret back.
func TestChangesShowNoSecrets(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	f.write("a.txt", "one\nkey: hunter2\n")
	m := &scripted{calls: []plan.ToolCall{readA, editA, wants("Write", map[string]any{"file_path": "b.txt", "content": "key: hunter2\n"})}}
	s := act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, func(c *engine.Config) { c.Secrets = []string{"hunter2"} })
	_, events := headless(t, s)
	run := f.runs[0].Folder
	for _, files := range [][]engine.FileDiff{s.FileDiffs(), engine.FileDiffs(run, events)} {
		for i, want := range []string{"two\nkey: •••\n", "key: •••\n"} {
			if got := string(files[i].NewContent); got != want || strings.Contains(string(files[i].OldContent), "hunter2") {
				t.Errorf("%s shows %q, before %q", files[i].Path, got, files[i].OldContent)
			}
		}
	}
	folder, err := local.Open(consent.ToolPlace{ProjectRoot: f.dir, WorkingDir: f.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	err = engine.RestoreFiles(folder, run, engine.FilesChangedByTools(events), "all", func(machine.FileState) error { return nil })
	if err != nil || f.read("a.txt") != "one\nkey: hunter2\n" || f.read("b.txt") != "no file" {
		t.Errorf("%v, a.txt has %q, b.txt %q", err, f.read("a.txt"), f.read("b.txt"))
	}
	// Only the file's earlier content holds the secret in the run's folder: restoring the file needs it.
	kept, _ := filepath.Glob(filepath.Join(run.Dir(), "*", "*"))
	for _, name := range kept {
		if data, _ := os.ReadFile(name); strings.Contains(string(data), "hunter2") && filepath.Base(name) != engine.FilesChangedByTools(events)[0].HashBefore {
			t.Errorf("%s has the secret", name)
		}
	}
}

// TestRestoreOfLostContent: a file whose earlier content is lost is not restored.
func TestRestoreOfLostContent(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	f.write("a.txt", "one\n")
	s := act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), &scripted{calls: []plan.ToolCall{readA, editA}}, nil)
	_, events := headless(t, s)
	run := f.runs[0].Folder
	if err := os.Remove(filepath.Join(run.Dir(), "contents", engine.FilesChangedByTools(events)[0].HashBefore)); err != nil {
		t.Fatal(err)
	}
	folder, err := local.Open(consent.ToolPlace{ProjectRoot: f.dir, WorkingDir: f.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	err = engine.RestoreFiles(folder, run, engine.FilesChangedByTools(events), "all", func(machine.FileState) error { return nil })
	if err == nil || f.read("a.txt") != "two\n" {
		t.Errorf("%v, a.txt has %q", err, f.read("a.txt"))
	}
}

// TestFailedChangeOfRestoredFile: a change that was interrupted, restored and then failed counts as no change.
func TestFailedChangeOfRestoredFile(t *testing.T) {
	files := engine.FilesChangedByTools([]machine.Event{
		{Seq: 1, Body: &machine.FileChanging{FileState: machine.FileState{Path: "a.txt", HashBefore: "one", HashAfter: "two"}}},
		{Seq: 2, Body: &machine.FileRestored{FileState: machine.FileState{Path: "a.txt", HashBefore: "two", HashAfter: "one"}}},
		{Seq: 3, Body: &machine.ActionFinished{Error: "read it first"}},
	})
	if len(files) > 0 {
		t.Errorf("%+v", files)
	}
}

// cut truncates the run's journal after the first event for which until holds, as a crash would leave it.
func cut(t *testing.T, f *fixture, events []machine.Event, until func(machine.Event) bool) (run string) {
	t.Helper()
	f.closeRuns()
	id := events[0].Body.(*machine.RunStarted).RunID
	path := filepath.Join(f.dir, "runs", id, "events.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	for i, e := range events {
		if until(e) {
			if err := os.WriteFile(path, []byte(strings.Join(lines[:i+1], "")), 0o600); err != nil {
				t.Fatal(err)
			}
			return id
		}
	}
	t.Fatal("there is no such event")
	return ""
}

// TestCrashDuringChange: an interrupted change counts as made if the file has the new content. It is made if the file
// has the old content; otherwise the run asks.
func TestCrashDuringChange(t *testing.T) {
	isChanging := func(e machine.Event) bool { _, is := e.Body.(*machine.FileChanging); return is }
	for disk, want := range map[string]string{"two\n": "two\n", "one\n": "two\n", "other\n": "asks"} {
		f := newFixture(t, "## 1 A\n")
		f.write("a.txt", "one\n")
		m := &scripted{calls: []plan.ToolCall{readA, editA}}
		_, events := headless(t, act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, nil))
		run := cut(t, f, events, isChanging)
		f.write("a.txt", disk)
		end, after := headless(t, act(f, run, f.plan, m, nil))
		if want == "asks" {
			if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindResume || f.read("a.txt") != disk {
				t.Errorf("%q: ended %+v, file %q", disk, end.RunFinished, f.read("a.txt"))
			}
			continue
		}
		changes := 0
		for _, e := range after {
			if isChanging(e) {
				changes++
			}
		}
		if end.Result != plan.Completed || f.read("a.txt") != want || changes != 1 || m.said[1] != "a.txt was changed." {
			t.Errorf("%q: ended %+v, file %q, %d changes, said %q", disk, end.RunFinished, f.read("a.txt"), changes, m.said)
		}
		if shown := printed(t, f, after); !strings.Contains(shown, "-one\n+two\n") {
			t.Errorf("%q: the output shows %q", disk, shown)
		}
	}
}

// printed returns the logged output of the run's tool calls.
func printed(t *testing.T, f *fixture, events []machine.Event) (out string) {
	t.Helper()
	for _, e := range events {
		if b, is := e.Body.(*machine.ActionFinished); is && b.Kind == "tool" && b.Log != nil {
			data, err := os.ReadFile(filepath.Join(f.dir, "runs", events[0].Body.(*machine.RunStarted).RunID, b.Log.File))
			if err != nil {
				t.Fatal(err)
			}
			out += string(data)
		}
	}
	return out
}

// TestCrashAfterSecretChange: after a crash, the arguments of a call that wrote a secret are lost. The call counts as
// made if the file has the new content, and fails otherwise.
func TestCrashAfterSecretChange(t *testing.T) {
	for made, want := range map[bool]string{true: "a.txt was written.", false: "error: the text has •••"} {
		f := newFixture(t, "## 1 A\n")
		m := &scripted{calls: []plan.ToolCall{wants("Write", map[string]any{"file_path": "a.txt", "content": "key: hunter2\n"})}}
		secret := func(c *engine.Config) { c.Secrets = []string{"hunter2"} }
		_, events := headless(t, act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, secret))
		run := cut(t, f, events, func(e machine.Event) bool { _, is := e.Body.(*machine.FileChanging); return is })
		if !made {
			_ = os.Remove(filepath.Join(f.dir, "a.txt"))
		}
		end, _ := headless(t, act(f, run, f.plan, m, secret))
		if end.Result != plan.Completed || !strings.HasPrefix(m.said[0], want) || (f.read("a.txt") == "key: hunter2\n") != made {
			t.Errorf("made %v: ended %+v, said %q, file %q", made, end.RunFinished, m.said, f.read("a.txt"))
		}
	}
}

// TestCrashBeforeTools: after a crash, a call that reads or writes a file is made again; the run asks about a command.
func TestCrashBeforeTools(t *testing.T) {
	for _, c := range []struct {
		call plan.ToolCall
		want plan.RunResult
	}{{readA, plan.Completed}, {writeB, plan.Completed}, {runLs, plan.Awaiting}} {
		f := newFixture(t, "## 1 A\n")
		f.write("a.txt", "one\n")
		m := &scripted{calls: []plan.ToolCall{c.call}}
		_, events := headless(t, act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, nil))
		run := cut(t, f, events, func(e machine.Event) bool {
			b, is := e.Body.(*machine.ActionStarted)
			return is && b.Kind == "tool"
		})
		_ = os.Remove(filepath.Join(f.dir, "b.txt"))
		if end, _ := headless(t, act(f, run, f.plan, m, nil)); end.Result != c.want {
			t.Errorf("%s: ended %+v", c.call.Name, end.RunFinished)
		}
	}
}

// TestRewindForgetsFiles: a rewound run forgets what it read later, and leaves the files as they are.
func TestRewindForgetsFiles(t *testing.T) {
	f := newFixture(t, "## 1 A\n")
	f.write("a.txt", "one\n")
	m := &scripted{calls: []plan.ToolCall{readA, editA}}
	l := steer(t, act(f, "", acting(plan.AcceptEditsMode, plan.LocalTools...), m, func(c *engine.Config) { c.Headless = false }))
	l.over(plan.Completed)
	m.calls = []plan.ToolCall{wants("Edit", map[string]any{"file_path": "a.txt", "old_string": "two", "new_string": "x"})}
	l.do(l.s.Rewind(1))
	l.until("is held", func(s engine.Status) bool { return s.State == engine.Paused })
	l.do(l.s.Continue(engine.Continue, ""))
	l.over(plan.Completed)
	if f.read("a.txt") != "two\n" || m.said[0] != "error: a.txt has not been read in this run: read it first" {
		t.Errorf("file %q, said %q", f.read("a.txt"), m.said)
	}
}
