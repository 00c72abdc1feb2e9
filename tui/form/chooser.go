package form

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/draw"
)

// writeReply is the option after the replies that can be chosen.
const writeReply = "write a reply…"

// Chooser is a list of replies, followed by an option to write one.
type Chooser struct {
	Picker
	choices   []plan.Choice
	lastShown int     // the choice that was selected last: the editor starts with its reply
	Editor    *Editor // nil: no reply has been written yet
	Template  string  // the text that the editor started with
}

// NewChooser returns a chooser on which the first choice is selected.
func NewChooser(choices []plan.Choice) *Chooser {
	c := &Chooser{choices: choices}
	longest := 0
	for _, one := range choices {
		longest = max(longest, ansi.StringWidth(one.Name))
	}
	for _, one := range choices {
		option := one.Name
		if one.To != "" {
			option += cells.Spaces(longest-ansi.StringWidth(one.Name)) + "  → " + one.To
		}
		c.Options = append(c.Options, option)
	}
	c.Options = append(c.Options, writeReply)
	return c
}

// WantsWriting reports whether the option to write a reply is selected.
func (c *Chooser) WantsWriting() bool { return c.At == len(c.choices) }

func (c *Chooser) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	if !c.WantsWriting() {
		c.lastShown = c.At
	}
	if l.Keys.Is(k, "adjust") {
		c.At = len(c.choices)
		return true, true
	}
	return c.Picker.Key(l, k)
}

func (c *Chooser) Value() string { return c.choices[c.At].Reply }

func (c *Chooser) Hints(l *draw.Look) []draw.Hint {
	return append(c.Keys(l, "reply"), l.Press("adjust", "adjust it"))
}

// Write returns an editor that starts with the reply that was highlighted last, or with the text written
// before.
func (c *Chooser) Write() *Editor {
	reply := tools.Pretty(c.choices[c.lastShown].Reply)
	if c.Editor == nil || c.Editor.Value() == c.Template && c.Template != reply {
		c.Editor, c.Template = NewEditor(reply), reply
	}
	return c.Editor
}

// yesNo is a question that the keys y and n answer, and p and f like a decision.
type yesNo struct{ answer string }

func (c *yesNo) Lines(l *draw.Look, w, h int) []string {
	return []string{l.Cut(l.Key.Paint(l.Keys.Name("yes"))+" yes  "+l.Key.Paint(l.Keys.Name("no"))+" no", w)}
}

func (c *yesNo) Height(*draw.Look, int) int { return 1 }
func (c *yesNo) Value() string              { return c.answer }
func (c *yesNo) Writes() bool               { return false }
func (c *yesNo) Paste(*draw.Look, string)   {}
func (c *yesNo) Hints(l *draw.Look) []draw.Hint {
	return []draw.Hint{l.Press("yes", "yes"), l.Press("no", "no")}
}

func (c *yesNo) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "yes", "pass"):
		c.answer = "yes"
	case l.Keys.Is(k, "no", "fail"):
		c.answer = "no"
	default:
		return false, false
	}
	return true, true
}

// Toggle is a switch between yes and no, with the values "true" and "false".
type Toggle struct{ on bool }

func (t *Toggle) Lines(l *draw.Look, w, h int) []string {
	yes, no := l.Muted.Paint("  yes"), l.Accent.Paint("▌ no")
	if t.on {
		yes, no = l.Accent.Paint("▌ yes"), l.Muted.Paint("  no")
	}
	return []string{l.Cut(yes+"   "+no, w)}
}

func (t *Toggle) Height(*draw.Look, int) int { return 1 }
func (t *Toggle) Value() string              { return map[bool]string{true: "true", false: "false"}[t.on] }
func (t *Toggle) Writes() bool               { return false }
func (t *Toggle) Paste(*draw.Look, string)   {}
func (t *Toggle) Hints(l *draw.Look) []draw.Hint {
	return []draw.Hint{l.Press("toggle", "toggle"), l.Press("accept", "answer")}
}

func (t *Toggle) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case l.Keys.Is(k, "toggle", "left", "right"):
		t.on = !t.on
	case l.Keys.Is(k, "yes", "set-true"):
		t.on = true
	case l.Keys.Is(k, "no", "set-false"):
		t.on = false
	case l.Keys.Is(k, "accept"):
		return true, true
	default:
		return false, false
	}
	return false, true
}
