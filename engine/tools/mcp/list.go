package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/tools"
	"playhead/parse/plan"
)

// maxTools limits the number of tools of one server.
const maxTools = 1000

// Tools lists the tools of all servers, each under its server's name. The servers are asked in
// parallel. It implements tools.Servers.
func (s *Servers) Tools(ctx context.Context, notify func(string)) ([]tools.Tool, error) {
	lists, errs := make([][]tools.Tool, len(s.servers)), make([]error, len(s.servers))
	var notifying sync.Mutex
	var all sync.WaitGroup
	for i, sv := range s.servers {
		all.Go(func() {
			sv.tracker.beginCall(func(text string) {
				if notify != nil {
					notifying.Lock()
					defer notifying.Unlock()
					notify(text)
				}
			})
			defer sv.tracker.endCall()
			list, err := sv.listTools(ctx)
			if lists[i] = list; err != nil {
				errs[i] = &tools.ListError{Server: sv.spec.Name, Err: err}
			}
		})
	}
	all.Wait()
	return slices.Concat(lists...), errors.Join(errs...)
}

func (sv *server) listTools(ctx context.Context) ([]tools.Tool, error) {
	return makeRequest(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) ([]tools.Tool, error) {
		var all []tools.Tool
		for t, err := range s.Tools(ctx, nil) {
			if err != nil || len(all) == maxTools {
				return all, err
			}
			schema, err := json.Marshal(t.InputSchema)
			if err != nil {
				return all, err
			}
			all = append(all, tools.Tool{Server: sv.spec.Name, Name: t.Name, Description: t.Description, Schema: schema, Effect: effectOf(t.Annotations)})
		}
		return all, nil
	})
}

// effectOf reads a tool's annotations. As the protocol says, a tool that is not read-only counts as
// destructive unless it says otherwise.
func effectOf(a *sdk.ToolAnnotations) tools.Effect {
	switch {
	case a == nil:
		return tools.EffectUnknown
	case a.ReadOnlyHint:
		return tools.ReadsOnly
	case a.DestructiveHint != nil && !*a.DestructiveHint:
		return tools.AddsOnly
	}
	return tools.Destructive
}

// maxPrompts limits how many prompts of a server are searched for a name.
const maxPrompts = 1000

// FetchPrompt returns the prompt that ref names as server/prompt: the texts of its messages, with blank
// lines between them.
func (s *Servers) FetchPrompt(ctx context.Context, ref string, notify func(string)) (string, error) {
	server, name, found := strings.Cut(ref, "/")
	if !found || name == "" {
		return "", fmt.Errorf("%q does not name a prompt of a tool server: write it as SERVER/PROMPT", ref)
	}
	sv, err := s.findServer(server)
	if err != nil {
		return "", err
	}
	sv.tracker.beginCall(notify)
	defer sv.tracker.endCall()
	p, err := makeRequest(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) (*sdk.GetPromptResult, error) {
		return s.GetPrompt(ctx, &sdk.GetPromptParams{Name: name})
	})
	if err != nil {
		return "", sv.promptError(ctx, name, err)
	}
	var texts []string
	for _, m := range p.Messages {
		texts = append(texts, contentText(m.Content))
	}
	return strings.Join(texts, "\n\n"), nil
}

// promptError returns the error for a prompt that could not be fetched.
func (sv *server) promptError(ctx context.Context, name string, err error) error {
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("the prompt %s could not be fetched from the server %s: %w", quote(name), quote(sv.spec.Name), err)
	}
	names, ok := sv.mayHavePrompt(ctx, name)
	if !ok {
		return fmt.Errorf("the server %s has no prompt %s%s", quote(sv.spec.Name), quote(name), notFoundHint(name, names, "it has no prompts"))
	}
	return fmt.Errorf("the server %s refused the request for the prompt %s: %s", quote(sv.spec.Name), quote(name), plan.CutText(refused.Message, maxQuotedRunes))
}

// mayHavePrompt reports whether the server has a prompt, and returns the names of its prompts. If the
// server cannot be asked, it returns true.
func (sv *server) mayHavePrompt(ctx context.Context, name string) (names []string, ok bool) {
	names, err := makeRequest(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) ([]string, error) {
		var names []string
		for p, err := range s.Prompts(ctx, nil) {
			if err != nil || len(names) == maxPrompts {
				return names, err
			}
			names = append(names, p.Name)
			ok = ok || p.Name == name
		}
		return names, nil
	})
	return names, ok || err != nil
}
