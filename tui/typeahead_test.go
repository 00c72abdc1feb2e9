package tui

import (
	"testing"

	"playhead/engine"
	"playhead/tui/terminal"
)

// TestKeysBeforeTheRunIsReady: keys typed before the run is ready act in order once it is ready. Keys after an answer
// are ignored.
func TestKeysBeforeTheRunIsReady(t *testing.T) {
	between := func(keys ...string) *testScreen {
		sc := open(t, load(t, "a.runbook.md", "## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Really?\n- YES: COMPLETE\n- NO: STOP\n"),
			80, 24, func(c *Config) { c.IsTrusted = false })
		sc.pause()
		_, begin := sc.m.Update(terminal.KeyPress("y"))
		sc.press(keys...)
		sc.m.Update(begin())
		sc.m.Update(engine.Update{Status: engine.Status{State: engine.Running}}) // the question is not open yet
		sc.sync()
		return sc
	}

	sc := between()
	sc.want("waits for you", "0/2 done")
	sc = between("p")
	sc.want("waits for you", "1/2 done")
	sc = between("f", "q")
	sc.want("stopped")
	if sc.quit {
		t.Error("the rest of a typed answer quits")
	}

	sc = between("ctrl+c")
	if !sc.quit {
		t.Error("ctrl+c does not quit at once")
	}
}
