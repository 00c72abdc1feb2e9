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
	State    State
	Next     *machine.Event    // when paused: what is about to happen; nil: something outside, a call or a command
	Break    string            // when paused: the breakpoint that holds, as text; empty: none does
	Question *machine.Question // when waiting
	Tool     *tools.Tool       // of a call that is to be approved; nil: its server has not been asked
	Withheld []plan.Assignment // what passing the step at hand gives variables, which did not pass by itself
	Running  string            // the label of the unit whose command runs
	Log      string            // the name of its log; of what was interrupted when that is the question
	Notice   *model.Notice     // what a call under way has to say: the server is busy, and is asked again
	Thought  int               // words of reasoning that came before a reply
	Source   string            // the name of the source of replies
	Own      bool              // the next reply is the person's, whatever the source
	Hits     map[string]int    // how often breakpoints were come to, by their text
	Err      error             // why the session cannot go on
}

// State is the session's state.
type State string

// The states of a session.
const (
	Running State = "running"
	Paused  State = "paused"
	Waits   State = "waiting"
	Over    State = "over"
)

// Events are those that there are, as watchers see them, for whoever looks once.
func (s *Session) Events() []machine.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.events)
}

// Watch subscribes to the run, from its first event on.
func (s *Session) Watch() *Watcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watchers.Add(&s.mu, func() Update { return Update{Events: slices.Clip(s.events), Status: s.status} })
}

// publish shows an event to the watchers. It says that the session is at work:
// whoever paused it or answered sees that at once.
func (s *Session) publish(e machine.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, s.cfg.Run.Masked(e))
	s.set(Status{State: Running})
}

// show sets the status, without the secrets.
func (s *Session) show(status Status) {
	if q := status.Question; q != nil {
		status.Question = s.maskedQuestion(*q)
	}
	if q := status.Question; q != nil && q.Call != nil {
		status.Tool = s.toolOf(*q.Call)
	}
	if n := status.Notice; n != nil {
		notice := *n
		notice.Text = s.cfg.Run.MaskedText(n.Text)
		status.Notice = &notice
	}
	if next := status.Next; next != nil {
		e := s.cfg.Run.Masked(*next)
		status.Next = &e
	}
	if status.State != Running {
		status.Withheld = s.withheldValues()
	}
	if status.State == Paused {
		status.Break = s.gate.breakpoint
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set(status)
}

// withheldValues returns the values that the last step would have set, masked.
func (s *Session) withheldValues() []plan.Assignment {
	e := s.cfg.Run.Masked(machine.Event{Body: &machine.InputGiven{Set: s.m.Withheld()}})
	if b, ok := e.Body.(*machine.InputGiven); ok {
		return b.Set
	}
	return nil
}

// maskedQuestion is a question as it is shown. Its options stay: they are answers.
func (s *Session) maskedQuestion(q machine.Question) *machine.Question {
	q.Prompt = s.cfg.Run.MaskedText(q.Prompt)
	q.Fields = slices.Clone(q.Fields)
	for i := range q.Fields {
		q.Fields[i].Prompt = plan.Literal(s.cfg.Run.MaskedText(plan.Source(q.Fields[i].Prompt)))
	}
	if q.Show != nil {
		show := *q.Show
		show.Text = s.cfg.Run.MaskedText(show.Text)
		q.Show = &show
	}
	return &q
}

// set changes the status, but for where replies come from and what was counted.
func (s *Session) set(status Status) {
	status.Source, status.Own, status.Hits = s.status.Source, s.status.Own, s.gate.hits
	s.status = status
	s.cfg.Run.Tell(string(status.State))
	s.watchers.Notify()
}

// Log is the log of an action by the name its events give, nil when there is none.
func (s *Session) Log(file string) *logs.Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.logs[file]; l != nil || file == "" {
		return l
	}
	l, err := logs.Open(s.cfg.Run.LogFile(file))
	if err != nil {
		return nil
	}
	s.logs[file] = l
	return l
}

// Update is what a watcher has not seen yet.
type Update struct {
	Events []machine.Event
	Anew   bool // the run was rewound: these are all events of the branch it is on now
	Status Status
}

// Watcher sees everything that happens, in order, in pieces as large as they have
// become since it last looked. A slow watcher holds nothing up.
type Watcher struct {
	lock     sync.Locker   // of what is watched
	now      func() Update // all events of the branch that the run is on, and what it does
	position int           // of the events
	restart  bool
	changed  chan struct{}
}

// Changed is signalled when there is something to Take.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Take returns what is new since the last Take.
func (w *Watcher) Take() Update {
	w.lock.Lock()
	defer w.lock.Unlock()
	u := w.now()
	u.Events, u.Anew = u.Events[w.position:], w.restart
	w.position, w.restart = w.position+len(u.Events), false
	return u
}

// Watchers are those of a session, or of a recording that is played. Their methods are
// called with its lock held.
type Watchers []*Watcher

// Add subscribes one to a run, from its first event on. now is called with the lock held.
func (ws *Watchers) Add(lock sync.Locker, now func() Update) *Watcher {
	w := &Watcher{lock: lock, now: now, changed: make(chan struct{}, 1)}
	*ws = append(*ws, w)
	w.changed <- struct{}{}
	return w
}

// Anew has everyone see all events once more: the run is on another branch.
func (ws Watchers) Anew() {
	for _, w := range ws {
		w.position, w.restart = 0, true
	}
}

// Notify tells everyone that there is something to Take.
func (ws Watchers) Notify() {
	for _, w := range ws {
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}
