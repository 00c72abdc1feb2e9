// Package runview is the run as panes and dialogs see it: a read-only value, which the root makes before
// each key, message and frame.
package runview

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
)

// Run is the run on the screen. The embedded control.RunView is its current state, on which the availability of
// actions depends.
type Run struct {
	control.RunView

	ShownTrack  *track.Track // the moment that the screen shows: Track, unless an earlier one shows
	SelectedRow *track.Row   // nil: no step is selected

	ShownEvents            []machine.Event // the events up to the moment that the screen shows
	ShownEventIndex        int             // the index of the event after which the screen shows the run; -1: none
	ShownTime              time.Time       // the time of the moment that shows
	TargetStep             string          // the step to which the run was told to go on; "": none
	IsResumed              bool            // the run continues from an earlier session
	AsksModels             bool            // the document asks models
	Player                 *replay.Player  // plays the recording; nil: the run is not a replay
	IsDrivenByOtherProcess bool            // another process drives the run
	IsPresenting           bool            // the screen is being presented: secrets and the environment do not show
	QuestionState          QuestionState   // the state of the open question
	HasSecrets             bool            // some values are masked

	DrawContext *draw.Context
	Focus       layout.PaneID
	DialogArea  layout.Rect // the place of the dialog on top

	ShowsWholeFinalOutput bool // a pane shows the whole final output above the summary
	IsReasoningOpen       bool // a dialog shows the reasoning of the reply
	IsBlockedByDialog     bool // nothing runs before the person answers a dialog
	IsTextPaneShown       bool // the text pane shows, with the text of the selected step
	AreReasonsShown       bool // WHY shows, with why the selected step decided as it did
	IsSummaryDialogShown  bool // the dialog with the summary of the run shows

	// SelectableRows returns all steps that can be selected, in the order of the tree.
	SelectableRows func() []*track.Row

	// UnavailableReason returns why an action of the key map cannot be done now, "" if it can. The result is
	// a whole sentence that can be shown.
	UnavailableReason func(action string) string

	// AvailableHints returns the hints of those actions of the key map that can be done now.
	AvailableHints func(actions ...string) []draw.Hint
}

// QuestionState is the state of the open question. The zero value means that no question is open.
type QuestionState struct {
	HasUnsentText   bool // the person has written an answer that is not sent, or inputs before the run
	SkipAsksForNote bool // skipping the question asks for a note
	CanReply        bool // a person can reply in the model's place
}

// ShowsEarlierMoment reports whether the screen shows an earlier moment of the run.
func (r *Run) ShowsEarlierMoment() bool { return r.ShownTrack != r.Track }

// CanAnswer reports whether a question of the run can be answered on this screen, at the moment that it shows.
func (r *Run) CanAnswer() bool {
	return !r.IsReplay && r.WatchOnlyReason == "" && !r.ShowsEarlierMoment()
}

// WaitingText returns whom the run waits for at a question.
func (r *Run) WaitingText() string {
	if r.CanAnswer() {
		return "waits for you"
	}
	return "waits for a person"
}

// StatusText returns a row's state in words, at the moment that the screen shows.
func (r *Run) StatusText(row *track.Row) string {
	switch {
	case row.Status == track.Waiting:
		return r.WaitingText()
	case row.Status == track.Running && r.ShownStatus().State == engine.Paused: // the bar says that nothing runs
		return "paused"
	}
	return draw.StatusText(row, r.ShownTrack.IsOver())
}

// FileName returns the name of the document's file.
func (r *Run) FileName() string { return draw.CleanLine(filepath.Base(r.Plan.Path)) }

// ShownStatus returns the status of the run if its current state shows, else the zero status.
func (r *Run) ShownStatus() engine.Status {
	if r.ShowsEarlierMoment() {
		return engine.Status{}
	}
	return r.Status
}

// PresentingPlaceholder replaces a value that the audience must not see.
const PresentingPlaceholder = "hidden while presenting"

// ShownValueText returns a variable's value as it may be shown.
func (r *Run) ShownValueText(x track.Variable) string {
	text := plan.ValueText(x.Value)
	if r.IsPresenting && (slices.Contains(r.secretNames(), x.Name) || strings.Contains(text, logs.SecretPlaceholder)) {
		return PresentingPlaceholder
	}
	return text
}

// secretNames returns the names of the secret variables.
func (r *Run) secretNames() []string {
	if len(r.Events) > 0 {
		if b, ok := r.Events[0].Body.(*machine.RunStarted); ok {
			return b.Options.SecretNames
		}
	}
	return nil
}

// NextRowToEnter returns the row that a paused run is about to enter, nil if there is none.
func (r *Run) NextRowToEnter() *track.Row {
	next := r.Status.NextEvent
	if r.Status.State != engine.Paused || next == nil || r.ShowsEarlierMoment() {
		return nil
	}
	return r.RowByLabel(next.Step)
}

// NextAttemptOf returns the number of the attempt that a paused run is about to begin at a row, 0 if it is about to do
// something else.
func (r *Run) NextAttemptOf(row *track.Row) int {
	if r.NextRowToEnter() != row {
		return 0
	}
	if _, enters := r.Status.NextEvent.Body.(*machine.StepEntered); !enters {
		return 0
	}
	return r.Status.NextEvent.Attempt
}

// ShownPosition returns the row that the run is at, or is about to enter, at the moment that shows.
func (r *Run) ShownPosition() *track.Row {
	if next := r.NextRowToEnter(); next != nil {
		return next
	}
	return r.ShownTrack.CurrentRow
}

// IsBetweenCommands reports whether the run is running, but no command or call is.
func (r *Run) IsBetweenCommands() bool {
	return r.Status.State == engine.Running && r.Status.RunningStep == ""
}

// IsModelReplying reports whether a model is replying.
func (r *Run) IsModelReplying() bool {
	row := r.ShownTrack.RowByLabel(r.Status.RunningStep)
	return row.NewestIsModelCall() && !row.NewestAction().IsDone
}

// FillInKeys replaces each {name} in a sentence by the key of that action.
func (r *Run) FillInKeys(s control.Sentence) string {
	return draw.CleanLine(r.DrawContext.Keys.FillInKeys(s))
}
