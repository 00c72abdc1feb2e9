package plan

// StepEdit is a change of a document's steps.
type StepEdit struct {
	Verb  StepVerb
	Step  string // the id of the step at hand
	After bool   // of an insertion and a move: behind the other step, else before it
	Other string // of a move: the id of the step that it is moved to
	Text  string // of an insertion: the step as the document writes it, or its title alone
}

// StepVerb is a kind of StepEdit.
type StepVerb string

// The kinds of StepEdits. An insertion is made before or behind Step.
const (
	InsertStep    StepVerb = "insert"
	DuplicateStep StepVerb = "duplicate"
	RemoveStep    StepVerb = "remove"
	MoveStep      StepVerb = "move"
)
