package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/testscale"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// wanderDocument has groups, retries and questions. Each of its commands appends a different word to the file "ran".
const wanderDocument = `# Wander
## 1. Build
` + "```bash\necho build >> ran\n```" + `
- PASS: CONTINUE
- FAIL: RETRY 1 GOTO 4
## 2. Check
- PASS ALL: CONTINUE
- FAIL ANY: GOTO 4
### 2.1 Lint
` + "```bash\necho lint >> ran\n```" + `
- PASS: CONTINUE
- FAIL: RETRY 1 CONTINUE
### 2.2 Ask
Is it checked?
- PASS: CONTINUE
- FAIL: RETRY 2 STOP
## 3. Publish
` + "```bash\necho publish >> ran; false\n```" + `
- PASS: COMPLETE
- FAIL: RETRY 1 CONTINUE
## 4. Clean
Is it clean?
- PASS: CONTINUE
- FAIL: GOTO 1
## 5. Leave
` + "```bash\necho leave >> ran\n```" + `
`

// wanderer steers a run with random actions of a person.
type wanderer struct {
	*live
	*rand.Rand
	v    *versions
	log  []string // the actions so far
	next int      // the number of the last new text
}

// TestReloadHolds: after any steps, edits, reloads and rewinds, reloading an unchanged document changes nothing. No
// finished command runs again unasked, and the journal folds to the live state.
func TestReloadHolds(t *testing.T) {
	for seed := range 60 / testscale.Divisor {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, wanderDocument)
			v := &versions{f: f, text: wanderDocument, plans: map[string]*plan.Plan{"": f.plan}}
			s := f.session("", func(c *engine.Config) {
				c.Headless, c.VersionLoader, c.Mode, v.run = false, v, engine.PauseNext, c.Run
			})
			w := &wanderer{live: steer(t, s), Rand: rand.New(rand.NewPCG(1, uint64(seed))), v: v}
			defer func() {
				if t.Failed() {
					t.Log(strings.Join(w.log, "\n"))
				}
			}()
			w.settle()
			for range 40 {
				w.act()
			}
		})
	}
}

func (w *wanderer) did(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// settle waits until the run pauses, waits or is over.
func (w *wanderer) settle() {
	w.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		if _, err := w.s.CloneMachine(); err != nil { // waits until the session is between two events, so the status is new
			w.t.Fatal(err)
		}
		u := w.w.Take()
		if u.IsRestarted {
			w.all = nil
		}
		w.all = append(w.all, u.Events...)
		w.last = u.Status
		if w.last.Err != nil {
			w.t.Fatal(w.last.Err)
		}
		if w.last.State != engine.Running {
			return
		}
		select {
		case <-w.w.Changed():
		case <-deadline:
			w.t.Fatalf("the run does not settle: %+v", w.last)
		}
	}
}

// ran returns the words that the commands have written.
func (w *wanderer) ran() []string {
	data, err := os.ReadFile(filepath.Join(w.v.f.dir, "ran"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// act does one random action and checks the invariants.
func (w *wanderer) act() {
	w.t.Helper()
	before := w.ran()
	steps := false
	switch w.IntN(10) {
	case 0, 1, 2, 3:
		steps = true
		w.step()
	case 4:
		w.amend()
	case 5:
		w.editSteps()
	case 6:
		w.reloadUnchanged()
	case 7:
		w.reloadChanged()
	case 8:
		to := 1 + w.IntN(len(w.journal()))
		w.did("rewind to %d: %v", to, w.s.Rewind(to))
	case 9:
		if w.IntN(3) == 0 {
			w.did("redo: %v", w.s.Redo())
		} else {
			w.did("undo: %v", w.s.Undo())
		}
	}
	w.settle()
	w.did("  %s %s, ran %v", w.last.State, w.position(), w.ran()[len(before):])
	if now := w.ran(); !steps && len(now) > len(before) {
		w.t.Fatalf("%v ran unasked", now[len(before):])
	}
	all := w.journal()
	w.checkFold(all)
	w.checkRepeats(all)
}

func (w *wanderer) position() string {
	switch {
	case w.last.NextEvent != nil:
		return w.last.NextEvent.Body.Type() + " " + w.last.NextEvent.Step
	case w.last.Question != nil:
		return w.last.Question.Kind + " " + w.last.Question.Action.StepLabel
	}
	return ""
}

func (w *wanderer) step() {
	q := w.last.Question
	if q == nil {
		w.did("step: %v", w.s.Continue(engine.StepOver, ""))
		return
	}
	answer := []string{"pass", "pass", "fail"}[w.IntN(3)]
	if len(q.Options) > 0 && !slices.Contains(q.Options, answer) {
		answer = q.Options[w.IntN(len(q.Options))]
	}
	w.did("answer %s: %v", answer, w.s.Answer(machine.Answer{Value: answer, By: machine.ByPerson}))
}

// steps returns the steps of the current version.
func (w *wanderer) steps() (out []*plan.Step) {
	m, err := w.s.CloneMachine()
	w.must(err)
	m.Plan().Walk(func(s, _ *plan.Step) bool {
		out = append(out, s)
		return true
	})
	return out
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// amend edits a rule and reloads, in half of the cases at an earlier decision.
func (w *wanderer) amend() {
	s := pick(w.Rand, w.steps())
	m, err := w.s.CloneMachine()
	w.must(err)
	rules := m.Plan().RulesOf(s)
	if len(rules) == 0 {
		return
	}
	ref := rewrite.RuleRef{StepID: s.ID, RuleIndex: w.IntN(len(rules))}
	_, old, err := ref.Text(m.Plan())
	if err != nil {
		w.did("rule of %s: %v", s.ID, err)
		return
	}
	condition, _, _ := strings.Cut(old, ":")
	text := condition + ": " + pick(w.Rand, []string{"CONTINUE", "GOTO 1", "GOTO 3", "STOP", "RETRY 2 CONTINUE"})
	o, err := w.s.EditRule(ref, text)
	if err != nil || o.Err() != nil {
		w.did("amend %s %q: %v", s.ID, text, err)
		return
	}
	decisions := slices.DeleteFunc(w.journal(), func(e machine.Event) bool {
		d, is := e.Body.(*machine.Decision)
		return !is || d.ByPerson
	})
	if len(decisions) > 0 && w.IntN(2) == 0 {
		e := pick(w.Rand, decisions)
		w.did("amend %s %q at %d: %v", s.ID, text, e.Seq, w.s.ReloadAt(o, e.Seq, engine.ReloadChoice{AllowCommands: true}))
		return
	}
	w.did("amend %s %q: %v", s.ID, text, w.reload(o))
}

// reload continues with a version. It picks a random step to continue at if the version has no place for the run.
func (w *wanderer) reload(o *engine.ReloadOffer) error {
	c := engine.ReloadChoice{AllowCommands: true}
	if o.NoPlaceError != nil {
		c.TargetStep = pick(w.Rand, o.Plan.StepIDs())
		w.did("  continue at %s", c.TargetStep)
	} else if o.FirstChangedSeq > 0 && w.IntN(3) == 0 {
		c.RewindTo = o.FirstChangedSeq - 1
		w.did("  rewind to %d", c.RewindTo)
	}
	return w.s.Reload(o, c)
}

func (w *wanderer) editSteps() {
	all := w.steps()
	w.next++
	e := plan.StepEdit{
		Verb: pick(w.Rand, []plan.StepVerb{plan.InsertStep, plan.DuplicateStep, plan.RemoveStep, plan.MoveStep}),
		Step: pick(w.Rand, all).ID, OtherStep: pick(w.Rand, all).ID, After: w.IntN(2) == 0,
		Text: fmt.Sprintf("New %d\n```bash\necho new-%d >> ran\n```", w.next, w.next),
	}
	o, err := w.s.EditSteps(e)
	if err != nil || o.Err() != nil || o.NoPlaceError != nil {
		w.did("%s %s: %v", e.Verb, e.Step, err)
		return
	}
	w.did("%s %s %s: %v", e.Verb, e.Step, e.OtherStep, w.s.Reload(o, engine.ReloadChoice{}))
}

// reloadUnchanged reloads the text of the current version and checks that the state stays the same.
func (w *wanderer) reloadUnchanged() {
	before, err := w.s.CloneMachine()
	w.must(err)
	w.v.text = string(before.Plan().Source)
	o := w.saved()
	if !o.IsUnchanged() || len(o.CommandsToAllow) > 0 || o.NoPlaceError != nil || o.FirstChangedSeq != 0 {
		w.t.Fatalf("an unchanged document: %s, %+v", o.Match.Summary(), o)
	}
	status := w.last
	err = w.s.Reload(o, engine.ReloadChoice{})
	w.did("reload unchanged: %v", err)
	w.settle()
	after, e := w.s.CloneMachine()
	w.must(e)
	if d := differ(before, after); err != nil || d != "" {
		w.t.Fatalf("an unchanged document changes the run: %v\n%s", err, d)
	}
	if status.State != w.last.State {
		w.t.Fatalf("the run was %s and is %s", status.State, w.last.State)
	}
}

// reloadChanged saves a changed text of the current version and reloads it.
func (w *wanderer) reloadChanged() {
	m, err := w.s.CloneMachine()
	w.must(err)
	lines := strings.SplitAfter(string(m.Plan().Source), "\n")
	w.next++
	for range 20 {
		i := w.IntN(len(lines))
		text := slices.Clone(lines)
		switch line := lines[i]; {
		case strings.HasPrefix(line, "echo "):
			text[i] = fmt.Sprintf("echo changed-%d >> ran\n", w.next)
		case strings.HasPrefix(line, "Is it "):
			text[i] = fmt.Sprintf("Is it %d?\n", w.next)
		case strings.HasPrefix(line, "- FAIL:"):
			text[i] = "- FAIL: " + pick(w.Rand, []string{"CONTINUE", "STOP", "RETRY 3 GOTO 2"}) + "\n"
		case strings.HasPrefix(line, "## "):
			_, title, _ := strings.Cut(line, ". ")
			text[i] = strings.Replace(line, title, fmt.Sprintf("Renamed %d\n", w.next), 1)
		default:
			continue
		}
		w.v.text = strings.Join(text, "")
		break
	}
	o := w.saved()
	if err := o.Err(); err != nil {
		w.did("saved: %v", err)
		return
	}
	w.did("reload %q: %v", o.Match.Summary(), w.reload(o))
}

// journal returns the events of the run on disk, and lets each reload load its version.
func (w *wanderer) journal() []machine.Event {
	w.t.Helper()
	h, err := journal.ReadHistory(w.v.run.Folder)
	w.must(err)
	for _, e := range h.Events {
		if b, is := e.Body.(*machine.DocumentReloaded); is {
			p := w.v.plans[b.Snapshot]
			b.Load = func() (*plan.Plan, error) { return p, nil }
		}
	}
	return h.Events
}

// checkFold compares the live state, and what a watcher has folded, with a fold of the complete journal.
func (w *wanderer) checkFold(all []machine.Event) {
	w.t.Helper()
	live, err := w.s.CloneMachine()
	w.must(err)
	m := machine.New(w.v.f.plan, machine.Options{})
	for _, e := range machine.LiveBranch(all) {
		w.must(m.Apply(e))
	}
	if d := differ(m, live); d != "" {
		w.t.Fatalf("the journal folds to another state:\n%s", d)
	}
	seen, recorded := track.New(w.v.f.plan), track.New(w.v.f.plan)
	for _, e := range w.all {
		seen.Fold(e)
	}
	recorded.Fold(machine.BranchWithRewinds(all)...)
	if d := differ(recorded, seen); d != "" {
		w.t.Fatalf("the journal shows another run:\n%s", d)
	}
}

// checkRepeats makes sure that no visit of a step ran a command that it had finished already.
func (w *wanderer) checkRepeats(all []machine.Event) {
	w.t.Helper()
	var done []string
	text, attempt := "", 0
	for _, e := range machine.LiveBranch(all) {
		if e.Attempt != attempt {
			done, attempt = nil, e.Attempt
		}
		switch b := e.Body.(type) {
		case *machine.StepEntered:
			done = nil
		case *machine.ActionStarted:
			if text = b.Text; slices.Contains(done, text) {
				w.t.Fatalf("event %d: %q runs again in the same visit of %s", e.Seq, text, e.Step)
			}
		case *machine.ActionFinished:
			done = append(done, text)
		}
	}
}
