package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/terminal"
)

// long opens a document with the given number of steps. Its first step has printed the given number of lines.
func long(b *testing.B, steps, lines int) *testScreen {
	var doc strings.Builder
	doc.WriteString("# Long\n")
	for i := range steps {
		fmt.Fprintf(&doc, "## %d. Step number %d\nWhat step %d is **for**, in a sentence or two.\n```sh\nmake step-%d\n```\n", i+1, i+1, i+1, i+1)
	}
	sc := open(b, load(b, "long.runbook.md", doc.String()), 160, 48)
	sc.press("3") // lays the output pane out
	log, err := logs.NewAppendingLog(logs.FileLocation{RunDir: b.TempDir(), Name: "log"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	chunk := strings.Repeat("\x1b[32mok\x1b[0m  a line of fifty bytes, give or take some\n", 1000)
	for range lines / 1000 {
		if _, err := log.Write([]byte(chunk)); err != nil {
			b.Fatal(err)
		}
	}
	sc.s.log = log
	sc.send(spinnerTickMsg{})
	return sc
}

// BenchmarkFrame draws frames of 160 × 48 with a tree of 1,000 steps and a log of a million lines. Each iteration sends
// a message and draws a frame; with a theme, the messages of all kinds take turns.
func BenchmarkFrame(b *testing.B) {
	sc := long(b, 1000, 1_000_000)
	w := sc.m.lastLogRequest.Read()
	scenes := map[string]func(i int){
		"log":    func(int) { sc.m.Update(w) },
		"tick":   func(int) { sc.clock = sc.clock.Add(spinnerTurnInterval); sc.m.Update(spinnerTickMsg{}) },
		"events": func(int) { sc.m.Update(engine.Update{Status: sc.s.status, Events: sc.s.events[:1]}) },
		"select": func(i int) { sc.m.Update(terminal.KeyPress([]string{"down", "up", "pgdown", "pgup"}[i%4])) },
		"resize": func(int) { sc.m.screen.Reflow() },
	}
	names := []string{"log", "tick", "events", "select", "resize"}
	for _, name := range names {
		b.Run(name, func(b *testing.B) { sc.frames(b, scenes[name]) })
	}
	for _, name := range themes.BuiltInNames() {
		p, err := themes.LoadBuiltIn(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("theme="+name, func(b *testing.B) {
			sc.m.appearance.SetTheme(p)
			sc.frames(b, func(i int) { scenes[names[i%len(names)]](i) })
		})
	}
}

// frames measures how long it takes to handle a message of the scene and to draw the frame after it.
func (sc *testScreen) frames(b *testing.B, scene func(i int)) {
	sc.m.screen.Focus = layout.StepsPane
	sc.m.screen.Reflow()
	times := make([]time.Duration, 0, 1<<14)
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		scene(i)
		_ = sc.m.View()
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkDocumentFrame draws frames of the document, whose steps have a page of prose each. Each iteration presses a key
// and draws a frame.
func BenchmarkDocumentFrame(b *testing.B) {
	var doc strings.Builder
	doc.WriteString("# Long\n")
	for i := range 200 {
		fmt.Fprintf(&doc, "## %d. Step number %d\n%s```sh\nmake step-%d\n```\n", i+1, i+1, strings.Repeat("What this step is **for**, in a sentence or two.\nSee `make help`.\n\n", 30), i+1)
	}
	sc := open(b, load(b, "long.runbook.md", doc.String()), 160, 48)
	sc.press("esc", "L")
	for name, key := range map[string]string{"line": "down", "page": "pgdown"} {
		b.Run(name, func(b *testing.B) {
			focus := sc.m.screen.Focus
			sc.frames(b, func(i int) {
				sc.m.screen.Focus = focus
				if i%300 == 0 {
					sc.press("g")
				}
				sc.m.Update(terminal.KeyPress(key))
			})
		})
	}
}

// BenchmarkWindow reads and cleans the part of a log of a million lines that a pane shows.
func BenchmarkWindow(b *testing.B) {
	sc := long(b, 10, 1_000_000)
	v := sc.m.lastLogRequest
	for b.Loop() {
		v.Read()
	}
}

// longRun returns the screen of a run of at least n events, with the timeline open and in focus.
func longRun(b *testing.B, n int) *testScreen {
	var doc strings.Builder
	doc.WriteString("# Long\n")
	for i := range 200 {
		fmt.Fprintf(&doc, "## %d. Step number %d\nWhat step %d is for.\n```sh\nmake step-%d\n```\n", i+1, i+1, i+1, i+1)
	}
	sc := open(b, load(b, "long.runbook.md", doc.String()), 160, 48)
	for len(sc.s.events) < n {
		if sc.s.running == nil {
			if err := sc.s.Jump("1", "once more"); err != nil {
				b.Fatal(err)
			}
			continue
		}
		sc.clock = sc.clock.Add(time.Second)
		sc.s.end(plan.Product{})
	}
	sc.sync()
	sc.press("esc", "t", "4")
	return sc
}

// BenchmarkLongFrame draws frames of an ended run of 20,000 events, with the focus on WHY and on the summary. Each
// iteration presses a key and draws a frame.
func BenchmarkLongFrame(b *testing.B) {
	sc := longRun(b, 20_000)
	for sc.s.running != nil {
		sc.clock = sc.clock.Add(time.Second)
		sc.s.end(plan.Product{})
	}
	sc.sync()
	sc.press("esc", "esc", "1", "G") // the last step is selected
	for _, scene := range []struct{ name, key string }{{"why", "4"}, {"summary", "A"}} {
		b.Run(scene.name, func(b *testing.B) {
			sc.press(scene.key)
			focus := sc.m.screen.Focus
			sc.frames(b, func(i int) {
				sc.m.screen.Focus = focus
				sc.m.Update(terminal.KeyPress([]string{"up", "down"}[i%2]))
			})
		})
	}
}

// BenchmarkTimeline moves through the timeline of a long run. Each iteration presses a key and draws a frame.
func BenchmarkTimeline(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		sc := longRun(b, n)
		for name, keys := range map[string][]string{"back": {"up"}, "ends": {"g", "G"}, "forth": {"down"}, "pages": {"pgup"}} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				sc.press("G")
				if name == "forth" {
					sc.m.handleRequest(request.ShowEvent{EventIndex: n / 10})
				}
				for i := 0; b.Loop(); i++ {
					sc.m.Update(terminal.KeyPress(keys[i%len(keys)]))
					_ = sc.m.View()
				}
			})
		}
	}
}
