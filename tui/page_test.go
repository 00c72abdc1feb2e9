package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

var replyLines = []string{
	"## Checkout, error 502", "", "Every **third** visitor cannot pay, which costs money every minute, but search and mail are not concerned.", "",
	"| | |", "|---|---|", "| rating | **high** |", "| area | gateway |", "",
	"1. **The upstream pool**: one dead server of three?", "2. The deployment of 09:30.", "",
	"```json", `{"severity": "high",`, "", ` "area": "gateway"}`, "```",
}

// openDuringReply returns the screen of a run in which a model has printed some lines of its reply.
func openDuringReply(t testing.TB, w, h, lines int) *testScreen {
	t.Helper()
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), w, h)
	sc.s.print(replyLines[:lines]...)
	sc.clock = sc.clock.Add(2100 * time.Millisecond)
	if w == 60 {
		sc.press("3")
	}
	sc.send(spinnerTickMsg{})
	return sc
}

// replies ends the model's reply.
func (sc *testScreen) replies() {
	sc.s.nextReplyInfo = &machine.ReplyInfo{Model: "gpt-5-mini", FinishReason: "stop", Tokens: &machine.Tokens{InputTokens: 4120, OutputTokens: 812}, Cost: new(0.0172)}
	sc.s.end(plan.Product{Text: strings.Join(replyLines, "\n")})
	sc.sync()
}

// openAfterReply returns the screen of a run that has ended with a reply.
func openAfterReply(t testing.TB, w, h int) *testScreen {
	sc := openDuringReply(t, w, h, len(replyLines))
	sc.replies()
	sc.press("esc", "1", "g")
	if w == 60 {
		sc.press("3")
	}
	return sc
}

func TestStreamedReply(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openDuringReply(t, w, h, 15) })
}

func TestRenderedReply(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openAfterReply(t, w, h) })
}

// TestCompleteReplyOpensAtItsStart: the output pane shows the end of a reply while it arrives, and the start once it is
// complete.
func TestCompleteReplyOpensAtItsStart(t *testing.T) {
	sc := openDuringReply(t, 60, 16, len(replyLines))
	sc.replies()
	sc.s.print(replyLines...)
	sc.press("3")
	sc.sync()
	sc.wantNot("Checkout, error 502")
	sc.replies()
	sc.press("esc", "3")
	sc.want("Checkout, error 502")
}

func TestRawReply(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAfterReply(t, w, h)
		sc.press("M")
		return sc
	})
}

func TestReplyTitles(t *testing.T) {
	sc := openAfterReply(t, 120, 40)
	sc.want("reply · gpt-5-mini · 812 tokens · $0.02 · 2.1s")
	row := sc.m.screen.Steps.SelectedRow()
	a := sc.m.screen.Output.ShownActionOf(row)
	for schema, want := range map[string]string{model.SchemaInResponseFormat: "reply · gpt-5-mini · schema as response format · 812 tokens", model.SchemaInPrompt: "· schema in the prompt ·"} {
		a.SchemaMethod = schema
		sc.send(spinnerTickMsg{})
		sc.want(want)
	}
	a.FinishReason, a.SchemaMethod = "length", ""
	sc.send(spinnerTickMsg{})
	sc.want("cut off at the token limit")
	for by, want := range map[string]string{"file": "reply from a file", "person": "reply by a person", "replay": "reply from an earlier run"} {
		a.RepliedBy = by
		sc.send(spinnerTickMsg{})
		sc.want(want)
	}
	a.RepliedBy, row.NewestStepAttempt().AnsweredBy = "person", "person"
	sc.press("1", "g", "4")
	sc.want("✓ 1 Write                person", "│ reply by a person")
}

func TestFindShowsRawReply(t *testing.T) {
	sc := openAfterReply(t, 120, 40)
	sc.wantNot("**third**")
	sc.press("3", "/")
	sc.want("**third**")
}

// TestLongReplyIsRaw: a reply that is too long to be rendered shows as it is written.
func TestLongReplyIsRaw(t *testing.T) {
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), 120, 40)
	for i := range (256 << 10) / 10 {
		sc.s.logs[sc.s.status.RunningLog].LogLines = append(sc.s.logs[sc.s.status.RunningLog].LogLines, fmt.Sprintf("**%07d**", i))
	}
	sc.s.print(strings.Repeat("word ", 40))
	sc.send(spinnerTickMsg{})
	sc.want("**0026213**", "│ word word")
	sc.wantNot("│  word")
}

// TestControlCharactersInReply: the control characters of a reply cannot change the screen outside its pane.
func TestControlCharactersInReply(t *testing.T) {
	sc := open(t, playbookOf(t, "greet.playbook.md", writingDoc), 80, 24)
	sc.s.print("\x1b]52;c;aGk=\x07hi \x1b[2J\x1b[H╭ forged ╮", "&#27;[31m @output(x) \u202eevil", "| a |", strings.Repeat("|-", 500)+"|", "```")
	sc.send(spinnerTickMsg{})
	sc.want("hi")
	if raw := sc.m.View().Content; strings.ContainsAny(raw, "\x07\u202e") || strings.Contains(raw, "\x1b]52") || strings.Contains(raw, "\x1b[2J") {
		t.Error("a control character reaches the terminal")
	}
}
