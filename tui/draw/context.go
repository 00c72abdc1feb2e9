// Package draw has what panes and dialogs are drawn with: the styles of a theme, the measure of the
// terminal, the signs of steps, and the formats of times, sizes and counts.
package draw

import (
	"cmp"
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

// Context is what everything is drawn with: the styles of a theme, the measure of the terminal, the state of
// the spinner, and the keys for hints and sentences.
type Context struct {
	*themes.Styles
	cells.Measure
	Keys         keymap.Map
	SpinnerFrame int // the number of the spinner's frame, from 0; it only grows
}

// New returns the Context of a theme, before the terminal has reported how it measures text.
func New(p themes.Palette, keys keymap.Map) *Context {
	return &Context{Styles: themes.NewStyles(p), Keys: keys}
}

var spinnerFrames = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// StatusGlyph returns the one-cell sign of a row's state.
func (dc *Context) StatusGlyph(r *track.Row) string {
	glyph := "○"
	switch a := r.ShownAction(); {
	case r.Status == track.Running && a != nil && !a.IsDone && len(r.Children) == 0:
		glyph = spinnerFrames[dc.SpinnerFrame%len(spinnerFrames)]
	case r.Status == track.Running:
		glyph = "•"
	case r.Status == track.Waiting:
		glyph = "?"
	case r.Status == track.Passed:
		glyph = "✓"
	case r.Status == track.Failed:
		glyph = "✗"
	case r.IsLeftByPerson():
		return dc.Warn.Paint("⇢")
	case r.Status == track.LeftUndecided:
		glyph = "↷"
	case r.Status.IsOver():
		glyph = "–"
	case r.IsTargetOnly():
		glyph = "◇"
	}
	return dc.StatusStyle(r.Status).Paint(glyph)
}

// StatusStyle returns the style of a step's state, in the tree and in the progress bar.
func (dc *Context) StatusStyle(s track.Status) themes.Style {
	switch s {
	case track.Running:
		return dc.Accent
	case track.Waiting:
		return dc.Wait
	case track.Passed:
		return dc.Pass
	case track.Failed:
		return dc.Fail
	}
	return dc.Muted
}

// RunGlyph returns the one-cell sign of a run's state, which is given as the word in lists of runs.
func (dc *Context) RunGlyph(word string) string {
	switch word {
	case string(plan.Completed):
		return dc.Pass.Paint("✓")
	case string(plan.Stopped), string(plan.RunFailed), journal.Unreadable:
		return dc.Fail.Paint("✗")
	case "waiting":
		return dc.Wait.Paint("?")
	case string(plan.Cancelled):
		return dc.Warn.Paint("–")
	case journal.Running:
		return dc.Accent.Paint("▶")
	}
	return dc.Muted.Paint("‖")
}

// ResultLabel returns the sign and the word for how a run ended.
func (dc *Context) ResultLabel(r plan.RunResult) string {
	return dc.paintResult(r, track.ResultWord(r))
}

// ResultHeadline returns how a run ended, in capitals.
func (dc *Context) ResultHeadline(r plan.RunResult) string {
	return dc.paintResult(r, strings.ToUpper(track.ResultWord(r)))
}

func (dc *Context) paintResult(r plan.RunResult, word string) string {
	switch r {
	case plan.Completed:
		return dc.Pass.Paint("✓ " + word)
	case plan.Cancelled:
		return dc.Warn.Paint("– " + word)
	case plan.Awaiting:
		return dc.Wait.Paint("? " + word)
	}
	return dc.Fail.Paint("✗ " + word)
}

// StatusText returns a row's state in words.
func StatusText(r *track.Row, runOver bool) string {
	switch {
	case r.IsPhase():
		return plan.CountText(len(r.Children), "step")
	case r.IsPromptText():
		return CleanLine(r.Step.TitleNote)
	case r.Status == track.Pending && r.IsTargetOnly() && r.IsOutsideOrder():
		return wording.TargetOnlyText
	case r.Status == track.Pending && r.IsTemplate:
		return "instances appear as the run reaches them"
	case r.IsInUntakenArm():
		return "not taken"
	case r.Status == track.Pending && runOver:
		return cmp.Or(r.EarlierVisitText(), "not reached")
	case r.IsLeftByPerson():
		return "overridden"
	case r.Status == track.LeftUndecided:
		return wording.LeftUndecidedText
	}
	return r.Status.String()
}

// RetryCountdown returns that a call is made again, and when, such as "retrying in 3 s".
func RetryCountdown(until, now time.Time) string { return "retrying " + Countdown(until, now) }

// Countdown returns the time until another time, in whole seconds.
func Countdown(until, now time.Time) string {
	return fmt.Sprintf("in %d s", int((until.Sub(now)+time.Second-1)/time.Second))
}

// CleanLine returns untrusted text on one line.
func CleanLine(s string) string { return sanitize.Plain(s) }

// FirstLine returns the first line of an untrusted text that is not blank.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(sanitize.PlainLines(s)), "\n")
	return CleanLine(s)
}

// JoinWords returns two words with a blank between them. Either may be empty.
func JoinWords(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// MarkedLines returns lines with a mark before the first. The others are indented by the width of the mark.
func (dc *Context) MarkedLines(mark string, lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, mark+line)
		mark = cells.Spaces(dc.Width(mark))
	}
	return out
}

// UncutWidth is a width at which nothing is cut or wrapped.
const UncutWidth = 1 << 16

// PaintLines wraps a text, and paints each line. It returns nil for an empty text.
func (dc *Context) PaintLines(style themes.Style, text string, w int) []string {
	out := dc.Wrap(text, w)
	for i, line := range out {
		out[i] = style.Paint(line)
	}
	return out
}

// WarningLines wraps a warning. It returns nil for an empty text.
func (dc *Context) WarningLines(text string, w int) []string { return dc.PaintLines(dc.Warn, text, w) }

// EffectsHeading is the heading of effects that are not undone.
const EffectsHeading = "These effects are not undone:"

// EffectLines returns effects that are not undone, below a heading, a line of at most w cells each; nil if there are none.
func (dc *Context) EffectLines(notUndone []string, w int) []string {
	if len(notUndone) == 0 {
		return nil
	}
	out := []string{EffectsHeading}
	for _, effect := range notUndone {
		out = append(out, dc.Cut("  "+CleanLine(effect), w))
	}
	return out
}

// SignedWarningLines is like WarningLines, with a sign before the first line. The others are aligned with its text.
func (dc *Context) SignedWarningLines(sign, text string, w int) []string {
	return dc.MarkedLines(dc.Warn.Paint(sign+" "), dc.WarningLines(text, w-2))
}

// CodeLines wraps a line of code, so that nothing is hidden beyond the edge.
func (dc *Context) CodeLines(line string, w int) []string {
	var out []string
	for i, part := range dc.WrapCode(line, w-2) {
		out = append(out, dc.CodeBar(i > 0)+dc.Command.Paint(part))
	}
	return out
}

// InstructionLines returns a text that tells a person what to do.
func (dc *Context) InstructionLines(text string, w int) []string {
	return dc.MarkedLines("  ", dc.PaintLines(dc.Person, sanitize.PlainLines(text), w-2))
}

// Hint is a key and what it does, for the last line.
type Hint struct {
	Key, Text string
	Action    string // the action of the key, whose first key a click presses; "": a click presses Key

	IsOptional bool // it shows only where there is room for all hints
}

// ActionHint returns a hint with the key of an action.
func (dc *Context) ActionHint(action, text string) Hint {
	return Hint{Key: dc.Keys.FirstKeyText(action), Text: text, Action: action}
}

// UpDownHint returns the hint for the keys that move up and down.
func (dc *Context) UpDownHint(text string) Hint {
	return Hint{Key: dc.Keys.FirstKeyText("up") + dc.Keys.FirstKeyText("down"), Text: text, Action: "down"}
}

// LookAroundHint returns the hint for the key that leaves an open question to look at the panes.
func (dc *Context) LookAroundHint() Hint { return dc.ActionHint("close", "look around") }

// HintGap is the gap between two hints, in cells.
const HintGap = 2
