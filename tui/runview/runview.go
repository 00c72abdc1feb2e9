// Package runview is the run as panes and dialogs see it: one value that the root makes of what it
// knows before each key, message and frame. They read it and change nothing in it.
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
	"playhead/tui/panes"
)

// Run is a run on the screen. The embedded Run is the run as it is now, and what actions are
// checked against.
type Run struct {
	control.Run

	Shown    *track.Track // what the screen shows: Track, unless the person looks at the past
	Selected *track.Row   // nil: none is

	ShownEvents []machine.Event // of the run, up to the moment that the screen shows
	Index       int             // the event that the screen shows the run after; -1: none
	Moment      time.Time       // of the clock at that time: it stands still in the past
	Target      string          // the step to which the run was ordered; empty: to none
	Resumed     bool            // it goes on with what an earlier session did
	AsksModels  bool            // the document asks models
	Player      *replay.Player  // of the recording that plays; nil: the run is no replay
	Joined      bool            // another process drives the run
	Presenting  bool            // others look on: secrets and the environment do not show
	Question    QuestionState   // what the dialog of the open question says of it
	Secrets     bool            // some values are masked

	Look  *draw.Look
	Focus panes.Pane
	Room  panes.Rect // of the dialog on top

	OutputShown   bool // the whole final output is on the screen above the summary
	ReasoningOpen bool // a dialog shows the reasoning of the reply
	IsBlocked     bool // nothing runs before the person answers a dialog
	TextShown     bool // the text of the selected step is on the screen, too

	// Rows returns all steps that can be selected, in the order of the tree.
	Rows func() []*track.Row

	// Unavailable returns why an action of the key map cannot be done now, empty if it can. It is
	// a whole sentence, ready to be shown.
	Unavailable func(action string) string

	// Hints returns the hints of those actions of the key map that can be done now.
	Hints func(actions ...string) []draw.Hint
}

// QuestionState is what the dialog of the open question says of it; the zero value is of none.
type QuestionState struct {
	Unsent   bool // the person has written an answer that is not sent
	Reason   bool // skipping leaves out what only a person can say
	CanReply bool // a person can reply in the model's place
}

// ShowsEarlierMoment reports whether the screen shows an earlier moment of the run.
func (r *Run) ShowsEarlierMoment() bool { return r.Shown != r.Track }

// File returns the name of the document's file.
func (r *Run) File() string { return draw.Clean(filepath.Base(r.Plan.Path)) }

// ShownStatus returns what the run does at the moment that shows: nothing, in the past.
func (r *Run) ShownStatus() engine.Status {
	if r.ShowsEarlierMoment() {
		return engine.Status{}
	}
	return r.Status
}

// SecretPlaceholder stands for a value that others must not see.
const SecretPlaceholder = "hidden while presenting"

// ValueText returns a variable's value as it may be seen.
func (r *Run) ValueText(x track.Var) string {
	text := plan.TextOf(x.Value)
	if r.Presenting && (slices.Contains(r.secretNames(), x.Name) || strings.Contains(text, logs.SecretPlaceholder)) {
		return SecretPlaceholder
	}
	return text
}

// secretNames are the variables that the run was told are secret.
func (r *Run) secretNames() []string {
	if len(r.Events) > 0 {
		if b, ok := r.Events[0].Body.(*machine.Started); ok {
			return b.Options.Secrets
		}
	}
	return nil
}

// NextRow returns the row that a paused run is about to enter, nil if there is none.
func (r *Run) NextRow() *track.Row {
	next := r.Status.Next
	if r.Status.State != engine.Paused || next == nil || r.ShowsEarlierMoment() {
		return nil
	}
	return r.Row(next.Step)
}

// ShownPosition returns where the run on the screen is, or what it is about to enter.
func (r *Run) ShownPosition() *track.Row {
	if next := r.NextRow(); next != nil {
		return next
	}
	return r.Shown.Current
}

// BetweenCommands reports whether the run goes on and no command or call is under way.
func (r *Run) BetweenCommands() bool {
	return r.Status.State == engine.Running && r.Status.Running == ""
}

// IsReplying reports whether a model is being asked.
func (r *Run) IsReplying() bool {
	row := r.Shown.Row(r.Status.Running)
	return row.LastIsModel() && !row.NewestAction().Done
}

// Sentence returns a sentence in which {name} is replaced by how to ask for that action.
func (r *Run) Sentence(s control.Sentence) string { return draw.Clean(r.Look.Keys.Sentence(s)) }
