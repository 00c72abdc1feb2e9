package machine

import (
	"time"

	"playhead/parse/plan"
)

// Next is what the machine says when asked what is next: exactly one is set.
type Next struct {
	Event    *Event    // the machine's own next step: record it, then apply it
	Effect   Effect    // perform it, then apply Machine.Event of what came back
	Question *Question // wait for a person, then apply Machine.Give of the answer
	Result   *Finished // the run is over, until someone reopens it
}

// Effect is something to be done outside the machine.
type Effect interface{ effect() }

// RunCommand runs a program for an open action.
type RunCommand struct {
	Action  Ref
	Shell   string   // bash or sh
	Text    string   // the script, rendered
	Argv    []string // instead of a script: a program and its arguments, rendered
	Pipes   bool     // stdout and stderr apart
	Timeout time.Duration
}

func (*RunCommand) effect() {}

// FetchText gets text for a prompt from a file, a library or a server.
type FetchText struct {
	Action       Ref
	Scheme, Name string
}

// CallTool calls a tool of a server, with arguments as JSON.
type CallTool struct {
	Action             Ref
	Server, Tool, Args string
	Call               string              // the ID of the model's call that this is; empty: the document's own
	Limit              time.Duration       // that it may take; 0: as its server is
	Only               map[string][]string // the patterns that restrict Playhead's own tools
	Change             *FileState          // what it was about to make of a file when it was cut off; nil: nothing
}

// CallModel asks a model. It is the whole request: a port only carries it.
type CallModel struct {
	Action         Ref
	Part           string // which of its step's calls this is, where it makes several
	Model          string // as the document names it; empty: the one configured
	Alias          bool   // Model is one that a configuration may map; unmapped it is as good as none
	System, Prompt string
	Thread         []plan.Message // what was said before in the same conversation
	Schema         []byte         // of a structured reply
	Tools          []string       // that the model may call, as the document names them
	Unnamed        string         // why one of them has no name; empty: all have
	Report         *plan.Function // offered to the model besides
	ManualReply
}

// IsRepeatable reports whether a call that was cut off can be made again without asking.
func (c *CallTool) IsRepeatable() bool { return isRepeatable(c.Server, c.Tool) }

func isRepeatable(server, tool string) bool { return plan.IsLocal(server) && tool != plan.ToolBash }

func (*FetchText) effect() {}
func (*CallTool) effect()  {}
func (*CallModel) effect() {}

// Ref names the action that an effect or a question belongs to.
type Ref struct {
	Step     string `json:"step"` // label
	ID       string `json:"id,omitempty"`
	Attempt  int    `json:"attempt"`
	Instance string `json:"instance,omitempty"` // the instance number that commands see; empty: none
	Action   int    `json:"action"`
}

// Question is what a person is asked.
type Question struct {
	Action      Ref            `json:"action"`
	Kind        string         `json:"kind"`                   // decide, ask, resume or accept
	Prompt      string         `json:"prompt,omitempty"`       // what is asked
	Show        *plan.Block    `json:"show,omitempty"`         // shown verbatim with it
	Options     []string       `json:"options,omitempty"`      // the answers there are: pass and fail, yes and no, rerun …
	Field       *plan.Field    `json:"field,omitempty"`        // of an ask: what is to be filled in, the first of Fields where there are any
	Draft       string         `json:"draft,omitempty"`        // of a reply: what had come of it before a person took over
	Tool        string         `json:"tool,omitempty"`         // of a reply: the tool whose result it is; empty: it is a model's
	SourceError string         `json:"source_error,omitempty"` // of a reply: why the source of replies could not be asked; empty: a person's turn
	Absent      plan.Absent    `json:"absent,omitempty"`       // what to do when nobody is there
	Instead     bool           `json:"instead,omitempty"`      // a decision in the place of something that would be executed (prompted)
	Acted       bool           `json:"acted,omitempty"`        // a call that was cut off may have used tools already
	Call        *plan.ToolCall `json:"call,omitempty"`         // that is to be approved
	Folder      string         `json:"folder,omitempty"`       // in which the command of that call would run; empty: it runs none
	Allows      string         `json:"allows,omitempty"`       // which calls an approval for the run is for, in words
	ManualReply                // of a reply; its Fields also of an ask for values that are missing
}

// ManualReply is what a person who replies in a model's place can choose or fill in.
type ManualReply struct {
	Choices []plan.Choice `json:"choices,omitempty"`
	Fields  []plan.Field  `json:"fields,omitempty"` // of a report, with the answers of Answer.Fields
}

// The kinds of questions.
const (
	KindDecide  = "decide"
	KindAsk     = "ask"
	KindResume  = "resume"
	KindAccept  = "accept"  // of an outcome that is held
	KindApprove = "approve" // of a tool that a model wants called
	KindReply   = "reply"   // the session's: a person stands in for a model
	KindBreak   = "break"
)

// Answer is what a person, a flag or a file says to a Question.
type Answer struct {
	Value  string            // one of the question's options
	Fields []string          // instead: an answer for each of the question's fields
	Report string            // instead: the whole report that they make, as JSON
	Set    []plan.Assignment // of an acceptance: in the place of what is withheld
	By     string
	Note   string
	Args   string  // of an approval: the arguments to call the tool with
	Result *string // of an approval: the result, in the place of the call
}
