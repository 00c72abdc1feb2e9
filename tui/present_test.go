package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/examples"
	"playhead/tui/present"
)

// openPresented opens a run that is being presented. Delayed messages arrive only when the test sends them.
func openPresented(t *testing.T, w, h int, adjust ...func(*Config)) (*testScreen, *[]tea.Msg) {
	t.Helper()
	var due []tea.Msg
	sc := open(t, release(t), w, h, append(adjust, func(c *Config) { c.StartsPresenting = true })...)
	sc.m.sendAfter = func(d time.Duration, msg tea.Msg) tea.Cmd {
		if d != present.CaptionDuration {
			t.Errorf("a caption shows for %s", d)
		}
		due = append(due, msg)
		return nil
	}
	return sc, &due
}

// TestPresentedReason: the reason of a decision is painted as text and not muted, because it is for the audience.
func TestPresentedReason(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("V", "space")
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
	sc.press("n")
	sc.run(0, 400*time.Millisecond, "30298176")
	reason := "why: from 1, line 8 → 2 · pass: 1.1, 1.2 passed"
	sc.want(reason)
	if strings.Contains(sc.m.View().Content, sc.m.drawContext.Muted.Paint(reason)) {
		t.Error("the reason is muted")
	}
}

// TestPresentation: presenting shows the pane that matters: what is running, then the decision, then the question.
func TestPresentation(t *testing.T) {
	for name, scene := range map[string]func(sc *testScreen){
		"output": func(sc *testScreen) {
			sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
			sc.s.print("Filesystem     1024-blocks", "/dev/root         30298176  12 %")
			sc.clock = sc.clock.Add(7 * time.Second)
			sc.send(spinnerTickMsg{})
		},
		"step": func(sc *testScreen) {
			sc.press("space")
			sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
			sc.press("n")
			sc.run(0, 400*time.Millisecond, "30298176")
		},
		"question": func(sc *testScreen) {
			sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
			sc.run(0, 200*time.Millisecond, "30298176")
			sc.run(0, 12*time.Second, "pushed")
		},
		"values": func(sc *testScreen) { sc.press("v") },
	} {
		t.Run(name, func(t *testing.T) {
			sizes(t, func(t *testing.T, w, h int) *testScreen {
				sc, _ := openPresented(t, w, h)
				scene(sc)
				return sc
			})
		})
	}
}

// TestPresentedColumnsAlign: all panes begin in the same column, the title and the progress end in the same one, and
// wider lines of a command are whole if the screen has the room.
func TestPresentedColumnsAlign(t *testing.T) {
	sc, _ := openPresented(t, 160, 48)
	long := strings.Repeat("a wide line ", 8) + "ends."
	columnOf := func(text string) (at int) {
		sc.want(text)
		for line := range strings.SplitSeq(sc.frame(), "\n") {
			if before, _, has := strings.Cut(line, text); has {
				at = ansi.StringWidth(before)
			}
		}
		return at
	}
	sc.s.print(long)
	sc.sync()
	columns := []int{columnOf("1.1 Tools · command -v tar"), columnOf(long), columnOf("╸┄"), columnOf("following") + len("following") - 80, columnOf("0/4") + len("0/4") - 80}
	sc.press("v")
	columns = append(columns, columnOf("VALUES"))
	sc.press("2")
	columns = append(columns, columnOf("1.1 Tools"))
	for _, c := range columns {
		if c != columns[0] {
			t.Fatalf("the edges are at %v", columns)
		}
	}
}

// TestPresentationFollows: presenting changes to the pane that matters most, until the person chooses a pane.
func TestPresentationFollows(t *testing.T) {
	sc, _ := openPresented(t, 80, 24)
	sc.want("1.1 Tools")
	sc.press("space")
	sc.run(0, time.Second, "/usr/bin/tar")
	sc.want("why: from 1.1")
	sc.press("4")
	sc.want("WHY")
	sc.press("n")
	sc.want("1.2 Disk space")
	sc.press("1")
	sc.want("STEPS")
	sc.run(0, time.Second, "30298176")
	sc.want("STEPS")
	sc.press("esc")
	sc.wantNot("STEPS", "╭")
	sc.press("esc")
	sc.want("STEPS", "╭")
	sc.press("V")
	sc.want("You are presenting. Press V to stop presenting.")
	sc.wantNot("STEPS")
	sc.press("V")
	sc.want("STEPS")
}

// TestPresentedTextScrolls: the keys for pages move the text above a question to its end, and the screen names them.
func TestPresentedTextScrolls(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "Paragraph %d.\n\n", i+1)
	}
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 16}} {
		sc := open(t, load(t, "a.runbook.md", "# A\n## 1. Read\n"+text.String()+"- YES: COMPLETE\n- NO: STOP\n"), size[0], size[1], func(c *Config) { c.StartsPresenting = true })
		sc.want("Paragraph 1.", "more lines: press PgDn", "Yes or no?")
		if size[0] > 60 {
			sc.want("PgDn text")
		}
		sc.press("pgdown")
		sc.wantNot("Paragraph 1.")
		for range 60 {
			sc.press("pgdown")
		}
		sc.want("Paragraph 59.", "Paragraph 60.", "Yes or no?")
		sc.wantNot("more lines")
	}
}

// TestPresentationNamesTheDocumentOnce: the introduction of a document has no title, because the first line has
// the document's name.
func TestPresentationNamesTheDocumentOnce(t *testing.T) {
	sc := open(t, load(t, "nightly.runbook.md", introduced), 120, 40, func(c *Config) { c.StartsPresenting, c.IsTrusted = true, false })
	sc.press("esc", "2")
	sc.want("nothing is lost")
	if n := strings.Count(sc.frame(), "Nightly"); n != 1 {
		t.Errorf("the document is named %d times:\n%s", n, sc.frame())
	}
}

// TestPresentExamplesBeforeTheRun: presenting can begin before the run, in every format.
func TestPresentExamplesBeforeTheRun(t *testing.T) {
	dir := t.TempDir()
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			p := loadExample(t, dir, name).plan
			for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 16}} {
				for _, trusted := range []bool{true, false} {
					sc := open(t, p, size[0], size[1], func(c *Config) {
						c.Inputs, c.AskInputs, c.IsTrusted, c.StartsPresenting = p.Inputs, len(p.Inputs) > 0, trusted, true
					})
					for _, key := range []string{"esc", "1", "V", "V"} {
						sc.frame()
						sc.press(key)
					}
					sc.frame()
				}
			}
		})
	}
}

// TestCaptions: keys that do something have a caption, and keys that type text have none.
func TestCaptions(t *testing.T) {
	sc, due := openPresented(t, 130, 40)
	sc.press("space")
	sc.want("pressed space: pause")
	sc.run(0, time.Second, "/usr/bin/tar")
	sc.press("n")
	sc.want("pressed n: run one step; an included document counts as one")
	old := (*due)[0]
	sc.send(old)
	sc.want("pressed n: run one step; an included document counts as one")
	sc.send((*due)[len(*due)-1])
	sc.wantNot("run one step; an included document counts as one")
	sc.s.print("Filesystem     1024-blocks")
	sc.sync()
	sc.press("o") // unavailable, because the run is not paused
	sc.want("Press space to pause before the next step.")
	sc.wantNot("pressed o")
	sc.press("/")
	sc.want("pressed /: find, ignoring case")
	asked := len(*due)
	sc.write("nothing")
	if len(*due) != asked {
		t.Error("a letter of the search text has a caption")
	}
}

// TestCaptionOfAnAnswer: the caption of a key in a dialog names the answer. Letters of a note have no caption.
func TestCaptionOfAnAnswer(t *testing.T) {
	sc, due := openPresented(t, 80, 24)
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
	sc.run(0, 200*time.Millisecond, "30298176")
	sc.run(0, 12*time.Second, "pushed")
	sc.press("Y")
	n := len(*due)
	sc.write("not so sure")
	if len(*due) != n {
		t.Error("a letter of the note has a caption")
	}
	sc.press("esc", "y")
	sc.want("pressed y: yes")
}

// TestMessageBesideCaption: a message takes the room that it needs, and the caption gets the rest.
func TestMessageBesideCaption(t *testing.T) {
	sc, _ := openPresented(t, 60, 16)
	sc.press("e")
	sc.write("x")
	sc.press("esc")
	sc.want("Unsaved change. Press ctrl+s to apply it, or press esc")
}

// TestPresentationHidesSecrets: the audience sees neither secrets nor the person's home folder.
func TestPresentationHidesSecrets(t *testing.T) {
	sc, _ := openPresented(t, 120, 40, func(c *Config) { c.HomeFolder = "/home/ada" })
	sc.s.print("built /home/ada/src/release.tar", "/home/adam/x", "\x1b[32m/home/ada\x1b[0m")
	sc.sync()
	sc.want("built ~/src/release.tar", "/home/adam/x")
	if strings.Contains(sc.frame(), "/home/ada/") {
		t.Error(sc.frame())
	}
	sc.m.timeline.Events[0].Body.(*machine.RunStarted).Options.SecretNames = []string{"token"}
	for name, value := range map[string]string{"token": "abc", "line": "with •••", "open": "seen"} {
		if err := sc.s.SetVariable(name, value); err != nil {
			t.Fatal(err)
		}
	}
	sc.sync()
	sc.press("v")
	sc.want("seen", "The environment is hidden")
	sc.wantNot("abc", "with", "PLAYHEAD_STEP")
	sc.press("V")
	sc.want("abc", "PLAYHEAD_STEP")
}

// lineOf returns the line of the frame that has a text.
func (sc *testScreen) lineOf(text string) int {
	sc.want(text)
	return strings.Count(sc.frame()[:max(0, strings.Index(sc.frame(), text))], "\n")
}

// TestPresentedOutputStays: output that grows begins at the top, and stays there when it has ended. Short output that
// is opened later begins at a third of the height, like a text.
func TestPresentedOutputStays(t *testing.T) {
	const top, third = 4, 8
	sc, _ := openPresented(t, 80, 24)
	sc.press("1", "g", "down", "down", "3")
	sc.run(0, time.Second)
	sc.s.print("the only line")
	sc.send(spinnerTickMsg{})
	if at := sc.lineOf("the only line"); at != top {
		t.Errorf("the growing output begins on line %d", at)
	}
	sc.run(0, time.Second)
	if at := sc.lineOf("the only line"); at != top {
		t.Errorf("the output moved to line %d when it ended", at)
	}
	sc.press("2", "3")
	if at := sc.lineOf("the only line"); at != third {
		t.Errorf("the ended output begins on line %d", at)
	}
	if at, title := sc.lineOf("the only line"), sc.lineOf("1.2 Disk space"); title != at-2 {
		t.Errorf("the title is on line %d, and the output on line %d", title, at)
	}
}

// TestPresentedLongOutput: long output gets the full height.
func TestPresentedLongOutput(t *testing.T) {
	sc, _ := openPresented(t, 80, 24)
	sc.run(0, time.Second, strings.Split(strings.Repeat("a line\n", 30), "\n")...)
	sc.press("1", "g", "down", "3", "g")
	if at := sc.lineOf("a line"); at != 4 {
		t.Errorf("the output begins on line %d", at)
	}
}

// TestProgressBeforeTheRun: the progress bar shows how many steps there are before the first has run.
func TestProgressBeforeTheRun(t *testing.T) {
	untrusted := func(c *Config) { c.IsTrusted = false }
	sc := open(t, release(t), 80, 24, untrusted)
	sc.want("release.runbook.md · Release ─", " ┄┄┄┄┄┄┄┄┄┄┄┄ ─ Rundown ")
	sc.press("esc", "2", "z")
	sc.want(" ┄┄┄┄┄┄┄┄┄┄┄┄ 0/4 ─ 1")
	sc, _ = openPresented(t, 80, 24, untrusted)
	sc.press("esc")
	sc.want("┄┄┄┄ 0/4")
}

// TestNoProgressOfAFaultyDocument: a document that cannot run has no progress bar.
func TestNoProgressOfAFaultyDocument(t *testing.T) {
	sc := open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n## 2. B\n"), 80, 24)
	sc.wantNot("┄")
}

// TestPresentedEnd: the state of a run that has ended shows once, on its summary.
func TestPresentedEnd(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n## 1. One\n```sh\nmake\n```\n"), 120, 40, func(c *Config) { c.StartsPresenting = true })
	sc.run(1, time.Second)
	sc.want("✗ STOPPED")
	sc.wantNot("✗ stopped")
	sc.press("esc")
	sc.want("✗ stopped")
}
