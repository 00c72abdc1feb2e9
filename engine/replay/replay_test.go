package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// recorded returns a run of two steps: the first prints ten lines in ten seconds, then an hour passes before the
// second.
func recorded() []machine.Event {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(seq int, after time.Duration, step string, b machine.Body) machine.Event {
		return machine.Event{Seq: seq, Time: start.Add(after), Step: step, Attempt: 1, Body: b}
	}
	return []machine.Event{
		at(1, 0, "", &machine.RunStarted{RunID: "7f3a"}),
		at(2, 0, "1", &machine.StepEntered{}),
		at(3, 0, "1", &machine.ActionStarted{Kind: "command"}),
		at(4, 10*time.Second, "1", &machine.ActionFinished{Kind: "command", Log: &machine.LogRef{File: "logs/1.log", Bytes: 100}}),
		at(5, time.Hour, "2", &machine.StepEntered{}),
		at(6, time.Hour+time.Second, "", &machine.RunFinished{}),
	}
}

func TestRecordingTimes(t *testing.T) {
	events := recorded()
	recording := NewRecording(events, 20*time.Second)
	if got := recording.playLength(); got != 31*time.Second {
		t.Errorf("the recording lasts %s", got)
	}
	for pos, want := range map[time.Duration]int{-1: 0, 0: 3, 9 * time.Second: 3, 10 * time.Second: 4, 29 * time.Second: 4, 30 * time.Second: 5, time.Hour: 6} {
		if got := recording.eventCountAtPlayTime(pos); got != want {
			t.Errorf("at %s %d events show, want %d", pos, got, want)
		}
	}
	start := events[0].Time
	for pos, want := range map[time.Duration]time.Time{
		0: start, 4 * time.Second: start.Add(4 * time.Second),
		20 * time.Second: start.Add(10*time.Second + (time.Hour-10*time.Second)/2), // half of a shortened pause
		time.Hour:        start.Add(time.Hour + time.Second),
	} {
		if got := recording.recordedTimeAt(pos); !got.Equal(want) {
			t.Errorf("at %s the clock says %s, want %s", pos, got, want)
		}
	}
	if got := NewRecording(events, 0).playLength(); got != time.Hour+time.Second {
		t.Errorf("with uncut pauses the recording lasts %s", got)
	}
	if empty := NewRecording(nil, 0); empty.playLength() != 0 || empty.eventCountAtPlayTime(0) != 0 || !empty.recordedTimeAt(0).IsZero() {
		t.Error("an empty recording is not empty")
	}
}

// TestMinEventTime: the events of a very short run are each shown for a minimum time, together with those of the same
// time. Longer pauses keep their length.
func TestMinEventTime(t *testing.T) {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	var events []machine.Event
	for i, b := range []machine.Body{
		&machine.RunStarted{}, &machine.StepEntered{}, &machine.ActionStarted{}, &machine.ActionFinished{}, &machine.StepFinished{},
		&machine.Decision{}, &machine.StepEntered{}, &machine.InputNeeded{}, &machine.InputGiven{}, &machine.RunFinished{},
	} {
		e := machine.Event{Seq: i + 1, Time: start.Add(time.Duration(i) * time.Millisecond), Body: b}
		if i > 7 {
			e.Time = e.Time.Add(time.Minute) // a person's pause
		}
		events = append(events, e)
	}
	for longest, want := range map[time.Duration][]time.Duration{
		0:                     {0, 1, 2, 151, 152, 301, 451, 601, 60602, 60752},
		10 * time.Second:      {0, 1, 2, 151, 152, 301, 451, 601, 10601, 10751},
		20 * time.Millisecond: {0, 1, 2, 21, 22, 41, 61, 81, 101, 121},
	} {
		recording := NewRecording(events, longest)
		for i, ms := range want {
			if got := recording.playTimes[i]; got != ms*time.Millisecond {
				t.Errorf("pauses of at most %s: event %d shows at %s, want %d ms", longest, i+1, got, ms)
			}
		}
	}
}

// TestClockSetBack: if the clock was set back during the run, times never decrease, and seeking to a shown time leads
// back to its event.
func TestClockSetBack(t *testing.T) {
	events := recorded()
	for i := 3; i < len(events); i++ {
		events[i].Time = events[i].Time.Add(-24 * time.Hour)
	}
	recording := NewRecording(events, 0)
	for n := 1; n < len(events); n++ {
		if recording.roundedElapsed(n+1) < recording.roundedElapsed(n) || recording.playTimes[n] < recording.playTimes[n-1] {
			t.Errorf("event %d is shown at %s, before its predecessor", n+1, recording.roundedElapsed(n+1))
		}
		if got := recording.eventCountAtElapsed(recording.roundedElapsed(n)); recording.roundedElapsed(got) != recording.roundedElapsed(n) {
			t.Errorf("%s leads to event %d", recording.roundedElapsed(n), got)
		}
	}
	if p := New(recording, nil); p.RecordedLength() <= 0 || p.RecordedLength() != recording.elapsedTimes[len(events)-1] {
		t.Errorf("the recorded length is %s", p.RecordedLength())
	}
}

// playing is a player that runs in a synctest bubble, with the number of events that it shows.
type playing struct {
	*Player
	t *testing.T
	w *engine.Watcher
	n int
}

func play(t *testing.T, do func(*playing)) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "1.log")
	if err := os.WriteFile(path, []byte(strings.Repeat("ten bytes\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		p := New(NewRecording(recorded(), 20*time.Second), func(string) logs.FileLocation { return logs.FileLocation{RunDir: dir, Name: "1.log"} })
		go func() { _, _ = p.Run(t.Context()) }()
		do(&playing{Player: p, t: t, w: p.WatchFromStart()})
		p.Close() // Run returns, else the bubble does not end
		if now, err := os.ReadFile(path); err != nil || len(now) != 100 {
			t.Errorf("the recorded log is %q, %v", now, err)
		}
	})
}

// after lets time pass, then checks how many events the player shows and its state.
func (p *playing) after(d time.Duration, shown int, state engine.State) engine.Status {
	p.t.Helper()
	time.Sleep(d)
	synctest.Wait()
	u := p.w.Take()
	if u.IsRestarted {
		p.n = 0
	}
	p.n += len(u.Events)
	if p.n != shown || u.Status.State != state {
		p.t.Errorf("%d events show and it is %s, want %d and %s", p.n, u.Status.State, shown, state)
	}
	return u.Status
}

func TestPlays(t *testing.T) {
	play(t, func(p *playing) {
		p.after(time.Hour, 0, engine.Paused)
		p.Play()
		st := p.after(0, 3, engine.Running)
		if st.RunningStep != "1" || st.RunningLog != "logs/1.log" {
			t.Errorf("runs %q with the log %q", st.RunningStep, st.RunningLog)
		}
		p.after(5*time.Second, 3, engine.Running)
		if _, lines := p.Log("logs/1.log").Size(); lines < 4 || lines > 5 {
			t.Errorf("halfway the log has %d lines", lines)
		}
		_ = p.Pause()
		now := p.Now()
		p.after(time.Hour, 3, engine.Paused)
		if !p.Now().Equal(now) {
			t.Error("the clock does not pause")
		}
		p.ScaleSpeed(1)
		p.Play()
		p.after(2500*time.Millisecond, 4, engine.Running)
		if _, lines := p.Log("logs/1.log").Size(); lines != 10 {
			t.Errorf("at its end the log has %d lines", lines)
		}
		p.after(10500*time.Millisecond, 6, engine.Over)
	})
}

func TestMoves(t *testing.T) {
	play(t, func(p *playing) {
		_ = p.Continue(engine.StepOver, "")
		p.after(0, 1, engine.Paused) // before step 1
		_ = p.Continue(engine.StepOver, "")
		p.after(29*time.Second, 4, engine.Running)
		st := p.after(time.Second, 4, engine.Paused) // before step 2, which comes next
		if st.NextEvent == nil || st.NextEvent.Step != "2" {
			t.Errorf("next is %+v", st.NextEvent)
		}
		_ = p.Jump("1", "")
		p.after(0, 2, engine.Paused)
		_ = p.Redo()
		p.after(0, 5, engine.Paused)
		_ = p.Undo()
		p.after(0, 2, engine.Paused)
		_ = p.Undo()
		p.after(0, 1, engine.Paused)
		_ = p.Rewind(4)
		p.after(0, 4, engine.Paused)
		if _, lines := p.Log("logs/1.log").Size(); lines != 10 {
			t.Errorf("the log of the finished command has %d lines", lines)
		}
		p.SeekEnd()
		p.after(0, 6, engine.Over)
		if err := p.Jump("9", ""); err == nil || err.Error() != "the run never reached step 9" {
			t.Error(err)
		}
		_ = p.Jump("2", "")
		p.after(0, 5, engine.Paused)
		if err := p.Continue(engine.Continue, "1"); err == nil || !strings.Contains(err.Error(), "the run does not reach step 1 again") {
			t.Error(err)
		}
		_ = p.Rewind(1)
		_ = p.Continue(engine.Continue, "2")
		p.after(time.Minute, 4, engine.Paused)
	})
}

// TestJumpsOutOfALog: seeking forward while a log grows completes it, even for a reader that has it already.
func TestJumpsOutOfALog(t *testing.T) {
	play(t, func(p *playing) {
		p.Play()
		p.after(5*time.Second, 3, engine.Running)
		l := p.Log("logs/1.log")
		p.SeekEnd()
		p.after(0, 6, engine.Over)
		if _, lines := l.Size(); lines != 10 || p.Log("logs/1.log") != l {
			t.Errorf("the log has %d lines", lines)
		}
	})
}

// TestGroups: a jump to a group leads to the start of its visit.
func TestGroups(t *testing.T) {
	start := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	p := New(NewRecording([]machine.Event{
		{Seq: 1, Time: start, Body: &machine.RunStarted{}},
		{Seq: 2, Time: start, Step: "1", Body: &machine.StepEntered{}},
		{Seq: 3, Time: start, Step: "2.1", Body: &machine.StepEntered{OpenedGroups: []machine.OpenedGroup{{Label: "2"}}}},
		{Seq: 4, Time: start, Step: "2.2", Body: &machine.StepEntered{}},
	}, 0), nil)
	defer p.Close()
	if err := p.Jump("2", ""); err != nil || p.visibleCount != 3 {
		t.Errorf("%d events show: %v", p.visibleCount, err)
	}
	if err := p.Continue(engine.Continue, "2"); err == nil || err.Error() != "the run does not reach step 2 again" {
		t.Error(err)
	}
}

// TestCutOff: a recording that ends during an action shows the log of this action at its end.
func TestCutOff(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "000003.log"), []byte("half of it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for there, want := range map[bool]string{true: "logs/000003.log", false: ""} {
		p := New(NewRecording(recorded()[:3], 0), func(string) logs.FileLocation {
			if !there {
				return logs.FileLocation{RunDir: dir, Name: "none"}
			}
			return logs.FileLocation{RunDir: dir, Name: "000003.log"}
		})
		p.SeekEnd()
		st := p.WatchFromStart().Take().Status
		if st.State != engine.Over || st.RunningLog != want {
			t.Errorf("%+v", st)
		}
		if l := p.Log("logs/000003.log"); (l != nil) != there || l != nil && l.ShortenedText(99) != "half of it\n" {
			t.Errorf("its log is %v", l)
		}
		p.Close()
	}
}

// TestSeekTime: SeekTime takes a time of the run's own clock, which includes pauses.
func TestSeekTime(t *testing.T) {
	play(t, func(p *playing) {
		for since, want := range map[time.Duration]int{0: 1, time.Second: 3, 10 * time.Second: 4, 59 * time.Minute: 4, time.Hour: 5} {
			p.SeekTime(since)
			p.after(0, want, engine.Paused)
			if at := p.Progress(); at.VisibleCount != want || at.EventCount != 6 || at.Length != time.Hour+time.Second {
				t.Errorf("after %s: %+v", since, at)
			}
		}
		p.SeekTime(2 * time.Hour)
		p.after(0, 6, engine.Over)
		p.SeekStart()
		p.after(0, 1, engine.Paused)
	})
}

// TestAtOnce: PlayInstantly makes the player reach the target of a movement at once.
func TestAtOnce(t *testing.T) {
	play(t, func(p *playing) {
		p.PlayInstantly()
		_ = p.Continue(engine.Continue, "2")
		p.after(0, 4, engine.Paused)
		if err := p.SetSpeed(17); err == nil || p.SetSpeed(3) != nil || p.SetSpeed(16) != nil || p.Speed() != 16 {
			t.Errorf("%v, %g", err, p.Speed())
		}
		if err := p.Rewind(7); err == nil {
			t.Error("Rewind accepts an event that does not exist")
		}
		p.Play()
		p.after(0, 6, engine.Over)
	})
}

// TestLostLog: a recording plays even if a log is missing.
func TestLostLog(t *testing.T) {
	p := New(NewRecording(recorded(), 0), func(string) logs.FileLocation { return logs.FileLocation{RunDir: t.TempDir(), Name: "gone"} })
	defer p.Close()
	if err := p.Rewind(3); err != nil || p.Log("logs/1.log") != nil {
		t.Error("Rewind fails, or Log returns a log that is missing")
	}
	p.SeekEnd()
	if u := p.WatchFromStart().Take(); len(u.Events) != 6 || u.Status.State != engine.Over {
		t.Errorf("%+v", u.Status)
	}
}
