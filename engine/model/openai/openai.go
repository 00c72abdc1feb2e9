// Package openai has a model server answer: any server that speaks chat completions,
// hosted, vLLM, llama.cpp or Ollama.
//
// A call is one request whose reply comes in pieces. What a server may do wrong shapes the
// package:
//
//   - Servers understand different requests. The newest form is tried first; what a
//     server refuses by name is left out or said in the older way, once each (requestform.go).
//   - They are busy, or not there. As long as no piece of the reply has come, the call is
//     made again after a pause that the person sees and may skip (call.go).
//   - They stop talking. A call may take as long as it likes, but not be silent (bound.go).
//   - They answer with something else: an error as JSON or as a web page, or a reply that
//     ends in the middle (refusal.go, stream.go). What has come is kept.
//
// Whatever goes wrong is told in one line for a person, free of controls and of the key
// (errors.go).
//
// Requests, their security and the framing of the stream are the openai-go library's. The
// pieces are read by a type of our own (stream.go): it knows the reasoning that servers send
// beside the text, and costs a quarter.
package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"playhead/engine/model"
)

// Config says which server answers, and how it is asked. The zero value of a field is its
// default.
type Config struct {
	BaseURL     string        // as in OPENAI_BASE_URL; empty: the hosted one
	Key         string        // empty: none is sent
	Model       string        // for requests that name none
	Temperature *float64      // nil: the server's own
	MaxTokens   int           // of a reply; 16384
	Connect     time.Duration // how long connecting may take; 15 s
	Silence     time.Duration // how long a server may send nothing; 60 s
	Retries     int           // 3; negative: none

	// Dial makes connections; nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

const hosted = "https://api.openai.com/v1"

// Client is a model.Source. It may be used by several goroutines.
type Client struct {
	conf        Config
	base        *url.URL
	configError error // why it cannot be used at all
	http        *http.Client
	api         openai.Client

	mu   sync.Mutex
	form requestForm // what this server has shown to understand
}

var _ model.Source = (*Client)(nil)

// New returns a client. If the configuration is wrong, every Reply returns that error.
func New(conf Config) *Client {
	c := &Client{conf: conf.WithDefaults()}
	c.base, c.configError = c.conf.check()
	c.http = c.conf.web()
	c.api = openai.Client{Options: []option.RequestOption{
		option.WithBaseURL(c.conf.BaseURL),
		option.WithHTTPClient(c.http),
		option.WithMaxRetries(0), // a pause must be seen, and can be skipped
	}}
	if c.conf.Key != "" {
		c.api.Options = append(c.api.Options, option.WithAPIKey(c.conf.Key))
	}
	return c
}

// Close ends the connections that are kept for the next call.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// WithDefaults returns the configuration with zero values replaced by defaults.
func (c Config) WithDefaults() Config {
	c.BaseURL = strings.TrimSpace(cmp.Or(c.BaseURL, hosted))
	c.Key = strings.TrimSpace(c.Key)
	c.MaxTokens = cmp.Or(c.MaxTokens, 16384)
	c.Connect = cmp.Or(c.Connect, 15*time.Second)
	c.Silence = cmp.Or(c.Silence, time.Minute)
	c.Retries = cmp.Or(c.Retries, 3)
	return c
}

// check reads the base URL and says what cannot work.
func (c Config) check() (*url.URL, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil:
		return nil, errors.New("the base URL cannot be read: it should look like http://localhost:11434/v1")
	case base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, c.safeError(fmt.Sprintf("the base URL %q does not begin with http:// or https:// and a host", hidePassword(base)))
	case strings.ContainsFunc(c.Key, isInvalidKeyRune):
		return nil, errors.New("the API key contains characters that cannot be sent: check it for a line break")
	}
	return base, nil
}

// Server returns the base URL without its password.
func (c Config) Server() string {
	base, err := url.Parse(c.WithDefaults().BaseURL)
	if err != nil {
		return "a URL that cannot be read"
	}
	return hidePassword(base)
}

// Local reports whether the server is on this machine.
func (c Config) Local() bool {
	base, err := url.Parse(c.WithDefaults().BaseURL)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(base.Hostname(), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.Unmap().IsLoopback() || ip.IsUnspecified())
}

func isInvalidKeyRune(r rune) bool { return r <= ' ' || r >= 0x7f }

// hidePassword writes a URL without what is secret in it.
func hidePassword(u *url.URL) string {
	public := *u
	public.User, public.RawQuery, public.Fragment = nil, "", ""
	return public.String()
}

var errConnect = errors.New("connecting takes too long")

// web makes the HTTP client: the usual one, but that connecting has a limit, that nothing is
// compressed, since that holds pieces back, and that no redirect is followed with the key.
func (c Config) web() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         c.dial,
			TLSHandshakeTimeout: c.Connect,
			DisableCompression:  true,
			ForceAttemptHTTP2:   true,
			IdleConnTimeout:     90 * time.Second,
		},
	}
}

// dial makes a connection within the time for it.
func (c Config) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Connect, errConnect)
	defer cancel()
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	conn, err := dial(ctx, network, address)
	if err != nil && errors.Is(context.Cause(ctx), errConnect) {
		return nil, errConnect
	}
	return conn, err
}
