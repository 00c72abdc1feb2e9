package mcp

//lint:file-ignore SA1019 the protocol is giving messages up, and servers still send them

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestServerMessages: messages of a server go into its log. Severe messages, and requests that Playhead declines, also
// become warnings of the call.
func TestServerMessages(t *testing.T) {
	s := set(t, Config{Secrets: sesame}, peer("peer", "ok"))
	if r, _ := call(t, s, "peer", "echo", "{}"); r.Err != nil {
		t.Fatal(r.Err)
	}
	sv := s.servers[0]
	var asked []string
	hear := func(method string, p sdk.Params) {
		next := func(_ context.Context, method string, _ sdk.Request) (sdk.Result, error) {
			asked = append(asked, method)
			return nil, nil
		}
		_, _ = sv.handleMessages(next)(t.Context(), method, &sdk.ClientRequest[sdk.Params]{Params: p})
	}
	sv.tracker.beginCall(func(string) {})
	hear("notifications/message", &sdk.LoggingMessageParams{Level: "error", Data: map[string]any{"disk": "full"}})
	hear("notifications/message", &sdk.LoggingMessageParams{Level: "info", Data: "key sesame-open"})
	hear("roots/list", &sdk.ListRootsParams{})
	want := []string{`the tool server "peer" says: {"disk":"full"}`, `the tool server "peer" asked for the project root, and Playhead declined`}
	if diff := cmp.Diff(want, sv.tracker.endCall()); diff != "" {
		t.Error(diff)
	}
	if last := sv.log.lastOutput(); !strings.Contains(last, `error: {"disk":"full"} / info: key •••`) {
		t.Errorf("the log ends with %q", last)
	}
	if len(asked) != 3 {
		t.Errorf("passed on: %q", asked)
	}
}

// TestWarningsWithoutNotify: a call that shows no messages still returns its warnings.
func TestWarningsWithoutNotify(t *testing.T) {
	var c callTracker
	c.beginCall(nil)
	c.addWarning("the disk is full")
	if got := c.endCall(); len(got) != 1 {
		t.Errorf("warnings: %q", got)
	}
	c.addWarning("after the call")
	c.beginCall(nil)
	if got := c.endCall(); len(got) != 0 {
		t.Errorf("warnings: %q", got)
	}
}
