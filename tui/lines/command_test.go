package lines

import (
	"io"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/parse/plan"
)

// wantParts fails for each part that a text does not contain.
func wantParts(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q in:\n%s", part, got)
		}
	}
}

const roads = `## 1. Rate
Is it severe?
- YES: GOTO Page
- NO: CONTINUE
## 2. Log
` + "```sh\necho Logged it\n```" + `
## 3. Close
Well?
## Page
Wake them.
`

// TestViewCommands: the commands that only show something work at a question and at a pause.
func TestViewCommands(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false,
		":steps", ":text", ":why", ":map", ":values", "no",
		":why 1", ":output 2", ":output", ":find LOGGED", ":find nowhere", ":timeline 2", ":reasoning 2", ":summary", ":help undo", ":help break", ":stesp", ":find", "ok")
	wantLines(t, got,
		"  [1] Rate: waiting  <- the run is here", "  [2] Log: pending", "Is it severe?", "  step 1 has made no decision yet",
		"    YES: GOTO Page -> Page", "  No variable has a value yet.",
		"  line 4, NO: CONTINUE: taken: fail", "  -> 2", "Logged it", "  step 3 has no output",
		"  [2] text line 1: echo Logged it", "  [2] output line 1: Logged it", "  no match for nowhere",
		"  no reasoning was recorded for this step", "  the run is not over",
		"  :undo                        undo the last action",
		"    any:fail             after any step that failed", "    :after to STEP       after it, if STEP is next", "    off                  disabled",
		`  there is no command "stesp": did you mean :steps?`, "  find needs text to search for: type :find TEXT",
	)
	wantParts(t, got, "[3] waits for a person: pass or fail")
	if end.Result != plan.Completed {
		t.Errorf("ended %+v", end.RunFinished)
	}
}

// TestEndByPerson: the summary and :why say that a person ended the run.
func TestEndByPerson(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false, ":complete")
	wantLines(t, got, "  1 Rate was the last step, because a person ended the run", "  ! [1] Rate: a person ended the run: completed", "  - [2] Log: not reached")
	if end.Result != plan.Completed {
		t.Errorf("ended %+v", end.RunFinished)
	}
}

// TestActionCommands: a person can type commands to set breakpoints, edit, step, undo, jump and override.
func TestActionCommands(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false,
		":break 2", ":breaks", ":edit 2 echo Written", "no",
		":over", "", "ok",
	)
	wantLines(t, got, "  Breakpoint set: 2.", "  2", "$ echo Written", "Written", "  ! [2] Log: edited by a person")
	wantParts(t, got, "paused before 2 at breakpoint 2: enter continues", "paused before 3")
	if end.Result != plan.Completed {
		t.Errorf("ended %+v", end.RunFinished)
	}
	got, end = follow(t, roads, engine.Config{}, false,
		":pause", "no", "what-if outcome=pass", "what-if yes", ":undo", ":jump Page not now", "into", ":pass seen")
	wantLines(t, got, "  with this change, step 1 decides:", "  -> Page", "  Undone: override of step 1 with pass. Type :redo to redo it.", "undo: back at step 2", "[1] jumped -> Page (by a person: not now)", "[Page] pass (person: seen) -> end (default: PASS: CONTINUE)")
	if got := strings.Join(end.EnteredStepLabels, " "); end.Result != plan.Completed || got != "1 Page" {
		t.Errorf("ended %+v, path %s\n", end.RunFinished, got)
	}
}

// TestBreakpointTwice: setting a breakpoint a second time says that it is already set. A breakpoint can be cleared by
// its step alone, even if that is "any".
func TestBreakpointTwice(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, ":break any:fail", ":break any:fail", ":break 2:after", ":break 2:after", ":break any", ":break 2", ":breaks")
	wantLines(t, got, "  Breakpoint set: any:fail.", "  Breakpoint any:fail is already set. Type :break any to clear it.",
		"  Breakpoint 2:after is already set. Type :break 2 to clear it.", "  Breakpoint cleared: any:fail.", "  Breakpoint cleared: 2:after.", "  There are no breakpoints. :break STEP sets one.")
	if strings.Count(got, "Breakpoint set") != 2 {
		t.Error(got)
	}
}

// TestClearBreakpoints: clearing all breakpoints of a step names each.
func TestClearBreakpoints(t *testing.T) {
	c := engine.Config{Breakpoints: []engine.Breakpoint{{Step: "2", After: true}, {Step: "2", After: true, OnlyFailures: true}, {Step: "1"}}}
	got, _ := follow(t, roads, c, false, ":break 2", ":cancel")
	wantLines(t, got, "  Breakpoints cleared: 2:after, 2:fail.")
}

// TestRemoveEdit: an empty text in the editor removes the edit of a step.
func TestRemoveEdit(t *testing.T) {
	out := &screen{typed: []string{":edit 2", ":edit 2 echo Written", "no", ":edit 2", ":edit 2"}}
	config := Config{Out: out, EditText: func(string) (string, error) { return "", nil }}
	config.In, out.keys = io.Pipe()
	followIn(t, roads, engine.Config{}, config)
	got := out.text.String()
	wantLines(t, got, "  Step 2 uses the edit the next time it begins. Type :write-back to write it into the document.",
		"  The edit is removed: step 2 uses the document's text the next time it begins. Type :rerun 2 to run the step again.")
	if strings.Count(got, "  Step 2 is unchanged: you entered no text, and there is no edit to remove.") != 2 {
		t.Error(got)
	}
}

// TestCancelPause: a pause before the next step can be cancelled before it happens.
func TestCancelPause(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false, ":pause", ":continue", "no", "ok")
	wantLines(t, got, "  The run pauses before the next step. Type :continue to cancel the pause.", "  The run no longer pauses before the next step.")
	if strings.Contains(got, "paused before") || end.Result != plan.Completed {
		t.Errorf("ended %+v\n%s", end.RunFinished, got)
	}
}

// TestOverride: at a pause, the outcome of the previous step can be overridden without beginning the next one.
// Once the next step has begun, it cannot (workflow.md §8).
func TestOverride(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false,
		":override fail", ":pause", "no", ":override", ":override pass it is bad", "", "ok")
	wantLines(t, got, "  Override works only after a step has ended and before the next one begins, or when the run is over. Type :rerun to run a step again.", "  override needs pass|fail: the form is override pass|fail [NOTE]",
		"[1] pass (overridden, originally failed, note: \"it is bad\") -> Page (line 3: YES: GOTO Page)")
	if got := strings.Join(end.EnteredStepLabels, " "); end.Result != plan.Completed || got != "1 Page" {
		t.Errorf("ended %+v, path %s\n", end.RunFinished, got)
	}
}

// TestReplacedBreakpoint: a breakpoint that replaces the one at its step says which.
func TestReplacedBreakpoint(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, ":break 3", ":break 3:after", ":breaks")
	wantLines(t, got, "  Breakpoint set: 3.", "  Breakpoint set: 3:after. It replaces 3.", "  3:after")
}

// TestRewind: a rewind says which effects are not undone, pauses the run, and can be undone.
func TestRewind(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false, "no", ":rewind 99", ":rewind 5", ":redo", ":undo", ":undo", ":set x=1", ":values", ":skip", "")
	wantLines(t, got, `  "99" is not the number of an event of this run`, "  not undone: 2 echo Logged it", "the run was rewound", "  Undone: rewind to step 1. Type :undo to rewind again.", "redo: back at step 3",
		"  Redone: rewind to step 1. Type :redo to undo it.", "undo: back at step 1", "  Undone: rewind to step 1. Type :redo to redo it.", "undo: back at step 3", "  x = 1  (set by a person)")
	if end.Result != plan.Completed {
		t.Errorf("ended %+v\n%s", end.RunFinished, got)
	}
}

// TestRedoNamesTheAction: a redo says which action it did again.
func TestRedoNamesTheAction(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, "yes", ":undo", ":redo", "ok")
	wantLines(t, got, "  Undone: answer to step 1. Type :redo to redo it.", "  Redone: answer to step 1. Type :undo to undo it.")
}

// TestUndoOfRewindThatRan: a redo leads to where the run was, not to where the rewind or the rerun led.
func TestUndoOfRewindThatRan(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, "no", ":rewind 5", ":over", ":undo", ":rerun 2", ":undo", "ok")
	wantLines(t, got, "  Undone: rewind to step 1. Type :redo to redo it.", "  Undone: rerun of step 2. Type :redo to redo it.")
}

// TestUndoNamesThePosition: an undo says where the run is again, not which step the event before it is about.
func TestUndoNamesThePosition(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, "no", ":edit 2 echo Written", ":jump 1", ":undo", "ok")
	wantLines(t, got, "  Undone: jump to step 1. Type :redo to redo it.", "undo: back at step 3")
}

// TestSetNewVariable: setting a new variable prints nothing about effects of an old value.
func TestSetNewVariable(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, ":set x=1", ":set x=2", "no", "ok")
	wantLines(t, got, "  x is set.", "  x is set. Effects of the old value are not undone.")
}

// TestSummaryOfRewind: the summary says that commands of rewound attempts ran, unless the rewind was undone.
func TestSummaryOfRewind(t *testing.T) {
	const sentence = "  1 command or call ran in attempts that were rewound"
	got, _ := follow(t, roads, engine.Config{}, false, "no", ":rewind 5", ":continue", ":skip")
	wantLines(t, got, sentence)
	got, _ = follow(t, roads, engine.Config{}, false, "no", ":rewind 5", ":undo", ":skip")
	if strings.Contains(got, sentence) {
		t.Errorf("the rewind was undone:\n%s", got)
	}
}

// TestUnavailableActions: an action that is unavailable says why.
func TestUnavailableActions(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false,
		":continue", ":run-to 7", ":jump", ":jump 9", ":set x", ":edit 1", ":break 9", ":break 1:after to 9", `:break 2 if x == "1"`, ":set seen=1", `:break 2 if sen == "1"`, `:break 2 if seen == "1"`, ":what-if 2", ":what-if yes", ":copy", ":outside", ":now", ":timeline x", ":cancel")
	wantParts(t, got, "The run is waiting for your answer. Use the prompt to give it.", `there is no step "7": `, `there is no step "9" to go to: `, `there is no variable "x": none are defined`, `there is no variable "sen": did you mean seen?`, `Breakpoint set: 2 if seen == "1".`, "jump needs STEP: the form is jump STEP [NOTE]",
		"write NAME=VALUE, such as version=1.2", "Step 1 has nothing to edit.", "there is no decision to change yet at step 2",
		"there is no change to apply yet", "there is no clipboard to copy to", "there is no terminal to open the text in", "No call is waiting to be retried.",
		`"x" is not a number of events`, "\ncancelled")
}

// TestTextOfAnInstruction: the text of a step contains its instruction to a person exactly once.
func TestTextOfAnInstruction(t *testing.T) {
	got, _ := follow(t, "## 1. Ask\n```prompt\nAsk the channel first.\n```\n", engine.Config{}, false, ":text 1", "pass")
	wantLines(t, got, "Ask the channel first.")
	if strings.Contains(got, "has no text") || strings.Count(got, "Ask the channel first.") != 2 { // the question shows it too
		t.Error(got)
	}
}

// TestBlanksInNames: the name of a step may have several words, and a note or a text may follow it.
func TestBlanksInNames(t *testing.T) {
	ui := New(Config{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "Log"}, {ID: "Log it"}, {ID: "Log it well"}}}})
	for arg, want := range map[string][2]string{
		"Log": {"Log", ""}, "Log it": {"Log it", ""}, "Log  not yet": {"Log", "not yet"},
		"Log it why not": {"Log it", "why not"}, "Log it well  a  b": {"Log it well", "a  b"},
		`"Log" it well`: {"Log", "it well"}, `"Log it"`: {"Log it", ""},
	} {
		row, rest, err := ui.currentRun().CutStep(arg, false)
		if err != nil || row.Label != want[0] || rest != want[1] {
			t.Errorf("%q: %v, %q, %v", arg, row, rest, err)
		}
	}
	if _, _, err := ui.currentRun().CutStep("Lag it", false); err == nil || !strings.Contains(err.Error(), `there is no step "Lag"`) {
		t.Error(err)
	}
}

// TestInstanceThatIsNext: if a paused run is about to begin an instance, commands without a step are about that
// instance. A breakpoint there is hit at every instance.
func TestInstanceThatIsNext(t *testing.T) {
	got, end := follow(t, "## 1. Rounds\n### 1.{n} Round\nRound {n}?\n- YES: NEXT\n- NO: CONTINUE\n", engine.Config{Mode: engine.StepOver}, false,
		":steps", ":over", "ok", ":steps", ":text", ":text 1.2", ":break", ":look-back 2 steps", ":quit")
	wantLines(t, got, "    [1.1] Round: pending  <- the run is here", "    [1.1] Round: passed", "    [1.2] Round: pending  <- the run is here",
		"Round 2?", "  Breakpoint set: 1.{n}.", "    [1.1] Round: running  <- the run is here")
	if at := strings.Count(got, "the run is here"); at != 3 || strings.Count(got, "[1.2] Round: ") != 1 || end.WaitingFor == nil {
		t.Errorf("the run is in %d places, and ends with %v:\n%s", at, end.WaitingFor, got)
	}
}

// TestDocumentNamesBreakpoints: :document says which breakpoints do not pause. The earlier name of a command works in
// other commands too.
func TestDocumentNamesBreakpoints(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, ":break 2 log", ":document", ":break 2 off", ":document", ":break 2", ":break 2", ":document", ":copy history", ":quit")
	for _, want := range []string{"  <- logpoint\n", "  <- breakpoint that is off\n", "  <- breakpoint\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "no step \"history\"") {
		t.Errorf("history is taken for a step:\n%s", got)
	}
}

// TestLookBack: :look-back shows the run as of an event, and :copy copies what a command shows instead of printing it.
func TestLookBack(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, "no", ":look-back 2 steps", ":look-back 2 output 2", ":look-back 99 steps", ":look-back 2 undo", ":copy reasoning", ":copy why 1")
	wantLines(t, got, "  [1] Rate: running  <- the run is here", "  step 2 has no output", `  "99" is not the number of an event of this run`,
		`  :look-back cannot run "undo": use a command that shows something, such as steps, text, output, why or values`, "  no reasoning was recorded for this step",
		"  there is no clipboard to copy to")
	if strings.Contains(got, "NO: CONTINUE: taken") {
		t.Error(":copy prints the text that it copies")
	}
}

// TestNextMatch: the matches of a search are printed in parts, and :next-match prints the next part.
func TestNextMatch(t *testing.T) {
	got, _ := follow(t, "## 1. Count\n```sh\nseq -f 'no %g' 70\n```\n## 2. Sure?\n- YES: COMPLETE\n", engine.Config{}, false,
		":next-match", ":find NO ", ":next-match", ":next-match", ":next-match", ":find complete", ":find entered")
	wantLines(t, got, "  there is no search to continue: type :find TEXT first", "  [1] output line 29: no 29", "  and 42 more: :next-match", "  [1] output line 30: no 30",
		"  and 12 more: :next-match", "  [1] output line 70: no 70", "  there are no more matches: :next-match starts again from the first", "  route: YES: COMPLETE -> completed", "  event 2: [1] entered")
}

// TestWhatIfLeavesGroup: if a change ends a group, the decision of the group follows that of the step.
func TestWhatIfLeavesGroup(t *testing.T) {
	got, _ := follow(t, "## 1. Both\n- PASS ALL: CONTINUE\n- FAIL ANY: GOTO 3\n### 1.1 One\nFine?\n- YES: CONTINUE\n- NO: STOP\n### 1.2 Two\n```sh\ntrue\n```\n## 2. Then\n- YES: COMPLETE\n- NO: STOP\n## 3. Else\n- YES: COMPLETE\n- NO: STOP\n",
		engine.Config{}, false, "yes", ":what-if 1.2 outcome=fail")
	wantLines(t, got, "  with this change, step 1.2 decides:", "  then 1 fails → 3 (line 3)")
}

// TestEndOfOutput: :output prints the last lines of a long output in their order, and all lines with "all".
func TestEndOfOutput(t *testing.T) {
	got, _ := follow(t, "## 1. Count\n```sh\nseq -f 'no %g' 90\n```\n## 2. Sure?\n- YES: COMPLETE\n", engine.Config{}, false, ":output 1", ":output 1 all")
	wantLines(t, got, "  the last 40 of 90 lines; :output 1 all prints all of them", "no 51", "no 52", "no 89", "no 90", "no 1", "no 2", "no 89", "no 90")
	if n := strings.Count(got, "\nno 51\n"); n != 3 {
		t.Errorf("a line of the end was printed %d times", n)
	}
}

// TestRerunNamesAStep: the first argument of :rerun is the name of a step, even of the current one, and the rest is a
// note.
func TestRerunNamesAStep(t *testing.T) {
	got, _ := follow(t, decisions, engine.Config{}, false, ":rerun 3", ":rerun 2 too soon", "yes", "ok")
	wantLines(t, got, "  Step 3 has not run yet. Type :jump to jump to it.", "[2] run again -> 2 (by a person: too soon)", "  path  1 2 2 3")
}

// TestRerunEarlierStep: :rerun with an earlier step runs that step again, and the run pauses after it.
func TestRerunEarlierStep(t *testing.T) {
	got, end := follow(t, roads, engine.Config{}, false, "no", ":rerun 2", "", "fail")
	if wantLines(t, got, "  not undone: 2 echo Logged it", "the run was rewound"); strings.Count(got, "\nLogged it\n") != 2 || !strings.Contains(got, "paused before 3") {
		t.Error(got)
	}
	if got := strings.Join(end.EnteredStepLabels, " "); got != "1 2 3" {
		t.Errorf("path %s", got)
	}
}

// TestWhatIfAtSecondAttempt: at the question of a second attempt, :what-if is about the answer to that question.
func TestWhatIfAtSecondAttempt(t *testing.T) {
	got, _ := follow(t, "## 1. Again?\n- YES: COMPLETE\n- NO: RETRY 2 STOP\n", engine.Config{}, false, "no", ":what-if 1 answer=yes", ":quit")
	wantLines(t, got, "  with this change, step 1 decides:", "  line 2, YES: COMPLETE: taken: pass")
}

// TestWhatIfEarlier: :what-if with the name of a step is about the decision of that step, if it has made one.
func TestWhatIfEarlier(t *testing.T) {
	got, _ := follow(t, roads, engine.Config{}, false, ":what-if 1", "no", ":what-if 1", ":what-if 1 outcome=pass", ":what-if 9 outcome=pass", ":what-if 2 outcome", ":what-if yes")
	wantLines(t, got, "  possible answers at step 1, line 1:", "  answer=no: no -> 2", "  possible changes at step 1, line 3:", "  outcome=…: was fail; could be pass (-> Page)", "  with this change, step 1 decides:", "  -> Page",
		"  not undone: 2 echo Logged it", "the run was rewound")
	wantParts(t, got, `there is no step "9": `, "as in :what-if severity=low", "paused after 1")
}
