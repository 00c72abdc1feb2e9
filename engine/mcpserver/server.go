// Package mcpserver offers runs to agents over MCP (docs/agents.md): the tools of the Workflow format, as
// hosts of its own server know them, and for every format the actions of engine/control.
//
// Calls act on a run through its socket, like every other program. If no process drives a run, this
// process does.
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

	"playhead/engine"
	"playhead/engine/sanitize"
	"playhead/engine/service"
	"playhead/engine/setup"
)

// Config is what a server needs.
type Config struct {
	Folder   string         // the working folder: documents and runs elsewhere are refused
	Settings setup.Settings // the settings of the configuration file
	Version  string         // of Playhead
	MaxWait  time.Duration  // the longest time that a call waits for the run
}

// A Server serves one host.
type Server struct {
	config    Config
	mcp       *sdk.Server
	callToken chan struct{}   // holds one token: calls act one after the other
	waits     context.Context // ends when calls must not wait for a run any more
	endWaits  func()

	// The holder of the token owns the fields below.
	hostName     string              // the name that the host gives itself
	calledTool   string              // the tool that is being called
	linkByRunID  map[string]*runLink // the runs of earlier calls, by their ids
	lastLink     *runLink            // the run of the last call of a general tool
	workflowLink *runLink            // the run that load_workflow has loaded
}

// New returns a server. Run serves the host, and ends the sessions that the server drives.
func New(c Config) *Server {
	s := &Server{config: c, callToken: make(chan struct{}, 1), linkByRunID: map[string]*runLink{}}
	s.waits, s.endWaits = context.WithCancel(context.Background())
	s.mcp = sdk.NewServer(&sdk.Implementation{Name: "playhead", Title: "Playhead", Version: c.Version}, &sdk.ServerOptions{
		Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}, CompletionHandler: s.completeDocument,
	})
	for _, t := range allTools {
		s.mcp.AddTool(t.definition(), s.newToolHandler(t))
	}
	s.registerDocuments()
	return s
}

// Run serves a host until it disconnects or ctx ends. Then it ends the sessions that this process
// drives. The next server can continue their runs. Requests that were read before the host disconnected
// still get their replies.
func (s *Server) Run(ctx context.Context, t sdk.Transport) error {
	defer s.endWaits()
	err := s.mcp.Run(ctx, drainingTransport{t, s.endWaits})
	s.callToken <- struct{}{} // calls have ended, or are about to
	for _, l := range s.linkByRunID {
		l.close()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// instructions tell a model what the server is for.
const instructions = `Playhead runs procedures (runbooks, playbooks, workflows) step by step and records what happens. ` +
	`Playhead decides where to go next; you do what a step asks for, or judge its result. ` +
	`For a workflow use load_workflow, execute_workflow_step and report_step_result. ` +
	`For any document use list_documents, start_run, next_step and act. ` +
	`A person can watch each run, pause you, answer in your place or rewind: the results of your tool calls report this. ` +
	`Only a person at a terminal can trust a document or allow a tool call; never try to do that for them.`

// A serverTool is a tool that the server offers.
type serverTool struct {
	name, title, description string
	isReadOnly               bool
	newSchema                func() (*jsonschema.Schema, error)
	handle                   func(s *Server, ctx context.Context, arguments json.RawMessage) (any, error)
}

// toolWithArguments returns t with arguments of type A. call carries the tool out.
func toolWithArguments[A any](t serverTool, call func(*Server, context.Context, A) (any, error)) serverTool {
	t.newSchema = func() (*jsonschema.Schema, error) { return jsonschema.For[A](nil) }
	t.handle = func(s *Server, ctx context.Context, arguments json.RawMessage) (any, error) {
		a, err := decodeArguments[A](arguments)
		if err != nil {
			return nil, err
		}
		return call(s, ctx, a)
	}
	return t
}

func (t serverTool) definition() *sdk.Tool {
	schema, err := t.newSchema()
	if err != nil {
		panic(err) // the arguments are types of this package
	}
	openWorld := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: t.isReadOnly, OpenWorldHint: &openWorld},
	}
}

// newToolHandler returns the function that carries out calls of a tool. It returns failures as results of the
// tool and not as protocol errors, so that a model reads them.
func (s *Server) newToolHandler(t serverTool) sdk.ToolHandler {
	return func(ctx context.Context, q *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case s.callToken <- struct{}{}:
			defer func() { <-s.callToken }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if info := q.ClientInfo(); info != nil {
			s.hostName = info.Name
		}
		ctx, cancel := context.WithTimeout(ctx, s.config.MaxWait)
		defer cancel()
		defer context.AfterFunc(s.waits, func() { time.AfterFunc(settleTime, cancel) })()
		s.calledTool = t.name
		reply, err := t.handle(s, ctx, q.Params.Arguments)
		if err != nil {
			reply = failureFromError(err)
		}
		data, failed := json.Marshal(reply)
		if failed != nil {
			return nil, failed
		}
		data = sanitize.EscapeJSON(data)
		return &sdk.CallToolResult{
			Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}, StructuredContent: json.RawMessage(data), IsError: err != nil,
		}, nil
	}
}

// decodeArguments reads the arguments of a call, a JSON object or nothing, and refuses names that the tool does
// not have.
func decodeArguments[A any](data json.RawMessage) (a A, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return a, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	err = dec.Decode(&a)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return a, newFailure(failureValidation, "the arguments must be an object", "Pass an object with the arguments of the tool.")
	case errors.As(err, &wrong):
		field := argumentTypePattern.ReplaceAllString(wrong.Field, "")
		return a, newFailure(failureValidation, fmt.Sprintf("%s has the wrong type: %s", field, wrong.Value), "Pass values of the types that the tool's schema specifies.")
	case err != nil:
		text := strings.TrimPrefix(err.Error(), "json: ")
		return a, newFailure(failureValidation, "the arguments cannot be read: "+text, "Pass the arguments that the tool's schema names, and no others.")
	}
	return a, nil
}

// argumentTypePattern matches the types of arguments in the path of a field.
var argumentTypePattern = regexp.MustCompile(`\w+Arguments\.`)

// A stringOrNumber is the label of a step or the ID of a run. If it looks like a number, hosts may pass a
// number.
type stringOrNumber string

// UnmarshalJSON implements json.Unmarshaler.
func (s *stringOrNumber) UnmarshalJSON(data []byte) error {
	if n := json.Number(data); data[0] != '"' {
		if _, err := n.Float64(); err == nil {
			*s = stringOrNumber(n)
			return nil
		}
	}
	return json.Unmarshal(data, (*string)(s))
}

// clientName returns the name with which this server connects to a run: "playhead mcp for HOST".
func (s *Server) clientName() string {
	host := []rune(sanitize.Plain(s.hostName))
	if len(host) == 0 {
		return engine.AgentNamePrefix
	}
	return engine.AgentNamePrefix + " for " + string(host[:min(len(host), maxHostNameRunes)])
}

// nameInEvents returns the name that events have for this server's actions: the client's name and process.
func (s *Server) nameInEvents() string {
	return service.ClientName(s.clientName(), os.Getpid())
}

const maxHostNameRunes = 40
