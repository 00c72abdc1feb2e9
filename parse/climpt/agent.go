package climpt

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

// Agent is the content of agent.json in either layout (§2 of both specs).
type Agent struct {
	Fields
	Layout       Dialect // None if it has both layouts, or neither
	Name         string
	DisplayName  string
	Description  string
	Version      string
	Parameters   []Parameter
	Registry     string // path relative to the agent directory
	System       string // path relative to the agent directory
	SystemAt     Place
	DefaultModel string  // runner: sonnet, opus or haiku
	Verdict      Verdict // runner
	Closure      string  // runner: replaces the adaptation of closure steps; "": does not
	Completion   string  // behavior: completionType
	Tools        Tools   // that its steps may call
}

// Models are the model names that a registry and agent.json can use.
var Models = []string{"sonnet", "opus", "haiku"}

var (
	agentName    = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	agentKeys    = []string{"$schema", "name", "displayName", "version", "description", "parameters"}
	layoutKeys   = map[Dialect][]string{Registry: {"runner"}, Stepflow: {"behavior", "prompts", "logging", "actions", "github", "worktree"}}
	defaultFiles = struct{ registry, system string }{"steps_registry.json", "prompts/system.md"}
)

// agent reads agent.json. It reports problems and returns what can be read.
func (f *Flow) agent(doc *Document) *Agent {
	o := f.Fields(doc.Root, OfAgent)
	a := &Agent{Fields: o, Layout: layout(o), Registry: defaultFiles.registry, System: defaultFiles.system, SystemAt: o.Place()}
	if o.Value == nil {
		return a
	}
	o.Require("name", "displayName")
	a.Name, a.DisplayName = o.String("name"), o.String("displayName")
	a.Version, a.Description = o.String("version"), o.String("description")
	if a.Name != "" && !agentName.MatchString(a.Name) {
		f.Error(o.Get("name").Place(), "agent-field", fmt.Sprintf("the name %q has characters other than a-z, 0-9 and -, or does not begin with a letter", a.Name), "use a name like code-improver")
	}
	for _, key := range []string{"version", "description"} {
		if !o.Has(key) {
			f.Warn(o.Place(), "agent-note", key+" is missing", fmt.Sprintf("add %q", key))
		}
	}
	a.readParameters()
	if a.Layout == Stepflow {
		a.behavior()
	} else {
		a.runner()
	}
	for _, m := range o.Members() {
		if !slices.Contains(agentKeys, m.Key()) && !slices.Contains(layoutKeys[a.Layout], m.Key()) && a.Layout != None {
			f.Warn(m.KeyPlace(), "agent-note", m.Key()+" has no meaning here", "remove it")
		}
	}
	return a
}

func layout(o Fields) Dialect {
	switch a, b := o.Has("runner"), o.Has("behavior"); {
	case a && !b:
		return Registry
	case b && !a:
		return Stepflow
	}
	return None
}

// behavior reads the layout for step flows.
func (a *Agent) behavior() {
	b := a.Object("behavior")
	a.Completion = cmp.Or(b.String("completionType"), "stepFlow")
	a.system(b, "systemPromptPath")
	a.registry(a.Object("prompts"))
	a.boundaries(b)
	a.reportNotEnforced(b, "completionConfig", "disableSandbox")
	a.reportNotEnforced(a.Object("prompts"), "fallbackDir")
	a.reportNotEnforced(a.Fields, "logging", "actions", "github", "worktree")
	if a.Completion != "stepFlow" {
		a.report.Warn(b.Get("completionType").Place(), "completion-type", fmt.Sprintf("completionType is %q; the agent is run as a step flow anyway", a.Completion), `say "stepFlow"`)
	}
}

// runner reads the layout for registries with gates.
func (a *Agent) runner() {
	r := a.Object("runner")
	flow := r.Object("flow")
	a.system(flow, "systemPromptPath")
	a.registry(flow.Object("prompts"))
	a.DefaultModel = flow.Enum("defaultModel", Models...)
	a.verdict(r.Object("verdict"))
	boundaries := r.Object("boundaries")
	a.boundaries(boundaries)
	a.reportNotEnforced(boundaries, "sandbox")
	a.reportNotEnforced(r, "integrations", "execution", "actions", "logging")
	a.reportNotEnforced(flow, "askUserAutoResponse", "schemas")
	a.reportNotEnforced(flow.Object("prompts"), "fallbackDir")
	github := r.Object("integrations").Object("github")
	closure := github.Enum("defaultClosureAction", "close", "label-only", "label-and-close")
	if github.Bool("enabled", true) && closure != "close" {
		a.Closure = closure
	}
}

func (a *Agent) system(o Fields, key string) {
	if path := o.String(key); path != "" {
		a.System, a.SystemAt = path, o.Get(key).Place()
	}
}

func (a *Agent) registry(prompts Fields) {
	a.Registry = cmp.Or(prompts.String("registry"), a.Registry)
}

// reportNotEnforced reports keys without effect here.
func (a *Agent) reportNotEnforced(o Fields, keys ...string) {
	for _, m := range o.Members() {
		if slices.Contains(keys, m.Key()) {
			a.report.ReportNotEnforced(m)
		}
	}
}

// ReportNotEnforced reports a member without effect here.
func (r *Report) ReportNotEnforced(m *Value) {
	r.Info(m.KeyPlace(), "not-enforced", m.Key()+" is shown but not enforced here", "")
}
