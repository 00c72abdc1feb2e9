package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"playhead/tui"
	"playhead/tui/panes"
)

// onScreen runs the screen, divided as it was left the last time, whatever the document.
func (a *app) onScreen(ctx context.Context, cfg tui.Config) (tui.Result, error) {
	file := filepath.Join(xdg.StateHome, "playhead", "layout.json")
	split, err := panes.LoadSplit(file)
	if err != nil {
		note := fmt.Sprintf("The layout is the usual one: %s cannot be read (%v)", file, err)
		cfg.Notice = strings.TrimPrefix(cfg.Notice+"; "+note, "; ")
	}
	cfg.Split, cfg.Clipboard = split, systemClipboard()
	result, err := tui.Run(ctx, cfg)
	if !result.Split.Same(split) {
		if err := result.Split.Save(file); err != nil {
			fmt.Fprintf(a.err, "the layout is not remembered: %v\n", err)
		}
	}
	return result, err
}
