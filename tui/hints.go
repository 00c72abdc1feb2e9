package tui

import (
	"slices"
	"strings"

	"playhead/engine"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"

	tea "charm.land/bubbletea/v2"
)

// hints are the keys to offer, the likeliest first.
func (m *Model) hints() []draw.Hint {
	switch {
	case m.output.IsTyping():
		return []draw.Hint{{Key: keymap.EndTyping, Text: "ends typing: every other key goes to the command"}}
	case m.search.Editing:
		return []draw.Hint{m.look.Press("accept", "keep"), m.look.Press("close", "forget")}
	case m.focus == panes.Dialog && m.top() != nil:
		return m.top().Hints(m.view())
	}
	if m.isPrompted() {
		return append(m.typeHint(), m.paneHints()...)
	}
	return m.paneHints()
}

// typeHint is how to type into the command that waits for it, from the pane with focus.
func (m *Model) typeHint() []draw.Hint {
	if m.focus == panes.Why { // where enter goes back to an event
		return []draw.Hint{m.look.Press("output", m.look.Keys.Text("{type} type"))}
	}
	return []draw.Hint{m.look.Press("type", "type")}
}

// paneHints are the hints of a search in the pane, of the pane and of the run's state.
func (m *Model) paneHints() []draw.Hint {
	if m.isSearching() {
		found := append(m.hintsOf("next-match", "previous-match"), m.look.Press("back", "forget"))
		return append(found, m.runHints()...)
	}
	if m.timeline.IsPast() {
		return append([]draw.Hint{m.look.UpDown("look back"), m.look.Press("back", "now")}, m.runHints()...)
	}
	return m.runHints()
}

// runHints are the hints of the pane and of the run's state.
func (m *Model) runHints() []draw.Hint {
	lead, more := m.stateActions()
	if m.timeline.IsPast() {
		lead, more = nil, nil
	}
	return m.hintsOf(append(append(lead, m.paneActions()...), append(more, "output", "why", "next-pane")...)...)
}

// lastHints are the keys that are offered at the end, whatever else there is room for.
func (m *Model) lastHints() []draw.Hint {
	if m.isWriting() {
		return nil
	}
	if m.focus == panes.Dialog {
		own, has := m.top().(dialog.OwnKeys)
		if has && own.HasOwnKeys() || isWriter(m.top()) {
			return nil
		}
	}
	return m.hintsOf("quit", "help")
}

// hintsOf are the hints of the named actions that make sense now.
func (m *Model) hintsOf(names ...string) []draw.Hint {
	var out []draw.Hint
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue // the pane is for what the run's state calls for, too
		}
		a := keymap.Named(name)
		pane := worksIn(a, m.focus)
		if pane && m.unavailable(a) == "" && !m.isNeedless(name) {
			out = append(out, m.look.Press(a.Name, m.label(a)))
		}
	}
	return out
}

// stateActions names the actions that the run's state calls for: what it calls for
// first, and the rest.
func (m *Model) stateActions() (lead, more []string) {
	if m.replays() {
		return []string{"pause", "continue", "over", "undo"}, []string{"redo", "jump", "faster", "slower", "history", "summary"}
	}
	switch m.status.State {
	case engine.Running:
		if m.replying() {
			return []string{"now", "by-hand", "cancel"}, []string{"pause", "continue", "approvals", "source"}
		}
		return nil, []string{"pause", "cancel", "continue", "approvals", "source"}
	case engine.Paused:
		if m.view().LooksBefore() {
			return []string{"continue", "over", "pass", "fail"}, []string{"into", "out", "run-to", "again", "skip", "jump", "by-hand", "source"}
		}
		return []string{"continue", "over"}, []string{"into", "out", "run-to", "pass", "again", "skip", "jump", "by-hand", "source"}
	case engine.Waits:
		return []string{"answer", "pass", "fail"}, []string{"again", "skip", "jump", "approvals", "source"}
	}
	if m.timeline.Shown.EndedAtFailure() {
		return []string{"answer", "again", "pass", "skip"}, []string{"source", "by-hand", "jump", "summary", "compare", "export"}
	}
	return []string{"answer"}, []string{"again", "jump", "summary", "compare", "export"}
}

// paneActions names the actions that the pane with focus is for.
func (m *Model) paneActions() []string {
	if shown := m.pane(m.focus); shown != nil {
		return shown.Actions()
	}
	return nil
}

// isNeedless reports whether an action would change nothing, or is not what one wants here: where
// the run is, it would be run past.
func (m *Model) isNeedless(name string) bool {
	switch name {
	case "pause", "continue":
		return m.replays() && (name == "pause") == (m.status.State == engine.Paused)
	case "type":
		return m.isPrompted() // offered already
	case "jump", "run-to":
		return m.steps.Selected() == m.steps.At()
	case "output":
		return m.focus == panes.Output || m.focus == panes.Why && m.isPrompted()
	case "why":
		return m.focus == panes.Why
	}
	return false
}

// label is what an action does now. Where it acts on a step, that is named: the
// one the run is at need not be the one that is looked at.
func (m *Model) label(a *keymap.Action) string {
	if m.replays() {
		if word := replayLabels[a.Name]; word != "" {
			return word
		}
	}
	switch a.Name {
	case "pass", "fail":
		if q := m.question; q != nil {
			return q.Value(a.Name) + " " + draw.ShortLabel(m.view().Subject(), draw.HintLabel)
		}
		return a.Short + " " + draw.ShortLabel(m.view().OutcomeStep(), draw.HintLabel)
	case "by-hand":
		if m.status.Own {
			return "not by hand"
		}
	case "output":
		if m.output.IsQuiet(m.view()) {
			return m.look.Keys.Text("{type} type") // it may wait for that, and says nothing
		}
	case "skip":
		return a.Short + " " + draw.ShortLabel(m.view().Subject(), draw.HintLabel)
	case "again":
		return a.Short + " " + draw.ShortLabel(m.view().StepToRepeat().Label, draw.HintLabel)
	case "jump":
		return a.Short + " to " + draw.ShortLabel(m.steps.Selected().Label, draw.HintLabel)
	}
	for p := panes.Tree; p <= panes.Why; p++ {
		if label := m.pane(p).Label(a.Name); label != "" && (a.In == keymap.Anywhere && a.Name != "raw" || p == m.focus) {
			return label
		}
	}
	return a.Short
}

// effect is what an action does now, in a few words; "" where it makes no sense.
func (m *Model) effect(a *keymap.Action) string {
	if m.unavailable(a) != "" {
		return ""
	}
	if label := m.label(a); label != a.Short {
		return label
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(a.Help, ";", ","), ",")
	return first
}

// hintOf is what a dialog says that a key does. What is typed into it is not said.
func (m *Model) hintOf(c dialog.Dialog, k tea.KeyPressMsg) string {
	if isWriter(c) && k.Text != "" {
		return ""
	}
	for _, h := range c.Hints(m.view()) {
		if h.Key == keymap.Shown(k.String()) {
			return h.Text
		}
	}
	return ""
}
