package openai_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"playhead/engine/model"
)

func TestBaseURL(t *testing.T) {
	for base, want := range map[string]string{
		"localhost:11434/v1": `the base URL "localhost:11434/v1" must begin with http:// or https:// and name a host, such as http://localhost:11434/v1`,
		"http:///v1":         `the base URL "http:///v1" must begin`,
		"ftp://me:" + url.QueryEscape(key) + "@x/v1?k=" + key: "must begin",
		"http://[::1":       "cannot be read",
		"http://x y\x1b[2J": "cannot be read",
	} {
		r := ask(t, t.Context(), model.ServerConfig{BaseURL: base, APIKey: key}, model.Request{}, io.Discard)
		if r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%q: %v", base, r.Err)
		}
	}
}

func TestKeyThatCannotBeSent(t *testing.T) {
	r := ask(t, t.Context(), model.ServerConfig{APIKey: "sk-secret\nsk-secret"}, model.Request{}, io.Discard)
	if r.Err == nil || !strings.HasPrefix(r.Err.Error(), "the API key contains characters") {
		t.Error(r.Err)
	}
}

// TestConnection: an error of the network is retried and reported without the key. The network is simulated.
func TestConnection(t *testing.T) {
	fails := func(err error) func(context.Context, string, string) (net.Conn, error) {
		return func(context.Context, string, string) (net.Conn, error) { return nil, err }
	}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"refused": {&net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("connect: %w", syscall.ECONNREFUSED)},
			"no server answers at models.test: connection refused (is the server running?)"},
		"unknown":     {&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "models.test", IsNotFound: true}}, "the host models.test was not found: no such host"},
		"unreachable": {&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ENETUNREACH}, "dial tcp: network is unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				notices := 0
				conf := model.ServerConfig{BaseURL: "http://u:" + url.QueryEscape(key) + "@models.test/?k=" + key, Dial: fails(c.err)}
				r := ask(t, t.Context(), conf, model.Request{ShowNotice: func(n model.Notice) { checkError(t, n.Text); notices++ }}, io.Discard)
				if r.Err == nil || r.Err.Error() != c.want || notices != 3 {
					t.Errorf("%d notices, %v", notices, r.Err)
				}
			})
		})
	}
}

func TestTLS(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for base, want := range map[string]string{
		secure.URL: " is not trusted: ",
		strings.Replace(plain.URL, "http:", "https:", 1):  " does not speak TLS: should the base URL begin with http://?",
		strings.Replace(secure.URL, "https:", "http:", 1): "the server refuses the request (400): Client sent an HTTP request to an HTTPS server.",
	} {
		notify := func(n model.Notice) { t.Errorf("%s: %s", base, n.Text); n.RetryNow() }
		r := ask(t, t.Context(), model.ServerConfig{BaseURL: base}, model.Request{ShowNotice: notify}, io.Discard)
		if r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%s: %v", base, r.Err)
		}
	}
}
