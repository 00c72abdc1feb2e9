// Package mcp calls tools of, and gets prompts from, servers of the Model Context
// Protocol: programs that are started here, or addresses that are asked over HTTP.
//
// Servers are described in files named .mcp.json (file.go). One is started when it
// is first needed, lives as long as the run, and is started anew if it died. What
// a server prints on standard error, and what it has to say, goes into a log of
// its own.
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

// Config is what Servers need.
type Config struct {
	Specs       []Spec   // that may be used, expanded
	ServerNames []string // all configured servers, for error messages
	Env         []string // of programs, without what their specs add; nil: Playhead's own
	// Secrets are what is masked in logs, as is known when a server is first needed; nil:
	// nothing.
	Secrets func() []string
	// LogFile is where the log of a server goes.
	LogFile func(server string) logs.File
	Version string // of Playhead, for the servers to know

	// How long a start and a call may take, and a program to end when its input
	// has; 0: the default.
	StartLimit, CallLimit, Grace time.Duration
}

const (
	startLimit = 2 * time.Minute // the first start may have to download the server
	callLimit  = 10 * time.Minute
	grace      = 2 * time.Second
)

// Servers are the tool servers of one run. Their methods may be called from any
// goroutine.
type Servers struct {
	cfg  Config
	live []*server
	ends sync.WaitGroup // of connections that are being closed
}

// New makes Servers; none is started. Close ends those that were.
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

// Close ends all servers, and returns when they are gone.
func (s *Servers) Close() {
	for _, sv := range s.live {
		sv.closeConnection()
	}
	s.ends.Wait()
	for _, sv := range s.live {
		sv.log.close()
	}
}

// MoveLogs continues the logs of servers that have started in the files where LogFile has them now.
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

// serverFor returns the server to call: the one that is named, else the first that has the tool.
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

// find is the server of a name: as it is written, else in any case.
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

// Index is where a name is among names: as it is written, else in any case; -1 for
// nowhere.
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

// quote puts a name of outside into quotes.
func quote(name string) string { return strconv.Quote(name) }

// maxListed is how many names a message lists.
const maxListed = 12

// notFoundHint lists the names there are in place of an unknown one, the most similar first. Without
// any it says what to do.
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

// distance is how unlike two names are, whatever their case.
func distance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(brief(a, 60)), strings.ToLower(brief(b, 60)))
}

// brief is a text in at most n runes.
func brief(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
