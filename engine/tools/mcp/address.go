package mcp

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// address is a server that is asked over HTTP.
type address struct {
	spec   Spec
	shown  string // the URL without what may be secret in it
	origin string // scheme and host, to which the headers may go
	base   *http.Transport
}

func reach(s Spec) *address {
	a := &address{spec: s, shown: s.URL, base: http.DefaultTransport.(*http.Transport).Clone()}
	if u, err := url.Parse(s.URL); err == nil {
		a.origin = u.Scheme + "://" + u.Host
		a.shown = a.origin + u.Path
	}
	return a
}

// transport carries messages to the address and back.
func (a *address) transport() sdk.Transport {
	return &sdk.StreamableClientTransport{
		Endpoint: a.spec.URL, HTTPClient: &http.Client{Transport: a}, MaxEventSize: mostMessage,
	}
}

// RoundTrip implements http.RoundTripper: it adds the spec's headers, which are for
// this server alone, wherever it may redirect to.
func (a *address) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host == a.origin {
		r = r.Clone(r.Context())
		for name, value := range a.spec.Headers {
			r.Header.Set(name, value)
		}
	}
	return a.base.RoundTrip(r)
}

// unreachable says why there is no answer, without what may be secret in the URL.
func (a *address) unreachable(err error) string {
	text := strings.ReplaceAll(err.Error(), a.spec.URL, a.shown)
	var failed *url.Error
	if errors.As(err, &failed) {
		text = failed.Err.Error()
	}
	return "it cannot be reached at " + a.shown + ": " + text
}
