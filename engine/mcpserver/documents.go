package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// maxPathBytes is the maximum length of a document's path, in bytes.
const maxPathBytes = 4096

// resolvePath returns the path of a document relative to the server's folder; the path of a built-in document
// stays as it is. It refuses a path that leads out of that folder, also through a symbolic link.
func (s *Server) resolvePath(path string) (string, error) {
	const listHint = "Call list_documents: it lists the documents that you can use."
	switch {
	case path == "":
		return "", newFailure(failureNotFound, "the path of the document is missing", listHint)
	case len(path) > maxPathBytes || strings.ContainsRune(path, 0):
		return "", newFailure(failureValidation, "this is not a file path", listHint)
	case strings.HasPrefix(path, machine.BuiltInPrefix):
		return path, nil
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(s.config.Folder, path)
	}
	folder, err := filepath.EvalSymlinks(s.config.Folder)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		if below, failed := filepath.Rel(s.config.Folder, filepath.Clean(full)); failed != nil || !filepath.IsLocal(below) {
			return "", s.outsideError(path)
		}
		return "", newFailure(failureNotFound, fmt.Sprintf("there is no file %s", path), listHint)
	}
	below, err := filepath.Rel(folder, real)
	if err != nil || !filepath.IsLocal(below) {
		return "", s.outsideError(path)
	}
	return below, nil
}

func (s *Server) outsideError(path string) error {
	return newFailure(failureValidation, fmt.Sprintf("%s is outside %s", path, s.config.Folder),
		"Use a document below that folder. The folder is the one given with --folder, or else the one in which playhead mcp was started.")
}

// loadDocument loads a document below the server's folder, with assumed values for its inputs.
func (s *Server) loadDocument(path string) (*plan.Plan, error) {
	file, err := s.resolvePath(path)
	if err != nil {
		return nil, err
	}
	return setup.LoadForReading(file)
}

const documentURIPrefix = "playhead://document/"

// resourceURIOf returns the resource URI of a document.
func resourceURIOf(path string) string {
	return documentURIPrefix + (&url.URL{Path: path}).EscapedPath()
}

// registerDocuments offers the documents of the folder as resources, and a prompt to walk through one.
func (s *Server) registerDocuments() {
	s.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "document", Title: "A document", URITemplate: documentURIPrefix + "{+path}", MIMEType: "text/markdown",
		Description: "The text of the runbook, playbook or workflow at a path below the server's folder.",
	}, s.readDocument)
	var mu sync.Mutex // guards registered; the call token would let a list wait for a tool call
	registered := map[string]bool{}
	s.mcp.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
			if method == "resources/list" {
				mu.Lock()
				s.syncResources(registered)
				mu.Unlock()
			}
			return next(ctx, method, q)
		}
	})
	s.mcp.AddPrompt(&sdk.Prompt{
		Name: "walk_me_through", Title: "Walk me through a document", Description: "Run a document step by step and explain each step to a person.",
		Arguments: []*sdk.PromptArgument{{Name: "name", Title: "Document", Description: "the path of the document", Required: true}},
	}, s.walkThroughPrompt)
}

// syncResources registers new documents as resources and removes those that are gone. registered are the URIs of
// the earlier calls; syncResources updates it.
func (s *Server) syncResources(registered map[string]bool) {
	now := map[string]bool{}
	for _, d := range s.folderDocuments() {
		uri := resourceURIOf(d.Path)
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

// folderDocuments returns the documents of the folder, with paths relative to it.
func (s *Server) folderDocuments() []setup.FoundDocument {
	all := setup.FindDocuments(s.config.Folder)
	for i := range all {
		if below, err := filepath.Rel(s.config.Folder, all[i].Path); err == nil {
			all[i].Path = below
		}
	}
	return all
}

func (s *Server) readDocument(_ context.Context, q *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	u, err := url.Parse(q.Params.URI)
	if err != nil || !strings.HasPrefix(q.Params.URI, documentURIPrefix) {
		return nil, sdk.ResourceNotFoundError(q.Params.URI)
	}
	p, err := s.loadDocument(strings.TrimPrefix(u.Path, "/"))
	if err != nil || len(p.Source) == 0 {
		return nil, sdk.ResourceNotFoundError(q.Params.URI)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: q.Params.URI, Text: string(p.Source)}}}, nil
}

// walkThroughPrompt returns the prompt that has an agent run a document with a person.
func (s *Server) walkThroughPrompt(_ context.Context, q *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	p, err := s.loadDocument(q.Params.Arguments["name"])
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf(`Walk me through %s (%s) with Playhead.

Call check_document first. If it has errors, show them to me and stop.
Ask me for the values of its inputs, then call start_run. Tell me the run's id, and that I can follow the run with "playhead watch".
Then repeat: call next_step, tell me in one or two sentences what it asks for, do it or judge it, and answer with act.
Where a person has to judge a step, ask me. When something fails, call explain before you go on.
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
	for _, d := range s.folderDocuments() {
		if strings.HasPrefix(d.Path, q.Params.Argument.Value) {
			values = append(values, d.Path)
		}
	}
	details := sdk.CompletionResultDetails{Total: len(values), Values: values[:min(len(values), maxCompletions)], HasMore: len(values) > maxCompletions}
	return &sdk.CompleteResult{Completion: details}, nil
}
