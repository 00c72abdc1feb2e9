// Package host drives runs in this process and lets other processes join them. An action on a run that
// no process drives is carried out by driving the run here until it needs a person.
package host

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/shell"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// A DrivenRun is a run that this process drives.
type DrivenRun struct {
	*setup.Run
	Guard   drive.TrustGuard // nil: the document is trusted
	Session *engine.Session  // nil before Begin
	server  *service.Server  // serves the run to other processes; nil: they cannot join
}

// Begin creates the session and serves it to other processes. version is Playhead's version. If other processes
// cannot join, the run begins without that, and Begin passes the reason to showNote.
func (r *DrivenRun) Begin(version string, showNote func(text string)) (_ *engine.Session, err error) {
	if r.Session, err = r.Run.Begin(); err != nil {
		return nil, err
	}
	driver := drive.New(r.Session, r.Config.FirstPlan, r.Config.ReplySources)
	driver.SetGuard(r.Guard)
	if r.server, err = service.Serve(r.Session, driver, r.Config.Run.Folder, version); err != nil {
		showNote(err.Error())
	}
	return r.Session, nil
}

// Close ends the service and the processes that the run has started for itself, and releases its
// lock.
func (r *DrivenRun) Close() {
	r.server.Close()
	r.Run.Close()
}

// EventCountBeforeResume returns how many of the session's events were recorded before the run was resumed. They are
// fewer than those of the journal if the run was rewound.
func (r *DrivenRun) EventCountBeforeResume() (n int) {
	for _, e := range r.Session.Events() {
		if e.Seq <= len(r.Config.History) {
			n++
		}
	}
	return n
}

// ResumeCommand returns the command that continues the run.
func (r *DrivenRun) ResumeCommand() string {
	for _, e := range r.Session.Events() {
		if started, ok := e.Body.(*machine.RunStarted); ok {
			return wording.ResumeCommand(r.Config.Run.ID(), started.SecretInputs())
		}
	}
	return wording.ResumeCommand(r.Config.Run.ID(), nil)
}

// ExitMessage returns the line that stays on the terminal when the screen is closed: the result or the position of
// the run, and how to resume it.
func (r *DrivenRun) ExitMessage(end engine.Ending) string {
	id := r.Config.Run.ID()
	goOn := " · resume with: " + r.ResumeCommand()
	switch {
	case end.WaitingFor != nil && end.WaitingFor.Kind == machine.KindPause:
		return wording.PauseText(end.WaitingFor) + goOn
	case end.WaitingFor != nil:
		return "waits at " + sanitize.Plain(end.WaitingFor.Step) + goOn
	case end.Result == "":
		return r.positionText() + goOn
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

// positionText says where the run is. It is for a run that was left before its end.
func (r *DrivenRun) positionText() string {
	last := r.Session.WatchFromStart().Take()
	if q := last.Status.Question; q != nil {
		return "waits at " + sanitize.Plain(q.Action.StepLabel)
	}
	if next := last.Status.NextEvent; next != nil {
		return "paused " + next.PausePreposition() + " " + sanitize.Plain(next.Step)
	}
	for _, e := range slices.Backward(last.Events) {
		if _, ok := e.Body.(*machine.StepEntered); ok {
			return "quit at " + sanitize.Plain(e.Step)
		}
	}
	return "quit before the first step"
}

// PrepareExit returns what a person should know about a run that they leave. It ends leftover processes if that was
// requested, unless the run can continue with them.
func (r *DrivenRun) PrepareExit(end engine.Ending) (notes []string) {
	for _, label := range setup.UnusedAnswers(r.Config, end.Result, r.Session.Events()) {
		notes = append(notes, fmt.Sprintf("the prepared answer for %s was not used", label))
	}
	if len(end.EndedProcesses) > 0 {
		notes = append(notes, shell.EndedLeftoversText(strings.Join(end.EndedProcesses, ", ")))
	}
	leftovers := shell.AliveLeftovers(end.Leftovers)
	switch {
	case len(leftovers) == 0:
	case r.EndsLeftovers() && end.Result.IsFinal():
		notes = append(notes, shell.EndLeftoversAndReport(leftovers))
	default:
		notes = append(notes, fmt.Sprintf("leftover processes: %s; to end them, use %s (--end-leftovers ends them after a run)", shell.LeftoverNamesText(leftovers), shell.LeftoverKillCommand(leftovers)))
	}
	return notes
}

// LeftoversQuestion returns the question whether to end leftover processes after the run, and what a yes
// does. The question is empty if nothing is left, or if leftovers end anyway.
func (r *DrivenRun) LeftoversQuestion(end engine.Ending) (question string, yes func() string) {
	if leftovers := shell.AliveLeftovers(end.Leftovers); len(leftovers) > 0 && end.Result.IsFinal() && !r.EndsLeftovers() {
		return "Leftover processes: " + shell.LeftoverNamesText(leftovers) + ". End them?", func() string { return shell.EndLeftoversAndReport(leftovers) }
	}
	return "", nil
}
