package keymap

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/control"
	"playhead/parse/near"
)

// Binding is a person's choice of keys for an action. Without keys, the action is only in the list of
// actions.
type Binding struct {
	Action string
	Keys   []string
}

// Styles of the keys that move.
const (
	StyleVi     = "vi"     // hints show letters first
	StyleArrows = "arrows" // only arrows and similar keys: the letters are free
)

// viKeys are the keys that StyleArrows frees.
var viKeys = []string{"k", "j", "h", "l", "g", "G", "ctrl+b", "ctrl+f"}

func isViKey(pressed string) bool { return slices.Contains(viKeys, pressed) }

// New returns the default keys in a style ("": arrows and letters), changed by bindings. A binding takes
// its keys away from other actions. New calls report for each invalid binding, with its index.
func New(style string, bindings []Binding, report func(i int, problem string)) Map {
	m := Map{map[string]key.Binding{}}
	m.applyStyle(style)
	bound, earlierName := map[string]bool{}, map[string]string{}
	var good []int
	bindings = slices.Clone(bindings)
	for i := range bindings {
		b := &bindings[i]
		name := b.Action
		if b.Action = control.CurrentActionName(name); b.Action != name {
			earlierName[b.Action] = fmt.Sprintf(" (%q is an earlier name of it)", name)
		}
		switch problem := b.problem(); {
		case problem != "":
			report(i, problem)
		case bound[b.Action]:
			report(i, fmt.Sprintf("there are two entries for %q%s: give it one list of keys", b.Action, earlierName[b.Action]))
		default:
			bound[b.Action] = true
			m.rebind(b.Action, b.Keys)
			good = append(good, i)
		}
	}
	earlier := map[string]bool{} // the later one of two bindings reports a conflict
	for _, i := range good {
		m.removeKeysFromOtherActions(bindings[i], bound, earlier, func(problem string) { report(i, problem) })
		earlier[bindings[i].Action] = true
	}
	return m
}

// applyStyle changes the keys that move.
func (m Map) applyStyle(style string) {
	for _, a := range keyTable {
		if a.Group != "move" || !slices.ContainsFunc(a.DefaultKeys, isViKey) {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(a.DefaultKeys), isViKey)
		switch style {
		case StyleVi:
			first := slices.DeleteFunc(slices.Clone(a.DefaultKeys), func(k string) bool { return !isViKey(k) })
			m.rebind(a.Name, append(first, others...))
		case StyleArrows:
			m.rebind(a.Name, others)
		}
	}
}

// removeKeysFromOtherActions removes the keys of a binding from other actions that work where its action does. It reports
// instead that another binding has a key, or that an action would have no key left.
func (m Map) removeKeysFromOtherActions(b Binding, bound, earlier map[string]bool, report func(string)) {
	owner := FindKeyAction(b.Action)
	for _, a := range keyTable {
		var both, rest []string
		for _, k := range m.Keys(a.Name) {
			if slices.Contains(b.Keys, k) {
				both = append(both, k)
			} else {
				rest = append(rest, k)
			}
		}
		switch {
		case a.Name == b.Action || !a.Scope.overlaps(owner.Scope) || len(both) == 0:
		case earlier[a.Name]:
			verb := " is"
			if len(both) > 1 {
				verb = " are"
			}
			report(fmt.Sprintf("%s%s already bound to %q", strings.Join(both, " and "), verb, a.Name))
		case bound[a.Name]: // the other action's own binding reports it
		case len(rest) == 0:
			report(fmt.Sprintf("%q would have no key left: bind it to another key, or to [] for none", a.Name))
		default:
			m.rebind(a.Name, rest)
		}
	}
}

// problem returns what is wrong with a single binding, "" if nothing is.
func (b Binding) problem() string {
	switch {
	case b.Action == "interrupt", b.Action == "cancel": // its name in earlier versions
		return fmt.Sprintf("%q cannot have other keys: ctrl+c always interrupts, and quits when it is pressed twice", b.Action)
	case FindKeyAction(b.Action) == nil:
		return fmt.Sprintf("there is no action %q%s", b.Action, suggestAction(b.Action))
	}
	for i, k := range b.Keys {
		if why := bindProblem(k); why != "" {
			return fmt.Sprintf("%q cannot be bound: %s", k, why)
		}
		if slices.Contains(b.Keys[:i], k) {
			return fmt.Sprintf("%s is listed twice for %q", k, b.Action)
		}
	}
	return ""
}

// suggestAction suggests an action with a name similar to the given one.
func suggestAction(name string) string {
	var names []string
	for _, a := range keyTable {
		names = append(names, a.Name)
	}
	if meant := near.MostSimilar(name, names); meant != "" {
		return ": did you mean " + meant + "?"
	}
	return ": playhead config --keys lists all actions"
}

// EndTypingKey is the key that ends typing into a command.
const EndTypingKey = "ctrl+]"

var (
	namedKeyPattern = regexp.MustCompile(`^(shift\+)?(up|down|left|right|pgup|pgdown|home|end|tab|enter|esc|space|backspace|delete|insert|f([1-9]|1[0-2]))$`)

	// ctrlCapitalPattern matches a capital letter with ctrl, which terminals send without shift.
	ctrlCapitalPattern = regexp.MustCompile(`^ctrl\+(alt\+)?[A-Z]$`)

	// rarelySentKeyPattern matches keys for which many terminals send nothing, or the same as without ctrl
	// or shift.
	rarelySentKeyPattern = regexp.MustCompile(`^ctrl\+(alt\+)?([^a-z\\^_]|enter|tab|esc|backspace|shift\+.*)$|^(ctrl\+)?(alt\+)?shift\+(enter|esc|space|backspace)$`)

	shiftedLetterPattern = regexp.MustCompile(`^((?:ctrl\+)?alt\+)shift\+([a-z])$`)
)

// indistinguishableKeys maps keys to others for which terminals send the same.
var indistinguishableKeys = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}

// needsExtendedKeyboard reports whether terminals send a key only with an extended keyboard protocol.
func needsExtendedKeyboard(pressed string) bool { return rarelySentKeyPattern.MatchString(pressed) }

// bindProblem returns why a key cannot be bound, "" if it can.
func bindProblem(pressed string) string {
	base := strings.TrimPrefix(strings.TrimPrefix(pressed, "ctrl+"), "alt+")
	switch {
	case pressed == "ctrl+c" || pressed == EndTypingKey:
		return "ctrl+c always interrupts, and ctrl+] always ends typing into a command"
	case indistinguishableKeys[pressed] != "":
		return "terminals cannot tell it from " + indistinguishableKeys[pressed]
	case pressed == " ":
		return `write it as "space"`
	case strings.HasPrefix(base, "shift+") && utf8.RuneCountInString(base) == len("shift+")+1:
		return "write the character that you get with shift, as in X, ! or alt+X"
	case ctrlCapitalPattern.MatchString(pressed):
		return "terminals cannot tell it from " + strings.ToLower(pressed)
	case namedKeyPattern.MatchString(base), utf8.RuneCountInString(base) == 1 && ansi.StringWidth(base) > 0:
		return ""
	}
	return "write a key such as c, F, f5, ctrl+f, alt+x, space, pgdown or shift+tab"
}

// keyName is the name of a pressed key.
type keyName string

// String returns the name under which the key is bound: shift with a letter becomes the capital letter.
func (k keyName) String() string {
	if m := shiftedLetterPattern.FindStringSubmatch(string(k)); m != nil {
		return m[1] + strings.ToUpper(m[2])
	}
	return string(k)
}
