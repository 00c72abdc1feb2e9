package engine

import (
	"errors"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/model"
)

// sourceChoice says where replies come from. It decides who is asked, never what the machine does:
// the reply is an event with the name of whoever gave it.
type sourceChoice struct {
	name   string
	source model.Source // nil: a person
	unable error        // why the source cannot be asked; nil: it can
	chosen bool         // in mid-run: replies that are there already do not go first any more
	own    bool         // the next reply is the person's
	taking bool         // the call under way is given up for that
}

// of is who answers a request, nil for a person. A source of replies that are there
// already leaves to a person what it does not have.
func (f sourceChoice) of(q model.Request, prepared *model.Replies) model.Source {
	switch {
	case f.own:
		return nil
	case !f.chosen && prepared.Has(q):
		return prepared
	}
	if r, stored := f.source.(*model.Replies); stored && !r.Has(q) {
		return nil
	}
	return f.source
}

// unasked says why a person replies though a source was chosen, empty where it was theirs.
func (f sourceChoice) unasked() string {
	if f.own || f.unable == nil {
		return ""
	}
	return f.unable.Error()
}

// changeSource changes where replies come from and publishes it.
func (s *Session) changeSource(f sourceChoice) {
	s.from = f
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Source, s.status.Own = f.name, f.own
	s.watchers.Notify()
}

// replyNext makes the next reply a person's, or the source's again.
func (s *Session) replyNext(yes bool) {
	f := s.from
	f.own = yes
	s.changeSource(f)
}

// source makes a source ready.
func (s *Session) source(name string) (model.Source, error) {
	if name == model.Manual {
		return nil, nil
	}
	for _, o := range s.cfg.Sources {
		if o.Name != name {
			continue
		}
		source, err := o.Open()
		if err != nil {
			return nil, err
		}
		return source, nil
	}
	return nil, fmt.Errorf("there is no source %q of replies", name)
}

// Choose has a source reply from the next call on, and to what a person is asked to
// reply to. What a person chooses in mid-run goes before replies that were prepared.
func (s *Session) Choose(name string) error {
	source, err := s.source(name)
	if err != nil {
		return err
	}
	return s.ask(request{do: func() error {
		s.changeSource(sourceChoice{name: name, source: source, chosen: true, taking: s.from.taking})
		if s.cfg.KeepSource == nil {
			return nil
		}
		return s.cfg.KeepSource(name)
	}})
}

// TakeOver makes the reply or result that is under way the person's, or else the next one:
// the call is given up, and what has come of it is theirs to go on with. With yes
// false the reply is the source's again.
func (s *Session) TakeOver(yes bool) error {
	return s.ask(request{do: func() error {
		switch {
		case s.job == nil || !canStandIn(s.m.Next().Effect):
		case s.pending != nil:
			return errors.New("the call is being ended for something else")
		case yes:
			s.from.taking = true
			s.job.Cancel()
		}
		s.replyNext(yes)
		return nil
	}})
}

// droppedForPerson reports whether the call that has just ended was given up for a person's
// reply: then nothing is recorded of it. Something else that ended it goes first.
func (s *Session) droppedForPerson() bool {
	taken := s.from.taking
	s.from.taking = false
	if taken && s.pending != nil {
		s.replyNext(false)
		return false
	}
	return taken
}

// resumeReplying goes on where a run was left while a person replied: nobody else is
// asked before they say so.
func (s *Session) resumeReplying() {
	end, ok := s.cfg.History[len(s.cfg.History)-1].Body.(*machine.Finished)
	replied := ok && end.Waiting != nil && end.Waiting.Kind == machine.KindReply && end.Waiting.Error == ""
	if replied && !s.cfg.Headless && s.cfg.Replies == nil {
		s.replyNext(true)
	}
}
