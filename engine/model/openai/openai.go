// Package openai has a model server answer: any server that speaks chat completions,
// hosted, vLLM, llama.cpp or Ollama.
//
// A call is one request whose reply comes in pieces. What a server may do wrong shapes the
// package:
//
//   - Servers understand different requests. The newest wording is tried first; what a
//     server refuses by name is left out or said in the older way, once each (wording.go).
//   - They are busy, or not there. As long as no piece of the reply has come, the call is
//     made again after a pause that the person sees and may skip (pause.go).
//   - They stop talking. A call may take as long as it likes, but not be silent (silence.go).
//   - They answer with something else: an error as JSON or as a web page, or a reply that
//     ends in the middle (admit.go, stream.go). What has come is kept.
//
// Whatever goes wrong is told in one line for a person (explain.go), free of controls and of
// the key (tidy.go).
//
// Requests, their security and the framing of the stream are the openai-go library's. The
// pieces are read by a type of our own (piece.go): it knows the reasoning that servers send
// beside the text, and costs a quarter.
package openai

import (
	"context"
	"net"
	"net/http"
	"net/url"
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

	mu      sync.Mutex
	wording wording // what this server has shown to understand
}

var _ model.Source = (*Client)(nil)

// New returns a client. What is wrong with the configuration is told by every Reply.
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
