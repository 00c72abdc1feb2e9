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

// slow is a reply source that replies when the test says so.
type slow struct {
	name  string
	part  string        // the part that it sends at once
	whole chan string   // the rest
	asked chan struct{} // gets a value for each call
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

// asking returns a session with a person and the given reply sources, which begins with the first one.
func asking(f *fixture, resume string, sources ...*slow) *live {
	f.t.Helper()
	return steer(f.t, f.session(resume, func(c *engine.Config) {
		c.Headless, c.FirstReplySourceName = false, sources[0].name
		for _, s := range sources {
			c.ReplySources = append(c.ReplySources, s.origin())
		}
	}))
}

// repliers returns who gave each reply and its text, in order; "held" stands for an undecided one.
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

// TestTakeOver: a person takes over a running reply, with the received part as a draft. The call leaves no event, and
// the next reply comes from the reply source again.
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

// TestHandBack: a person at a reply form can hand the reply back to the reply source.
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

// TestNextReply: a person can take over a reply before its call starts.
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

// TestChoose: a reply source that is chosen during the run replies from the next call on, or at once at an open form.
// It takes precedence over prepared replies.
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
		t.Error("an unknown reply source is accepted")
	}
	l.do(l.s.ChooseReplySource("near"))
	near.whole <- "two"
	l.over(plan.Completed)
	l.wantRepliers("far: one", "near: two")
}

// TestStored: a person gives the replies that the stored replies lack.
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

// cutOff returns the ID of a run that was closed in the middle of a reply.
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

// TestCutOff: when a run was closed in the middle of a reply, the received part is kept and shown. The call is made
// again only when a person asks for it.
func TestCutOff(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "")
	l := asking(f, cutOff(f), far)
	l.waiting("1", machine.KindResume)
	if got := l.s.Log(l.last.RunningLog).ShortenedText(99); got != "Half a " {
		t.Errorf("shows %q", got)
	}
	select {
	case <-far.asked:
		t.Error("the call was made again unasked")
	default:
	}
	l.reply("rerun")
	<-far.asked
	l.do(l.s.ChooseReplySource(model.ManualReplySource)) // for the calls after the one that is running
	far.whole <- "one"
	l.waiting("2", machine.KindReply)
	l.reply("two")
	l.over(plan.Completed)
	l.wantRepliers("held", "far: one", "person: two")
}

// TestCutOffPasses: a person can accept the received part as the reply.
func TestCutOffPasses(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	l := asking(f, cutOff(f), newSlow("far", ""))
	l.waiting("1", machine.KindResume)
	l.reply("pass")
	l.until("2 is asked", func(s engine.Status) bool { return s.RunningStep == "2" })
	l.wantRepliers("held", "person: Half a ")
}

// TestCutOffByHand: a person can complete the received part.
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
		t.Error("the next reply is manual too")
	}
}

// TestCutOffHeadless: a headless run repeats an interrupted call only with RepeatCutOffCalls, and only if the call has
// no tools.
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

// armed returns a copy of a plan, with a tool for its first model.
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

// TestLeftWhileReplying: a run that was left while a person replied waits for that reply when it is resumed. It asks a
// reply source only when the person chooses one.
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

// TestSkipWhileTakenOver: a skip during a call ends the call, and the next reply is not manual.
func TestSkipWhileTakenOver(t *testing.T) {
	f, far := newPlaybook(t, twoReplies), newSlow("far", "")
	l := asking(f, "", far)
	<-far.asked
	l.do(l.s.Skip("not needed"))
	l.until("2 is asked", func(s engine.Status) bool { return s.RunningStep == "2" })
	if l.last.NextReplyManual {
		t.Error("the next reply is manual")
	}
	l.wantRepliers("held")
}

// thinker is a reply source that sends reasoning before its reply.
type thinker struct{ on chan struct{} }

func (th thinker) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	for _, piece := range []string{"One wo", "rd, ", "two\nmore"} {
		q.AddReasoning(piece)
	}
	<-th.on
	io.WriteString(out, "done")
	return model.Reply{Text: "done", Reasoning: "One word, two\nmore"}
}

// TestReasoning: the words of the reasoning are counted as they arrive, and the reasoning is stored with the reply.
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

// crier is a reply source that sends a notice before its reply.
type crier struct{ on chan struct{} }

func (c crier) Reply(_ context.Context, q model.Request, _ io.Writer) model.Reply {
	q.ShowNotice(model.Notice{Text: "trying again: abracadabra is not accepted"})
	<-c.on
	return model.Reply{Text: "done"}
}

// TestNoticeHasNoSecret: a notice of a running call is masked.
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

// stubborn is a reply source whose cancelled call ends only when the test says so.
type stubborn struct{ asked, told, end chan struct{} }

func (s *stubborn) Reply(ctx context.Context, _ model.Request, _ io.Writer) model.Reply {
	s.asked <- struct{}{}
	<-ctx.Done()
	s.told <- struct{}{}
	<-s.end
	return model.Reply{IsCancelled: true}
}

// TestOneInterventionAtATime: while an intervention waits for a running call to end, a second one is refused.
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
		t.Error("a second intervention is accepted")
	}
	close(source.end)
	l.over(plan.Stopped)
}

// remarking is a reply source that sends a warning with every reply.
type remarking string

func (r remarking) Reply(_ context.Context, q model.Request, out io.Writer) model.Reply {
	io.WriteString(out, q.StepLabel)
	return model.Reply{Text: q.StepLabel, OncePerRunWarnings: []string{string(r)}}
}

// TestOncePerRunWarnings: a warning that a reply source sends with every reply is recorded once per run, even if the
// run is resumed.
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

// reasoner is a reply source that adds reasoning until its call is cancelled.
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
