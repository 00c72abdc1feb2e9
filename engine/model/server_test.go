package model_test

import (
	"testing"

	"playhead/engine/model"
)

// TestHasModel: a name without a tag matches the model that Ollama lists with the tag latest.
func TestHasModel(t *testing.T) {
	list := []string{"gpt-5", "qwen3:latest", "qwen3:8b"}
	for name, want := range map[string]bool{"gpt-5": true, "qwen3": true, "qwen3:8b": true, "qwen": false, "qwen3:4b": false} {
		if model.HasModel(list, name) != want {
			t.Error(name)
		}
	}
}
