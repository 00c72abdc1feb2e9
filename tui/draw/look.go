// Package draw has what panes and dialogs are drawn with: the styles of a theme, the measure of the
// terminal, the signs of steps, and the formats of times, sizes and counts.
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

// Look holds the styles, the measure of the terminal, the state of the spinner, and the keys for hints and
// sentences.
type Look struct {
	*themes.Styles
	cells.Measure
	Keys keymap.Map
	Beat int // the turn of the spinner
}

// New returns the look of a theme, before the terminal has reported how it measures text.
func New(p themes.Palette, keys keymap.Map) *Look { return &Look{Styles: themes.New(p), Keys: keys} }

var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Glyph returns the one-cell sign of a row's state.
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
		if r.SentElsewhere() {
			return l.Warn.Paint("⇢")
		}
		return l.Muted.Paint("–")
	}
	if r.IsAside() {
		return l.Muted.Paint("◇")
	}
	return l.Muted.Paint("○")
}

// RunSign returns the one-cell sign of a run's state, which is given as the word in lists of runs.
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

// Ended returns the sign and the word for how a run ended.
func (l *Look) Ended(r plan.RunResult) string { return l.runResult(r, wording.Result(r)) }

// Headline returns how a run ended, in capitals.
func (l *Look) Headline(r plan.RunResult) string {
	return l.runResult(r, strings.ToUpper(wording.Result(r)))
}

func (l *Look) runResult(r plan.RunResult, word string) string {
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

// Word returns a row's state in words.
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
	case r.SentElsewhere():
		return "overridden"
	case r.Status == track.LeftUndecided:
		return "left undecided"
	}
	return r.Status.String()
}

// AgainIn returns when a call is made again.
func AgainIn(until, now time.Time) string { return "retrying " + In(until, now) }

// In returns the time until another time, in whole seconds.
func In(until, now time.Time) string {
	return fmt.Sprintf("in %d s", int((until.Sub(now)+time.Second-1)/time.Second))
}

// Clean returns untrusted text on one line.
func Clean(s string) string { return sanitize.Plain(s) }

// FirstLine returns the first line of an untrusted text that is not blank.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(sanitize.Text(s)), "\n")
	return Clean(s)
}

// Join returns two words with a blank between them. Either may be empty.
func Join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// Numbered wraps a text after its line number, and indents further lines.
func (l *Look) Numbered(number, text string, w int) []string {
	out := l.Wrap(text, w-len(number))
	for i, line := range out {
		out[i] = l.Muted.Paint(number) + line
		number = cells.Spaces(len(number))
	}
	return out
}

// Warning wraps a warning. It returns nil for an empty text.
func (l *Look) Warning(text string, w int) []string {
	var out []string
	for _, line := range l.Wrap(text, w) {
		out = append(out, l.Warn.Paint(line))
	}
	return out
}

// Code wraps a line of code, so that nothing is hidden beyond the edge.
func (l *Look) Code(line string, w int) []string {
	var out []string
	for i, part := range l.Rows(line, w-2) {
		out = append(out, l.CodeBar(i > 0)+l.Command.Paint(part))
	}
	return out
}

// Instruction returns a text that tells a person what to do.
func (l *Look) Instruction(text string, w int) []string {
	var out []string
	for _, line := range l.Wrap(sanitize.Text(text), w-2) {
		out = append(out, l.Person.Paint("  "+line))
	}
	return out
}

// Hint is a key and what it does, for the last line.
type Hint struct {
	Key, Text string
	Action    string // the action of the key, whose first key a click presses; "": a click presses Key
}

// Press returns a hint with the key of an action.
func (l *Look) Press(action, text string) Hint { return Hint{l.Keys.Name(action), text, action} }

// UpDown returns the hint for the keys that move up and down.
func (l *Look) UpDown(text string) Hint {
	return Hint{Key: l.Keys.Name("up") + l.Keys.Name("down"), Text: text, Action: "down"}
}

// HintGap is the gap between two hints, in cells.
const HintGap = 2
