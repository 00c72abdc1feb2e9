package output

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/runview"
)

// KeyBytes returns what a key sends to a terminal program.
func KeyBytes(k tea.KeyPressMsg) []byte {
	if s, ok := keySequences[k.Code]; ok && k.Mod&^tea.ModShift == 0 {
		if k.Code == tea.KeyTab && k.Mod == tea.ModShift {
			return []byte("\x1b[Z")
		}
		return []byte(s)
	}
	if k.Mod&tea.ModCtrl != 0 {
		return controlByte(k.Code)
	}
	text := k.Text
	if text == "" && k.Code > ' ' && k.Code < tea.KeyExtended {
		text = string(k.Code)
	}
	if k.Mod&tea.ModAlt != 0 && text != "" {
		text = "\x1b" + text
	}
	return []byte(text)
}

// controlByte returns the byte that ctrl with a key sends, nil if it sends none.
func controlByte(code rune) []byte {
	switch {
	case code >= 'a' && code <= 'z':
		return []byte{byte(code) & 0x1f}
	case code >= '[' && code <= '_', code == '@':
		return []byte{byte(code) & 0x1f}
	case code == ' ':
		return []byte{0}
	}
	return nil
}

// keySequences are the bytes that keys without a character send, without modifiers.
var keySequences = map[rune]string{
	tea.KeyEnter: "\r", tea.KeyTab: "\t", tea.KeyBackspace: "\x7f", tea.KeyEscape: "\x1b",
	tea.KeyUp: "\x1b[A", tea.KeyDown: "\x1b[B", tea.KeyRight: "\x1b[C", tea.KeyLeft: "\x1b[D",
	tea.KeyHome: "\x1b[H", tea.KeyEnd: "\x1b[F", tea.KeyInsert: "\x1b[2~", tea.KeyDelete: "\x1b[3~",
	tea.KeyPgUp: "\x1b[5~", tea.KeyPgDown: "\x1b[6~",
	tea.KeyF1: "\x1bOP", tea.KeyF2: "\x1bOQ", tea.KeyF3: "\x1bOR", tea.KeyF4: "\x1bOS",
	tea.KeyF5: "\x1b[15~", tea.KeyF6: "\x1b[17~", tea.KeyF7: "\x1b[18~", tea.KeyF8: "\x1b[19~",
	tea.KeyF9: "\x1b[20~", tea.KeyF10: "\x1b[21~", tea.KeyF11: "\x1b[23~", tea.KeyF12: "\x1b[24~",
}

// promptPause is how long a command must be quiet before it seems to wait for input.
const promptPause = 600 * time.Millisecond

// SeemsToPrompt reports whether the pane's command seems to wait for input: its last line has no line end,
// and nothing more comes.
func (p *Pane) SeemsToPrompt(run *runview.Run) bool {
	return p.CanType(run) && !p.isTyping && p.viewport.logWindow.hasUnfinishedLine && run.Now.Sub(p.viewport.lastGrowth) >= promptPause
}

// quietPause is how long a command without a prompt must be quiet before it may wait for input.
const quietPause = 3 * time.Second

// IsQuiet reports whether a person may type into the pane's command, and it has printed nothing for a
// while.
func (p *Pane) IsQuiet(run *runview.Run) bool {
	return p.CanType(run) && run.Now.Sub(p.viewport.lastGrowth) >= quietPause
}

// addCaret marks the end of the last line, where typed text will appear.
func (p *Pane) addCaret(dc *draw.Context, lines []string, w int) []string {
	caret := dc.Caret.Paint(" ")
	last := len(lines) - 1
	if last < 0 || !p.viewport.logWindow.hasUnfinishedLine {
		return append(lines, caret)
	}
	lines[last] = dc.Cut(lines[last], w-1) + caret
	return lines
}

// CanType reports whether a person may type into the pane's command. The command must be running in this
// session, and the screen must show the current state of the run.
func (p *Pane) CanType(run *runview.Run) bool {
	return !run.IsReplay && run.WatchOnlyReason == "" && !run.ShowsEarlierMoment() && p.IsRunning() && !p.ShowsReplyOrResult()
}

// IsTyping reports whether keys go to the pane's command.
func (p *Pane) IsTyping() bool { return p.isTyping }

// BeginTyping sends keys to the pane's command, and shows the end of its output.
func (p *Pane) BeginTyping() { p.isTyping, p.viewport.followsEnd, p.isStale = true, true, true }

// EndTyping lets keys act on the screen again.
func (p *Pane) EndTyping() { p.isTyping, p.isStale = false, true }
