package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/tools"
	"playhead/parse/plan"
)

// writeReply is what stands behind the replies that can be chosen.
const writeReply = "write a reply…"

// chooser is a list of replies, and behind them the way to write one.
type chooser struct {
	picker
	choices []plan.Choice
	shown   int     // the choice that stood out last: what is written begins with it
	written *editor // nil: nothing has been written yet
	began   string  // what it began with
}

func newChooser(choices []plan.Choice) *chooser {
	c := &chooser{choices: choices}
	longest := 0
	for _, one := range choices {
		longest = max(longest, ansi.StringWidth(one.Name))
	}
	for _, one := range choices {
		option := one.Name
		if one.To != "" {
			option += spaces(longest-ansi.StringWidth(one.Name)) + "  → " + one.To
		}
		c.options = append(c.options, option)
	}
	c.options = append(c.options, writeReply)
	return c
}

// wantsWriting reports whether none of the replies is chosen.
func (c *chooser) wantsWriting() bool { return c.at == len(c.choices) }

func (c *chooser) key(l *look, k tea.KeyPressMsg) (sent, used bool) {
	if !c.wantsWriting() {
		c.shown = c.at
	}
	if k.String() == "e" {
		c.at = len(c.choices)
		return true, true
	}
	return c.picker.key(l, k)
}

func (c *chooser) value() string { return c.choices[c.at].Reply }

func (c *chooser) hints() []hint {
	return append(c.keys("reply"), hint{"e", "adjust it"})
}

// write is the editor with the reply that stood out last, or with what was written
// before.
func (c *chooser) write() *editor {
	reply := tools.Pretty(c.choices[c.shown].Reply)
	if c.written == nil || c.written.value() == c.began && c.began != reply {
		c.written, c.began = newEditor(reply), reply
	}
	return c.written
}
