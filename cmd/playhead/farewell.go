package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// farewell says on stderr what a person should know of a run that is left.
func (r *runner) farewell(end engine.Ending, sig syscall.Signal) {
	for _, label := range unasked(r.config, end.Result, r.session.Events()) {
		r.note("the answer prepared for %s was not needed", label)
	}
	if len(end.Background) > 0 {
		r.note("ended what steps left running: %s", strings.Join(end.Background, ", "))
	}
	if r.view == viewPlain && sig == syscall.SIGINT {
		fmt.Fprintln(r.err) // the terminal has shown the key
	}
	if r.view != viewScreen && !end.Result.Over() && end.Waiting == nil {
		r.note("the run is kept: %s continues it", r.resumption())
	}
}

// epitaph is the line that a run leaves on the terminal when the screen is gone.
func (r *runner) epitaph(end engine.Ending) string {
	id := r.config.Run.ID()
	goOn := " · go on with: " + r.resumption()
	switch {
	case end.Waiting != nil && end.Waiting.Kind == machine.KindBreak:
		return sanitize.Plain(cmp.Or(end.Waiting.Prompt, "paused before "+end.Waiting.Step)) + goOn
	case end.Waiting != nil:
		return "waits at " + sanitize.Plain(end.Waiting.Step) + goOn
	case end.Result == "":
		return r.left() + goOn
	}
	line := string(end.Result)
	if end.Message != "" {
		line += fmt.Sprintf(" %q", sanitize.Plain(end.Message))
	}
	line += " · run " + id
	if end.Result == plan.Cancelled {
		line += goOn
	}
	return line
}

// resumption is the command that goes on with the run.
func (r *runner) resumption() string {
	for _, e := range r.session.Events() {
		if started, ok := e.Body.(*machine.Started); ok {
			return wording.Resume(r.config.Run.ID(), started.SecretInputs())
		}
	}
	return wording.Resume(r.config.Run.ID(), nil)
}

// left says where a run stands that was left in the middle.
func (r *runner) left() string {
	last := r.session.Watch().Take()
	if q := last.Status.Question; q != nil {
		return "waits at " + sanitize.Plain(q.Action.Step)
	}
	if next := last.Status.Next; next != nil {
		return "paused " + next.Held() + " " + sanitize.Plain(next.Step)
	}
	for _, e := range slices.Backward(last.Events) {
		if _, ok := e.Body.(*machine.Entered); ok {
			return "left at " + sanitize.Plain(e.Step)
		}
	}
	return "left at its start"
}
