package preflight_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine/model"
	"playhead/engine/preflight"
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/workflow"
)

// servers is a set of tool servers that list tools. One of them may not answer.
type servers struct {
	all  []tools.Tool
	slow string // the server that never answers
	err  error  // the error of the others
}

func (s servers) Tools(ctx context.Context, _ func(string)) ([]tools.Tool, error) {
	if s.slow != "" {
		<-ctx.Done()
		return s.all, errors.Join(&tools.ListError{Server: s.slow, Err: ctx.Err()}, s.err)
	}
	return s.all, s.err
}

func (servers) Call(context.Context, tools.Request, io.Writer) tools.Result {
	panic("nothing is called")
}

// promptTexts returns sources that have every text. Fetching a text in errorOf returns the error of its function.
func promptTexts(errorOf map[string]func(context.Context) error) texts.SourceByScheme {
	out := texts.SourceByScheme{}
	for _, scheme := range []string{"", "library", "file", "mcp"} {
		out[scheme] = textSource{scheme, errorOf}
	}
	return out
}

type textSource struct {
	scheme  string
	errorOf map[string]func(context.Context) error
}

func (t textSource) Fetch(ctx context.Context, name string, _ func(string)) (string, error) {
	if fetch := t.errorOf[t.scheme+":"+name]; fetch != nil {
		return "", fetch(ctx)
	}
	return "", nil
}

func models(names []string, err error) func(string, bool) preflight.ModelTarget {
	return func(name string, _ bool) preflight.ModelTarget {
		return preflight.ModelTarget{
			ServerKey: "s", ServerName: "s", ModelName: "gpt-6",
			ListModels: func(context.Context) ([]string, error) { return names, err },
		}
	}
}

const document = "# Ask\n## STEP 1: One\n@tool(desk, serch)\n## STEP 2: Two\n@prompt(mcp:desk/tone)\nSay it.\n## STEP 3: Three\n@prompt(library:tone)\nSay it.\n" +
	"## STEP 4: Four\n@tool(far, say)\n"

// check returns the diagnostics of a check of the document, one per line.
func check(p preflight.Providers) []string {
	needs := preflight.ListNeeds(playbook.Parse("a.md", []byte(document), playbook.Options{}), preflight.Options{AsksModelServer: true})
	return lines(preflight.CheckNeeds(context.Background(), needs, p))
}

func lines(found []plan.Diagnostic) (out []string) {
	for _, d := range found {
		out = append(out, strings.TrimPrefix(d.String(), "a.md:"))
	}
	return out
}

func TestCheck(t *testing.T) {
	desk := tools.Tool{Server: "Desk", Name: "search"}
	both := []preflight.ConfiguredToolServer{{Name: "Desk", File: ".mcp.json", Line: 3, IsProgram: true}, {Name: "far", File: ".mcp.json", Line: 5}}
	farSays := tools.Tool{Server: "far", Name: "say"}
	for name, c := range map[string]struct {
		ports preflight.Providers
		want  []string
	}{
		"all is there but a tool and a model, and similar ones are named": {
			preflight.Providers{TargetOfModel: models([]string{"gpt-5", "other"}, nil), ConfiguredToolServers: both, ToolServers: servers{all: []tools.Tool{desk, farSays}}, PromptTexts: promptTexts(nil), IsTrusted: true},
			[]string{
				"3:1: error: step 1 needs the tool desk/serch, which its server does not have; did you mean search? [preflight/tool]",
				`6:1: warning: steps 2, 3 need the model "gpt-6", which the server s does not list; did you mean gpt-5? [preflight/model]`,
			},
		},
		"what nobody can tell is said so": {
			preflight.Providers{TargetOfModel: models(nil, fmt.Errorf("%w (404)", model.ErrNoModelList)), ConfiguredToolServers: both, ToolServers: servers{all: []tools.Tool{farSays}}, PromptTexts: promptTexts(nil)},
			[]string{
				"3:1: info: not checked: step 1 needs the tool desk/serch, but the tool server Desk is not started until the document is trusted [preflight/not-checked]",
				"5:1: info: not checked: step 2 needs the prompt mcp:desk/tone, but the tool server Desk is not started until the document is trusted [preflight/not-checked]",
				"6:1: info: not checked: steps 2, 3 need the model gpt-6, but the server does not say which models it has (404) [preflight/not-checked]",
			},
		},
		"a server that is down is told once, where it is described": {
			preflight.Providers{TargetOfModel: models(nil, errors.New("nothing answers")), ConfiguredToolServers: both, PromptTexts: promptTexts(map[string]func(context.Context) error{"library:tone": func(context.Context) error { return errors.New("gone") }}),
				ToolServers: servers{all: []tools.Tool{farSays}, err: errors.Join(&tools.ListError{Server: "Desk", Err: errors.New("it ended")})}, IsTrusted: true},
			[]string{
				".mcp.json:3:1: error: step 1 needs the tool desk/serch: it ended; correct the server's entry in this file [preflight/tool-server]",
				".mcp.json:3:1: warning: step 2 needs the prompt mcp:desk/tone: it ended; correct the server's entry in this file [preflight/tool-server]",
				"6:1: error: steps 2, 3 need the model server s: nothing answers; start it, correct its API key, or choose another server with --base-url, --model or --source [preflight/model-server]",
				"8:1: warning: step 3 needs the prompt library:tone: gone; without it, the step runs with its own text [preflight/prompt]",
			},
		},
		"tools of a server that no file describes, as long as it lists them": {
			preflight.Providers{TargetOfModel: models([]string{"gpt-6"}, nil), ConfiguredToolServers: both[1:], ToolServers: servers{all: []tools.Tool{{Server: "desk", Name: "serch"}, farSays}}, PromptTexts: promptTexts(nil)},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := check(c.ports); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// TestCheckEndsInTime: a need whose server does not answer is not checked, even if the server ignores the end of the
// context. The other needs are checked.
func TestCheckEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		defer close(never)
		began := time.Now()
		got := check(preflight.Providers{
			TargetOfModel:         models([]string{"gpt-5"}, nil),
			ConfiguredToolServers: []preflight.ConfiguredToolServer{{Name: "desk"}, {Name: "far", File: ".mcp.json", Line: 5}},
			ToolServers:           servers{slow: "desk", err: &tools.ListError{Server: "far", Err: errors.New("it ended")}},
			PromptTexts:           promptTexts(map[string]func(context.Context) error{"library:tone": func(context.Context) error { <-never; return nil }}),
			IsTrusted:             true,
		})
		want := []string{
			"3:1: info: not checked: step 1 needs the tool desk/serch, but the tool server desk did not answer in time [preflight/not-checked]",
			"5:1: info: not checked: step 2 needs the prompt mcp:desk/tone, but the tool server desk did not answer in time [preflight/not-checked]",
			`6:1: warning: steps 2, 3 need the model "gpt-6", which the server s does not list; did you mean gpt-5? [preflight/model]`,
			"8:1: info: not checked: step 3 needs the prompt library:tone, but the check did not finish in time [preflight/not-checked]",
		}
		want = append([]string{".mcp.json:5:1: error: step 4 needs the tool far/say: it ended; correct the server's entry in this file [preflight/tool-server]"}, want...)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s", strings.Join(got, "\n"))
		}
		if took := time.Since(began); took > preflight.CheckTimeout {
			t.Errorf("the check took %s", took)
		}
	})
}

// TestListLeavesOutWhatIsThere: steps with prepared replies or results need no server.
func TestListLeavesOutWhatIsThere(t *testing.T) {
	p := playbook.Parse("a.md", []byte(document), playbook.Options{})
	given := preflight.Options{
		AsksModelServer: true,
		PreparedReplies: &model.PreparedReplies{ByCallKey: map[string][]model.Reply{"2": {{}}, "3": {{}}}},
		PreparedResults: &tools.PreparedResults{TextsByKey: map[string][]string{"1/tool/serch": {""}, "4/tool/say": {""}}},
	}
	if preflight.HasCalls(preflight.ListNeeds(p, given)) {
		t.Error("HasCalls reports calls although all replies and results are prepared")
	}
	given.PreparedResults.TextsByKey["4/tool/say"] = nil
	if !preflight.HasCalls(preflight.ListNeeds(p, given)) {
		t.Error("HasCalls ignores a tool call without a prepared result")
	}
	if preflight.HasCalls(preflight.ListNeeds(p, preflight.Options{ExecutesNothing: true})) {
		t.Error("HasCalls reports calls of a run that executes nothing")
	}
	given.CurrentStepID = "4"
	if needs := preflight.ListNeeds(p, given); len(needs) != 1 || needs[0].Name != "say" {
		t.Errorf("from step 4 on: %v", needs)
	}
}

// TestApproval: a step whose mode allows edits needs a person only if every call needs approval.
func TestApproval(t *testing.T) {
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: []plan.Action{{Work: plan.Model{
		Tools: []plan.Prompt{plan.Literal("local/Edit")}, Permissions: plan.Permissions{Mode: plan.AcceptEditsMode},
	}}}}}}
	for _, each := range []bool{false, true} {
		needs := preflight.ListNeeds(p, preflight.Options{AsksModelServer: true, AsksAboutAllowedCalls: each})
		if got := slices.ContainsFunc(needs, func(n preflight.Need) bool { return n.Kind == preflight.ApprovalNeed }); got != each {
			t.Errorf("each %t: %v", each, needs)
		}
	}
}

// TestOpenTool: a tool is not checked if its name or its server is a variable of the person.
func TestOpenTool(t *testing.T) {
	for name, open := range map[string]bool{"[N]": true, "[S]/search": true, "desk/[N]": true, "desk/search": false} {
		text := "# W\n### 🔧 WORKFLOW STEP: Go\n```\nDo it with [S] [N].\n```\n### 🛠️ TOOL: " + name + "\n### 📥 INPUTS:\n- S: x\n- N: y\n### ✅ ASSERT:\n- done\n"
		p := workflow.Parse("w.md", []byte(text), workflow.Options{})
		for _, n := range preflight.ListNeeds(p, preflight.Options{AsksModelServer: true}) {
			if n.Kind == preflight.ToolNeed && n.IsNameDynamic != open {
				t.Errorf("%s: %+v", name, n)
			}
		}
	}
}

// TestPrograms: the programs of a script are the first words of the commands that run in any case.
func TestPrograms(t *testing.T) {
	for script, want := range map[string]string{
		"make all":                                "make",
		"FOO=1 make | tee log":                    "make tee",
		"git pull && npm ci || yarn":              "git",
		"if have x; then brew install x; fi; tar": "tar",
		"build() { cc x; }\nbuild\nld":            "ld",
		"echo a; [ -f x ] && cat x":               "",
		"cd sub\n./run":                           "",
		"export PATH=$PATH:bin\ntool":             "",
		"test -d x || cd x; tool":                 "",
		"$TOOL x; ~/bin/y; a*b":                   "",
		"(cd x && make); time ls":                 "ls",
		"'my tool' x; \"o\"ther":                  "my tool|other",
		"{ make; }; while true; do x; done; y":    "make y",
		"make )":                                  "",
		"alias x=y\nx":                            "",
		"! grep x y":                              "grep",
		"cat <<END\nfoo\nEND":                     "cat",
	} {
		p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: []plan.Action{{Work: plan.Command{Shell: "bash", Text: plan.Literal(script)}}}}}}
		var got []string
		for _, n := range preflight.ListNeeds(p, preflight.Options{}) {
			got = append(got, n.Name)
		}
		if sep := map[bool]string{true: "|", false: " "}[strings.Contains(want, "|")]; strings.Join(got, sep) != want {
			t.Errorf("%q: %q", script, got)
		}
	}
}
