package question

import (
	"slices"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// openQuestion is the question that the run waits for, with what its text and its answers depend on.
type openQuestion struct {
	question            machine.Question
	approvalPolicy      string             // when a person is asked about calls
	isAboutModelCall    bool               // the question is about a call of a model, not a command
	interruptedTool     string             // the tool whose call the question is about; "": none
	isBelowOtherStep    bool               // the question is shown below the decision of another step
	isStepEdited        bool               // the document was changed, and with it what the step does
	canReply            bool               // a person can write the model's reply
	toolToApprove       *tools.Tool        // the tool of a call that needs approval; nil: its server has not answered
	destinationByAnswer answerDestinations // where the answers lead; nil: unknown
	forecastSeq         int                // the number of the event after which destinationByAnswer was last requested; 0: never
}

// yesNoOptions holds the options of a question that needs no widget.
var yesNoOptions = []string{"yes", "no"}

// isModelUnavailable reports whether the question is about a model that could not be asked yet.
func (q *openQuestion) isModelUnavailable() bool {
	return q.question.Kind == machine.KindResume && q.question.IfUnattended == plan.FailUnattended
}

// AsksForReply reports whether a person replies in the model's place.
func (q *openQuestion) AsksForReply() bool { return q.question.Kind == machine.KindReply }

// IsAboutOutput implements dialog.AboutOutput: whether the outcome of what has ended is to be accepted.
func (q *openQuestion) IsAboutOutput() bool { return q.question.Kind == machine.KindAcceptOutcome }

// questionText returns the question in a sentence.
func (q *openQuestion) questionText() string {
	switch {
	case q.question.Call != nil:
		return "May the model call " + draw.ToolName(q.question.Call.Server, q.question.Call.Tool) + "?"
	case q.isModelUnavailable():
		return "The model could not be asked. What now?"
	case q.question.Kind == machine.KindResume && q.isStepEdited:
		return "This step was edited after it began. What now?"
	case q.question.Kind == machine.KindResume && q.isAboutModelCall:
		return "The reply was interrupted. What now?"
	case q.question.Kind == machine.KindResume && q.interruptedTool != "":
		return "The call to " + q.interruptedTool + " was interrupted and may have had effects. What now?"
	case q.question.Kind == machine.KindResume:
		return "The command was interrupted and may have had effects. What now?"
	case q.question.Kind == machine.KindAcceptOutcome:
		return "Accept the outcome of this step?"
	case q.question.Kind == machine.KindAsk:
		return sanitize.PlainLines(q.question.Prompt)
	case q.question.ReplacesExecution:
		return "Do this step yourself. Did it pass?"
	case slices.Equal(q.question.Options, yesNoOptions):
		return "Yes or no?"
	}
	if q.isBelowOtherStep {
		return "Did step " + draw.CleanLine(q.question.Action.StepLabel) + " pass?"
	}
	return "Did it pass?"
}

// reasonText returns why the machine asks the question, "" if that is unknown.
func (q *openQuestion) reasonText() string {
	if q.isModelUnavailable() || q.question.Kind == machine.KindAcceptOutcome {
		return q.question.Prompt
	}
	return ""
}

// approval returns the call that the question asks to approve.
func (q *openQuestion) approval() approval { return approval{&q.question, q.toolToApprove} }
