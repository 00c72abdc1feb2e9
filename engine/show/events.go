package show

import (
	"io"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
)

// WriteEvent writes an event as a line of JSON.
func WriteEvent(w io.Writer, e machine.Event) {
	line, err := wording.WithReasonText(e.WithOutputCut()).MarshalJSON() // the line of the journal, except for long outputs and reasons
	if err != nil {
		return // the journal has encoded this event before
	}
	_, _ = w.Write(append(line, '\n')) // if the reader has gone, the process ends
}

// WriteEvents writes events as lines, as in the journal except for escapes and long outputs, until done
// is closed. It skips the first skipCount events.
func WriteEvents(w io.Writer, events *engine.Watcher, skipCount int, done <-chan struct{}) {
	for over := false; !over; {
		select {
		case <-events.Changed():
		case <-done:
			over = true
		}
		for _, e := range events.Take().Events {
			if skipCount > 0 {
				skipCount--
				continue
			}
			WriteEvent(w, e)
		}
	}
}
