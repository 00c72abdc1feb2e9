package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// repliesAfterEOF sends requests to a server, closes its input at once, and returns the replies by request ID.
func repliesAfterEOF(t *testing.T, dir string, requests ...string) map[int]string {
	t.Helper()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	var out bytes.Buffer
	input := initialize + strings.Join(requests, "\n") + "\n"
	server := New(Config{Folder: dir, Version: "test", MaxWait: patience})
	err := server.Run(context.Background(), &sdk.IOTransport{Reader: io.NopCloser(strings.NewReader(input)), Writer: nopCloser{&out}})
	if err != nil {
		t.Error(err)
	}
	replies := map[int]string{}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			ID    int
			Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil || reply.Error != nil {
			t.Errorf("%v in %s", err, line)
		}
		replies[reply.ID] = line
	}
	return replies
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestRepliesAfterTheHostClosesItsEnd(t *testing.T) {
	dir := folder(t, nil)
	replies := repliesAfterEOF(t, dir,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_documents","arguments":{}}}`)
	for id, text := range map[int]string{1: "serverInfo", 2: "next_step", 3: "documents"} {
		if !strings.Contains(replies[id], text) {
			t.Errorf("no %s in the reply to request %d: %q", text, id, replies[id])
		}
	}
}

// TestQueuedCallsAfterDisconnect: calls that are queued behind a waiting call still reply with the state of their run.
func TestQueuedCallsAfterDisconnect(t *testing.T) {
	dir := folder(t, map[string]string{"slow.runbook.md": "# Slow\n## 1. Wait\n```sh\nsleep 600\n```\n", "ask.runbook.md": "# Ask\n## 1. Sure?\n- YES: COMPLETE\n- NO: STOP\n"})
	trusted(t, "slow.runbook.md")
	replies := repliesAfterEOF(t, dir,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"start_run","arguments":{"document":"slow.runbook.md"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"start_run","arguments":{"document":"ask.runbook.md"}}}`)
	if !strings.Contains(replies[3], `"state":"waiting"`) {
		t.Errorf("the reply does not say that the run waits: %q", replies[3])
	}
}

// TestBusyRunDoesNotHoldTheServer: after the host has disconnected, a call that waits for a command replies that
// the run is busy, long before the call's own limit.
func TestBusyRunDoesNotHoldTheServer(t *testing.T) {
	dir := folder(t, map[string]string{"slow.runbook.md": "# Slow\n## 1. Wait\n```sh\nsleep 600\n```\n"})
	trusted(t, "slow.runbook.md")
	replies := repliesAfterEOF(t, dir,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"start_run","arguments":{"document":"slow.runbook.md"}}}`)
	if !strings.Contains(replies[2], `"state":"running"`) {
		t.Errorf("the reply does not say that the run is busy: %q", replies[2])
	}
}
