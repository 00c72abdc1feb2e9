// Package question is the dialog that asks a person for a decision, a value, a reply instead of a model's,
// or the approval of a tool call.
package question

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/dialog/reportedvalues"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog exists as long as the question is open, so typed text is kept while the person looks around.
type Dialog struct {
	openQuestion
	earlierActionCount int                 // the number of its step's actions before the question
	newStepID          func(string) string // the new ID of a step, by the old one, if the document was changed just before; else nil
	stepName           string              // the name of its step
	stepRow            *track.Row          // its step; nil: unknown
	precedingStep      *track.Row          // the step that led to its step
	precedingDecision  *machine.Decision   // the decision that led to its step; nil: none
	widget             form.Widget         // nil for a decision, which keys answer directly
	replyChooser       *form.ReplyChooser  // the list of replies to choose from; nil: none
	linesAboveWidget   int                 // how many lines the last frame has above the widget
	safeText           string              // the text that leaving does not lose: the default or an answer in the journal, not a draft
	answerNote         string
	checkReply         func(reply string) []string // returns what the step would not accept in a reply
	replyWarnings      replyWarnings               // about a reply that the person wanted to send
	outcomeChecks      []plan.Check                // the checks of an outcome that needs acceptance
	missingValueTexts  []string                    // why the values that the step needs are missing
	stepWarnings       []string                    // the warnings of the step that no check repeats
	list.Scroller
}

// New returns the dialog of the open question. check returns the warnings about a reply that the step
// would not accept as it is.
func New(run *runview.Run, check func(reply string) []string) *Dialog {
	ask := *run.Status.Question
	d := &Dialog{openQuestion: openQuestion{question: ask, isStepEdited: wasStepEdited(run), toolToApprove: run.Status.ToolToApprove}, earlierActionCount: earlierActionCount(run), stepName: draw.CleanLine(ask.Action.StepLabel), checkReply: check}
	if r, row := lastReload(run), run.Track.RowByLabel(ask.Action.StepLabel); r != nil && row != nil {
		d.newStepID = r.NewIDs(row.DocumentFile())
	}
	switch {
	case ask.Kind == machine.KindReply:
		d.setReplyWidget()
	case ask.Kind != machine.KindAsk || ask.Field == nil:
	case len(ask.Fields) > 0:
		d.widget = newValuesForm(ask.Fields)
	case slices.Equal(ask.Options, yesNoOptions):
	default:
		d.widget = form.NewWidget(ask.Field.Type, ask.Field.Default, ask.Options)
	}
	if ask.Draft == "" { // only the dialog has a reply that was taken over
		d.safeText = d.writtenText()
	}
	d.Sync(run)
	return d
}

// wasStepEdited reports whether the run has just reloaded the document with a change of what the step does.
func wasStepEdited(run *runview.Run) bool {
	r := lastReload(run)
	row := run.Track.RowByLabel(run.Status.Question.Action.StepLabel)
	return r != nil && row != nil && row.Step != nil && slices.ContainsFunc(r.MatchedSteps, func(m machine.MatchedStep) bool {
		return m.ActionsChanged && m.NewID == row.Step.ID && m.Document == row.DocumentFile()
	})
}

// lastReload returns the change of the document that is the last event of the run, or the last before that of the open
// question, nil if there is none.
func lastReload(run *runview.Run) *machine.DocumentReloaded {
	for _, e := range slices.Backward(run.Events) {
		switch b := e.Body.(type) {
		case *machine.DocumentReloaded:
			return b
		case *machine.InputNeeded, *machine.WarningRecorded:
		default:
			return nil
		}
	}
	return nil
}

// earlierActionCount returns how many actions its step made before the open question. It distinguishes the
// questions of one action that calls models and tools.
func earlierActionCount(run *runview.Run) int {
	r := run.Track.RowByLabel(run.Status.Question.Action.StepLabel)
	if r == nil || r.NewestStepAttempt() == nil {
		return 0
	}
	return len(r.NewestStepAttempt().Actions)
}

// CurrentQuestion returns what the dialog asks for now: the current field of a form, else the dialog itself.
func (d *Dialog) CurrentQuestion() any {
	if f, fills := d.widget.(*form.Form); fills {
		return f.CurrentWidget()
	}
	return d
}

// AsksOpenQuestion reports whether the dialog's question is the one that the run waits for. It compares the whole
// question, because one action can ask several, and a change of the document can change a question.
func (d *Dialog) AsksOpenQuestion(run *runview.Run) bool {
	q := run.Status.Question
	return q != nil && d.question.Action == q.Action && d.question.Kind == q.Kind && d.earlierActionCount == earlierActionCount(run) && d.question.Draft == q.Draft &&
		d.question.Prompt == q.Prompt && slices.Equal(d.question.Options, q.Options) && reflect.DeepEqual(d.question.Field, q.Field) && reflect.DeepEqual(d.question.Fields, q.Fields)
}

// CopyUnsentText copies the unsent text of an old dialog that asked the same of the same step, and that d replaces because
// the document was changed.
func (d *Dialog) CopyUnsentText(old *Dialog) {
	if !d.isAboutStepOf(old) || d.question.Kind != old.question.Kind || !old.HasUnsentText() {
		return
	}
	if len(d.question.Fields) > 0 && reflect.DeepEqual(d.question.Fields, old.question.Fields) {
		d.widget = old.widget
		return
	}
	if from, to := form.EditableTextOf(old.widget), form.EditableTextOf(d.widget); from != nil && to != nil {
		to.Set(from.Value())
	}
}

// AsksWhatNowAfter reports whether d asks what to do about the action of an old dialog because the document was changed. If
// the person then goes on with that, they get their unsent text again.
func (d *Dialog) AsksWhatNowAfter(old *Dialog) bool {
	return d.question.Kind == machine.KindResume && d.isAboutStepOf(old)
}

// isAboutStepOf reports whether d asks about the same attempt of a step as an old dialog, and the document was changed
// in between.
func (d *Dialog) isAboutStepOf(old *Dialog) bool {
	now, was := d.question.Action, old.question.Action
	return d.newStepID != nil && d.newStepID(was.StepID) == now.StepID && was.Attempt == now.Attempt && was.Instance == now.Instance
}

// RestoreAnswer puts an undone answer into the widget, if the run has just been rewound to before that answer to
// the dialog's question. It leaves out a secret, which is masked.
func (d *Dialog) RestoreAnswer(run *runview.Run, undone machine.Event) {
	answer, is := undone.Body.(*machine.InputGiven)
	if n := len(run.Events); !is || n == 0 || undone.Step != d.question.Action.StepLabel || answer.ActionIndex != d.question.Action.ActionIndex || answer.Kind != d.question.Kind {
		return
	} else if back, rewound := run.Events[n-1].Body.(*machine.RunRewound); !rewound || !back.Undo {
		return
	}
	if f, fills := d.widget.(*form.Form); fills {
		for i, x := range answer.Assignments {
			value, isText := x.Value.(string)
			if i >= len(f.Fields) || !isText || strings.Contains(value, logs.SecretPlaceholder) {
				continue
			}
			if text := form.EditableTextOf(f.Fields[i].Widget); text != nil {
				text.Set(value)
			}
		}
		d.safeText = d.writtenText()
		return
	}
	if text := form.EditableTextOf(d.widget); text != nil && !strings.Contains(answer.Value, logs.SecretPlaceholder) {
		text.Set(answer.Value)
		d.safeText = d.writtenText() // it is in the journal, so it cannot be lost
	}
}

// Sync updates the dialog from the run: the step that asks and the decision that led there, the checks
// of an outcome to accept, and whether a person can reply in the model's place.
func (d *Dialog) Sync(run *runview.Run) {
	r := run.Track.RowByLabel(d.question.Action.StepLabel)
	if d.stepRow = r; r != nil {
		d.stepName, d.precedingStep, d.precedingDecision = draw.StepName(r), r.EnteredFrom, r.EntryDecision
		d.isBelowOtherStep = d.showsPrecedingDecision() && d.precedingStep != r
		if d.question.Kind == machine.KindAcceptOutcome {
			d.outcomeChecks, d.stepWarnings = r.Checks(), r.OtherWarnings()
		}
	}
	if d.question.Kind == machine.KindAsk {
		d.missingValueTexts = missingValueTexts(run.Track, d.question.Fields)
	}
	d.approvalPolicy, d.isAboutModelCall, d.interruptedTool = run.Track.ApprovalPolicy, false, ""
	if d.question.Kind == machine.KindResume {
		d.isAboutModelCall, d.interruptedTool = r.NewestIsModelCall(), draw.LastToolName(r)
	}
	cut := d.interruptedTool != "" && run.Status.Question.MayHaveActed
	held := d.question.Kind == machine.KindAcceptOutcome && r.AsksModel(d.question.Action.ActionIndex)
	d.canReply = d.isAboutModelCall || (cut || held) && control.FindAction("manual-reply").UnavailableReason(run.RunView, control.Args{}) == ""
}

// State returns the state of the question. A nil dialog has none.
func (d *Dialog) State() runview.QuestionState {
	if d == nil {
		return runview.QuestionState{}
	}
	asksForNote := d.question.Kind == machine.KindDecide || d.question.Kind == machine.KindAsk
	return runview.QuestionState{HasUnsentText: d.HasUnsentText(), SkipAsksForNote: asksForNote, CanReply: d.canReply}
}

// IsAnsweredByKeys reports whether keys answer the question directly, without a widget.
func (d *Dialog) IsAnsweredByKeys() bool { return d.widget == nil }

// Title returns the step that asks, unless its text shows above, and the position of the current field. The
// first line of the screen says that the run waits.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	name := d.stepName
	if run.IsTextPaneShown && d.isStepSelected(run) {
		name = "QUESTION"
	}
	return layout.PaneTitle{Left: name, Right: run.DrawContext.Muted.Paint(d.positionText())}
}

func (d *Dialog) isStepSelected(run *runview.Run) bool {
	return run.SelectedRow != nil && run.SelectedRow.Label == d.question.Action.StepLabel
}

// onlyTitleLines returns the title of the step if the question is about nothing else and no other place shows the whole
// title.
func (d *Dialog) onlyTitleLines(run *runview.Run, w int) []string {
	isTextShown := (run.IsTextPaneShown || run.IsPresenting) && d.isStepSelected(run)
	if d.question.Kind != machine.KindDecide || d.stepRow == nil || isTextShown {
		return nil
	}
	return run.DrawContext.OnlyTitleLines(run.Track, d.stepRow, w)
}

// positionText returns the position of the current field of a form, "" if there is no form.
func (d *Dialog) positionText() string {
	if f, fills := d.widget.(*form.Form); fills {
		return f.PositionText()
	}
	return ""
}

// The decision that led to a question has minPrecedingDecisionLines where room is scarce, and never more than
// maxPrecedingDecisionLines.
const minPrecedingDecisionLines, maxPrecedingDecisionLines = 2, 6

// View returns the question, below the decision that led to it if there is room for both.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	all := d.precedingDecisionLines(run.DrawContext, w, maxPrecedingDecisionLines)
	room := max(minPrecedingDecisionLines, h-(d.WantedHeight(run, w)-len(all)))
	origin := d.precedingDecisionLines(run.DrawContext, w, room)
	if len(origin) >= h {
		origin = nil
	}
	d.linesAboveWidget = len(origin)
	return append(origin, d.bodyLines(run, w, h-len(origin))...)
}

// precedingDecisionLines returns the decision that led to the step, in n lines at most, below the failure on which it
// was based. The dialog shows it because it covers WHY.
func (d *Dialog) precedingDecisionLines(dc *draw.Context, w, n int) []string {
	if !d.showsPrecedingDecision() {
		return nil
	}
	var lines []string
	if d.followsFailure() {
		lines = dc.PaintLines(dc.Fail, wording.FailureText(d.precedingStep), w)
	}
	lines = append(lines, decision.PrecedingDecisionLines(dc, d.precedingStep, d.precedingDecision, w)...)
	if n = min(n, maxPrecedingDecisionLines); len(lines) > n {
		lines = append(lines[:n-1:n-1], dc.Cut(lines[n-1]+" "+lines[n], w))
	}
	return lines
}

// showsPrecedingDecision reports whether the dialog shows the decision that led to the step.
func (d *Dialog) showsPrecedingDecision() bool {
	return d.precedingStep != nil && d.precedingDecision != nil && (d.followsFailure() || !isDefaultContinuation(d.precedingDecision))
}

// followsFailure reports whether the step before failed and this led to the step.
func (d *Dialog) followsFailure() bool {
	return d.precedingStep.HasFailed() && d.precedingStep.Decision == d.precedingDecision
}

// isDefaultContinuation reports whether a step passed and the run went on as it does without a rule, which needs no
// explanation.
func isDefaultContinuation(d *machine.Decision) bool {
	c := d.TakenCandidate()
	return c != nil && c.Implicit && d.Outcome != nil && d.Outcome.Result == plan.Passed &&
		!d.ByPerson && track.NearMissText(d) == ""
}

// bodyLines returns the question itself.
func (d *Dialog) bodyLines(run *runview.Run, w, h int) []string {
	dc := run.DrawContext
	if d.widget != nil {
		return d.promptAndWidget(dc, w, h)
	}
	return d.VisibleLinesAboveFixed(dc, d.subjectLines(run, w), d.questionAndAnswers(run, w), h)
}

// subjectLines returns what the question is about: checks or a reason, a block, or, below the question, a call.
func (d *Dialog) subjectLines(run *runview.Run, w int) []string {
	dc := run.DrawContext
	out := d.onlyTitleLines(run, w)
	if d.question.Call != nil {
		out = d.questionLines(dc, w)
	}
	for _, text := range d.stepWarnings {
		out = append(out, dc.SignedWarningLines("△", sanitize.PlainLines(text), w)...)
	}
	out = append(out, decision.CheckLines(dc, d.outcomeChecks, w)...)
	if d.reasonText() != "" && len(d.outcomeChecks) == 0 && !slices.Contains(d.stepWarnings, d.reasonText()) {
		out = append(out, dc.WarningLines(sanitize.PlainLines(d.reasonText()), w)...)
	}
	switch show := d.question.ShownBlock; {
	case show == nil:
	case d.question.Call != nil:
		out = append(out, d.approval().lines(dc, run, w)...)
	default:
		out = append(out, dc.InstructionLines(show.Text, w)...)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// WantedHeight returns the height of everything that the dialog shows.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	dc := run.DrawContext
	preceding := len(d.precedingDecisionLines(dc, w, maxPrecedingDecisionLines))
	if d.widget != nil {
		return preceding + len(d.promptLines(dc, w)) + d.widget.Height(dc, w)
	}
	return preceding + len(d.subjectLines(run, w)) + len(d.questionAndAnswers(run, w))
}

// MinHeight returns the height without the empty lines of the widget, and with few lines of the decision that led
// to the question.
func (d *Dialog) MinHeight(run *runview.Run, w int) int {
	dc := run.DrawContext
	least := d.WantedHeight(run, w) - len(d.precedingDecisionLines(dc, w, maxPrecedingDecisionLines)) + len(d.precedingDecisionLines(dc, w, minPrecedingDecisionLines))
	if d.widget == nil {
		return least
	}
	return least - d.widget.Height(dc, w) + form.MinHeight(d.widget, dc, w)
}

// MayCoverOutput reports whether the dialog needs room: for a reply, checks, a call, or a text of several
// lines.
func (d *Dialog) MayCoverOutput(*runview.Run) bool {
	return d.AsksForReply() || len(d.outcomeChecks) > 0 || d.question.Call != nil || form.IsMultiline(d.widget)
}

// IsEnteringText implements dialog.TextEntry.
func (d *Dialog) IsEnteringText() bool { return d.widget != nil && d.widget.TakesText() }

// AllowsAction implements dialog.ActionFilter: while a run waits, the keys of the screen work, except those that a text
// takes.
func (d *Dialog) AllowsAction(a *keymap.KeyAction) bool {
	return !d.IsEnteringText() || a.Name == "reload"
}

// Update handles keys, pasted text and forecasts.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case forecastMsg:
		if msg.recipient == d {
			d.storeForecast(run, msg)
			return dialog.Handled()
		}
	case tea.PasteMsg:
		if d.widget != nil {
			d.widget.Paste(run.DrawContext, msg.Content)
			return dialog.Handled()
		}
	case tea.KeyPressMsg:
		if d.widget != nil {
			return d.handleWidgetKey(run, msg)
		}
		return d.handleAnswerKey(run, msg)
	}
	return dialog.Unhandled()
}

// handleAnswerKey handles a key of a question without a widget.
func (d *Dialog) handleAnswerKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.DrawContext.Keys
	for _, c := range d.answerOptions() {
		switch {
		case keys.IsKeyOf(k, c.actions...):
			return d.Answer(run, c.value), true
		case keys.IsKeyOf(k, c.actionsWithNote...):
			return d.AnswerWithNote(run.DrawContext, c.value), true
		}
	}
	switch {
	case d.question.Call != nil && keys.IsKeyOf(k, "adjust"):
		return d.editArgumentsAndAllow(), true
	case d.question.Call != nil && keys.IsKeyOf(k, "manual-reply"):
		return d.askCallResult(), true
	case keys.IsKeyOf(k, "note") && d.question.Call == nil:
		return d.askNote("Note for step "+draw.CleanLine(d.question.Action.StepLabel), "keep", func(*runview.Run) []tea.Msg { return nil }), true
	case keys.IsKeyOf(k, "close"):
		return d.closeToLookAround(), true
	}
	return nil, d.ScrollByKey(keys, k)
}

// closeToLookAround closes the dialog. The typed text is kept.
func (d *Dialog) closeToLookAround() []tea.Msg {
	return []tea.Msg{dialog.Close{}, request.Say{Text: "The run is waiting. {answer} to go back to the question."}}
}

// AnswerWithNote returns the request for a dialog that asks for a note, and then gives an answer with it.
func (d *Dialog) AnswerWithNote(dc *draw.Context, value string) []tea.Msg {
	label := d.answerLabel(value)
	name := fmt.Sprintf("Answer %q for step %s, with a note", label, draw.CleanLine(d.question.Action.StepLabel))
	return d.askNote(name, label+d.destinationByAnswer.hint(dc, value), func(run *runview.Run) []tea.Msg { return d.Answer(run, value) })
}

// askNote returns the request for a dialog that asks for the note, below the question that it covers. then returns what
// follows.
func (d *Dialog) askNote(title, verb string, then func(*runview.Run) []tea.Msg) []tea.Msg {
	asked := note.New(title, d.answerNote, verb, func(run *runview.Run, text string) []tea.Msg {
		d.answerNote = text
		return then(run)
	})
	asked.Subject = d.questionText()
	return []tea.Msg{dialog.Open{Dialog: asked}}
}

// Answer returns the requests that give an answer. If it accepts an outcome with values, they first open a dialog in which
// the person can change these.
func (d *Dialog) Answer(run *runview.Run, value string) []tea.Msg {
	if d.question.Kind != machine.KindAcceptOutcome || value != "pass" || len(run.Status.PendingValues) == 0 {
		return d.answerRequests(machine.Answer{Value: value})
	}
	name := "Accept " + draw.CleanLine(d.question.Action.StepLabel)
	values := reportedvalues.New(run, name, func(_ *runview.Run, instead []plan.Assignment) []tea.Msg {
		return d.answerRequests(machine.Answer{Value: value, Assignments: instead})
	})
	values.SubmitText += d.destinationByAnswer.hint(run.DrawContext, value)
	return []tea.Msg{dialog.Open{Dialog: values}}
}

// answerRequests returns the messages that send an answer by the person.
func (d *Dialog) answerRequests(a machine.Answer) []tea.Msg {
	a.By, a.Note = machine.ByPerson, d.answerNote
	return []tea.Msg{
		dialog.Close{Dialog: d}, request.FollowRun{}, request.Do{Action: "answer", Args: control.Args{Answer: &a}},
	}
}

// Hints returns the keys that the dialog itself does not show beside its answers.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	if d.widget != nil {
		return d.widgetHints(run)
	}
	return slices.Concat(d.noteHints(dc), d.ScrollHints(dc), []draw.Hint{dc.LookAroundHint()})
}

// IsList reports whether the dialog is a list of options or of fields, which may scroll.
func (d *Dialog) IsList() bool {
	switch d.widget.(type) {
	case *form.Picker, *form.Form:
		return true
	}
	return false
}

// Overflow returns how many options, or how many lines about the question, are out of sight.
func (d *Dialog) Overflow() layout.Overflow {
	if c, scrolls := d.widget.(dialog.Scrollable); scrolls {
		o := c.Overflow()
		o.ListFirstRow += d.linesAboveWidget
		return o
	}
	return d.Scroller.Overflow()
}
