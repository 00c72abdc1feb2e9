package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxPrompts is how many prompts of a server are named when one is not there.
const maxPrompts = 1000

// Fetch gets the prompt that ref names as server/prompt: the texts of its messages,
// a blank line between them.
func (s *Servers) Fetch(ctx context.Context, ref string, notify func(string)) (string, error) {
	server, name, found := strings.Cut(ref, "/")
	if !found || name == "" {
		return "", fmt.Errorf("%q is not a server's prompt: write it like server/prompt", ref)
	}
	sv, err := s.find(server)
	if err != nil {
		return "", err
	}
	sv.ears.begin(notify)
	defer sv.ears.close()
	p, err := ask(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) (*sdk.GetPromptResult, error) {
		return s.GetPrompt(ctx, &sdk.GetPromptParams{Name: name})
	})
	if err != nil {
		return "", sv.promptless(ctx, name, err)
	}
	var texts []string
	for _, m := range p.Messages {
		texts = append(texts, textOf(m.Content))
	}
	return strings.Join(texts, "\n\n"), nil
}

// promptless words why a prompt was not got.
func (sv *server) promptless(ctx context.Context, name string, err error) error {
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("the prompt %s of the server %s: %w", quote(name), quote(sv.spec.Name), err)
	}
	names, ok := sv.hasPrompt(ctx, name)
	if !ok {
		return fmt.Errorf("the server %s has no prompt %s%s", quote(sv.spec.Name), quote(name), notFoundHint(name, names, "it has none"))
	}
	return fmt.Errorf("the server %s refused the prompt %s: %s", quote(sv.spec.Name), quote(name), brief(refused.Message, maxReported))
}

// hasPrompt reports whether the server has a prompt, and returns the names of its prompts. Where it
// cannot tell, the prompt is taken to be there.
func (sv *server) hasPrompt(ctx context.Context, name string) (names []string, ok bool) {
	names, err := ask(ctx, sv, 0, func(ctx context.Context, s *sdk.ClientSession) ([]string, error) {
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
