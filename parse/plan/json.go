package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// This file prints a Plan in the shape of `playhead show --json` (docs/json.md):
// keys are absent when empty, 0 and false are always written. Prompts print as
// the document writes them.

// MarshalJSON implements json.Marshaler.
func (p *Plan) MarshalJSON() ([]byte, error) {
	out := jsonPlan{
		Format: p.Format, Path: p.Path, Title: p.Title, Description: p.Description,
		SystemPrompt: SourceText(p.SystemPrompt), Artifact: SourceText(p.ArtifactType),
		Steps: jsonSteps(p.Steps, nil), Extra: p.Extra, Diagnostics: p.Diagnostics,
	}
	for _, in := range p.Inputs {
		out.Inputs = append(out.Inputs, newJSONInput(in))
	}
	for _, e := range p.Entries {
		if e.When == "" {
			out.EntrySteps = append(out.EntrySteps, e.Step)
		} else {
			out.Entries = append(out.Entries, jsonEntry(e))
		}
	}
	if out.Diagnostics == nil {
		out.Diagnostics = []Diagnostic{}
	}
	return EncodeJSON(out) // the caller's encoder decides what to escape
}

// EncodeJSON returns a value as JSON on one line. Unlike json.Marshal it does not escape <, > and &. It returns
// an error for what JSON cannot hold, such as NaN.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

type jsonPlan struct {
	Format       string         `json:"format,omitempty"`
	Path         string         `json:"path,omitempty"`
	Title        string         `json:"title,omitempty"`
	Description  string         `json:"description,omitempty"`
	SystemPrompt string         `json:"system,omitempty"`
	EntrySteps   []string       `json:"entry,omitempty"`
	Entries      []jsonEntry    `json:"entries,omitempty"`
	Inputs       []jsonInput    `json:"inputs,omitempty"`
	Artifact     string         `json:"artifact,omitempty"`
	Extra        map[string]any `json:"extra,omitempty"`
	Steps        []jsonStep     `json:"steps"`
	Diagnostics  []Diagnostic   `json:"diagnostics"`
}

type jsonEntry struct {
	When string `json:"when"`
	Step string `json:"step"`
}

type jsonInput struct {
	Name        string   `json:"name"`
	Type        string   `json:"type,omitempty"`
	Default     string   `json:"default,omitempty"`
	Options     []string `json:"options,omitempty"`
	Description string   `json:"description,omitempty"`
	Required    bool     `json:"required"`
	Line        int      `json:"line"`
	Min         *float64 `json:"min,omitempty"`
	Max         *float64 `json:"max,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
}

func newJSONInput(in Input) jsonInput {
	return jsonInput{
		Name: in.Name, Type: in.Type, Default: in.Default, Options: in.Options, Description: in.Description, Required: in.Required,
		Line: in.DeclaredAt.Span.Line, Min: in.Min, Max: in.Max, Pattern: in.Pattern,
	}
}

type jsonStep struct {
	ID       string         `json:"id,omitempty"`
	Label    string         `json:"label,omitempty"`
	Title    string         `json:"title,omitempty"`
	Line     int            `json:"line"`
	Kind     string         `json:"kind,omitempty"`
	Key      string         `json:"key,omitempty"`
	Number   *int           `json:"number,omitempty"`
	Section  string         `json:"section,omitempty"`
	Arm      string         `json:"arm,omitempty"`
	When     *jsonCondition `json:"condition,omitempty"`
	Text     string         `json:"text,omitempty"`
	Actions  []jsonAction   `json:"actions,omitempty"`
	Routes   []jsonRoute    `json:"routes,omitempty"`
	Children []jsonStep     `json:"children,omitempty"`
	Extra    map[string]any `json:"extra,omitempty"`
}

// JSON returns the step in the shape of `playhead show --json`.
func (s *Step) JSON() (json.RawMessage, error) { return json.Marshal(jsonSteps([]*Step{s}, nil)[0]) }

func jsonSteps(steps []*Step, parent *Step) []jsonStep {
	out := make([]jsonStep, 0, len(steps))
	for _, s := range steps {
		j := jsonStep{
			ID: s.ID, Label: s.ID, Title: s.Title, Line: s.Span.Line, Kind: s.Kind, Key: s.StableKey,
			Number: s.Number, Text: SourceText(s.Text), Children: jsonSteps(s.Children, s), Extra: s.Details(),
		}
		j.Arm, j.When = s.armJSON()
		if j.Section = s.FlowHeading; parent != nil && parent.Kind == "section" {
			j.Section = parent.Title
		}
		if s.Label != nil {
			j.Label = SourceText(s.Label)
		}
		for _, a := range s.Actions {
			j.Actions = append(append(j.Actions, a.promptReferences()...), a.json())
		}
		for _, r := range s.Routes {
			j.Routes = append(j.Routes, r.json())
		}
		out = append(out, j)
	}
	return out
}

// jsonAction has the fields of all kinds of action.
type jsonAction struct {
	Kind       string   `json:"kind"`
	Variable   string   `json:"variable,omitempty"`
	Type       string   `json:"type,omitempty"`
	Scheme     string   `json:"scheme,omitempty"`
	Ref        string   `json:"ref,omitempty"`
	Server     string   `json:"server,omitempty"`
	Tool       string   `json:"tool,omitempty"`
	Arguments  string   `json:"arguments,omitempty"`
	Language   string   `json:"language,omitempty"`
	Text       string   `json:"text,omitempty"`
	Prompt     string   `json:"prompt,omitempty"`
	Options    []string `json:"options,omitempty"`
	Extract    string   `json:"extract,omitempty"`
	Paths      []string `json:"paths,omitempty"`
	Validators []string `json:"validators,omitempty"`
	Line       int      `json:"line"`
}

func (a Action) json() jsonAction {
	j := jsonAction{Line: a.Span.Line}
	switch w := a.Work.(type) {
	case Ask:
		j.Kind = "ask"
		if len(w.Fields) > 0 {
			f := w.Fields[0]
			j.Type, j.Prompt, j.Options = f.Type, SourceText(f.Prompt), f.Options
		}
	case Decide:
		j.Kind = "decide"
		if b := cmp.Or(w.ShownBlock, w.BlockInText); b != nil {
			j.Kind, j.Language, j.Text = "instruction", b.Language, b.Text
		}
	case Command:
		j.Kind, j.Language, j.Text = "command", w.Language, w.SourceText()
	case Tool:
		j.Kind, j.Server, j.Tool, j.Arguments = "tool", w.Server, w.Name, SourceText(w.Args)
	case Fetch:
		j.Kind, j.Scheme, j.Ref = "prompt_ref", w.Scheme, SourceText(w.Ref)
	case Model:
		j.Kind = "model"
	case Include:
		j.Kind, j.Paths = "include", w.DocumentPaths
	case JudgeOnly:
		j.Kind = "read"
	}
	j.addDescription(a.Judge)
	return j
}

// SourceText returns the command as the document writes it.
func (c Command) SourceText() string {
	if c.Argv == nil {
		return SourceText(c.Text)
	}
	words := make([]string, len(c.Argv))
	for i, w := range c.Argv {
		words[i] = SourceText(w)
	}
	return strings.Join(words, " ")
}

type jsonRoute struct {
	Line           int        `json:"line"`
	Text           string     `json:"text,omitempty"`
	On             string     `json:"on,omitempty"`
	AllOrAny       string     `json:"mode,omitempty"`
	Intent         string     `json:"intent,omitempty"`
	Condition      string     `json:"condition,omitempty"`
	Value          string     `json:"value,omitempty"`
	Do             string     `json:"do"`
	Target         string     `json:"target,omitempty"`
	IsNextInstance *bool      `json:"next,omitempty"` // where there is a target
	Message        string     `json:"message,omitempty"`
	Count          *int       `json:"count,omitempty"` // where there is a budget
	Then           *jsonRoute `json:"then,omitempty"`
	Implicit       bool       `json:"implicit"`
}

func (r Route) json() jsonRoute {
	j := r.Do.json()
	m := r.When
	j.AllOrAny, j.Intent = m.AllOrAny, m.Intent
	switch {
	case m.Intent != "":
		j.On = "intent"
	case m.Result != "":
		j.On = string(m.Result)
	default:
		j.On = "always"
	}
	if m.Test != nil {
		j.Condition, j.Value = m.Test.Path[len(m.Test.Path)-1], m.Test.Value
	}
	return j
}

func (m Move) json() jsonRoute {
	j := jsonRoute{Line: m.Span.Line, Text: m.SourceText, Do: m.verbName(), Message: SourceText(m.Message), Implicit: m.Implicit}
	if m.Verb == Goto || m.Verb == Fallback {
		j.Target, j.IsNextInstance = m.To.String(), &m.To.IsNextInstance
	}
	if m.Limit != nil && m.Limit.Max > 0 {
		count := m.Limit.Max
		if m.Limit.Counter == AttemptCounter {
			count-- // the first attempt is no repetition
		}
		j.Count = &count
	}
	if m.AfterLimit != nil {
		then := m.AfterLimit.json()
		j.Then = &then
	}
	return j
}

// isRetry reports whether the move uses up a retry, as a RETRY does.
func (m Move) isRetry() bool {
	return m.Verb == RunAgain && m.Limit != nil && !m.IsRepeat && (m.Limit.Counter == AttemptCounter || m.Limit.Counter == RetryCounter)
}

func (m Move) verbName() string {
	switch m.Verb {
	case LeaveGroup:
		return "leave"
	case RunAgain:
		if m.isRetry() {
			return "retry"
		}
		return "repeat"
	case Goto:
		return "goto"
	case Fallback:
		return "fallback"
	case EndDocument:
		return endVerbByResult[m.Result]
	}
	return "continue"
}

var endVerbByResult = map[RunResult]string{Completed: "complete", Stopped: "stop", RunFailed: "fail"}

// String names the destination: an id, the caller, or where it is read from.
func (t Target) String() string {
	switch {
	case t.IsCaller:
		return "caller"
	case t.OutcomeDataKey != "":
		return t.OutcomeDataKey
	}
	return t.Step
}
