package mcp

import (
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"playhead/engine/tools"
)

// TestEffect: a tool that is not read-only counts as destructive, unless its server says otherwise.
func TestEffect(t *testing.T) {
	no, yes := false, true
	for _, c := range []struct {
		a    *sdk.ToolAnnotations
		want tools.Effect
	}{
		{nil, tools.EffectUnknown},
		{&sdk.ToolAnnotations{}, tools.Destructive},
		{&sdk.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: &yes}, tools.ReadsOnly},
		{&sdk.ToolAnnotations{DestructiveHint: &yes}, tools.Destructive},
		{&sdk.ToolAnnotations{DestructiveHint: &no}, tools.AddsOnly},
	} {
		if got := effectOf(c.a); got != c.want {
			t.Errorf("%+v: %s", c.a, got)
		}
	}
}
