// Package present is what is different where the screen is shown to others: which pane shows, and the
// keys that are pressed.
package present

import (
	"regexp"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// Presentation is the screen as it is shown to others: one pane with room around it, which follows the run.
type Presentation struct {
	On     bool
	Pinned bool // the person has chosen a pane: it stays until the run is told to go on

	caption caption
	home    *regexp.Regexp // the person's own folder, which is nobody's business; nil: not known
}

// New returns a stage. home is the person's own folder, empty if it is not known.
func New(on bool, home string) Presentation {
	s := Presentation{On: on}
	if len(home) > 1 {
		s.home = regexp.MustCompile(regexp.QuoteMeta(home) + `\b`)
	}
	return s
}

// Toggle shows the screen to others, or to the person alone again.
func (s *Presentation) Toggle() { s.On, s.Pinned, s.caption = !s.On, false, caption{} }

// Pane returns the pane that says most: the output of what runs, the reason of a decision
// that is about to be made, else the text. Between two commands nothing changes.
func Pane(run *runview.Run) panes.Pane {
	switch st := run.Status; {
	case run.Begun && st.Running != "":
		return panes.Output
	case st.State == engine.Running && run.Focus == panes.Output && !isQuiet(run.Selected):
		return panes.Output
	case st.State == engine.Paused && st.Next != nil:
		if _, decides := st.Next.Body.(*machine.Decision); decides {
			return panes.Why
		}
	}
	return panes.Text
}

// isQuiet reports whether a row prints nothing in its state, or first asks a person.
func isQuiet(r *track.Row) bool {
	if r == nil || r.Status == track.Waiting || output.IsSilent(r) {
		return true
	}
	_, asks := r.Step.Actions[0].Work.(plan.Ask)
	return asks && r.Action() == nil
}

// ReplaceHome returns a line with ~ for the person's own folder. A path that goes over two lines is not
// recognised.
func (s *Presentation) ReplaceHome(line string) string {
	if s.home == nil {
		return line
	}
	return s.home.ReplaceAllLiteralString(line, "~")
}

// caption is a key that was pressed and what it did, for those who look on.
type caption struct {
	key, does string
	nth       int // of those that were shown: an older one's time is up for itself alone
}

// CaptionTime is how long a caption shows.
const CaptionTime = 3 * time.Second

// CaptionExpired says that the time of the n-th caption is up.
type CaptionExpired int

// Caption shows a key with what it does, and returns the message that ends it. Where nobody looks
// on, or nothing is done, there is nothing to show: ok is false.
func (s *Presentation) Caption(k tea.KeyPressMsg, does string) (over CaptionExpired, ok bool) {
	if !s.On || does == "" {
		return 0, false
	}
	s.caption = caption{keymap.Shown(k.String()), does, s.caption.nth + 1}
	return CaptionExpired(s.caption.nth), true
}

// End takes a caption away whose time is up.
func (s *Presentation) End(nth CaptionExpired) {
	if s.caption.nth == int(nth) {
		s.caption.key = ""
	}
}

// CaptionLine returns the caption as it is drawn, empty if there is none: unlike a hint, it is muted.
func (s *Presentation) CaptionLine(l *draw.Look) string {
	if s.caption.key == "" {
		return ""
	}
	return l.Muted.Paint("pressed " + s.caption.key + ": " + s.caption.does)
}
