package openai_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"playhead/engine/model"
	"playhead/engine/model/openai"
	"playhead/parse/plan"
)

// startMock starts the mock server of the npm package @copilotkit/aimock. AIMOCK is the path of its dist/cli.js.
func startMock(t *testing.T) string {
	script := os.Getenv("AIMOCK")
	if script == "" {
		t.Skip("AIMOCK is not set: it is the path of dist/cli.js of the npm package @copilotkit/aimock")
	}
	server := exec.Command("node", script, "-p", "0", "-f", "testdata/aimock.json")
	out, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url := regexp.MustCompile(`http://\S+`).FindString(lines.Text()); url != "" {
			return url + "/v1"
		}
	}
	t.Fatal("the server did not start")
	return ""
}

func TestMock(t *testing.T) {
	c := openai.New(model.ServerConfig{BaseURL: startMock(t), APIKey: key, DefaultModel: "gpt-5"})
	defer c.Close()
	for prompt, want := range map[string]model.Reply{
		"hello": {Text: "Hello. This is long enough for a few pieces.", FinishReason: "stop"},
		"think": {Text: "42", Reasoning: "Let me see.", FinishReason: "stop"},
		"cut":   {Text: "a reply of", FinishReason: "length"},
		"busy":  {Text: "now", FinishReason: "stop"},
		"judge": {Text: `{"ok":true}`, FinishReason: "stop"},
	} {
		r := model.Request{Prompt: prompt, ShowNotice: func(n model.Notice) { n.RetryNow() }}
		if prompt == "judge" {
			r.ReplySchema = []byte(strictSchema)
		}
		got := c.Reply(t.Context(), r, io.Discard)
		if got.Err != nil || got.Text != want.Text || got.Reasoning != want.Reasoning || got.FinishReason != want.FinishReason || got.ModelName != "gpt-5" || got.InputTokens == 0 || got.OutputTokens == 0 {
			t.Errorf("%s: %+v", prompt, got)
		}
	}
	got := c.Reply(t.Context(), model.Request{Prompt: "break"}, io.Discard)
	if got.Err == nil || !strings.HasPrefix(got.Err.Error(), "the reply was cut off: ") || !strings.HasPrefix("a reply that breaks off", got.Text) {
		t.Errorf("%+v", got)
	}
}

// TestMockCalls: the model asks for a tool call, and replies after it has the result.
func TestMockCalls(t *testing.T) {
	c := openai.New(model.ServerConfig{BaseURL: startMock(t), APIKey: key, DefaultModel: "gpt-5"})
	defer c.Close()
	r := model.Request{Prompt: "look it up", Functions: []model.Function{{Name: "search", ArgumentSchema: []byte(`{"type":"object"}`)}}}
	got := c.Reply(t.Context(), r, io.Discard)
	if got.Err != nil || len(got.WantedCalls) != 1 || got.WantedCalls[0].Name != "search" || got.WantedCalls[0].Arguments != `{"q":"disk"}` {
		t.Fatalf("%+v", got)
	}
	r.EarlierMessages = []plan.Message{
		{Role: plan.User, Text: r.Prompt}, {Role: plan.Assistant, ToolCalls: got.WantedCalls},
		{Role: plan.ToolRole, CallID: got.WantedCalls[0].ID, Text: "full"},
	}
	r.Prompt = ""
	if got = c.Reply(t.Context(), r, io.Discard); got.Err != nil || got.Text != "it is full" {
		t.Errorf("%+v", got)
	}
}
