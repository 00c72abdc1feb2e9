package machine_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/engine/wording"
	documents "playhead/parse"
	"playhead/parse/plan"
)

// notes returns the example of climpt-registry.md §13.
func notes(t *testing.T) *plan.Plan {
	t.Helper()
	p := documents.Load("notes", documents.Options{FS: os.DirFS("../../parse/climpt/registry/testdata")})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

// given starts a run with values of inputs.
func given(t *testing.T, p *plan.Plan, inputs map[string]any) *run {
	r := &run{t: t, m: machine.New(p, machine.Options{})}
	e := *r.m.Next().Event
	e.Body.(*machine.RunStarted).Inputs = inputs
	r.apply(e)
	return r
}

// reply gives the model's reply, and returns the call that it answers.
func (r *run) reply(text string) machine.CallModel {
	r.t.Helper()
	n := r.settle()
	call, ok := n.Effect.(*machine.CallModel)
	if !ok {
		r.t.Fatalf("no model is asked for %q: %+v %+v", text, n.Effect, n.Result)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: text}))
	return *call
}

// ran gives the product of a command, and returns the command.
func (r *run) ran(p plan.Product) machine.RunCommand {
	r.t.Helper()
	n := r.settle()
	command, ok := n.Effect.(*machine.RunCommand)
	if !ok {
		r.t.Fatalf("no command is run: %+v %+v", n.Effect, n.Result)
	}
	r.apply(r.m.ResultEvent(p))
	return *command
}

// whys returns the reason of each decision as text.
func (r *run) whys() []string {
	r.settle()
	var out []string
	for _, e := range r.events {
		if d, ok := e.Body.(*machine.Decision); ok {
			out = append(out, e.Step+": "+wording.CandidateReason(d, *d.CandidateIndex))
		}
	}
	return out
}

// warnings returns the code of each warning, and its line if it has one.
func (r *run) warnings() []string {
	r.settle()
	out := []string{}
	for _, e := range r.events {
		if w, ok := e.Body.(*machine.WarningRecorded); ok {
			warning := strings.TrimPrefix(w.Code, "climpt/")
			if w.Line > 0 {
				warning += fmt.Sprintf(", line %d", w.Line)
			}
			out = append(out, warning)
		}
	}
	return out
}

// TestRegistryTrace runs the trace of climpt-registry.md §13.
func TestRegistryTrace(t *testing.T) {
	r := given(t, notes(t), map[string]any{"range": "1.1"})
	if call := r.reply(`{"act":"continue","found":{"size":"big"}}`); call.Prompt != "Collect notes on 1.1." || call.Model != "opus" {
		t.Errorf("%+v", call)
	}
	r.reply(`{"act":"next"}`)
	if call := r.reply(`{"act":"handoff"}`); call.Prompt != "Write them for 1.1, ." || len(call.EarlierMessages) != 4 {
		t.Errorf("%+v", call)
	}
	r.reply(`{"act":"done"}`)
	if command := r.ran(plan.Product{Stdout: "3:TODO\n"}); command.Text != "grep -n TODO NOTES.md || true" || !command.UsesPipes {
		t.Errorf("%+v", command)
	}
	if call := r.reply(`{"act":"handoff"}`); call.Prompt != "Still to do:\n3:TODO\n\nin 1.1." || call.Action.StepLabel != "continuation.notes" {
		t.Errorf("%+v", call)
	}
	r.reply(`{"act":"closing"}`)
	r.ran(plan.Product{})
	want := []string{
		`initial.notes: act="continue" → next (alias); size="big" → default → continuation.outline`,
		`continuation.outline: act="next" → next → continuation.notes`,
		`continuation.notes: act="handoff" → handoff → closure.notes`,
		`closure.notes: act="done" → closing (alias); no-todo failed (todo-left), retry 1/1 → continuation.notes`,
		`continuation.notes: act="handoff" → handoff → closure.notes`,
		`closure.notes: act="closing" → closing; 1 of 1 validator passed; end`,
	}
	if diff := cmp.Diff(want, r.whys()); diff != "" {
		t.Error(diff)
	}
	result := r.m.Next().Result
	if result == nil || result.Result != plan.Completed || result.Message != "completed at closure.notes" || len(result.EnteredStepLabels) != 6 {
		t.Errorf("ended %+v", result)
	}
	var from []string
	for _, e := range r.events {
		if b, ok := e.Body.(*machine.ActionStarted); ok && b.Call != nil {
			from = append(from, strings.TrimPrefix(b.From, "notes/prompts/"))
		}
	}
	if from[4] != "retry:notes/prompts/steps/retry/notes/f_failed_todo.md" || from[0] != "steps/initial/notes/f_default.md" {
		t.Errorf("the prompts came from %q", from)
	}
}

// registry returns a registry of steps, given as JSON, with more members at its top level.
func registry(t *testing.T, top, steps string, flags map[string][]string) *plan.Plan {
	t.Helper()
	return registryOf(t, top, steps, flags, nil)
}

// registryOf is like registry, with prompts beside those of its steps.
func registryOf(t *testing.T, top, steps string, flags map[string][]string, prompts map[string]string) *plan.Plan {
	t.Helper()
	files := fstest.MapFS{"agent/steps_registry.json": {Data: []byte(`{"agentId": "x", "version": "1.0.0", "c1": "steps", "entryStepMapping": {}, ` + top + ` "steps": {` + steps + `}}`)}}
	for _, name := range []string{"a", "b", "c"} {
		files["agent/prompts/steps/s/"+name+"/f_default.md"] = &fstest.MapFile{Data: []byte("Do " + name + ".")}
	}
	for name, text := range prompts {
		files[path.Join("agent/prompts/steps", name)] = &fstest.MapFile{Data: []byte(text)}
	}
	all := map[string][]string{"entry": {"a"}}
	maps.Copy(all, flags)
	p := documents.Load("agent", documents.Options{FS: files, Flags: all})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

// gatedStep returns the JSON of a step with a gate.
func gatedStep(id, kind, allowed, transitions, more string) string {
	return fmt.Sprintf(`%q: {"stepId": %q, "name": %q, "c2": "s", "c3": %q, "stepKind": %q, "transitions": {%s},
		"structuredGate": {"allowedIntents": [%s], "intentSchemaRef": "#/x", "intentField": "act" %s}}`, id, id, id, id, kind, transitions, allowed, more)
}

var closes = gatedStep("c", "closure", `"closing","repeat"`, `"closing": {"target": null}`, "")

// TestRegistryGate (climpt-registry.md §7, §8): a gate finds the intent of a reply, and the intent decides the route.
func TestRegistryGate(t *testing.T) {
	const rules = `"next": {"target": "b"}, "handoff": {"target": "c"}, "jump": {"target": "c"}`
	b := gatedStep("b", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")
	all := `"next","repeat","handoff","jump"`
	for _, c := range []struct {
		name, more string
		replies    []string
		why, notes string
	}{
		{"an intent", "", []string{`{"act": " NEXT "}`}, `act=" NEXT " → next (only case and whitespace differ) → b`, ""},
		{"an alias", "", []string{`{"act": "wait"}`}, `act="wait" → repeat (alias) → a`, ""},
		{"fenced", "", []string{"Well:\n```json\n{\"act\": \"pass\"}\n```\n{\"act\": \"fail\"}"}, `act="pass" → next (alias) → b`, ""},
		{"the last object", "", []string{`{"act": "pass"} or {"act": "handoff"}`}, `act="handoff" → handoff → c`, ""},
		{"another word", "", []string{`{"act": "maybe"}`}, `act="maybe" is not an intent; end`, "gate-unresolved"},
		{"no string", "", []string{`{"act": 1}`}, `act=1 is not an intent; end`, "gate-unresolved"},
		{"not allowed", "", []string{`{"act": "escalate"}`}, `act="escalate": the step does not allow the intent "escalate"; end`, "intent-not-allowed"},
		{"abort", "", []string{`{"act": "abort", "reason": "no"}`}, `act="abort" → abort; end`, ""},
		{"a fallback", `, "failFast": false, "fallbackIntent": "handoff"`, []string{`{}`}, `act is missing → handoff (fallback, line 2) → c`, "gate-fallback, line 2"},
		{"next as fallback", `, "failFast": false`, []string{`{"act": 1}`}, `act=1 → next (fallback) → b`, "gate-fallback"},
		{"no object", "", []string{"hm", `{"act": "next"}`}, `act="next" → next → b`, "no-output"},
		{"no object twice", "", []string{"hm", "hm"}, "two replies in a row contained no JSON object; end", "no-output no-output gate-unresolved"},
		{"no object twice, and a fallback", `, "failFast": false`, []string{"hm", "hm"}, `no JSON object → next (fallback) → b`, "no-output no-output gate-fallback"},
		{"jump", `, "targetField": "to.step"`, []string{`{"act": "jump", "to": {"step": "b"}}`}, `act="jump" → jump → b`, ""},
		{"jump to nothing", `, "targetField": "to"`, []string{`{"act": "jump", "to": "z"}`}, `there is no step "z" to jump to; end`, "unknown-target"},
		{"jump without a target", `, "targetField": "to"`, []string{`{"act": "jump"}`}, `act="jump" → jump → c`, ""},
		{"handed off", `, "handoffFields": ["x.0.y", "z"]`, []string{`{"act": "next", "x": [{"y": null}]}`}, `act="next" → next → b`, "handoff-missing"},
		{"another step's", "", []string{`{"act": "next", "stepId": "b"}`}, `act="next" → next → b`, "step-id-corrected"},
	} {
		r := start(t, registry(t, "", gatedStep("a", "work", all, rules, c.more)+","+b+","+closes, nil), machine.Options{})
		for _, reply := range c.replies {
			r.reply(reply)
		}
		whys := r.whys()
		if got := strings.TrimPrefix(whys[len(whys)-1], "a: "); got != c.why {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := strings.Join(r.warnings(), " "); got != c.notes {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestRegistryReminder (§7, 1): after a reply without an object, the model is asked once more, with the form of the
// reply.
func TestRegistryReminder(t *testing.T) {
	r := start(t, registry(t, "", gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")+","+closes, nil), machine.Options{})
	r.reply("What?")
	call := r.reply(`{"act": "handoff"}`)
	if !strings.HasPrefix(call.Prompt, "Do a.\n\n") || !strings.HasSuffix(call.Prompt, "Reply with a JSON object whose act is one of: handoff.") {
		t.Errorf("asked %q", call.Prompt)
	}
}

// TestRegistryCondition (§8): the text of a condition's value decides the target.
func TestRegistryCondition(t *testing.T) {
	cond := func(more string) string {
		return `"next": {"condition": "v", "targets": {"true": "b", "2.50": "b", "[1]": "b", "A": "b"` + more + `}}`
	}
	b := gatedStep("b", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")
	for value, want := range map[string]string{
		`true`: `v=true → b`, `2.50`: `v=2.50 → b`, `[1]`: `v=[1] → b`, `"A"`: `v="A" → b`,
		`"a"`: `v="a" → default → c`, `null`: `v is missing → default → c`, `false`: `v=false → default → c`,
	} {
		r := start(t, registry(t, "", gatedStep("a", "work", `"next"`, cond(`, "default": "c"`), `, "handoffFields": ["v"]`)+","+b+","+closes, nil), machine.Options{})
		r.reply(`{"act": "next", "v": ` + value + `}`)
		if got := r.whys()[0]; got != `a: act="next" → next; `+want {
			t.Errorf("%s: %s", value, got)
		}
	}
	r := start(t, registry(t, "", gatedStep("a", "work", `"next"`, cond(""), `, "handoffFields": ["v"]`)+","+b+","+closes, nil), machine.Options{})
	r.reply(`{"act": "next"}`)
	if end := r.settle().Result; end == nil || end.Result != plan.RunFailed || end.ErrorCode != "climpt/no-matching-target" {
		t.Errorf("ended %+v", end)
	}
}

// TestRegistryConditionWithoutValue (§8): a missing or null value takes the default target, not the target of the empty
// text. A step without a gate hands nothing off.
func TestRegistryConditionWithoutValue(t *testing.T) {
	const rule = `"next": {"condition": "v", "targets": {"": "b", "default": "c"}}`
	gated := gatedStep("a", "work", `"next"`, rule, `, "handoffFields": ["v"]`)
	ungated := `"a": {"stepId": "a", "name": "a", "c2": "s", "c3": "a", "transitions": {` + rule + `}}`
	b := gatedStep("b", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")
	for _, c := range []struct{ step, reply, want string }{
		{gated, `{"act": "next", "v": null}`, "c"},
		{gated, `{"act": "next"}`, "c"},
		{gated, `{"act": "next", "v": ""}`, "b"},
		{ungated, `{"v": "x"}`, "c"},
	} {
		r := start(t, registry(t, "", c.step+","+b+","+closes, nil), machine.Options{})
		r.reply(c.reply)
		if call, is := r.settle().Effect.(*machine.CallModel); !is || call.Action.StepLabel != c.want {
			t.Errorf("%s leads to %+v, want %s", c.reply, call, c.want)
		}
	}
}

// TestRegistryLimit (§9): an unfinished iteration at the limit ends the run.
func TestRegistryLimit(t *testing.T) {
	r := start(t, registry(t, "", gatedStep("a", "work", `"repeat","handoff"`, `"handoff": {"target": "c"}`, "")+","+closes, map[string][]string{"max-iterations": {"2"}}), machine.Options{})
	r.reply(`{"act": "repeat"}`)
	r.reply(`{"act": "repeat"}`)
	if end := r.settle().Result; end == nil || end.ErrorCode != "climpt/max-iterations" || !strings.HasPrefix(end.Message, "maximum iterations reached: 2 (--max-iterations);") {
		t.Errorf("ended %+v", end)
	}
}

// validation returns a run of a registry whose closure has two validators.
func validation(t *testing.T, onFailure, more string) *run {
	top := `"failurePatterns": {"p": {"description": "It broke", "edition": "failed"}},
		"validators": {
			"one": {"type": "command", "command": "check ${what}", "successWhen": "exitCode:0", "failurePattern": "p", "extractParams": {"out": "stdout", "n": "exitCode"} ` + more + `},
			"two": {"type": "command", "command": "two", "successWhen": "contains:fine", "failurePattern": "p"}},
		"validationSteps": {"c": {"stepId": "c", "name": "v", "c2": "retry", "c3": "c",
			"validationConditions": [{"validator": "one", "params": {"what": "it"}}, {"validator": "two"}], "onFailure": ` + onFailure + `}},`
	r := start(t, registry(t, top, gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")+","+closes, nil), machine.Options{})
	r.reply(`{"act": "handoff"}`)
	r.reply(`{"act": "repeat"}`) // the closure still knows the step that handed off to it
	r.reply(`{"act": "closing"}`)
	return r
}

// TestRegistryValidation (§10): when a validator fails, the run retries, ends or continues, as onFailure says.
func TestRegistryValidation(t *testing.T) {
	fail, pass, fine := plan.Product{ExitCode: 3, Stdout: "oh"}, plan.Product{}, plan.Product{Stdout: "fine"}
	for _, c := range []struct {
		name, onFailure, more string
		products              []plan.Product
		why                   string
		result                plan.RunResult
		message, notes        string
	}{
		{"both pass", `{"action": "retry"}`, "", []plan.Product{pass, fine}, "2 of 2 validators passed; end", plan.Completed, "completed at c", ""},
		{"the second fails", `{"action": "retry"}`, "", []plan.Product{pass, fail}, "two failed (p), retry 1 → a", "", "", ""},
		{"the first stops", `{"action": "retry", "maxAttempts": 2}`, "", []plan.Product{fail}, "one failed (p), retry 1/2 → a", "", "", ""},
		{"abort", `{"action": "abort"}`, "", []plan.Product{fail}, "one failed (p); end", plan.RunFailed, "validation failed: one failed (p): exit 3 (successWhen exitCode:0)", ""},
		{"skip", `{"action": "skip"}`, "", []plan.Product{fail}, "one failed (p), but counts as passed; end", plan.Completed, "completed at c", "validation-skipped"},
		{"not recoverable", `{"action": "retry"}`, `, "recoverableByDefault": false`, []plan.Product{fail}, "one failed (p); end", plan.RunFailed, "validation failed: one failed (p): exit 3 (successWhen exitCode:0)", "validation-failed"},
		{"no such program", `{"action": "skip"}`, "", []plan.Product{{ExitCode: 127}}, "one failed (p); end", plan.RunFailed, "validation failed: one failed (p): exit 127", "validation-failed"},
		{"denied", `{"action": "retry"}`, "", []plan.Product{{ExitCode: 1, Stderr: "x: Permission denied"}}, "one failed (p); end", plan.RunFailed, "validation failed: one failed (p): exit 1", "validation-failed"},
		{"too slow", `{"action": "retry"}`, "", []plan.Product{{TimedOut: true}}, "one failed (p), retry 1 → a", "", "", ""},
	} {
		r := validation(t, c.onFailure, c.more)
		for i, p := range c.products {
			if command := r.ran(p); i == 0 && command.Text != "check it" {
				t.Errorf("%s: ran %q", c.name, command.Text)
			}
		}
		whys := r.whys()
		if got, want := whys[len(whys)-1], `c: act="closing" → closing; `+c.why; got != want {
			t.Errorf("%s: %s", c.name, got)
		}
		if result, message := r.result(); result != c.result || message != c.message {
			t.Errorf("%s: ended %s: %s", c.name, result, message)
		}
		if got := strings.Join(r.warnings(), " "); got != c.notes {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestRegistryValidationNotes: the warning of a failed validation says what failed and what that means.
func TestRegistryValidationNotes(t *testing.T) {
	for _, c := range []struct{ onFailure, more, want string }{
		{`{"action": "retry"}`, `, "recoverableByDefault": false`, "one failed (p): exit 3 (successWhen exitCode:0); the run cannot recover from it"},
		{`{"action": "skip"}`, "", "one failed (p): exit 3 (successWhen exitCode:0); the failure counts as a pass (onFailure: skip)"},
	} {
		r := validation(t, c.onFailure, c.more)
		r.ran(plan.Product{ExitCode: 3})
		r.settle()
		said := ""
		for _, e := range r.events {
			if w, ok := e.Body.(*machine.WarningRecorded); ok {
				said += w.Message
			}
		}
		if said != c.want {
			t.Errorf("%s: %s, want %s", c.onFailure, said, c.want)
		}
	}
}

// TestRegistryRetries (§10, 5): maxAttempts N allows N retries. A retry prompt is generated if the failure pattern has
// none.
func TestRegistryRetries(t *testing.T) {
	r := validation(t, `{"action": "retry", "maxAttempts": 2}`, "")
	for range 2 {
		r.ran(plan.Product{ExitCode: 3, Stdout: "oh"})
		call := r.reply(`{"act": "handoff"}`)
		if want := "A check failed: p. It broke\n\n```\noh\n```\n\n- n: 3\n- out: oh\n\nCorrect it, and reply again."; call.Prompt != want || call.Action.StepLabel != "a" {
			t.Errorf("%s was asked %q", call.Action.StepLabel, call.Prompt)
		}
		r.reply(`{"act": "closing"}`)
	}
	r.ran(plan.Product{ExitCode: 3})
	r.settle()
	if result, message := r.result(); result != plan.RunFailed || !strings.HasPrefix(message, "validation failed: one failed (p)") {
		t.Errorf("ended %s: %s", result, message)
	}
}

// TestRegistryRunning (§12, running): some problems fail a step or the run, others are only warnings.
func TestRegistryRunning(t *testing.T) {
	const work, schema = `"handoff": {"target": "c"}`, `"outputSchemaRef": {"file": "s.json", "schema": "s"}, "structuredGate"`
	a := func(old, text string) string {
		return strings.Replace(gatedStep("a", "work", `"handoff"`, work, ""), old, text, 1)
	}
	for _, c := range []struct{ name, step, replies, code, message, notes string }{
		{"aborted", a("", ""), `{"act": "abort", "reason": "no use"}`, "aborted", "aborted: no use", ""},
		{"a required input is missing", a(`"structuredGate"`, `"inputs": {"x": {"from": "c.k"}}, "structuredGate"`), ``, "", "error: the input c_k is missing: step c has not supplied k", "input-missing"},
		{"an input that a flag gives", a(`"structuredGate"`, `"inputs": {"given": {"default": 1}}, "structuredGate"`), `{"act": "abort"}`, "aborted", "aborted", "input-collision"},
		{"a variable without value", a(`"stepKind"`, `"uvVariables": ["none"], "stepKind"`), ``, "", "error: the variable none has no value", "prompt-failed"},
		{"a text in the place of a prompt", a(`"stepKind"`, `"uvVariables": ["none"], "fallbackKey": "initial_issue", "stepKind"`), `{"act": "abort"}`, "aborted", "aborted", "fallback-prompt"},
		{"no text of that key", a(`"stepKind"`, `"uvVariables": ["none"], "fallbackKey": "initial.issue", "stepKind"`), ``, "",
			`error: No fallback prompt found for key: "initial.issue" (step: a)`, "prompt-failed"},
		{"not as the schema says", a(`"structuredGate"`, schema), `{"act": "abort", "n": "x"}`, "aborted", "aborted", "output-mismatch"},
		{"a step without a gate", `"a": {"stepId": "a", "name": "a", "c2": "s", "c3": "a", "outputSchemaRef": {"file": "s.json", "schema": "s"}}`, `text`, "no-route", `error: no rule for the intent "next"`, "no-structured-output"},
		{"a target that the condition lacks", gatedStep("a", "work", `"next"`, `"next": {"condition": "k", "targets": {"x": "c"}}`, `, "handoffFields": ["k"]`), `{"act": "next", "k": "y", "reason": "three changes"}`, "no-matching-target", "error: no target for the value of k", ""},
	} {
		p := registryOf(t, "", c.step+","+closes, map[string][]string{"input": {"given=2"}}, map[string]string{
			"../../schemas/s.json": `{"s": {"x": {"enum": ["handoff"]}, "properties": {"act": {"enum": ["handoff"]}, "n": {"type": "number"}}}}`,
		})
		r := given(t, p, map[string]any{"given": "2"})
		if c.replies != "" {
			r.reply(c.replies)
		}
		end := r.settle().Result
		if end == nil {
			t.Fatalf("%s: the run goes on", c.name)
		}
		if strings.TrimPrefix(end.ErrorCode, "climpt/") != c.code || end.Message != c.message || end.Result != plan.RunFailed {
			t.Errorf("%s: ended %s %s: %s", c.name, end.Result, end.ErrorCode, end.Message)
		}
		if got := strings.Join(r.warnings(), " "); got != c.notes {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestRegistryRecord (§5, §7, 8): an input comes from the last output of another step. Keys that the step hands off
// override those of the output.
func TestRegistryRecord(t *testing.T) {
	a := gatedStep("a", "work", `"repeat","handoff"`, `"handoff": {"target": "c"}`, `, "handoffFields": ["in.k"]`)
	c := strings.Replace(closes, `"structuredGate"`, `"inputs": {"x": {"from": "a.k"}, "y": {"from": "a.n", "default": "none"}}, "structuredGate"`, 1)
	for _, d := range []struct{ first, last, want string }{
		{`"k": 1, "n": 1`, `"k": 1, "in": {"k": 2.50}`, "2.50 none"},
		{`"k": 1`, `"n": 2`, "error: the input a_k is missing: step a has not supplied k"},
	} {
		r := start(t, registryOf(t, "", a+","+c, nil, map[string]string{"s/c/f_default.md": "{uv-a_k} {uv-a_n}"}), machine.Options{})
		r.reply(`{"act": "repeat", ` + d.first + `}`)
		r.reply(`{"act": "handoff", ` + d.last + `}`)
		n := r.settle()
		got := ""
		if n.Result != nil {
			got = n.Result.Message
		} else if call, ok := n.Effect.(*machine.CallModel); ok {
			got = call.Prompt
		}
		if got != d.want {
			t.Errorf("%s: %q", d.last, got)
		}
	}
}

// TestRegistryRetryPrompt (§10, retry prompt): the template of a failure pattern can use variables of the step that it
// is for, and those of other prompts.
func TestRegistryRetryPrompt(t *testing.T) {
	top := `"failurePatterns": {"p": {"description": "It broke", "edition": "failed"}},
		"validators": {"v": {"type": "command", "command": "v", "successWhen": "empty", "failurePattern": "p", "extractParams": {"out": "stdout"}}},
		"validationSteps": {"c": {"stepId": "c", "name": "v", "c2": "retry", "c3": "c", "validationConditions": [{"validator": "v"}]}},`
	section := `"section.style": {"stepId": "section.style", "name": "s", "c2": "section", "c3": "style"}`
	a := gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")
	a = strings.Replace(a, `"structuredGate"`, `"inputs": {"given": {"default": "an input"}}, "structuredGate"`, 1)
	p := registryOf(t, top, a+","+closes+","+section, map[string][]string{"custom": {"tone=dry"}, "stdin-text": {"typed"}}, map[string]string{
		"retry/c/f_failed.md":        "{uv-step_id} {uv-step_name} {uv-step_iteration} {uv-iteration} {uv-completed_iterations} {uv-given}|{uv-previous_summary}|{tone} {input_text} {style_section}|{{out}}{uv-none}",
		"section/style/f_default.md": "Be brief.",
	})
	r := start(t, p, machine.Options{})
	r.reply(`{"act": "handoff"}`)
	r.reply(`{"act": "closing", "reason": "all is well"}`)
	r.ran(plan.Product{Stdout: "{tone}"})
	if call := r.reply(`{"act": "handoff"}`); call.Prompt != "a a 2 3 2 an input|c: v failed (p): stdout is not empty (successWhen empty)|dry typed Be brief.|{tone}" {
		t.Errorf("asked %q", call.Prompt)
	}
	if got := strings.Join(r.warnings(), " "); got != "template" {
		t.Errorf("warned of %s", got)
	}
}

// TestRegistryOutputSchema (§10, 1): the closure is asked again for an output that does not match the schema of the
// validation. Properties that the inline schema does not list are allowed.
func TestRegistryOutputSchema(t *testing.T) {
	top := `"validationSteps": {"c": {"stepId": "c", "name": "v", "c2": "retry", "c3": "c", "onFailure": {"action": "retry", "maxAttempts": 1},
		"outputSchema": {"type": "object", "required": ["sum"], "properties": {"sum": {"type": "number"}}}}},`
	r := start(t, registry(t, top, gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")+","+closes, nil), machine.Options{})
	r.reply(`{"act": "handoff"}`)
	r.reply(`{"act": "closing"}`)
	call := r.reply(`{"act": "closing", "sum": 1}`)
	if call.Action.StepLabel != "c" || !strings.Contains(call.Prompt, `"required":["sum"]`) {
		t.Errorf("%s was asked %q", call.Action.StepLabel, call.Prompt)
	}
	r.settle()
	if why := r.whys()[1]; why != `c: act="closing" → closing; outputSchema failed, retry 1/1 → c` {
		t.Error(why)
	}
	if result, message := r.result(); result != plan.Completed || message != "completed at c" {
		t.Errorf("ended %s: %s %v", result, message, r.whys())
	}
}

// TestRegistrySubprocess (§9): a step runs a command instead of calling a model.
func TestRegistrySubprocess(t *testing.T) {
	command := `"c": {"stepId": "c", "name": "c", "c2": "s", "c3": "c", "stepKind": "closure", "transitions": {"repeat": {"target": "c"}},
		"runner": {"command": "tool", "args": ["--x=${context.x}"], "timeout": 1e30}}`
	p := registry(t, "", gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "")+","+command, nil)
	r := given(t, p, map[string]any{"x": "a b"})
	r.reply(`{"act": "handoff"}`)
	if run := r.ran(plan.Product{ExitCode: 1}); len(run.Argv) != 2 || run.Argv[1] != "--x=a b" || run.Timeout <= 0 {
		t.Errorf("ran %+v", run)
	}
	r.ran(plan.Product{Stdout: `{"reason": "all well"}`})
	if got := strings.Join(r.whys()[1:], "|"); got != "c: exit 1 → repeat → c|c: exit 0 → closing; end" {
		t.Error(got)
	}
	r = given(t, p, nil)
	r.reply(`{"act": "handoff"}`)
	r.settle()
	if result, message := r.result(); result != plan.RunFailed || message != "error: the parameter x has no value" {
		t.Errorf("ended %s: %s", result, message)
	}
}

// TestRegistrySubprocessFails (§9): a failed command takes the written repeat, or else the step fails; a command that
// cannot start is an error. The verdict turns neither into a success.
func TestRegistrySubprocessFails(t *testing.T) {
	const (
		plain     = `"c": {"stepId": "c", "name": "c", "c2": "s", "c3": "c", "stepKind": "closure", "runner": {"command": "tool"}}`
		repeating = `"c": {"stepId": "c", "name": "c", "c2": "s", "c3": "c", "stepKind": "closure", "runner": {"command": "tool"}, "transitions": {"repeat": {"target": null}}}`
	)
	gated := gatedStep("a", "work", `"handoff"`, `"handoff": {"target": "c"}`, "") + ","
	for _, c := range []struct {
		steps   string
		product plan.Product
		why     string
		message string // the message of the result; empty: the command runs again
	}{
		{plain, plan.Product{ExitCode: 1}, "exit 1; end", "the step failed: exit 1"},
		{gated + plain, plan.Product{ExitCode: 1}, "exit 1; end", "the step failed: exit 1"},
		{plain, plan.Product{ExitCode: 2, Stdout: `{"reason": "no token"}`}, "exit 2; end", "the step failed: no token"},
		{plain, plan.Product{TimedOut: true}, "timeout; end", "the step failed: timeout"},
		{plain, plan.Product{Signal: "killed"}, "signal killed; end", "the step failed: signal killed"},
		{plain, plan.Product{Err: "there is no program tool"}, "not started; end", "error: there is no program tool"},
		{gated + plain, plan.Product{Err: "there is no program tool"}, "not started; end", "error: there is no program tool"},
		{repeating, plan.Product{Err: "there is no program tool"}, "not started; end", "error: there is no program tool"},
		{gated + repeating, plan.Product{Err: "there is no program tool"}, "not started; end", "error: there is no program tool"},
		{repeating, plan.Product{ExitCode: 1}, "exit 1 → repeat → c", ""},
		{gated + repeating, plan.Product{TimedOut: true}, "timeout → repeat → c", ""},
	} {
		flags := map[string][]string{"entry": {"c"}, "verdict": {"count:iteration"}, "verdict-config": {`{"maxIterations": 2}`}}
		r := start(t, registry(t, "", c.steps, flags), machine.Options{})
		r.ran(c.product)
		if c.message == "" {
			r.ran(c.product)
			c.message = "maximum iterations reached: 2 (maxIterations in --verdict-config)"
		}
		r.settle()
		if why := r.whys()[0]; why != "c: "+c.why {
			t.Errorf("%s: %s, want %s", c.steps, why, c.why)
		}
		if result, message := r.result(); result != plan.RunFailed || !strings.HasPrefix(message, c.message) {
			t.Errorf("%s %+v: ended %s: %s", c.steps, c.product, result, message)
		}
		r = start(t, registry(t, "", c.steps, flags), machine.Options{})
		r.ran(plan.Product{Stdout: "fine"})
		r.settle()
		if result, message := r.result(); result != plan.Completed || message != "completed at c" {
			t.Errorf("%s: exit 0: ended %s: %s", c.steps, result, message)
		}
	}
}

// TestRegistryUngated (§9): without gates the verdict decides.
func TestRegistryUngated(t *testing.T) {
	steps := `"initial.a": {"stepId": "initial.a", "name": "a", "c2": "s", "c3": "a"}, "continuation.a": {"stepId": "continuation.a", "name": "b", "c2": "s", "c3": "b"}`
	for _, c := range []struct{ kind, config, replies, result string }{
		{"count:iteration", `{"maxIterations": 2}`, "x|x", "completed"},
		{"count:check", `{"maxChecks": 3}`, "x|x|x", "completed"},
		{"detect:keyword", `{"verdictKeyword": "FIN"}`, "x|the FIN", "completed"},
		{"detect:keyword", `{"verdictKeyword": "FIN", "maxIterations": 2}`, "x|x", "failed"},
		{"detect:structured", `{"signalType": "ok", "requiredFields": {"n": 1}}`, `{"signal": "ok"}|so {"type": "ok", "n": 1.0} `, "completed"},
		{"detect:structured", `{"signalType": "ok", "requiredFields": ["n"]}`, "x|```ok\n{\"n\": null}\n```", "completed"},
		{"detect:structured", `{"signalType": "ok"}`, `x|first {"signal": "ok"} then {"signal": "later"}`, "completed"},
		{"detect:structured", `{"signalType": "ok"}`, `x|{} {"signal": "\u006fk"}`, "completed"},
		{"detect:structured", `{"signalType": "ok"}`, `x|{"list": [{"of": {"type": "ok"}}]}`, "completed"},
		{"detect:structured", `{"signalType": "ok"}`, "x|```ok\nAll is well.\n```", "completed"},
		{"detect:structured", `{"signalType": "ok", "requiredFields": ["n"], "maxIterations": 2}`, "x|```ok\nAll is well.\n```", "failed"},
		{"meta:composite", `{"operator": "and", "conditions": [{"type": "detect:keyword", "config": {"verdictKeyword": "A"}}, {"type": "count:iteration", "config": {"maxIterations": 2}}]}`, "A|A", "completed"},
		{"meta:composite", `{"operator": "or", "conditions": [{"type": "detect:keyword", "config": {"verdictKeyword": "A"}}, {"type": "meta:composite", "config": {"operator": "or", "conditions": []}}]}`, "x|A", "completed"},
		{"poll:state", `{"maxIterations": 1}`, "x", "failed"},
	} {
		p := registry(t, "", steps, map[string][]string{"entry": {"initial.a"}, "verdict": {c.kind}, "verdict-config": {c.config}})
		r := start(t, p, machine.Options{})
		for i, reply := range strings.Split(c.replies, "|") {
			if call := r.reply(reply); (call.Prompt == "Do a.") != (i == 0) {
				t.Errorf("%s %d: asked %q", c.kind, i, call.Prompt)
			}
		}
		r.settle()
		if result, message := r.result(); string(result) != c.result || result == plan.Completed && message != "completed by verdict" {
			t.Errorf("%s %s: ended %q: %s", c.kind, c.config, result, message)
		}
	}
}
