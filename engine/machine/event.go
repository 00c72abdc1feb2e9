package machine

import (
	"time"

	"playhead/parse/plan"
)

// Event is one thing that happened in a run: the head that all events share and
// a body for its kind. As JSON it is one flat object, the line of the journal
// and of `run --json` (docs/json.md).
type Event struct {
	Seq     int       // stamped by the session, from 1
	Time    time.Time // stamped by the session
	Step    string    // the label of the unit or group: 1/lint/2.1
	ID      string    // the step's id, where it differs from the label
	Attempt int       // from 1
	By      string    // who gave an answer or intervened: person, flag, file, auto
	Reason  string    // of an intervention; the note of an answer

	Prepared string // where an intervention was prepared, if a person did not make it now: flag, file
	Client   string // through what a person acted, if not at the owner's own screen
	Body     Body
}

// Who gave an answer or intervened.
const (
	ByPerson = "person"
	ByFlag   = "flag"
	ByFile   = "file"
	ByAuto   = "auto" // what the specs call automatic
)

// Body is the part of an Event that its kind decides. Type is its name in JSON.
type Body interface{ Type() string }

// The bodies, and their names in the journal.
type (
	// Started opens the run (run.started).
	Started struct {
		Run     string         `json:"run"`
		Format  string         `json:"format"`
		Path    string         `json:"path"`
		Title   string         `json:"title,omitempty"`
		Inputs  map[string]any `json:"inputs,omitempty"`
		Options Options        `json:"options,omitzero"`
	}
	// Entered puts the run at a unit (step.entered).
	Entered struct {
		Opened  []Opened    `json:"opened,omitempty"`  // groups whose visit begins, or begins again
		Numbers []Number    `json:"numbers,omitempty"` // instance numbers that change
		Free    bool        `json:"free,omitempty"`    // a person's move: does not count against the guard
		Notes   []plan.Note `json:"notes,omitempty"`   // warnings to be recorded
	}
	// ActionStarted holds a request as it will be sent (action.started).
	ActionStarted struct {
		Action   int      `json:"action"`
		Kind     string   `json:"kind"`
		Language string   `json:"language,omitempty"`
		Text     string   `json:"text,omitempty"` // the script, the prompt, the reference
		Docs     []string `json:"documents,omitempty"`
		*Call
	}
	// Call is what only calls of models and tools have.
	Call struct {
		Model  string   `json:"model,omitempty"`  // asked for by the document
		Part   string   `json:"part,omitempty"`   // which of its step's calls of a model this is
		System string   `json:"system,omitempty"` // the system message
		Tools  []string `json:"tools,omitempty"`  // that the model may call
		Turn   int      `json:"turn,omitempty"`   // of a conversation, from its second request on
		ID     string   `json:"call,omitempty"`   // of a call that a model wants
		Server string   `json:"server,omitempty"`
		Tool   string   `json:"tool,omitempty"`
		Args   string   `json:"arguments,omitempty"`
		plan.Origin
		Notes []plan.Note `json:"notes,omitempty"` // warnings to be recorded
	}
	// ActionFinished holds what came of it (action.finished).
	ActionFinished struct {
		Action     int      `json:"action"`
		Kind       string   `json:"kind"`
		Output     string   `json:"output,omitempty"` // at most 64 KiB of text
		Log        *LogRef  `json:"log,omitempty"`
		ExitCode   *int     `json:"exit_code,omitempty"`
		Signal     string   `json:"signal,omitempty"`
		Error      string   `json:"error,omitempty"`
		DurationMS *int64   `json:"duration_ms,omitempty"`
		Background []string `json:"background,omitempty"` // processes it left running, which end with the run

		Left []Leftover `json:"left,omitempty"` // and those in sessions of their own, which go on
		*Replied
		Calls      []plan.ToolCall   `json:"calls,omitempty"`   // that a model wants made
		Ask        string            `json:"ask,omitempty"`     // what a reply that is not accepted is answered with
		CallID     string            `json:"call,omitempty"`    // of a tool: the ID of the model's call that this answers
		Outcome    *plan.Outcome     `json:"outcome,omitempty"` // nil: the conversation goes on
		Set        []plan.Assignment `json:"set,omitempty"`     // variables it gives a value
		Notes      []plan.Note       `json:"notes,omitempty"`   // warnings to be recorded
		Overridden bool              `json:"forced,omitempty"`  // a person put it in the place of what had come
		File       *FileState        `json:"file,omitempty"`    // that a tool of Playhead read or changed
	}
	// FileState is a file below the project root that a tool of Playhead reads or changes: the
	// hashes of its content. Where nothing was changed, both are the same; none is no file.
	FileState struct {
		Path   string `json:"path"`
		Before string `json:"before,omitempty"`
		After  string `json:"after,omitempty"`
	}
	// FileChanging says what a tool is about to make of a file (file.changing). Both contents are
	// kept in the run's folder.
	FileChanging struct {
		Action int `json:"action"`
		FileState
	}
	// FileRestored says that a person had a file put back as it was before the run changed it
	// (file.restored).
	FileRestored struct{ FileState }
	// Leftover is a process that goes on after its step.
	Leftover struct {
		PID     int    `json:"pid"`
		Start   string `json:"start"` // tells it from one that has its number later
		Command string `json:"command"`
	}
	// Replied is what only a model's reply has.
	Replied struct {
		Model     string   `json:"model,omitempty"`  // that answered
		Finish    string   `json:"finish,omitempty"` // why the reply ended: stop, length …
		Schema    string   `json:"schema,omitempty"` // how the server was told that of the reply: response_format, prompt
		Reasoning string   `json:"reasoning,omitempty"`
		Tokens    *Tokens  `json:"tokens,omitempty"`
		Cost      *float64 `json:"cost,omitempty"` // in USD, at the price of that day; nil: not known
	}
	// Tokens are what a call used.
	Tokens struct {
		In  int `json:"in"`
		Out int `json:"out"`
	}
	// InputNeeded asks a person (input.needed).
	InputNeeded struct {
		Action  int      `json:"action"`
		Kind    string   `json:"kind"`            // decide, ask, resume, accept or approve
		Input   string   `json:"input,omitempty"` // of an ask: input, confirm or select
		Prompt  string   `json:"prompt,omitempty"`
		Text    string   `json:"text,omitempty"` // of the step, as StepText has it
		Options []string `json:"options,omitempty"`
		Values  []string `json:"values,omitempty"` // names of all that the step still needs, of an ask for what is missing
	}
	// InputGiven is the answer (input.given).
	InputGiven struct {
		Action  int               `json:"action"`
		Kind    string            `json:"kind"`
		Value   string            `json:"value"`
		Allows  string            `json:"allows,omitempty"`    // of an approval for the run: the calls that it is for
		Args    string            `json:"arguments,omitempty"` // of an approval: in the place of those of the call
		Result  string            `json:"result,omitempty"`    // of a call that a person answers: its result
		Outcome *plan.Outcome     `json:"outcome,omitempty"`   // nil: the action is run again
		Set     []plan.Assignment `json:"set,omitempty"`       // variables it gives a value
		Notes   []plan.Note       `json:"notes,omitempty"`     // warnings to be recorded
	}
	// Approval says when a person is asked about calls of tools from here on
	// (approval): a policy.
	Approval struct {
		Policy string `json:"policy"`
	}
	// Captured gives a variable a value (captured).
	Captured struct {
		Variable string `json:"variable"`
		Value    any    `json:"value"`
		Unfit    string `json:"unfit,omitempty"` // in what it is not as the document wants it
	}
	// StepFinished is the outcome of a unit or group (step.finished).
	StepFinished struct {
		Result     plan.Result       `json:"result"`
		Error      string            `json:"error,omitempty"`
		Overridden bool              `json:"forced"`
		Outcome    *plan.Outcome     `json:"outcome"`
		Set        []plan.Assignment `json:"set,omitempty"` // variables it gives a value, or takes it back
	}
	// ChildEntered begins an included document (child.entered).
	ChildEntered struct {
		Document string `json:"document"`
		Label    string `json:"label"` // 1/lint~2, the prefix of its labels
	}
	// ChildFinished ends it (child.finished).
	ChildFinished struct {
		Document string         `json:"document"`
		Label    string         `json:"label"`
		Result   plan.RunResult `json:"result"`
		Message  string         `json:"message,omitempty"`
	}
	// Warned says something about a step (warning). With a Document it stands for
	// an included document that could not be run. Formats may add what kind of error it
	// is about and what to do.
	Warned struct {
		Code     string `json:"code"`
		Message  string `json:"message"`
		Line     int    `json:"line,omitempty"` // of the finding in the document that it repeats; 0: none, or an old journal
		Document string `json:"document,omitempty"`
		Label    string `json:"label,omitempty"` // of that document

		Error      string `json:"error,omitempty"` // the message, where a step fails of it
		ErrorType  string `json:"error_type,omitempty"`
		Suggestion string `json:"suggestion,omitempty"`
	}
	// Finished ends the run (run.finished).
	Finished struct {
		Run       string         `json:"run,omitempty"`
		Result    plan.RunResult `json:"result"`
		Code      string         `json:"code,omitempty"`
		Message   string         `json:"message,omitempty"`
		Variables map[string]any `json:"variables"`
		Path      []string       `json:"path"`
		Skipped   []string       `json:"skipped,omitempty"` // units that are not done since one before them failed
		Waiting   *Waiting       `json:"waiting,omitempty"`
		Artifact  *Artifact      `json:"artifact,omitempty"` // of a completed run that put something out
		ByPerson  bool           `json:"forced"`
		Ended     time.Time      `json:"ended,omitzero"` // when, of an end that is said again
		Notes     []plan.Note    `json:"-"`              // warnings to be recorded first
	}
	// Resumed goes on with a stored run (resumed). An action that was open is a
	// question from here on.
	Resumed struct{}
	// Rewound goes back to the state after an earlier event (rewound). What was done
	// since stays done, and stays in the journal (chain.go).
	Rewound struct {
		To   int  `json:"to"`             // its number
		Undo bool `json:"undo,omitempty"` // takes a person's last intervention back
		Redo bool `json:"redo,omitempty"` // takes the last Undo back, or another one
		Join bool `json:"join,omitempty"` // is undone together with what follows it
	}
	// Forked says that the run is one of its own from here on, and of which run it is a
	// fork (forked).
	Forked struct {
		Run string `json:"run"`
		Seq int    `json:"event"` // of that run
		As  string `json:"as"`    // this run
	}
	// Edited replaces what a step does next, for this run (edited).
	Edited struct {
		Action int    `json:"action"`
		Text   string `json:"text"` // the command, the prompt, the arguments; empty: the document's own again

		// Written says that the text is as the document would write it: what it refers to
		// is filled in. It is said as it is otherwise.
		Written bool `json:"written,omitempty"`

		// KeptAcrossRewind says that it was made before the run went back to here, which has not undone
		// it: it is one with that going back.
		KeptAcrossRewind bool `json:"kept,omitempty"`
	}
	// Reloaded goes on with another version of the document (reloaded). How the steps of the two
	// versions belong together was found out before; the event has all of it.
	Reloaded struct {
		Snapshot  string            `json:"snapshot"`            // names the version in the run's folder
		Summary   string            `json:"summary,omitempty"`   // what is different, in a few words
		Steps     []MatchedStep     `json:"steps,omitempty"`     // those that have another id, other actions or other routes, or are gone
		Variables map[string]string `json:"variables,omitempty"` // new names by old ones, of those that are numbered
		Actions   []ResumedAction   `json:"actions,omitempty"`   // where steps that were in progress go on, if elsewhere
		Arrival   *Arrival          `json:"arrival,omitempty"`   // where the run goes on; nil: where it stood
		About     string            `json:"about,omitempty"`     // what a person edited; empty: the files were loaded anew

		// Load returns the version. Who reads a journal sets it.
		Load func() (*plan.Plan, error) `json:"-"`
	}
	// MatchedStep is a step of the old version and what it is in the new one.
	MatchedStep struct {
		Document string `json:"document,omitempty"` // the file of an included document; empty: the root document
		From     string `json:"from"`               // its id
		To       string `json:"to,omitempty"`       // its new id; empty: it is gone
		Acts     bool   `json:"acts,omitempty"`     // otherwise than before, so that edits of it no longer hold
		Routes   bool   `json:"routes,omitempty"`   // it has other ones
	}
	// ResumedAction says at which action a step in progress goes on.
	ResumedAction struct {
		Frame    int  `json:"frame"` // 0 is the root document, 1 the document that it includes
		Action   int  `json:"action"`
		Changed  bool `json:"changed,omitempty"`  // what was begun of it counts no more
		Document int  `json:"document,omitempty"` // of an action that includes documents: which is open
	}
	// LimitsUsed says that all limits of the current visit count as used up (limits.used).
	LimitsUsed struct{}
	// ShellOpened says that a person opened a shell at a step (shell.opened). It changes no state.
	ShellOpened struct{}
	// Other is a kind of event that this version does not know. It is kept as it was.
	Other struct {
		Kind string
		Raw  []byte
	}
)

// SecretInputs are the inputs whose values the journal does not have.
func (b *Started) SecretInputs() (names []string) {
	for _, name := range b.Options.Secrets {
		if _, input := b.Inputs[name]; input {
			names = append(names, name)
		}
	}
	return names
}

// HasResult reports whether a call came to its end: a reply or result is there.
func (b *ActionFinished) HasResult() bool { return b.Error == "" && !b.IsCutOff() }

// IsCutOff reports whether the action was interrupted: by a person, or by the end of the
// session or its process.
func (b *ActionFinished) IsCutOff() bool { return b.Outcome != nil && b.Outcome.Source == cancelled }

// Type names the event's kind as the journal does.
func (*Started) Type() string        { return "run.started" }
func (*Entered) Type() string        { return "step.entered" }
func (*ActionStarted) Type() string  { return "action.started" }
func (*ActionFinished) Type() string { return "action.finished" }
func (*InputNeeded) Type() string    { return "input.needed" }
func (*InputGiven) Type() string     { return "input.given" }
func (*Approval) Type() string       { return "approval" }
func (*Captured) Type() string       { return "captured" }
func (*StepFinished) Type() string   { return "step.finished" }
func (*Decision) Type() string       { return "routed" }
func (*ChildEntered) Type() string   { return "child.entered" }
func (*ChildFinished) Type() string  { return "child.finished" }
func (*Warned) Type() string         { return "warning" }
func (*Finished) Type() string       { return "run.finished" }
func (*Resumed) Type() string        { return "resumed" }
func (*Rewound) Type() string        { return "rewound" }
func (*Forked) Type() string         { return "forked" }
func (*Edited) Type() string         { return "edited" }
func (*LimitsUsed) Type() string     { return "limits.used" }
func (*Reloaded) Type() string       { return "reloaded" }
func (*FileChanging) Type() string   { return "file.changing" }
func (*FileRestored) Type() string   { return "file.restored" }
func (*ShellOpened) Type() string    { return "shell.opened" }
func (o *Other) Type() string        { return o.Kind }

// Options shape a run, and are kept with it.
type Options struct {
	Prompted bool        `json:"prompted,omitempty"` // nothing is executed: a person decides instead
	Approve  string      `json:"approve,omitempty"`  // the policy for tools that models want called; empty: none
	Bounds   plan.Bounds `json:"bounds,omitzero"`    // of conversations, in the place of the document's

	// What follows is the session's, kept here so that a resumed run is the same.
	Limit    *int     `json:"max_transitions,omitempty"`
	Dir      string   `json:"cwd,omitempty"`
	Root     string   `json:"root,omitempty"`      // the project root, of a run with Playhead's own tools
	RealRoot string   `json:"real_root,omitempty"` // that without links, where it differs
	Start    string   `json:"start,omitempty"`     // the folder that paths of those tools start from
	CleanEnv bool     `json:"clean_env,omitempty"`
	Env      []string `json:"env,omitempty"`     // names
	Secrets  []string `json:"secrets,omitempty"` // names

	Load map[string][]string `json:"load,omitempty"` // how the document is loaded: what its format's flags say
}

// Opened is a group whose visit begins (Attempt 1) or is gone through again.
type Opened struct {
	Step    string `json:"step"`
	ID      string `json:"id"`
	Attempt int    `json:"attempt"`
}

// Number is the instance number that a template step now has.
type Number struct {
	ID string `json:"id"`
	N  int    `json:"n"`
}

// LogRef points at what a command printed, raw, in the run's folder.
type LogRef struct {
	File   string `json:"file"` // below the run's folder
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
}

// Waiting says what an unfinished run waits for.
type Waiting struct {
	Step    string   `json:"step"`
	ID      string   `json:"id,omitempty"`
	Attempt int      `json:"attempt"`
	Kind    string   `json:"kind"` // that of a Question
	Prompt  string   `json:"prompt,omitempty"`
	Text    string   `json:"text,omitempty"` // of the step, as StepText has it
	Options []string `json:"options,omitempty"`
	Tool    string   `json:"tool,omitempty"`  // of a reply: whose result it is, empty for a model's
	Error   string   `json:"error,omitempty"` // of a reply: why no model could be asked
}

// PauseSide returns on which side of the event's step a run is that is paused before the event:
// before the step, or after it, where its decision comes next.
func (e Event) PauseSide() string {
	switch d, leads := e.Body.(*Decision); {
	case !leads:
		return "before"
	case d.Outcome == nil && len(d.Candidates) > 0:
		return "before a branch of"
	}
	return "after"
}

// StepID is the id of the event's step in its document.
func (e Event) StepID() string {
	if e.ID != "" {
		return e.ID
	}
	return e.Step
}

// UnusableCode is that of the warning about a prepared answer that does nothing, where the
// document's format has none of its own.
const UnusableCode = "playhead/answer-unusable"

// BreakpointCode is that of the line that a breakpoint leaves which does not hold.
const BreakpointCode = "playhead/breakpoint"
