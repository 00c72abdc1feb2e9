package show

import (
	"io"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/wording"
)

// WriteEvent prints an event as a line.
func WriteEvent(w io.Writer, e machine.Event) {
	line, err := wording.WithReasonText(e.Brief()).MarshalJSON() // the line is the journal's, but for long outputs and reasons
	if err != nil {
		return // what the journal took can be written
	}
	_, _ = w.Write(append(line, '\n')) // a reader who went away ends the process
}

// WriteEvents prints one event a line, as the journal has it but for escapes and long
// outputs.
func WriteEvents(w io.Writer, events *engine.Watcher, seen int, done <-chan struct{}) {
	for over := false; !over; {
		select {
		case <-events.Changed():
		case <-done:
			over = true
		}
		for _, e := range events.Take().Events {
			if seen > 0 {
				seen--
				continue
			}
			WriteEvent(w, e)
		}
	}
}
