package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine"
	"playhead/engine/model"
)

// TestJournalFailsWithAPerson: a run whose journal cannot be written stays open until the person leaves or the program
// is ended.
func TestJournalFailsWithAPerson(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newFixture(t, commands).session("", func(c *engine.Config) {
		run := c.Run
		c.Headless, c.Now = false, closing(func() { run.Close() })
	})
	w, ended := s.WatchFromStart(), make(chan error, 1)
	go func() {
		_, err := s.Run(ctx)
		ended <- err
	}()
	for w.Take().Status.State != engine.Over {
		<-w.Changed()
	}
	var j *engine.JournalError
	if err := s.Jump("1", ""); !errors.As(err, &j) {
		t.Errorf("a jump: %v", err)
	}
	cancel()
	select {
	case err := <-ended:
		if !errors.As(err, &j) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the run does not end")
	}
}

// TestClosedMeanwhile: a request that is not done when the session closes gets ErrClosed.
func TestClosedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &stubborn{make(chan struct{}, 9), make(chan struct{}, 9), make(chan struct{})}
		s := newPlaybook(t, twoReplies).session("", func(c *engine.Config) {
			c.Headless, c.FirstReplySourceName = false, "stubborn"
			c.ReplySources = []model.ReplySourceOption{{Name: "stubborn", Open: func() (model.ReplySource, error) { return source, nil }}}
		})
		steer(t, s)
		<-source.asked
		said := make(chan error, 1)
		go func() { said <- s.RerunFrom(2, engine.Continue) }()
		<-source.told
		go s.Close()
		synctest.Wait() // the session waits for the reply to end
		close(source.end)
		if err := <-said; !errors.Is(err, engine.ErrClosed) {
			t.Errorf("the request got %v", err)
		}
	})
}
