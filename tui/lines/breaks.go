package lines

import (
	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
)

// toggleBreak sets or clears a breakpoint, by default at the step that the run is at, for this
// run and for the document's next ones.
func (t *LineUI) toggleBreak(a *control.Action, line string) error {
	run := t.run()
	if row := run.Position(); line == "" && row != nil {
		line = engine.Quoted(row.BreakName())
	}
	args, err := a.Parse(run, line)
	if err != nil {
		return spoken(err)
	}
	if err := t.perform(a, args); err != nil {
		return err
	}
	before := len(t.breaks)
	t.breaks = run.Toggled(args.Break)
	if len(t.breaks) < before {
		t.line("  The run no longer pauses at %s.", label(args.Break.Step))
	} else {
		t.line("  The run pauses at %s.", sanitize.Plain(args.Break.String()))
	}
	if t.keepBreaks == nil {
		return nil
	}
	return t.keepBreaks(t.breaks)
}

func (t *LineUI) listBreaks(string) error {
	if len(t.breaks) == 0 {
		t.line("  There are no breakpoints. :break STEP sets one.")
	}
	for _, b := range t.breaks {
		hits := ""
		if n := t.status.Hits[b.String()]; n > 0 {
			hits = ", reached " + wording.Count(n, "time")
		}
		t.line("  %s%s", sanitize.Plain(b.String()), hits)
	}
	return nil
}
