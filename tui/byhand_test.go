package tui

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/parse"
	"playhead/parse/plan"
)

// gated is a run of one step whose model has to give one of a few replies, and a
// person stands in for it.
func gated(t testing.TB, w, h int) *screen {
	t.Helper()
	p := playbookOf(t, "greet.playbook.md", writingDoc)
	work := p.Steps[0].Actions[0].Work.(plan.Model)
	for _, intent := range []string{"next", "repeat", "escalate"} {
		work.Choices = append(work.Choices, plan.Choice{Name: intent, Reply: "{\n  \"intent\": \"" + intent + "\"\n}"})
	}
	p.Steps[0].Actions[0].Work = work
	sc := open(t, p, w, h, func(c *Config) { c.Trusted = false })
	sc.manual = true
	sc.press("y")
	return sc
}

func TestChoices(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *screen {
		sc := gated(t, w, h)
		sc.press("down")
		return sc
	})
}

// TestChoosing: a person walks the roads of a document by choosing (climpt-registry:
// manual mode), and can adjust a choice first. What was adjusted is kept.
func TestChoosing(t *testing.T) {
	sc := gated(t, 80, 24)
	sc.want("Reply in the model's place", "1 next", "4 write a reply…", "greeting")
	sc.press("esc", "a", "2")
	if got := sc.said(); !strings.Contains(got, `"intent": "repeat"`) || !strings.HasPrefix(got, "person: ") {
		t.Errorf("chose %q", got)
	}

	sc = gated(t, 80, 24)
	sc.press("down", "down", "4")
	sc.want(`"intent": "escalate"`, "shift+tab choices")
	sc.write("!")
	sc.send(back)
	sc.want("› 4 write a reply…")
	sc.press("esc", "a", "enter")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: {\n  \"intent\": \"escalate\"\n}!" {
		t.Errorf("wrote %q", got)
	}
}

const reportDoc = "# Backup\n\n### 🔧 WORKFLOW STEP: Look\n```\nLook for the newest archive.\n```\n### 🛠️ TOOL: list\n" +
	"### 📤 OUTPUTS:\n- archives[0].id → ARCHIVE\n### ✅ ASSERT:\n- it is younger than 24 hours\n"

// reporting is a run of a step that ends with a report, which a person makes.
func reporting(t testing.TB, w, h int) *screen {
	t.Helper()
	p := parse.Source("backup.md", []byte(reportDoc), parse.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	sc := open(t, p, w, h, func(c *Config) { c.Trusted = false })
	sc.manual = true
	sc.press("y")
	return sc
}

func TestReportForm(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *screen {
		sc := reporting(t, w, h)
		sc.press("1")
		return sc
	})
}

// TestReport: the form asks for what applies, and what it is given is judged like a
// model's report (workflow.md §6).
func TestReport(t *testing.T) {
	sc := reporting(t, 100, 30)
	sc.want("Report in the model's place", "1 of 4", "How did the step go?", "newest archive")
	sc.press("1")
	sc.want("it is younger than 24 hours", "2 of 4")
	sc.press("1")
	sc.want("What shows it?")
	sc.write("seen at noon")
	sc.press("enter")
	sc.want("archives[0].id", "enter report", "taken as text")
	sc.press("esc")
	sc.want("a goes back")
	sc.press("a", "ctrl+t")
	sc.write("[7")
	sc.press("enter")
	sc.want("It is no JSON")
	sc.write("]")
	sc.press("enter")
	for _, e := range sc.s.events {
		b, ok := e.Body.(*machine.ActionFinished)
		if !ok || b.Kind != "model" {
			continue
		}
		if e.By != machine.ByPerson || b.Outcome.Source != "person" || b.Outcome.Result != plan.Passed || len(b.Set) != 1 {
			t.Errorf("reported %+v by %s", b.Outcome, e.By)
		}
	}
	if v, _ := sc.m.track.Vars[0].Value.([]any); len(v) != 1 {
		t.Errorf("ARCHIVE is %v", sc.m.track.Vars)
	}
}

// TestReportOfAFailure: what does not apply is not asked.
func TestReportOfAFailure(t *testing.T) {
	sc := reporting(t, 100, 30)
	sc.press("2")
	sc.want("Why did it fail?")
	sc.write("no disk")
	sc.press("enter", "3")
	sc.want("no disk")
	if r := sc.m.track.Row("1"); r.Outcome == nil || r.Outcome.Result != plan.Failed || r.Outcome.Reason != "no disk" {
		t.Errorf("reported %+v", r.Outcome)
	}
}
