package machine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/testscale"
	"playhead/parse/plan"
)

// TestMain runs fewer checks of each property under the race detector. The flag -rapid.checks overrides that.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", strconv.Itoa(max(20, 100/testscale.Divisor))) // a flag of rapid
	os.Exit(m.Run())
}

// tb is what a testing.T and a rapid.T have in common.
type tb interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// run drives a machine as a session would, without a clock, a journal or a shell.
type run struct {
	t      tb
	m      *machine.Machine
	events []machine.Event
}

func start(t tb, p *plan.Plan, o machine.Options) *run {
	r := &run{t: t, m: machine.New(p, o)}
	r.apply(*r.m.Next().Event)
	return r
}

// apply records an event as the journal stores it, and applies the stored event.
func (r *run) apply(e machine.Event) {
	r.t.Helper()
	e.Seq = len(r.events) + 1
	back := stored(r.t, e)
	if b, reloads := e.Body.(*machine.DocumentReloaded); reloads {
		back.Body.(*machine.DocumentReloaded).Load = b.Load
	}
	r.events = append(r.events, back)
	if err := r.m.Apply(back); err != nil {
		r.t.Fatalf("apply %+v: %v", back, err)
	}
}

// stored returns the event as it is read back from the journal.
func stored(t tb, e machine.Event) (back machine.Event) {
	t.Helper()
	line, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// settle applies the machine's own events until it wants something from outside.
func (r *run) settle() machine.Next {
	r.t.Helper()
	for {
		n := r.m.Next()
		if n.Event == nil {
			return n
		}
		r.apply(*n.Event)
	}
}

// feed gives the outcomes, in order, to what asks for one: pass, fail, yes, no, goto X, again, skip. It fails the test
// if the run is over before all of them are used.
func (r *run) feed(outcomes ...string) *run {
	r.t.Helper()
	for i, o := range outcomes {
		n := r.settle()
		if n.Result != nil {
			r.t.Fatalf("the run is over (%s), outcomes left: %v", n.Result.Result, outcomes[i:])
		}
		r.one(n, o)
	}
	r.settle()
	return r
}

func (r *run) one(n machine.Next, outcome string) {
	r.t.Helper()
	var verb, arg string
	fmt.Sscanf(outcome, "%s %s", &verb, &arg)
	var e machine.Event
	var err error
	switch {
	case verb == "goto":
		e, err = r.m.JumpEvent(arg, "test")
	case verb == "again":
		e, err = r.m.RetryEvent("test")
	case verb == "skip":
		e, err = r.m.OverrideEvent(plan.Skipped, "test")
	case n.Effect != nil:
		e = r.m.ResultEvent(product(verb))
	default:
		e, err = r.m.AnswerEvent(machine.Answer{Value: verb, By: machine.ByPerson})
	}
	if err != nil {
		r.t.Fatalf("%s at %s: %v", outcome, r.m.Position(), err)
	}
	r.apply(e)
}

func product(outcome string) plan.Product {
	switch outcome {
	case "pass", "yes":
		return plan.Product{}
	case "cancelled":
		return plan.Product{Cancelled: true, Signal: "TERM"}
	default:
		return plan.Product{ExitCode: 1}
	}
}

// result returns how the run ended, "" while it continues.
func (r *run) result() (plan.RunResult, string) {
	if n := r.m.Next(); n.Result != nil {
		return n.Result.Result, n.Result.Message
	}
	return "", ""
}

// decisions lists the moves made: "1.2 -> 1: FAIL: RETRY 2 CONTINUE".
func (r *run) decisions() []string {
	var out []string
	for _, e := range r.events {
		d, ok := e.Body.(*machine.Decision)
		if !ok {
			continue
		}
		text := "by a person"
		if d.CandidateIndex != nil {
			text = d.Candidates[*d.CandidateIndex].Text
		}
		out = append(out, fmt.Sprintf("%s -> %s: %s", e.Step, d.To, text))
	}
	return out
}
