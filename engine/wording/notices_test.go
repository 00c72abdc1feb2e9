package wording_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
)

const deploy = "# Deploy\n## 1. Check\n```sh\nexit 3\n```\n- FAIL: CONTINUE\n## 2. Build\n```sh\nmake\n```\n- FAIL: RETRY 1 GOTO Clean\n" +
	"## 3. Ship\n```sh\nship\n```\n## 4. Tell\nWrite.\n## Clean\n```sh\nrm\n```\n- PASS: GOTO 3\n"

// walk runs a runbook whose commands end with these exit statuses.
func walk(t *testing.T, text string, exits ...int) *track.Track {
	t.Helper()
	return walkPlan(t, rundown.Parse("a.runbook.md", []byte(text), rundown.Options{}), exits...)
}

// walkPlan is walk for a document of any format.
func walkPlan(t *testing.T, p *plan.Plan, exits ...int) *track.Track {
	t.Helper()
	var products []plan.Product
	for _, code := range exits {
		products = append(products, plan.Product{ExitCode: code, Text: "first\nlast\n"})
	}
	return walkProducts(t, p, products)
}

// walkReplies is walkPlan for a document whose steps ask a model, with the replies of the model.
func walkReplies(t *testing.T, p *plan.Plan, replies ...string) *track.Track {
	t.Helper()
	var products []plan.Product
	for _, text := range replies {
		products = append(products, plan.Product{Text: text})
	}
	return walkProducts(t, p, products)
}

func walkProducts(t *testing.T, p *plan.Plan, products []plan.Product) *track.Track {
	t.Helper()
	return walkUntil(t, p, products, func(machine.Event) bool { return false })
}

// walkUntil runs a plan until it has folded the event for which isLast is true, or until the run is over.
func walkUntil(t *testing.T, p *plan.Plan, products []plan.Product, isLast func(machine.Event) bool) *track.Track {
	t.Helper()
	m, tr := machine.New(p, machine.Options{}), track.New(p)
	for seq := 1; ; seq++ {
		next := m.Next()
		e := machine.Event{}
		switch {
		case next.Event != nil:
			e = *next.Event
		case next.Effect != nil:
			e = m.ResultEvent(products[0])
			products = products[1:]
		default:
			return tr
		}
		e.Seq = seq
		if err := m.Apply(e); err != nil {
			t.Fatal(err)
		}
		if tr.Fold(e); isLast(e) {
			return tr
		}
	}
}

// TestFailureBeforeNextStep: before the run enters the step that a failure leads to, the notice says "continues", not
// "continued".
func TestFailureBeforeNextStep(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n- FAIL: RETRY 2 STOP\n"), rundown.Options{})
	isDecision := func(e machine.Event) bool { _, is := e.Body.(*machine.Decision); return is }
	isRetry := func(e machine.Event) bool { return e.Attempt == 2 }
	for want, isLast := range map[string]func(machine.Event) bool{"the run continues → 1": isDecision, "": isRetry} {
		var got string
		for _, n := range wording.Notices(walkUntil(t, p, []plan.Product{{ExitCode: 1}}, isLast)) {
			got += n.Text
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNotices: the notices at the end of a run list failures that did not end it, and a clean run has none.
func TestNotices(t *testing.T) {
	list := func(tr *track.Track) (out []string) {
		for _, n := range wording.Notices(tr) {
			out = append(out, n.Row.Label+": "+n.Text)
		}
		return out
	}
	tr := walk(t, deploy, 3, 1, 1, 0, 127)
	want := []string{"1: failed: exit 3, \"last\"; the run continued → 2", "2: failed: exit 1, \"last\"; its only retry was used up → Clean", "4: not reached"}
	if d := cmp.Diff(want, list(tr)); d != "" {
		t.Error(d)
	}
	if got := wording.FailureText(tr.FailedRow()); got != "3 Ship failed: exit 127, \"last\"" {
		t.Error(got)
	}
	if got := wording.StepCountsText(tr); got != "1 passed · 3 failed · 1 retried · 1 not reached" {
		t.Error(got)
	}
	tr.RowByLabel("4").Status = track.LeftUndecided
	if got := wording.StepCountsText(tr); got != "1 passed · 3 failed · 1 exited without an outcome · 1 retried" {
		t.Error(got)
	}
	loop := walk(t, "## 1. A\n```sh\nx\n```\n- FAIL: GOTO 1\n- PASS: COMPLETE\n", 1, 0)
	if got := wording.StepCountsText(loop); got != "1 passed · 1 ran again" {
		t.Error(got)
	}
	clean := walk(t, strings.Split(deploy, "## 4.")[0]+"## Clean\n```sh\nrm\n```\n", 0, 0, 0)
	if got := list(clean); got != nil {
		t.Error(got)
	}
	repeated := walk(t, "## 1. A\n```sh\nx\n```\n- PASS: RETRY 2 CONTINUE\n", 0, 0, 0)
	if got := list(repeated); got != nil {
		t.Error(got)
	}
}

// TestLimitEnding: if the limit of entries ended a run, the limit is its cause, and an earlier failure is a notice.
func TestLimitEnding(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n- FAIL: GOTO 1\n"), rundown.Options{})
	p.EntryLimit = plan.EntryLimit{Max: 3, Code: "limit", Message: "more than 2 transitions", Flag: "max-transitions"}
	tr := walkPlan(t, p, 1, 1, 1)
	if got := wording.EndSentence(tr); got != "1 A ran 3 times, then the run ended: more than 2 transitions" {
		t.Error(got)
	}
	if all := wording.Notices(tr); len(all) != 1 || all[0].Text != "failed: exit 1, \"last\"; the run continued → 1" {
		t.Errorf("%+v", all)
	}
	after := rundown.Parse("a.runbook.md", []byte("## 1. New\n```sh\nx\n```\n## 2. A\n```sh\nx\n```\n- FAIL: GOTO 2\n"), rundown.Options{})
	after.EntryLimit = p.EntryLimit
	tr.Fold(machine.Event{Body: &machine.DocumentReloaded{MatchedSteps: []machine.MatchedStep{{OldID: "1", NewID: "2"}}, Load: func() (*plan.Plan, error) { return after, nil }}})
	if got := wording.EndSentence(tr); got != "2 A ran 3 times, then the run ended: more than 2 transitions" {
		t.Errorf("after a reload: %s", got)
	}
}

// TestFailureThatCompletes: the end names a failed step that completed the run, even if other steps failed before.
func TestFailureThatCompletes(t *testing.T) {
	const step = "```sh\nx\n```\n- FAIL: CONTINUE\n"
	for text, exits := range map[string][]int{
		"## 1. A\n" + step + "## 2. B\n" + step:                                    {1, 7},
		"## 1. A\n" + step + "## 2. B\n```sh\nx\n```\n- FAIL: COMPLETE \"well\"\n": {0, 7},
	} {
		tr := walk(t, text, exits...)
		if got := wording.EndSentence(tr); got != "2 B failed: exit 7, \"last\"" {
			t.Errorf("%q after\n%s", got, text)
		}
		if !hasNotice(tr, "2", "the run completed") {
			t.Errorf("%+v after\n%s", wording.Notices(tr), text)
		}
	}
}

// TestGroupEnteredAgain: a step that ran in an earlier visit of its group does not count as not reached.
func TestGroupEnteredAgain(t *testing.T) {
	tr := walk(t, "## 1. Checks\n- FAIL ANY: GOTO Rescue\n### 1.1 A\n```sh\nx\n```\n- FAIL: CONTINUE\n### 1.2 B\n```sh\nx\n```\n"+
		"## Rescue\n```sh\nx\n```\n- PASS: GOTO 1.2\n", 2, 0, 0, 0)
	if !hasNotice(tr, "1.1", "failed: exit 2, \"last\"; the run continued → 1.2") || hasNotice(tr, "1.1", "not reached") {
		t.Errorf("%+v", wording.Notices(tr))
	}
	if got := tr.RowByLabel("1.1").EarlierVisitText(); got != "failed in an earlier visit" || tr.RowByLabel("1.2").EarlierVisitText() != "" {
		t.Error(got)
	}
	if got := wording.StepCountsText(tr); got != "2 passed · 1 failed · 1 ran again" {
		t.Error(got)
	}
	if got := wording.ProgressText(tr); got != "3 of 3 ran" {
		t.Error(got)
	}
}

// TestOverrideNotices: a notice says what a person changed, and why.
func TestOverrideNotices(t *testing.T) {
	tr := walk(t, "## 1. A\n```sh\nx\n```\n## 2. B\n```sh\nx\n```\n", 0, 0)
	tr.Overrides = []track.Override{{Step: "1", Kind: track.EditedAction}, {Step: "2", Result: plan.Failed, Note: "staging only"}}
	got := wording.Notices(tr)
	if len(got) != 2 || got[0].Text != "edited by a person" || got[1].Text != "overridden with fail by a person: staging only" {
		t.Errorf("%+v", got)
	}
}

// TestRerunNotices: a notice names a step that a person ran again, even if the run was already at its group, and a step
// whose command was interrupted and ran again.
func TestRerunNotices(t *testing.T) {
	tr := walk(t, "## 1. A\n### 1.1 B\n```sh\nx\n```\n### 1.2 C\n```sh\nx\n```\n", 0, 0)
	for _, e := range []machine.Event{
		{Step: "1", By: machine.ByPerson, Note: "to be sure", Body: &machine.Decision{To: "1.2", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1.2", SameVisit: true}}},
		{Step: "1.2", By: machine.ByPerson, Body: &machine.Decision{To: "1.1", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1.1"}}},
		{Step: "1.1", Attempt: 1, Body: &machine.InputNeeded{Kind: machine.KindResume}},
		{Step: "1.1", Attempt: 1, By: machine.ByPerson, Body: &machine.InputGiven{Kind: machine.KindResume, Value: "rerun"}},
	} {
		tr.Fold(e)
	}
	var got []string
	for _, n := range wording.Notices(tr) {
		got = append(got, n.Row.Label+" "+n.Text)
	}
	want := []string{"1.1 interrupted and rerun", "1.2 rerun by a person: to be sure", "1.2 jump to 1.1 by a person"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	tr.Fold(machine.Event{Step: "1.1", Attempt: 1, Body: &machine.StepEntered{}})
	if all := wording.Notices(tr); len(all) == 0 || all[0].Text != "earlier visit: interrupted and rerun" {
		t.Errorf("entered again: %+v", all)
	}
}

// TestMarkedLimitsNotice: a route that the run took because a person marked the retries as used is an override.
func TestMarkedLimitsNotice(t *testing.T) {
	for _, visits := range []int{1, 2} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n- FAIL: RETRY 2 CONTINUE\n\n## 2. B\n```sh\nx\n```\n"), rundown.Options{}))
		two, zero := 2, 0
		used := &plan.Reason{Budget: plan.Budget{Kind: "retry", Limit: &two, Used: &zero, MoveAfterLimit: "CONTINUE"}}
		failed := &plan.Outcome{Result: plan.Failed, Source: "exit 1"}
		tr.Fold(
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Failed, Outcome: failed}},
			machine.Event{Step: "1", Attempt: 1, By: machine.ByPerson, Body: &machine.LimitsUsed{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.Decision{Outcome: failed, Candidates: []machine.Candidate{{Matched: true, Reason: used, UsedBudgetCount: 1}}, CandidateIndex: new(0), To: "2", Destination: machine.Destination{Kind: machine.ToStep, StepID: "2"}}},
		)
		if visits == 2 {
			tr.Fold(machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}})
		}
		if all := wording.Notices(tr); len(all) != 1 || !all[0].IsOverride || !strings.HasSuffix(all[0].Text, "marked as used → 2") {
			t.Errorf("%d visits: %+v", visits, all)
		}
	}
}

// earlierOutcome is a Judge that keeps the outcome that the step already has.
type earlierOutcome struct{}

func (earlierOutcome) Judge(_ plan.Product, s plan.Scope) plan.Verdict {
	return plan.Verdict{Outcome: s.Outcome()}
}

// answerInterruption runs a step whose command is interrupted, and gives the answer to the question what to do.
func answerInterruption(t *testing.T, answer machine.Answer, hasLaterCommand bool) *track.Track {
	t.Helper()
	p := rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{})
	if hasLaterCommand {
		p.Steps[0].Actions = append(p.Steps[0].Actions, plan.Action{Work: plan.Command{}, Judge: earlierOutcome{}})
	}
	m, tr := machine.New(p, machine.Options{}), track.New(p)
	interrupted := false
	for next, seq := m.Next(), 1; ; next, seq = m.Next(), seq+1 {
		var e machine.Event
		var err error
		switch {
		case next.Event != nil:
			e = *next.Event
		case next.Effect != nil:
			e = m.ResultEvent(plan.Product{Cancelled: !interrupted, Text: "begin"})
			interrupted = true
		case next.Question != nil:
			e, err = m.AnswerEvent(answer)
		}
		if e.Body == nil || err != nil {
			return tr
		}
		e.Seq = seq
		if err := m.Apply(e); err != nil {
			t.Fatal(err)
		}
		tr.Fold(e)
	}
}

// TestFailedInterruption: the sentence about a step that was failed after an interruption says so. What the command printed
// is not why.
func TestFailedInterruption(t *testing.T) {
	for _, c := range []struct {
		answer machine.Answer
		want   string
	}{
		{machine.Answer{Value: "fail", By: machine.ByPerson}, "1 A failed: it was interrupted, and a person marked it as failed"},
		{machine.Answer{Value: "fail", By: machine.ByPerson, Note: "too slow"}, `1 A failed: it was interrupted, and a person marked it as failed, note: "too slow"`},
		{machine.Answer{Value: "fail", By: machine.ByFlag}, "1 A failed: it was interrupted, and a prepared answer marked it as failed"},
	} {
		if got := wording.FailureText(answerInterruption(t, c.answer, false).RowByLabel("1")); got != c.want {
			t.Errorf("%+v: %s, want %s", c.answer, got, c.want)
		}
	}
}

// TestNoticeOfPassedInterruption: if a person or a flag passes an interrupted command, this is an override, even if a
// later command of the step ran.
func TestNoticeOfPassedInterruption(t *testing.T) {
	for _, c := range []struct {
		answer          machine.Answer
		hasLaterCommand bool
		want            string
	}{
		{machine.Answer{Value: "pass", By: machine.ByPerson}, false, "passed, overridden (interrupted)"},
		{machine.Answer{Value: "pass", By: machine.ByPerson, Note: "I copied it"}, false, `passed, overridden (interrupted), note: "I copied it"`},
		{machine.Answer{Value: "pass", By: machine.ByFlag}, false, "passed, overridden by a prepared answer (interrupted)"},
		{machine.Answer{Value: "pass", By: machine.ByPerson}, true, "passed, overridden (interrupted)"},
	} {
		tr := answerInterruption(t, c.answer, c.hasLaterCommand)
		got := wording.Notices(tr)
		if len(got) != 1 || got[0].Text != c.want || !got[0].IsOverride || !tr.RowByLabel("1").IsChangedByPerson() {
			t.Errorf("%+v: %+v", c.answer, got)
		}
	}
}

// TestNoticeOfFailedCall: the reason for a failed call becomes a notice only after a person has passed its step.
func TestNoticeOfFailedCall(t *testing.T) {
	p := playbook.Parse("a.playbook.md", []byte("# A\n## STEP 1: One\nSay it.\n"), playbook.Options{})
	tr := track.New(p)
	failed := &plan.Outcome{Result: plan.Errored, Source: "model", Reason: "429: too many requests"}
	for _, body := range []machine.Body{
		&machine.RunStarted{}, &machine.StepEntered{}, &machine.ActionStarted{Kind: "model"},
		&machine.WarningRecorded{Code: "model/failed", Message: failed.Reason}, &machine.ActionFinished{Kind: "model", Error: failed.Reason, Outcome: failed},
		&machine.StepFinished{Result: plan.Failed, Outcome: failed},
	} {
		tr.Fold(machine.Event{Step: "1", Attempt: 1, Body: body})
	}
	list := func() string {
		var got []string
		for _, n := range wording.Notices(tr) {
			got = append(got, n.Text)
		}
		return strings.Join(got, " | ")
	}
	if got := list(); got != "" {
		t.Errorf("while the step has failed: %q", got)
	}
	tr.Fold(machine.Event{Step: "1", Attempt: 1, By: machine.ByPerson, Body: &machine.StepFinished{
		Result: plan.Passed, Overridden: true, Outcome: &plan.Outcome{Result: plan.Passed, OriginalResult: plan.Errored, Source: "person", Overridden: true},
	}})
	tr.Fold(machine.Event{Body: &machine.RunFinished{Result: plan.Completed}})
	if got := list(); !strings.Contains(got, "warning: 429: too many requests") {
		t.Errorf("passed by a person: %q", got)
	}
}

// TestFailedChildren: the failure of a group names the included document that could not run or, if there is none, the
// substeps that failed.
func TestFailedChildren(t *testing.T) {
	for document, want := range map[string]string{
		"":         "1 Both failed: 1.1 failed",
		"check.md": "1 Both failed: check.md was not run",
	} {
		tr := walk(t, "## 1. Both\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n### 1.1 One\n```sh\nx\n```\n", 1)
		if document != "" {
			tr.Fold(machine.Event{Step: "1", Body: &machine.WarningRecorded{Message: document + " was not run", Document: document}})
		}
		r := tr.RowByLabel("1")
		r.Outcome = &plan.Outcome{Result: plan.Failed, Source: plan.ChildrenSource, ChildResults: plan.ChildResults{{Label: "1.1", Result: plan.Failed}}}
		r.Status = track.Failed
		if got := wording.FailureText(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFailureAfterAnswer: an answer is named as the cause of a failure only if no later action decided the outcome.
func TestFailureAfterAnswer(t *testing.T) {
	for want, hasCall := range map[string]bool{"1 A failed: no report": true, "1 A failed: answered given; no report": false} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{}))
		failed := &plan.Outcome{Result: plan.Failed, Source: "engine", Reason: "no report"}
		given := &machine.InputGiven{Kind: machine.KindAsk, Value: "given", Outcome: &plan.Outcome{Result: plan.Passed, Source: "person"}}
		tr.Fold(
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.InputNeeded{Kind: machine.KindAsk}},
			machine.Event{Step: "1", Attempt: 1, By: machine.ByPerson, Body: given},
		)
		if hasCall {
			tr.Fold(
				machine.Event{Step: "1", Attempt: 1, Body: &machine.ActionStarted{ActionIndex: 1, Kind: "model"}},
				machine.Event{Step: "1", Attempt: 1, Body: &machine.ActionFinished{ActionIndex: 1, Kind: "model", Outcome: failed}},
			)
		}
		tr.Fold(machine.Event{Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Failed, Outcome: failed}})
		if got := wording.FailureText(tr.RowByLabel("1")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestFailureWithoutReason: a failure without a reason is explained by what the format read, or else by the source of
// the outcome.
func TestFailureWithoutReason(t *testing.T) {
	exit := 3
	for want, o := range map[string]plan.Outcome{
		"1 A failed: check ng":            {Source: "check", Reading: &plan.Reading{CheckResult: "ng"}},
		`1 A failed: act="abort" → abort`: {Source: "gate", Reading: &plan.Reading{Variable: "act", Actual: "abort", Intent: "abort"}},
		"1 A failed: exit 3":              {Source: "exit 3", Reading: &plan.Reading{ExitCode: &exit, Intent: "repeat"}},
		"1 A failed: gate":                {Source: "gate"},
	} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{}))
		o.Result = plan.Failed
		next := &machine.Decision{Outcome: &o, To: "1", Destination: machine.Destination{Kind: machine.ToStep, StepID: "1"}}
		tr.Fold(
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.ActionStarted{Kind: "model"}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Failed, Outcome: &o}},
		)
		if got := wording.FailureText(tr.RowByLabel("1")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		tr.Fold(
			machine.Event{Step: "1", Attempt: 1, Body: next},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Passed, Outcome: &plan.Outcome{Result: plan.Passed}}},
		)
		earlier := "earlier visit: " + strings.TrimPrefix(want, "1 A ") + "; the run continued → 1"
		if all := wording.Notices(tr); len(all) != 1 || all[0].Text != earlier {
			t.Errorf("%+v, want %q", all, earlier)
		}
	}
}

// TestOverridden: if a person fails a passed step, one sentence gives its earlier outcome and the note, but not the
// output. No notice repeats it.
func TestOverridden(t *testing.T) {
	for note, want := range map[string]string{
		"staging only":               "2 B failed, overridden (exit 0), note: \"staging only\"",
		"":                           "2 B failed, overridden (exit 0)",
		machine.PreparedNote("flag"): "2 B failed, overridden by a prepared answer (exit 0)",
	} {
		tr := walk(t, "## 1. A\n```sh\nx\n```\n## 2. B\n```sh\nx\n```\n- PASS: CONTINUE\n- FAIL: STOP\n", 0, 0)
		r := tr.RowByLabel("2")
		tr.Fold(machine.Event{Seq: 1000, Step: "2", Attempt: 1, By: machine.ByPerson, Note: note, Body: &machine.StepFinished{
			Result: plan.Failed, Overridden: true, Outcome: &plan.Outcome{Result: plan.Failed, OriginalResult: plan.Passed, Source: "person", Reason: note, Overridden: true},
		}})
		if got := wording.FailureText(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		for _, n := range wording.Notices(tr) {
			if strings.Contains(n.Text, "overridden with fail") {
				t.Errorf("a notice says %q", n.Text)
			}
		}
	}
}

// TestNotReached: a few steps that a run did not reach have a notice each, and many become one notice with their
// number.
func TestNotReached(t *testing.T) {
	for text, want := range map[string]string{
		"## 2. B\nb\n":                               "2 not reached",
		"## 2. B\nb\n## 3. C\n":                      "2 not reached, 3 not reached",
		"## 2. B\nb\n## 3. C\n## 4. D\n## 5. E\ne\n": "2 not reached (and 3 more steps)",
	} {
		var got []string
		for _, n := range wording.Notices(walk(t, "## 1. A\n```sh\nx\n```\n"+text, 1)) {
			got = append(got, n.Row.Label+" "+n.Text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestEndedByPerson: the notices of a run that a person ended say so, and list the steps that it did not reach. A
// cancelled run needs no such notice, because its result says it.
func TestEndedByPerson(t *testing.T) {
	entered := func(e machine.Event) bool { return e.Step == "2" }
	for result, want := range map[plan.RunResult]string{
		plan.Completed: "2: a person ended the run: completed; 3: not reached; 4: not reached",
		plan.Stopped:   "2: a person ended the run: stopped; 3: not reached; 4: not reached",
		plan.Cancelled: "3: not reached; 4: not reached",
	} {
		tr := walkUntil(t, rundown.Parse("a.runbook.md", []byte(deploy), rundown.Options{}), []plan.Product{{}}, entered)
		tr.Fold(machine.Event{Step: "2", Attempt: 1, By: machine.ByPerson, Body: &machine.RunFinished{Result: result, ByPerson: true}})
		var got []string
		all := wording.Notices(tr)
		for _, n := range all {
			got = append(got, n.Row.Label+": "+n.Text)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
		headline := wording.HeadlineNotice(tr, all)
		if result != plan.Cancelled && (headline == nil || headline.Sentence() != "2 Build was the last step, because a person ended the run") {
			t.Errorf("%s: headline %+v", result, headline)
		}
	}
}

// TestEndedByPreparedAnswer: a run that a prepared answer ended does not name a person.
func TestEndedByPreparedAnswer(t *testing.T) {
	tr := walk(t, "## 1. A\nFine?\n## 2. B\n")
	tr.Fold(machine.Event{Step: "1", Attempt: 1, By: machine.ByPerson, PreparedBy: machine.ByFlag, Body: &machine.RunFinished{Result: plan.Stopped, ByPerson: true}})
	all := wording.Notices(tr)
	if all[0].Text != "a prepared answer ended the run: stopped" {
		t.Error(all[0].Text)
	}
	if got := wording.HeadlineNotice(tr, all).Sentence(); got != "1 A was the last step, because a prepared answer ended the run" {
		t.Error(got)
	}
}

// TestNotReachedDocument: the steps of an included document count, whether or not the document is expanded.
func TestNotReachedDocument(t *testing.T) {
	for inner, want := range map[string]string{
		"## 1. X\nx\n## 2. Y\ny\n## 3. Z\nz\n": "2 not reached (and 4 more steps)",
		"## 1. X\nx\n":                         "2 not reached, 2/inner not reached, 3 not reached",
	} {
		tr := walkPlan(t, parse.Load("outer.runbook.md", parse.Options{FS: fstest.MapFS{
			"outer.runbook.md": {Data: []byte("## 1. First\n```sh\nx\n```\n## 2. Inner\n- inner.runbook.md\n\n## 3. End\ne\n")},
			"inner.runbook.md": {Data: []byte(inner)},
		}}), 1)
		var got []string
		for _, n := range wording.Notices(tr) {
			got = append(got, n.Row.Label+" "+n.Text)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q, want %q", got, want)
		}
		before := wording.StepCountsText(tr)
		done, total := tr.Progress()
		if before != fmt.Sprintf("1 failed · %d not reached", total-done) {
			t.Errorf("%q, but %d of %d are done", before, done, total)
		}
		tr.ExpandDocument(tr.RowByLabel("2/inner"))
		if after := wording.StepCountsText(tr); after != before {
			t.Errorf("%q, and expanded %q", before, after)
		}
	}
}

// TestStoppedDocument: if an included document stopped the run, the cause is the route that stopped it, not an earlier
// failure after which the document continued.
func TestStoppedDocument(t *testing.T) {
	const command = "```sh\nx\n```\n"
	for last, want := range map[string]string{
		"- PASS: STOP \"enough\"\n": `1 Outer failed: 1/inner/2 Y passed, and its route stopped inner: "enough"`,
		"- PASS: GOTO 3\n":          "1/inner/3 Z failed: exit 3, \"last\"",
	} {
		tr := walkPlan(t, parse.Load("outer.runbook.md", parse.Options{FS: fstest.MapFS{
			"outer.runbook.md": {Data: []byte("## 1. Outer\n- inner.runbook.md\n")},
			"inner.runbook.md": {Data: []byte("## 1. X\n" + command + "- FAIL: CONTINUE\n## 2. Y\n" + command + last + "## 3. Z\n" + command)},
		}}), 1, 0, 3)
		if got := wording.EndSentence(tr); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNotTaken: the steps of a branch that was not taken are counted separately and have no notice, however the run
// ended.
func TestNotTaken(t *testing.T) {
	text := "# Triage\n\n## STEP 1: Rate\nRate it.\n@output(severity)\n\n## STEP 2: Act\n```if severity == \"low\"```\n\n" +
		"### STEP 2a: File\nFile it.\n\n### STEP 2b: Close\nClose it.\n\n```else```\n\n### STEP 2c: Wake\nWake them.\n\n```endif```\n\n" +
		"## STEP 3: Sum up\nSum up.\n"
	p := playbook.Parse("triage.playbook.md", []byte(text), playbook.Options{})
	tr := walkPlan(t, p, 0, 0, 0)
	if got := wording.StepCountsText(tr); got != "3 passed · 2 in branches not taken" {
		t.Error(got)
	}
	tr.Fold(machine.Event{Seq: 1000, Body: &machine.RunFinished{Result: plan.Cancelled}})
	if got := wording.Notices(tr); len(got) > 0 {
		t.Errorf("notices %+v", got)
	}
}

// TestStepCountsOfWaitingRun: steps that a waiting run may still reach do not count as not reached.
func TestStepCountsOfWaitingRun(t *testing.T) {
	if got := wording.StepCountsText(walk(t, "## 1. A\n```sh\nx\n```\n## 2. B\nb\n- YES: CONTINUE\n- NO: STOP\n", 0)); got != "1 passed" {
		t.Error(got)
	}
}

// TestUndecidedGroup: if a run left a group or ended in it, a notice names the line of that route and the group's
// routes that were not evaluated, even if an earlier visit of the group was decided.
func TestUndecidedGroup(t *testing.T) {
	group := "## 1. Check\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n### 1.1 A\n```sh\nx\n```\n- PASS: CONTINUE\n- FAIL: %s\n" +
		"### 1.2 B\n```sh\nx\n```\n## 2. Back\n```sh\nx\n```\n- PASS: GOTO 1\n## 3. End\n```sh\nx\n```\n"
	for move, exits := range map[string][]int{"STOP": {1}, "GOTO 3": {0, 0, 0, 1, 0}} {
		tr := walk(t, strings.Replace(group, "%s", move, 1), exits...)
		const want = "exited by the route on line 9; lines 2–3 were not evaluated"
		if !hasNotice(tr, "1", want) {
			t.Errorf("%s: %+v, want %q", move, wording.Notices(tr), want)
		}
	}
}

// TestCauseOfCompletedRun: a run that completed after a failure names the failed step, and its notice does not repeat
// the reason.
func TestCauseOfCompletedRun(t *testing.T) {
	tr := walk(t, "## 1. A\n```sh\nx\n```\n- PASS: COMPLETE\n- FAIL: GOTO 3\n## 2. B\nb\n## 3. C\n```sh\ny\n```\n", 1, 0)
	if r := wording.DecisiveFailureRow(tr); r == nil || r.Label != "1" {
		t.Fatalf("cause %+v", r)
	}
	if all := wording.Notices(tr); len(all) != 2 || all[0].Text != "the run continued → 3" || all[1].Text != "not reached" || all[1].Row.Label != "2" {
		t.Errorf("%+v", all)
	}
	if r := wording.DecisiveFailureRow(walk(t, "## 1. A\n```sh\nx\n```\n", 0)); r != nil {
		t.Errorf("cause %+v of a run that passed", r)
	}
}

// TestPassedDespiteFailure: the notice of a group that passed although a substep failed says so, with the route that
// the group took.
func TestPassedDespiteFailure(t *testing.T) {
	group := "## 1. Checks\n%s### 1.1 A\n```sh\nx\n```\n### 1.2 B\n```sh\nx\n```\n## 2. Publish\n```sh\nx\n```\n"
	for routes, want := range map[string]string{
		"- PASS ANY: CONTINUE\n- FAIL ALL: STOP\n": "passed although 1.1 failed; line 2: PASS ANY: CONTINUE",
		"- FAIL ALL: STOP\n":                       "passed although 1.1 failed; PASS ANY: CONTINUE (default)",
	} {
		tr := walk(t, fmt.Sprintf(group, routes), 1, 0, 0)
		if !hasNotice(tr, "1", want) {
			t.Errorf("%q: %+v", routes, wording.Notices(tr))
		}
	}
}

// TestLastFailureOfPassedGroup: if the last substep of a passed group failed, the end of the run gives the reason, as
// for any other step.
func TestLastFailureOfPassedGroup(t *testing.T) {
	tr := walk(t, "## 1. Checks\n- PASS ANY: CONTINUE\n- FAIL ALL: STOP\n### 1.1 A\n```sh\nx\n```\n### 1.2 B\n```sh\nx\n```\n## 2. Publish\n```sh\nx\n```\n", 0, 5, 0)
	if got := wording.EndSentence(tr); got != "1.2 B failed: exit 5, \"last\"" {
		t.Errorf("%q", got)
	}
	if got := wording.Notices(tr); len(got) != 2 || got[1].Text != "the run continued → end of group 1" {
		t.Errorf("%+v", got)
	}
}

// TestUndefinedName: a notice names an undefined variable in an evaluated condition. A condition that was not
// evaluated, or one on an output without a value, has no notice.
func TestUndefinedName(t *testing.T) {
	text := "# Sort\n\n## STEP 1: Read\nRead it.\n@output(kind)\n\n## STEP 2: Act\n```if category == \"a\"```\n\n" +
		"### STEP 2a: File\nFile it.\n\n```elif kind != \"a\"```\n\n### STEP 2b: Close\nClose it.\n\n" +
		"```elif klass == \"a\"```\n\n### STEP 2c: Keep\nKeep it.\n\n```endif```\n"
	tr := walkPlan(t, playbook.Parse("sort.playbook.md", []byte(text), playbook.Options{}), 0, 0)
	got := wording.Notices(tr)
	want := "line 8: category is not set: no input or earlier output has this name"
	if len(got) != 1 || got[0].Row.Label != "2" || got[0].Text != want {
		t.Errorf("%+v, want %q", got, want)
	}
}

// TestAcceptedAndRejected: the sentence about an outcome that a person accepted or rejected quotes only the person's
// note.
func TestAcceptedAndRejected(t *testing.T) {
	const reason = "assertion failed: it is new"
	for _, c := range []struct{ value, note, want string }{
		{"fail", "", "1 A failed: rejected; assertion failed: it is new"},
		{"fail", "stale", `1 A failed: rejected: "stale"`},
		{"pass", "", "passed, overridden (originally undecided: assertion failed: it is new)"},
		{"pass", "known", `passed, overridden (originally undecided), note: "known"`},
	} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\nCheck it.\n"), rundown.Options{}))
		o := &plan.Outcome{Result: plan.Result(c.value), Source: "person", Reason: reason}
		if c.note != "" {
			o.Reason = c.note
		}
		if o.Result == plan.Passed {
			o.Overridden, o.OriginalResult = true, plan.Undecided
		}
		for i, e := range []machine.Event{
			{Body: &machine.StepEntered{}},
			{Body: &machine.InputNeeded{Kind: machine.KindAcceptOutcome}},
			{By: machine.ByPerson, Note: c.note, Body: &machine.InputGiven{Kind: machine.KindAcceptOutcome, Value: c.value, Outcome: o}},
			{Body: &machine.StepFinished{Result: o.Result, Overridden: o.Overridden, Outcome: o}},
		} {
			e.Seq, e.Step, e.Attempt = i+1, "1", 1
			tr.Fold(e)
		}
		got := wording.OverriddenText(tr.RowByLabel("1"))
		if o.Result == plan.Failed {
			got = wording.FailureText(tr.RowByLabel("1"))
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestNoticesOfEarlierVisits: a failure that led to another step stays a notice after a later visit has passed, but a
// retried attempt does not.
func TestNoticesOfEarlierVisits(t *testing.T) {
	failed := &machine.Decision{CandidateIndex: new(int), Candidates: []machine.Candidate{{Line: 3, Text: "FAIL: GOTO Repair"}}, To: "Repair", Outcome: &plan.Outcome{Result: plan.Failed, Source: "exit 1"}}
	passed := &machine.Decision{CandidateIndex: new(int), Candidates: []machine.Candidate{{Line: 2, Text: "PASS: CONTINUE"}}, To: "2", Outcome: &plan.Outcome{Result: plan.Passed}}
	guessed := &machine.Decision{CandidateIndex: new(int), Candidates: []machine.Candidate{{Line: 2, Text: "repeat"}}, To: "1", Outcome: &plan.Outcome{Result: plan.Passed, Reading: &plan.Reading{Variable: "action", Actual: "forward", Intent: "repeat", FallbackIntent: "repeat", FallbackIntentLine: 7}}}
	for _, c := range []struct {
		first       *machine.Decision
		nextAttempt int
		want        []string
		sentence    string
	}{
		{failed, 1, []string{"earlier visit: failed: exit 1; the run continued → Repair"}, "1 A failed in an earlier visit: exit 1; the run continued → Repair"},
		{failed, 2, nil, ""},
		{guessed, 2, []string{`earlier visit: action="forward" → repeat (fallback, line 7)`}, `1 A took the fallback intent in an earlier visit: action="forward" → repeat (fallback, line 7)`},
	} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{}))
		visit := func(attempt int, d *machine.Decision) *track.Attempt {
			return &track.Attempt{Number: attempt, Actions: []*track.Action{{Kind: "command"}}, Events: []machine.Event{{Body: d}}}
		}
		tr.RowByLabel("1").StepAttempts = []*track.Attempt{visit(1, c.first), visit(c.nextAttempt, passed)}
		var got []string
		for _, n := range wording.Notices(tr) {
			got = append(got, n.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
		tr.Fold(machine.Event{Body: &machine.RunFinished{Result: plan.Completed}})
		if got := headlineOf(tr); got != c.sentence {
			t.Errorf("%q, want %q", got, c.sentence)
		}
	}
}

// hasNotice reports whether a step has a notice with this text.
func hasNotice(tr *track.Track, label, text string) bool {
	return slices.ContainsFunc(wording.Notices(tr), func(n wording.Notice) bool { return n.Row.Label == label && n.Text == text })
}

// TestJumpedOver: a completed run lists the steps that it jumped over. It does not list steps that only jumps reach,
// steps after the one that completed the run, or steps of an included document that completed.
func TestJumpedOver(t *testing.T) {
	const command = "\n```sh\nx\n```\n"
	for _, c := range []struct {
		name, text string
		steps      int
		want       string // the notices
		counts     string
	}{
		{"clean", "## 1. A" + command + "## 2. B" + command, 2, "", "2 passed"},
		{"goto", "## 1. A" + command + "- PASS: GOTO 3\n\n## 2. B" + command + "## 3. C" + command, 2, "2 not reached", "2 passed · 1 not reached"},
		{"many", "## 1. A" + command + "- PASS: GOTO 6\n\n## 2. B" + command + "## 3. C" + command + "## 4. D" + command + "## 5. E" + command + "## 6. F" + command, 2,
			"2 not reached (and 3 more steps)", "2 passed · 4 not reached"},
		{"to a named step", "## 1. A" + command + "- PASS: GOTO Last\n\n## 2. B" + command + "## Last" + command + "- PASS: COMPLETE\n", 2, "2 not reached", "2 passed · 1 not reached"},
		{"named steps", "## 1. A" + command + "- FAIL: GOTO Undo\n\n## Undo\n\n### Undo.1 X" + command + "### Undo.2 Y" + command + "## 2. B" + command, 2, "", "2 passed"},
		{"numbered handlers", "## 1. A" + command + "- PASS: GOTO 4\n- FAIL: GOTO 2\n\n## 2. Undo" + command + "## 3. Tell" + command + "- PASS: STOP\n\n## 4. B" + command, 2, "", "2 passed"},
		{"completed early", "## 1. A" + command + "- PASS: COMPLETE\n- FAIL: CONTINUE\n\n## 2. B" + command, 1, "", "1 passed · 1 not reached"},
		{"back to the order", "## 1. A" + command + "- PASS: GOTO Aside\n\n## 2. B" + command + "- PASS: COMPLETE\n\n## 3. C" + command + "## Aside" + command + "- PASS: GOTO 2\n", 3, "", "3 passed · 1 not reached"},
		{"substeps", "## 1. A\n### 1.1 X" + command + "- PASS: GOTO 1.3\n\n### 1.2 Y" + command + "### 1.3 Z" + command, 2, "1.2 not reached", "2 passed · 1 not reached"},
		{"included", "## 1. A\n- inner.runbook.md\n\n## 2. B" + command, 2, "", "3 passed · 1 not reached"},
		{"past an included document", "## 1. A" + command + "- PASS: GOTO 3\n\n## 2. B\n- inner.runbook.md\n\n## 3. C" + command, 2, "2 not reached, 2/inner not reached", "2 passed · 3 not reached"},
	} {
		tr := walkPlan(t, parse.Load("outer.runbook.md", parse.Options{FS: fstest.MapFS{
			"outer.runbook.md": {Data: []byte(c.text)},
			"inner.runbook.md": {Data: []byte("## 1. In" + command + "- PASS: COMPLETE\n- FAIL: CONTINUE\n\n## 2. Out" + command)},
		}}), make([]int, c.steps)...)
		var got []string
		for _, n := range wording.Notices(tr) {
			got = append(got, n.Row.Label+" "+n.Text)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: notices %q, want %q", c.name, text, c.want)
		}
		if text := wording.StepCountsText(tr); text != c.counts {
			t.Errorf("%s: counts %q, want %q", c.name, text, c.counts)
		}
	}
}

// headlineOf returns the sentence of the most important notice, or "" if there is none.
func headlineOf(tr *track.Track) string {
	if n := wording.HeadlineNotice(tr, wording.Notices(tr)); n != nil {
		return n.Sentence()
	}
	return ""
}

// TestHeadlineNotice: the end of a run that did not simply pass begins with its most important notice.
func TestHeadlineNotice(t *testing.T) {
	const command = "\n```sh\nx\n```\n"
	jump := "## 1. A" + command + "- PASS: GOTO 3\n\n## 2. B" + command + "## 3. C" + command
	warn := func(tr *track.Track) {
		tr.RowByLabel("3").Warnings = append(tr.RowByLabel("3").Warnings, machine.WarningRecorded{Message: "slow"})
	}
	override := func(kind track.OverrideKind, object string) func(*track.Track) {
		return func(tr *track.Track) {
			tr.Overrides = append(tr.Overrides, track.Override{Step: "3", Kind: kind, Object: object})
		}
	}
	overrideOutcome := func(result plan.Result, note string) func(*track.Track) {
		return func(tr *track.Track) {
			tr.Overrides = append(tr.Overrides, track.Override{Step: "3", Result: result, Note: note})
		}
	}
	for _, c := range []struct {
		name, text string
		exits      []int
		changes    []func(*track.Track)
		want       string
	}{
		{"clean", "## 1. A" + command, []int{0}, nil, ""},
		{"not reached", jump, []int{0, 0}, nil, "2 B was not reached"},
		{"many not reached", "## 1. A" + command + "- PASS: GOTO 6\n\n## 2. B" + command + "## 3. C" + command + "## 4. D" + command + "## 5. E" + command + "## 6. F" + command, []int{0, 0}, nil,
			"2 B and 3 more steps were not reached"},
		{"a warning", jump, []int{0, 0}, []func(*track.Track){warn}, "3 C warned: slow"},
		{"an edit", jump, []int{0, 0}, []func(*track.Track){override(track.EditedAction, "")}, "3 C was edited by a person"},
		{"a value", jump, []int{0, 0}, []func(*track.Track){override(track.OverriddenVariable, "severity")}, "3 C had severity set by a person"},
		{"a jump", jump, []int{0, 0}, []func(*track.Track){override(track.OverriddenRoute, "1")}, "3 C ended with a jump to 1 by a person"},
		{"an outcome", jump, []int{0, 0}, []func(*track.Track){warn, override(track.EditedAction, ""), overrideOutcome(plan.Passed, "staging only")}, "3 C was overridden with pass by a person"},
		{"a prepared outcome", jump, []int{0, 0}, []func(*track.Track){overrideOutcome(plan.Passed, machine.PreparedNote("flag"))}, "3 C was overridden with pass by a prepared answer"},
		{"a reply", jump, []int{0, 0}, []func(*track.Track){override(track.ChangedReply, "")}, "3 C had its reply changed by a person"},
		{"arguments", jump, []int{0, 0}, []func(*track.Track){override(track.ChangedArguments, "list")}, "3 C had the arguments of the call to list changed by a person"},
		{"a variable whose name is no word", jump, []int{0, 0}, []func(*track.Track){override(track.OverriddenVariable, "jump to")}, "3 C had jump to set by a person"},
		{"a skip", jump, []int{0, 0}, []func(*track.Track){overrideOutcome(plan.Skipped, "")}, "3 C was skipped by a person"},
		{"used limits", jump, []int{0, 0}, []func(*track.Track){override(track.LimitsMarkedAsUsed, "retries")}, "3 C had all retries marked as used"},
		{"a repeated pass", "## 1. Ready?" + command + "- PASS: RETRY 2 CONTINUE\n- FAIL: STOP\n\n## 2. B" + command, []int{0, 0, 0, 0}, nil, ""},
		{"an earlier failure", "## 1. A" + command + "- FAIL: GOTO Repair\n\n## 2. B" + command + "## Repair" + command + "- PASS: GOTO 1\n", []int{1, 0, 0, 0}, nil,
			"1 A failed in an earlier visit: exit 1, \"last\"; the run continued → Repair"},
		{"a group", "## 1. A\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n### 1.1 X" + command + "- PASS: GOTO 2\n\n## 2. B" + command, []int{0, 0}, nil,
			"1 A was exited by the route on line 8; lines 2–3 were not evaluated"},
		{"a failure", deploy, []int{3, 0, 0}, nil, ""}, // EndSentence names the failure
		{"a failed run", "## 1. A" + command, []int{1}, nil, ""},
	} {
		tr := walk(t, c.text, c.exits...)
		for _, change := range c.changes {
			change(tr)
		}
		if got := headlineOf(tr); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	tr := walk(t, "## 1. A"+command+"## 2. B\nb\n## 3. C\nc\n", 0)
	tr.Fold(machine.Event{Seq: 1000, Body: &machine.RunFinished{Result: plan.Cancelled}})
	if all := wording.Notices(tr); len(all) != 1 || wording.HeadlineNotice(tr, all) != nil {
		t.Errorf("cancelled: %+v", all)
	}
}

// TestOverrideThatCompleted: if a person's pass of the last step completed the run, this comes first, not an earlier
// failure after which the run continued.
func TestOverrideThatCompleted(t *testing.T) {
	tr := walk(t, "## 1. A\n```sh\nx\n```\n- FAIL: CONTINUE\n\n## 2. B\n```sh\nx\n```\n- FAIL: STOP\n", 1, 3)
	passed := &plan.Outcome{Result: plan.Passed, OriginalResult: plan.Failed, Source: "person", Overridden: true}
	tr.Fold(
		machine.Event{Seq: 1000, Step: "2", Attempt: 1, By: machine.ByPerson, Body: &machine.StepFinished{Result: plan.Passed, Overridden: true, Outcome: passed}},
		machine.Event{Seq: 1001, Step: "2", Attempt: 1, Body: &machine.Decision{Outcome: passed, To: machine.EndLabel, Destination: machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.Completed}}},
		machine.Event{Seq: 1002, Body: &machine.RunFinished{Result: plan.Completed}},
	)
	if got := wording.EndSentence(tr); got != "" {
		t.Errorf("the end sentence is %q", got)
	}
	if got := headlineOf(tr); got != "2 B was overridden with pass by a person" {
		t.Errorf("headline %q", got)
	}
	if all := wording.Notices(tr); len(all) != 2 || !strings.HasSuffix(all[0].Text, "; the run continued → 2") {
		t.Errorf("%+v", all)
	}
}

// TestSentenceOfFailedRun: if a run fails although its steps passed, a condition that almost matched is the headline,
// but a warning is not.
func TestSentenceOfFailedRun(t *testing.T) {
	reason := &plan.Reason{Evaluated: true, Expected: "small", Reading: plan.Reading{Variable: "size", Actual: "small "}}
	end := machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.RunFailed, Message: "no target", ErrorCode: "test/target"}
	for want, candidates := range map[string][]machine.Candidate{
		`1 A almost matched line 21: size = "small " (only whitespace differs)`: {{Line: 21, Text: "next size=small", Reason: reason}},
		"": {{Line: 21, Text: "next"}},
	} {
		tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{}))
		tr.Fold(
			machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.WarningRecorded{Message: "look out"}},
			machine.Event{Step: "1", Attempt: 1, Body: &machine.Decision{Candidates: candidates, Outcome: &plan.Outcome{Result: plan.Passed}, Destination: end, To: "end"}},
			machine.Event{Body: &machine.RunFinished{Result: plan.RunFailed, Message: end.Message, ErrorCode: end.ErrorCode}},
		)
		if got := headlineOf(tr); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRunFailedByRoute: if a run fails although its steps passed, a sentence names the step and the limit or value that
// decided.
func TestRunFailedByRoute(t *testing.T) {
	two := 2
	end := machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.RunFailed, Message: "no target"}
	selector := &plan.Reading{Variable: "act", Actual: "next", Intent: "next", TargetSelector: &plan.TargetSelector{Key: "lvl", Value: `"medium"`}}
	limit := &plan.Reason{Budget: plan.Budget{Kind: machine.RepeatBudget, Used: &two, Limit: &two, MoveAfterLimit: "no check"}}
	taken := []machine.Candidate{{Matched: true}}
	for want, d := range map[string]machine.Decision{
		`2 A passed, and its route failed the run: lvl="medium"; act="next" → next`: {Outcome: &plan.Outcome{Result: plan.Passed, Reading: selector}, Candidates: taken, CandidateIndex: new(0)},
		"2 A passed, and its route failed the run: maximum of 3 iterations reached": {Outcome: &plan.Outcome{Result: plan.Passed}, Candidates: []machine.Candidate{{Matched: true, Reason: limit}}, CandidateIndex: new(0)},
		"2 A passed, and its route failed the run":                                  {Outcome: &plan.Outcome{Result: plan.Passed}, Candidates: taken, CandidateIndex: new(0)},
		"2 A passed, and none of its routes matched":                                {Outcome: &plan.Outcome{Result: plan.Passed}},
		"": {Outcome: &plan.Outcome{Result: plan.Passed}, ByPerson: true},
	} {
		exit := 3 // a failure after which the run continued
		if d.ByPerson {
			exit = 0
		}
		tr := walk(t, "## 1. Zero\n```sh\nx\n```\n- FAIL: CONTINUE\n\n## 2. A\n```sh\nx\n```\n", exit, 0)
		d.Destination, d.To = end, machine.EndLabel
		tr.Fold(
			machine.Event{Step: "2", Attempt: 1, Body: &machine.StepEntered{}},
			machine.Event{Step: "2", Attempt: 1, Body: &machine.StepFinished{Result: plan.Passed, Outcome: d.Outcome}},
			machine.Event{Step: "2", Attempt: 1, Body: &d},
			machine.Event{Body: &machine.RunFinished{Result: plan.RunFailed, Message: end.Message}},
		)
		if got := wording.EndSentence(tr); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestIntentWithOtherCase: a candidate does not count as almost matched only because the reply writes the intent in
// another case.
func TestIntentWithOtherCase(t *testing.T) {
	read := plan.Reading{Variable: "act", Actual: "Closing", Intent: "closing", FailedValidator: "spell"}
	o := &plan.Outcome{Result: plan.Failed, Intent: "closing", Reason: "odd", Reading: &read}
	tr := track.New(rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{}))
	tr.Fold(
		machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.StepFinished{Result: plan.Failed, Outcome: o}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.Decision{CandidateIndex: new(1), To: "1", Outcome: o, Candidates: []machine.Candidate{
			{Line: 3, Reason: &plan.Reason{Reading: read, Expected: "closing"}}, {Line: 4, Matched: true},
		}}},
	)
	if all := wording.Notices(tr); len(all) != 1 || all[0].Text != "failed: odd; the run continues → 1" {
		t.Errorf("%+v", all)
	}
}

// TestFallbackSentence: the headline is the fallback intent that a decision took, not another warning, whether or not
// the document names the intent.
func TestFallbackSentence(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("## 1. A\n```sh\nx\n```\n"), rundown.Options{})
	p.AdviceByCode = map[string]plan.WarningAdvice{"fallback": {IsFallback: true}}
	tr := track.New(p)
	read := &plan.Reading{Intent: "escalate", FallbackIntent: "escalate"}
	tr.Fold(
		machine.Event{Step: "1", Attempt: 1, Body: &machine.StepEntered{}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.WarningRecorded{Message: "no schema"}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.WarningRecorded{Code: "fallback", Message: "escalate is used"}},
		machine.Event{Step: "1", Attempt: 1, Body: &machine.Decision{Outcome: &plan.Outcome{Result: plan.Passed, Reading: read}, Destination: machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.Completed}, To: "end"}},
		machine.Event{Body: &machine.RunFinished{Result: plan.Completed}},
	)
	if got := headlineOf(tr); got != "1 A took the fallback intent: escalate is used" {
		t.Error(got)
	}
}

// TestFallbackWithoutLine: the fallback intent of a registry comes before the warnings of an earlier step, even if the
// document does not name the intent.
func TestFallbackWithoutLine(t *testing.T) {
	p := registryOf(
		registryStep("a", "work", `"allowedIntents": ["next"]`, `"next": {"target": "b"}`),
		registryStep("b", "verification", `"allowedIntents": ["next"], "failFast": false`, `"next": {"target": "c"}`),
		registryStep("c", "closure", `"allowedIntents": ["closing"]`, `"closing": {"target": null}`),
	)
	tr := walkReplies(t, p, "none", `{"act": "next"}`, `{"act": "reject"}`, `{"act": "closing"}`)
	want := `b took the fallback intent: act="reject" is not an intent; the intent "next" is used instead`
	if got := headlineOf(tr); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLimitReadings: if a limit ended the run, the notices list once each alias and fallback that used up the limit.
func TestLimitReadings(t *testing.T) {
	p := registryOf(
		registryStep("a", "work", `"allowedIntents": ["next", "repeat"], "failFast": false, "fallbackIntent": "repeat"`, `"next": {"target": "b"}`),
		registryStep("b", "closure", `"allowedIntents": ["closing"]`, `"closing": {"target": null}`),
	)
	for _, c := range []struct {
		replies []string
		want    string
	}{
		{[]string{"wait", "wait", "next"}, `earlier visit: act = "wait" was read as repeat (alias)|not reached`},
		{[]string{"wait", "hm", "wait"}, `earlier visit: act="hm" → repeat (fallback, line 2)|act = "wait" was read as repeat (alias)|not reached`},
		{[]string{"wait", "retry", "repeat"}, `earlier visit: act = "wait" was read as repeat (alias)|earlier visit: act = "retry" was read as repeat (alias)|not reached`},
	} {
		p.EntryLimit.Max = len(c.replies)
		var replies, got []string
		for _, word := range c.replies {
			replies = append(replies, fmt.Sprintf(`{"act": %q}`, word))
		}
		for _, n := range wording.Notices(walkReplies(t, p, replies...)) {
			got = append(got, n.Text)
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%q: %s", c.replies, text)
		}
	}
}

// registryOf returns a registry with these steps, given as JSON.
func registryOf(steps ...string) *plan.Plan {
	return parse.Load("agent", parse.Options{FS: fstest.MapFS{
		"agent/steps_registry.json": {Data: []byte(`{"agentId": "x", "version": "1.0.0", "c1": "steps", "entryStep": "a", "steps": {
` + strings.Join(steps, ",\n") + "}}")},
		"agent/prompts/steps/s/x/f_default.md": {Data: []byte("Do it.")},
	}})
}

// registryStep returns a step of a registry as one line of JSON, with these fields of its gate and these transitions.
func registryStep(id, kind, gate, transitions string) string {
	return fmt.Sprintf(`%q: {"stepId": %q, "name": %q, "c2": "s", "c3": "x", "stepKind": %q, "transitions": {%s},`, id, id, id, kind, transitions) +
		fmt.Sprintf(` "structuredGate": {"intentSchemaRef": "#/x", "intentField": "act", %s}}`, gate)
}
