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
	"playhead/parse/plan"
)

// Config configures Servers.
type Config struct {
	UsableSpecs    []ServerSpec // the usable servers, expanded
	AllServerNames []string     // all configured servers, for error messages
	Env            []string     // the environment of programs, without the variables of their specs; nil: Playhead's own
	// Secrets returns the values to mask in logs. It is called when a server is first needed. nil:
	// nothing is masked.
	Secrets func() []string
	// LogFile returns the location of a server's log.
	LogFile func(server string) logs.FileLocation
	Version string // the version of Playhead, which servers are told

	// Limits for starting, for a call, and for a program to end after its input has ended. 0 is
	// the default.
	StartTimeout, CallTimeout, EndTimeout time.Duration
}

const (
	defaultStartTimeout = 2 * time.Minute // the first start may have to download the server
	defaultCallTimeout  = 10 * time.Minute
	defaultEndTimeout   = 2 * time.Second
)

// Servers are the tool servers of one run. Their methods may be called from any goroutine.
type Servers struct {
	config             Config
	servers            []*server
	closingConnections sync.WaitGroup // waits for connections that are being closed
}

// New returns Servers without starting any. Close ends those that were started.
func New(c Config) *Servers {
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.CallTimeout <= 0 {
		c.CallTimeout = defaultCallTimeout
	}
	if c.Secrets == nil {
		c.Secrets = func() []string { return nil }
	}
	if c.EndTimeout <= 0 {
		c.EndTimeout = defaultEndTimeout
	}
	s := &Servers{config: c}
	for _, spec := range c.UsableSpecs {
		s.servers = append(s.servers, &server{spec: spec, servers: s})
	}
	return s
}

// Close ends all servers and returns when they are gone.
func (s *Servers) Close() {
	for _, sv := range s.servers {
		sv.closeConnection()
	}
	s.closingConnections.Wait()
	for _, sv := range s.servers {
		sv.log.close()
	}
}

// MoveLogs moves the logs of the servers that have been started to the files that LogFile returns now.
func (s *Servers) MoveLogs() error {
	var errs []error
	for _, sv := range s.servers {
		errs = append(errs, sv.log.move(s.config.LogFile(sv.spec.Name), s.config.Secrets()))
	}
	return errors.Join(errs...)
}

// Call implements tools.Caller.
func (s *Servers) Call(ctx context.Context, q tools.Request, out io.Writer) tools.Result {
	sv, err := s.serverFor(ctx, q)
	if err != nil {
		return tools.Result{Err: err, IsCancelled: ctx.Err() != nil}
	}
	return sv.callTool(ctx, q, out)
}

// serverFor returns the server to call: the named one, else the first that has the tool.
func (s *Servers) serverFor(ctx context.Context, q tools.Request) (*server, error) {
	if q.Server != "" {
		return s.findServer(q.Server)
	}
	all, err := s.Tools(ctx, q.Notify)
	for _, t := range all {
		if t.Name == q.Tool {
			return s.findServer(t.Server)
		}
	}
	if err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no tool server has a tool %q", q.Tool)
}

// findServer returns the server with a name. An exact match takes precedence over one that ignores case.
func (s *Servers) findServer(name string) (*server, error) {
	i := NameIndex(s.serverNames(), name)
	if i >= 0 {
		return s.servers[i], nil
	}
	if NameIndex(s.config.AllServerNames, name) >= 0 {
		return nil, fmt.Errorf("the tool server %q cannot be used in this run: the document does not name it, or its entry in .mcp.json has changed since you trusted the document", name)
	}
	return nil, fmt.Errorf("there is no tool server %q%s", name, notFoundHint(name, s.config.AllServerNames, "none is configured; add one to a .mcp.json"))
}

func (s *Servers) serverNames() []string {
	names := make([]string, len(s.servers))
	for i, sv := range s.servers {
		names[i] = sv.spec.Name
	}
	return names
}

// NameIndex returns the index of a name in names, -1 if it is not there. An exact match takes
// precedence over one that ignores case.
func NameIndex(names []string, name string) int {
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

// maxListedNames limits how many names a message lists.
const maxListedNames = 12

// notFoundHint returns the end of an error about an unknown name: the known names, the most similar first. If names is
// empty, it is the text none.
func notFoundHint(name string, names []string, none string) string {
	if len(names) == 0 {
		return ": " + none
	}
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(nameDistance(name, a), nameDistance(name, b))
	})
	more := ""
	if len(names) > maxListedNames {
		names, more = names[:maxListedNames], " …"
	}
	for i, n := range names {
		names[i] = plan.CutText(n, 60)
	}
	return ": choose from " + strings.Join(names, ", ") + more
}

// nameDistance returns how different two names are, ignoring case.
func nameDistance(a, b string) int {
	return levenshtein.ComputeDistance(strings.ToLower(plan.CutText(a, 60)), strings.ToLower(plan.CutText(b, 60)))
}
