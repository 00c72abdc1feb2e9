package machine

import (
	"strings"
	"time"

	"playhead/parse/plan"
)

// Event is one thing that happened in a run: a head that all events share, and a body for its kind.
// In JSON it is one flat object, the line of the journal and of `run --json` (docs/json.md).
type Event struct {
	Seq            int       // stamped by the session, from 1
	Time           time.Time // set by the session
	Step           string    // the label of the step, such as 1/lint/2.1
	ExplicitStepID string    // the ID of the step if it differs from the label
	Attempt        int       // from 1
	By             string    // who gave an answer or intervened: person, flag, file, auto
	Note           string    // the note that came with an intervention or an answer; in JSON: reason

	PreparedBy string // where an intervention was prepared, if a person did not make it now: flag, file
	Client     string // through which client a person acted, if not at the owner's own screen
	Body       Body
}

// The values of Event.By: who gave an answer or intervened.
const (
	ByPerson = "person"
	ByFlag   = "flag"
	ByFile   = "file"
	ByAuto   = "auto" // called automatic in the specs
)

// Body is the part of an Event that depends on its kind. Type returns the kind's name in JSON.
type Body interface{ Type() string }

// The bodies, with their names in the journal.
type (
	// RunStarted opens the run (run.started).
	RunStarted struct {
		RunID        string         `json:"run"`
		Format       string         `json:"format"`
		DocumentPath string         `json:"path"`
		Title        string         `json:"title,omitempty"`
		Inputs       map[string]any `json:"inputs,omitempty"`
		Options      Options        `json:"options,omitzero"`
	}
	// StepEntered enters an executable step (step.entered).
	StepEntered struct {
		OpenedGroups         []OpenedGroup     `json:"opened,omitempty"`  // groups that begin a visit or another attempt
		InstanceNumbers      []InstanceNumber  `json:"numbers,omitempty"` // instance numbers that change
		ExemptFromEntryLimit bool              `json:"free,omitempty"`    // a person's move, which does not count against the limit of entries
		Warnings             []plan.RunWarning `json:"notes,omitempty"`   // warnings to record
	}
	// ActionStarted holds a request as it will be sent (action.started).
	ActionStarted struct {
		ActionIndex   int      `json:"action"`
		Kind          string   `json:"kind"`
		Language      string   `json:"language,omitempty"`
		Text          string   `json:"text,omitempty"` // the script, the prompt or the reference
		DocumentPaths []string `json:"documents,omitempty"`
		*Call
	}
	// Call holds the fields of calls of models and tools.
	Call struct {
		Model         string   `json:"model,omitempty"`  // the model that the document asks for
		CallName      string   `json:"part,omitempty"`   // which of the step's model calls this is
		SystemMessage string   `json:"system,omitempty"` // the system message
		Tools         []string `json:"tools,omitempty"`  // the tools that the model may call
		Turn          int      `json:"turn,omitempty"`   // the number of the request in a conversation, from 2 on
		ID            string   `json:"call,omitempty"`   // the ID of the call that a model wants
		Server        string   `json:"server,omitempty"`
		Tool          string   `json:"tool,omitempty"`
		Args          string   `json:"arguments,omitempty"`
		plan.PromptOrigin
		Warnings []plan.RunWarning `json:"notes,omitempty"` // warnings to record
	}
	// ActionFinished holds what an action produced (action.finished).
	ActionFinished struct {
		ActionIndex         int      `json:"action"`
		Kind                string   `json:"kind"`
		Output              string   `json:"output,omitempty"` // of a command: shortened to MaxOutputBytes
		Log                 *LogRef  `json:"log,omitempty"`
		ExitCode            *int     `json:"exit_code,omitempty"`
		Signal              string   `json:"signal,omitempty"`
		Error               string   `json:"error,omitempty"`
		DurationMS          *int64   `json:"duration_ms,omitempty"`
		BackgroundProcesses []string `json:"background,omitempty"` // processes left running, which end with the run

		Leftovers []LeftoverProcess `json:"left,omitempty"` // processes in sessions of their own, which outlive the run
		*ReplyInfo
		WantedCalls       []plan.ToolCall   `json:"calls,omitempty"`   // the calls that a model wants
		CorrectionMessage string            `json:"ask,omitempty"`     // the message that asks again after a reply that is not accepted
		CallID            string            `json:"call,omitempty"`    // of a tool: the ID of the model's call that this answers
		Outcome           *plan.Outcome     `json:"outcome,omitempty"` // nil: the conversation goes on
		Assignments       []plan.Assignment `json:"set,omitempty"`     // variables to assign
		Warnings          []plan.RunWarning `json:"notes,omitempty"`   // warnings to record
		Overridden        bool              `json:"forced,omitempty"`  // a person's outcome replaced the action's own
		FileState         *FileState        `json:"file,omitempty"`    // the file that one of Playhead's own tools read or changed
	}
	// FileState is a file below the project root that one of Playhead's own tools reads or
	// changes, with the hashes of its content. The hashes are equal if nothing was changed, and
	// empty if there is no file.
	FileState struct {
		Path       string `json:"path"`
		HashBefore string `json:"before,omitempty"`
		HashAfter  string `json:"after,omitempty"`
	}
	// FileChanging announces that a tool will change a file (file.changing). The run's folder
	// keeps the contents as they may be shown, and the original, so that it can be restored.
	FileChanging struct {
		ActionIndex int `json:"action"`
		FileState
		MaskedBefore string `json:"masked_before,omitempty"` // the hash of the content without the secrets; empty: there are none in it
		MaskedAfter  string `json:"masked_after,omitempty"`
	}
	// FileRestored says that a person restored a file to its content before the run changed it
	// (file.restored).
	FileRestored struct{ FileState }
	// LeftoverProcess is a process that keeps running after its step.
	LeftoverProcess struct {
		PID       int    `json:"pid"`
		StartTime string `json:"start"` // its start time, which distinguishes it from a later process with the same PID
		Command   string `json:"command"`
	}
	// ReplyInfo holds the fields of a model's reply.
	ReplyInfo struct {
		Model        string   `json:"model,omitempty"`  // the model that answered
		FinishReason string   `json:"finish,omitempty"` // why the reply ended: stop, length …
		SchemaMethod string   `json:"schema,omitempty"` // how the server was told the reply's schema: response_format, prompt
		Reasoning    string   `json:"reasoning,omitempty"`
		Tokens       *Tokens  `json:"tokens,omitempty"`
		Cost         *float64 `json:"cost,omitempty"` // in USD, at the price of that day; nil: unknown
	}
	// Tokens counts the tokens that a call used.
	Tokens struct {
		InputTokens  int `json:"in"`
		OutputTokens int `json:"out"`
	}
	// InputNeeded asks a person (input.needed).
	InputNeeded struct {
		ActionIndex  int               `json:"action"`
		Kind         string            `json:"kind"`            // decide, ask, resume, accept or approve
		FieldType    string            `json:"input,omitempty"` // of an ask: input, confirm or select
		Prompt       string            `json:"prompt,omitempty"`
		Text         string            `json:"text,omitempty"` // the step's text, as StepText returns it
		Options      []string          `json:"options,omitempty"`
		MissingNames []string          `json:"values,omitempty"` // of an ask for missing values: the names of all that the step still needs
		Warnings     []plan.RunWarning `json:"notes,omitempty"`  // warnings to record
	}
	// InputGiven is the answer to an InputNeeded (input.given).
	InputGiven struct {
		ActionIndex  int               `json:"action"`
		Kind         string            `json:"kind"`
		Value        string            `json:"value"`
		CoveredCalls string            `json:"allows,omitempty"`    // of an approval for the run: the calls that it covers
		Args         string            `json:"arguments,omitempty"` // of an approval: the arguments that replace the call's own
		CallResult   string            `json:"result,omitempty"`    // of a call that a person answers: its result
		Outcome      *plan.Outcome     `json:"outcome,omitempty"`   // nil: the action runs again
		Assignments  []plan.Assignment `json:"set,omitempty"`       // variables to assign
		Warnings     []plan.RunWarning `json:"notes,omitempty"`     // warnings to record
	}
	// ApprovalChanged sets the policy by which a person is asked about tool calls from here on
	// (approval).
	ApprovalChanged struct {
		Policy string `json:"policy"`
	}
	// VariableCaptured assigns a variable (captured).
	VariableCaptured struct {
		Variable  string `json:"variable"`
		Value     any    `json:"value"`
		Violation string `json:"unfit,omitempty"` // how the value differs from what the document demands
	}
	// StepFinished is the outcome of a step (step.finished).
	StepFinished struct {
		Result      plan.Result       `json:"result"`
		Error       string            `json:"error,omitempty"`
		Overridden  bool              `json:"forced"`
		Outcome     *plan.Outcome     `json:"outcome"`
		Assignments []plan.Assignment `json:"set,omitempty"` // variables to assign or to remove
	}
	// ChildEntered begins an included document (child.entered).
	ChildEntered struct {
		Document string `json:"document"`
		Label    string `json:"label"` // such as 1/lint~2, the prefix of the document's labels
	}
	// ChildFinished ends an included document (child.finished).
	ChildFinished struct {
		Document string         `json:"document"`
		Label    string         `json:"label"`
		Result   plan.RunResult `json:"result"`
		Message  string         `json:"message,omitempty"`
	}
	// WarningRecorded is a warning about a step (warning). With a Document, it stands for an included
	// document that could not be run. Formats may add the kind of error and what to do.
	WarningRecorded struct {
		Code          string `json:"code"`
		Message       string `json:"message"`
		Line          int    `json:"line,omitempty"` // of the document that this is about, or whose diagnostic it repeats; 0: none, or an old journal
		Document      string `json:"document,omitempty"`
		DocumentLabel string `json:"label,omitempty"` // the label of that document

		Error      string `json:"error,omitempty"` // the message, if the step fails because of it
		ErrorType  string `json:"error_type,omitempty"`
		Suggestion string `json:"suggestion,omitempty"`
	}
	// RunFinished ends the run (run.finished).
	RunFinished struct {
		RunID             string            `json:"run,omitempty"`
		Result            plan.RunResult    `json:"result"`
		ErrorCode         string            `json:"code,omitempty"`
		Message           string            `json:"message,omitempty"`
		Variables         map[string]any    `json:"variables"`
		EnteredStepLabels []string          `json:"path"`
		Skipped           []string          `json:"skipped,omitempty"` // the steps that are not run because one before them failed
		WaitingFor        *Waiting          `json:"waiting,omitempty"`
		Artifact          *Artifact         `json:"artifact,omitempty"` // of a completed run that produced output
		ByPerson          bool              `json:"forced"`
		FirstEnded        time.Time         `json:"ended,omitzero"` // when the run first ended, if this event records its end again
		Warnings          []plan.RunWarning `json:"-"`              // warnings to record first
	}
	// RunResumed continues a stored run (resumed). If an action was open, it becomes a question.
	RunResumed struct{}
	// RunRewound goes back to the state after an earlier event (rewound). The effects of what was
	// done since remain, and its events stay in the journal (branch.go).
	RunRewound struct {
		ToSeq          int   `json:"to"`                    // the number of that event
		Undo           bool  `json:"undo,omitempty"`        // it takes back a person's last intervention
		Redo           bool  `json:"redo,omitempty"`        // it takes back an undo or another rewind
		Rerun          bool  `json:"rerun,omitempty"`       // it runs the step of the event again
		JoinsNextEvent bool  `json:"join,omitempty"`        // it is undone together with the next event
		InactiveMS     int64 `json:"inactive_ms,omitempty"` // how long the run was inactive in the part that it no longer follows
	}
	// RunForked says that from here on the run is a separate run, and which run it is a fork of
	// (forked).
	RunForked struct {
		FromRunID string `json:"run"`
		FromSeq   int    `json:"event"` // in that run
		NewRunID  string `json:"as"`    // the ID of this run
	}
	// ActionEdited replaces what a step does next, for this run (edited).
	ActionEdited struct {
		ActionIndex int    `json:"action"`
		Text        string `json:"text"` // the command, the prompt or the arguments; empty: the document's own text again

		// FillsReferences says that Text is written as in the document, so that its references are filled
		// in. Otherwise it is used as it is.
		FillsReferences bool `json:"written,omitempty"`

		// KeptAcrossRewind says that the edit was made before a rewind and that the rewind kept
		// it. It belongs to that rewind.
		KeptAcrossRewind bool `json:"kept,omitempty"`
	}
	// DocumentReloaded continues with another version of the document (reloaded). It records how the steps
	// of the two versions match.
	DocumentReloaded struct {
		Snapshot         string            `json:"snapshot"`            // the name of the version in the run's folder
		Summary          string            `json:"summary,omitempty"`   // the differences, in a few words
		MatchedSteps     []MatchedStep     `json:"steps,omitempty"`     // the steps with another ID, other actions or other routes, and the steps that are gone
		NewVariableNames map[string]string `json:"variables,omitempty"` // new names by old ones, of numbered variables
		ResumedActions   []ResumedAction   `json:"actions,omitempty"`   // where steps that were in progress continue, if elsewhere
		Destination      *Destination      `json:"arrival,omitempty"`   // where the run continues; nil: where it was
		EditSubject      string            `json:"about,omitempty"`     // what a person edited; empty: the files were loaded again
		Inputs           map[string]any    `json:"inputs,omitempty"`    // values of the inputs that the run had no value for

		// Load returns the version. Readers of a journal set it.
		Load func() (*plan.Plan, error) `json:"-"`
	}
	// MatchedStep is a step of the old version and its counterpart in the new one.
	MatchedStep struct {
		Document       string `json:"document,omitempty"` // the file of an included document; empty: the root document
		OldID          string `json:"from"`               // the old ID
		NewID          string `json:"to,omitempty"`       // the new ID; empty: the step is gone
		ActionsChanged bool   `json:"acts,omitempty"`     // its actions changed, so edits of it no longer apply
		RoutesChanged  bool   `json:"routes,omitempty"`   // its routes changed
		RuleEdited     bool   `json:"edited,omitempty"`   // a person edited one of its rules
	}
	// ResumedAction says at which action a step in progress continues.
	ResumedAction struct {
		FrameIndex    int  `json:"frame"` // 0 is the root document, 1 the document that it includes, and so on
		ActionIndex   int  `json:"action"`
		Changed       bool `json:"changed,omitempty"`  // the action changed, so what was begun of it no longer counts
		DocumentIndex int  `json:"document,omitempty"` // of an action that includes documents: the index of the open one
	}
	// LimitsUsed says that all limits of the current visit count as used up (limits.used).
	LimitsUsed struct {
		JoinsNextEvent bool     `json:"join,omitempty"`    // it is undone together with the next event
		Budgets        []string `json:"budgets,omitempty"` // what the step limits, see plan.Budget.Kind; empty in old journals
	}
	// ShellOpened says that a person opened a shell at a step (shell.opened). It does not change
	// the state.
	ShellOpened struct{}
	// PlayheadToolCalled records that an agent called a tool of Playhead about the run (called). It does not
	// change the state; what the call does has its own events.
	PlayheadToolCalled struct {
		Tool string `json:"tool"`
	}
	// UnknownBody is an event of a kind that this version does not know, kept unchanged.
	UnknownBody struct {
		Kind string
		Raw  []byte
	}
)

// BuiltInPrefix begins the path of a document that is built into the program, so that its file cannot be changed.
const BuiltInPrefix = "example:"

// IsBuiltIn reports whether the run is of a document that is built into the program.
func (r *RunStarted) IsBuiltIn() bool { return strings.HasPrefix(r.DocumentPath, BuiltInPrefix) }

// SecretInputs returns the names of the inputs whose values are not in the journal.
func (r *RunStarted) SecretInputs() (names []string) {
	for _, name := range r.Options.SecretNames {
		if _, input := r.Inputs[name]; input {
			names = append(names, name)
		}
	}
	return names
}

// HasResult reports whether a call produced a reply or a result.
func (a *ActionFinished) HasResult() bool { return a.Error == "" && !a.IsCutOff() }

// IsCutOff reports whether the action was interrupted: by a person, or by the end of the session or
// of its process.
func (a *ActionFinished) IsCutOff() bool {
	return a.Outcome != nil && a.Outcome.Source == outcomeSourceCancelled
}

// Type returns the name of the event's kind in the journal.
func (*RunStarted) Type() string         { return "run.started" }
func (*StepEntered) Type() string        { return "step.entered" }
func (*ActionStarted) Type() string      { return "action.started" }
func (*ActionFinished) Type() string     { return "action.finished" }
func (*InputNeeded) Type() string        { return "input.needed" }
func (*InputGiven) Type() string         { return "input.given" }
func (*ApprovalChanged) Type() string    { return "approval" }
func (*VariableCaptured) Type() string   { return "captured" }
func (*StepFinished) Type() string       { return "step.finished" }
func (*Decision) Type() string           { return "routed" }
func (*ChildEntered) Type() string       { return "child.entered" }
func (*ChildFinished) Type() string      { return "child.finished" }
func (*WarningRecorded) Type() string    { return "warning" }
func (*RunFinished) Type() string        { return "run.finished" }
func (*RunResumed) Type() string         { return "resumed" }
func (*RunRewound) Type() string         { return "rewound" }
func (*RunForked) Type() string          { return "forked" }
func (*ActionEdited) Type() string       { return "edited" }
func (*LimitsUsed) Type() string         { return "limits.used" }
func (*DocumentReloaded) Type() string   { return "reloaded" }
func (*FileChanging) Type() string       { return "file.changing" }
func (*FileRestored) Type() string       { return "file.restored" }
func (*ShellOpened) Type() string        { return "shell.opened" }
func (*PlayheadToolCalled) Type() string { return "called" }
func (u *UnknownBody) Type() string      { return u.Kind }

// Options are the settings of a run. They are stored with it.
type Options struct {
	Prompted           bool                    `json:"prompted,omitempty"` // nothing is executed: a person decides instead
	ApprovalPolicy     string                  `json:"approve,omitempty"`  // the approval policy for tool calls that models want; empty: ApproveNone
	ConversationBounds plan.ConversationBounds `json:"bounds,omitzero"`    // limits of conversations, instead of the document's

	// The fields below belong to the session. They are stored here so that a resumed run has the
	// same settings.
	MaxTransitions  *int     `json:"max_transitions,omitempty"`
	WorkingDir      string   `json:"cwd,omitempty"`
	ProjectRoot     string   `json:"root,omitempty"`      // the project root for Playhead's own tools; empty in some older runs
	RealProjectRoot string   `json:"real_root,omitempty"` // the project root without symbolic links, if that differs
	ToolDir         string   `json:"start,omitempty"`     // the folder that paths of those tools are relative to
	CleanEnv        bool     `json:"clean_env,omitempty"`
	EnvNames        []string `json:"env,omitempty"`     // the environment variables that CleanEnv does not remove
	SecretNames     []string `json:"secrets,omitempty"` // the inputs and environment variables whose values are secret

	FormatFlags map[string][]string `json:"load,omitempty"` // the flags of the document's format with which it is loaded
}

// OpenedGroup is a group that begins a visit (Attempt 1) or another attempt.
type OpenedGroup struct {
	Label   string `json:"step"`
	StepID  string `json:"id"`
	Attempt int    `json:"attempt"`
}

// InstanceNumber is the new instance number of a template step.
type InstanceNumber struct {
	StepID string `json:"id"`
	Number int    `json:"n"`
}

// LogRef refers to the raw output of a command in the run's folder.
type LogRef struct {
	File   string `json:"file"` // below the run's folder
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
}

// Waiting describes what an unfinished run waits for.
type Waiting struct {
	Step             string   `json:"step"`
	StepID           string   `json:"id,omitempty"`
	Attempt          int      `json:"attempt"`
	Kind             string   `json:"kind"` // the Kind of the Question
	Prompt           string   `json:"prompt,omitempty"`
	StepText         string   `json:"text,omitempty"` // the step's text, as StepText returns it
	Options          []string `json:"options,omitempty"`
	Tool             string   `json:"tool,omitempty"`       // of a reply: the tool whose result is wanted; empty: a model's reply
	ReplySourceError string   `json:"error,omitempty"`      // of a reply: why no model could be asked
	Breakpoint       string   `json:"breakpoint,omitempty"` // of a pause: the breakpoint that paused the run
	Client           string   `json:"by,omitempty"`         // of a pause: the client that wanted it, if not the owner's own screen

	NextDecision *Decision `json:"decision,omitempty"` // of a pause after a step, or before a branch: the decision that comes next
}

// IsPaused reports whether the run was left while it was paused, so that it needs no answer.
func (b *RunFinished) IsPaused() bool { return b.WaitingFor != nil && b.WaitingFor.Kind == KindPause }

// PausePreposition returns where a run that is paused before the event stands: "before" its step, "before a
// branch of" it, or "after" it, with its decision next.
func (e Event) PausePreposition() string {
	switch d, leads := e.Body.(*Decision); {
	case !leads:
		return "before"
	case d.IsArmChoice():
		return "before a branch of"
	}
	return "after"
}

// StepID returns the ID of the event's step in its document.
func (e Event) StepID() string {
	if e.ExplicitStepID != "" {
		return e.ExplicitStepID
	}
	return e.Step
}

// UnusableAnswerCode is the code of the warning about a prepared answer that had no effect, unless the
// document's format has a code of its own.
const UnusableAnswerCode = "playhead/answer-unusable"

// LogpointCode is the code of the event that a logpoint writes. In journals it is a warning, but nothing is wrong.
const LogpointCode = "playhead/breakpoint"

// LogpointMessage returns the message of the event that a logpoint writes.
func LogpointMessage(breakpoint string) string { return "breakpoint " + breakpoint }
