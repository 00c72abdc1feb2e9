package plan

import (
	"slices"
	"strings"
)

// LocalServer is the name of the server of Playhead's own tools in documents, as in local/Read.
const LocalServer = "local"

// The tools that Playhead itself provides (agent-tools.md).
const (
	ToolRead  = "Read"
	ToolGlob  = "Glob"
	ToolGrep  = "Grep"
	ToolWrite = "Write"
	ToolEdit  = "Edit"
	ToolBash  = "Bash"
	ToolTodo  = "TodoWrite"
)

// LocalTools are the names of Playhead's own tools.
var LocalTools = []string{ToolRead, ToolGlob, ToolGrep, ToolWrite, ToolEdit, ToolBash, ToolTodo}

// IsLocalServer reports whether a server's name means Playhead's own tools.
func IsLocalServer(server string) bool { return strings.EqualFold(server, LocalServer) }

// SplitTool splits a document's name for a tool into server and tool. A server is given as
// server/tool or mcp__server__tool, else it is "".
func SplitTool(name string) (server, tool string) {
	if inner, is := strings.CutPrefix(name, "mcp__"); is {
		if server, tool, is = strings.Cut(inner, "__"); is {
			return server, tool
		}
	}
	if server, tool, is := strings.Cut(name, "/"); is {
		return server, tool
	}
	return "", name
}

// LocalToolName returns the tool's own name if a document's name means one of Playhead's own tools, and
// "" for the tool of another server.
func LocalToolName(name string) string {
	server, tool := SplitTool(name)
	if !IsLocalServer(server) {
		return ""
	}
	return tool
}

// CanChangeFiles reports whether one of Playhead's own tools may change files or run commands. A
// document that names such a tool needs trust.
func CanChangeFiles(tool string) bool {
	return tool == ToolWrite || tool == ToolEdit || tool == ToolBash
}

// PermissionMode says what the local tools of a model may do without asking (agent-tools.md, Consent).
type PermissionMode string

// The modes. VerificationMode is the default of verification steps.
const (
	PlanOnlyMode     PermissionMode = "plan"
	VerificationMode PermissionMode = "verification"
	AskMode          PermissionMode = "default"
	AcceptEditsMode  PermissionMode = "acceptEdits"
	BypassMode       PermissionMode = "bypassPermissions"
)

// PermissionModes lists all modes, the strictest first.
var PermissionModes = []PermissionMode{PlanOnlyMode, VerificationMode, AskMode, AcceptEditsMode, BypassMode}

// StricterMode returns the stricter of two modes. The empty mode restricts nothing.
func StricterMode(a, b PermissionMode) PermissionMode {
	switch {
	case a == "":
		return b
	case b == "" || slices.Index(PermissionModes, a) < slices.Index(PermissionModes, b):
		return a
	}
	return b
}

// Permissions say what the model of a step may do with its tools.
type Permissions struct {
	Mode               PermissionMode      // empty: AskMode
	ToolPatterns       map[string][]string // patterns that restrict local tools, by name; none: any
	MayUseClosureTools bool                // the step closes its agent's work: it may call tools that end or publish something
}

// closureToolPrefixes are the beginnings of the names of server tools that end or publish something.
var closureToolPrefixes = []string{"githubIssue", "githubPr", "githubRelease"}

// IsClosureTool reports whether a tool is only for closure steps. It may be given as server/tool or
// mcp__server__tool.
func IsClosureTool(tool string) bool {
	_, tool = SplitTool(tool)
	return slices.ContainsFunc(closureToolPrefixes, func(prefix string) bool { return strings.HasPrefix(tool, prefix) })
}
