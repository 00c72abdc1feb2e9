package terminal

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// keyCodeByName has the keys with a name instead of a character.
var keyCodeByName = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

var modifierByPrefix = map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift}

// KeyPress returns the message of a key with a name: c, enter, ctrl+c, alt+x, shift+tab.
func KeyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		i := strings.IndexByte(name, '+') + 1
		mod, ok := modifierByPrefix[name[:i]]
		if !ok {
			break
		}
		k.Mod |= mod
		name = name[i:]
	}
	if code, ok := keyCodeByName[name]; ok {
		k.Code = code
	} else {
		k.Code, _ = utf8.DecodeRuneInString(name)
	}
	switch {
	case k.Mod == 0 && k.Code == tea.KeySpace:
		k.Text = " "
	case k.Mod == 0 && keyCodeByName[name] == 0:
		k.Text = name
	}
	return k
}
