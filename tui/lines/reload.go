package lines

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/trust"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// versionCommands continues a run with another version of its document: one that was saved in an editor, or
// one that an edit of a rule makes.
type versionCommands struct {
	*questions
	currentRun func() control.RunView
	perform    func(*control.Action, control.Args) error

	savedVersion    *engine.ReloadOffer // the changed document that :reload shows
	allowedCommands []trust.Item        // the new commands that the person has allowed
}

// showOrReload shows how the document's files differ from the run's document, or continues with them.
func (v *versionCommands) showOrReload(a *control.Action, line string) error {
	saved, err := v.session.OfferSaved()
	if err != nil {
		return err
	}
	v.savedVersion = saved
	defer func() { v.savedVersion = nil }()
	if line == "" {
		return v.printSavedVersion(saved)
	}
	args, err := a.ParseLine(v.currentRun(), line)
	if err != nil {
		return explainRefusal(err)
	}
	args.AllowsCommands = v.hasAllowedCommands(saved)
	if a.UnavailableReason(v.currentRun(), args) == "" && !args.AllowsCommands {
		v.printCommands(saved.CommandsToAllow)
		return fmt.Errorf("type :allow to allow these commands, then :reload %s again", sanitize.Plain(line))
	}
	return v.perform(a, args)
}

// hasAllowedCommands reports whether the person has allowed all commands of a version.
func (v *versionCommands) hasAllowedCommands(o *engine.ReloadOffer) bool {
	return !slices.ContainsFunc(o.CommandsToAllow, func(item trust.Item) bool { return !slices.ContainsFunc(v.allowedCommands, item.ExecutesSameAs) })
}

// allowCommands allows the commands of the changed document.
func (v *versionCommands) allowCommands(string) error {
	saved, err := v.session.OfferSaved()
	if err != nil {
		return err
	}
	if len(saved.CommandsToAllow) == 0 {
		return errors.New("the document has no new or changed commands to allow")
	}
	v.allowedCommands = append(v.allowedCommands, saved.CommandsToAllow...)
	v.printCommands(saved.CommandsToAllow)
	v.printLine("  Allowed for this run.")
	return nil
}

func (v *versionCommands) printCommands(all []trust.Item) {
	if len(all) == 0 {
		return
	}
	v.printLine("  New or changed commands:")
	var list strings.Builder
	setup.WriteCommands(&list, all)
	for line := range strings.Lines(list.String()) {
		v.print("  %s", line)
	}
}

func (qs *questions) printProblems(all []plan.Diagnostic) {
	for _, d := range all {
		qs.printLine("  %s", sanitize.Plain(d.String()))
	}
}

// printRefusal prints the errors that the changed document would have, and returns the error that refuses the
// change.
func (qs *questions) printRefusal(problems []plan.Diagnostic) error {
	qs.printProblems(problems)
	return errors.New("the document would have errors, so nothing was changed")
}

func (v *versionCommands) printSavedVersion(o *engine.ReloadOffer) error {
	if err := o.Err(); err != nil {
		if !o.IsGone {
			v.printProblems(o.Problems())
		}
		return err
	}
	if o.IsUnchanged() {
		v.printLine("  " + control.FilesUnchangedReason)
		return nil
	}
	v.printLine("  Changed: %s", sanitize.Plain(o.Match.Summary()))
	for _, c := range o.Match.AllChanges() {
		v.printLine("  %s", wording.ChangeText(c))
	}
	for _, f := range o.Match.FileDiffs() {
		v.printLine("  %s", sanitize.Plain(f.Path))
		v.printHunks(f.Hunks)
	}
	if o.DroppedEdits != "" {
		v.printLine("  "+engine.DroppedEditsMessageFormat, sanitize.Plain(o.DroppedEdits))
	}
	v.printCommands(o.CommandsToAllow)
	for _, in := range o.MissingInputs {
		v.printLine("  The changed document requires the input %s: type :set %s=VALUE first", sanitize.Plain(in.Name), sanitize.Plain(in.Name))
	}
	if o.NoPlaceError != nil {
		v.printLine("  %s", sanitize.Plain(wording.ErrorSentence(o.NoPlaceError)))
	}
	v.printLine("  :reload here [STEP] continues with the changed document, at STEP if you give one")
	if o.FirstChangedSeq > 0 {
		v.printLine("  :reload rewind rewinds to step %s, the first changed step that has run", sanitize.Plain(o.FirstChangedStep))
	}
	v.printLine("  :reload restart starts again with the changed document")
	return nil
}
