package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

const choosing = "# Compare\n\n## STEP 1: Choose emphasis\n@elicit(select, \"What should the recommendation emphasize?\", " +
	"\"Cost\", \"Performance\", \"Developer experience\")\n\n" +
	"## STEP 2: Name the reader\n@elicit(input, \"Who reads it?\")\n\n" +
	"## STEP 3: Publish\n@elicit(confirm, \"Publish it as it is?\")\n"

func playbookOf(t testing.TB, path, doc string) *plan.Plan {
	t.Helper()
	p := playbook.Parse(path, []byte(doc), playbook.Options{})
	p.FormatTitle = "Playbook"
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

func openTextOrChoice(t *testing.T, w, h int) *testScreen {
	return open(t, playbookOf(t, "compare.playbook.md", choosing), w, h)
}

func TestSelect(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openTextOrChoice(t, w, h)
		sc.press("j")
		return sc
	})
}

func TestInput(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openTextOrChoice(t, w, h)
		sc.press("2")
		sc.write("the people on call")
		return sc
	})
}

func TestConfirm(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openTextOrChoice(t, w, h)
		sc.press("2")
		sc.write("me")
		sc.press("enter")
		return sc
	})
}

// TestPastedLines: an answer of several lines that is pasted keeps and shows its lines, and enter sends it.
// Terminals send a return for a line break.
func TestPastedLines(t *testing.T) {
	pasted := func(t *testing.T, w, h int) *testScreen {
		sc := openTextOrChoice(t, w, h)
		sc.press("2")
		sc.write("To ")
		sc.send(tea.PasteMsg{Content: "the team\r  and its guests,\r\nthen everybody.\n\n"})
		return sc
	}
	sizes(t, pasted)
	sc := pasted(t, 80, 24)
	sc.want("› To the team", "›   and its guests,", "› then everybody.", "enter answer", "ctrl+e editor")
	sc.send(tea.PasteMsg{Content: " Now."})
	sc.press("enter")
	if got := sc.given(); got != "person Performance, person To the team\n  and its guests,\nthen everybody. Now." {
		t.Errorf("answered %q", got)
	}
}

// TestPastedTab: if a text cannot be edited in the dialog, the dialog says completely what a person can do with it.
func TestPastedTab(t *testing.T) {
	sc := openTextOrChoice(t, 80, 24)
	sc.press("2")
	sc.send(tea.PasteMsg{Content: "the\tteam\nand guests"})
	sc.want("This text (19 B in 2 lines) cannot be edited", "here. Press ctrl+e to edit it in $EDITOR, or", "│ backspace to delete it.")
}

// TestAnswerInOnesOwnEditor: an answer of one line can also be written in the person's own editor.
func TestAnswerInOnesOwnEditor(t *testing.T) {
	sc := openTextOrChoice(t, 80, 24)
	sc.press("2")
	script := filepath.Join(t.TempDir(), "ed")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho and >> \"$1\"\necho others >> \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", script)
	sc.m.externalPrograms.runProgram = runAtOnce
	sc.write("we ")
	sc.press("ctrl+e")
	sc.want("› weand", "› others")
	sc.press("enter")
	if got := sc.given(); got != "person Performance, person weand\nothers" {
		t.Errorf("answered %q", got)
	}
}

// TestUnsentTextComesBack: a typed text shows again after another screen gives up control of the run, unless another
// question is open by then.
func TestUnsentTextComesBack(t *testing.T) {
	control := func(sc *testScreen, by string) {
		sc.s.status.Controller = by
		sc.send(sc.s.Take())
	}
	sc := openTextOrChoice(t, 80, 24)
	sc.press("2")
	sc.write("the people")
	control(sc, "playhead attach")
	sc.wantNot("the people")
	control(sc, "")
	sc.want("the people")
	control(sc, "playhead attach")
	sc.s.Answer(machine.Answer{Value: "all"})
	control(sc, "")
	sc.want("Publish it")
	sc.wantNot("the people")
}

// continueWith reloads the document of the run with another version, and continues the run where it is.
func (sc *testScreen) continueWith(p *plan.Plan) {
	sc.t.Helper()
	e, err := sc.s.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(sc.s.m.Plan(), p, nil)})
	if err != nil {
		sc.t.Fatal(err)
	}
	sc.s.record(e)
	sc.s.advance()
	sc.sync()
}

// TestUnsentTextAfterReload: a text that a person has typed and not sent shows again after a reload, even if its step
// gets another number.
func TestUnsentTextAfterReload(t *testing.T) {
	sc := openTextOrChoice(t, 80, 24)
	sc.press("2")
	sc.write("the people")
	sc.continueWith(playbookOf(t, "compare.playbook.md", strings.NewReplacer("## STEP 2", "## STEP 2: Greet\nGreet.\n\n## STEP 3", "STEP 3", "STEP 4").Replace(choosing)))
	sc.want("▌▶ ? 3 Name the reader", "the people")

	sc = openReportForm(t, 120, 40)
	sc.press("1", "1")
	sc.write("dated today")
	sc.continueWith(backup(strings.Replace(reportDoc, "# Backup\n", "# Backup\n\n### 🔧 WORKFLOW STEP: Rest\n```\nRest.\n```\n### 🛠️ TOOL: rest\n", 1)))
	sc.want("▌▶ ? 2 Look", "This step was edited after it began. What now?")
	sc.press("H")
	sc.want("status = passed", "dated today")
}

// given returns the answers of the run so far.
func (sc *testScreen) given() string {
	var out []string
	for _, e := range sc.s.events {
		if b, ok := e.Body.(*machine.InputGiven); ok {
			out = append(out, e.By+" "+b.Value)
		}
	}
	return strings.Join(out, ", ")
}

func TestKeysOfTextOrChoice(t *testing.T) {
	sc := openTextOrChoice(t, 120, 40)
	sc.press("f", "9", "p")
	sc.want("The step asks for text or a choice.")
	if got := sc.given(); got != "" {
		t.Fatalf("answered %q", got)
	}
	sc.press("down", "down", "down", "k", "enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("enter")
	sc.want("The text is empty")
	sc.write("pqs y")
	sc.press("esc")
	sc.want("Press a to go back to the question")
	sc.wantNot("fail 2", "pass 2")
	sc.press("p")
	sc.want("Press a to answer, or press s to skip the step.")
	sc.press("a")
	sc.want("pqs y")
	sc.send(tea.PasteMsg{Content: " and\nmore"})
	sc.press("enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("y")
	if got := sc.given(); got != "person Performance, person pqs y and\nmore, person yes" {
		t.Errorf("answered %q", got)
	}
}

// TestWrittenQuestionCloses: if the run closes a question while a person types an answer, the rest of their text
// is ignored.
func TestWrittenQuestionCloses(t *testing.T) {
	sc := openTextOrChoice(t, 120, 40)
	sc.press("down", "down", "enter")
	sc.write("p")
	if err := sc.s.Skip(""); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.want("The run continued and closed the dialog")
	sc.burst("q", "q")
	sc.wantNot("Quit?")
	if sc.quit {
		t.Error("the rest of a typed text quits")
	}
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.write("?")
	sc.want("KEYS")
}

// TestTextAfterEnter: keys after the enter that sends a text are ignored until the person pauses, because they may be
// the second line of a text that was pasted as keys.
func TestTextAfterEnter(t *testing.T) {
	for _, dialog := range [][]string{{"down", "enter"}, {"s"}} {
		sc := openTextOrChoice(t, 80, 24)
		sc.press(dialog...)
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.write("alpha")
		sc.press("enter")
		sc.wantNot("Keys are ignored")
		sc.burst("y", "q", "b", "e")
		sc.want("Keys are ignored until you stop typing.")
		sc.wantNot("Quit?", "yqbe", "Breakpoint", "Edit step")
		if got := sc.given(); strings.Contains(got, "yes") {
			t.Errorf("%v: answered %q", dialog, got)
		}
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.press("esc", "?")
		sc.want("KEYS")
	}
}

// TestTheQuestionComesWithItsText: going to the question selects its step, whatever step was selected.
func TestTheQuestionComesWithItsText(t *testing.T) {
	for _, away := range [][]string{{"esc", "1", "k", "k"}, {"1", "k", "k"}} {
		sc := open(t, release(t), 80, 24)
		for range 3 {
			sc.run(0, 0, "ok")
		}
		sc.press(away...)
		sc.wantNot("Only a person can judge this.")
		sc.press("a")
		sc.want("Only a person can judge this.", "Yes or no?")
		if !sc.m.screen.Steps.FollowsRun() || sc.m.screen.Steps.SelectedRow().Label != "3" {
			t.Errorf("%v: %s is selected", away, sc.m.screen.Steps.SelectedRow().Label)
		}
	}
}

func TestSkipAtQuestion(t *testing.T) {
	sc := openTextOrChoice(t, 120, 40)
	sc.press("s")
	sc.want("Skip step 1: note")
	sc.press("enter")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Status.String() != "skipped" {
		t.Errorf("1 is %s", r.Status)
	}
}

func TestLongListScrolls(t *testing.T) {
	dc := newModel(Config{Plan: release(t)}).drawContext
	var options []string
	for i := range 30 {
		options = append(options, strings.Repeat("x", i+1))
	}
	p := form.NewPicker(options, "")
	p.HandleKey(dc, terminal.KeyPress("end"))
	if lines := p.Lines(dc, 60, 5); len(lines) != 5 || !strings.Contains(lines[4], strings.Repeat("x", 30)) {
		t.Errorf("shows %q", lines)
	}
	p.HandleKey(dc, terminal.KeyPress("home"))
	if lines := p.Lines(dc, 60, 1); len(lines) != 1 || !strings.Contains(lines[0], "▌") {
		t.Errorf("shows %q", lines)
	}
}

// TestEnterBehindADigit: a digit answers at once, and an enter directly after it does not answer the next
// question. Other keys and the next enter work.
func TestEnterBehindADigit(t *testing.T) {
	p := playbookOf(t, "a.playbook.md", "# A\n\n## STEP 1: One\n@elicit(select, \"One?\", \"a\", \"b\")\n"+
		"## STEP 2: Two\n@elicit(select, \"Two?\", \"keep\", \"delete\")\n## STEP 3: Three\n@elicit(select, \"Three?\", \"x\", \"y\")\n")
	sc := open(t, p, 80, 24)
	sc.want("enter answer → 2 Two  ↑↓ choose  1–2 answer")
	sc.press("2", "enter")
	sc.want("Two?", "Enter was ignored: key 2 already answered the previous question.")
	sc.press("enter")
	sc.want("Three?")
	sc = open(t, p, 80, 24)
	sc.press("2", "down", "enter")
	sc.want("Three?")
}

// TestQuestionInText: the text pane shows a step's question before it is asked, and with its answer afterwards.
// While the dialog asks it, only the dialog shows it.
func TestQuestionInText(t *testing.T) {
	sc := openTextOrChoice(t, 100, 30)
	sc.wantNot("? What should")
	sc.press("esc", "j")
	sc.want("2 Name the reader", "? Who reads it?")
	sc.press("a", "1", "esc", "k")
	sc.want("? What should the recommendation", "› Cost")
}

// TestNewQuestionIsInView: a new question brings its step into view, whatever was selected. Once the question has the
// focus, it is directly below the step's text.
func TestNewQuestionIsInView(t *testing.T) {
	var doc strings.Builder
	for i := range 40 {
		fmt.Fprintf(&doc, "## %d. Step %d\n```sh\nmake\n```\n", i+1, i+1)
	}
	for _, away := range []struct{ before, after []string }{
		{before: []string{"1", "g", "down"}},
		{[]string{"1", "g", "m"}, []string{"esc"}},
		{[]string{"m", "g"}, []string{"enter", "tab", "tab", "tab"}},
		{[]string{"1", "g", "?"}, []string{"esc"}},
		{before: []string{"t", "4", "up", "up"}},
	} {
		sc := open(t, load(t, "a.runbook.md", doc.String()+"## 41. Judge\nLook at all of it.\n"), 120, 40)
		sc.run(0, time.Second, "made")
		sc.press(away.before...)
		for range 39 {
			sc.run(0, time.Second, "made")
		}
		sc.press(away.after...)
		sc.want("? 41 Judge", "Look at all of it.", "Did it pass?")
		sc.wantNot("as of event")
		if sc.m.screen.Focus != layout.DialogPlace {
			t.Errorf("%v: the question does not have the focus", away)
		}
	}
}

// openReview returns the screen of a run whose question is about a long reply of the step before and has no text of
// its own.
func openReview(t *testing.T, w, h int) *testScreen {
	p := playbookOf(t, "a.playbook.md", "# A\n\n## STEP 1: Draft\n\nWrite it.\n\n## STEP 2: Review\n\n@elicit(confirm, \"Review the draft above. Publish it?\")\n\n## STEP 3: Publish\n\nPublish it.\n")
	sc := open(t, p, w, h)
	sc.s.print(strings.Repeat("One paragraph of the draft.\n\n", 40))
	sc.endReply(strings.Repeat("One paragraph of the draft.\n\n", 40))
	return sc
}

func TestReviewGate(t *testing.T) { sizes(t, openReview) }

// TestReviewedCommand: if a question is about the output of a command, the output shows from its start.
func TestReviewedCommand(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n## 1. Plan\n```sh\nplan\n```\n## 2. Review\nIs the plan above fit?\n"), 120, 40)
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("planned %d", i+1))
	}
	sc.run(0, time.Second, lines...)
	sc.want("Is the plan above fit?", "│ planned 1 ")
}

// TestQuestionAfterFailure: at a question after a failed command, the end of its output shows, because it usually
// has the cause.
func TestQuestionAfterFailure(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n## 1. Build\n```sh\nmake\n```\n- FAIL: CONTINUE\n\n## 2. Go on\nShall it go on?\n"), 120, 40)
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("line %d", i+1))
	}
	sc.run(1, time.Second, lines...)
	sc.want("Shall it go on?", "│ line 100 ")
	sc.wantNot("│ line 1 ")

	sc = open(t, load(t, "a.runbook.md", "# A\n## 1. Build\n```sh\nmake\n```\n- FAIL: CONTINUE\n\n## 2. Go on\nShall it go on?\n"), 120, 40)
	sc.run(1, time.Second, "not found")
	sc.want("Shall it go on?", "│ not found ")
	sc.press("esc", "1", "k")
	sc.want("│ not found ")
}

// TestReviewedOutput: the reply that a question without text is about shows above the question, from its start, also
// when presenting. A person can scroll it while a note or another pane has the focus.
func TestReviewedOutput(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		sc := openReview(t, size[0], size[1])
		wantAbove := func() {
			t.Helper()
			if frame := sc.frame(); strings.Index(frame, "One paragraph") > strings.Index(frame, "Review the draft above.") {
				t.Errorf("the reply is not above the question:\n%s", frame)
			}
		}
		wantAbove()
		sc.want("Review the draft above.", "y yes → 3 Publish", "n no → 3 Publish", "1 Draft · reply", "$0.0018 · 1.0s", "One paragraph")
		sc.press("esc", "3")
		sc.want("1 Draft · reply", "One paragraph")
		sc.press("pgdown")
		if sc.m.screen.Output.Overflow(nil).Above == 0 {
			t.Error("the output does not scroll outside the dialog")
		}
		sc.press("a")
		sc.want("One paragraph")
		top := sc.m.screen.Layout.PaneRects[layout.DialogPlace].Y
		sc.press("3")
		sc.want("y yes → 3 Publish", "a go to the question")
		sc.wantNot("a answer  ", "yes 2")
		if y := sc.m.screen.Layout.PaneRects[layout.DialogPlace].Y; y < top-1 { // the hint of the key a may take a line
			t.Errorf("the question moves from line %d to %d when the output gets the focus", top, y)
		}
		sc.press("a", "V")
		sc.want("You are presenting", "y yes → 3 Publish  n no → 3 Publish", "1 Draft · reply", "One paragraph")
		wantAbove()
		sc.press("esc")
		sc.wantNot("One paragraph")
		sc.press("esc", "a", "Y", "pgdown")
		if sc.m.screen.Output.Overflow(nil).Above == 0 {
			t.Error("the output does not scroll while a note is open")
		}
	}
}

// TestReviewAfterBranch: a question shows the newest output before it, even if a step in a branch printed it.
func TestReviewAfterBranch(t *testing.T) {
	sc := open(t, playbookOf(t, "a.playbook.md", "# A\n\n## STEP 1: Draft\n\n@elicit(confirm, \"A short one?\")\n\nWrite a plan.\n\n"+
		"```if __elicit_step_1 == \"yes\"```\n\n### STEP 1a: Short\n\nWrite it.\n\n```else```\n\n### STEP 1b: Long\n\nWrite it.\n\n```endif```\n\n"+
		"## STEP 2: Review\n\n@elicit(confirm, \"Is it right?\")\n\n## STEP 3: Publish\n\n@elicit(confirm, \"Publish it?\")\n"), 80, 24)
	sc.press("y")
	for _, text := range []string{"The plan.", "The draft."} {
		sc.s.print(text)
		sc.endReply(text)
	}
	for _, question := range []string{"Is it right?", "Publish it?"} {
		sc.want(question, "1a Short · reply", "The draft.")
		sc.press("y")
	}
}

// TestListLeavesOutput: a long list of answers scrolls rather than hide the output under review, and takes all
// lines if there is none.
func TestListLeavesOutput(t *testing.T) {
	list := "@elicit(select, \"Which one?\"" + strings.Repeat(", \"an option\"", 30) + ")\n"
	sc := open(t, playbookOf(t, "a.playbook.md", "# A\n\n## STEP 1: One\n"+list+"\n## STEP 2: Draft\n\nWrite it.\n\n## STEP 3: Two\n"+list), 80, 24)
	if n := strings.Count(sc.frame(), "an option"); n < 16 {
		t.Errorf("%d options show", n)
	}
	sc.press("1")
	sc.s.print("The draft.")
	sc.endReply("The draft.")
	sc.want("Which one?", "2 Draft · reply", "The draft.")
}

// TestWhatLedToAQuestion: a question says which route or failure led to it, and nothing about a default route.
func TestWhatLedToAQuestion(t *testing.T) {
	asked := func(rule string, exit int) *testScreen {
		sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nx\n```\n"+rule+"\n\n## 2. Sure?\n- YES: CONTINUE\n- NO: STOP\n"), 100, 30)
		sc.run(exit, time.Second, "last")
		return sc
	}
	asked("", 0).wantNot("from 1")
	asked("- PASS: CONTINUE", 0).want("from 1, line 5 → 2 · pass")
	asked("- FAIL: CONTINUE", 1).want(`1 One failed: exit 1, "last"`, "from 1, line 5 → 2 · fail")
}

// TestQuestionIsOnlyALongTitle: a question that is only the title of its step can be read whole on every screen.
func TestQuestionIsOnlyALongTitle(t *testing.T) {
	doc := "## 1. Is the extraordinarily long question about the state of the cluster in the third data centre understood, and has everybody answered?\n" +
		"- YES: CONTINUE\n- NO: STOP\n\n## 2. Short?\n- YES: COMPLETE\n- NO: STOP\n"
	for _, size := range [][2]int{{120, 40}, {100, 30}, {80, 24}, {60, 16}} {
		for _, present := range []bool{false, true} {
			sc := open(t, load(t, "a.runbook.md", doc), size[0], size[1], func(c *Config) { c.StartsPresenting = present })
			sc.want("answered?", "Yes or no?")
			if n := strings.Count(sc.frame(), "answered?"); n != 1 {
				t.Errorf("%v, presenting %v: the title ends %d times:\n%s", size, present, n, sc.frame())
			}
			if !present {
				sc.press("esc", "1", "down", "a")
				sc.want("answered?")
			}
		}
	}
}

// TestQuestionNamesStep: below the outcome of another step, the question names its own step, because "it" would mean
// the other step.
func TestQuestionNamesStep(t *testing.T) {
	asked := func(exit int) *testScreen {
		sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nx\n```\n- FAIL: CONTINUE\n\n## 2. Which\n- PASS: COMPLETE\n- FAIL: STOP\n"), 100, 30)
		sc.run(exit, time.Second, "last")
		return sc
	}
	asked(0).want("Did it pass?")
	asked(1).want("1 One failed: exit 1", "Did step 2 pass?")
}
