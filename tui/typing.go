package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/panes"
)

// typed is what a key sends to a terminal program.
func typed(k tea.KeyPressMsg) []byte {
	if s, ok := sequences[k.Code]; ok && k.Mod&^tea.ModShift == 0 {
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

// controlByte is the byte of a key with ctrl.
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

var sequences = map[rune]string{
	tea.KeyEnter: "\r", tea.KeyTab: "\t", tea.KeyBackspace: "\x7f", tea.KeyEscape: "\x1b",
	tea.KeyUp: "\x1b[A", tea.KeyDown: "\x1b[B", tea.KeyRight: "\x1b[C", tea.KeyLeft: "\x1b[D",
	tea.KeyHome: "\x1b[H", tea.KeyEnd: "\x1b[F", tea.KeyInsert: "\x1b[2~", tea.KeyDelete: "\x1b[3~",
	tea.KeyPgUp: "\x1b[5~", tea.KeyPgDown: "\x1b[6~",
	tea.KeyF1: "\x1bOP", tea.KeyF2: "\x1bOQ", tea.KeyF3: "\x1bOR", tea.KeyF4: "\x1bOS",
	tea.KeyF5: "\x1b[15~", tea.KeyF6: "\x1b[17~", tea.KeyF7: "\x1b[18~", tea.KeyF8: "\x1b[19~",
	tea.KeyF9: "\x1b[20~", tea.KeyF10: "\x1b[21~", tea.KeyF11: "\x1b[23~", tea.KeyF12: "\x1b[24~",
}

// thinking is how long a command that may wait for input has to be quiet.
const thinking = 600 * time.Millisecond

// prompts reports whether the pane's command seems to wait for input: its last
// line has no end, and nothing more comes.
func (o *output) prompts(now time.Time) bool {
	return o.running() && !o.called() && !o.typing && o.win.open && now.Sub(o.grown) >= thinking
}

// prompted reports whether a person may type into the pane's command, which waits for it.
func (m *Model) prompted() bool { return notTypable(m) == "" && m.output.prompts(m.now) }

// taciturn is how long a command is quiet that may wait for input without having said so.
const taciturn = 3 * time.Second

// quiet reports whether the pane's command runs and has not printed anything for a while.
func (o *output) quiet(now time.Time) bool {
	return o.running() && now.Sub(o.grown) >= taciturn
}

// caret shows where typing goes: behind the last line.
func (o *output) caret(l *look, lines []string, w int) []string {
	caret := l.Caret.Paint(" ")
	last := len(lines) - 1
	if last < 0 || !o.win.open {
		return append(lines, caret)
	}
	lines[last] = l.Cut(lines[last], w-1) + caret
	return lines
}

// beginTyping sends what is typed to the running command from now on.
func (m *Model) beginTyping() tea.Cmd {
	m.output.typing = true
	m.output.follow = true
	m.output.stale = true
	return m.focusPane(panes.Output)
}
