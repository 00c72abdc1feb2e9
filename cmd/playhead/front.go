package main

import (
	"context"
	"errors"
	"fmt"

	"playhead/engine/host"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/tui/front"
	"playhead/tui/preferences"
)

// front asks a person what to open when no file is named.
func (a *app) front(ctx context.Context, o *runOptions) error {
	p, err := preferences.Read(&o.Settings, o.theme)
	if err != nil {
		return err
	}
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	recent, others, hidden, err := front.Runs(here)
	if err != nil {
		return err
	}
	choosing, stop := host.CatchSignals(ctx, nil)
	chosen, ok, err := front.Choose(choosing, front.Config{
		Entries: recent,
		Find: func() front.Results {
			found := front.Documents(here, others)
			found.Entries = append(found.Entries, hidden...)
			return found
		},
		NoColor: !a.colours(o.viewOptions), Themes: p.Themes,
		Headline: "playhead --help: everything it can do",
	})
	if sig := stop(); sig != 0 {
		return exitWith(statusOfSignal(sig))
	}
	if err != nil || !ok {
		return err
	}
	return a.openEntry(ctx, o, chosen.Open.(front.Opening))
}

// openEntry watches or resumes a run, or begins one of a document.
func (a *app) openEntry(ctx context.Context, o *runOptions, what front.Opening) error {
	if what.IsLive {
		err := a.watch(ctx, &joinOptions{Settings: o.Settings, viewOptions: o.viewOptions}, what.Run)
		if !errors.Is(err, service.ErrNoOwner) { // otherwise it has ended since the list was read
			return err
		}
	}
	if what.Run != "" {
		resumed := resumeOptions{viewOptions: o.viewOptions}
		resumed.ModelOptions = o.ModelOptions
		return a.resume(ctx, &resumed, what.Run)
	}
	return a.runCommand(ctx, o, []string{what.File})
}

// frontLines asks a person in lines what to open. It offers what the first screen offers.
func (a *app) frontLines(ctx context.Context, o *runOptions) error {
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	all, others, _, err := front.Runs(here)
	if err != nil {
		return err
	}
	all = append(all, front.Documents(here, others).Entries...)
	front.WriteList(a.out, all)
	fmt.Fprintln(a.out, "Which one do you want to open? Press ctrl+c to quit.")
	const previewWidth = 78
	i, err := a.prompt(a.in).Choose(len(all), func(i int) []string { return all[i].Preview(previewWidth) })
	if err != nil {
		return usageError("nothing was opened")
	}
	return a.openEntry(ctx, o, all[i].Open.(front.Opening))
}
