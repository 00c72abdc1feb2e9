package mcpserver

import (
	"errors"
	"strings"

	"playhead/engine/service"
	"playhead/engine/setup"
)

// failureReply is the reply to a tool call that was refused or failed.
type failureReply struct {
	Success         bool     `json:"success"` // always false
	Message         string   `json:"error"`
	ErrorType       string   `json:"error_type"`
	Service         string   `json:"service"`
	Suggestion      string   `json:"suggestion"`
	RunID           string   `json:"run,omitempty"`
	ChangesByOthers []string `json:"moved,omitempty"` // what other clients have done to the run since the last reply about it
}

func (f *failureReply) Error() string { return f.Message }

// The types of failures that this package makes. The first ones are the Workflow format's, which has more
// (workflow.CheckReport).
const (
	failureNoWorkflow = "no_workflow_loaded"
	failureNoSteps    = "empty_workflow"

	failureValueMissing = "variable_missing"
	failureNotFound     = "not_found"
	failureValidation   = "validation"
	failureInternal     = "internal"
	failureNotTrusted   = "not_trusted" // a person has to trust the document
	failurePaused       = "paused"      // by a person
	failureRunChanged   = "moved"       // by a person, or by another program
)

// newFailure returns a failure of one of the types above: message says what happened, suggestion what to do.
func newFailure(errorType, message, suggestion string) *failureReply {
	return &failureReply{Message: message, ErrorType: errorType, Service: "playhead", Suggestion: suggestion}
}

// othersActedText returns why a call was refused after others changed the run.
func othersActedText(changes []string) string {
	return "the call changed nothing, because others have acted on the run: " + strings.Join(changes, "; ")
}

// failureFromError converts an error to the reply for it.
func failureFromError(err error) *failureReply {
	var own *failureReply
	var refused *service.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refused) && refused.Code == service.CodeStale:
		return newFailure(failureRunChanged, refused.Message, "Call next_step (in a workflow: execute_workflow_step) for the current state of the run.")
	case errors.As(err, &refused):
		return newFailure(failureInternal, refused.Message, "Call run_state: it lists the actions that are possible now.")
	case errors.As(err, new(*setup.Error)):
		return newFailure(failureValidation, err.Error(), "Fix the problem that the error describes, then call the tool again.")
	}
	return newFailure(failureInternal, err.Error(), "Call run_state for the current state of the run.")
}
