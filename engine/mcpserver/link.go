package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

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

// A link is the server's connection to a run.
type link struct {
	run      remote.Run
	client   *service.Client // nil: not yet
	view     *remote.Session
	watch    *engine.Watcher
	ownRun   *ownRun  // nil: another process drives the run
	notes    []string // what a person should know of the run
	lastSeen int      // the number of the last event that the agent knows of
}

func (l *link) id() string { return l.run.Folder.ID() }

// close leaves the run. One that this process drives is kept for the next server.
func (l *link) close() {
	if l.client != nil {
		_ = l.client.Close()
	}
	if l.ownRun != nil {
		l.ownRun.close()
	}
}

// open returns the run of an id; the one that the last call was about, for an empty one.
func (s *Server) open(id string) (*link, error) {
	l := s.links[id]
	switch {
	case id == "" && s.last == nil:
		return nil, fail(notFound, "no run is named, and none has been started here", "Name a run: list_documents lists those that are open. Or call start_run.")
	case id == "":
		l = s.last
	case l == nil:
		var err error
		if l, err = s.find(id); err != nil {
			return nil, err
		}
	}
	s.last = l
	return l, s.join(l)
}

// join connects to a run, and tells its watchers which tool was called.
func (s *Server) join(l *link) error {
	if err := s.connect(l); err != nil {
		return err
	}
	err := l.client.Call("called", map[string]string{"tool": s.tool}, nil)
	if errors.Is(err, service.ErrGone) {
		return s.connect(l)
	}
	return err
}

// find returns a recorded run of this folder.
func (s *Server) find(id string) (*link, error) {
	h, err := journal.Default().Read(id)
	if err != nil {
		return nil, fail(notFound, err.Error(), "Call list_documents: it lists the runs of this folder that are open.")
	}
	if l := s.links[h.ID()]; l != nil { // by the beginning of its id
		return l, nil
	}
	source, err := h.Folder.Source()
	if err != nil {
		return nil, err
	}
	if source.OriginalStart != s.cfg.Folder {
		return nil, fail(validation, fmt.Sprintf("run %s was not started in %s", h.ID(), s.cfg.Folder), "Only runs of this folder can be used: list_documents lists them.")
	}
	if setup.IsOwn(h) {
		return nil, fail(validation, fmt.Sprintf("run %s itself has started this server", h.ID()), "A step cannot act on its own run.")
	}
	return s.add(h)
}

// add makes the link of a run.
func (s *Server) add(h journal.History) (*link, error) {
	p, err := setup.PlanOf(h)
	if err != nil {
		return nil, err
	}
	l := &link{run: remote.Run{Folder: h.Folder, Plan: p, Versions: func(events []machine.Event) error {
		return setup.LoadVersions(h.Folder, events)
	}}}
	s.links[h.ID()] = l
	return l, nil
}

// connect joins the run, which this process drives if no other one does.
func (s *Server) connect(l *link) error {
	if l.client != nil {
		select {
		case <-l.client.Closed():
		default:
			return nil
		}
	}
	client, err := service.Dial(l.run.Folder, s.client())
	if errors.Is(err, service.ErrNoOwner) {
		if err = s.resume(l); err == nil {
			client, err = service.Dial(l.run.Folder, s.client())
		}
	}
	if err != nil {
		return err
	}
	l.client = client
	if l.view, err = remote.Watch(client, l.run); err == nil {
		l.watch = l.view.Watch()
	}
	return err
}

// act carries out an action, unless the run has changed since the state.
func (l *link) act(st drive.State, action string, arguments any) (drive.ActionResult, error) {
	data, err := encode(arguments)
	if err != nil {
		return drive.ActionResult{}, err
	}
	return l.client.Do(drive.Order{Action: action, Arguments: data, Seq: st.Seq})
}

// waitUntilIdle waits until the run needs somebody or is over, or ctx ends, and returns its state. While others
// pause the run, it keeps waiting.
func (s *Server) waitUntilIdle(ctx context.Context, l *link) (drive.State, error) {
	for {
		if err := s.connect(l); err != nil {
			return drive.State{}, err
		}
		st, err := l.client.State()
		switch {
		case errors.Is(err, service.ErrGone):
			continue
		case err != nil:
			return st, err
		case st.Untrusted && st.IsIdle():
			return st, l.catchUp(ctx, st)
		case s.isPausedByOthers(l, st):
		case l.ownRun != nil && l.ownRun.opened && st.State == engine.Paused && st.PausedBy == engine.OwnScreen:
			if _, err := l.act(st, "continue", nil); err != nil {
				return st, err
			}
			l.ownRun.opened = false
			continue
		case st.IsIdle():
			if l.ownRun != nil {
				l.ownRun.opened = false
			}
			return st, l.catchUp(ctx, st)
		}
		select {
		case <-l.watch.Changed():
			l.watch.Take()
		case <-l.client.Closed():
		case <-ctx.Done():
			return st, l.catchUp(context.Background(), st)
		}
	}
}

// isPausedByOthers reports whether a person or another program has paused the run, now or before its next step.
func (s *Server) isPausedByOthers(l *link, st drive.State) bool {
	own := strings.HasPrefix(st.PausedBy, clientPrefix) || st.PausedBy == engine.OwnScreen && l.ownRun != nil
	return st.PausedBy != "" && !own && (st.State == engine.Paused || st.State == engine.Waits)
}

// pausedError refuses a call while somebody else pauses the run.
func (l *link) pausedError(st drive.State) error {
	f := fail(paused, "the run is paused by a person ("+st.PausedBy+"). Nothing was done",
		"Tell the person, and call again: a call waits until they continue the run, at playhead attach "+l.id()+" or with playhead do continue --run "+l.id()+".")
	f.Run = l.id()
	return f
}

// catchUp waits until the view has the events up to a state.
func (l *link) catchUp(ctx context.Context, st drive.State) error {
	for {
		events := l.view.Events()
		if n := len(events); st.Seq == 0 || n > 0 && events[n-1].Seq >= st.Seq {
			return nil
		}
		select {
		case <-l.watch.Changed():
			l.watch.Take()
		case <-l.client.Closed():
			return service.ErrGone
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// controlRun returns the run as the actions of engine/control see it.
func (l *link) controlRun(st drive.State) *control.Run {
	t := track.New(l.run.Plan)
	events := l.view.Events()
	t.Fold(events...)
	return &control.Run{Plan: t.Plan, Track: t, Events: events, Status: st.Status(), Begun: true}
}

// eventsSince returns what has happened after an event, of the branch that the run is on.
func (l *link) eventsSince(seq int) (out []machine.Event) {
	for _, e := range l.view.Events() {
		if e.Seq > seq {
			out = append(out, e)
		}
	}
	return out
}

// steps returns the executable steps of the run, in the order of the document.
func steps(r *control.Run) (out []*track.Row) {
	for _, row := range r.Track.AllRows() {
		if row.IsExecutable() && !row.Hidden {
			out = append(out, row)
		}
	}
	return out
}

// isOver reports whether a run is over, and with which result.
func isOver(st drive.State, result plan.RunResult) bool {
	return st.State == engine.Over && st.Result == result
}
