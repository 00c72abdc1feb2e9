package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"playhead/engine/filewatch"
	"playhead/engine/host"
	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/plan"
)

// watchFlag is --watch, and the files that the current round has read.
type watchFlag struct {
	watch bool
	files []plan.File
}

func (w *watchFlag) register(f *pflag.FlagSet, does string) {
	f.BoolVar(&w.watch, "watch", false, does+" again whenever a file changes, until ctrl+c")
}

// add notes the files of a document that was loaded.
func (w *watchFlag) add(p *plan.Plan) { w.files = append(w.files, setup.Files(p)...) }

// addFiles watches the files that the command line names and their scenario files.
func (w *watchFlag) addFiles(files []string) {
	for _, file := range files {
		if path, err := setup.ResolveFile(file); err == nil {
			w.files = append(w.files, plan.File{Path: path}, plan.File{Path: parse.Beside(path, "scenarios")})
		}
	}
}

// repeatOnChange runs a round once, or with --watch again whenever a file that it read changes. The
// exit status is that of the round, or of the signal that ended watching.
func (a *app) repeatOnChange(ctx context.Context, w *watchFlag, files []string, round func(context.Context) error) error {
	if !w.watch {
		return round(ctx)
	}
	ctx, stop := host.CatchSignals(ctx, nil)
	watcher := filewatch.New()
	defer watcher.Close()
	w.addFiles(files)
	watcher.Watch(w.files)
	for ctx.Err() == nil {
		w.files = nil
		if err := round(ctx); err != nil && ctx.Err() == nil {
			a.printError(err)
		}
		w.addFiles(files)
		watcher.Watch(w.files)
		select {
		case <-ctx.Done():
		case changed := <-watcher.Changes():
			fmt.Fprintf(a.err, "\n── %s · %s changed ──\n", time.Now().Format(time.TimeOnly), filewatch.Names(changed))
		}
	}
	return exitWith(statusOfSignal(stop()))
}
