package climpt

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

// Agent is the content of agent.json in either dialect (§2 of both specs).
type Agent struct {
	Fields
	Dialect               Dialect // NoDialect if it has keys of both dialects, or of neither
	Name                  string
	DisplayName           string
	Description           string
	Parameters            []Parameter
	RegistryPath          string // path relative to the agent directory
	SystemPromptPath      string // path relative to the agent directory
	SystemPromptPathPlace Place
	DefaultModel          string        // runner: sonnet, opus or haiku
	Verdict               VerdictConfig // runner
	ClosureAdaptation     string        // runner: the adaptation of closure steps; "": their own
	Tools                 AllowedTools  // that its steps may call
}

// ModelNames are the model names that a registry and agent.json can use.
var ModelNames = []string{"sonnet", "opus", "haiku"}

var (
	agentNamePattern   = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	commonAgentKeys    = []string{"$schema", "name", "displayName", "version", "description", "parameters"}
	agentKeysByDialect = map[Dialect][]string{Registry: {"runner"}, Stepflow: {"behavior", "prompts", "logging", "actions", "github", "worktree"}}
	defaultPaths       = struct{ registry, system string }{"steps_registry.json", "prompts/system.md"}
)

// readAgent returns what can be read of agent.json, and reports its problems.
func (f *Flow) readAgent(doc *Document) *Agent {
	o := f.Fields(doc.Root, AgentDiagnosticCodes)
	a := &Agent{Fields: o, Dialect: agentDialect(o), RegistryPath: defaultPaths.registry, SystemPromptPath: defaultPaths.system, SystemPromptPathPlace: o.Place()}
	if o.Value == nil {
		return a
	}
	o.Require("name", "displayName")
	a.Name, a.DisplayName = o.String("name"), o.String("displayName")
	a.Description = o.String("description")
	o.CheckKinds(String, "version")
	if a.Name != "" && !agentNamePattern.MatchString(a.Name) {
		f.Error(o.Get("name").Place(), "agent-field", fmt.Sprintf("the name %q has characters other than a-z, 0-9 and -, or does not begin with a letter", a.Name), "use a name like code-improver")
	}
	for _, key := range []string{"version", "description"} {
		if !o.Has(key) {
			f.Warn(o.Place(), "agent-note", key+" is missing", fmt.Sprintf("add %q", key))
		}
	}
	a.readParameters()
	if a.Dialect == Stepflow {
		a.readBehavior()
	} else {
		a.readRunner()
	}
	for _, m := range o.Members() {
		if !slices.Contains(commonAgentKeys, m.Key()) && !slices.Contains(agentKeysByDialect[a.Dialect], m.Key()) && a.Dialect != NoDialect {
			f.Warn(m.KeyPlace(), "agent-note", fmt.Sprintf("%s has no effect in the agent file of a %s", m.Key(), a.Dialect.documentKind()), "remove it")
		}
	}
	return a
}

// agentDialect returns the dialect of the layout of agent.json.
func agentDialect(o Fields) Dialect {
	switch a, b := o.Has("runner"), o.Has("behavior"); {
	case a && !b:
		return Registry
	case b && !a:
		return Stepflow
	}
	return NoDialect
}

// readBehavior reads the layout for step flows.
func (a *Agent) readBehavior() {
	b := a.Object("behavior")
	a.readSystemPath(b, "systemPromptPath")
	a.readRegistryPath(a.Object("prompts"))
	a.readToolsAndPermissionMode(b)
	a.reportNotEnforced(b, "completionConfig", "disableSandbox")
	a.reportNotEnforced(a.Object("prompts"), "fallbackDir")
	a.reportNotEnforced(a.Fields, "logging", "actions", "github", "worktree")
	if kind := b.String("completionType"); b.Get("completionType").Is(String) && kind != "stepFlow" {
		a.collector.Warn(b.Get("completionType").Place(), "completion-type", fmt.Sprintf("completionType is %q; the agent is run as a step flow anyway", kind), `write "stepFlow"`)
	}
}

// readRunner reads the layout for registries with gates.
func (a *Agent) readRunner() {
	r := a.Object("runner")
	flow := r.Object("flow")
	a.readSystemPath(flow, "systemPromptPath")
	a.readRegistryPath(flow.Object("prompts"))
	a.DefaultModel = flow.Enum("defaultModel", ModelNames...)
	a.setVerdict(r.Object("verdict"))
	boundaries := r.Object("boundaries")
	a.readToolsAndPermissionMode(boundaries)
	a.reportNotEnforced(boundaries, "sandbox")
	if v := r.Get("integrations"); v != nil {
		a.collector.Info(v.KeyPlace(), "not-enforced", "of the keys in \"integrations\", Playhead uses only github.enabled and github.defaultClosureAction", "")
	}
	a.reportNotEnforced(r, "execution", "actions", "logging")
	a.reportNotEnforced(flow, "askUserAutoResponse", "schemas")
	a.reportNotEnforced(flow.Object("prompts"), "fallbackDir")
	github := r.Object("integrations").Object("github")
	closure := github.Enum("defaultClosureAction", "close", "label-only", "label-and-close")
	if github.Bool("enabled", true) && closure != "close" {
		a.ClosureAdaptation = closure
	}
}

func (a *Agent) readSystemPath(o Fields, key string) {
	if path := o.String(key); path != "" {
		a.SystemPromptPath, a.SystemPromptPathPlace = path, o.Get(key).Place()
	}
}

func (a *Agent) readRegistryPath(prompts Fields) {
	a.RegistryPath = cmp.Or(prompts.String("registry"), a.RegistryPath)
}

// reportNotEnforced reports those of the keys that an object has, because Playhead does not use them.
func (a *Agent) reportNotEnforced(o Fields, keys ...string) {
	for _, m := range o.Members() {
		if slices.Contains(keys, m.Key()) {
			a.collector.ReportNotEnforced(m)
		}
	}
}

// ReportNotEnforced reports a member that Playhead does not use.
func (dc *DiagnosticCollector) ReportNotEnforced(m *Value) {
	dc.Info(m.KeyPlace(), "not-enforced", "Playhead does not use "+m.Key(), "")
}
