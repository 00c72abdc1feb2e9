package openai_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"playhead/engine/model"
	"playhead/engine/model/openai"
)

// TestModels: ListModels returns the models of a server, or says why there is no list.
func TestModels(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		want   []string
		err    string // ErrNoList stands for model.ErrNoModelList
	}{
		"a list":        {status(200, `{"object":"list","data":[{"id":"a","owned_by":"x"},{"id":"b:latest"}]}`), []string{"a", "b:latest"}, ""},
		"no such path":  {status(404, `{"error":{"message":"no route"}}`), nil, "ErrNoList"},
		"not allowed":   {status(403, ``), nil, "ErrNoList"},
		"a web page":    {status(200, `<html>`), nil, "ErrNoList"},
		"an empty list": {status(200, `{"data":[]}`), nil, "ErrNoList"},
		"llama.cpp":     {status(200, `{"data":[{"id":"/models/a.gguf","owned_by":"llamacpp"}]}`), nil, "ErrNoList"},
		"a wrong key":   {status(401, `{"error":{"message":"who is `+key+`?"}}`), nil, "does not accept the API key: who is •••?"},
		"down":          {status(503, ``), nil, "the server failed (503)"},
		"redirected":    {status(302, ``, "Location", "http://elsewhere/"), nil, "ErrNoList"},
	} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+key {
					t.Errorf("%s %s, %q", r.Method, r.URL.Path, r.Header.Get("Authorization"))
				}
				c.answer(w, r)
			})
			client := openai.New(server.ServerConfig)
			defer client.Close()
			names, err := client.ListModels(context.Background())
			switch {
			case c.err == "ErrNoList" && !errors.Is(err, model.ErrNoModelList), c.err == "" && err != nil:
				t.Error(err)
			case c.err != "" && c.err != "ErrNoList" && (err == nil || errors.Is(err, model.ErrNoModelList) || !strings.Contains(err.Error(), c.err)):
				t.Error(err)
			case !slices.Equal(names, c.want):
				t.Error(names)
			}
		})
	}
	client := openai.New(model.ServerConfig{BaseURL: "http://127.0.0.1:9/v1"})
	defer client.Close()
	if _, err := client.ListModels(context.Background()); err == nil || !strings.Contains(err.Error(), "no server answers at 127.0.0.1:9") {
		t.Error(err)
	}
}
