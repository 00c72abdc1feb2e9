package keymap

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// bind returns a Map with bindings, and the problems that New reports.
func bind(style string, bindings ...Binding) (Map, []string) {
	var wrong []string
	k := New(style, bindings, func(i int, problem string) { wrong = append(wrong, fmt.Sprintf("%d: %s", i, problem)) })
	return k, wrong
}

// TestDefaultKeysAreUnambiguous: by default, no key means two actions in one pane or dialog, and every action has a
// key.
func TestDefaultKeysAreUnambiguous(t *testing.T) {
	for i := range keyTable {
		a := &keyTable[i]
		if len(a.DefaultKeys) == 0 {
			t.Errorf("%s has no key", a.Name)
		}
		for j := range keyTable[:i] {
			b := &keyTable[j]
			for _, key := range a.DefaultKeys {
				if a.Scope.overlaps(b.Scope) && strings.Contains(" "+strings.Join(b.DefaultKeys, " ")+" ", " "+key+" ") {
					t.Errorf("%s is both %s and %s", key, a.Name, b.Name)
				}
			}
			if a.Name == b.Name {
				t.Errorf("two actions are called %s", a.Name)
			}
		}
	}
}

func TestBind(t *testing.T) {
	for _, c := range []struct {
		name     string
		bindings []Binding
		wrong    []string
	}{
		{"fine", []Binding{{"continue", []string{"f5", "alt+c"}}, {"break", nil}}, nil},
		{"swapped", []Binding{{"pass", []string{"f"}}, {"fail", []string{"p"}}}, nil},
		{"taken from one that has others", []Binding{{"continue", []string{"k"}}}, nil},
		{"one key in different panes", []Binding{{"open", []string{"o"}}, {"out", []string{"O"}}, {"type", []string{"o"}}}, nil},
		{"unknown", []Binding{{"contineu", []string{"c"}}, {"fly", []string{"c"}}}, []string{
			`0: there is no action "contineu": did you mean continue?`, `1: there is no action "fly": playhead config --keys lists all actions`}},
		{"no keys", []Binding{
			{"pass", []string{"ctrl+"}}, {"fail", []string{"shift+a"}}, {"rerun", []string{" "}}, {"skip", []string{"ctrl+m"}},
			{"undo", []string{"ctrl+c"}}, {"redo", []string{"escape"}}, {"cancel", []string{"f1"}},
		}, []string{
			`0: "ctrl+" cannot be bound: write a key such as c, F, f5, ctrl+f, alt+x, space, pgdown or shift+tab`,
			`1: "shift+a" cannot be bound: write the character that you get with shift, as in X, ! or alt+X`, `2: " " cannot be bound: write it as "space"`,
			`3: "ctrl+m" cannot be bound: terminals cannot tell it from enter`,
			`4: "ctrl+c" cannot be bound: ctrl+c always interrupts, and ctrl+] always ends typing into a command`,
			`5: "escape" cannot be bound: write a key such as c, F, f5, ctrl+f, alt+x, space, pgdown or shift+tab`,
			`6: "cancel" cannot have other keys: ctrl+c always interrupts, and quits when it is pressed twice`,
		}},
		{"as terminals send them", []Binding{{"pass", []string{"alt+F"}}, {"fail", []string{"ctrl+F"}}, {"skip", []string{"\u0301"}}}, []string{
			`1: "ctrl+F" cannot be bound: terminals cannot tell it from ctrl+f`,
			"2: \"\u0301\" cannot be bound: write a key such as c, F, f5, ctrl+f, alt+x, space, pgdown or shift+tab"}},
		{"one key twice", []Binding{{"pass", []string{"f5", "f5"}}}, []string{"0: f5 is listed twice for \"pass\""}},
		{"twice", []Binding{{"pass", []string{"f5"}}, {"pass", []string{"f6"}}}, []string{"1: there are two entries for \"pass\": give it one list of keys"}},
		{"twice, once under an earlier name", []Binding{{"history", []string{"f5"}}, {"timeline", []string{"f6"}}}, []string{
			`1: there are two entries for "timeline" ("history" is an earlier name of it): give it one list of keys`}},
		{"two want it", []Binding{{"pass", []string{"f5"}}, {"fail", []string{"f5"}}}, []string{
			"1: f5 is already bound to \"pass\""}},
		{"nothing left", []Binding{{"pass", []string{"c"}}}, []string{
			"0: \"continue\" would have no key left: bind it to another key, or to [] for none"}},
	} {
		if _, wrong := bind("", c.bindings...); !reflect.DeepEqual(wrong, c.wrong) {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, wrong, c.wrong)
		}
	}
}

// TestStyles: the style arrows leaves the letters free, and the style vi shows letters before arrows.
func TestStyles(t *testing.T) {
	down := FindKeyAction("down")
	if k, _ := bind(StyleVi); k.FirstKeyText("down") != "j" || k.ActionOfKey("down", StepsScope) != down {
		t.Error("vi: j comes first, and the arrow works too")
	}
	k, wrong := bind(StyleArrows, Binding{"jump", []string{"j"}})
	if wrong != nil || k.FirstKeyText("down") != "↓" || k.ActionOfKey("j", StepsScope).Name != "jump" || k.ActionOfKey("k", StepsScope) != nil {
		t.Errorf("arrows: the letters are not free: %q", wrong)
	}
}

// TestAltWithShift: alt+shift with a letter is bound as alt with the capital letter, which terminals send in
// different ways.
func TestAltWithShift(t *testing.T) {
	k, wrong := bind("", Binding{"continue", []string{"alt+F", "ctrl+alt+f"}})
	if wrong != nil || k.ActionOfKey("alt+shift+f", StepsScope) != FindKeyAction("continue") || k.ActionOfKey("ctrl+alt+f", StepsScope) != FindKeyAction("continue") {
		t.Errorf("alt+F does nothing: %q", wrong)
	}
}

// TestNeedsExtendedKeyboard: needsExtendedKeyboard finds the keys that terminals send only with an extended keyboard
// protocol.
func TestNeedsExtendedKeyboard(t *testing.T) {
	for key, want := range map[string]bool{
		"c": false, "F": false, "é": false, "f5": false, "ctrl+f": false, "ctrl+_": false, "ctrl+space": false, "shift+tab": false,
		"shift+up": false, "ctrl+alt+f": false, "alt+F": false, "alt+enter": false, "ctrl+up": false, "ctrl+f5": false,
		"ctrl+1": true, "ctrl+/": true, "ctrl+é": true, "ctrl+enter": true, "shift+space": true, "shift+enter": true, "alt+shift+enter": true,
	} {
		if needsExtendedKeyboard(key) != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
}

// FuzzBind: each binding is reported as a problem or leaves no key with two meanings in a pane. An action loses
// all its keys only if its own binding has none.
func FuzzBind(f *testing.F) {
	f.Add("", "pass", "f", "fail", "p")
	f.Add("arrows", "jump", "j", "continue", "ctrl+x c")
	f.Fuzz(func(t *testing.T, style, a, as, b, bs string) {
		k, wrong := bind(style, Binding{a, strings.Fields(as)}, Binding{b, strings.Fields(bs)})
		if wrong != nil {
			return
		}
		for i := range keyTable {
			one := &keyTable[i]
			if len(k.Keys(one.Name)) == 0 && one.Name != a && one.Name != b {
				t.Errorf("%s has no key", one.Name)
			}
			for j := range keyTable[:i] {
				for _, key := range k.Keys(one.Name) {
					if other := &keyTable[j]; one.Scope.overlaps(other.Scope) && strings.Contains(" "+strings.Join(k.Keys(other.Name), " ")+" ", " "+key+" ") {
						t.Errorf("%s is both %s and %s", key, one.Name, other.Name)
					}
				}
			}
		}
	})
}

// TestEarlierNames: a binding under an earlier name of an action binds the key to that action.
func TestEarlierNames(t *testing.T) {
	for earlier, now := range map[string]string{"by-hand": "manual-reply", "again": "rerun", "again-note": "rerun-note", "palette": "actions"} {
		m := New("", []Binding{{earlier, []string{"f9"}}}, func(_ int, problem string) { t.Error(problem) })
		if keys := m.Keys(now); len(keys) != 1 || keys[0] != "f9" {
			t.Errorf("%s has the keys %q", now, keys)
		}
	}
}

// TestKeysInADialog: in a dialog, a sentence says to press esc before the first key that does not work there.
func TestKeysInADialog(t *testing.T) {
	const sentence = "The run is over {N}. {rerun} to run a step again, or {jump} to jump to one."
	for works, want := range map[string]string{
		"":      "The run is over {N}. Press esc, then r to run a step again, or press J to jump to one.",
		"rerun": "The run is over {N}. Press r to run a step again, or press esc, then J to jump to one.",
	} {
		if got := (Map{}).FillInKeysInDialog(sentence, func(a *KeyAction) bool { return a.Name == works }); got != want {
			t.Errorf("%q works: got %q, want %q", works, got, want)
		}
	}
}
