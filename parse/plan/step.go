package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Step is a node of the procedure. A step is executable if it has actions or no children: a run
// stops only at executable steps, and passes through the others. (The Rundown specification calls
// them units.) A group is a step with children.
type Step struct {
	ID             string // as the format writes it: 2.1, {N}.{n}, Repair, closure.notes
	StableKey      string // survives edits of the document
	Kind           string // how to draw it: step, substep, named, dynamic, branch, section
	Title          string // as written
	TitlePrompt    Prompt // the Title with its instance numbers; nil: the Title
	Number         *int   // nil if the document does not number it
	Label          Prompt // the ID with its instance numbers; nil: the ID
	Text           Prompt // what to show of it; nil: nothing
	IsTargetOnly   bool   // entered only as a target, never by falling through
	IsPromptText   bool   // a text for the prompts of other steps, never entered
	HasInstances   bool   // exists in numbered instances
	ArmTest        *Test  // an arm: entered if the test holds and no earlier arm of its choice was
	IsElseOrElif   bool   // an arm: entered if no earlier arm of its choice was
	Actions        []Action
	Children       []*Step
	Join           Join
	Routes         []Route
	RoutesLocation TextLocation // the file that contains them, if it is not the document; its span is not used
	OtherRules     []Rule       // besides the routes; they can be edited too
	FlowEdges      []FlowEdge   // in a flow: links to draw
	TitleNote      string       // a few words to show after the title
	FlowHeading    string       // in a flow: the heading to list it under; "": none
	Extra          Extra        // format-specific details to show; may be nil
	RunWarnings    []RunWarning // warnings to repeat when a run reaches the step
	Span           Span
}

// FlowEdge is a link of a flow, for drawing only. Routes decide what a run does.
type FlowEdge struct {
	Label          string // pass next, repeat …
	To             string // the ID of a step; "": the end
	Implicit       bool   // the document does not write it
	AfterLimitText string // what happens when the budget is used up, in one word
}

// Extra holds format-specific facts. Only displays read them.
type Extra interface{ Details() map[string]any }

// Details is an Extra that is ready to show.
type Details map[string]any

// Details implements Extra.
func (d Details) Details() map[string]any { return d }

// Details returns the format-specific facts of the step, or nil.
func (s *Step) Details() map[string]any {
	if s.Extra == nil {
		return nil
	}
	return s.Extra.Details()
}

// TitleIn returns the title with the instance numbers of scope. For a nil scope it returns the
// title as written.
func (s *Step) TitleIn(scope Scope) string {
	if s.TitlePrompt == nil {
		return s.Title
	}
	return TextForDisplay(s.TitlePrompt, scope)
}

// IsExecutable reports whether a run can stop at the step: it has actions, or no children.
func (s *Step) IsExecutable() bool { return len(s.Actions) > 0 || len(s.Children) == 0 }

// IsCountable reports whether a count of steps includes the step: a run can stop at it, and it is not only a text.
func (s *Step) IsCountable() bool { return s.IsExecutable() && !s.IsPromptText }

// Instructions returns the texts that a person decides on, to show verbatim. They are not part of
// the step's Text.
func (s *Step) Instructions() []string {
	var out []string
	for _, a := range s.Actions {
		if d, ok := a.Work.(Decide); ok && d.ShownBlock != nil {
			out = append(out, strings.TrimRight(d.ShownBlock.Text, "\n"))
		}
	}
	return out
}

// EntryChild returns the child that a group starts with.
func (s *Step) EntryChild() *Step {
	for _, c := range s.Children {
		if !c.IsTargetOnly {
			return c
		}
	}
	return s.Children[0]
}

// NextAmong returns the step to which a run continues after s: the first of its later siblings that is neither
// entered only as a target nor another arm of the same choice, nil if there is none.
func (s *Step) NextAmong(laterSiblings []*Step) *Step {
	for _, next := range laterSiblings {
		if !next.IsTargetOnly && !(s.IsArm() && next.IsElseOrElif) {
			return next
		}
	}
	return nil
}

// HasExplicitRoutes reports whether the step has routes that the document writes, and not only those that the
// format supplies.
func (s *Step) HasExplicitRoutes() bool {
	return slices.ContainsFunc(s.Routes, func(r Route) bool { return !r.Do.Implicit })
}

// IsArm reports whether the step is one arm of a choice.
func (s *Step) IsArm() bool { return s.ArmTest != nil || s.IsElseOrElif }

// ArmText returns the condition of an arm as the document writes it.
func (s *Step) ArmText() string {
	if s.ArmTest == nil {
		return "else"
	}
	return s.ArmTest.SourceText
}

// Span is a range of source lines, counted from 1.
type Span struct {
	Line, Column int // column in runes, from 1
	LastLine     int
}

// Join says how the results of children or included documents become one result.
type Join int

const (
	// JoinAll fails if one of them failed.
	JoinAll Join = iota
	// JoinAny passes if one of them passed.
	JoinAny
)

// Action is one thing that a step does, such as a command to run: when it applies, and how its
// result is judged.
type Action struct {
	Work         Work
	If           Matcher // the outcome so far for which the action applies; zero: any
	Judge        Judge   // decides the outcome; nil: the default rule for the kind of work
	Span         Span
	TextLocation TextLocation // where the text of Work stands
}

// Work is what an action does: one of the eight types of this file.
type Work interface{ work() }

type (
	// Ask asks a person to fill in fields: all of them, or only those without a value.
	Ask struct {
		Fields            []Field
		OnlyMissingFields bool
		Unattended        UnattendedAnswer
	}
	// Decide asks a person for pass or fail.
	Decide struct {
		ShownBlock  *VerbatimBlock // shown verbatim below the step's text; nil: only the text
		BlockInText *VerbatimBlock // the block in the step's text that the decision is about; nil: none
		UsesYesNo   bool           // the words are yes and no
		Unattended  UnattendedAnswer
	}
	// Command runs a program: Text through Shell, or Argv without one.
	Command struct {
		Shell           string // bash or sh
		Language        string // as the document names it
		Text            Prompt
		Argv            []Prompt
		UsesPipes       bool // stdout and stderr apart instead of a pseudo-terminal
		Timeout         time.Duration
		NotFoundWarning *RunWarning // the warning if the shell does not find a command; nil: none
	}
	// Tool calls a tool of a server.
	Tool struct {
		Server, Name string
		Args         Prompt
	}
	// Fetch fetches text for the prompt from a file, a library or a server.
	Fetch struct {
		Scheme string
		Ref    Prompt
	}
	// Model calls a language model.
	Model struct {
		CallName        string // of a step that asks several times: names this call in files of replies
		Prompt          Prompt
		Name            string
		Thread          Thread
		Schema          []byte
		Tools           []Prompt
		ReportTool      *OfferedTool
		Bounds          ConversationBounds
		MaxReplyRetries int // how often a reply that is not accepted is asked for again

		// NeedsFetchedText says that the prompt is nothing but the text that the step fetches: without it, the
		// model is not asked, unless a person has edited the prompt.
		NeedsFetchedText bool

		Permissions Permissions // of its tools

		IsAlias           bool              // a configuration may map Name to another name; unmapped, it counts as empty
		ReplyChoiceSource ReplyChoiceSource // replies that a person can give by choosing one; nil: none
	}
	// Include runs child documents, in order.
	Include struct {
		DocumentPaths []string // paths as written, found in Plan.IncludedDocuments
		Join          Join
	}
	// JudgeOnly has no effect of its own: its Judge reads what the step has so far.
	JudgeOnly struct{}
)

func (Ask) work()       {}
func (Decide) work()    {}
func (Command) work()   {}
func (Tool) work()      {}
func (Fetch) work()     {}
func (Model) work()     {}
func (Include) work()   {}
func (JudgeOnly) work() {}

// ReplyChoiceSource computes replies on demand: where every step can jump to every other one, there are
// too many to store.
type ReplyChoiceSource interface{ Choices() []ReplyChoice }

// Choices returns the replies that a person can pick, if any.
func (m Model) Choices() []ReplyChoice {
	if m.ReplyChoiceSource == nil {
		return nil
	}
	return m.ReplyChoiceSource.Choices()
}

// ReplyChoice is a complete reply that a person can give in place of a model. To says where it leads, or
// is "" if that is not known.
type ReplyChoice struct {
	Name  string `json:"name"`
	Reply string `json:"reply"`
	To    string `json:"to,omitempty"`
}

// Field is a value that a person is asked for.
type Field struct {
	Name    string // the variable
	Type    string // input, text, number, confirm, select, value
	Prompt  Prompt
	Options []string
	Default string
	AskedIf FieldCondition // of a form: when it is asked; zero: always
}

// fieldJSON is a Field as JSON, where its prompt is a text.
type fieldJSON struct {
	Name    string         `json:"name"`
	Type    string         `json:"type"`
	Prompt  string         `json:"prompt,omitempty"`
	Options []string       `json:"options,omitempty"`
	Default string         `json:"default,omitempty"`
	AskedIf FieldCondition `json:"only,omitzero"`
}

// MarshalJSON writes the prompt as the document writes it.
func (f Field) MarshalJSON() ([]byte, error) {
	return json.Marshal(fieldJSON{f.Name, f.Type, SourceText(f.Prompt), f.Options, f.Default, f.AskedIf})
}

// UnmarshalJSON reads a field whose prompt is a text.
func (f *Field) UnmarshalJSON(data []byte) error {
	var j fieldJSON
	err := json.Unmarshal(data, &j)
	*f = Field{j.Name, j.Type, Literal(j.Prompt), j.Options, j.Default, j.AskedIf}
	return err
}

// FieldCondition is a condition on another field of the same form: its answer is one of several values.
type FieldCondition struct {
	Field string   `json:"field"`
	AnyOf []string `json:"is"`
}

// AskedFields returns which fields of a form are asked, given the answers so far. A field that is
// not asked has no answer.
func AskedFields(fields []Field, answers []string) []bool {
	asked, byName := make([]bool, len(fields)), map[string]string{}
	for i, f := range fields {
		asked[i] = f.AskedIf.Field == "" || slices.Contains(f.AskedIf.AnyOf, byName[f.AskedIf.Field])
		if asked[i] {
			byName[f.Name] = answers[i]
		}
	}
	return asked
}

// VerbatimBlock is text to show verbatim.
type VerbatimBlock struct {
	Language string `json:"language,omitempty"`
	Text     string `json:"text"`
}

// UnattendedAnswer says how to answer a question when nobody can.
type UnattendedAnswer int

const (
	// WaitUnattended ends the run as awaiting input.
	WaitUnattended UnattendedAnswer = iota
	// PassUnattended answers pass.
	PassUnattended
	// FailUnattended answers fail.
	FailUnattended
)

// Thread says how long a conversation with a model lasts.
type Thread int

const (
	// AttemptThread starts a new conversation with each attempt of a step.
	AttemptThread Thread = iota
	// RunThread has one conversation for the whole run.
	RunThread
)

// IsReport reports whether a tool call delivers the model's report.
func (m Model) IsReport(c ToolCall) bool { return m.ReportTool != nil && c.Name == m.ReportTool.Name }

// OfferedTool is a tool that Playhead itself offers to a model.
type OfferedTool struct {
	Name, Description string
	Schema            []byte
	Form              Form // how a person calls it in a model's place; nil: not at all
}

// Form lets a person call an OfferedTool by filling in fields. It is plain data with pure methods. An
// answer to a field of type value is JSON; "" is no value.
type Form interface {
	Fields(Scope) []Field
	// Arguments returns the arguments of the call as JSON. answers has one entry per field, "" for a
	// field that was not asked.
	Arguments(scope Scope, answers []string) string
}
