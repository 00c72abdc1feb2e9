// Package openai gets replies from a model server: any server with the chat completions API, such as
// OpenAI, vLLM, llama.cpp or Ollama.
//
// A call is one request whose reply arrives in pieces. The package handles what servers do wrong:
//
//   - Servers accept different requests. The newest form is tried first. If a server refuses a
//     parameter by name, the parameter is left out or replaced by an older one (requestform.go).
//   - A server is busy or not reachable. As long as no piece of the reply has arrived, the call is
//     repeated after a pause, which the person sees and can skip (call.go).
//   - A server stops sending. A call may take any time, but the server must not be silent (bound.go).
//   - A server answers with something else: an error as JSON or as a web page, or an incomplete reply
//     (servererror.go, stream.go). What has arrived is kept.
//
// Every error is one line for a person, without control characters and without the API key
// (errors.go).
//
// The openai-go library makes the requests and reads the frames of the stream. The pieces are decoded
// by a type of this package (stream.go), because it also reads the reasoning that servers send beside
// the text, and takes a quarter of the time.
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

// Config says which server to ask, and how. The zero value of a field means its default.
type Config struct {
	BaseURL        string        // as in OPENAI_BASE_URL; default: OpenAI's own
	APIKey         string        // the API key; empty: no key is sent
	DefaultModel   string        // the model for requests that name none
	Temperature    *float64      // nil: the server's own
	MaxReplyTokens int           // the limit of a reply, in tokens; default: 16384
	ConnectTimeout time.Duration // how long connecting may take; default: 15 s
	SilenceTimeout time.Duration // how long a server may send nothing; default: 60 s
	MaxRetries     int           // how many attempts may follow the first; default: 3; negative: none

	// Dial makes connections; nil: the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

const defaultBaseURL = "https://api.openai.com/v1"

// Client is a model.ReplySource. It may be used by several goroutines.
type Client struct {
	config      Config
	baseURL     *url.URL
	configError error // why the configuration cannot be used
	httpClient  *http.Client
	apiClient   openai.Client

	mu           sync.Mutex
	acceptedForm requestForm // the form of requests that this server has accepted
}

var _ model.ReplySource = (*Client)(nil)

// New returns a client. If the configuration is wrong, every Reply and ListModels returns that error.
func New(conf Config) *Client {
	c := &Client{config: conf.WithDefaults()}
	c.baseURL, c.configError = c.config.checkAndParseBaseURL()
	c.httpClient = c.config.newHTTPClient()
	c.apiClient = openai.Client{Options: []option.RequestOption{
		option.WithBaseURL(c.config.BaseURL),
		option.WithHTTPClient(c.httpClient),
		option.WithMaxRetries(0), // waitForRetry makes the pauses, because the person must see them and can skip them
	}}
	if c.config.APIKey != "" {
		c.apiClient.Options = append(c.apiClient.Options, option.WithAPIKey(c.config.APIKey))
	}
	return c
}

// Close ends the connections that are kept for the next call.
func (c *Client) Close() { c.httpClient.CloseIdleConnections() }

// WithDefaults returns the configuration with zero values replaced by defaults.
func (c Config) WithDefaults() Config {
	c.BaseURL = strings.TrimSpace(cmp.Or(c.BaseURL, defaultBaseURL))
	c.APIKey = strings.TrimSpace(c.APIKey)
	c.MaxReplyTokens = cmp.Or(c.MaxReplyTokens, 16384)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, 15*time.Second)
	c.SilenceTimeout = cmp.Or(c.SilenceTimeout, time.Minute)
	c.MaxRetries = cmp.Or(c.MaxRetries, 3)
	return c
}

// checkAndParseBaseURL parses the base URL, and returns an error if the configuration cannot work.
func (c Config) checkAndParseBaseURL() (*url.URL, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil:
		return nil, errors.New("the base URL cannot be read: it should look like http://localhost:11434/v1")
	case base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, c.safeError(fmt.Sprintf("the base URL %q must begin with http:// or https:// and name a host, such as http://localhost:11434/v1", publicURL(base)))
	case strings.ContainsFunc(c.APIKey, isInvalidKeyRune):
		return nil, errors.New("the API key contains characters that cannot be sent: check it for a line break")
	}
	return base, nil
}

// PublicURL returns the base URL without its user, password, query and fragment.
func (c Config) PublicURL() string {
	base, err := url.Parse(c.WithDefaults().BaseURL)
	if err != nil {
		return "a URL that cannot be read"
	}
	return publicURL(base)
}

// IsLocal reports whether the server is on this machine.
func (c Config) IsLocal() bool {
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

// publicURL returns a URL without its user, query and fragment, which may contain secrets.
func publicURL(u *url.URL) string {
	public := *u
	public.User, public.RawQuery, public.Fragment = nil, "", ""
	return public.String()
}

var errConnectTimeout = errors.New("the connection took too long")

// newHTTPClient returns the HTTP client. Unlike the default client, it limits the time to connect, uses no
// compression, which would delay pieces, and follows no redirect, which could send the key elsewhere.
func (c Config) newHTTPClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         c.dialWithTimeout,
			TLSHandshakeTimeout: c.ConnectTimeout,
			DisableCompression:  true,
			ForceAttemptHTTP2:   true,
			IdleConnTimeout:     90 * time.Second,
		},
	}
}

// dialWithTimeout makes a connection within the time limit.
func (c Config) dialWithTimeout(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.ConnectTimeout, errConnectTimeout)
	defer cancel()
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	conn, err := dial(ctx, network, address)
	if err != nil && errors.Is(context.Cause(ctx), errConnectTimeout) {
		return nil, errConnectTimeout
	}
	return conn, err
}
