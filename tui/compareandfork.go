package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/tui/dialog"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/confirm"
	"playhead/tui/request"
	"playhead/tui/screen"
	"playhead/tui/session"
	"playhead/tui/timeline"
)

// otherRuns compares the run with other runs of the document, and forks it.
type otherRuns struct {
	cfg      *Config
	screen   *screen.Screen
	lastLine *lastLine
	timeline *timeline.Timeline
}

func (o otherRuns) cannotCompare() string { return o.lacks(o.cfg.Others != nil) }

func (o otherRuns) cannotFork() string { return o.lacks(o.cfg.Fork != nil) }

func (o otherRuns) lacks(possible bool) string {
	if !possible || len(o.timeline.Events) == 0 {
		return control.NotStarted
	}
	return ""
}

func (o otherRuns) list() tea.Cmd { return comparison.List(o.cfg.Others) }

// compare compares the run with another one.
func (o otherRuns) compare(run string) tea.Cmd {
	o.lastLine.say("Reading run " + run + " …")
	return comparison.Read(o.timeline.Until(), run, o.cfg.Compare)
}

func (o otherRuns) show(msg comparison.Ready) tea.Cmd {
	if msg.Err != nil {
		o.lastLine.say(msg.Err.Error())
		return nil
	}
	o.lastLine.clear()
	o.screen.CloseIdle()
	d, read := comparison.New(msg.Comparison)
	o.screen.Open(d)
	return read
}

// runForkedMsg has the id of a new fork.
type runForkedMsg struct{ run string }

// fork asks for confirmation, then forks the run after the selected event, or after the newest one.
func (o otherRuns) fork() tea.Cmd {
	event, fork := o.timeline.Events[o.timeline.Index()], o.cfg.Fork
	do := func() tea.Msg {
		run, err := fork(event.Seq)
		if err != nil {
			return session.Failed{Err: err}
		}
		return runForkedMsg{run}
	}
	return o.screen.Do(dialog.Open{Dialog: &confirm.Dialog{
		Name: fmt.Sprintf("Fork the run after event %d?", event.Seq),
		Text: "A new run starts with all events up to this one. This run stays as it is.",
		Yes:  []tea.Msg{request.Background{Cmd: do}},
	}})
}
