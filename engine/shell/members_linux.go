package shell

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"playhead/engine/sanitize"
)

// self is the program that runs, even when its file was replaced or removed meanwhile.
const self = "/proc/self/exe"

// adoptOrphans makes the processes whose parents exit children of this one.
func adoptOrphans() { unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// members returns the living processes of a session, but for its leader, whose number it has.
func members(session int) []member {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	entries, _ := proc.Readdirnames(-1)
	var found []member
	for _, e := range entries {
		pid, err := strconv.Atoi(e)
		if err != nil || pid == session {
			continue
		}
		if sid, err := unix.Getsid(pid); err != nil || sid != session {
			continue
		}
		if m, ok := look(pid); ok {
			found = append(found, m)
		}
	}
	return found
}

// look reads what the system says about a process. A zombie is none any more.
func look(pid int) (member, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return member{}, false
	}
	end := bytes.LastIndexByte(stat, ')') // of the name, which may have anything in it
	fields := strings.Fields(string(stat[end+1:]))
	if len(fields) < 3 || fields[0] == "Z" || fields[0] == "X" {
		return member{}, false
	}
	group, _ := strconv.Atoi(fields[2])
	name := string(stat[bytes.IndexByte(stat, '(')+1 : end])
	if args, err := os.ReadFile(dir + "/cmdline"); err == nil && len(args) > 0 {
		name = string(bytes.TrimRight(bytes.ReplaceAll(args, []byte{0}, []byte(" ")), " "))
	}
	return member{pid: pid, group: group, name: shorten(sanitize.Plain(name))}, true
}

// shorten keeps a name short: a subshell carries its parent's whole text.
func shorten(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return name
}
