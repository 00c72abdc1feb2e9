package openai_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"playhead/engine/model"
	"playhead/engine/model/openai"
)

// FuzzStream: whatever a server sends, the call ends, out has the text of the reply, and an error is safe to show.
func FuzzStream(f *testing.F) {
	for _, s := range []string{
		"data: " + text("é") + "\n\ndata: " + finish("stop") + "\n\ndata: [DONE]\n\n",
		"data: " + piece(`{"reasoning":"x","refusal":"y"}`) + "\n\n", "event: error\ndata: {\"message\":\"\x1b[2J\"}\n\n",
		"data: {\"error\":{\"message\":\"a\\nb\",\"code\":429}}\n\n", "data: {\"choices\":", ": x\r\n\rdata:\n", "<html>", `{"error":"x"}`,
		"data: {\"model\":\"" + key + "\",\"error\":\"" + key + "\"}\n\n", "data\ndata\n\n", "\xff\xfe\n\n",
	} {
		f.Add(200, "text/event-stream", []byte(s))
	}
	f.Add(404, "application/json", []byte(`{"error":{"message":"model"}}`))
	f.Fuzz(func(t *testing.T, code int, kind string, body []byte) {
		conf := model.ServerConfig{BaseURL: "http://models.test", APIKey: key, MaxRetries: -1, Dial: once(code, kind, body)}
		var out bytes.Buffer
		r := ask(t, t.Context(), conf, model.Request{ReplySchema: []byte(`{}`)}, &out)
		if out.String() != r.Text {
			t.Errorf("out has %q, the reply %q", out.String(), r.Text)
		}
	})
}

// BenchmarkReply reads 4 KB or 1 MB in pieces of four bytes, from the socket to out.
func BenchmarkReply(b *testing.B) {
	event := "data: " + text("abcd") + "\n\n"
	for name, n := range map[string]int{"4KB": 1 << 10, "1MB": 1 << 18} {
		b.Run(name, func(b *testing.B) {
			body := []byte(strings.Repeat(event, n) + "data: " + finish("stop") + "\n\n")
			b.ReportAllocs()
			for b.Loop() {
				c := openai.New(model.ServerConfig{BaseURL: "http://models.test", Dial: once(http.StatusOK, "text/event-stream", body)})
				if r := c.Reply(context.Background(), model.Request{}, io.Discard); len(r.Text) != 4*n {
					b.Fatal(r.Err)
				}
				c.Close()
			}
		})
	}
}
