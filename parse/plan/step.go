package plan

import (
	"encoding/json"
	"strings"
	"time"
)

// Step is a node of the procedure. A step is executable if it has actions or no children: a run
// stops only at executable steps, and passes through the others. (The Rundown specification calls
// them units.) A group is a step with children.
type Step struct {
	ID       string // as the format writes it: 2.1, {N}.{n}, Repair, closure.notes
	Key      string // survives edits of the document
	Kind     string // how to draw it: step, substep, named, dynamic, branch, section
	Title    string // as written
	Heading  Prompt // the Title with its instance numbers; nil: the Title
	Number   *int   // nil if the document does not number it
	Label    Prompt // the ID with its instance numbers; nil: the ID
	Text     Prompt // what to show of it; nil: nothing
	Aside    bool   // entered only as a target, never by falling through
	Template bool   // exists in numbered instances
	When     *Test  // an arm: entered if the test holds and no earlier arm of its choice was
	Else     bool   // an arm: entered if no earlier arm of its choice was
	Actions  []Action
	Children []*Step
	Join     Join
	Routes   []Route
	RoutesIn Excerpt  // the file that contains them, if it is not the document; its span is not used
	Clauses  []Clause // what else decides and can be edited
	Edges    []Edge   // in a flow: links to draw
	Brief    string   // a few words to show after the title
	Phase    string   // in a flow: the heading to list it under; "": none
	Extra    Extra    // format-specific details to show; may be nil
	Notes    []Note   // warnings to repeat when a run reaches the step
	Span     Span
}

// Edge is a link of a flow, for drawing only. Routes decide what a run does.
type Edge struct {
	Label   string // pass next, repeat …
	To      string // the ID of a step; "": the end
	Implied bool   // the document does not write it
	Then    string // what happens when the budget is used up, in one word
}

// Extra holds format-specific facts. Only displays read them.
type Extra interface{ Details() map[string]any }

// Details is an Extra that is ready to show.
type Details map[string]any

// Details implements Extra.
func (f Details) Details() map[string]any { return f }

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
	if s.Heading == nil {
		return s.Title
	}
	return Show(s.Heading, scope)
}

// IsExecutable reports whether a run can stop at the step: it has actions, or no children.
func (s *Step) IsExecutable() bool { return len(s.Actions) > 0 || len(s.Children) == 0 }

// Instructions returns the texts that a person decides on, to show verbatim. They are not part of
// the step's Text.
func (s *Step) Instructions() []string {
	var out []string
	for _, a := range s.Actions {
		if d, ok := a.Work.(Decide); ok && d.Show != nil {
			out = append(out, strings.TrimRight(d.Show.Text, "\n"))
		}
	}
	return out
}

// First returns the child that a group starts with.
func (s *Step) First() *Step {
	for _, c := range s.Children {
		if !c.Aside {
			return c
		}
	}
	return s.Children[0]
}

// IsArm reports whether the step is one arm of a choice.
func (s *Step) IsArm() bool { return s.When != nil || s.Else }

// ArmText returns the condition of an arm as the document writes it.
func (s *Step) ArmText() string {
	if s.When == nil {
		return "else"
	}
	return s.When.Text
}

// Span is a range of source lines, counted from 1. End is the last line.
type Span struct {
	Line, Column int // column in runes, from 1
	End          int
}

// Join says how the results of children or included documents become one result.
type Join int

const (
	// All fails if one of them failed.
	All Join = iota
	// Any passes if one of them passed.
	Any
)

// Action is one thing that a step does, such as a command to run: when it applies, and how its
// result is judged.
type Action struct {
	Work  Work
	If    Matcher // the outcome so far for which the action applies; zero: any
	Judge Judge   // decides the outcome; nil: the default rule for the kind of work
	Span  Span
	Text  Excerpt // where the text of Work stands
}

// Work is what an action does: one of the eight types of this file.
type Work interface{ work() }

type (
	// Ask asks a person to fill in fields. If Missing is set, only fields without a value are
	// asked for.
	Ask struct {
		Fields  []Field
		Missing bool
		Absent  Absent
	}
	// Decide asks a person for pass or fail.
	Decide struct {
		Show   *Block // shown verbatim; nil: only the step's text
		Yes    bool   // the words are yes and no
		Absent Absent
	}
	// Command runs a program: Text through Shell, or Argv without one.
	Command struct {
		Shell    string // bash or sh
		Language string // as the document names it
		Text     Prompt
		Argv     []Prompt
		Pipes    bool // stdout and stderr apart instead of a pseudo-terminal
		Timeout  time.Duration
		Lacking  *Note // the warning if the shell does not find a command; nil: none
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
		Part       string // of a step that asks several times: names this call in files of replies
		Prompt     Prompt
		Name       string
		Thread     Thread
		Schema     []byte
		Tools      []Prompt
		Report     *OfferedTool
		Bounds     Bounds
		MaxRepeats int // how often a reply that is not accepted is asked for again

		Permissions Permissions // of its tools

		Alias   bool         // a configuration may map Name to another name; unmapped, it counts as empty
		Replies ReplyChoices // replies that a person can give by choosing one; nil: none
	}
	// Include runs child documents, in order.
	Include struct {
		Docs []string // paths as written, found in Plan.Children
		Join Join
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

// ReplyChoices computes replies on demand: where every step can jump to every other one, there are
// too many to store.
type ReplyChoices interface{ Choices() []Choice }

// Choices returns the replies that a person can pick, if any.
func (m Model) Choices() []Choice {
	if m.Replies == nil {
		return nil
	}
	return m.Replies.Choices()
}

// Choice is a complete reply that a person can give in place of a model. To says where it leads, or
// is "" if that is not known.
type Choice struct {
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
	Only    Only // of a form: when it is asked; zero: always
}

// fieldJSON is a Field as JSON, where its prompt is a text.
type fieldJSON struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Prompt  string   `json:"prompt,omitempty"`
	Options []string `json:"options,omitempty"`
	Default string   `json:"default,omitempty"`
	Only    Only     `json:"only,omitzero"`
}

// MarshalJSON writes the prompt as the document writes it.
func (f Field) MarshalJSON() ([]byte, error) {
	return json.Marshal(fieldJSON{f.Name, f.Type, Source(f.Prompt), f.Options, f.Default, f.Only})
}

// UnmarshalJSON reads a field whose prompt is a text.
func (f *Field) UnmarshalJSON(data []byte) error {
	var j fieldJSON
	err := json.Unmarshal(data, &j)
	*f = Field{j.Name, j.Type, Literal(j.Prompt), j.Options, j.Default, j.Only}
	return err
}

// Only is a condition on another field of the same form: its answer is one of Is.
type Only struct {
	Field string   `json:"field"`
	Is    []string `json:"is"`
}

// Block is text to show verbatim.
type Block struct {
	Language string `json:"language,omitempty"`
	Text     string `json:"text"`
}

// Absent says how to answer a question when nobody can.
type Absent int

const (
	// Wait ends the run as awaiting input.
	Wait Absent = iota
	// Pass answers pass.
	Pass
	// Fail answers fail.
	Fail
)

// Thread says how long a conversation with a model lasts.
type Thread int

const (
	// Attempt starts a new conversation with each attempt of a step.
	Attempt Thread = iota
	// Run has one conversation for the whole run.
	Run
)

// Reports reports whether a tool call delivers the model's report.
func (m Model) Reports(c ToolCall) bool { return m.Report != nil && c.Name == m.Report.Name }

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
