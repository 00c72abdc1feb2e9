package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/tools"
)

// resultOf is what a tool's result says to people and models. Where there is no
// text, the structured part is it.
func resultOf(r *sdk.CallToolResult) tools.Result {
	var out tools.Result
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, textOf(c))
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

// textOf is a part of a result or prompt as text. What is none is described.
func textOf(c sdk.Content) string {
	switch c := c.(type) {
	case *sdk.TextContent:
		return c.Text
	case *sdk.ImageContent:
		return described("image", c.MIMEType, len(c.Data))
	case *sdk.AudioContent:
		return described("audio", c.MIMEType, len(c.Data))
	case *sdk.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[resource %s: %s] %s", c.Name, c.URI, c.Description))
	case *sdk.EmbeddedResource:
		return resource(c.Resource)
	default:
		return "[something that is no text]"
	}
}

func resource(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return "[an empty resource]"
	case r.Blob != nil:
		return described("resource "+r.URI, r.MIMEType, len(r.Blob))
	default:
		return r.Text
	}
}

// described says what stands in the place of bytes.
func described(what, kind string, bytes int) string {
	size := fmt.Sprintf("%d bytes", bytes)
	if bytes >= 1<<10 {
		size = fmt.Sprintf("%d KB", (bytes+1<<9)>>10)
	}
	if kind != "" {
		what += " " + kind
	}
	return "[" + what + ", " + size + "]"
}
