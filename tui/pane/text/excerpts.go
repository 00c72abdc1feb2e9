package text

import (
	"cmp"
	"fmt"
	"strings"

	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/excerpt"
	"playhead/tui/runview"
)

// Excerpts returns the texts of a step to copy: the introduction while it shows, the prompt as sent, the
// step's text, and its blocks.
func (p *Pane) Excerpts(run *runview.Run) []excerpt.Excerpt {
	r := run.Selected
	if r == nil {
		return nil
	}
	var out []excerpt.Excerpt
	add := func(name, of, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			out = append(out, excerpt.Of(name, of, text))
		}
	}
	if p.intro != nil {
		add("introduction", "the document's introduction", p.intro.Description)
	}
	add("prompt", draw.Owner(r)+" prompt", Prompt(r))
	add("text", draw.Owner(r)+" text", Source(run.Shown, r))
	for _, b := range blocksOf(r) {
		add(b.name, draw.Owner(r)+" "+b.name, b.text)
	}
	return out
}

// block is a command, or a prompt for a person, with its name.
type block struct{ name, text string }

// blocksOf returns the commands and the prompts for a person of a step, with the edits of this run.
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
