package engine_test

import (
	"context"
	"io"
	"slices"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// slow is a source whose replies come when the test says so.
type slow struct {
	name  string
	part  string        // what comes at once
	whole chan string   // what comes then
	asked chan struct{} // a call was made
}

func newSlow(name, part string) *slow {
	return &slow{name, part, make(chan string), make(chan struct{}, 9)}
}

func (s *slow) Reply(ctx context.Context, q model.Request, out io.Writer) model.Reply {
	io.WriteString(out, s.part)
	s.asked <- struct{}{}
	select {
	case rest := <-s.whole:
		io.WriteString(out, rest)
		return model.Reply{Text: s.part + rest, ModelName: s.name}
	case <-ctx.Done():
		return model.Reply{Text: s.part, Err: ctx.Err(), IsCancelled: true}
	}
}

func (s *slow) origin() model.ReplySourceOption {
	return model.ReplySourceOption{Name: s.name, Open: func() (model.ReplySource, error) { return s, nil }}
}

const twoReplies = "# A\n## STEP 1: One\nSay it.\n@output(one)\n## STEP 2: Two\nSay more.\n@output(two)\n"

// asking returns a session with a person, which asks sources and begins with the first one.
func asking(f *fixture, resume string, sources ...*slow) *live {
	f.t.Helper()
	return steer(f.t, f.session(resume, func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, sources[0].name
		for _, s := range sources {
			c.ReplySources = append(c.ReplySources, s.origin())
		}
	}))
}

// repliers returns who replied, in order: the model's name, or another replier.
func (l *live) repliers() (out []string) {
	for _, e := range l.all {
		b, ok := e.Body.(*machine.ActionFinished)
		switch {
		case !ok || b.Kind != "model":
		case b.Outcome.Result == plan.Undecided:
			out = append(out, "held")
		case e.By != "":
			out = append(out, e.By+": "+b.Output)
		default:
			out = append(out, b.Model+": "+b.Output)
		}
	}
	return out
}

func (l *live) wantRepliers(want ...string) {
	l.t.Helper()
	got := l.repliers()
	if len(got) != len(want) {
		l.t.Fatalf("replied %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			l.t.Fatalf("replied %q, want %q", got, want)
		}
	}
}

func (l *live) reply(text string) {
	l.t.Helper()
	l.do(l.s.Answer(machine.Answer{Value: text, By: machine.ByPerson}))
}

// TestTakeOver: a person takes the reply under way over. What was received is theirs
// to go on with, the call leaves no event, and the next reply is the source's again.
func TestTakeOver(t *testing.T) {
	far := newSlow("far", "Half a ")
	l := asking(newPlaybook(t, twoReplies), "", far)
	<-far.asked
	l.do(l.s.TakeOverReply(true))
	if q := l.waiting("1", machine.KindReply); q.Draft != "Half a " || q.Prompt != "Say it." {
		t.Errorf("asked %+v", q)
	}
	if !l.last.NextReplyManual || l.last.ReplySourceName != "far" {
		t.Errorf("status %+v", l.last)
	}
	l.reply("Half a loaf")
	far.whole <- "word"
	l.over(plan.Completed)
	l.wantRepliers("person: Half a loaf", "far: Half a word")
	for _, b := range bodies[*machine.ActionFinished](l.all) {
		if b.Log != nil && l.s.Log(b.Log.File).ShortenedText(99) != b.Output {
			t.Errorf("%s holds %q, not %q", b.Log.File, l.s.Log(b.Log.File).ShortenedText(99), b.Output)
		}
	}
}

// TestHandBack: at a reply form the source can be let reply after all.
func TestHandBack(t *testing.T) {
	far := newSlow("far", "")
	l := asking(newPlaybook(t, twoReplies), "", far)
	<-far.asked
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.do(l.s.TakeOverReply(false))
	far.whole <- "one"
	far.whole <- "two"
	l.over(plan.Completed)
	l.wantRepliers("far: one", "far: two")
}

// TestNextReply: before a call starts a person can say that the reply is theirs.
func TestNextReply(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "")
	l := steer(t, f.session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName, c.ReplySources, c.Mode = false, "far", []model.ReplySourceOption{far.origin()}, engine.StepOver
	}))
	l.pausedBefore("1")
	l.do(l.s.TakeOverReply(true))
	l.do(l.s.Continue(engine.Continue, ""))
	l.waiting("1", machine.KindReply)
	l.reply("mine")
	far.whole <- "two"
	l.over(plan.Completed)
	l.wantRepliers("person: mine", "far: two")
}

// TestChoose: a source chosen in mid-run replies from the next call on, and at an
// open form at once; it goes before replies that were prepared.
func TestChoose(t *testing.T) {
	f, far, near := newPlaybook(t, twoReplies), newSlow("far", ""), newSlow("near", "")
	l := steer(t, f.session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName, c.ReplySources = false, "far", []model.ReplySourceOption{far.origin(), near.origin()}
		c.PreparedReplies = &model.PreparedReplies{RepliedBy: machine.ByFile, ByCallKey: map[string][]model.Reply{"2": {{Text: "prepared"}}}}
	}))
	<-far.asked
	l.do(l.s.ChooseReplySource(model.ManualReplySource))
	far.whole <- "one"
	l.waiting("2", machine.KindReply)
	if l.last.ReplySourceName != model.ManualReplySource {
		t.Errorf("source is %q", l.last.ReplySourceName)
	}
	if err := l.s.ChooseReplySource("nowhere"); err == nil {
		t.Error("chose a source that is not there")
	}
	l.do(l.s.ChooseReplySource("near"))
	near.whole <- "two"
	l.over(plan.Completed)
	l.wantRepliers("far: one", "near: two")
}

// TestStored: what stored replies do not have is left to a person.
func TestStored(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	stored := &model.PreparedReplies{RepliedBy: "replay", ByCallKey: map[string][]model.Reply{"1": {{Text: "one"}}}}
	l := steer(t, f.session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, "replay:1"
		c.ReplySources = []model.ReplySourceOption{{Name: "replay:1", Open: func() (model.ReplySource, error) { return stored, nil }}}
	}))
	l.waiting("2", machine.KindReply)
	l.reply("two")
	l.over(plan.Completed)
	l.wantRepliers("replay: one", "person: two")
}

// cutOff returns the ID of a run that was left in the middle of a reply.
func cutOff(f *fixture) string {
	f.t.Helper()
	far := newSlow("far", "Half a ")
	l := asking(f, "", far)
	<-far.asked
	l.until("running", func(s engine.Status) bool { return s.RunningStep == "1" })
	l.s.Close()
	<-l.end
	f.closeRuns()
	return l.all[0].Body.(*machine.RunStarted).RunID
}

// TestCutOff: after a crash the part that was received is kept and shown, and the
// call is made again only when somebody says so.
func TestCutOff(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "")
	l := asking(f, cutOff(f), far)
	l.waiting("1", machine.KindResume)
	if got := l.s.Log(l.last.RunningLog).ShortenedText(99); got != "Half a " {
		t.Errorf("shows %q", got)
	}
	select {
	case <-far.asked:
		t.Error("asked again")
	default:
	}
	l.reply("rerun")
	<-far.asked
	l.do(l.s.ChooseReplySource(model.ManualReplySource)) // for what comes after the call that is made
	far.whole <- "one"
	l.waiting("2", machine.KindReply)
	l.reply("two")
	l.over(plan.Completed)
	l.wantRepliers("held", "far: one", "person: two")
}

// TestCutOffPasses: what was received can pass for the reply.
func TestCutOffPasses(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	l := asking(f, cutOff(f), newSlow("far", ""))
	l.waiting("1", machine.KindResume)
	l.reply("pass")
	l.until("2 is asked", func(s engine.Status) bool { return s.RunningStep == "2" })
	l.wantRepliers("held", "person: Half a ")
}

// TestCutOffByHand: a person can finish what was received.
func TestCutOffByHand(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	l := asking(f, cutOff(f), newSlow("far", ""))
	l.waiting("1", machine.KindResume)
	l.do(l.s.TakeOverReply(true))
	if q := l.waiting("1", machine.KindReply); q.Draft != "Half a " {
		t.Errorf("draft %q", q.Draft)
	}
	l.do(l.s.TakeOverReply(false))
	l.waiting("1", machine.KindResume)
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.reply("Half a loaf")
	l.until("2 is asked", func(s engine.Status) bool { return s.RunningStep == "2" })
	l.wantRepliers("held", "person: Half a loaf")
	if l.last.NextReplyManual {
		t.Error("the next reply is a person's too")
	}
}

// TestCutOffHeadless: with nobody there a call is made again only where that was said.
func TestCutOffHeadless(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	run := cutOff(f)
	stored := func(c *engine.Config) {
		c.PreparedReplies = &model.PreparedReplies{RepliedBy: machine.ByFile, ByCallKey: map[string][]model.Reply{"1": {{Text: "one"}}, "2": {{Text: "two"}}}}
	}
	end, _ := headless(t, f.session(run, stored))
	if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindResume {
		t.Fatalf("ended %+v", end.RunFinished)
	}
	f.closeRuns()
	recalls := func(c *engine.Config) {
		stored(c)
		c.RepeatCutOffCalls = true
	}
	end, _ = headless(t, f.session(run, func(c *engine.Config) {
		recalls(c)
		c.FirstPlan = armed(t, c.FirstPlan)
	}))
	if end.Result != plan.Awaiting || end.WaitingFor.Kind != machine.KindResume {
		t.Fatalf("tools may have acted, but it ended %+v", end.RunFinished)
	}
	f.closeRuns()
	end, _ = headless(t, f.session(run, recalls))
	if end.Result != plan.Completed || end.Variables["one"] != "one" {
		t.Fatalf("ended %+v", end.RunFinished)
	}
}

// armed returns a copy of a plan whose first model has a tool.
func armed(t *testing.T, p *plan.Plan) *plan.Plan {
	t.Helper()
	armed, first := *p, *p.Steps[0]
	armed.Steps = append([]*plan.Step{&first}, p.Steps[1:]...)
	first.Actions = slices.Clone(first.Actions)
	for i, a := range first.Actions {
		if w, model := a.Work.(plan.Model); model {
			w.Tools = []plan.Prompt{plan.Literal("post")}
			first.Actions[i].Work = w
		}
	}
	return &armed
}

// TestLeftWhileReplying: a run that was left while a person replied asks nobody else
// before they say so.
func TestLeftWhileReplying(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "Half a ")
	l := asking(f, "", far)
	<-far.asked
	l.do(l.s.TakeOverReply(true))
	l.waiting("1", machine.KindReply)
	l.s.Close()
	<-l.end
	f.closeRuns()
	l = asking(f, l.all[0].Body.(*machine.RunStarted).RunID, far)
	if q := l.waiting("1", machine.KindReply); q.Draft != "Half a " {
		t.Errorf("draft %q", q.Draft)
	}
	l.do(l.s.ChooseReplySource("far"))
	far.whole <- "one"
	far.whole <- "two"
	l.over(plan.Completed)
	l.wantRepliers("far: Half a one", "far: Half a two")
}

// TestSkipWhileTakenOver: something else that ends the call goes first, and the next
// reply is not the person's for it.
func TestSkipWhileTakenOver(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "")
	l := asking(f, "", far)
	<-far.asked
	l.do(l.s.Skip("not needed"))
	l.until("2 is asked", func(s engine.Status) bool { return s.RunningStep == "2" })
	if l.last.NextReplyManual {
		t.Error("the next reply is a person's")
	}
	l.wantRepliers("held")
}

// thinker thinks before it replies.
type thinker struct{ on chan struct{} }

func (th thinker) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	for _, piece := range []string{"One wo", "rd, ", "two\nmore"} {
		q.AddReasoning(piece)
	}
	<-th.on
	io.WriteString(out, "done")
	return model.Reply{Text: "done", Reasoning: "One word, two\nmore"}
}

// TestReasoning: reasoning is counted as it comes, and kept beside the reply.
func TestReasoning(t *testing.T) {
	f, th := newPlaybook(t, "# A\n## STEP 1: One\nSay it.\n"), thinker{make(chan struct{})}
	l := steer(t, f.session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, "th"
		c.ReplySources = []model.ReplySourceOption{{Name: "th", Open: func() (model.ReplySource, error) { return th, nil }}}
	}))
	l.until("four words", func(s engine.Status) bool { return s.ReasoningWords == 4 })
	close(th.on)
	l.over(plan.Completed)
	for _, b := range bodies[*machine.ActionFinished](l.all) {
		if b.Output != "done" || b.Reasoning != "One word, two\nmore" {
			t.Errorf("recorded %+v", b)
		}
	}
}

// crier is a source that has something to say before it replies.
type crier struct{ on chan struct{} }

func (c crier) Reply(_ context.Context, q model.Request, _ io.Writer) model.Reply {
	q.ShowNotice(model.Notice{Text: "trying again: abracadabra is not accepted"})
	<-c.on
	return model.Reply{Text: "done"}
}

// TestNoticeHasNoSecret: what is said of a call under way is for everyone to see.
func TestNoticeHasNoSecret(t *testing.T) {
	c := crier{make(chan struct{})}
	l := steer(t, newPlaybook(t, "# A\n## STEP 1: One\nSay it.\n").session("", func(conf *engine.Config) {
		conf.Headless, conf.FirstReplySourceName, conf.Secrets = false, "c", []string{"abracadabra"}
		conf.ReplySources = []model.ReplySourceOption{{Name: "c", Open: func() (model.ReplySource, error) { return c, nil }}}
	}))
	st := l.until("the notice", func(s engine.Status) bool { return s.Notice != nil })
	if want := "trying again: ••• is not accepted"; st.Notice.Text != want {
		t.Errorf("%q, want %q", st.Notice.Text, want)
	}
	close(c.on)
	l.over(plan.Completed)
}

// stubborn is a source that takes its time to end when it is told to.
type stubborn struct{ asked, told, end chan struct{} }

func (s *stubborn) Reply(ctx context.Context, _ model.Request, _ io.Writer) model.Reply {
	s.asked <- struct{}{}
	<-ctx.Done()
	s.told <- struct{}{}
	<-s.end
	return model.Reply{IsCancelled: true}
}

// TestOneInterventionAtATime: while one waits for what runs to end, another is refused
// instead of taking its place.
func TestOneInterventionAtATime(t *testing.T) {
	source := &stubborn{make(chan struct{}, 9), make(chan struct{}, 9), make(chan struct{})}
	l := steer(t, newPlaybook(t, twoReplies).session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, "stubborn"
		c.ReplySources = []model.ReplySourceOption{{Name: "stubborn", Open: func() (model.ReplySource, error) { return source, nil }}}
	}))
	<-source.asked
	l.do(l.s.EndRun(plan.Stopped, "enough"))
	<-source.told
	if err := l.s.Jump("2", ""); err == nil {
		t.Error("a second intervention is taken on")
	}
	close(source.end)
	l.over(plan.Stopped)
}

// remarking is a source that replies with a remark.
type remarking string

func (r remarking) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	io.WriteString(out, q.StepLabel)
	return model.Reply{Text: q.StepLabel, OncePerRunWarnings: []string{string(r)}}
}

// TestOncePerRunWarnings: what a source says with every reply of every call is one warning of the run,
// also where the run is resumed.
func TestOncePerRunWarnings(t *testing.T) {
	f := newPlaybook(t, twoReplies+"## STEP 3: Three\n@elicit(confirm, \"More?\")\n## STEP 4: Four\nSay it.\n")
	asking := func(c *engine.Config) {
		c.FirstReplySourceName = "far"
		c.ReplySources = []model.ReplySourceOption{{Name: "far", Open: func() (model.ReplySource, error) { return remarking("the usual model was asked"), nil }}}
	}
	end, events := headless(t, f.session("", asking))
	f.closeRuns()
	if end.Result != plan.Awaiting || len(bodies[*machine.WarningRecorded](events)) != 1 {
		t.Fatalf("ended %s with %d warnings", end.Result, len(bodies[*machine.WarningRecorded](events)))
	}
	end, events = headless(t, f.session(events[0].Body.(*machine.RunStarted).RunID, func(c *engine.Config) {
		asking(c)
		c.PreparedAnswers = &engine.PreparedAnswers{ByLabel: map[string][]engine.PreparedAnswer{"3": {{Value: "yes", PreparedBy: machine.ByFlag}}}}
	}))
	if warned := bodies[*machine.WarningRecorded](events); end.Result != plan.Completed || len(warned) != 1 {
		t.Errorf("resumed: ended %s with %d warnings", end.Result, len(warned))
	}
}

// reasoner is a source that adds reasoning until its call is cancelled.
type reasoner struct{ asked chan struct{} }

func (r reasoner) Reply(ctx context.Context, q model.Request, _ io.Writer) model.Reply {
	close(r.asked)
	for ctx.Err() == nil {
		q.AddReasoning("hm ")
	}
	return model.Reply{IsCancelled: true}
}

// TestPauseDuringReasoning pauses a run while the goroutine of a call publishes its progress. The race
// detector reports it if both use the stepper without the lock.
func TestPauseDuringReasoning(t *testing.T) {
	r := reasoner{make(chan struct{})}
	l := steer(t, newPlaybook(t, twoReplies).session("", func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, "r"
		c.ReplySources = []model.ReplySourceOption{{Name: "r", Open: func() (model.ReplySource, error) { return r, nil }}}
	}))
	<-r.asked
	for range 20 {
		l.do(l.s.Continue(engine.Continue, ""))
		l.do(l.s.Pause())
	}
	l.until("told to pause", func(s engine.Status) bool { return s.PausesNext })
}
