package stepflow

import (
	"cmp"
	"fmt"
	"regexp"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// step is a step as written (spec §2).
type step struct {
	climpt.Fields
	id        string // its key in steps
	name      string
	reference reference
	prompt    prompt // of reference
	min, max  int
	checked   bool
	check     check
	reachable bool
	mode      plan.Mode // effective; "": neither the step nor the agent has one
}

// check decides the outcome of a step.
type check struct {
	climpt.Fields
	reference      reference
	prompt         prompt // of reference
	onPass, onFail verdictTarget
}

// verdictTarget is onPass or onFail: where a verdict leads.
type verdictTarget struct {
	climpt.Fields
	next, fallback  string
	retry, complete bool
	maxRetries      int // 0: no limit
}

// isEmpty reports whether nothing in the object has an effect.
func (s verdictTarget) isEmpty() bool {
	return s.next == "" && s.fallback == "" && !s.retry && !s.complete
}

var stepID = regexp.MustCompile(`^s_[a-f0-9]{4,8}$`)

func (d *flow) step(o climpt.Fields) *step {
	s := &step{Fields: o, id: o.Key(), min: 1, max: 1}
	d.checkID(s)
	s.name = cmp.Or(o.String("name"), s.id)
	if !o.Has("name") {
		d.Warn(o.Place(), "defaulted", s.id+" has no name: its id is shown", `add "name"`)
	}
	o.Check(climpt.String, "description")
	o.Require("prompt")
	s.reference = d.reference(o.Object("prompt"))
	d.iterations(s)
	if s.checked = o.Has("check"); s.checked {
		s.check = d.checkOf(o.Object("check"))
	} else {
		d.Warn(o.Place(), "no-check", s.id+" has no check: it can only end in failure", `add "check"`)
	}
	o.Strings("variables")
	o.Check(climpt.Array, "customVariables")
	for _, v := range o.Get("customVariables").Items() {
		c := d.Fields(v, climpt.OfRegistry)
		c.Check(climpt.String, "name", "source", "description")
		c.Check(climpt.Boolean, "required")
	}
	o.Bool("usesStdin", false)
	s.mode = d.Agent.Mode(o, "")
	return s
}

// checkID compares the ID with the step's key.
func (d *flow) checkID(s *step) {
	id := s.String("id")
	switch {
	case !s.Has("id"):
		d.Warn(s.Place(), "defaulted", s.id+" has no id: its key is used", fmt.Sprintf(`add "id": %q`, s.id))
	case id != s.id:
		d.Error(s.At("id"), "id-mismatch", fmt.Sprintf("the id %q is not the key %q", id, s.id), "give both the same name")
	}
	if !stepID.MatchString(s.id) {
		d.Warn(s.Place(), "bad-step-id", s.id+" is not the id of a step", "use s_ and 4 to 8 digits of 0-9 and a-f, as s_a8f3")
	}
}

func (d *flow) iterations(s *step) {
	o := s.Object("iterations")
	bound := func(key string) int {
		v := o.Get(key)
		if v == nil {
			return 1
		}
		n, ok := v.Int()
		if !ok || n < 1 {
			d.Error(v.Place(), "bad-iterations", key+" is not a whole number of 1 or more", "")
			return 0
		}
		return n
	}
	s.min, s.max = bound("min"), bound("max")
	if s.max > 0 && s.min > s.max {
		d.Error(o.Place(), "bad-iterations", fmt.Sprintf("min is %d and max is %d", s.min, s.max), "make max at least min")
	}
}

func (d *flow) checkOf(o climpt.Fields) check {
	c := check{Fields: o}
	if o.Value == nil {
		return c
	}
	o.Require("prompt")
	c.reference = d.reference(o.Object("prompt"))
	d.responseFormat(o.Object("responseFormat"))
	c.onPass, c.onFail = d.side(o.Object("onPass")), d.side(o.Object("onFail"))
	for _, key := range []string{"responseFormat", "onPass", "onFail"} {
		if !o.Has(key) {
			d.Warn(o.Place(), "empty-check", key+" is missing, and counts as empty", fmt.Sprintf("add %q", key))
		}
	}
	for _, s := range []verdictTarget{c.onPass, c.onFail} {
		if s.Value != nil && s.isEmpty() {
			d.Warn(s.Place(), "empty-check", s.Key()+" has no effect", "write next, retry, fallback or complete")
		}
	}
	return c
}

func (d *flow) responseFormat(o climpt.Fields) {
	v := o.Get("result")
	if v == nil {
		return
	}
	switch v.Text() {
	case "ok|ng", "pass|fail", "boolean":
	default:
		d.Warn(v.Place(), "bad-result-format", "result has to be ok|ng, pass|fail or boolean", "use one of these; replies are read the same way in any case")
	}
}

// side reads onPass or onFail, and warns of parts without effect.
func (d *flow) side(o climpt.Fields) verdictTarget {
	s := verdictTarget{Fields: o, next: o.String("next"), fallback: o.String("fallback"), retry: o.Bool("retry", false), complete: o.Bool("complete", false)}
	if v := o.Get("maxRetries"); v != nil {
		n, ok := v.Int()
		if !ok || n < 0 {
			d.Error(v.Place(), "bad-retries", "maxRetries is not a whole number of 0 or more", "use 0 for no limit")
		}
		s.maxRetries = max(n, 0)
		if !s.retry {
			d.Warn(v.Place(), "retries-without-retry", "maxRetries has no effect without retry", `add "retry": true`)
		}
	}
	d.checkContradictions(s)
	return s
}

func (d *flow) checkContradictions(s verdictTarget) {
	ways := 0
	for _, set := range []bool{s.complete, s.next != "", s.fallback != ""} {
		if set {
			ways++
		}
	}
	if ways > 1 {
		d.Warn(s.Place(), "many-transitions", "it has more than one of complete, next and fallback", "complete goes before next, next before retry, retry before fallback")
	}
	if s.fallback != "" && s.retry && s.maxRetries == 0 && !s.complete && s.next == "" {
		d.Warn(s.At("fallback"), "fallback-unused", "the fallback is never taken: retries have no limit", `add "maxRetries"`)
	}
	if s.retry && s.Key() == "onPass" {
		d.Warn(s.At("retry"), "retry-on-pass", "a step that passed is run again", "")
	}
	if s.complete && s.Key() == "onFail" {
		d.Warn(s.At("complete"), "complete-on-fail", "the flow completes although the check failed", "")
	}
}
