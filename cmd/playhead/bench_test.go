package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

const million = "## 1. Flood\n```sh\nyes 0123456789012345678901234567890123456789012345678 | head -n 1000000\n```\n## 2. Look\nAll there?\n"

// BenchmarkMillionLines runs a command that prints a million lines of 50 bytes in
// the program on a terminal, and reports lines a second, from the program's start
// until it asks about the next step, and the most memory it held.
func BenchmarkMillionLines(b *testing.B) {
	var took time.Duration
	var most float64
	for b.Loop() {
		began := time.Now()
		x := openAt(b, pty.Winsize{Rows: 48, Cols: 160}, million, "--trust")
		x.sees("Did it work?")
		took += time.Since(began)
		x.types("q")
		x.ends(exitAwaiting)
		usage := x.cmd.ProcessState.SysUsage().(*syscall.Rusage)
		most = max(most, float64(usage.Maxrss)/unit())
	}
	b.ReportMetric(1e6*float64(b.N)/took.Seconds(), "lines/s")
	b.ReportMetric(most, "MiB-peak")
}

// unit is how much of Maxrss is one MiB: it counts KiB, on macOS bytes.
func unit() float64 {
	if runtime.GOOS == "darwin" {
		return 1 << 20
	}
	return 1 << 10
}

// BenchmarkReplyOnScreen has a server reply in pieces of four bytes, and reports the
// processor time that the program takes from its start until the reply is whole and
// shown: 4 KB at 500 pieces a second, all else as fast as it goes.
func BenchmarkReplyOnScreen(b *testing.B) {
	for name, c := range map[string]struct {
		pieces int
		pause  time.Duration
	}{"none": {1, 0}, "4KB": {1 << 10, 2 * time.Millisecond}, "4KB-at-once": {1 << 10, 0}, "1MB": {1 << 18, 0}, "2MB": {1 << 19, 0}} {
		b.Run(name, func(b *testing.B) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for i := range c.pieces {
					pieces(w, [...]string{"some", " **w", "ords", "**, ", "and ", "\n\n- "}[i%6])
					time.Sleep(c.pause)
				}
				wholly(w)
			}))
			defer server.Close()
			least := time.Hour // others use the machine as well
			for b.Loop() {
				least = min(least, answered(b, server.URL))
			}
			b.ReportMetric(float64(least.Milliseconds()), "cpu-ms")
		})
	}
}

// answered is the processor time of a run with one reply.
func answered(b *testing.B, url string) time.Duration {
	dir := b.TempDir()
	document := "# Ask\n## STEP 1: One\nSay it.\n## STEP 2: Wait\n@elicit(input, \"And now?\")\n"
	if err := os.WriteFile(filepath.Join(dir, "a.playbook.md"), []byte(document), 0o600); err != nil {
		b.Fatal(err)
	}
	x := openIn(b, pty.Winsize{Rows: 48, Cols: 160}, dir, "a.playbook.md", "--base-url", url+"/v1", "--model", "m")
	x.sees("And now?")
	_ = x.cmd.Process.Signal(syscall.SIGTERM)
	x.ends(exitSignal + int(syscall.SIGTERM))
	return x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime()
}

const flooding = "## 1. Flood\n```sh\nwhile :; do seq -f %049g 500; sleep 0.01; done\n```\n"

// BenchmarkKeyToPaint measures from a key press until its effect is on the screen,
// while a command prints some 50,000 lines a second.
func BenchmarkKeyToPaint(b *testing.B) {
	x := openAt(b, pty.Winsize{Rows: 48, Cols: 160}, flooding, "--trust")
	x.sees("0000000000000000000")
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		x.types("?")
		x.sees("KEYS")
		took = append(took, time.Since(began))
		x.types("\x1b")
		x.losesSight("KEYS")
	}
	slices.Sort(took)
	ms := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(ms(0.5), "ms-median")
	b.ReportMetric(ms(0.95), "ms-p95")
}

// losesSight waits until the text is not on the screen any more.
func (x *terminal) losesSight(text string) {
	x.t.Helper()
	for strings.Contains(x.text(), text) {
		if _, more := <-x.drawn; !more {
			x.t.Fatal("the program ended")
		}
	}
}
