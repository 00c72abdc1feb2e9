package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/tools"
	"playhead/parse/plan"
)

// maxQuotedRunes limits how much of a server's text an error or note repeats, in characters.
const maxQuotedRunes = 1000

// callTool calls a tool. It writes the result to out, also an error that the tool reports.
func (sv *server) callTool(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	sv.tracker.beginCall(q.Notify)
	result, err := makeRequest(ctx, sv, q.Timeout, func(ctx context.Context, s *sdk.ClientSession) (*sdk.CallToolResult, error) {
		p := &sdk.CallToolParams{Name: q.Tool, Arguments: json.RawMessage(q.Args)}
		p.SetProgressToken(q.Tool)
		return s.CallTool(ctx, p)
	})
	var r tools.Result
	if err == nil {
		r = convertResult(result)
		_, err = io.WriteString(out, r.Text)
	}
	if err == nil && result.IsError {
		err = &toolError{r.Text}
	}
	if err != nil {
		r = tools.Result{Text: r.Text, IsCancelled: ctx.Err() != nil, Err: sv.callError(ctx, q.Tool, err)}
	}
	r.Warnings = sv.tracker.endCall()
	return r
}

// toolError is an error that a tool returned instead of a result.
type toolError struct{ text string }

func (t *toolError) Error() string { return t.text }

// callError returns why a call failed, and what can be done.
func (sv *server) callError(ctx context.Context, tool string, err error) error {
	what := fmt.Sprintf("the tool %s of the server %s", quote(tool), quote(sv.spec.Name))
	var refused *jsonrpc.Error
	var failed *toolError
	var lost *noAnswerError
	isRefused, isReported := errors.As(err, &refused), errors.As(err, &failed)
	if isRefused || isReported {
		if names, ok := sv.mayHaveTool(ctx, tool); !ok {
			return fmt.Errorf("the server %s has no tool %s%s", quote(sv.spec.Name), quote(tool), notFoundHint(tool, names, "it has no tools; see the server's documentation"))
		}
	}
	switch {
	case isRefused:
		return fmt.Errorf("%s refused the call: %s; check the arguments of the call", what, plan.CutText(refused.Message, maxQuotedRunes))
	case isReported:
		return fmt.Errorf("%s reports an error: %s", what, plan.CutText(failed.text, maxQuotedRunes))
	case errors.As(err, &lost):
		return fmt.Errorf("the server %s gave no result for the tool %s: %w. The next call opens a new connection", quote(sv.spec.Name), quote(tool), lost.reason)
	default:
		return err
	}
}

// mayHaveTool reports whether the server has a tool, and returns the names of its tools. If the server
// cannot be asked, it returns true.
func (sv *server) mayHaveTool(ctx context.Context, tool string) (names []string, ok bool) {
	all, err := sv.listTools(ctx)
	for _, t := range all {
		names = append(names, t.Name)
	}
	return names, err != nil || slices.Contains(names, tool)
}

// convertResult converts a tool's result for people and models. If it has no text, the structured part
// is the text.
func convertResult(r *sdk.CallToolResult) tools.Result {
	var out tools.Result
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, contentText(c))
	}
	out.Text = strings.Join(parts, "\n")
	if r.StructuredContent == nil {
		return out
	}
	out.Data, _ = r.StructuredContent.(map[string]any)
	if out.Text == "" {
		data, err := json.Marshal(r.StructuredContent)
		out.Text, out.Err = string(data), err
	}
	return out
}

// contentText returns a part of a result or prompt as text. A part that is not text is described.
func contentText(c sdk.Content) string {
	switch c := c.(type) {
	case *sdk.TextContent:
		return c.Text
	case *sdk.ImageContent:
		return describeBinary("image", c.MIMEType, len(c.Data))
	case *sdk.AudioContent:
		return describeBinary("audio", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[resource %s: %s] %s", c.Name, c.URI, c.Description))
	case *sdk.EmbeddedResource:
		return resourceText(c.Resource)
	default:
		return "[content that is not text]"
	}
}

func resourceText(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return "[an empty resource]"
	case r.Blob != nil:
		return describeBinary("resource "+r.URI, r.MIMEType, len(r.Blob))
	default:
		return r.Text
	}
}

// describeBinary returns a description of binary content.
func describeBinary(what, kind string, bytes int) string {
	size := plan.CountText(bytes, "byte")
	if bytes >= 1<<10 {
		size = fmt.Sprintf("%d KiB", (bytes+1<<9)>>10)
	}
	if kind != "" {
		what += " " + kind
	}
	return "[" + what + ", " + size + "]"
}
