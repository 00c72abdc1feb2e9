package tui

import "testing"

// TestInterruptBeforeTheRun: before the run begins, only the second ctrl+c quits. Both ctrl+c and the quit dialog say
// that unsent text would be lost.
func TestInterruptBeforeTheRun(t *testing.T) {
	quits := func(sc *testScreen, message string) {
		t.Helper()
		sc.press("ctrl+c")
		sc.want(message)
		if sc.quit {
			t.Fatal("the first ctrl+c quits")
		}
		if sc.press("ctrl+c"); !sc.quit {
			t.Error("the second ctrl+c does not quit")
		}
	}
	p := load(t, "a.runbook.md", twoCommands)
	quits(open(t, p, 80, 24, func(c *Config) { c.IsTrusted = false }), "Press ctrl+c again to quit. Nothing has run yet.")
	quits(open(t, p, 80, 24, func(c *Config) {
		c.IsTrusted, c.ResumedEvents = false, open(t, p, 80, 24).s.events
	}), "Press ctrl+c again to quit. The run is kept.")

	sc := openInputsForm(t, 80, 24)
	quits(sc, "Press ctrl+c again to quit. Nothing has run yet.")
	sc = openInputsForm(t, 80, 24)
	sc.press("tab")
	sc.write("400")
	sc.press("esc", "q")
	sc.want("Quit?", "Your unsent text would be lost. Nothing has run")
	sc.press("esc", "a")
	sc.want("› 400")
	quits(sc, "Press ctrl+c again to quit. Nothing has run yet; unsent text is lost.")
}
