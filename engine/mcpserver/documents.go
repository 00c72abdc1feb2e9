package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/plan"
)

// maxPath is how long the path of a document may be, in bytes.
const maxPath = 4096

// resolvePath returns the path of a document relative to the server's folder, as runs name it. It
// refuses a path outside that folder, also through a symbolic link.
func (s *Server) resolvePath(path string) (string, error) {
	const listHint = "Call list_documents: it lists the documents that can be used."
	switch {
	case path == "":
		return "", fail(notFound, "the path of the document is missing", listHint)
	case len(path) > maxPath || strings.ContainsRune(path, 0):
		return "", fail(validation, "this is not a file path", listHint)
	case strings.HasPrefix(path, setup.ExamplePrefix):
		return path, nil
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(s.cfg.Folder, path)
	}
	folder, err := filepath.EvalSymlinks(s.cfg.Folder)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		if below, failed := filepath.Rel(s.cfg.Folder, filepath.Clean(full)); failed != nil || !filepath.IsLocal(below) {
			return "", s.outsideError(path)
		}
		return "", fail(notFound, fmt.Sprintf("there is no file %s", path), listHint)
	}
	below, err := filepath.Rel(folder, real)
	if err != nil || !filepath.IsLocal(below) {
		return "", s.outsideError(path)
	}
	return below, nil
}

func (s *Server) outsideError(path string) error {
	return fail(validation, fmt.Sprintf("%s is outside %s", path, s.cfg.Folder),
		"Use a document below that folder. The folder is the one that playhead mcp was started in, or its --folder.")
}

// load loads a document below the server's folder, with assumed values for its inputs.
func (s *Server) load(path string) (*plan.Plan, error) {
	file, err := s.resolvePath(path)
	if err != nil {
		return nil, err
	}
	options := parse.Options{Flags: map[string][]string{}}
	p, err := setup.Load(file, options)
	if err != nil {
		return nil, err
	}
	p, _, err = setup.AssumeInputs(p, file, options)
	return p, err
}

const documentURI = "playhead://document/"

// uriOf returns the resource URI of a document.
func uriOf(path string) string { return documentURI + (&url.URL{Path: path}).EscapedPath() }

// addDocuments offers the documents of the folder as resources, and a prompt to walk through one.
func (s *Server) addDocuments() {
	s.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "document", Title: "A document", URITemplate: documentURI + "{+path}", MIMEType: "text/markdown",
		Description: "The text of a runbook, playbook or workflow, by its path below the folder of the server.",
	}, s.readDocument)
	registered := map[string]bool{}
	s.mcp.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
			if method == "resources/list" {
				s.syncResources(registered)
			}
			return next(ctx, method, q)
		}
	})
	s.mcp.AddPrompt(&sdk.Prompt{
		Name: "walk_me_through", Title: "Walk me through a document", Description: "Run a document step by step and explain each step to a person.",
		Arguments: []*sdk.PromptArgument{{Name: "name", Title: "Document", Description: "the path of the document", Required: true}},
	}, s.walkThrough)
}

// syncResources registers new documents as resources and removes those that are gone.
func (s *Server) syncResources(registered map[string]bool) {
	s.callToken <- struct{}{}
	defer func() { <-s.callToken }()
	now := map[string]bool{}
	for _, d := range s.documents() {
		uri := uriOf(d.Path)
		now[uri] = true
		if !registered[uri] {
			registered[uri] = true
			s.mcp.AddResource(&sdk.Resource{URI: uri, Name: d.Path, Title: d.Path, Description: d.Format, MIMEType: "text/markdown"}, s.readDocument)
		}
	}
	for uri := range registered {
		if !now[uri] {
			delete(registered, uri)
			s.mcp.RemoveResources(uri)
		}
	}
}

// documents returns the documents of the folder, with paths relative to it.
func (s *Server) documents() []setup.Document {
	all := setup.FindDocuments(s.cfg.Folder)
	for i := range all {
		if below, err := filepath.Rel(s.cfg.Folder, all[i].Path); err == nil {
			all[i].Path = below
		}
	}
	return all
}

func (s *Server) readDocument(_ context.Context, q *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	u, err := url.Parse(q.Params.URI)
	if err != nil || !strings.HasPrefix(q.Params.URI, documentURI) {
		return nil, sdk.ResourceNotFoundError(q.Params.URI)
	}
	p, err := s.load(strings.TrimPrefix(u.Path, "/"))
	if err != nil || len(p.Source) == 0 {
		return nil, sdk.ResourceNotFoundError(q.Params.URI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: q.Params.URI, Text: string(p.Source)}}}, nil
}

// walkThrough returns the prompt that has an agent run a document with a person.
func (s *Server) walkThrough(_ context.Context, q *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	p, err := s.load(q.Params.Arguments["name"])
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(`Walk me through %s (%s) with Playhead.

Call check_document first. If it has errors, show them to me and stop.
Ask me for the values of its inputs, then call start_run. Tell me the run's id, and that I can follow with "playhead watch".
Then repeat: call next_step, tell me in one or two sentences what it asks for, do it or judge it, and answer with act.
Ask me wherever the step is a person's to judge. When something fails, call explain before you go on.
When the run is over, tell me its result and which steps failed, were retried or were skipped.`, p.Path, p.Format)
	return &sdk.GetPromptResult{
		Description: "Walk through " + p.Path,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
	}, nil
}

// maxCompletions is the protocol's limit on values in a completion.
const maxCompletions = 100

// completeDocument completes the paths of documents.
func (s *Server) completeDocument(_ context.Context, q *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	values := []string{}
	for _, d := range s.documents() {
		if strings.HasPrefix(d.Path, q.Params.Argument.Value) {
			values = append(values, d.Path)
		}
	}
	details := sdk.CompletionResultDetails{Total: len(values), Values: values[:min(len(values), maxCompletions)], HasMore: len(values) > maxCompletions}
	return &sdk.CompleteResult{Completion: details}, nil
}
