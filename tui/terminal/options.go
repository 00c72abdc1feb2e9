// Package terminal has the conventions of all screens with the terminal: how often they are drawn, how they
// suspend, and the names of keys.
package terminal

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// PushTitle makes the terminal save the window's title, and PopTitle makes it restore that.
var (
	PushTitle = ansi.WindowOp(22, 2)
	PopTitle  = ansi.WindowOp(23, 2)
)

// ProgramOptions returns the program options of all screens.
func ProgramOptions(ctx context.Context, noColor bool) []tea.ProgramOption {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond), withFrameChecks}
	if noColor {
		opts = append(opts, tea.WithColorProfile(colorprofile.Ascii))
	}
	return opts
}

// AnswerTimeout is how long to wait for the terminal to report its background.
const AnswerTimeout = time.Second

// NoAnswer reports that the terminal has not answered in time. Many terminals never answer, and are
// assumed to be dark. A later answer still counts.
type NoAnswer struct{}
