package tui

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// excerpt is something on the screen that can be taken away, whole: lines that are cut
// or wrapped on the screen are not in it.
type excerpt struct {
	name string        // in a list, where no other has it: the command
	of   string        // in a sentence: 2.1's command
	text func() string // its lines; nil: those of the log
	log  logStore
}

// about says in a few words what an excerpt holds.
func (x excerpt) about() string {
	if x.text == nil {
		_, lines := x.log.Size()
		return draw.Count(lines, "line")
	}
	return draw.FirstLine(x.text())
}

// excerpts are what there is to take away from the pane with focus, the likeliest first.
func (m *Model) excerpts() []excerpt {
	r := m.tree.Selected()
	switch {
	case m.focus == panes.Dialog:
		return m.ofDialog()
	case m.focus == panes.Why:
		return m.ofWhy()
	case r == nil:
		return nil
	case m.focus == panes.Output:
		return m.ofOutput(r)
	case m.focus == panes.Tree:
		title := func() string { return draw.StepName(r) }
		return append([]excerpt{{name: "title", of: owner(r) + " title", text: title}}, m.ofText(r)...)
	}
	return m.ofText(r)
}

// owner is a row's label with what makes something its own.
func owner(r *track.Row) string { return brief(draw.Clean(r.Label), longLabel) + "'s" }

// ofText is what a step says and does: its text, the prompt that was sent, its blocks.
func (m *Model) ofText(r *track.Row) []excerpt {
	var out []excerpt
	add := func(name, of, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			out = append(out, excerpt{name: name, of: of, text: func() string { return text }})
		}
	}
	if m.untouched() {
		add("introduction", "the document's introduction", m.track.Plan.Description)
	}
	add("prompt", owner(r)+" prompt", prompt(r))
	add("text", owner(r)+" text", source(m.track, r))
	for _, b := range blocksOf(r) {
		add(b.name, owner(r)+" "+b.name, b.text)
	}
	return out
}

// block is a command, or a prompt for a person, with its name.
type block struct{ name, text string }

// blocksOf are the commands and the prompts for a person that a step has, as they are
// in this run.
func blocksOf(r *track.Row) []block {
	var out []block
	if r.Step == nil {
		return nil
	}
	for i, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Command:
			out = append(out, block{"command", cmp.Or(r.Edits[i], plan.Source(work.Text))})
		case plan.Decide:
			if work.Show != nil {
				out = append(out, block{"prompt block", work.Show.Text})
			}
		}
	}
	for i := range out {
		if len(out) > 1 {
			out[i].name += fmt.Sprintf(" %d", i+1)
		}
	}
	return out
}

// ofOutput is what is in sight of a log, all of it, and what it came of.
func (m *Model) ofOutput(r *track.Row) []excerpt {
	o := &m.output
	noun := "output"
	switch {
	case o.reply():
		noun = "reply"
	case o.tool():
		noun = "result"
	}
	var out []excerpt
	if o.log != nil && o.win.total > 0 {
		lines := o.win.lines
		out = []excerpt{
			{name: "what is in sight", of: owner(r) + " " + noun, text: func() string { return unstyled(lines) }},
			{name: "all of the " + noun, of: owner(r) + " " + noun, log: o.log},
		}
	}
	if o.called() && len(out) == 2 {
		out[0], out[1] = out[1], out[0]
	}
	if a := o.action; a != nil && a.Text != "" {
		name := map[bool]string{true: "prompt", false: "command"}[o.reply()]
		out = append(out, excerpt{name: name, of: owner(r) + " " + name, text: func() string { return a.Text }})
	}
	return out
}

// whole is a width that nothing is cut or wrapped at.
const whole = 1 << 16

// ofWhy is what the sheet of the inspector says.
func (m *Model) ofWhy() []excerpt {
	v := &m.why
	switch {
	case v.sheet == values:
		return m.ofValues()
	case v.sheet == history && v.at < len(m.events):
		lines := func(from, to int) func() string {
			return func() string {
				var out []string
				for _, e := range m.events[from:to] {
					out = append(out, event(m.look, e, false, whole))
				}
				return unstyled(out)
			}
		}
		return []excerpt{
			{name: "event", of: "the event", text: lines(v.at, v.at+1)},
			{name: "timeline", of: "the timeline", text: lines(0, len(m.events))},
		}
	case v.row == nil || v.sheet == history:
		return nil
	}
	return []excerpt{{name: "reasons", of: owner(v.row) + " reasons", text: func() string { return unstyled(v.grounds(m.look, whole, whole)) }}}
}

// ofValues is the selected variable's value, and all of them.
func (m *Model) ofValues() []excerpt {
	vars := m.track.Vars
	if m.why.sel >= len(vars) {
		return nil
	}
	x := vars[m.why.sel]
	return []excerpt{
		{name: "value", of: "the value of " + draw.Clean(x.Name), text: func() string { return plan.TextOf(x.Value) }},
		{name: "all values", of: "the values", text: func() string {
			var out []string
			for _, x := range vars {
				out = append(out, x.Name+" = "+plan.TextOf(x.Value))
			}
			return strings.Join(out, "\n")
		}},
	}
}

// ofDialog is what a dialog says.
func (m *Model) ofDialog() []excerpt {
	c, box := m.top(), m.layout.Panes[panes.Dialog]
	if c == nil {
		return nil
	}
	return []excerpt{{name: "dialog", of: "the dialog", text: func() string {
		box.H = max(box.H, c.Height(m.view(), box.W))
		_, lines := m.dialogView(c, box)
		return unstyled(lines)
	}}}
}

// unstyled is lines as plain text, without what only fills them up.
func unstyled(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// read is the excerpt with the text that it has now; a log is left to be read later.
func (x excerpt) read() excerpt {
	if x.text != nil {
		text := x.text()
		x.text = func() string { return text }
	}
	return x
}

// safe is the excerpt's text as it may leave the program.
func (x excerpt) safe() string { return sanitize.Text(strings.TrimSuffix(x.text(), "\n")) }
