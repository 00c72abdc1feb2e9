// Package terminal is what screens agree on with the terminal: how often they are painted,
// that the shell can have it for a while, and what keys are called.
package terminal

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// The terminal keeps the window's title while ours shows.
var (
	PushTitle = ansi.WindowOp(22, 2)
	PopTitle  = ansi.WindowOp(23, 2)
)

// framesASecond is how often the screen can be painted. The library looks that often whether
// there is something to paint, which is all that an idle screen costs; a key's effect is seen
// a frame later at most, so that a step in the timeline stays under 33 ms.
const framesASecond = 33

// Options are those of every screen.
func Options(ctx context.Context, noColor bool) []tea.ProgramOption {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesASecond)}
	if noColor {
		opts = append(opts, tea.WithColorProfile(colorprofile.Ascii))
	}
	return opts
}

// AnswerTime is how long to wait for the terminal to report its background.
const AnswerTime = time.Second

// NoAnswer says that the terminal has not answered in AnswerTime. Many never do, and count as dark. A
// later answer still counts.
type NoAnswer struct{}
