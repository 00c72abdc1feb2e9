package registry

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"playhead/parse/climpt"
)

// failurePattern names a kind of failure, and the edition of the retry prompt for it.
type failurePattern struct {
	id, description     string
	edition, adaptation string
}

// validator is a command that checks the work of a step.
type validator struct {
	climpt.Fields
	id, command    string
	successRule    successRule
	failurePattern string // its ID
	extractions    []extraction
	isRecoverable  bool
}

// extraction names a parameter of the retry prompt and the extractor that gives its value.
type extraction struct{ Param, Extractor string }

// successRule says when a validator passes.
type successRule struct {
	Kind          string // empty, exitCode, contains or matches; "": the rule is invalid
	ExitCode      int
	TextOrPattern string // the text to contain, or a regular expression
}

// validation is what a closure step has to pass.
type validation struct {
	climpt.Fields
	id, retryPromptC2, retryPromptC3 string
	conditions                       []validationCondition
	failureAction                    string               // retry, abort or skip
	maxAttempts                      int                  // 0: no limit
	outputSchema                     []byte               // a JSON schema of the step's output; nil: none
	retryTexts                       map[string]retryText // by failure pattern; nil: not loaded
}

// validationCondition is a validator with parameters for its command.
type validationCondition struct {
	validatorID string
	params      map[string]string
}

func (r *registry) readFailurePatterns() {
	r.failurePatterns = map[string]failurePattern{}
	for _, o := range r.Registry.Objects("failurePatterns") {
		o.Require("description", "edition")
		o.CheckKinds(climpt.Array, "params")
		r.checkPathPart(o, "edition", "adaptation")
		r.failurePatterns[o.Key()] = failurePattern{o.Key(), o.String("description"), o.String("edition"), o.String("adaptation")}
	}
}

func (r *registry) readValidators() {
	r.validators = map[string]validator{}
	for _, o := range r.Registry.Objects("validators") {
		o.Require("type", "command", "successWhen", "failurePattern")
		v := validator{Fields: o, id: o.Key(), command: o.String("command"), failurePattern: o.String("failurePattern"), isRecoverable: o.Bool("recoverableByDefault", true)}
		if kind := o.String("type"); kind != "" && kind != "command" {
			r.Error(o.PlaceOf("type"), "unsupported-validator", fmt.Sprintf("a validator of type %q cannot be run", kind), `use "command"`)
		}
		if text := o.String("successWhen"); text != "" {
			var err error
			if v.successRule, err = parseSuccessRule(text); err != nil {
				r.Error(o.PlaceOf("successWhen"), "bad-success-when", err.Error(), "use \"empty\", \"exitCode:N\", \"contains:TEXT\" or \"matches:REGEX\"")
			}
		}
		if _, known := r.failurePatterns[v.failurePattern]; v.failurePattern != "" && !known {
			r.Error(o.PlaceOf("failurePattern"), "unknown-failure-pattern", fmt.Sprintf("there is no failure pattern %q", v.failurePattern), "add it to failurePatterns")
		}
		for _, m := range o.Object("extractParams").Members() {
			v.extractions = append(v.extractions, r.readExtraction(m))
		}
		r.validators[v.id] = v
	}
}

func (r *registry) readExtraction(m *climpt.Value) extraction {
	name := m.Text()
	if !m.Is(climpt.String) {
		r.Error(m.Place(), "bad-type", "the extractor of "+m.Key()+" is not a string", "name an extractor, such as stdout")
	} else if _, known := extractors[name]; !known {
		r.Warn(m.Place(), "unknown-extractor",
			fmt.Sprintf("there is no extractor %q: the parameter %s stays empty", name, m.Key()), "name an existing extractor, such as stdout")
	}
	return extraction{m.Key(), name}
}

// parseSuccessRule parses the value of successWhen (spec §10).
func parseSuccessRule(text string) (successRule, error) {
	how, arg, hasColon := strings.Cut(text, ":")
	switch {
	case text == "empty":
		return successRule{Kind: how}, nil
	case !hasColon:
	case how == "exitCode":
		if code, err := strconv.Atoi(arg); err == nil {
			return successRule{Kind: how, ExitCode: code}, nil
		}
	case how == "contains":
		return successRule{Kind: how, TextOrPattern: arg}, nil
	case how == "matches":
		if _, err := regexp.Compile(arg); err != nil {
			return successRule{}, fmt.Errorf("the regular expression in successWhen is not valid: %w", err)
		}
		return successRule{Kind: how, TextOrPattern: arg}, nil
	}
	return successRule{}, fmt.Errorf("successWhen %q is not valid", text)
}

func (r *registry) readValidations() {
	for _, o := range r.Registry.Objects("validationSteps") {
		o.Require("stepId", "name", "c2", "c3")
		o.CheckKinds(climpt.String, "name", "description")
		r.checkStepID(o, r.Warn)
		r.checkPathPart(o, "c2", "c3")
		v := &validation{Fields: o, id: o.Key(), retryPromptC2: o.String("c2"), retryPromptC3: o.String("c3"), failureAction: "retry"}
		r.readConditions(v)
		r.readOnFailure(v)
		o.CheckKinds(climpt.Object, "outputSchemaRef")
		if schema := o.Object("outputSchema"); schema.Value != nil {
			v.outputSchema = r.resolveInlineSchema(schema.Value)
		}
		r.validations = append(r.validations, v)
	}
}

func (r *registry) readConditions(v *validation) {
	v.CheckKinds(climpt.Array, "validationConditions")
	for _, item := range v.Get("validationConditions").Items() {
		o := r.Fields(item, climpt.RegistryDiagnosticCodes)
		o.Require("validator")
		c := validationCondition{validatorID: o.String("validator"), params: map[string]string{}}
		if _, known := r.validators[c.validatorID]; c.validatorID != "" && !known {
			r.Error(o.PlaceOf("validator"), "unknown-validator", fmt.Sprintf("there is no validator %q", c.validatorID), "add it to validators")
			continue
		}
		for _, m := range o.Object("params").Members() {
			c.params[m.Key()] = m.VariableText()
		}
		v.conditions = append(v.conditions, c)
	}
}

func (r *registry) readOnFailure(v *validation) {
	o := v.Object("onFailure")
	if o.Value == nil {
		return
	}
	o.Require("action")
	if action := o.Enum("action", "retry", "abort", "skip"); action != "" {
		v.failureAction = action
	}
	if most := o.Get("maxAttempts"); most != nil {
		n, ok := most.Int()
		if !ok || n < 1 {
			r.Error(most.Place(), "bad-attempts", "maxAttempts is not a whole number of 1 or more", "use 1 or more, or leave it out for no limit")
			return
		}
		v.maxAttempts = n
	}
}

// validationOf returns what a closure step has to pass, or nil (spec §10).
func (r *registry) validationOf(s *step) *validation {
	if s.kind != kindClosure {
		return nil
	}
	for _, id := range []string{s.id, verdictValidationID(r.verdictType())} {
		i := slices.IndexFunc(r.validations, func(v *validation) bool { return v.id == id })
		if i >= 0 {
			return r.validations[i]
		}
	}
	return nil
}

// verdictValidationID returns the ID of the validation that a verdict type selects.
func verdictValidationID(kind string) string {
	if kind == "poll:state" {
		return "closure.polling"
	}
	_, word, _ := strings.Cut(kind, ":")
	return "closure." + word
}
