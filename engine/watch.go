package engine

import (
	"slices"
	"sync"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// Status is what a session does at the moment.
type Status struct {
	State                 State
	NextEvent             *machine.Event      // when paused: the next event; nil if an effect comes next, such as a command or call
	HitBreakpoint         string              // when paused: the breakpoint that was hit; "" if none
	PausedBy              string              // the client that made the run pause, now or before the next step; "" if none
	PausesNext            bool                // when running or waiting: the run was told to pause before the next step
	Question              *machine.Question   // when waiting
	WaitingFor            *machine.Waiting    // when paused or waiting: what is needed of a person
	ToolToApprove         *tools.Tool         // the tool whose call needs approval; nil if its server has not been asked
	ProposedChange        *ProposedFileChange // the change of a file that the call would make; nil: none
	ChangedFiles          []string            // the paths of files that the run changed on any branch and has not restored
	PendingValues         []plan.Assignment   // the variables that passing this step would set, if it did not pass by itself
	RunningStep           string              // the label of the step whose command runs
	RunningLog            string              // the name of that command's log, or of the interrupted one when Question is about it
	Notice                *model.Notice       // the state of a model call: for example, the server is busy and is retried
	ReasoningWords        int                 // the number of words of reasoning so far, before the reply
	ReplySourceName       string              // the name of the reply source
	NextReplyManual       bool                // the person gives the next reply, whatever the source
	Breakpoints           []Breakpoint        // the breakpoints that are set, updated for the version of the document
	HitCounts             map[string]int      // the hit counts of breakpoints, by their text
	SupersededEffectCount int                 // how many side effects the run had on branches that it abandoned by rewinding
	Controller            string              // the client whose screen controls the run; "": the owner's own
	Err                   error               // why the session cannot continue
}

// State is the state of a session.
type State string

// The states of a session.
const (
	Running State = "running"
	Paused  State = "paused"
	Waiting State = "waiting"
	Over    State = "over"
)

// Events returns the events so far, as watchers see them.
func (s *Session) Events() []machine.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.shownEvents)
}

// WatchFromStart subscribes to the run. The first update has all events so far.
func (s *Session) WatchFromStart() *Watcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watchers.Add(&s.mu, func() Update { return Update{Events: slices.Clip(s.shownEvents), Status: s.status} })
}

// Done returns a channel that is closed when Run has returned.
func (s *Session) Done() <-chan struct{} { return s.done }

// publishEvent shows an event to the watchers. The status becomes Running, so that a person who
// continues the run or answers sees this at once. A call of an agent and an edit do not move the run.
func (s *Session) publishEvent(e machine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shownEvents = append(s.shownEvents, s.config.Run.MaskEvent(e))
	status := Status{State: Running}
	switch e.Body.(type) {
	case *machine.PlayheadToolCalled, *machine.ActionEdited: // the run has not moved
		status = s.status
	}
	s.setStatus(status)
}

// publishStatus sets the status, with secrets masked.
func (s *Session) publishStatus(status Status) {
	if q := status.Question; q != nil {
		if q.Call != nil {
			status.ToolToApprove = s.toolOfCall(*q.Call)
			status.ProposedChange = s.previewFileChange(*q.Call)
		}
		status.Question = s.maskedQuestion(*q)
	}
	if n := status.Notice; n != nil {
		notice := *n
		notice.Text = s.config.Run.MaskText(n.Text)
		status.Notice = &notice
	}
	if next := status.NextEvent; next != nil {
		e := s.config.Run.MaskEvent(*next)
		status.NextEvent = &e
	}
	if status.State != Running {
		status.PendingValues = s.withheldValues()
	}
	if status.State == Paused {
		status.HitBreakpoint = s.stepper.hitBreakpoint
	}
	if status.WaitingFor != nil {
		status.WaitingFor = s.maskedNeed(status.WaitingFor)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setStatus(status)
}

// withheldValues returns the values that the last step would have assigned, masked.
func (s *Session) withheldValues() []plan.Assignment {
	e := s.config.Run.MaskEvent(machine.Event{Body: &machine.InputGiven{Assignments: s.machine.WithheldValues()}})
	if b, ok := e.Body.(*machine.InputGiven); ok {
		return b.Assignments
	}
	return nil
}

// maskedQuestion returns a question to show. Its options stay unmasked, because they are answers.
func (s *Session) maskedQuestion(q machine.Question) *machine.Question {
	q.Prompt = s.config.Run.MaskText(q.Prompt)
	q.Fields = slices.Clone(q.Fields)
	for i := range q.Fields {
		q.Fields[i].Prompt = plan.Literal(s.config.Run.MaskText(plan.SourceText(q.Fields[i].Prompt)))
	}
	if q.ShownBlock != nil {
		show := *q.ShownBlock
		show.Text = s.config.Run.MaskText(show.Text)
		q.ShownBlock = &show
	}
	if q.Call != nil {
		call := *q.Call
		call.Arguments = s.config.Run.MaskText(call.Arguments)
		q.Call, q.CoveredCallsText = &call, s.config.Run.MaskText(q.CoveredCallsText)
	}
	return &q
}

// maskedNeed returns what is needed from a person, with secrets masked.
func (s *Session) maskedNeed(need *machine.Waiting) *machine.Waiting {
	e := s.config.Run.MaskEvent(machine.Event{Body: &machine.RunFinished{WaitingFor: need}})
	if b, ok := e.Body.(*machine.RunFinished); ok {
		return b.WaitingFor
	}
	return nil
}

// setStatus changes the status. The fields about reply sources, control, pauses, breakpoints, changed
// files and side effects come from the session.
func (s *Session) setStatus(status Status) {
	status.ReplySourceName, status.NextReplyManual = s.status.ReplySourceName, s.status.NextReplyManual
	status.Breakpoints, status.HitCounts = s.stepper.breakpoints, s.stepper.hitCounts
	status.ChangedFiles, status.SupersededEffectCount, status.Controller, status.PausedBy = s.changedPaths, s.supersededEffectCount, s.controller, s.pausedBy
	status.PausesNext = (status.State == Running || status.State == Waiting) && s.stepper.mode == PauseNext
	s.status = status
	s.config.Run.SetState(string(status.State))
	s.watchers.Notify()
}

// Log returns the log of an action by its name in events, nil if there is none.
func (s *Session) Log(file string) *logs.Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.logByName[file]; l != nil || file == "" {
		return l
	}
	l, err := logs.Open(s.config.Run.LogFile(file))
	if err != nil {
		return nil
	}
	s.logByName[file] = l
	return l
}

// Update is what a watcher has not seen yet.
type Update struct {
	Events      []machine.Event
	IsRestarted bool // the run was rewound, or continues with another document, so Events has the whole current branch
	Status      Status
}

// Watcher delivers all events in order. A slow watcher delays nobody: events accumulate until its
// next Take.
type Watcher struct {
	lock           sync.Locker   // of the object that is watched
	currentUpdate  func() Update // returns all events of the current branch, and the status
	deliveredCount int           // the number of events delivered
	isRestarted    bool
	changed        chan struct{}
	remove         func()
}

// Stop ends the subscription.
func (w *Watcher) Stop() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.remove()
}

// Changed returns a channel that receives when Take has something new.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Take returns what is new since the last call.
func (w *Watcher) Take() Update {
	w.lock.Lock()
	defer w.lock.Unlock()
	u := w.currentUpdate()
	u.Events, u.IsRestarted = u.Events[w.deliveredCount:], w.isRestarted
	w.deliveredCount, w.isRestarted = w.deliveredCount+len(u.Events), false
	return u
}

// Watchers are the watchers of a session or of a replay. Callers hold the lock of what is watched.
type Watchers []*Watcher

// Add subscribes a new watcher, which starts at the first event. The watcher calls current with the
// lock held.
func (ws *Watchers) Add(lock sync.Locker, current func() Update) *Watcher {
	w := &Watcher{lock: lock, currentUpdate: current, changed: make(chan struct{}, 1)}
	w.remove = func() {
		*ws = slices.DeleteFunc(*ws, func(o *Watcher) bool { return o == w })
	}
	*ws = append(*ws, w)
	w.changed <- struct{}{}
	return w
}

// Restart makes every watcher see all events again, because the run is on another branch.
func (ws Watchers) Restart() {
	for _, w := range ws {
		w.deliveredCount, w.isRestarted = 0, true
	}
}

// Notify wakes every watcher.
func (ws Watchers) Notify() {
	for _, w := range ws {
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}
