package session

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/filewatch"
)

// DocumentChanged says that files of the document changed: Offer is what they hold now, Err why they
// cannot be read.
type DocumentChanged struct {
	Offer *engine.Offer
	Err   error
}

// WatchDocument tells the program each time that files of the run's document change, until ctx ends.
func WatchDocument(ctx context.Context, s Session, send func(tea.Msg)) {
	saved, err := s.Saved()
	if err != nil { // a recording has no document to go on with
		return
	}
	w := filewatch.New()
	defer w.Close()
	for {
		w.Watch(filewatch.Files(saved.Plan))
		select {
		case <-ctx.Done():
			return
		case <-w.Changes():
		}
		now, err := s.Saved()
		if err == nil {
			saved = now
		}
		if ctx.Err() == nil {
			send(DocumentChanged{now, err})
		}
	}
}
