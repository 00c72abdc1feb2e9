package plan

import (
	"slices"
	"strings"
	"time"
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

// IsLocal reports whether a server's name means Playhead's own tools.
func IsLocal(server string) bool { return strings.EqualFold(server, LocalServer) }

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

// LocalTool returns the tool's own name if a document's name means one of Playhead's own tools, and
// "" for the tool of another server.
func LocalTool(name string) string {
	server, tool := SplitTool(name)
	if !IsLocal(server) {
		return ""
	}
	return tool
}

// CanChangeFiles reports whether one of Playhead's own tools may change files or run commands. A
// document that names such a tool needs trust.
func CanChangeFiles(tool string) bool {
	return tool == ToolWrite || tool == ToolEdit || tool == ToolBash
}

// Mode says what the local tools of a model may do without asking (agent-tools.md, Consent).
type Mode string

// The modes. Verification is the default of verification steps.
const (
	PlanOnly     Mode = "plan"
	Verification Mode = "verification"
	AskMode      Mode = "default"
	AcceptEdits  Mode = "acceptEdits"
	Bypass       Mode = "bypassPermissions"
)

// Modes lists all modes, the strictest first.
var Modes = []Mode{PlanOnly, Verification, AskMode, AcceptEdits, Bypass}

// Stricter returns the stricter of two modes. The empty mode restricts nothing.
func Stricter(a, b Mode) Mode {
	switch {
	case a == "":
		return b
	case b == "" || slices.Index(Modes, a) < slices.Index(Modes, b):
		return a
	}
	return b
}

// Permissions say what the model of a step may do with its tools.
type Permissions struct {
	Mode         Mode                // empty: AskMode
	ToolPatterns map[string][]string // patterns that restrict local tools, by name; none: any
	CanEndWork   bool                // the step closes its agent's work: it may call tools that end or publish something
}

// endingPrefixes are the beginnings of the names of server tools that end or publish something.
var endingPrefixes = []string{"githubIssue", "githubPr", "githubRelease"}

// EndsWork reports whether a tool is only for closure steps. It may be given as server/tool or
// mcp__server__tool.
func EndsWork(tool string) bool {
	_, tool = SplitTool(tool)
	return slices.ContainsFunc(endingPrefixes, func(begin string) bool { return strings.HasPrefix(tool, begin) })
}

// DefaultBounds are the default limits of a conversation with tools (workflow.md §6).
var DefaultBounds = ConversationBounds{MaxTurns: 30, CallTimeout: 2 * time.Minute, MaxResultChars: 100_000}
