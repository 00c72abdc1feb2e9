package track

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// drive runs p to its end, or until the outcomes are used up: p passes, f fails. Each event takes a second.
func drive(t *testing.T, p *plan.Plan, outcomes string) (*Track, *machine.Machine) {
	t.Helper()
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run(outcomes)
	return d.track, d.m
}

type driver struct {
	t     *testing.T
	m     *machine.Machine
	track *Track
	seq   int

	events []machine.Event
}

func (d *driver) apply(e machine.Event) {
	d.t.Helper()
	d.seq++
	e.Seq, e.Time = d.seq, time.Unix(int64(d.seq), 0)
	if err := d.m.Apply(e); err != nil {
		d.t.Fatalf("event %d: %v", d.seq, err)
	}
	d.checkUpcoming(e, func() { d.track.Fold(e) })
	d.events = append(d.events, e)
}

func (d *driver) run(outcomes string) {
	d.t.Helper()
	for {
		next := d.m.Next()
		if next.Event != nil {
			d.apply(*next.Event)
			continue
		}
		if next.Result != nil || outcomes == "" {
			return
		}
		passed := outcomes[0] == 'p'
		outcomes = outcomes[1:]
		if next.Effect != nil {
			code := 1
			if passed {
				code = 0
			}
			d.apply(d.m.ResultEvent(plan.Product{ExitCode: code}))
			continue
		}
		value := map[bool]string{true: "pass", false: "fail"}[passed]
		e, err := d.m.AnswerEvent(machine.Answer{Value: value, By: machine.ByPerson})
		if err != nil {
			d.t.Fatal(err)
		}
		d.apply(e)
	}
}

func command(text string) []plan.Action {
	return []plan.Action{{Work: plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal(text)}}}
}

func decide() []plan.Action { return []plan.Action{{Work: plan.Decide{}}} }

func route(r plan.Result, m plan.Move) plan.Route {
	return plan.Route{When: plan.Matcher{Result: r}, Do: m}
}

func defaults() []plan.Route {
	return []plan.Route{
		route(plan.Passed, plan.Move{SourceText: "PASS: CONTINUE", Implicit: true}),
		route(plan.Failed, plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "FAIL: STOP", Implicit: true}),
	}
}

// release returns a document with a group that is retried, and a step that only a jump enters.
func release() *plan.Plan {
	fix := &plan.Step{ID: "Fix", Title: "Fix it", IsTargetOnly: true, Actions: decide(), Routes: []plan.Route{
		route(plan.Passed, plan.Move{Verb: plan.Goto, To: plan.Target{Step: "1"}, SourceText: "PASS: GOTO 1"}),
		route(plan.Failed, plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "FAIL: STOP"}),
	}}
	leave := []plan.Route{
		route(plan.Passed, plan.Move{Implicit: true}),
		route(plan.Failed, plan.Move{Verb: plan.LeaveGroup, Implicit: true}),
	}
	verify := &plan.Step{ID: "1", Title: "Verify", Children: []*plan.Step{
		{ID: "1.1", Title: "Unit", Actions: command("make test"), Routes: leave},
		{ID: "1.2", Title: "Lint", Actions: command("make lint"), Routes: leave},
	}, Routes: []plan.Route{
		route(plan.Passed, plan.Move{SourceText: "PASS ALL: CONTINUE"}),
		route(plan.Failed, plan.Move{Verb: plan.Goto, To: plan.Target{Step: "Fix"}, SourceText: "FAIL ANY: GOTO Fix"}),
	}}
	ship := &plan.Step{ID: "2", Title: "Ship", Actions: decide(), Routes: defaults()}
	return &plan.Plan{Title: "Release", Steps: []*plan.Step{verify, ship, fix}}
}

func instanceLabel(text string) plan.Prompt {
	var out plan.Text
	for i, part := range strings.Split(text, ".") {
		if i > 0 {
			out = append(out, plan.TextPiece{Literal: "."})
		}
		switch part {
		case "{N}":
			out = append(out, plan.TextPiece{Literal: part, TemplateStep: "{N}"})
		case "{n}":
			out = append(out, plan.TextPiece{Literal: part, TemplateStep: "{N}.{n}"})
		default:
			out = append(out, plan.TextPiece{Literal: part})
		}
	}
	return out
}

// batches returns a document of dynamic steps.
func batches() *plan.Plan {
	tenant := &plan.Step{
		ID: "{N}.{n}", Kind: "dynamic", Title: "Tenant", HasInstances: true, Label: instanceLabel("{N}.{n}"),
		Actions: command("./move"), Routes: []plan.Route{
			route(plan.Passed, plan.Move{Verb: plan.Goto, To: plan.Target{Step: "{N}.{n}", IsNextInstance: true}, SourceText: "PASS: GOTO NEXT"}),
			route(plan.Failed, plan.Move{Verb: plan.Goto, To: plan.Target{Step: "{N}", IsNextInstance: true}, SourceText: "FAIL: GOTO NEXT {N}"}),
		},
	}
	batch := &plan.Step{
		ID: "{N}", Kind: "dynamic", Title: "Batch", HasInstances: true, Label: instanceLabel("{N}"),
		Children: []*plan.Step{tenant},
		Routes:   []plan.Route{route("", plan.Move{Implicit: true})},
	}
	return &plan.Plan{Title: "Move", Steps: []*plan.Step{batch}}
}

// outline returns the tree as text: label and status, indented.
func outline(rows []*Row) string {
	var b strings.Builder
	var walk func([]*Row, string)
	walk = func(rows []*Row, indent string) {
		for _, r := range rows {
			if !r.IsHidden {
				fmt.Fprintf(&b, "%s%s %s\n", indent, r.Label, r.Status)
				walk(r.Children, indent+"  ")
			}
		}
	}
	walk(rows, "")
	return b.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	want = strings.ReplaceAll(strings.TrimPrefix(want, "\n"), "\t", "")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPendingBeforeTheRun(t *testing.T) {
	tr := New(release())
	same(t, outline(tr.Rows), `
1 pending
  1.1 pending
  1.2 pending
2 pending
Fix pending
`)
	if done, total := tr.Progress(); done != 0 || total != 3 {
		t.Errorf("progress %d of %d, want 0 of 3: a step aside does not count", done, total)
	}
}

func TestGroupGoneThroughAgain(t *testing.T) {
	tr, _ := drive(t, release(), "pf") // 1.2 fails: Fix waits
	same(t, outline(tr.Rows), `
1 failed
  1.1 passed
  1.2 failed
2 pending
Fix waiting
`)
	tr, _ = drive(t, release(), "pfp") // Fix passes: 1 begins anew
	same(t, outline(tr.Rows), `
1 running
  1.1 running
  1.2 pending
2 pending
Fix passed
`)
	if n := len(tr.RowByLabel("1.1").StepAttempts); n != 2 {
		t.Errorf("1.1 has %d visits, want 2", n)
	}
	if got := strings.Join(tr.EnteredStepLabels(), " "); got != "1.1 1.2 Fix 1.1" {
		t.Errorf("path %q", got)
	}
}

func TestInstances(t *testing.T) {
	tr, _ := drive(t, batches(), "ppfp")
	same(t, outline(tr.Rows), `
1 left
  1.1 passed
  1.2 passed
  1.3 failed
2 running
  2.1 passed
  2.2 running
`)
	if r := tr.RowByLabel("1.2"); r.Scopeless() {
		t.Error("1.2 has no numbers")
	}
	if tr.RowByLabel("1").IsLatestInstance() || !tr.RowByLabel("2").IsLatestInstance() {
		t.Error("a jump to {N} leads to 2")
	}
	if done, total := tr.Progress(); done != 4 || total != 5 {
		t.Errorf("progress %d of %d, want 4 of 5", done, total)
	}
}

// Scopeless reports whether a row has no instance numbers.
func (row *Row) Scopeless() bool { return len(row.instanceNumbers) == 0 }

func including() *plan.Plan {
	child := release()
	checks := &plan.Step{ID: "1", Title: "Checks", Routes: defaults(), Actions: []plan.Action{
		{Work: plan.Include{DocumentPaths: []string{"rel.runbook.md", "gone.runbook.md"}, Join: plan.JoinAny}},
	}}
	return &plan.Plan{Title: "Parent", Steps: []*plan.Step{checks, {ID: "2", Actions: decide(), Routes: defaults()}},
		IncludedDocuments: []plan.IncludedDocument{{WrittenPath: "rel.runbook.md", Name: "rel", Plan: child}, {WrittenPath: "gone.runbook.md", Name: "gone", LoadProblem: "no such file"}}}
}

func TestIncludedDocument(t *testing.T) {
	tr, _ := drive(t, including(), "pp")
	same(t, outline(tr.Rows), `
1 running
  1/rel running
    1/rel/1 passed
      1/rel/1.1 passed
      1/rel/1.2 passed
    1/rel/2 waiting
    1/rel/Fix pending
  1/gone pending
2 pending
`)
	if got := tr.RowByLabel("1/rel/1.1").JumpTarget(); got != "1/rel/1.1" {
		t.Errorf("target %q", got)
	}
	tr, _ = drive(t, including(), "ppp")
	same(t, outline(tr.Rows), `
1 passed
  1/rel passed
    1/rel/1 passed
      1/rel/1.1 passed
      1/rel/1.2 passed
    1/rel/2 passed
    1/rel/Fix pending
  1/gone failed
2 waiting
`)
	if m := tr.RowByLabel("1/gone").EndMessage; !strings.Contains(m, "no such file") {
		t.Errorf("message %q", m)
	}
}

// TestTheTotalStaysWhenADocumentOpens: the steps of an included document count from the start, so the total stays the
// same when it is expanded.
func TestTheTotalStaysWhenADocumentOpens(t *testing.T) {
	tr := New(including())
	if _, total := tr.Progress(); total != 5 {
		t.Errorf("at first %d steps, want 5: two, and three of the document", total)
	}
	tr.ExpandDocument(tr.RowByLabel("1/rel"))
	if _, total := tr.Progress(); total != 5 {
		t.Errorf("opened %d steps, want 5", total)
	}
	tr, _ = drive(t, including(), "ppp")
	if done, total := tr.Progress(); done != 4 || total != 5 {
		t.Errorf("%d of %d, want 4 of 5", done, total)
	}
}

// TestTotalWithoutNamedStep: the steps of a document that a named step includes do not count before the run enters that
// step.
func TestTotalWithoutNamedStep(t *testing.T) {
	p := including()
	p.Steps[0].IsTargetOnly = true
	tr := New(p)
	if _, total := tr.Progress(); total != 1 {
		t.Errorf("at first %d steps, want 1", total)
	}
	tr.ExpandDocument(tr.RowByLabel("1/rel"))
	if _, total := tr.Progress(); total != 1 {
		t.Errorf("opened %d steps, want 1", total)
	}
}

// TestVisitText: a visit is named by its step, and by its number and that of the attempt if there are several.
func TestVisitText(t *testing.T) {
	entered := func(seq, attempt int) *Attempt { return &Attempt{EntrySeq: seq, Number: attempt} }
	for _, c := range []struct {
		visits []*Attempt
		seq    int
		want   string
	}{
		{nil, 9, "step 2"},
		{[]*Attempt{entered(3, 1)}, 4, "step 2"},
		{[]*Attempt{entered(3, 1), entered(6, 2)}, 5, "step 2, attempt 1"},
		{[]*Attempt{entered(3, 1), entered(6, 2), entered(9, 1)}, 7, "step 2, visit 1, attempt 2"},
		{[]*Attempt{entered(3, 1), entered(6, 2), entered(9, 1)}, 9, "step 2, visit 2"},
	} {
		tr := New(release())
		tr.RowByLabel("2").StepAttempts = c.visits
		if got := tr.VisitText("2", c.seq); got != c.want {
			t.Errorf("%d visits, event %d: %q, want %q", len(c.visits), c.seq, got, c.want)
		}
	}
}

// TestRerunIsInProgress: a cancelled command that runs again counts as running, without its earlier log, and its clock
// starts anew.
func TestRerunIsInProgress(t *testing.T) {
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: command("sleep 9"), Routes: defaults()}}}
	d := &driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	e := d.m.ResultEvent(plan.Product{Cancelled: true})
	e.Body.(*machine.ActionFinished).Log = &machine.LogRef{File: "3.log", Bytes: 9}
	d.apply(e)
	d.run("")
	if r := d.track.RowByLabel("1"); r.Status != Waiting || r.ShownAction().Log == nil {
		t.Fatalf("%s, %+v", r.Status, r.ShownAction())
	}
	rerun, err := d.m.AnswerEvent(machine.Answer{Value: "rerun", By: machine.ByPerson})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(rerun)
	d.run("")
	r := d.track.RowByLabel("1")
	if a := r.ShownAction(); r.Status != Running || a.IsDone || a.Log != nil {
		t.Errorf("%s, %+v", r.Status, a)
	}
	if took, want := r.Elapsed(d.track.LastEventTime), d.track.LastEventTime.Sub(r.ShownAction().StartedAt); took != want {
		t.Errorf("the clock shows %v, the command has run for %v", took, want)
	}
}

// TestAbsenceIsNoRunTime: the active time of a run does not include the time in which it was left or over.
func TestAbsenceIsNoRunTime(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tr := New(&plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: command("make")}}})
	cut := &machine.ActionFinished{Kind: "command", Outcome: &plan.Outcome{Source: "cancelled"}}
	for _, x := range []struct {
		seconds int
		body    machine.Body
		want    time.Duration
	}{
		{0, &machine.RunStarted{}, 0},
		{1, &machine.StepEntered{}, time.Second},
		{2, &machine.ActionStarted{Kind: "command"}, 2 * time.Second},
		{100, cut, 100 * time.Second},
		{101, &machine.RunResumed{}, 2 * time.Second},
		{102, &machine.InputNeeded{}, 3 * time.Second},
		{103, &machine.RunFinished{Result: plan.Awaiting}, 4 * time.Second},
		{200, &machine.RunResumed{}, 4 * time.Second},
		{201, &machine.InputGiven{}, 5 * time.Second},
		{202, &machine.RunFinished{Result: plan.Stopped}, 6 * time.Second},
		{300, &machine.InputNeeded{}, 6 * time.Second},
		{301, &machine.RunFinished{Result: plan.Stopped, FirstEnded: at.Add(202 * time.Second)}, 6 * time.Second},
	} {
		tr.Fold(machine.Event{Step: "1", Time: at.Add(time.Duration(x.seconds) * time.Second), Body: x.body})
		if got := tr.ActiveTime(tr.LastEventTime); got != x.want {
			t.Errorf("after %d s, at %s, the run has taken %v, want %v", x.seconds, x.body.Type(), got, x.want)
		}
	}
}

// TestInactiveTimeAcrossRewinds: across rewinds and undos, the active time does not include the time in which the run
// was left or over, and counts no time twice.
func TestInactiveTimeAcrossRewinds(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var journal []machine.Event
	for _, x := range []struct {
		seconds int
		body    machine.Body
		want    int // the active time, in seconds
	}{
		{0, &machine.RunStarted{}, 0},
		{1, &machine.StepEntered{}, 1},
		{2, &machine.InputGiven{}, 2},
		{3, &machine.RunFinished{Result: plan.Awaiting}, 3},
		{100, &machine.RunResumed{}, 3},
		{101, &machine.InputGiven{}, 4},
		{102, &machine.RunRewound{ToSeq: 2}, 5},
		{103, &machine.InputGiven{}, 6},
		{104, &machine.RunFinished{Result: plan.Completed}, 7},
		{200, &machine.RunRewound{ToSeq: 6, Redo: true}, 7},
		{201, &machine.InputGiven{}, 8},
		{202, &machine.RunFinished{Result: plan.Completed}, 9},
		{300, &machine.RunRewound{ToSeq: 1}, 9},
		{301, &machine.RunRewound{ToSeq: 12}, 9},  // up to the end of the run, which shows again
		{302, &machine.RunRewound{ToSeq: 11}, 10}, // without the second in which the run was over again
		{303, &machine.RunForked{}, 10},
		{400, &machine.RunResumed{}, 10},
		{401, &machine.RunRewound{ToSeq: 8}, 11},
		{402, &machine.RunRewound{ToSeq: 11}, 12},
	} {
		e := machine.Event{Seq: len(journal) + 1, Step: "1", Time: at.Add(time.Duration(x.seconds) * time.Second), Body: x.body}
		if b, back := x.body.(*machine.RunRewound); back {
			b.InactiveMS = AbandonedInactiveTime(e, journal).Milliseconds()
		}
		journal = append(journal, e)
		tr := New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}}})
		tr.Fold(machine.BranchWithRewinds(journal)...)
		if got, want := tr.ActiveTime(tr.LastEventTime), time.Duration(x.want)*time.Second; got != want {
			t.Errorf("after %d s, at %s, the run has taken %v, want %v", x.seconds, x.body.Type(), got, want)
		}
	}
}

// TestForkTimes: the active time of a fork does not include the time between the chosen event and the fork.
func TestForkTimes(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tr := New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}}})
	for _, x := range []struct {
		seconds int
		body    machine.Body
		want    time.Duration
	}{
		{0, &machine.RunStarted{}, 0},
		{1, &machine.StepEntered{}, time.Second},
		{3600, &machine.RunForked{}, time.Second},
		{3700, &machine.RunResumed{}, time.Second},
		{3702, &machine.RunFinished{Result: plan.Completed}, 3 * time.Second},
		{7200, &machine.RunForked{}, 3 * time.Second},
	} {
		tr.Fold(machine.Event{Step: "1", Time: at.Add(time.Duration(x.seconds) * time.Second), Body: x.body})
		if got := tr.Duration(); got != x.want {
			t.Errorf("after %d s, at %s, the duration is %v, want %v", x.seconds, x.body.Type(), got, x.want)
		}
		if got, want := tr.EndedAt(), at.Add(time.Duration(min(x.seconds, 3702))*time.Second); !got.Equal(want) {
			t.Errorf("after %d s, at %s, the end is %v, want %v", x.seconds, x.body.Type(), got, want)
		}
	}
	if got := tr.ActiveTime(at.Add(3701 * time.Second)); got != 2*time.Second {
		t.Errorf("a second after it continued, the fork was active for %v", got)
	}
}

// TestWaitingIsNoWork: the duration of a step is that of its commands, without the time in which it waits for a person.
// A command that a crash interrupted has no duration.
func TestWaitingIsNoWork(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	did := func(seconds, ms int, b machine.Body) machine.Event {
		if f, ok := b.(*machine.ActionFinished); ok && ms > 0 {
			f.DurationMS = new(int64(ms))
		}
		return machine.Event{Step: "1.1", Time: at.Add(time.Duration(seconds) * time.Second), Body: b}
	}
	tr := New(&plan.Plan{Steps: []*plan.Step{{ID: "1", Children: []*plan.Step{{ID: "1.1", Actions: command("make")}}}}})
	tr.Fold(
		did(0, 0, &machine.StepEntered{OpenedGroups: []machine.OpenedGroup{{Label: "1", StepID: "1", Attempt: 1}}}),
		did(1, 0, &machine.ActionStarted{Kind: "command"}),
		did(3600, 0, &machine.ActionFinished{Kind: "command"}),
	)
	if r := tr.RowByLabel("1.1"); r.Duration != 0 {
		t.Errorf("a command that was cut off took %v", r.Duration)
	}
	tr.Fold(
		did(3601, 0, &machine.InputNeeded{}), did(7200, 0, &machine.InputGiven{}),
		did(7200, 0, &machine.ActionStarted{Kind: "command"}),
	)
	if got := tr.RowByLabel("1.1").Elapsed(at.Add(7201 * time.Second)); got != time.Second {
		t.Errorf("a command that was begun a second ago has run for %v", got)
	}
	tr.Fold(
		did(7202, 1900, &machine.ActionFinished{Kind: "command"}), did(7203, 0, &machine.InputNeeded{}),
		did(9000, 0, &machine.InputGiven{}), did(9000, 0, &machine.StepFinished{Result: plan.Passed}),
	)
	for _, label := range []string{"1.1", "1"} {
		if r := tr.RowByLabel(label); r.Duration != 1900*time.Millisecond {
			t.Errorf("%s took %v, its commands 1.9s", label, r.Duration)
		}
	}
}

func TestJumpLeaves(t *testing.T) {
	d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
	d.run("pp")
	e, err := d.m.JumpEvent("Fix", "to try it")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	for _, when := range []string{"after the jump", "resumed after the jump", "at the destination"} {
		if got := d.track.RowByLabel("2"); got.Status != LeftUndecided || !got.IsLeftByPerson() {
			t.Errorf("%s, 2 is %s, want left", when, got.Status)
		}
		switch when {
		case "after the jump":
			left, err := d.m.EndEvent(plan.Awaiting, "", "")
			if err != nil {
				t.Fatal(err)
			}
			d.apply(left)
			d.apply(machine.Event{Body: &machine.RunResumed{}})
		case "resumed after the jump":
			d.run("")
		}
	}
	if done, _ := d.track.Progress(); done != 2 {
		t.Errorf("%d steps are done, want 2: the one that was left is not", done)
	}
	if f := d.track.Overrides; len(f) != 1 || f[0].Note != "to try it" {
		t.Errorf("overrides: %v", f)
	}
}

// TestRunAgainIsNotSentElsewhere: a step that a person runs again, and that is left at the end of the run, does not
// count as left by a person.
func TestRunAgainIsNotSentElsewhere(t *testing.T) {
	d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
	d.run("pp")
	again, err := d.m.RetryEvent("")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(again)
	d.run("")
	end, err := d.m.EndEvent(plan.Stopped, "", machine.ByPerson)
	if err != nil {
		t.Fatal(err)
	}
	d.apply(end)
	if got := d.track.RowByLabel("2"); got.Status != LeftUndecided || got.IsLeftByPerson() {
		t.Errorf("2 is %s, left by a person: %v", got.Status, got.IsLeftByPerson())
	}
}

func TestOverriddenAndReopened(t *testing.T) {
	d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
	d.run("ppf")
	if d.track.Finished == nil {
		t.Fatal("the run is not over")
	}
	e, err := d.m.OverrideEvent(plan.Passed, "staging only")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if d.track.Finished != nil {
		t.Error("an intervention does not reopen the run")
	}
	d.run("")
	if r := d.track.RowByLabel("2"); r.Status != Passed || !r.Overridden {
		t.Errorf("2 is %s, overridden: %v", r.Status, r.Overridden)
	}
	if d.track.Finished == nil || d.track.Finished.Result != plan.Completed {
		t.Errorf("ended %+v", d.track.Finished)
	}
}

// TestTheEndStands: a finished run stays over when an event happens beside it, and any other event reopens it, for the
// machine and for the screen alike.
func TestTheEndStands(t *testing.T) {
	for _, c := range []struct {
		body machine.Body
		over bool
	}{
		{&machine.WarningRecorded{Code: "tool/gone", Message: "a server ended"}, true},
		{&machine.RunForked{FromRunID: "ab12", FromSeq: 9, NewRunID: "cd34"}, true},
		{&machine.ApprovalChanged{Policy: "each"}, true},
		{&machine.UnknownBody{Kind: "of a newer version"}, true},
		{&machine.RunResumed{}, false},
	} {
		d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
		d.run("ppf")
		d.apply(machine.Event{Body: c.body})
		if machine, screen := d.m.Result() != nil, d.track.Finished != nil; machine != c.over || screen != c.over {
			t.Errorf("after %s the run is over: %v for the machine, %v for the screen", c.body.Type(), machine, screen)
		}
	}
}

// linear returns a plan of three steps, the last two in a group. A step that fails also fails the run.
func linear() *plan.Plan {
	step := func(id string) *plan.Step {
		return &plan.Step{ID: id, Title: id, Actions: decide(), Routes: []plan.Route{
			route(plan.Passed, plan.Move{Verb: plan.Continue}), route(plan.Failed, plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed}),
		}}
	}
	group := &plan.Step{ID: "Tell", Title: "Tell", Children: []*plan.Step{step("2"), step("3")}, Routes: defaults()}
	return &plan.Plan{Format: "test", IsLinear: true, Steps: []*plan.Step{step("1"), group}, Entries: []plan.Entry{{Step: "1"}}}
}

// TestAfterAFailure: in a linear plan, the steps after a failed one are skipped until a person continues the run
// (workflow.md §8).
func TestAfterAFailure(t *testing.T) {
	d := &driver{t: t, m: machine.New(linear(), machine.Options{}), track: New(linear())}
	d.run("f")
	for _, label := range []string{"2", "3", "Tell"} {
		if r := d.track.RowByLabel(label); r.Status != Skipped || r.SkipReason != SkipAfterFailure {
			t.Errorf("%s is %s, %q", label, r.Status, r.SkipReason)
		}
	}
	if done, total := d.track.Progress(); done != 1 || total != 3 {
		t.Errorf("%d of %d are done", done, total)
	}
	e, err := d.m.OverrideEvent(plan.Skipped, "not today")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if r := d.track.RowByLabel("1"); r.SkipReason != SkipByPerson || d.track.RowByLabel("Tell").Status != Pending || d.track.RowByLabel("3").SkipReason != "" {
		t.Errorf("1 is %s, %q; Tell is %s", r.Status, r.SkipReason, d.track.RowByLabel("Tell").Status)
	}
	d.run("pp")
	if done, _ := d.track.Progress(); done != 3 || d.track.Finished.Result != plan.Completed || d.track.RowByLabel("3").Status != Passed {
		t.Errorf("%d are done, ended %+v", done, d.track.Finished)
	}
}

func TestHistory(t *testing.T) {
	d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
	d.run("pf")
	var lines []string
	for _, e := range d.events[len(d.events)-3:] {
		l := d.track.EventLine(e)
		lines = append(lines, l.StepDisplayLabel+" "+l.Description)
	}
	same(t, strings.Join(lines, "\n")+"\n", `
1 FAIL ANY: GOTO Fix → Fix
Fix entered
Fix waits for a person: pass or fail
`)
}

// TestMomentText: a moment is named so that it can be a part of a sentence, also after an event without a step.
func TestMomentText(t *testing.T) {
	track := New(release())
	long := strings.Repeat("x", 60)
	for want, e := range map[string]machine.Event{
		"the start":                {Seq: 1, Body: &machine.RunStarted{RunID: "7f3a"}},
		"step 2 (command started)": {Seq: 5, Step: "2", Body: &machine.ActionStarted{Kind: "command"}},
		"step 2 (waits for a person: pass or fail)": {Seq: 5, Step: "2", Body: &machine.InputNeeded{Kind: machine.KindDecide, Options: []string{"pass", "fail"}}},
		"event 9 (run completed)":                   {Seq: 9, Body: &machine.RunFinished{Result: plan.Completed}},
		"step " + long[:30] + "… (entered)":         {Seq: 9, Step: long, Body: &machine.StepEntered{}},
	} {
		if got := track.MomentText(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestMomentAfterRedo: the moment after a redo is named by the event to which the redo leads.
func TestMomentAfterRedo(t *testing.T) {
	events := []machine.Event{
		{Seq: 1, Body: &machine.RunStarted{}},
		{Seq: 2, Step: "2", Body: &machine.StepEntered{}},
		{Seq: 3, Body: &machine.RunRewound{ToSeq: 1, Undo: true}},
		{Seq: 4, Body: &machine.RunRewound{ToSeq: 2, Redo: true}},
	}
	for seq, want := range map[int]string{3: "the start", 4: "step 2 (entered)", 5: "event 5"} {
		if got := New(release()).MomentTextAfter(events, seq); got != want {
			t.Errorf("after event %d: %q, want %q", seq, got, want)
		}
	}
}

// TestHistoryOfPreparedActions: the history names the flag or file that prepared an action, not a person, and does not
// say it again as a note.
func TestHistoryOfPreparedActions(t *testing.T) {
	d := &driver{t: t, m: machine.New(release(), machine.Options{}), track: New(release())}
	d.run("p")
	note := machine.PreparedNote(machine.ByFile)
	skip, err1 := d.m.OverrideEvent(plan.Skipped, note)
	stop, err2 := d.m.EndEvent(plan.Stopped, "enough", machine.ByPerson)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	skip.PreparedBy, stop.PreparedBy = machine.ByFile, machine.ByFile
	answer := machine.Event{By: machine.ByFile, Note: note, Body: &machine.InputGiven{Value: "pass"}}
	for want, e := range map[string]machine.Event{"skipped": skip, "run stopped": stop, "answered pass": answer} {
		if l := d.track.EventLine(e); l.Description != want || l.By != machine.ByFile || l.Note != "" {
			t.Errorf("%+v", l)
		}
	}
}

func BenchmarkFold(b *testing.B) {
	d := &driver{m: machine.New(batches(), machine.Options{}), track: New(batches())}
	var events []machine.Event
	for len(events) < 50_000 {
		next := d.m.Next()
		e := machine.Event{}
		if next.Event != nil {
			e = *next.Event
		} else {
			e = d.m.ResultEvent(plan.Product{})
		}
		if err := d.m.Apply(e); err != nil {
			b.Fatal(err)
		}
		events = append(events, e)
	}
	b.ResetTimer()
	for b.Loop() {
		New(batches()).Fold(events...)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
}

// TestEventTexts: the text of a decision names the destination once, and says if the document does not write the route.
// An interrupted command is called that, and a file change is a sentence.
func TestEventTexts(t *testing.T) {
	registry := func(text, to string) machine.Body {
		return &machine.Decision{Candidates: []machine.Candidate{{Text: text, Matched: true}}, CandidateIndex: new(int), To: to}
	}
	byDefault := func(text, to string, destination machine.DestinationKind) machine.Body {
		return &machine.Decision{
			Candidates: []machine.Candidate{{Text: text, Matched: true, Implicit: true}}, CandidateIndex: new(int),
			To: to, Destination: machine.Destination{Kind: destination},
		}
	}
	change := func(before, after string) machine.Body {
		return &machine.FileChanging{FileState: machine.FileState{Path: "a.md", HashBefore: before, HashAfter: after}}
	}
	for want, body := range map[string]machine.Body{
		"escalate → closure.changes": registry("escalate → closure.changes", "closure.changes"),
		"closing → end":              registry("closing → end", "end"),
		"PASS: CONTINUE → 2":         registry("PASS: CONTINUE", "2"),
		"PASS → 2 (default)":         byDefault("PASS: CONTINUE", "2", machine.ToStep),
		"FAIL: STOP → end (default)": byDefault("FAIL: STOP", "end", machine.ToDocumentEnd),
		"changes a.md":               change("1", "2"),
		"creates a.md":               change("", "2"),
		"deletes a.md":               change("1", ""),
		"command interrupted":        &machine.ActionFinished{Kind: "command", Outcome: &plan.Outcome{Result: plan.Undecided, Source: "cancelled"}},
		"warning: no value":          &machine.WarningRecorded{Code: "a", Message: "no value"},
		"reached logpoint 5:after":   &machine.WarningRecorded{Code: machine.LogpointCode, Message: machine.LogpointMessage("5:after log")},
		"restored a.md":              &machine.FileRestored{FileState: machine.FileState{Path: "a.md"}},
	} {
		if got := DescribeEvent(machine.Event{Body: body}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAwait: ShowWaiting shows a step as waiting until it is called with nil; an open question of the step itself takes
// precedence.
func TestAwait(t *testing.T) {
	tr, _ := drive(t, release(), "") // at a command of 1.1
	r := tr.RowByLabel("1.1")
	tr.ShowWaiting(r)
	if r.Status != Waiting {
		t.Errorf("it is %s", r.Status)
	}
	tr.ShowWaiting(nil)
	if r.Status != Running {
		t.Errorf("no longer asked, it is %s", r.Status)
	}
	tr, _ = drive(t, release(), "pp") // 2 asks
	tr.ShowWaiting(tr.RowByLabel("2"))
	tr.ShowWaiting(nil)
	if r := tr.RowByLabel("2"); r.Status != Waiting {
		t.Errorf("its own question is open, but it is %s", r.Status)
	}
}

// TestShownAction: ShownAction returns an action that ran something, even if it left no log and a check follows it.
func TestShownAction(t *testing.T) {
	r := &Row{StepAttempts: []*Attempt{{Actions: []*Action{{Kind: "model", IsDone: true}, {Kind: "read", IsDone: true}}}}}
	if a := r.ShownAction(); a.Kind != "model" {
		t.Errorf("shows the action %s", a.Kind)
	}
}
