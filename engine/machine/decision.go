package machine

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Decision records one move (routed): the candidates, the one that was chosen and why, and where it
// leads. The inspector, the report and the JSON stream all show this record.
type Decision struct {
	Outcome        *plan.Outcome     `json:"outcome,omitempty"`
	JoinMode       string            `json:"mode,omitempty"` // how the children's results were joined: all must pass, or any
	Candidates     []Candidate       `json:"candidates"`
	CandidateIndex *int              `json:"taken,omitempty"` // an index into Candidates; nil if none matched or a person chose
	To             string            `json:"to"`              // the label of the step that is entered, of the group whose routes come next, or "end"
	ByPerson       bool              `json:"forced"`
	Warnings       []plan.RunWarning `json:"notes,omitempty"` // warnings to record
	Destination    Destination       `json:"arrival"`
}

// Candidate is one route that a decision considered.
type Candidate struct {
	Line            int    `json:"line,omitempty"`
	Text            string `json:"text"`
	Matched         bool   `json:"matched"`
	ReasonText      string `json:"why,omitempty"` // the reason as text: in old journals and in printed JSON
	Implicit        bool   `json:"implicit"`
	UsedBudgetCount int    `json:"depth,omitempty"` // the number of retry budgets used up: 1 is the move after the first budget

	Reason *plan.Reason `json:"reason,omitempty"` // what was compared; nil in old journals
}

// IsArmChoice reports whether the decision is a choice between arms, and not a route after an outcome.
func (d *Decision) IsArmChoice() bool {
	return d.Outcome == nil && !d.ByPerson && len(d.Candidates) > 0
}

// SkippedAllArms reports whether this is a choice in which no arm was entered.
func (d *Decision) SkippedAllArms() bool { return d.IsArmChoice() && d.TakenCandidate() == nil }

// TakenCandidate returns the candidate that the decision took, nil if it took none. d may be nil, and the index from a
// journal may be out of range.
func (d *Decision) TakenCandidate() *Candidate {
	if d == nil || d.CandidateIndex == nil || *d.CandidateIndex < 0 || *d.CandidateIndex >= len(d.Candidates) {
		return nil
	}
	return &d.Candidates[*d.CandidateIndex]
}

// WithoutDestination returns a text about the taken route, such as "closing → end", without the destination at its end.
func (d *Decision) WithoutDestination(text string) string {
	return strings.TrimSuffix(text, " → "+d.To)
}

// FollowsUsedLimit reports whether the route that was taken leads where its document goes once a limit is
// used up.
func (d *Decision) FollowsUsedLimit() bool {
	c := d.TakenCandidate()
	return c != nil && c.UsedBudgetCount > 0
}

// EndLabel is the value of Decision.To for a move that ends the document.
const EndLabel = "end"

// NextPosition returns the label of the step at which the run continues after the event, and its ID if
// that differs.
func (e Event) NextPosition() (label, id string) {
	if d, is := e.Body.(*Decision); is && d.To != "" && d.To != EndLabel {
		return d.To, idIfDifferent(d.Destination.StepID, d.To)
	}
	return e.Step, e.ExplicitStepID
}

// PositionAfter returns the label of the step at which a run continues after the events of a branch, and its ID if that
// differs.
func PositionAfter(branch []Event) (label, id string) {
	for _, e := range slices.Backward(branch) {
		if label, id = e.NextPosition(); label != "" && !e.KeepsPosition() {
			return label, id
		}
	}
	return "", ""
}

// KeepsPosition reports whether the run is where it was before the event. The event may name another step.
func (e Event) KeepsPosition() bool {
	switch e.Body.(type) {
	case *ActionEdited, *LimitsUsed, *VariableCaptured, *ApprovalChanged, *WarningRecorded, *ShellOpened, *PlayheadToolCalled, *FileRestored:
		return true
	}
	return e.isSessionBoundary()
}

// Destination says where a decision leads: to a step, to a group's routes, or to the end of the document. Apply needs
// nothing else to move the run there.
type Destination struct {
	Kind                 DestinationKind `json:"kind"`
	StepID               string          `json:"step,omitempty"`         // the ID of the target, or of the group whose routes come next
	RecordingGroup       string          `json:"into,omitempty"`         // the label of the group that records the outcome
	DocumentsToLeave     int             `json:"up,omitempty"`           // the number of included documents that the move leaves
	SameVisit            bool            `json:"again,omitempty"`        // the same visit continues
	SameVisitIfOwnStep   bool            `json:"keep,omitempty"`         // the same visit continues if the move leads back to its own step
	IsArmChosen          bool            `json:"chosen,omitempty"`       // the target is an arm that has already been chosen
	ToNextInstance       bool            `json:"next,omitempty"`         // the move enters the target's next instance
	ExemptFromEntryLimit bool            `json:"free,omitempty"`         // a person's move, which does not count against the limit of entries
	CallerStepID         string          `json:"caller,omitempty"`       // the step that calls the target, which may lead back to it; empty: none
	SpentBudget          string          `json:"spent,omitempty"`        // the retry budget that the move used
	BudgetIsPerRun       bool            `json:"spent_in_run,omitempty"` // the budget belongs to the run, not to the visit
	Result               plan.RunResult  `json:"result,omitempty"`
	Message              string          `json:"message,omitempty"`
	ErrorCode            string          `json:"code,omitempty"`   // the error code, if the run ends with an error
	PromptFromRoute      string          `json:"prompt,omitempty"` // replaces the target's own prompt once
	plan.PromptOrigin
}

// DestinationKind says what a decision leads to.
type DestinationKind string

// A decision enters a step, continues with a group's routes, or ends the document.
const (
	ToStep        DestinationKind = "step"
	ToGroupRoutes DestinationKind = "side"
	ToDocumentEnd DestinationKind = "over"
)
