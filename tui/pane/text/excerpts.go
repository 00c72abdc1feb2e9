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

// DocumentPlace returns the place of the selected step's text.
func (p *Pane) DocumentPlace(run *runview.Run) (place runview.DocumentPlace, ok bool) {
	return run.PlaceOfText(run.SelectedRow), run.SelectedRow != nil
}

// Excerpts returns the texts of a step to copy: the introduction while it shows, the prompt as sent, the
// step's text, and its blocks.
func (p *Pane) Excerpts(run *runview.Run) []excerpt.Excerpt {
	r := run.SelectedRow
	if r == nil {
		return nil
	}
	var out []excerpt.Excerpt
	add := func(name, of, text string) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			out = append(out, excerpt.FromText(name, of, text))
		}
	}
	if p.introPlan != nil {
		add("introduction", "the document's introduction", p.introPlan.Description)
	}
	add("prompt", draw.PossessiveLabel(r)+" prompt", sentPrompt(r))
	add("text", draw.PossessiveLabel(r)+" text", SourceText(run.ShownTrack, r))
	for _, b := range commandsAndPrompts(r) {
		add(b.name, draw.PossessiveLabel(r)+" "+b.name, b.text)
	}
	return out
}

// namedBlock is a command, or a prompt for a person, with its name.
type namedBlock struct{ name, text string }

// commandsAndPrompts returns the commands and the prompts for a person of a step, with the edits of this run. If there
// are several, their names are numbered.
func commandsAndPrompts(r *track.Row) []namedBlock {
	var out []namedBlock
	if r.Step == nil {
		return nil
	}
	for i, a := range r.Step.Actions {
		switch work := a.Work.(type) {
		case plan.Command:
			out = append(out, namedBlock{"command", cmp.Or(r.EditedTexts[i], plan.SourceText(work.Text))})
		case plan.Decide:
			if b := cmp.Or(work.ShownBlock, work.BlockInText); b != nil {
				out = append(out, namedBlock{"prompt block", b.Text})
			}
		}
	}
	if len(out) > 1 {
		for i := range out {
			out[i].name += fmt.Sprintf(" %d", i+1)
		}
	}
	return out
}
