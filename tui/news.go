package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// callBack tells a person who looks elsewhere what has come since a status, if it is worth it.
func (m *Model) callBack(was engine.Status, u engine.Update) tea.Cmd {
	if !m.away || m.replays() {
		return nil
	}
	news := m.news(was, u.Status)
	if news == "" && !u.Anew {
		news = m.longStep(u.Events)
	}
	if sequence := m.cfg.Notify.Sequence(news); news != "" && sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// news is what a change of the run's state says to a person, "" for nothing.
func (m *Model) news(was, now engine.Status) string {
	switch {
	case now.State == engine.Waits && (was.Question == nil || was.Question.Action != now.Question.Action):
		return m.nameOf(now.Question.Action.Step) + " waits for you"
	case now.State == engine.Paused && was.State == engine.Running && now.Next != nil && !m.stepping:
		return "paused " + now.Next.Held() + " " + m.nameOf(now.Next.Step)
	case now.State == engine.Over && was.State == engine.Running && m.timeline.Live.Finished != nil && m.timeline.Live.Elapsed(m.now) >= m.cfg.NotifyAfter:
		return m.file() + " " + strings.ReplaceAll(string(m.timeline.Live.Finished.Result), "_", " ")
	}
	return ""
}

// longStep is the last step of some events that took long and has ended just now.
func (m *Model) longStep(events []machine.Event) (news string) {
	for _, e := range events {
		r := m.timeline.Live.Row(e.Step)
		end, ended := e.Body.(*machine.StepFinished)
		if !ended || r == nil || !r.Unit() {
			continue
		}
		took := r.Before(e.Seq).Took // it may run again by now
		if took >= m.cfg.NotifyAfter && m.now.Sub(e.Time) < m.cfg.NotifyAfter {
			news = draw.StepName(r) + ": " + string(end.Result) + " after " + draw.Clock(took)
		}
	}
	return news
}

// nameOf is a step as people know it.
func (m *Model) nameOf(label string) string {
	if r := m.timeline.Live.Row(label); r != nil {
		return draw.StepName(r)
	}
	return draw.Clean(label)
}

// bar is how far the run is, for terminals that show it beside their name. A run that is
// completed has none.
func (m *Model) bar() *tea.ProgressBar {
	if !m.cfg.Notify.Bar || m.session == nil || m.replays() {
		return nil
	}
	done, total := m.timeline.Live.Progress()
	value := 100 * done / max(1, total)
	switch end := m.timeline.Live.Finished; {
	case end != nil && (end.Result == plan.RunFailed || end.Result == plan.Stopped):
		return tea.NewProgressBar(tea.ProgressBarError, value)
	case end != nil || m.status.State == engine.Over:
		return nil
	case m.status.State != engine.Running:
		return tea.NewProgressBar(tea.ProgressBarWarning, value)
	case total == 0:
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	return tea.NewProgressBar(tea.ProgressBarDefault, value)
}
