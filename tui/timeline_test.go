package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/layout"
)

// TestTimeline: the whole screen shows the moment of the selected event. esc returns to now, and enter rewinds to
// the event.
func TestTimeline(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "t", "4")
	sc.want("TIMELINE", "▌ ")
	for range 6 {
		sc.press("up")
	}
	sc.want("as of event")
	if sc.m.timeline.ShownTrack == sc.m.timeline.LiveTrack {
		t.Fatal("the screen shows the present")
	}
	sc.press("g")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Status != track.Pending {
		t.Errorf("before anything happened 1 is %s", r.Status)
	}
	sc.press("p")
	sc.want("You are viewing an earlier moment. Press esc to return to now.")
	sc.press("enter")
	sc.want("Rewind to the start?", "The run pauses there, or waits for the answer if a question is open. No command")
	sc.press("y")
	if len(sc.s.rewound) != 1 || sc.s.rewound[0] != 1 {
		t.Errorf("rewound %v", sc.s.rewound)
	}
	sc.press("t", "t", "4", "up", "esc")
	sc.wantNot("as of event")
}

// TestLookingBackKeepsFolds: while an earlier moment shows, folded steps stay folded, and new events appear when
// the person returns to now.
func TestLookingBackKeepsFolds(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "1", "g", "j", "j", "h", "t", "4", "up", "up")
	sc.want("▸ if severity", "as of event")
	sc.press("a")
	sc.want("You are viewing an earlier moment")
	sc.press("esc", "a")
	sc.write("Bo")
	sc.press("enter")
	sc.want("▸ if severity")
	sc.wantNot("as of event")
}

// TestLookingBackStandsStill: at an earlier moment, clocks show the time then, the spinner stands still, and what
// runs now and its output do not show.
func TestLookingBackStandsStill(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n- PASS: RETRY 3\n```sh\nmake\n```\n"), 120, 40)
	sc.run(0, 5*time.Second, "made once")
	sc.s.print("made twice")
	sc.press("t", "4", "up", "up", "up", "up")
	sc.want("as of event 4", "made once")
	sc.wantNot("made twice")
	sc.press("up")
	sc.want("as of event 3", "00:00")
	before, ticks := sc.frame(), sc.ticks
	sc.clock = sc.clock.Add(time.Minute)
	sc.send(spinnerTickMsg{})
	if got := sc.frame(); got != before || sc.ticks != ticks {
		t.Errorf("after a minute, and %d ticks, it shows\n%s", sc.ticks-ticks, got)
	}
	sc.press("esc")
	sc.want("01:0", "made twice")
	if sc.ticks == ticks {
		t.Error("the spinner does not turn again")
	}
}

// TestRewindToCommand: at the start of a command, the timeline and the confirmation say that the run rewinds
// to before it. The confirmation adds that the command runs again, and what is not undone.
func TestRewindToCommand(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Two\n```sh\nmake check\n```\n"), 120, 40)
	sc.run(0, time.Second)
	sc.press("t", "4", "g", "down", "down")
	sc.want("command started · press enter to rewind to before this")
	sc.press("enter")
	sc.want("Rewind to just before this event?", "Event: step 1 (command started).", "the command or call runs again", "These effects are not undone:", "  1 make ", "  2 make check ")
}

// TestTimelineByMouse: a click selects an event, and dragging moves through the timeline.
func TestTimelineByMouse(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "t")
	box := sc.m.screen.Layout.PaneRects[layout.WhyPane]
	at := tea.Mouse{X: box.X + 5, Y: box.Y + 2, Button: tea.MouseLeft}
	clicked := strings.TrimSpace(strings.Split(strings.Split(sc.frame(), "\n")[at.Y], "│")[2])
	sc.send(tea.MouseClickMsg(at))
	selected := sc.m.timeline.ShownEventIndex
	want := selected()
	if !strings.Contains(sc.frame(), "▌ "+clicked) || !sc.m.timeline.ShowsEarlierMoment() {
		t.Errorf("event %d is selected, not the one that was clicked", want)
	}
	at.Y = sc.m.screen.Layout.PaneRects[layout.WhyPane].Y // the pane moved down to give the text and output more lines
	sc.send(tea.MouseMotionMsg(at))
	if selected() != want-2 {
		t.Errorf("dragged to %d, want %d", selected(), want-2)
	}
	at.Button = tea.MouseNone
	at.Y++
	sc.send(tea.MouseMotionMsg(at))
	if selected() != want-2 {
		t.Error("the selection moves without the button")
	}
}

// TestRewindToTheStart: after a rewind to before the first step, that step is selected.
func TestRewindToTheStart(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.send(engine.Update{Events: sc.s.events[:1], IsRestarted: true, Status: engine.Status{State: engine.Paused}})
	if r := sc.m.screen.Steps.SelectedRow(); r == nil || r.Label != "1" {
		t.Errorf("selected is %+v", r)
	}
}

// TestEditedAfterTheEnd: an edit after the end of a run shows in the summary at once.
func TestEditedAfterTheEnd(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n"), 120, 40)
	sc.run(0, time.Second)
	sc.want("completed")
	if err := sc.s.EditAction("1", 0, "make all"); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.want("[1] 1 One", "edited by a person")
}

// TestTimelineLineEnds: a value of several lines takes one row, which marks the line ends.
func TestTimelineLineEnds(t *testing.T) {
	sc := open(t, playbookOf(t, "a.playbook.md", "# A\n\n## STEP 1: Ask\n\n@elicit(input, \"What?\")\n\n## STEP 2: Pick\n\n@elicit(confirm, \"Yes?\")\n"), 120, 40)
	sc.send(tea.PasteMsg{Content: "one\ntwo\n\nthree"})
	sc.press("ctrl+s", "esc", "t")
	sc.want("__elicit_step_1 = one ↵ two ↵  ↵ three")
}
