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
//   - A server sends many small pieces. Several are read at once (batch.go).
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
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"playhead/engine/model"
)

// Client is a model.Server. It may be used by several goroutines.
type Client struct {
	config      config
	baseURL     *url.URL
	configError error // why the configuration cannot be used
	httpClient  *http.Client
	apiClient   openai.Client

	mu           sync.Mutex
	acceptedForm requestForm // the form of requests that this server has accepted
}

var _ model.Server = (*Client)(nil)

// New returns a client. If the configuration is wrong, every Reply and ListModels returns that error.
func New(conf model.ServerConfig) *Client {
	c := &Client{config: config(conf.WithDefaults())}
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

// Close implements model.Server.
func (c *Client) Close() { c.httpClient.CloseIdleConnections() }

// config is the configuration of a client, with all defaults.
type config model.ServerConfig

// checkAndParseBaseURL parses the base URL, and returns an error if the configuration cannot work.
func (c config) checkAndParseBaseURL() (*url.URL, error) {
	base, err := url.Parse(c.BaseURL)
	switch {
	case err != nil:
		return nil, errors.New("the base URL cannot be read: it should look like http://localhost:11434/v1")
	case base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return nil, c.safeError(fmt.Sprintf("the base URL %q must begin with http:// or https:// and name a host, such as http://localhost:11434/v1", model.ServerConfig(c).PublicURL()))
	case strings.ContainsFunc(c.APIKey, isInvalidKeyRune):
		return nil, errors.New("the API key contains characters that cannot be sent: check it for a line break")
	}
	return base, nil
}

func isInvalidKeyRune(r rune) bool { return r <= ' ' || r >= 0x7f }

var errConnectTimeout = errors.New("the connection took too long")

// newHTTPClient returns the HTTP client. Unlike the default client, it limits the time to connect, uses no
// compression, which would delay pieces, and follows no redirect, which could send the key elsewhere.
func (c config) newHTTPClient() *http.Client {
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         c.dialWithTimeout,
			TLSHandshakeTimeout: c.ConnectTimeout,
			DisableCompression:  true,
			ForceAttemptHTTP2:   true,
			IdleConnTimeout:     90 * time.Second,
			ReadBufferSize:      connReadBytes,
		},
	}
}

// dialWithTimeout makes a connection within the time limit.
func (c config) dialWithTimeout(ctx context.Context, network, address string) (net.Conn, error) {
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
