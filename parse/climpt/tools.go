package climpt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"mvdan.cc/sh/v3/syntax"

	"playhead/parse/plan"
	"playhead/parse/shellwords"
)

// AllowedTools are the tools that an agent's file allows its steps (agent-tools.md).
type AllowedTools struct {
	Names          []string            // as a Plan names them: local/Read, server/tool
	ToolPatterns   map[string][]string // patterns that restrict local tools, by name without local/
	PermissionMode plan.PermissionMode // "": the agent has none
	unavailable    []unavailableTool
}

// unavailableTool is an entry of allowedTools that cannot be offered to a model, and why.
type unavailableTool struct {
	place  Place
	name   string
	reason string
	remedy string
}

// readToolsAndPermissionMode reads allowedTools and permissionMode of an object.
func (a *Agent) readToolsAndPermissionMode(o Fields) {
	a.Tools.PermissionMode = permissionMode(o)
	o.Strings("allowedTools") // reports other types
	free := map[string]bool{}
	for _, item := range o.Get("allowedTools").Items() {
		if item.Is(String) {
			a.Tools.addEntry(item, free)
		}
	}
	for name := range free {
		delete(a.Tools.ToolPatterns, name)
	}
}

// permissionMode returns the mode that an object has, or "".
func permissionMode(o Fields) plan.PermissionMode {
	return plan.PermissionMode(o.Enum("permissionMode", string(plan.AskMode), string(plan.AcceptEditsMode), string(plan.PlanOnlyMode), string(plan.BypassMode)))
}

// StepPermissionMode returns the effective permission mode of a step: its own, else the stricter one of the
// agent's mode and usual, the mode for steps of its kind. The Agent may be nil.
func (a *Agent) StepPermissionMode(step Fields, usual plan.PermissionMode) plan.PermissionMode {
	own := permissionMode(step)
	switch {
	case own != "":
		return own
	case a == nil:
		return usual
	}
	return plan.StricterMode(a.Tools.PermissionMode, usual)
}

// addEntry adds an entry of allowedTools. free collects the local tools that are allowed without a
// pattern.
func (t *AllowedTools) addEntry(item *Value, free map[string]bool) {
	text := strings.TrimSpace(item.Text())
	if text == "*" {
		for _, name := range plan.LocalTools {
			free[name] = true
			t.addToolName(plan.LocalServer + "/" + name)
		}
		return
	}
	e := parseToolEntry(text)
	switch {
	case e.reason != "":
		t.unavailable = append(t.unavailable, unavailableTool{item.Place(), text, e.reason, e.remedy})
		return
	case !e.isLocal():
		t.addToolName(e.name)
		return
	case e.hasPattern:
		if t.ToolPatterns == nil {
			t.ToolPatterns = map[string][]string{}
		}
		t.ToolPatterns[e.name] = append(t.ToolPatterns[e.name], e.pattern)
	default:
		free[e.name] = true
	}
	t.addToolName(plan.LocalServer + "/" + e.name)
}

// toolEntry is what an entry of allowedTools says.
type toolEntry struct {
	name       string
	pattern    string // in the form in which it is matched
	hasPattern bool   // the pattern restricts the tool
	reason     string // why the tool cannot be offered; empty: it can
	remedy     string
}

func (e toolEntry) isLocal() bool { return slices.Contains(plan.LocalTools, e.name) }

// parseToolEntry reads an entry: the name of a tool, and in parentheses the pattern that restricts it. A pattern that
// cannot be read never allows the whole tool.
func parseToolEntry(text string) (e toolEntry) {
	name, pattern, hasPattern := strings.Cut(text, "(")
	pattern, isClosed := strings.CutSuffix(pattern, ")")
	name, pattern = strings.TrimSpace(name), strings.TrimSpace(pattern)
	e.name = name
	if own := plan.LocalToolName(name); slices.Contains(plan.LocalTools, own) { // local/Read means Read
		e.name = own
	}
	e.hasPattern = hasPattern && !(isClosed && (pattern == "*" || pattern == ":*"))
	e.remedy = "correct the pattern, or remove it to allow the whole tool"
	switch {
	case !e.isLocal() && !isServerTool(e.name):
		e.reason, e.remedy = "is not one of Playhead's tools", toolNameRemedy(e.name)
	case !e.isLocal() && e.hasPattern:
		e.reason, e.remedy = "cannot be restricted by a pattern, because a server provides it", "remove the pattern"
	case e.hasPattern && e.name == plan.ToolTodo:
		e.reason, e.remedy = "cannot be restricted by a pattern", "remove the pattern"
	case e.hasPattern && !isClosed:
		e.reason = "has a pattern that does not end with a closing parenthesis"
	case e.hasPattern:
		e.pattern, e.reason = parseToolPattern(e.name, pattern)
	}
	return e
}

// toolNameRemedy returns which name to use in place of an unknown one. It suggests a tool only where it is certainly
// meant, because agents also name tools that Playhead does not have, such as Task, which is near Bash.
func toolNameRemedy(name string) string {
	server, tool := plan.SplitTool(name)
	for _, known := range plan.LocalTools {
		if strings.EqualFold(tool, known) && (server == "" || plan.IsLocalServer(server)) {
			return "did you mean " + known + "?"
		}
	}
	return "use " + strings.Join(plan.LocalTools, ", ") + ", or a tool of an MCP server, written as SERVER/TOOL"
}

func (t *AllowedTools) addToolName(name string) {
	if !slices.Contains(t.Names, name) {
		t.Names = append(t.Names, name)
	}
}

// isServerTool reports whether a name is that of one tool of a server: server/tool or
// mcp__server__tool.
func isServerTool(name string) bool {
	server, tool := plan.SplitTool(name)
	return server != "" && tool != "" && !plan.IsLocalServer(server) && !strings.Contains(tool, "*")
}

// parseToolPattern returns the pattern of a local tool in the form in which it is matched, or why it is
// invalid.
func parseToolPattern(name, pattern string) (normalized, why string) {
	switch {
	case pattern == "":
		return "", "has an empty pattern"
	case name == plan.ToolBash:
		if begin, open := strings.CutSuffix(pattern, " *"); open {
			pattern = begin + ":*"
		}
		if !isSimpleCommand(strings.TrimSuffix(pattern, ":*")) {
			return "", "has a pattern that is not one simple command"
		}
		return pattern, ""
	}
	normalized = path.Clean(strings.TrimLeft(pattern, "/"))
	if normalized == ".." || strings.HasPrefix(normalized, "../") || strings.HasPrefix(pattern, "~") {
		return "", "has a pattern outside the project root"
	}
	if !doublestar.ValidatePattern(normalized) {
		return "", "has an invalid pattern"
	}
	return normalized, ""
}

// isSimpleCommand reports whether a text is one command of words without expansions, because a pattern allows no other.
func isSimpleCommand(text string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	return err == nil && shellwords.OfSimpleCommand(file) != nil
}

// WarnUnavailableTools warns of entries of allowedTools that cannot be offered. steps are the IDs of the
// steps that ask a model.
func (f *Flow) WarnUnavailableTools(steps []string) {
	if f.Agent == nil {
		return
	}
	for _, p := range f.Agent.Tools.unavailable {
		concerned := "; this has no effect, because no step asks a model"
		if len(steps) > 0 {
			concerned = ": steps " + strings.Join(steps, ", ") + " cannot call it"
			if len(steps) == 1 {
				concerned = ": step " + steps[0] + " cannot call it"
			}
		}
		f.Warn(p.place, "tool-unavailable", fmt.Sprintf("the tool %s %s%s", p.name, p.reason, concerned), p.remedy)
	}
}

// OfferTools gives a model call the tools of the agent, and the permission mode for them. Tools that end the
// work are offered only if closes is true, which is for closure steps. The Agent may be nil.
func (a *Agent) OfferTools(m *plan.Model, mode plan.PermissionMode, closes bool) {
	if a == nil || len(a.Tools.Names) == 0 {
		return
	}
	for _, name := range a.Tools.Names {
		if closes || !plan.IsClosureTool(name) {
			m.Tools = append(m.Tools, plan.Literal(name))
		}
	}
	m.Permissions = plan.Permissions{Mode: mode, ToolPatterns: a.Tools.ToolPatterns, MayUseClosureTools: closes}
}
