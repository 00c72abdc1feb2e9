package tui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"playhead/parse/near"
	"playhead/tui/panes"
)

// Keys say which keys do what. The zero value has the usual ones.
type Keys struct{ of map[string][]string } // of the actions that have others than usual

// Binding is what a person wants an action's keys to be. No keys at all take an action
// off the keyboard: the palette still has it.
type Binding struct {
	Action string
	Keys   []string
}

// Styles are the words for the keys that move.
const (
	StyleVi     = "vi"     // letters first: hints show them
	StyleArrows = "arrows" // arrows and the like alone: the letters are free
)

// letters are the keys of moving actions that StyleArrows sets free.
var letters = []string{"k", "j", "h", "l", "g", "G", "ctrl+b", "ctrl+f"}

// Bind is the usual keys in a style (empty: both arrows and letters), with other ones for
// some actions. A key that an action gets here is taken from whatever has it otherwise.
// wrong reports what cannot be, by the index of its binding.
func Bind(style string, bindings []Binding, wrong func(i int, problem string)) Keys {
	k := Keys{of: map[string][]string{}}
	k.style(style)
	given := map[string]bool{} // actions that have keys of their own
	var good []int
	for i, b := range bindings {
		switch problem := b.problem(); {
		case problem != "":
			wrong(i, problem)
		case given[b.Action]:
			wrong(i, b.Action+" has its keys already")
		default:
			given[b.Action] = true
			k.of[b.Action] = b.Keys
			good = append(good, i)
		}
	}
	earlier := map[string]bool{} // of them: a conflict of two is the later one's
	for _, i := range good {
		k.give(bindings[i], given, earlier, func(problem string) { wrong(i, problem) })
		earlier[bindings[i].Action] = true
	}
	return k
}

// style changes the keys that move.
func (k Keys) style(style string) {
	for _, a := range actions {
		if a.group != "move" || !slices.ContainsFunc(a.keys, isLetter) {
			continue
		}
		var first, rest []string
		for _, key := range a.keys {
			switch isLetter(key) {
			case style == StyleVi:
				first = append(first, key)
			default:
				rest = append(rest, key)
			}
		}
		switch style {
		case StyleVi:
			k.of[a.name] = append(first, rest...)
		case StyleArrows:
			k.of[a.name] = slices.DeleteFunc(slices.Clone(a.keys), isLetter)
		}
	}
}

func isLetter(key string) bool { return slices.Contains(letters, key) }

// give takes the keys of a binding from the actions that have them otherwise.
func (k Keys) give(b Binding, given, earlier map[string]bool, wrong func(string)) {
	owner := actionNamed(b.Action)
	for i := range actions {
		a := &actions[i]
		var both, rest []string
		for _, key := range k.list(a) {
			if slices.Contains(b.Keys, key) {
				both = append(both, key)
			} else {
				rest = append(rest, key)
			}
		}
		switch {
		case a.name == b.Action || !a.meets(owner) || len(both) == 0:
		case earlier[a.name]:
			wrong(fmt.Sprintf("%s is bound to %s already", strings.Join(both, " "), a.name))
		case given[a.name]: // its own binding tells it
		case len(rest) == 0:
			wrong(fmt.Sprintf("%s leaves %s without a key: bind that to another one, or to none ([])", strings.Join(both, " "), a.name))
		default:
			k.of[a.name] = rest
		}
	}
}

// meets reports whether two actions can be meant by one key: there is a pane in which
// both work.
func (a *action) meets(b *action) bool {
	if a.in == nil || b.in == nil {
		return true
	}
	for p := range a.in {
		if b.in[p] {
			return true
		}
	}
	return false
}

// problem is what is wrong with a binding by itself.
func (b Binding) problem() string {
	a := actionNamed(b.Action)
	switch {
	case a == nil:
		return fmt.Sprintf("there is no action %q%s", b.Action, nearAction(b.Action))
	case b.Action == "cancel":
		return "ctrl+c always cancels, and quits when it is pressed twice"
	}
	for i, key := range b.Keys {
		if why := notKey(key); why != "" {
			return fmt.Sprintf("%q is no key: %s", key, why)
		}
		if slices.Contains(b.Keys[:i], key) {
			return fmt.Sprintf("%s has %s twice", b.Action, key)
		}
	}
	return ""
}

// nearAction proposes an action whose name is like the one that was written.
func nearAction(name string) string {
	var names []string
	for _, a := range actions {
		names = append(names, a.name)
	}
	if meant := near.Name(name, names); meant != "" {
		return ": did you mean " + meant + "?"
	}
	return ": playhead config --keys lists them"
}

var keyName = regexp.MustCompile(`^(shift\+)?(up|down|left|right|pgup|pgdown|home|end|tab|enter|esc|space|backspace|delete|insert|f([1-9]|1[0-2]))$`)

// capital is a letter with ctrl, which has no shift for terminals.
var capital = regexp.MustCompile(`^ctrl\+(alt\+)?[A-Z]$`)

// uncommon are keys for which many terminals send nothing, or the same as without ctrl or
// shift.
var uncommon = regexp.MustCompile(`^ctrl\+(alt\+)?([^a-z\\^_]|enter|tab|esc|backspace|shift\+.*)$|^(ctrl\+)?(alt\+)?shift\+(enter|esc|space|backspace)$`)

// Uncommon reports whether it takes a terminal with an extended keyboard to send a key.
func Uncommon(key string) bool { return uncommon.MatchString(key) }

// alike are keys for which terminals send the same as for others.
var alike = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}

// notKey is why something is no key that can be bound, "" if it is one.
func notKey(key string) string {
	base := strings.TrimPrefix(strings.TrimPrefix(key, "ctrl+"), "alt+")
	switch {
	case key == "ctrl+c" || key == endTyping:
		return "it is kept for what has to work always"
	case alike[key] != "":
		return "terminals send the same for it and " + alike[key]
	case key == " ":
		return "write space"
	case strings.HasPrefix(base, "shift+") && utf8.RuneCountInString(base) == len("shift+")+1:
		return "write the letter as shift gives it"
	case capital.MatchString(key):
		return "terminals send the same for it and " + strings.ToLower(key)
	case keyName.MatchString(base), utf8.RuneCountInString(base) == 1 && ansi.StringWidth(base) > 0:
		return ""
	}
	return "write one like c, F, f5, ctrl+f, alt+x, space, pgdown or shift+tab"
}

// list are the keys of an action.
func (k Keys) list(a *action) []string {
	if keys, ok := k.of[a.name]; ok {
		return keys
	}
	return a.keys
}

// first is the key of an action that is named where one has to be named.
func (k Keys) first(a *action) string {
	if keys := k.list(a); len(keys) > 0 {
		return shown(keys)[0]
	}
	return "(no key)"
}

// action is what a key does in a pane, or nil.
func (k Keys) action(key string, p panes.Pane) *action {
	key = asBound(key)
	for i := range actions {
		a := &actions[i]
		if (a.in == nil || a.in[p]) && slices.Contains(k.list(a), key) {
			return a
		}
	}
	return nil
}

var shifted = regexp.MustCompile(`^((?:ctrl\+)?alt\+)shift\+([a-z])$`)

// asBound is a key that was pressed as it is bound: a letter as shift gives it.
func asBound(key string) string {
	if m := shifted.FindStringSubmatch(key); m != nil {
		return m[1] + strings.ToUpper(m[2])
	}
	return key
}

var placeholder = regexp.MustCompile(`\{[a-z]+(-[a-z]+)*\}`)

// said is a text in which {name} stands for the key of an action.
func (k Keys) said(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if a := actionNamed(strings.Trim(name, "{}")); a != nil {
			return k.first(a)
		}
		return name
	})
}

// KeyHelp is an action as a list of keys names it.
type KeyHelp struct {
	Group, Action, Help string
	Keys                []string
	Usual               bool // they are what they are when nobody binds them
}

// List are all actions with their keys, in the order of the help.
func (k Keys) List() []KeyHelp {
	var out []KeyHelp
	for i := range actions {
		a := &actions[i]
		keys := k.list(a)
		out = append(out, KeyHelp{a.group, a.name, a.help, keys, slices.Equal(keys, a.keys)})
	}
	return out
}
