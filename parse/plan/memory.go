package plan

// Record is one execution of a unit whose actions are over: what later prompts
// read of it.
type Record struct {
	Step    *Step
	Label   string
	Outcome Outcome
}

// Memory is the Scope of a run: besides what holds now it knows what was. The
// scopes that only fill in labels and texts for display have none.
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

// Leading is the Scope of a prompt that takes the place of the next step's own.
type Leading interface {
	Scope
	// Leads is the step that the run is about to enter.
	Leads() *Step
}

// History is what a scope remembers, nothing for one without memory.
func History(s Scope) []Record {
	if m, ok := s.(Memory); ok {
		return m.History()
	}
	return nil
}

// Fetched is the text that was fetched for the prompt at hand, if any.
func Fetched(s Scope) (string, bool) {
	if m, ok := s.(Memory); ok {
		return m.Fetched()
	}
	return "", false
}

// Conversing is the Scope of a model's reply: what was said before it in the same
// conversation, from the prompt on.
type Conversing interface {
	Scope
	Conversation() []Message
}

// PreviousCalls returns the calls that a model has wanted so far in the conversation at hand,
// in their order, those of the reply that is judged left out.
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

// Sourced is the Scope that knows where values come from.
type Sourced interface {
	Scope
	// SetByPerson reports whether a variable has the value that a person gave it, before
	// the run or in it, and not what a step came to.
	SetByPerson(name string) bool
}

// SetByPerson reports whether a person gave a variable its value; false if nobody knows.
func SetByPerson(s Scope, name string) bool {
	known, ok := s.(Sourced)
	return ok && known.SetByPerson(name)
}
