// Package mcpserver offers runs to agents over MCP (docs/agents.md): the tools of the Workflow format, as
// hosts of its own server know them, and for every format the actions of engine/control.
//
// Calls act on a run through its socket, like any other program. If no process drives a run, this one does.
package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/sanitize"
	"playhead/engine/setup"
)

// Config is what a server needs.
type Config struct {
	Folder   string         // the working folder: documents and runs elsewhere are refused
	Settings setup.Settings // as they were read
	Version  string         // of Playhead
	Wait     time.Duration  // how long a call waits for the run at most
}

// A Server serves one host.
type Server struct {
	cfg       Config
	mcp       *sdk.Server
	callToken chan struct{} // holds one token: calls act one after the other

	// What follows belongs to whoever has the token.
	host     string           // what the host calls itself
	tool     string           // that is called
	links    map[string]*link // the runs of earlier calls, by their ids
	last     *link            // the one that the last call of a general tool was about
	workflow *link            // the one that load_workflow has loaded
}

// New returns a server. Close ends what it drives.
func New(c Config) *Server {
	s := &Server{cfg: c, callToken: make(chan struct{}, 1), links: map[string]*link{}}
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: "playhead", Title: "Playhead", Version: c.Version}, &sdk.ServerOptions{
		Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}, CompletionHandler: s.completeDocument,
	})
	for _, t := range tools {
		s.mcp.AddTool(t.definition(), s.handler(t))
	}
	s.addDocuments()
	return s
}

// Run serves a host until it disconnects or ctx ends. Runs that this process drives are left then, and the
// next server continues them.
func (s *Server) Run(ctx context.Context, t sdk.Transport) error {
	err := s.mcp.Run(ctx, t)
	s.callToken <- struct{}{} // calls have ended, or are about to
	for _, l := range s.links {
		l.close()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// instructions tell a model what the server is for.
const instructions = `Playhead runs procedures (runbooks, playbooks, workflows) step by step and keeps the record. ` +
	`Playhead decides where to go next; you do or judge what a step asks for. ` +
	`For a workflow use load_workflow, execute_workflow_step and report_step_result. ` +
	`For any document use list_documents, start_run, next_step and act. ` +
	`A person can watch each run, pause you, answer in your place or rewind: replies say so. ` +
	`Only a person at Playhead's own terminal can trust a document or allow a tool call; never try to do that for them.`

// A tool is one that the server offers.
type tool struct {
	name, title, about string
	isReadOnly         bool
	schema             func() (*jsonschema.Schema, error)
	call               func(s *Server, ctx context.Context, arguments json.RawMessage) (any, error)
}

// withArguments gives a tool the arguments that A has.
func withArguments[A any](t tool, call func(*Server, context.Context, A) (any, error)) tool {
	t.schema = func() (*jsonschema.Schema, error) { return jsonschema.For[A](nil) }
	t.call = func(s *Server, ctx context.Context, arguments json.RawMessage) (any, error) {
		a, err := decode[A](arguments)
		if err != nil {
			return nil, err
		}
		return call(s, ctx, a)
	}
	return t
}

func (t tool) definition() *sdk.Tool {
	schema, err := t.schema()
	if err != nil {
		panic(err) // the arguments are types of this package
	}
	openWorld := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.isReadOnly, OpenWorldHint: &openWorld},
	}
}

// handler returns failures as results of the tool, not as errors of the protocol, so that a model reads
// them.
func (s *Server) handler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case s.callToken <- struct{}{}:
			defer func() { <-s.callToken }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if info := q.ClientInfo(); info != nil {
			s.host = info.Name
		}
		ctx, cancel := context.WithTimeout(ctx, s.cfg.Wait)
		defer cancel()
		s.tool = t.name
		reply, err := t.call(s, ctx, q.Params.Arguments)
		if err != nil {
			reply = failureOf(err)
		}
		data, failed := json.Marshal(reply)
		if failed != nil {
			return nil, failed
		}
		data = sanitize.JSON(data)
		return &sdk.CallToolResult{
			Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data), IsError: err != nil,
		}, nil
	}
}

// decode reads the arguments of a call, and refuses those that the tool does not have.
func decode[A any](data json.RawMessage) (a A, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return a, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err = dec.Decode(&a)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return a, fail(validation, "the arguments have to be an object", "Pass an object with the arguments of the tool.")
	case errors.As(err, &wrong):
		field := argumentTypePrefix.ReplaceAllString(wrong.Field, "")
		return a, fail(validation, fmt.Sprintf("%s cannot be a %s", field, wrong.Value), "Pass the types that the tool's schema names.")
	case err != nil:
		text := strings.TrimPrefix(err.Error(), "json: ")
		return a, fail(validation, "the arguments cannot be read: "+text, "Pass the arguments that the tool's schema names, and no others.")
	}
	return a, nil
}

// argumentTypePrefix matches the types of arguments in the path of a field.
var argumentTypePrefix = regexp.MustCompile(`\w+Arguments\.`)

// A label names a step or a run. Where it looks like a number, hosts may pass it as one.
type label string

// UnmarshalJSON implements json.Unmarshaler.
func (l *label) UnmarshalJSON(data []byte) error {
	if n := json.Number(data); data[0] != '"' {
		if _, err := n.Float64(); err == nil {
			*l = label(n)
			return nil
		}
	}
	return json.Unmarshal(data, (*string)(l))
}

// client returns the name by which the run knows this server.
func (s *Server) client() string {
	host := []rune(sanitize.Plain(s.host))
	if len(host) == 0 {
		return clientPrefix
	}
	return clientPrefix + " for " + string(host[:min(len(host), maxHostName)])
}

// self returns the client's name in events.
func (s *Server) self() string { return fmt.Sprintf("%s, process %d", s.client(), os.Getpid()) }

const (
	clientPrefix = "playhead mcp"
	maxHostName  = 40
)
