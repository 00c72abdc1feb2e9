package form

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// writeReplyOption is the option after the replies that can be chosen.
const writeReplyOption = "write a reply…"

// ReplyChooser is a list of replies, followed by an option to write one.
type ReplyChooser struct {
	Picker
	choices     []plan.ReplyChoice
	lastChoice  int     // the choice that was selected last: the editor starts with its reply
	Editor      *Editor // nil: no reply has been written yet
	InitialText string  // the text that the editor started with
}

// NewReplyChooser returns a chooser on which the first choice is selected.
func NewReplyChooser(choices []plan.ReplyChoice) *ReplyChooser {
	c := &ReplyChooser{choices: choices}
	destinations := make([]string, len(choices))
	for i, one := range choices {
		c.Options = append(c.Options, one.Name)
		if one.To != "" {
			destinations[i] = "  → " + one.To
		}
	}
	c.ShowDestinations(destinations)
	c.Options = append(c.Options, writeReplyOption)
	return c
}

// Choices returns the names of the replies.
func (c *ReplyChooser) Choices() []string { return c.Options[:len(c.choices)] }

// ShowDestinations shows where each reply leads. A destination begins with a gap, or is "".
func (c *ReplyChooser) ShowDestinations(texts []string) { c.TrailingTexts = append(texts, "") }

// IsWriteSelected reports whether the option to write a reply is selected.
func (c *ReplyChooser) IsWriteSelected() bool { return c.SelectedIndex == len(c.choices) }

// HandleKey implements Widget. The key "adjust" confirms the option to write a reply: the editor then starts with the
// choice that was selected.
func (c *ReplyChooser) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	if !c.IsWriteSelected() {
		c.lastChoice = c.SelectedIndex
	}
	if dc.Keys.IsKeyOf(k, "adjust") {
		c.SelectedIndex = len(c.choices)
		return true, true
	}
	return c.Picker.HandleKey(dc, k)
}

// Value returns the reply of the selected choice. It must not be called while IsWriteSelected.
func (c *ReplyChooser) Value() string { return c.choices[c.SelectedIndex].Reply }

func (c *ReplyChooser) Hints(dc *draw.Context) []draw.Hint {
	return append(c.HintsFor(dc, "reply"), dc.ActionHint("adjust", "edit it"))
}

// OpenEditor returns the editor for a reply of the person's own. It keeps what was written before. If nothing
// was changed there, it starts with the choice that was selected last.
func (c *ReplyChooser) OpenEditor() *Editor {
	reply := tools.PrettyJSON(c.choices[c.lastChoice].Reply)
	if c.Editor == nil || c.Editor.Value() == c.InitialText && c.InitialText != reply {
		c.Editor, c.InitialText = NewEditor(reply), reply
	}
	return c.Editor
}

// yesNoQuestion is a question that the keys y and n answer, and p and f like a decision.
type yesNoQuestion struct{ answer string }

func (y *yesNoQuestion) Lines(dc *draw.Context, w, h int) []string {
	return []string{dc.Cut(dc.Key.Paint(dc.Keys.FirstKeyText("yes"))+" yes  "+dc.Key.Paint(dc.Keys.FirstKeyText("no"))+" no", w)}
}

func (y *yesNoQuestion) Height(*draw.Context, int) int { return 1 }
func (y *yesNoQuestion) Value() string                 { return y.answer }
func (y *yesNoQuestion) TakesText() bool               { return false }
func (y *yesNoQuestion) Paste(*draw.Context, string)   {}
func (y *yesNoQuestion) Hints(dc *draw.Context) []draw.Hint {
	return []draw.Hint{dc.ActionHint("yes", "yes"), dc.ActionHint("no", "no")}
}

func (y *yesNoQuestion) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case dc.Keys.IsKeyOf(k, "yes", "pass"):
		y.answer = "yes"
	case dc.Keys.IsKeyOf(k, "no", "fail"):
		y.answer = "no"
	default:
		return false, false
	}
	return true, true
}

// Toggle is a switch between yes and no, with the values "true" and "false".
type Toggle struct{ isYes bool }

func (t *Toggle) Lines(dc *draw.Context, w, h int) []string {
	yes, no := dc.Muted.Paint("  yes"), dc.Accent.Paint("▌ no")
	if t.isYes {
		yes, no = dc.Accent.Paint("▌ yes"), dc.Muted.Paint("  no")
	}
	return []string{dc.Cut(yes+"   "+no, w)}
}

func (t *Toggle) Height(*draw.Context, int) int { return 1 }
func (t *Toggle) Value() string                 { return strconv.FormatBool(t.isYes) }
func (t *Toggle) TakesText() bool               { return false }
func (t *Toggle) Paste(*draw.Context, string)   {}
func (t *Toggle) Hints(dc *draw.Context) []draw.Hint {
	return []draw.Hint{dc.ActionHint("toggle", "toggle"), dc.ActionHint("accept", "answer")}
}

func (t *Toggle) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case dc.Keys.IsKeyOf(k, "toggle", "left", "right"):
		t.isYes = !t.isYes
	case dc.Keys.IsKeyOf(k, "yes", "set-true"):
		t.isYes = true
	case dc.Keys.IsKeyOf(k, "no", "set-false"):
		t.isYes = false
	case dc.Keys.IsKeyOf(k, "accept"):
		return true, true
	default:
		return false, false
	}
	return false, true
}
