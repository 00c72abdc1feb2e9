package openai_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"playhead/engine/model"
	"playhead/engine/model/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-secret-0123456789/+"

// answer is how the server answers one request.
type answer func(w http.ResponseWriter, r *http.Request)

// stream returns an answer that sends these events and flushes each.
func stream(events ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// status returns an answer with a status, a body, and headers given as name, value, name …
func status(code int, body string, header ...string) answer {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func text(s string) string {
	return `{"model":"m-1","choices":[{"index":0,"delta":{"content":` + quoted(s) + `},"finish_reason":null}],"usage":null,"error":null}`
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func finish(reason string) string {
	return `{"model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const usage = `{"model":"m-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`

var whole = stream(text("Hel"), text("lo"), finish("stop"), usage, "[DONE]")

// server answers the n-th request with the n-th answer, and later ones with the last.
type server struct {
	model.ServerConfig
	mu      sync.Mutex
	answers []answer
	asked   []map[string]any
	headers []http.Header
	*httptest.Server
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	s.mu.Lock()
	s.asked, s.headers = append(s.asked, body), append(s.headers, r.Header)
	next := s.answers[min(len(s.asked), len(s.answers))-1]
	s.mu.Unlock()
	next(w, r)
}

// requests returns the bodies of the requests so far.
func (s *server) requests() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// serve starts a server that needs no network, so that it can run in a synctest bubble.
func serve(t *testing.T, answers ...answer) *server {
	wires := &wires{conns: make(chan net.Conn), done: make(chan struct{})}
	s := &server{answers: answers}
	s.Server = &httptest.Server{Listener: wires, Config: &http.Server{Handler: s}}
	s.Start()
	t.Cleanup(s.Close)
	s.ServerConfig = model.ServerConfig{BaseURL: "http://models.test/v1", APIKey: key, DefaultModel: "m-1", Dial: wires.dial}
	return s
}

// ask sends the request with a new client.
func (s *server) ask(t *testing.T, r model.Request) model.Reply {
	return ask(t, t.Context(), s.ServerConfig, r, io.Discard)
}

func ask(t *testing.T, ctx context.Context, conf model.ServerConfig, r model.Request, out io.Writer) model.Reply {
	t.Helper()
	c := openai.New(conf)
	defer c.Close()
	reply := c.Reply(ctx, r, out)
	if reply.Err != nil {
		checkError(t, reply.Err.Error())
	}
	return reply
}

// checkError fails the test if text contains what no person should see: the key, controls, or too many characters.
func checkError(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, key) || strings.ContainsAny(text, "\x1b\n\r\x00") || len([]rune(text)) > 300 {
		t.Errorf("unsafe to show: %q", text)
	}
}

// wires is a listener whose connections are pipes.
type wires struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (w *wires) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case w.conns <- theirs:
		return ours, nil
	case <-w.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

func (w *wires) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}

func (w *wires) Addr() net.Addr { return &net.TCPAddr{} }

// bubble runs a test in a synctest bubble, which has a fake clock.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// once returns a network on which every connection gets this answer.
func once(code int, kind string, body []byte) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			in := bufio.NewReader(theirs)
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			answer := http.Response{StatusCode: code, ProtoMajor: 1, ProtoMinor: 1, Close: true, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}
			_ = answer.Write(theirs)
		}()
		return ours, nil
	}
}
