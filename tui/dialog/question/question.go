// Package question is the dialog that asks a person for a decision, a value, a reply instead of a model's,
// or the approval of a tool call.
package question

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/dialog/reportedvalues"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/list"
	"playhead/tui/markdown"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// yesOrNo holds the options of a question that needs no control.
var yesOrNo = []string{"yes", "no"}

// Dialog exists as long as the question is open, so typed text is kept while the person looks around.
type Dialog struct {
	ask           machine.Question
	nth           int               // the number of its step's actions before the question
	name          string            // the name of its step
	from          *track.Row        // the step that led to its step
	enteredBy     *machine.Decision // the decision that led to its step; nil: none
	canReply      bool              // a person can write the model's reply
	isModelCall   bool              // the question is about a call of a model, not a command
	toolName      string            // the tool whose call the question is about; "": none
	edited        bool              // the document was changed, and with it what the step does
	callTool      *tools.Tool       // the tool of a call that needs approval; nil: its server has not answered
	control       form.Widget       // nil for a decision, which keys answer directly
	chooser       *form.Chooser     // the list of replies to choose from; nil: none
	aboveControl  int               // how many lines the last frame has above the control
	initialValue  string            // the initial value of the control
	note          string
	check         func(reply string) []string // returns what the step would not accept in a reply
	replyWarnings replyWarnings               // about a reply that the person wanted to send
	checks        []plan.Check                // the checks of an outcome that needs acceptance
	warnings      []string                    // the warnings of the step that no check repeats
	leads         map[string]lead             // where the answers lead; nil: unknown
	list.Scroller
}

// New returns the dialog of the open question. check returns the warnings about a reply that the step
// would not accept as it is.
func New(run *runview.Run, check func(reply string) []string) *Dialog {
	ask := *run.Status.Question
	d := &Dialog{ask: ask, nth: nth(run), edited: isEdited(run), name: draw.Clean(ask.Action.Step), callTool: run.Status.Tool, check: check}
	switch {
	case ask.Kind == machine.KindReply:
		d.useReplyControl()
	case ask.Kind != machine.KindAsk || ask.Field == nil:
	case len(ask.Fields) > 0:
		d.control = newAnswers(ask.Fields)
	case slices.Equal(ask.Options, yesOrNo):
	default:
		d.control = form.New(ask.Field.Type, ask.Field.Default, ask.Options)
	}
	if ask.Draft == "" { // only the dialog has a reply that was taken over
		d.initialValue = d.writtenText()
	}
	d.Sync(run)
	return d
}

// isEdited reports whether the run has just reloaded the document with a change of what the step does.
func isEdited(run *runview.Run) bool {
	if len(run.Events) < 2 {
		return false
	}
	r, ok := run.Events[len(run.Events)-2].Body.(*machine.Reloaded)
	row := run.Track.Row(run.Status.Question.Action.Step)
	return ok && row != nil && row.Step != nil && slices.ContainsFunc(r.Steps, func(m machine.MatchedStep) bool {
		return m.Acts && m.To == row.Step.ID && m.Document == row.Document()
	})
}

// nth returns how many actions its step made before the open question. It distinguishes the questions of
// one action that calls models and tools.
func nth(run *runview.Run) int {
	r := run.Track.Row(run.Status.Question.Action.Step)
	if r == nil || r.LastVisit() == nil {
		return 0
	}
	return len(r.LastVisit().Actions)
}

// Asks returns what the dialog asks for now: the current field of a form, else the dialog itself.
func (d *Dialog) Asks() any {
	if f, fills := d.control.(*form.Form); fills {
		return f.Control()
	}
	return d
}

// IsOpen reports whether the dialog's question is the one that the run waits for. It compares the whole
// question, because one action can ask several, and a change of the document can change a question.
func (d *Dialog) IsOpen(run *runview.Run) bool {
	q := run.Status.Question
	return q != nil && d.ask.Action == q.Action && d.ask.Kind == q.Kind && d.nth == nth(run) && d.ask.Draft == q.Draft &&
		d.ask.Prompt == q.Prompt && slices.Equal(d.ask.Options, q.Options) && reflect.DeepEqual(d.ask.Field, q.Field) && reflect.DeepEqual(d.ask.Fields, q.Fields)
}

// TakeText copies the unsent text from the dialog of the same action, if a change of the document has
// replaced that dialog.
func (d *Dialog) TakeText(old *Dialog) {
	from, to := form.Written(old.control), form.Written(d.control)
	if d.edited && d.ask.Action == old.ask.Action && d.ask.Kind == old.ask.Kind && from != nil && to != nil && old.Unsent() {
		to.Set(from.Value())
	}
}

// Sync updates the dialog from the run: the step that asks and the decision that led there, the checks
// of an outcome to accept, and whether a person can reply in the model's place.
func (d *Dialog) Sync(run *runview.Run) {
	r := run.Track.Row(d.ask.Action.Step)
	if r != nil {
		d.name, d.from, d.enteredBy = draw.StepName(r), r.From, r.EnteredBy
		if d.ask.Kind == machine.KindAcceptOutcome {
			d.checks, d.warnings = r.Checks(), r.OtherWarnings()
		}
	}
	d.isModelCall, d.toolName = false, ""
	if d.ask.Kind == machine.KindResume {
		d.isModelCall, d.toolName = r.LastIsModel(), draw.LastTool(r)
	}
	cut := d.toolName != "" && run.Status.Question.MayHaveActed
	held := d.ask.Kind == machine.KindAcceptOutcome && r.AsksModel(d.ask.Action.Action)
	d.canReply = d.isModelCall || (cut || held) && control.Find("manual-reply").Unavailable(run.Run, control.Args{}) == ""
}

// State returns the state of the question. A nil dialog has none.
func (d *Dialog) State() runview.QuestionState {
	if d == nil {
		return runview.QuestionState{}
	}
	reason := d.ask.Kind == machine.KindDecide || d.ask.Kind == machine.KindAsk
	return runview.QuestionState{Unsent: d.Unsent(), Reason: reason, CanReply: d.canReply}
}

// IsDecision reports whether keys answer the question directly, without a control.
func (d *Dialog) IsDecision() bool { return d.control == nil }

// waitsForModel reports whether the question is about a model that could not be asked yet.
func (d *Dialog) waitsForModel() bool {
	return d.ask.Kind == machine.KindResume && d.ask.IfUnattended == plan.Fail
}

// Title returns the step that asks, unless its text shows above, and the position of the current field. The
// first line of the screen says that the run waits.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	name := d.name
	if run.TextShown && run.Selected != nil && run.Selected.Label == d.ask.Action.Step {
		name = "QUESTION"
	}
	return panes.Title{Left: name, Right: run.Look.Muted.Paint(d.place())}
}

// place returns the position of the current field of a form, "" if there is no form.
func (d *Dialog) place() string {
	if f, fills := d.control.(*form.Form); fills {
		return f.Place()
	}
	return ""
}

// questionText returns the question in a sentence.
func (d *Dialog) questionText() string {
	switch {
	case d.ask.Call != nil:
		return "May the model call " + draw.ToolName(d.ask.Call.Server, d.ask.Call.Tool) + "?"
	case d.waitsForModel():
		return "The model could not be asked. What now?"
	case d.ask.Kind == machine.KindResume && d.edited:
		return "This step was edited after it began. What now?"
	case d.ask.Kind == machine.KindResume && d.isModelCall:
		return "The reply was interrupted. What now?"
	case d.ask.Kind == machine.KindResume && d.toolName != "":
		return "The call of " + d.toolName + " was interrupted and may have had effects. What now?"
	case d.ask.Kind == machine.KindResume:
		return "The command was interrupted and may have had effects. What now?"
	case d.ask.Kind == machine.KindAcceptOutcome:
		return "Accept it anyway?"
	case d.ask.Kind == machine.KindAsk:
		return sanitize.Text(d.ask.Prompt)
	case d.ask.ReplacesExecution:
		return "Do this step yourself. Did it pass?"
	case slices.Equal(d.ask.Options, yesOrNo):
		return "Yes or no?"
	}
	return "Did it work?"
}

// maxOrigin limits the lines of the decision that led to a question.
const maxOrigin = 2

// View returns the question, below the decision that led to it if there is room for both.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	origin := d.origin(run.Look, w)
	if len(origin) >= h {
		origin = nil
	}
	d.aboveControl = len(origin)
	return append(origin, d.body(run, w, h-len(origin))...)
}

// origin returns the decision that led to the step. The dialog shows it because it covers WHY.
func (d *Dialog) origin(l *draw.Look, w int) []string {
	if d.from == nil || d.enteredBy == nil {
		return nil
	}
	lines := decision.Before(l, d.from, d.enteredBy, w)
	if len(lines) > maxOrigin {
		lines = append(lines[:maxOrigin-1:maxOrigin-1], l.Cut(lines[maxOrigin-1]+" "+lines[maxOrigin], w))
	}
	return lines
}

// body returns the question itself.
func (d *Dialog) body(run *runview.Run, w, h int) []string {
	l := run.Look
	if d.control != nil {
		return d.fill(l, w, h)
	}
	return d.WindowAbove(l, d.above(run, w), d.buttons(run, w), h)
}

// reason returns why the machine asks the question, "" if it gives no reason.
func (d *Dialog) reason() string {
	if d.waitsForModel() || d.ask.Kind == machine.KindAcceptOutcome {
		return d.ask.Prompt
	}
	return ""
}

// above returns what the question is about: checks or a reason, a block, or the arguments of a call.
func (d *Dialog) above(run *runview.Run, w int) []string {
	l := run.Look
	var out []string
	for _, text := range d.warnings {
		out = append(out, l.Warning("△ "+sanitize.Text(text), w)...)
	}
	out = append(out, decision.Checks(l, d.checks, w)...)
	if d.reason() != "" && len(d.checks) == 0 && !slices.Contains(d.warnings, d.reason()) {
		for _, line := range l.Wrap(sanitize.Text(d.reason()), w) {
			out = append(out, l.Warn.Paint(line))
		}
	}
	switch show := d.ask.Show; {
	case show == nil:
	case d.isLocalCall():
		out = append(out, d.localCall(l, run, w)...)
	case d.ask.Call != nil:
		careful := cmp.Or(tools.CallWarning(d.ask.Call.Server, d.ask.Call.Tool, show.Text), sanitize.HiddenCharacterWarning(d.description()))
		out = append(l.Warning(careful, w), out...)
		out = append(out, d.toolEffect(l, w)...)
		out = append(out, markdown.JSON(sanitize.Unpadded(show.Text), w, l.Styles)...)
		out = append(out, d.toolDescription(l, w)...)
	default:
		out = append(out, l.Instruction(show.Text, w)...)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// toolEffect returns the effect of the tool as its server declares it. It is above the arguments, because
// they may be longer than the dialog.
func (d *Dialog) toolEffect(l *draw.Look, w int) (out []string) {
	if d.callTool == nil {
		return nil
	}
	ink := l.Muted
	if d.callTool.Effect == tools.Destructive {
		ink = l.Warn
	}
	for _, line := range l.Wrap(d.callTool.Effect.String(), w) {
		out = append(out, ink.Paint(line))
	}
	return out
}

// description returns the server's description of the tool, "" if there is none.
func (d *Dialog) description() string {
	if d.callTool == nil {
		return ""
	}
	return d.callTool.About()
}

// toolDescription returns the description in lines. It is untrusted and may be long.
func (d *Dialog) toolDescription(l *draw.Look, w int) []string {
	if d.description() == "" {
		return nil
	}
	out := []string{""}
	for _, line := range l.Wrap(sanitize.Text(d.description()), w) {
		out = append(out, l.Muted.Paint(line))
	}
	return out
}

// Height returns the height of everything that the dialog shows.
func (d *Dialog) Height(run *runview.Run, w int) int {
	l := run.Look
	led := len(d.origin(l, w))
	if d.control != nil {
		return led + len(d.prompt(l, w)) + d.control.Height(l, w)
	}
	return led + len(d.above(run, w)) + len(d.buttons(run, w))
}

// LeastHeight returns the height without the empty lines of the control.
func (d *Dialog) LeastHeight(run *runview.Run, w int) int {
	if d.control == nil {
		return d.Height(run, w)
	}
	return d.Height(run, w) - d.control.Height(run.Look, w) + form.LeastHeight(d.control, run.Look, w)
}

// MayCoverOutput reports whether the dialog needs room: for a reply, checks, a call, or a text of several lines.
func (d *Dialog) MayCoverOutput(*runview.Run) bool {
	return d.IsReply() || len(d.checks) > 0 || d.ask.Call != nil || form.HasLines(d.control)
}

// Writing implements dialog.Writer.
func (d *Dialog) Writing() bool { return d.control != nil && d.control.Writes() }

// Update handles keys, pasted text and forecasts.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case forecast:
		if msg.of == d {
			d.takeForecast(run, msg)
			return dialog.Send()
		}
	case tea.PasteMsg:
		if d.control != nil {
			d.control.Paste(run.Look, msg.Content)
			return dialog.Send()
		}
	case tea.KeyPressMsg:
		if d.control != nil {
			return d.write(run, msg)
		}
		return d.decide(run, msg)
	}
	return dialog.Unhandled()
}

// decide handles a key of a question without a control.
func (d *Dialog) decide(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.Look.Keys
	for _, c := range d.choices() {
		switch {
		case keys.Is(k, c.actions...):
			return d.Answer(run, c.value), true
		case keys.Is(k, c.noteActions...):
			return d.AnswerNoted(run.Look, c.value), true
		}
	}
	switch {
	case d.ask.Call != nil && keys.Is(k, "adjust"):
		return d.editArguments(), true
	case d.ask.Call != nil && keys.Is(k, "manual-reply"):
		return d.answerCall(), true
	case keys.Is(k, "note") && d.ask.Call == nil:
		return dialog.Send(dialog.Open{Dialog: note.New("Note for "+draw.Clean(d.ask.Action.Step), d.note, "keep",
			func(_ *runview.Run, text string) []tea.Msg {
				d.note = text
				return nil
			})})
	case keys.Is(k, "close"):
		return d.lookAround(), true
	}
	return nil, d.Scrolled(keys, k)
}

// lookAround closes the dialog. The typed text is kept.
func (d *Dialog) lookAround() []tea.Msg {
	return []tea.Msg{dialog.Close{}, request.Say{Text: "The run waits. {answer} to go back to the question."}}
}

// AnswerNoted asks for a note, then gives an answer with it.
func (d *Dialog) AnswerNoted(l *draw.Look, value string) []tea.Msg {
	name := "Answer " + value + " to step " + draw.Clean(d.ask.Action.Step) + ", with a note"
	return []tea.Msg{dialog.Open{Dialog: note.New(name, d.note, value+d.leadText(l, value), func(run *runview.Run, text string) []tea.Msg {
		d.note = text
		return d.Answer(run, value)
	})}}
}

// Answer gives an answer. Before it accepts an outcome, the person can change its values.
func (d *Dialog) Answer(run *runview.Run, value string) []tea.Msg {
	if d.ask.Kind != machine.KindAcceptOutcome || value != "pass" || len(run.Status.PendingValues) == 0 {
		return d.give(machine.Answer{Value: value})
	}
	name := "Accept " + draw.Clean(d.ask.Action.Step)
	values := reportedvalues.New(run, name, func(_ *runview.Run, instead []plan.Assignment) []tea.Msg {
		return d.give(machine.Answer{Value: value, Set: instead})
	})
	values.End += d.leadText(run.Look, value)
	return []tea.Msg{dialog.Open{Dialog: values}}
}

// give returns the messages that send an answer by the person.
func (d *Dialog) give(a machine.Answer) []tea.Msg {
	a.By, a.Note = machine.ByPerson, d.note
	return []tea.Msg{
		dialog.Close{Dialog: d}, request.FollowRun{}, request.Do{Action: "answer", Args: control.Args{Answer: &a}},
	}
}

// Hints returns the keys that the dialog itself does not show beside its answers.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	if d.control != nil {
		return d.controlHints(run)
	}
	return append(append(d.noteKeys(l), d.ScrollHints(l)...), l.Press("close", "look around"))
}

// IsList reports whether a person chooses from a list, which may scroll.
func (d *Dialog) IsList() bool {
	_, is := d.control.(*form.Picker)
	return is
}

// IsReply reports whether a person replies in the model's place.
func (d *Dialog) IsReply() bool { return d.ask.Kind == machine.KindReply }

// Overflow returns how many options, or how many lines about the question, are out of sight.
func (d *Dialog) Overflow() panes.Overflow {
	if c, scrolls := d.control.(dialog.Scrolling); scrolls {
		o := c.Overflow()
		o.First += d.aboveControl
		return o
	}
	return d.Scroller.Overflow()
}

// forecast is the message with the decisions to which the answers of a dialog lead.
type forecast struct {
	of    *Dialog
	leads map[string]*machine.Decision // by answer, and for skip
}

// anyText stands for the text that a person writes where each text leads to the same step.
const anyText = "any text"

// Forecast returns a command that finds out where the answers lead, nil if that depends on what a person
// writes. suppose previews the run after an event. The resulting forecast is sent to all dialogs.
func (d *Dialog) Forecast(run *runview.Run, suppose func(seq int) engine.DecisionPreview) tea.Cmd {
	asks := []string{machine.KindDecide, machine.KindAsk, machine.KindAcceptOutcome, machine.KindResume}
	_, picks := d.control.(*form.Picker)
	isOfText := d.isTextIrrelevant(run)
	if !isOfText && (d.control != nil && !picks || !slices.Contains(asks, d.ask.Kind)) || len(run.Events) == 0 {
		return nil
	}
	now := run.Events[len(run.Events)-1].Seq
	return func() tea.Msg {
		base, leads := suppose(now), map[string]*machine.Decision{}
		for _, answer := range d.ask.Options {
			if e, err := base(machine.Change{Answer: answer, LeavesGroups: true}); err == nil {
				leads[answer] = e.Body.(*machine.Decision)
			}
		}
		if isOfText {
			text := anyText
			change := machine.Change{Answer: text, LeavesGroups: true}
			if d.IsReply() {
				change = machine.Change{Reply: &text, LeavesGroups: true}
			}
			if e, err := base(change); err == nil {
				leads[anyText] = e.Body.(*machine.Decision)
			}
		}
		if d.offersSkip() {
			if e, err := base(machine.Change{Result: plan.Skipped, LeavesGroups: true}); err == nil {
				leads[skip] = e.Body.(*machine.Decision)
			}
		}
		return forecast{d, leads}
	}
}

// isTextIrrelevant reports whether a person writes a text that cannot change where the step leads: every text
// passes, and no route compares a value.
func (d *Dialog) isTextIrrelevant(run *runview.Run) bool {
	r := run.Track.Row(d.ask.Action.Step)
	if d.control == nil || !d.control.Writes() || len(d.ask.Fields) > 0 || d.ask.Tool != "" || r == nil || r.Step == nil {
		return false
	}
	judged := slices.ContainsFunc(r.Step.Actions[d.ask.Action.Action:], func(a plan.Action) bool {
		_, passes := a.Judge.(plan.PassingJudge)
		return a.Judge != nil && !passes
	})
	return !judged && !slices.ContainsFunc(r.Step.Routes, func(route plan.Route) bool { return route.When.Test != nil })
}

// takeForecast stores where the answers lead, as text.
func (d *Dialog) takeForecast(run *runview.Run, f forecast) {
	d.leads = map[string]lead{}
	for answer, decision := range f.leads {
		to, end := wording.Destination(decision), decision.Arrival
		one := lead{to, draw.ShortLabel(to, draw.HintLabel)}
		if end.Kind == machine.ToDocumentEnd {
			one.brief = wording.End(end.Result, "")
		}
		switch r := run.Track.Row(decision.To); {
		case r != nil && end.Kind == machine.ToStep:
			one.text = draw.StepName(r)
		case d.reason() != "" && strings.Contains(end.Message, d.reason()): // the question shows the reason
			one.text = one.brief
		}
		d.leads[answer] = one
	}
}

// lead is where an answer leads: the step with its title or the end with its message, and without these.
type lead struct{ text, brief string }
