package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/machine"
)

const joined = `# Joined
## 1. First
Is it first?
- PASS: CONTINUE
- FAIL: STOP
## 2. Count
` + "```sh\nseq 1 40; echo counted\n```" + `
- PASS: CONTINUE
- FAIL: STOP
## 3. Last
Is it last?
- PASS: COMPLETE
- FAIL: STOP
`

// joinIn starts the program with a document in a new folder, and returns the folder and the screen.
func joinIn(t *testing.T, text string) (dir string, owner *terminal) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, openRace(t, pty.Winsize{Rows: 24, Cols: 100}, dir, nil, "a.runbook.md", "--trust")
}

// does runs playhead do with --json, and returns its result and exit status.
func does(t *testing.T, dir string, args ...string) (host.DoResult, int) {
	t.Helper()
	cmd := command(t, dir, append([]string{"do", "--json"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	var r host.DoResult
	if len(out) > 0 {
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("do %v: %v in %s", args, err, out)
		}
	} else {
		r.Error = stderr.String()
	}
	return r, cmd.ProcessState.ExitCode()
}

// runIn returns the only run of a folder.
func runIn(t *testing.T, dir string) journal.History {
	t.Helper()
	store := journal.NewStore(filepath.Join(dir, "playhead", "runs"))
	all, err := store.List()
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	h, err := store.ReadHistory(all[0].Run)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestWatchRun: a watching screen follows the run and cannot change it; when the owner exits, it replays the recording.
func TestWatchRun(t *testing.T) {
	t.Parallel()
	dir, owner := joinIn(t, joined)
	owner.sees("waits for you")
	events := command(t, dir, "watch", "--json")
	var stderr strings.Builder
	events.Stderr = &stderr
	out, err := events.StdoutPipe()
	if err != nil || events.Start() != nil {
		t.Fatal(err)
	}
	watcher := openRace(t, pty.Winsize{Rows: 24, Cols: 100}, dir, nil, "watch")
	watcher.sees("watching · waits for a person")
	watcher.types("p")
	watcher.sees("Use playhead attach")
	owner.types("p")
	watcher.sees("Is it last?")
	watcher.types("k")
	watcher.sees("counted")
	watcher.types("m") // the watcher opens its own map
	watcher.sees("MAP ")
	watcher.types("\x1b")
	watcher.loses("MAP ")
	owner.types("q")
	owner.ends(exitAwaiting)
	watcher.sees("The process that drove this run has ended")
	watcher.types("u")
	watcher.sees("‖ replay")
	watcher.types("q")
	watcher.ends(exitOK)

	h, n := runIn(t, dir), 0
	for in := bufio.NewScanner(out); in.Scan(); n++ {
		var e machine.Event
		if err := json.Unmarshal(in.Bytes(), &e); err != nil || e.Seq != n+1 {
			t.Errorf("line %d: %v %s", n+1, err, in.Text())
		}
	}
	if err := events.Wait(); err != nil || n != len(h.Events) {
		t.Errorf("%d events of %d, %v: %s", n, len(h.Events), err, &stderr)
	}
}

// TestAttach: a screen that loses control says which process took it, and takes it back with one key.
func TestAttach(t *testing.T) {
	t.Parallel()
	dir, owner := joinIn(t, joined)
	owner.sees("waits for you")
	other := openRace(t, pty.Winsize{Rows: 24, Cols: 100}, dir, nil, "attach")
	owner.sees("Another screen (playhead attach, process")
	owner.sees("watching")
	other.sees("p pass")
	other.types("p")
	other.sees("Is it last?")
	owner.sees("Is it last?")
	owner.types("f")
	owner.sees("Press R to take control back")
	owner.types("R")
	owner.sees("You control the run.")
	other.sees("The process that started the run controls it again")
	other.types("f")
	other.sees("Press R to take control")
	other.types("R")
	other.sees("You control the run.")
	owner.sees("watching")
	_ = other.cmd.Process.Kill() // control returns to the owner
	owner.loses("watching")
	owner.sees("p pass")
	owner.types("p")
	owner.sees("✓ 3 Last")
	owner.types("q")
	owner.ends(exitOK)

	by := map[string]string{}
	for _, e := range runIn(t, dir).Events {
		if _, given := e.Body.(*machine.InputGiven); given {
			by[e.Step] = e.Client
		}
	}
	if !strings.HasPrefix(by["1"], "playhead attach, process ") || by["3"] != "" {
		t.Errorf("the answers were given by %q", by)
	}
}

// TestDo: a script runs a document with playhead do, whether or not the run is live.
func TestDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(joined), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, status := does(t, dir, "next"); status != exitUsage || !strings.Contains(r.Error, "this folder has no unfinished runs") {
		t.Errorf("without a run: %d %+v", status, r)
	}
	if err := command(t, dir, "run", "a.runbook.md", "--headless", "--trust").Run(); err == nil {
		t.Error("the run did not wait")
	}
	next, status := does(t, dir, "next")
	if need := next.State.WaitingFor; status != exitOK || next.State.State != "waiting" || need == nil || need.StepText != "Is it first?" || need.AnswerArguments[0] != "pass" {
		t.Fatalf("next: %d %+v", status, next)
	}
	if r, status := does(t, dir, "pass", "--seq", "1"); status != exitUsage || !strings.Contains(r.Error, "the run has changed") {
		t.Errorf("a stale order: %d %+v", status, r)
	}
	if r, status := does(t, dir, "answer", "perhaps"); status != exitUsage || !strings.Contains(r.Error, `"perhaps" is not an answer here`) {
		t.Errorf("a wrong answer: %d %+v", status, r)
	}
	r, status := does(t, dir, "pass")
	if status != exitOK || r.State.WaitingFor == nil || r.State.WaitingFor.Step != "3" || r.State.IsLive {
		t.Fatalf("pass: %d %+v", status, r.State)
	}
	owner := openIn(t, pty.Winsize{Rows: 24, Cols: 100}, dir, "resume", runIn(t, dir).ID())
	owner.sees("Is it last?")
	for range 100 { // the screen shows the question before the resumed run is live
		if r, _ = does(t, dir, "next"); r.State.IsLive {
			break
		}
	}
	if !r.State.IsLive || r.State.WaitingFor.Step != "3" {
		t.Errorf("next of a live run: %+v", r.State)
	}
	if r, status = does(t, dir, "goto", "2"); status != exitOK || r.State.WaitingFor.Step != "3" || len(r.Events) < 5 {
		t.Errorf("goto: %d %+v", status, r)
	}
	if r, status = does(t, dir, "undo"); status != exitOK || len(r.EffectsNotUndone) != 1 {
		t.Errorf("undo: %d %+v", status, r)
	}
	if r, status = does(t, dir, "stop", "enough"); status != exitFailed || r.State.Result != "stopped" {
		t.Errorf("stop: %d %+v", status, r)
	}
	owner.sees("✗ stopped")
}

// TestDoSeveral: playhead do does nothing when several runs wait and none is named.
func TestDoSeveral(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(joined), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_ = command(t, dir, "run", "a.runbook.md", "--headless", "--trust").Run() // it fails because the run waits
	}
	if r, status := does(t, dir, "pass"); status != exitUsage || !strings.Contains(r.Error, "this folder has several waiting or paused runs") {
		t.Errorf("%d %+v", status, r)
	}
}

// TestDoAfterFork: an action goes to the waiting run, not to its fork.
func TestDoAfterFork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(joined), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = command(t, dir, "run", "a.runbook.md", "--headless", "--trust").Run() // it fails because the run waits
	run := runIn(t, dir).ID()
	if out, err := command(t, dir, "fork", run).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if r, status := does(t, dir, "status"); status != exitOK || r.State.RunID != run {
		t.Errorf("%d %+v", status, r)
	}
}

// TestDoReply: do reply - takes the reply from standard input, unchanged.
func TestDoReply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "# Talk\n\n## STEP 1: Rate\n\nHow bad?\n\n@output(level)\n"
	if err := os.WriteFile(filepath.Join(dir, "talk.playbook.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = command(t, dir, "run", "talk.playbook.md", "--headless").Run()
	next, _ := does(t, dir, "next")
	if need := next.State.WaitingFor; need == nil || need.Kind != machine.KindReply || need.AnswerArguments[0] != "reply -" || !strings.Contains(need.StepText, "How bad?") {
		t.Fatalf("%+v", next.State.WaitingFor)
	}
	cmd := command(t, dir, "do", "reply", "-", "--json")
	cmd.Stdin = strings.NewReader("It is bad.\n\nVery bad.\n")
	out, err := cmd.Output()
	var r host.DoResult
	if json.Unmarshal(out, &r) != nil || err != nil || r.State.Result != "completed" {
		t.Errorf("%v %s", err, out)
	}
}

// TestStepCannotActOnItsRun: neither a step's command nor a process that it leaves behind can pass a step of its run.
func TestStepCannotActOnItsRun(t *testing.T) {
	t.Parallel()
	text := "## 1. Sly\n```sh\nplayhead do pass; echo direct $?\nenv -u PLAYHEAD_RUN_ID setsid sh -c 'playhead do pass; echo apart $?'\n" +
		"mkfifo over; ( (env -i PATH=\"$PATH\" XDG_STATE_HOME=\"$XDG_STATE_HOME\" setsid sh -c 'playhead do pass --run '$PLAYHEAD_RUN_ID'; echo bare $?; echo >over' ) & ); read x <over\n```\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, "run", "a.runbook.md", "--headless", "--trust")
	cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(quickProgram(t))+":"+os.Getenv("PATH"))
	out, _ := cmd.CombinedOutput()
	for _, word := range []string{"direct 2", "apart 2", "bare 2", "started this process"} {
		if !strings.Contains(string(out), word) {
			t.Errorf("%q is missing in\n%s", word, out)
		}
	}
	if r, _ := does(t, dir, "next"); r.State.WaitingFor == nil || r.State.WaitingFor.Step != "2" {
		t.Errorf("the run stands at %+v", r.State)
	}
}

// TestOwnerKilled: a run whose owner is killed while others watch can be resumed.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	dir, owner := joinIn(t, joined)
	owner.sees("waits for you")
	watcher := openRace(t, pty.Winsize{Rows: 24, Cols: 100}, dir, nil, "watch")
	watcher.sees("watching")
	if r, status := does(t, dir, "pass"); status != exitOK || r.State.WaitingFor.Step != "3" {
		t.Fatalf("%d %+v", status, r)
	}
	if err := owner.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	watcher.sees("The process that drove this run has ended")
	_ = owner.cmd.Wait()
	r, status := does(t, dir, "next")
	if status != exitOK || r.State.IsLive || r.State.WaitingFor == nil || r.State.WaitingFor.Step != "3" {
		t.Errorf("next: %d %+v", status, r.State)
	}
	if r, status = does(t, dir, "pass", "--run", r.State.RunID); status != exitOK || r.State.Result != "completed" {
		t.Errorf("pass: %d %+v", status, r)
	}
}

// TestAttachHeadless: a headless run waits for the answers of an attached screen.
func TestAttachHeadless(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "## 1. Wait\n```sh\nwhile [ ! -e go ]; do sleep 0.1; done\n```\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := command(t, dir, "run", "a.runbook.md", "--headless", "--trust")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Kill() }()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if sockets, _ := filepath.Glob(filepath.Join(dir, "playhead", "runs", "*", "socket")); len(sockets) == 1 {
			break
		}
	}
	screen := openIn(t, pty.Winsize{Rows: 24, Cols: 100}, dir, "attach")
	screen.sees("running")
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	screen.sees("Yes or no?")
	screen.types("y")
	screen.loses("Yes or no?")
	screen.types("q")
	screen.ends(exitOK)
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
}

// TestJoinedKilled: watchers and scripts are killed at random moments, also in the middle of an action. The run
// continues as without them, or with one answer more.
func TestJoinedKilled(t *testing.T) {
	t.Parallel()
	dir, owner := joinIn(t, joined)
	owner.sees("waits for you")
	for i := range 6 {
		watcher := command(t, dir, "watch", "--json")
		script := command(t, dir, "do", "status")
		if watcher.Start() != nil || script.Start() != nil {
			t.Fatal("the watcher or the script does not start")
		}
		time.AfterFunc(time.Duration(i)*15*time.Millisecond, func() { _, _ = watcher.Process.Kill(), script.Process.Kill() })
		_, _ = watcher.Wait(), script.Wait()
	}
	answer := command(t, dir, "do", "pass")
	if err := answer.Start(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(30*time.Millisecond, func() { _ = answer.Process.Kill() })
	_ = answer.Wait()
	if !strings.Contains(owner.text(), "Is it last?") { // the script was killed before its answer arrived
		if r, status := does(t, dir, "status"); status != exitOK {
			t.Fatalf("status: %d %+v", status, r)
		} else if r.State.WaitingFor != nil && r.State.WaitingFor.Step == "1" {
			owner.types("p")
		}
	}
	owner.sees("Is it last?")
	owner.types("p")
	owner.sees("✓ completed")
	owner.types("q")
	owner.ends(exitOK)
	h := runIn(t, dir)
	given := 0
	for _, e := range h.Events {
		if _, is := e.Body.(*machine.InputGiven); is {
			given++
		}
	}
	if given != 2 {
		t.Errorf("%d answers, not 2", given)
	}
}
