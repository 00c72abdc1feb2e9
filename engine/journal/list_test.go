package journal

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

func finished(result plan.RunResult, path ...string) machine.Body {
	return &machine.RunFinished{Result: result, EnteredStepLabels: path}
}

func TestSummaries(t *testing.T) {
	second := func(n int) time.Time { return start.Add(time.Duration(n-1) * time.Second) }
	base := RunSummary{Path: "release.runbook.md", Format: "rundown", Title: "Release", Started: start}
	with := func(change func(*RunSummary)) RunSummary { s := base; change(&s); return s }
	waiting := &machine.RunFinished{Result: plan.Awaiting, EnteredStepLabels: []string{"1", "2"}, WaitingFor: &machine.Waiting{Step: "2"}}
	paused := &machine.RunFinished{Result: plan.Awaiting, EnteredStepLabels: []string{"1", "2"}, WaitingFor: &machine.Waiting{Step: "2", Kind: machine.KindPause}}
	long := &machine.ActionFinished{Kind: "command", Output: strings.Repeat("\x1b", 64<<10), Outcome: &plan.Outcome{}}

	cases := map[string]struct {
		bodies []machine.Body
		open   bool
		want   RunSummary
	}{
		"completed":        {bodies: []machine.Body{started(), &machine.StepEntered{}, finished(plan.Completed, "1", "3")}, want: with(func(s *RunSummary) { s.Result, s.Ended, s.Step = "completed", second(3), "3" })},
		"nothing to do":    {bodies: []machine.Body{started(), finished(plan.Completed)}, want: with(func(s *RunSummary) { s.Result, s.Ended = "completed", second(2) })},
		"waiting":          {bodies: []machine.Body{started(), &machine.StepEntered{}, waiting}, want: with(func(s *RunSummary) { s.Result, s.Ended, s.Step = "awaiting_input", second(3), "2" })},
		"left at a pause":  {bodies: []machine.Body{started(), &machine.StepEntered{}, paused}, want: with(func(s *RunSummary) { s.Result, s.State, s.Ended, s.Step = "awaiting_input", "paused", second(3), "2" })},
		"interrupted":      {bodies: []machine.Body{started(), &machine.StepEntered{}, &machine.WarningRecorded{}}, want: with(func(s *RunSummary) { s.Step = "2.2" })},
		"between steps":    {bodies: []machine.Body{started(), &machine.StepEntered{}, &machine.Decision{To: "2"}, &machine.RunResumed{}}, want: with(func(s *RunSummary) { s.Step = "2" })},
		"before its end":   {bodies: []machine.Body{started(), &machine.StepEntered{}, &machine.Decision{To: machine.EndLabel}}, want: with(func(s *RunSummary) { s.Step = "2.2" })},
		"at its beginning": {bodies: []machine.Body{started()}, want: base},
		"reopened":         {bodies: []machine.Body{started(), finished(plan.Stopped, "1"), &machine.RunResumed{}, &machine.StepEntered{}}, want: with(func(s *RunSummary) { s.Step = "2.4" })},
		"back at its end":  {bodies: []machine.Body{started(), finished(plan.Completed, "1"), &machine.RunRewound{ToSeq: 1}, &machine.StepEntered{}, &machine.RunRewound{ToSeq: 2}}, want: with(func(s *RunSummary) { s.Result, s.Ended, s.Step = "completed", second(2), "1" })},
		"back at a step":   {bodies: []machine.Body{started(), &machine.StepEntered{}, finished(plan.Completed, "1"), &machine.RunRewound{ToSeq: 2}}, want: with(func(s *RunSummary) { s.Step = "2.2" })},
		"running":          {bodies: []machine.Body{started(), &machine.StepEntered{}}, open: true, want: with(func(s *RunSummary) { s.Result, s.Step = "running", "2.2" })},
		"over, still open": {bodies: []machine.Body{started(), finished(plan.RunFailed, "1")}, open: true, want: with(func(s *RunSummary) { s.Result, s.Ended, s.Step = "failed", second(2), "1" })},
		"long lines last":  {bodies: []machine.Body{started(), &machine.StepEntered{}, long, long, long}, want: with(func(s *RunSummary) { s.Step = "2.2" })},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, r := newRun(t)
			record(t, r, c.bodies...)
			if !c.open {
				_ = r.Close()
			}
			c.want.Run = r.ID()
			got, err := s.List()
			if err != nil {
				t.Fatal(err)
			}
			if c.want.StartFolder = got[0].StartFolder; c.want.StartFolder == "" {
				t.Error("the start folder of the run is missing")
			}
			same(t, "summary", []RunSummary{c.want}, got)
		})
	}
}

// TestWords: ResultWord tells what an unfinished run does, and names unopened forks. The results that scripts read do
// not change.
func TestWords(t *testing.T) {
	asked := []machine.Body{started(), &machine.StepEntered{}, &machine.InputNeeded{}}
	for _, c := range []struct {
		bodies []machine.Body
		told   string
		open   bool
		word   string
		result string
	}{
		{asked, "", true, "waiting", Running},
		{asked, "waiting", false, "interrupted", ""},
		{asked[:2], "running", true, "running", Running},
		{asked[:2], "waiting", true, "waiting", Running}, // for a manual reply, which no event records
		{asked[:2], "paused", true, "paused", Running},
		{asked[:2], "paused", false, "interrupted", ""},
		{append(asked[:3:3], &machine.InputGiven{}), "", true, "running", Running},
		{append(asked[:2:2], &machine.RunForked{}), "", false, "forked", ""},
		{append(asked[:3:3], &machine.RunForked{}), "", false, "waiting", string(plan.Awaiting)},
		{append(asked[:3:3], &machine.RunForked{}), "waiting", true, "waiting", Running},
		{append(asked[:3:3], &machine.RunForked{}, &machine.RunResumed{}), "", false, "interrupted", ""},
		{[]machine.Body{started(), finished(plan.Completed)}, "paused", false, "completed", "completed"},
	} {
		s, r := newRun(t)
		record(t, r, c.bodies...)
		r.SetState(c.told)
		if !c.open {
			_ = r.Close()
		}
		all, err := s.List()
		if err != nil || len(all) != 1 || all[0].ResultWord() != c.word || all[0].Result != c.result {
			t.Errorf("%s: %+v, %v", c.word, all, err)
		}
		if got, want := r.IsPaused(), c.open && c.told == "paused"; got != want {
			t.Errorf("%s: paused by its process: %v", c.word, got)
		}
	}
}

func TestSummariesOfBrokenRuns(t *testing.T) {
	good := strings.Join(lines(t, 2), "")
	begun, err := machine.Event{Seq: 1, Time: start, Body: started()}.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	head := string(begun) + "\n"
	cases := map[string]struct {
		events string
		want   string
	}{
		"empty":              {"", ""},
		"torn at once":       {`{"seq":1,"ti`, ""},
		"zeros":              {"\x00\x00", ""},
		"torn at the end":    {head + `{"seq":2`, ""},
		"junk":               {"hello\n", Unreadable},
		"junk, no line":      {"hello", Unreadable},
		"junk at the end":    {head + "hello\n", Unreadable},
		"without beginning":  {good, Unreadable},
		"damaged in between": {head + "junk\n" + strings.Repeat(lines(t, 3)[2], 200), ""}, // List does not read the middle
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, r := newRun(t)
			_ = r.Close()
			write(t, r.eventsPath(), []byte(c.events))
			all, err := s.List()
			if err != nil || len(all) != 1 {
				t.Fatalf("List = %v, %v", all, err)
			}
			if all[0].Result != c.want {
				t.Errorf("result %q, want %q", all[0].Result, c.want)
			}
			if !strings.HasSuffix(all[0].Path, "release.runbook.md") || all[0].Started.IsZero() {
				t.Errorf("%+v: want the path and a time", all[0])
			}
		})
	}
}

func TestAFolderWithNothingIsUnreadable(t *testing.T) {
	s := NewStore(t.TempDir())
	if err := os.Mkdir(filepath.Join(s.dir, "ab12"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := s.List()
	if err != nil || len(all) != 1 || all[0].Result != Unreadable {
		t.Errorf("List = %v, %v", all, err)
	}
	if err := s.Remove("ab12"); err != nil {
		t.Errorf("Remove = %v", err)
	}
}

func TestNewestFirst(t *testing.T) {
	s := NewStore(t.TempDir())
	var want []string
	for n := range 5 {
		r := create(t, s)
		if err := r.Append(machine.Event{Seq: 1, Time: start.Add(time.Duration(n) * time.Hour), Body: started()}); err != nil {
			t.Fatal(err)
		}
		want = append([]string{r.ID()}, want...)
	}
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, one := range all {
		got = append(got, one.Run)
	}
	same(t, "order", want, got)
}

func TestSummaryAsJSON(t *testing.T) {
	full, err := json.Marshal(RunSummary{Run: "ab12", Path: "a.md", Format: "rundown", Title: "A", Result: "completed", Started: start, Ended: start, Step: "2"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "full", `{"run":"ab12","path":"a.md","format":"rundown","title":"A","result":"completed","started":"2026-03-01T09:00:00Z","ended":"2026-03-01T09:00:00Z","step":"2"}`, string(full))
	least, err := json.Marshal(RunSummary{Run: "ab12"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "least", `{"run":"ab12"}`, string(least))
}

// TestFolderFirst: the runs of a folder come before newer ones of others.
func TestFolderFirst(t *testing.T) {
	all := []RunSummary{{Run: "1", StartFolder: "/b"}, {Run: "2", StartFolder: "/a/deep"}, {Run: "3"}, {Run: "4", StartFolder: "/a"}}
	SortFolderFirst(all, "/a")
	got := ""
	for _, r := range all {
		got += r.Run
	}
	if got != "2413" {
		t.Error(got)
	}
}
