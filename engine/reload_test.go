package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/engine/trust"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// versions is the version loader of a run whose document is saved as text.
type versions struct {
	f    *fixture
	run  *journal.Run
	text string

	plans map[string]*plan.Plan // the stored versions by snapshot; nil: only the first one is known
}

func (v *versions) FileWithStepEdit(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	text, err := rundown.EditSteps(p, e)
	return []byte(text), err
}

func (v *versions) ReplaceCopyPaths(text string) string { return text }

func (v *versions) LoadSaved() (*engine.DocumentVersion, error) { return v.version(v.text), nil }

func (v *versions) version(text string) *engine.DocumentVersion {
	p := rundown.Parse(v.f.plan.Path, []byte(text), rundown.Options{})
	return &engine.DocumentVersion{
		Plan: p, CommandsToAllow: trust.ListCommands(p), AllowCommands: func() error { return nil },
		StoreSnapshot: func() (string, error) {
			s, err := journal.GatherSources(p, v.f.dir)
			if err != nil {
				return "", err
			}
			name, err := v.run.StoreSources(s)
			if v.plans != nil {
				v.plans[name] = p
			}
			return name, err
		},
	}
}

func (v *versions) LoadEdited(snapshot string, edit func(*plan.Plan) (map[string][]byte, error)) (*engine.DocumentVersion, error) {
	p := v.f.plan
	if kept := v.plans[snapshot]; kept != nil {
		p = kept
	}
	files, err := edit(p)
	if err != nil {
		return nil, err
	}
	return v.version(string(files[v.f.plan.Path])), nil
}

const before = `# Release
## 1. Build
Is it built?
- PASS: CONTINUE
- FAIL: GOTO 3
## 2. Test
` + "```bash\necho tested\n```" + `
## 3. Publish
Is it published?
`

// reloadable starts a run of a document that a test can reload.
func reloadable(t *testing.T, adjust func(*engine.Config)) (*live, *versions) {
	f := newFixture(t, before)
	v := &versions{f: f, text: before}
	s := f.session("", func(c *engine.Config) {
		c.Headless, c.VersionLoader, c.Mode = false, v, engine.PauseNext
		v.run = c.Run
		if adjust != nil {
			adjust(c)
		}
	})
	return steer(t, s), v
}

func (l *live) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// saved returns the offer to reload the saved files.
func (l *live) saved() *engine.ReloadOffer {
	l.t.Helper()
	o, err := l.s.OfferSaved()
	l.must(err)
	return o
}

func TestReloadHere(t *testing.T) {
	l, v := reloadable(t, func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "3"}} })
	l.pausedBefore("1")
	l.must(l.s.Continue(engine.StepOver, ""))
	l.waiting("1", machine.KindDecide)
	v.text = strings.ReplaceAll(before, "## 3.", "## 3. Wait\nWaited?\n## 4.")
	v.text = strings.Replace(v.text, "GOTO 3", "GOTO 4", 1)
	o := l.saved()
	if got := o.Match.Summary(); got != "1 step" {
		t.Errorf("changed: %s", got)
	}
	if len(o.CommandsToAllow) > 0 || o.NoPlaceError != nil || o.FirstChangedSeq != 0 {
		t.Errorf("%+v", o)
	}
	l.must(l.s.Reload(o, engine.ReloadChoice{}))
	l.until("breakpoints follow", func(s engine.Status) bool { return len(s.Breakpoints) == 1 && s.Breakpoints[0].Step == "4" })
	l.waiting("1", machine.KindDecide)
	l.must(l.s.Answer(machine.Answer{Value: "fail", By: machine.ByPerson}))
	l.pausedBefore("4")
	l.must(l.s.Undo()) // the answer
	l.must(l.s.Undo()) // the reload
	l.until("breakpoints go back", func(s engine.Status) bool { return len(s.Breakpoints) == 1 && s.Breakpoints[0].Step == "3" })
	l.must(l.s.Redo())
	l.until("breakpoints follow again", func(s engine.Status) bool { return len(s.Breakpoints) == 1 && s.Breakpoints[0].Step == "4" })
}

func TestReloadNeedsPlaceAndTrust(t *testing.T) {
	l, v := reloadable(t, nil)
	l.pausedBefore("1")
	l.must(l.s.Continue(engine.StepOver, ""))
	l.waiting("1", machine.KindDecide)
	v.text = "# Release\n## 1. Wait\nWaited?\n## 2. Deploy\n```bash\necho deployed\n```\n"
	o := l.saved()
	var untrusted *engine.UntrustedCommandsError
	if err := l.s.Reload(o, engine.ReloadChoice{}); !errors.As(err, &untrusted) || len(untrusted.Commands) != 1 {
		t.Fatalf("%v", err)
	}
	var noPlace *machine.NoPlaceError
	if err := l.s.Reload(o, engine.ReloadChoice{AllowCommands: true}); !errors.As(err, &noPlace) || noPlace.Step != "1" {
		t.Fatalf("%v", err)
	}
	l.must(l.s.Reload(o, engine.ReloadChoice{AllowCommands: true, TargetStep: "2"}))
	l.pausedBefore("2")
	v.text = "# Release\n## 1. Wait\n- PASS: GOTO 7\n"
	if o = l.saved(); o.Err() == nil || l.s.Reload(o, engine.ReloadChoice{}) == nil {
		t.Error("a document with errors is accepted")
	}
}

// TestEditsHoldNoSecrets: an edit with a secret is refused, since the run stores its documents unmasked.
func TestEditsHoldNoSecrets(t *testing.T) {
	l, _ := reloadable(t, func(c *engine.Config) { c.Secrets = []string{"hunter2"} })
	l.pausedBefore("1")
	if _, err := l.s.EditRule(rewrite.RuleRef{StepID: "1"}, `- PASS: STOP "hunter2"`); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Errorf("a rule with a secret: %v", err)
	}
	if _, err := l.s.EditSteps(plan.StepEdit{Verb: plan.InsertStep, Step: "1", Text: "Log in with hunter2"}); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Errorf("a step with a secret: %v", err)
	}
	if _, err := l.s.EditRule(rewrite.RuleRef{StepID: "1"}, "- PASS: GOTO 3"); err != nil {
		t.Error(err)
	}
}

func TestReloadEndsWhatRuns(t *testing.T) {
	doc := "# R\n## 1. Long\n```bash\nsleep 60\n```\n## 2. Then\nDone?\n"
	f := newFixture(t, doc)
	v := &versions{f: f, text: strings.Replace(doc, "Done?", "Done now?", 1)}
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.VersionLoader, v.run = false, v, c.Run }))
	l.until("it runs", func(s engine.Status) bool { return s.RunningStep == "1" })
	l.must(l.s.Reload(l.saved(), engine.ReloadChoice{}))
	l.waiting("1", machine.KindResume)
}

func TestRewindAndReload(t *testing.T) {
	l, v := reloadable(t, nil)
	l.pausedBefore("1")
	l.must(l.s.Continue(engine.StepOver, ""))
	l.waiting("1", machine.KindDecide)
	l.must(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.pausedBefore("2")
	l.must(l.s.Continue(engine.StepOver, ""))
	l.pausedBefore("3")
	v.text = strings.Replace(before, "echo tested", "echo tested more", 1)
	o := l.saved()
	if o.FirstChangedStep != "2" {
		t.Fatalf("the first changed step is %q", o.FirstChangedStep)
	}
	l.must(l.s.Reload(o, engine.ReloadChoice{RewindTo: o.FirstChangedSeq - 1, AllowCommands: true}))
	l.pausedBefore("2")
	l.must(l.s.Undo())
	l.pausedBefore("3")
}

// TestForecast: the forecast of an edited rule names the route of the chosen decision and the earlier decisions that
// would change.
func TestForecast(t *testing.T) {
	doc := "# R\n## 1. Try\nDid it work?\n- PASS: CONTINUE\n- FAIL: RETRY 2 GOTO 3\n## 2. Next\nDone?\n## 3. Last\nDone?\n"
	f := newFixture(t, doc)
	v := &versions{f: f}
	l := steer(t, f.session("", func(c *engine.Config) { c.Headless, c.VersionLoader, v.run = false, v, c.Run }))
	for range 3 {
		l.last = engine.Status{}
		l.waiting("1", machine.KindDecide)
		l.must(l.s.Answer(machine.Answer{Value: "fail", By: machine.ByPerson}))
	}
	l.waiting("3", machine.KindDecide)
	ref := rewrite.RuleRef{StepID: "1", RuleIndex: 1}
	if _, old, err := ref.Text(f.plan); err != nil || old != "FAIL: RETRY 2 GOTO 3" {
		t.Fatalf("%q, %v", old, err)
	}
	o, err := l.s.EditRule(ref, "FAIL: RETRY 1 GOTO 2")
	l.must(err)
	seq := 0
	for _, e := range l.all {
		if _, decided := e.Body.(*machine.Decision); decided {
			seq = e.Seq
		}
	}
	forecast, err := l.s.Forecast(o, seq)
	l.must(err)
	if d, ok := forecast.DecisionEvent.Body.(*machine.Decision); !ok || d.To != "2" {
		t.Errorf("%+v", forecast.DecisionEvent)
	}
	if got := fmt.Sprint(forecast.ReroutedDecisions); len(forecast.ReroutedDecisions) != 1 || forecast.ReroutedDecisions[0].To.To != "2" || forecast.ReroutedDecisions[0].From.To != "1" {
		t.Errorf("rerouted decisions: %s", got)
	}
	l.must(l.s.ReloadAt(o, seq, engine.ReloadChoice{}))
	l.must(l.s.Continue(engine.Continue, ""))
	l.waiting("2", machine.KindDecide)
	l.must(l.s.Undo())
	l.until("it is back", func(s engine.Status) bool { return l.all[len(l.all)-1].Body.Type() == "rewound" })
	l.waiting("3", machine.KindDecide)
}

// TestEditedRuleIsMarked: a step whose rule a person edited counts as changed by them, even if its number changes,
// until the files are reloaded.
func TestEditedRuleIsMarked(t *testing.T) {
	l, v := reloadable(t, nil)
	v.plans = map[string]*plan.Plan{}
	l.pausedBefore("1")
	reload := func(o *engine.ReloadOffer, err error) *track.Track {
		l.must(err)
		l.must(l.s.Reload(o, engine.ReloadChoice{}))
		got := track.New(v.f.plan)
		got.Fold(machine.LiveBranch(l.s.Events())...)
		return got
	}
	isMarked := func(tr *track.Track, label string) bool {
		marked := tr.RowByLabel(label).IsChangedByPerson()
		if slices.Contains(tr.Overrides, track.Override{Step: label, Kind: track.EditedRule}) != marked {
			t.Errorf("step %s: %v", label, tr.Overrides)
		}
		return marked
	}
	tr := reload(l.s.EditRule(rewrite.RuleRef{StepID: "1", RuleIndex: 1}, "FAIL: GOTO 2"))
	if !isMarked(tr, "1") || isMarked(tr, "2") || isMarked(tr, "3") {
		t.Error("after the edit, step 1 alone should be marked")
	}
	tr = reload(l.s.EditSteps(plan.StepEdit{Verb: plan.InsertStep, Step: "1", Text: "Prepare"}))
	if isMarked(tr, "1") || !isMarked(tr, "2") || isMarked(tr, "3") {
		t.Error("after the insertion, step 2 alone should be marked")
	}
	tr = reload(l.s.OfferSaved())
	if isMarked(tr, "1") || isMarked(tr, "2") || len(tr.Overrides) > 0 {
		t.Errorf("after the files are loaded again, no step should be marked: %v", tr.Overrides)
	}
}

// TestReloadKeepsWrittenEdits: a reload does not list an edit as dropped if the saved file has it.
func TestReloadKeepsWrittenEdits(t *testing.T) {
	l, v := reloadable(t, func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "3"}} })
	l.pausedBefore("1")
	edited := strings.Replace(before, "GOTO 3", "GOTO 2", 1)
	o, err := l.s.EditRule(rewrite.RuleRef{StepID: "1", RuleIndex: 1}, "FAIL: GOTO 2")
	l.must(err)
	l.must(l.s.Reload(o, engine.ReloadChoice{}))
	for text, dropped := range map[string]string{
		strings.Replace(edited, "published", "announced", 1): "",
		strings.Replace(before, "published", "announced", 1): "edit of the route of step 1",
	} {
		if v.text = text; l.saved().DroppedEdits != dropped {
			t.Errorf("dropped: %q, want %q", l.saved().DroppedEdits, dropped)
		}
		if l.saved().ChangeNotice() == "" {
			t.Errorf("no notice of the change in %q", text)
		}
	}
	for _, text := range []string{before, edited} { // without the edit, and with it written back
		if v.text = text; l.saved().ChangeNotice() != "" {
			t.Errorf("only the run's edit differs, but: %s", l.saved().ChangeNotice())
		}
	}
}

// TestReloadNamesDroppedStepEdits: a reload lists an edit of a command as dropped if the saved file has another change
// of it. After the reload, the step no longer counts as edited.
func TestReloadNamesDroppedStepEdits(t *testing.T) {
	l, v := reloadable(t, nil)
	l.pausedBefore("1")
	l.must(l.s.EditAction("2", 0, "echo mine"))
	for command, dropped := range map[string]string{"echo tested": "", "echo mine": "", "echo theirs": "edit of step 2"} {
		v.text = strings.Replace(before, "echo tested", command, 1)
		if got := l.saved().DroppedEdits; got != dropped {
			t.Errorf("%s drops %q, want %q", command, got, dropped)
		}
	}
	v.text = strings.Replace(before, "echo tested", "echo theirs", 1)
	l.must(l.s.Reload(l.saved(), engine.ReloadChoice{AllowCommands: true}))
	tr := track.New(v.f.plan)
	tr.Fold(l.s.Events()...)
	if tr.RowByLabel("2").IsChangedByPerson() || len(tr.Overrides) > 0 {
		t.Errorf("step 2 counts as edited: %v", tr.Overrides)
	}
}

// TestOverrideOfRemovedStep: when a step is removed, its override does not pass to the step that gets its number.
func TestOverrideOfRemovedStep(t *testing.T) {
	l, v := reloadable(t, func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "3"}} })
	l.pausedBefore("1")
	l.must(l.s.OverrideCurrent(plan.Passed, ""))
	l.must(l.s.Continue(engine.StepOver, ""))
	l.must(l.s.Continue(engine.Continue, ""))
	l.pausedBefore("3")
	v.text = "# Release\n## 1. Publish\nIs it published?\n"
	l.must(l.s.Reload(l.saved(), engine.ReloadChoice{}))
	tr := track.New(v.f.plan)
	tr.Fold(l.s.Events()...)
	if len(tr.Overrides) > 0 {
		t.Errorf("%+v", tr.Overrides)
	}
}

// TestContinueAtChosenStep: a step at which a person continues with another version has no decision that led to it.
func TestContinueAtChosenStep(t *testing.T) {
	l, v := reloadable(t, func(c *engine.Config) { c.Breakpoints = []engine.Breakpoint{{Step: "2"}} })
	l.pausedBefore("1")
	l.must(l.s.Continue(engine.Continue, ""))
	l.waiting("1", machine.KindDecide)
	l.must(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
	l.pausedBefore("2")
	v.text = strings.Replace(before, "published", "announced", 1)
	l.must(l.s.Reload(l.saved(), engine.ReloadChoice{TargetStep: "3"}))
	l.must(l.s.Continue(engine.Continue, ""))
	l.waiting("3", machine.KindDecide)
	tr := track.New(v.f.plan)
	tr.Fold(l.s.Events()...)
	if r := tr.RowByLabel("3"); r.EntryDecision != nil || r.EnteredFrom != nil || r.NewestStepAttempt().EntryDecision != nil {
		t.Errorf("the decision %+v of %+v led to step 3", r.EntryDecision, r.EnteredFrom)
	}
}

// TestReloadRewindsBeforeLost: if the first changed step of the path is gone, the run rewinds to before the decision
// that led there. The changed document then makes that decision again.
func TestReloadRewindsBeforeLost(t *testing.T) {
	for _, c := range []struct{ from, to, next string }{
		{"## 3. Publish\nIs it published?\n", "## 3. Announce\nDoes everybody know?\n", "3"},
		{"## 3. Publish\nIs it published?\n", "## 3. Publish now\nIs it published?\n## 4. Publish later\nIs it published?\n", "3"},
	} {
		l, v := reloadable(t, nil)
		l.pausedBefore("1")
		l.must(l.s.Continue(engine.Continue, ""))
		l.waiting("1", machine.KindDecide)
		l.must(l.s.Answer(machine.Answer{Value: "pass", By: machine.ByPerson}))
		l.waiting("3", machine.KindDecide)
		v.text = strings.Replace(before, c.from, c.to, 1)
		o := l.saved()
		at := slices.IndexFunc(l.s.Events(), func(e machine.Event) bool { return e.Seq == o.FirstChangedSeq })
		if at < 1 || o.NoPlaceError == nil {
			t.Fatalf("first changed: event %d, no place: %v", o.FirstChangedSeq, o.NoPlaceError)
		}
		l.must(l.s.Reload(o, engine.ReloadChoice{RewindTo: l.s.Events()[at-1].Seq}))
		l.must(l.s.Continue(engine.StepOver, ""))
		l.waiting(c.next, machine.KindDecide)
	}
}
