// Package tools is where the tools that documents call come from: what a session
// asks, what it gets back, and results that are there already. Servers are asked by
// the package below it.
package tools

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/parse/plan"
)

// Caller calls tools.
type Caller interface {
	// Call calls a tool, and writes its result to out. It returns when the result is
	// whole, the call has failed, or ctx is done.
	Call(ctx context.Context, r Request, out io.Writer) Result
}

// Servers are tool servers: what they have, and calls of it.
type Servers interface {
	Caller
	// Tools lists the tools of all servers. Those that cannot be asked are the error, which joins an
	// Unlisted for each; the tools of the others are there all the same.
	Tools(ctx context.Context, notify func(string)) ([]Tool, error)
}

// Unlisted is the error of a server that cannot be asked for its tools.
type Unlisted struct {
	Server string
	Err    error
}

func (u *Unlisted) Error() string {
	return fmt.Sprintf("the tools of %q are not known: %v", u.Server, u.Err)
}

// Unwrap returns why.
func (u *Unlisted) Unwrap() error { return u.Err }

// Request is one call.
type Request struct {
	Label  string // the unit it is for: 2a
	Nth    int    // which call of the tool in that label it is, from 1
	Server string // as the document names it; empty: whichever has the tool
	Tool   string
	Args   string        // a JSON object
	Limit  time.Duration // that the call may take; 0: as the server is configured
	Notify func(string)  // shows what the server has to say meanwhile; nil: nobody looks
}

// Tool is a tool that a server has.
type Tool struct {
	Server      string `json:"server"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      []byte `json:"-"`                // the JSON Schema of its arguments
	Effect      Effect `json:"effect,omitempty"` // what it does to its surroundings, as its server says
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

// String returns the effect as a sentence for whoever is to allow a call.
func (e Effect) String() string {
	switch e {
	case ReadsOnly:
		return "Its server says that it only reads."
	case AddsOnly:
		return "Its server says that it adds, and destroys nothing."
	case Destructive:
		return "Its server says that it may overwrite or delete."
	}
	return "Its server does not say what it changes."
}

// About returns what its server says that the tool does, for whoever is to allow a call: untrusted,
// perhaps of several lines, empty if it says nothing.
func (t Tool) About() string {
	about := strings.TrimSpace(t.Description)
	if about == "" {
		return ""
	}
	return "It is described as: " + about
}

// Result is what came back.
type Result struct {
	Text      string         // for people and models: parts that are no text are described; an error too, that the tool reports
	Data      map[string]any // the structured part, if there is one
	Err       error          // why there is no result, in words for a person, naming server and tool
	Cancelled bool           // ctx was done
	By        string         // file, when it was no server's
	Notes     []string       // what a person should know of it
}

// Results are results that are there already: of a file, or of an earlier run. The
// n-th is for the n-th call in a label, the last one for all later ones.
type Results struct {
	By    string              // who they are from: file, or the run
	Texts map[string][]string // by Key
}

// Key is the name of a tool's results in a unit: 2a/tool/search.
func Key(label, tool string) string { return label + "/tool/" + tool }

// Has reports whether there is a result for the request.
func (r *Results) Has(q Request) bool { return r != nil && len(r.Texts[Key(q.Label, q.Tool)]) > 0 }

// Call implements Caller.
func (r *Results) Call(_ context.Context, q Request, out io.Writer) Result {
	texts := r.Texts[Key(q.Label, q.Tool)]
	text := texts[min(max(q.Nth, 1), len(texts))-1]
	_, err := io.WriteString(out, text)
	return Result{Text: text, By: r.By, Err: err}
}

// SplitName returns the tool that a document's name for one means, and the server if it
// names that: as server/tool or mcp__server__tool.
func SplitName(name string) (server, tool string) {
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

// Resolve finds the tool that a document names: by a name that one server alone has,
// or as server/tool or mcp__server__tool.
func Resolve(all []Tool, name string) (Tool, error) {
	var found []Tool
	if tool := plan.LocalTool(name); tool != "" {
		name = plan.LocalServer + "/" + tool
	}
	for _, t := range all {
		switch name {
		case t.Server + "/" + t.Name, "mcp__" + t.Server + "__" + t.Name:
			return t, nil
		case t.Name:
			if !plan.IsLocal(t.Server) { // those are named by their server
				found = append(found, t)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if tool := plan.LocalTool(name); tool != "" {
			return Tool{}, fmt.Errorf("there is no tool %s/%s: use one of %s", plan.LocalServer, tool, strings.Join(plan.LocalTools, ", "))
		}
		return Tool{}, fmt.Errorf("no server has a tool %q: name one that is configured, or server/tool; look at .mcp.json", name)
	}
	var servers []string
	for _, t := range found {
		servers = append(servers, t.Server)
	}
	return Tool{}, fmt.Errorf("several servers have a tool %q (%s): name it server/tool", name, strings.Join(servers, ", "))
}
