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
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Read reads the current content of the document's files. Its message is a Ready.
func Read(saved func() (*engine.Offer, error)) tea.Cmd {
	return func() tea.Msg {
		offer, err := saved()
		r := Ready{Offer: offer, Err: err}
		if err == nil && offer.Match != nil {
			r.files = offer.Match.Files()
		}
		return r
	}
}

// Ready is the message with the current content of the document's files. Err is why they cannot be read.
type Ready struct {
	Offer *engine.Offer
	Err   error
	files []match.FileDiff
}

// Requests shows how the files differ from the run's document, or says that they do not.
func (r Ready) Requests() []tea.Msg {
	switch {
	case r.Err != nil:
		return []tea.Msg{request.Say{Text: wording.Sentence(r.Err)}}
	case r.Offer.Err() != nil:
		return []tea.Msg{dialog.Open{Dialog: &Broken{Name: "The saved document has errors", Diagnostics: r.Offer.Problems()}}}
	case r.Offer.IsUnchanged():
		return []tea.Msg{request.Say{Text: control.FilesUnchanged}}
	}
	return []tea.Msg{dialog.Open{Dialog: New(r.Offer, r.files)}}
}

// Notice returns what changed in the files, and which key to press. It returns "" if the change does not
// affect the run.
func (r Ready) Notice() string {
	if r.Err != nil {
		return wording.Sentence(r.Err)
	}
	text := r.Offer.Notice()
	switch {
	case text == "":
		return ""
	case r.Offer.Err() != nil:
		return text + " {reload} for details."
	}
	return text + " {reload} to use it."
}

// Dialog lists the changes, and asks what to do.
type Dialog struct {
	offer *engine.Offer
	files []match.FileDiff
	*choose.Options
	list.Scroller
}

// New returns the dialog for a changed version of the document.
func New(o *engine.Offer, files []match.FileDiff) *Dialog {
	d := &Dialog{offer: o, files: files}
	here := choose.Option{Text: "continue here with the changed document", Do: d.reload(control.Args{Text: control.ReloadHere})}
	if o.NoPlace != nil {
		here = choose.Option{Text: "continue at a step of the changed document…", Do: d.chooseStep}
	}
	ways := []choose.Option{here}
	if o.FirstChanged > 0 {
		ways = append(ways, choose.Option{
			Text: "rewind to " + draw.Clean(o.FirstStep) + ", the first changed step that has run", Do: d.reload(control.Args{Text: control.ReloadRewind}),
		})
	}
	ways = append(ways,
		choose.Option{Text: "start again with the changed document", Do: d.reload(control.Args{Text: control.ReloadRestart})},
		choose.Option{Text: "keep the run's document", Do: func(*runview.Run) []tea.Msg { return nil }})
	d.Options = choose.NewOptions("The document changed", "select", "keep the run's document", ways)
	return d
}

// reload requests the version, after asking for its new inputs and showing the effects.
func (d *Dialog) reload(args control.Args) func(*runview.Run) []tea.Msg {
	return func(run *runview.Run) []tea.Msg {
		if len(d.offer.Missing) > 0 && args.Values == nil {
			return []tea.Msg{dialog.Open{Dialog: start.AskNewInputs(d.offer.Missing, func(values map[string]string) []tea.Msg {
				for _, in := range d.offer.Missing {
					args.Values = append(args.Values, plan.Assignment{Name: in.Name, Value: in.Text(values[in.Name])})
				}
				return d.reload(args)(run)
			})}}
		}
		args.Allow = true
		do := request.Do{Action: "reload", Args: args}
		r := run.Run
		r.Saved = d.offer
		e := control.Find("reload").Effect(r, args)
		if !e.Confirm && len(e.Allows) == 0 {
			return []tea.Msg{do}
		}
		return []tea.Msg{dialog.Open{Dialog: &Agree{effect: e, commands: start.CommandsOf(e.Allows, run.Plan.Path), do: do}}}
	}
}

// chooseStep asks at which step of the changed document the run should continue.
func (d *Dialog) chooseStep(*runview.Run) []tea.Msg {
	var ids, names []string
	at, next := 0, d.offer.Match.Of("").Successor(d.offer.NoPlace.Step)
	d.offer.Plan.Walk(func(s, _ *plan.Step) bool {
		if s.IsExecutable() {
			if s.ID == next {
				at = len(ids)
			}
			ids, names = append(ids, s.ID), append(names, draw.Clean(s.ID+" "+s.Title))
		}
		return true
	})
	m := &choose.Menu{Name: "CONTINUE AT", Verb: "continue there", Finder: list.NewFinder(names)}
	m.Finder.At = at
	m.Row = func(run *runview.Run, h list.Hit, w int) string {
		return run.Look.Cut(h.Marked(run.Look, names[h.Item]), w)
	}
	m.Choose = func(run *runview.Run, item int) []tea.Msg {
		return append([]tea.Msg{dialog.Close{}}, d.reload(control.Args{Text: control.ReloadHere, Target: ids[item]})(run)...)
	}
	return []tea.Msg{dialog.Open{Dialog: m}}
}

// Title returns a summary of the changes.
func (d *Dialog) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.Name, Right: run.Look.Muted.Paint(draw.Clean(d.offer.Match.Summary()))}
}

// View returns the changes, above the options.
func (d *Dialog) View(run *runview.Run, w, h int) []string {
	l := run.Look
	n := min(d.Picker.Height(l, w), h-1)
	return append(d.Window(l, d.changes(l, w), max(1, h-n)), d.Picker.Lines(l, w, n)...)
}

func (d *Dialog) changes(l *draw.Look, w int) []string {
	var out []string
	for _, c := range d.offer.Match.Changes() {
		out = append(out, l.Wrap(wording.Change(c), w)...)
	}
	if edits := d.offer.Edits; edits != "" {
		out = append(out, l.Wrap(draw.Clean(fmt.Sprintf(engine.EditsDropped, edits)), w)...)
	}
	if n := len(d.offer.Commands); n > 0 {
		out = append(out, l.Wait.Paint(l.Cut(plan.Count(n, "new or changed command")+" to allow", w)))
	}
	if e := d.offer.NoPlace; e != nil {
		out = append(out, l.Wrap(draw.Clean(wording.Sentence(e)), w)...)
	}
	for _, f := range d.files {
		out = append(append(out, l.Muted.Paint(l.Cut(draw.Clean(f.Path), w))), l.Hunks(f.Hunks, w)...)
	}
	return out
}

// Height implements dialog.Dialog.
func (d *Dialog) Height(run *runview.Run, w int) int {
	return len(d.changes(run.Look, w)) + d.Picker.Height(run.Look, w)
}

// MayCoverOutput implements dialog.Dialog.
func (d *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// Overflow returns how many lines of the changes are out of sight.
func (d *Dialog) Overflow() panes.Overflow { return d.Scroller.Overflow() }

// Update scrolls the changes, and chooses an option.
func (d *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	if keys := run.Look.Keys; isKey && (keys.Is(k, "page-up") || keys.Is(k, "page-down")) {
		return nil, d.Scrolled(keys, k)
	}
	return d.Options.Update(run, msg)
}

// Hints returns the keys of the options and, if some changes are out of sight, the key that scrolls them.
func (d *Dialog) Hints(run *runview.Run) []draw.Hint {
	out := d.Options.Hints(run)
	if len(d.ScrollHints(run.Look)) > 0 {
		out = append(out, run.Look.Press("page-down", "scroll the changes"))
	}
	return out
}

// Agree asks a person to confirm effects that cannot be undone, and new commands.
type Agree struct {
	effect   control.Effect
	commands []start.Command
	do       request.Do
	list.Scroller
}

// Title implements dialog.Dialog.
func (d *Agree) Title(run *runview.Run) panes.Title {
	t := panes.Title{Left: draw.Clean(d.effect.Title)}
	if n := len(d.commands); n > 0 {
		t.Right = run.Look.Wait.Paint(plan.Count(n, "command") + " to allow")
	}
	return t
}

// View returns the commands and the effects. The last line of the screen shows the answers.
func (d *Agree) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.body(run, w), h)
}

func (d *Agree) body(run *runview.Run, w int) []string {
	l := run.Look
	var out []string
	if len(d.commands) > 0 {
		out = append(l.Warning(start.HiddenCharacterWarning(d.commands), w), start.CommandLines(l, d.commands, w)...)
		out = append(out, "")
	}
	out = append(out, l.Wrap(run.Sentence(d.effect.Text), w)...)
	if len(d.effect.StaysDone) > 0 {
		out = append(out, "These effects are not undone:")
	}
	for _, done := range d.effect.StaysDone {
		out = append(out, l.Cut("  "+draw.Clean(done), w))
	}
	return out
}

// Height implements dialog.Dialog.
func (d *Agree) Height(run *runview.Run, w int) int { return len(d.body(run, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *Agree) MayCoverOutput(*runview.Run) bool { return true }

// HasOwnKeys returns true: the key that quits answers no.
func (d *Agree) HasOwnKeys() bool { return true }

// Update implements dialog.Dialog.
func (d *Agree) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey, keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "yes"):
		return dialog.Send(dialog.Close{}, d.do)
	case keys.Is(k, "no", "close", "quit"):
		return dialog.Send(dialog.Close{})
	case d.Scrolled(keys, k):
		return dialog.Send()
	}
	return dialog.Send(request.Say{Text: "{yes} for yes, or {no} for no."})
}

// Hints implements dialog.Dialog.
func (d *Agree) Hints(run *runview.Run) []draw.Hint {
	l, yes := run.Look, "yes"
	if len(d.commands) > 0 {
		yes = "allow and continue"
	}
	return append([]draw.Hint{l.Press("yes", yes), l.Press("no", "no")}, d.ScrollHints(l)...)
}

// Broken lists the errors of a version of the document. The run keeps its present document.
type Broken struct {
	Name        string
	Diagnostics []plan.Diagnostic
	list.Scroller
}

// Place returns the line of the first error.
func (d *Broken) Place(run *runview.Run) runview.Place { return run.PlaceOfFirstError(d.Diagnostics) }

// Title returns the number of errors.
func (d *Broken) Title(run *runview.Run) panes.Title {
	return panes.Title{Left: d.Name, Right: run.Look.Fail.Paint(plan.Count(len(d.Diagnostics), "error"))}
}

// View implements dialog.Dialog.
func (d *Broken) View(run *runview.Run, w, h int) []string {
	return d.Window(run.Look, d.all(run, w), h)
}

func (d *Broken) all(run *runview.Run, w int) []string {
	out := run.Look.Wrap("The run keeps its document.", w)
	for _, x := range d.Diagnostics {
		text := fmt.Sprintf("%s:%d:%d: %s", filepath.Base(cmp.Or(x.File, run.Plan.Path)), x.Line, x.Column, x.MessageWithoutFile())
		out = append(append(out, ""), run.Look.Wrap(draw.Clean(text), w)...)
		for _, line := range run.Look.Wrap(draw.Clean(x.Suggestion), w-2) {
			out = append(out, run.Look.Muted.Paint("  "+line))
		}
	}
	return out
}

// Height implements dialog.Dialog.
func (d *Broken) Height(run *runview.Run, w int) int { return len(d.all(run, w)) }

// MayCoverOutput implements dialog.Dialog.
func (d *Broken) MayCoverOutput(*runview.Run) bool { return true }

// Update closes and scrolls.
func (d *Broken) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case !isKey:
		return dialog.Unhandled()
	case run.Look.Keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Broken) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.Look), run.Look.Press("close", "back"))
}
