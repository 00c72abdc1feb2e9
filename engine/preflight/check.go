package preflight

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// The time limit of CheckNeeds, and a shorter one for its requests, because requests and the programs of
// servers take some time to end after they are cancelled.
const (
	CheckTimeout   = 10 * time.Second
	requestTimeout = 7 * time.Second
)

// Providers are what CheckNeeds asks: the sources from which a run gets what it needs.
type Providers struct {
	// TargetOfModel returns the server and model for a request with that name. alias says that a
	// configuration may map the name.
	TargetOfModel func(name string, alias bool) ModelTarget

	ConfiguredToolServers []ConfiguredToolServer // all tool servers that are described in files
	UnreadableFile        string                 // a file that may describe more servers but cannot be read; empty: none
	ToolServers           tools.Servers          // nil: none
	PromptTexts           texts.SourceByScheme   // nil: none
	HasProgram            func(name string) bool

	IsTrusted      bool // the document is trusted, so programs of tool servers may be started
	NobodyApproves bool // nobody can approve calls of models, so the run would wait
}

// A ModelTarget is a model of a server.
type ModelTarget struct {
	ServerKey       string // identifies the server and how it is asked: one list of models is enough for all equal ones
	ServerName      string // the server's name
	ModelName       string // the server's name for the model
	Problem         error  // why the server cannot be asked; nil: it can
	IsVariableUnset bool   // Problem is an environment variable that is not set
	ListModels      func(context.Context) ([]string, error)
}

// A ConfiguredToolServer is a tool server that a file describes.
type ConfiguredToolServer struct {
	Name      string
	File      string // the file that describes it
	Line      int
	IsProgram bool  // it is a program that has to be started
	Problem   error // an environment variable that it needs is not set; nil: none
}

// CheckNeeds asks for all needs in parallel, within CheckTimeout. It returns diagnostics in the order of the
// document: what is wrong, and as infos what could not be checked.
func CheckNeeds(ctx context.Context, needs []Need, p Providers) []plan.Diagnostic {
	a := requestAnswers(ctx, needs, p)
	j := diagnoser{providers: p, answers: a}
	for _, n := range needs {
		j.diagnoseNeed(n)
	}
	plan.SortDiagnostics(j.diagnostics)
	return j.diagnostics
}

// answers are the answers that arrived in time.
type answers struct {
	modelListByServer map[string]modelList // by ModelTarget.ServerKey
	textErrorByItem   map[NeededItem]error // nil: the text was fetched
	toolList          *toolList            // nil: no answer
}

type modelList struct {
	names []string
	err   error
}

type toolList struct {
	tools         []tools.Tool
	errorByServer map[string]error // of the servers that did not list their tools
}

// requester makes requests in parallel and collects the answers. Answers that arrive too late are dropped.
type requester struct {
	providers Providers
	mu        sync.Mutex
	answers   answers
	requests  sync.WaitGroup
}

// requestAnswers asks for what can be asked about the needs, and returns the answers that arrived in time.
func requestAnswers(ctx context.Context, needs []Need, p Providers) answers {
	whole, cancel := context.WithTimeout(ctx, CheckTimeout)
	defer cancel()
	asking, stop := context.WithTimeout(whole, requestTimeout)
	defer stop()
	a := &requester{providers: p, answers: answers{modelListByServer: map[string]modelList{}, textErrorByItem: map[NeededItem]error{}}}
	a.startRequests(asking, needs)
	done := make(chan struct{})
	go func() {
		a.requests.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-whole.Done():
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.answers
	a.answers = answers{modelListByServer: map[string]modelList{}, textErrorByItem: map[NeededItem]error{}}
	return out
}

func (r *requester) startRequests(ctx context.Context, needs []Need) {
	servers, hasTools := map[string]bool{}, false
	for _, n := range needs {
		switch {
		case n.Kind == ModelNeed:
			if t := r.providers.TargetOfModel(n.Name, n.IsModelAlias); t.Problem == nil && !servers[t.ServerKey] {
				servers[t.ServerKey] = true
				r.requests.Go(func() { r.listModels(ctx, t) })
			}
		case n.Kind == ToolNeed, n.Kind == TextNeed && n.ServerOrScheme == "mcp":
			hasTools = true
		}
		if n.Kind == TextNeed && !n.IsNameDynamic && r.providers.PromptTexts != nil && r.providers.canFetchText(n) {
			r.requests.Go(func() { r.fetchText(ctx, n.NeededItem) })
		}
	}
	if hasTools && r.providers.ToolServers != nil {
		r.requests.Go(func() { r.listTools(ctx) })
	}
}

func (r *requester) listModels(ctx context.Context, t ModelTarget) {
	names, err := t.ListModels(ctx)
	if ctx.Err() != nil && err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers.modelListByServer[t.ServerKey] = modelList{names, err}
}

func (r *requester) fetchText(ctx context.Context, item NeededItem) {
	_, err := r.providers.PromptTexts.Fetch(ctx, item.ServerOrScheme, item.Name, nil)
	if ctx.Err() != nil && err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers.textErrorByItem[item] = err
}

func (r *requester) listTools(ctx context.Context) {
	all, err := r.providers.ToolServers.Tools(ctx, nil)
	list := &toolList{tools: all, errorByServer: map[string]error{}}
	for _, one := range splitErrors(err) {
		var u *tools.ListError
		if !errors.As(one, &u) {
			continue
		}
		list.errorByServer[u.Server] = u.Err
		if errors.Is(u.Err, context.DeadlineExceeded) {
			list.errorByServer[u.Server] = errNoAnswerInTime
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers.toolList = list
}

// errNoAnswerInTime is the error for a request without an answer in time.
var errNoAnswerInTime = errors.New("the check did not finish in time")

// splitErrors returns the errors that an error joins.
func splitErrors(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}

// MergeFindings adds to a document's own diagnostics what CheckNeeds found, unless they already say it.
func MergeFindings(own, found []plan.Diagnostic) []plan.Diagnostic {
	for _, d := range found {
		if !slices.ContainsFunc(own, func(o plan.Diagnostic) bool { return isSameFinding(o, d) }) {
			own = append(own, d)
		}
	}
	plan.SortDiagnostics(own)
	return own
}

// isSameFinding reports whether own, a diagnostic of the document itself, already says what CheckNeeds found.
func isSameFinding(own, found plan.Diagnostic) bool {
	isInput := found.Code == CodeInput && own.Severity == plan.Error && own.File == found.File && own.Line == found.Line
	return own == found || isInput
}
