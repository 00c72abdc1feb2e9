package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Press is the message of a key, by its name.
func Press(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace,
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if code, ok := codes[strings.TrimPrefix(name, "ctrl+")]; ok {
		return tea.KeyPressMsg{Code: code, Mod: tea.ModCtrl}
	}
	if rest, ok := cutCtrl(name); ok {
		return tea.KeyPressMsg{Code: rest, Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func cutCtrl(name string) (rune, bool) {
	const prefix = "ctrl+"
	if len(name) == len(prefix)+1 && name[:len(prefix)] == prefix {
		return rune(name[len(prefix)]), true
	}
	return 0, false
}
