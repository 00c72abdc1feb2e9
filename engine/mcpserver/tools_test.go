package mcpserver

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/journal"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/parse"
)

const release = `# Release

## 1. Upload
` + "```sh\necho uploading; test -e ok\n```" + `
- PASS: CONTINUE
- FAIL: RETRY 1 GOTO Rollback

## 2. Approve
Does the announcement read well?
- YES: COMPLETE "released"
- NO: GOTO Rollback

## Rollback
` + "```sh\necho withdrawn\n```" + `
- PASS: STOP "rolled back"
`

// TestDocumented: docs/agents.md describes every tool and contains configurations that hosts can read.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range allTools {
		if !strings.Contains(string(page), "| `"+tool.name+"` |") {
			t.Errorf("the page does not describe %s", tool.name)
		}
	}
	found := 0
	for _, block := range strings.Split(string(page), "```json\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if !strings.Contains(text, "playhead\"") {
			continue
		}
		found++
		if !json.Valid([]byte(text)) || !strings.Contains(text, `"mcp"`) {
			t.Errorf("this is not a configuration: %s", text)
		}
	}
	if found < 8 {
		t.Errorf("%d configurations", found)
	}
}

// trusted records that a person trusts a document, as on a terminal.
func trusted(t *testing.T, file string) {
	t.Helper()
	p, err := setup.Load(file, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := (setup.Commands{Plan: p}).Trust(); err != nil {
		t.Fatal(err)
	}
}

// TestRunbook: an agent walks through a runbook with a failure, a what-if and a rewind.
func TestRunbook(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release, "ok": ""})
	trusted(t, "release.runbook.md")
	a := connect(t, dir, "test-host")
	r := a.call("list_documents", nil)
	want(t, r, "success", true, "folder", dir, "documents", []any{object("document", "release.runbook.md", "format", "Rundown")}, "open_runs", []any{})
	r = a.call("check_document", object("document", "release.runbook.md"))
	want(t, r, "valid", true, "trusted", true, "format", "rundown", "commands", []string{"release.runbook.md:4: echo uploading; test -e ok", "release.runbook.md:16: echo withdrawn"})

	r = a.call("start_run", object("document", "release.runbook.md"))
	want(t, r, "success", true, "state", "waiting", "step", "2", "note", "playhead watch")
	run := r["run"].(string)
	waiting := r["waiting"].(map[string]any)
	want(t, waiting, "kind", "decide", "expects", "then use pass, fail or skip.", "text", "Does the announcement read well?", "answers", []any{object("action", "pass"), object("action", "fail"), object("action", "skip")})
	want(t, a.call("list_documents", nil)["open_runs"].([]any)[0].(map[string]any), "run", run, "state", "waiting", "step", "2")
	asked := r["seq"]
	want(t, a.call("explain", nil), "step", "1", "summary", "line 7 → 2 · pass", "outcome", "pass, exit 0")

	r = a.call("act", object("action", "fail", "arguments", object("reason", "a typo")))
	want(t, r, "state", "over", "result", "stopped", "message", "rolled back")
	if text := strings.Join(strs(r["happened"]), "\n"); !strings.Contains(text, "2 answered no") || !strings.Contains(text, "Rollback command exit 0\nwithdrawn") {
		t.Errorf("the events are described as\n%s", text)
	}
	r = a.call("explain", object("step", "2"))
	want(t, r, "summary", "from 2, line 13 → Rollback", "routes", []string{"line 12, YES: COMPLETE \"released\": no match: fail", "line 13, NO: GOTO Rollback: fail \"a typo\" → Rollback"})
	if r["decision"].(map[string]any)["type"] != "routed" {
		t.Errorf("the decision is not an event: %v", r["decision"])
	}
	want(t, a.call("what_if", object("step", "2"))["differences"].([]any)[0].(map[string]any), "name", "outcome", "was", "fail", "values", []string{"pass"})
	r = a.call("what_if", object("step", "2", "name", "outcome", "value", "pass"))
	want(t, r, "summary", "completed \"released\"", "note", "The run is unchanged", "stays_done", []string{"Rollback echo withdrawn"})

	want(t, a.call("act", object("action", "rewind", "arguments", object("event", asked))), "state", "waiting", "step", "2", "stays_done", []string{"Rollback echo withdrawn"})
	r = a.call("act", object("action", "pass"))
	want(t, r, "state", "over", "result", "completed", "message", "released")
	r = a.call("run_state", object("run", run))
	want(t, r, "state", "over", "steps", []any{object("step", "1", "title", "Upload", "status", "passed", "attempt", 1),
		object("step", "2", "title", "Approve", "status", "passed", "attempt", 1), object("step", "Rollback", "title", "Rollback", "status", "pending")})
}

func strs(list any) (out []string) {
	all, _ := list.([]any)
	for _, text := range all {
		out = append(out, text.(string))
	}
	return out
}

// TestResourcesDuringCall: the list of documents does not wait for a tool call.
func TestResourcesDuringCall(t *testing.T) {
	dir := folder(t, map[string]string{"a.md": "# A\n\n## 1. Look\n\nLook.\n"})
	a := connect(t, dir, "host")
	a.server.callToken <- struct{}{} // a call waits for its run
	defer func() { <-a.server.callToken }()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := a.session.ListResources(ctx, nil); err != nil {
		t.Error(err)
	}
}

// TestResources: documents are resources, and a prompt starts a walk through one of them.
func TestResources(t *testing.T) {
	dir := folder(t, map[string]string{"a b.runbook.md": release, "below/c.md": backup, "secret.txt": "no document"})
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "outside.md"), []byte(release), 0o600); err != nil {
		t.Fatal(err)
	}
	a := connect(t, dir, "test-host")
	ctx := t.Context()
	list, err := a.session.ListResources(ctx, nil)
	if err != nil || len(list.Resources) != 2 || list.Resources[0].URI != "playhead://document/a%20b.runbook.md" {
		t.Fatal(list, err)
	}
	for uri, text := range map[string]string{
		"playhead://document/a%20b.runbook.md": release, "playhead://document/below/c.md": backup,
		"playhead://document/../outside.md": "", "playhead://document//etc/passwd": "", "playhead://document/nothing.md": "",
		"file:///etc/passwd": "",
	} {
		r, err := a.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
		if text == "" {
			if err == nil {
				t.Errorf("%s was read: %s", uri, r.Contents[0].Text)
			}
			continue
		}
		if err != nil || r.Contents[0].Text != text {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "below/c.md")); err != nil {
		t.Fatal(err)
	}
	if list, err = a.session.ListResources(ctx, nil); err != nil || len(list.Resources) != 1 {
		t.Error(list, err)
	}
	prompt, err := a.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "walk_me_through", Arguments: map[string]string{"name": "a b.runbook.md"}})
	if err != nil || !strings.Contains(prompt.Messages[0].Content.(*sdk.TextContent).Text, "Walk me through a b.runbook.md (rundown)") {
		t.Error(prompt, err)
	}
	if _, err := a.session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "walk_me_through", Arguments: map[string]string{"name": "../x"}}); err == nil {
		t.Error("the prompt walks through a document outside the folder")
	}
	done, err := a.session.Complete(ctx, &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: "walk_me_through"}, Argument: sdk.CompleteParamsArgument{Name: "name", Value: "a"},
	})
	if err != nil || len(done.Completion.Values) != 1 {
		t.Error(done, err)
	}
}

// TestUntrusted: a run of an untrusted document waits, whatever the agent calls, until a person trusts the document.
func TestUntrusted(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release, "ok": ""})
	a := connect(t, dir, "test-host")
	want(t, a.call("check_document", object("document", "release.runbook.md")), "trusted", false, "note", "A person has to trust")
	r := a.call("start_run", object("document", "release.runbook.md"))
	run := r["run"].(string)
	want(t, r, "state", "paused")
	want(t, r["waiting"].(map[string]any), "kind", "trust", "expects", "playhead attach "+run)
	for _, action := range []string{"continue", "over", "skip", "pass", "set", "jump", "rerun", "undo"} {
		want(t, a.call("act", object("action", action, "arguments", object("step", "2"))), "error_type", "not_trusted", "suggestion", "playhead attach "+run, "run", run)
	}
	want(t, a.call("next_step", nil), "state", "paused", "step", "1")
	l, err := service.Dial(runFolder(t, run), "another program")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.Call("trust", map[string]bool{"allow": true}, nil); err == nil {
		t.Error("a program without a terminal trusts a document")
	}
	trusted(t, "release.runbook.md")
	want(t, a.call("next_step", nil), "state", "waiting", "step", "2")
}

// TestPrompted: a prompted run needs no trust: it executes nothing, and the agent reports how each command went.
func TestPrompted(t *testing.T) {
	dir := folder(t, map[string]string{"release.runbook.md": release})
	a := connect(t, dir, "test-host")
	r := a.call("start_run", object("document", "release.runbook.md", "prompted", true))
	want(t, r, "state", "waiting", "step", "1")
	want(t, a.call("act", object("action", "pass")), "state", "waiting", "step", "2")
}

func runFolder(t *testing.T, run string) journal.Folder {
	t.Helper()
	h, err := journal.DefaultStore().ReadHistory(run)
	if err != nil {
		t.Fatal(err)
	}
	return h.Folder
}
