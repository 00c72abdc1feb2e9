package preflight

import (
	"context"
	"errors"
	"sync"
	"time"

	"playhead/engine/tools"
	"playhead/parse/plan"
)

// The time limit of Check, and the earlier one for the requests that it makes, because some take a
// while to end, and so do the programs of servers after it.
const (
	Limit      = 10 * time.Second
	askTimeout = 7 * time.Second
)

// Ports are the sources from which a run gets what it needs.
type Ports struct {
	// Model returns the server and model for a request with that name. alias says that a
	// configuration may map the name.
	Model func(name string, alias bool) Target

	Servers        []Server      // all tool servers that files describe
	UnreadableFile string        // a file that may describe others, and cannot be read; empty: none
	Tools          tools.Servers // nil: none
	Texts          Texts         // nil: none
	Program        func(name string) bool

	Trusted          bool // programs of servers may be started
	WaitsForApproval bool // nobody is there to approve a call of a model, so the run would wait
}

// Texts fetches texts for prompts.
type Texts interface {
	Fetch(ctx context.Context, scheme, name string, say func(string)) (string, error)
}

// A Target is a model of a server.
type Target struct {
	ID      string // the same for all models of a server that are asked for in the same way
	Server  string // the server's name
	Model   string // the server's name for the model
	Problem error  // why it cannot be asked; nil: it can
	Unset   bool   // Problem is an environment variable that is not set
	Models  func(context.Context) ([]string, error)
	Has     func(names []string, name string) bool // reports whether a name is in the server's list
}

// A Server is a tool server that a file describes.
type Server struct {
	Name    string
	File    string // the file that describes it
	Line    int
	Starts  bool  // it is a program to start
	Problem error // an environment variable that it needs is not set; nil: none
}

// Check asks for all needs in parallel, within Limit. It returns diagnostics in the order of the
// document: what is wrong, and as infos what could not be checked.
func Check(ctx context.Context, needs []Need, p Ports) []plan.Diagnostic {
	a := ask(ctx, needs, p)
	j := judge{ports: p, answers: a}
	for _, n := range needs {
		j.need(n)
	}
	plan.SortDiagnostics(j.found)
	return j.found
}

// answers are the answers that arrived in time.
type answers struct {
	models map[string]modelList // by Target.ID
	texts  map[Item]textAnswer
	tools  *toolList // nil: no answer
}

type modelList struct {
	names []string
	err   error
}

type textAnswer struct{ err error }

type toolList struct {
	all    []tools.Tool
	failed map[string]error // by server
}

// asker makes the requests. Answers that arrive too late are dropped.
type asker struct {
	ports   Ports
	mu      sync.Mutex
	answers answers
	running sync.WaitGroup
}

func ask(ctx context.Context, needs []Need, p Ports) answers {
	whole, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	asking, stop := context.WithTimeout(whole, askTimeout)
	defer stop()
	a := &asker{ports: p, answers: answers{models: map[string]modelList{}, texts: map[Item]textAnswer{}}}
	a.start(asking, needs)
	done := make(chan struct{})
	go func() {
		a.running.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-whole.Done():
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.answers
	a.answers = answers{models: map[string]modelList{}, texts: map[Item]textAnswer{}}
	return out
}

func (a *asker) start(ctx context.Context, needs []Need) {
	servers, hasTools := map[string]bool{}, false
	for _, n := range needs {
		switch {
		case n.Kind == ModelNeed:
			if t := a.ports.Model(n.Name, n.Alias); t.Problem == nil && !servers[t.ID] {
				servers[t.ID] = true
				a.running.Go(func() { a.listModels(ctx, t) })
			}
		case n.Kind == ToolNeed, n.Kind == TextNeed && n.Server == "mcp":
			hasTools = true
		}
		if n.Kind == TextNeed && !n.Open && a.ports.Texts != nil && a.ports.asksText(n) {
			a.running.Go(func() { a.fetch(ctx, n.Item) })
		}
	}
	if hasTools && a.ports.Tools != nil {
		a.running.Go(func() { a.listTools(ctx) })
	}
}

func (a *asker) listModels(ctx context.Context, t Target) {
	names, err := t.Models(ctx)
	if ctx.Err() != nil && err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers.models[t.ID] = modelList{names, err}
}

func (a *asker) fetch(ctx context.Context, item Item) {
	_, err := a.ports.Texts.Fetch(ctx, item.Server, item.Name, nil)
	if ctx.Err() != nil && err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers.texts[item] = textAnswer{err}
}

func (a *asker) listTools(ctx context.Context) {
	all, err := a.ports.Tools.Tools(ctx, nil)
	list := &toolList{all: all, failed: map[string]error{}}
	for _, one := range joinedErrors(err) {
		var u *tools.ListError
		if !errors.As(one, &u) {
			continue
		}
		list.failed[u.Server] = u.Err
		if errors.Is(u.Err, context.DeadlineExceeded) {
			list.failed[u.Server] = errLate
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers.tools = list
}

// errLate is the error for a request without an answer in time.
var errLate = errors.New("there was no answer in time")

// joinedErrors returns the errors that an error joins.
func joinedErrors(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}
