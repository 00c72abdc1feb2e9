package openai

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

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
