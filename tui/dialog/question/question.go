// Package question asks what only a person can say: a decision, a value, a reply in a model's place,
// whether a tool may be called.
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

// yesOrNo are the answers of a question that keys answer without a control.
var yesOrNo = []string{"yes", "no"}

// Dialog lives as long as the question does: what was typed is kept while the person looks around.
type Dialog struct {
	ask          machine.Question
	nth          int               // of the actions of its step that it is about
	name         string            // of its step
	from         *track.Row        // the step that led there
	enteredBy    *machine.Decision // which did; nil: none
	canReply     bool              // a person can reply in the model's place instead
	isModelCall  bool              // it is about a call of a model, not about a command
	toolName     string            // it is about a call of this tool
	edited       bool              // the step acts differently since the document changed
	callTool     *tools.Tool       // that a call to be allowed is of; nil: its server has not been asked
	control      form.Widget       // nil for a decision: keys alone answer that
	chooser      *form.Chooser     // of a reply that can be chosen: the list
	initialValue string            // what the control had of itself
	note         string
	judge        func(reply string) []string // says what a step would not take as it is
	doubts       doubts                      // about a reply that was to be sent
	checks       []plan.Check                // that what is held was judged by
	leads        map[string]string           // where the answers lead; nil: that is not known
	list.Scroller
}

// New returns the dialog of the open question. doubts says what a step would make of a reply that it
// would not take as it is.
func New(run *runview.Run, doubts func(reply string) []string) *Dialog {
	ask := *run.Status.Question
	d := &Dialog{ask: ask, nth: nth(run), edited: isEdited(run), name: draw.Clean(ask.Action.Step), callTool: run.Status.Tool, judge: doubts}
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
	if ask.Draft == "" { // a reply that was taken over is nowhere else
		d.initialValue = d.writtenText()
	}
	d.Sync(run)
	return d
}

// isEdited reports whether the newest event came of a document in which the step acts differently.
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

// nth is how many actions of its step the open question comes after: an action that calls models
// and tools may ask more than once.
func nth(run *runview.Run) int {
	r := run.Track.Row(run.Status.Question.Action.Step)
	if r == nil || r.Last() == nil {
		return 0
	}
	return len(r.Last().Actions)
}

// Asks is what the dialog asks for now: of a form, one of its values.
func (d *Dialog) Asks() any {
	if f, fills := d.control.(*form.Form); fills {
		return f.Control()
	}
	return d
}

// IsOpen reports whether the dialog's question is the one that the run waits for. An action that
// asks for values asks for each of them. What a model had begun to reply is there in one visit
// only. A change of the document can change the question.
func (d *Dialog) IsOpen(run *runview.Run) bool {
	q := run.Status.Question
	return q != nil && d.ask.Action == q.Action && d.ask.Kind == q.Kind && d.nth == nth(run) && d.ask.Draft == q.Draft &&
		d.ask.Prompt == q.Prompt && slices.Equal(d.ask.Options, q.Options) && reflect.DeepEqual(d.ask.Field, q.Field) && reflect.DeepEqual(d.ask.Fields, q.Fields)
}

// TakeText takes over what a person had written for a question of the same action, before the document
// changed.
func (d *Dialog) TakeText(old *Dialog) {
	from, to := form.Written(old.control), form.Written(d.control)
	if d.edited && d.ask.Action == old.ask.Action && d.ask.Kind == old.ask.Kind && from != nil && to != nil && old.Unsent() {
		to.Set(from.Value())
	}
}

// Sync brings the dialog in line with the run: which step asks, since a jump may have led there
// again, what is held there was judged by, and whether a person can reply in the model's place.
func (d *Dialog) Sync(run *runview.Run) {
	r := run.Track.Row(d.ask.Action.Step)
	if r != nil {
		d.name, d.from, d.enteredBy = draw.StepName(r), r.From, r.EnteredBy
		if d.ask.Kind == machine.KindAccept {
			d.checks = r.Checks()
		}
	}
	d.isModelCall, d.toolName = false, ""
	if d.ask.Kind == machine.KindResume {
		d.isModelCall, d.toolName = r.LastIsModel(), draw.LastTool(r)
	}
	cut := d.toolName != "" && run.Status.Question.Acted
	held := d.ask.Kind == machine.KindAccept && r.AsksModel(d.ask.Action.Action)
	d.canReply = d.isModelCall || (cut || held) && control.Find("manual-reply").Unavailable(run.Run, control.Args{}) == ""
}

// State is what the dialog says of the question; nil is no question.
func (d *Dialog) State() runview.QuestionState {
	if d == nil {
		return runview.QuestionState{}
	}
	reason := d.ask.Kind == machine.KindDecide || d.ask.Kind == machine.KindAsk
	return runview.QuestionState{Unsent: d.Unsent(), Reason: reason, CanReply: d.canReply}
}

// IsDecision reports whether keys alone answer the question.
func (d *Dialog) IsDecision() bool { return d.control == nil }

// unready reports whether the question is about a model that could not be asked yet.
func (d *Dialog) unready() bool {
	return d.ask.Kind == machine.KindResume && d.ask.Absent == plan.Fail
}

// Title is the step that asks, unless its text stands above, and which value is asked for. The first
// line of the screen says that the run waits.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	name := d.name
	if run.TextShown && run.Selected != nil && run.Selected.Label == d.ask.Action.Step {
		name = "QUESTION"
	}
	return panes.Title{Left: name, Right: run.Look.Muted.Paint(d.place())}
}

// place says which value of a form is asked for.
func (d *Dialog) place() string {
	if f, fills := d.control.(*form.Form); fills {
		return f.Place()
	}
	return ""
}

// questionText is the question in a sentence.
func (d *Dialog) questionText() string {
	switch {
	case d.ask.Call != nil:
		return "May the model call " + draw.ToolName(d.ask.Call.Server, d.ask.Call.Tool) + "?"
	case d.unready():
		return "The model could not be asked. What now?"
	case d.ask.Kind == machine.KindResume && d.edited:
		return "This step was edited after it began. What now?"
	case d.ask.Kind == machine.KindResume && d.isModelCall:
		return "The reply was interrupted. What now?"
	case d.ask.Kind == machine.KindResume && d.toolName != "":
		return "The call of " + d.toolName + " was interrupted and may have had effects. What now?"
	case d.ask.Kind == machine.KindResume:
		return "The command was interrupted and may have had effects. What now?"
	case d.ask.Kind == machine.KindAccept:
		return "Accept it anyway?"
	case d.ask.Kind == machine.KindAsk:
		return sanitize.Text(d.ask.Prompt)
	case d.ask.Instead:
		return "Do this step yourself. Did it pass?"
	case slices.Equal(d.ask.Options, yesOrNo):
		return "Yes or no?"
	}
	return "Did it work?"
}

// maxOrigin is how many lines the decision that led to a question has at most.
const maxOrigin = 2

// View is the question, below what led to it where there is room for both.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	origin := d.origin(run.Look, w)
	if len(origin) >= h {
		origin = nil
	}
	return append(origin, d.body(run, w, h-len(origin))...)
}

// origin is the decision that led to the step, which the dialog says because it covers WHY.
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

// body is the question itself.
func (d *Dialog) body(run *runview.Run, w, h int) []string {
	l := run.Look
	if d.control != nil {
		return d.fill(l, w, h)
	}
	all, ask := d.above(run, w), d.buttons(run, w)
	if h-len(ask) > 0 && len(all) > 0 {
		all = d.Window(l, all, h-len(ask))
		return append(all[:len(all):len(all)], ask...)
	}
	return ask
}

// reason is why there is a question, where the machine says it.
func (d *Dialog) reason() string {
	if d.unready() || d.ask.Kind == machine.KindAccept {
		return d.ask.Prompt
	}
	return ""
}

// above is what the question is about: checks or a reason, a block, the arguments of a
// call.
func (d *Dialog) above(run *runview.Run, w int) []string {
	l := run.Look
	out := decision.Checks(l, d.checks, w)
	if d.reason() != "" && len(out) == 0 {
		for _, line := range l.Wrap(sanitize.Text(d.reason()), w) {
			out = append(out, l.Warn.Paint(line))
		}
	}
	switch show := d.ask.Show; {
	case show == nil:
	case d.isLocalCall():
		out = append(out, d.localCall(l, run, w)...)
	case d.ask.Call != nil:
		careful := cmp.Or(tools.CallWarning(d.ask.Call.Server, d.ask.Call.Tool, show.Text), sanitize.Careful(d.description()))
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

// toolEffect is what its server says that the tool changes. It stands above the arguments, which
// may be longer than the dialog.
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

// description is what its server says that the tool does, empty if it says nothing.
func (d *Dialog) description() string {
	if d.callTool == nil {
		return ""
	}
	return d.callTool.About()
}

// toolDescription is the description in lines: it is untrusted, and perhaps long.
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

// Height is that of all.
func (d *Dialog) Height(run *runview.Run, w int) int {
	l := run.Look
	led := len(d.origin(l, w))
	if d.control != nil {
		return led + len(d.prompt(l, w)) + d.control.Height(l, w)
	}
	return led + len(d.above(run, w)) + len(d.buttons(run, w))
}

// LeastHeight is the height without lines that nothing is written in yet.
func (d *Dialog) LeastHeight(run *runview.Run, w int) int {
	if d.control == nil {
		return d.Height(run, w)
	}
	return d.Height(run, w) - d.control.Height(run.Look, w) + form.LeastHeight(d.control, run.Look, w)
}

// IsTall reports whether a reply is given or a text of several lines is written, which needs room.
func (d *Dialog) IsTall(*runview.Run) bool {
	return d.ask.Kind == machine.KindReply || form.HasLines(d.control)
}

// Writing reports whether keys are text.
func (d *Dialog) Writing() bool { return d.control != nil && d.control.Writes() }

// Update answers, writes and scrolls.
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

// decide takes a key for a question that keys alone answer.
func (d *Dialog) decide(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.Look.Keys
	for _, c := range d.choices() {
		switch {
		case keys.Is(k, c.actions...):
			return d.Answer(run, c.value), true
		case keys.Is(k, c.noting...):
			return d.AnswerNoted(c.value), true
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

// lookAround puts the question away. What was typed stays with it.
func (d *Dialog) lookAround() []tea.Msg {
	return []tea.Msg{dialog.Close{}, request.Say{Text: "The run waits. {answer} to go back to the question."}}
}

// AnswerNoted asks for a note, and answers with it.
func (d *Dialog) AnswerNoted(value string) []tea.Msg {
	name := "Answer " + value + " to step " + draw.Clean(d.ask.Action.Step) + ", with a note"
	return []tea.Msg{dialog.Open{Dialog: note.New(name, d.note, value, func(run *runview.Run, text string) []tea.Msg {
		d.note = text
		return d.Answer(run, value)
	})}}
}

// Answer gives an answer. Of values that are held, those to take can be changed first.
func (d *Dialog) Answer(run *runview.Run, value string) []tea.Msg {
	if d.ask.Kind != machine.KindAccept || value != "pass" || len(run.Status.PendingValues) == 0 {
		return d.give(machine.Answer{Value: value})
	}
	name := "Accept " + draw.Clean(d.ask.Action.Step)
	return []tea.Msg{dialog.Open{Dialog: reportedvalues.New(run, name, func(_ *runview.Run, instead []plan.Assignment) []tea.Msg {
		return d.give(machine.Answer{Value: value, Set: instead})
	})}}
}

// give gives an answer as the person's.
func (d *Dialog) give(a machine.Answer) []tea.Msg {
	a.By, a.Note = machine.ByPerson, d.note
	return []tea.Msg{
		dialog.Close{Dialog: d}, request.FollowRun{}, request.Do{Action: "answer", Args: control.Args{Answer: &a}},
	}
}

// Hints are the keys besides those that the dialog itself shows at its answers.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	if d.control != nil {
		return d.controlHints(l)
	}
	return append(d.noteKeys(l), l.Press("close", "look around"))
}

// forecast is where the answers of a dialog lead.
type forecast struct {
	of    *Dialog
	leads map[string]*machine.Decision // by answer
}

// Forecast returns a command that finds out where the answers lead; nil: the question has none to
// choose from by key. suppose is the run after an event. What comes of it goes to all dialogs.
func (d *Dialog) Forecast(run *runview.Run, suppose func(seq int) engine.DecisionPreview) tea.Cmd {
	asks := []string{machine.KindDecide, machine.KindAsk, machine.KindAccept}
	if d.control != nil || !slices.Contains(asks, d.ask.Kind) || len(run.Events) == 0 {
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
		return forecast{d, leads}
	}
}

// takeForecast keeps where the answers lead, in words.
func (d *Dialog) takeForecast(run *runview.Run, f forecast) {
	d.leads = map[string]string{}
	for answer, decision := range f.leads {
		to, end := wording.Destination(decision), decision.Arrival
		switch r := run.Track.Row(decision.To); {
		case r != nil && end.Kind == machine.ToStep:
			to = draw.StepName(r)
		case d.reason() != "" && strings.Contains(end.Message, d.reason()): // the question says it
			to = wording.Result(end.Result)
		}
		d.leads[answer] = to
	}
}
