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
	PID int // 0: not known
}

func (e *InUseError) Error() string {
	who := "another Playhead"
	if e.PID != 0 {
		who += fmt.Sprintf(", process %d", e.PID)
	}
	return fmt.Sprintf("run %s is open in %s: quit it there first (its q keeps the run), or end that process", e.Run, who)
}

// acquire takes the lock of a run. The system frees it with the process, however
// that ends, so a crash never leaves a run locked.
func acquire(f Folder) (*os.File, error) {
	file, err := f.open(lockFile, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	if err := exclusive(file); err != nil {
		pid, _ := holder(file)
		_ = file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &InUseError{f.ID(), pid}
		}
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	label(file, "")
	return file, nil
}

// label writes into the lock which process has it, and what that does with the run. It
// only helps people: a full disk must not keep the run closed.
func label(lock *os.File, doing string) {
	if err := lock.Truncate(0); err == nil {
		_, _ = lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"+doing+"\n"), 0)
	}
}

// Tell says to whoever lists runs what this process does with the run, in a word: no event
// says that it is paused.
func (r *Run) Tell(doing string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if doing != r.doing && !r.volatile {
		r.doing = doing
		label(r.lock, doing)
	}
}

// Someone who only asks whether a run is in use shares its lock for an instant:
// that is waited for, though not for ever, since any process may be stopped.
const (
	patience = 2 * time.Second
	pace     = time.Millisecond
)

// exclusive takes the lock for itself.
func exclusive(file *os.File) error {
	for end := time.Now().Add(patience); ; time.Sleep(pace) {
		err := flock(file, unix.LOCK_EX)
		if !errors.Is(err, unix.EWOULDBLOCK) || time.Now().After(end) {
			return err
		}
		// Whoever drives the run does not share.
		if err := flock(file, unix.LOCK_SH); err != nil {
			return err
		}
		if err := flock(file, unix.LOCK_UN); err != nil {
			return err
		}
	}
}

// inUse reports whether a live process drives the run, and what it says it does.
func inUse(f Folder) (doing string, yes bool) {
	file, err := f.open(lockFile, os.O_RDONLY)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	if !errors.Is(flock(file, unix.LOCK_SH), unix.EWOULDBLOCK) {
		return "", false
	}
	_, doing = holder(file)
	return doing, true
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

// holder reads which process took the lock, 0 if that is not known, and what it does.
func holder(file *os.File) (pid int, doing string) {
	b := make([]byte, 40)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, ""
	}
	number, doing, _ := strings.Cut(string(b[:n]), "\n")
	if pid, err = strconv.Atoi(number); err != nil {
		return 0, ""
	}
	return pid, strings.TrimSpace(doing)
}
