package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/engine/texts"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

const greeting = "# Greet\n\n## INPUTS\n- `name` (string): whom\n\n## STEP 1: Tone\n@elicit(select, \"Which tone?\", \"warm\", \"dry\")\n\n## STEP 2: Write\n@prompt(file:style.md)\nGreet {{name}}, {{__elicit_step_1}}.\n@output(text)\n"

func newPlaybook(t *testing.T, doc string) *fixture {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "test.playbook.md")
	for name, text := range map[string]string{"test.playbook.md": doc, "style.md": "Briefly."} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := playbook.Parse(path, []byte(doc), playbook.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return &fixture{t: t, dir: dir, plan: p, store: journal.NewVolatileStore(filepath.Join(dir, "runs"))}
}

// TestSetInput: a person cannot give an input a value that it would not have accepted before the run.
func TestSetInput(t *testing.T) {
	doc := "# Tone\n## INPUTS\n- `size` (number: 3): how many\n- `kind` (enum: a, b): which\n- `sure` (boolean: true): sure\n\n## STEP 1: Tone\n@elicit(input, \"Which tone?\")\n"
	l := steer(t, newPlaybook(t, doc).session("", func(c *engine.Config) {
		c.Headless, c.Inputs = false, map[string]any{"kind": "a"}
	}))
	l.waiting("1", machine.KindAsk)
	for _, c := range []struct{ name, value, want string }{
		{"size", "lots", `input size: "lots" is not a number`},
		{"kind", "zzz", `input kind: "zzz" is not one of a, b`},
		{"sure", "maybe", `input sure: "maybe" is neither true nor false`},
	} {
		if err := l.s.SetVariable(c.name, c.value); err == nil || err.Error() != c.want {
			t.Errorf("%s = %s: %v, want %s", c.name, c.value, err, c.want)
		}
	}
	l.do(l.s.SetVariable("kind", "b"))
	l.do(l.s.SetVariable("other", "zzz"))
}

// TestReplies: a playbook runs on prepared replies, prepared answers and texts from files.
func TestReplies(t *testing.T) {
	f := newPlaybook(t, greeting)
	s := f.session("", func(c *engine.Config) {
		c.Inputs = map[string]any{"name": "Ann"}
		c.PromptTexts = texts.SourceByScheme{"file": texts.FolderSource(f.dir)}
		c.PreparedReplies = &model.PreparedReplies{RepliedBy: machine.ByFile, ByCallKey: map[string][]model.Reply{"2": {{Text: "Hello Ann"}}}}
		c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"1": {{Value: "warm", PreparedBy: machine.ByFlag}}}}
	})
	end, events := headless(t, s)
	if end.Result != plan.Completed || end.Variables["text"] != "Hello Ann" {
		t.Fatalf("ended %+v", end.RunFinished)
	}
	for _, e := range events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Kind == "model" {
			if e.By != machine.ByFile || b.Output != "Hello Ann" || s.Log(b.Log.File).ShortenedText(100) != "Hello Ann" {
				t.Errorf("reply by %q: %+v", e.By, b)
			}
		}
	}
	asked := bodies[*machine.ActionStarted](events)
	if last := asked[len(asked)-1]; last.Text != "Briefly.\n\nGreet Ann, warm." {
		t.Errorf("asked %q", last.Text)
	}
}

// TestPreparedActions: a prepared answer may be an action where a step asks for one of several answers. Where it
// asks for a text, the answer is that text.
func TestPreparedActions(t *testing.T) {
	for _, c := range []struct{ question, answer, result, value string }{
		{`confirm, "Go?"`, "skip", "completed", ""},
		{`confirm, "Go?"`, "YES", "completed", "yes"},
		{`select, "Which?", "a", "b"`, "goto:2", "completed", ""},
		{`select, "Which?", "a", "b"`, "stop:no time", "stopped", ""},
		{`select, "Which?", "skip", "b"`, "skip", "completed", "skip"},
		{`input, "What?"`, "skip", "completed", "skip"},
		{`input, "What?"`, "goto:2", "completed", "goto:2"},
	} {
		answer, err := scenario.ParseAnswer(c.answer, machine.ByFlag)
		if err != nil {
			t.Fatal(err)
		}
		f := newPlaybook(t, "# A\n## STEP 1: Ask\n@elicit("+c.question+")\n## STEP 2: Once more\n@elicit(confirm, \"Sure?\")\n")
		s := f.session("", func(c *engine.Config) {
			c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"1": {answer}, "2": {{Value: "yes", PreparedBy: machine.ByFlag}}}}
		})
		end, _ := headless(t, s)
		if value, _ := end.Variables["__elicit_step_1"].(string); string(end.Result) != c.result || value != c.value {
			t.Errorf("%s, %s: %s with %q", c.question, c.answer, end.Result, value)
		}
	}
}

// TestManualReplyWithoutModel: without a model, a person replies. A headless run waits for the reply, and asks for it
// again when it is resumed.
func TestManualReplyWithoutModel(t *testing.T) {
	f := newPlaybook(t, "# A\n## STEP 1: One\nSay it.\n@output(said)\n")
	s := f.session("", nil)
	end, events := headless(t, s)
	if end.Result != plan.Awaiting || end.WaitingFor == nil || end.WaitingFor.Kind != machine.KindReply {
		t.Fatalf("ended %+v", end.RunFinished)
	}
	f.closeRuns()
	l := steer(t, f.session(events[0].Body.(*machine.RunStarted).RunID, func(c *engine.Config) { c.Headless = false }))
	if q := l.waiting("1", machine.KindReply); q.Prompt != "Say it." {
		t.Errorf("asked %q", q.Prompt)
	}
	l.do(l.s.Answer(machine.Answer{Value: "said by hand", By: machine.ByPerson}))
	l.over(plan.Completed)
	if got := finished(l.all).Variables["said"]; got != "said by hand" {
		t.Errorf("said %v", got)
	}
}
