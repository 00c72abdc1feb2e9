package lines

import (
	"errors"
	"slices"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// versions continues a run with another version of its document: one that was saved in an editor, or
// one that an edit of what decides makes.
type versions struct {
	*questions
	run     func() control.Run
	perform func(*control.Action, control.Args) error

	saved   *engine.Offer // the changed document that :reload shows
	allowed []trust.Item  // of the commands of versions, those that the person allows
}

// reload shows how the document's files differ from the run's document, or continues with them.
func (v *versions) reload(a *control.Action, line string) error {
	saved, err := v.session.Saved()
	if err != nil {
		return err
	}
	v.saved = saved
	defer func() { v.saved = nil }()
	if line == "" {
		return v.showSaved(saved)
	}
	args, err := a.Parse(v.run(), line)
	if err != nil {
		return explainRefusal(err)
	}
	args.Allow = v.allows(saved)
	if a.Unavailable(v.run(), args) == "" && !args.Allow {
		v.printCommands(saved.Commands)
		return errors.New("type :allow to allow these commands, then :reload again")
	}
	return v.perform(a, args)
}

// allows reports whether the person has allowed all commands of a version.
func (v *versions) allows(o *engine.Offer) bool {
	return !slices.ContainsFunc(o.Commands, func(item trust.Item) bool { return !slices.ContainsFunc(v.allowed, item.SameCommand) })
}

// allow allows the commands of the changed document.
func (v *versions) allow(string) error {
	saved, err := v.session.Saved()
	if err != nil {
		return err
	}
	if len(saved.Commands) == 0 {
		return errors.New("the document has no new commands")
	}
	v.allowed = append(v.allowed, saved.Commands...)
	v.printCommands(saved.Commands)
	v.line("  Allowed for this run.")
	return nil
}

func (v *versions) printCommands(all []trust.Item) {
	for _, item := range all {
		v.line("  new command, line %d: %s", item.Line, sanitize.Plain(item.Text))
	}
}

func (t *questions) printProblems(all []plan.Diagnostic) {
	for _, d := range all {
		t.line("  %s", sanitize.Plain(d.String()))
	}
}

// refuse prints the errors that a change of the document would bring.
func (t *questions) refuse(problems []plan.Diagnostic) error {
	t.printProblems(problems)
	return errors.New("the document would have errors, so nothing is changed")
}

func (v *versions) showSaved(o *engine.Offer) error {
	if err := o.Err(); err != nil {
		v.printProblems(o.Problems())
		return err
	}
	if o.IsUnchanged() {
		v.line("  The document's files have no change that affects the run.")
		return nil
	}
	v.line("  Changed: %s", sanitize.Plain(o.Match.Summary()))
	for _, c := range o.Match.Changes() {
		v.line("  %s", wording.Change(c))
	}
	for _, f := range o.Match.Files() {
		v.line("  %s", sanitize.Plain(f.Path))
		v.printHunks(f.Hunks)
	}
	if o.Edits != "" {
		v.line("  "+engine.EditsDropped, sanitize.Plain(o.Edits))
	}
	v.printCommands(o.Commands)
	for _, in := range o.Missing {
		v.line("  It requires the input %s: type :set %s=VALUE first", label(in.Name), label(in.Name))
	}
	if o.NoPlace != nil {
		v.line("  %s", sanitize.Plain(wording.Sentence(o.NoPlace)))
	}
	v.line("  :reload here [STEP] continues with it")
	if o.FirstChanged > 0 {
		v.line("  :reload rewind rewinds to step %s first", label(o.FirstStep))
	}
	v.line("  :reload restart starts again")
	return nil
}
