package main

import (
	"fmt"
	"strings"
	"syscall"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// farewell says on stderr what a person should know of a run that is left.
func (r *runner) farewell(end engine.Ending, sig syscall.Signal) {
	for _, label := range unasked(r.config, end.Result, r.session.Watch().Take().Events) {
		r.note("the answer prepared for %s was not needed", label)
	}
	if len(end.Background) > 0 {
		r.note("ended what steps had left running: %s", strings.Join(end.Background, ", "))
	}
	if r.view != viewScreen && (sig != 0 || end.Result == "" || end.Result == plan.Cancelled) {
		r.note("the run is kept: playhead resume %s goes on with it", r.config.Run.ID())
	}
}

// epitaph is the line that a run leaves on the terminal when the screen is gone.
func (r *runner) epitaph(end engine.Ending) string {
	id := r.config.Run.ID()
	if end.Result == "" || end.Result == plan.Awaiting {
		return r.unfinished(id)
	}
	line := string(end.Result)
	if end.Message != "" {
		line += fmt.Sprintf(" %q", sanitize.Plain(end.Message))
	}
	line += " · run " + id
	if end.Result == plan.Cancelled {
		line += " · go on with: playhead resume " + id
	}
	return line
}

// unfinished says where a run stands that was left in the middle.
func (r *runner) unfinished(id string) string {
	last := r.session.Watch().Take()
	where, verb := "", "left at "
	for _, e := range last.Events {
		if _, ok := e.Body.(*machine.Entered); ok {
			where = e.Step
		}
	}
	switch {
	case last.Status.Question != nil:
		where, verb = last.Status.Question.Action.Step, "waits at "
	case last.Status.Next != nil:
		where, verb = last.Status.Next.Step, "paused before "
	case where == "":
		verb = "left at its start"
	}
	return verb + sanitize.Plain(where) + " · go on with: playhead resume " + id
}
