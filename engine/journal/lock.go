package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	file, err := os.OpenFile(filepath.Join(f.dir, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	if err := exclusive(file); err != nil {
		pid := holder(file)
		_ = file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, &InUseError{f.ID(), pid}
		}
		return nil, fmt.Errorf("cannot lock run %s: %w", f.ID(), err)
	}
	// The number only helps people: a full disk must not keep the run closed.
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return file, nil
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

// inUse reports whether a live process drives the run.
func inUse(f Folder) bool {
	file, err := os.Open(filepath.Join(f.dir, lockFile))
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	return errors.Is(flock(file, unix.LOCK_SH), unix.EWOULDBLOCK)
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

// holder reads which process took the lock.
func holder(file *os.File) int {
	b := make([]byte, 20)
	n, err := file.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}
