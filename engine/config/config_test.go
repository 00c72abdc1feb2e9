package config_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"playhead/engine/config"
)

const whole = `
model: fast
models:
  fast: &fast
    base_url: http://localhost:11434/v1
    key: OLLAMA_API_KEY
    model: qwen3:8b
    price: {in: 0.15, out: 0.60}
    temperature: 0.2
    max_tokens: 16384
    timeout: {connect: 10s, silence: 2m}
  same: *fast
  bare: {model: "4"}
prompts: [~/prompts, shared]
editor: myed --line {line} {file}
limits: {turns: 5, tool_call: 90s, tool_result: 2000}
`

func TestParse(t *testing.T) {
	c, problems := config.Parse([]byte(whole))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	warmth := 0.2
	fast := config.Profile{
		Name: "fast", BaseURL: "http://localhost:11434/v1", APIKeyVariable: "OLLAMA_API_KEY", ModelName: "qwen3:8b",
		Price: &config.TokenPrice{InputPrice: 0.15, OutputPrice: 0.60}, Temperature: &warmth, MaxReplyTokens: 16384,
		ConnectTimeout: 10 * time.Second, SilenceTimeout: 2 * time.Minute,
	}
	same := fast
	same.Name = "same"
	want := config.Config{
		DefaultModel: "fast", Profiles: []config.Profile{fast, same, {Name: "bare", ModelName: "4"}},
		PromptFolders:      []string{"~/prompts", "shared"},
		EditorCommand:      "myed --line {line} {file}",
		ConversationLimits: config.ConversationLimits{MaxTurns: 5, CallTimeout: 90 * time.Second, MaxResultChars: 2000},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
	if keys := c.APIKeyVariables(); !reflect.DeepEqual(keys, []string{"OLLAMA_API_KEY"}) {
		t.Error(keys)
	}
	if p, ok := c.ProfileNamed("bare"); !ok || p.ModelName != "4" {
		t.Errorf("%+v", p)
	}
	if _, ok := c.ProfileNamed("none"); ok {
		t.Error("ProfileNamed finds a profile that the file does not have")
	}
}

func TestEmpty(t *testing.T) {
	for _, source := range []string{"", "# nothing\n", "---\n", "models:\n", "null"} {
		if c, problems := config.Parse([]byte(source)); len(problems) > 0 || !reflect.DeepEqual(c, config.Config{}) {
			t.Errorf("%q: %+v %v", source, c, problems)
		}
	}
}

// TestProblems: each kind of mistake has a position and a message that says what is expected.
func TestProblems(t *testing.T) {
	profile := func(line string) string { return "models:\n  a:\n    model: m\n    " + line }
	for source, want := range map[string]string{
		"modle: x":                              `1:1: there is no key "modle" here: did you mean model?`,
		"colours: x":                            `1:1: there is no key "colours" here: choose from approve, editor, expires_after, keys, `,
		"model: [a]":                            "1:8: model: expected text, not a list",
		"model: 3":                              "1:8: model: expected text, not a number",
		"model: true":                           "1:8: model: expected text, not true or false",
		"model: 2020-01-01":                     "1:8: model: expected text, not a date",
		"model:":                                "1:7: model: expected text, not an empty value",
		"model: ''":                             "1:8: model: the value is empty",
		"model: a\nmodel: b":                    `2:1: the key "model" occurs twice`,
		"editor: myed":                          "1:9: editor: expected a command with {file} in it",
		"editor: 'myed {file}:{column}'":        "1:9: editor: only {file} and {line} are allowed in braces",
		"prompts: ~/p":                          "1:10: prompts: expected a list, not text",
		"prompts: [a, 3]":                       "1:14: prompts: expected text, not a number",
		"notify: loud":                          "1:9: notify: expected one of off, bell, osc9, osc777, auto",
		"notify_after: 30":                      "1:15: notify_after: expected a duration such as 10s or 2m",
		"limits: 3":                             "1:9: expected a mapping, not a number",
		"limits: {turns: 0}":                    "1:17: turns: expected a whole number above 0",
		"limits: {tool_call: 90}":               "1:21: tool_call: expected a duration such as 10s or 2m",
		"limits: {tool_result: all}":            "1:23: tool_result: expected a whole number above 0",
		"limits: {calls: 3}":                    `1:10: there is no key "calls" here: choose from tool_call, tool_result, turns`,
		"models: x":                             "1:9: expected a mapping, not text",
		"models: {'': {model: m}}":              "1:10: an entry in models needs a name",
		"models: {a: 3}":                        "1:13: expected a mapping, not a number",
		"models:\n  a: {}":                      "2:3: a: the key \"model\" is missing: add model: NAME",
		"models:\n  a:":                         "2:3: a: the key \"model\" is missing: add model: NAME",
		"models: {[a]: {}}":                     "1:10: a key is one word, not a list",
		profile("url: http://x"):                `4:5: there is no key "url" here: `,
		profile("max_token: 3"):                 `4:5: there is no key "max_token" here: did you mean max_tokens?`,
		profile("base_url: localhost"):          "4:15: base_url: expected a URL such as ",
		profile("base_url: ftp://x"):            "4:15: base_url: expected a URL such as ",
		profile("base_url: http://u:secret@x/"): "4:15: base_url: a password is not allowed in a URL",
		profile("key: sk-secret-abcdef"):        "4:10: key: expected the name of an environment variable",
		profile("key: gsk_secretABC1"):          "4:10: key: expected the name of an environment variable",
		profile("key: {}"):                      "4:10: key: expected text, not a mapping",
		profile("price: 3"):                     "4:12: expected a mapping, not a number",
		profile("price:"):                       "4:11: price: give two prices, for input and for output tokens",
		profile("price: {in: 1}"):               "4:12: price: give two prices, for input and for output tokens",
		profile("price: {in: -1, out: 1}"):      "4:17: in: expected a number of 0 or more",
		profile("price: {in: 1, out: .nan}"):    "4:25: out: expected a number of 0 or more",
		profile("price: {in: 1, out: .inf}"):    "4:25: out: expected a number of 0 or more",
		profile("price: {in: 1, out: [1]}"):     "4:25: out: expected a number of 0 or more",
		profile("temperature: 2.1"):             "4:18: temperature: expected a number from 0 to 2",
		profile("temperature: warm"):            "4:18: temperature: expected a number from 0 to 2",
		profile("max_tokens: 0"):                "4:17: max_tokens: expected a whole number above 0",
		profile("max_tokens: 1.5"):              "4:17: max_tokens: expected a whole number above 0",
		profile("timeout: 10s"):                 "4:14: expected a mapping, not text",
		profile("timeout: {connect: 10}"):       "4:24: connect: expected a duration such as 10s or 2m",
		profile("timeout: {silence: -1s}"):      "4:24: silence: expected a duration such as 10s",
		profile("timeout: {total: 1s}"):         `4:15: there is no key "total" here: choose from connect, silence`,
		"keys: f5":                              "1:7: expected a mapping, not text",
		"keys: {style: emacs}":                  "1:15: style: expected one of vi, arrows",
		"keys: {pass: {a: b}}":                  "1:14: pass: expected text, not a mapping",
		"keys: {pass: [a, true]}":               "1:18: pass: expected text, not true or false",
		"model: a\n# caf\xe9 secret":            "2:6: this is not valid UTF-8: save the file as UTF-8 text",
		"é: a\x00":                              "1:5: a control character is not allowed here",
		"keys: {pass: ~}":                       "1:14: pass: expected the name of a key: put the keys",
		"é: {":                                  "1:1: this is not valid YAML: did not find expected node content",
		"model: a\n\tmodels: b":                 "2:1: this is not valid YAML: found a tab",
		"model: *a":                             "1:1: this is not valid YAML: unknown anchor",
		"--- {}\n--- {}":                        "2:1: a configuration file must contain only one YAML document",
		"- a":                                   "1:1: expected a mapping, not a list",
		"# é\n{é: 1}":                           `2:2: there is no key "é" here`,
		"#" + strings.Repeat(" ", 1<<20):        "1:1: the file is larger than 1 MiB",
	} {
		_, problems := config.Parse([]byte(source))
		got := make([]string, len(problems))
		for i, p := range problems {
			got[i] = fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message)
		}
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%.60q\ngot  %q\nwant %q", source, got, want)
		}
		if strings.Contains(strings.Join(got, ""), "secret") {
			t.Errorf("%q: a value is repeated: %q", source, got)
		}
	}
}

// TestAllProblems: Load reports all problems from top to bottom and keeps the valid entries.
func TestAllProblems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	write(t, path, "prompts: 3\nmodels:\n  a: {max_tokens: x, keyy: K}\n  b: {model: m}\nmodell: x\n")
	c, err := config.Load(path)
	want := strings.ReplaceAll(`FILE:1:10: prompts: expected a list, not a number
FILE:3:3: a: the key "model" is missing: add model: NAME
FILE:3:19: max_tokens: expected a whole number above 0
FILE:3:22: there is no key "keyy" here: did you mean key?
FILE:5:1: there is no key "modell" here: did you mean models?`, "FILE", path)
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	if p, ok := c.ProfileNamed("b"); !ok || p.ModelName != "m" {
		t.Errorf("%+v", c)
	}
}

// TestLoad: a prompt folder that starts with ~/ is in the home folder, and a relative one starts at the file.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", "/home/me")
	path := filepath.Join(dir, "config.yaml")
	write(t, path, "prompts: [~/prompts, ~/, shared/../here, /all/, ~me]")
	c, err := config.Load(path)
	want := []string{"/home/me/prompts", "/home/me", filepath.Join(dir, "here"), "/all", filepath.Join(dir, "~me")}
	if err != nil || !reflect.DeepEqual(c.PromptFolders, want) {
		t.Errorf("%q, %v", c.PromptFolders, err)
	}
	if _, err := config.Load(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestPrice(t *testing.T) {
	p := config.TokenPrice{InputPrice: 0.15, OutputPrice: 0.60}
	for _, c := range []struct {
		in, out int
		want    float64
	}{{0, 0, 0}, {4120, 812, 0.0011052}, {1_000_000, 1_000_000, 0.75}, {1, 0, 1.5e-7}} {
		if got := p.CostOf(c.in, c.out); got != c.want {
			t.Errorf("%d in, %d out: %v, want %v", c.in, c.out, got, c.want)
		}
	}
}
