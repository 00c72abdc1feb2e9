package plan

// StepEdit is a change of a document's steps.
type StepEdit struct {
	Verb  StepVerb
	Step  string // the ID of the step to change
	After bool   // of an insertion or a move: behind the other step instead of before it
	Other string // of a move: the ID of the step to which it is moved
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
