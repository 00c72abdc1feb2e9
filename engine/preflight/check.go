package preflight

import (
	"context"
	"errors"
	"sync"
	"time"

	"playhead/engine/tools"
	"playhead/parse/plan"
)

// How long Check takes at most, and when it gives up what it asks: some of that needs a while to end.
const (
	Limit   = 10 * time.Second
	asksFor = 8 * time.Second
)

// Ports are where a run gets from what it needs.
type Ports struct {
	// Model returns whom a request for a model of that name would ask; alias: a configuration may map the name.
	Model func(name string, alias bool) Target

	Servers []Server      // the tool servers that are described
	Tools   tools.Servers // nil: there are none
	Texts   Texts         // nil: there are none
	Program func(name string) bool

	Trusted bool // programs of servers may be started
	Waits   bool // nobody is there to allow a call of a model, which therefore waits for somebody
}

// Texts gets texts for prompts.
type Texts interface {
	Fetch(ctx context.Context, scheme, name string, say func(string)) (string, error)
}

// A Target is a model of a server.
type Target struct {
	ID      string // one for all models of a server that are asked for alike
	Server  string // what the server is called
	Model   string // as the server calls it
	Problem error  // why it cannot be asked; nil: it can
	Unset   bool   // the problem is a variable of the environment that is not set
	Models  func(context.Context) ([]string, error)
	Has     func(names []string, name string) bool // reports whether a name is one of those that the server lists
}

// A Server is a tool server that is described.
type Server struct {
	Name    string
	File    string // that describes it
	Line    int
	Starts  bool  // it is a program
	Problem error // an environment variable that it needs is not set; nil: none
}

// Check asks for everything in a list side by side, for as long as Limit at most, and returns what is wrong, in
// the order of the document, and as infos what it could not find out.
func Check(ctx context.Context, needs []Need, p Ports) []plan.Diagnostic {
	a := ask(ctx, needs, p)
	j := judge{ports: p, answers: a}
	for _, n := range needs {
		j.need(n)
	}
	plan.SortDiagnostics(j.found)
	return j.found
}

// answers are what came back in time.
type answers struct {
	models map[string]modelList // by Target.ID
	texts  map[Item]textAnswer
	tools  *toolList // nil: it did not come
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

// asker asks. What comes after the time is up is dropped.
type asker struct {
	ports   Ports
	mu      sync.Mutex
	answers answers
	running sync.WaitGroup
}

func ask(ctx context.Context, needs []Need, p Ports) answers {
	whole, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	asking, stop := context.WithTimeout(whole, asksFor)
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
	for _, one := range unjoined(err) {
		var u *tools.Unlisted
		if !errors.As(one, &u) {
			continue
		}
		list.failed[u.Server] = u.Err
		if ctx.Err() != nil {
			list.failed[u.Server] = errLate
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.answers.tools = list
}

// errLate is why nothing is known of what did not answer.
var errLate = errors.New("there was no answer within 10 s")

// unjoined are the errors that an error joins.
func unjoined(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}
