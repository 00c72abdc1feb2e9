package replay

import (
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// reel is the log of an action under way, which shows more of itself as the action goes on.
// When which line came was not recorded, so they come evenly.
type reel struct {
	from, to int // the events between which it grows
	file     string
	size     int64
	fed      int64
	log      *logs.Log
}

// thread begins the log of the action that an event started; nil if it printed nothing.
func (p *Player) thread(start int) *reel {
	to := p.tape.finish(start)
	if to < 0 {
		return nil
	}
	ref := p.tape.Events[to].Body.(*machine.ActionFinished).Log
	if ref == nil {
		return nil
	}
	log, err := logs.Unread(p.logFile(ref.File), ref.Offset)
	if err != nil {
		return nil // what is gone cannot grow: the pane says so when it is opened
	}
	return &reel{from: start, to: to, file: ref.File, size: ref.Bytes, log: log}
}

// feed lets the log grow to a share of what it has to have.
func (r *reel) feed(share float64) {
	if n := int64(share*float64(r.size)) - r.fed; n > 0 {
		_ = r.log.Grow(n) // what is missing stays missing
		r.fed += n
	}
}

// end lets the log have all it has to have. Of a long one that takes a while, which nobody
// waits for.
func (r *reel) end() {
	go func() {
		r.feed(1)
		_ = r.log.Close()
	}()
}
