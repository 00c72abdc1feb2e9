package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sys/unix"

	"playhead/engine/logs"
	"playhead/engine/tools"
)

// peer returns the description of a server that is this test binary.
func peer(name, mode string) ServerSpec {
	return ServerSpec{Name: name, File: "a.json", Line: 3, Command: "/proc/self/exe", Env: map[string]string{peerMode: mode}}
}

// sesame returns a list with one secret.
func sesame() []string { return []string{"sesame-open"} }

// set returns servers whose logs are in a temporary folder.
func set(t *testing.T, c Config, specs ...ServerSpec) *Servers {
	t.Helper()
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i := range specs {
		if specs[i].StartsProgram() {
			specs[i].Command = program
		}
		c.AllServerNames = append(c.AllServerNames, specs[i].Name)
	}
	c.UsableSpecs = specs
	c.LogFile = func(server string) logs.FileLocation { return logs.FileLocation{RunDir: dir, Name: server + ".log"} }
	s := New(c)
	t.Cleanup(s.Close)
	return s
}

func call(t *testing.T, s *Servers, server, tool, args string) (tools.Result, string) {
	t.Helper()
	var out bytes.Buffer
	r := s.Call(t.Context(), tools.Request{Server: server, Tool: tool, Args: args, Notify: func(string) {}}, &out)
	return r, out.String()
}

func wants(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", parts)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q\nlacks %q", err, part)
		}
	}
}

// TestResults: a result is text, and also data if the server sends some.
func TestResults(t *testing.T) {
	s := set(t, Config{}, peer("Peer", "ok"))
	tests := []struct {
		tool, args, want string
		data             map[string]any
	}{
		{"echo", `{"text": "a\u001b[2Jb"}`, "a\x1b[2Jb", nil},
		{"echo", `{}`, "", nil},
		{"data", `{}`, `{"found":3}`, map[string]any{"found": 3.0}},
		{"mix", `{}`, "two files\n[image image/png, 12 KiB]\n[audio audio/wav, 10 bytes]\n[resource log: file:///log] all of it\ninside\n[resource file:///b a/b, 3 bytes]", nil},
	}
	for _, tt := range tests {
		r, out := call(t, s, "peer", tt.tool, tt.args)
		if r.Err != nil || r.Text != tt.want || out != tt.want || cmp.Diff(tt.data, r.Data) != "" || len(r.Warnings) > 0 {
			t.Errorf("%s %s gives %+v and prints %q", tt.tool, tt.args, r, out)
		}
	}
	if r, out := call(t, s, "Peer", "huge", "{}"); len(r.Text) != 1<<20 || out != r.Text {
		t.Errorf("huge: %d bytes, %d printed, %v", len(r.Text), len(out), r.Err)
	}
}

// TestServerByName: a server's name is matched as written, or else in any case. Without a name, the server that has the
// tool is called.
func TestServerByName(t *testing.T) {
	one, two := peer("one", "ok"), peer("ONE", "ok")
	one.Env["WHO"], two.Env["WHO"] = "small", "large"
	one.Dir = t.TempDir()
	s := set(t, Config{AllServerNames: []string{"other"}}, one, two)
	for server, want := range map[string]string{"one": "small in " + one.Dir, "ONE": "large", "One": "small", "": "small"} {
		if r, _ := call(t, s, server, "env", `{"text": "WHO"}`); !strings.HasPrefix(r.Text, want) {
			t.Errorf("%q gives %+v", server, r)
		}
	}
	r, _ := call(t, s, "two", "env", "{}")
	wants(t, r.Err, `no tool server "two"`, "one, ONE, other")
	r, _ = call(t, s, "Other", "env", "{}")
	wants(t, r.Err, `"Other" cannot be used`)
	r, _ = call(t, s, "", "nothing", "{}")
	wants(t, r.Err, `no tool server has a tool "nothing"`)
	if len(s.servers) != 2 {
		t.Error("servers appeared")
	}
}

// TestNothingStartsUnasked: a server starts only when it is needed.
func TestNothingStartsUnasked(t *testing.T) {
	s := set(t, Config{}, peer("a", "ok"), peer("b", "ok"))
	if r, _ := call(t, s, "b", "echo", "{}"); r.Err != nil {
		t.Error(r.Err)
	}
	if s.servers[0].connection != nil || s.servers[1].connection == nil {
		t.Error("the wrong servers are up")
	}
}

// TestFailures: the error of a call names the server and the tool and says what to do, and the next call works.
func TestFailures(t *testing.T) {
	s := set(t, Config{}, peer("peer", "ok"))
	tests := []struct {
		tool, args string
		want       []string
	}{
		{"die", "{}", []string{`the server "peer" gave no result for the tool "die"`, "it ended with status 7", "its last output: out of memory", "The next call opens a new connection"}},
		{"refuse", "{}", []string{`the tool "refuse" of the server "peer" reports an error: the disk is full`}},
		{"ecko", "{}", []string{`the server "peer" has no tool "ecko": choose from echo`, "mix"}},
		{"echo", `{"text": 3}`, []string{`the tool "echo" of the server "peer" re`, "text"}},
	}
	for _, tt := range tests {
		r, _ := call(t, s, "peer", tt.tool, tt.args)
		wants(t, r.Err, tt.want...)
		if tt.tool == "refuse" && !strings.Contains(r.Text, "the disk is full") { // the text of the tool, as it is
			t.Errorf("%s: the text is %q", tt.tool, r.Text)
		}
		if r, _ := call(t, s, "peer", "echo", `{"text": "again"}`); r.Err != nil || r.Text != "again" {
			t.Errorf("after %s: %+v", tt.tool, r)
		}
	}
}

// TestStartFailures: if a server does not start, the error says why, with its last output, without secrets and control
// sequences.
func TestStartFailures(t *testing.T) {
	tests := []struct {
		mode  string
		limit time.Duration
		grace time.Duration
		want  []string
	}{
		{"dies", time.Minute, time.Minute, []string{`the tool server "peer" (a.json:3) is not available: it ended with status 3; its last output: no licence found, key •••`}},
		{"silent", time.Millisecond, time.Millisecond, []string{"is not available: it did not answer within 1ms"}},
		{"junk", time.Minute, time.Millisecond, []string{"is not available: the connection broke", "invalid character 'W'"}},
	}
	for _, tt := range tests {
		s := set(t, Config{StartTimeout: tt.limit, EndTimeout: tt.grace, Secrets: sesame}, peer("peer", tt.mode))
		r, _ := call(t, s, "peer", "echo", "{}")
		wants(t, r.Err, tt.want...)
	}
	s := set(t, Config{}, peer("peer", "ok"))
	s.servers[0].spec.Command = "no-such-program"
	r, _ := call(t, s, "peer", "echo", "{}")
	wants(t, r.Err, `there is no program "no-such-program" on PATH`)
}

// TestInputIsClosed: a write fails only after the program has ended, so that the error can say how it ended.
func TestInputIsClosed(t *testing.T) {
	p, err := startProgram(ServerSpec{Command: "sh", Args: []string{"-c", "exit 3"}}, nil, time.Minute, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	for err == nil {
		_, err = programInput{p.stdin, p}.Write([]byte("{}\n"))
	}
	if !p.hasEnded() || p.exitText() != "it ended with status 3" {
		t.Errorf("%v, and the program is not known to have ended", err)
	}
}

// TestLateServer: the errors for a server that is late and for one that fails are different.
func TestLateServer(t *testing.T) {
	for mode, late := range map[string]bool{"silent": true, "dies": false} {
		ctx := t.Context()
		if late {
			limited, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			ctx = limited
		}
		s := set(t, Config{EndTimeout: time.Millisecond}, peer("peer", mode))
		if _, err := s.Tools(ctx, nil); err == nil || errors.Is(err, context.DeadlineExceeded) != late {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// TestHang: a call that takes too long is ended together with its server.
func TestHang(t *testing.T) {
	s := set(t, Config{CallTimeout: 50 * time.Millisecond}, peer("peer", "ok"))
	r, _ := call(t, s, "peer", "hang", "{}")
	wants(t, r.Err, `the server "peer" gave no result for the tool "hang": it did not answer within 50ms`)
	if s.servers[0].connection != nil {
		t.Error("the hanging server is still connected")
	}
	s = set(t, Config{}, peer("peer", "ok"))
	q := tools.Request{Server: "peer", Tool: "hang", Args: "{}", Timeout: 20 * time.Millisecond}
	wants(t, s.Call(t.Context(), q, new(bytes.Buffer)).Err, "it did not answer within 20ms")
}

// TestCancel: a person can cancel a call at any time, and the server keeps running. Its messages during the call are
// shown.
func TestCancel(t *testing.T) {
	s := set(t, Config{}, peer("peer", "ok"))
	ctx, cancel := context.WithCancel(t.Context())
	var heard []string
	r := s.Call(ctx, tools.Request{Server: "peer", Tool: "hang", Args: "{}", Notify: func(text string) {
		heard = append(heard, text)
		if strings.Contains(text, "copying") {
			cancel()
		}
	}}, new(bytes.Buffer))
	if !r.IsCancelled {
		t.Errorf("%+v", r)
	}
	if diff := cmp.Diff([]string{"Starting the tool server peer.", "1 of 3: copying."}, heard); diff != "" {
		t.Error(diff)
	}
	before := s.servers[0].connection
	if r, _ := call(t, s, "peer", "echo", "{}"); r.Err != nil || s.servers[0].connection != before {
		t.Errorf("after it: %+v", r)
	}
}

// TestDeclined: Playhead declines a server's request for input, and the call goes on.
func TestDeclined(t *testing.T) {
	s := set(t, Config{}, peer("peer", "ok"))
	r, _ := call(t, s, "peer", "ask", "{}")
	if r.Err != nil || r.Text != "no answer: true" {
		t.Errorf("%+v", r)
	}
}

// TestDiesUnnoticed: a server that died between two calls is started again, with a warning.
func TestDiesUnnoticed(t *testing.T) {
	s := set(t, Config{}, peer("peer", "ok"))
	r, _ := call(t, s, "peer", "group", "{}")
	pid, err := strconv.Atoi(r.Text)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-s.servers[0].connection.program.Done()
	r, _ = call(t, s, "peer", "group", "{}")
	if r.Err != nil || r.Text == strconv.Itoa(pid) || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "Playhead is opening a new one") {
		t.Errorf("%+v", r)
	}
}

// TestClose: when the run ends, no process of a server remains, even if the server ignores signals.
func TestClose(t *testing.T) {
	s := set(t, Config{EndTimeout: 10 * time.Millisecond}, peer("peer", "stubborn"))
	r, _ := call(t, s, "peer", "group", "{}")
	pid, err := strconv.Atoi(r.Text)
	if err != nil {
		t.Fatal(r.Err)
	}
	s.Close()
	for deadline := time.Now().Add(time.Minute); !errors.Is(unix.Kill(-pid, 0), unix.ESRCH); { // zombies may remain for a moment
		if time.Now().After(deadline) {
			t.Fatalf("the group %d is still there", pid)
		}
		runtime.Gosched()
	}
}

// TestServerThatForks: a process that a server started in another session ends together with the server.
func TestServerThatForks(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("needs setsid")
	}
	file := filepath.Join(t.TempDir(), "pid")
	s := set(t, Config{EndTimeout: 50 * time.Millisecond}, peer("a", "ok"))
	own := &s.config.UsableSpecs[0]
	own.Args = []string{"-c", `(setsid sh -c 'echo $$ >$0.new; mv $0.new $0; exec sleep 1000' "$0" &); until test -s "$0"; do :; done; exec ` + own.Command, file}
	own.Command = "sh"
	s.servers[0].spec = *own
	if r, _ := call(t, s, "a", "echo", `{"text": "x"}`); r.Err != nil {
		t.Fatal(r.Err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || unix.Kill(pid, 0) != nil {
		t.Fatal("it does not run: ", err)
	}
	s.Close()
	for deadline := time.Now().Add(time.Minute); !errors.Is(unix.Kill(pid, 0), unix.ESRCH); { // a zombie may remain for a moment
		if time.Now().After(deadline) {
			t.Fatalf("%d is still there", pid)
		}
		runtime.Gosched()
	}
}

// TestHTTP: a server at a URL gets its headers, and a new session when it forgets the old one. Errors do not show the
// secret part of the URL.
func TestHTTP(t *testing.T) {
	for name, old := range map[string]bool{"with sessions": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			far := newRemote(t, old)
			s := set(t, Config{}, ServerSpec{Name: "far", URL: far.URL + "/mcp?key=sesame", Headers: map[string]string{"Authorization": "Bearer x"}})
			if r, _ := call(t, s, "far", "echo", `{"text": "over there"}`); r.Err != nil || r.Text != "over there" {
				t.Errorf("%+v", r)
			}
			far.forget()
			if r, _ := call(t, s, "far", "echo", `{"text": "anew"}`); r.Err != nil || r.Text != "anew" {
				t.Errorf("after it forgot: %+v", r)
			}
			far.leave()
			for range 2 {
				r, _ := call(t, s, "far", "echo", "{}")
				wants(t, r.Err, `"far"`, "there is no usable answer from "+far.URL+"/mcp: ")
				if strings.Contains(r.Err.Error(), "sesame") {
					t.Errorf("the error shows the key: %v", r.Err)
				}
			}
		})
	}
}

// remote is a peer that is called over HTTP and requires a password. An old one has sessions.
type remote struct {
	*httptest.Server
	old   bool
	mu    sync.Mutex
	peer  *sdk.Server
	serve http.Handler
}

func newRemote(t *testing.T, old bool) *remote {
	r := &remote{old: old}
	r.forget()
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.leave)
	return r
}

// leave closes the listener, so that no server answers at the URL.
func (r *remote) leave() {
	_ = r.Listener.Close()
	r.CloseClientConnections()
	r.Close()
	r.forget()
}

// forget ends all sessions.
func (r *remote) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.peer != nil {
		for s := range r.peer.Sessions() {
			_ = s.Close()
		}
	}
	peer := newPeer()
	r.peer, r.serve = peer, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return peer }, nil)
}

func (r *remote) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	q.Body = io.NopCloser(bytes.NewReader(body))
	if q.Header.Get("Authorization") != "Bearer x" || r.old && bytes.Contains(body, []byte("server/discover")) {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	serve := r.serve
	r.mu.Unlock()
	serve.ServeHTTP(w, q)
}

// TestList: Tools lists the tools of all servers that answer, and returns an error for the others.
func TestList(t *testing.T) {
	s := set(t, Config{}, peer("a", "dies"), peer("b", "ok"))
	all, err := s.Tools(t.Context(), nil)
	wants(t, err, `the tools of "a" are not known`, "status 3")
	if len(all) != len(peerTools) || all[0].Server != "b" || all[0].Description == "" || !bytes.Contains(all[0].Schema, []byte(`"text"`)) {
		t.Errorf("%+v", all)
	}
}

// TestPrompts: the text of a prompt is the text of its messages.
func TestPrompts(t *testing.T) {
	s := set(t, Config{}, peer("Peer", "ok"))
	text, err := s.FetchPrompt(t.Context(), "peer/tone", nil)
	if want := "Be kind.\n\n[image image/png, 1 byte]"; err != nil || text != want {
		t.Errorf("%q, %v", text, err)
	}
	for ref, want := range map[string]string{
		"peer": "write it as SERVER/PROMPT", "none/tone": `no tool server "none"`,
		"peer/tome": `no prompt "tome": choose from tone, picky`, "peer/picky": "city is missing",
	} {
		_, err := s.FetchPrompt(t.Context(), ref, nil)
		wants(t, err, want)
	}
}

// TestToolsOfAll: Tools returns an error for each server that does not answer, and the tools of the others.
func TestToolsOfAll(t *testing.T) {
	unset := peer("unset", "ok")
	unset.Problem = errors.New("a variable is not set")
	s := set(t, Config{StartTimeout: 10 * time.Second}, peer("dead", "dies"), peer("good", "ok"), unset)
	all, err := s.Tools(t.Context(), nil)
	joined, is := err.(interface{ Unwrap() []error })
	if !is || len(joined.Unwrap()) != 2 {
		t.Fatal(err)
	}
	for i, want := range []string{"dead: ended with status 3", "unset: a variable is not set"} {
		var u *tools.ListError
		name, why, _ := strings.Cut(want, ": ")
		if !errors.As(joined.Unwrap()[i], &u) || u.Server != name || !strings.Contains(u.Error(), why) {
			t.Error(joined.Unwrap()[i])
		}
	}
	if len(all) == 0 || all[0].Server != "good" {
		t.Error(all)
	}
}

// TestMoveLogs: a moved log keeps its contents and continues in the new file.
func TestMoveLogs(t *testing.T) {
	s := set(t, Config{}, peer("dead", "dies"), peer("unused", "ok"))
	_, _ = s.Tools(t.Context(), nil) // the log has the output of the server
	dir := t.TempDir()
	s.config.LogFile = func(server string) logs.FileLocation { return logs.FileLocation{RunDir: dir, Name: server + ".moved"} }
	s.config.Secrets = sesame
	if err := s.MoveLogs(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Tools(t.Context(), nil) // the server starts again
	wants(t, err, "no licence")
	data, err := os.ReadFile(filepath.Join(dir, "dead.moved"))
	if text := string(data); err != nil || strings.Count(text, "no licence") != 2 || strings.Count(text, "•••") != 1 {
		t.Errorf("%q, %v", text, err)
	}
}
