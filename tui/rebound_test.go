package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/runs"
	"playhead/tui/keymap"
)

// Every golden scene is played with the usual keys and, on two of the sizes, with other keys bound to every action. The
// frames must differ only in the names of the keys, so no pane and no dialog can know a key by its letter.

// rebound is true while scenes run with the swapped keys.
var rebound bool

// swappedKeys maps each default key to its substitute. Substitutes have names of the same width, so that frames
// can be compared.
var swappedKeys = map[string]string{
	"up": "α", "down": "β", "left": "γ", "right": "δ", "home": "pgup", "pgup": "pgdown", "pgdown": "shift+tab", "shift+tab": "home",
	"end": "f12", "tab": "f11", "esc": "f10", "enter": "alt+x", "space": "alt+y", "delete": "alt+d", "backspace": "alt+b",
	"ctrl+b": "alt+f2", "ctrl+f": "alt+f3", "ctrl+g": "alt+f4", "ctrl+left": "ctrl+home", "alt+left": "alt+home",
	"ctrl+right": "alt+pgdown", "alt+right": "alt+space", "ctrl+up": "ctrl+f1", "alt+up": "alt+f1", "ctrl+down": "ctrl+pgup", "alt+down": "alt+pgup",
	"ctrl+t": "ctrl+y", "ctrl+y": "ctrl+t", "ctrl+p": "ctrl+x", "ctrl+r": "ctrl+k", "ctrl+n": "ctrl+l", "ctrl+z": "ctrl+w", "ctrl+s": "ctrl+a", "ctrl+e": "ctrl+q",
	"ctrl+o": "ctrl+d", "ctrl+u": "ctrl+v",
}

func init() {
	letter := 'а' // Cyrillic, so no default key is a substitute
	for _, a := range keymap.KeyActions() {
		for _, k := range a.DefaultKeys {
			if k >= "1" && k <= "9" {
				swappedKeys[k] = k // digits also choose from lists, so they stay
			}
			if _, has := swappedKeys[k]; !has && len([]rune(k)) == 1 {
				swappedKeys[k] = string(letter)
				letter++
			}
		}
	}
	swappedMap = bindAll(swappedKeys)
}

var swappedMap keymap.Map

// bindAll returns a Map that binds every action to the substitutes of its default keys.
func bindAll(swap map[string]string) keymap.Map {
	var bindings []keymap.Binding
	for _, a := range keymap.KeyActions() {
		if a.Name == "interrupt" {
			continue
		}
		b := keymap.Binding{Action: a.Name}
		for _, k := range a.DefaultKeys {
			b.Keys = append(b.Keys, swap[k])
		}
		bindings = append(bindings, b)
	}
	return keymap.New("", bindings, func(i int, problem string) { panic(bindings[i].Action + ": " + problem) })
}

// requireSameRebound fails unless a scene looks the same with the swapped keys.
func requireSameRebound(t *testing.T, usual string, play func() string) {
	t.Helper()
	rebound = true
	defer func() { rebound = false }()
	var back []string
	for old, key := range swappedKeys {
		back = append(back, keymap.ReadableKey(key), keymap.ReadableKey(old))
	}
	if d := cmp.Diff(usual, strings.NewReplacer(back...).Replace(play())); d != "" {
		t.Errorf("with other keys bound the screen differs:\n%s", d)
	}
}

// TestDialogsRebound: dialogs that have no golden scene also recognize actions, not letters.
func TestDialogsRebound(t *testing.T) {
	export := func(c *Config) {
		c.RunExports = []runs.Export{{Name: "scenario", Description: "a test", SuggestName: func() string { return "a.scenarios.yaml" }}}
	}
	triage := func() *testScreen { return open(t, playbookOf(t, "triage.playbook.md", branching), 100, 30, export) }
	for _, c := range []struct {
		name string
		open func() *testScreen
		keys []string
		top  string // the type of the dialog
	}{
		{"breakpoints", triage, []string{"esc", "b", "B", "space"}, "*breakpoints."},
		{"quit", triage, []string{"esc", "q"}, "*confirm."},
		{"export", triage, []string{"esc", "x"}, "*choose."},
		{"intervene", triage, []string{"esc", "r"}, "*confirm."},
		{"edit", func() *testScreen { return openAtBranch(t, 100, 30) }, []string{"esc", "v", "4", "e"}, "*edit."},
	} {
		t.Run(c.name, func(t *testing.T) {
			play := func() string {
				sc := c.open()
				sc.press(c.keys...)
				if top := fmt.Sprintf("%T", sc.m.screen.Dialogs.Top()); !strings.HasPrefix(top, c.top) {
					t.Errorf("the dialog is a %s", top)
				}
				return sc.frame()
			}
			requireSameRebound(t, play(), play)
		})
	}
}
