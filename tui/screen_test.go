package tui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/tui/layout"
	"playhead/tui/pane/output"
	"playhead/tui/session"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

// testScreen is the program without a terminal: a test sends messages and reads frames.
type testScreen struct {
	t     testing.TB
	m     *Model
	s     *fake
	clock time.Time
	quit  bool
	ticks int
	turn  time.Duration // until the next tick
	raw   func(string)  // receives control sequences that are sent to the terminal

	hasNewLogRequest bool             // the screen has requested another part of a log
	sentLogPart      output.LogWindow // the part that was sent last

	swap   map[string]string // substitutes of the default keys; nil: the default keys
	inputs map[string]string // the inputs that a person gave
	manual bool              // a person replies in the place of models
}

func load(t testing.TB, path, doc string) *plan.Plan {
	t.Helper()
	p := rundown.Parse(path, []byte(doc), rundown.Options{})
	p.FormatTitle = "Rundown"
	return p
}

// open shows a trusted document on a screen of w × h.
func open(t testing.TB, p *plan.Plan, w, h int, adjust ...func(*Config)) *testScreen {
	t.Helper()
	sc := &testScreen{t: t, clock: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
	cfg := Config{Plan: p, IsTrusted: true}
	if rebound {
		sc.swap, cfg.Keys = swappedKeys, swappedMap
	}
	for _, f := range adjust {
		f(&cfg)
	}
	cfg.newSession = func(said Choices) (session.Session, error) {
		sc.inputs = said.InputValues
		sc.s = newFake(p, said, &sc.clock, sc.manual)
		sc.s.choose(said.ReplySourceName)
		return sc.s, nil
	}
	sc.m = newModel(cfg)
	m := sc.m
	m.currentTime = func() time.Time { return sc.clock }
	m.spinner.sendTick = func(d time.Duration) tea.Cmd {
		sc.turn = d
		sc.ticks++
		return nil
	}
	m.sendAfter = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	m.requestLog = func(output.ReadRequest) { sc.hasNewLogRequest = true }
	m.conn.queueCall = func(call func() error) bool {
		if err := call(); err != nil {
			m.lastLine.say(err.Error())
		}
		return true
	}
	m.conn.queueInput = m.conn.queueCall
	sc.do(m.Init())
	sc.send(tea.WindowSizeMsg{Width: w, Height: h})
	return sc
}

// send sends a message, and handles everything that follows from it.
func (sc *testScreen) send(msg tea.Msg) {
	_, cmd := sc.m.Update(msg)
	sc.do(cmd)
	sc.sync()
}

// sync sends the updates of the session and the new lines of the log.
func (sc *testScreen) sync() {
	for sc.s != nil && sc.m.conn.session != nil && (sc.s.sentEventCount < len(sc.s.events) || sc.m.conn.status.State != sc.s.status.State ||
		sc.m.conn.status.RunningStep != sc.s.status.RunningStep || sc.m.conn.status.ReplySourceName != sc.s.source || sc.m.conn.status.NextReplyManual != sc.s.nextReplyIsManual || sc.m.conn.status.PausesNext != sc.s.now().PausesNext) {
		_, cmd := sc.m.Update(sc.s.Take())
		sc.do(cmd)
	}
	// The program's log reader sends a part when the screen requests it and when the log has grown. Once the output is
	// known, the pane may have room for more lines.
	for range 2 {
		if !sc.m.lastLogRequest.HasLog() {
			return
		}
		if part := sc.m.lastLogRequest.Read(); sc.hasNewLogRequest || !reflect.DeepEqual(part, sc.sentLogPart) {
			sc.hasNewLogRequest, sc.sentLogPart = false, part
			_, cmd := sc.m.Update(part)
			sc.do(cmd)
		}
	}
}

func (sc *testScreen) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.RawMsg:
		if sc.raw != nil {
			sc.raw(msg.Msg.(string))
		}
	case tea.QuitMsg:
		sc.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			sc.do(c)
		}
	default:
		sc.send(msg)
	}
}

// press presses keys, by name: c, enter, ctrl+c. Like a person who reads the screen, it waits before each key until
// none are ignored.
func (sc *testScreen) press(keys ...string) {
	for _, k := range keys {
		sc.pause()
		sc.burst(k)
	}
}

// pause waits until no keys are ignored.
func (sc *testScreen) pause() {
	guard := &sc.m.inputHandler.typeaheadGuard
	sc.clock = sc.clock.Add(max(0, guard.RemainingIgnoreTime(sc.clock)))
	guard.NoteDialogOpened(sc.clock.Add(-typeahead.QuietTime))
}

// burst presses keys without a pause.
func (sc *testScreen) burst(keys ...string) {
	for _, k := range keys {
		if other, swapped := sc.swap[k]; swapped {
			k = other
		}
		sc.send(terminal.KeyPress(k))
	}
}

// edit presses keys that change a text. They are the same when other keys are bound to actions.
func (sc *testScreen) edit(keys ...string) {
	for _, k := range keys {
		sc.send(terminal.KeyPress(k))
	}
}

// write types a text, after a pause.
func (sc *testScreen) write(text string) {
	sc.pause()
	for _, r := range text {
		sc.send(terminal.KeyPress(string(r)))
	}
}

// run prints lines, lets time pass and ends the running command with a status.
func (sc *testScreen) run(exit int, took time.Duration, lines ...string) {
	sc.t.Helper()
	if sc.s.running == nil {
		sc.t.Fatalf("no command runs; the session is %s", sc.s.status.State)
	}
	sc.s.print(lines...)
	sc.clock = sc.clock.Add(took)
	sc.s.end(plan.Product{ExitCode: exit, Text: strings.Join(lines, "\n")})
	sc.sync()
}

// frame returns the screen as text. It fails unless every line is as wide as the screen.
func (sc *testScreen) frame() string {
	sc.t.Helper()
	text := ansi.Strip(sc.m.View().Content)
	lines := strings.Split(text, "\n")
	if sc.m.screen.Layout.Shape != layout.TooSmallShape {
		if len(lines) != sc.m.screen.Layout.H {
			sc.t.Errorf("the frame has %d lines, the screen %d", len(lines), sc.m.screen.Layout.H)
		}
		for i, line := range lines {
			if w := sc.m.drawContext.Width(line); w != sc.m.screen.Layout.W {
				sc.t.Errorf("line %d is %d cells wide, the screen %d: %q", i, w, sc.m.screen.Layout.W, line)
			}
		}
	}
	return text + "\n"
}

// want fails unless the frame shows all texts.
func (sc *testScreen) want(texts ...string) {
	sc.t.Helper()
	f := sc.frame()
	for _, text := range texts {
		if !strings.Contains(f, text) {
			sc.t.Errorf("the frame lacks %q:\n%s", text, f)
		}
	}
}

func (sc *testScreen) wantNot(texts ...string) {
	sc.t.Helper()
	f := sc.frame()
	for _, text := range texts {
		if strings.Contains(f, text) {
			sc.t.Errorf("the frame has %q:\n%s", text, f)
		}
	}
}

// sizes runs a golden scene on screens of several sizes.
func sizes(t *testing.T, scene func(t *testing.T, w, h int) *testScreen) {
	for i, size := range [][2]int{{160, 48}, {120, 40}, {80, 24}, {60, 16}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			sc := scene(t, size[0], size[1])
			frame := sc.frame()
			requireRowsUsed(t, sc)
			golden.RequireEqual(t, frame)
			if i%3 == 0 { // the largest screen names the most keys, and the smallest has its own shape
				requireSameRebound(t, frame, func() string { return scene(t, size[0], size[1]).frame() })
			}
		})
	}
}

// releaseDoc is a document that can run and has steps of every kind.
const releaseDoc = `---
name: release
---
# Release

## 1. Preflight

- PASS ALL: CONTINUE
- FAIL ANY: STOP "not fit"

Is this machine fit to cut a release? **All** of these must hold.

### 1.1 Tools

Everything that the later steps call, such as ` + "`tar`" + `.

` + "```sh\ncommand -v tar cksum\nuname -a\n```" + `

### 1.2 Disk space

` + "```sh\ndf -Pk /tmp\n```" + `

## 2. Push

Push the image to the registry and wait for its digest.

` + "```sh\nmake push\n```" + `

- PASS: CONTINUE
- FAIL: RETRY 2 GOTO Rollback

## 3. Approve

Only a person can judge this. Shall it go out?

- YES: COMPLETE "approved"
- NO: GOTO Rollback

## Rollback

Withdraw what was pushed.

` + "```prompt\nTell the others in the release channel,\nthen delete the tag.\n```" + `

- PASS: STOP "rolled back"
- FAIL: STOP "roll back by hand"
`

func release(t testing.TB) *plan.Plan { return load(t, "release.runbook.md", releaseDoc) }
