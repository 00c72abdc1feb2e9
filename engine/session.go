// Package engine runs documents. A Session asks the machine what comes next, performs it, writes
// every event to the journal before it acts on the event, and sends events to all watchers.
//
//	s, _ := engine.New(engine.Config{FirstPlan: p, Run: run, Shell: shell.NewRunner(0)})
//	w := s.WatchFromStart()
//	ending, err := s.Run(ctx) // in a goroutine if a person controls the run
//
// The goroutine that calls Run owns the machine. All others send it requests, through the methods
// in control.go, and see what happens through a Watcher.
package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/model"
	"playhead/engine/shell"
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/engine/tools/local"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Config configures a Session.
type Config struct {
	FirstPlan            *plan.Plan      // the plan with which the run began
	Run                  *journal.Run    // for events and logs
	History              []machine.Event // the events of a run that is resumed; empty for a new one
	Shell                *shell.Runner
	WorkingDir           string                    // the working directory of commands
	CommandEnv           []string                  // the environment of commands, without the PLAYHEAD_ variables
	Secrets              []string                  // values that are masked in all text that leaves the session
	PreparedAnswers      *PreparedAnswers          // prepared answers; nil: none
	PromptTexts          texts.SourceByScheme      // nil: none
	PreparedReplies      *model.PreparedReplies    // prepared replies; nil: none
	RepliesSince         int                       // the number of events that were recorded when replies and results were prepared
	ReplySources         []model.ReplySourceOption // the reply sources to choose from, other than a person
	FirstReplySourceName string                    // the name of the first source; empty: a person
	WasManual            bool                      // of a resumed run: a person gave the replies before, so no call of a model was cut off
	RepeatCutOffCalls    bool                      // headless: repeat a call that was cut off
	RetryFailedRun       bool                      // a run that has failed continues: at the call that failed, else with its last step
	PreparedResults      *tools.PreparedResults    // prepared results of tools; nil: none
	Tools                tools.Servers             // nil: a step that calls a tool fails
	Inputs               map[string]any            // the first values of variables
	Options              machine.Options
	ApprovalPolicy       string // the new approval policy of a resumed run; empty: unchanged
	Headless             bool   // nobody is there, so a question without an answer ends the run
	CommandsGetNoInput   bool   // commands have an empty standard input, as if nobody were there
	Mode                 Mode   // the first mode
	UntilStep            string // a step, by ID or label, before which to pause
	Breakpoints          []Breakpoint
	StartsPaused         bool             // the run is paused where it is, before anything is executed
	VersionLoader        VersionLoader    // loads other versions of the document; nil: there are none
	Now                  func() time.Time // nil: time.Now

	NewValues        []plan.Assignment       // values that a person sets when a run is resumed
	Controller       string                  // the client with which a headless session begins (client.go); empty: none
	StoreReplySource func(name string) error // stores the reply source that a person chooses during the run; may be nil
}

// Session drives one run for one client. Its methods may be called from any goroutine.
type Session struct {
	*runState
	client         string // the client that acts; empty: the person at the owner's own screen
	lastKnownEvent int    // the number of the last event that the client knows; 0: its requests are never stale
}

// runState is what the sessions of all clients of a run have in common.
type runState struct {
	config  Config
	machine *machine.Machine

	// Owned by the goroutine of Run.
	lastSeq              int
	journal              []machine.Event // the whole journal, including what was rewound; appended under mu, for DecisionPreviewAt
	attemptCounts        map[string]int  // attempts by label, for prepared answers
	resultCounts         map[string]int  // the number of results of each action or tool, for prepared results
	answeredAttemptByKey map[string]int  // the attempt for which a prepared answer was used, by the key of the answer
	stepper              stepper
	replySource          replySourceChoice
	receivedPart         receivedPart
	answerLabels         InitialLabels // the labels in prepared answers
	replyLabels          InitialLabels // the labels in prepared replies and results
	job                  job
	projectFolder        *local.Folder // the project root; nil until a tool needs it
	pendingIntervention  *request      // an intervention that waits until the running job has ended
	isClosing            bool
	actingClient         string // the client whose request is being carried out
	controller           string // the client whose screen controls the run; empty: the owner's own

	requests chan request
	done     chan struct{} // closed when Run returns

	mu                         sync.Mutex // guards what follows
	shownEvents                []machine.Event
	status                     Status
	watchers                   Watchers
	cachedMatch                *match.Match
	logByName                  map[string]*logs.Log
	changedPaths               []string     // the paths of the changed files, as in Status
	supersededEffectCount      int          // as in Status
	pausedBy                   string       // as in Status
	toolCatalog                []tools.Tool // of all servers, once they have been asked
	terminalCols, terminalRows int
}

// New returns a session. It records that the run starts or is resumed. For a resumed run, it also records what c asks
// for at once: an end of what was cut off, a retry, new values or another approval policy. Nothing is executed until Run.
func New(c Config) (*Session, error) {
	if !c.FirstPlan.Runnable() {
		return nil, fmt.Errorf("%s has errors and cannot run", c.FirstPlan.Path)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.PreparedAnswers == nil {
		c.PreparedAnswers = &PreparedAnswers{}
	}
	s := &Session{client: c.Controller, runState: &runState{
		config: c, controller: c.Controller, machine: machine.New(c.FirstPlan, c.Options),
		attemptCounts: map[string]int{}, resultCounts: map[string]int{}, answeredAttemptByKey: map[string]int{},
		stepper:  stepper{mode: c.Mode, untilStep: c.UntilStep, breakpoints: c.Breakpoints},
		requests: make(chan request), done: make(chan struct{}),
		logByName: map[string]*logs.Log{}, terminalCols: 80, terminalRows: 24,
	}}
	c.Run.AddSecrets(c.Secrets...)
	name := cmp.Or(c.FirstReplySourceName, model.ManualReplySource)
	source, err := s.openReplySource(name) // an error matters only when the source is asked
	s.setReplySource(replySourceChoice{name: name, source: source, openError: err})
	if err := s.beginOrResume(); err != nil {
		return s, err
	}
	if c.StartsPaused && !s.stepper.isPausedHere {
		s.stepper.pauseHere("")
	}
	return s, nil
}

// beginOrResume records that the run begins or continues. A run that is over is only shown until a person
// intervenes.
func (s *Session) beginOrResume() error {
	if len(s.config.History) == 0 {
		e := *s.machine.Next().Event
		body := e.Body.(*machine.RunStarted)
		body.RunID, body.Inputs = s.config.Run.ID(), s.config.Inputs
		return s.record(e)
	}
	s.journal, s.lastSeq = slices.Clip(s.config.History), len(s.config.History)
	s.changedPaths, s.supersededEffectCount = changedPaths(s.journal), track.SupersededEffectCount(s.journal)
	if err := s.recomputeState(); err != nil {
		return fmt.Errorf("the journal of run %s does not match its document: %w", s.config.Run.ID(), err)
	}
	for _, e := range machine.BranchWithRewinds(s.journal) {
		s.shownEvents = append(s.shownEvents, s.config.Run.MaskEvent(e))
	}
	end := s.machine.Result()
	over := end != nil && end.Result.IsFinal()
	if over && !s.config.RetryFailedRun {
		return nil
	}
	recalled, err := s.rewindToCall(over)
	s.resumeManualReply()
	if err == nil {
		err = s.endCutOffAction()
	}
	if err == nil {
		err = s.record(machine.Event{Step: s.machine.Position(), Body: &machine.RunResumed{}})
	}
	if !over {
		s.restorePause()
	}
	if err == nil && s.config.ApprovalPolicy != "" && s.config.ApprovalPolicy != s.machine.ApprovalPolicy() {
		err = s.setApproval(s.config.ApprovalPolicy, machine.ByFlag)
	}
	if err == nil && over && !recalled {
		err = s.intervene(intervention{makeEvent: func() (machine.Event, error) { return s.machine.RetryEvent("resumed") }})
	}
	for _, a := range s.config.NewValues {
		if err == nil {
			err = s.setValue(a.Name, a.Value)
		}
	}
	return err
}

// rewindToCall goes back to before a call that is to be repeated: the one that made the run fail,
// or one that was announced before new values were set. It reports whether it did.
func (s *Session) rewindToCall(over bool) (repeated bool, err error) {
	chain, to := machine.LiveBranch(s.journal), 0
	switch {
	case over && !s.machine.Plan().IsLinear:
		to = machine.SeqBeforeFailedCall(chain)
	case !over && len(s.config.NewValues) > 0:
		to = machine.SeqBeforeOpenCall(chain)
	}
	if to == 0 {
		return false, nil
	}
	stepper := s.stepper
	e, err := s.rewindEvent(to)
	if err == nil {
		err = s.record(e)
	}
	s.stepper = stepper // the run continues in the requested mode
	return true, err
}

// record stamps an event, writes it to the journal, applies it and publishes it.
func (s *Session) record(e machine.Event) error {
	if end, over := e.Body.(*machine.RunFinished); over {
		if err := errors.Join(s.warnAboutUnusedAnswers(), s.warnAboutFinalOutput(end)); err != nil {
			return err
		}
	}
	return s.recordOneEvent(e)
}

// recordOneEvent records an event and nothing that follows from it.
func (s *Session) recordOneEvent(e machine.Event) error {
	s.stampEvent(&e)
	if err := s.config.Run.Append(e); err != nil {
		return &JournalError{err}
	}
	s.lastSeq++
	if needsSync(e.Body) {
		if err := s.config.Run.Sync(); err != nil {
			return &JournalError{err}
		}
	}
	return s.applyAndPublish(e)
}

// stampEvent fills in the fields of an event that the session knows.
func (s *Session) stampEvent(e *machine.Event) {
	e.Seq, e.Time = s.lastSeq+1, s.config.Now()
	if _, called := e.Body.(*machine.PlayheadToolCalled); called || e.By == machine.ByPerson {
		e.Client = s.actingClient
	}
	switch b := e.Body.(type) {
	case *machine.RunFinished:
		b.RunID = s.config.Run.ID()
	case *machine.RunRewound:
		b.InactiveMS = track.AbandonedInactiveTime(*e, s.journal).Milliseconds()
	}
}

func (s *Session) applyAndPublish(e machine.Event) error {
	s.mu.Lock()
	s.journal = append(s.journal, e)
	s.updateChangedFiles(e)
	s.mu.Unlock()
	if _, back := e.Body.(*machine.RunRewound); back {
		return s.followRewind()
	}
	before := s.machine.Plan()
	if err := s.machine.Apply(e); err != nil {
		return err
	}
	s.updateCounts(e)
	if _, reloads := e.Body.(*machine.DocumentReloaded); reloads {
		s.updateStepIDs(before)
		if s.stepper.isPaused {
			s.stepper.pauseHere(s.actingClient)
		}
		s.publishNewBranch()
		return nil
	}
	s.publishEvent(e)
	return nil
}

// recomputeState recomputes the state from the events of the current branch.
func (s *Session) recomputeState() error {
	s.machine = machine.New(s.config.FirstPlan, s.config.Options)
	s.attemptCounts, s.resultCounts, s.answeredAttemptByKey = map[string]int{}, map[string]int{}, map[string]int{}
	s.answerLabels, s.replyLabels = InitialLabels{since: len(s.config.History)}, InitialLabels{since: s.config.RepliesSince}
	for _, e := range machine.LiveBranch(s.journal) {
		if err := s.machine.Apply(e); err != nil {
			return err
		}
		s.updateCounts(e)
	}
	return nil
}

// updateCounts counts attempts and results of calls, for prepared answers, and notes the newest action.
func (s *Session) updateCounts(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.StepEntered:
		s.attemptCounts[s.answerLabels.Of(e.Step)]++
	case *machine.DocumentReloaded:
		s.answerLabels.fold(e)
		s.replyLabels.fold(e)
	case *machine.ActionStarted:
		label := s.replyLabels.Of(e.Step)
		s.receivedPart = receivedPart{journal.LogName(e.Seq), b.Kind, actionKey(label, b.ActionIndex)}
		if b.Kind == "tool" && b.Call != nil {
			s.receivedPart.resultCountKey = tools.ResultKey(label, b.Call.Tool)
		}
	case *machine.ActionFinished:
		if b.HasResult() && b.Kind != "read" { // nobody is asked for what is only read
			s.resultCounts[s.receivedPart.resultCountKey]++
		}
	}
}

// actionKey returns a key for an action of a step.
func actionKey(label string, action int) string { return fmt.Sprintf("%s#%d", label, action) }

// needsSync reports whether an event must be on the disk before the run continues: where an effect
// starts or ends, and whatever a person decides.
func needsSync(b machine.Body) bool {
	switch b := b.(type) {
	case *machine.RunStarted, *machine.ActionStarted, *machine.ActionFinished, *machine.InputGiven,
		*machine.RunFinished, *machine.RunResumed, *machine.RunRewound, *machine.ActionEdited, *machine.LimitsUsed, *machine.DocumentReloaded,
		*machine.FileChanging, *machine.FileRestored, *machine.ShellOpened:
		return true
	case *machine.Decision:
		return b.ByPerson
	case *machine.StepFinished:
		return b.Overridden
	default:
		return false
	}
}

// JournalError says that the journal cannot be written, so the run cannot continue.
type JournalError struct{ Err error }

// Error says what happened and what to do.
func (e *JournalError) Error() string {
	return fmt.Sprintf("the journal cannot be written, so the run ends here: %v", e.Err)
}

// Unwrap returns the cause.
func (e *JournalError) Unwrap() error { return e.Err }
