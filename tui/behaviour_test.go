package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
)

func TestAKeyThatMakesNoSenseSaysWhy(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	for key, why := range map[string]string{
		"n": "space pauses", "c": "going on already", "a": "no open question", "]": "/ finds first", "x": "? lists the keys",
	} {
		sc.press(key)
		sc.want(why)
	}
	sc.press("down")
	sc.wantNot("? lists the keys")
}

func TestEscKeepsWhatWasTyped(t *testing.T) {
	sc := waiting(t, 120, 40)
	sc.press("n")
	sc.write("looks good")
	sc.press("enter")
	sc.want("note: looks good")
	sc.press("esc")
	sc.want("a goes back to the question", "WHY 3")
	sc.press("a")
	sc.want("note: looks good")
	sc.press("p")
	last := sc.s.events[len(sc.s.events)-4:]
	if e := last[0]; e.Reason != "looks good" || e.By != "person" {
		t.Errorf("answered %+v", e)
	}
	sc.want("✓ completed · “approved”")
}

func TestAnswers(t *testing.T) {
	for key, path := range map[string]string{"p": "3", "y": "3", "f": "Rollback"} {
		sc := waiting(t, 80, 24)
		sc.press(key)
		if got := sc.m.track.Path[len(sc.m.track.Path)-1]; got != path {
			t.Errorf("%s leads to %s, want %s", key, got, path)
		}
	}
}

func TestQuitAsksWhileACommandRuns(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("q")
	sc.want("Quit?", "resume 7f3a goes on with it")
	sc.press("n")
	if sc.quit {
		t.Fatal("n is no")
	}
	sc.press("q", "y")
	if !sc.quit {
		t.Error("y quits")
	}
	sc = waiting(t, 120, 40)
	sc.press("q")
	if !sc.quit {
		t.Error("where nothing runs there is nothing to ask")
	}
}

func TestCancelTwiceQuits(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("ctrl+c")
	sc.want("The command did not come to its end", "r rerun")
	sc.press("r")
	if sc.s.running == nil {
		t.Fatal("rerun runs it again")
	}
	sc.press("esc", "ctrl+c", "ctrl+c")
	if !sc.quit {
		t.Error("the second ctrl+c quits")
	}
}

func TestAnInterventionAsksWhileACommandRuns(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("p")
	sc.want("Set 1.1 to pass?", "is ended first")
	sc.press("y")
	if r := sc.m.track.Row("1.1"); !r.Forced || r.Status != track.Passed {
		t.Errorf("1.1 is %s, forced %v", r.Status, r.Forced)
	}
}

func TestStepping(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("space")
	sc.run(0, time.Second, "ok")
	sc.want("‖ paused", "▶   ○ 1.2")
	sc.press("n")
	if sc.s.running == nil || sc.s.running.Action.Step != "1.2" {
		t.Fatal("n enters 1.2")
	}
	sc.run(0, time.Second)
	sc.want("‖ paused")
	sc.press("c")
	sc.run(0, time.Second)
	sc.want("waits for you")
	if sc.s.mode != engine.Continue {
		t.Error("c ends stepping")
	}
}

func TestRunTo(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("G", "k", "k", ".") // 2 Push
	sc.run(0, time.Second)
	sc.run(0, time.Second)
	sc.want("‖ paused", "▶ ○ 2 Push")
}

func TestTyping(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("3", "enter")
	sc.want("typing into it · ctrl+] ends")
	sc.write("yes q?")
	sc.press("enter", "ctrl+c", "up", "esc", "backspace", "tab")
	sc.send(tea.PasteMsg{Content: "pasted"})
	if got, want := sc.s.typed.String(), "yes q?\r\x03\x1b[A\x1b\x7f\tpasted"; got != want {
		t.Errorf("typed %q, want %q", got, want)
	}
	sc.press("ctrl+]")
	sc.wantNot("typing into it")
	sc.run(0, time.Second)
	sc.press("1", "g", "down", "3", "enter")
	sc.want("none runs here")
}

// flood has the first command print n lines.
func flood(t testing.TB, w, h, n int) *screen {
	sc := open(t, release(t), w, h)
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("%d of %d", i+1, n)
	}
	sc.s.print(lines...)
	sc.sync()
	return sc
}

func TestFollow(t *testing.T) {
	sc := flood(t, 120, 40, 500)
	sc.want("500 of 500", "500 lines · end")
	sc.press("3", "up")
	sc.s.print("new")
	sc.sync()
	sc.wantNot("│ new")
	sc.want("line 484 of 501")
	sc.press("pgdown")
	sc.want("│ new")
	sc.press("g")
	sc.want("│ 1 of 500", "line 1 of 501")
	sc.press("G")
	sc.s.print("newer")
	sc.sync()
	sc.want("│ newer", "end")
}

func TestSearch(t *testing.T) {
	sc := flood(t, 120, 40, 500)
	sought = "33"
	sc.press("/")
	sc.write("33")
	sc.want("/33", "in 14 lines", "433 of 500") // the nearest, which is behind
	sc.press("enter", "]")
	sc.want("no more of 14 lines")
	for range 7 {
		sc.press("[")
	}
	sc.want("333 of 500", "in 14 lines")
	sc.press("]")
	if sc.m.output.search.line != 333 {
		t.Errorf("] goes to line %d", sc.m.output.search.line)
	}
	if !strings.Contains(sc.m.frame, sc.m.look.Match.Paint("33")) || !strings.Contains(sc.m.frame, sc.m.look.Current.Paint("33")) {
		t.Error("matches are not highlighted")
	}
	sc.press("esc")
	sc.wantNot("/33")
}

func TestWrapAndPan(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.s.print(strings.Repeat("0123456789", 20) + "end")
	sc.sync()
	sc.wantNot("9end")
	sc.press("W")
	sc.want("9end")
	sc.press("W", "3")
	for range 16 {
		sc.press("right")
	}
	sc.want("9end")
}

func TestTheTreeFollowsUntilThePersonMoves(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("G")
	sc.run(0, time.Second)
	if r := sc.m.tree.selected(); r.Label != "Rollback" {
		t.Errorf("selected %s: the selection went away", r.Label)
	}
	sc.press("esc")
	sc.run(0, time.Second)
	if r := sc.m.tree.selected(); r.Label != "2" {
		t.Errorf("selected %s: the selection does not follow", r.Label)
	}
}

func TestFolding(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("g", "left")
	sc.wantNot("1.1 Tools")
	sc.press("enter")
	sc.want("1.1 Tools")
}

func TestAClosedDocumentCanBeLookedInto(t *testing.T) {
	p := parent(t)
	sc := open(t, p, 120, 40)
	sc.s = nil
	sc.m.tree.folds[sc.m.track.Row("1/release")] = true
	sc.m.tree.flatten(sc.m.track)
	sc.press("g", "down")
	sc.wantNot("1.1 Tools")
	sc.press("right")
	sc.want("1.1 Tools")
}

func TestTrustAnswers(t *testing.T) {
	asked := func(remembered *int) *screen {
		return open(t, release(t), 120, 40, func(c *Config) {
			c.Trusted, c.Commands = false, []TrustItem{{Step: "1.1", Text: "rm -rf /"}}
			c.Remember = func() error { *remembered++; return nil }
		})
	}
	n := 0
	sc := asked(&n)
	sc.press("c")
	sc.want("has not started")
	sc.press("esc", "down", "a", "y")
	if n != 1 || sc.s.running == nil {
		t.Errorf("remembered %d times; running %v", n, sc.s.running)
	}
	sc = asked(&n)
	sc.press("m")
	sc.want("Nothing is executed in this run")
	if n != 1 {
		t.Error("running without executing is no yes")
	}
	sc = asked(&n)
	sc.press("q")
	if !sc.quit || sc.s != nil {
		t.Error("q quits before anything starts")
	}
}

func TestErrorsStayUntilTheNextKey(t *testing.T) {
	sc := waiting(t, 120, 40)
	sc.s.fails = errors.New("the journal cannot be written: disk full")
	sc.press("p")
	sc.want("the journal cannot be written: disk full")
	sc.send(tickMsg{})
	sc.want("disk full")
}

func TestAStuckSession(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	err := errors.New("the journal cannot be written, so the run ends here: no space left on device")
	sc.m.Update(updateMsg{Status: engine.Status{State: engine.Over, Err: err}})
	sc.want("stuck", "no space left on device")
}

func TestAProgramThatCannotStart(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.send(startedMsg{err: errors.New("no journal")})
	if !sc.quit || sc.m.err == nil {
		t.Error("the error is not returned")
	}
	sc.send(panicMsg{"boom", nil})
	if !sc.quit || !strings.Contains(sc.m.err.Error(), "boom") {
		t.Error("a panic is not returned")
	}
}

func TestADocumentWithErrorsDoesNotRun(t *testing.T) {
	sc := open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n"), 120, 40)
	sc.press("esc", "p")
	sc.want("a document with errors cannot be run", "cannot run")
	if sc.s != nil {
		t.Error("a session was made")
	}
}

func TestMouse(t *testing.T) {
	sc := flood(t, 120, 40, 500)
	sc.send(tea.MouseClickMsg{X: 10, Y: 5, Button: tea.MouseLeft})
	if r := sc.m.tree.selected(); r.Label != "2" {
		t.Errorf("clicked on %s", r.Label)
	}
	sc.send(tea.MouseClickMsg{X: 4, Y: 2, Button: tea.MouseLeft})
	sc.wantNot("1.1 Tools")
	sc.send(tea.MouseClickMsg{X: 4, Y: 2, Button: tea.MouseLeft})
	sc.send(tea.MouseClickMsg{X: 10, Y: 3, Button: tea.MouseLeft})
	sc.send(tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelUp})
	sc.want("line 482 of 500")
	footer := strings.Split(sc.frame(), "\n")[39]
	at := len([]rune(footer[:strings.Index(footer, "? help")]))
	sc.send(tea.MouseClickMsg{X: at + 2, Y: 39, Button: tea.MouseLeft})
	sc.want("KEYS")
}

func TestTabsAreClickable(t *testing.T) {
	sc := open(t, release(t), 60, 16)
	sc.frame()
	sc.send(tea.MouseClickMsg{X: 14, Y: 0, Button: tea.MouseLeft})
	if sc.m.focus != detailPane {
		t.Errorf("focus %d", sc.m.focus)
	}
}

// A document, a command and a journal can say what they like: only colours of
// commands reach the terminal.
func TestUntrustedText(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[?1049l\u202ehi"
	p := load(t, "evil.runbook.md", "# E\n## 1. T"+evil+"\nText "+evil+"\n```sh\necho "+evil+"\n```\n- PASS: CONTINUE\n- FAIL: STOP \""+evil+"\"\n")
	for _, size := range [][2]int{{120, 40}, {60, 16}} {
		sc := open(t, p, size[0], size[1])
		sc.s.print(evil, "\x1b[31mred\x1b[0m")
		sc.sync()
		for _, key := range []string{"2", "3", "4", "t", "v", "?"} {
			sc.press(key)
			checkSafe(t, sc.m.View().Content)
			checkSafe(t, sc.m.View().WindowTitle)
		}
		sc.press("esc")
		sc.run(1, time.Second)
		checkSafe(t, sc.m.View().Content)
	}
}

func checkSafe(t *testing.T, s string) {
	t.Helper()
	for s != "" {
		i := strings.IndexAny(s, "\x1b\x07\r\x00\u202e\x9b")
		if i < 0 {
			return
		}
		s = s[i:]
		end := strings.IndexFunc(s[min(2, len(s)):], func(r rune) bool { return r != ';' && r != ':' && (r < '0' || r > '9') })
		if !strings.HasPrefix(s, "\x1b[") || end < 0 || s[2+end] != 'm' {
			t.Fatalf("reaches the terminal: %q", s[:min(len(s), 20)])
		}
		s = s[2+end:]
	}
}

func TestEveryFrameFits(t *testing.T) {
	scenes := map[string]func() *screen{
		"running": func() *screen { return flood(t, 120, 40, 30) },
		"waiting": func() *screen { return waiting(t, 120, 40) },
		"noted":   func() *screen { sc := waiting(t, 120, 40); sc.press("n"); sc.write("a note"); return sc },
		"help":    func() *screen { sc := waiting(t, 120, 40); sc.press("?"); return sc },
		"over":    func() *screen { sc := waiting(t, 120, 40); sc.press("p"); return sc },
		"zoomed":  func() *screen { sc := flood(t, 120, 40, 30); sc.press("3", "z"); return sc },
		"parent":  func() *screen { return open(t, parent(t), 120, 40) },
	}
	for name, scene := range scenes {
		sc := scene()
		for w := 58; w <= 130; w += 3 {
			for h := 14; h <= 50; h += 3 {
				sc.send(tea.WindowSizeMsg{Width: w, Height: h})
				sc.frame()
				if t.Failed() {
					t.Fatalf("%s at %d × %d", name, w, h)
				}
			}
		}
	}
}

func TestTheTableOfKeys(t *testing.T) {
	for p := treePane; p <= cardPane; p++ {
		seen := map[string]string{}
		for _, a := range actions {
			if a.in != nil && !a.in[p] {
				continue
			}
			for _, k := range a.keys {
				if seen[k] != "" {
					t.Errorf("%s is %s and %s in %s", k, seen[k], a.name, paneNames[p])
				}
				seen[k] = a.name
			}
		}
	}
	sc := open(t, release(t), 200, 100)
	sc.press("?")
	for _, a := range actions {
		if a.help == "" || a.do == nil {
			t.Errorf("%s is not described", a.name)
		}
		if a.in == nil || a.in[treePane] {
			sc.want(a.help)
		}
	}
}

func TestNothingMovesWhileNothingHappens(t *testing.T) {
	sc := waiting(t, 120, 40)
	before := sc.ticks
	for range 3 {
		sc.send(tickMsg{})
	}
	if sc.ticks != before {
		t.Error("the spinner goes on where nothing runs")
	}
}

func TestSizeOfTheCommandsTerminal(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	if box := sc.m.layout.panes[outputPane]; sc.s.size != [2]int{box.w, box.h} {
		t.Errorf("the session has %v, the pane is %d × %d", sc.s.size, box.w, box.h)
	}
}
