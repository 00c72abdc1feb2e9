package tui

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dlclark/regexp2/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/examples"
	"playhead/parse/plan"
	"playhead/tui/layout"
	"playhead/tui/pane"
	"playhead/tui/pane/why"
)

// TestRunsAreFolds: after random actions, the journal of a run folds to the state of the run, and a screen that reads
// it shows the same. Undo and redo lead back, and a fork does not change its run; -rapid.checks sets how many runs of
// each example are tried.
func TestRunsAreFolds(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		_ = flag.Set("rapid.checks", "2")
		_ = flag.Set("rapid.seed", "7") // the same two runs each time; -rapid.checks 100 tries others
		defer flag.Set("rapid.checks", checks.DefValue)
		defer flag.Set("rapid.seed", "0")
	}
	dir := t.TempDir()
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			x := loadExample(t, dir, name)
			now := time.Now()
			synctest.Test(t, func(t *testing.T) {
				// The highlighter's clock stops only after it was started.
				time.Sleep(time.Until(now))
				defer regexp2.StopTimeoutClock()                        // else its goroutine outlives the bubble
				rapid.Check(struct{ testing.TB }{t}, func(t *rapid.T) { // hides Deadline, which is not in bubble time
					time.Sleep(50 * time.Millisecond) // lets bubble time pass, because rapid stops shrinking by time
					p := x.play(t, rapid.SampledFrom(x.scenarios).Draw(t, "scenario"), "")
					defer x.forget()
					defer p.close() // closes the run even after a failure
					p.performRandomActions(rapid.IntRange(1, 10).Draw(t, "deeds"))
					p.backAndForth()
					p.requireIndependentFork()
					p.requireResumable()
				})
			})
		})
	}
}

// performRandomActions performs n random actions on the run, and compares the run with its journal after each. A
// refused action changes nothing.
func (p *exampleRun) performRandomActions(n int) {
	deeds := map[string]func() error{
		"go": func() error {
			return p.s.Continue(rapid.SampledFrom([]engine.Mode{engine.Continue, engine.PauseNext, engine.StepInto, engine.StepOver}).Draw(p.T, "mode"), "")
		},
		"answer": p.answer, "answer again": p.answer, "and again": p.answer,
		"force": func() error {
			return p.s.OverrideCurrent(rapid.SampledFrom([]plan.Result{plan.Passed, plan.Failed, plan.Skipped}).Draw(p.T, "result"), "by chance")
		},
		"retry": func() error { return p.s.Retry("") },
		"jump":  func() error { return p.s.Jump("/"+p.step().ID, "") },
		"set":   func() error { return p.s.SetVariable(p.variable(), p.text()) },
		"edit": func() error {
			s := p.step()
			return p.s.EditAction(s.ID, rapid.IntRange(0, len(s.Actions)).Draw(p.T, "action"), p.text())
		},
		"what if": p.instead,
		"rewind":  func() error { return p.s.Rewind(p.event()) },
		"rerun":   p.rerun,
		"undo":    p.s.Undo,
		"redo":    p.s.Redo,
		"break": func() error {
			return p.s.SetBreakpoints([]engine.Breakpoint{{Step: p.step().ID, After: rapid.Bool().Draw(p.T, "after")}})
		},
		"source": func() error {
			return p.s.ChooseReplySource(rapid.SampledFrom([]string{model.ManualReplySource, "recording"}).Draw(p.T, "source"))
		},
		"by hand": func() error { return p.s.TakeOverReply(rapid.Bool().Draw(p.T, "yes")) },
		"end":     func() error { return p.s.EndRun(plan.Stopped, "enough") },
	}
	names := slices.Sorted(maps.Keys(deeds))
	for range n {
		name := rapid.SampledFrom(names).Draw(p.T, "deed")
		if err := deeds[name](); err != nil {
			p.Logf("%s: %v", name, err)
		}
		p.sync()
		p.requireFold()
	}
}

// answer answers the open question, or continues the run if there is none.
func (p *exampleRun) answer() error {
	q := p.status.Question
	if q == nil {
		return p.s.Continue(engine.Continue, "")
	}
	if q.ManualReplyForm.Fields != nil {
		fields := make([]string, len(q.ManualReplyForm.Fields))
		for i := range fields {
			fields[i] = p.text()
		}
		return p.s.Answer(machine.Answer{Fields: fields, By: machine.ByPerson})
	}
	return p.s.Answer(machine.Answer{Value: rapid.SampledFrom(append(slices.Clone(q.Options), p.replies(q.Action.StepLabel)...)).Draw(p.T, "answer"), By: machine.ByPerson})
}

// replies returns possible replies to the question of a step.
func (p *exampleRun) replies(label string) []string {
	out := []string{"yes", "pass", "words of a person"}
	for _, s := range append(p.scenarios, p.scenarios[0]) {
		for _, r := range s.Replies.Replies.ByCallKey[label] {
			out = append(out, r.Text)
		}
	}
	return out
}

func (p *exampleRun) instead() error {
	c := machine.WhatIfChange{Variable: p.variable(), Value: p.text()}
	switch rapid.IntRange(0, 2).Draw(p.T, "what") {
	case 0:
		c = machine.WhatIfChange{Result: rapid.SampledFrom([]plan.Result{plan.Passed, plan.Failed}).Draw(p.T, "result")}
	case 1:
		text := p.text()
		c = machine.WhatIfChange{Reply: &text}
	}
	return p.s.RewindAndChange(p.event(), c)
}

// rerun runs a random earlier step again, as the screen does.
func (p *exampleRun) rerun() error {
	r := p.m.timeline.LiveTrack.RowByLabel(rapid.SampledFrom(append([]string{""}, p.m.timeline.LiveTrack.EnteredStepLabels()...)).Draw(p.T, "rerun"))
	if r == nil || r.NewestStepAttempt() == nil {
		return p.s.Continue(engine.Continue, "")
	}
	return control.FindAction("rerun").Do(p.m.conn.session, p.m.controlRunView(), control.Args{Row: r})
}

func (p *exampleRun) event() int { return rapid.IntRange(1, len(p.stored())).Draw(p.T, "event") }

func (p *exampleRun) text() string {
	return rapid.SampledFrom([]string{"low", "high", "12", `{"severity": "high"}`, "two\nlines", ""}).Draw(p.T, "text")
}

func (p *exampleRun) variable() string {
	names := []string{"x"}
	for _, v := range p.m.timeline.LiveTrack.Variables {
		names = append(names, v.Name)
	}
	return rapid.SampledFrom(names).Draw(p.T, "variable")
}

func (p *exampleRun) step() *plan.Step {
	var ids []string
	steps := map[string]*plan.Step{}
	p.plan.Walk(func(s, _ *plan.Step) bool {
		ids, steps[s.ID] = append(ids, s.ID), s
		return true
	})
	return steps[rapid.SampledFrom(ids).Draw(p.T, "step")]
}

// requireFold fails unless the path, the next event and the screen of the run are those of its folded journal.
func (p *exampleRun) requireFold() {
	all, folded := p.stored(), machine.New(p.plan, machine.Options{})
	for _, e := range machine.LiveBranch(all) {
		p.must(folded.Apply(e))
	}
	if d := gocmp.Diff(p.m.timeline.LiveTrack.EnteredStepLabels(), folded.EnteredStepLabels()); d != "" && len(folded.EnteredStepLabels()) > 0 {
		p.Fatalf("the path differs from the path of the folded journal: %s", d)
	}
	next := folded.Next()
	switch q := p.status.Question; {
	case p.status.State == engine.Over && folded.Result() == nil:
		p.Fatal("the run is over, but its folded journal is not")
	case p.status.State == engine.Paused && p.status.NextEvent != nil && p.journalText(p.status.NextEvent) != p.journalText(next.Event):
		p.Fatalf("the run is paused before %+v, its folded journal is before %+v", p.status.NextEvent.Body, next.Event.Body)
	case q != nil && q.Kind != machine.KindReply && (next.Question == nil || next.Question.Action != q.Action):
		p.Fatalf("the run asks about %v, its folded journal does not", q.Action)
	}
	p.requireSameScreen("as it is read again", p.m, p.replayed(all))
}

// journalText returns an event as JSON, because numbers that were read from a journal have other types.
func (p *exampleRun) journalText(e *machine.Event) string {
	line, err := json.Marshal(e.Body)
	p.must(err)
	return string(line)
}

// requireSameScreen fails unless two screens are equal, and their lists of values and events too.
func (p *exampleRun) requireSameScreen(what string, got, want *Model) {
	p.Helper()
	for _, m := range []*Model{got, want} { // growing output may have moved borders, so both screens are laid out again
		m.screen.Layout = layout.Layout{W: m.screen.Layout.W, H: m.screen.Layout.H}
		m.screen.Reflow()
		m.syncScreen()
	}
	if d := gocmp.Diff(want.View().Content, got.View().Content); d != "" {
		p.Fatalf("the screen is not the one %s (-want +got):\n%s", what, d)
	}
	for _, sheet := range []string{"values", "timeline"} {
		if d := gocmp.Diff(sheetLines(want, sheet), sheetLines(got, sheet)); d != "" {
			p.Fatalf("WHY is not the one %s (-want +got):\n%s", what, d)
		}
	}
}

// sheetLines returns the lines of WHY while it shows a sheet: the values or the timeline.
func sheetLines(m *Model, sheet string) []string {
	p, run := why.New(), m.runView()
	p.Resize(layout.Rect{W: 100, H: 40})
	p.Sync(run, true)
	p.Update(run, pane.Action{Name: sheet})
	return p.View(run)
}

// liveBranchSeqs returns the sequence numbers of the live branch. It leaves out the start of an action at the end,
// because that event is repeated after a rewind.
func (p *exampleRun) liveBranchSeqs() []int {
	all := machine.LiveBranch(p.stored())
	for len(all) > 0 {
		if _, begun := all[len(all)-1].Body.(*machine.ActionStarted); !begun {
			break
		}
		all = all[:len(all)-1]
	}
	out := make([]int, len(all))
	for i, e := range all {
		out[i] = e.Seq
	}
	return out
}

// backAndForth rewinds the run, then redoes and undoes, and fails unless each leads to the right events.
func (p *exampleRun) backAndForth() {
	was, path := p.liveBranchSeqs(), p.m.timeline.LiveTrack.EnteredStepLabels()
	if to := p.event(); rapid.Bool().Draw(p.T, "edits stay") {
		if err := p.s.RerunFrom(to, engine.PauseNext); err != nil {
			p.Logf("an edit is lost: %v", err)
		}
	} else {
		p.must(p.s.Rewind(to))
	}
	p.sync()
	there := p.liveBranchSeqs()
	p.must(p.s.Redo())
	p.sync()
	p.requirePosition("after rewind and redo", was)
	p.must(p.s.Undo())
	p.sync()
	p.requirePosition("after the undo of that", there)
	p.must(p.s.Undo())
	p.sync()
	p.requirePosition("after the undo of the rewind", was)
	if p.s.Undo() == nil {
		p.must(p.s.Redo())
		p.sync()
		p.requirePosition("after undo and redo", was)
	}
	if d := gocmp.Diff(path, p.m.timeline.LiveTrack.EnteredStepLabels()); d != "" && len(path) > 0 {
		p.Fatalf("the path has changed: %s", d)
	}
	p.requireFold()
}

func (p *exampleRun) requirePosition(when string, want []int) {
	p.Helper()
	if got := p.liveBranchSeqs(); !slices.Equal(got, want) {
		p.Fatalf("%s the run is at %v, want %v", when, got, want)
	}
}

// requireIndependentFork forks the run, and fails if actions on the fork change the run.
func (p *exampleRun) requireIndependentFork() {
	files, shows, at := p.files(), p.replayed(p.stored()), p.event()
	id, err := p.store.Fork(p.run.ID(), at, time.Unix(0, 0))
	p.must(err)
	fork := p.example.play(p.T, p.scenarios[0], id)
	defer fork.close()
	fork.requirePath(pathOf(machine.BranchTo(p.stored(), at)))
	fork.performRandomActions(2)
	fork.close()
	if d := gocmp.Diff(files, p.files()); d != "" {
		p.Fatalf("the fork has changed the run:\n%s", d)
	}
	p.requireSameScreen("before the fork", p.replayed(p.stored()), shows)
}

// requirePath fails unless the path of the run begins with the given one.
func (p *exampleRun) requirePath(path []string) {
	p.Helper()
	if got := p.m.timeline.LiveTrack.EnteredStepLabels(); len(got) < len(path) || !slices.Equal(got[:len(path)], path) {
		p.Fatalf("the path is %v, which does not begin with %v", got, path)
	}
}

func pathOf(events []machine.Event) []string {
	var out []string
	for _, e := range events {
		if _, unit := e.Body.(*machine.StepEntered); unit {
			out = append(out, e.Step)
		}
	}
	return out
}

// files returns the contents of the files in the run's folder, by path.
func (p *exampleRun) files() map[string]string {
	dir := filepath.Join(p.dir, "runs", p.run.ID())
	out := map[string]string{}
	p.must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%d bytes: %s", len(data), bytes.TrimSpace(data))
		return err
	}))
	return out
}

// requireResumable closes and resumes the run, and fails unless the resumed run continues the same path.
func (p *exampleRun) requireResumable() {
	was := p.m.timeline.LiveTrack.EnteredStepLabels()
	p.close()
	again := p.example.play(p.T, p.scenarios[0], p.run.ID())
	defer again.close()
	again.requirePath(was)
	again.requireFold()
}
