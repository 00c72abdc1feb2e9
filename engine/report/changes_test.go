package report

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// journal numbers the events.
func journal(bodies ...machine.Event) []machine.Event {
	for i := range bodies {
		bodies[i].Seq = i + 1
	}
	return bodies
}

func at(step, by string, b machine.Body) machine.Event {
	return machine.Event{Step: step, Attempt: 1, By: by, Body: b}
}

// TestAnswers: a report quotes an answer whose blanks would not show, and names an answer about an outcome as on the
// screen.
func TestAnswers(t *testing.T) {
	for _, c := range []struct{ kind, answer, want string }{
		{machine.KindAsk, "three ", `"three "`}, {machine.KindAsk, "three", "three"}, {machine.KindAsk, "", `""`}, {machine.KindAcceptOutcome, "fail", "reject"},
	} {
		r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Events: journal(
			at("", "", &machine.RunStarted{RunID: "7f3a"}), at("1", "", &machine.StepEntered{}),
			at("1", "", &machine.InputNeeded{Kind: c.kind}), at("1", machine.ByPerson, &machine.InputGiven{Kind: c.kind, Value: c.answer}),
		)})
		page, err := r.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if got := html.UnescapeString(string(page)); !strings.Contains(got, `<p>Answer:</p><pre tabindex="0">`+c.want+"</pre>") {
			t.Errorf("HTML does not show %q as %s", c.answer, c.want)
		}
		if got := string(r.Markdown()); !strings.Contains(got, c.want) {
			t.Errorf("Markdown does not show %q as %s:\n%s", c.answer, c.want, got)
		}
	}
}

// TestChanges: a report lists what a person overrode, edited, set and rewound, and the commands that a rewind did not
// undo.
func TestChanges(t *testing.T) {
	person := machine.ByPerson
	forced := at("1", person, &machine.StepFinished{Result: plan.Passed, Overridden: true, Outcome: &plan.Outcome{Result: plan.Passed}})
	forced.Note = "staging only"
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}, {ID: "2"}}}, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.ActionStarted{Kind: "command", Text: "make push\nmore"}),
		at("1", "", &machine.ActionFinished{Kind: "command"}),
		at("", person, &machine.RunRewound{ToSeq: 2}),
		at("1", person, &machine.RunRewound{ToSeq: 2, Rerun: true}),
		at("1", person, &machine.ActionEdited{Text: "true"}),
		at("1", "", &machine.ActionStarted{Kind: "command", Text: "true"}),
		at("1", "", &machine.ActionFinished{Kind: "command"}),
		forced,
		at("1", person, &machine.Decision{To: "2", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "2"}}),
		at("2", "", &machine.StepEntered{}),
		at("2", machine.ByFlag, &machine.InputGiven{Kind: machine.KindResume, Value: "pass", Outcome: &plan.Outcome{Result: plan.Passed, Overridden: true}}),
		at("2", person, &machine.VariableCaptured{Variable: "severity", Value: "high"}),
		at("2", person, &machine.Decision{To: "1", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1", SameVisit: true}}),
		at("2", person, &machine.RunFinished{Result: plan.Stopped, ByPerson: true}),
	)})
	var got []string
	for _, c := range r.Changes {
		got = append(got, strings.Join(append([]string{c.Step, c.Description, c.Note}, c.EffectsNotUndone...), "|"))
	}
	want := []string{
		"|the run was rewound to event 2||1 make push …", "1|the run was rewound to here, to run the step again|", "1|its text was edited|", "1|overridden with pass|staging only", "1|jump to 2|",
		"2|overridden with pass|", "2|severity was set|", "1|rerun|", "2|a person ended the run: stopped|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	work := r.Steps[0].Attempts[0].Work
	if len(work) != 2 || work[0].SupersededBySeq != 5 || work[0].Edited || work[1].SupersededBySeq != 0 || !work[1].Edited {
		t.Errorf("%d pieces of work: the first was superseded by event 5, the second is the edited one", len(work))
	}
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"! edited by a person", "! overridden", `class="arc forced"`, "staging only", "Not undone:", "1 command or call ran in attempts that were rewound"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

// TestPreparedOverrides: a report says that a prepared answer made an override, instead of quoting a note that nobody
// wrote.
func TestPreparedOverrides(t *testing.T) {
	note := machine.PreparedNote(machine.ByFlag)
	answer := at("1", machine.ByFlag, &machine.InputGiven{Kind: machine.KindResume, Value: "pass", Outcome: &plan.Outcome{Result: plan.Passed, Overridden: true, Reason: note}})
	finish := at("1", "", &machine.StepFinished{Result: plan.Passed, Overridden: true, Outcome: &plan.Outcome{Result: plan.Passed, Overridden: true, Reason: note}})
	jump := at("1", machine.ByPerson, &machine.Decision{To: "1", ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1"}})
	answer.Note, jump.Note, jump.PreparedBy = note, note, machine.ByFlag
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}), at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.InputNeeded{Kind: machine.KindResume}), answer, finish, jump,
	)})
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"Markdown": strings.ReplaceAll(string(r.Markdown()), `\!`, "!"), "HTML": string(page)} {
		for _, want := range []string{"overridden with pass by a prepared answer", "jump to 1 by a prepared answer", "⇢ 1 · ! overridden by a prepared answer", "✓ pass · ! overridden by a prepared answer"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not contain %q", name, want)
			}
		}
		if strings.Contains(got, note) || strings.Contains(got, "Note: ") {
			t.Errorf("%s quotes a note:\n%s", name, got)
		}
	}
}

// TestUndoAfterRedoneRewind: a report says that the redo after a rewind took it back, and that the next undo rewound again.
func TestUndoAfterRedoneRewind(t *testing.T) {
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}, {ID: "2"}}}, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}), at("1", "", &machine.StepEntered{}), at("2", "", &machine.StepEntered{}),
		at("1", machine.ByPerson, &machine.RunRewound{ToSeq: 2}), at("2", machine.ByPerson, &machine.RunRewound{ToSeq: 3, Redo: true}),
		at("1", machine.ByPerson, &machine.RunRewound{ToSeq: 2, Undo: true}),
	)})
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.Description)
	}
	if diff := cmp.Diff([]string{"the run was rewound to here", "undone: rewind to step 1", "redone: rewind to step 1"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRetryOfGroup: the text of a report names the group that a substep ends, and the retry that a decision makes. JSON
// keeps the reason of the event.
func TestRetryOfGroup(t *testing.T) {
	used, limit, first := 0, 2, 0
	retry := &machine.Decision{
		To: "1.1", Outcome: &plan.Outcome{Result: plan.Failed}, CandidateIndex: &first, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1.1", SameVisit: true},
		Candidates: []machine.Candidate{{Text: "FAIL: RETRY 2", Matched: true, Line: 4, Reason: &plan.Reason{Budget: plan.Budget{Kind: "retry", Used: &used, Limit: &limit}}}},
	}
	group := &plan.Step{ID: "1", Children: []*plan.Step{{ID: "1.1"}}}
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{group}}, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1.1", "", &machine.StepEntered{}),
		at("1.1", "", retry),
		at("1.1", "", &machine.StepEntered{}),
		at("1.1", "", &machine.Decision{To: "1", Outcome: &plan.Outcome{Result: plan.Passed}, Destination: machine.Destination{Kind: machine.ToGroupRoutes, StepID: "1"}}),
	)})
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(page), string(r.Markdown())} {
		if !strings.Contains(text, "→ end of group 1") || !strings.Contains(text, "fail; retry 1 of 2") || strings.Contains(text, "retries used") {
			t.Error(text)
		}
	}
	if data, err := r.JSON(); err != nil || !strings.Contains(string(data), "fail; 0 of 2 retries used") {
		t.Errorf("%v: %s", err, data)
	}
}

// TestLogpoints: HTML and Markdown list the line of a logpoint apart from warnings. In JSON it is a warning.
func TestLogpoints(t *testing.T) {
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.WarningRecorded{Code: machine.LogpointCode, Message: machine.LogpointMessage("1 log")}),
	)})
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(page), string(r.Markdown())} {
		if strings.Contains(text, "Warnings") || !strings.Contains(text, "Logpoints") || !strings.Contains(text, "reached logpoint 1") {
			t.Error(text)
		}
	}
	if len(r.Warnings) != 1 {
		t.Errorf("%d warnings", len(r.Warnings))
	}
}

// TestChangedStep: a report lists a change and its undo with the step that was changed, whichever step the run was at.
func TestChangedStep(t *testing.T) {
	person := machine.ByPerson
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Title: "Rate"}, {ID: "2", Title: "File"}}}
	edit := &machine.DocumentReloaded{EditSubject: "edit of the limit of the run", Load: func() (*plan.Plan, error) { return p, nil }}
	r := Build(Source{Plan: p, Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.VariableCaptured{Variable: "severity", Value: "high"}),
		at("2", "", &machine.StepEntered{}),
		at("2", person, &machine.VariableCaptured{Variable: "severity", Value: "low"}),
		at("2", person, &machine.RunRewound{ToSeq: 4, Undo: true}),
		at("2", person, &machine.VariableCaptured{Variable: "severity", Value: "none"}),
		at("2", person, edit),
	)})
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.heading())
	}
	want := []string{
		"1 Rate: severity was set", "1 Rate: undone: severity = low", "1 Rate: severity was set", "edit of the limit of the run (nothing that affects the run changed)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var values []any
	for _, set := range r.Steps[0].Attempts[0].Assignments {
		values = append(values, set.Value, set.SupersededBySeq)
	}
	if diff := cmp.Diff([]any{"high", 0, "low", 6, "none", 0}, values); diff != "" || len(r.Steps[1].Attempts[0].Assignments) > 0 {
		t.Errorf("the values must belong to step 1, and none to step 2: %s", diff)
	}
}

// TestForkIsNoRewind: the rewind with which a fork begins is not a change.
func TestForkIsNoRewind(t *testing.T) {
	events := journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.StepFinished{Result: plan.Passed}),
		at("1", machine.ByPerson, &machine.RunRewound{ToSeq: 2}),
		at("1", machine.ByPerson, &machine.RunForked{FromRunID: "7f3a", FromSeq: 2, NewRunID: "8a4b"}),
	)
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}
	if r := Build(Source{Plan: p, Events: events}); len(r.Changes) > 0 {
		t.Errorf("a fork: %+v", r.Changes)
	}
	rewound := slices.Insert(slices.Clone(events[:3]), 3, at("1", machine.ByPerson, &machine.RunRewound{ToSeq: 2}), at("1", machine.ByPerson, &machine.RunForked{FromSeq: 4}))
	if r := Build(Source{Plan: p, Events: journal(rewound...)}); len(r.Changes) != 1 {
		t.Errorf("a rewind before the fork was made: %+v", r.Changes)
	}
}

// TestSupersededRoutes: after a rewind, an earlier decision and the step that it led to show as superseded.
func TestSupersededRoutes(t *testing.T) {
	first := 0
	leaves := func(step, to string) machine.Event {
		return at(step, "", &machine.Decision{
			To: to, Outcome: &plan.Outcome{Result: plan.Passed}, CandidateIndex: &first, Candidates: []machine.Candidate{{Text: "PASS: GOTO " + to}},
			Destination: machine.Destination{Kind: machine.ToStep, StepID: to},
		})
	}
	const text = "# Move\n## 1. Check\nFine?\n- PASS: GOTO 2\n- FAIL: STOP\n## 2. Copy\nCopied?\n- PASS: GOTO 3\n- FAIL: STOP\n## 3. Tell\nTold?\n- PASS: COMPLETE\n- FAIL: STOP\n"
	r := Build(Source{Plan: rundown.Parse("a.runbook.md", []byte(text), rundown.Options{}), Events: journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		leaves("1", "2"),
		at("2", "", &machine.StepEntered{}),
		leaves("2", "3"),
		at("3", "", &machine.StepEntered{}),
		at("", machine.ByPerson, &machine.RunRewound{ToSeq: 2}),
		leaves("1", "2"),
		at("2", "", &machine.StepEntered{}),
	)})
	var got []string
	for _, e := range r.Graphs[0].Edges {
		if text := e.useText(); text != "not taken" {
			got = append(got, e.From+" → "+e.To+": "+text)
		}
	}
	if diff := cmp.Diff([]string{"1 → 2: taken 1×, 1× superseded", "2 → 3: taken 1×, superseded"}, got); diff != "" {
		t.Error(diff)
	}
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`class="arc back"`, `<tr class="superseded"><td>2</td><td>3</td>`, `>3 Tell (superseded)<`, `3 Tell</span></span> <span class="quiet">superseded<`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

// TestBarsNameAttempts: if a step has several attempts, each bar names its attempt.
func TestBarsNameAttempts(t *testing.T) {
	r := Report{Steps: []*Step{
		{Label: "1", Attempts: []*Attempt{{EntrySeq: 1, Number: 1}}},
		{Label: "2", Attempts: []*Attempt{{EntrySeq: 2, visit: 1, Number: 1, SupersededBySeq: 3}, {EntrySeq: 4, visit: 1, Number: 1}, {EntrySeq: 5, visit: 2, Number: 1}}},
	}}
	var names []string
	for _, b := range r.bars() {
		names = append(names, b.Name)
	}
	if want := []string{"1", "2, visit 1, attempt 1, superseded", "2, visit 1, attempt 1", "2, visit 2, attempt 1"}; !slices.Equal(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
}

// TestInterruptedQuestion: the report of a run that was interrupted at a question says what the run waits for.
func TestInterruptedQuestion(t *testing.T) {
	events := journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.InputNeeded{Kind: machine.KindDecide, Options: []string{"yes", "no"}}),
		at("1", machine.ByPerson, &machine.InputGiven{Kind: machine.KindDecide, Value: "yes"}),
	)
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Title: "Ready"}}}
	text := string(Build(Source{Plan: p, Events: events[:3]}).Markdown())
	if want := "| Waits | `at 1 Ready, for yes or no` |"; !strings.Contains(text, want) {
		t.Errorf("no %q in:\n%s", want, text)
	}
	if w := Build(Source{Plan: p, Events: events}).WaitingFor; w != nil {
		t.Errorf("the question is answered, but the run waits %s", w.text)
	}
}

// TestInterruptedReply: the report of a run that was interrupted while a person wrote a reply says that it waits for
// the reply.
func TestInterruptedReply(t *testing.T) {
	events := journal(
		at("", "", &machine.RunStarted{RunID: "7f3a"}),
		at("1", "", &machine.StepEntered{}),
		at("1", "", &machine.ActionStarted{Kind: "model", Text: "Write."}),
		at("1", machine.ByPerson, &machine.ActionFinished{Kind: "model", Output: "Written."}),
	)
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Title: "Draft", Actions: []plan.Action{{Work: plan.Model{}}}}}}
	const waits = "| Waits | `at 1 Draft, for a model's reply` |"
	for name, c := range map[string]struct {
		source Source
		want   bool
	}{
		"a person writes": {Source{Plan: p, Events: events[:3], IsManual: true}, true},
		"a model writes":  {Source{Plan: p, Events: events[:3]}, false},
		"it is written":   {Source{Plan: p, Events: events, IsManual: true}, false},
	} {
		if text := string(Build(c.source).Markdown()); strings.Contains(text, waits) != c.want {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestPausedRun: the report of a paused run names the next step and the breakpoint.
func TestPausedRun(t *testing.T) {
	p := &plan.Plan{Steps: []*plan.Step{{ID: "3", Title: "Deploy"}}}
	for breakpoint, want := range map[string]string{
		"":                     "‖ paused before 3 Deploy",
		`3 if at == "<night>"`: `‖ paused before 3 Deploy at breakpoint 3 if at == "<night>"`,
	} {
		r := Build(Source{Plan: p, Events: journal(
			at("", "", &machine.RunStarted{RunID: "7f3a"}),
			at("", "", &machine.RunFinished{Result: plan.Awaiting, WaitingFor: &machine.Waiting{Step: "3", Kind: machine.KindPause, Prompt: "paused before 3", Breakpoint: breakpoint}}),
		)})
		if got := r.ResultText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		page, err := r.HTML()
		if text := string(r.Markdown()); !strings.Contains(text, "| Result | **"+escapedText(want)+"** |") || strings.Contains(text, "| Waits |") {
			t.Errorf("Markdown lacks %q:\n%s", want, text)
		}
		if err != nil || !strings.Contains(html.UnescapeString(string(page)), ">"+want+"</span>") {
			t.Errorf("the page lacks %q, %v", want, err)
		}
		// The report of a run that a live process has paused names the next step.
		live := Build(Source{Plan: p, Events: journal(at("", "", &machine.RunStarted{RunID: "7f3a"})), IsPaused: true})
		if got := live.ResultText(); got != "‖ paused before 3 Deploy" {
			t.Errorf("a live run: %q", got)
		}
		if data, err := r.JSON(); err != nil || r.WaitingFor.Breakpoint != breakpoint || !strings.Contains(string(data), `"prompt": "paused before 3"`) {
			t.Errorf("%s, %v", data, err)
		}
	}
}

// TestKeptEdit: an edit that a rewind keeps is a single change and is not superseded.
func TestKeptEdit(t *testing.T) {
	person := machine.ByPerson
	r := Build(Source{
		Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}},
		Events: journal(
			at("", "", &machine.RunStarted{RunID: "7f3a"}),
			at("1", "", &machine.StepEntered{}),
			at("1", person, &machine.ActionEdited{Text: "true"}),
			at("", person, &machine.RunRewound{ToSeq: 2}),
			at("1", person, &machine.ActionEdited{Text: "true", KeptAcrossRewind: true}),
		),
	})
	if len(r.Changes) != 2 || r.Changes[0].EventSeq != 3 || r.Changes[0].SupersededBySeq != 0 || r.Changes[1].EventSeq != 4 {
		t.Errorf("%+v, want the edit and the rewind", r.Changes)
	}
}

// TestValueBlanks: a value whose blanks would not show is quoted.
func TestValueBlanks(t *testing.T) {
	for value, want := range map[string]string{"refund": "refund", "refund ": `"refund "`, "refund\n": `"refund\n"`, "a\nb": "a\nb"} {
		if got := (Variable{Name: "kind", Value: value}).String(); got != want {
			t.Errorf("%q: got %s", value, got)
		}
	}
}

// TestChangeDiff: a report shows only the changed lines of an edited text, with the lines around them, also if the
// excerpts of a long text lack them.
func TestChangeDiff(t *testing.T) {
	lines := func(n int, changed ...int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint("line ", i+1)
		}
		for _, n := range changed {
			out[n-1] = "changed"
		}
		return strings.Join(out, "\n")
	}
	const long = maxExcerptBytes
	for _, c := range []struct{ name, before, after, want string }{
		{"one line", "high", "low", "-high\n+low"},
		{"a value that was not set", "", "low", "+low"},
		{"one place", lines(20), lines(20, 2), " line 1\n-line 2\n+changed\n line 3\n line 4\n line 5"},
		{"two places", lines(20), lines(20, 1, 20), "@@ -1,4 +1,4 @@\n-line 1\n+changed\n line 2\n line 3\n line 4\n" +
			"@@ -17,4 +17,4 @@\n line 17\n line 18\n line 19\n-line 20\n+changed"},
		{"the middle of a long text", lines(long), lines(long, long/2), " line 24573\n line 24574\n line 24575\n-line 24576\n+changed\n line 24577\n line 24578\n line 24579"},
	} {
		var change Change
		b := reportBuilder{budget: textBudget{maxReportBytes}}
		if b.setTexts(&change, c.before, c.after); change.diff == nil || change.diff.String() != c.want {
			t.Errorf("%s: %v, want %s", c.name, change.diff, c.want)
		}
		if b.setTexts(&change, c.after, c.after+"\n"); change.diff != nil {
			t.Errorf("%s: the diff of equal texts is %q", c.name, change.diff.Text)
		}
	}
}
