package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/model"
	"playhead/engine/model/openai"
)

func TestRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, whole)
		warm := 0.0
		s.Temperature, s.MaxReplyTokens = &warm, 99
		s.ask(t, model.Request{ModelName: "other", SystemMessage: "be brief", Prompt: "<what?>"})
		want := map[string]any{
			"model": "other", "stream": true, "temperature": 0.0, "max_completion_tokens": 99.0,
			"stream_options": map[string]any{"include_usage": true},
			"messages": []any{
				map[string]any{"role": "system", "content": "be brief"},
				map[string]any{"role": "user", "content": "<what?>"},
			},
		}
		if diff := cmp.Diff(want, s.requests()[0]); diff != "" {
			t.Error(diff)
		}
		if got := s.headers[0].Get("Authorization"); got != "Bearer "+key {
			t.Errorf("Authorization %q", got)
		}
	})
}

func TestDefaults(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, whole)
		s.APIKey = ""
		t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
		s.ask(t, model.Request{Prompt: "?"})
		want := map[string]any{
			"model": "m-1", "stream": true, "max_completion_tokens": 16384.0,
			"stream_options": map[string]any{"include_usage": true},
			"messages":       []any{map[string]any{"role": "user", "content": "?"}},
		}
		if diff := cmp.Diff(want, s.requests()[0]); diff != "" {
			t.Error(diff)
		}
		if got, sent := s.headers[0]["Authorization"]; sent {
			t.Errorf("Authorization %q", got)
		}
	})
}

func TestOldLimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(400, `{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens"}}`), whole)
		c := openai.New(s.ServerConfig)
		defer c.Close()
		for range 2 {
			if r := c.Reply(t.Context(), model.Request{}, pieces(make(chan string, 9))); r.Err != nil || r.CallWarnings != nil {
				t.Errorf("%+v", r)
			}
		}
		var limits []string
		for _, a := range s.requests() {
			for _, name := range []string{"max_tokens", "max_completion_tokens"} {
				if a[name] != nil {
					limits = append(limits, name)
				}
			}
		}
		if got := strings.Join(limits, " "); got != "max_completion_tokens max_tokens max_tokens" {
			t.Error(got)
		}
	})
}

func TestLimitRefusedForItsSize(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(400, `{"error":{"message":"max_completion_tokens (max_tokens) is too large"}}`))
		r := s.ask(t, model.Request{})
		if r.Err == nil || !strings.Contains(r.Err.Error(), "too large") || len(s.requests()) != 2 {
			t.Errorf("%d calls: %v", len(s.requests()), r.Err)
		}
	})
}

func TestNoUsage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(422, `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`), stream(text("x"), finish("stop")))
		if r := s.ask(t, model.Request{}); r.Err != nil || r.Text != "x" || s.requests()[1]["stream_options"] != nil {
			t.Errorf("%+v after %v", r, s.requests())
		}
	})
}

const strictSchema = `{"title":"Verdict, final","type":"object","additionalProperties":false,"required":["ok","why"],"properties":{"ok":{"type":"boolean"},"why":{"type":"string"}}}`

func TestSchema(t *testing.T) {
	for name, c := range map[string]struct {
		schema, label string
		wantName      string
		strict        bool
	}{
		"strict":        {strictSchema, "2a", "2a", true},
		"some optional": {`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{},"b":{}}}`, "2.1/x", "2_1_x", false},
		"open":          {`{"type":"object","required":["a"],"properties":{"a":{}}}`, "3", "3", false},
		"nested open":   {`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"array","items":{"type":["object","null"]}}}}`, "3", "3", false},
		"nested closed": {`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"anyOf":[{"type":"object","properties":{},"additionalProperties":false}]}}}`, "3", "3", true},
		"odd required":  {`{"type":"object","additionalProperties":false,"required":["a"],"properties":{"a":{"const":{"properties":{},"additionalProperties":false,"required":[["x"],{},1]}}}}`, "3", "3", true},
		"no object":     {`{"type":"string","title":"日本"}`, "3", "3", false},
		"anything":      {`true`, strings.Repeat("x", 99), strings.Repeat("x", 64), false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, whole)
				if r := s.ask(t, model.Request{StepLabel: c.label, Prompt: "?", ReplySchema: []byte(c.schema)}); r.Err != nil || r.SchemaMethod != model.SchemaInResponseFormat {
					t.Fatal(r.Err)
				}
				var schema any
				_ = json.Unmarshal([]byte(c.schema), &schema)
				inner := map[string]any{"name": c.wantName, "schema": schema}
				if c.strict {
					inner["strict"] = true
				}
				want := map[string]any{"type": "json_schema", "json_schema": inner}
				if diff := cmp.Diff(want, s.requests()[0]["response_format"]); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestSchemaRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, status(400, `{"error":"response_format is not supported"}`), whole)
		r := s.ask(t, model.Request{Prompt: "Judge.", ReplySchema: []byte(strictSchema)})
		if r.Err != nil || len(r.CallWarnings) != 1 || r.SchemaMethod != model.SchemaInPrompt || len(s.requests()) != 2 {
			t.Fatalf("%d calls: %+v", len(s.requests()), r)
		}
		prompt := s.requests()[1]["messages"].([]any)[0].(map[string]any)["content"].(string)
		if s.requests()[1]["response_format"] != nil || !strings.HasPrefix(prompt, "Judge.\n") || !strings.HasSuffix(prompt, strictSchema) {
			t.Errorf("asked %v", s.requests()[1])
		}
	})
}

// TestOldServer: the client drops three new parameters, one per call and without pauses, if a server refuses them.
func TestOldServer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		no := func(what string) answer { return status(500, `{"error":"unknown field `+what+`"}`) }
		s := serve(t, no("max_completion_tokens"), no("stream_options"), no("response_format"), whole)
		if r := s.ask(t, model.Request{ReplySchema: []byte(`{}`)}); r.Err != nil || len(s.requests()) != 4 {
			t.Errorf("%d calls: %+v", len(s.requests()), r)
		}
	})
}

func TestSchemaIsNoJSON(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, whole)
		if r := s.ask(t, model.Request{ReplySchema: []byte(`{`)}); r.Err == nil || len(s.requests()) != 0 {
			t.Errorf("%+v", r)
		}
	})
}
