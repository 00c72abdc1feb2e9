package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

const document = `# Release
## 1. Build
Does it build?
- PASS: CONTINUE
- FAIL: STOP

## 2. Test
### 2.1 Unit
Do they pass?
- PASS: CONTINUE
- FAIL: GOTO Repair
### 2.2 All
Do they pass?
- PASS: CONTINUE
- FAIL: RETRY 2 STOP

## 3. Announce
Is it announced?
- YES: COMPLETE
- NO: STOP

## Repair
Is it repaired?
- PASS: GOTO 2
- FAIL: STOP
`

// served is a run that this process serves to the tests.
type served struct {
	t       testing.TB
	session *engine.Session
	server  *Server
	run     *journal.Run
	plan    *plan.Plan
}

func serve(t testing.TB, text string) *served {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	path := filepath.Join(dir, "release.runbook.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := rundown.Parse(path, []byte(text), rundown.Options{})
	run, err := journal.NewVolatileStore(filepath.Join(dir, "runs")).Create(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.New(engine.Config{FirstPlan: p, Run: run, Shell: shell.NewRunner(time.Second), WorkingDir: dir, CommandEnv: os.Environ(), CommandsGetNoInput: true})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = s.Run(context.Background())
	}()
	v := &served{t, s, nil, run, p}
	v.listen()
	t.Cleanup(func() {
		s.Close()
		<-ended
		v.server.Close()
		_ = run.Close()
	})
	return v
}

func (s *served) listen() {
	var err error
	if s.server, err = Serve(s.session, drive.New(s.session, s.plan, nil), s.run.Folder, "test"); err != nil {
		s.t.Fatal(err)
	}
}

// client connects to the run as Playhead's own commands do.
func (s *served) client() *Client {
	s.t.Helper()
	c, err := Dial(s.run.Folder, "test")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// raw connects to the run without a client, as any program can.
func (s *served) raw() net.Conn {
	s.t.Helper()
	path, err := readSocketPath(s.run.Folder)
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// stands waits until the run is idle and returns its state.
func (s *served) stands(c *Client) drive.State {
	s.t.Helper()
	w := s.session.WatchFromStart()
	defer w.Stop()
	deadline := time.After(20 * time.Second)
	for {
		state, err := c.State()
		if err != nil {
			s.t.Fatal(err)
		}
		if state.State != "" && state.IsIdle() {
			return state
		}
		select {
		case <-w.Changed():
			w.Take()
		case <-deadline:
			s.t.Fatalf("the run is not idle: %+v", state)
		}
	}
}

func code(err error) int {
	if e, is := errors.AsType[*Error](err); is {
		return e.Code
	}
	return 0
}

func TestDo(t *testing.T) {
	s := serve(t, document)
	c := s.client()
	state := s.stands(c)
	if state.WaitingFor == nil || state.WaitingFor.Step != "1" || state.WaitingFor.StepText != "Does it build?" {
		t.Fatalf("%+v", state)
	}
	for _, o := range []struct {
		order drive.ActionRequest
		code  int
		says  string
	}{
		{drive.ActionRequest{Action: "pass"}, CodeRefused, "needs seq"},
		{drive.ActionRequest{Action: "pass", KnownSeq: state.LastSeq - 1}, CodeStale, "the run has changed"},
		{drive.ActionRequest{Action: "pass", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"step":"2"}`)}, CodeRefused, `no argument "step"`},
		{drive.ActionRequest{Action: "jump", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"step":"9"}`)}, CodeRefused, `no step "9"`},
		{drive.ActionRequest{Action: "jump", KnownSeq: state.LastSeq}, CodeRefused, `needs STEP`},
		{drive.ActionRequest{Action: "over", KnownSeq: state.LastSeq}, CodeRefused, "is waiting for your answer"},
		{drive.ActionRequest{Action: "approvals", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"option":"none"}`)}, CodeRefused, "at a terminal"},
		{drive.ActionRequest{Action: "edit", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"step":"1","text":"rm"}`)}, CodeRefused, "at a terminal"},
		{drive.ActionRequest{Action: "edit-rule", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"step":"1","clause":1,"text":"- PASS: CONTINUE\n\n## Extra\n` + "```bash\\nrm -rf /\\n```" + `"}`)}, CodeRefused, "at a terminal"},
		{drive.ActionRequest{Action: "dance", KnownSeq: state.LastSeq}, CodeRefused, "there is no action"},
	} {
		if _, err := c.Do(o.order); code(err) != o.code || !strings.Contains(err.Error(), o.says) {
			t.Errorf("%+v: %v, want %q", o.order, err, o.says)
		}
	}
	done, err := c.Do(drive.ActionRequest{Action: "goto", KnownSeq: state.LastSeq, Arguments: json.RawMessage(`{"step":"2.2","reason":"built before"}`)})
	if err != nil || done.Action != "jump" {
		t.Fatal(done, err)
	}
	if state = s.stands(c); state.WaitingFor.Step != "2.2" {
		t.Errorf("%+v", state.WaitingFor)
	}
	by := ""
	for _, e := range s.session.Events() {
		if d, is := e.Body.(*machine.Decision); is && d.ByPerson && e.Note == "built before" {
			by = e.Client
		}
	}
	if want := fmt.Sprintf("test, process %d", os.Getpid()); by != want {
		t.Errorf("the client in the journal is %q, want %q", by, want)
	}
	if _, err := c.Do(drive.ActionRequest{Action: "break", Arguments: json.RawMessage(`"3:after hit 2"`)}); err != nil {
		t.Errorf("set a breakpoint without seq: %v", err)
	}
	if state, _ = c.State(); !reflect.DeepEqual(state.Breakpoints, []string{"3:after hit 2"}) {
		t.Errorf("breakpoints %q", state.Breakpoints)
	}
}

// TestControl: a client that has lost control cannot act, and a controlling client that disconnects gives control back.
func TestControl(t *testing.T) {
	s := serve(t, document)
	a, b := s.client(), s.client()
	if err := b.Call("hello", map[string]any{"client": "other\x1b[2J"}, nil); err != nil {
		t.Fatal(err)
	}
	s.stands(a)
	if err := a.Call("attach", nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Do(drive.ActionRequest{Action: "pass"}); err != nil {
		t.Errorf("the client in control needs no sequence number: %v", err)
	}
	var state drive.State
	if err := b.Call("attach", nil, &state); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`other\x1b[2J, process %d`, os.Getpid()); state.Controller != want {
		t.Errorf("controlled by %q, want %q", state.Controller, want)
	}
	if _, err := a.Do(drive.ActionRequest{Action: "pass"}); code(err) != CodeRefused || !strings.Contains(err.Error(), "Another screen") {
		t.Errorf("without the control: %v", err)
	}
	if err := a.Call("type", map[string][]byte{"text": []byte("x")}, nil); code(err) != CodeRefused {
		t.Errorf("typing without the control: %v", err)
	}
	_ = b.Close()
	w := s.session.WatchFromStart()
	for deadline := time.After(10 * time.Second); w.Take().Status.Controller != ""; {
		select {
		case <-w.Changed():
		case <-deadline:
			t.Fatal("the control was not given back")
		}
	}
}

// TestActionWithoutSeq: an action from the client in control is checked against the run at the time when it is carried
// out. A sequence number is still checked.
func TestActionWithoutSeq(t *testing.T) {
	s := serve(t, document)
	c := s.client()
	seen := s.stands(c).LastSeq
	if err := c.Call("attach", nil, nil); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				_ = s.session.SetVariable("busy", fmt.Sprint(i)) // an error does not matter
			}
		}
	}()
	for _, step := range []string{"1", "2.1", "2.2"} {
		for state := s.stands(c); state.WaitingFor == nil || state.WaitingFor.Step != step; {
			state = s.stands(c)
		}
		if _, err := c.Do(drive.ActionRequest{Action: "pass"}); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
	if state := s.stands(c); state.WaitingFor == nil || state.WaitingFor.Step != "3" {
		t.Errorf("%+v", state.WaitingFor)
	}
	if _, err := c.Do(drive.ActionRequest{Action: "pass", KnownSeq: seen}); code(err) != CodeStale {
		t.Errorf("with the number of an old event: %v", err)
	}
}

// TestActionsDuringMove: an action that arrives while the run moves to the next question neither overrides the answered
// step nor gets lost without an error.
func TestActionsDuringMove(t *testing.T) {
	for range 20 {
		s := serve(t, document)
		c := s.client()
		s.stands(c)
		if err := c.Call("attach", nil, nil); err != nil {
			t.Fatal(err)
		}
		_, first := c.Do(drive.ActionRequest{Action: "pass"})
		_, second := c.Do(drive.ActionRequest{Action: "pass"})
		want := map[bool]string{true: "2.2", false: "2.1"}[second == nil]
		if state := s.stands(c); first != nil || second != nil && code(second) != CodeStale || state.WaitingFor == nil || state.WaitingFor.Step != want {
			t.Errorf("%v, %v: the run waits for %+v", first, second, state.WaitingFor)
		}
		h, err := journal.ReadHistory(s.run.Folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range h.Events {
			if b, ends := e.Body.(*machine.StepFinished); ends && b.Overridden {
				t.Errorf("event %d overrides step %s", e.Seq, e.Step)
			}
		}
	}
}

// TestLongRequest: a request that is too long to send fails at once, and the connection stays open.
func TestLongRequest(t *testing.T) {
	s := serve(t, document)
	c := s.client()
	if _, err := c.Do(drive.ActionRequest{Action: "answer", Arguments: json.RawMessage(`"` + strings.Repeat("x", MaxMessageBytes) + `"`)}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
	if _, err := c.State(); err != nil || len(c.answerByRequestID) != 0 {
		t.Errorf("%d requests wait for a reply, %v", len(c.answerByRequestID), err)
	}
}

// TestGarbage: an invalid message gets an error, and the run stays as it is.
func TestGarbage(t *testing.T) {
	s := serve(t, document)
	for name, c := range map[string]struct{ sends, answer string }{
		"no JSON":        {"hello\n", "-32700"},
		"an array":       {"[]\n", "-32700"},
		"no version":     {`{"method":"state","id":1}` + "\n", "-32600"},
		"no method":      {`{"jsonrpc":"2.0","id":1}` + "\n", "-32600"},
		"unknown method": {`{"jsonrpc":"2.0","id":1,"method":"rm"}` + "\n", "-32601"},
		"wrong params":   {`{"jsonrpc":"2.0","id":1,"method":"log","params":{"line":1}}` + "\n", "-32602"},
		"many values":    {`{"jsonrpc":"2.0","id":1,"method":"log","params":[1]}` + "\n", "-32602"},
		"a new protocol": {`{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":99}}` + "\n", "-32602"},
		"blank lines":    {"\n\n \n" + `{"jsonrpc":"2.0","id":"x","method":"state"}` + "\n", `"id":"x"`},
		"a notification": {`{"jsonrpc":"2.0","method":"state"}` + "\n" + `{"jsonrpc":"2.0","id":7,"method":"state"}` + "\n", `"id":7`},
	} {
		conn := s.raw()
		fmt.Fprint(conn, c.sends)
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil || !strings.Contains(line, c.answer) {
			t.Errorf("%s: %v %s", name, err, line)
		}
		_ = conn.Close()
	}
	half := s.raw()
	fmt.Fprint(half, `{"jsonrpc":"2.0","id":1,"method":"do","params":{"action":"cancel"}}`) // without a line end
	_ = half.Close()
	if state := s.stands(s.client()); state.WaitingFor == nil || state.WaitingFor.Step != "1" {
		t.Errorf("%+v", state)
	}
}

// TestLongMessage: the server does not keep a message of 100 MB.
func TestLongMessage(t *testing.T) {
	s := serve(t, document)
	s.stands(s.client())
	conn := s.raw()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	part, sent := bytes.Repeat([]byte("x"), 1<<20), 0
	for range 100 {
		n, err := conn.Write(part)
		if sent += n; err != nil {
			break
		}
	}
	runtime.ReadMemStats(&after)
	if sent > 8<<20 || after.TotalAlloc-before.TotalAlloc > 16<<20 {
		t.Errorf("%d bytes were read, %d allocated", sent, after.TotalAlloc-before.TotalAlloc)
	}
	s.stands(s.client())
}

// TestManyConnections: a thousand idle connections lock nobody out, and a slow reader does not delay the run.
func TestManyConnections(t *testing.T) {
	s := serve(t, document)
	s.stands(s.client())
	for i := range 1000 {
		conn := s.raw()
		if i%10 == 0 { // this client never reads
			fmt.Fprintln(conn, `{"jsonrpc":"2.0","id":1,"method":"events","params":{"from":0}}`)
		}
	}
	c := s.client()
	for range 3 {
		state, begun := s.stands(c), time.Now()
		if _, err := c.Do(drive.ActionRequest{Action: "pass", KnownSeq: state.LastSeq}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("an answer took %v", took)
		}
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if open := len(s.server.conns); open > maxConns {
		t.Errorf("%d connections are open", open)
	}
}

// TestStaleSocket: the server replaces the socket that a killed process left.
func TestStaleSocket(t *testing.T) {
	s := serve(t, document)
	s.server.Close()
	if _, err := Dial(s.run.Folder, "test"); !errors.Is(err, ErrNoOwner) {
		t.Errorf("without a server: %v", err)
	}
	dir, err := socketDir()
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "dead.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: old, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	if err := os.WriteFile(socketFilePath(s.run.Folder), []byte(old+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(s.run.Folder, "test"); !errors.Is(err, ErrNoOwner) {
		t.Errorf("at a dead socket: %v", err)
	}
	s.listen()
	s.stands(s.client())
	if _, err := os.Lstat(old); err == nil {
		t.Error("the dead socket is still there")
	}
	path, _ := readSocketPath(s.run.Folder)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v, %v", info.Mode(), err)
	}
}

// TestSocketDir: a folder that others can read is refused, and a path that is too long is avoided.
func TestSocketDir(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	if err := os.Mkdir(filepath.Join(dir, "playhead"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := socketDir(); err == nil || !strings.Contains(err.Error(), "nobody else can access") {
		t.Errorf("a folder that others can read: %v", err)
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, strings.Repeat("long/", 30)))
	if got, err := socketDir(); err != nil || len(got) > 60 {
		t.Errorf("%q, %v", got, err)
	}
}

// TestControllers: ten controllers act at random, and all of them see the state that the journal yields.
func TestControllers(t *testing.T) {
	s := serve(t, document)
	const controllers, acts = 10, 30
	done := make(chan bool, controllers*acts)
	var work sync.WaitGroup
	for n := range controllers {
		c, random := s.client(), rand.New(rand.NewPCG(uint64(n), 18))
		work.Go(func() {
			for range acts {
				state, err := c.State()
				if err != nil {
					t.Error(err)
					return
				}
				o := randomOrder(random, state)
				_, err = c.Do(o)
				if err != nil && code(err) != CodeRefused && code(err) != CodeStale {
					t.Errorf("%+v: %v", o, err)
				}
				done <- err == nil
			}
		})
	}
	work.Wait()
	close(done)
	acted := 0
	for did := range done {
		if did {
			acted++
		}
	}
	if acted < acts {
		t.Errorf("only %d actions were accepted", acted)
	}
	first := s.stands(s.client())
	for range controllers - 1 {
		if state, err := s.client().State(); err != nil || !reflect.DeepEqual(state, first) {
			t.Errorf("one client sees %+v, another one %+v, %v", first, state, err)
		}
	}
	h, err := journal.ReadHistory(s.run.Folder)
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(s.plan, machine.Options{})
	for _, e := range machine.LiveBranch(h.Events) {
		if err := m.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if first.LastSeq != len(h.Events) {
		t.Errorf("event %d of %d", first.LastSeq, len(h.Events))
	}
	next := m.Next()
	switch q := next.Question; {
	case q != nil && (first.WaitingFor == nil || first.WaitingFor.Step != q.Action.StepLabel || first.WaitingFor.Attempt != q.Action.Attempt):
		t.Errorf("the journal waits at %+v, the run says %+v", q.Action, first.WaitingFor)
	case next.Result != nil && first.Result != next.Result.Result:
		t.Errorf("the journal ended %s, the run says %s", next.Result.Result, first.Result)
	}
	batches := make(chan drive.EventBatch, 1)
	err = s.client().Follow(0, func(b drive.EventBatch) {
		select {
		case batches <- b:
		default:
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if b, trail := <-batches, machine.BranchWithRewinds(h.Events); len(b.Events) != len(trail) || b.Events[len(trail)-1].Seq != first.LastSeq {
		t.Errorf("%d of %d events were sent", len(b.Events), len(trail))
	}
}

// randomOrder returns a random action, whether or not it is possible.
func randomOrder(r *rand.Rand, state drive.State) drive.ActionRequest {
	steps := []string{"1", "2.1", "2.2", "3", "Repair"}
	step := fmt.Sprintf(`{"step":%q}`, steps[r.IntN(len(steps))])
	all := []drive.ActionRequest{
		{Action: "pass"}, {Action: "pass"}, {Action: "pass"}, {Action: "fail"}, {Action: "skip"}, {Action: "retry"},
		{Action: "goto", Arguments: json.RawMessage(step)}, {Action: "undo"}, {Action: "redo"}, {Action: "pause"}, {Action: "continue"}, {Action: "over"},
		{Action: "rewind", Arguments: json.RawMessage(fmt.Sprintf(`{"event":%d}`, 1+r.IntN(max(1, state.LastSeq))))},
		{Action: "set", Arguments: json.RawMessage(`{"name":"x","value":"1"}`)},
		{Action: "break", Arguments: json.RawMessage(`"2.1"`)}, {Action: "complete", Arguments: json.RawMessage(`{"message":"so far"}`)},
	}
	o := all[r.IntN(len(all))]
	o.KnownSeq = state.LastSeq
	return o
}

// TestFollow: a client gets the events after a sequence number, then those that follow live, and the whole branch after
// a rewind.
func TestFollow(t *testing.T) {
	s := serve(t, document)
	c := s.client()
	first := s.stands(c)
	batches := make(chan drive.EventBatch, 100)
	if err := c.Follow(first.LastSeq-1, func(b drive.EventBatch) { batches <- b }); err != nil {
		t.Fatal(err)
	}
	if b := <-batches; len(b.Events) != 1 || b.Events[0].Seq != first.LastSeq {
		t.Errorf("the first batch is %+v", b)
	}
	if _, err := c.Do(drive.ActionRequest{Action: "pass", KnownSeq: first.LastSeq}); err != nil {
		t.Fatal(err)
	}
	seq := first.LastSeq
	for b := range batches {
		for _, e := range b.Events {
			if seq++; e.Seq != seq {
				t.Fatalf("event %d follows %d", e.Seq, seq-1)
			}
		}
		if b.State.WaitingFor != nil && b.State.WaitingFor.Step == "2.1" {
			break
		}
	}
	if _, err := c.Do(drive.ActionRequest{Action: "undo", KnownSeq: seq}); err != nil {
		t.Fatal(err)
	}
	for b := range batches {
		if b.HasWholeBranch {
			if b.Events[0].Seq != 1 || b.Events[len(b.Events)-1].Body.Type() != "rewound" {
				t.Errorf("after a rewind: %+v", b.Events)
			}
			break
		}
	}
	s.session.Close()
	s.server.Close()
	<-c.Closed()
	if _, err := c.State(); !errors.Is(err, ErrOwnerGone) {
		t.Errorf("after the end: %v", err)
	}
	s.listen()
}

// TestLog: a client can read ranges of lines of a log, and no other file.
func TestLog(t *testing.T) {
	s := serve(t, "## 1. Count\n```sh\nseq 1 5000\n```\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n")
	c := s.client()
	s.stands(c)
	var w drive.LogRange
	if err := c.Call("log", map[string]any{"file": "logs/000003.log", "from": -2}, &w); err != nil || w.LineCount != 5000 || !reflect.DeepEqual(w.Lines, []string{"4999", "5000"}) {
		t.Errorf("%v %+v", err, w)
	}
	if err := c.Call("log", map[string]any{"file": "logs/000003.log", "from": 10, "lines": 1 << 30}, &w); err != nil || len(w.Lines) != drive.MaxLogLines || w.Lines[0] != "11" {
		t.Errorf("%v %d lines", err, len(w.Lines))
	}
	for _, file := range []string{"../events.jsonl", "events.jsonl", "/etc/passwd"} {
		if err := c.Call("log", map[string]any{"file": file}, &w); err == nil {
			t.Errorf("%s can be read, although it is not a log", file)
		}
	}
}
