package tui

import (
	"testing"

	"playhead/tui/keymap"
)

// TestBoundKeys: an action has the key that a person bound and not its default key. Help, hints, reasons and
// messages name the new key.
func TestBoundKeys(t *testing.T) {
	keys := keymap.New("", []keymap.Binding{
		{Action: "find", Keys: []string{"ctrl+f"}}, {Action: "answer", Keys: []string{"@"}}, {Action: "quit", Keys: []string{"Q"}},
		{Action: "help", Keys: []string{"f1"}}, {Action: "pause", Keys: nil},
	}, func(_ int, problem string) { t.Fatal(problem) })
	sc := open(t, release(t), 100, 30, func(c *Config) { c.Keys = keys })
	sc.want("Q quit", "f1 help")
	sc.wantNot("q quit", "space pause")
	sc.press("q")
	sc.want("q does nothing here. Press f1 to list the keys.")
	sc.press("@")
	sc.want("No question is open.")
	sc.press("n")
	sc.want("The run is not paused. Press : and choose pause to pause before the next step.")
	sc.press("f1")
	sc.want("ctrl+f", "find")
	sc.press("f1")
	sc.wantNot("KEYS")
	sc.press("Q")
	sc.want("Quit?")
}

// TestAnswerKeys: an answer whose first key is unbound shows its other key. As for any key, alt with shift and a letter
// is alt with the capital letter.
func TestAnswerKeys(t *testing.T) {
	keys := keymap.New("", []keymap.Binding{{Action: "yes"}, {Action: "no", Keys: []string{"alt+O"}}}, func(_ int, problem string) { t.Fatal(problem) })
	sc := open(t, load(t, "a.runbook.md", "## 1. Look\nReady?\n- YES: CONTINUE\n- NO: CONTINUE\n"), 100, 30, func(c *Config) { c.Keys = keys })
	sc.want("p yes", "alt+O no")
	sc.press("esc", "1")
	sc.want("p yes", "alt+O no")
	sc.press("alt+shift+o")
	sc.want(`again to answer "no".`)
}
