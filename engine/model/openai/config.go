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
	"time"
)

// WithDefaults has the defaults in place of zeros.
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
		return nil, c.tidy(fmt.Sprintf("the base URL %q does not begin with http:// or https:// and a host", hidePassword(base)))
	case strings.ContainsFunc(c.Key, isInvalidKeyRune):
		return nil, errors.New("the key has characters that cannot be sent: is there a line end in it?")
	}
	return base, nil
}

// Server is the base URL without what is secret in it.
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
