package openai_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/model"
)

// piece returns an event of a stream with a delta.
func piece(delta string) string { return `{"choices":[{"index":0,"delta":` + delta + `}]}` }

// sent returns an answer with a content type and a body.
func sent(kind, body string) answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}
}

func TestReply(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		want   model.Reply
	}{
		"whole": {whole, model.Reply{Text: "Hello", ModelName: "m-1", FinishReason: "stop", InputTokens: 7, OutputTokens: 3}},
		"cut":   {stream(text("Hel"), finish("length"), "[DONE]"), model.Reply{Text: "Hel", ModelName: "m-1", FinishReason: "length"}},
		"reasoning_content": {stream(piece(`{"role":"assistant","content":"","reasoning_content":"Let "}`), piece(`{"content":null,"reasoning_content":"me"}`), text("42"), finish("stop")),
			model.Reply{Text: "42", Reasoning: "Let me", ModelName: "m-1", FinishReason: "stop"}},
		"reasoning": {stream(piece(`{"reasoning":"Hm"}`), text("42"), finish("stop"), "[DONE]"),
			model.Reply{Text: "42", Reasoning: "Hm", ModelName: "m-1", FinishReason: "stop"}},
		"both names": {stream(piece(`{"reasoning":"Hm","reasoning_content":"Hm"}`), finish("stop")), model.Reply{Reasoning: "Hm", ModelName: "m-1", FinishReason: "stop"}},
		"only done":  {stream(text("x"), "[DONE]"), model.Reply{Text: "x", ModelName: "m-1"}},
		"no done":    {stream(text("x"), finish("stop")), model.Reply{Text: "x", ModelName: "m-1", FinishReason: "stop"}},
		"usage as it grows": {stream(`{"choices":[{"delta":{"content":"x"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`, finish("stop"), usage, "[DONE]"),
			model.Reply{Text: "x", ModelName: "m-1", FinishReason: "stop", InputTokens: 7, OutputTokens: 3}},
		"comments, ids, empty data": {sent("text/event-stream; charset=utf-8", ": hello\r\n\r\nid: 1\r\ndata:"+text("a")+"\r\n\r\ndata:\n\ndata: "+finish("stop")+"\n\n"),
			model.Reply{Text: "a", ModelName: "m-1", FinishReason: "stop"}},
		"wrong content type": {sent("text/plain", "data: "+text("a")+"\n\ndata: "+finish("stop")+"\n\n"), model.Reply{Text: "a", ModelName: "m-1", FinishReason: "stop"}},
		"another choice":     {stream(text("a"), `{"choices":[{"index":1,"delta":{"content":"no"}}]}`, finish("stop")), model.Reply{Text: "a", ModelName: "m-1", FinishReason: "stop"}},
		"nothing":            {stream(finish("content_filter"), "[DONE]"), model.Reply{ModelName: "m-1", FinishReason: "content_filter"}},
		"one long line":      {stream(text(strings.Repeat("é", 1<<19)), finish("stop")), model.Reply{Text: strings.Repeat("é", 1<<19), ModelName: "m-1", FinishReason: "stop"}},
		"controls stay":      {stream(text("\x1b]52;c;x\a\r\n@output(x)"), finish("stop")), model.Reply{Text: "\x1b]52;c;x\a\r\n@output(x)", ModelName: "m-1", FinishReason: "stop"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var out bytes.Buffer
				thought := ""
				think := func(text string) { thought += text }
				got := ask(t, t.Context(), serve(t, c.answer).ServerConfig, model.Request{Prompt: "?", AddReasoning: think}, &out)
				if thought != c.want.Reasoning {
					t.Errorf("the reasoning is %q", thought)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Error(diff)
				}
				if out.String() != c.want.Text {
					t.Errorf("out has %.80q", out.String())
				}
			})
		})
	}
}

func TestModelDeclines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		got := serve(t, stream(piece(`{"refusal":"I can"}`), piece(`{"refusal":"not"}`), finish("stop"))).ask(t, model.Request{})
		if got.Err == nil || got.Err.Error() != "the model refused to reply: I cannot" {
			t.Errorf("%+v", got)
		}
	})
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestOutFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		got := ask(t, t.Context(), serve(t, whole).ServerConfig, model.Request{}, full{})
		if got.Err == nil || !strings.Contains(got.Err.Error(), "disk full") || got.IsCancelled {
			t.Errorf("%+v", got)
		}
	})
}

// TestStreams: the client writes the text of a reply piece by piece, not at the end.
func TestStreams(t *testing.T) {
	bubble(t, func(t *testing.T) {
		seen := make(chan string)
		step := make(chan bool)
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			stream(text("one"))(w, r)
			<-step
			stream(text("two"), finish("stop"))(w, r)
		})
		done := make(chan model.Reply)
		go func() { done <- ask(t, t.Context(), s.ServerConfig, model.Request{}, pieces(seen)) }()
		if got := <-seen; got != "one" {
			t.Errorf("first %q", got)
		}
		step <- true
		if got := <-seen; got != "two" {
			t.Errorf("then %q", got)
		}
		<-done
	})
}

type pieces chan string

func (p pieces) Write(b []byte) (int, error) {
	p <- string(b)
	return len(b), nil
}
