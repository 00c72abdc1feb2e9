package match_test

import (
	"slices"
	"strings"
	"testing"

	"playhead/engine/match"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

const before = `# Release
## 1. Build
` + "```bash\nmake\n```" + `
## 2. Check
### 2.1 Lint
Is it tidy?
### 2.2 Test
Do they pass?
- FAIL: GOTO 1
## 3. Publish
Is it out?
`

// TestRenamedWithSubsteps: a step that is renamed together with its substeps is the same step if they do the same, but
// a substep that is only a title says nothing about that.
func TestRenamedWithSubsteps(t *testing.T) {
	for _, c := range []struct{ name, before, after, changes string }{
		{"equal substeps", "## 1. A\nFirst.\n### 1.1 X\nOK?\n## 2. B\nSecond.\n### 2.1 Y\nOK?\n", "## 1. C\nFirst.\n### 1.1 Z\nOK?\n## 2. D\nSecond.\n### 2.1 W\nOK?\n", "1 C: title\n1.1 Z: title\n2 D: title\n2.1 W: title\n"},
		{"another command in it", "## 1. A\n### 1.1 X\n```sh\na\n```\n### 1.2 Y\nOK?\n", "## 1. B\n### 1.1 X\n```sh\nb\n```\n### 1.2 Y\nOK?\n", "1 B: title\n1.1 X: command\n"},
		{"another group with the same title in it", "## 1. A\n### 1.1 X\nOne?\n### 1.2 Verify\nTwo?\n", "## 1. B\n### 1.1 Y\nNew?\n### 1.2 Verify\nOther?\n## 2. C\n### 2.1 X\nOne?\n", "1 B: added\n1.1 Y: added\n1.2 Verify: added\n2 C: added\n2.1 X: moved\n1 A: removed\n1.2 Verify: removed\n"},
		{"only titles", "## 1. Deploy\nIn order.\n### 1.1 Build\n### 1.2 Push\n", "## 1. Wipe\nIn order.\n### 1.1 Unmount\n### 1.2 Overwrite\n", "1 Wipe: added\n1.1 Unmount: added\n1.2 Overwrite: added\n1 Deploy: removed\n1.1 Build: removed\n1.2 Push: removed\n"},
	} {
		changes := ""
		for _, change := range match.Documents(parse(t, c.before), parse(t, c.after), nil).AllChanges() {
			changes += wording.ChangeText(change) + "\n"
		}
		if changes != c.changes {
			t.Errorf("%s: changed:\n%s\nwant:\n%s", c.name, changes, c.changes)
		}
	}
}

func parse(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p := rundown.Parse("release.runbook.md", []byte(text), rundown.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return p
}

func TestDocuments(t *testing.T) {
	publish := "## 3. Publish\nIs it out?\n"
	for _, c := range []struct {
		name, from, to, summary string
		ids                     string // old=new for the steps that matter; "old=" is removed, "old?" is ambiguous
	}{
		{"the same", "", "", "", "1=1 2.2=2.2 3=3"},
		{"inserted", "## 2. Check\n### 2.1 Lint\nIs it tidy?\n### 2.2", "## 2. Format\nIs it formatted?\n## 3. Check\n### 3.1 Lint\nIs it tidy?\n### 3.2", "1 step", "2=3 2.1=3.1 2.2=3.2 3=4"},
		{"another title", "3. Publish", "3. Release", "1 step", "3=3"},
		{"titles of a step and its substep", "2. Check\n### 2.1 Lint", "2. Verify\n### 2.1 Style", "2 steps", "2=2 2.1=2.1 2.2=2.2"},
		{"another route", "- FAIL: GOTO 1", "- FAIL: STOP", "1 route", "2.2=2.2"},
		{"removed", publish, "", "1 step", "3="},
		{"replaced", publish, "## 3. Announce\nDoes everybody know?\n", "2 steps", "3="},
		{"another command", "make\n", "make all\n", "1 step", "1=1"},
		{"twins", publish, publish + "## 4. Publish\nIs it out?\n", "2 steps", "3?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(before, c.from, c.to, 1)
			if c.name == "inserted" {
				text = strings.Replace(text, "## 3. Publish", "## 4. Publish", 1)
			}
			m := match.Documents(parse(t, before), parse(t, text), nil)
			if c.name != "twins" && m.Summary() != c.summary {
				t.Errorf("changed: %q, want %q", m.Summary(), c.summary)
			}
			d := m.FindDocument("")
			for _, want := range strings.Fields(c.ids) {
				if old, ambiguous := strings.CutSuffix(want, "?"); ambiguous {
					if d.NewID(old) != "" || !d.IsAmbiguous(old) {
						t.Errorf("step %s is matched with %q", old, d.NewID(old))
					}
					continue
				}
				old, now, _ := strings.Cut(want, "=")
				if d.NewID(old) != now {
					t.Errorf("step %s is %q now, want %q", old, d.NewID(old), now)
				}
			}
		})
	}
}

// TestRenumberedByOtherLevels: steps that are added and removed before a step at several levels change its label only as
// they do at one level.
func TestRenumberedByOtherLevels(t *testing.T) {
	const first, third = "## 1. A\n### 1.1 One\nOne?\n### 1.2 Two\nTwo?\n", "Three?\n"
	for _, c := range []struct{ name, before, after, changes string }{
		{"removed and added", first + "## 2. C\n" + third, "## 1. A\n### 1.1 One\nOne?\n## 2. New\nNew?\n## 3. C\n" + third, "2 New: added\n1.2 Two: removed\n"},
		{"moved into a group", first + "## 2. B\nB?\n## 3. C\n" + third, "## 1. A\n### 1.1 B\nB?\n### 1.2 One\nOne?\n### 1.3 Two\nTwo?\n## 2. C\n" + third, "1.1 B: moved\n"},
		{"moved to another group", first + "## 2. C\n### 2.1 Three\n" + third, "## 1. A\n### 1.1 Two\nTwo?\n## 2. C\n### 2.1 One\nOne?\n### 2.2 Three\n" + third, "2.1 One: moved\n"},
	} {
		changes := ""
		for _, change := range match.Documents(parse(t, c.before), parse(t, c.after), nil).AllChanges() {
			changes += wording.ChangeText(change) + "\n"
		}
		if changes != c.changes {
			t.Errorf("%s: changed:\n%s\nwant:\n%s", c.name, changes, c.changes)
		}
	}
}

// TestResumedAction: after a reload a finished action does not run again, and a new one runs.
func TestResumedAction(t *testing.T) {
	step := func(commands string) *plan.Step {
		s := &plan.Step{ID: "1", StableKey: "a", Title: "a"}
		for _, c := range strings.Fields(commands) {
			s.Actions = append(s.Actions, plan.Action{Work: plan.Command{Text: plan.Literal(c)}})
		}
		return s
	}
	for _, c := range []struct {
		before, after  string
		finished, want int
	}{
		{"a b", "a b", 1, 1},
		{"a b", "x a b", 1, 2},
		{"a b", "a x b", 1, 1},
		{"a b", "y b", 1, 1},
		{"a b c", "b c", 2, 1},
		{"a b c", "a y c", 2, 2},
		{"a b", "a", 1, 1},
		{"a", "a b", 1, 1},
		{"a b", "b a", 1, 2},
	} {
		old, now := step(c.before), step(c.after)
		d := match.Documents(&plan.Plan{Steps: []*plan.Step{old}}, &plan.Plan{Steps: []*plan.Step{now}}, nil).FindDocument("")
		if at, _ := d.ResumedActionIndex(old, now, c.finished); at != c.want {
			t.Errorf("%s → %s after %d: at %d, want %d", c.before, c.after, c.finished, at, c.want)
		}
	}
}

// TestSuccessor: a run whose step was removed can continue at the step in its place.
func TestSuccessor(t *testing.T) {
	for to, want := range map[string]string{
		"## 3. Announce\nDoes everybody know?\n":                        "3",
		"## 3. Publish now\nIt is.\n## 4. Publish later\nIt will be.\n": "3",
		"": "",
	} {
		text := strings.Replace(before, "## 3. Publish\nIs it out?\n", to, 1)
		if got := match.Documents(parse(t, before), parse(t, text), nil).FindDocument("").SuccessorID("3"); got != want {
			t.Errorf("%q: continue at %q, want %q", to, got, want)
		}
	}
}

// TestAddedRoute: an added route counts as one change, although it moves the routes after it.
func TestAddedRoute(t *testing.T) {
	old, now := parse(t, before), parse(t, before)
	step := now.Steps[0]
	added := plan.Route{When: plan.Matcher{Result: plan.Passed, Intent: "leave"}, Do: plan.Move{Verb: plan.Continue}}
	step.Routes = slices.Insert(slices.Clone(step.Routes), 0, added)
	for _, m := range []*match.Match{match.Documents(old, now, nil), match.Documents(now, old, nil)} {
		if got := m.Summary(); len(step.Routes) < 3 || got != "1 route" {
			t.Errorf("changed: %q of %d routes", got, len(step.Routes))
		}
	}
}
