package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/model"
	"playhead/engine/runs"
	"playhead/parse/plan"
)

// none opens a reply source that no test uses.
func none() (model.ReplySource, error) { return &model.PreparedReplies{}, nil }

// configureReplySources configures three reply sources.
func configureReplySources(c *Config) {
	c.ReplySources = []model.ReplySourceOption{
		{Name: "openai", Description: "gpt-5-mini", Open: none},
		{Name: "recording", Description: "greet.replies.yaml", Open: none, HasStoredReplies: true},
		{Name: "replay:7c1d", Description: "2026-02-28 17:05:00, completed", Open: none, HasStoredReplies: true},
	}
}

// openWithoutReplySource opens a document that asks a model, without a chosen reply source.
func openWithoutReplySource(t testing.TB, w, h int, inputs ...plan.Input) *testScreen {
	t.Helper()
	return open(t, playbookOf(t, "greet.playbook.md", writingDoc), w, h, configureReplySources, func(c *Config) {
		c.ReplySources, c.AskReplySource, c.Inputs, c.AskInputs = c.ReplySources[1:], true, inputs, len(inputs) > 0
	})
}

// openWithReplySources returns the screen of a run that asks a model and has other reply sources to choose from.
func openWithReplySources(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), w, h, configureReplySources)
	sc.s.source = "openai"
	sc.sync()
	return sc
}

func TestFirstSource(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openWithoutReplySource(t, w, h) })
}

// TestDialogScrollsCutText: the keys for pages move the text above a dialog that has nothing to scroll.
func TestDialogScrollsCutText(t *testing.T) {
	sc := openWithoutReplySource(t, 80, 24)
	sc.want("Write a greeting", "more lines", "PgDn text")
	sc.press("pgdown")
	sc.want("End with a question", "Where do replies come from?", "PgDn text")
	sc.press("pgup")
	sc.want("Write a greeting")
}

// TestReturnToFirstSource: a person can return to the question for the first reply source, also from the inputs,
// and the run begins with the chosen source.
func TestReturnToFirstSource(t *testing.T) {
	sc := openWithoutReplySource(t, 100, 30, plan.Input{Name: "tone", Type: "string", Default: "dry"})
	sc.press("esc")
	sc.want("Press a to go back to the question", "waits for you")
	sc.press("a", "2")
	sc.want("input 1 of 1", "dry")
	sc.write("!")
	sc.send(back)
	sc.want("Where do replies come from?")
	sc.press("1")
	sc.want("dry!")
	sc.press("enter", "enter") // the first enter is ignored
	sc.want("replies: recording")
	if sc.s.source != "recording" || sc.inputs["tone"] != "dry!" {
		t.Errorf("began with %q, %v", sc.s.source, sc.inputs)
	}
}

// TestResumedRunShowsWhatItDid: while a resumed run asks for a reply source, the screen shows what it did before.
func TestResumedRunShowsWhatItDid(t *testing.T) {
	left := openWithReplySources(t, 100, 30)
	left.endReply("Good morning")
	sc := open(t, left.m.cfg.Plan, 100, 30, configureReplySources, func(c *Config) { c.AskReplySource, c.ResumedEvents = true, left.s.events })
	sc.want("Where do replies come from?", "waits for you", "✓ 1 Write", "? 2 Sum up", "1/2 done")
	sc.press("1")
	sc.wantNot("1/2 done") // the session of this test does not resume, but begins the run again
}

func TestFirstSourceThatCannotBeUsed(t *testing.T) {
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), 100, 30, configureReplySources, func(c *Config) {
		c.AskReplySource, c.ReplySources[0].Open = true, func() (model.ReplySource, error) { return nil, errors.New("line 2 is none") }
	})
	sc.press("1")
	sc.want("Line 2 is none.")
	sc.press("enter")
	sc.want("Where do replies come from?", "waits for you")
	sc.press("4")
	sc.want("Reply in the model's place", "replies: manual")
}

func TestSourcePicker(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openWithReplySources(t, w, h)
		sc.s.print("Good ")
		sc.press("S", "j")
		return sc
	})
}

func TestSourceIsChanged(t *testing.T) {
	sc := openWithReplySources(t, 100, 30)
	sc.press("S", "esc")
	sc.wantNot("Where do replies")
	sc.press("S", "4")
	sc.want("The reply source is now \"manual\".")
	sc.endReply("Good morning")
	sc.want("Reply in the model's place", "replies: manual")
	sc.press("ctrl+o", "1")
	if sc.s.source != "openai" || sc.s.call == nil {
		t.Errorf("source %q", sc.s.source)
	}
}

// TestReplyKeysWithoutModels: in a document that asks no model, the keys about replies say so.
func TestReplyKeysWithoutModels(t *testing.T) {
	sc := open(t, release(t), 100, 30)
	sc.press("S")
	sc.want("No step of this document asks a model.")
	sc.press("H")
	sc.want("No step of this document asks a model.")
	sc.press("N")
	sc.want("No call is waiting to be retried.")
	sc.press("I")
	sc.want("No reasoning was recorded here")
}

func TestReplyTakenOver(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openWithReplySources(t, w, h)
		sc.s.print("Good morning!", "", "Is anything ")
		sc.press("H")
		sc.write("on fire?")
		return sc
	})
}

func TestReplyTakenOverIsSent(t *testing.T) {
	sc := openWithReplySources(t, 100, 30)
	sc.s.print("Good ")
	sc.press("H")
	sc.want("Finish the model's reply", "replies: manual, then openai")
	sc.write("evening")
	sc.press("esc", "a")
	sc.want("Good evening")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: Good evening" {
		t.Errorf("said %q", got)
	}
	sc.want("The model was called. Waiting for the reply to begin.")
}

// TestTakeOverNextReply: before a call, a person can take over the next reply, and give it back.
func TestTakeOverNextReply(t *testing.T) {
	sc := openWithReplySources(t, 100, 30)
	sc.press("space")
	sc.endReply("Good morning")
	sc.press("H")
	sc.want("You will write the next reply", "paused")
	sc.press("H")
	sc.want("Replies come from the reply source openai again")
	sc.press("H", "c")
	sc.want("Reply in the model's place")
	sc.press("esc", "H")
	sc.want("Waiting for the reply to begin")
}

func TestInterruptedReply(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openWithReplySources(t, w, h)
		sc.s.print("Good morning!", "", "Is anything ")
		sc.press("ctrl+c")
		return sc
	})
}

func TestInterruptedReplyFinishedByPerson(t *testing.T) {
	sc := openWithReplySources(t, 100, 30)
	sc.s.print("Good ")
	sc.press("ctrl+c")
	sc.want("interrupted", "p keep reply", "Good")
	sc.press("H")
	sc.want("Finish the model's reply")
}

// openAtRetry returns the screen of a run whose call will be retried in 7 seconds.
func openAtRetry(t testing.TB, w, h int) (sc *testScreen, skipped *int) {
	t.Helper()
	sc, skipped = openWithReplySources(t, w, h), new(int)
	sc.s.status.Notice = &model.Notice{
		Text:    "the server limits requests (429): retry 1 of 3",
		RetryAt: sc.clock.Add(7 * time.Second), RetryNow: func() { *skipped++ },
	}
	sc.send(sc.s.Take())
	return sc, skipped
}

func TestRetryOfModelCall(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc, _ := openAtRetry(t, w, h)
		if w == 60 {
			sc.press("3")
		}
		return sc
	})
}

func TestRetryCountsDownAndCanBeSkipped(t *testing.T) {
	sc, skipped := openAtRetry(t, 120, 30)
	sc.want("retry 1 of 3 in 7 s. Press N", "N retry now")
	sc.clock = sc.clock.Add(5500 * time.Millisecond)
	sc.send(spinnerTickMsg{})
	sc.want("retrying in 2 s")
	sc.press("N")
	if *skipped != 1 {
		t.Errorf("skipped %d times", *skipped)
	}
	sc.clock = sc.clock.Add(2 * time.Second)
	sc.send(spinnerTickMsg{})
	sc.want("retry 1 of 3 begins now", "running 00:07")
	sc.wantNot("N try now")
	sc.press("N")
	sc.want("No call is waiting to be retried.")
}

func TestReasoningProgress(t *testing.T) {
	sc := openWithReplySources(t, 100, 30)
	sc.s.status.ReasoningWords = 340
	sc.send(sc.s.Take())
	sc.want("thinking… 340 words")
	sc.s.print("Good morning")
	sc.sync()
	sc.wantNot("thinking…")
}

// openWithReasoning returns the screen of a run whose first reply has reasoning.
func openWithReasoning(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := openWithReplySources(t, w, h)
	for range 30 {
		sc.s.print("Good morning!", "")
	}
	sc.s.print("Is anything on fire?")
	sc.s.nextReplyInfo = &machine.ReplyInfo{Model: "gpt-5-mini", Reasoning: strings.Repeat("Perhaps a **greeting** is meant. ", 40)}
	sc.s.end(plan.Product{Text: "Good morning!"})
	sc.sync()
	sc.press("1", "g", "3")
	return sc
}

func TestReasoningFolded(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openWithReasoning(t, w, h) })
}

func TestReasoningOpened(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openWithReasoning(t, w, h)
		sc.press("I")
		return sc
	})
}

func TestReasoningLeavesTheReplyWhole(t *testing.T) {
	sc := openWithReasoning(t, 80, 24)
	sc.want("▸ reasoning, 1 kB", "Good morning!")
	sc.press("G")
	sc.want("Is anything on fire?")
	sc.press("I")
	sc.want("Perhaps a **greeting** is meant")
	sc.press("I")
	sc.wantNot("Perhaps")
}

// TestOriginOfPreparedAnswer: the steps, the step's text and the timeline say where a prepared answer came from.
func TestOriginOfPreparedAnswer(t *testing.T) {
	for by, want := range map[string]string{machine.ByFlag: "from a flag", machine.ByFile: "from a file"} {
		sc := openTextOrChoice(t, 120, 40)
		if err := sc.s.Answer(machine.Answer{Value: "Cost", By: by}); err != nil {
			t.Fatal(err)
		}
		sc.sync()
		sc.press("esc", "1", "g")
		sc.want("passed · "+want, by+" │")
		sc.press("t")
		sc.want("answered Cost (" + want + ")")
	}
}

// openWithoutServer returns the screen of a run that failed because no model server answers.
func openWithoutServer(t *testing.T, w, h int) *testScreen {
	sc := openWithReplySources(t, w, h)
	sc.s.end(plan.Product{Err: "no server answers at 127.0.0.1:9"})
	sc.sync()
	return sc
}

// TestOutputSaysWhyReplyIsMissing: if neither the summary nor WHY is beside the output, the output says why there is no
// reply.
func TestOutputSaysWhyReplyIsMissing(t *testing.T) {
	const cause = "There is no reply: no server answers at 127.0.0.1:9"
	for place, keys := range map[string][]string{
		"zoomed": {"esc", "3", "z"}, "presented": {"esc", "V", "3"}, "presented with the summary open": {"V", "3"},
	} {
		sc := openWithoutServer(t, 100, 30)
		sc.press(keys...)
		if n := strings.Count(sc.frame(), cause); n != 1 {
			t.Errorf("%s: the cause shows %d times:\n%s", place, n, sc.frame())
		}
	}
	sc := openWithoutServer(t, 66, 18)
	sc.press("3")
	sc.want(cause)

	sc = openWithoutServer(t, 100, 30)
	sc.press("esc", "3", "z", "z")
	sc.want("There is no reply.", "WHY 1")
}

// TestAnotherSourceAfterAFailure: after a run failed because it got no reply, a person can choose another source,
// or reply themselves, and rerun the step.
func TestAnotherSourceAfterAFailure(t *testing.T) {
	sizes(t, openWithoutServer)
	sc := openWithoutServer(t, 100, 30)
	sc.want("e edit", "r rerun 1", "S source", "1 Write failed: no server answers at 127.0.0.1:9")
	if n := strings.Count(sc.frame(), "no server answers"); n != 1 {
		t.Errorf("the cause shows %d times", n)
	}
	sc.press("S", "2")
	sc.want("Press r to run step 1 again.")
	sc.press("r", "y")
	sc.want("running")

	sc = openWithoutServer(t, 100, 30)
	sc.press("H")
	sc.want("You will write the next reply.", "Press r to run step 1 again.")
	sc.press("r", "y")
	sc.want("Reply in the model's place")
}

// TestResumedRunWasReloaded: if a run was reloaded before it is resumed, its screen begins with the newest version of
// the document.
func TestResumedRunWasReloaded(t *testing.T) {
	asking := "# Greet\n\n## STEP 1: Ask\n\n@elicit(confirm, \"Go on?\")\n"
	first := playbookOf(t, "greet.playbook.md", asking)
	second := playbookOf(t, "greet.playbook.md", asking+"\n## STEP 2: Greet\n\nSay hello.\n")
	m := machine.New(first, machine.Options{})
	started := *m.Next().Event
	started.Seq = 1
	if err := m.Apply(started); err != nil {
		t.Fatal(err)
	}
	reloaded, err := m.ReloadEvent(machine.Reload{Match: match.Documents(first, second, nil)})
	if err != nil {
		t.Fatal(err)
	}
	reloaded.Seq = 2
	var asked *plan.Plan
	sc := open(t, first, 100, 30, configureReplySources, func(c *Config) {
		c.AskReplySource, c.ResumedEvents = true, []machine.Event{started, reloaded}
		c.FindRoutesOfOtherRuns = func(version *plan.Plan, _ string) (runs.RoutesOfOtherRuns, error) {
			asked = version
			return runs.RoutesOfOtherRuns{}, nil
		}
	})
	sc.want("Where do replies come from?", "2 Greet")
	if !sc.m.runView().AsksModels {
		t.Error("the document asks no models")
	}
	sc.press("esc", "m")
	if asked != second {
		t.Error("routes of another version are counted")
	}
}
