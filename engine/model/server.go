package model

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Server is a model server. Package openai, below this one, implements it.
type Server interface {
	ReplySource

	// ListModels returns the names of the server's models. The error is ErrNoModelList if the server
	// answers but does not list its models. Other errors say why the server cannot be asked.
	ListModels(ctx context.Context) ([]string, error)

	// Close ends the connections that are kept for the next call.
	Close()
}

// ErrNoModelList is the error for a server that answers but does not list its models.
var ErrNoModelList = errors.New("the server does not say which models it has")

// HasModel reports whether a server's list contains a name. Ollama lists names with a tag; a name
// without a tag means the tag latest.
func HasModel(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return n == name || strings.TrimSuffix(n, ":latest") == name })
}

// ServerConfig says which server to ask, and how. The zero value of a field means its default.
type ServerConfig struct {
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

// WithDefaults returns the configuration with zero values replaced by defaults.
func (c ServerConfig) WithDefaults() ServerConfig {
	c.BaseURL = strings.TrimSpace(cmp.Or(c.BaseURL, defaultBaseURL))
	c.APIKey = strings.TrimSpace(c.APIKey)
	c.MaxReplyTokens = cmp.Or(c.MaxReplyTokens, 16384)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, 15*time.Second)
	c.SilenceTimeout = cmp.Or(c.SilenceTimeout, time.Minute)
	c.MaxRetries = cmp.Or(c.MaxRetries, 3)
	return c
}

// PublicURL returns the base URL without its user, password, query and fragment, which may contain
// secrets.
func (c ServerConfig) PublicURL() string {
	base, err := url.Parse(c.WithDefaults().BaseURL)
	if err != nil {
		return "(unreadable URL)"
	}
	base.User, base.RawQuery, base.Fragment = nil, "", ""
	return base.String()
}

// IsLocal reports whether the server is on this machine.
func (c ServerConfig) IsLocal() bool {
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
