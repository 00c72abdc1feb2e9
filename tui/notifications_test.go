package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/notify"
)

// openWithNotifications opens a document with notifications on. It also returns the control sequences sent to the
// terminal besides the screen.
func openWithNotifications(t *testing.T, document string) (*testScreen, *[]string) {
	t.Helper()
	var sent []string
	none := func(string) string { return "" }
	sc := open(t, load(t, "release.runbook.md", document), 80, 24, func(c *Config) {
		c.Notifier, c.NotifyAfter = notify.NewNotifier(notify.OSC9, none), 10*time.Second
	})
	sc.raw = func(s string) { sent = append(sent, s) }
	return sc, &sent
}

// TestNotifications: a person who looks away from the terminal is notified when a long step ends and when the run waits
// for them. A person who looks at the terminal is not.
func TestNotifications(t *testing.T) {
	sc, sent := openWithNotifications(t, releaseDoc)
	if !sc.m.View().ReportFocus {
		t.Error("the terminal is not asked to report its focus")
	}
	sc.run(0, 20*time.Second, "/usr/bin/tar")
	sc.send(tea.BlurMsg{})
	sc.run(0, 9*time.Second, "30298176")
	if len(*sent) > 0 {
		t.Errorf("sent %q, want nothing", *sent)
	}
	sc.run(1, 12*time.Second, "reset by peer")
	sc.run(0, time.Second, "pushed")
	sc.send(tea.FocusMsg{})
	sc.press("p")
	want := "\x1b]9;Playhead: 2 Push: fail after 12s\a\x1b]9;Playhead: 3 Approve is waiting for you\a"
	if got := strings.Join(*sent, ""); got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// TestNotificationsOfPausesAndEnds: a person is notified when the run pauses by itself, and when it ends.
func TestNotificationsOfPausesAndEnds(t *testing.T) {
	sc, sent := openWithNotifications(t, "## 1. A\n```sh\na\n```\n## 2. \x1b]0;x\x07B\n```sh\nb\n```\n")
	sc.send(tea.BlurMsg{})
	sc.press("j", "b")
	sc.run(0, time.Second)
	sc.press("c")
	sc.run(0, 11*time.Second)
	want := "\x1b]9;Playhead: paused before 2 \\x1b]0;x\\aB\a\x1b]9;Playhead: release.runbook.md completed\a"
	if got := strings.Join(*sent, ""); got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// TestTerminalProgressBar: the terminal's own progress bar shows the progress of the run.
func TestTerminalProgressBar(t *testing.T) {
	sc, _ := openWithNotifications(t, releaseDoc)
	wants := func(state tea.ProgressBarState, value int) {
		t.Helper()
		switch b := sc.m.View().ProgressBar; {
		case b == nil:
			t.Error("there is no bar")
		case b.State != state || b.Value != value:
			t.Errorf("the bar is %v", *b)
		}
	}
	wants(tea.ProgressBarDefault, 0)
	sc.run(0, time.Second, "/usr/bin/tar")
	wants(tea.ProgressBarDefault, 25)
	sc.run(0, time.Second, "30298176")
	sc.run(0, time.Second, "pushed")
	wants(tea.ProgressBarWarning, 75)
	sc.press("p")
	if b := sc.m.View().ProgressBar; b != nil {
		t.Errorf("a completed run has a progress bar: %v", *b)
	}
	sc, _ = openWithNotifications(t, releaseDoc)
	sc.run(1, time.Second, "gone")
	wants(tea.ProgressBarError, 25)
}
