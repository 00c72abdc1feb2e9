package processes

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Executable is the file of the running program. It works even if the file was replaced or removed.
const Executable = "/proc/self/exe"

// AdoptOrphans makes this process the parent of descendants whose parents exit. So every process that a
// command starts remains a descendant of its leader, even in a new session.
func AdoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// HasChildren reports whether this process has children. Without children, it has no descendants.
func HasChildren() bool {
	err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return !errors.Is(err, unix.ECHILD)
}

// find returns the living processes that keep accepts.
func find(keep func(pid int) bool) []Process {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	entries, _ := proc.Readdirnames(-1)
	var found []Process
	for _, e := range entries {
		pid, err := strconv.Atoi(e)
		if err != nil || !keep(pid) {
			continue
		}
		if p, ok := Read(pid); ok {
			found = append(found, p)
		}
	}
	return found
}

// Read reads a process from /proc. It returns false if the process does not exist or has
// ended (a zombie).
func Read(pid int) (Process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Process{}, false
	}
	end := bytes.LastIndexByte(stat, ')') // the end of the name, which may contain any character
	fields := strings.Fields(string(stat[end+1:]))
	const startTimeField = 19 // the index of the start time, in clock ticks since boot
	if len(fields) <= startTimeField || fields[0] == "Z" || fields[0] == "X" {
		return Process{}, false
	}
	p := Process{PID: pid, StartTime: bootID() + ":" + fields[startTimeField], name: string(stat[bytes.IndexByte(stat, '(')+1 : end])}
	p.Parent, _ = strconv.Atoi(fields[1])
	p.Group, _ = strconv.Atoi(fields[2])
	p.Session, _ = strconv.Atoi(fields[3])
	p.HasTerminal = fields[4] != "0"
	return p, true
}

// RunID returns the ID of the run that started a process, from the process's environment, "" if
// none did.
func RunID(pid int) string {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for _, v := range strings.Split(string(env), "\x00") {
		if id, is := strings.CutPrefix(v, "PLAYHEAD_RUN_ID="); is {
			return id
		}
	}
	return ""
}

// bootID returns an identifier of the current boot of the system.
var bootID = sync.OnceValue(func() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	first, _, _ := strings.Cut(strings.TrimSpace(string(id)), "-")
	return first
})

// CommandLine returns the command line of the process, or its name if there is none. It is not safe to show.
func (p Process) CommandLine() string {
	args, err := os.ReadFile("/proc/" + strconv.Itoa(p.PID) + "/cmdline")
	if err != nil || len(args) == 0 {
		return p.name
	}
	return string(bytes.TrimRight(bytes.ReplaceAll(args, []byte{0}, []byte(" ")), " "))
}
