package main

import (
	"context"
	"fmt"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/setup"
)

// previewed is how wide lines of a preview are.
const previewed = 78

// frontLines has a person choose in lines what to open: what the first screen offers.
func (a *app) frontLines(ctx context.Context, o *runOptions) error {
	all, err := recentRuns()
	if err != nil {
		return err
	}
	here, err := setup.WorkingFolder()
	if err != nil {
		return err
	}
	all = append(append(all, documentEntries(here)...), exampleEntries()...)
	group := ""
	for i, e := range all {
		if e.Group != group {
			group = e.Group
			fmt.Fprintln(a.out, group)
		}
		fmt.Fprintf(a.out, "  %d  %s  %s\n", i+1, sanitize.Plain(e.Name), sanitize.Plain(strings.TrimSpace(e.About+" "+e.Age)))
	}
	fmt.Fprintln(a.out, "Which one do you want to open? ctrl+c opens none.")
	read := func() (string, error) { return a.echoed(readLine(a.in)) }
	i, err := a.pick(len(all), read, func(i int) []string { return all[i].Preview(previewed) })
	if err != nil {
		return usage("nothing was opened")
	}
	return a.openEntry(ctx, o, all[i].Open.(opening))
}
