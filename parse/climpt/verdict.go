package climpt

import (
	"cmp"
	"fmt"
	"slices"
)

// Verdict is how an ungated run is judged, and how often it may iterate
// (climpt-registry.md §2).
type Verdict struct {
	Type          string // "": none was given anywhere
	MaxIterations int
	Keyword       string // of detect:keyword
	MaxChecks     int    // of count:check; 0: none
	SignalType    string // of detect:structured
	Required      Fields // requiredFields, an object: values that have to be equal
	RequiredKeys  []string
	Operator      string // of meta:composite: and, or, first
	Conditions    []Verdict
}

// DefaultVerdict is the type where none is given.
const DefaultVerdict = "count:iteration"

// defaultIterations are those of every type.
const defaultIterations = 10

var verdictTypes = []string{
	"poll:state", "count:iteration", "count:check", "detect:keyword", "detect:structured", "detect:graph", "meta:composite", "meta:custom",
}

// verdictNeeds are the keys that the configuration of a type must have.
var verdictNeeds = map[string][]string{
	"detect:keyword": {"verdictKeyword"}, "count:check": {"maxChecks"}, "detect:structured": {"signalType"},
	"meta:custom": {"handlerPath"}, "meta:composite": {"operator", "conditions"},
}

var verdictKeys = []string{
	"maxIterations", "verdictKeyword", "maxChecks", "signalType", "handlerPath", "requiredFields", "operator", "conditions",
}

func (a *Agent) verdict(o Fields) {
	a.Verdict = readVerdict(o)
	switch a.Verdict.Type {
	case "poll:state", "meta:custom":
		a.report.Info(o.Get("type").Place(), "not-enforced", a.Verdict.Type+" is not enforced here", "")
	}
	for _, m := range o.Object("config").Members() {
		if !slices.Contains(verdictKeys, m.Key) {
			a.report.NotEnforced(m)
		}
	}
}

// readVerdict reads a {type, config}.
func readVerdict(o Fields) Verdict {
	v := Verdict{Type: o.Enum("type", verdictTypes...)}
	c := o.Object("config")
	if needs := verdictNeeds[v.Type]; len(needs) > 0 {
		if c.Value == nil {
			o.Require("config")
		}
		c.Require(needs...)
	}
	v.configure(c)
	return v
}

// configure reads the configuration of a verdict.
func (v *Verdict) configure(c Fields) {
	v.MaxIterations = cmp.Or(c.positive("maxIterations"), defaultIterations)
	v.Keyword, v.SignalType = c.String("verdictKeyword"), c.String("signalType")
	v.MaxChecks = c.positive("maxChecks")
	if c.Get("requiredFields").Is(Array) {
		v.RequiredKeys = c.Strings("requiredFields")
	} else {
		v.Required = c.Object("requiredFields")
	}
	v.Operator = c.Enum("operator", "and", "or", "first")
	c.Check(String, "handlerPath")
	c.Check(Array, "conditions")
	for _, item := range c.Get("conditions").Items() {
		v.Conditions = append(v.Conditions, readVerdict(c.report.Fields(item, c.codes)))
	}
}

// positive is a whole number from 1 on, 0 if the key is absent.
func (f Fields) positive(key string) int {
	v := f.Get(key)
	if v == nil {
		return 0
	}
	n, ok := v.Int()
	if !ok || n < 1 {
		f.report.Error(v.Place(), f.codes.Type, fmt.Sprintf("%s is no whole number from 1 on", key), "")
		return 0
	}
	return n
}
