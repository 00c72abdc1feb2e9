package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// InUseError says that another process drives the run.
type InUseError struct {
	Run string
	PID int // 0: unknown
}

// Error says which process has the run open and what to do.
func (e *InUseError) Error() string {
	who := "another Playhead"
	if e.PID != 0 {
		who += fmt.Sprintf(", process %d", e.PID)
	}
	return fmt.Sprintf("run %s is open in %s: quit Playhead there first (q keeps the run), or end that process", e.Run, who)
}

// acquireLock takes the lock of a run. The system releases it when the process ends for any reason, so
// a crash never leaves a run locked.
func acquireLock(f Folder) (*os.File, error) {
	file, err := f.openFile(lockFile, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	if err := lockExclusively(file); err != nil {
		pid, _ := readLockHolder(file)
		_ = file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &InUseError{f.ID(), pid}
		}
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	writeLockHolder(file, "")
	return file, nil
}

// writeLockHolder writes into the lock file which process holds the lock, and its state. This only informs
// people, so errors are ignored: a full disk must not prevent opening a run.
func writeLockHolder(lock *os.File, state string) {
	if err := lock.Truncate(0); err == nil {
		_, _ = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"+state+"\n"), 0)
	}
}

// SetState records the state of this process in one word, for lists of runs, because no event says that
// a run is paused.
func (r *Run) SetState(state string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if state != r.reportedState && !r.isVolatile {
		r.reportedState = state
		writeLockHolder(r.lock, state)
	}
}

// A process that only checks whether a run is in use holds a shared lock for an instant. lockExclusively
// waits for that, but not for ever, since any process may be stopped.
const (
	lockTimeout  = 2 * time.Second
	lockInterval = time.Millisecond
)

// lockExclusively takes the exclusive lock.
func lockExclusively(file *os.File) error {
	for end := time.Now().Add(lockTimeout); ; time.Sleep(lockInterval) {
		err := flock(file, unix.LOCK_EX)
		if !errors.Is(err, unix.EWOULDBLOCK) || time.Now().After(end) {
			return err
		}
		// A process that drives the run does not share its lock.
		if err := flock(file, unix.LOCK_SH); err != nil {
			return err
		}
		if err := flock(file, unix.LOCK_UN); err != nil {
			return err
		}
	}
}

// stateIfInUse reports whether a live process drives the run, and the state that it reports.
func stateIfInUse(f Folder) (state string, yes bool) {
	file, err := f.openFile(lockFile, os.O_RDONLY)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	if !errors.Is(flock(file, unix.LOCK_SH), unix.EWOULDBLOCK) {
		return "", false
	}
	_, state = readLockHolder(file)
	return state, true
}

// IsPaused reports whether a live process drives the run and has paused it, which no event says.
func (f Folder) IsPaused() bool {
	state, _ := stateIfInUse(f)
	return state == "paused"
}

// flock locks without waiting.
func flock(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// readLockHolder returns the process that holds the lock, 0 if unknown, and its state.
func readLockHolder(file *os.File) (pid int, state string) {
	b := make([]byte, 40)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, ""
	}
	number, state, _ := strings.Cut(string(b[:n]), "\n")
	if pid, err = strconv.Atoi(number); err != nil {
		return 0, ""
	}
	return pid, strings.TrimSpace(state)
}
