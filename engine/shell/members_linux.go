package shell

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
)

// executablePath is the file of the running program. It works even if the file was replaced or removed.
const executablePath = "/proc/self/exe"

// adoptOrphans makes this process the parent of descendants whose parents exit. So every process that a
// command starts remains a descendant of its leader, even in a new session.
func adoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// hasChildren reports whether this process has children. Without children, it has no descendants.
func hasChildren() bool {
	err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	return !errors.Is(err, unix.ECHILD)
}

// processes returns the living processes that keep accepts.
func processes(keep func(pid int) bool) []processInfo {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	entries, _ := proc.Readdirnames(-1)
	var found []processInfo
	for _, e := range entries {
		pid, err := strconv.Atoi(e)
		if err != nil || !keep(pid) {
			continue
		}
		if m, ok := readProcess(pid); ok {
			found = append(found, m)
		}
	}
	return found
}

// readProcess reads a process from /proc. It returns false if the process does not exist or has
// ended (a zombie).
func readProcess(pid int) (processInfo, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return processInfo{}, false
	}
	end := bytes.LastIndexByte(stat, ')') // the end of the name, which may contain any character
	fields := strings.Fields(string(stat[end+1:]))
	const startTimeField = 19 // the index of the start time, in clock ticks since boot
	if len(fields) <= startTimeField || fields[0] == "Z" || fields[0] == "X" {
		return processInfo{}, false
	}
	m := processInfo{pid: pid, startTime: bootID() + ":" + fields[startTimeField], name: string(stat[bytes.IndexByte(stat, '(')+1 : end])}
	m.parent, _ = strconv.Atoi(fields[1])
	m.group, _ = strconv.Atoi(fields[2])
	m.session, _ = strconv.Atoi(fields[3])
	m.hasTerminal = fields[4] != "0"
	return m, true
}

// RunIDOfProcess returns the ID of the run that started a process, from the process's environment, "" if
// none did.
func RunIDOfProcess(pid int) string {
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

// displayName returns the shortened command line of a process, or its name if there is none, safe to show.
func displayName(m processInfo) string {
	name := m.name
	if args, err := os.ReadFile("/proc/" + strconv.Itoa(m.pid) + "/cmdline"); err == nil && len(args) > 0 {
		name = string(bytes.TrimRight(bytes.ReplaceAll(args, []byte{0}, []byte(" ")), " "))
	}
	return shortenName(sanitize.Plain(name))
}

// shortenName cuts a name to 40 characters, because a subshell carries its parent's whole text.
func shortenName(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}

const (
	ioctlGetTermios     = unix.TCGETS
	ioctlSetTermios     = unix.TCSETS
	disabledControlChar = 0 // turns a control character off
)
