package plan

// Role says whose words a Message is.
type Role string

// The roles in a conversation with a model. The system's words stand apart.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one turn of a conversation with a model.
type Message struct {
	Role  Role
	Text  string
	Calls []ToolCall // of the assistant: the tools it wants called
	Call  string     // of a tool: the ID of the call that this is the result of
}

// ToolCall is a model's wish to have a tool called.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // as the model wrote them: JSON, if it did well

	// What the name stands for: a tool of a server. Empty: of none.
	Server string `json:"server,omitempty"`
	Tool   string `json:"tool,omitempty"`
}

// Is reports whether the call is of a tool as a document names it: by its name, by
// server and name, or as the function that it is offered as.
func (c ToolCall) Is(tool string) bool {
	return tool == c.Tool && tool != "" || tool == c.Server+"/"+c.Tool || tool == "mcp__"+c.Server+"__"+c.Tool || tool == c.Name
}
