package decision

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

func at(i int) *int { return &i }

// tried returns the decision about a failed command: two routes were tested, and the third was not reached.
func tried() *machine.Decision {
	return &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed, Source: "exit 1"},
		Candidates: []machine.Candidate{
			{Line: 7, Text: "PASS: CONTINUE", ReasonText: "fail"},
			{Line: 8, Text: "FAIL: GOTO Recover", Matched: true, ReasonText: "fail"},
			{Text: "YES: STOP", ReasonText: "not reached", Implicit: true},
		},
		CandidateIndex: at(1), To: "Recover", Destination: machine.Destination{Kind: machine.ToStep},
	}
}

// TestTakenCandidateIsMarked: the taken candidate is marked, and its lines are returned. In a narrow pane, each reason
// is below its candidate.
func TestTakenCandidateIsMarked(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	forced := tried()
	forced.ByPerson = true
	for name, c := range map[string]struct {
		d    *machine.Decision
		w    int
		want string
		from int
		to   int
	}{
		"wide": {tried(), 60, `
       7 PASS: CONTINUE       no match: fail
 ━▸    8 FAIL: GOTO Recover   fail → Recover
         YES: STOP (default)  not reached`, 1, 2},
		"narrow": {tried(), 31, `
       7 PASS: CONTINUE
           no match: fail
 ━▸    8 FAIL: GOTO Recover
           fail → Recover
         YES: STOP (default)
           not reached`, 2, 4},
		"by hand": {forced, 60, `
       7 PASS: CONTINUE       no match: fail
       8 FAIL: GOTO Recover   fail
         YES: STOP (default)  not reached`, 0, 0},
	} {
		got := DrawCandidates(dc, nil, c.d, false, c.w)
		var lines []string
		for _, line := range got.Lines {
			lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
		}
		text := "\n" + strings.Join(lines, "\n")
		if text != c.want || got.TakenFirstLine != c.from || got.TakenEndLine != c.to {
			t.Errorf("%s: %d to %d%s", name, got.TakenFirstLine, got.TakenEndLine, text)
		}
	}
}

// TestNoRouteMatches: if no route matches, the line that says how the run continues is marked as taken.
func TestNoRouteMatches(t *testing.T) {
	d := tried()
	d.CandidateIndex, d.To, d.Destination = nil, machine.EndLabel, machine.Destination{Kind: machine.ToDocumentEnd, Result: plan.RunFailed, Message: "no route matches"}
	got := DrawCandidates(draw.New(themes.PlainPalette(), keymap.Map{}), nil, d, false, 80)
	if want := ` ━▸      fail, exit 1 → the run fails "no route matches" (default)`; strings.TrimRight(ansi.Strip(got.Lines[got.TakenFirstLine]), " ") != want {
		t.Errorf("no %q in\n%s", want, ansi.Strip(strings.Join(got.Lines, "\n")))
	}
}

// TestTakenDefaultRoute: a taken default route shows the destination of its decision, even if there are newer
// instances. After a reload, it shows the new label of that step.
func TestTakenDefaultRoute(t *testing.T) {
	const tenants = "## 2. Tenants\n\n### 2.{n} Tenant\nDo.\n- PASS: GOTO NEXT\n- FAIL: STOP\n"
	const plain = "## 2. Push\nDo.\n"
	for name, c := range map[string]struct {
		rest, changed string
		passes        int
		want          string
	}{
		"paused":           {plain, "", 1, "PASS → 2 Push (default)"},
		"instances":        {tenants, "", 3, "PASS → 2.1 (default)"},
		"inserted, paused": {plain, "## 2. Check\nDo.\n\n## 3. Push\nDo.\n", 1, "PASS → 3 (default)"},
		"inserted":         {plain, "## 2. Check\nDo.\n\n## 3. Push\nDo.\n", 2, "PASS → 3 (default)"},
	} {
		parse := func(rest string) *plan.Plan {
			return rundown.Parse("a.runbook.md", []byte("# T\n\n## 1. First\nDo.\n\n"+rest), rundown.Options{})
		}
		m, tr, seq := machine.New(parse(c.rest), machine.Options{}), track.New(parse(c.rest)), 0
		apply := func(e machine.Event, err error) {
			seq++
			if e.Seq = seq; err == nil {
				err = m.Apply(e)
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			tr.Fold(e)
		}
		for passes := 0; m.Next().Result == nil; {
			next := m.Next()
			if next.Event != nil {
				if _, enters := next.Event.Body.(*machine.StepEntered); enters && passes == c.passes {
					break
				}
				apply(*next.Event, nil)
				continue
			}
			passes++
			apply(m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson}))
		}
		if c.changed != "" {
			after := parse(c.changed)
			e, err := m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(m.Plan(), after, nil)})
			apply(e, err)
		}
		r := tr.RowByLabel("1")
		text := ansi.Strip(strings.Join(DrawCandidates(draw.New(themes.PlainPalette(), keymap.Map{}), r, r.Decision, false, 80).Lines, "\n"))
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, text)
		}
	}
}

// TestRetryNumber: a decision to retry says which retry it is, and how many are allowed.
func TestRetryNumber(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed},
		Candidates: []machine.Candidate{
			{Line: 7, Text: "FAIL: RETRY 2 STOP", Matched: true, Reason: &plan.Reason{Budget: plan.Budget{Kind: "retry", Limit: new(2), Used: new(int)}, Evaluated: true}},
		},
		CandidateIndex: at(0), To: "1/a/1.1", Destination: machine.Destination{Kind: machine.ToStep},
	}
	text := ansi.Strip(strings.Join(DrawCandidates(dc, &track.Row{Label: "1/a/1.1"}, d, false, 80).Lines, "\n"))
	if want := "fail → 1/a/1.1, retry 1 of 2"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
