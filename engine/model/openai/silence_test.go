package openai_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine/model"
)

// hold keeps the connection open until the client closes it.
func hold(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func TestSilence(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		text   string
		after  time.Duration
	}{
		"never answers": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "", time.Minute},
		"no body":       {func(w http.ResponseWriter, r *http.Request) { stream()(w, r); hold(w, r) }, "", time.Minute},
		"error stalls":  {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(400); hold(w, r) }, "", time.Minute},
		"in the middle": {func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(50 * time.Second)
			stream(text("Hel"))(w, r)
			time.Sleep(50 * time.Second)
			_, _ = io.WriteString(w, ": still here\n\n")
			hold(w, r)
		}, "Hel", 160 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, c.answer)
				start := time.Now()
				r := s.ask(t, model.Request{})
				if r.Err == nil || !strings.Contains(r.Err.Error(), "the server sent nothing for 60 s") || r.Text != c.text || r.IsCancelled {
					t.Errorf("%+v", r)
				}
				if got := time.Since(start); got != c.after || len(s.requests()) != 1 {
					t.Errorf("%d calls, after %v", len(s.requests()), got)
				}
			})
		})
	}
}

// TestSlow: a reply may take any time, as long as the server is never silent for too long.
func TestSlow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				stream(text("x"))(w, r)
				time.Sleep(59 * time.Second)
			}
			stream(finish("stop"))(w, r)
			hold(w, r) // the reply is complete, although the connection stays open
		}).ask(t, model.Request{})
		if r.Err != nil || len(r.Text) != 100 {
			t.Errorf("%+v", r)
		}
	})
}

func TestConnectTimeout(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		r := ask(t, t.Context(), model.ServerConfig{MaxRetries: -1, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, model.Request{}, io.Discard)
		if r.Err == nil || r.Err.Error() != "no connection to api.openai.com within 15 s" || time.Since(start) != 15*time.Second {
			t.Errorf("after %v: %v", time.Since(start), r.Err)
		}
	})
}

func TestHandshakeTimeout(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var far net.Conn
		r := ask(t, t.Context(), model.ServerConfig{MaxRetries: -1, Dial: func(context.Context, string, string) (net.Conn, error) {
			var near net.Conn
			near, far = net.Pipe()
			return near, nil
		}}, model.Request{}, io.Discard)
		far.Close()
		if r.Err == nil || r.Err.Error() != "no connection to api.openai.com within 15 s" {
			t.Error(r.Err)
		}
	})
}

func TestCancel(t *testing.T) {
	for name, c := range map[string]struct {
		answer answer
		text   string
	}{
		"before headers": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, ""},
		"in the middle":  {func(w http.ResponseWriter, r *http.Request) { stream(text("Hel"))(w, r); hold(w, r) }, "Hel"},
		"in a pause":     {status(429, "", "Retry-After", "60"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, c.answer)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan model.Reply, 1)
				start := time.Now()
				go func() { done <- ask(t, ctx, s.ServerConfig, model.Request{}, io.Discard) }()
				synctest.Wait()
				cancel()
				r := <-done
				if !r.IsCancelled || r.Err == nil || r.Text != c.text || time.Since(start) != 0 || len(s.requests()) != 1 {
					t.Errorf("after %v: %+v", time.Since(start), r)
				}
			})
		})
	}
}

func TestCancelWhileConnecting(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r := ask(t, ctx, model.ServerConfig{Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, model.Request{}, io.Discard)
		if !r.IsCancelled {
			t.Errorf("%+v", r)
		}
	})
}
