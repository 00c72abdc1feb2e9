// Package draw is what everything on the screen is drawn with: the styles of a theme, the
// measure of the terminal, the glyphs of steps, and how times, sizes and counts read.
package draw

import (
	"fmt"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/keymap"
)

// Look is how everything is drawn: the styles, the measure and the spinner, and the keys that
// hints and sentences name.
type Look struct {
	*themes.Styles
	cells.Measure
	Keys keymap.Map
	Beat int // of the spinner
}

// New returns the look of a theme, before the terminal has said how it counts.
func New(p themes.Palette, keys keymap.Map) *Look { return &Look{Styles: themes.New(p), Keys: keys} }

var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Glyph is the one-cell sign of a row's state.
func (l *Look) Glyph(r *track.Row) string {
	switch r.Status {
	case track.Running:
		if a := r.Action(); a != nil && !a.Done && len(r.Children) == 0 {
			return l.Accent.Paint(spinner[l.Beat%len(spinner)])
		}
		return l.Accent.Paint("•")
	case track.Waiting:
		return l.Wait.Paint("?")
	case track.Passed:
		return l.Pass.Paint("✓")
	case track.Failed:
		return l.Fail.Paint("✗")
	case track.Skipped, track.LeftUndecided:
		return l.Muted.Paint("–")
	}
	if r.IsAside() {
		return l.Muted.Paint("◇")
	}
	return l.Muted.Paint("○")
}

// RunSign is the one-cell sign of a run's state, by the word that a list of runs has for it.
func (l *Look) RunSign(word string) string {
	switch word {
	case string(plan.Completed):
		return l.Pass.Paint("✓")
	case string(plan.Stopped), string(plan.RunFailed), journal.Unreadable:
		return l.Fail.Paint("✗")
	case "waiting":
		return l.Wait.Paint("?")
	case string(plan.Cancelled):
		return l.Warn.Paint("–")
	case journal.Running:
		return l.Accent.Paint("▶")
	}
	return l.Muted.Paint("‖")
}

// Ended is how a run ended: its sign and the word for it.
func (l *Look) Ended(r plan.RunResult) string { return l.ended(r, wording.Result(r)) }

// Headline is how a run ended, in capitals.
func (l *Look) Headline(r plan.RunResult) string {
	return l.ended(r, strings.ToUpper(wording.Result(r)))
}

func (l *Look) ended(r plan.RunResult, word string) string {
	switch r {
	case plan.Completed:
		return l.Pass.Paint("✓ " + word)
	case plan.Cancelled:
		return l.Warn.Paint("– " + word)
	case plan.Awaiting:
		return l.Wait.Paint("? " + word)
	}
	return l.Fail.Paint("✗ " + word)
}

// Word returns a row's state in words, in a run that may be over.
func Word(r *track.Row, runOver bool) string {
	choice, chosen := r.Choice()
	switch {
	case r.IsPhase():
		return wording.Count(len(r.Children), "step")
	case r.Status == track.Pending && r.IsAside():
		return "entered only by a route"
	case r.Status == track.Pending && r.Template:
		return "one instance at a time"
	case r.Status == track.Pending && choice != nil && !chosen:
		return "not taken"
	case r.Status == track.Pending && runOver:
		return "not reached"
	case r.Status == track.Waiting:
		return "waits for you"
	}
	return r.Status.String()
}

// AgainIn says when a call is made again.
func AgainIn(until, now time.Time) string { return "retrying " + In(until, now) }

// In says how long it is until a time, in whole seconds.
func In(until, now time.Time) string {
	return fmt.Sprintf("in %d s", int((until.Sub(now)+time.Second-1)/time.Second))
}

// Clean is one line of untrusted text.
func Clean(s string) string { return sanitize.Plain(s) }

// FirstLine is the first line of an untrusted text that says anything.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(sanitize.Text(s)), "\n")
	return Clean(s)
}

// Quote is untrusted text as somebody's own words, on one line.
func Quote(s string) string { return "“" + Clean(s) + "”" }

// Join sets two words apart; either may be empty.
func Join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// Numbered wraps a text behind the number of its line; the lines below the first are indented.
func (l *Look) Numbered(number, text string, w int) []string {
	out := l.Wrap(text, w-len(number))
	for i, line := range out {
		out[i] = l.Muted.Paint(number) + line
		number = cells.Spaces(len(number))
	}
	return out
}

// Warning wraps a warning, which may be empty.
func (l *Look) Warning(text string, w int) []string {
	var out []string
	for _, line := range l.Wrap(text, w) {
		out = append(out, l.Warn.Paint(line))
	}
	return out
}

// Code shows a line of code whole: nothing of it may hide beyond the edge.
func (l *Look) Code(line string, w int) []string {
	var out []string
	for i, part := range l.Rows(line, w-2) {
		out = append(out, l.CodeBar(i > 0)+l.Command.Paint(part))
	}
	return out
}

// Instruction shows a text that is meant for a person to act on.
func (l *Look) Instruction(text string, w int) []string {
	var out []string
	for _, line := range l.Wrap(sanitize.Text(text), w-2) {
		out = append(out, l.Person.Paint("  "+line))
	}
	return out
}

// Hint is a key and what it does, as the last line shows it.
type Hint struct {
	Key, Text string
	Action    string // whose key it is, which a click on the hint does; empty: clicks press Key
}

// Press returns the hint that the key of an action does what the text says.
func (l *Look) Press(action, text string) Hint { return Hint{l.Keys.Name(action), text, action} }

// UpDown returns the hint for the keys that move up and down.
func (l *Look) UpDown(text string) Hint {
	return Hint{Key: l.Keys.Name("up") + l.Keys.Name("down"), Text: text, Action: "down"}
}

// HintGap is the room between two hints, in cells.
const HintGap = 2
