package openai_test

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"playhead/engine/model"
)

// TestEndless: a reply that does not end is cut, and the part that has arrived is kept. The allocated memory stays
// limited.
func TestEndless(t *testing.T) {
	for name, c := range map[string]struct {
		piece  string
		tokens int
		text   int
		says   string
	}{
		"text":         {"data: " + text(strings.Repeat("é", 4000)) + "\n\n", 0, 1 << 20, "the reply was cut off at 1 MiB: the server ignored the limit of 16384 tokens"},
		"few tokens":   {"data: " + text(strings.Repeat("é", 4000)) + "\n\n", 10, 64 << 10, "the reply was cut off at 64 KiB: the server ignored the limit of 10 tokens"},
		"many tokens":  {"data: " + text(strings.Repeat("é", 4000)) + "\n\n", 1 << 60, 4 << 20, "the reply was cut off at 4 MiB"},
		"reasoning":    {"data: " + piece(`{"reasoning":"`+strings.Repeat("x", 4000)+`"}`) + "\n\n", 0, 0, "the reply was cut off at 1 MiB"},
		"refusal":      {"data: " + piece(`{"refusal":"`+strings.Repeat("x", 4000)+`"}`) + "\n\n", 0, 0, "the reply was cut off at 1 MiB"},
		"arguments":    {"data: " + piece(`{"tool_calls":[{"index":0,"function":{"arguments":"`+strings.Repeat("x", 4000)+`"}}]}`) + "\n\n", 0, 0, "the reply was cut off at 1 MiB"},
		"empty pieces": {strings.Repeat("data: {\"choices\":[{}]}\n\n", 200), 0, 0, "the server did not end the reply: it sent more than 100000 empty chunks"},
		"one piece":    {"data: " + strings.Repeat("x", 4000) + "\n", 0, 0, "one chunk of the server's reply is too long"},
		"one line":     {strings.Repeat("data: x", 1000), 0, 0, "one chunk of the server's reply is too long"},
		"one field":    {"event: " + strings.Repeat("x", 4000), 0, 0, "one chunk of the server's reply is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					for err := error(nil); err == nil; {
						_, err = io.WriteString(w, c.piece)
					}
				})
				s.MaxReplyTokens = c.tokens
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				var out bytes.Buffer
				r := ask(t, t.Context(), s.ServerConfig, model.Request{}, &out)
				runtime.ReadMemStats(&after)
				if r.Err == nil || !strings.Contains(r.Err.Error(), c.says) || len(r.Text) != c.text || out.Len() != c.text {
					t.Errorf("%d bytes: %v", len(r.Text), r.Err)
				}
				if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
					t.Errorf("%d MiB were allocated", used>>20)
				}
			})
		})
	}
}

// TestOddTokens: impossible token counts are ignored, and cause one warning per run.
func TestOddTokens(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, n := range []string{"-5", "1e30", "9223372036854775808", "100000001", "1.5", `"many"`, "{}"} {
			s := serve(t, stream(text("x"), `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":`+n+`}}`, finish("stop")))
			if r := s.ask(t, model.Request{}); r.Err != nil || r.Text != "x" || r.InputTokens != 0 || r.OutputTokens != 0 || len(r.OncePerRunWarnings) != 1 {
				t.Errorf("%s: %+v", n, r)
			}
		}
	})
}
