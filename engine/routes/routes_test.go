package routes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
)

// edges returns the edges of a graph, one per line, such as "1 PASS ALL → 2".
func edges(g *Graph) []string {
	var out []string
	for _, e := range g.Edges {
		line := fmt.Sprintf("%s %s → %s", name(g, e.From), e.Condition, name(g, e.To))
		if e.Implicit {
			line += " (default)"
		}
		if e.TakenCount > 0 {
			line += fmt.Sprintf(" ×%d", e.TakenCount)
		}
		if e.ManualCount > 0 {
			line += " !"
		}
		out = append(out, line)
	}
	return out
}

func name(g *Graph, i int) string {
	if s := g.Nodes[i].Step; s != nil {
		return s.ID
	}
	return g.Nodes[i].Label
}

const runbook = "# Move\n" +
	"## 1. Check\n- PASS ALL: CONTINUE\n- FAIL ANY: RETRY 1 GOTO Repair\n### 1.1 Disk\nfine?\n### 1.2 Net\nfine?\n" +
	"## {N}. Batch\n### {N}.{n} Tenant\nmoved?\n- PASS: GOTO NEXT\n- FAIL: GOTO Repair\n" +
	"## Repair\nrepaired?\n- YES: GOTO 1\n- NO: STOP \"broken\"\n"

const branches = "# Letter\n## STEP 1: Ask\nHow long?\n\n@output(length)\n\n## STEP 2: Write\nThink.\n\n" +
	"```if length == \"long\"```\n### STEP 2a: Much\nWrite much.\n```elif length == \"short\"```\n### STEP 2b: Little\nWrite little.\n```endif```\n\n" +
	"## STEP 3: Send\nSend it.\n"

func TestGraph(t *testing.T) {
	for name, c := range map[string]struct {
		plan *plan.Plan
		want []string
	}{
		"Rundown §5: substeps join, named steps are entered by jumps alone": {
			rundown.Parse("a.runbook.md", []byte(runbook), rundown.Options{}),
			[]string{
				"1 PASS ALL → {N}.{n}", "1 FAIL ANY, 1× → 1.1", "1 FAIL ANY, limit used up → Repair",
				"1.1 PASS → 1.2 (default)", "1.1 FAIL → 1 (default)",
				"1.2 PASS → 1 (default)", "1.2 FAIL → 1 (default)",
				"{N}.{n} PASS → {N}.{n}", "{N}.{n} FAIL → Repair",
				"Repair YES → 1.1", "Repair NO → stopped: broken",
			},
		},
		"Rundown §3.6: any separator ends a condition, and no message has one": {
			rundown.Parse("d.runbook.md", []byte("## 1. A\n- YES → COMPLETE \"a: b\"\n- NO — STOP \"c: d\"\n## 2. B\n- PASS ALL CONTINUE\n- FAIL - STOP \"e → f\"\n"), rundown.Options{}),
			[]string{"1 YES → completed: a: b", "1 NO → stopped: c: d", "2 PASS ALL → completed", "2 FAIL → stopped: e → f"},
		},
		"Playbook §6: a step chooses an arm, and each leads on behind all of them": {
			playbook.Parse("b.playbook.md", []byte(branches), playbook.Options{}),
			[]string{
				"1 pass → 2 (default)", "1 fail → failed (default)",
				"2 if length == \"long\" → 2a", "2 elif length == \"short\" → 2b", "2 no branch matches → 3 (default)", "2 fail → failed (default)",
				"2a pass → 3 (default)", "2a fail → failed (default)",
				"2b pass → 3 (default)", "2b fail → failed (default)",
				"3 pass → completed (default)", "3 fail → failed (default)",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := edges(GraphOf(c.plan)); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func index(i int) *int { return &i }

// TestWithCounts: a graph with counts shows how often a run took each edge, and where a person overrode it.
func TestWithCounts(t *testing.T) {
	g := GraphOf(rundown.Parse("a.runbook.md", []byte(runbook), rundown.Options{}))
	counts := NewRunCounts("")
	fail := &plan.Outcome{Result: plan.Failed}
	counts.Fold(
		machine.Event{Step: "1.1", Body: &machine.StepEntered{}},
		machine.Event{Step: "1.1", Body: &machine.Decision{Outcome: &plan.Outcome{Result: plan.Failed, Overridden: true},
			Candidates: []machine.Candidate{{}, {Matched: true}}, CandidateIndex: index(1), Destination: machine.Destination{Kind: machine.ToGroupRoutes, StepID: "1"}}},
		machine.Event{Step: "1", Body: &machine.Decision{Outcome: fail, Candidates: []machine.Candidate{{}, {Matched: true, UsedBudgetCount: 1}}, CandidateIndex: index(1),
			Destination: machine.Destination{Kind: machine.ToStep, StepID: "Repair"}}},
		machine.Event{Step: "1/child/7", ExplicitStepID: "1", Body: &machine.StepEntered{}},
		machine.Event{Step: "Repair", Body: &machine.StepEntered{}},
		machine.Event{Step: "Repair", By: machine.ByPerson, Body: &machine.Decision{ByPerson: true, Destination: machine.Destination{Kind: machine.ToStep, StepID: "1"}}},
		machine.Event{Step: "1.1", Body: &machine.StepEntered{}},
	)
	along := g.WithCounts(counts)
	var got []string
	for _, line := range edges(along) {
		if strings.Contains(line, "×1") && !strings.Contains(line, "1× → 1.1") {
			got = append(got, line)
		}
	}
	want := []string{"1 FAIL ANY, limit used up → Repair ×1", "1.1 FAIL → 1 (default) ×1 !", "Repair overridden → 1.1 ×1 !"}
	if !slices.Equal(got, want) || counts.EntryCounts["1.1"] != 2 {
		t.Errorf("got %q, visits %v", got, counts.EntryCounts)
	}
	if n := len(g.Edges); n != len(along.Edges)-1 || len(g.Nodes[g.NodeIndex("Repair")].OutEdges) != 2 {
		t.Error("WithCounts changed the document's own graph")
	}
}

// TestLimitsMarkedAsUsed: a route counts as a person's choice if the person marked the retries before it as used, in
// that visit only.
func TestLimitsMarkedAsUsed(t *testing.T) {
	g := GraphOf(rundown.Parse("a.runbook.md", []byte(runbook), rundown.Options{}))
	left := machine.Event{Step: "1", Body: &machine.Decision{Outcome: &plan.Outcome{Result: plan.Failed},
		Candidates: []machine.Candidate{{}, {Matched: true, UsedBudgetCount: 1}}, CandidateIndex: index(1), Destination: machine.Destination{Kind: machine.ToStep, StepID: "Repair"}}}
	again := machine.Event{Step: "1.1", Attempt: 1, Body: &machine.StepEntered{OpenedGroups: []machine.OpenedGroup{{Label: "1", StepID: "1", Attempt: 1}}}}
	counts := NewRunCounts("")
	counts.Fold(again, machine.Event{Step: "1", By: machine.ByPerson, Body: &machine.LimitsUsed{}}, left, again, left)
	for _, e := range g.WithCounts(counts).Edges {
		if e.TakenCount > 0 && (e.TakenCount != 2 || e.ManualCount != 1) {
			t.Errorf("%s was taken %d times, %d by a person", e.Condition, e.TakenCount, e.ManualCount)
		}
	}
	if len(counts.takenRoutes) != 1 {
		t.Errorf("routes %v", counts.takenRoutes)
	}
}

// TestCoverage: coverage counts runs, not how often a run took a route.
func TestCoverage(t *testing.T) {
	c := GraphOf(rundown.Parse("a.runbook.md", []byte(runbook), rundown.Options{})).NewCoverage()
	loop := machine.Event{Step: "5.1", ExplicitStepID: "{N}.{n}", Body: &machine.Decision{Outcome: &plan.Outcome{}, Candidates: []machine.Candidate{{}}, CandidateIndex: index(0)}}
	inside := loop
	inside.Step, inside.ExplicitStepID = "1/child/Repair", "Repair"
	c.AddRun([]machine.Event{loop, loop, {Body: &machine.ChildEntered{Label: "1/child"}}, inside})
	c.AddRun([]machine.Event{loop})
	if got := c.Counts(); got != (RouteTotals{TakenCount: 1, Total: 7}) {
		t.Errorf("%+v", got)
	}
	never := c.UntakenEdges()
	if c.TotalRuns != 2 || len(never) != 6 || c.EdgeName(never[0]) != "1: PASS ALL: CONTINUE" || never[0].Line != 3 {
		t.Errorf("%d runs, never %+v", c.TotalRuns, never)
	}
}

func TestReachableSteps(t *testing.T) {
	const text = "# Move\n## 1. Check\nfine?\n- PASS: GOTO 3\n- FAIL: STOP\n## 2. Never\nfine?\n## 3. Groups\n### 3.1 One\nfine?\n### 3.2 Two\nfine?\n" +
		"## 4. Last\nfine?\n- YES: GOTO Named\n- NO: COMPLETE\n## Named\nfine?\n## Nowhere\nfine?\n"
	g := GraphOf(rundown.Parse("a.runbook.md", []byte(text), rundown.Options{}))
	for from, want := range map[string]string{"": "1 3.1 3.2 4 Named", "4": "4 Named", "3": "3.1 3.2 4 Named", "unknown": "1 3.1 3.2 4 Named"} {
		var got []string
		for id := range g.ReachableSteps(from) {
			got = append(got, id)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("from %q: %v", from, got)
		}
	}
}
