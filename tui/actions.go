package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/tui/panes"
)

// action is one thing a person can do. Keys, help and the last line all come from
// the table of actions.
type action struct {
	name  string // stable: what a key is bound to
	keys  []string
	short string // on the last line
	help  string
	group string
	in    map[panes.Pane]bool // where it works; nil: everywhere
	not   func(*Model) string // why it makes no sense now; "" when it does
	do    func(*Model) tea.Cmd
}

func in(where ...panes.Pane) map[panes.Pane]bool {
	set := map[panes.Pane]bool{}
	for _, p := range where {
		set[p] = true
	}
	return set
}

// actions is the table, in the order of the help. It is filled by init, since
// help shows it.
var actions []action

func init() {
	actions = slices.Concat(moving(), running(), deciding(), replies(), looking(), others())
}

func moving() []action {
	const group = "move"
	return []action{
		{name: "up", keys: []string{"up", "k"}, help: "line up", group: group, do: step(-1)},
		{name: "down", keys: []string{"down", "j"}, help: "line down", group: group, do: step(1)},
		{name: "page-up", keys: []string{"pgup", "ctrl+b"}, help: "page up", group: group, do: page(-1)},
		{name: "page-down", keys: []string{"pgdown", "ctrl+f"}, help: "page down", group: group, do: page(1)},
		{name: "first", keys: []string{"g", "home"}, help: "to the start", group: group, do: end(-1)},
		{name: "last", keys: []string{"G", "end"}, short: "follow", help: "to the end; follow it", group: group, do: end(1)},
		{name: "left", keys: []string{"left", "h"}, help: "fold; output: left", group: group, do: sideways(-1)},
		{name: "right", keys: []string{"right", "l"}, help: "unfold; output: right", group: group, do: sideways(1)},
		{name: "next-pane", keys: []string{"tab"}, short: "pane", help: "next pane", group: group, do: turn(1)},
		{name: "previous-pane", keys: []string{"shift+tab"}, help: "previous pane", group: group, do: turn(-1)},
		{name: "steps", keys: []string{"1"}, help: "the steps", group: group, do: focusOn(panes.Tree)},
		{name: "text", keys: []string{"2"}, help: "the step's text", group: group, do: focusOn(panes.Text)},
		{name: "output", keys: []string{"3"}, short: "output", help: "its output", group: group, do: focusOn(panes.Output)},
		{name: "why", keys: []string{"4"}, short: "why", help: "why the run went there", group: group, do: focusOn(panes.Why)},
		{name: "go-to", keys: []string{"'", "ctrl+g"}, short: "go to", help: "to any step, by name", group: group, not: notSteps, do: (*Model).goTo},
		{name: "open", keys: []string{"enter"}, short: "open", help: "fold, or to the output", group: group, in: in(panes.Tree, panes.Text), do: (*Model).enter},
		{name: "back", keys: []string{"esc"}, help: "to where the run is", group: group, do: (*Model).escape},
	}
}

func running() []action {
	const group = "run"
	return []action{
		{name: "continue", keys: []string{"c"}, short: "continue", help: "continue until a person is needed", group: group, not: notGoing, do: (*Model).goOn},
		{name: "over", keys: []string{"n"}, short: "step", help: "one step, over includes", group: group, not: notPaused, do: (*Model).stepOver},
		{name: "into", keys: []string{"i"}, short: "into", help: "one step, into includes", group: group, not: notPaused, do: (*Model).stepInto},
		{name: "out", keys: []string{"o"}, short: "out", help: "to the end of the group", group: group, not: notPaused, do: (*Model).stepOut},
		{name: "pause", keys: []string{"space"}, short: "pause", help: "pause, or continue", group: group, not: notLive, do: (*Model).pause},
		{name: "run-to", keys: []string{"."}, short: "to here", help: "run to the selected step", group: group, not: notReachable, do: (*Model).runTo},
		{name: "break", keys: []string{"b"}, short: "break", help: "set or clear a breakpoint", group: group, not: notBreakable, do: (*Model).toggleBreak},
		{name: "breaks", keys: []string{"B"}, help: "edit the breakpoints", group: group, do: (*Model).listBreaks},
		{name: "slower", keys: []string{"<"}, short: "slower", help: "replay slower", group: group, not: notReplayed, do: speed(-1)},
		{name: "faster", keys: []string{">"}, short: "faster", help: "replay faster", group: group, not: notReplayed, do: speed(1)},
		{name: "cancel", keys: []string{"ctrl+c"}, short: "cancel", help: "cancel; twice quits", group: group, do: (*Model).cancel},
	}
}

func deciding() []action {
	const group = "decide"
	return []action{
		{name: "answer", keys: []string{"a"}, short: "answer", help: "to the open question", group: group, not: notAsked, do: (*Model).goToQuestion},
		{name: "pass", keys: []string{"p"}, short: "pass", help: "answer or set to pass", group: group, not: notSet(track.Passed), do: decide("pass")},
		{name: "fail", keys: []string{"f"}, short: "fail", help: "answer or set to fail", group: group, not: notSet(track.Failed), do: decide("fail")},
		{name: "pass-note", keys: []string{"P"}, help: "pass, with a note", group: group, not: notSet(track.Passed), do: decisionNoted("pass")},
		{name: "fail-note", keys: []string{"F"}, help: "fail, with a note", group: group, not: notSet(track.Failed), do: decisionNoted("fail")},
		{name: "again", keys: []string{"r"}, short: "again", help: "run a step again", group: group, not: notRepeatable, do: (*Model).again},
		{name: "skip", keys: []string{"s"}, short: "skip", help: "skip: no outcome", group: group, not: notSkippable, do: (*Model).skip},
		{name: "undo", keys: []string{"u"}, short: "undo", help: "undo what you did last", group: group, not: notBegun, do: (*Model).undo},
		{name: "redo", keys: []string{"U"}, short: "redo", help: "redo what was undone", group: group, not: notBegun, do: (*Model).redo},
		{name: "rewind", keys: []string{"enter"}, short: "go back here", help: "go back to the selected event", group: group, in: in(panes.Why), not: notRewindable, do: (*Model).rewind},
		{name: "approvals", keys: []string{"Y"}, short: "approvals", help: "when to ask before tool calls", group: group, not: notApproving, do: (*Model).approvals},
		{name: "fork", keys: []string{"K"}, short: "fork", help: "fork the run from here", group: group, not: notForkable, do: (*Model).forkHere},
		{name: "jump", keys: []string{"J"}, short: "jump", help: "to the selected step", group: group, not: notJumpable, do: (*Model).jump},
	}
}

func replies() []action {
	const group = "reply"
	return []action{
		{name: "source", keys: []string{"S"}, short: "source", help: "where replies come from", group: group, not: notSourced, do: (*Model).chooseSource},
		{name: "by-hand", keys: []string{"H"}, short: "by hand", help: "reply yourself, or stop", group: group, not: notByHand, do: (*Model).byHand},
		{name: "now", keys: []string{"N"}, short: "try now", help: "retry a call at once", group: group, not: notPutOff, do: (*Model).tryNow},
		{name: "reasoning", keys: []string{"I"}, short: "reasoning", help: "the reasoning of a reply", group: group, not: notReasoned, do: (*Model).openReasoning},
	}
}

func looking() []action {
	const group = "look"
	return []action{
		{name: "find", keys: []string{"/"}, short: "find", help: "find here, any case", group: group, not: notFindable, do: (*Model).find},
		{name: "next-match", keys: []string{"]"}, short: "next", help: "next match", group: group, not: notSearched, do: match(1)},
		{name: "previous-match", keys: []string{"["}, short: "previous", help: "previous match", group: group, not: notSearched, do: match(-1)},
		{name: "next-call", keys: []string{"}"}, short: "next call", help: "open the next reply or call", group: group, not: notListed, do: call(1)},
		{name: "previous-call", keys: []string{"{"}, short: "previous call", help: "open the one before", group: group, not: notListed, do: call(-1)},
		{name: "type", keys: []string{"enter"}, short: "type into it", help: "type into it until ctrl+]", group: group, in: in(panes.Output), not: notTypable, do: (*Model).beginTyping},
		{name: "values", keys: []string{"v"}, short: "values", help: "values and environment", group: group, do: sheetOf(values)},
		{name: "summary", keys: []string{"A"}, short: "summary", help: "how the run ended, its output", group: group, not: notOver, do: (*Model).showSummary},
		{name: "edit", keys: []string{"e"}, short: "edit", help: "change a step, or a value", group: group, not: notEditable, do: (*Model).edit},
		{name: "write-back", keys: []string{"D"}, short: "into the document", help: "write an edit into the document", group: group, not: notWritable, do: (*Model).draft},
		{name: "what-if", keys: []string{"w"}, short: "what if", help: "ask what if", group: group, not: notForked, do: (*Model).askWhatIf},
		{name: "compare", keys: []string{"d"}, short: "compare", help: "compare with another run", group: group, not: notComparable, do: (*Model).askWith},
		{name: "history", keys: []string{"t"}, short: "timeline", help: "timeline; look back", group: group, do: sheetOf(history)},
		{name: "map", keys: []string{"m"}, short: "map", help: "map of the routes", group: group, not: notMapped, do: (*Model).openMap},
		{name: "coverage", keys: []string{"C"}, short: "coverage", help: "mark routes never taken", group: group, not: notCovered, do: (*Model).cover},
		{name: "zoom", keys: []string{"z"}, short: "zoom", help: "the pane alone, or all", group: group, do: (*Model).toggleZoom},
		{name: "split-left", keys: []string{"ctrl+left", "alt+left"}, help: "narrower steps", group: group, not: notAside, do: moveAside(-1)},
		{name: "split-right", keys: []string{"ctrl+right", "alt+right"}, help: "wider steps", group: group, not: notAside, do: moveAside(1)},
		{name: "split-up", keys: []string{"ctrl+up", "alt+up"}, help: "less text, or more of why", group: group, not: notLevel, do: moveDown(-1)},
		{name: "split-down", keys: []string{"ctrl+down", "alt+down"}, help: "more text, or less of why", group: group, not: notLevel, do: moveDown(1)},
		{name: "hide", keys: []string{"-"}, help: "hide the pane", group: group, not: notHideable, do: (*Model).hide},
		{name: "usual-layout", keys: []string{"="}, help: "reset the panes", group: group, do: (*Model).asUsual},
		{name: "present", keys: []string{"V"}, short: "present", help: "present: one large pane", group: group, do: (*Model).toggleStage},
		{name: "wrap", keys: []string{"W"}, short: "wrap", help: "wrap long lines", group: group, do: (*Model).toggleWrap},
		{name: "raw", keys: []string{"M"}, short: "raw", help: "the text as written", group: group, do: (*Model).toggleRaw},
	}
}

func others() []action {
	const group = "else"
	return []action{
		{name: "copy", keys: []string{"y"}, short: "copy", help: "copy what is selected", group: group, not: notCopyable, do: (*Model).copy},
		{name: "outside", keys: []string{"E"}, short: "open outside", help: "a copy in $EDITOR or $PAGER", group: group, not: notOpenable, do: (*Model).openOutside},
		{name: "export", keys: []string{"x"}, short: "export", help: "save output or report", group: group, not: notExported, do: (*Model).export},
		{name: "end-leftovers", keys: []string{"X"}, short: "end what was left", help: "end what steps left running", group: group, not: notLeft, do: (*Model).endLeftovers},
		{name: "theme", keys: []string{"ctrl+t"}, short: "theme", help: "try another theme", group: group, not: notThemed, do: (*Model).chooseTheme},
		{name: "palette", keys: []string{":", "ctrl+p"}, short: "actions", help: "every action, by name", group: group, do: (*Model).palette},
		{name: "help", keys: []string{"?"}, short: "help", help: "the keys", group: group, do: (*Model).help},
		{name: "suspend", keys: []string{"ctrl+z"}, short: "to the shell", help: "back to the shell; fg returns", group: group, do: (*Model).suspend},
		{name: "quit", keys: []string{"q"}, short: "quit", help: "quit; the run is kept", group: group, do: (*Model).quit},
	}
}

// actionNamed finds an action of the table.
func actionNamed(name string) *action {
	for i := range actions {
		if actions[i].name == name {
			return &actions[i]
		}
	}
	return nil
}

// act does an action, or says why it makes no sense now.
func (m *Model) act(a *action) tea.Cmd {
	if why := a.senseless(m); why != "" {
		m.refuse(a, why)
		return nil
	}
	return a.do(m)
}

// senseless is why an action makes no sense now, "" when it does. What acts on the
// run acts on it as it is.
func (a *action) senseless(m *Model) string {
	if m.past() && (a.group == "run" || a.group == "decide") && a.name != "rewind" && a.name != "fork" {
		return m.look.keys.said("This is how the run was: {back} goes back to now.")
	}
	if m.replays() {
		switch why, ok := a.unplayable(m); {
		case why != "":
			return m.look.keys.first(a) + " " + m.look.keys.said(why)
		case ok:
			return ""
		}
	}
	if a.not != nil {
		if why := a.not(m); why != "" {
			return m.look.keys.first(a) + " " + m.look.keys.said(why)
		}
	}
	return ""
}

// refuse says why an action makes no sense now. What is typed behind a key that
// opens a line is text, and no key: it is dropped.
func (m *Model) refuse(a *action, why string) {
	if a.name == "find" {
		m.hush(briefLull, why)
		return
	}
	m.say(why)
}
