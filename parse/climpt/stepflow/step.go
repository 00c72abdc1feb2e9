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
	id                           string // its key in steps
	name                         string
	promptReference              promptReference
	prompt                       prompt // to which promptReference refers
	minIterations, maxIterations int
	hasCheck                     bool
	check                        check
	isReachable                  bool
	permissionMode               plan.PermissionMode // "": neither the step nor the agent has one
}

// check decides the outcome of a step.
type check struct {
	climpt.Fields
	promptReference promptReference
	prompt          prompt // to which promptReference refers
	onPass, onFail  verdictTarget
}

// verdictTarget is onPass or onFail: where a verdict leads.
type verdictTarget struct {
	climpt.Fields
	nextStep, fallbackStep string
	canRetry, completesRun bool
	maxRetries             int // 0: no limit
}

// isEmpty reports whether nothing in the object has an effect.
func (s verdictTarget) isEmpty() bool {
	return s.nextStep == "" && s.fallbackStep == "" && !s.canRetry && !s.completesRun
}

var stepIDPattern = regexp.MustCompile(`^s_[a-f0-9]{4,8}$`)

func (d *flow) readStep(o climpt.Fields) *step {
	s := &step{Fields: o, id: o.Key(), minIterations: 1, maxIterations: 1}
	d.checkID(s)
	s.name = cmp.Or(o.String("name"), s.id)
	if !o.Has("name") {
		d.Warn(o.Place(), "defaulted", s.id+" has no name: its id is shown", `add "name"`)
	}
	o.CheckKinds(climpt.String, "description")
	o.Require("prompt")
	s.promptReference = d.readPromptReference(o.Object("prompt"))
	d.readIterations(s)
	if s.hasCheck = o.Has("check"); s.hasCheck {
		s.check = d.readCheck(o.Object("check"))
	} else {
		d.Warn(o.Place(), "no-check", s.id+" has no check: it can only end in failure", `add "check"`)
	}
	o.Strings("variables") // only checked, as the next two
	o.CheckKinds(climpt.Array, "customVariables")
	for _, v := range o.Get("customVariables").Items() {
		c := d.Fields(v, climpt.RegistryDiagnosticCodes)
		c.CheckKinds(climpt.String, "name", "source", "description")
		c.CheckKinds(climpt.Boolean, "required")
	}
	o.Bool("usesStdin", false)
	s.permissionMode = d.Agent.StepPermissionMode(o, "")
	return s
}

// checkID compares the ID with the step's key.
func (d *flow) checkID(s *step) {
	id := s.String("id")
	switch {
	case !s.Has("id"):
		d.Warn(s.Place(), "defaulted", s.id+" has no id: its key is used", fmt.Sprintf(`add "id": %q`, s.id))
	case id != s.id:
		d.Error(s.PlaceOf("id"), "id-mismatch", fmt.Sprintf("the id %q differs from the key %q", id, s.id), "give both the same name")
	}
	if !stepIDPattern.MatchString(s.id) {
		d.Warn(s.Place(), "bad-step-id", fmt.Sprintf("the step id %q does not have the usual form", s.id), "use s_ and 4 to 8 hexadecimal digits, for example s_a8f3")
	}
}

func (d *flow) readIterations(s *step) {
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
	s.minIterations, s.maxIterations = bound("min"), bound("max")
	if s.maxIterations > 0 && s.minIterations > s.maxIterations {
		d.Error(o.Place(), "bad-iterations", fmt.Sprintf("min %d is greater than max %d", s.minIterations, s.maxIterations), "make max at least min")
	}
}

func (d *flow) readCheck(o climpt.Fields) check {
	c := check{Fields: o}
	if o.Value == nil {
		return c
	}
	o.Require("prompt")
	c.promptReference = d.readPromptReference(o.Object("prompt"))
	d.checkResponseFormat(o.Object("responseFormat"))
	c.onPass, c.onFail = d.readVerdictTarget(o.Object("onPass")), d.readVerdictTarget(o.Object("onFail"))
	for _, key := range []string{"responseFormat", "onPass", "onFail"} {
		if !o.Has(key) {
			d.Warn(o.Place(), "empty-check", key+" is missing: its default applies", fmt.Sprintf("add %q", key))
		}
	}
	for _, s := range []verdictTarget{c.onPass, c.onFail} {
		if s.Value != nil && s.isEmpty() {
			d.Warn(s.Place(), "empty-check", s.Key()+" is empty: its default applies (onPass: complete, onFail: repeat)", "write next, retry, fallback or complete")
		}
	}
	return c
}

func (d *flow) checkResponseFormat(o climpt.Fields) {
	v := o.Get("result")
	if v == nil {
		return
	}
	switch v.Text() {
	case "ok|ng", "pass|fail", "boolean":
	default:
		d.Warn(v.Place(), "bad-result-format", "result must be ok|ng, pass|fail or boolean", "use one of these; Playhead reads replies the same way for all three")
	}
}

// readVerdictTarget reads onPass or onFail, and warns of parts without effect.
func (d *flow) readVerdictTarget(o climpt.Fields) verdictTarget {
	s := verdictTarget{Fields: o, nextStep: o.String("next"), fallbackStep: o.String("fallback"), canRetry: o.Bool("retry", false), completesRun: o.Bool("complete", false)}
	if v := o.Get("maxRetries"); v != nil {
		n, ok := v.Int()
		if !ok || n < 0 {
			d.Error(v.Place(), "bad-retries", "maxRetries is not a whole number of 0 or more", "use 0 for no limit")
		}
		s.maxRetries = max(n, 0)
		if !s.canRetry {
			d.Warn(v.Place(), "retries-without-retry", "maxRetries has no effect without retry", `add "retry": true`)
		}
	}
	d.checkContradictions(s)
	return s
}

func (d *flow) checkContradictions(s verdictTarget) {
	ways := 0
	for _, set := range []bool{s.completesRun, s.nextStep != "", s.fallbackStep != ""} {
		if set {
			ways++
		}
	}
	if ways > 1 {
		d.Warn(s.Place(), "many-transitions", s.Key()+" has more than one of complete, next and fallback", "keep one: complete takes precedence over next, next over retry, retry over fallback")
	}
	if s.fallbackStep != "" && s.canRetry && s.maxRetries == 0 && !s.completesRun && s.nextStep == "" {
		d.Warn(s.PlaceOf("fallback"), "fallback-unused", "the fallback is never taken: retries have no limit", `add "maxRetries"`)
	}
	if s.canRetry && s.Key() == "onPass" {
		message, suggestion := "the step is run again although the check passed", `replace retry with "next" or "complete": true`
		if s.completesRun || s.nextStep != "" {
			message, suggestion = "retry has no effect beside next or complete", "remove retry"
		}
		d.Warn(s.PlaceOf("retry"), "retry-on-pass", message, suggestion)
	}
	if s.completesRun && s.Key() == "onFail" {
		d.Warn(s.PlaceOf("complete"), "complete-on-fail", "the flow completes although the check failed", `replace complete with "fallback" or "retry": true`)
	}
}
