package playbook

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

// TestActions (spec §5): the text and the directives of a step decide its actions and their order.
func TestActions(t *testing.T) {
	cases := map[string]string{
		"":                                  "1",
		"x":                                 "1 model",
		"x\n@output(a)":                     "1 model store:a",
		"@output(a)\n@prompt(file:b)\nx":    "1 fetch:file model store:a",
		"@prompt(mcp:s/n)":                  "1 fetch:mcp model",
		"@prompt(name)":                     "1 fetch: model",
		"@prompt({{on}})\nx":                "1 model",
		"@elicit(confirm, \"ok?\")":         "1 ask:confirm",
		"x\n@elicit(input, \"ok?\")":        "1 ask:input model",
		"@elicit(input, \"a\")\n@prompt(b)": "1 ask:input fetch: model",
		"@tool(a, b)\n@output(c)":           "1 tool:b store:c",
		"x\n@elicit(input, \"a\")\n@tool(a, b)\n@prompt(c)": "1 tool:b ask:input",
		"@elicit(select, \"a\", \"b\")":                     "1 ask:select",
		"@elicit(select, \"a\")":                            "1 ask:input",
		"@output(a)\n@output(b)\nx":                         "1 model store:b",
	}
	for text, want := range cases {
		if got := tree(parsed(t, head+"## STEP 1: A\n"+text+"\n").Steps); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// TestBranches (spec §4): branch markers become arms with substeps.
func TestBranches(t *testing.T) {
	const iff, elif = "```if depth == \"deep\"```\n", "```elif on != \"true\"```\n"
	const els, end = "```else```\n", "```endif```\n"
	sub := func(label string) string { return "### STEP " + label + ": S\nx\n" }
	cases := map[string]struct{ text, want string }{
		"all":                  {iff + sub("1a") + elif + sub("1b") + sub("1c") + els + sub("1d") + end, "1 (1.if (1a model), 1.elif (1b model, 1c model), 1.else (1d model))"},
		"own text":             {"x\n" + iff + sub("1a") + end + "y\n", "1 model (1.if (1a model))"},
		"two blocks":           {iff + sub("1a") + end + iff + sub("1b") + els + sub("1c") + end, "1 (1.if (1a model), 1.if~2 (1b model), 1.else (1c model))"},
		"implicit":             {iff + "x\n" + els + sub("1a") + "```if \n" + end + end, "1 (1.if (1b model), 1.else (1a model))"},
		"text ahead":           {iff + "x\n" + sub("1a") + end, "1 (1.if (1b model, 1a model))"},
		"blank arm":            {iff + "\n" + end, "1 (1.if)"},
		"fenced marker":        {iff + "~~~\n" + end + "~~~\n" + end, "1 (1.if (1a model))"},
		"spaces":               {"   ```if  depth==\"deep\" ```  \n" + sub("1a") + "```else ```\n" + sub("1b") + end, "1 (1.if (1a model), 1.else (1b model))"},
		"unclosed":             {iff + sub("1a"), "1 (1.if (1a model))"},
		"orphan":               {iff + sub("1a") + end + els + sub("1b") + end + "y\n", "1 model (1.if (1a model))"},
		"orphan, then if":      {els + sub("1b") + iff + sub("1a") + end, "1 (1.if (1a model))"},
		"nested":               {iff + sub("1a") + iff + sub("1b") + els + "y\n" + end + "@output(a)\n" + els + sub("1c") + end, "1 (1.if (1a model store:a), 1.else (1c model))"},
		"unreadable if":        {"```if a```\n" + sub("1a") + els + sub("1b") + end + iff + sub("1c") + end, "1 (1.if (1c model))"},
		"unreadable elif":      {iff + sub("1a") + "```else if a```\n" + sub("1b") + els + sub("1c") + end, "1 (1.if (1a model), 1.else (1c model))"},
		"directives":           {iff + "### STEP 1a: S\n@tool(a, b)\n@output(c)\n" + els + "@elicit(confirm, \"ok?\")\n" + end, "1 (1.if (1a tool:b store:c), 1.else (1b ask:confirm))"},
		"outside":              {sub("1a"), "1 model"},
		"the step's output":    {iff + sub("1a") + sub("1b") + els + sub("1c") + end + "@output(a)\n", "1 (1.if (1a model, 1b model store:a), 1.else (1c model store:a))"},
		"its own and the step": {"@output(a)\n" + iff + sub("1a") + "@output(b)\n" + end, "1 (1.if (1a model store:b store:a))"},
		"labels taken":         {iff + sub("1a") + els + sub("1a") + end, "1 (1.if (1a model), 1.else (1a~2 model))"},
	}
	for name, c := range cases {
		if got := tree(parsed(t, head+"## STEP 1: A\n"+c.text+"## STEP 2: B\n").Steps[:1]); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestArms: each arm has the test of its marker and says whether it is an elif or else.
func TestArms(t *testing.T) {
	p := parsed(t, head+"## STEP 1: A\n```if depth == \"deep\"```\n### STEP 1a: S\n```elif ghost != \"\"```\n### STEP 1b: S\n```else```\n### STEP 1c: S\n```endif```\n")
	arms := p.Steps[0].Children
	want := []*plan.Test{
		{Path: []string{"depth"}, Value: "deep", SourceText: `if depth == "deep"`, VariableSource: "input"},
		{Path: []string{"ghost"}, Op: plan.OpNotEqual, SourceText: `elif ghost != ""`, VariableSource: "unknown"},
		nil,
	}
	for i, a := range arms {
		if diff := cmp.Diff(want[i], a.ArmTest); diff != "" || a.IsElseOrElif != (i > 0) || a.Kind != "branch" {
			t.Errorf("arm %d: else %v, kind %s, %s", i, a.IsElseOrElif, a.Kind, diff)
		}
	}
}

// TestRoutes: a step that fails ends the run; any other continues it.
func TestRoutes(t *testing.T) {
	p := parsed(t, "# T\n## STEP 1: A\nx\n")
	rs := p.Steps[0].Routes
	if len(rs) != 2 || rs[0].When.Result != plan.Passed || rs[0].Do.Verb != plan.Continue || !rs[0].Do.Implicit {
		t.Errorf("%+v", rs)
	}
	if rs[1].When.Result != plan.Failed || rs[1].Do.Verb != plan.EndDocument || rs[1].Do.Result != plan.RunFailed || !rs[1].Do.Implicit {
		t.Errorf("%+v", rs)
	}
	if got := render(rs[1].Do.Message, run{outcome: plan.Outcome{Reason: "no key"}}); got != "step 1 failed: no key" {
		t.Error(got)
	}
}

// TestIdentity: ids are unique, labels are those of the spec, and stable keys do not depend on numbers.
func TestIdentity(t *testing.T) {
	p := parsed(t, "# T\n## STEP 01: A b!\n```if x == \"y/z\"```\n### STEP 1a: S\n```else```\nlone\n```endif```\n## STEP 1: A B\n## STEP 7: ?\n")
	var got []string
	p.Walk(func(s, _ *plan.Step) bool {
		label := s.ID
		if s.Label != nil {
			label = plan.SourceText(s.Label)
		}
		got = append(got, s.ID+" "+label+" "+s.StableKey)
		return true
	})
	want := []string{
		"1 1 a-b", "1.if 1.if a-b/x==y/z", "1a 1a a-b/s", "1.else 1.else a-b/else", "1b 1b a-b/else/a-b",
		"1~2 1~2 a-b~2", "7 7 untitled",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestElicit (spec §5) reads the forms of @elicit.
func TestElicit(t *testing.T) {
	for text, want := range map[string]plan.Field{
		`@elicit(input, "a")`:                      {Type: "input", Prompt: parseTemplate("a")},
		`@elicit( confirm ,"say \"yes\", please")`: {Type: "confirm", Prompt: parseTemplate(`say "yes", please`)},
		`@elicit(select, "a", "b, c","d" )  `:      {Type: "select", Prompt: parseTemplate("a"), Options: []string{"b, c", "d"}},
		`@elicit(confirm, 'a')`:                    {Type: "confirm", Prompt: parseTemplate("A")},
		`@elicit(input, "{{topic}}?")`:             {Type: "input", Prompt: parseTemplate("{{topic}}?")},
	} {
		s := parsed(t, head+"## STEP 4: A\n"+text+"\n").Steps[0]
		want.Name = "__elicit_step_4"
		if diff := cmp.Diff(plan.Ask{Fields: []plan.Field{want}}, s.Actions[0].Work, cmp.AllowUnexported(piece{})); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestOutputs (spec §5) reads the forms of @output.
func TestOutputs(t *testing.T) {
	for text, want := range map[string]plan.JudgeDescription{
		`@output(a)`:                                 {Variable: "a"},
		`@output(a: Int)  `:                          {Variable: "a", Type: "number"},
		`@output(a : bool)`:                          {Variable: "a", Type: "boolean"},
		`@output(a: thing)`:                          {Variable: "a", Type: "string"},
		`@output(a: choice, "x",  "y z")`:            {Variable: "a", Type: "enum", Options: []string{"x", "y z"}},
		`@output(a, extract:"f")`:                    {Variable: "a", ExtractedField: "f"},
		`@output(a: enum, "x", "y", extract:"f")`:    {Variable: "a", Type: "enum", Options: []string{"x", "y"}, ExtractedField: "f"},
		`@output(a: json, extract:"f_1")`:            {Variable: "a", Type: "json", ExtractedField: "f_1"},
		`@output(a: text)` + "\n" + `@output(topic)`: {Variable: "topic"},
	} {
		s := parsed(t, head+"## STEP 1: A\nx\n"+text+"\n").Steps[0]
		want.Kind = "capture"
		if diff := cmp.Diff(want, s.Actions[1].Judge.(plan.Describer).Describe()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestSpans: steps, arms and actions have the lines that they come from.
func TestSpans(t *testing.T) {
	p := parsed(t, "# T\n## STEP 1: A\n\n  x\ny\n@output(a)\n```if a == \"b\"```\n### STEP 1a: S\nz\n\n```endif```\n\n## STEP 2: B\n\n")
	s := p.Steps[0]
	for name, c := range map[string]struct{ got, want plan.Span }{
		"step":     {s.Span, plan.Span{Line: 2, Column: 1, LastLine: 11}},
		"model":    {s.Actions[0].Span, plan.Span{Line: 4, Column: 3, LastLine: 5}},
		"output":   {s.Actions[1].Span, plan.Span{Line: 6, Column: 1, LastLine: 6}},
		"arm":      {s.Children[0].Span, plan.Span{Line: 7, Column: 1, LastLine: 9}},
		"sub-step": {s.Children[0].Children[0].Span, plan.Span{Line: 8, Column: 1, LastLine: 9}},
		"empty":    {p.Steps[1].Span, plan.Span{Line: 13, Column: 1, LastLine: 13}},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, c.got, c.want)
		}
	}
	if !strings.HasPrefix(p.Entries[0].Step, "1") {
		t.Error(p.Entries)
	}
}

// TestFailureMessageOfRepeatedNumber: the message of a failed run has the label of the step, which is not its number if
// another step has the same number.
func TestFailureMessageOfRepeatedNumber(t *testing.T) {
	steps := parsed(t, head+"## STEP 1: A\nx\n## STEP 1: B\nx\n").Steps
	if got, want := steps[1].Routes[1].Do.Message, (plan.FailureMessage{Label: "1~2"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
