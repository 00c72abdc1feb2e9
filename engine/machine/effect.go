package machine

import (
	"time"

	"playhead/parse/plan"
)

// Next is what the machine needs next. Exactly one field is set.
type Next struct {
	Event    *Event       // the machine's own next event: record it, then apply it
	Effect   Effect       // perform it, then apply the event of its result
	Question *Question    // wait for a person, then apply the event of the answer
	Result   *RunFinished // the run is over, until someone reopens it
}

// Effect is something to be done outside the machine.
type Effect interface{ effect() }

// RunCommand runs a program for an open action.
type RunCommand struct {
	Action    ActionRef
	Shell     string   // bash or sh
	Text      string   // the script, rendered
	Argv      []string // instead of a script: a program and its arguments, rendered
	UsesPipes bool     // stdout and stderr go to a pipe each, not to a pseudo-terminal
	Timeout   time.Duration
}

func (*RunCommand) effect() {}

// FetchText gets text for a prompt from a file, a library or a server.
type FetchText struct {
	Action       ActionRef
	Scheme, Name string
}

// CallTool calls a tool of a server with arguments as JSON.
type CallTool struct {
	Action             ActionRef
	Server, Tool, Args string
	CallID             string              // the ID of the model's call; empty for a call that the document makes
	Timeout            time.Duration       // how long it may take; 0: the server's own limit
	ToolPatterns       map[string][]string // the patterns that restrict Playhead's own tools
	PendingChange      *FileChanging       // the change of a file that was being made when the call was cut off; nil: none
}

// CallModel asks a model. It holds the whole request, so a reply source only sends it.
type CallModel struct {
	Action                ActionRef
	CallName              string // which of its step's calls this is, where it makes several
	Model                 string // as the document names it; empty: the configured model
	IsModelAlias          bool   // the configuration may map Model to another name; unmapped, it counts as empty
	SystemMessage, Prompt string
	EarlierMessages       []plan.Message    // the earlier messages of the same conversation
	Schema                []byte            // of a structured reply
	Tools                 []string          // the tools that the model may call, as the document names them
	ToolNameProblem       string            // why one of the tools has no name; empty: all have one
	ReportTool            *plan.OfferedTool // offered to the model as a tool, in addition to Tools
	ManualReplyForm
}

// IsRepeatable reports whether a call that was cut off can be made again without asking.
func (c *CallTool) IsRepeatable() bool { return isToolRepeatable(c.Server, c.Tool) }

func isToolRepeatable(server, tool string) bool {
	return plan.IsLocalServer(server) && tool != plan.ToolBash
}

func (*FetchText) effect() {}
func (*CallTool) effect()  {}
func (*CallModel) effect() {}

// ActionRef identifies the action that an effect or a question belongs to.
type ActionRef struct {
	StepLabel   string `json:"step"`
	StepID      string `json:"id,omitempty"`
	Attempt     int    `json:"attempt"`
	Instance    string `json:"instance,omitempty"` // the instance number that commands see; empty: none
	ActionIndex int    `json:"action"`
}

// Question is what a person is asked.
type Question struct {
	Action            ActionRef             `json:"action"`
	Kind              string                `json:"kind"`                   // one of the kinds below
	Prompt            string                `json:"prompt,omitempty"`       // what is asked
	ShownBlock        *plan.VerbatimBlock   `json:"show,omitempty"`         // shown verbatim with it
	Options           []string              `json:"options,omitempty"`      // the possible answers: pass and fail, yes and no, rerun …
	Field             *plan.Field           `json:"field,omitempty"`        // of an ask: the field to fill in, the first of Fields if there are several
	Draft             string                `json:"draft,omitempty"`        // of a reply: the part that had arrived when a person took over
	Tool              string                `json:"tool,omitempty"`         // of a reply: the tool whose result is wanted; empty: a model's reply
	ReplySourceError  string                `json:"source_error,omitempty"` // of a reply: why the reply source could not be asked; empty: it is the person's turn
	IfUnattended      plan.UnattendedAnswer `json:"absent,omitempty"`       // what to do when nobody is there
	ReplacesExecution bool                  `json:"instead,omitempty"`      // this decision replaces an execution (prompted)
	MayHaveActed      bool                  `json:"acted,omitempty"`        // the call that was cut off may have used tools already
	Call              *plan.ToolCall        `json:"call,omitempty"`         // the call to be approved
	CommandFolder     string                `json:"folder,omitempty"`       // the folder in which the command of that call would run; empty: no command
	CoveredCallsText  string                `json:"allows,omitempty"`       // the calls that an approval for the run covers, as text
	ManualReplyForm                         // of a reply; an ask for missing values uses its Fields too
}

// ManualReplyForm is what a person who replies instead of a model can choose or fill in.
type ManualReplyForm struct {
	Choices []plan.ReplyChoice `json:"choices,omitempty"`
	Fields  []plan.Field       `json:"fields,omitempty"` // of a report; Answer.Fields are the answers
}

// The kinds of questions.
const (
	KindDecide        = "decide"
	KindAsk           = "ask"
	KindResume        = "resume"
	KindAcceptOutcome = "accept"  // accept an outcome that is held
	KindApproveCall   = "approve" // approve a tool call that a model wants
	KindReply         = "reply"   // made by the session: a person replies instead of a model
	KindPause         = "break"   // not asked: the run is paused before an event or in a step
)

// Answer is the answer of a person, a flag or a file to a Question.
type Answer struct {
	Value       string            // one of the question's options
	Fields      []string          // instead: an answer for each of the question's fields
	ReportJSON  string            // instead: the whole report that the fields make, as JSON
	Assignments []plan.Assignment // of an acceptance: these replace the withheld values
	By          string
	Note        string
	Args        string  // of an approval: the arguments for the call
	CallResult  *string // of an approval: the result that replaces the call
}
