// Package keymap is the table of keys: which action each key means, where, and how hints, help and
// sentences name it. Panes and dialogs match actions, not letters, so they follow when a person binds other
// keys.
package keymap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
)

// Map assigns keys to actions. The zero value has the default keys.
type Map struct{ reboundByAction map[string]key.Binding } // those that do not have their default keys

// KeyActions returns the table, in the order of the help.
func KeyActions() []KeyAction { return slices.Clone(keyTable) }

// FindKeyAction returns the action with a name, nil if there is none.
func FindKeyAction(name string) *KeyAction {
	for i := range keyTable {
		if keyTable[i].Name == name {
			return &keyTable[i]
		}
	}
	return nil
}

// Keys returns the keys of an action. Texts name the first one. The result is empty if a person has removed
// the keys.
func (m Map) Keys(action string) []string {
	b := m.binding(action)
	return b.Keys()
}

func (m Map) binding(action string) key.Binding {
	if b, ok := m.reboundByAction[action]; ok {
		return b
	}
	if a := FindKeyAction(action); a != nil {
		return key.NewBinding(key.WithKeys(a.DefaultKeys...))
	}
	return key.Binding{}
}

// rebind replaces the keys of an action.
func (m Map) rebind(action string, keys []string) {
	m.reboundByAction[action] = key.NewBinding(key.WithKeys(keys...))
}

// IsKeyOf reports whether a key means one of the actions, in any scope.
func (m Map) IsKeyOf(k tea.KeyPressMsg, names ...string) bool {
	return m.IsKeyNameOf(k.String(), names...)
}

// IsKeyNameOf is IsKeyOf for the name of a key, such as "shift+n".
func (m Map) IsKeyNameOf(pressed string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return key.Matches(keyName(pressed), m.binding(name)) })
}

// MaxDigit is the highest digit that chooses an entry of a list.
const MaxDigit = 9

// DigitOfKey returns the digit, 1 to MaxDigit, with which a key chooses an entry of a list, 0 for another key.
func DigitOfKey(k tea.KeyPressMsg) int {
	if s := k.String(); len(s) == 1 && s >= "1" && s <= "9" {
		return int(s[0] - '0')
	}
	return 0
}

// DigitsText names the digits that choose an entry of a list of n, such as "1–4".
func DigitsText(n int) string {
	if n <= 1 {
		return "1"
	}
	return fmt.Sprintf("1–%d", min(n, MaxDigit))
}

// ActionOfKey returns the action that a key means in a scope, nil if it means none.
func (m Map) ActionOfKey(pressed string, in Scope) *KeyAction {
	for i := range keyTable {
		a := &keyTable[i]
		if (a.Scope == AnyPaneScope || a.Scope&in != 0) && key.Matches(keyName(pressed), m.binding(a.Name)) {
			return a
		}
	}
	return nil
}

// noKey is shown for an action without a key.
const noKey = "(no key)"

// FirstKeyText returns the first key of an action in readable form, noKey if it has none.
func (m Map) FirstKeyText(action string) string {
	if keys := m.Keys(action); len(keys) > 0 {
		return ReadableKey(keys[0])
	}
	return noKey
}

// AllKeysText returns all keys of an action in readable form.
func (m Map) AllKeysText(action string) string {
	return ReadableKeys(m.Keys(action))
}

// ReadableKeys returns keys in readable form.
func ReadableKeys(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = ReadableKey(k)
	}
	return strings.Join(out, " ")
}

// NamesKey reports whether a text with keys in readable form, such as "Y N" or that of DigitsText, names a key.
func NamesKey(text, key string) bool {
	if first, last, isRange := strings.Cut(text, "–"); isRange {
		return len(key) == 1 && first <= key && key <= last
	}
	return slices.Contains(strings.Fields(text), ReadableKey(key))
}

// FillInKeys replaces each {name} in a sentence by the key of that action. It leaves other names in braces
// unchanged.
func (m Map) FillInKeys(s control.Sentence) string { return s.ReplacePlaceholders(m.instruction) }

// FillInKeysInDialog is like FillInKeys while a dialog is open: the person has to close it before the first key that does
// not work in it.
func (m Map) FillInKeysInDialog(s control.Sentence, worksInDialog func(*KeyAction) bool) string {
	isClosed := false
	return s.ReplacePlaceholders(func(action string) string {
		text := m.instruction(action)
		if a := FindKeyAction(action); a != nil && !isClosed && !worksInDialog(a) {
			isClosed = true
			return m.instruction("close") + ", then " + strings.TrimPrefix(text, pressWord)
		}
		return text
	})
}

const pressWord = "press "

// instruction returns how to do an action, as part of a sentence.
func (m Map) instruction(action string) string {
	switch {
	case FindKeyAction(action) == nil:
		return "{" + action + "}"
	case len(m.Keys(action)) == 0:
		return pressWord + m.FirstKeyText("actions") + " and choose " + action
	}
	return pressWord + m.FirstKeyText(action)
}

// readableKeys has the readable forms of keys that are shown as a sign or with other letters.
var readableKeys = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn",
	"shift+tab": "⇧tab", "home": "Home", "end": "End",
}

// ReadableKey returns a key in readable form: "pgup" as PgUp.
func ReadableKey(pressed string) string {
	if sign, ok := readableKeys[pressed]; ok {
		return sign
	}
	return pressed
}

// HelpEntry is an action for the list of keys.
type HelpEntry struct {
	Group, Action, HelpText string
	Keys                    []string
	IsDefault               bool // the keys are the default ones
}

// HelpEntries returns all actions with their keys, in the order of the help.
func (m Map) HelpEntries() []HelpEntry {
	out := make([]HelpEntry, len(keyTable))
	for i, a := range keyTable {
		keys := m.Keys(a.Name)
		out[i] = HelpEntry{a.Group, a.Name, a.HelpText, keys, slices.Equal(keys, a.DefaultKeys)}
	}
	return out
}

// ReboundLines returns a line for each action whose keys are not the default ones.
func (m Map) ReboundLines() (out []string) {
	for _, k := range m.HelpEntries() {
		if !k.IsDefault {
			out = append(out, k.Action+": "+cmp.Or(strings.Join(k.Keys, " "), "none")+rarelySentKeysNote(k.Keys))
		}
	}
	return out
}

// rarelySentKeysNote returns which of the keys some terminals do not send, "" if all terminals send them.
func rarelySentKeysNote(keys []string) string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !needsExtendedKeyboard(key) })
	if len(keys) == 0 {
		return ""
	}
	return " (many terminals do not send " + strings.Join(keys, " ") + ")"
}

// TableText returns a list of all actions with their keys. It marks those that do not have their default keys.
func (m Map) TableText() string {
	var out strings.Builder
	group := ""
	for _, k := range m.HelpEntries() {
		if k.Group != group {
			if group = k.Group; out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintln(&out, group)
		}
		mark := " "
		if !k.IsDefault {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s %-16s %-14s %s\n", mark, k.Action, strings.Join(k.Keys, " "), k.HelpText)
	}
	return out.String()
}
