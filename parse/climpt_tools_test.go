package parse

import (
	"fmt"
	"strings"
	"testing"

	"playhead/parse/plan"
)

const fourKinds = `{"agentId": "demo", "version": "1.0.0", "c1": "steps", "entryStep": "initial.x", "steps": {
  "initial.x": {"stepId": "initial.x", "name": "I", "stepKind": "work", "c2": "initial", "c3": "x"},
  "verification.x": {"stepId": "verification.x", "name": "V", "stepKind": "verification", "c2": "verification", "c3": "x"},
  "closure.x": {"stepId": "closure.x", "name": "C", "stepKind": "closure", "c2": "closure", "c3": "x"},
  "continuation.x": {"stepId": "continuation.x", "name": "O", "stepKind": "work", "c2": "continuation", "c3": "x", "permissionMode": "bypassPermissions"}}}`

// offered lists the tools of each model call of a Plan: step, mode, tools, patterns.
func offered(p *plan.Plan) string {
	var out []string
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			if w, is := a.Work.(plan.Model); is {
				line := s.ID + w.CallName + " " + string(w.Permissions.Mode)
				for _, tool := range w.Tools {
					line += " " + plan.SourceText(tool)
				}
				if len(w.Permissions.ToolPatterns) > 0 {
					line += fmt.Sprint(" ", w.Permissions.ToolPatterns)
				}
				out = append(out, line)
			}
		}
		return true
	})
	return strings.Join(out, "\n")
}

// TestAllowedTools: an agent's file decides which tools its steps may call, in which mode and with which patterns
// (agent-tools.md).
func TestAllowedTools(t *testing.T) {
	load := func(boundaries string) *plan.Plan {
		return Load(write(t, map[string]string{
			"agent.json": agentFile(`"runner": {"boundaries": {` + boundaries + `}}`), "steps_registry.json": fourKinds, "prompts/system.md": "x",
		}), Options{})
	}
	for boundaries, want := range map[string]string{
		`"allowedTools": []`: "initial.x \nverification.x \nclosure.x \ncontinuation.x ",
		`"allowedTools": ["Read", "Bash(git status:*)", "mcp__gh__githubIssueClose", "docs/search"]`: `initial.x acceptEdits local/Read local/Bash docs/search map[Bash:[git status:*]]
verification.x verification local/Read local/Bash docs/search map[Bash:[git status:*]]
closure.x acceptEdits local/Read local/Bash mcp__gh__githubIssueClose docs/search map[Bash:[git status:*]]
continuation.x bypassPermissions local/Read local/Bash docs/search map[Bash:[git status:*]]`,
		`"allowedTools": ["Edit(./src/**)", "Edit(/docs/*.md)"], "permissionMode": "default"`: `initial.x default local/Edit map[Edit:[src/** docs/*.md]]
verification.x verification local/Edit map[Edit:[src/** docs/*.md]]
closure.x default local/Edit map[Edit:[src/** docs/*.md]]
continuation.x bypassPermissions local/Edit map[Edit:[src/** docs/*.md]]`,
		`"allowedTools": ["Bash(ls)", "Bash"], "permissionMode": "plan"`: `initial.x plan local/Bash
verification.x plan local/Bash
closure.x plan local/Bash
continuation.x bypassPermissions local/Bash`,
	} {
		p := load(boundaries)
		if got := offered(p); got != want || !p.Runnable() {
			t.Errorf("%s, runnable %v:\n%s\nwant\n%s", boundaries, p.Runnable(), got, want)
		}
	}
	all := load(`"allowedTools": ["*"]`).Steps[0].Actions[0].Work.(plan.Model)
	if len(all.Tools) != len(plan.LocalTools) {
		t.Errorf("* means %d tools", len(all.Tools))
	}
}

// TestToolUnavailable: an agent with entries that name no available tool loads, and each such entry is reported with
// the steps that use it.
func TestToolUnavailable(t *testing.T) {
	dir := write(t, map[string]string{
		"agent.json": agentFile(`"behavior": {"allowedTools": ["Task", "Read", "Edit([)", "Bash()", "TodoWrite(x)", "Edit(../x)", "mcp__a", "WebFetch(domain:x)", "a/b(c)"], "permissionMode": "acceptEdits"}`),
		"steps_registry.json": `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa", "steps": {
			"s_10aa": {"id": "s_10aa", "name": "Do", "prompt": {"path": "do.md"}, "check": {"prompt": {"path": "check.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"complete": true}, "onFail": {"retry": true, "maxRetries": 1}}}}}`,
		"prompts/system.md": "x", "prompts/do.md": "do", "prompts/check.md": "check",
	})
	p := Load(dir, Options{})
	var got []string
	for _, d := range p.Diagnostics {
		got = append(got, fmt.Sprintf("%s %s %s", d.Severity, d.Code, d.Message))
	}
	want := `warning climpt/tool-unavailable the tool Task is not one of Playhead's tools: step s_10aa cannot call it
warning climpt/tool-unavailable the tool Edit([) has an invalid pattern: step s_10aa cannot call it
warning climpt/tool-unavailable the tool Bash() has an empty pattern: step s_10aa cannot call it
warning climpt/tool-unavailable the tool TodoWrite(x) cannot be restricted by a pattern: step s_10aa cannot call it
warning climpt/tool-unavailable the tool Edit(../x) has a pattern outside the project root: step s_10aa cannot call it
warning climpt/tool-unavailable the tool mcp__a is not one of Playhead's tools: step s_10aa cannot call it
warning climpt/tool-unavailable the tool WebFetch(domain:x) is not one of Playhead's tools: step s_10aa cannot call it
warning climpt/tool-unavailable the tool a/b(c) cannot be restricted by a pattern, because a server provides it: step s_10aa cannot call it`
	if text := strings.Join(got, "\n"); text != want || !p.Runnable() {
		t.Errorf("%s", text)
	}
	if text := offered(p); text != "s_10aa acceptEdits local/Read\ns_10aacheck verification local/Read" {
		t.Error(text)
	}
}

// TestToolRemedies: an entry that names no available tool is reported with its correction, and offers no tool.
func TestToolRemedies(t *testing.T) {
	const (
		names   = "use Read, Glob, Grep, Write, Edit, Bash, TodoWrite, or a tool of an MCP server, written as SERVER/TOOL"
		pattern = "correct the pattern, or remove it to allow the whole tool"
		without = "remove the pattern"
	)
	for _, c := range []struct{ entry, reason, remedy string }{
		{"Task", "is not one of Playhead's tools", names},
		{"Task(x", "is not one of Playhead's tools", names},
		{"bash", "is not one of Playhead's tools", "did you mean Bash?"},
		{"todowrite", "is not one of Playhead's tools", "did you mean TodoWrite?"},
		{"edit(src/**)", "is not one of Playhead's tools", "did you mean Edit?"},
		{"local/read", "is not one of Playhead's tools", "did you mean Read?"},
		{"local/Read", "", ""},
		{"local/Bash/x", "is not one of Playhead's tools", names},
		{"mcp__local__gh/search", "is not one of Playhead's tools", names},
		{"mcp__local__Bash", "", ""},
		{"mcp__gh", "is not one of Playhead's tools", names},
		{"mcp__gh__*", "is not one of Playhead's tools", names},
		{"gh/*", "is not one of Playhead's tools", names},
		{"Bash)", "is not one of Playhead's tools", names},
		{"gh/search(x)", "cannot be restricted by a pattern, because a server provides it", without},
		{"gh/search(x", "cannot be restricted by a pattern, because a server provides it", without},
		{"TodoWrite(x)", "cannot be restricted by a pattern", without},
		{"Bash(git status:*", "has a pattern that does not end with a closing parenthesis", pattern},
		{"Bash(git:*) now", "has a pattern that does not end with a closing parenthesis", pattern},
		{"Read(*", "has a pattern that does not end with a closing parenthesis", pattern},
		{"Bash()", "has an empty pattern", pattern},
		{"Read( )", "has an empty pattern", pattern},
		{"Bash(if)", "has a pattern that is not one simple command", pattern},
		{"Bash( *)", "", ""},
		{"Bash(git add . && git commit:*)", "has a pattern that is not one simple command", pattern},
		{"Bash(git log | head:*)", "has a pattern that is not one simple command", pattern},
		{"Bash(echo $HOME:*)", "has a pattern that is not one simple command", pattern},
		{"Bash(ls > x)", "has a pattern that is not one simple command", pattern},
		{"Bash(git add {a,b}:*)", "has a pattern that is not one simple command", pattern},
		{"Bash(echo $'a':*)", "has a pattern that is not one simple command", pattern},
		{"Bash(ls @(a|b):*)", "has a pattern that is not one simple command", pattern},
		{"Bash(git commit -m 'a b' *)", "", ""},
		{"Edit([)", "has an invalid pattern", pattern},
		{"Edit(../x)", "has a pattern outside the project root", pattern},
		{"Edit(src/../..)", "has a pattern outside the project root", pattern},
		{"Read(~/x)", "has a pattern outside the project root", pattern},
		{"Read(..cache/**)", "", ""},
		{"Read(/docs/(a)/*)", "", ""},
		{"gh/search", "", ""},
	} {
		p := Load(write(t, map[string]string{
			"agent.json": agentFile(fmt.Sprintf(`"runner": {"boundaries": {"allowedTools": [%q]}}`, c.entry)), "steps_registry.json": fourKinds, "prompts/system.md": "x",
		}), Options{})
		reason, remedy := "", ""
		for _, d := range p.Diagnostics {
			if d.Code == "climpt/tool-unavailable" {
				reason, remedy = strings.TrimPrefix(d.Message, "the tool "+c.entry+" "), d.Suggestion
			}
		}
		if reason, _, _ = strings.Cut(reason, ": steps "); reason != c.reason || remedy != c.remedy {
			t.Errorf("%s: %q, remedy %q, want %q, remedy %q", c.entry, reason, remedy, c.reason, c.remedy)
		}
		if offers := len(p.Steps[0].Actions[0].Work.(plan.Model).Tools) > 0; offers != (c.reason == "") {
			t.Errorf("%s: offered %v", c.entry, offers)
		}
	}
}
