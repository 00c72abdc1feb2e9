package shell

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
)

// executablePath is the file of the running program.
var executablePath, _ = os.Executable()

// adoptOrphans does nothing: on macOS launchd adopts orphans. Processes that left the session are
// found only while all processes between them and the leader live.
func adoptOrphans() {}

// hasChildren always returns true, because orphans are nobody's children on macOS.
func hasChildren() bool { return true }

const zombie = 5 // SZOMB in sys/proc.h

// processes returns the living processes that keep accepts.
func processes(keep func(pid int) bool) []processInfo {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var found []processInfo
	for _, p := range all {
		if pid := int(p.Proc.P_pid); p.Proc.P_stat != zombie && keep(pid) {
			found = append(found, newProcessInfo(&p))
		}
	}
	return found
}

// readProcess reads a process from the system. It returns false if the process does not exist or has
// ended (a zombie).
func readProcess(pid int) (processInfo, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || p.Proc.P_stat == zombie {
		return processInfo{}, false
	}
	return newProcessInfo(p), true
}

func newProcessInfo(p *unix.KinfoProc) processInfo {
	session, _ := unix.Getsid(int(p.Proc.P_pid))
	return processInfo{
		pid: int(p.Proc.P_pid), parent: int(p.Eproc.Ppid), group: int(p.Eproc.Pgid), session: session,
		startTime: fmt.Sprintf("%d.%06d", p.Proc.P_starttime.Sec, p.Proc.P_starttime.Usec),
		name:      unix.ByteSliceToString(p.Proc.P_comm[:]), hasTerminal: p.Eproc.Tdev != -1,
	}
}

// RunIDOfProcess always returns "": macOS does not show the environment of a process.
func RunIDOfProcess(int) string { return "" }

// displayName returns the system's name for a process, safe to show.
func displayName(m processInfo) string { return sanitize.Plain(m.name) }

const (
	ioctlGetTermios     = unix.TIOCGETA
	ioctlSetTermios     = unix.TIOCSETA
	disabledControlChar = 0xff // turns a control character off
)
