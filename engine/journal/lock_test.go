package journal

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestMain lets the test binary be another process that uses a run.
func TestMain(m *testing.M) {
	if dir := os.Getenv("JOURNAL_TEST_HOLD"); dir != "" {
		hold(dir)
		return
	}
	os.Exit(m.Run())
}

// hold locks a run, prints "held" and keeps the lock until its input ends.
func hold(dir string) {
	if _, err := acquireLock(Folder{dir: dir}); err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("held\n")
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
}

// otherProcess starts a process that holds the run's lock.
func otherProcess(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "JOURNAL_TEST_HOLD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd
}

func TestRunIsLockedUntilItsProcessDies(t *testing.T) {
	s, r := newRun(t)
	record(t, r, started())
	_ = r.Close()
	other := otherProcess(t, r.Dir())
	pid := other.Process.Pid

	_, _, err := s.Open(r.ID())
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.PID != pid || !strings.Contains(err.Error(), strconv.Itoa(pid)) {
		t.Errorf("Open = %v, want an error with process %d", err, pid)
	}
	if err := s.Remove(r.ID()); !errors.As(err, &inUse) {
		t.Errorf("Remove = %v", err)
	}
	if h, err := s.ReadHistory(r.ID()); err != nil || len(h.Events) != 1 {
		t.Errorf("Read = %d events, %v", len(h.Events), err)
	}

	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	again, _, err := s.Open(r.ID())
	if err != nil {
		t.Fatalf("after a crash: %v", err)
	}
	_ = again.Close()
}

func TestRunIsLockedWithinAProcess(t *testing.T) {
	s, r := newRun(t)
	_, _, err := s.Open(r.ID())
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.PID != os.Getpid() {
		t.Errorf("Open = %v", err)
	}
}

func TestUnknownHolder(t *testing.T) {
	s, r := newRun(t)
	for _, content := range []string{"", "junk\n", strings.Repeat("9", 40)} {
		write(t, r.Dir()+"/lock", []byte(content))
		if _, _, err := s.Open(r.ID()); err == nil || !strings.Contains(err.Error(), "another Playhead") {
			t.Errorf("lock file %q: %v", content, err)
		}
	}
}

// TestAskingWhetherARunIsInUseDoesNotLockIt: checking whether a run is in use never keeps anyone from opening it.
func TestAskingWhetherARunIsInUseDoesNotLockIt(t *testing.T) {
	s, r := newRun(t)
	_ = r.Close()
	stop := make(chan struct{})
	var askers sync.WaitGroup
	for range 2 {
		askers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = stateIfInUse(r.Folder)
				}
			}
		})
	}
	for range 200 {
		again, _, err := s.Open(r.ID())
		if err != nil {
			t.Error(err)
			break
		}
		if _, used := stateIfInUse(r.Folder); !used {
			t.Error("an open run is not in use")
		}
		_ = again.Close()
	}
	close(stop)
	askers.Wait()
}

func TestRemove(t *testing.T) {
	s, r := newRun(t)
	if err := s.Remove(r.ID()); err == nil {
		t.Error("a run in use was removed")
	}
	_ = r.Close()
	if err := s.Remove(r.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(r.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if err := s.Remove(r.ID()); err == nil || !strings.Contains(err.Error(), "playhead runs") {
		t.Errorf("Remove = %v", err)
	}
}
