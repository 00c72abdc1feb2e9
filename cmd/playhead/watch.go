package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"playhead/engine/filewatch"
	"playhead/engine/setup"
	"playhead/parse"
	"playhead/parse/plan"
)

// watchFlag is --watch, and the files whose changes begin the next round.
type watchFlag struct {
	isWatching   bool
	watchedFiles []plan.File
}

func (w *watchFlag) register(f *pflag.FlagSet, does string) {
	f.BoolVar(&w.isWatching, "watch", false, does+" again whenever a file changes, until ctrl+c")
}

// addDocumentFiles records the files of a document that was loaded.
func (w *watchFlag) addDocumentFiles(p *plan.Plan) {
	w.watchedFiles = append(w.watchedFiles, setup.DocumentAndIncludedFiles(p)...)
}

// addFilesAndScenarios watches the files that the command line names and their scenario files.
func (w *watchFlag) addFilesAndScenarios(files []string) {
	for _, file := range files {
		if path, err := setup.ResolveFile(file); err == nil {
			w.watchedFiles = append(w.watchedFiles, plan.File{Path: path}, plan.File{Path: parse.SidecarPath(path, "scenarios")})
		}
	}
}

// repeatOnChange runs a round once, or with --watch again whenever a file that it read changes. The
// exit status is that of the round, or of the signal that ended watching.
func (a *app) repeatOnChange(ctx context.Context, w *watchFlag, files []string, round func(context.Context) error) error {
	if !w.isWatching {
		return round(ctx)
	}
	return untilSignal(ctx, func(ctx context.Context) error { return a.watchAndRepeat(ctx, w, files, round) })
}

// watchAndRepeat runs a round again whenever a file that it read changes.
func (a *app) watchAndRepeat(ctx context.Context, w *watchFlag, files []string, round func(context.Context) error) error {
	watcher := filewatch.New()
	defer watcher.Close()
	w.addFilesAndScenarios(files)
	watcher.SetFiles(w.watchedFiles)
	for ctx.Err() == nil {
		w.watchedFiles = nil
		if err := round(ctx); err != nil && ctx.Err() == nil {
			a.printError(err)
		}
		w.addFilesAndScenarios(files)
		watcher.SetFiles(w.watchedFiles)
		select {
		case <-ctx.Done():
		case changed := <-watcher.Changes():
			fmt.Fprintf(a.stderr, "\n── %s · %s changed ──\n", time.Now().Format(time.TimeOnly), filewatch.BaseNamesText(changed))
		}
	}
	return nil
}
