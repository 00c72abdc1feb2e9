// Package tools defines where the tools that documents call come from: the interfaces through which
// a session asks, and prepared results. The mcp package below it asks servers, and the local
// package has Playhead's own tools.
package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/parse/plan"
)

// Caller calls tools.
type Caller interface {
	// Call calls a tool, and writes its result to out. It returns when the result is complete, the
	// call has failed, or ctx is done.
	Call(ctx context.Context, r Request, out io.Writer) Result
}

// Servers are tool servers: they list tools and call them.
type Servers interface {
	Caller
	// Tools lists the tools of all servers. The error joins a ListError for each server that
	// cannot be asked. The tools of the other servers are returned nevertheless.
	Tools(ctx context.Context, notify func(string)) ([]Tool, error)
}

// ListError is the error for a server that cannot list its tools.
type ListError struct {
	Server string
	Err    error
}

// Error names the server and the reason.
func (l *ListError) Error() string {
	return fmt.Sprintf("the tools of %q are not known: %v", l.Server, l.Err)
}

// Unwrap returns the reason.
func (l *ListError) Unwrap() error { return l.Err }

// Request is one call of a tool.
type Request struct {
	StepLabel  string // the label of the step, such as 2a
	CallNumber int    // the number of the call of this tool in that step, from 1
	Server     string // as the document names it; empty: any server that has the tool
	Tool       string
	Args       string        // a JSON object
	Timeout    time.Duration // how long the call may take; 0: the server's own limit
	Notify     func(string)  // shows messages of the server during the call; may be nil
}

// Tool is a tool of a server.
type Tool struct {
	Server      string `json:"server"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      []byte `json:"-"`                // the JSON Schema of its arguments
	Effect      Effect `json:"effect,omitempty"` // what it does to its surroundings, according to its server
}

// Effect is what a server says that a tool does. Nobody has checked it.
type Effect int

// The effects of tools.
const (
	EffectUnknown Effect = iota
	ReadsOnly
	AddsOnly
	Destructive
)

// String returns the effect as a sentence for the person who approves a call.
func (e Effect) String() string {
	switch e {
	case ReadsOnly:
		return "Its server says that the tool only reads."
	case AddsOnly:
		return "Its server says that the tool adds things, but changes and deletes nothing."
	case Destructive:
		return "Its server says that the tool may overwrite or delete things."
	}
	return "Its server does not say what the tool changes."
}

// ApprovalText returns the server's description of the tool for the person who approves a call. It is
// untrusted, may have several lines, and is "" if there is none.
func (t Tool) ApprovalText() string {
	about := strings.TrimSpace(t.Description)
	if about == "" {
		return ""
	}
	return "Its server describes it as: " + about
}

// Result is the result of a call.
type Result struct {
	Text        string         // for people and models; parts that are not text are described, and an error that the tool reports is included
	Data        map[string]any // the structured part, if any
	Err         error          // why there is no result, for a person, with the names of server and tool
	IsCancelled bool           // the context ended
	ResultBy    string         // "file" for a prepared result; empty: a server's
	Warnings    []string       // what a person should know about the result
}

// PreparedResults are prepared results, from a file or an earlier run. The nth result of a key is for the nth call
// of that tool in that step, and the last one also for all later calls.
type PreparedResults struct {
	ResultBy   string              // where they come from: "file", or the run
	TextsByKey map[string][]string // by ResultKey
}

// ResultKey returns the key of a tool's results in a step, such as 2a/tool/search.
func ResultKey(label, tool string) string { return label + "/tool/" + tool }

// HasResult reports whether there is a result for the request.
func (r *PreparedResults) HasResult(q Request) bool {
	return r != nil && len(r.TextsByKey[ResultKey(q.StepLabel, q.Tool)]) > 0
}

// Call implements Caller. It requires that HasResult is true for q.
func (r *PreparedResults) Call(_ context.Context, q Request, out io.Writer) Result {
	texts := r.TextsByKey[ResultKey(q.StepLabel, q.Tool)]
	text := texts[min(max(q.CallNumber, 1), len(texts))-1]
	_, err := io.WriteString(out, text)
	return Result{Text: text, ResultBy: r.ResultBy, Err: err}
}

// NoLocalToolError returns the error that Playhead has no tool of its own with this name.
func NoLocalToolError(name string) error {
	return fmt.Errorf("there is no tool %s/%s: use one of %s", plan.LocalServer, name, strings.Join(plan.LocalTools, ", "))
}

// ResolveTool returns the tool that a document names: by a name that only one server has, or as
// server/tool or mcp__server__tool. It returns an error if there is no such tool or several.
func ResolveTool(all []Tool, name string) (Tool, error) {
	var found []Tool
	if tool := plan.LocalToolName(name); tool != "" {
		name = plan.LocalServer + "/" + tool
	}
	for _, t := range all {
		switch name {
		case t.Server + "/" + t.Name, "mcp__" + t.Server + "__" + t.Name:
			return t, nil
		case t.Name:
			if !plan.IsLocalServer(t.Server) { // those are named by their server
				found = append(found, t)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if tool := plan.LocalToolName(name); tool != "" {
			return Tool{}, NoLocalToolError(tool)
		}
		return Tool{}, fmt.Errorf("no tool server has a tool %q: use a tool of a server in .mcp.json, as TOOL or SERVER/TOOL", name)
	}
	var servers []string
	for _, t := range found {
		servers = append(servers, t.Server)
	}
	return Tool{}, fmt.Errorf("several servers have a tool %q (%s): write SERVER/TOOL", name, strings.Join(servers, ", "))
}

// Todo is an entry of the list that TodoWrite keeps.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress or completed
}

// ParseTodos decodes and checks the list in the arguments of a TodoWrite call. The error is for the model.
func ParseTodos(args string) ([]Todo, error) {
	var a struct{ Todos *[]Todo }
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return nil, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	if a.Todos == nil {
		return nil, errors.New("todos is missing")
	}
	for i, t := range *a.Todos {
		switch {
		case t.Content == "":
			return nil, fmt.Errorf("entry %d has no content", i+1)
		case t.Status != "pending" && t.Status != "in_progress" && t.Status != "completed":
			return nil, fmt.Errorf("entry %d has the status %q: use pending, in_progress or completed", i+1, t.Status)
		}
	}
	return *a.Todos, nil
}
