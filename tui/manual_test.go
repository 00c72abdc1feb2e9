package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/layout"
	"playhead/tui/typeahead"
)

// offer lists intents, and offers a reply for each of them.
type offer []string

func (o offer) Choices() (out []plan.ReplyChoice) {
	for _, intent := range o {
		out = append(out, plan.ReplyChoice{Name: intent, Reply: "{\n  \"intent\": \"" + intent + "\"\n}"})
	}
	return out
}

// openManualReply returns the screen of a run in which a person replies for a model that must give one of a few
// replies.
func openManualReply(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := playbookOf(t, "greet.playbook.md", writingDoc)
	work := p.Steps[0].Actions[0].Work.(plan.Model)
	work.ReplyChoiceSource = offer{"next", "repeat", "escalate"}
	p.Steps[0].Actions[0].Work = work
	p.Steps[0].Routes = append(p.Steps[0].Routes, plan.Route{Do: plan.Move{SourceText: "next → 2"}})
	sc := open(t, p, w, h, func(c *Config) { c.IsTrusted = false })
	sc.manual = true
	sc.press("y")
	return sc
}

func TestReplyChoices(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openManualReply(t, w, h)
		sc.press("down")
		return sc
	})
}

// TestChooseReply: a person chooses the reply that leads along a route (climpt-registry: manual mode), and can edit a
// choice first. The edited text is kept.
func TestChooseReply(t *testing.T) {
	sc := openManualReply(t, 80, 24)
	sc.want("Reply in the model's place", "1 next", "4 write a reply…", "greeting")
	if text := strings.Join(sc.m.screen.Text.Body(), "\n"); strings.Contains(text, "next → 2") {
		t.Errorf("the text repeats the routes that the answers show:\n%s", text)
	}
	sc.press("esc", "a", "2")
	if got := sc.said(); !strings.Contains(got, `"intent": "repeat"`) || !strings.HasPrefix(got, "person: ") {
		t.Errorf("chose %q", got)
	}

	sc = openManualReply(t, 80, 24)
	sc.press("down", "down", "4")
	sc.want(`"intent": "escalate"`, "⇧tab choices")
	sc.write("!")
	sc.send(back)
	sc.want("▌ 4 write a reply…")
	sc.press("esc", "a", "enter")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: {\n  \"intent\": \"escalate\"\n}!" {
		t.Errorf("wrote %q", got)
	}
}

// TestReplyWarnings: a reply that its step would reject stays in the editor with the reason. A second ctrl+s sends
// it, and a changed reply is checked again.
func TestReplyWarnings(t *testing.T) {
	const rated = "# Rate\n## STEP 1: Rate\nRate it.\n@output(severity: enum, \"low\", \"high\")\n"
	warned := func(t *testing.T, w, h int) *testScreen {
		sc := open(t, playbookOf(t, "rate.playbook.md", rated), w, h, func(c *Config) { c.IsTrusted = false })
		sc.manual = true
		sc.press("y")
		sc.write("hgih")
		sc.press("ctrl+s")
		return sc
	}
	sizes(t, warned)
	sc := warned(t, 80, 24)
	sc.want("│ △ Not sent: @output(severity): the value is not ", "│   one of low, high", "hgih", "ctrl+s send anyway")
	sc.press("backspace")
	sc.wantNot("Not sent", "send anyway")
	sc.press("ctrl+s")
	sc.want("Not sent")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: hgi" {
		t.Errorf("sent %q", got)
	}
}

// TestLongReplyWarning: if the warnings about a reply need more lines than there are, the page keys scroll them, and
// the reply stays in sight.
func TestLongReplyWarning(t *testing.T) {
	rated := "# Rate\n## STEP 1: Rate\n" + strings.Repeat("Rate it.\n\n", 20) + "@output(severity: enum"
	for i := range 99 {
		rated += fmt.Sprintf(", \"option number %d\"", i)
	}
	for _, size := range [][2]int{{60, 16}, {80, 24}} {
		sc := open(t, playbookOf(t, "rate.playbook.md", rated+")\n"), size[0], size[1], func(c *Config) { c.IsTrusted = false })
		sc.manual = true
		sc.press("y")
		sc.write("other")
		sc.press("ctrl+s")
		sc.want("Not sent", "…", "› other", "PgDn scroll")
		sc.wantNot("option number 98")
		for range 6 {
			sc.press("pgdown")
		}
		sc.want("option number 98", "› other")
		sc.press("x", "ctrl+s")
		sc.want("Not sent", "› otherx")
	}
}

const reportDoc = "# Backup\n\n### 🔧 WORKFLOW STEP: Look\n```\nLook for the newest archive.\n```\n### 🛠️ TOOL: list\n" +
	"### 📤 OUTPUTS:\n- archives[0].id → ARCHIVE\n### ✅ ASSERT:\n- it is younger than 24 hours\n"

// backup parses the text of a workflow.
func backup(text string) *plan.Plan {
	return parse.Load("backup.md", parse.Options{FS: fstest.MapFS{"backup.md": {Data: []byte(text)}}})
}

// openReportForm returns the screen of a run in which a person makes the report of a step.
func openReportForm(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := backup(reportDoc)
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	sc := open(t, p, w, h, func(c *Config) { c.IsTrusted = false })
	sc.manual = true
	sc.press("y")
	return sc
}

func TestReportForm(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openReportForm(t, w, h)
		sc.press("1")
		return sc
	})
}

// TestReportByPerson: the form asks for the values that apply, and the report is judged like that of a model
// (workflow.md §6).
func TestReportByPerson(t *testing.T) {
	sc := openReportForm(t, 100, 30)
	sc.want("Fill in the model's report.", "1 of 2", "How did the step go?", "newest archive")
	sc.wantNot("▌ 1 passed")
	sc.press("enter")
	sc.want("Choose one first.")
	sc.press("1")
	sc.want("it is younger than 24 hours", "2 of 3")
	sc.press("1")
	sc.want("it is younger than 24 hours", "assertion 1: true", "What is the evidence?")
	sc.write("seen at noon")
	sc.press("enter")
	sc.want("archives[0].id", "enter report", "read as text")
	sc.press("esc")
	sc.want("Press a to go back")
	sc.press("a", "ctrl+t")
	sc.write("[7")
	sc.press("enter")
	sc.want("This is not valid JSON")
	sc.write("]")
	sc.press("enter")
	for _, e := range sc.s.events {
		b, ok := e.Body.(*machine.ActionFinished)
		if !ok || b.Kind != "model" {
			continue
		}
		if e.By != machine.ByPerson || b.Outcome.Source != "person" || b.Outcome.Result != plan.Passed || len(b.Assignments) != 1 {
			t.Errorf("reported %+v by %s", b.Outcome, e.By)
		}
	}
	if v, _ := sc.m.timeline.ShownTrack.Variables[0].Value.([]any); len(v) != 1 {
		t.Errorf("ARCHIVE is %v", sc.m.timeline.ShownTrack.Variables)
	}
}

// TestReportOfAFailure: the report of a failure does not ask for values that do not apply.
func TestReportOfAFailure(t *testing.T) {
	sc := openReportForm(t, 100, 30)
	sc.press("2")
	sc.want("Why did it fail?")
	sc.write("no disk")
	sc.press("enter", "3")
	sc.want("no disk")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Outcome == nil || r.Outcome.Result != plan.Failed || r.Outcome.Reason != "no disk" {
		t.Errorf("reported %+v", r.Outcome)
	}
}

// TestReportCorrected: a digit in the middle of a filled form does not send the report. After the verdict on an
// assertion changes, the form asks for its evidence again.
func TestReportCorrected(t *testing.T) {
	sc := openReportForm(t, 100, 30)
	sc.press("1", "1")
	sc.write("seen at noon")
	sc.press("enter")
	sc.want("archives[0].id")
	sc.send(back)
	sc.send(back)
	sc.press("2")
	sc.want("assertion 1: false", "What is the evidence?", "› seen at noon")
	sc.press("enter", "enter") // the enter right after a digit is ignored
	sc.write("7")
	sc.press("tab", "tab", "1")
	sc.want("Fill in the model's report.", "assertion 1: true", "What is the evidence?")
}

// TestReportAgain: a person can report again while their report waits to be accepted, although the reply source is
// already manual. They can also reply after a tool call was interrupted (workflow.md §8).
func TestReportAgain(t *testing.T) {
	sc := openReportForm(t, 100, 30)
	sc.m.conn.status.ReplySourceName = model.ManualReplySource
	sc.press("1", "3")
	sc.write("7")
	sc.press("enter")
	sc.want("Accept the outcome of this step?", "H manual", "│ report ", "ARCHIVE = 7")
	sc.wantNot("waits for a person") // the dialog says so already

	sc = openAtToolCall(t, 100, 30)
	sc.press("y", "ctrl+c")
	sc.want("was interrupted and may have had effects", "H manual")
	sc.press("H")
	if !sc.s.nextReplyIsManual {
		t.Error("H does not let the person reply")
	}
}

// TestHeldReportDecided: after a person accepts or rejects a held report, the report says which.
func TestHeldReportDecided(t *testing.T) {
	for keys, want := range map[string]string{"p enter": "report accepted by a person", "f": "report rejected by a person"} {
		sc := openReportForm(t, 100, 30)
		sc.press("1", "3")
		sc.write("7")
		sc.press("enter")
		sc.want("│ report ", "ARCHIVE = 7")
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.press(strings.Fields(keys)...)
		sc.want(want)
	}
}

// TestHeldReportInList: the list of calls shows no ✓ at a report whose assertion failed.
func TestHeldReportInList(t *testing.T) {
	sc := openAtToolCall(t, 100, 40)
	sc.press("y")
	sc.endCall(0, plan.Product{Text: "found"})
	sc.endCall(0, plan.Product{ToolCalls: []plan.ToolCall{{ID: "b", Name: "report_step_result", Arguments: `{"step_number": 0, "status": "passed", ` +
		`"assertion_results": [{"assertion": "it is younger than 24 hours", "passed": false}], "output_variables": {"ARCHIVE": "a"}}`}}})
	glyph := func() string {
		for line := range strings.Lines(sc.frame()) {
			if _, rest, ok := strings.Cut(line, "▾ report"); ok {
				return strings.Fields(rest)[0]
			}
		}
		return ""
	}
	if got := glyph(); got != "?" {
		t.Errorf("before the report was rejected: %q", got)
	}
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("f")
	if got := glyph(); got != "✗" {
		t.Errorf("after the report was rejected: %q", got)
	}
}

// listing returns a model's call of the tool list.
func listing(id, query string) plan.ToolCall {
	return plan.ToolCall{ID: id, Name: "list", Server: "web", Tool: "list", Arguments: `{"query":"` + query + `","limit":3,"deep":true}`}
}

// openAtToolCall returns the screen of a run whose model wants to call a tool.
func openAtToolCall(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, backup(reportDoc), w, h)
	sc.endCall(2*time.Second, plan.Product{Text: "I look at the newest archive first.", ToolCalls: []plan.ToolCall{listing("a", "newest")}})
	return sc
}

// endCall ends the running command, reply or tool call with a result.
func (sc *testScreen) endCall(took time.Duration, p plan.Product) {
	sc.clock = sc.clock.Add(took)
	if p.Text != "" {
		sc.s.print(strings.Split(p.Text, "\n")...)
	}
	sc.s.end(p)
	sc.sync()
}

func TestApproval(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openAtToolCall(t, w, h) })
}

// TestApprovalSaysTheEffect: the dialog shows the effect of a tool above the arguments, without scrolling.
func TestApprovalSaysTheEffect(t *testing.T) {
	openAtToolCall(t, 80, 24).want("Its server says that the tool may overwrite or", "delete things.", "May the model call web/list?")
}

// TestApprovalAnswers: a person allows a call, refuses another with a reason, and allows all further calls.
func TestApprovalAnswers(t *testing.T) {
	sc := openAtToolCall(t, 100, 30)
	sc.want("May the model call web/list?", `"query": "newest"`, "y allow once", "N refuse with note")
	sc.press("esc", "p")
	sc.want("A tool call is waiting for your approval.")
	sc.press("a", "y")
	sc.endCall(time.Second, plan.Product{Text: `{"archives":[{"id":7}]}`})
	sc.endCall(time.Second, plan.Product{ToolCalls: []plan.ToolCall{listing("b", "oldest"), listing("b", "oldest"), listing("d", "all")}})
	sc.want(`"oldest"`)
	sc.press("N")
	sc.write("too slow")
	sc.press("enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.want("May the model call web/list?")
	sc.press("Y")
	sc.want("before each call, except calls to Playhead's own tools", "before the first call to each tool of a tool server")
	sc.press("3")
	if sc.m.question.dialog != nil || sc.m.timeline.ShownTrack.ApprovalPolicy != machine.ApproveNone {
		t.Errorf("policy %q, the question is still there: %v", sc.m.timeline.ShownTrack.ApprovalPolicy, sc.m.question.dialog != nil)
	}
	told := ""
	for _, e := range sc.s.events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.CallID == "b" {
			told = b.Error
		}
	}
	if told != "a person refused this call: too slow" {
		t.Errorf("the model is told %q", told)
	}
}

// openWithRejectedReport returns the screen of a run that asks whether to accept an outcome, because the report of its
// step was not verified.
func openWithRejectedReport(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, backup(reportDoc), w, h)
	report := `{"step_number":0,"status":"passed","output_variables":{"ARCHIVE":7}}`
	sc.endCall(2*time.Second, plan.Product{Text: "Done.", ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: report}}})
	return sc
}

func TestRejectedReportWaitsForPerson(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openWithRejectedReport(t, w, h) })
}

// TestAcceptOrRejectOutcome: a person accepts or rejects an outcome that waits for them, or reruns the step.
func TestAcceptOrRejectOutcome(t *testing.T) {
	for key, want := range map[string]plan.Result{"p": plan.Passed, "f": plan.Failed} {
		sc := openWithRejectedReport(t, 100, 30)
		sc.want("△ it is younger than 24 hours · nobody verified it", "p accept", "f reject", "r rerun")
		sc.press(key)
		if key == "p" {
			sc.press("enter")
		}
		if o := sc.m.timeline.ShownTrack.RowByLabel("1").Outcome; o == nil || o.Result != want {
			t.Errorf("%s gives %+v", key, o)
		}
	}
	sc := openWithRejectedReport(t, 100, 30)
	sc.press("r", "y")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Attempt != 2 {
		t.Errorf("attempt %d", r.Attempt)
	}
}

// TestOwnReportAfterToolCalls: instead of accepting or rejecting a report, a person can give their own, even after tool
// calls.
func TestOwnReportAfterToolCalls(t *testing.T) {
	sc := openAfterToolCalls(t, 100, 30)
	report := `{"step_number":0,"status":"passed","output_variables":{"ARCHIVE":7}}`
	sc.endCall(time.Second, plan.Product{ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: report}}})
	sc.want("nobody verified", "p accept", "H manual")
}

// openAfterToolCalls returns the screen of a run whose model called tools before it reported.
func openAfterToolCalls(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := openAtToolCall(t, w, h)
	sc.press("y")
	sc.endCall(300*time.Millisecond, plan.Product{Text: `{"archives":[{"id":7,"sha256":"9f2c"}],"truncated":false}`})
	sc.endCall(time.Second, plan.Product{ToolCalls: []plan.ToolCall{listing("b", "older ones"), listing("c", "all")}})
	sc.press("n", "y")
	sc.endCall(40*time.Millisecond, plan.Product{Err: "no such archive"})
	return sc
}

// TestCallList: the output lists replies and calls in order, and one of them is open.
func TestCallList(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAfterToolCalls(t, w, h)
		sc.press("3", "{", "{", "{", "{")
		return sc
	})
}

func TestCallListShowsHowCallsEnded(t *testing.T) {
	sc := openAfterToolCalls(t, 120, 40)
	sc.want("reply with 2 tool calls", "⚙ web/list", "0.3s ✓", "refused ✗", "failed ✗", "…")
	sc.press("3", "{", "{")
	sc.want("a person refused this call", `"query": "older ones"`)
	sc.press("{", "{")
	sc.want("result", "archives", "▾ ⚙ web/list", "2 of 6", "{ previous call")
	sc.press("pgdown")
	sc.want(`"sha256": "9f2c"`)
	sc.press("}", "}", "}", "}")
	sc.endCall(time.Second, plan.Product{Text: "All is well.", ToolCalls: []plan.ToolCall{{
		ID: "r", Name: "report_step_result", Arguments: `{"step_number":0,"status":"failed","error_message":"no archive"}`,
	}}})
	sc.press("3")
	sc.want("▾ reply", "│ All is well.", "report ✗ failed", "no archive")
	sc.press("M")
	sc.want(`"error_message": "no archive"`)
	sc.press("M")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Duration < 4*time.Second {
		t.Errorf("the step took %v: its duration restarted during the conversation", r.Duration)
	}
	box := sc.m.screen.Layout.PaneRects[layout.OutputPane]
	sc.send(tea.MouseClickMsg{X: box.X + 2, Y: box.Y + 1, Button: tea.MouseLeft})
	sc.want("▾ ⚙ web/list")
}

// TestCallListHeight: the list of calls takes the lines that the open call does not need, and no others.
func TestCallListHeight(t *testing.T) {
	sc := openAtToolCall(t, 100, 30)
	sc.press("A")
	var calls []plan.ToolCall
	for i := range 7 {
		calls = append(calls, listing(string(rune('b'+i)), "query "+string(rune('b'+i))))
	}
	sc.endCall(time.Second, plan.Product{Text: "none"})
	sc.endCall(time.Second, plan.Product{ToolCalls: calls})
	for range calls[1:] {
		sc.endCall(time.Second, plan.Product{Text: "none"})
	}
	sc.press("3", "{")
	for i, c := range calls {
		if i == len(calls)-2 { // this call is open
			sc.want(`"query": "query g"`)
			sc.wantNot(c.Arguments)
			continue
		}
		sc.want(c.Arguments)
	}
	sc.press("}")
	sc.endCall(time.Second, plan.Product{Text: strings.Repeat("found it\n", 40)})
	sc.press("{")
	sc.want("↑ ", "found it")
}

// TestCallFails: the error of a call is the first of its lines that shows, and shows once, however small the pane is.
func TestCallFails(t *testing.T) {
	for said, p := range map[string]plan.Product{
		"it did not answer": {Err: "the tool \"list\" gave no result: it did not answer within 4s"},
		"the disk is full":  {Text: "the disk is full", Err: "the tool \"list\" reports an error: the disk is full"},
	} {
		sc := openAtToolCall(t, 60, 16)
		sc.press("y")
		sc.endCall(time.Second, p)
		sc.press("3", "{")
		sc.want("no result", said, `"query": "newest"`)
		if n := strings.Count(sc.frame(), said); n != 1 {
			t.Errorf("%q shows %d times", said, n)
		}
	}
}

// TestReportThatIsNotAccepted: if a report is not accepted, the list says so and shows the answer that the model got.
// The second such report fails the step.
func TestReportThatIsNotAccepted(t *testing.T) {
	sc := openAtToolCall(t, 120, 44)
	sc.press("n")
	bad := plan.Product{ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: `{"step_number":0,"status":"perhaps"}`}}}
	sc.endCall(time.Second, bad)
	sc.press("3", "{")
	sc.want("not accepted 1.0s ✗", "sent back to the model", `"error_type": "validation"`)
	sc.press("}")
	sc.endCall(time.Second, bad)
	sc.want("failed 1.0s ✗")
}

// TestUnknownCallIsNoReport: a reply that calls an unknown tool is not a report.
func TestUnknownCallIsNoReport(t *testing.T) {
	sc := open(t, backup(reportDoc), 100, 30)
	calls := []plan.ToolCall{{ID: "a", Name: "fly", Arguments: "{}"}, listing("b", `\u65e5\u672c`)}
	sc.endCall(time.Second, plan.Product{ToolCalls: calls})
	sc.want("reply with 2 tool calls", `"query": "日本"`)
	sc.wantNot("▾ report")
}

// TestApprovalOfATool: if a yes also allows later calls of the tool, the answer does not say "once".
func TestApprovalOfATool(t *testing.T) {
	sc := openAtToolCall(t, 100, 30)
	sc.m.timeline.LiveTrack.ApprovalPolicy = machine.ApproveOnce
	sc.m.question.dialog.Sync(sc.m.runView())
	sc.press("esc", "a")
	sc.want("y allow  n refuse")
}
