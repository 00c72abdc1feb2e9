package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/parse/plan"
)

// openWithOtherRun opens a document of which there is another run with the given events.
func openWithOtherRun(t *testing.T, p *plan.Plan, w, h int, other []machine.Event) *testScreen {
	return open(t, p, w, h, func(c *Config) {
		c.ListOtherRuns = func() ([]journal.RunSummary, error) {
			return []journal.RunSummary{
				{Run: "9b20", Result: "stopped", Step: "1.2", Started: time.Date(2026, 2, 28, 17, 0, 0, 0, time.UTC)},
				{Run: "41cc", Started: time.Date(2026, 2, 27, 8, 15, 0, 0, time.UTC)},
			}, nil
		}
		c.CompareWith = func(shown []machine.Event, with string) (*compare.Comparison, error) {
			return compare.Runs(compare.Side{RunID: "7f3a", Plan: p, Events: shown}, compare.Side{RunID: with, Plan: p, Events: other}), nil
		}
	})
}

// eventsOfFailedRun returns the events of a run whose check of the disk space failed.
func eventsOfFailedRun(t *testing.T) []machine.Event {
	sc := open(t, release(t), 80, 24)
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar", "/usr/bin/cksum", "Linux 6.9")
	sc.run(1, 300*time.Millisecond, "df: /tmp: No such file or directory")
	return sc.s.events
}

// openBesideFailedRun returns the screen of a run that continues where the run of eventsOfFailedRun failed.
func openBesideFailedRun(t *testing.T, w, h int) *testScreen {
	sc := openWithOtherRun(t, release(t), w, h, eventsOfFailedRun(t))
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar", "/usr/bin/cksum", "Linux 6.12")
	sc.run(0, 200*time.Millisecond, "30298176")
	sc.run(0, 12*time.Second, "pushed")
	return sc
}

func TestCompareWith(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openBesideFailedRun(t, w, h)
		sc.press("p", "d")
		return sc
	})
}

func TestCompare(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openBesideFailedRun(t, w, h)
		sc.press("p", "d", "enter")
		return sc
	})
}

func TestCompareOutput(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openBesideFailedRun(t, w, h)
		sc.press("p", "d", "enter", "[", "[")
		return sc
	})
}

func TestCompareEnds(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openBesideFailedRun(t, w, h)
		sc.press("p", "d", "enter", "G")
		return sc
	})
}

// TestCompareMoves: keys and the wheel select pairs, and esc closes the comparison.
func TestCompareMoves(t *testing.T) {
	sc := openBesideFailedRun(t, 80, 24)
	sc.press("esc", "d", "enter")
	sc.want("COMPARE · paths diverge at step 1", "PATHS DIVERGE", "FAIL ANY: STOP")
	sc.press("k")
	sc.want("1.2 Disk space", "- pass, exit 0", "+ fail, exit 1")
	sc.press("g")
	sc.want("lines of the output  -1 +1", "- Linux 6.12", "+ Linux 6.9")
	sc.press("[")
	sc.want("Nothing differs above this.")
	sc.press("j", "j", "j", "]")
	sc.want("Only in 7f3a: step 3.", "5 of 6")
	sc.send(tea.MouseWheelMsg{X: 20, Y: 3, Button: tea.MouseWheelUp})
	sc.want("4 of 6")
	sc.press("esc")
	sc.wantNot("COMPARE")
	sc.want("STEPS")
}

// TestCompareClick: a click selects a pair, and its differences show.
func TestCompareClick(t *testing.T) {
	sc := openBesideFailedRun(t, 80, 24)
	sc.press("esc", "d", "enter")
	sc.wantNot("lines of the output")
	y := slices.IndexFunc(strings.Split(sc.frame(), "\n"), func(line string) bool { return strings.Contains(line, "~ ✓ 1.1") })
	sc.send(tea.MouseClickMsg{X: 20, Y: y, Button: tea.MouseLeft})
	sc.want("lines of the output  -1 +1", "- Linux 6.12", "+ Linux 6.9")
}

// TestCompareEarlierMoment: in the timeline, the run is compared as it was at the event shown.
func TestCompareEarlierMoment(t *testing.T) {
	sc := openBesideFailedRun(t, 80, 24)
	sc.press("esc", "t", "4")
	for !strings.Contains(sc.frame(), "as of event 5 ") {
		sc.press("up")
	}
	sc.press("d", "enter")
	sc.want("the same path, up to the point that 7f3a has reached", "this run · not over, at 1.1")
}

// TestCompareByID: digits search the list of runs by their ids, and do not choose an entry.
func TestCompareByID(t *testing.T) {
	sc := openBesideFailedRun(t, 80, 24)
	sc.press("esc", "d")
	sc.want("▌ ✗ 9b20", "‖ 41cc", "filter by id")
	sc.write("41")
	sc.want("1 found", "▌ ‖ 41cc", "Compare with which run?")
	sc.wantNot("9b20")
}

// TestCompareUnavailable: if there is nothing to compare with, the screen says why.
func TestCompareUnavailable(t *testing.T) {
	sc := open(t, release(t), 80, 24, func(c *Config) { c.IsTrusted = false })
	sc.press("esc", "d")
	sc.want("The run has not started.")

	for want, others := range map[string]func() ([]journal.RunSummary, error){
		"no other run of this document": func() ([]journal.RunSummary, error) { return nil, runs.ErrNoOtherRun },
		"cannot be listed":              func() ([]journal.RunSummary, error) { return nil, errors.New("the runs cannot be listed") },
		"which run?":                    func() ([]journal.RunSummary, error) { return []journal.RunSummary{{Run: "9b20"}}, nil },
	} {
		sc := open(t, release(t), 80, 24, func(c *Config) { c.ListOtherRuns = others })
		sc.press("d")
		sc.want(want)
	}

	sc = openBesideFailedRun(t, 80, 24)
	sc.m.cfg.CompareWith = func([]machine.Event, string) (*compare.Comparison, error) {
		return nil, errors.New("its journal is damaged")
	}
	sc.press("esc", "d", "down", "enter")
	sc.want("Its journal is damaged.")
	sc.wantNot("COMPARE")
}

// TestCompareEqualRuns: the comparison of two equal runs says that they do not differ.
func TestCompareEqualRuns(t *testing.T) {
	sc := openWithOtherRun(t, release(t), 80, 24, eventsOfFailedRun(t))
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar", "/usr/bin/cksum", "Linux 6.9")
	sc.run(1, 300*time.Millisecond, "df: /tmp: No such file or directory")
	sc.press("d", "enter")
	sc.want("the same path", "Both runs ended the same way.", "2 same")
}

// TestCompareUnfinishedRun: if a run is not over, the comparison says so instead of comparing the ends.
func TestCompareUnfinishedRun(t *testing.T) {
	sc := openWithOtherRun(t, release(t), 80, 24, eventsOfFailedRun(t))
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar", "/usr/bin/cksum", "Linux 6.9")
	sc.press("d", "enter", "G")
	sc.want("7f3a is not over.")
	sc.wantNot("ended alike")

	sc = openWithOtherRun(t, release(t), 80, 24, nil)
	sc.press("d", "enter", "G")
	sc.want("Neither run is over.")
	sc.wantNot("ended alike")
}

// TestCompareLong: a long path scrolls, and texts that are wide, long or have control characters stay in their
// columns.
func TestCompareLong(t *testing.T) {
	doc := "# 発布\n## 1. 準備する、すべての道具とディスクの空き容量を確かめる\n```sh\n./準備\n```\n- FAIL: RETRY 40 CONTINUE\n## 2. \x1b[31mRed\x1b[0m\nSure?\n"
	p := load(t, "発布.runbook.md", doc)
	run := func(sc *testScreen, fails int) {
		for i := range fails {
			sc.run(1, time.Second, fmt.Sprintf("%d 準備完了 %s\x1b]0;x\x07", i, strings.Repeat("完了🎉", 40)))
		}
		sc.run(0, time.Second, "済")
	}
	other := open(t, p, 80, 24)
	run(other, 3)
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 16}} {
		sc := openWithOtherRun(t, p, size[0], size[1], slices.Clone(other.s.events))
		run(sc, 30)
		sc.press("esc", "d", "enter")
		sc.want("diverge at step 1")
		for range 40 {
			sc.press("up")
			sc.frame()
		}
		for range 45 {
			sc.press("down", "pgdown")
			sc.frame()
		}
		sc.wantNot("\x1b", "]0;x")
	}
}
