package plan

// In this file, Judges and Prompts describe themselves for `show`, which does not know their
// formats.

// Describer is a Judge whose description `show` prints in place of the action's kind.
type Describer interface {
	Judge
	Describe() JudgeDescription
}

// JudgeDescription is what `show --json` prints about a Judge. Its kind is capture, gate, check or
// validate.
type JudgeDescription struct {
	Kind           string
	Variable       string // of a capture
	Type           string
	Options        []string
	ExtractedField string
	Prompt         string // of a check: the file of the question

	Validators []string // of a validate: their names
}

// Explainer is a Judge that explains an outcome: what it read, and what it compared that with.
type Explainer interface {
	Judge
	Explain(Outcome) []Fact
}

// Fact is one line of an explanation.
type Fact struct{ Name, Value string }

// Explain returns how the step's Judges explain an outcome, in the order of its actions.
func (s *Step) Explain(o Outcome) []Fact {
	var out []Fact
	for _, a := range s.Actions {
		if e, ok := a.Judge.(Explainer); ok {
			out = append(out, e.Explain(o)...)
		}
	}
	return out
}

// ReferringPrompt is a Prompt that loads text by a reference of its own, without a Fetch. `show` lists the
// reference as a prompt_ref before the prompt's action.
type ReferringPrompt interface {
	Prompt
	Reference() (ref string, at Span)
}

// promptReferences returns the prompt_refs in front of an action.
func (a Action) promptReferences() []jsonAction {
	m, ok := a.Work.(Model)
	if !ok {
		return nil
	}
	r, ok := m.Prompt.(ReferringPrompt)
	if !ok {
		return nil
	}
	ref, at := r.Reference()
	if ref == "" {
		return nil
	}
	return []jsonAction{{Kind: "prompt_ref", Ref: ref, Line: at.Line}}
}

// addDescription replaces what the action prints by the description of its Judge, if that is a Describer.
func (j *jsonAction) addDescription(judge Judge) {
	d, ok := judge.(Describer)
	if !ok {
		return
	}
	description := d.Describe()
	j.Kind, j.Variable, j.Extract = description.Kind, description.Variable, description.ExtractedField
	j.Validators = description.Validators
	if description.Prompt != "" {
		j.Prompt = description.Prompt
	}
	if description.Type != "" {
		j.Type = description.Type
	}
	if description.Options != nil {
		j.Options = description.Options
	}
}

type jsonCondition struct {
	Variable string `json:"variable"`
	Operator string `json:"operator"`
	Value    string `json:"value,omitempty"`
	Source   string `json:"source,omitempty"`
}

// armJSON returns the word that opens an arm, and its condition.
func (s *Step) armJSON() (word string, condition *jsonCondition) {
	switch {
	case s.ArmTest == nil && !s.IsElseOrElif:
		return "", nil
	case s.ArmTest == nil:
		return "else", nil
	case s.IsElseOrElif:
		word = "elif"
	default:
		word = "if"
	}
	t := s.ArmTest
	return word, &jsonCondition{t.Path[len(t.Path)-1], operatorSigns[t.Op], t.Value, t.VariableSource}
}

var operatorSigns = map[Op]string{OpEqual: "==", OpNotEqual: "!=", OpIsSet: "set"}
