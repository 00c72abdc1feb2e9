package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// reply reports whether the pane shows what a model said, or somebody in its place.
func (o *output) reply() bool { return o.action != nil && o.action.Kind == "model" }

// replied says whose reply it is, and what it cost.
func replied(a *track.Action) string {
	whose := map[string]string{
		machine.ByFile: "reply from file", machine.ByPerson: "reply by a person", "replay": "reply of an earlier run",
	}[a.By]
	facts := []string{whose}
	if whose == "" {
		facts = []string{"reply"}
		if a.Model != "" {
			facts = append(facts, draw.Clean(a.Model))
		}
	}
	switch a.Schema {
	case model.SchemaSent:
		facts = append(facts, "schema sent")
	case model.SchemaInPrompt:
		facts = append(facts, "schema in the prompt")
	}
	if n := a.Used.Out; n > 0 {
		facts = append(facts, draw.Count(n, "token"))
	}
	if cost := a.Used.Money(); cost != "" {
		facts = append(facts, cost)
	}
	if a.Done && a.Took > 0 {
		facts = append(facts, draw.Clock(a.Took))
	}
	return strings.Join(facts, " · ")
}

// flaw is what is wrong with a reply that has ended, painted, or nothing. Of a tool the
// pane itself says it.
func (o *output) flaw(l *look) string {
	switch a := o.action; {
	case a.Error != "" && o.reply():
		return l.Fail.Paint(draw.Clean(a.Error))
	case o.asks == machine.KindResume:
		return l.Warn.Paint("broke off")
	case a.Finish == "length":
		return l.Warn.Paint("cut at the token limit")
	}
	return ""
}

// meanwhile says what a call does of which there is no text yet: it thinks, or
// waits to be made again.
func meanwhile(st engine.Status, now time.Time) string {
	switch n := st.Notice; {
	case n != nil && n.Until.IsZero():
		return draw.Clean(n.Text)
	case n != nil && now.Before(n.Until):
		return draw.Clean(n.Text) + " · " + again(n, now) + ". {now} tries at once, {cancel} cancels."
	case n != nil:
		return draw.Clean(n.Text) + " · trying now."
	case st.Thought > 0:
		return "thinking… " + draw.Count(st.Thought, "word")
	}
	return ""
}

// again says when a call is made again.
func again(n *model.Notice, now time.Time) string {
	return fmt.Sprintf("again in %d s", int((n.Until.Sub(now)+time.Second-1)/time.Second))
}

// silence says why there is nothing of a reply.
func (o *output) silence() string {
	switch {
	case o.asks == machine.KindReply:
		return "A person replies in the model's place. {answer} goes there."
	case len(o.action.Calls) > 0:
		return "The reply has no words: it calls " + draw.Count(len(o.action.Calls), "tool") + "."
	case o.asks != "":
		return "The model is asked when the question is answered. {answer} goes to the question."
	case !o.action.Done && o.notice != "":
		return o.notice
	case !o.action.Done:
		return "Asked. Waiting for the reply to begin."
	case o.action.Error != "":
		return "There is no reply: " + draw.Clean(o.action.Error)
	default:
		return "The reply is empty."
	}
}

// toggleRaw shows texts as they are written, or rendered: those of the pane with
// focus, and of both panes from elsewhere.
func (m *Model) toggleRaw() tea.Cmd {
	raw := !m.detail.raw
	if m.focus == panes.Output || m.focus != panes.Text && m.output.called() {
		raw = !m.output.raw
	}
	if m.focus != panes.Output {
		m.detail.raw = raw
	}
	if m.focus != panes.Text && m.output.called() {
		m.output.raw, m.output.from, m.output.stale = raw, 0, true
	}
	return nil
}
