package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/scenario"
	"playhead/engine/shell"
	"playhead/engine/tools"
	"playhead/examples"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/tui/pane/output"
	"playhead/tui/session"
)

// example is one of Playhead's example documents, with its scenarios and its recording.
type example struct {
	plan      *plan.Plan
	dir       string
	scenarios []scenario.Scenario
	recording scenario.RepliesAndResults
	store     *journal.Store
}

// loadExample writes the examples that are missing into a folder, and loads one of them from there.
func loadExample(t *testing.T, dir, name string) *example {
	t.Helper()
	path, err := examples.Write(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	x := &example{plan: parse.Load(path, parse.Options{Flags: map[string][]string{"input": {"FOLDER=src"}}}), dir: dir, recording: scenario.NewRepliesAndResults(machine.ByFile)}
	x.scenarios = []scenario.Scenario{{Replies: x.recording}} // a scenario without prepared replies
	if source, err := os.ReadFile(parse.SidecarPath(path, "scenarios")); err == nil {
		all, err := scenario.ParseSidecar(source)
		if err != nil {
			t.Fatal(err)
		}
		x.scenarios = append(x.scenarios, all...)
	}
	if source, err := os.ReadFile(parse.SidecarPath(path, "replies")); err == nil {
		if x.recording, err = scenario.ReadReplies(source); err != nil {
			t.Fatal(err)
		}
	}
	x.store = journal.NewVolatileStore(filepath.Join(dir, "runs"))
	return x
}

// exampleRun is a run of an example, and the screen that shows it. The session runs in a synctest bubble, so the
// session waits when all goroutines there are blocked.
type exampleRun struct {
	*rapid.T
	*example
	run    *journal.Run
	s      *engine.Session
	w      *engine.Watcher
	m      *Model
	status engine.Status
	ended  chan engine.Ending
}

// play begins a run with the replies of a scenario, or resumes the stored run if an id is given.
func (e *example) play(t *rapid.T, s scenario.Scenario, stored string) *exampleRun {
	p := &exampleRun{T: t, example: e, ended: make(chan engine.Ending, 1)}
	inputs, _, err := e.plan.InitialVariables(s.Inputs)
	p.must(err)
	c := engine.Config{
		FirstPlan: e.plan, Shell: shell.NewRunner(0), WorkingDir: e.dir, Inputs: inputs, Now: ticking(),
		PreparedReplies: s.Replies.Replies, PreparedResults: s.Replies.Results, Tools: noTools{},
		ReplySources: []model.ReplySourceOption{{Name: "recording", HasStoredReplies: true, Open: func() (model.ReplySource, error) { return e.recording.Replies, nil }}},
		Options:      machine.Options{Prompted: executesCommands(e.plan)},
	}
	if stored == "" {
		c.Run, err = e.store.Create(e.plan, e.dir)
	} else {
		var h journal.History
		c.Run, h, err = e.store.Open(stored)
		c.History = h.Events
	}
	p.must(err)
	p.run = c.Run
	p.s, err = engine.New(c)
	p.must(err)
	p.w, p.m = p.s.WatchFromStart(), p.screen()
	go func() {
		end, _ := p.s.Run(context.Background())
		p.ended <- end
	}()
	p.sync()
	return p
}

// forget removes all runs.
func (e *example) forget() { _ = os.RemoveAll(filepath.Join(e.dir, "runs")) }

// ticking returns a clock that advances by a second with each call.
func ticking() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return time.Unix(n.Add(1), 0).UTC() }
}

// executesCommands reports whether a document has commands. Its runs do not execute them: a person gives their
// outcomes.
func executesCommands(p *plan.Plan) bool {
	yes := false
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			_, command := a.Work.(plan.Command)
			yes = yes || command
		}
		return true
	})
	return yes
}

// noTools offers no tools, so calls whose results are not recorded fail.
type noTools struct{}

func (noTools) Call(context.Context, tools.Request, io.Writer) tools.Result {
	return tools.Result{Err: errors.New("nothing is recorded")}
}

func (noTools) Tools(context.Context, func(string)) ([]tools.Tool, error) { return nil, nil }

func (p *exampleRun) must(err error) {
	if err != nil {
		p.Fatal(err)
	}
}

// screen returns a screen of the run that has received no updates yet.
func (p *exampleRun) screen() *Model {
	m := newModel(Config{Plan: p.plan, NoColor: true})
	m.conn.session = session.FromEngine(p.s)
	m.currentTime = func() time.Time { return time.Unix(1<<20, 0).UTC() }
	m.requestLog = func(output.ReadRequest) {}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	return m
}

// sync waits until the session waits, and sends its update to the screen.
func (p *exampleRun) sync() {
	synctest.Wait()
	u := p.w.Take()
	p.status = u.Status
	p.m.Update(u)
	read(p.m)
}

// read reads the part of the log that the screen requests. It does so twice, because the first result may change the
// layout.
func read(m *Model) {
	for range 2 {
		if m.lastLogRequest.HasLog() {
			m.Update(m.lastLogRequest.Read())
		}
	}
}

// stored returns the events of the journal on disk.
func (p *exampleRun) stored() []machine.Event {
	h, err := p.store.ReadHistory(p.run.ID())
	p.must(err)
	return h.Events
}

// replayed returns a screen that gets all events of the journal at once.
func (p *exampleRun) replayed(all []machine.Event) *Model {
	m := p.screen()
	m.Update(engine.Update{Events: machine.BranchWithRewinds(all), Status: p.status})
	if m.screen.Steps.RunPosition() == nil { // a run without a position does not determine the selected step
		m.screen.Steps.RevealRow(m.timeline.ShownTrack, m.timeline.ShownTrack.RowByLabel(p.m.screen.Steps.SelectedRow().Label))
		m.Update(engine.Update{Status: p.status})
	}
	read(m)
	return m
}

// close closes the session and the run. Further calls do nothing.
func (p *exampleRun) close() {
	if p.s == nil {
		return
	}
	p.s.Close()
	<-p.ended
	p.must(p.run.Close())
	p.s = nil
}
