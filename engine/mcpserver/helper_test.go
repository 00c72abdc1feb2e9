package mcpserver

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// folder makes a folder that contains these documents, and a state folder for the test.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Cleanup(xdg.Reload) // runs after the variable is restored
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// agent is a host's client of a server.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
	stop    func() // ends the server
	server  *Server
}

// waits sets how long the server lets later calls wait for a person.
func (a *agent) waits(limit time.Duration) { a.server.config.MaxWait = limit }

// connect starts a server for the folder, and an SDK client with this name.
func connect(t *testing.T, dir, name string) *agent {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	here, there := sdk.NewInMemoryTransports()
	server := New(Config{Folder: dir, Version: "test", MaxWait: patience})
	served := make(chan error, 1)
	go func() { served <- server.Run(ctx, there) }()
	session, err := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, nil).Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	a := &agent{t: t, session: session, server: server}
	a.stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = session.Close()
		cancel()
		if err := <-served; err != nil && !strings.Contains(err.Error(), "clos") {
			t.Error(err)
		}
	}
	t.Cleanup(a.stop)
	return a
}

// call calls a tool, and returns its reply.
func (a *agent) call(tool string, arguments any) map[string]any {
	a.t.Helper()
	r, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	structured, err := json.Marshal(r.StructuredContent)
	if err != nil {
		a.t.Fatal(err)
	}
	var reply, same map[string]any
	text := r.Content[0].(*sdk.TextContent).Text
	if json.Unmarshal(structured, &reply) != nil || json.Unmarshal([]byte(text), &same) != nil || len(reply) != len(same) {
		a.t.Fatalf("%s: the text %s is not the structured content %s", tool, text, structured)
	}
	if r.IsError != (reply["error"] != nil) {
		a.t.Fatalf("%s: isError %v, and %s", tool, r.IsError, text)
	}
	return reply
}

// object makes arguments from pairs of a key and a value.
func object(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

// want checks some keys of a reply, given as key, value, key … Text only has to contain the wanted text.
func want(t *testing.T, reply map[string]any, pairs ...any) {
	t.Helper()
	for key, wanted := range object(pairs...) {
		got := reply[key]
		if text, is := got.(string); is {
			if w, _ := wanted.(string); w == "" || !strings.Contains(text, w) {
				t.Errorf("%s is %q, want %v", key, text, wanted)
			}
			continue
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(wanted)
		if string(g) != string(w) {
			t.Errorf("%s is %s, want %s in %v", key, g, w, reply)
		}
	}
}

// keys checks that a reply has these keys and no others.
func keys(t *testing.T, reply map[string]any, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, has := reply[name]; !has {
			t.Errorf("there is no %s in %v", name, reply)
		}
	}
	if len(reply) != len(names) {
		t.Errorf("want no other keys than %v in %v", names, reply)
	}
}
