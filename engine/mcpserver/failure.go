package mcpserver

import (
	"errors"

	"playhead/engine/service"
	"playhead/engine/setup"
)

// failure is the reply to a call that was not done.
type failure struct {
	Success    bool     `json:"success"` // always false
	Message    string   `json:"error"`
	Type       string   `json:"error_type"`
	Service    string   `json:"service"`
	Suggestion string   `json:"suggestion"`
	Run        string   `json:"run,omitempty"`
	Moved      []string `json:"moved,omitempty"` // what others did to the run since the last reply about it
}

func (f *failure) Error() string { return f.Message }

// The types of failures. The first ones are the Workflow format's.
const (
	noWorkflow   = "no_workflow_loaded"
	outOfOrder   = "step_out_of_order"
	valueMissing = "variable_missing"
	notFound     = "not_found"
	validation   = "validation"
	internal     = "internal"
	notTrusted   = "not_trusted" // a person has to trust the document
	paused       = "paused"      // by a person
	moved        = "moved"       // by a person, or by another program
)

// fail returns a failure: what happened, and what to do.
func fail(kind, message, suggestion string) *failure {
	return &failure{Message: message, Type: kind, Service: "playhead", Suggestion: suggestion}
}

// failureOf returns an error as a reply.
func failureOf(err error) *failure {
	var own *failure
	var refused *service.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refused) && refused.Code == service.CodeStale:
		return fail(moved, refused.Message, "Call next_step (of a workflow: execute_workflow_step) to see how the run stands now.")
	case errors.As(err, &refused):
		return fail(internal, refused.Message, "Call run_state to see what can be done.")
	case errors.As(err, new(*setup.Error)):
		return fail(validation, err.Error(), "Correct what the error names and call the tool again.")
	}
	return fail(internal, err.Error(), "Call run_state to see how the run stands.")
}
