package lines

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/sanitize"
)

// toggleBreak sets a breakpoint, or takes the one of the step away.
func (t *Twin) toggleBreak(arg string) error {
	switch row, err := t.step(arg); {
	case err == nil && arg == "":
		arg = engine.Quoted(row.BreakName())
	case err == nil:
		arg = engine.Quoted(row.Label)
	case arg == "":
		return err
	}
	b, err := engine.ParseBreakpoint(arg)
	if err != nil {
		return err
	}
	if err := engine.NamesOf(t.track.Plan, t.track.Variables()...).Holds(b); err != nil {
		return fmt.Errorf("there is %w", err)
	}
	all := slices.DeleteFunc(slices.Clone(t.breaks), func(other engine.Breakpoint) bool { return other.Step == b.Step })
	if gone := len(all) < len(t.breaks) && b.Terms() == ""; gone {
		t.line("  the run no longer pauses at %s", label(b.Step))
		return t.breakAt(all)
	}
	t.line("  the run is held at %s", sanitize.Plain(b.String()))
	return t.breakAt(append(all, b))
}

// breakAt sets the breakpoints, for this run and for the document's next ones.
func (t *Twin) breakAt(all []engine.Breakpoint) error {
	t.breaks = all
	if err := t.session.Break(all); err != nil || t.keepBreaks == nil {
		return err
	}
	return t.keepBreaks(all)
}

func (t *Twin) listBreaks(string) error {
	if len(t.breaks) == 0 {
		t.line("  the run is held nowhere: :break STEP holds it there")
	}
	for _, b := range t.breaks {
		hits := ""
		if n := t.status.Hits[b.String()]; n > 0 {
			hits = fmt.Sprintf(", reached %d times", n)
		}
		t.line("  %s%s", sanitize.Plain(b.String()), hits)
	}
	return nil
}
