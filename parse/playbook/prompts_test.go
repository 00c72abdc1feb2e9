package playbook

import (
	"encoding/json"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// TestPlaceholders (spec §3): a placeholder becomes its variable, its inline default or its literal text, in one pass.
func TestPlaceholders(t *testing.T) {
	scope := run{vars: map[string]any{"a": "A", "n": 1e6, "f": 0.5, "b": true, "o": map[string]any{"k": []any{1.0, "<"}}, "nil": nil, "again": "{{a}}", "empty": ""}}
	unset := " [playbook/placeholder-undefined]"
	for text, want := range map[string]string{
		"{{a}}{{a}}":                    "AA",
		"{{a:text}} {{a:text:x}}":       "A A",
		"{{n}} {{f}} {{b}} {{nil}}":     "1000000 0.5 true ",
		"{{o}}":                         `{"k":[1,"<"]}`,
		"{{again}}{{empty}}":            "{{a}}",
		"{{u}} {{u}} {{u:text}}":        "{{u}} {{u}} {{u:text}}" + unset + unset,
		"{{u:text:an else}}{{u:text:}}": "an else",
		"{{u:url:http://x}}":            "http://x",
		"{{ a }} {{a-b}} {{}} {a} {{a}": "{{ a }} {{a-b}} {{}} {a} {{a}",
		"{{{a}}}":                       "{A}",
		"{{a:}} {{a:text:x{y}}":         "{{a:}} {{a:text:x{y}}",
		"{{a:text:x\ny}}":               "{{a:text:x\ny}}",
		"{{":                            "{{",
	} {
		if got := render(parseTemplate(text), scope); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := plan.SourceText(parseTemplate(text)); got != text {
			t.Errorf("%q as written: %q", text, got)
		}
	}
}

// TestMessage (spec §5): a prompt is the text from @prompt, a blank line and the step's own text.
func TestMessage(t *testing.T) {
	scope := run{vars: map[string]any{"v": "of {{topic}}\n", "topic": "T", "none": ""}}
	fetched := scope
	fetched.fetched = "about {{topic}} {{gone}}\n"
	for name, c := range map[string]struct {
		text string
		in   run
		want string
	}{
		"own":               {"own {{topic}}", scope, "own T"},
		"fetched":           {"own\n@prompt(x)", fetched, "about T {{gone}}\n\nown [playbook/placeholder-undefined]"},
		"fetched alone":     {"@prompt(x)", fetched, "about T {{gone}} [playbook/placeholder-undefined]"},
		"not fetched":       {"own\n@prompt(x)", scope, "own"},
		"nothing fetched":   {"@prompt(x)", scope, " error: the prompt is empty, so the model is not asked"},
		"fetched by others": {"own", fetched, "own"},
		"variable":          {"own\n@prompt({{v}})", fetched, "of {{topic}}\n\nown"},
		"no variable":       {"own\n@prompt({{w}})", scope, ` error: nothing defines "w", which @prompt({{w}}) takes its text from`},
		"empty variable":    {"own\n@prompt({{none}})", scope, "own"},
		"empty":             {"{{none}}", scope, " error: the prompt is empty, so the model is not asked"},
	} {
		actions := parsed(t, head+"## STEP 1: A\n"+c.text+"\n").Steps[0].Actions
		if got := render(actions[len(actions)-1].Work.(plan.Model).Prompt, c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestContext (spec §7): the system prompt is followed by the results of earlier steps, named outputs and answers.
func TestContext(t *testing.T) {
	p := parsed(t, head+"## SYSTEM\nBe {{depth}}.\n## STEP 1: A \"b\"\nx\n@output(one)\n## STEP 2: B\n@elicit(confirm, \"ok?\")\n```if on == \"true\"```\n### STEP 2a: C\nx\n@output(two: number)\n@output(topic)\n```endif```\n")
	long := strings.Repeat("long ", 50)
	record := func(id string, o plan.Outcome) plan.FinishedAttempt {
		return plan.FinishedAttempt{Step: p.FindStep(id), Label: id, Outcome: o}
	}
	scope := run{
		vars: map[string]any{"depth": "deep", "topic": "t", "one": long, "__elicit_step_2": "yes", "two": 2.0},
		past: []plan.FinishedAttempt{
			record("1", plan.Outcome{Result: plan.Passed, Text: long}), record("2", plan.Outcome{Result: plan.Passed, Text: "yes"}),
			record("2a", plan.Outcome{Result: plan.Skipped, Text: "no"}), record("2a", plan.Outcome{Result: plan.Passed}),
		},
	}
	want := "Be deep.\n\nThese are the outputs of the earlier steps.\n\n" +
		"<step number=\"1\" label=\"1\" title=\"A 'b'\">\n" + long + "\n</step>\n\n" +
		"<step number=\"2\" label=\"2\" title=\"B\">\nyes\n</step>\n\n" +
		"These are named values of this run.\n<value name=\"one\">(the output of step 1)</value>\n<value name=\"__elicit_step_2\">yes</value>"
	if got := render(p.SystemPrompt, scope); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := render(parsed(t, "# T\n## STEP 1: A\nx\n").SystemPrompt, run{}); got != "" {
		t.Errorf("without anything: %q", got)
	}
}

// TestArguments (spec §5): values are escaped inside strings, and JSON elsewhere.
func TestArguments(t *testing.T) {
	scope := run{vars: map[string]any{"q": "say \"hi\"\n<\\", "n": "5", "b": true, "o": map[string]any{"k": 1.0}, "e": ""}}
	for text, want := range map[string]string{
		`{"a": "{{q}}"}`:                     `{"a": "say \"hi\"\n<\\"}`,
		`{"a": {{q}}}`:                       `{"a": "say \"hi\"\n<\\"}`,
		`{"a": {{n}}, "b": "{{n}}"}`:         `{"a": 5, "b": "5"}`,
		`{"a": {{b}}, "{{n}}": {{o}}}`:       `{"a": true, "5": {"k":1}}`,
		`{"a": "\"{{q}}\\", "b": {{e}}}`:     `{"a": "\"say \"hi\"\n<\\\\", "b": ""}`,
		`{"a": "\{{q}}"}`:                    `{"a": "\\say \"hi\"\n<\\"}`,
		`{"a": {{u:number:7}}, "b": "{{u}}"`: `{"a": 7, "b": "{{u}}" [playbook/placeholder-undefined]`,
		`{"a": {{u}}}`:                       `{"a": "{{u}}"} [playbook/placeholder-undefined]`,
	} {
		got := render(toolArguments(parseTemplate(text)), scope)
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if plan.SourceText(toolArguments(parseTemplate(text))) != text {
			t.Errorf("%s as written: %s", text, plan.SourceText(toolArguments(parseTemplate(text))))
		}
	}
}

// TestArgumentsHold: no value changes the JSON around it.
func TestArgumentsHold(t *testing.T) {
	a := toolArguments(parseTemplate(`{"a": "x\\{{v}}", "b": {{v}}, "c": "{{v}}y"}`))
	for _, v := range []string{`"`, `\`, `", "d": "`, `1, "d": 2`, `}`, `{"a":`, "\x00\xff", "{{v}}", "null", `"\"`, `\u0022`} {
		r, _ := a.Render(run{vars: map[string]any{"v": v}})
		var got map[string]any
		if err := json.Unmarshal([]byte(r.Text), &got); err != nil || len(got) != 3 {
			t.Errorf("%q: %s: %v", v, r.Text, err)
		}
	}
}
