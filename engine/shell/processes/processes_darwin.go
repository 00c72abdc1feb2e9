package processes

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Executable is the file of the running program.
var Executable, _ = os.Executable()

// AdoptOrphans does nothing: on macOS launchd adopts orphans. Processes that left the session are
// found only while all processes between them and the leader live.
func AdoptOrphans() {}

// HasChildren always returns true, because orphans are nobody's children on macOS.
func HasChildren() bool { return true }

const zombie = 5 // SZOMB in sys/proc.h

// find returns the living processes that keep accepts.
func find(keep func(pid int) bool) []Process {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var found []Process
	for _, p := range all {
		if pid := int(p.Proc.P_pid); p.Proc.P_stat != zombie && keep(pid) {
			found = append(found, newProcess(&p))
		}
	}
	return found
}

// Read reads a process from the system. It returns false if the process does not exist or has
// ended (a zombie).
func Read(pid int) (Process, bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || p.Proc.P_stat == zombie {
		return Process{}, false
	}
	return newProcess(p), true
}

func newProcess(p *unix.KinfoProc) Process {
	session, _ := unix.Getsid(int(p.Proc.P_pid))
	return Process{
		PID: int(p.Proc.P_pid), Parent: int(p.Eproc.Ppid), Group: int(p.Eproc.Pgid), Session: session,
		StartTime: fmt.Sprintf("%d.%06d", p.Proc.P_starttime.Sec, p.Proc.P_starttime.Usec),
		name:      unix.ByteSliceToString(p.Proc.P_comm[:]), HasTerminal: p.Eproc.Tdev != -1,
	}
}

// RunID always returns "": macOS does not show the environment of a process.
func RunID(int) string { return "" }

// CommandLine returns the system's name for the process. It is not safe to show.
func (p Process) CommandLine() string { return p.name }
