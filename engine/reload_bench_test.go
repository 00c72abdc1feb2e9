package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// large returns a document of steps that a person decides, in an endless loop.
func large(steps int) string {
	var b strings.Builder
	b.WriteString("# Large\n")
	for i := range steps {
		fmt.Fprintf(&b, "## %d. Step number %d\nIs part %d done?\n- PASS: CONTINUE\n- FAIL: STOP\n", i+1, i+1, i+1)
	}
	return strings.Replace(b.String(), fmt.Sprintf("part %d done?\n- PASS: CONTINUE", steps), fmt.Sprintf("part %d done?\n- PASS: GOTO 1", steps), 1)
}

// BenchmarkReload reloads a document of 5,000 steps in a run of 50,000 events, and lets a watcher fold the new events.
func BenchmarkReload(b *testing.B) {
	const steps, events = 5000, 50000
	dir := b.TempDir()
	path := filepath.Join(dir, "large.runbook.md")
	text := large(steps)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	p := rundown.Parse(path, []byte(text), rundown.Options{})
	if !p.Runnable() {
		b.Fatal(p.Diagnostics[0])
	}
	p.EntryLimit = plan.EntryLimit{}
	run, err := journal.NewVolatileStore(filepath.Join(dir, "runs")).Create(p, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	history := record(b, p, events)
	for _, e := range history {
		if err := run.Append(e); err != nil {
			b.Fatal(err)
		}
	}
	v := &versions{f: &fixture{plan: p, dir: dir}, run: run}
	s, err := engine.New(engine.Config{FirstPlan: p, Run: run, History: history, Shell: shell.NewRunner(0), VersionLoader: v, Mode: engine.PauseNext})
	if err != nil {
		b.Fatal(err)
	}
	w := s.WatchFromStart()
	go func() { _, _ = s.Run(b.Context()) }()
	defer s.Close()
	w.Take()
	n := 0
	for b.Loop() {
		n++
		v.text = strings.Replace(text, "## 3000.", fmt.Sprintf("## 3000. Inserted %d\nIs it?\n## 3001.", n), 1)
		v.text = renumbered(v.text)
		o, err := s.OfferSaved()
		if err != nil {
			b.Fatal(err)
		}
		o.Plan.EntryLimit = plan.EntryLimit{}
		if err := s.Reload(o, engine.ReloadChoice{}); err != nil {
			b.Fatal(err)
		}
		t := track.New(p)
		t.Fold(w.Take().Events...)
	}
}

// renumbered corrects the numbers of the steps after an inserted one.
func renumbered(text string) string {
	lines := strings.Split(text, "\n")
	n := 0
	for i, line := range lines {
		var was int
		if _, err := fmt.Sscanf(line, "## %d.", &was); err == nil {
			n++
			lines[i] = fmt.Sprintf("## %d.%s", n, line[strings.IndexByte(line, '.')+1:])
		}
	}
	return strings.Join(lines, "\n")
}

// record returns the first n events of a run in which every question is answered with pass.
func record(b *testing.B, p *plan.Plan, n int) (out []machine.Event) {
	m := machine.New(p, machine.Options{})
	apply := func(e machine.Event) {
		e.Seq = len(out) + 1
		if err := m.Apply(e); err != nil {
			b.Fatal(err)
		}
		out = append(out, e)
	}
	for len(out) < n {
		next := m.Next()
		switch {
		case next.Event != nil:
			apply(*next.Event)
		case next.Question != nil:
			e, err := m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
			if err != nil {
				b.Fatal(err)
			}
			apply(e)
		default:
			b.Fatal("the run is over")
		}
	}
	return out
}
