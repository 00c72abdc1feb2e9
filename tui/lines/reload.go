package lines

import (
	"errors"
	"slices"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/sanitize"
	"playhead/engine/trust"
	"playhead/engine/wording"
)

// reload shows how the document's files differ from the run's document, or continues with them.
func (t *LineUI) reload(a *control.Action, line string) error {
	saved, err := t.session.Saved()
	if err != nil {
		return err
	}
	t.saved = saved
	defer func() { t.saved = nil }()
	if line == "" {
		return t.showSaved(saved)
	}
	args, err := a.Parse(t.run(), line)
	if err != nil {
		return spoken(err)
	}
	args.Allow = t.allows(saved)
	if a.Unavailable(t.run(), args) == "" && !args.Allow {
		t.printCommands(saved.Commands)
		return errors.New("type :allow to allow these commands, then :reload again")
	}
	return t.perform(a, args)
}

// allows reports whether the person has allowed all commands of a version.
func (t *LineUI) allows(o *engine.Offer) bool {
	return !slices.ContainsFunc(o.Commands, func(item trust.Item) bool { return !slices.ContainsFunc(t.allowed, item.SameCommand) })
}

// allow allows the commands of the changed document.
func (t *LineUI) allow(string) error {
	saved, err := t.session.Saved()
	if err != nil {
		return err
	}
	if len(saved.Commands) == 0 {
		return errors.New("the document has no new commands")
	}
	t.allowed = append(t.allowed, saved.Commands...)
	t.printCommands(saved.Commands)
	t.line("  Allowed for this run.")
	return nil
}

func (t *LineUI) printCommands(all []trust.Item) {
	for _, item := range all {
		t.line("  new command, line %d: %s", item.Line, sanitize.Plain(item.Text))
	}
}

func (t *LineUI) showSaved(o *engine.Offer) error {
	if err := o.Err(); err != nil {
		for _, d := range o.Problems() {
			t.line("  %s", sanitize.Plain(d.String()))
		}
		return err
	}
	if o.IsUnchanged() {
		t.line("  The document's files do what the run's document does.")
		return nil
	}
	t.line("  Changed: %s", sanitize.Plain(o.Match.Summary()))
	for _, c := range o.Match.Changes() {
		t.line("  %s", wording.Change(c))
	}
	t.printCommands(o.Commands)
	if o.NoPlace != nil {
		t.line("  %s", capital(sanitize.Plain(o.NoPlace.Error())+"."))
	}
	t.line("  :reload here [STEP] continues with it")
	if o.FirstChanged > 0 {
		t.line("  :reload rewind rewinds to step %s first", label(o.FirstStep))
	}
	t.line("  :reload restart starts again")
	return nil
}
