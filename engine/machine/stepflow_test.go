package machine_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	documents "playhead/parse"
	"playhead/parse/plan"
)

// flow returns a step flow of steps that are given as JSON. Every prompt exists.
func flow(t *testing.T, steps string) *plan.Plan {
	t.Helper()
	p := documents.Load("flow", documents.Options{FS: fstest.MapFS{
		"flow/steps_registry.json": {Data: []byte(`{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa", "steps": {` + steps + `}}`)},
		"flow/prompts/do.md":       {Data: []byte("---\nx: 1\n---\nDo {topic}, {{ uv-topic }}, { other }, {\"result\": \"ok\"}.")},
		"flow/prompts/check.md":    {Data: []byte("Is it done?")},
	}})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

// step returns the JSON of one step for flow, with a check.
func step(id, name, iterations, onPass, onFail string) string {
	return fmt.Sprintf(`%q: {"id": %q, "name": %q, "prompt": {"path": "do.md"}, "iterations": %s,
		"check": {"prompt": {"path": "check.md"}, "responseFormat": {}, "onPass": %s, "onFail": %s}}`, id, id, name, iterations, onPass, onFail)
}

// check replies to the prompt of the current step, and then to its check.
func (r *run) check(reply string) {
	r.t.Helper()
	for _, text := range []string{"done", reply} {
		n := r.settle()
		if n.Effect == nil {
			r.t.Fatalf("the run is over, and %q is left: %+v", reply, n.Result)
		}
		r.apply(r.m.ResultEvent(plan.Product{Text: text}))
	}
	r.settle()
}

// trace returns the step and attempt of each decision, and the spec's term for it.
func (r *run) trace(p *plan.Plan) string {
	var out []string
	for _, e := range r.events {
		if d, ok := e.Body.(*machine.Decision); ok {
			move := &p.FindStep(e.Step).Routes[*d.CandidateIndex].Do
			for range d.Candidates[*d.CandidateIndex].UsedBudgetCount {
				move = move.AfterLimit
			}
			out = append(out, fmt.Sprintf("%s %d %s", e.Step, e.Attempt, transition(move)))
		}
	}
	return strings.Join(out, ", ")
}

func transition(m *plan.Move) string {
	switch {
	case m.Verb == plan.RunAgain && m.IsRepeat:
		return "repeat"
	case m.Verb == plan.RunAgain:
		return "retry"
	case m.Verb == plan.Goto:
		return "next"
	case m.Verb == plan.Fallback:
		return "fallback"
	case m.Result == plan.Completed:
		return "complete"
	}
	return "fail"
}

// short returns the last word of each decision in a trace.
func short(trace string) string {
	var out []string
	for t := range strings.SplitSeq(trace, ", ") {
		out = append(out, t[strings.LastIndex(t, " ")+1:])
	}
	return strings.Join(out, " ")
}

const (
	once = `{}`
	end  = `{"complete": true}`
)

// TestStepflowTrace runs the trace of climpt-stepflow.md §9.
func TestStepflowTrace(t *testing.T) {
	p := flow(t, step("s_10aa", "Outline", once, `{"next": "s_20bb"}`, `{"retry": true, "maxRetries": 1}`)+","+
		step("s_20bb", "Write", `{"min": 2, "max": 3}`, end, `{"fallback": "s_10aa"}`))
	r := start(t, p, machine.Options{})
	for _, reply := range []string{
		`{"result":"fail"}`, "Result: pass", `{"result":"ok"}`, `{"result":"ng","message":"thin"}`, `{"result":true}`, `{"result":"OK"}`, `{"result":"ok"}`,
	} {
		r.check(reply)
	}
	want := "s_10aa 1 retry, s_10aa 2 next, s_20bb 1 repeat, s_20bb 2 fallback, s_10aa 1 next, s_20bb 1 repeat, s_20bb 2 complete"
	if diff := cmp.Diff(want, r.trace(p)); diff != "" {
		t.Error(diff)
	}
	if result, message := r.result(); result != plan.Completed || message != "Completed at step: Write" {
		t.Errorf("ended %s %q", result, message)
	}
	warned := ""
	for _, e := range r.events {
		if w, ok := e.Body.(*machine.WarningRecorded); ok {
			warned += w.Code + " "
		}
	}
	if warned != "climpt/fallback-taken " {
		t.Errorf("warned of %s", warned)
	}
}

// TestStepflowSample runs the three-step sample of climpt-stepflow.md §9.
func TestStepflowSample(t *testing.T) {
	p := flow(t, step("s_10aa", "Analyse", `{"min": 1, "max": 1}`, `{"next": "s_20bb"}`, `{"retry": true, "maxRetries": 2}`)+","+
		step("s_20bb", "Build", `{"min": 1, "max": 5}`, `{"next": "s_30cc"}`, `{"fallback": "s_10aa"}`)+","+
		step("s_30cc", "Review", `{"min": 1, "max": 1}`, end, `{"fallback": "s_20bb"}`))
	for _, c := range []struct{ replies, want, message string }{
		{"ok ok ok", "next next complete", "Completed at step: Review"},
		{"ng ng ok ok ok", "retry retry next next complete", "Completed at step: Review"},
		{"ok ng ok ok ok", "next fallback next next complete", "Completed at step: Review"},
		{"ok ok ng ok ok", "next next fallback next complete", "Completed at step: Review"},
		{"ng ng ng", "retry retry fail", "Max retries exceeded"},
	} {
		r := start(t, p, machine.Options{})
		for reply := range strings.FieldsSeq(c.replies) {
			r.check(`{"result": "` + reply + `"}`)
		}
		if _, message := r.result(); short(r.trace(p)) != c.want || message != c.message {
			t.Errorf("%s: %s, %q", c.replies, short(r.trace(p)), message)
		}
	}
}

// TestStepflowDecisions (climpt-stepflow.md §6, the table): iterations, onPass and onFail decide the route.
func TestStepflowDecisions(t *testing.T) {
	other := step("s_20bb", "Other", once, end, end)
	for _, c := range []struct{ iterations, onPass, onFail, replies, want, message, code string }{
		{once, `{}`, `{}`, "ok", "complete", "Completed at step: First", ""},
		{once, `{}`, `{}`, "ng", "fail", "Check failed", "check-failed"},
		{`{"max": 3}`, `{}`, `{}`, "ng ng ng", "repeat repeat fail", "Check failed", "check-failed"},
		{`{"max": 3}`, `{}`, `{"retry": true, "maxRetries": 1}`, "ng ng", "retry fail", "Max retries exceeded", "max-retries"},
		{`{"min": 2, "max": 2}`, `{}`, `{"next": "s_20bb"}`, "ok ng ok", "repeat next complete", "Completed at step: Other", ""},
		{`{"min": 3, "max": 3}`, `{}`, `{"complete": true}`, "ok ng", "repeat complete", "Completed at step: First", ""},
		{once, `{}`, `{"retry": true}`, "ng ng ng ng ok", "retry retry retry retry complete", "Completed at step: First", ""},
		{once, `{}`, `{"retry": true, "maxRetries": 1, "fallback": "s_20bb"}`, "ng ng ok", "retry fallback complete", "Completed at step: Other", ""},
		{once, `{}`, `{"next": "s_20bb", "retry": true, "fallback": "s_10aa"}`, "ng ok", "next complete", "Completed at step: Other", ""},
		{once, `{}`, `{"complete": true, "next": "s_20bb"}`, "ng", "complete", "Completed at step: First", ""},
		{once, `{"next": "s_10aa"}`, `{"retry": true, "maxRetries": 1, "fallback": "s_20bb"}`, "ng ok ng ng ok", "retry next retry fallback complete", "Completed at step: Other", ""},
		{`{"min": 2, "max": 2}`, `{"retry": true, "maxRetries": 1}`, `{"complete": true}`, "ok ok ok", "repeat retry fail", "Max retries exceeded", "max-retries"},
	} {
		p := flow(t, step("s_10aa", "First", c.iterations, c.onPass, c.onFail)+","+other)
		r := start(t, p, machine.Options{})
		for reply := range strings.FieldsSeq(c.replies) {
			r.check(`{"result": "` + reply + `"}`)
		}
		_, message := r.result()
		code := strings.TrimPrefix(r.events[len(r.events)-1].Body.(*machine.RunFinished).ErrorCode, "climpt/")
		if short(r.trace(p)) != c.want || message != c.message || code != c.code {
			t.Errorf("%+v: %s, %q %s", c, short(r.trace(p)), message, code)
		}
	}
}

// TestStepflowLimits (climpt-stepflow.md §4): a run ends when its iterations are used up without a check, after 100
// visits, or when a call fails.
func TestStepflowLimits(t *testing.T) {
	bare := `"s_10aa": {"id": "s_10aa", "name": "A", "prompt": {"path": "do.md"}, "iterations": {"max": 2}, "check": {"prompt": {"path": "check.md"}, "onPass": {"next": "s_20bb"}}},
		"s_20bb": {"id": "s_20bb", "name": "B", "prompt": {"path": "do.md"}, "iterations": {"max": 2}}, ` + step("s_30cc", "C", once, end, end)
	bare = strings.Replace(bare, `"onPass": {"next": "s_20bb"}`, `"onPass": {"next": "s_20bb"}, "onFail": {"complete": true}`, 1)
	r := start(t, flow(t, bare), machine.Options{})
	r.check("result = ok")
	for range 2 {
		r.settle()
		r.apply(r.m.ResultEvent(plan.Product{Text: "done"}))
	}
	r.settle()
	if _, message := r.result(); message != "Max iterations reached without completion check" || len(r.m.EnteredStepLabels()) != 3 {
		t.Errorf("no check: %q, %v", message, r.m.EnteredStepLabels())
	}

	r = start(t, flow(t, step("s_10aa", "A", once, end, `{"retry": true}`)), machine.Options{})
	for range 100 {
		r.check("ng")
	}
	if result, message := r.result(); result != plan.RunFailed || !strings.HasPrefix(message, "Max total iterations exceeded: 100") || len(r.m.EnteredStepLabels()) != 100 {
		t.Errorf("without end: %s %q", result, message)
	}
	if end := r.events[len(r.events)-1].Body.(*machine.RunFinished); end.ErrorCode != "climpt/max-total-iterations" || r.warnings()[0] != "check-unparsed" {
		t.Errorf("without end: %s, %v", end.ErrorCode, r.warnings())
	}

	r = start(t, flow(t, step("s_10aa", "A", once, end, end)), machine.Options{})
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{Err: "the server is busy"}))
	r.settle()
	if result, message := r.result(); result != plan.RunFailed || message != "Error occurred: the server is busy" || r.warnings()[0] != "call-failed" {
		t.Errorf("a failed call: %s %q %v", result, message, r.warnings())
	}
}

// TestStepflowPrompts (climpt-stepflow.md §3, §4): a step and its check share one conversation. A prompt fills in the
// arguments, under either name, and nothing else.
func TestStepflowPrompts(t *testing.T) {
	m := machine.New(flow(t, step("s_10aa", "A", once, end, end)), machine.Options{})
	first := m.Next().Event
	first.Body.(*machine.RunStarted).Inputs = map[string]any{"topic": "{other}"}
	r := &run{t: t, m: m}
	r.apply(*first)
	ask := r.settle().Effect.(*machine.CallModel)
	if want := `Do {other}, {other}, { other }, {"result": "ok"}.`; ask.Prompt != want || ask.CallName != "" || ask.SystemMessage != "You are a careful assistant." {
		t.Errorf("asked %+v, want %s", ask, want)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "done"}))
	check := r.settle().Effect.(*machine.CallModel)
	if check.CallName != "check" || len(check.EarlierMessages) != 2 || check.EarlierMessages[1].Text != "done" || check.Prompt != "Is it done?" {
		t.Errorf("checked %+v", check)
	}
}

// TestCandidateAfterMinimum (climpt-stepflow.md §6): after the minimal number of iterations, the decision names where
// the check leads, even if the document does not write it.
func TestCandidateAfterMinimum(t *testing.T) {
	for onPass, want := range map[string]string{`{"complete": true}`: "onPass.complete", `{}`: "onPass: complete"} {
		r := start(t, flow(t, step("s_10aa", "Write", `{"min": 2, "max": 3}`, onPass, `{"retry": true}`)), machine.Options{})
		r.check("Result: ok")
		r.check("Result: ok")
		var texts []string
		for _, e := range r.events {
			if d, is := e.Body.(*machine.Decision); is {
				texts = append(texts, d.Candidates[*d.CandidateIndex].Text)
			}
		}
		if d := cmp.Diff([]string{"below min 2: repeat", want}, texts); d != "" {
			t.Error(d)
		}
	}
}
