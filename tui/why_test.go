package tui

import (
	"os"
	"testing"
	"time"

	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/typeahead"
)

// openFlow returns the screen of a run of a flow whose gates read intents and whose last step has validators.
func openFlow(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := parse.Load("notes", parse.Options{FS: os.DirFS("../parse/climpt/registry/testdata")})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	sc := open(t, p, w, h, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
	sc.write("1.1")
	sc.press("enter")
	sc.endReply(`{"act":"continue","found":{"size":"big"}}`)
	return sc
}

func TestWhyOfDecision(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openFlow(t, w, h)
		sc.press("1", "g", "down", "4")
		return sc
	})
}

// TestFoldedDefaultRoutes: several default routes share a row of WHY, which a person can unfold and fold, also on a
// screen that only watches. The row folds when another step is selected.
func TestFoldedDefaultRoutes(t *testing.T) {
	sc := openFlow(t, 80, 24)
	sc.press("1", "g", "down", "4", "down", "down")
	sc.want("▌        (6 default routes)  not taken", "enter unfold")
	sc.wantNot("the run fails (default)")
	for _, keys := range [][2]string{{"enter", "enter"}, {"right", "left"}} {
		sc.press(keys[0])
		sc.want("▌        (6 default routes)  not taken", "the run fails (default)", "enter fold")
		sc.press(keys[1])
		sc.want("enter unfold")
		sc.wantNot("the run fails (default)")
	}
	sc.press("enter", "1", "down", "up", "4")
	sc.wantNot("the run fails (default)")
	sc.press("enter")
	sc.want("the run fails (default)")
	sc.press("t")
	sc.wantNot("fold")
	sc.press("1", "down", "up", "t", "4")
	sc.wantNot("the run fails (default)")
	sc.s.status.Controller = "playhead attach"
	sc.send(sc.s.Take())
	sc.press("enter")
	sc.want("the run fails (default)", "enter fold")
}

// TestPromptOriginAndReadReply (climpt-registry.md §4, §5, §7, §10): the text pane shows where a step's prompt comes
// from and which values were filled in. WHY shows how a gate read a reply, the results of validators and the prompt
// after a failure.
func TestPromptOriginAndReadReply(t *testing.T) {
	sc := openFlow(t, 120, 40)
	sc.press("1", "g", "down", "4")
	sc.want("prompt   notes/prompts/steps/initial/notes/f_default.md", "with     range = 1.1",
		`act "continue" · intent next (alias) · allowed next, repeat`, `handoff: size "big"`)
	sc.press("1", "g")
	sc.want("1 step │", "Routes belong to steps. Select a step.")
	sc.wantNot("pending", "not decided yet")
	sc.press("esc", "esc")
	sc.endReply(`{"act":"next"}`)
	sc.endReply("Hand it off.")
	sc.want("Your last reply contained no JSON object.")
	sc.endReply("So:\n```json\n{\"act\":\"handoff\"}\n```")
	sc.press("1", "G", "up", "up", "4")
	sc.want(`act "handoff", in a fenced block · intent handoff`)
	sc.press("esc", "esc")
	sc.endReply(`{"act":"done"}`)
	sc.endCall(time.Second, plan.Product{Stdout: "3:TODO"})
	sc.want("prompt   retry:notes/prompts/steps/retry/notes/f_failed_todo.md", "fallback notes/prompts/steps/retry/notes/f_failed.md")
	sc.press("1", "G", "4")
	sc.want(`act "done" · intent closing (alias)`, "✗ no-todo · stdout is not empty (successWhen empty)", "pattern todo-left", "lines 3:TODO", "$ grep -n TODO NOTES.md || true", "failed 1.0s ✗", "▌━▸    6 onFailure retry", "retry 1/1", "failed: no-todo failed (todo-left): stdout is not empty")
	sc.press("down", "down", "down")
	sc.want("next prompt retry:notes/prompts/steps/retry/notes/f_failed_todo.md")
}

// TestWhyOfEndedRun: WHY takes the place of the summary of a run, which can be shown again.
func TestWhyOfEndedRun(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.run(0, 400*time.Millisecond, "/usr/bin/tar")
	sc.run(2, 200*time.Millisecond, "df: /tmp: No such file or directory")
	sc.want("✗ STOPPED  not fit")
	sc.press("4")
	sc.want("WHY 1.2", "FAIL")
	sc.wantNot("✗ STOPPED  not fit")
	sc.press("A")
	sc.want("✗ STOPPED  not fit")
}

// TestWhyOfEndedStep: the decision that led to a step stays with it, after the step's own decision.
func TestWhyOfEndedStep(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "1", "k", "4")
	sc.want("WHY 2", "▌━▸   36 PASS: CONTINUE", "│   from 1, line 8 → 2 · pass: 1.1, 1.2 passed")
	sc.wantNot("8 route of 1")
	sc.press("down", "down")
	sc.want("│ ▌ from 1, line 8 → 2")
	sc.press("1", "k", "4")
	sc.want("WHY 1.2", "from 1.1, default → 1.2 · pass")
	sc.press("1", "g", "down", "4")
	sc.want("WHY 1.1")
	sc.wantNot("│   from")
}

// TestWhyOfJump: the note of a jump stays with the target of the jump, also after another jump.
func TestWhyOfJump(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	jump := func(to []string, note string) {
		sc.press(append(append([]string{"esc", "1"}, to...), "J")...)
		sc.write(note)
		sc.press("enter")
		sc.clock = sc.clock.Add(typeahead.QuietTime)
	}
	jump([]string{"G"}, "too late today")
	jump([]string{"k"}, "after all")
	jump([]string{"k"}, "once more")
	sc.press("esc", "1", "G", "4")
	sc.want("WHY Rollback", `from 3, ⇢ ! Rollback: "too late today"`)
}

// TestWhyOfLeftGroup: while the run is paused before a step to which a route led out of a group, WHY of the group says
// so, in the same words as after the run has entered that step.
func TestWhyOfLeftGroup(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Check\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n### 1.1 A\n```sh\nx\n```\n- PASS: CONTINUE\n- FAIL: GOTO 3\n"+
		"### 1.2 B\n```sh\nx\n```\n## 2. Next\n```sh\nx\n```\n## 3. Last\n```sh\nx\n```\n"), 120, 40)
	sc.press("space")
	sc.run(1, 0)
	sc.press("1", "g", "4")
	left := []string{"exited without an outcome", "exited by the route on line 9; lines 2–3 were not evaluated"}
	sc.want(append(left, "‖ paused")...)
	sc.wantNot("not decided yet")
	sc.press("n")
	sc.press("1", "g", "4")
	sc.want(left...)
}
