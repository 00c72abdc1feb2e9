package plan

import (
	"cmp"
	"fmt"
	"strings"
)

// Role says who wrote a Message.
type Role string

// The roles in a conversation with a model. The system message is separate.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one turn of a conversation with a model.
type Message struct {
	Role      Role
	Text      string
	ToolCalls []ToolCall // of the assistant: the tools it wants called
	CallID    string     // of a tool: the ID of the call that this is the result of
}

// ToolCall is a model's request to call a tool.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // as the model wrote them, normally JSON

	// The server of the tool that the name means; empty: none.
	Server string `json:"server,omitempty"`
	Tool   string `json:"tool,omitempty"`
}

// IsFor reports whether the call is for a tool as a document names it: by name, by server and name, or
// by function name.
func (c ToolCall) IsFor(tool string) bool {
	return tool == c.Tool && tool != "" || tool == c.Server+"/"+c.Tool || tool == "mcp__"+c.Server+"__"+c.Tool || tool == c.Name
}

// maxFunctionNameLength is the limit of model services, in characters.
const maxFunctionNameLength = 64

// FunctionNames returns the function name for each tool that a model is offered. It contains only
// letters, digits, _ and -; other characters become _, and a number makes it unique. Prompts use
// these names too.
func FunctionNames(tools []string, taken ...string) []string {
	used, known := map[string]bool{}, map[string]string{}
	for _, name := range taken {
		used[name] = true
	}
	out := make([]string, len(tools))
	for i, tool := range tools {
		if known[tool] == "" {
			known[tool] = freeFunctionName(tool, used)
		}
		out[i] = known[tool]
	}
	return out
}

// freeFunctionName returns the first free name for a tool.
func freeFunctionName(tool string, used map[string]bool) string {
	base := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, cmp.Or(LocalToolName(tool), tool))
	name := base[:min(len(base), maxFunctionNameLength)]
	for n := 2; used[name] || name == ""; n++ {
		suffix := fmt.Sprintf("_%d", n)
		name = base[:min(len(base), maxFunctionNameLength-len(suffix))] + suffix
	}
	used[name] = true
	return name
}
