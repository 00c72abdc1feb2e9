package plan

// Record is a finished visit of an executable step, as later prompts see it.
type Record struct {
	Step    *Step
	Label   string
	Outcome Outcome
}

// Memory is the Scope of a run with its history. Scopes that only fill in labels and texts for
// display have none.
type Memory interface {
	Scope
	// History returns one Record for each label whose actions have ended, the latest, in the order
	// in which they ended. The visit in progress is not included. A step with actions and children is included
	// as soon as its own actions have ended, with its own outcome, because a result joined from
	// children is not a Record.
	History() []Record
	// Fetched returns the text that the last Fetch of the current attempt got. It returns false if
	// there was no Fetch, or if it failed.
	Fetched() (string, bool)
	// EntryCount returns how many steps the run has entered, including the current one.
	EntryCount() int
	// Entered returns how often the run has entered the step with this ID.
	Entered(step string) int
}

// NextStepScope is the Scope of a prompt that replaces the next step's own.
type NextStepScope interface {
	Scope
	// NextStep returns the step that the run is about to enter.
	NextStep() *Step
}

// History returns what a scope remembers, or nil without memory.
func History(s Scope) []Record {
	if m, ok := s.(Memory); ok {
		return m.History()
	}
	return nil
}

// Fetched returns the text that was fetched for the current prompt, if any.
func Fetched(s Scope) (string, bool) {
	if m, ok := s.(Memory); ok {
		return m.Fetched()
	}
	return "", false
}

// Conversing is the Scope of a model's reply: the conversation before it, from the prompt on.
type Conversing interface {
	Scope
	Conversation() []Message
}

// PreviousCalls returns the tool calls of the conversation so far, in order, without those of the
// reply that is judged.
func PreviousCalls(s Scope) []ToolCall {
	c, ok := s.(Conversing)
	if !ok {
		return nil
	}
	var out []ToolCall
	for _, m := range c.Conversation() {
		out = append(out, m.Calls...)
	}
	return out
}

// Sourced is a Scope that knows who set a variable.
type Sourced interface {
	Scope
	// SetByPerson reports whether a person gave the variable its value, before the run or during
	// it, and not a step.
	SetByPerson(name string) bool
}

// SetByPerson reports whether a person set the variable. It is false if that is unknown.
func SetByPerson(s Scope, name string) bool {
	known, ok := s.(Sourced)
	return ok && known.SetByPerson(name)
}
