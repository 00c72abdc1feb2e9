package plan

import (
	"strings"
	"time"
)

// Step is a node of the procedure. A step without children, or with actions of
// its own, is a unit: something the run can stand at.
type Step struct {
	ID       string // as the format writes it: 2.1, {N}.{n}, Repair, closure.notes
	Key      string // the identity that survives edits of the document
	Kind     string // how it is drawn: step, substep, named, dynamic, branch, section
	Title    string // as written
	Heading  Prompt // the Title with its instance numbers; nil: the Title
	Number   *int   // as the document numbers it; nil: it does not
	Label    Prompt // the ID with its instance numbers; nil: the ID
	Text     Prompt // what is shown of it; nil: nothing
	Aside    bool   // entered by a target only, never by falling through
	Template bool   // exists in numbered instances
	When     *Test  // an arm: entered if the test holds and no earlier arm of its choice was
	Else     bool   // an arm: entered if no earlier arm of its choice was
	Actions  []Action
	Children []*Step
	Join     Join
	Routes   []Route
	Edges    []Edge // of a flow: where it leads, as the document writes it
	Brief    string // a few words that are shown behind the title
	Phase    string // of a flow: what the step is listed under; "": nothing
	Extra    Extra  // what else the format has to show; nil: nothing
	Notes    []Note // warnings of the document that a run repeats as it comes to the step
	Span     Span
}

// Edge is a link of a flow, for drawing it: Routes say what a run does.
type Edge struct {
	Label   string // pass next, repeat …
	To      string // the id of a step; "": the end
	Implied bool   // nothing writes it
	Then    string // what comes when a budget is used up, in a word
}

// Extra is plain data that lists facts of a format when they are shown: nothing else
// reads them.
type Extra interface{ Details() map[string]any }

// Details are those of an Extra, as they are.
type Details map[string]any

// Details implements Extra.
func (f Details) Details() map[string]any { return f }

// Details are what else the format has to show.
func (s *Step) Details() map[string]any {
	if s.Extra == nil {
		return nil
	}
	return s.Extra.Details()
}

// Titled returns the title as it is shown in a run: with the instance numbers of the scope. A
// nil scope leaves it as written.
func (s *Step) Titled(scope Scope) string {
	if s.Heading == nil {
		return s.Title
	}
	return Show(s.Heading, scope)
}

// IsUnit reports whether the run can stand at the step: it acts, or has nothing
// below it.
func (s *Step) IsUnit() bool { return len(s.Actions) > 0 || len(s.Children) == 0 }

// Instructions are the texts that a person decides on, to be shown word for word. They
// are no part of the step's Text.
func (s *Step) Instructions() []string {
	var out []string
	for _, a := range s.Actions {
		if d, ok := a.Work.(Decide); ok && d.Show != nil {
			out = append(out, strings.TrimRight(d.Show.Text, "\n"))
		}
	}
	return out
}

// First is the child at which a group is entered at its start.
func (s *Step) First() *Step {
	for _, c := range s.Children {
		if !c.Aside {
			return c
		}
	}
	return s.Children[0]
}

// Arm reports whether the step is one arm of a choice.
func (s *Step) Arm() bool { return s.When != nil || s.Else }

// ArmText is the condition of an arm as the document writes it.
func (s *Step) ArmText() string {
	if s.When == nil {
		return "else"
	}
	return s.When.Text
}

// Span is a range of source lines, counted from 1; End is the last line.
type Span struct {
	Line, Column int // column in runes, from 1
	End          int
}

// Join says how results of children, or of included documents, become one.
type Join int

const (
	// All fails if one of them failed.
	All Join = iota
	// Any passes if one of them passed.
	Any
)

// Action is one thing a step does.
type Action struct {
	Work  Work
	If    Matcher // applies only when the outcome so far matches; zero: always
	Judge Judge   // what the product means; nil: the rule of the kind
	Span  Span
	Text  Excerpt // where the text of its Work stands
}

// Work is what an action does: one of the eight types of this file.
type Work interface{ work() }

type (
	// Ask has a person fill in fields. With Missing only those without a value
	// are asked for, if any.
	Ask struct {
		Fields  []Field
		Missing bool
		Absent  Absent
	}
	// Decide has a person say pass or fail.
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
		Lacking  *Note // what a run warns of where the shell does not find a command; nil: nothing
	}
	// Tool calls a tool of a server.
	Tool struct {
		Server, Name string
		Args         Prompt
	}
	// Fetch gets text for the prompt from a file, a library or a server.
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
		Report     *Function
		Bounds     Bounds
		MaxRepeats int // how often a reply that is not accepted is asked for again

		Alias   bool         // Name is one that a configuration may map; unmapped it is as good as none
		Replies ReplyChoices // replies that a person can give by choosing one; nil: none
	}
	// Include runs child documents, in order.
	Include struct {
		Docs []string // paths as written, found in Plan.Children
		Join Join
	}
	// JudgeOnly does nothing: its Judge reads what the step has so far.
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

// ReplyChoices is plain data that lists replies when they are wanted: where each step can jump
// to each other one, there are too many to have them all at once.
type ReplyChoices interface{ Choices() []Choice }

// Choices are those of the offer, if there is one.
func (m Model) Choices() []Choice {
	if m.Replies == nil {
		return nil
	}
	return m.Replies.Choices()
}

// Choice is a whole reply that a person standing in for a model can give at once, and
// where it leads, in a few words; "": that is not known.
type Choice struct{ Name, Reply, To string }

// Field is one value a person is asked for.
type Field struct {
	Name    string // the variable
	Type    string // input, text, number, confirm, select, value
	Prompt  Prompt
	Options []string
	Default string
	Only    Only // of a form: when it is asked; zero: always
}

// Only holds if a field of the same form was filled in with one of the values.
type Only struct {
	Field string
	Is    []string
}

// Block is text shown character for character.
type Block struct{ Language, Text string }

// Absent says what a question does when nobody is there to answer it.
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

// Reports reports whether a call is the model's report.
func (m Model) Reports(c ToolCall) bool { return m.Report != nil && c.Name == m.Report.Name }

// Function is a tool offered to a model by Playhead itself.
type Function struct {
	Name, Description string
	Schema            []byte
	Form              Form // how a person calls it in a model's place; nil: not at all
}

// Form has a person call a Function by filling in fields. It is plain data with pure
// methods. The answer to a field of the type value is JSON: a text, or whatever the
// person wrote as JSON; empty: none.
type Form interface {
	Fields(Scope) []Field
	// Arguments is what the call says, as JSON. There is an answer for each field,
	// empty for one that was not asked.
	Arguments(scope Scope, answers []string) string
}
