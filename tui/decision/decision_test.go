package decision

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

func at(i int) *int { return &i }

// tried is a decision about a failed command: two routes tested, one behind them not.
func tried() *machine.Decision {
	return &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed, Source: "exit 1"},
		Candidates: []machine.Candidate{
			{Line: 7, Text: "PASS: CONTINUE", ReasonText: "fail"},
			{Line: 8, Text: "FAIL: GOTO Recover", Matched: true, ReasonText: "fail"},
			{Text: "YES: STOP", ReasonText: "not reached", Implicit: true},
		},
		CandidateIndex: at(1), To: "Recover", Arrival: machine.Arrival{Kind: machine.ToStep},
	}
}

// TestWeigh: the candidate that was taken is marked and its lines are known; why stands below
// a text that leaves no room for it.
func TestWeigh(t *testing.T) {
	l := draw.New(themes.PlainPalette(), keymap.Map{})
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
		got := Candidates(l, nil, c.d, c.w)
		var lines []string
		for _, line := range got.Lines {
			lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
		}
		text := "\n" + strings.Join(lines, "\n")
		if text != c.want || got.TakenFrom != c.from || got.TakenTo != c.to {
			t.Errorf("%s: %d to %d%s", name, got.TakenFrom, got.TakenTo, text)
		}
	}
}

// TestRetry: a decision says which retry it makes.
func TestRetry(t *testing.T) {
	l := draw.New(themes.PlainPalette(), keymap.Map{})
	d := &machine.Decision{
		Outcome: &plan.Outcome{Result: plan.Failed},
		Candidates: []machine.Candidate{
			{Line: 7, Text: "FAIL: RETRY 2 STOP", Matched: true, Reason: &plan.Reason{Budget: plan.Budget{Kind: "retry", Limit: new(2), Used: new(int)}, Evaluated: true}},
		},
		CandidateIndex: at(0), To: "1/a/1.1", Arrival: machine.Arrival{Kind: machine.ToStep},
	}
	text := ansi.Strip(strings.Join(Candidates(l, &track.Row{Label: "1/a/1.1"}, d, 80).Lines, "\n"))
	if want := "fail → 1/a/1.1, retry 1 of 2"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}
