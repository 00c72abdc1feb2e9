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
type Map struct{ bound map[string][]string } // by action: keys that replace the default ones

// Actions returns the table, in the order of the help.
func Actions() []Action { return slices.Clone(actions) }

// Find returns the action with a name, nil if there is none.
func Find(name string) *Action {
	for i := range actions {
		if actions[i].Name == name {
			return &actions[i]
		}
	}
	return nil
}

// Keys returns the keys of an action. Texts name the first one. The result is empty if a person has removed
// the keys.
func (m Map) Keys(action string) []string {
	if keys, ok := m.bound[action]; ok {
		return keys
	}
	if a := Find(action); a != nil {
		return a.Keys
	}
	return nil
}

// Binding returns the keys of an action with a text for a hint, "" for the action's own text. The binding
// is disabled if the action has no key.
func (m Map) Binding(action, text string) key.Binding {
	if a := Find(action); a != nil && text == "" {
		text = a.Short
	}
	return key.NewBinding(key.WithKeys(m.Keys(action)...), key.WithHelp(m.Name(action), text))
}

// Is reports whether a key means one of the actions, in any scope.
func (m Map) Is(k tea.KeyPressMsg, names ...string) bool {
	pressed := asBound(k.String())
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(m.Keys(name), pressed) })
}

// Action returns the action that a key means in a scope, nil if it means none.
func (m Map) Action(pressed string, in Scope) *Action {
	pressed = asBound(pressed)
	for i := range actions {
		a := &actions[i]
		if (a.In == Anywhere || a.In&in != 0) && slices.Contains(m.Keys(a.Name), pressed) {
			return a
		}
	}
	return nil
}

// NoKey is shown for an action without a key.
const NoKey = "(no key)"

// Name returns the first key of an action in readable form, NoKey if it has none.
func (m Map) Name(action string) string {
	if keys := m.Keys(action); len(keys) > 0 {
		return Shown(keys[0])
	}
	return NoKey
}

// Names returns all keys of an action in readable form.
func (m Map) Names(action string) string {
	keys := m.Keys(action)
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = Shown(k)
	}
	return strings.Join(out, " ")
}

// Sentence replaces each {name} in a sentence by the key of that action. It leaves other names in braces
// unchanged.
func (m Map) Sentence(s control.Sentence) string {
	return s.With(func(action string) string {
		switch {
		case Find(action) == nil:
			return "{" + action + "}"
		case len(m.Keys(action)) == 0:
			return "open " + m.Name("actions") + " and choose " + action
		}
		return "press " + m.Name(action)
	})
}

// keySigns has the readable forms of keys that are shown as a sign or with other letters.
var keySigns = map[string]string{
	"up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn",
	"shift+tab": "⇧tab", "home": "Home", "end": "End",
}

// Shown returns a key in readable form: "pgup" as PgUp.
func Shown(pressed string) string {
	if sign, ok := keySigns[pressed]; ok {
		return sign
	}
	return pressed
}

// Help is an action for the list of keys.
type Help struct {
	Group, Action, Help string
	Keys                []string
	Usual               bool // the keys are the default ones
}

// List returns all actions with their keys, in the order of the help.
func (m Map) List() []Help {
	out := make([]Help, len(actions))
	for i, a := range actions {
		keys := m.Keys(a.Name)
		out[i] = Help{a.Group, a.Name, a.Help, keys, slices.Equal(keys, a.Keys)}
	}
	return out
}

// Rebound returns a line for each action whose keys are not the default ones.
func (m Map) Rebound() (out []string) {
	for _, k := range m.List() {
		if !k.Usual {
			out = append(out, k.Action+": "+cmp.Or(strings.Join(k.Keys, " "), "none")+uncommonKeys(k.Keys))
		}
	}
	return out
}

// uncommonKeys returns which of the keys some terminals do not send, "" if all terminals send them.
func uncommonKeys(keys []string) string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !needsExtendedKeyboard(key) })
	if len(keys) == 0 {
		return ""
	}
	return " (many terminals do not send " + strings.Join(keys, " ") + ")"
}

// Table returns a list of all actions with their keys. It marks those that do not have their default keys.
func (m Map) Table() string {
	var out strings.Builder
	group := ""
	for _, k := range m.List() {
		if k.Group != group {
			if group = k.Group; out.Len() > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintln(&out, group)
		}
		mark := " "
		if !k.Usual {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s %-16s %-14s %s\n", mark, k.Action, strings.Join(k.Keys, " "), k.Help)
	}
	return out.String()
}
