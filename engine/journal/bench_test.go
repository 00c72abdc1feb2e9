package journal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// step returns what one step of a run writes: six events, like those of a release check.
func step(seq int) []machine.Event {
	code, taken, ms := 0, 0, int64(412)
	passed := &plan.Outcome{Result: plan.Passed, Source: "exit 0"}
	bodies := []machine.Body{
		&machine.StepEntered{},
		&machine.ActionStarted{Kind: "command", Language: "bash", Text: "make push\nkubectl rollout status deploy/api --timeout 60s\n"},
		&machine.ActionFinished{
			Kind: "command", Output: strings.Repeat("#4 [2/5] RUN apk add --no-cache ca-certificates\n", 4),
			Log: &machine.LogRef{File: LogName(seq), Bytes: 190}, ExitCode: &code, DurationMS: &ms, Outcome: passed,
		},
		&machine.StepFinished{Result: plan.Passed, Outcome: passed},
		&machine.Decision{Outcome: passed, To: "2.3", CandidateIndex: &taken, Destination: machine.Destination{Kind: machine.ToStep, StepID: "2.3"}, Candidates: []machine.Candidate{
			{Line: 31, Text: "PASS: CONTINUE", Matched: true, ReasonText: "exit 0 is pass"}, {Line: 32, Text: "FAIL: RETRY 2 GOTO Rollback", ReasonText: "pass is not fail"},
		}},
		&machine.WarningRecorded{Code: "rundown/note", Message: "nothing to say"},
	}
	var events []machine.Event
	for i, b := range bodies {
		events = append(events, machine.Event{Seq: seq + i, Time: start, Step: "2.2", Attempt: 1, Body: b})
	}
	return events
}

func events(n int) []machine.Event {
	all := []machine.Event{{Seq: 1, Time: start, Body: started()}}
	for len(all) < n {
		all = append(all, step(len(all)+1)...)
	}
	return all[:n]
}

func BenchmarkAppend(b *testing.B) {
	for name, secrets := range map[string][]string{"plain": nil, "masked": {"hunter2", "s3cret"}} {
		b.Run(name, func(b *testing.B) {
			_, r := newRun(b)
			r.AddSecrets(secrets...)
			all := events(6001)
			for n := 1; b.Loop(); n++ {
				e := all[n%len(all)]
				e.Seq = n
				if err := r.Append(e); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func BenchmarkAppendAndSync(b *testing.B) {
	_, r := newRun(b)
	for n := 1; b.Loop(); n++ {
		if err := r.Append(machine.Event{Seq: n, Time: start, Body: started()}); err != nil {
			b.Fatal(err)
		}
		if err := r.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, r := newRun(b)
			fill(b, r, n)
			for b.Loop() {
				if h, err := s.ReadHistory(r.ID()); err != nil || len(h.Events) != n {
					b.Fatalf("%d events, %v", len(h.Events), err)
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func BenchmarkList(b *testing.B) {
	s := NewVolatileStore(b.TempDir())
	r := create(b, s)
	fill(b, r, 10_000)
	journal := contents(b, r.eventsPath())
	for range 499 {
		r := create(b, s)
		if err := r.writeLine(bytes.Clone(journal)); err != nil {
			b.Fatal(err)
		}
		_ = r.Close()
	}
	for b.Loop() {
		if all, err := s.List(); err != nil || len(all) != 500 {
			b.Fatalf("%d runs, %v", len(all), err)
		}
	}
}

func fill(b *testing.B, r *Run, n int) {
	b.Helper()
	for _, e := range events(n) {
		if err := r.Append(e); err != nil {
			b.Fatal(err)
		}
	}
}
