package compare

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// walk runs a document without a clock, a journal or a shell.
type walk struct {
	t      *testing.T
	m      *machine.Machine
	plan   *plan.Plan
	events []machine.Event
}

// walked returns a run of p with these texts in turn: "exit" with a status, "goto", "again", "force" and "set" as
// actions of a person, any other text as a model's reply or a person's answer.
func walked(t *testing.T, p *plan.Plan, inputs map[string]any, said ...string) Side {
	t.Helper()
	return starting(t, p, inputs).say(said...).side("aaaa")
}

func starting(t *testing.T, p *plan.Plan, inputs map[string]any) *walk {
	t.Helper()
	w := &walk{t: t, m: machine.New(p, machine.Options{}), plan: p}
	e := *w.m.Next().Event
	e.Body.(*machine.RunStarted).Inputs = inputs
	w.apply(e)
	w.settle()
	return w
}

func (w *walk) side(run string) Side { return Side{RunID: run, Plan: w.plan, Events: w.events} }

func (w *walk) apply(e machine.Event) {
	w.t.Helper()
	e.Seq = len(w.events) + 1
	e.Time = time.Unix(int64(e.Seq), 0)
	if err := w.m.Apply(e); err != nil {
		w.t.Fatalf("event %d: %v", e.Seq, err)
	}
	w.events = append(w.events, e)
}

func (w *walk) settle() machine.Next {
	w.t.Helper()
	for {
		n := w.m.Next()
		if n.Event == nil {
			return n
		}
		w.apply(*n.Event)
	}
}

func (w *walk) say(said ...string) *walk {
	w.t.Helper()
	for _, text := range said {
		e, err := w.event(text)
		if err != nil {
			w.t.Fatalf("%s: %v; the last event is %+v", text, err, w.events[len(w.events)-1].Body)
		}
		w.apply(e)
		w.settle()
	}
	return w
}

func (w *walk) event(text string) (machine.Event, error) {
	verb, arg, _ := strings.Cut(text, " ")
	switch verb {
	case "goto":
		return w.m.JumpEvent(arg, "by test")
	case "again":
		return w.m.RetryEvent("by test")
	case "force":
		return w.m.OverrideEvent(plan.Result(arg), "by test")
	case "set":
		name, value, _ := strings.Cut(arg, "=")
		return w.m.SetVariableEvent(name, value)
	case "exit":
		var code int
		fmt.Sscan(arg, &code)
		return w.m.ResultEvent(plan.Product{ExitCode: code, Text: "prints " + arg + "\n"}), nil
	}
	if w.settle().Effect != nil {
		return w.m.ResultEvent(plan.Product{Text: text}), nil
	}
	return w.m.AnswerEvent(machine.Answer{Value: text, By: machine.ByPerson})
}

func runbook(doc string) *plan.Plan {
	return rundown.Parse("a.runbook.md", []byte(doc), rundown.Options{})
}

// example returns a document that comes with Playhead.
func example(t *testing.T, path string, flags map[string][]string) *plan.Plan {
	t.Helper()
	p := parse.Load("../../examples/"+path, parse.Options{Flags: flags})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

// sketch prints one line per pair, and ~~~ where the runs diverge.
func sketch(c *Comparison) string {
	var b strings.Builder
	for i, p := range c.Pairs {
		if c.Divergence != nil && c.Divergence.CommonPairCount == i {
			b.WriteString("~~~\n")
		}
		switch {
		case p.A == nil:
			fmt.Fprintf(&b, "+ %s\n", p.B.Step)
		case p.B == nil:
			fmt.Fprintf(&b, "- %s\n", p.A.Step)
		default:
			b.WriteString("= " + p.A.Step)
			if p.B.Step != p.A.Step {
				b.WriteString("|" + p.B.Step)
			}
			for _, d := range p.Differences {
				b.WriteString(" " + d.Aspect)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// fork records that this walk is a fork: its run ID is as, and it was forked from the run of at event at.
func (w *walk) fork(of, as string, at int) {
	w.apply(machine.Event{By: machine.ByPerson, Body: &machine.RunForked{FromRunID: of, FromSeq: at, NewRunID: as}})
}
