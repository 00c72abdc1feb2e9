// Package present changes the screen while it is presented to others: one pane shows, and the keys that are
// pressed.
package present

import (
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane/output"
	"playhead/tui/runview"
)

// Presentation is the state of presenting: whether it is on, which pane shows, and the caption of the last
// key.
type Presentation struct {
	IsOn         bool
	IsPanePinned bool // the person has chosen a pane: it stays until the run is told to continue

	caption     caption
	homePattern *regexp.Regexp // the person's home folder, which the audience must not see; nil: unknown
}

// New returns a presentation. home is the person's home folder, "" if it is unknown.
func New(on bool, home string) Presentation {
	s := Presentation{IsOn: on}
	if len(home) > 1 {
		s.homePattern = regexp.MustCompile(regexp.QuoteMeta(home) + `\b`)
	}
	return s
}

// Toggle begins presenting, or ends it.
func (p *Presentation) Toggle() { p.IsOn, p.IsPanePinned, p.caption = !p.IsOn, false, caption{} }

// MostRelevantPane returns the pane that matters most now: the output of a running action, the reasons of a
// decision that is about to be made, else the text. Between two commands it stays the same.
func MostRelevantPane(run *runview.Run) layout.PaneID {
	switch st := run.Status; {
	case run.IsBegun && st.RunningStep != "":
		return layout.OutputPane
	case st.State == engine.Running && run.Focus == layout.OutputPane && mayHaveOutput(run.SelectedRow):
		return layout.OutputPane
	case st.State == engine.Paused && st.NextEvent != nil:
		if _, decides := st.NextEvent.Body.(*machine.Decision); decides {
			return layout.WhyPane
		}
	}
	return layout.TextPane
}

// mayHaveOutput reports whether a row has output to show, or will have: it prints something, and does not ask a person
// first.
func mayHaveOutput(r *track.Row) bool {
	if r == nil || r.Status == track.Waiting || output.PrintsNothing(r) {
		return false
	}
	_, asks := r.Step.Actions[0].Work.(plan.Ask)
	return !asks || r.ShownAction() != nil
}

// ReplaceHome returns a line with ~ for the person's home folder. It does not recognise a path that is
// wrapped over two lines.
func (p *Presentation) ReplaceHome(line string) string {
	if p.homePattern == nil {
		return line
	}
	return p.homePattern.ReplaceAllLiteralString(line, "~")
}

// caption tells the audience which key was pressed and what it did.
type caption struct {
	keyText, effect, label string
	number                 int // its number: the timer of an older caption must not end it
}

// CaptionDuration is how long a caption shows.
const CaptionDuration = 3 * time.Second

// CaptionExpired reports that a caption has shown long enough. It is the number of the caption.
type CaptionExpired int

// SetCaption shows a key with what it does, in a sentence and in a word, which is "" if there is none. It returns the
// message that ends the caption. ok is false if nothing shows: the mode is off, or the key does nothing.
func (p *Presentation) SetCaption(k tea.KeyPressMsg, effect, label string) (over CaptionExpired, ok bool) {
	if !p.IsOn || effect == "" {
		return 0, false
	}
	p.caption = caption{keymap.ReadableKey(k.String()), effect, label, p.caption.number + 1}
	return CaptionExpired(p.caption.number), true
}

// ClearCaption removes the caption, because another key was pressed.
func (p *Presentation) ClearCaption() { p.caption.keyText = "" }

// EndCaption removes a caption, unless a newer one shows.
func (p *Presentation) EndCaption(nth CaptionExpired) {
	if p.caption.number == int(nth) {
		p.caption.keyText = ""
	}
}

// CaptionLine returns the caption as one muted line of at most w cells: the key with as many words about what it did
// as fit, "" if there is no caption.
func (p *Presentation) CaptionLine(dc *draw.Context, w int) string {
	if p.caption.keyText == "" {
		return ""
	}
	key := "pressed " + p.caption.keyText
	for _, text := range []string{key + ": " + p.caption.effect, key + ": " + p.caption.label, key} {
		if dc.Width(text) <= w && !strings.HasSuffix(text, ": ") {
			return dc.Muted.Paint(text)
		}
	}
	return ""
}
