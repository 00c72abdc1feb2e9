package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// TestKilledAtReply: a run that is killed while it waits for a person's reply waits for it again when resumed, however
// often. It reports no interrupted model call.
func TestKilledAtReply(t *testing.T) {
	f := newPlaybook(t, twoReplies)
	manual := func(c *engine.Config) {
		c.Headless, c.WasManual, c.FirstReplySourceName = false, true, model.ManualReplySource
	}
	l := steer(t, f.session("", manual))
	l.waiting("1", machine.KindReply)
	run := l.all[0].Body.(*machine.RunStarted).RunID
	for range 2 {
		l.s.Close()
		<-l.end
		f.closeRuns()
		f.loseEnd(run)
		l = steer(t, f.session(run, manual))
		l.waiting("1", machine.KindReply)
	}
	l.reply("one")
	l.waiting("2", machine.KindReply)
	l.reply("two")
	l.over(plan.Completed)
	l.wantRepliers("person: one", "person: two")
}

// loseEnd deletes the last event of a run, which says that the session was left.
func (f *fixture) loseEnd(run string) {
	f.t.Helper()
	file := filepath.Join(f.dir, "runs", run, "events.jsonl")
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1], 0o600)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}
