package plan

// Record is a finished visit of a unit, as later prompts see it.
type Record struct {
	Step    *Step
	Label   string
	Outcome Outcome
}

// Memory is the Scope of a run with its history. Scopes that only fill in labels and texts for
// display have none.
type Memory interface {
	Scope
	// History is one Record for each label whose actions are over, its latest, in
	// the order in which they finished. It does not hold the execution that is
	// under way. A unit with children is in it as soon as its own actions are
	// over, with its own outcome: what is joined from children is no Record.
	History() []Record
	// Fetched is the text that the last Fetch of the current attempt got; false if
	// there was none, or it could not be resolved.
	Fetched() (string, bool)
	// Executions is how many units the run has entered, the one at hand included.
	Executions() int
	// Entered is how many of them were the step with this id.
	Entered(step string) int
}

// Leading is the Scope of a prompt that replaces the next step's own.
type Leading interface {
	Scope
	// Leads is the step that the run is about to enter.
	Leads() *Step
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
	// SetByPerson reports whether a variable has the value that a person gave it, before
	// the run or in it, and not what a step came to.
	SetByPerson(name string) bool
}

// SetByPerson reports whether a person set the variable. It is false if that is unknown.
func SetByPerson(s Scope, name string) bool {
	known, ok := s.(Sourced)
	return ok && known.SetByPerson(name)
}
