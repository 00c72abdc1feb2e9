package plan_test

import (
	"testing"

	"playhead/parse/plan"
)

// TestSplitTool: a tool name contains its server, or leaves the server open.
func TestSplitTool(t *testing.T) {
	for name, want := range map[string][2]string{
		"search": {"", "search"}, "web/search": {"web", "search"}, "web/a/b": {"web", "a/b"},
		"mcp__web__search": {"web", "search"}, "mcp__web__a__b": {"web", "a__b"}, "mcp__search": {"", "mcp__search"},
	} {
		if server, tool := plan.SplitTool(name); server != want[0] || tool != want[1] {
			t.Errorf("%s is %q of %q", name, tool, server)
		}
	}
}

// TestLocalTool: all ways to write the name of one of Playhead's own tools mean that tool (agent-tools.md).
func TestLocalTool(t *testing.T) {
	for name, want := range map[string]string{
		"local/Bash": "Bash", "mcp__local__Bash": "Bash", "LOCAL/Write": "Write", "mcp__Local__Edit": "Edit",
		"Bash": "", "web/Bash": "", "mcp__web__Bash": "", "local/[T]": "[T]",
	} {
		if got := plan.LocalToolName(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}
