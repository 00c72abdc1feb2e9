package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
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

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/plan"
)

const million = "## 1. Flood\n```sh\nyes 0123456789012345678901234567890123456789012345678 | head -n 1000000\n```\n## 2. Look\nAll there?\n"

// BenchmarkMillionLines runs a command that prints a million lines of 50 bytes, in the program on a terminal. It
// reports lines per second, from the program's start until it asks about the next step, and the peak memory.
func BenchmarkMillionLines(b *testing.B) {
	quickProgram(b) // builds the program before the measurement starts
	var took time.Duration
	var most float64
	for b.Loop() {
		began := time.Now()
		x := openAt(b, pty.Winsize{Rows: 48, Cols: 160}, million, "--trust")
		x.sees("Did it pass?")
		took += time.Since(began)
		x.types("q")
		x.ends(exitAwaiting)
		usage := x.cmd.ProcessState.SysUsage().(*syscall.Rusage)
		most = max(most, float64(usage.Maxrss)/unit())
	}
	b.ReportMetric(1e6*float64(b.N)/took.Seconds(), "lines/s")
	b.ReportMetric(most, "MiB-peak")
}

// unit returns the units of Maxrss in one MiB: Maxrss counts KiB, and bytes on macOS.
func unit() float64 {
	if runtime.GOOS == "darwin" {
		return 1 << 20
	}
	return 1 << 10
}

// BenchmarkReplyOnScreen streams a reply in pieces of four bytes and reports the processor time from the program's
// start until the reply is on the screen: 4 KB at 500 pieces a second, all else as fast as possible. The time of the
// largest reply that is not cut is twice that of half of it.
func BenchmarkReplyOnScreen(b *testing.B) {
	for name, c := range map[string]struct {
		pieces int
		pause  time.Duration
	}{"none": {1, 0}, "4KB": {1 << 10, 2 * time.Millisecond}, "4KB-at-once": {1 << 10, 0}, "2MB": {1 << 19, 0}, "4MB": {1 << 20, 0}} {
		b.Run(name, func(b *testing.B) {
			server := httptest.NewServer(unlisted(func(w http.ResponseWriter, _ *http.Request) {
				for i := range c.pieces {
					pieces(w, [...]string{"some", " **w", "ords", "**, ", "and ", "\n\n- "}[i%6])
					time.Sleep(c.pause)
				}
				wholly(w)
			}))
			defer server.Close()
			least := time.Hour // the minimum: other programs use the machine too
			for b.Loop() {
				least = min(least, answered(b, server.URL))
			}
			b.ReportMetric(float64(least.Milliseconds()), "cpu-ms")
		})
	}
}

// answered returns the processor time of a run with one reply.
func answered(b *testing.B, url string) time.Duration {
	dir := b.TempDir()
	document := "# Ask\n## STEP 1: One\nSay it.\n## STEP 2: Wait\n@elicit(input, \"And now?\")\n"
	if err := os.WriteFile(filepath.Join(dir, "a.playbook.md"), []byte(document), 0o600); err != nil {
		b.Fatal(err)
	}
	x := openIn(b, pty.Winsize{Rows: 48, Cols: 160}, dir, "a.playbook.md", "--base-url", url+"/v1", "--model", "m", "--max-tokens", "65536")
	x.sees("And now?")
	_ = x.cmd.Process.Signal(syscall.SIGTERM)
	x.ends(exitSignalBase + int(syscall.SIGTERM))
	return x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime()
}

const flooding = "## 1. Flood\n```sh\nwhile :; do seq -f %049g 500; sleep 0.01; done\n```\n"

// BenchmarkKeyToPaint measures from a key press until its effect is on the screen, while a command prints some 50,000
// lines a second.
func BenchmarkKeyToPaint(b *testing.B) {
	x := openAt(b, pty.Winsize{Rows: 48, Cols: 160}, flooding, "--trust")
	x.sees("0000000000000000000")
	keysToPaint(b, x)
}

// BenchmarkKeyToPaintWatched measures the same while two other processes watch the run on their screens.
func BenchmarkKeyToPaintWatched(b *testing.B) {
	size := pty.Winsize{Rows: 48, Cols: 160}
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(flooding), 0o600); err != nil {
		b.Fatal(err)
	}
	x := openIn(b, size, dir, "a.runbook.md", "--trust")
	x.sees("0000000000000000000")
	for range 2 {
		openIn(b, size, dir, "watch").sees("0000000000000000000")
	}
	keysToPaint(b, x)
}

// keysToPaint opens the help repeatedly and reports how long that takes.
func keysToPaint(b *testing.B, x *terminal) {
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

// losesSight waits until the text is no longer on the screen.
func (t *terminal) losesSight(text string) {
	t.t.Helper()
	for strings.Contains(t.text(), text) {
		if _, more := <-t.drawn; !more {
			t.t.Fatal("the program ended")
		}
	}
}

// BenchmarkIdle reports the share of a core that the program takes in ten seconds without input: at a pause, at a
// question, after a run, on the first screen, and during a silent command, whose clock counts on.
func BenchmarkIdle(b *testing.B) {
	const first = "" // starts without a document
	const example = "example:release"
	for name, c := range map[string]struct{ document, shows string }{
		"paused":   {example, "paused"},
		"question": {asking, "waits for you"},
		"over":     {"## 1. One\n```sh\ntrue\n```\n", "✓ completed"},
		"first":    {first, "documents here"},
		"silent":   {"## 1. One\n```sh\nsleep 1000\n```\n", "running 00:06"},
	} {
		b.Run(name, func(b *testing.B) {
			size := pty.Winsize{Rows: 30, Cols: 100}
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(cmp.Or(c.document, asking)), 0o600); err != nil {
				b.Fatal(err)
			}
			var args []string
			switch c.document {
			case first:
			case example:
				args = []string{example, "--step"}
			default:
				args = []string{"a.runbook.md", "--trust"}
			}
			x := openIn(b, size, dir, args...)
			x.sees(c.shows)
			used, rounds := time.Duration(0), 0
			for b.Loop() {
				time.Sleep(time.Second) // the work at the start is over then
				before := processorTime(b, x.cmd.Process.Pid)
				time.Sleep(10 * time.Second)
				used += processorTime(b, x.cmd.Process.Pid) - before
				rounds++
			}
			b.ReportMetric(100*used.Seconds()/float64(10*rounds), "%-of-a-core")
			_ = x.cmd.Process.Signal(syscall.SIGTERM)
			for range x.drawn {
			}
		})
	}
}

// processorTime returns the processor time that a process has used so far, in all of its threads.
func processorTime(b *testing.B, pid int) time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if len(threads) == 0 {
		b.Skip("the system does not tell")
	}
	var sum time.Duration
	for _, thread := range threads {
		var used time.Duration
		if text, err := os.ReadFile(thread); err == nil { // the thread may have ended
			_, _ = fmt.Sscan(string(text), &used)
		}
		sum += used
	}
	return sum
}

// BenchmarkOpen opens finished runs, whose selected step has a log of a million lines. It reports the time until the
// steps and the end of the log show, and from a key in the timeline until the previous event shows.
func BenchmarkOpen(b *testing.B) {
	for _, events := range []int{50, 10_000, 100_000} {
		b.Run(fmt.Sprint(events), func(b *testing.B) {
			dir := b.TempDir()
			id := longRun(b, dir, events)
			var opened, logged, looked []time.Duration
			var most float64
			for b.Loop() {
				began := time.Now()
				x := openIn(b, pty.Winsize{Rows: 48, Cols: 160}, dir, "resume", id, "--trust")
				x.sees("✓ completed")
				opened = append(opened, time.Since(began))
				x.sees("999999 of a million")
				logged = append(logged, time.Since(began))
				x.types("t4")
				x.sees("TIMELINE")
				for n := 1; n <= 5; n++ {
					began = time.Now()
					x.types("k")
					x.sees(fmt.Sprintf("as of event %d of", events-n))
					looked = append(looked, time.Since(began))
				}
				x.types("\x1b")
				x.losesSight("as of event")
				x.types("q")
				x.ends(exitOK)
				most = max(most, float64(x.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/unit())
			}
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(slices.Min(opened)), "ms-to-steps")
			b.ReportMetric(ms(slices.Min(logged)), "ms-to-log")
			slices.Sort(looked)
			b.ReportMetric(ms(looked[len(looked)/2]), "ms-a-look")
			b.ReportMetric(ms(slices.Max(looked)), "ms-longest-look")
			b.ReportMetric(most, "MiB-peak")
		})
	}
}

// longRun creates a run with the given number of events in the state folder of dir. Its last step has a log of a
// million lines.
func longRun(b *testing.B, dir string, events int) string {
	var doc strings.Builder
	doc.WriteString("# Long\n")
	for i := range 200 {
		fmt.Fprintf(&doc, "## %d. Step number %d\n", i+1, i+1)
		if i == 199 {
			doc.WriteString("- PASS: GOTO 1\n- FAIL: STOP\n")
		}
		doc.WriteString("What it is for.\n```sh\nmake step\n```\n")
	}
	file := filepath.Join(dir, "long.runbook.md")
	if err := os.WriteFile(file, []byte(doc.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	p := parse.Load(file, parse.Options{})
	run, err := journal.NewVolatileStore(filepath.Join(dir, "playhead", "runs")).Create(p, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	writeRun(b, run, p, events)
	return run.ID()
}

// writeRun writes the events of a run in which every command passes until a person ends the run.
func writeRun(b *testing.B, run *journal.Run, p *plan.Plan, events int) {
	if err := setup.LimitTransitions(p, &events); err != nil {
		b.Fatal(err)
	}
	m, seq := machine.New(p, machine.Options{MaxTransitions: &events}), 0
	record := func(e machine.Event, err error) {
		seq++
		e.Seq, e.Time = seq, time.Unix(int64(seq), 0)
		if err := errors.Join(err, run.Append(e), m.Apply(e)); err != nil {
			b.Fatal(err)
		}
	}
	for seq < events-1 {
		switch next := m.Next(); {
		case next.Event != nil:
			record(*next.Event, nil)
		default:
			e := m.ResultEvent(plan.Product{})
			if seq > events-7 {
				e.Body.(*machine.ActionFinished).Log = writeLog(b, run, seq)
			}
			record(e, nil)
		}
	}
	record(m.EndEvent(plan.Completed, "", machine.ByPerson))
}

// writeLog writes a log of a million lines and returns a reference to it.
func writeLog(b *testing.B, run *journal.Run, seq int) *machine.LogRef {
	file, err := os.Create(filepath.Join(run.Dir(), journal.LogName(seq)))
	if err != nil {
		b.Fatal(err)
	}
	text, bytes := bufio.NewWriter(file), 0
	for i := range 1_000_000 {
		n, _ := fmt.Fprintf(text, "\x1b[32mok\x1b[0m  a line of fifty bytes, %6d of a million\n", i)
		bytes += n
	}
	if err := errors.Join(text.Flush(), file.Close()); err != nil {
		b.Fatal(err)
	}
	return &machine.LogRef{File: journal.LogName(seq), Bytes: int64(bytes)}
}
