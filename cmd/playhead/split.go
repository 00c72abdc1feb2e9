package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"

	"playhead/engine/setup"
	"playhead/parse/infile"
	"playhead/tui"
	"playhead/tui/panes"
)

// onScreen runs the screen, divided as it was left the last time, whatever the document.
func (a *app) onScreen(ctx context.Context, cfg tui.Config) (tui.Result, error) {
	split, err := lastSplit()
	if err != nil {
		note := fmt.Sprintf("The layout is the usual one: %s cannot be read (%v)", splitFile(), err)
		cfg.Notice = strings.TrimPrefix(cfg.Notice+"; "+note, "; ")
	}
	cfg.Split, cfg.Clipboard = split, systemClipboard()
	result, err := tui.Run(ctx, cfg)
	if !result.Split.Same(split) {
		if err := keepSplit(result.Split); err != nil {
			fmt.Fprintf(a.err, "the layout is not remembered: %v\n", err)
		}
	}
	return result, err
}

func splitFile() string { return filepath.Join(xdg.StateHome, "playhead", "layout.json") }

// lastSplit is how the screen was divided when it was left; with an error, as usual.
func lastSplit() (split panes.Split, err error) {
	data, err := infile.Read(splitFile(), infile.State)
	if errors.Is(err, fs.ErrNotExist) {
		return split, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &split)
	}
	if err != nil {
		return panes.Split{}, err
	}
	return split.Sound(), nil
}

func keepSplit(split panes.Split) error {
	data, err := json.Marshal(split)
	if err != nil {
		return err
	}
	return setup.WriteState(splitFile(), data)
}
