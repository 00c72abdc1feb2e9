package mcp

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"playhead/engine/logs"
	"playhead/engine/tools"
)

// TestEverything: tools and prompts work with the server of another project, both as a program and at a URL.
func TestEverything(t *testing.T) {
	script := os.Getenv("MCP_EVERYTHING")
	if script == "" {
		t.Skip("MCP_EVERYTHING is not set: it is the path of dist/index.js of npm's @modelcontextprotocol/server-everything")
	}
	program := ServerSpec{Name: "everything", Command: "node", Args: []string{script, "stdio"}}
	s := New(Config{UsableSpecs: []ServerSpec{program}, LogFile: logIn(t.TempDir())})
	t.Cleanup(s.Close)
	t.Run("stdio", func(t *testing.T) { everything(t, s) })
	s = New(Config{UsableSpecs: []ServerSpec{{Name: "everything", URL: listen(t, script)}}, LogFile: logIn(t.TempDir())})
	t.Cleanup(s.Close)
	t.Run("http", func(t *testing.T) { everything(t, s) })
}

func logIn(dir string) func(string) logs.FileLocation {
	return func(string) logs.FileLocation { return logs.FileLocation{RunDir: dir, Name: "everything.log"} }
}

// listen starts the server and returns its URL when the server accepts connections.
func listen(t *testing.T, script string) string {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	c := exec.Command("node", script, "streamableHttp")
	c.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	out, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // the error says that it was killed
	})
	said := ""
	for buf := make([]byte, 1<<10); !strings.Contains(said, fmt.Sprint(port)); {
		n, err := out.Read(buf)
		if said += string(buf[:n]); err != nil {
			t.Fatalf("the server does not listen: %v\n%s", err, said)
		}
	}
	return fmt.Sprintf("http://127.0.0.1:%d/mcp", port)
}

func everything(t *testing.T, s *Servers) {
	tests := []struct{ tool, args, want, problem string }{
		{"echo", `{"message": "hello"}`, "Echo: hello", ""},
		{"get-tiny-image", `{}`, "Here's the image you requested:\n[image image/png, 4 KiB]\nThe image above is the MCP logo.", ""},
		{"get-structured-content", `{"location": "New York"}`, `{"temperature":33,"conditions":"Cloudy","humidity":82}`, ""},
		{"ecko", `{}`, "", `has no tool "ecko": choose from echo`},
		{"echo", `{"message": 3}`, "", `the tool "echo" of the server "everything" re`},
	}
	for _, tt := range tests {
		r, _ := call(t, s, "everything", tt.tool, tt.args)
		if tt.problem != "" {
			wants(t, r.Err, tt.problem)
		} else if r.Err != nil || r.Text != tt.want {
			t.Errorf("%s gives %q, %v", tt.tool, r.Text, r.Err)
		}
	}
	if r, _ := call(t, s, "everything", "get-structured-content", `{"location": "New York"}`); r.Data["humidity"] != 82.0 {
		t.Errorf("the data is %v", r.Data)
	}
	if text, err := s.FetchPrompt(t.Context(), "everything/simple-prompt", nil); err != nil || !strings.Contains(text, "simple prompt") {
		t.Errorf("prompt: %q, %v", text, err)
	}
	steps := longCall(t, s)
	if len(steps) == 0 || steps[0] != "1 of 3." {
		t.Errorf("progress: %q", steps)
	}
}

// longCall cancels a long operation at its first message, and returns its messages.
func longCall(t *testing.T, s *Servers) []string {
	ctx, cancel := context.WithCancel(t.Context())
	var steps []string
	r := s.Call(ctx, tools.Request{
		Server: "everything", Tool: "trigger-long-running-operation", Args: `{"duration": 3, "steps": 3}`,
		Notify: func(text string) {
			steps = append(steps, text)
			cancel()
		},
	}, new(strings.Builder))
	if !r.IsCancelled {
		t.Errorf("it was not cancelled: %+v", r)
	}
	return steps
}
