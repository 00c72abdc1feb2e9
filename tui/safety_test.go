package tui

import (
	"errors"
	"image/color"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/keymap"
	"playhead/tui/layout"
)

func TestErrorsStayUntilTheNextKey(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.s.interventionError = errors.New("the journal cannot be written: disk full")
	sc.press("p")
	sc.want("the journal cannot be written: disk full")
	sc.send(spinnerTickMsg{})
	sc.want("disk full")
}

func TestAStuckSession(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	err := errors.New("the journal cannot be written, so the run ends here: no space left on device")
	sc.m.Update(engine.Update{Status: engine.Status{State: engine.Over, Err: err}})
	sc.want("cannot continue", "The journal cannot be written, so the run ends here: no space left on device.")
}

// TestAStuckSessionSaysSoOnce: if the summary shows the error of a session, the last line shows hints and not the
// error.
func TestAStuckSessionSaysSoOnce(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	err := errors.New("the journal cannot be written, so the run ends here: no space left on device")
	end := machine.Event{Time: sc.clock, Body: &machine.RunFinished{Result: plan.RunFailed, Message: err.Error()}}
	sc.m.Update(engine.Update{Events: []machine.Event{end}, Status: engine.Status{State: engine.Over, Err: err}})
	sc.want("✗ FAILED", "so the run ends here: no space left on", "esc look around")
	sc.press("r")
	sc.want("The run cannot continue: the journal cannot be written")
}

func TestAProgramThatCannotStart(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.send(sessionStartedMsg{err: errors.New("no journal")})
	if !sc.quit || sc.m.quitError == nil {
		t.Error("the error is not returned")
	}
}

// TestAPanicIsOneLine: a panic in any part of the program becomes an error of one line, and its stack is in a
// file.
func TestAPanicIsOneLine(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	boom := func() tea.Msg { panic("boom\nand more") }
	parts := map[string]func(*testScreen, panicGuard){
		"command": func(sc *testScreen, s panicGuard) { sc.send(recoverCmd(boom)()) },
		"batch":   func(sc *testScreen, s panicGuard) { sc.send(recoverCmd(tea.Batch(boom, boom))().(tea.BatchMsg)[1]()) },
		"update": func(sc *testScreen, s panicGuard) {
			sc.m.currentTime = func() time.Time { return boom().(time.Time) }
			s.Update(nil)
		},
		"view": func(sc *testScreen, s panicGuard) {
			sc.m.isFrameStale = true
			sc.m.drawContext.Styles = nil
			sc.m.screen.Steps.Redraw()
			s.View()
		},
	}
	for name, part := range parts {
		sc := open(t, release(t), 80, 24)
		sent := make(chan tea.Msg, 1)
		part(sc, panicGuard{sc.m, func(msg tea.Msg) { sent <- msg }})
		if name == "view" {
			sc.m.endByPanic((<-sent).(panicMsg))
		}
		if sc.m.quitError == nil || strings.Contains(sc.m.quitError.Error(), "\n") {
			t.Fatalf("%s: %v", name, sc.m.quitError)
		}
		_, file, _ := strings.Cut(sc.m.quitError.Error(), "report it, and attach ")
		if trace, err := os.ReadFile(file); err != nil || !strings.Contains(string(trace), "goroutine") {
			t.Errorf("%s: %q, %v", name, trace, err)
		}
	}
}

func TestADocumentWithErrorsDoesNotRun(t *testing.T) {
	sc := open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n"), 120, 40)
	sc.press("esc", "p")
	sc.want("The document has errors, so it cannot run.", "cannot run")
	if sc.s != nil {
		t.Error("a session began")
	}
}

// TestUntrustedText: whatever a document, a command or a journal contains, only the colours of commands reach the
// terminal as control sequences.
func TestUntrustedText(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\x1b[?1049l\u202e&#27;[2J&#x9b;hi"
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
		i := strings.IndexAny(s, "\x1b\x07\r\x00\u202e\u009b")
		if i < 0 {
			return
		}
		s = s[i:]
		end := strings.IndexFunc(s[min(2, len(s)):], func(r rune) bool { return r != ';' && r != ':' && (r < '0' || r > '9') })
		if !strings.HasPrefix(s, "\x1b[") || end < 0 || s[2+end] != 'm' {
			t.Fatalf("a control sequence reaches the terminal: %q", s[:min(len(s), 20)])
		}
		s = s[2+end:]
	}
}

func TestEveryFrameFits(t *testing.T) {
	scenes := map[string]func() *testScreen{
		"running": func() *testScreen { return openWithOutput(t, 120, 40, 30) },
		"waiting": func() *testScreen { return openAtQuestion(t, 120, 40) },
		"noted":   func() *testScreen { sc := openAtQuestion(t, 120, 40); sc.press("n"); sc.write("a note"); return sc },
		"help":    func() *testScreen { sc := openAtQuestion(t, 120, 40); sc.press("?"); return sc },
		"over":    func() *testScreen { sc := openAtQuestion(t, 120, 40); sc.press("p"); return sc },
		"zoomed":  func() *testScreen { sc := openWithOutput(t, 120, 40, 30); sc.press("3", "z"); return sc },
		"parent":  func() *testScreen { return open(t, includingPlan(t), 120, 40) },
	}
	for name, scene := range scenes {
		sc := scene()
		for w := 58; w <= 130; w += 9 {
			for h := 14; h <= 50; h += 7 {
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
	sc := open(t, release(t), 200, 100)
	sc.press("?")
	for _, a := range keymap.KeyActions() {
		if a.Group == keymap.DialogGroup {
			continue
		}
		if a.HelpText == "" || sc.m.actionByName[a.Name].perform == nil {
			t.Errorf("%s is not described", a.Name)
		}
		if sc.m.screen.ActionWorksIn(&a, layout.StepsPane) {
			sc.want(a.HelpText)
		}
	}
}

func TestNothingMovesWhileNothingHappens(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	before := sc.ticks
	for range 3 {
		sc.send(spinnerTickMsg{})
	}
	if sc.ticks != before {
		t.Error("the spinner turns although nothing runs")
	}
}

// TestOneFrameASecondWhileSilent: while a command prints nothing, the screen is drawn once a second.
func TestOneFrameASecondWhileSilent(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	if sc.turn != spinnerTurnInterval {
		t.Errorf("the spinner turns in %s at first", sc.turn)
	}
	sc.clock = sc.clock.Add(10*time.Second + 300*time.Millisecond)
	sc.send(spinnerTickMsg{})
	if sc.turn != 700*time.Millisecond {
		t.Errorf("after ten seconds of silence it turns in %s", sc.turn)
	}
	sc.press("down")
	sc.send(spinnerTickMsg{})
	if sc.turn != spinnerTurnInterval {
		t.Errorf("after a key it turns in %s", sc.turn)
	}
}

// TestTerminalOfSixteenColours: a terminal of sixteen colours shows its own colours, because the theme's would be
// mapped to wrong ones.
func TestTerminalOfSixteenColours(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	sc.send(tea.BackgroundColorMsg{Color: color.White})
	if frame := sc.m.View().Content; strings.Contains(frame, "38;2;") || !strings.Contains(frame, "\x1b[7m") || !colours.MatchString(frame) {
		t.Errorf("painted with other colours: %q", frame)
	}
	sc.send(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	if got := sc.m.drawContext.Palette.Name; got != themes.DefaultLight {
		t.Errorf("with all colours the theme is %s", got)
	}
}

func TestTerminalWithoutColours(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if c := colours.FindString(sc.m.View().Content); c != "" {
		t.Errorf("the frame has a colour: %q", c)
	}
	if !strings.Contains(sc.m.frame, "\x1b[7m") {
		t.Error("the selection does not show")
	}
}

func TestAPanicReachesTheProgram(t *testing.T) {
	var sent []tea.Msg
	recoverGoroutine(func(msg tea.Msg) { sent = append(sent, msg) }, func() { panic("boom") })
	if p, ok := sent[0].(panicMsg); !ok || p.value != "boom" || !strings.Contains(string(p.stack), "safety_test.go") {
		t.Errorf("sent %v", sent)
	}
}
