package climpt

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// VerdictConfig says when a run without gates is done, and limits the iterations of any run
// (climpt-registry.md §2).
type VerdictConfig struct {
	Type           string // "" if not given
	MaxIterations  int
	LimitSource    string            // a description of what sets MaxIterations
	LimitLocation  plan.TextLocation // where agent.json sets MaxIterations, if it does
	Keyword        string            // of detect:keyword
	MaxChecks      int               // of count:check; 0: none
	SignalType     string            // of detect:structured
	RequiredValues Fields            // requiredFields as an object: the required values
	RequiredKeys   []string          // requiredFields as an array: the fields that must exist
	Operator       string            // of meta:composite: and, or, first
	Conditions     []VerdictConfig
}

// DefaultVerdictType applies if no type is given.
const DefaultVerdictType = "count:iteration"

const defaultMaxIterations = 10

var verdictTypes = []string{
	"poll:state", "count:iteration", "count:check", "detect:keyword", "detect:structured", "detect:graph", "meta:composite", "meta:custom",
}

// requiredKeysByType are the required configuration keys of each type.
var requiredKeysByType = map[string][]string{
	"detect:keyword": {"verdictKeyword"}, "count:check": {"maxChecks"}, "detect:structured": {"signalType"},
	"meta:custom": {"handlerPath"}, "meta:composite": {"operator", "conditions"},
}

var verdictConfigKeys = []string{
	"maxIterations", "verdictKeyword", "maxChecks", "signalType", "handlerPath", "requiredFields", "operator", "conditions",
}

// setVerdict reads the verdict, and reports what Playhead does not evaluate or enforce.
func (a *Agent) setVerdict(o Fields) {
	a.Verdict = readVerdict(o)
	switch a.Verdict.Type {
	case "poll:state", "meta:custom":
		a.collector.Info(o.Get("type").Place(), "not-enforced", "Playhead does not evaluate "+a.Verdict.Type+": this verdict never completes a run", "")
	}
	for _, m := range o.Object("config").Members() {
		if !slices.Contains(verdictConfigKeys, m.Key()) {
			a.collector.ReportNotEnforced(m)
		}
	}
}

// readVerdict reads an object with type and config.
func readVerdict(o Fields) VerdictConfig {
	v := VerdictConfig{Type: o.Enum("type", verdictTypes...)}
	c := o.Object("config")
	if needs := requiredKeysByType[v.Type]; len(needs) > 0 {
		if c.Value == nil {
			o.Require("config")
		}
		c.Require(needs...)
	}
	v.readConfig(c)
	return v
}

// readConfig reads the configuration of a verdict.
func (v *VerdictConfig) readConfig(c Fields) {
	v.MaxIterations, v.LimitSource = defaultMaxIterations, defaultLimitSource
	if n := c.positiveInt("maxIterations"); n > 0 {
		at := c.Get("maxIterations").Place()
		v.MaxIterations, v.LimitSource, v.LimitLocation = n, limitKeyText(at), MemberLocation(at)
	}
	v.Keyword, v.SignalType = c.String("verdictKeyword"), c.String("signalType")
	v.MaxChecks = c.positiveInt("maxChecks")
	if c.Get("requiredFields").Is(Array) {
		v.RequiredKeys = c.Strings("requiredFields")
	} else {
		v.RequiredValues = c.Object("requiredFields")
	}
	v.Operator = c.Enum("operator", "and", "or", "first")
	c.CheckKinds(String, "handlerPath")
	c.CheckKinds(Array, "conditions")
	for _, item := range c.Get("conditions").Items() {
		v.Conditions = append(v.Conditions, readVerdict(c.collector.Fields(item, c.codes)))
	}
}

// positiveInt returns a member that is a whole number of at least 1, or 0 if it is missing. It reports any
// other value.
func (f Fields) positiveInt(key string) int {
	v := f.Get(key)
	if v == nil {
		return 0
	}
	n, ok := v.Int()
	if !ok || n < 1 {
		f.collector.Error(v.Place(), f.codes.Type, fmt.Sprintf("%s is not a whole number of 1 or more", key), "")
		return 0
	}
	return n
}

// EffectiveVerdict returns the verdict of agent.json with what the flags replace in it. It reports invalid
// flags.
func (f *Flow) EffectiveVerdict() VerdictConfig {
	v := VerdictConfig{MaxIterations: defaultMaxIterations, LimitSource: defaultLimitSource}
	if f.Agent != nil {
		v = f.Agent.Verdict
	}
	if kind := f.Options.Get("verdict"); kind != "" {
		if v.Type = kind; !slices.Contains(verdictTypes, kind) {
			f.Error(Place{File: "--verdict"}, "agent-field", fmt.Sprintf("there is no verdict type %q", kind), "use one of "+strings.Join(verdictTypes, ", "))
		}
	}
	if text := f.Options.Get("verdict-config"); text != "" {
		doc := f.ParseDocument("--verdict-config", []byte(text))
		v.readConfig(f.Fields(doc.Root, AgentDiagnosticCodes))
		v.LimitLocation = plan.TextLocation{} // no file
	}
	if n := f.limitFlag(); n > 0 {
		v.MaxIterations, v.LimitSource, v.LimitLocation = n, flagLimitSource, plan.TextLocation{}
	}
	if f.Options.Has("verdict") {
		f.checkVerdictConfig(v)
	}
	return v
}

// checkVerdictConfig checks that a verdict from flags has the configuration that its type needs.
func (f *Flow) checkVerdictConfig(v VerdictConfig) {
	has := map[string]bool{
		"detect:keyword": v.Keyword != "", "count:check": v.MaxChecks > 0, "detect:structured": v.SignalType != "",
		"meta:composite": v.Operator != "" && v.Conditions != nil,
	}
	if ok, needed := has[v.Type]; needed && !ok {
		f.Error(Place{File: "--verdict"}, "agent-field", fmt.Sprintf("%s needs %s", v.Type, strings.Join(requiredKeysByType[v.Type], " and ")), "add the required keys to the JSON of --verdict-config")
	}
}

// VerdictTypes returns the verdict types of the specification.
func VerdictTypes() []string { return verdictTypes }
