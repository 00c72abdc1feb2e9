package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/tui/front"
	"playhead/tui/preferences"
)

// chooseEntryOnScreen asks a person what to open in a folder when no file is named. "" is the working folder.
func (a *app) chooseEntryOnScreen(ctx context.Context, o *runOptions, folder string) error {
	p, err := preferences.Read(&o.Settings, o.themeName)
	if err != nil {
		return err
	}
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	folder, _ = filepath.Abs(folder) // it fails only if the working folder is unknown
	recent, others, hidden, err := front.ListRuns(folder)
	if err != nil {
		return err
	}
	var chosen front.Entry
	ok := false
	err = untilSignal(ctx, func(ctx context.Context) (err error) {
		chosen, ok, err = front.Choose(ctx, front.Config{
			Entries:  recent,
			FindMore: func() front.FoundEntries { return front.FindEntries(folder, here, others, hidden...) },
			NoColor:  !a.mayUseColours(o.viewOptions), Themes: p.ThemePair,
			Headline: commandListHint,
		})
		return err
	})
	if err != nil || !ok {
		return err
	}
	return a.openEntry(ctx, o, chosen.Target)
}

// openEntry opens what a person chose: it watches a live run, resumes any other run, or runs a document.
func (a *app) openEntry(ctx context.Context, o *runOptions, what front.OpenTarget) error {
	if what.RunID != "" {
		if err := a.checkFlagsOfRun(o); err != nil {
			return err
		}
	}
	if what.IsLive {
		err := a.watch(ctx, &joinOptions{Settings: o.Settings, viewOptions: o.viewOptions}, what.RunID)
		if !errors.Is(err, service.ErrNoOwner) { // otherwise it has ended since the list was read
			return err
		}
	}
	if what.RunID != "" {
		resumed := resumeOptions{viewOptions: o.viewOptions, finalFile: o.finalFile}
		resumed.Options, resumed.SecretInputs = o.Options, o.Inputs
		return a.resume(ctx, &resumed, what.RunID)
	}
	return a.runDocument(ctx, o, []string{what.File})
}

// checkFlagsOfRun returns an error if a flag was given that only new runs have.
func (a *app) checkFlagsOfRun(o *runOptions) (err error) {
	known := newResumeCmd(a).Flags()
	o.flagSet.Visit(func(f *pflag.Flag) {
		if known.Lookup(f.Name) == nil {
			err = usageError("--%s is only for new runs, but you chose an existing run: choose a document, or leave the flag out", f.Name)
		}
	})
	return err
}

// chooseEntryInLines asks a person in lines what to open. It offers what the first screen offers.
func (a *app) chooseEntryInLines(ctx context.Context, o *runOptions, folder string) error {
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	folder, _ = filepath.Abs(folder) // as in chooseEntryOnScreen
	all, others, _, err := front.ListRuns(folder)
	if err != nil {
		return err
	}
	all = append(all, front.FindEntries(folder, here, others).Entries...)
	front.WriteList(a.stdout, all)
	fmt.Fprintln(a.stdout, "Which one do you want to open? Press ctrl+c to quit.")
	i, err := a.newPrompt(a.stdin).ChooseNumber(len(all), func(i int) []string { return all[i].Preview(front.LinePreviewWidth) })
	if err != nil {
		return usageError("nothing was opened")
	}
	return a.openEntry(ctx, o, all[i].Target)
}
