package tools_test

import (
	"testing"

	"playhead/engine/tools"
)

// TestResolve: a declared name is the exact name of a tool that only one server has, or server/tool, or
// mcp__server__tool (workflow.md §6).
func TestResolve(t *testing.T) {
	all := []tools.Tool{{Server: "web", Name: "search"}, {Server: "db", Name: "search"}, {Server: "db", Name: "read"}}
	for name, want := range map[string]string{
		"read": "db read", "web/search": "web search", "mcp__db__search": "db search",
		"search": "several servers have a tool \"search\" (web, db): write SERVER/TOOL",
		"Read":   "no tool server has a tool \"Read\": use a tool of a server in .mcp.json, as TOOL or SERVER/TOOL",
	} {
		tool, err := tools.ResolveTool(all, name)
		got := tool.Server + " " + tool.Name
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
