package replay

import (
	"io"
	"os"

	"playhead/engine/logs"
	"playhead/engine/machine"
)

// reel is the log of an action under way: a copy that grows as the action goes on. When
// which line came was not recorded, so they come evenly.
type reel struct {
	from, to int // the events between which it grows
	file     string
	source   *os.File
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
	source, err := p.recorded(ref)
	if err != nil {
		return nil // what is gone cannot grow: the pane says so when it is opened
	}
	copied, err := os.CreateTemp(p.dir, "*.log")
	if err != nil {
		_ = source.Close()
		return nil
	}
	_ = copied.Close()
	log, err := logs.Create(copied.Name())
	if err != nil {
		_ = source.Close()
		return nil
	}
	return &reel{from: start, to: to, file: ref.File, source: source, size: ref.Bytes, log: log}
}

// recorded opens the part of a file that was an action's log.
func (p *Player) recorded(ref *machine.LogRef) (*os.File, error) {
	path, err := p.logPath(ref.File)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err == nil {
		_, err = f.Seek(ref.Offset, io.SeekStart)
	}
	return f, err
}

// feed lets the log grow to a share of what it has to have.
func (r *reel) feed(share float64) {
	if n := int64(share*float64(r.size)) - r.fed; n > 0 {
		fed, _ := io.CopyN(r.log, r.source, n) // what is missing at the end stays missing
		r.fed += fed
		if fed < n {
			r.fed = r.size
		}
	}
}

// end lets the log have all it has to have.
func (r *reel) end() {
	r.feed(1)
	_ = r.log.Close()
	_ = r.source.Close()
}
