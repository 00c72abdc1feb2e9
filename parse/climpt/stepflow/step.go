package stepflow

import (
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
	isReachable                  bool                // from the entry
	permissionMode               plan.PermissionMode // "": neither the step nor the agent has one
}

// check is the prompt whose reply decides the outcome of a step, and where each outcome leads.
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
func (v verdictTarget) isEmpty() bool {
	return v.nextStep == "" && v.fallbackStep == "" && !v.canRetry && !v.completesRun
}

var stepIDPattern = regexp.MustCompile(`^s_[a-f0-9]{4,8}$`)

func (fl *flow) readStep(o climpt.Fields) *step {
	s := &step{Fields: o, id: o.Key(), minIterations: 1, maxIterations: 1}
	fl.checkID(s)
	s.name = o.StepName()
	o.CheckKinds(climpt.String, "description")
	o.Require("prompt")
	s.promptReference = fl.readPromptReference(o.Object("prompt"))
	fl.readIterations(s)
	if s.hasCheck = o.Has("check"); s.hasCheck {
		s.check = fl.readCheck(o.Object("check"))
	} else {
		fl.Warn(o.Place(), "no-check", s.id+" has no check: it can only end in failure", `add "check"`)
	}
	o.Strings("variables") // only checked, as the next two
	o.CheckKinds(climpt.Array, "customVariables")
	for _, v := range o.Get("customVariables").Items() {
		c := fl.Fields(v, climpt.RegistryDiagnosticCodes)
		c.CheckKinds(climpt.String, "name", "source", "description")
		c.CheckKinds(climpt.Boolean, "required")
	}
	o.Bool("usesStdin", false)
	s.permissionMode = fl.Agent.StepPermissionMode(o, "")
	return s
}

// checkID reports an ID that is missing, differs from the step's key, or has an unusual form.
func (fl *flow) checkID(s *step) {
	id := s.String("id")
	switch {
	case !s.Has("id"):
		fl.Warn(s.Place(), "defaulted", s.id+" has no id: its key is used", fmt.Sprintf(`add "id": %q`, s.id))
	case id != s.id:
		fl.Error(s.PlaceOf("id"), "id-mismatch", fmt.Sprintf("the id %q differs from the key %q", id, s.id), "give both the same name")
	}
	if !stepIDPattern.MatchString(s.id) {
		fl.Warn(s.Place(), "bad-step-id", fmt.Sprintf("the step id %q does not have the usual form", s.id), "use s_ and 4 to 8 lowercase hexadecimal digits, for example s_a8f3")
	}
}

// readIterations sets minIterations and maxIterations, and reports invalid ones.
func (fl *flow) readIterations(s *step) {
	o := s.Object("iterations")
	bound := func(key string) int {
		v := o.Get(key)
		if v == nil {
			return 1
		}
		n, ok := v.Int()
		if !ok || n < 1 {
			fl.Error(v.Place(), "bad-iterations", key+" is not a whole number of 1 or more", "")
			return 0
		}
		return n
	}
	s.minIterations, s.maxIterations = bound("min"), bound("max")
	if s.maxIterations > 0 && s.minIterations > s.maxIterations {
		fl.Error(o.Place(), "bad-iterations", fmt.Sprintf("min %d is greater than max %d (the default of each is 1)", s.minIterations, s.maxIterations), fmt.Sprintf("set max to %d or more", s.minIterations))
	}
}

func (fl *flow) readCheck(o climpt.Fields) check {
	c := check{Fields: o}
	if o.Value == nil {
		return c
	}
	o.Require("prompt")
	c.promptReference = fl.readPromptReference(o.Object("prompt"))
	fl.checkResponseFormat(o.Object("responseFormat"))
	c.onPass, c.onFail = fl.readVerdictTarget(o.Object("onPass")), fl.readVerdictTarget(o.Object("onFail"))
	for _, key := range []string{"responseFormat", "onPass", "onFail"} {
		if !o.Has(key) {
			fl.Warn(o.Place(), "empty-check", key+" is missing: its default applies", fmt.Sprintf("add %q", key))
		}
	}
	for _, s := range []verdictTarget{c.onPass, c.onFail} {
		if s.Value != nil && s.isEmpty() {
			fl.Warn(s.Place(), "empty-check", s.Key()+" leads nowhere: its default applies (onPass: complete; onFail: repeat up to iterations.max, then fail)", "write next, retry, fallback or complete")
		}
	}
	return c
}

func (fl *flow) checkResponseFormat(o climpt.Fields) {
	v := o.Get("result")
	if v == nil {
		return
	}
	switch v.Text() {
	case "ok|ng", "pass|fail", "boolean":
	default:
		fl.Warn(v.Place(), "bad-result-format", "result must be ok|ng, pass|fail or boolean", "use one of these; Playhead reads replies the same way for all three")
	}
}

// readVerdictTarget reads onPass or onFail, and warns of parts without effect.
func (fl *flow) readVerdictTarget(o climpt.Fields) verdictTarget {
	s := verdictTarget{Fields: o, nextStep: o.String("next"), fallbackStep: o.String("fallback"), canRetry: o.Bool("retry", false), completesRun: o.Bool("complete", false)}
	if v := o.Get("maxRetries"); v != nil {
		n, ok := v.Int()
		if !ok || n < 0 {
			fl.Error(v.Place(), "bad-retries", "maxRetries is not a whole number of 0 or more", "use 0 for no limit")
		}
		s.maxRetries = max(n, 0)
		if !s.canRetry {
			fl.Warn(v.Place(), "retries-without-retry", "maxRetries has no effect without retry", `add "retry": true`)
		}
	}
	fl.checkContradictions(s)
	return s
}

// checkContradictions warns of keys of onPass or onFail that exclude each other, or that are unusual there.
func (fl *flow) checkContradictions(s verdictTarget) {
	destinations := 0
	for _, set := range []bool{s.completesRun, s.nextStep != "", s.fallbackStep != ""} {
		if set {
			destinations++
		}
	}
	if destinations > 1 {
		fl.Warn(s.Place(), "many-transitions", s.Key()+" has more than one of complete, next and fallback", "keep one: complete takes precedence over next, next over retry, retry over fallback")
	}
	if s.fallbackStep != "" && s.canRetry && s.maxRetries == 0 {
		fl.Warn(s.PlaceOf("fallback"), "fallback-unused", "the fallback is never taken: retries have no limit", `set "maxRetries" to 1 or more`)
	}
	if s.canRetry && s.Key() == "onPass" {
		message, suggestion := "the step runs again even when its check passes", `replace retry with "next": "STEP" or "complete": true`
		if s.completesRun || s.nextStep != "" {
			message, suggestion = "retry has no effect together with next or complete", "remove retry"
		}
		fl.Warn(s.PlaceOf("retry"), "retry-on-pass", message, suggestion)
	}
	if s.completesRun && s.Key() == "onFail" {
		fl.Warn(s.PlaceOf("complete"), "complete-on-fail", "the flow completes even when the check fails", `replace complete with "fallback": "STEP" or "retry": true`)
	}
}
