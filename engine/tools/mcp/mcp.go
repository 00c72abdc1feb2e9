// Package mcp calls tools and fetches prompts of servers of the Model Context Protocol. A server is
// a program that is started here, or a URL that is asked over HTTP.
//
// Files named .mcp.json describe the servers (file.go). A server is started when it is first
// needed, runs until the run ends, and is restarted if it died. Its standard error and its messages
// go to a log of its own.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agnivade/levenshtein"

	"playhead/engine/logs"
	"playhead/engine/tools"
)

// Config configures Servers.
type Config struct {
	Specs       []Spec   // the usable servers, expanded
	ServerNames []string // all configured servers, for error messages
	Env         []string // the environment of programs, without the variables of their specs; nil: Playhead's own
	// Secrets returns the values to mask in logs. It is called when a server is first needed. nil:
	// nothing is masked.
	Secrets func() []string
	// LogFile returns the location of a server's log.
	LogFile func(server string) logs.File
	Version string // of Playhead, sent to servers

	// Limits for starting, for a call, and for a program to end after its input has ended. 0 is
	// the default.
	StartLimit, CallLimit, Grace time.Duration
}

const (
	startLimit = 2 * time.Minute // the first start may have to download the server
	callLimit  = 10 * time.Minute
	grace      = 2 * time.Second
)

// Servers are the tool servers of one run. Their methods may be called from any goroutine.
type Servers struct {
	cfg  Config
	live []*server
	ends sync.WaitGroup // waits for connections that are being closed
}

// New returns Servers without starting any. Close ends those that were started.
func New(c Config) *Servers {
	if c.StartLimit <= 0 {
		c.StartLimit = startLimit
	}
	if c.CallLimit <= 0 {
		c.CallLimit = callLimit
	}
	if c.Secrets == nil {
		c.Secrets = func() []string { return nil }
	}
	if c.Grace <= 0 {
		c.Grace = grace
	}
	s := &Servers{cfg: c}
	for _, spec := range c.Specs {
		s.live = append(s.live, &server{spec: spec, set: s})
	}
	return s
}

// Close ends all servers and returns when they are gone.
func (s *Servers) Close() {
	for _, sv := range s.live {
		sv.closeConnection()
	}
	s.ends.Wait()
	for _, sv := range s.live {
		sv.log.close()
	}
}

// MoveLogs continues the logs of running servers in the files that LogFile returns now.
func (s *Servers) MoveLogs() error {
	var errs []error
	for _, sv := range s.live {
		errs = append(errs, sv.log.move(s.cfg.LogFile(sv.spec.Name), s.cfg.Secrets()))
	}
	return errors.Join(errs...)
}

// Call implements tools.Caller.
func (s *Servers) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	sv, err := s.serverFor(ctx, q)
	if err != nil {
		return tools.Result{Err: err, Cancelled: ctx.Err() != nil}
	}
	return sv.call(ctx, q, out)
}

// serverFor returns the server to call: the named one, else the first that has the tool.
func (s *Servers) serverFor(ctx context.Context, q tools.Request) (*server, error) {
	if q.Server != "" {
		return s.find(q.Server)
	}
	all, err := s.Tools(ctx, q.Notify)
	for _, t := range all {
		if t.Name == q.Tool {
			return s.find(t.Server)
		}
	}
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no tool server has a tool %q", q.Tool)
}

// find returns the server with a name. An exact match takes precedence over one that ignores case.
func (s *Servers) find(name string) (*server, error) {
	i := Index(s.names(), name)
	if i >= 0 {
		return s.live[i], nil
	}
	if Index(s.cfg.ServerNames, name) >= 0 {
		return nil, fmt.Errorf("the tool server %q may not be used: the document does not name it, so nobody was asked about it", name)
	}
	return nil, fmt.Errorf("there is no tool server %q%s", name, notFoundHint(name, s.cfg.ServerNames, "add it to a .mcp.json"))
}

func (s *Servers) names() []string {
	names := make([]string, len(s.live))
	for i, sv := range s.live {
		names[i] = sv.spec.Name
	}
	return names
}

// Index returns the index of a name in names, -1 if it is not there. An exact match takes
// precedence over one that ignores case.
func Index(names []string, name string) int {
	folded := -1
	for i, n := range names {
		if n == name {
			return i
		}
		if folded < 0 && strings.EqualFold(n, name) {
			folded = i
		}
	}
	return folded
}

// quote quotes a name from outside.
func quote(name string) string { return strconv.Quote(name) }

// maxListed limits how many names a message lists.
const maxListed = 12

// notFoundHint lists the known names for an unknown one, the most similar first. If there are none,
// it returns empty.
func notFoundHint(name string, names []string, empty string) string {
	if len(names) == 0 {
		return ", nor any other: " + empty
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(distance(name, a), distance(name, b))
	})
	more := ""
	if len(names) > maxListed {
		names, more = names[:maxListed], " …"
	}
	for i, n := range names {
		names[i] = brief(n, 60)
	}
	return ": there is " + strings.Join(names, ", ") + more
}

// distance returns how different two names are, ignoring case.
func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(brief(a, 60)), strings.ToLower(brief(b, 60)))
}

// brief returns the beginning of a text, in at most n characters.
func brief(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
