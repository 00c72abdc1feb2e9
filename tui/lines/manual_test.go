package lines

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/shell"
	"playhead/engine/tools"
	"playhead/parse"
	"playhead/parse/plan"
	tuisession "playhead/tui/session"
)

// followManualReplies runs a document in which a person gives the replies.
func followManualReplies(t *testing.T, p *plan.Plan, adjust func(*engine.Config), typed ...string) (string, engine.Ending) {
	t.Helper()
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	run, err := journal.NewVolatileStore(t.TempDir()).Create(p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	c := engine.Config{FirstPlan: p, Run: run, Shell: shell.NewRunner(0), WorkingDir: t.TempDir()}
	if adjust != nil {
		adjust(&c)
	}
	session, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	out := &screen{typed: typed}
	config := Config{Plan: p, Session: tuisession.FromEngine(session), RunFolder: run.Folder, Out: out}
	config.In, out.keys = io.Pipe()
	var end engine.Ending
	done := make(chan struct{})
	go func() {
		defer close(done)
		if end, err = session.Run(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	New(config).Follow(0, done)
	return out.text.String(), end
}

const oneReply = "# Greet\n## STEP 1: Write\nWrite a greeting.\n"

// offer implements plan.ReplyChoiceSource.
type offer []plan.ReplyChoice

func (o offer) Choices() []plan.ReplyChoice { return o }

// planWithChoices returns a document whose replies are chosen from a list.
func planWithChoices() *plan.Plan {
	p := parse.Load("greet.playbook.md", parse.Options{FS: fstest.MapFS{"greet.playbook.md": {Data: []byte(oneReply)}}})
	w := p.Steps[0].Actions[0].Work.(plan.Model)
	w.ReplyChoiceSource = offer{{Name: "next", Reply: `{"intent":"next"}`}, {Name: "stop it", Reply: "{}", To: "end"}}
	p.Steps[0].Actions[0].Work = w
	return p
}

// TestManualReply: a reply is chosen by its number or typed. A word that names an action is text if it follows =.
func TestManualReply(t *testing.T) {
	for typed, want := range map[string]string{"1": `{"intent":"next"}`, "stop it": "{}", "pass": "pass", "=skip": "skip", "Hello all": "Hello all"} {
		got, end := followManualReplies(t, planWithChoices(), nil, typed)
		wantLines(t, got, "    Write a greeting.", "  1 next", "  2 stop it -> end", want)
		if !strings.Contains(got, "[1] type a number from the list, or your own reply [skip/…] ") || end.Result != plan.Completed {
			t.Errorf("%s: ended %+v\n%s", typed, end.RunFinished, got)
		}
	}
}

// TestReplyWarnings: a reply that its step would reject is not sent at once: enter sends it, and another line replaces
// it.
func TestReplyWarnings(t *testing.T) {
	p := parse.Load("rate.playbook.md", parse.Options{FS: fstest.MapFS{"rate.playbook.md": {Data: []byte(
		"# Rate\n## STEP 1: Rate\nRate it.\n@output(severity: enum, \"low\", \"high\")\n")}}})
	const wrong = "  @output(severity): the value is not one of low, high"
	got, end := followManualReplies(t, p, nil, "hgih", ":steps", ":answer", "high")
	wantLines(t, got, wrong, "  not sent yet: press enter to send it as it is, or type a line to replace it",
		"  there is no terminal for an editor: type the answer on one line")
	if end.Result != plan.Completed || end.Variables["severity"] != "high" {
		t.Errorf("ended %+v", end.RunFinished)
	}
	got, end = followManualReplies(t, p, nil, "hgih", "")
	if wantLines(t, got, wrong); end.Variables["severity"] != "hgih" {
		t.Errorf("ended %+v\n%s", end.RunFinished, got)
	}
}

// TestTextOfSentEdit: the text of a step whose edit was sent shows the edit once, with the values of its variables. An edit
// that is not sent yet follows the text that was.
func TestTextOfSentEdit(t *testing.T) {
	p := parse.Load("tell.playbook.md", parse.Options{FS: fstest.MapFS{"tell.playbook.md": {Data: []byte("# Tell\n## STEP 1: Who\nWho?\n@output(who)\n## STEP 2: Tell\nTell {{who}}.\n")}}})
	got, _ := followManualReplies(t, p, nil, "Ann", ":edit 2 Write to {{who}}.", ":rerun 2", ":text 2", ":edit 2 Call {{who}}.", ":text 2", ":cancel")
	if parts := strings.Split(got, " :text 2\n"); len(parts) != 3 || !strings.HasPrefix(parts[1], "Write to Ann.\n[2] type ") || !strings.HasPrefix(parts[2], "Write to Ann.\n\nCall {{who}}.\n") {
		t.Error(got)
	}
}

// TestStepsOfPhases: the phases of a flow are printed with their names, and without a status because they have none.
func TestStepsOfPhases(t *testing.T) {
	p := parse.Load("greet.playbook.md", parse.Options{FS: fstest.MapFS{"greet.playbook.md": {Data: []byte(oneReply + "## STEP 2: Send\nSend it.\n")}}})
	p.Steps[0].FlowHeading, p.Steps[1].FlowHeading = "begin", "end"
	got, _ := followManualReplies(t, p, nil, ":steps")
	wantLines(t, got, "  begin", "  end", "    [1] Write: running  <- the run is here", "    [2] Send: pending")
}

const oneReport = "# Backup\n### 🔧 WORKFLOW STEP: Look\n```\nLook.\n```\n### 🛠️ TOOL: web/list\n" +
	"### 📤 OUTPUTS:\n- id → ID\n### ✅ ASSERT:\n- it is new\n"

func backup() *plan.Plan {
	return parse.Load("backup.md", parse.Options{FS: fstest.MapFS{"backup.md": {Data: []byte(oneReport)}}})
}

// TestManualReport: a person fills in a report line by line, with one line for each value that is asked.
func TestManualReport(t *testing.T) {
	got, end := followManualReplies(t, backup(), nil, "maybe", "passed", "1", "-", "json:[7", "json:[7]")
	for _, part := range []string{
		`"maybe" is not an answer here: use passed or failed`, "[1] status: How did the step go? [passed/failed/skip/…]",
		"[1] assertion 1: it is new [true/false/unchecked/skip/…]", "[1] ID: id [skip/…]", "this is not valid JSON",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q in:\n%s", part, got)
		}
	}
	if list, _ := end.Variables["ID"].([]any); end.Result != plan.Completed || len(list) != 1 {
		t.Errorf("ended %+v", end.RunFinished)
	}
}

// web is a tool server that answers at once.
type web struct{}

func (web) Tools(context.Context, func(string)) ([]tools.Tool, error) {
	return []tools.Tool{{Server: "web", Name: "list", Description: "Lists pages.", Effect: tools.ReadsOnly}}, nil
}

func (web) Call(_ context.Context, _ tools.Request, out io.Writer) tools.Result {
	_, err := io.WriteString(out, "nothing there")
	return tools.Result{Text: "nothing there", Err: err}
}

// TestCallsAreAllowed: a person is asked before a tool call, and can refuse it with a reason.
func TestCallsAreAllowed(t *testing.T) {
	call := plan.ToolCall{ID: "a", Name: "web_list", Arguments: `{"q": 1}`}
	report := plan.ToolCall{ID: "r", Name: "report_step_result", Arguments: `{"step_number":0,"status":"passed","output_variables":{"ID":1}}`}
	script := &preparedModel{replies: []model.Reply{{Text: "I look.", WantedCalls: []plan.ToolCall{call}}, {WantedCalls: []plan.ToolCall{call}}, {WantedCalls: []plan.ToolCall{report}}}}
	got, end := followManualReplies(t, backup(), func(c *engine.Config) {
		c.Tools, c.FirstReplySourceName, c.Options.ApprovalPolicy = web{}, "script", machine.ApproveEach
		c.ReplySources = []model.ReplySourceOption{{Name: "script", Open: func() (model.ReplySource, error) { return script, nil }}}
	}, "never", "n: too slow", "y", "pass")
	for _, part := range []string{
		"→ web · list", "  Its server says that the tool only reads.\n  Its server describes it as: Lists pages.\n[1] may the model make this call? [yes/no/tool/all/edit:JSON/answer:TEXT/skip/…] ", `"never" is not an answer here`, "nothing there",
		"[1] not verified: it is new [pass/fail/skip/…]",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q in:\n%s", part, got)
		}
	}
	if told := script.asked[1].EarlierMessages[2].Text; told != "error: a person refused this call: too slow" || end.Result != plan.Completed {
		t.Errorf("the model is told %q; ended %+v", told, end.RunFinished)
	}
}

// preparedModel is a model with prepared replies.
type preparedModel struct {
	replies []model.Reply
	asked   []model.Request
}

func (s *preparedModel) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	s.asked = append(s.asked, q)
	r := s.replies[len(s.asked)-1]
	_, r.Err = io.WriteString(out, r.Text)
	return r
}
