package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Source is what a report is made of.
type Source struct {
	Plan              *plan.Plan
	Events            []machine.Event // all of the journal
	IsManual          bool            // a person replies instead of a model
	IsPaused          bool            // the process that drives the run has paused it, which no event says
	OpenLog           func(machine.LogRef) (Log, error)
	Files             []ChangedFile
	OpenPartialOutput func(kind string, seq int) (Log, error) // the partial output of the action that an event started
}

// ChangedFile is a file that the run changed, with its change as a unified diff.
type ChangedFile struct {
	Path       string
	IsNew      bool
	StepLabels []string
	Diff       string
}

// reportBuilder builds the report of a run.
type reportBuilder struct {
	Source
	report             *Report
	track              *track.Track
	budget             textBudget
	attemptsByLabel    map[string][]*Attempt // oldest first
	visitedLabels      []string              // as they were first visited
	reportedEvents     map[int]bool          // the numbers of events that are in the report
	abandonedDocuments map[string]*plan.Plan // included on branches that a rewind left, by their labels
}

// Build returns the report of a run. The run must have events.
func Build(s Source) *Report {
	b := &reportBuilder{
		Source: s, report: emptyReport(), track: track.New(s.Plan), budget: textBudget{maxReportBytes},
		attemptsByLabel: map[string][]*Attempt{}, reportedEvents: map[int]bool{}, abandonedDocuments: map[string]*plan.Plan{},
	}
	chain := machine.LiveBranch(s.Events)
	for _, e := range machine.BranchWithRewinds(s.Events) { // a rewind says for how long the run was inactive
		b.foldChange(b.track, e, 0)
		b.addRunFacts(e)
	}
	b.addAttempts(b.track, 0)
	b.markReported(chain)
	b.addAbandonedBranches()
	for _, f := range b.Files {
		b.report.Files = append(b.report.Files, File{f.Path, f.IsNew, f.StepLabels, b.budget.excerpt(f.Diff)})
	}
	b.addEnd(chain)
	return b.report
}

func (b *reportBuilder) markReported(events []machine.Event) {
	for _, e := range events {
		b.reportedEvents[e.Seq] = true
	}
}

// addAbandonedBranches adds what the run did on branches that a rewind left.
func (b *reportBuilder) addAbandonedBranches() {
	for _, left := range machine.AbandonedBranches(b.Events) {
		branch := machine.BranchTo(b.Events, left.TipSeq)
		if !slices.ContainsFunc(branch, func(e machine.Event) bool { return !b.reportedEvents[e.Seq] }) {
			continue
		}
		t := track.New(b.Plan)
		for _, e := range branch {
			if b.reportedEvents[e.Seq] {
				t.Fold(e)
			} else {
				b.foldChange(t, e, left.RewoundSeq)
			}
			if c, is := e.Body.(*machine.ChildEntered); is {
				b.abandonedDocuments[c.Label] = documentAt(t, c.Label)
			}
		}
		b.addAttempts(t, left.RewoundSeq)
		b.markReported(branch)
	}
}

// emptyReport returns a report with the lists that its JSON always has.
func emptyReport() *Report {
	return &Report{
		EnteredSteps: []string{}, Changes: []Change{}, Warnings: []Warning{},
		Inputs: []Variable{}, Variables: []Variable{}, Steps: []*Step{}, Graphs: []Graph{},
	}
}

// addRunFacts adds what an event says about the whole run.
func (b *reportBuilder) addRunFacts(e machine.Event) {
	switch body := e.Body.(type) {
	case *machine.RunStarted:
		b.addStart(e, body)
	case *machine.RunForked:
		b.report.RunID, b.report.Fork = body.NewRunID, &Fork{body.FromRunID, body.FromSeq, b.track.MomentTextAfter(b.Events, body.FromSeq)}
	case *machine.WarningRecorded:
		b.report.Warnings = append(b.report.Warnings, Warning{e.Step, body.Code, body.Message})
	}
}

func (b *reportBuilder) addStart(e machine.Event, s *machine.RunStarted) {
	r := b.report
	r.RunID, r.DocumentPath, r.Title = s.RunID, s.DocumentPath, cmp.Or(s.Title, b.Plan.Title)
	r.Format, r.formatTitle = s.Format, cmp.Or(b.Plan.FormatTitle, s.Format)
	r.Started, r.Prompted = e.Time, s.Options.Prompted
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		r.Inputs = append(r.Inputs, b.newVariable(name, s.Inputs[name]))
	}
}

// newVariable returns a variable with its value, or with an excerpt of a long value.
func (b *reportBuilder) newVariable(name string, value any) Variable {
	data, err := json.Marshal(value)
	if err != nil || len(data) <= minExcerptBytes {
		return Variable{Name: name, Value: value}
	}
	text, is := value.(string)
	if !is {
		text = string(data)
	}
	return Variable{Name: name, Text: b.budget.excerpt(text)}
}

// addEnd adds what is known only after all events.
func (b *reportBuilder) addEnd(chain []machine.Event) {
	r, t := b.report, b.track
	r.Ended, r.Took, r.EnteredSteps = t.EndedAt(), Duration(t.Duration()), append(r.EnteredSteps, t.EnteredStepLabels()...)
	b.addResult()
	if u := t.ModelUsage; u.String() != "" {
		r.Usage = usageOf(u)
	}
	for _, v := range t.Variables {
		one := b.newVariable(v.Name, v.Value)
		one.Step, one.By, one.StepGone = v.SetByStep, v.SetBy, v.IsStepGone
		r.Variables = append(r.Variables, one)
	}
	b.addRewinds()
	r.supersededEffectCount = track.SupersededEffectCount(b.Events)
	b.addGraphs(chain)
	b.placeAttempts(r.Ended)
	b.dropSingleVisits()
	r.Steps = append(append(r.Steps, b.visibleSteps(t.Rows)...), b.stepsOutsideTree()...)
}

// addResult adds how the run ended, or what it waits for.
func (b *reportBuilder) addResult() {
	r, end := b.report, b.track.Finished
	if r.Result = Unfinished; end != nil {
		r.Result, r.Message = string(end.Result), end.Message
	}
	if w := b.waitingFor(); w != nil {
		r.WaitingFor = &Waiting{w.Step, w.Kind, w.Prompt, w.Breakpoint, waitingText(b.track, w)}
	}
	if end == nil {
		return
	}
	if final, ok := b.track.FinalArtifact(); ok {
		text := final.Content()
		if final.Type != plan.PlainTextType { // which a script may want as it is
			text = final.PrettyContent()
		}
		r.Output = &Output{final.Type, final.StepLabel, b.budget.excerptOrEmpty(text)}
	}
}

// waitingFor returns what the run waits for, nil if for nothing.
func (b *reportBuilder) waitingFor() *machine.Waiting {
	t := b.track
	if t.Finished == nil && b.IsPaused {
		if m := machine.FromEvents(b.Plan, machine.LiveBranch(b.Events)); m != nil {
			return m.WaitingWhilePaused(m.Next().Event)
		}
	}
	if t.Finished == nil && t.CurrentRow != nil && b.IsManual && isAwaitingReply(t.CurrentRow) { // no event asks a person for a reply
		return &machine.Waiting{Step: t.CurrentRow.Label, Kind: machine.KindReply}
	}
	return t.WaitingFor()
}

// isAwaitingReply reports whether a model's reply has not arrived.
func isAwaitingReply(r *track.Row) bool {
	return r.Status == track.Running && r.NewestIsModelCall() && !r.NewestAction().IsDone
}

// waitingText returns where the run waits, and for what, or where it is paused, and at which breakpoint.
func waitingText(t *track.Track, w *machine.Waiting) string {
	if w.Kind == machine.KindPause {
		text := strings.TrimSpace(wording.PauseText(w) + " " + titleOfStep(t, w.Step))
		if w.Breakpoint != "" {
			text += " at breakpoint " + w.Breakpoint
		}
		return text
	}
	if w.Step == "" {
		return "for " + wording.WaitingForText(w)
	}
	return "at " + strings.TrimSpace(w.Step+" "+titleOfStep(t, w.Step)) + ", for " + wording.WaitingForText(w)
}

// usageOf returns what models used, nil if it is unknown.
func usageOf(u track.Usage) *Usage {
	if u.String() == "" {
		return nil
	}
	out := &Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, text: u.String()}
	if u.CostText() != "" {
		out.Cost = &u.Cost
	}
	return out
}

// placeAttempts sets the end of attempts that are not over, and the active time of the run at which each attempt began and
// ended.
func (b *reportBuilder) placeAttempts(now time.Time) {
	for _, all := range b.attemptsByLabel {
		for i, attempt := range all {
			if attempt.endedAt.IsZero() {
				attempt.endedAt = now
				if i+1 < len(all) {
					attempt.endedAt = all[i+1].Started
				}
			}
			attempt.activeStart, attempt.activeEnd = Duration(b.track.ActiveTime(attempt.Started)), Duration(b.track.ActiveTime(attempt.endedAt))
		}
	}
}

// dropSingleVisits removes the numbers of visits from the attempts of steps that were visited once.
func (b *reportBuilder) dropSingleVisits() {
	for _, all := range b.attemptsByLabel {
		if slices.ContainsFunc(all, func(attempt *Attempt) bool { return attempt.visit > 1 }) {
			continue
		}
		for _, attempt := range all {
			attempt.visit = 0
		}
	}
}

// MarshalJSON implements json.Marshaler.
func (d Duration) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d", time.Duration(d).Milliseconds()), nil
}

// visibleSteps returns the visible part of the tree. A row that stands for the instances of a step is visible
// until they exist. Phases only group steps, so their steps are returned instead.
func (b *reportBuilder) visibleSteps(rows []*track.Row) []*Step {
	var out []*Step
	for _, r := range rows {
		switch {
		case r.IsPhase():
			out = append(out, b.visibleSteps(r.Children)...)
		case !r.IsHidden:
			out = append(out, b.newStep(r))
		}
	}
	return out
}

func (b *reportBuilder) newStep(r *track.Row) *Step {
	s := &Step{
		Label: r.Label, Title: r.Title, Status: r.Status.String(), SkipReason: r.SkipReason, Overridden: r.Overridden, Edited: r.ReplacedByPerson || r.RuleEdited || len(r.EditedTexts) > 0, Message: r.EndMessage,
		Attempts: b.attemptsByLabel[r.Label],
	}
	delete(b.attemptsByLabel, r.Label)
	switch {
	case r.IsPromptText():
		s.notRunText = r.Step.TitleNote
	case !b.track.IsOver() || r.Status != track.Pending:
	case r.IsInUntakenArm():
		s.notRunText = "not taken"
	default:
		s.notRunText = cmp.Or(r.EarlierVisitText(), "not reached")
	}
	switch {
	case r.IncludedDocument != nil:
		s.Kind = "document"
	default:
		s.Kind, s.Line = r.Step.Kind, r.Step.Span.Line
		if r.Step.ID != r.Label {
			s.ID = r.Step.ID
		}
		if r.Step.IsArm() {
			s.armName = r.DisplayLabel()
		}
		texts := append([]string{r.WrittenText()}, r.Step.Instructions()...)
		s.Text = b.budget.excerpt(strings.TrimLeft(strings.Join(texts, "\n\n"), "\n"))
	}
	s.Children = b.visibleSteps(r.Children)
	return s
}

// stepsOutsideTree returns steps that the run visited and that are not in the tree: steps on a branch that a
// rewind left, or of a document that another version of Playhead read differently.
func (b *reportBuilder) stepsOutsideTree() []*Step {
	var out []*Step
	for _, label := range b.visitedLabels {
		if attempts := b.attemptsByLabel[label]; attempts != nil {
			out = append(out, &Step{Label: label, Status: "left", Attempts: attempts})
		}
	}
	return out
}
