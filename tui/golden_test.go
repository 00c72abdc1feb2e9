package tui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"playhead/engine/trust"
	"playhead/parse/plan"
	"playhead/tui/session"
	"playhead/tui/typeahead"
)

func TestTrust(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		p := release(t)
		items := CommandsOf(trust.ListCommands(p), p.SourcePath())
		return open(t, p, w, h, func(c *Config) { c.IsTrusted, c.CommandsToTrust = false, items })
	})
}

func TestRunning(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.run(0, 400*time.Millisecond, "/usr/bin/tar", "/usr/bin/cksum")
		sc.s.print("Filesystem     1024-blocks", "\x1b[32m/dev/root\x1b[0m         30298176  12 %")
		sc.clock = sc.clock.Add(7 * time.Second)
		if w == 60 {
			sc.press("3")
		}
		sc.send(spinnerTickMsg{})
		return sc
	})
}

func TestWaiting(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openAtQuestion(t, w, h) })
}

// openAtQuestion returns the screen of a run that waits for a person's answer.
func openAtQuestion(t *testing.T, w, h int) *testScreen {
	sc := open(t, release(t), w, h)
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
	sc.run(0, 200*time.Millisecond, "30298176")
	sc.run(0, 12*time.Second, "pushed")
	return sc
}

func TestNote(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtQuestion(t, w, h)
		sc.press("P")
		sc.write("staging only")
		return sc
	})
}

func TestRetry(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
		sc.run(0, 200*time.Millisecond, "30298176")
		sc.run(1, 3*time.Second, "connection reset by peer")
		sc.s.print("uploading 10 %", "uploading 20 %")
		sc.send(spinnerTickMsg{})
		return sc
	})
}

func TestFailedWithWhy(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
		sc.run(2, 200*time.Millisecond, "df: /tmp: No such file or directory")
		sc.press("esc", "k", "4")
		return sc
	})
}

func TestEndedFailed(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
		sc.run(2, 200*time.Millisecond, "df: /tmp: No such file or directory")
		return sc
	})
}

func TestBreakpoints(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.press("1", "G", "b", "B")
		return sc
	})
}

func TestOverridden(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtQuestion(t, w, h)
		sc.press("esc", "1", "G", "J")
		sc.write("too late today")
		sc.press("enter")
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.press("esc", "1", "k", "4")
		return sc
	})
}

func TestSummary(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, release(t), w, h)
		sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
		sc.run(0, 200*time.Millisecond, "30298176")
		sc.run(1, 3*time.Second, "connection reset by peer")
		sc.run(0, 12*time.Second, "pushed")
		sc.press("p")
		return sc
	})
}

// TestLongEndMessage: the message with which a run ended shows completely, even if the title has no room for it.
func TestLongEndMessage(t *testing.T) {
	doc := "# E\n## 1. Try\n```sh\nfalse\n```\n- FAIL: STOP \"the mirror of the archive cannot be reached at present\"\n"
	sc := open(t, load(t, "end.runbook.md", doc), 80, 24)
	sc.run(1, time.Second, "")
	sc.want("✗ STOPPED  the mirror", "the mirror of the archive cannot be reached at", "present")
}

// TestTooManyMoves: if the limit of transitions ends a run, the summary names the flag that raises the limit.
func TestTooManyMoves(t *testing.T) {
	p := load(t, "round.runbook.md", "# R\n## 1. Try\n```sh\ntrue\n```\n- PASS: GOTO 2\n## 2. Again\n```sh\ntrue\n```\n- PASS: GOTO 1\n")
	p.EntryLimit.Max = 2
	sc := open(t, p, 80, 24)
	sc.run(0, time.Second, "")
	sc.run(0, time.Second, "")
	sc.want("✗ FAILED ──", "2 Again ran once, then the run ended: more than", "Start a new run with --max-transitions N to raise")
	sc.press("esc", "4")
	sc.want("the run failed instead of continuing: more than", "11 PASS: GOTO 1")
}

func TestHelp(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtQuestion(t, w, h)
		sc.press("esc", "?")
		return sc
	})
}

func TestHistoryAndValues(t *testing.T) {
	for _, key := range []string{"t", "v"} {
		t.Run(key, func(t *testing.T) {
			sizes(t, func(t *testing.T, w, h int) *testScreen {
				sc := openAtQuestion(t, w, h)
				sc.press("esc", key)
				return sc
			})
		})
	}
}

const tenants = "# Move tenants\n## {N}. Batch\nFetch batch {N}.\n### {N}.{n} Tenant\nTenant {n} of batch {N}.\n" +
	"```sh\n./move \"$PLAYHEAD_STEP\"\n```\n- PASS: GOTO NEXT\n- FAIL: GOTO Diagnose\n" +
	"## Diagnose\nWorth another try?\n- YES: GOTO {N}.{n}\n- NO: GOTO More\n" +
	"## More\nAnother batch?\n- YES: GOTO NEXT {N}\n- NO: COMPLETE \"all moved\"\n"

func TestInstances(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, load(t, "tenants.runbook.md", tenants), w, h)
		sc.run(0, time.Second, "moved")
		sc.run(1, time.Second, "locked")
		sc.press("p")
		sc.run(1, 2*time.Second, "locked")
		sc.press("f", "p")
		if w == 60 {
			sc.press("1")
		}
		return sc
	})
}

// includingPlan returns a document that includes the release document and one that is missing.
func includingPlan(t testing.TB) *plan.Plan {
	p := load(t, "weekly.runbook.md", "# Weekly\n## 1. Checks\n- PASS ANY: CONTINUE\n- FAIL ALL: STOP\n\n"+
		"- release.runbook.md\n- gone.runbook.md\n## 2. Report\nWrite it.\n")
	p.IncludedDocuments = []plan.IncludedDocument{
		{WrittenPath: "release.runbook.md", Name: "release", File: "release.runbook.md", Plan: release(t)},
		{WrittenPath: "gone.runbook.md", Name: "gone", LoadProblem: "there is no such file"},
	}
	return p
}

func TestIncluded(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, includingPlan(t), w, h)
		sc.run(0, time.Second, "/usr/bin/tar")
		sc.s.print("30298176")
		sc.send(spinnerTickMsg{})
		return sc
	})
}

func TestProblems(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		return open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n- FAIL: RETRY 0\n### 1.2 B\n## 3. C\n"), w, h)
	})
}

// TestProblemsCorrected: after the file of a faulty document has changed, the last line names the key that opens
// it again.
func TestProblemsCorrected(t *testing.T) {
	sc := open(t, load(t, "bad.runbook.md", "# Bad\n## 1. A\n- PASS: GOTO 9\n"), 60, 16)
	sc.want("E edit")
	sc.wantNot("reload")
	sc.send(session.FilesChangedBeforeRun{})
	sc.press("down")
	sc.want("E edit  ctrl+r reload")
}

func TestWideCharacters(t *testing.T) {
	doc := "# 発布 🚀\n## 1. 準備する、すべての道具とディスクの空き容量を確かめる\n" +
		"日本語の説明です。とても長い行は、単語の境界がなくても折り返されなければなりません。\n" +
		"```sh\necho 準備完了\n```\n## 2. Ünïcode — naïve café ✓ and a title that is far too long for any tree 👩‍👩‍👧‍👦\nfine?\n"
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, load(t, "発布.runbook.md", doc), w, h)
		for i := range 60 {
			sc.s.print(fmt.Sprintf("%d 準備完了 ", i) + "完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了完了🎉🎉")
		}
		sc.sync()
		sc.sync() // the output has more room after the first sync
		if w == 60 {
			sc.press("3")
		}
		return sc
	})
}

func TestTooSmall(t *testing.T) {
	sc := open(t, release(t), 50, 12)
	sc.want("Playhead needs 60 × 16")
}

const introduced = "# Nightly\n\nMoves yesterday's orders to the **archive** and checks that nothing is lost. Takes ten minutes.\n\n" +
	"## 1. Freeze\nStop the intake.\n```sh\n./freeze\n```\n## 2. Archive\nAll moved?\n- YES: COMPLETE\n- NO: STOP\n"

func TestIntroduction(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := open(t, load(t, "nightly.runbook.md", introduced), w, h, func(c *Config) {
			c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1", Line: 7, Text: "./freeze"}}
		})
		if w == 60 {
			sc.press("esc", "2")
		}
		return sc
	})
}

// TestTrustLeavesTheText: on a tall screen, the trust dialog leaves room for the introduction, however many commands it
// lists.
func TestTrustLeavesTheText(t *testing.T) {
	doc := "# Nightly\n\nFirst.\n\nSecond.\n\nThird.\n\nFourth.\n\n## 1. Freeze\nStop the intake.\n"
	sc := open(t, load(t, "nightly.runbook.md", doc), 120, 40, func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, slices.Repeat([]DocumentCommand{{StepLabel: "1", Line: 7, Text: "./freeze"}}, 20)
	})
	sc.want("Fourth.", "more lines", "y trust and run")
}

func TestIntroductionUntilTheFirstStep(t *testing.T) {
	sc := open(t, load(t, "nightly.runbook.md", introduced), 120, 40, func(c *Config) { c.IsTrusted = false })
	sc.want("│ Nightly  ", "nothing is lost")
	sc.press("esc", "j")
	sc.want("│ 2 Archive  ", "All moved?")
	sc.press("esc")
	sc.want("nothing is lost")
	sc.press("a", "y")
	sc.want("│ 1 Freeze  ", "Stop the intake.")
	sc.wantNot("nothing is lost")
}
