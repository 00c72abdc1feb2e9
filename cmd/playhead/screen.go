package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/tui"
)

// screen opens the screen on a document, which may have errors: then it can be
// looked at.
func (r *runner) screen(ctx context.Context, trust bool) error {
	p := r.config.Plan
	others, err := othersOf(&r.config)
	if err != nil {
		return err
	}
	ctx, left := leaving(ctx, nil)
	result, err := r.onScreen(ctx, tui.Config{
		Plan:     p,
		Exports:  r.exports(),
		Trusted:  trust || r.trusted(r.deeds()),
		Commands: r.asked(),
		Remember: r.deeds().remember,
		NoColor:  !r.colours(r.options),
		Themes:   r.looks.pair,
		Palettes: r.looks.all,
		Keys:     r.looks.keys,
		Present:  r.options.present,
		Notify:   r.looks.notify,

		NotifyAfter: r.looks.notifyAfter,

		Home:    home(),
		Notice:  strings.Join(r.notes, "; "),
		Inputs:  r.missing,
		Breaks:  r.config.Breaks,
		History: machine.Trail(r.config.History),

		KeepBreaks: r.keepBreaks,
		Known:      others.than,
		Fork: func(seq int) (string, error) {
			return journal.Default().Fork(r.config.Run.ID(), seq, time.Now())
		},
		Others: func() ([]journal.Summary, error) { return otherRuns(r.config.Run.Folder) },
		Compare: func(shown []machine.Event, with string) (*compare.Comparison, error) {
			return beside(r.config.Run.Folder, shown, with)
		},
		Drafts:  func() ([]rewrite.Draft, error) { return drafts(r.config.Run.ID()) },
		Sources: r.config.Sources,
		Ask:     r.ask,
		Start:   r.start,
	})
	sig := left()
	if result.Started {
		r.farewell(result.Ending, sig)
		fmt.Fprintln(r.out, r.epitaph(result.Ending))
	}
	switch {
	case err != nil:
		return err
	case sig != 0:
		return silently(statusOfSignal(sig))
	case !result.Started:
		return silently(exitUsage)
	case result.Ending.Result == "":
		return silently(exitInterrupted) // the person left it in the middle
	}
	if err := r.save(); err != nil {
		return err
	}
	return silently(statusOfResult(result.Ending.Result))
}

// home is the person's own folder, empty where it is not known.
func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// start makes the session as the person said.
func (r *runner) start(said tui.Choices) (*engine.Session, error) {
	for name, value := range said.Inputs {
		r.give(name, value)
	}
	r.config.Options.Prompted = r.config.Options.Prompted || said.Prompted
	if said.Source != "" {
		if err := beginWith(&r.config, said.Source); err != nil {
			return nil, err
		}
	}
	return r.begin()
}

// asked are the commands that the screen lists before it asks for trust.
func (r *runner) asked() []tui.TrustItem {
	var out []tui.TrustItem
	for _, c := range r.deeds().all() {
		item := tui.TrustItem{Step: c.Step, Checks: c.Checks, Line: c.Line, Text: c.Text}
		if c.Server != "" {
			item.Step = doer(c)
		}
		if c.Document != r.config.Plan.Path {
			item.File = strings.TrimPrefix(c.Document, strings.TrimRight(r.config.Plan.Path, "/")+"/")
		}
		out = append(out, item)
	}
	return out
}
