package scenario

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/shell"
	"playhead/engine/texts"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// Runner runs scenarios one after another in a temporary folder.
type Runner struct {
	PromptTexts texts.SourceByScheme // of the tested document; nil: none
	tempDir     string
	commandEnv  []string
	store       *journal.Store
}

// NewRunner returns a Runner with a new temporary folder. Commands of documents that start the program called name
// start the executable file replacement instead, under that name. env is the environment of commands.
func NewRunner(name, replacement string, env []string) (*Runner, error) {
	dir, err := os.MkdirTemp("", "playhead-test-")
	if err != nil {
		return nil, err
	}
	r := &Runner{tempDir: dir, store: journal.NewVolatileStore(filepath.Join(dir, "runs"))}
	bin := filepath.Join(dir, "bin")
	r.commandEnv = withDirOnPath(env, bin)
	err = os.MkdirAll(bin, 0o700)
	if err == nil {
		err = os.Symlink(replacement, filepath.Join(bin, name))
	}
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// Close removes the folder and everything in it.
func (r *Runner) Close() error { return os.RemoveAll(r.tempDir) }

// StartFolder returns the path of an empty directory to load documents with, so that children are found
// only beside the document.
func (r *Runner) StartFolder() string { return filepath.Join(r.tempDir, "start") }

// SkippedReport returns the report of a scenario that is not run, with the reason.
func (s Scenario) SkippedReport(why string) Report {
	return Report{Name: s.Name, ExpectedResult: s.ExpectedResult, Status: StatusSkipped, Reason: why, ActualPath: []string{}}
}

// Run runs one scenario of p in a new directory and adds the routes that it took to the coverage.
func (r *Runner) Run(ctx context.Context, p *plan.Plan, s Scenario, c *routes.Coverage) (Report, error) {
	report := Report{Name: s.Name, ExpectedResult: s.ExpectedResult, ActualPath: []string{}}
	for _, item := range s.Answers.Queue {
		report.QueuedAnswers = append(report.QueuedAnswers, item.Value)
	}
	if report.Status, report.Reason = s.statusWithoutRun(p); report.Status != "" {
		return report, nil
	}
	servers := &toolServerStub{}
	ending, events, err := r.runSession(ctx, p, s, servers)
	if err != nil {
		return report, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	c.AddRun(events)
	report.ActualResult, report.ActualPath = ending.Result, ending.EnteredStepLabels
	report.Status = StatusPass
	if report.Reason = s.failureReason(p, ending, events, servers.missingResultText); report.Reason != "" {
		report.Status = StatusFail
	}
	return report, nil
}

// runSession runs the session to its end. It returns how the session ended, and its events.
func (r *Runner) runSession(ctx context.Context, p *plan.Plan, s Scenario, servers tools.Servers) (engine.Ending, []machine.Event, error) {
	start := r.StartFolder()
	if err := os.RemoveAll(start); err != nil {
		return engine.Ending{}, nil, err
	}
	if err := os.MkdirAll(start, 0o700); err != nil {
		return engine.Ending{}, nil, err
	}
	run, err := r.store.Create(p, start)
	if err != nil {
		return engine.Ending{}, nil, err
	}
	defer r.store.Remove(run.ID())
	defer run.Close()
	answers := s.Answers // the session uses up its queue
	inputs, _, err := p.InitialVariables(s.Inputs)
	if err != nil {
		return engine.Ending{}, nil, err
	}
	commands := shell.NewRunner(0)
	commands.EndEscaped = true // nobody has to know what a test leaves running
	session, err := engine.New(engine.Config{
		FirstPlan: p, Run: run, Shell: commands, WorkingDir: start, CommandEnv: r.commandEnv, Inputs: inputs,
		PreparedAnswers: &answers, PreparedReplies: s.Replies.Replies, PreparedResults: s.Replies.Results, Tools: servers, PromptTexts: r.PromptTexts,
		Options: machine.Options{Prompted: s.ExecutesNothing}, Headless: true, Now: time.Now,
	})
	if err != nil {
		return engine.Ending{}, nil, err
	}
	defer session.Close()
	watcher := session.WatchFromStart()
	ending, err := session.Run(ctx)
	if err == nil {
		err = ctx.Err()
	}
	return ending, watcher.Take().Events, err
}

// withDirOnPath returns env with dir first on its PATH.
func withDirOnPath(env []string, dir string) []string {
	out := slices.Clone(env)
	for i, entry := range out {
		if path, isPath := strings.CutPrefix(entry, "PATH="); isPath && path != "" {
			out[i] = "PATH=" + dir + string(os.PathListSeparator) + path
			return out
		}
	}
	return append(out, "PATH="+dir)
}

// toolServerStub replaces tool servers: a result is in the scenario, or it is missing.
type toolServerStub struct{ missingResultText string } // a sentence about the first result that was missing

// Call implements tools.Caller. It always fails, because a session asks it only if it has no prepared result.
func (t *toolServerStub) Call(_ context.Context, q tools.Request, _ io.Writer) tools.Result {
	err := fmt.Errorf("there is no tool result for %s: add one to replies", tools.ResultKey(q.StepLabel, q.Tool))
	if t.missingResultText == "" {
		t.missingResultText = err.Error()
	}
	return tools.Result{Err: err}
}

// Tools implements tools.Servers. There are none.
func (t *toolServerStub) Tools(context.Context, func(string)) ([]tools.Tool, error) { return nil, nil }
