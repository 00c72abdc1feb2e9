// Package reload shows how the files of a run's document have changed, and asks how the run should
// continue.
package reload

import (
	"cmp"
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/match"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/preview"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// ReadFiles reads the current content of the document's files. Its message is a FilesRead.
func ReadFiles(saved func() (*engine.ReloadOffer, error)) tea.Cmd {
	return func() tea.Msg {
		offer, err := saved()
		r := FilesRead{Offer: offer, Err: err}
		if err == nil && offer.Match != nil {
			r.fileDiffs = offer.Match.FileDiffs()
		}
		return r
	}
}

// NewErrorsAfterEdit returns a dialog with the errors that an edited document would have.
func NewErrorsAfterEdit(o *engine.ReloadOffer) *ErrorsDialog {
	return &ErrorsDialog{Name: "The document would have errors", Consequence: "No change: the edited document would have these errors.", Diagnostics: o.Problems()}
}

// FilesRead is the message with the current content of the document's files. Err is why they cannot be read.
type FilesRead struct {
	Offer     *engine.ReloadOffer
	Err       error
	fileDiffs []match.FileDiff
}

// Requests shows how the files differ from the run's document, or says that they do not.
func (r FilesRead) Requests() []tea.Msg {
	switch {
	case r.Err != nil:
		return []tea.Msg{request.Say{Text: wording.ErrorSentence(r.Err)}}
	case r.Offer.IsGone:
		return []tea.Msg{request.Say{Text: r.Offer.ChangeNotice()}}
	case r.Offer.Err() != nil:
		return []tea.Msg{dialog.Open{Dialog: &ErrorsDialog{Name: "The saved document has errors", Consequence: "The run keeps its own copy of the document.", Diagnostics: r.Offer.Problems()}}}
	case r.Offer.IsUnchanged():
		return []tea.Msg{request.Say{Text: control.FilesUnchangedReason}}
	}
	return []tea.Msg{dialog.Open{Dialog: New(r.Offer, r.fileDiffs)}}
}

// Notice returns what changed in the files, and which key to press. It returns "" if the change does not
// affect the run.
func (r FilesRead) Notice() string {
	if r.Err != nil {
		return wording.ErrorSentence(r.Err)
	}
	text := r.Offer.ChangeNotice()
	switch {
	case text == "", r.Offer.IsGone:
		return text
	case r.Offer.Err() != nil:
		return text + " {reload} for details."
	}
	return text + " {reload} to use it."
}

// Dialog lists the changes, and asks what to do.
type Dialog struct {
	offer     *engine.ReloadOffer
	fileDiffs []match.FileDiff
	options   *choose.Dialog // below the changes
	dialog.OutputCoverer
	list.Scroller
}

// New returns the dialog for a changed version of the document.
func New(o *engine.ReloadOffer, files []match.FileDiff) *Dialog {
	d := &Dialog{offer: o, fileDiffs: files}
	here := choose.Option{Text: "continue here with the changed document", Do: d.requestReload(control.Args{Text: control.ReloadHere})}
	if o.NoPlaceError != nil {
		here = choose.Option{Text: "continue at a step of the changed document…", Do: d.chooseStep}
	}
	options := []choose.Option{here}
	if o.FirstChangedSeq > 0 {
		options = append(options, choose.Option{
			Text: "rewind to step " + draw.CleanLine(o.FirstChangedStep) + ", the first changed step that has run", Do: d.requestReload(control.Args{Text: control.ReloadRewind}),
		})
	}
	options = append(options,
		choose.Option{Text: "start again with the changed document", Do: d.requestReload(control.Args{Text: control.ReloadRestart})},
		choose.Option{Text: "keep the run's own copy", Do: func(*runview.Run) []tea.Msg { return nil }})
	d.options = choose.NewOptionsDialog("The document changed", "accept", "keep the run's own copy", options)
	return d
}

// requestReload requests the version, after asking for its new inputs and showing the effects.
func (d *Dialog) requestReload(args control.Args) func(*runview.Run) []tea.Msg {
	return func(run *runview.Run) []tea.Msg {
		if len(d.offer.MissingInputs) > 0 && args.Assignments == nil {
			return []tea.Msg{dialog.Open{Dialog: start.NewAddedInputsDialog(d.offer.MissingInputs, func(values map[string]string) []tea.Msg {
				for _, in := range d.offer.MissingInputs {
					args.Assignments = append(args.Assignments, plan.Assignment{Name: in.Name, Value: in.NormalizedText(values[in.Name])})
				}
				return d.requestReload(args)(run)
			})}}
		}
		args.AllowsCommands = true
		do := request.Do{Action: "reload", Args: args}
		r := run.RunView
		r.SavedVersion = d.offer
		e := control.FindAction("reload").Effect(r, args)
		if !e.NeedsConfirmation && len(e.AllowedCommands) == 0 {
			return []tea.Msg{do}
		}
		return []tea.Msg{dialog.Open{Dialog: newConfirmDialog(e, start.CommandsOf(e.AllowedCommands, run.Plan.Path), do)}}
	}
}

// chooseStep asks at which step of the changed document the run should continue.
func (d *Dialog) chooseStep(*runview.Run) []tea.Msg {
	var ids, names []string
	at, next := 0, d.offer.Match.FindDocument("").SuccessorID(d.offer.NoPlaceError.Step)
	d.offer.Plan.Walk(func(s, _ *plan.Step) bool {
		if s.IsExecutable() {
			if s.ID == next {
				at = len(ids)
			}
			ids, names = append(ids, s.ID), append(names, draw.CleanLine(s.ID+" "+s.Title))
		}
		return true
	})
	m := &choose.Menu{Name: "CONTINUE AT", Verb: "continue there", Finder: list.NewFinder(names)}
	m.Finder.SelectedIndex = at
	m.DrawItem = func(run *runview.Run, h list.MatchingItem, w int) string {
		return run.DrawContext.Cut(h.HighlightedItem(run.DrawContext, names[h.ItemIndex]), w)
	}
	m.OnChoose = func(run *runview.Run, item int) []tea.Msg {
		return append([]tea.Msg{dialog.Close{}}, d.requestReload(control.Args{Text: control.ReloadHere, TargetID: ids[item]})(run)...)
	}
	return []tea.Msg{dialog.Open{Dialog: m}}
}

// Title returns a summary of the changes.
func (d *Dialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.options.Name, Right: run.DrawContext.Muted.Paint(draw.CleanLine(d.offer.Match.Summary())), IsLeftWhole: true}
}

// View returns the changes, above the options.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	dc := run.DrawContext
	n := min(d.options.Picker.Height(dc, w), h-1)
	return append(d.VisibleLines(dc, d.changeLines(dc, w), max(1, h-n)), d.options.Picker.Lines(dc, w, n)...)
}

func (d *Dialog) changeLines(dc *draw.Context, w int) []string {
	var out []string
	for _, c := range d.offer.Match.AllChanges() {
		out = append(out, dc.Wrap(wording.ChangeText(c), w)...)
	}
	if edits := d.offer.DroppedEdits; edits != "" {
		out = append(out, dc.Wrap(draw.CleanLine(fmt.Sprintf(engine.DroppedEditsMessageFormat, edits)), w)...)
	}
	if n := len(d.offer.CommandsToAllow); n > 0 {
		out = append(out, dc.Wait.Paint(dc.Cut(plan.CountText(n, "new or changed command")+" to allow", w)))
	}
	if e := d.offer.NoPlaceError; e != nil {
		out = append(out, dc.Wrap(draw.CleanLine(wording.ErrorSentence(e)), w)...)
	}
	for _, f := range d.fileDiffs {
		out = append(append(out, dc.Muted.Paint(dc.Cut(draw.CleanLine(f.Path), w))), dc.HunkLines(f.Hunks, w)...)
	}
	return out
}

// WantedHeight implements dialog.Dialog.
func (d *Dialog) WantedHeight(run *runview.Run, w int) int {
	return len(d.changeLines(run.DrawContext, w)) + d.options.Picker.Height(run.DrawContext, w)
}

// Update scrolls the changes, and chooses an option.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	if keys := run.DrawContext.Keys; isKey && (keys.IsKeyOf(k, "page-up") || keys.IsKeyOf(k, "page-down")) {
		return nil, d.ScrollByKey(keys, k)
	}
	return d.options.Update(run, msg)
}

// Hints returns the keys of the options and, if some changes are out of sight, the key that scrolls them.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	out := d.options.Hints(run)
	if len(d.ScrollHints(run.DrawContext)) > 0 {
		out = append(out, run.DrawContext.ActionHint("page-down", "scroll the changes"))
	}
	return out
}

// newConfirmDialog asks a person to confirm effects that cannot be undone, and new commands.
func newConfirmDialog(e control.Effect, newCommands []start.Command, do request.Do) *preview.Dialog {
	d := &preview.Dialog{Name: e.Question, YesRequests: []tea.Msg{do}, YesVerb: "yes", NoVerb: "no"}
	if len(newCommands) > 0 {
		d.YesVerb = "allow and continue"
	}
	d.Summary = func(dc *draw.Context) string {
		if len(newCommands) == 0 {
			return ""
		}
		return dc.Wait.Paint(plan.CountText(len(newCommands), "command") + " to allow")
	}
	d.ChangeLines = func(run *runview.Run, w int) (out []string) {
		dc := run.DrawContext
		if len(newCommands) > 0 {
			out = append(dc.WarningLines(start.HiddenCharacterWarning(newCommands), w), start.CommandLines(dc, newCommands, w)...)
			out = append(out, "")
		}
		out = append(out, dc.Wrap(run.FillInKeys(e.Text), w)...)
		return append(out, dc.EffectLines(e.EffectsNotUndone, w)...)
	}
	return d
}

// ErrorsDialog lists the errors of a version of the document. The run keeps its present document.
type ErrorsDialog struct {
	Name        string
	Consequence string // what the errors mean for the run
	Diagnostics []plan.Diagnostic
	dialog.OutputCoverer
	list.Scroller
}

// DocumentPlace returns the line of the first error.
func (d *ErrorsDialog) DocumentPlace(run *runview.Run) runview.DocumentPlace {
	return run.PlaceOfFirstError(d.Diagnostics)
}

// Title returns the number of errors.
func (d *ErrorsDialog) Title(run *runview.Run) layout.PaneTitle {
	return layout.PaneTitle{Left: d.Name, Right: run.DrawContext.Fail.Paint(plan.CountText(len(d.Diagnostics), "error"))}
}

// View implements dialog.Dialog.
func (d *ErrorsDialog) View(run *runview.Run, w, h int) []string {
	return d.VisibleLines(run.DrawContext, d.errorLines(run, w), h)
}

func (d *ErrorsDialog) errorLines(run *runview.Run, w int) []string {
	dc := run.DrawContext
	out := dc.Wrap(d.Consequence, w)
	for _, x := range d.Diagnostics {
		text := fmt.Sprintf("%s:%d:%d: %s", filepath.Base(cmp.Or(x.File, run.Plan.Path)), x.Line, x.Column, x.MessageWithoutFile())
		out = append(append(out, ""), dc.Wrap(draw.CleanLine(text), w)...)
		out = append(out, dc.MarkedLines("  ", dc.PaintLines(dc.Muted, draw.CleanLine(x.Suggestion), w-2))...)
	}
	return out
}

// WantedHeight implements dialog.Dialog.
func (d *ErrorsDialog) WantedHeight(run *runview.Run, w int) int { return len(d.errorLines(run, w)) }

// Update closes and scrolls.
func (d *ErrorsDialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.DrawContext.Keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	}
	return nil, d.ScrollByKey(run.DrawContext.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *ErrorsDialog) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.DrawContext), run.DrawContext.ActionHint("close", "back"))
}
