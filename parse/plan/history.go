package plan

// FinishedAttempt is a finished attempt of an executable step, as later prompts see it.
type FinishedAttempt struct {
	Step    *Step
	Label   string
	Outcome Outcome
}

// HistoryScope is the Scope of a run with its history. Scopes that only fill in labels and texts for
// display have none.
type HistoryScope interface {
	Scope
	// History returns the latest finished attempt for each label, in the order in which they ended.
	// The attempt in progress is not included. A step with actions and children is included as soon as
	// its own actions have ended, with the outcome of these actions and not with the result that is
	// joined from its children.
	History() []FinishedAttempt
	// Fetched returns the text that the last Fetch of the current attempt got. It returns false if
	// there was no Fetch, or if it failed.
	Fetched() (string, bool)
	// EntryCount returns how many steps the run has entered, including the current one.
	EntryCount() int
	// EntryCountOf returns how often the run has entered the step with this ID.
	EntryCountOf(step string) int
}

// NextStepScope is the Scope of a prompt that replaces the prompt of the next step.
type NextStepScope interface {
	Scope
	// NextStep returns the step that the run is about to enter.
	NextStep() *Step
}

// History returns the finished attempts that a scope knows, or nil if it is no HistoryScope.
func History(s Scope) []FinishedAttempt {
	if m, ok := s.(HistoryScope); ok {
		return m.History()
	}
	return nil
}

// FetchedText returns the text that the last Fetch of the current attempt got. ok is false if there is none, or if s is
// no HistoryScope.
func FetchedText(s Scope) (text string, ok bool) {
	if m, ok := s.(HistoryScope); ok {
		return m.Fetched()
	}
	return "", false
}

// ConversationScope is the Scope of a model's reply: the conversation before it, from the prompt on.
type ConversationScope interface {
	Scope
	Conversation() []Message
}

// PreviousToolCalls returns the tool calls of the conversation so far, in order, without those of the
// reply that is judged.
func PreviousToolCalls(s Scope) []ToolCall {
	c, ok := s.(ConversationScope)
	if !ok {
		return nil
	}
	var out []ToolCall
	for _, m := range c.Conversation() {
		out = append(out, m.ToolCalls...)
	}
	return out
}

// VariableOriginScope is a Scope that knows who set a variable.
type VariableOriginScope interface {
	Scope
	// SetByPerson reports whether a person gave the variable its value, before the run or during
	// it, and not a step.
	SetByPerson(name string) bool
}

// IsSetByPerson reports whether a person set the variable. It is false if that is unknown.
func IsSetByPerson(s Scope, name string) bool {
	known, ok := s.(VariableOriginScope)
	return ok && known.SetByPerson(name)
}
