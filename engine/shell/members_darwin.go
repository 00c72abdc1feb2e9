package shell

import (
	"os"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
)

// self is the program that runs.
var self, _ = os.Executable()

// adoptOrphans does nothing: on macOS launchd takes the orphans.
func adoptOrphans() {}

const zombie = 5 // SZOMB in sys/proc.h

// members returns the living processes of a session, but for its leader, whose number it has.
func members(session int) []member {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	var found []member
	for _, p := range all {
		pid := int(p.Proc.P_pid)
		if pid == session || p.Proc.P_stat == zombie {
			continue
		}
		if sid, err := unix.Getsid(pid); err != nil || sid != session {
			continue
		}
		name := sanitize.Plain(unix.ByteSliceToString(p.Proc.P_comm[:]))
		found = append(found, member{pid: pid, group: int(p.Eproc.Pgid), name: name})
	}
	return found
}
