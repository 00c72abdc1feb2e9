package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// A runLink is the server's connection to a run.
type runLink struct {
	remoteRun   remote.JoinableRun
	client      *service.Client // nil: not yet
	session     *remote.Session
	watcher     *engine.Watcher
	ownRun      *ownRun  // nil: another process drives the run
	personNotes []string // notes about the run for a person
	lastSeenSeq int      // the number of the last event that the agent has seen
}

func (l *runLink) runID() string { return l.remoteRun.Folder.ID() }

// close leaves the run. A run that this process drives stops, and the next server can continue it.
func (l *runLink) close() {
	if l.client != nil {
		_ = l.client.Close()
	}
	if l.ownRun != nil {
		l.ownRun.close()
	}
}

// openLink connects to the run with an ID, and makes it the run of the last call. An empty ID means the run of
// the last call.
func (s *Server) openLink(id string) (*runLink, error) {
	l := s.linkByRunID[id]
	switch {
	case id == "" && s.lastLink == nil:
		return nil, newFailure(failureNotFound, "the call does not say which run, and no run has been started here", "Give the id of a run as \"run\" (list_documents lists the unfinished runs), or call start_run.")
	case id == "":
		l = s.lastLink
	case l == nil:
		var err error
		if l, err = s.findRun(id); err != nil {
			return nil, err
		}
	}
	s.lastLink = l
	return l, s.connectAndAnnounce(l)
}

// connectAndAnnounce connects to a run, and tells the watchers of the run which tool was called.
func (s *Server) connectAndAnnounce(l *runLink) error {
	if err := s.connect(l); err != nil {
		return err
	}
	err := l.client.Call("called", map[string]string{"tool": s.calledTool}, nil)
	if errors.Is(err, service.ErrOwnerGone) {
		return s.connect(l)
	}
	return err
}

// findRun returns the link of a recorded run of this folder. id may be the beginning of the run's ID.
func (s *Server) findRun(id string) (*runLink, error) {
	h, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return nil, newFailure(failureNotFound, err.Error(), "Call list_documents: it lists the unfinished runs of this folder.")
	}
	if l := s.linkByRunID[h.ID()]; l != nil {
		return l, nil
	}
	source, err := h.Folder.SourcePaths()
	if err != nil {
		return nil, err
	}
	if source.OriginalStartFolder != s.config.Folder {
		return nil, newFailure(failureValidation, fmt.Sprintf("run %s was not started in %s", h.ID(), s.config.Folder), "Only runs of this folder can be used: list_documents lists the unfinished ones.")
	}
	if setup.StartedThisProcess(h) {
		return nil, newFailure(failureValidation, fmt.Sprintf("run %s started this server", h.ID()), "A step cannot act on its own run.")
	}
	return s.addLink(h)
}

// addLink makes the link of a run, not connected yet, and keeps it for later calls.
func (s *Server) addLink(h journal.History) (*runLink, error) {
	p, err := setup.InitialPlan(h)
	if err != nil {
		return nil, err
	}
	l := &runLink{remoteRun: remote.JoinableRun{Folder: h.Folder, FirstPlan: p}}
	s.linkByRunID[h.ID()] = l
	return l, nil
}

// connect joins the run. If no process drives it, this process does so from now on.
func (s *Server) connect(l *runLink) error {
	if l.client != nil {
		select {
		case <-l.client.Closed():
		default:
			return nil
		}
	}
	client, err := service.Dial(l.remoteRun.Folder, s.clientName())
	if errors.Is(err, service.ErrNoOwner) {
		if err = s.resumeOwnRun(l); err == nil {
			client, err = service.Dial(l.remoteRun.Folder, s.clientName())
		}
	}
	if err != nil {
		return err
	}
	l.client = client
	if l.session, err = remote.WatchRun(client, l.remoteRun); err == nil {
		l.watcher = l.session.WatchFromStart()
	}
	return err
}

// doAction carries out an action, unless the run has changed since the state. arguments nil means none.
func (l *runLink) doAction(st drive.State, action string, arguments any) (drive.ActionResult, error) {
	var data json.RawMessage
	if arguments != nil {
		var err error
		if data, err = json.Marshal(arguments); err != nil {
			return drive.ActionResult{}, err
		}
	}
	return l.client.Do(drive.ActionRequest{Action: action, Arguments: data, KnownSeq: st.LastSeq})
}

// waitUntilIdle waits until the run needs somebody or is over, or ctx ends, and returns its state. While others
// pause the run, it keeps waiting.
func (s *Server) waitUntilIdle(ctx context.Context, l *runLink) (drive.State, error) {
	for {
		if err := s.connect(l); err != nil {
			return drive.State{}, err
		}
		st, err := l.client.State()
		switch {
		case errors.Is(err, service.ErrOwnerGone):
			continue
		case err != nil:
			return st, err
		case st.NeedsTrust && st.IsIdle():
			return st, l.catchUp(st)
		case s.isPausedByOthers(l, st):
		case l.ownRun != nil && l.ownRun.isJustOpened && st.State == engine.Paused && st.PausedBy == engine.OwnScreen:
			if _, err := l.doAction(st, "continue", nil); err != nil {
				return st, err
			}
			l.ownRun.isJustOpened = false
			continue
		case st.IsIdle():
			if l.ownRun != nil {
				l.ownRun.isJustOpened = false
			}
			return st, l.catchUp(st)
		}
		select {
		case <-l.watcher.Changed():
			l.watcher.Take()
		case <-l.client.Closed():
		case <-ctx.Done():
			return st, l.catchUp(st)
		}
	}
}

// isPausedByOthers reports whether the run does nothing now and somebody else has paused it.
func (s *Server) isPausedByOthers(l *runLink, st drive.State) bool {
	return s.isPauseRequestedByOthers(l, st) && (st.State == engine.Paused || st.State == engine.Waiting)
}

// isPauseRequestedByOthers reports whether somebody else has paused the run, now or before its next step: a person,
// another program or another agent. The pause of an agent whose server has ended does not count, because this may be
// the agent's next server.
func (s *Server) isPauseRequestedByOthers(l *runLink, st drive.State) bool {
	switch {
	case st.PausedBy == "", st.PausedBy == s.nameInEvents():
		return false
	case st.PausedBy == engine.OwnScreen:
		return l.ownRun == nil
	case strings.HasPrefix(st.PausedBy, engine.AgentNamePrefix):
		return !service.HasClientEnded(st.PausedBy)
	}
	return true
}

// pausedError returns the refusal of a call while somebody else pauses the run.
func (l *runLink) pausedError(st drive.State) error {
	pauser := st.PausedBy
	if pauser == engine.OwnScreen {
		pauser = personAtOwnScreen
	}
	f := newFailure(failurePaused, "somebody else has paused the run ("+pauser+")",
		"Ask a person to continue the run with `playhead attach "+l.runID()+"` or `playhead do continue --run "+l.runID()+"`, then call again. Each call waits a while for the run to continue.")
	f.RunID = l.runID()
	return f
}

// maxCatchUpTime is how long catchUp waits for the events of a state.
const maxCatchUpTime = 10 * time.Second

// catchUp waits until l.session has all events up to a state, also in a call that must not wait for the run any
// more.
func (l *runLink) catchUp(st drive.State) error {
	timeout := time.After(maxCatchUpTime)
	for {
		events := l.session.Events()
		if n := len(events); st.LastSeq == 0 || n > 0 && events[n-1].Seq >= st.LastSeq {
			return nil
		}
		select {
		case <-l.watcher.Changed():
			l.watcher.Take()
		case <-l.client.Closed():
			return service.ErrOwnerGone
		case <-timeout:
			return fmt.Errorf("run %s did not report its events within %s", st.RunID, maxCatchUpTime)
		}
	}
}

// runView returns the run as the actions of engine/control see it.
func (l *runLink) runView(st drive.State) *control.RunView {
	t := track.New(l.remoteRun.FirstPlan)
	events := l.session.Events()
	t.Fold(events...)
	return &control.RunView{Plan: t.Plan, Track: t, Events: events, Status: st.EngineStatus(), IsBegun: true}
}

// eventsSince returns the events after the one with a sequence number, of the branch that the run is on.
func (l *runLink) eventsSince(seq int) (out []machine.Event) {
	for _, e := range l.session.Events() {
		if e.Seq > seq {
			out = append(out, e)
		}
	}
	return out
}

// executableRows returns the executable steps of the run, in the order of the document.
func executableRows(r *control.RunView) (out []*track.Row) {
	for _, row := range r.Track.AllRows() {
		if row.IsExecutable() && !row.IsHidden {
			out = append(out, row)
		}
	}
	return out
}

// hasEndedWith reports whether a run is over, and with which result.
func hasEndedWith(st drive.State, result plan.RunResult) bool {
	return st.State == engine.Over && st.Result == result
}
